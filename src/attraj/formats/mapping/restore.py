"""A Bundle → the document that it was read from, by the links that reading left.

Every value comes from the core; only what the core does not hold comes from the residue. Where the Bundle has lost a
record that the document needs (a step that a selection took out), the document cannot be restored and a writer makes
a new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attraj.bundle.model import Bundle
from attraj.bundle.shape import COLLECTIONS
from attraj.formats.mapping.fields import At, Json, Place, look_up, tokens_of, unescaped
from attraj.formats.mapping.messages import Expander
from attraj.formats.mapping.residue import EXTENSION
from attraj.jsonio import MISSING


class NotRestorable(Exception):
    """The Bundle no longer holds what the document was made of. The message is safe to show."""


def sources(bundle: Bundle) -> list[Json]:
    """The entries of the documents that a Bundle was read from; [] when it does not say."""
    extension = look_up(bundle.tree, ("extensions", EXTENSION, "data", "artifacts"))
    return [one for one in extension if type(one) is dict] if type(extension) is list else []


def restore(bundle: Bundle, source: Json, places: Mapping[str, Place]) -> Any:
    """The document of one entry of `sources`, equal in value to what was read unless the core was changed.

    Args:
        bundle: Never modified.
        source: The entry.
        places: The table of the room that read it.

    Raises:
        NotRestorable: A record that a link names is gone, or a position is left empty.
    """
    links, rest, order = source.get("links"), source.get("rest"), source.get("order")
    if type(links) is not dict or type(rest) is not dict or type(order) is not dict:
        raise NotRestorable("the notes about the source document are incomplete")
    made: dict[Any, Any] = {}
    records = _Records(bundle)
    is_escaped = source.get("escaped") is True
    for is_messages in (True, False):  # a record of its own wins over the list of messages that holds it too
        for name, linked in links.items():
            place = places.get(name)
            if place is None or type(linked) is not dict:
                raise NotRestorable("the notes about the source document name a place that this version does not know")
            if place.is_messages is is_messages:
                for record, pointer in linked.items():
                    _place(made, place, records, record, tokens_of(pointer), is_escaped=is_escaped)
    for pointer, value in rest.items():
        at = tokens_of(pointer)
        if at:
            _set(made, at, unescaped(value) if is_escaped else value)
    return _finished(made, order, is_array=source.get("root") == "array")


def _place(made: dict[Any, Any], place: Place, records: _Records, record: str, at: At, *, is_escaped: bool) -> None:
    found = records.find(place, record)
    if place.is_messages:
        items = records.expander.items(record)
        if items is None:
            raise NotRestorable("a list of messages is no longer whole")
        for position, item in enumerate(items):
            _set(made, (*at, position), unescaped(item) if is_escaped else item)
        if not items:
            _set(made, at, [])
        return
    for one in place.fields:
        value = look_up(found, one.core)
        if value is not MISSING:
            value = unescaped(value) if is_escaped else value
            written = one.form.written(value) if one.form is not None else None
            _set(made, (*at, *one.source), value if written is None else written)


class _Records:
    """Records of a Bundle by their identity."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._by_id: dict[str, dict[str, Json]] = {}
        self.expander = Expander(bundle)

    def find(self, place: Place, record: str) -> Any:
        if not place.collection:
            found = look_up(self._bundle.tree, tokens_of(record))
        else:
            found = self._collection(place.collection).get(record, MISSING)
        if found is MISSING:
            raise NotRestorable("a record that the source document was made of is not in the Bundle any more")
        return found

    def _collection(self, name: str) -> dict[str, Json]:
        known = self._by_id.get(name)
        if known is None:
            member = COLLECTIONS[name][1]
            known = self._by_id[name] = {
                one[member]: one
                for one in self._bundle.items(name)
                if type(one) is dict and type(one.get(member)) is str
            }
        return known


class _Made(dict[Any, Any]):
    """A container that is being made, as opposed to a value that was carried whole."""


def _set(made: dict[Any, Any], at: At, value: Any) -> None:
    here = made
    for token in at[:-1]:
        inner = here.get(token)
        if type(inner) is not _Made:
            # A message that a list gave whole is opened when a record of its own stands for a part of it.
            inner = here[token] = _opened(inner)
        here = inner
    here[at[-1]] = value


def _opened(value: Any) -> _Made:
    if type(value) is dict:
        return _Made(value)
    if type(value) is list:
        return _Made(enumerate(value))
    return _Made()


def _finished(made: dict[Any, Any], order: Json, *, is_array: bool) -> Any:
    """The containers as JSON has them: arrays without holes, members in the order in which the source had them."""
    root = _Made(made)
    if not root:
        return [] if is_array else {}
    done: list[Any] = [None]
    pending: list[tuple[_Made, str, Any, Any]] = [(root, "", done, 0)]
    while pending:
        here, pattern, parent, key = pending.pop()
        container: Any
        if all(type(token) is int for token in here):
            if sorted(here) != list(range(len(here))):
                raise NotRestorable("a position of the source document is left empty")
            container = [here[position] for position in range(len(here))]
            tokens: list[Any] = list(range(len(here)))
        else:
            names = order.get(pattern)
            tokens = [name for name in names if name in here] if type(names) is list else []
            ordered = set(tokens)
            tokens += [token for token in here if token not in ordered]
            container = {str(token): here[token] for token in tokens}
        parent[key] = container
        for token in tokens:
            value = here[token]
            if type(value) is _Made:
                step = "*" if type(token) is int else token.replace("~", "~0").replace("/", "~1")
                pending.append(
                    (value, f"{pattern}/{step}", container, token if type(container) is list else str(token))
                )
    return done[0]
