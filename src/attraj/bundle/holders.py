"""Which records hold what is looked for, told by the bytes: a walk then looks into those alone, and into the envelope.

Every record of a collection has the member that names it. Where that name stands in the bytes just as often as there
are records, each of its places belongs to one of them, in their order: a find between two places is in the record of
the one or of the other.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from attraj.bundle.shape import COLLECTIONS
from attraj.secrets.quick.gate import SMALL_BYTES, Gate, may_hold

FEW = 256  # records that are looked into one and all
SMALL = 1 << 20  # bytes of a document that is looked into as a whole

_STRETCH = 1 << 22
_OVERLAP = 1 << 12  # longer than any match
_IDENTIFIER = rb'[ \t\r\n]*:[ \t\r\n]*"([^"\\]*)"'

Items = Mapping[str, list[Any]]


class Holders:
    """Look-ups over the bytes of one Bundle.

    Args:
        raw: The bytes.
        items: The array of each collection, as it stands.
    """

    def __init__(self, raw: bytes, items: Items) -> None:
        self._raw = raw
        self._items = items
        self._places: dict[str, _Places | None] = {}

    def of(self, gate: Gate, patterns: Sequence[bytes]) -> dict[str, Collection[int]]:
        """Collection to the positions of the records in which a match can be; others hold none.

        Names and finds that are written with escapes are not seen: whoever asks has looked for these.

        Args:
            gate: Open wherever a pattern matches.
            patterns: In the syntax of `re`.

        Returns:
            Ascending positions. A collection that is not named has to be looked into as a whole.
        """
        left = self._finds(gate, patterns)
        found: dict[str, Collection[int]] = {}
        inside = (0, 0)
        # The longest first: what stands between its first and its last record stands in no other array.
        for collection, records in sorted(self._items.items(), key=lambda item: -len(item[1])):
            if not left:
                found[collection] = ()
            elif len(records) > FEW:
                end = self._end_at(min(left), max(left), collection, inside)
                if end is not None:
                    found[collection] = (end,)
                elif (places := self._of(collection)) is not None:
                    found[collection] = places.near(left)
                    left = {find for find in left if not places.first < find < places.last}
                    inside = max(inside, (places.first, places.last), key=lambda ends: ends[1] - ends[0])
        return found

    def guess(
        self, gate: Gate, patterns: Sequence[bytes], nodes: Mapping[str, int]
    ) -> tuple[dict[str, Collection[int]], int]:
        """The same without a proof, for who counts what is found there: the name before a find says the node.

        Args:
            nodes: Identifier of each node to its position.

        Returns:
            Positions as `of` gives them, and how many matches there are. Who finds just as many has found them all.
        """
        finds = sorted(self._finds(gate, patterns))
        before = _named("nodes")
        name = re.compile(before + _IDENTIFIER).match
        ends = self._raw.find(before), self._raw.rfind(before)
        near: set[int] = set()
        at = ends[0]
        inside = [find for find in finds if ends[0] < find < ends[1]]
        for find in inside:
            at = max(at, self._raw.rfind(before, at, find))
            match = name(self._raw, at)
            near.add(nodes.get(match[1].decode() if match else "", 0))
        found: dict[str, Collection[int]] = {"nodes": near} if inside else {}
        left = [find for find in finds if not ends[0] < find < ends[1]]
        for other, records in self._items.items():
            if not left:
                found.setdefault(other, ())
            elif len(records) > FEW and (end := self._end_at(left[0], left[-1], other, ends)) is not None:
                found[other] = {*found.get(other, ()), end}
        return {each: sorted(found[each]) for each in found}, len(finds)

    def _finds(self, gate: Gate, patterns: Sequence[bytes]) -> set[int]:
        """Where the patterns match. Stretches whose gate is shut are passed over."""
        raw, found = self._raw, set[int]()
        for start in range(0, len(raw), _STRETCH):
            end = min(start + _STRETCH + _OVERLAP, len(raw))
            if len(raw) <= SMALL_BYTES or may_hold(raw[start:end], gate):
                for pattern in patterns:
                    found.update(match.start() for match in re.compile(pattern).finditer(raw, start, end))
        return found

    def _end_at(self, first: int, last: int, collection: str, other: tuple[int, int]) -> int | None:
        """The position of the only record in which finds from `first` to `last` can stand: that at the near end.

        Args:
            other: A stretch that lies in another array, and so holds no record of this one.
        """
        records, member, name = self._items[collection], COLLECTIONS[collection][1], _named(collection)
        if type(records[0]) is dict and member in records[0]:
            stretches = ((0, min(other[0], last)), (other[1], last))
            if all(self._raw.find(name, start, end) < 0 for start, end in stretches):
                return 0  # all others stand behind the name of this one
        if type(records[-1]) is dict and member in records[-1] and self._raw.find(name, first) < 0:
            return len(records) - 1
        return None

    def _of(self, collection: str) -> _Places | None:
        """Where the records of a collection stand; None when this cannot be told."""
        if collection not in self._places:
            self._places[collection] = _places(self._raw, self._items[collection], collection)
        return self._places[collection]


def _named(collection: str) -> bytes:
    """The name of the member that names the records of a collection, as it stands in the bytes."""
    return b'"%b"' % COLLECTIONS[collection][1].encode()


class _Places(NamedTuple):
    """Where each record of a collection names itself, and whether it begins by that."""

    at: array[int]
    is_beginning: bool

    @property
    def first(self) -> int:
        return self.at[0]

    @property
    def last(self) -> int:
        return self.at[-1]

    def near(self, finds: Collection[int]) -> list[int]:
        """Positions of the records that the finds can stand in."""
        ranks = {bisect(self.at, find) for find in finds}
        before = {max(rank - 1, 0) for rank in ranks}
        return sorted(before if self.is_beginning else before | {rank for rank in ranks if rank < len(self.at)})


def _places(raw: bytes, records: list[Any], collection: str) -> _Places | None:
    member = COLLECTIONS[collection][1]
    if set(map(type, records)) != {dict} or not all(records):
        return None
    is_beginning = set(map(next, map(iter, records))) == {member}
    if not is_beginning and not all(member in record for record in records):
        return None
    at = array("Q", [match.start() for match in re.finditer(_named(collection), raw)])
    return _Places(at, is_beginning) if len(at) == len(records) else None
