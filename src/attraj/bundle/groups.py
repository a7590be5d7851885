"""Records that have the same members, taken together: what is asked of all of them is asked column by column.

A bundle of 100,000 nodes has about ten sets of members. Looking at a column of them costs a fraction of looking at each
record, which the checks then do only where a column has something to look at.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from enum import Enum
from operator import itemgetter
from typing import Any, Final

Json = dict[str, Any]

BATCH = 2048  # records looked at together: few enough to stay in the processor's cache


class Absent(Enum):
    """Tells a member that is not there from one that is null."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT

# Members of the objects inside of a record that several checks ask for: taken together, while the object is at hand.
ASKED = {
    "admission": ("status", "authority", "decision_ref"),
    "effect": ("external", "receipt_ref", "receipt_status", "replay", "replay_of", "idempotency_key"),
    "receipt": ("receipt_id", "operation", "arguments", "route", "causal_id", "status", "result_ref"),
    "model_call": ("request_artifact",),
    "training": ("target",),
}


class Group:
    """Some records of one array that have the same members in the same order.

    Attributes:
        names: The members, in their order.
        positions: Where the records stand in their array, ascending.
        records: The records themselves, shared and never copied.
    """

    __slots__ = ("_inner", "names", "positions", "records")

    def __init__(self, names: tuple[str, ...], positions: Sequence[int], records: Sequence[Json]) -> None:
        self.names = names
        self.positions = positions
        self.records = records
        self._inner: dict[tuple[str, str], list[Any]] = {}  # with "" the numbers of those that are filled

    def columns(self) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """Each member with its value in every record: for who asks for most of them."""
        return zip(self.names, zip(*map(dict.values, self.records), strict=True), strict=True)

    def column(self, name: str) -> list[Any]:
        """The value of one member, which must be among `names`, in every record."""
        return list(map(itemgetter(name), self.records))

    def held(self, name: str) -> list[Any]:
        """The same; None in every record when the member is not among `names`."""
        return self.column(name) if name in self.names else [None] * len(self.records)

    def inner(self, name: str, member: str) -> list[Any]:
        """A member of the object that each record has in `name`; ABSENT where there is none."""
        if (name, member) not in self._inner:
            objects = self.held(name)
            for each in {member, *ASKED.get(name, ())}:
                self._inner[name, each] = [o.get(each, ABSENT) if type(o) is dict else ABSENT for o in objects]
        return self._inner[name, member]

    def filled(self, name: str) -> list[int]:
        """Numbers of the records in which a member, which must be among `names`, is neither empty nor null."""
        if (name, "") not in self._inner:
            column = self.column(name)
            self._inner[name, ""] = [i for i, value in enumerate(column) if value] if any(column) else []
        return self._inner[name, ""]

    def types(self, name: str) -> set[type]:
        """The types of the values of one member, which must be among `names`."""
        return set(map(type, map(itemgetter(name), self.records)))


def groups(items: Sequence[Any]) -> list[Group]:
    """The objects of an array as groups of at most BATCH records each; other elements are left out."""
    return [group for start in range(0, len(items), BATCH) for group in grouped(items[start : start + BATCH], start)]


def grouped(items: Sequence[Any], start: int = 0) -> list[Group]:
    """The objects among these elements, the first of which stands at `start`, by their members."""
    if not set(map(type, items)) <= {dict}:
        numbers = [number for number, item in enumerate(items) if type(item) is dict]
        found = grouped([items[number] for number in numbers])
        return [Group(g.names, array("I", [start + numbers[i] for i in g.positions]), g.records) for g in found]
    names = list(map(tuple, items))
    if not names:
        return []
    if names[0] == names[-1] and names.count(names[0]) == len(names):
        return [Group(names[0], range(start, start + len(items)), items)]
    positions: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for position, key in enumerate(names, start):
        positions[key].append(position)
    at = items.__getitem__
    return [
        Group(key, array("I", found), list(map(at, [position - start for position in found] if start else found)))
        for key, found in positions.items()
    ]
