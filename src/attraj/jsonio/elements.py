"""Where the elements of an array stand in its bytes, also when the array breaks off."""

from __future__ import annotations

import re
from typing import NamedTuple

_BOM = b"\xef\xbb\xbf"
_SPACE = re.compile(r"[ \t\r\n]*+")


class Spans(NamedTuple):
    """What one pass over the text of an array finds.

    Attributes:
        complete: Start and end of each element that is read whole.
        rest: Where the array breaks; None when it ends well.
        is_inside: Whether it breaks inside an element, which starts at `rest`, rather than between two.
    """

    complete: list[tuple[int, int]]
    rest: int | None
    is_inside: bool


def spans(raw: bytes) -> Spans:
    """The elements of a JSON array. What is let through is what the exact reader reads over, NaN for one."""
    from json import JSONDecoder  # only for arrays of documents of which something is asked

    # One byte a character: positions are those of the bytes. Numbers of any length are taken as their text.
    text = raw.decode("latin-1")
    decoder = JSONDecoder(strict=False, parse_int=str, parse_float=str)
    value = decoder.scan_once  # type: ignore[attr-defined]  # C code; `raw_decode` would look for what follows
    found: list[tuple[int, int]] = []
    at = _skip(text, len(_BOM) if raw.startswith(_BOM) else 0)
    if text[at : at + 1] != "[":
        return Spans(found, at, False)
    at = _skip(text, at + 1)
    is_next = text[at : at + 1] != "]"  # whether an element must follow
    while is_next:
        try:
            end = value(text, at)[1]
        except (StopIteration, ValueError, RecursionError):
            return Spans(found, at, text[at : at + 1] in ("{", "["))
        found.append((at, end))
        at = _skip(text, end)
        is_next = text[at : at + 1] == ","
        if is_next:
            at = _skip(text, at + 1)
    if text[at : at + 1] == "]":
        at = _skip(text, at + 1)
        return Spans(found, at if at < len(text) else None, False)
    return Spans(found, at, False)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


class Elements:
    """The elements of one array, found when one of them is first asked for, and then all at once."""

    __slots__ = ("_file", "_places", "_spans")

    def __init__(self, file: bytes, known: Spans | None = None) -> None:
        self._file = file
        self._spans = known
        self._places: list[tuple[int, int]] | None = None

    def raw(self, index: int) -> bytes:
        """The bytes of an element, of the rest for what follows the last complete one."""
        found = self._found()
        if index < len(found.complete):
            start, end = found.complete[index]
            return self._file[start:end]
        return b"" if found.rest is None else self._file[found.rest :]

    def start(self, index: int) -> tuple[int, int]:
        """The line and the column at which an element starts."""
        if self._places is None:
            self._places = self._placed()
        return self._places[index] if index < len(self._places) else (1, 1)

    def _found(self) -> Spans:
        if self._spans is None:
            self._spans = spans(self._file)
        return self._spans

    def _placed(self) -> list[tuple[int, int]]:
        found, raw = self._found(), self._file
        starts = [start for start, _ in found.complete] + ([] if found.rest is None else [found.rest])
        places: list[tuple[int, int]] = []
        line, column = 1, 1
        seen = len(_BOM) if raw.startswith(_BOM) else 0  # a byte order mark is no column
        for start in starts:
            newlines = raw.count(b"\n", seen, start)
            if newlines:
                line, column = line + newlines, 1
                seen = raw.rindex(b"\n", seen, start) + 1
            column += len(raw[seen:start].decode("utf-8", "replace"))
            seen = start
            places.append((line, column))
        return places


class Element(NamedTuple):
    """One element of an array as the source of a document."""

    array: Elements
    number: int

    def raw(self) -> bytes:
        return self.array.raw(self.number)

    def start(self) -> tuple[int, int]:
        return self.array.start(self.number)
