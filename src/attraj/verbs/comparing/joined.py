"""A value that one document says in the core, and the other where the core cannot hold it: one fact, at one place.

A time without a zone, a count that is no integer: what the core does not hold as it is stays beside it, and is the same
member of the source document all the same.
"""

from __future__ import annotations

from collections.abc import Iterable

from attraj.formats.mapping.fields import At, tokens_of
from attraj.verbs.comparing.changes import Change, Pair
from attraj.verbs.comparing.said import is_same
from attraj.verbs.comparing.sides import Side

_Key = tuple[str, At]


def joined(changes: list[Change], a: Side, b: Side) -> list[Change]:
    """The differences, with what each of two documents of one format says of one member as one difference."""
    beside = {
        letter: {key: change for change in changes if change.kind == kind and (key := _beside(change)) is not None}
        for letter, kind in (("a", "only_a"), ("b", "only_b"))
    }
    if not any(beside.values()):
        return changes
    found: list[Change] = []
    gone: set[int] = set()
    for change in changes:
        key = _key(change, a, b)
        other = beside["b" if change.kind == "only_a" else "a"].get(key) if key is not None else None
        if other is None:
            found.append(change)
            continue
        gone.add(id(other))
        mine, theirs = change.a or other.a, change.b or other.b
        if mine is not None and theirs is not None and not is_same(mine.value, theirs.value):
            found.append(Change(change.topic, change.name, mine, theirs))
    return [change for change in found if id(change) not in gone]


def join_steps(pairs: Iterable[Pair], a: Side, b: Side) -> None:
    """The same, of each step."""
    for pair in pairs:
        if pair.changes:
            pair.changes = joined(pair.changes, a, b)


def _beside(change: Change) -> _Key | None:
    """Slot and place, below the record, of what stands beside the core."""
    path = change.name.path
    return (change.name.slot, path[1:]) if change.topic == "members" and path[:1] == ("source",) else None


def _key(change: Change, a: Side, b: Side) -> _Key | None:
    """Slot and place of what one side says in the core; None for anything else."""
    side, said = (a, change.a) if change.b is None else (b, change.b)
    if change.kind == "different" or said is None or type(said.where) is str or _beside(change) is not None:
        return None
    where: At = said.where  # type: ignore[assignment]  # a place of the Bundle: see above
    at, record = side.source(where), tokens_of(side.event(where))
    if at is None or at[: len(record)] != record:
        return None
    return change.name.slot if record else "", at[len(record) :]
