"""References that lead nowhere: found once, asked by the checks of identity (AT204, AT206) and completeness (AT904)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attraj.bundle.index import BundleIndex

Path = tuple[str | int, ...]
Json = dict[str, Any]

# Members that name a state of the bundle (spec: bundle.md §4.5, §4.6).
STATE_MEMBERS = {"nodes": ("state_before", "state_view", "state_after"), "states": ("same_as", "base_state")}
# Members that name evidence: a text or an array of texts, in the record itself or one level below (§4.3).
EVIDENCE_MEMBERS: dict[str, tuple[tuple[str, ...], ...]] = {
    "nodes": (
        ("read_set",),
        ("evidence_refs",),
        ("admission", "decision_ref"),
        ("effect", "receipt_ref"),
        ("receipt", "result_ref"),
    ),
    "outcomes": (("evidence_refs",),),
    "verifier_results": (("evidence_refs",),),
}


def states(index: BundleIndex) -> list[Path]:
    """Places that name a state which the bundle does not declare, in document order of the records."""
    known = index.state_positions
    found: list[Path] = []
    for collection, members in STATE_MEMBERS.items():
        named = [_Named(index, collection, (member,), takes_arrays=False) for member in members]
        found.extend(_in_order(name.paths(name.texts().difference(known)) for name in named))
    return found


def evidence(index: BundleIndex) -> list[Path]:
    """Places that name evidence, a receipt or something read that the bundle neither has nor declares to be outside."""
    named = {
        collection: [_Named(index, collection, way) for way in ways] for collection, ways in EVIDENCE_MEMBERS.items()
    }
    unknown = index.unknown(set().union(*(name.texts() for names in named.values() for name in names)))
    found: list[Path] = []
    for names in named.values() if unknown else ():
        found.extend(_in_order(name.paths(unknown) for name in names))
    return found


def _in_order(paths: Iterable[list[Path]]) -> list[Path]:
    """By record; those of one record stay in the order in which they come."""
    return sorted(chain.from_iterable(paths), key=itemgetter(1))


class _Named:
    """What the records of a collection name by one member: texts, and arrays of texts where that is meant."""

    def __init__(self, index: BundleIndex, collection: str, way: tuple[str, ...], *, takes_arrays: bool = True) -> None:
        self._at: tuple[str, tuple[str, ...]] = collection, way
        self._positions: list[int] = []
        self._values: list[Any] = []
        for group in index.groups[collection]:
            if way[0] in group.names:
                values = group.inner(*way) if len(way) == 2 else group.column(way[0])
                if len(way) == 1 and not takes_arrays and list in group.types(way[0]):
                    values = [value if type(value) is str else None for value in values]
                self._positions += group.positions
                self._values += values

    def texts(self) -> set[str]:
        """All that is named."""
        found = {value for value in self._values if type(value) is str}
        found.update(text for value in self._values if type(value) is list for text in value if type(text) is str)
        return found

    def paths(self, unknown: Collection[str]) -> list[Path]:
        """The places that name one of these."""
        collection, way = self._at
        found: list[Path] = []
        for position, value in zip(self._positions, self._values, strict=True) if unknown else ():
            if type(value) is str:
                if value in unknown:
                    found.append((collection, position, *way))
            elif type(value) is list:
                named = ((i, text) for i, text in enumerate(value) if type(text) is str)
                found.extend((collection, position, *way, i) for i, text in named if text in unknown)
        return found
