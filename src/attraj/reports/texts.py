"""Where two texts differ: their lines, with what is equal around them left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from attraj.reports.layout import View

_AROUND = 1  # equal lines that are shown on either side of a difference
_LINES = 300  # of either text, beyond which lines are not matched one by one
_LONG = 240  # characters of a line, from which it is cut around the difference
_BEFORE = 40


def hunks(a: str, b: str, view: View) -> Iterator[tuple[str, str]]:
    """Signs (" ", "-", "+") and texts that are to stand under one another."""
    if view.is_full:
        yield "-", a
        yield "+", b
        return
    mine, theirs = a.split("\n"), b.split("\n")
    start, end = _equal_ends(mine, theirs)
    middle_a, middle_b = mine[start : len(mine) - end], theirs[start : len(theirs) - end]
    if len(middle_a) == 1 and len(middle_b) == 1:
        middle_a, middle_b = _cut(middle_a[0], middle_b[0], view)
    if start:
        yield " ", "\n".join(mine[max(0, start - _AROUND) : start])
    yield from _middle(middle_a, middle_b)
    if end:
        yield " ", "\n".join(mine[len(mine) - end :][:_AROUND])


def _equal_ends(a: Sequence[str], b: Sequence[str]) -> tuple[int, int]:
    """How many lines, or characters of one line, are equal at the start, and how many of the rest at the end."""
    shortest = min(len(a), len(b))
    start = next((i for i in range(shortest) if a[i] != b[i]), shortest)
    left = shortest - start
    return start, next((i for i in range(left) if a[-1 - i] != b[-1 - i]), left)


def _middle(a: list[str], b: list[str]) -> Iterator[tuple[str, str]]:
    if not a or not b or max(len(a), len(b)) > _LINES:
        opcodes = [("replace", 0, len(a), 0, len(b))]
    else:
        opcodes = list(SequenceMatcher(None, a, b, autojunk=False).get_opcodes())
    for word, a_start, a_end, b_start, b_end in opcodes:
        if word == "equal":
            yield " ", "\n".join(a[a_start:a_end])
            continue
        if a_end > a_start:
            yield "-", "\n".join(a[a_start:a_end])
        if b_end > b_start:
            yield "+", "\n".join(b[b_start:b_end])


def _cut(a: str, b: str, view: View) -> tuple[list[str], list[str]]:
    """Two long lines from shortly before the place where they differ to shortly after it."""
    if max(len(a), len(b)) <= _LONG:
        return [a], [b]
    start, end = _equal_ends(a, b)
    first, last = max(0, start - _BEFORE), max(0, end - _BEFORE)
    return [_piece(a, first, last, view)], [_piece(b, first, last, view)]


def _piece(text: str, first: int, last: int, view: View) -> str:
    before = f"{view.more} " if first else ""
    after = f" {view.more}" if last else ""
    return f"{before}{text[first : len(text) - last]}{after}"
