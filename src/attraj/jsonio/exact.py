"""The slow and tolerant reader: every defect with its place, and a tree wherever one can be had.

Iterative, so that depth costs nothing; strings and numbers are taken whole by C code. Why a text breaks is said by
`explain`, what is no text at all by `sniff`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from json.decoder import scanstring  # type: ignore[attr-defined]  # C code; there is no public name for it
from typing import Any, NamedTuple

from attraj import pointer as pointers
from attraj.jsonio.cut import CUT_HINT, cut_message, read_cut, shown_token
from attraj.jsonio.document import MISSING, Document, Fault, FaultKind
from attraj.jsonio.explain import Expected, explain
from attraj.jsonio.sniff import BOM, byte_order_mark, sniff
from attraj.jsonio.utf8 import bad_characters, decode, describe, is_bad, lone_escapes
from attraj.limits import DEFAULT_LIMITS, Limits


def read_exactly(raw: bytes, limits: Limits = DEFAULT_LIMITS, *, whole: str = "file") -> Document:
    """Read one JSON document and tell every defect of its bytes.

    Never raises on any bytes. NaN and Infinity, lone surrogates, raw control characters, duplicate members (the last
    one counts) and a byte order mark are told and read over; anything else ends the reading and leaves no tree.

    Args:
        raw: The bytes, uncompressed. Never modified.
        limits: Bounds on size, depth and number length.
        whole: What the bytes are, for messages: "file", "line".

    Returns:
        The document, with its faults in document order.
    """
    if len(raw) > limits.max_bytes:
        message, hint = f"the {whole} is larger than {limits.max_bytes} bytes", "raise the limit with --max-bytes"
        return Document(raw, MISSING, (Fault(FaultKind.LIMIT, message, hint=hint),))
    if (fault := sniff(raw, whole)) is not None:
        return Document(raw, MISSING, (fault,))
    if (cut := read_cut(raw, limits, whole)) is not None:
        return cut
    reader = _Reader(raw, limits, whole)
    if raw.startswith(BOM):
        mark = byte_order_mark(whole)
        reader.note(1, mark.kind, mark.message, hint=mark.hint, is_fatal=False)
    tree = reader.read()
    return Document(raw, tree, tuple(_placed(reader.found, reader.text)))


class _Found(NamedTuple):
    offset: int
    kind: FaultKind
    message: str
    pointer: str
    hint: str
    is_fatal: bool
    byte: int | None = None


def _placed(found: Iterable[_Found], text: str) -> Iterator[Fault]:
    """The faults in document order, each with its line and column: one walk over the text."""
    line, line_start, seen = 1, int(text.startswith("\ufeff")), 0  # editors do not count the mark as a column
    for offset, kind, message, pointer, hint, is_fatal, byte in sorted(found, key=lambda each: each.offset):
        newlines = text.count("\n", seen, offset)
        if newlines:
            line += newlines
            line_start = text.rindex("\n", seen, offset) + 1
        seen = offset
        yield Fault(kind, message, pointer, line, offset - line_start + 1, hint, is_fatal, byte)


class _Broken(Exception):
    """The text cannot be read any further; why is noted."""


_SPACE = re.compile(r"[ \t\r\n]*+")
_NAME = re.compile(r'"([^"\\\x00-\x1f]*+)"[ \t\r\n]*+:[ \t\r\n]*+')
_NEXT = re.compile(r"[ \t\r\n]*+([,\]}])[ \t\r\n]*+")
_SCALAR = re.compile(
    r"(?:-?(0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null|NaN|-?Infinity)(?![\w.+-])", re.ASCII
)
_CUT_SCALAR = re.compile(
    r"(?:-?(?:(?:0|[1-9][0-9]*+)(?:\.|(?:\.[0-9]++)?[eE][+-]?))?|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?"
    r"|Na?|-?I(?:n(?:f(?:i(?:n(?:it?)?)?)?)?)?)\Z"
)
_UNBROKEN = re.compile(r'[^"\\]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\]*+)*+')
_CUT_ESCAPE = re.compile(r"(?:\\(?:u[0-9a-fA-F]{0,3})?)?\Z")
_CONTROL = re.compile(r"[\x00-\x1f]")
_CONTROL_NAMES = {"\n": "line break", "\r": "carriage return", "\t": "tab", "\0": "NUL byte"}
_WORDS = {"true": True, "false": False, "null": None}
_NOT_NUMBERS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


class _Reader:
    """One reading of one text. The open containers are on a stack of (container, name of the member being read)."""

    def __init__(self, raw: bytes, limits: Limits, whole: str) -> None:
        self.raw = raw
        self.text = text = decode(raw)
        self.limits = limits
        self.whole = whole
        self.found: list[_Found] = []
        self.stack: list[tuple[Any, str]] = []
        self.container: Any = None
        self.name = ""
        self.has_tree = True
        self.names: dict[str, str] = {}  # each name once in memory
        self.has_controls = _CONTROL.search(text) is not None
        self.bad = bad_characters(text)
        self.lone = lone_escapes(text)
        self.next_bad = next(self.bad, sys.maxsize)
        self.next_lone = next(self.lone, sys.maxsize)
        self.measured = (0, 0)  # this many characters are this many bytes

    # --- reading ---

    def read(self) -> Any:
        """The tree, MISSING when the text breaks or holds what no tree can show."""
        try:
            tree, at = self._tree()
            at = self._space(at)
            if at < len(self.text):
                raise self._broken(at, Expected.END)
        except _Broken:
            return MISSING
        return tree if self.has_tree else MISSING

    def _space(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match else at

    def _tree(self) -> tuple[Any, int]:
        text = self.text
        at = self._space(text.startswith("\ufeff"))
        value: Any
        while True:
            opening = text[at : at + 1]
            if opening == '"':
                value, at = self._string(at, is_name=False)
            elif opening == "{" or opening == "[":
                inside = self._enter({} if opening == "{" else [], at)
                if text[inside : inside + 1] != ("}" if opening == "{" else "]"):
                    at = self._member_name(inside) if opening == "{" else inside
                    continue
                value, at = self._leave(), inside + 1
            else:
                value, at = self._scalar(at)
            while True:
                is_object = type(self.container) is dict
                if is_object:
                    self.container[self.name] = value
                elif self.container is None:
                    return value, at
                else:
                    self.container.append(value)
                follows = _NEXT.match(text, at)
                if follows is None:
                    raise self._broken(at, Expected.NEXT)
                if follows[1] == ",":
                    at = self._member_name(follows.end()) if is_object else follows.end()
                    break
                if follows[1] != ("}" if is_object else "]"):
                    raise self._broken(at, Expected.NEXT)
                value, at = self._leave(), follows.end(1)

    def _enter(self, container: Any, at: int) -> int:
        if len(self.stack) >= self.limits.max_depth:
            message = f"nested deeper than {self.limits.max_depth} levels"
            self.note(at, FaultKind.LIMIT, message, self.place(), hint="raise the limit with --max-depth")
            raise _Broken
        self.stack.append((self.container, self.name))
        self.container = container
        return self._space(at + 1)

    def _leave(self) -> Any:
        value = self.container
        self.container, self.name = self.stack.pop()
        return value

    def _member_name(self, at: int) -> int:
        """Read a member name and its colon; return where the value starts."""
        match = _NAME.match(self.text, at)
        if match is not None and match.end() <= self.next_bad:
            name, after = match[1], match.end()
        else:
            name, after = self._rare_name(at)
        name = self.names.setdefault(name, name)
        if name in self.container:
            message, hint = (
                "a duplicate member: the object has one of this name",
                "readers disagree which counts: keep one",
            )
            self.note(at, FaultKind.DUPLICATE, message, self.around() + pointers.join(name), hint=hint, is_fatal=False)
        self.name = name
        return after

    def _rare_name(self, at: int) -> tuple[str, int]:
        if self.text[at : at + 1] != '"':
            raise self._broken(at, Expected.NAME)
        name, at = self._string(at, is_name=True)
        at = self._space(at)
        if self.text[at : at + 1] != ":":
            raise self._broken(at, Expected.COLON)
        return name, self._space(at + 1)

    def _string(self, at: int, *, is_name: bool) -> tuple[str, int]:
        try:
            value, end = scanstring(self.text, at + 1, False)
        except ValueError:
            raise self._bad_string(at, is_name=is_name) from None
        if self.next_bad < end or self.next_lone < end or (self.has_controls and _CONTROL.search(self.text, at, end)):
            self._note_inside(at, end, is_name)
        return value, end

    def _scalar(self, at: int) -> tuple[Any, int]:
        match = _SCALAR.match(self.text, at)
        if match is None:
            if _CUT_SCALAR.match(self.text, at) and at < len(self.text):
                raise self._cut("a value", self.place())
            raise self._broken(at, Expected.VALUE)
        word, end = match[0], match.end()
        if match[1] is None:
            if word in _WORDS:
                return _WORDS[word], end
            message, hint = f"{word} is not JSON", "leave the member out, or write null"
            self.note(at, FaultKind.SYNTAX, message, self.place(), hint=hint)
            return _NOT_NUMBERS[word], end
        if len(match[1]) > self.limits.max_number_chars:
            message = f"a number of more than {self.limits.max_number_chars} digits"
            self.note(at, FaultKind.LIMIT, message, self.place(), hint="raise the limit with --max-number-chars")
            self.has_tree = False
            return None, end
        if match.end(1) == end:
            return _integer(word), end
        number = float(word)
        if abs(number) == float("inf"):
            message, hint = "a number too large for a double", "most readers see infinity here"
            self.note(at, FaultKind.NUMBER, message, self.place(), hint=hint, is_fatal=False)
        return number, end

    # --- noting ---

    def note(
        self, at: int, kind: FaultKind, message: str, pointer: str = "", *, hint: str = "", is_fatal: bool = True
    ) -> None:
        self.found.append(_Found(at, kind, message, pointer, hint, is_fatal))

    def _end(self, at: int, message: str, pointer: str, hint: str) -> _Broken:
        """Note why the reading ends at `at`."""
        self.found.append(_Found(at, FaultKind.SYNTAX, message, pointer, hint, True, self._byte_offset(at)))
        return _Broken()

    def around(self) -> str:
        """The pointer of the innermost open container."""
        return pointers.join(*self._tokens()[:-1])

    def place(self) -> str:
        """The pointer of the value being read."""
        return pointers.join(*self._tokens())

    def _frames(self) -> list[tuple[Any, str]]:
        return [*self.stack[1:], (self.container, self.name)] if self.stack else []

    def _tokens(self) -> list[str | int]:
        return [name if type(container) is dict else len(container) for container, name in self._frames()]

    def _note_inside(self, at: int, end: int, is_name: bool) -> None:
        """Note what is wrong inside a string: each kind once, at its first place."""
        pointer, what = (self.around(), "member name") if is_name else (self.place(), "string")
        if (control := _CONTROL.search(self.text, at, end)) is not None:
            message = f"an unescaped {_CONTROL_NAMES.get(control[0], 'control character')} in a {what}"
            self.note(control.start(), FaultKind.SYNTAX, message, pointer, hint="write it as an escape")
        if self.next_bad < end:
            self._note_bad(pointer)
            self.next_bad = next((bad for bad in self.bad if bad >= end), sys.maxsize)
        if self.next_lone < end:
            message, hint = f"a lone surrogate escape in a {what}", "the writer took bytes that are no text for text"
            self.note(self.next_lone, FaultKind.SURROGATE, message, pointer, hint=hint, is_fatal=False)
            self.next_lone = next((lone for lone in self.lone if lone >= end), sys.maxsize)

    def _note_bad(self, pointer: str) -> None:
        self.has_tree = False  # nobody knows which text it would hold
        offset = self._byte_offset(self.next_bad)
        what, hint = describe(self.raw, offset)
        message = f"not UTF-8: {what}, at byte {offset}{self._of_part}"
        self.note(self.next_bad, FaultKind.ENCODING, message, pointer, hint=hint)

    @property
    def _of_part(self) -> str:
        """What bytes are counted in, where it is not the file."""
        return "" if self.whole == "file" else f" of the {self.whole}"

    def _byte_offset(self, at: int) -> int:
        characters, bytes_ = self.measured if at >= self.measured[0] else (0, 0)
        bytes_ += len(self.text[characters:at].encode("utf-8", "surrogateescape"))
        self.measured = at, bytes_
        return bytes_

    # --- breaking ---

    def _broken(self, at: int, expected: Expected) -> _Broken:
        """Note why the text breaks at `at` (or after white space there)."""
        at = self._space(at)
        if at >= len(self.text):
            return self._cut("an object" if type(self.container) is dict else "an array", self.around())
        is_value = expected is Expected.VALUE and self.text[at] not in ",]}"
        pointer = self.place() if is_value else self.around()
        if is_bad(self.text[at]):
            self.next_bad = at
            self._note_bad(pointer)
            return _Broken()
        message, hint, at = explain(self.text, at, expected)
        if expected is Expected.END:
            message += f", at byte {self._byte_offset(at)}{self._of_part}"
        return self._end(at, message, pointer, hint)

    def _bad_string(self, at: int, *, is_name: bool) -> _Broken:
        """Note why the string at `at` does not end, or which of its escapes is none."""
        text, what = self.text, "a member name" if is_name else "a string"
        match = _UNBROKEN.match(text, at + 1)
        end = match.end() if match else at
        is_cut = _CUT_ESCAPE.match(text, end) is not None
        # Of half a character at the very end, the other half may be what was cut.
        is_half = is_cut and self.next_lone == end - 6 and text[end - 3] in "89abAB"
        self._note_inside(at, self.next_lone if is_half else end, is_name)
        pointer = self.around() if is_name else self.place()
        if is_cut:
            return self._cut(what, pointer)
        return self._end(end, f"an invalid escape in {what}", pointer, "write a backslash as two")

    def _cut(self, inside: str, pointer: str) -> _Broken:
        """Note that the text ends too early, inside of what, and how far it got."""
        end = len(self.raw)
        message = cut_message(self.whole, end, inside, self._last_complete())
        self.found.append(_Found(len(self.text), FaultKind.SYNTAX, message, pointer, CUT_HINT, True, end))
        return _Broken()

    def _last_complete(self) -> str:
        """The pointer of the last value read whole, names that may be content hidden; "" when there is none."""
        frames = self._frames()
        while frames and not frames[-1][0]:
            frames.pop()
        if not frames:
            return ""
        inner = frames.pop()[0]
        last = next(reversed(inner)) if type(inner) is dict else len(inner) - 1
        outer = [shown_token(each, name if type(each) is dict else len(each)) for each, name in frames]
        return pointers.join(*outer, shown_token(inner, last))


def _integer(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:  # longer than Python itself reads, and allowed by the caller
        from decimal import Decimal

        return int(Decimal(digits))
