"""Where in the bytes the places of some pointers are: line and column, for what is shown and for nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from attraj.pointer import split

_BOM = b"\xef\xbb\xbf"
_TAIL = 1 << 20  # bytes at the end in which top-level members are looked for from behind
_FEW = 8  # members that are: each reads the tail once, and one pass over the whole document finds them all
_NEAR = 1 << 20  # bytes at the beginning that are looked through before the whole is turned into text


def locate(
    raw: bytes, pointers: Iterable[str], *, first_line: int = 1, first_column: int = 1, tree: Any = None
) -> dict[str, tuple[int, int]]:
    """Line and column of each pointer, found in one forward pass that stops after the last of them.

    A value is placed at its first character. A pointer that leads nowhere gets the place of the nearest enclosing
    value that exists. Of a member that is given twice, one is taken. Top-level members near the end of a large
    document are found from behind, without the pass.

    Args:
        raw: A JSON document that parses (NaN and lone surrogates are let through).
        pointers: RFC 6901 pointers.
        tree: What was read from the bytes, where nothing is wrong with them: much of a large document need not be read
            then.
        first_line, first_column: Where in the file `raw` starts (a line of a JSONL file, an element of an array).

    Returns:
        Pointer to (line, column), counted from 1, columns in code points; {} when the text cannot be scanned.
    """
    wanted = _Wanted()
    for pointer in set(pointers):
        branch = wanted
        for token in split(pointer):
            branch = branch.members.setdefault(token, _Wanted())
        branch.pointers.append(pointer)
    offsets = _from_behind(raw, wanted)
    start = len(_BOM) if raw.startswith(_BOM) else 0
    # One byte a character: the text takes no more room than the bytes, and positions are those of the bytes. What is
    # shown of a large document stands near its beginning: mostly it need not be turned into text as a whole.
    scan = _Pass(raw[:_NEAR].decode("latin-1"))
    found = scan.offsets(wanted, start)
    if not scan.has_all and len(raw) > _NEAR:
        jumped = _jumped(raw, tree, wanted) if tree is not None else None
        found = _Pass(raw.decode("latin-1")).offsets(wanted, start) if jumped is None else jumped
    offsets.update(found)
    return _places(raw, offsets, first_line, first_column)


def _jumped(raw: bytes, tree: Any, wanted: _Wanted) -> dict[str, int] | None:
    from attraj.jumps import offsets_in  # only for what stands far into a large document

    return offsets_in(raw, tree, wanted.all_pointers())


def _places(raw: bytes, offsets: dict[str, int], first_line: int, first_column: int) -> dict[str, tuple[int, int]]:
    places: dict[str, tuple[int, int]] = {}
    line, column = first_line, first_column
    seen = len(_BOM) if raw.startswith(_BOM) else 0  # a byte order mark is no column
    for offset, pointer in sorted((offset, pointer) for pointer, offset in offsets.items()):
        newlines = raw.count(b"\n", seen, offset)
        if newlines:
            line += newlines
            column = 1
            seen = raw.rindex(b"\n", seen, offset) + 1
        column += _characters(raw, seen, offset)
        seen = offset
        places[pointer] = (line, column)
    return places


def _characters(raw: bytes, start: int, end: int) -> int:
    """How many characters stand between two offsets: counted piece by piece, for a line may be a whole document."""
    count = 0
    while start < end:
        stop = min(start + _NEAR, end)
        while stop < end and 0x80 <= raw[stop] < 0xC0:  # inside of a character
            stop += 1
        count += len(raw[start:stop].decode("utf-8", "replace"))
        start = stop
    return count


class _Wanted:
    """What is looked for at and below one value."""

    __slots__ = ("members", "pointers")

    def __init__(self) -> None:
        self.pointers: list[str] = []
        self.members: dict[str, _Wanted] = {}

    def all_pointers(self) -> Iterable[str]:
        yield from self.pointers
        for branch in self.members.values():
            yield from branch.all_pointers()


def _from_behind(raw: bytes, wanted: _Wanted) -> dict[str, int]:
    """Take out of `wanted` the top-level members that stand near the end, and give their offsets.

    `"name"` found from behind is the top-level member when what follows it up to the end of the document, with a
    brace before it, is one object: inside any other object or array a closing bracket would be left over, and inside
    a string the quotes would be escaped.
    """
    found: dict[str, int] = {}
    before = len(raw) - _TAIL
    if before <= 0 or len(wanted.members) > _FEW:
        return found
    text = raw[before:].decode("latin-1")
    for name, branch in list(wanted.members.items()):
        at = text.rfind(f'"{name}"') if name.isascii() else -1
        if at < 0:
            continue
        tail = "{" + text[at:]
        alone = _Wanted()
        alone.members[name] = branch
        scan = _Pass(tail)
        if scan.is_one_value():
            found.update({pointer: before + at - 1 + offset for pointer, offset in scan.offsets(alone, 0).items()})
            del wanted.members[name]
    return found


class _Done(Exception):
    """Nothing more is looked for."""


class _Pass:
    """One forward pass over a text. Unwanted values are skipped by the C scanner of the standard library."""

    def __init__(self, text: str) -> None:
        from json import JSONDecoder  # needed only when something is located
        from json.decoder import scanstring  # type: ignore[attr-defined]

        self.text = text
        self._value: Callable[[str, int], tuple[Any, int]] = JSONDecoder(strict=False).scan_once  # type: ignore[attr-defined]
        self._string: Callable[[str, int, bool], tuple[str, int]] = scanstring
        self._space = re.compile(r"[ \t\r\n]*").match
        self._offsets: dict[str, int] = {}
        self._left = 0

    @property
    def has_all(self) -> bool:
        """Whether everything that was looked for is found."""
        return self._left <= 0

    def is_one_value(self) -> bool:
        """Whether the text is one JSON value and nothing else."""
        with suppress(StopIteration, ValueError, IndexError, RecursionError):
            return self._skip_space(self._value(self.text, 0)[1]) == len(self.text)
        return False

    def offsets(self, wanted: _Wanted, start: int) -> dict[str, int]:
        self._left = sum(1 for _ in wanted.all_pointers())
        if not self._left:
            return {}
        # Found them all, or the text is not the JSON that the caller said it was: what was found stands.
        with suppress(_Done, StopIteration, ValueError, IndexError, RecursionError):
            self._read(self._skip_space(start), wanted)
        return self._offsets

    def _skip_space(self, at: int) -> int:
        match = self._space(self.text, at)
        return match.end() if match else at

    def _found(self, pointers: Iterable[str], at: int) -> None:
        for pointer in pointers:
            if pointer not in self._offsets:
                self._left -= 1
                self._offsets[pointer] = at
        if self._left <= 0:
            raise _Done

    def _read(self, at: int, wanted: _Wanted) -> int:
        """Read the value at `at`; note what is wanted of it; return where it ends."""
        self._found(wanted.pointers, at)
        opening = self.text[at]
        if opening == "{":
            return self._object(at, wanted)
        if opening == "[":
            return self._array(at, wanted)
        self._found([p for w in wanted.members.values() for p in w.all_pointers()], at)
        return self._value(self.text, at)[1]

    def _object(self, start: int, wanted: _Wanted) -> int:
        text, members, missing = self.text, wanted.members, dict(wanted.members)
        at = self._skip_space(start + 1)
        while text[at] != "}":
            key, at = self._key(at)
            at = self._skip_space(self._skip_space(at) + 1)
            missing.pop(key, None)
            at = self._read(at, members[key]) if key in members else self._skip(at)
            at = self._skip_space(at)
            if text[at] == ",":
                at = self._skip_space(at + 1)
        self._found([p for w in missing.values() for p in w.all_pointers()], start)
        return at + 1

    def _key(self, at: int) -> tuple[str, int]:
        key, end = self._string(self.text, at + 1, False)
        if not key.isascii():  # it was read byte by byte: read it again as what it is
            quoted = self.text[at:end].encode("latin-1").decode("utf-8", "replace")
            key = self._string(quoted, 1, False)[0]
        return key, end

    def _array(self, start: int, wanted: _Wanted) -> int:
        text, members, missing = self.text, wanted.members, dict(wanted.members)
        at, index = self._skip_space(start + 1), 0
        while text[at] != "]":
            key = str(index)
            missing.pop(key, None)
            at = self._read(at, members[key]) if key in members else self._skip(at)
            at = self._skip_space(at)
            if text[at] == ",":
                at = self._skip_space(at + 1)
            index += 1
        self._found([p for w in missing.values() for p in w.all_pointers()], start)
        return at + 1

    def _skip(self, at: int) -> int:
        # An array is skipped element by element: the scanner builds what it skips, and a document may be one array.
        if self.text[at] != "[":
            return self._value(self.text, at)[1]
        at = self._skip_space(at + 1)
        while self.text[at] != "]":
            at = self._skip_space(self._value(self.text, at)[1])
            if self.text[at] == ",":
                at = self._skip_space(at + 1)
        return at + 1
