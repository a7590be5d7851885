"""Offsets in a large document whose tree is at hand: arrays of records are jumped over, not read.

The tree tells how often the name of a member must stand in the bytes; when it stands there just as often, each of its
places belongs to one record, and they are searched for at memory speed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from attraj.pointer import split

FEW = 32  # elements that are read one after another
MOST_READ = 1 << 22  # bytes of an array that are read bracket by bracket; the long way is faster than more of that

_CHUNK = 1 << 18
_space = re.compile(rb"[ \t\r\n]*").match
_text = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL).match
_scalar = re.compile(rb"[^,\]}\s]*").match
_bracket = re.compile(rb'["{}\[\]]').search
_QUOTE = ord('"')
_plain = re.compile(r"[A-Za-z0-9_.$-]+").fullmatch


class _Unproven(Exception):
    """The bytes and the tree do not fit together in the way that a jump needs."""


def offsets_in(raw: bytes, tree: Any, pointers: Iterable[str]) -> dict[str, int] | None:
    """Where the value at each pointer begins, or the nearest enclosing value that exists.

    Args:
        raw: UTF-8 without a byte order mark, no member given twice.
        tree: What was read from these bytes.
        pointers: RFC 6901 pointers.

    Returns:
        Pointer to offset in bytes; None when this cannot be told without reading it all.
    """
    root = _Wanted()
    for pointer in pointers:
        branch, value = root, tree
        for token in split(pointer):
            key = _key(value, token)
            if key is None:
                break
            value = value[key]
            branch = branch.below.setdefault(key, _Wanted())
        branch.pointers.append(pointer)
    reader = _Reader(raw)
    try:
        reader.read(_after_space(raw, 0), tree, root)
    except (_Unproven, ValueError, IndexError, RecursionError):  # also: not the bytes of this tree, or very deep
        return None
    return reader.offsets


def _key(value: Any, token: str) -> str | int | None:
    """The key or position that a token means in a value; None when that has none."""
    if type(value) is dict:
        return token if token in value else None
    if type(value) is list and token.isascii() and token.isdecimal() and (token[0] != "0" or token == "0"):
        return int(token) if len(token) < 19 and int(token) < len(value) else None
    return None


class _Wanted:
    """What is looked for at and below one value."""

    __slots__ = ("below", "pointers")

    def __init__(self) -> None:
        self.pointers: list[str] = []
        self.below: dict[str | int, _Wanted] = {}


class _Reader:
    """Reads a document beside its tree. Every method takes the offset at which a value starts."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.offsets: dict[str, int] = {}
        self._known: dict[tuple[int, str], tuple[bytes, list[bool]] | None] = {}

    def read(self, at: int, value: Any, wanted: _Wanted) -> None:
        """Note where what is wanted of this value stands."""
        for pointer in wanted.pointers:
            self.offsets[pointer] = at
        if not wanted.below:
            return
        if type(value) is dict:
            self._members(at, value, wanted.below)
        else:
            self._elements(at, value, wanted.below)

    def _members(self, at: int, value: dict[str, Any], wanted: Mapping[str | int, _Wanted]) -> None:
        left = len(wanted)
        at += 1
        for name, member in value.items():
            at = _after_space(self.raw, at)
            end = _after_text(self.raw, at)
            if not _is_name(self.raw[at:end], name):
                raise _Unproven  # a jump has missed
            at = _after_space(self.raw, _after_space(self.raw, end) + 1)
            if name in wanted:
                self.read(at, member, wanted[name])
                left -= 1
                if not left:
                    return
            at = _after_space(self.raw, self._end(at, member)) + 1

    def _elements(self, at: int, value: list[Any], wanted: Mapping[str | int, _Wanted]) -> None:
        if len(value) > FEW and self._records(at, value, wanted):
            return
        left, start = len(wanted), at
        at += 1
        for position, element in enumerate(value):
            at = _after_space(self.raw, at)
            if position in wanted:
                self.read(at, element, wanted[position])
                left -= 1
                if not left:
                    return
            at = _after_space(self.raw, self._end(at, element)) + 1
            if at - start > MOST_READ:
                raise _Unproven

    def _records(self, at: int, value: list[Any], wanted: Mapping[str | int, _Wanted]) -> bool:
        """The same for a long array, which is jumped through; False, and nothing read, when it cannot be."""
        by_name: dict[str, list[int]] = {}
        for position in sorted(map(int, wanted)):
            by_name.setdefault(_first_name(value[position]), []).append(position)
        named = {name: self._named(at, value, name) for name in by_name}
        for name, positions in by_name.items():
            found = named[name]
            if found is None:
                return False
            word, has_it = found
            here, seen = at, 0
            for position in positions:
                here = self._behind(here, word, sum(has_it[seen:position]))
                seen = position
                self.read(self._opening(self.raw.find(word, here)), value[position], wanted[position])
        return True

    def _end(self, at: int, value: Any) -> int:
        """Where the value ends."""
        if type(value) is list and len(value) > FEW:
            found = self._named(at, value, _first_name(value[-1]))
            if found is not None:
                start = self._opening(self.raw.rfind(found[0]))
                at = _after_space(self.raw, self._end(start, value[-1]))
                if self.raw[at : at + 1] != b"]":
                    raise _Unproven
                return at + 1
        return _after_value(self.raw, at)

    def _named(self, at: int, value: list[Any], name: str) -> tuple[bytes, list[bool]] | None:
        """The bytes of the name of a member, and which elements of the array have it.

        Each of those has it in its bytes once at least: where it stands no more often than that from the array to the
        end of the document, each place is that of an element. Otherwise None.
        """
        if (id(value), name) not in self._known:
            word = b'"%b"' % name.encode("utf-8", "replace")
            has_it = [type(element) is dict and name in element for element in value]
            is_so = _plain(name) is not None and self.raw.count(word, at) == sum(has_it)
            self._known[id(value), name] = (word, has_it) if is_so else None
        return self._known[id(value), name]

    def _behind(self, at: int, word: bytes, count: int) -> int:
        """The offset behind the next `count` places of a word, which are there."""
        while count > FEW:
            here = self.raw.count(word, at, at + _CHUNK)
            if here > count:
                break
            at = self.raw.rindex(word, at, at + _CHUNK) + len(word) if here else at + _CHUNK - len(word)
            count -= here
        for _ in range(count):
            at = self.raw.index(word, at) + len(word)
        return at

    def _opening(self, at: int) -> int:
        """Where the object starts whose first member is named at this offset."""
        start = self.raw.rfind(b"{", 0, max(at, 0))
        if start < 0 or _after_space(self.raw, start + 1) != at:
            raise _Unproven
        return start


def _is_name(written: bytes, name: str) -> bool:
    if written == b'"%b"' % name.encode("utf-8", "replace"):
        return True
    from json import loads  # only for names that are written with escapes

    return bool(loads(written) == name)


def _first_name(value: Any) -> str:
    """The name of the first member of an object; "" for anything else."""
    return str(next(iter(value))) if type(value) is dict and value else ""


def _after_space(raw: bytes, at: int) -> int:
    match = _space(raw, at)
    return match.end() if match else at


def _after_text(raw: bytes, at: int) -> int:
    match = _text(raw, at)
    if match is None:
        raise _Unproven
    return match.end()


def _after_value(raw: bytes, at: int) -> int:
    """Where a value ends, read bracket by bracket."""
    if raw[at] not in b"{[":
        return _after_text(raw, at) if raw[at] == _QUOTE else _scalar(raw, at).end()  # type: ignore[union-attr]
    depth, start = 0, at
    while found := _bracket(raw, at):
        at = found.start()
        if raw[at] == _QUOTE:
            at = _after_text(raw, at)
            continue
        depth += 1 if raw[at] in b"{[" else -1
        at += 1
        if not depth:
            return at
        if at - start > MOST_READ:
            break
    raise _Unproven
