"""One pass over all records of a Bundle: which are to be read member by member, and what numbers there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from attraj.bundle.columns import columns
from attraj.bundle.groups import ASKED, Group, grouped
from attraj.bundle.leaves import SAFE_INTEGER
from attraj.bundle.shape import COLLECTIONS

FEW = 8  # objects of the same members that are worth a column


class Survey(NamedTuple):
    """What a quick look tells.

    Attributes:
        suspects: Collection to the positions of the records that may have a fault of shape, in ascending order.
        has_great_ones: Some number is beyond 2^53-1; infinite ones are.
        has_floats: Some number has a point or an exponent.
    """

    suspects: dict[str, list[int]]
    has_great_ones: bool
    has_floats: bool


def survey(tree: Mapping[str, Any], groups: Mapping[str, Sequence[Group]]) -> Survey:
    """Look at everything in a Bundle.

    Args:
        tree: Never modified.
        groups: Collection to its records, by their members.
    """
    numbers = _Numbers()
    for name, value in tree.items():
        if name not in COLLECTIONS or type(value) is not list:
            numbers.see([value])
        elif not set(map(type, value)) <= {dict}:
            numbers.see([element for element in value if type(element) is not dict])
    found: dict[str, list[int]] = {}
    for collection, (kind, _) in COLLECTIONS.items():
        suspects: set[int] = set()
        for group in groups[collection]:
            suspects |= columns(kind).suspects(group, numbers.see)
            numbers.finish()
            for name in ASKED if collection == "nodes" else ():
                if name in group.names:
                    group.inner(name, ASKED[name][0])
        found[collection] = sorted(suspects)
    numbers.finish()
    return Survey(found, numbers.has_great_ones, numbers.has_floats)


class _Numbers:
    """The numbers among the values that it was shown, and inside of them."""

    def __init__(self) -> None:
        self.has_great_ones = False
        self.has_floats = False
        self._pending: list[Sequence[Any]] = []

    def see(self, values: Sequence[Any]) -> None:
        """Look at the numbers among these values, and keep the containers for later."""
        types = set(map(type, values))
        if float in types or int in types:
            self.has_floats = self.has_floats or float in types
            self.has_great_ones = self.has_great_ones or _any_great(values, types)
        if dict in types or list in types:
            self._pending.append(values)

    def finish(self) -> None:
        """Look into all that is pending, level by level."""
        while self._pending:
            values = self._pending.pop()
            lists = [value for value in values if type(value) is list]
            if lists:
                self.see(list(chain.from_iterable(lists)))
            for group in grouped([value for value in values if type(value) is dict]):
                if len(group.records) >= FEW:
                    for name in group.names:
                        self.see(group.column(name))
                else:
                    self.see(list(chain.from_iterable(map(dict.values, group.records))))


def _any_great(values: Sequence[Any], types: set[type]) -> bool:
    integers = values if types == {int} else [value for value in values if type(value) is int]
    if integers and not -SAFE_INTEGER <= min(integers) <= max(integers) <= SAFE_INTEGER:
        return True
    return float in types and any(
        type(value) is float and not -SAFE_INTEGER <= value <= SAFE_INTEGER for value in values
    )
