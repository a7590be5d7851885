"""Which step of one document is which of the other. Order is kept; the cost is bounded for any number of steps.

First what is equal at both ends, then what is there once on either side (patience), by ever less of it; what is left
between these is aligned by what it has in common, and where that would cost too much, in order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple

_CELLS = 250_000  # of all tables together: half a second


class Traits(NamedTuple):
    """What a step is recognised by.

    Attributes:
        marks: From the whole of it to ever smaller parts; None where it has no such part. Equally many for each.
        weights: What each mark counts when it is equal, as many.
    """

    marks: tuple[Hashable | None, ...]
    weights: tuple[int, ...]

    def likeness(self, other: Traits) -> int:
        """How much two steps have in common."""
        return sum(
            weight
            for weight, mine, theirs in zip(self.weights, self.marks, other.marks, strict=True)
            if mine is not None and mine == theirs
        )


Pairs = list[tuple[int | None, int | None]]


class _Gap(NamedTuple):
    """A stretch of either side that nothing is known of yet."""

    a: int
    a_end: int
    b: int
    b_end: int
    level: int = 0


def align(a: Sequence[Traits], b: Sequence[Traits], anchors: int) -> Pairs:
    """Positions that belong together, in the order of both; None where the other side has nothing for it.

    Args:
        anchors: How many of the marks, from the first on, make two steps one when each is there once on its side.
    """
    return _Aligning(a, b, anchors).pairs()


class _Aligning:
    def __init__(self, a: Sequence[Traits], b: Sequence[Traits], anchors: int) -> None:
        self._a, self._b = a, b
        self._levels = anchors
        self._cells = _CELLS
        self._found: dict[int, int] = {}

    def pairs(self) -> Pairs:
        pending = [_Gap(0, len(self._a), 0, len(self._b))]
        while pending:
            gap = self._trimmed(pending.pop())
            if gap.a == gap.a_end or gap.b == gap.b_end:
                continue
            if gap.level == self._levels:
                self._by_likeness(gap)
                continue
            anchors = self._anchors(gap)
            self._found.update(anchors)
            a, b, level = gap.a, gap.b, gap.level if anchors else gap.level + 1
            for next_a, next_b in [*anchors, (gap.a_end, gap.b_end)]:
                pending.append(_Gap(a, next_a, b, next_b, level))
                a, b = next_a + 1, next_b + 1
        return self._in_order()

    def _trimmed(self, gap: _Gap) -> _Gap:
        """The gap without what is equal, in whole, at its two ends."""
        a, a_end, b, b_end, level = gap
        while a < a_end and b < b_end and self._a[a].marks[0] == self._b[b].marks[0]:
            self._found[a] = b
            a, b = a + 1, b + 1
        while a < a_end and b < b_end and self._a[a_end - 1].marks[0] == self._b[b_end - 1].marks[0]:
            a_end, b_end = a_end - 1, b_end - 1
            self._found[a_end] = b_end
        return _Gap(a, a_end, b, b_end, level)

    def _anchors(self, gap: _Gap) -> list[tuple[int, int]]:
        """What is there once on either side, as far as it stands in one order on both."""
        mine = self._once(self._a, gap.a, gap.a_end, gap.level)
        theirs = self._once(self._b, gap.b, gap.b_end, gap.level)
        return _rising([(at, theirs[mark]) for mark, at in mine.items() if mark in theirs])

    def _once(self, side: Sequence[Traits], start: int, end: int, level: int) -> dict[Hashable, int]:
        marks = [side[position].marks[level] for position in range(start, end)]
        counts = Counter(marks)
        return {mark: start + i for i, mark in enumerate(marks) if mark is not None and counts[mark] == 1}

    def _by_likeness(self, gap: _Gap) -> None:
        rows, columns = gap.a_end - gap.a, gap.b_end - gap.b
        if rows * columns > self._cells:
            self._found.update(zip(range(gap.a, gap.a_end), range(gap.b, gap.b_end), strict=False))
            return
        self._cells -= rows * columns
        best = [[0] * (columns + 1) for _ in range(rows + 1)]  # of what begins at this row and column
        likeness = [[self._a[gap.a + i].likeness(self._b[gap.b + j]) for j in range(columns)] for i in range(rows)]
        for i in range(rows - 1, -1, -1):
            here, below, like = best[i], best[i + 1], likeness[i]
            for j in range(columns - 1, -1, -1):
                paired = like[j] + below[j + 1] if like[j] else 0
                here[j] = max(paired, below[j], here[j + 1])
        i = j = 0
        while i < rows and j < columns:
            if likeness[i][j] and best[i][j] == likeness[i][j] + best[i + 1][j + 1]:
                self._found[gap.a + i] = gap.b + j
                i, j = i + 1, j + 1
            elif best[i][j] == best[i + 1][j]:
                i += 1
            else:
                j += 1

    def _in_order(self) -> Pairs:
        pairs: Pairs = []
        next_b = 0
        for a in range(len(self._a)):
            b = self._found.get(a)
            if b is None:
                pairs.append((a, None))
                continue
            pairs += [(None, skipped) for skipped in range(next_b, b)]
            pairs.append((a, b))
            next_b = b + 1
        return pairs + [(None, left) for left in range(next_b, len(self._b))]


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part of these pairs, sorted by the first, in which the second rises too."""
    ends: list[int] = []
    last: list[int] = []  # position of the pair that ends the best row of each length
    before: list[int] = []
    for position, (_, b) in enumerate(pairs):
        length = bisect_left(ends, b)
        before.append(last[length - 1] if length else -1)
        if length == len(ends):
            ends.append(b)
            last.append(position)
        else:
            ends[length], last[length] = b, position
    rising: list[tuple[int, int]] = []
    at = last[-1] if last else -1
    while at >= 0:
        rising.append(pairs[at])
        at = before[at]
    return rising[::-1]
