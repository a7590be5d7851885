"""What the reference form has no place for, kept by the identity of its record and never by a position in an array.

Whoever holds the form may leave records out, add some or sort them: an action must not come back at another's node
(spec bundle.md §4.2 on positions). What no longer has its record comes back nowhere, and is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from attraj.bundle.shape import COLLECTIONS
from attraj.formats.mapping.fields import At, Json, look_up, pointer_of, tokens_of
from attraj.jsonio import MISSING

ROLES = ("moved", "written", "filled")  # each a pointer within its record to a value: see reference_form.py


class Note(NamedTuple):
    """What is noted of one record, or of the Bundle itself.

    Attributes:
        record: The object of the form that it is about; MISSING when there is none, or none that is told apart.
        at: Where the note stands in the document.
        moved, written, filled: Pointer within the record to a value.
    """

    record: Any
    at: At
    moved: Json
    written: Json
    filled: Json


def grouped(notes: Json, tree: Json) -> Json:
    """Notes by their pointer from the root, as they are kept beside the form.

    Args:
        notes: By role; never modified.
        tree: The Bundle in the form.

    Returns:
        By role what is noted of the Bundle itself; `records` by collection and identity; `positions` by collection and
        position for records without an identity of their own, beside the identities (`order`) that make it safe.
    """
    data: Json = {role: {} for role in ROLES}
    own = {name: {one for one, at in _by_id(tree, name).items() if at is not None} for name in COLLECTIONS}
    for role in ROLES:
        for pointer, value in notes[role].items():
            at = tokens_of(pointer)
            if len(at) < 3 or at[0] not in COLLECTIONS:
                data[role][pointer] = value
                continue
            name = str(at[0])
            identity = look_up(tree, (*at[:2], COLLECTIONS[name][1]))
            is_own = type(identity) is str and identity in own[name]
            holder = data.setdefault("records" if is_own else "positions", {}).setdefault(name, {})
            record = holder.setdefault(identity if is_own else str(at[1]), {})
            record.setdefault(role, {})[pointer_of(at[2:])] = value
    for name in data.get("positions", ()):
        data.setdefault("order", {})[name] = _identities(tree, name)
    return data


def noted(tree: Json, extension: str) -> Iterator[Note]:
    """Each note of the extension, with the record that it is about; notes of another form than ours are passed over."""
    where: At = ("extensions", extension, "data")
    data = look_up(tree, where)
    yield _note(tree, data, where)
    for name in COLLECTIONS:
        records, positions = _object(data, "records", name), _object(data, "positions", name)
        known = _by_id(tree, name) if records else {}
        for identity, one in records.items():
            position = known.get(identity)
            record = MISSING if position is None else look_up(tree, (name, position))
            yield _note(record, one, (*where, "records", name, identity))
        is_as_it_was = bool(positions) and look_up(data, ("order", name)) == _identities(tree, name)
        for token, one in positions.items():
            at = tokens_of(f"/{token}")
            record = look_up(tree, (name, *at)) if is_as_it_was and len(at) == 1 else MISSING
            yield _note(record, one, (*where, "positions", name, token))


def by_identity(tree: Json, name: str) -> Callable[[str], Any]:
    """Finds the record of a collection that has an identity; MISSING when none, or more than one has it."""
    known = _by_id(tree, name)

    def find(identity: str) -> Any:
        position = known.get(identity)
        return MISSING if position is None else look_up(tree, (name, position))

    return find


def _note(record: Any, data: Any, at: At) -> Note:
    moved, written, filled = (_object(data, role) for role in ROLES)
    return Note(record, at, moved, written, filled)


def _object(tree: Any, *path: str) -> Json:
    found = look_up(tree, path)
    return found if type(found) is dict else {}


def _identities(tree: Json, name: str) -> list[Any]:
    items, member = tree.get(name), COLLECTIONS[name][1]
    return [one.get(member) if type(one) is dict else None for one in items] if type(items) is list else []


def _by_id(tree: Json, name: str) -> dict[str, int | None]:
    """Identity to position; None where several records have it."""
    known: dict[str, int | None] = {}
    for position, identity in enumerate(_identities(tree, name)):
        if type(identity) is str:
            known[identity] = None if identity in known else position
    return known
