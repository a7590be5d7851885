"""JSON Pointers (RFC 6901): making them, following them, finding their line and column, showing them safely."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

_INDEX = re.compile(r"0|[1-9][0-9]{0,17}").fullmatch  # RFC 6901 §4: ASCII digits, no leading zero
_SHORT_INDEX = re.compile(r"0|[1-9][0-9]{0,5}").fullmatch


def escape(key: str) -> str:
    """One reference token of a pointer."""
    return key.replace("~", "~0").replace("/", "~1")


def join(*parts: str | int) -> str:
    """The pointer made of these keys and positions: join("nodes", 3, "kind") is "/nodes/3/kind"."""
    return "".join(["/" + (str(part) if type(part) is int else escape(str(part))) for part in parts])


def split(pointer: str) -> list[str]:
    """The unescaped reference tokens of a pointer; [] for the whole document."""
    if not pointer:
        return []
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/")]


def resolve(tree: Any, pointer: str) -> Any:
    """The value at `pointer`. Raises LookupError when there is none."""
    for token in split(pointer):
        if type(tree) is dict:
            tree = tree[token]
        elif type(tree) is list and _INDEX(token):
            tree = tree[int(token)]
        else:
            raise LookupError("no such place")
    return tree


def document_order(tree: Any) -> Callable[[str], tuple[int, ...]]:
    """A sort key that puts pointers into the order in which their places stand in the document."""
    ranks: dict[int, dict[str, int]] = {}

    def rank(value: Any, token: str) -> int:
        if type(value) is list:
            return int(token) if _INDEX(token) else len(value)
        if type(value) is not dict:
            return 0
        known = ranks.get(id(value))
        if known is None:
            known = ranks[id(value)] = {key: position for position, key in enumerate(value)}
        return known.get(token, len(value))

    def key(pointer: str) -> tuple[int, ...]:
        place: list[int] = []
        value = tree
        for token in split(pointer):
            at = rank(value, token)
            place.append(at)
            if type(value) is dict:
                value = value.get(token)
            else:
                value = value[at] if type(value) is list and at < len(value) else None
        return tuple(place)

    return key


# --- showing -----------------------------------------------------------------------------------------------------

# A key is shown when it reads as a name that somebody chose for a member: words of letters joined by "_", "-", "."
# or single capitals, without digits and not in capitals. Anything else (an id, a path, a token, the name of an
# environment variable) may be content: a position stands for it (spec: decisions 7). Digits are let through in the
# few names that the formats themselves define.
_WORDS = re.compile(r"(?!.*[A-Z]{4})[A-Za-z]{1,16}(?:[_.-][A-Za-z]{1,16}){0,5}").fullmatch
_NAMES_WITH_DIGITS = frozenset({"sha256"})


def is_shown(key: str) -> bool:
    """Whether a member name may appear in output: a short identifier, not something that may be content."""
    return (len(key) <= 32 and _WORDS(key) is not None) or key in _NAMES_WITH_DIGITS


def shown(pointer: str, tree: Any) -> str:
    """The pointer, with the position in braces ("/extra/{2}") for every key that may be content.

    Where there is no tree (a text that breaks off), a short number is taken for a position in an array.
    """
    tokens = split(pointer)
    if all(is_shown(token) for token in tokens):
        return pointer
    parts: list[str] = []
    for token in tokens:
        if type(tree) is list and _INDEX(token):
            parts.append(token)
            tree = tree[int(token)] if int(token) < len(tree) else None
        else:
            parts.append(escape(token) if is_shown(token) else _position(token, tree))
            tree = tree.get(token) if type(tree) is dict else None
    return "".join(["/" + part for part in parts])


def _position(key: str, tree: Any) -> str:
    if type(tree) is dict:
        return "{%d}" % list(tree).index(key) if key in tree else "{?}"
    return key if _SHORT_INDEX(key) else "{?}"


# --- locating ----------------------------------------------------------------------------------------------------


def locate(text: str, pointers: Iterable[str], *, first_line: int = 1) -> dict[str, tuple[int, int]]:
    """Line and column of each pointer, found in one forward pass that stops after the last of them.

    A value is placed at its first character. A pointer that leads nowhere gets the place of the nearest enclosing
    value that exists. Of a member that is given twice, the first one is taken.

    Args:
        text: A JSON document that parses (NaN and lone surrogates are let through).
        pointers: RFC 6901 pointers.
        first_line: The line of the file on which `text` starts (for one line of a JSONL file).

    Returns:
        Pointer to (line, column), counted from 1, columns in code points; {} when the text cannot be scanned.
    """
    root = _Wanted()
    for pointer in set(pointers):
        branch = root
        for token in split(pointer):
            branch = branch.members.setdefault(token, _Wanted())
        branch.pointers.append(pointer)
    offsets = _Pass(text).offsets(root)
    places: dict[str, tuple[int, int]] = {}
    line, line_start, seen = first_line, int(text.startswith("\ufeff")), 0  # a byte order mark is no column
    for offset, pointer in sorted((offset, pointer) for pointer, offset in offsets.items()):
        newlines = text.count("\n", seen, offset)
        if newlines:
            line += newlines
            line_start = text.rindex("\n", seen, offset) + 1
        seen = offset
        places[pointer] = (line, offset - line_start + 1)
    return places


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

    def offsets(self, wanted: _Wanted) -> dict[str, int]:
        self._left = sum(1 for _ in wanted.all_pointers())
        # Found them all, or the text is not the JSON that the caller said it was: what was found stands.
        with suppress(_Done, StopIteration, ValueError, IndexError, RecursionError):
            self._read(self._skip_space(int(self.text.startswith("\ufeff"))), wanted)
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
            key, at = self._string(text, at + 1, False)
            at = self._skip_space(self._skip_space(at) + 1)
            missing.pop(key, None)
            at = self._read(at, members[key]) if key in members else self._skip(at)
            at = self._skip_space(at)
            if text[at] == ",":
                at = self._skip_space(at + 1)
        self._found([p for w in missing.values() for p in w.all_pointers()], start)
        return at + 1

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
