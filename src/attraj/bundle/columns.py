"""A quick look at many objects of one kind, column by column: which of them are to be read member by member.

Looking at a column of values costs a fraction of reading the objects one by one. What is suspected here may be right;
what is not suspected is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import chain
from typing import Any

from attraj.bundle.groups import Group, grouped
from attraj.bundle.instants import are_usual_times, is_rfc3339
from attraj.bundle.shape import OBJECTS, exact_types

# Takes values among which, or inside of which, something may stand that the table of members says nothing of.
Free = Callable[[Sequence[Any]], None]

# Members whose absence the shape says; that of any other required member is said by its family, with what it means
# (no receipt_id is AT506, no status of an outcome AT601 …).
NEEDED = {
    "artifact": ("artifact_id",),
    "state": ("state_id", "availability"),
    "node": ("node_id", "kind"),
    "edge": ("from", "to", "relation"),
    "parents": ("status",),
    "outcome": ("outcome_id",),
    "verifier_result": ("verifier_result_id",),
    "reward_record": ("reward_id",),
    "bundle_ref": ("trajectory_id",),
    "digest": ("algorithm", "value"),
    "identity": ("algorithm", "canonicalization"),
    "step": ("operation",),
}
_TEXT = {str}


class Columns:
    """The members of one kind of object, each as a column of many such objects."""

    __slots__ = ("_columns", "_needed", "_texts")

    def __init__(self, kind: str) -> None:
        self._columns = {name: _Column(member.kind, member.of) for name, member in OBJECTS[kind].items()}
        # Of a text nothing more is asked in these.
        self._texts = frozenset(name for name, column in self._columns.items() if column.takes_any_text())
        self._needed = NEEDED.get(kind, ())

    def suspects(self, group: Group, free: Free) -> set[int]:
        """Positions of the records of a group that must be read.

        Args:
            group: Objects of this kind.
            free: Is given every value that may hold a number.
        """
        names, positions = group.names, group.positions
        if not (self._columns.keys() >= set(names) and set(names).issuperset(self._needed)):
            free(group.records)
            return set(positions)
        found: set[int] = set()
        for name, values in group.columns():
            types = set(map(type, values))
            if types != _TEXT or name not in self._texts:
                found.update(positions[i] for i in self._columns[name].suspects(values, types, free))
        return found

    def among(self, objects: Sequence[Any], free: Free) -> set[int]:
        """The same for objects of any members."""
        found: set[int] = set()
        for group in grouped(objects):
            found |= self.suspects(group, free)
        return found


@cache
def columns(kind: str) -> Columns:
    """The columns of one kind of object ("node", "rights" …)."""
    return Columns(kind)


class _Column:
    """The values that one member may have."""

    __slots__ = ("_elements", "_kind", "_nested", "_types")

    def __init__(self, kind: str, of: str) -> None:
        self._kind = kind
        self._types = exact_types(kind)
        self._nested = described(of)
        # The types of the elements of an array; None when anything may stand in it.
        self._elements = element_types(of or "text") if of or kind == "texts" else None

    def takes_any_text(self) -> bool:
        return self._kind == "any" or (str in self._types and self._kind not in ("id", "time"))

    def suspects(self, values: Sequence[Any], types: set[type], free: Free) -> list[int]:
        """Numbers of the values that must be looked at, in any order. `types` are the types of the values."""
        if self._kind == "any":
            free(values)
            return []
        found: list[int] = []
        if not types <= self._types:
            found += [i for i, value in enumerate(values) if type(value) not in self._types]
            free([values[i] for i in found])
        if int in types or float in types:
            free(values)
        if self._kind == "id":
            if not all(values):
                found += [i for i, value in enumerate(values) if not value]
        elif self._kind == "time" and not (types == _TEXT and are_usual_times(values)):
            found += [i for i, value in enumerate(values) if type(value) is str and not is_rfc3339(value)]
        if dict in types and dict in self._types:
            found += self._among_objects(values, types, free)
        if list in types and list in self._types and not (types == {list} and not any(values)):
            found += self._among_elements([i for i, value in enumerate(values) if type(value) is list], values, free)
        return found

    def _among_objects(self, values: Sequence[Any], types: set[type], free: Free) -> Iterable[int]:
        if types == {dict}:
            if self._nested:
                return columns(self._nested).among(values, free)
            free(values)
            return ()
        numbers = [i for i, value in enumerate(values) if type(value) is dict]
        return (numbers[k] for k in self._among_objects([values[i] for i in numbers], {dict}, free))

    def _among_elements(self, numbers: Sequence[int], values: Sequence[Any], free: Free) -> Iterable[int]:
        elements = list(chain.from_iterable([values[i] for i in numbers]))
        types = set(map(type, elements))
        if self._elements is None:
            free(elements)
            return ()
        if not types or (types == _TEXT and str in self._elements):
            return ()
        owners = [i for i in numbers for _ in values[i]]
        suspects = [k for k, element in enumerate(elements) if type(element) not in self._elements]
        objects = [k for k, element in enumerate(elements) if type(element) is dict]
        if dict in self._elements and self._nested:
            free([elements[k] for k in suspects])
            suspects += [objects[k] for k in columns(self._nested).among([elements[k] for k in objects], free)]
        else:
            free(elements)
        return [owners[k] for k in suspects]


def described(of: str) -> str:
    """The kind of object among these kinds of value; "" when there is none, or it is free."""
    return next((part for part in of.split("|") if part in OBJECTS), "")


def element_kind(of: str) -> str:
    """The kind of value of the elements of an array of `of`."""
    return "|".join("object" if part in OBJECTS else part for part in of.split("|"))


@cache
def element_types(of: str) -> frozenset[type]:
    """The types that the elements of an array of `of` may have."""
    return exact_types(element_kind(of))
