"""Whether a bundle holds numbers that need a closer look: found column by column, without a way to each value."""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

from attraj.bundle.groups import Group, grouped
from attraj.bundle.leaves import SAFE_INTEGER
from attraj.bundle.model import Bundle
from attraj.bundle.shape import COLLECTIONS, OBJECTS, Member

FEW = 8  # objects of the same members that are worth a column


class Numbers(NamedTuple):
    """What numbers a bundle holds. Great ones are beyond 2^53-1, infinite ones included."""

    has_great_ones: bool
    has_floats: bool


def numbers_in(bundle: Bundle) -> Numbers:
    """Look wherever a number may stand; members that hold texts and identifiers are passed over."""
    search = _Search()
    for name, value in bundle.tree.items():
        if name not in COLLECTIONS:
            search.see([value])
    for collection, groups in bundle.index.groups.items():
        for group in groups:
            search.see_columns(group, FREE[collection])
            search.finish()
    search.finish()
    return Numbers(search.has_great_ones, search.has_floats)


class _Search:
    """Values that were seen and containers whose content was not."""

    def __init__(self) -> None:
        self.has_great_ones = False
        self.has_floats = False
        self._pending: list[list[Any]] = []

    def see(self, values: list[Any]) -> None:
        """Look at the numbers among these values, and keep the containers for later."""
        types = set(map(type, values))
        if float in types or int in types:
            self.has_floats = self.has_floats or float in types
            self.has_great_ones = self.has_great_ones or _any_great(values)
        if dict in types or list in types:
            self._pending.append(values)

    def see_columns(self, group: Group, free: dict[str, bool]) -> None:
        """The same for each member of many objects; `free` says which members hold nothing but text."""
        for name in group.names:
            if free.get(name, True):
                self.see(group.column(name))

    def finish(self) -> None:
        """Look into all that is pending, level by level."""
        while self._pending:
            values = self._pending.pop()
            lists = [value for value in values if type(value) is list]
            if lists:
                self.see(list(chain.from_iterable(lists)))
            for group in grouped([value for value in values if type(value) is dict]):
                if len(group.records) >= FEW:
                    self.see_columns(group, NOTHING_KNOWN)
                else:
                    self.see(list(chain.from_iterable(map(dict.values, group.records))))


NOTHING_KNOWN: dict[str, bool] = {}


def _any_great(values: list[Any]) -> bool:
    return any(
        (type(value) is int or type(value) is float) and not -SAFE_INTEGER <= value <= SAFE_INTEGER for value in values
    )


_TEXTUAL = frozenset({"id", "text", "word", "time", "bool", "right", "texts"})


def _may_hold_numbers(member: Member) -> bool:
    kinds = member.of.split("|") if member.kind == "list" else member.kind.split("|")
    return not set(kinds) <= _TEXTUAL


# Collection to member to whether a number may stand in it. In unknown members, it may.
FREE = {
    collection: {name: _may_hold_numbers(member) for name, member in OBJECTS[kind].items()}
    for collection, (kind, _) in COLLECTIONS.items()
}
