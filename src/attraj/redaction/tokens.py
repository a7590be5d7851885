"""Where values stand in a JSON text, and how a part of a string token is replaced without touching the rest of it.

Nothing is written anew: numbers, order, white space, escapes and everything that does not change keep their bytes
(spec: redaction.md §7.4).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from json import JSONDecoder
from json.decoder import scanstring  # type: ignore[attr-defined]  # C code; there is no public name for it
from typing import Any, NamedTuple

from attraj.redaction.leaves import Keys

_SPACE = re.compile(r"[ \t\r\n]*")
_ATOM = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]+", re.DOTALL
)

REPEATED = "\0again"
"""What is added to the name of a member that its object has already, so that no value of it is lost."""


class Range(NamedTuple):
    """A stretch of a text, in code points."""

    start: int
    end: int


class Patch(NamedTuple):
    """A stretch of a text and what stands there afterwards."""

    start: int
    end: int
    new: str


def patched(text: str, patches: Iterable[Patch]) -> str:
    """The text with every patch applied. Patches must not overlap."""
    pieces: list[str] = []
    at = 0
    for start, end, new in sorted(patches):
        if start < at:
            raise ValueError("patches overlap")
        pieces += (text[at:start], new)
        at = end
    pieces.append(text[at:])
    return "".join(pieces)


# --- where values stand --------------------------------------------------------------------------------------------


class _Wanted:
    """The places that are looked for, as a tree of keys."""

    __slots__ = ("is_name", "is_value", "keys", "members")

    def __init__(self) -> None:
        self.members: dict[str | int, _Wanted] = {}
        self.keys: Keys = ()
        self.is_value = False
        self.is_name = False


def ranges(
    text: str, places: Iterable[tuple[Keys, bool]], start: int = 0, *, has_repeated: bool = False
) -> dict[tuple[Keys, bool], Range]:
    """Where each place stands: the whole value, or the string token of a member's name.

    What is not looked for is passed over by the C scanner of the standard library.

    Args:
        text: A text that holds a JSON document which was read without breaking.
        places: Keys that lead to a value, and whether its name is meant instead.
        start: Where the document starts in the text.
        has_repeated: The tree has names with REPEATED.
    """
    root = _Wanted()
    for keys, is_name in places:
        at = root
        for key in keys:
            at = at.members.setdefault(key, _Wanted())
        at.keys = keys
        at.is_name |= is_name
        at.is_value |= not is_name
    scan = _Scan(text, has_repeated)
    scan.value(scan.space(start), root)
    return scan.found


class _Scan:
    """One forward pass over a text. Recursion is bounded by the depth of a document (limits.py)."""

    def __init__(self, text: str, has_repeated: bool) -> None:
        self.text = text
        self.found: dict[tuple[Keys, bool], Range] = {}
        self._skip = JSONDecoder(strict=False).scan_once  # type: ignore[attr-defined]
        self._has_repeated = has_repeated

    def space(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match else at

    def value(self, at: int, wanted: _Wanted) -> int:
        """Read the value at `at`; note what is wanted of it; return where it ends."""
        opening = self.text[at]
        if not wanted.members:
            end: int = self._skip(self.text, at)[1]
        elif opening == "{":
            end = self._object(at, wanted)
        elif opening == "[":
            end = self._array(at, wanted)
        else:
            end = self._skip(self.text, at)[1]
        if wanted.is_value:
            self.found[wanted.keys, False] = Range(at, end)
        return end

    def _object(self, at: int, wanted: _Wanted) -> int:
        text = self.text
        seen: dict[str, int] = {}
        at = self.space(at + 1)
        while text[at] != "}":
            name_start = at
            name, at = scanstring(text, at + 1, False)
            if self._has_repeated:
                name = repeated(name, seen)
            inner = wanted.members.get(name)
            if inner is not None and inner.is_name:
                self.found[inner.keys, True] = Range(name_start, at)
            at = self.space(self.space(at) + 1)
            at = self._skip(text, at)[1] if inner is None else self.value(at, inner)
            at = self.space(at)
            if text[at] == ",":
                at = self.space(at + 1)
        return at + 1

    def _array(self, at: int, wanted: _Wanted) -> int:
        text, position = self.text, 0
        at = self.space(at + 1)
        while text[at] != "]":
            inner = wanted.members.get(position)
            at = self._skip(text, at)[1] if inner is None else self.value(at, inner)
            at = self.space(at)
            if text[at] == ",":
                at = self.space(at + 1)
            position += 1
        return at + 1


def elements(text: str, start: int = 0) -> list[Range]:
    """Where each element of the array stands that the text holds."""
    scan = _Scan(text, has_repeated=False)
    at, found = scan.space(scan.space(start) + 1), []
    while text[at] != "]":
        end = scan.value(at, _Wanted())
        found.append(Range(at, end))
        at = scan.space(end)
        if text[at] == ",":
            at = scan.space(at + 1)
    return found


def repeated(name: str, seen: dict[str, int]) -> str:
    """The name, told apart from the same name earlier in its object. `seen` counts them."""
    count = seen[name] = seen.get(name, 0) + 1
    return name if count == 1 else f"{name}{REPEATED}{count}"


def tree_with_repeated(text: str) -> Any:
    """The tree of a text, with every member: one that its object has already gets a name of its own."""

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        seen: dict[str, int] = {}
        return {repeated(name, seen): value for name, value in pairs}

    return json.loads(text, strict=False, object_pairs_hook=members)


# --- inside a string token -----------------------------------------------------------------------------------------


def inside(text: str, token: Range, pieces: Sequence[tuple[int, int, str]]) -> list[Patch]:
    """Patches for parts of a string token.

    Args:
        text: The JSON text.
        token: The string token in it, with its quotes.
        pieces: Start and end in the decoded string, and what stands there afterwards (it needs no escape).
    """
    raw = text[token.start + 1 : token.end - 1]
    if "\\" not in raw:
        return [Patch(token.start + 1 + start, token.start + 1 + end, new) for start, end, new in pieces]
    wanted = sorted({offset for start, end, _ in pieces for offset in (start, end)})
    places: dict[int, int] = {}
    decoded = done = 0
    for atom in _ATOM.finditer(raw):
        length = 1 if atom[0][0] == "\\" else atom.end() - atom.start()
        while done < len(wanted) and wanted[done] < decoded + length:
            places[wanted[done]] = atom.start() + wanted[done] - decoded
            done += 1
        decoded += length
    places[decoded] = len(raw)
    base = token.start + 1
    return [Patch(base + places[start], base + places[end], new) for start, end, new in pieces]
