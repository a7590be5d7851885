"""A `.traj` that was cut: what stands complete before the cut, and nothing else.

A killed run, a full disk, a copy that was broken off: the steps before the cut are as good as ever. Only whole
elements of `trajectory`, `history` and `attempts` are kept, and whole members of the file; nothing is closed, filled in
or guessed, so that the last step is left out unless its end is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from json import JSONDecoder
from json.decoder import scanstring  # type: ignore[attr-defined]  # C code; there is no public name for it
from typing import Any, NoReturn

from attraj.formats.swe_agent.salvage_tree import rest_of
from attraj.formats.swe_agent.shape import OBJECTS
from attraj.formats.swe_agent.values import Json, items
from attraj.limits import DEFAULT_LIMITS, Limits
from attraj.pointer import escape

_MEMBERS = frozenset(OBJECTS["file"])


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What stands before the cut.

    Attributes:
        tree: Its complete members; a list that was cut holds its complete elements.
        offset: The byte where the first value begins that is not complete (or where JSON ends).
        pointer: The place of that value; "" when it is the file itself or lies between two members.
        steps: How many complete steps there are, those of attempts among them.
        open: Pointer of each trajectory that is not complete (the file, an attempt) to its open members: those that
            are cut, and those that may stand after the cut (`Unit.open`).
    """

    tree: Json
    offset: int
    pointer: str
    steps: int
    open: Mapping[str, frozenset[str]]

    def note(self, end: int | None) -> str:
        """What was saved, in a sentence; `end` is the byte at which the text breaks off, None where it is not known."""
        steps = "1 complete step stands" if self.steps == 1 else f"{self.steps} complete steps stand"
        if end == self.offset:
            where = f"what is complete ends at byte {end}, where the text breaks off"
        else:
            where = f"what is complete ends before byte {self.offset}, where a value begins that is not"
            where += f"; the text breaks off at byte {end}" if end is not None else ""
        return f"{steps}: {where}; what is said of the run holds for the complete part alone"


def salvage(raw: bytes, limits: Limits = DEFAULT_LIMITS, *, is_cut: bool = False) -> Salvaged | None:
    """The complete parts of a text that is no JSON.

    Args:
        raw: The bytes of a file that does not parse, uncompressed. Never modified.
        is_cut: It is known that nothing is wrong with them but that they end too early.

    Returns:
        What stands before the first fault; None when that is no object, or when the text is whole.
    """
    rest = rest_of(raw, limits, is_cut=is_cut)
    if rest is None:
        return by_reading(raw)
    tree, attempts = rest.tree, items(rest.tree.get("attempts"))
    steps = sum(len(items(one.get("trajectory"))) for one in (tree, *attempts) if type(one) is dict)
    return Salvaged(tree, rest.offset, rest.pointer, steps, _open(rest.unended, rest.pointer))


def by_reading(raw: bytes) -> Salvaged | None:
    """The same of any text, by reading it up to its first fault."""
    text = _sound_text(raw)
    reader = _Reader(text)
    try:
        reader.file(reader.space(int(text.startswith("\ufeff"))))
    except _Cut:
        offset = len(text[: reader.broken_at].encode("utf-8", "surrogatepass"))
        open = _open(reader.unended, reader.pointer)
        return Salvaged(reader.tree, offset, reader.pointer, reader.steps, open) if reader.is_object else None
    return None


def _open(unended: Mapping[str, Json], pointer: str) -> dict[str, frozenset[str]]:
    """The open members of each trajectory that has no end; `pointer` is the place of the cut."""
    inside = {at: pointer[len(at) + 1 :].partition("/")[0] for at in unended}
    return {
        at: frozenset(name for name in _MEMBERS if name == inside[at] or name not in tree)
        for at, tree in unended.items()
    }


def _sound_text(raw: bytes) -> str:
    """The text up to the first byte that is not UTF-8."""
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        return raw[: error.start].decode()


class _Cut(Exception):
    """The text ends here, or is no JSON from here on."""


def _refuse(_word: str) -> NoReturn:
    raise ValueError("JSON has no NaN and no Infinity")


_SPACE = re.compile(r"[ \t\r\n]*+")
_LISTS = ("trajectory", "history")
_GOES_ON = frozenset(("", *"0123456789.eE+-"))  # what stands after a number that may not be whole


class _Reader:
    """One forward pass. Only files, attempts and their lists are entered; everything else is taken whole by C code."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree: Json = {}
        self.is_object = False
        self.broken_at = 0
        self.pointer = ""
        self.steps = 0
        self.unended: dict[str, Json] = {}  # files and attempts, by their pointers
        self._value = JSONDecoder(parse_constant=_refuse).scan_once  # type: ignore[attr-defined]

    def space(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match else at

    def file(self, at: int) -> None:
        """Read the file; raises _Cut where it breaks, with what came before in `tree`."""
        end = self._file(self.tree, at, "")
        if self.space(end) < len(self.text):
            raise self._cut(self.space(end), "")

    def _cut(self, at: int, pointer: str) -> _Cut:
        self.broken_at, self.pointer = at, pointer
        return _Cut()

    def _file(self, tree: Json, at: int, pointer: str) -> int:
        self.unended[pointer] = tree
        for name, start in self._members(at, pointer):
            place = f"{pointer}/{escape(name)}"
            if name in _LISTS and self.text[start : start + 1] == "[":
                elements: list[Any] = []
                tree[name] = elements
                self._at = self._array(elements, start, place, is_steps=name == "trajectory")
            elif name == "attempts" and not pointer and self.text[start : start + 1] == "[":
                attempts: list[Any] = []
                tree[name] = attempts
                self._at = self._attempts(attempts, start, place)
            else:
                tree[name], self._at = self._whole(start, place)
        del self.unended[pointer]
        return self._at

    def _members(self, at: int, pointer: str) -> Iterator[tuple[str, int]]:
        """Name of each member and where its value begins; who takes one says in `_at` where it ends."""
        text = self.text
        if text[at : at + 1] != "{":
            raise self._cut(at, pointer)
        self.is_object = True
        at = self.space(at + 1)
        while text[at : at + 1] != "}":
            if text[at : at + 1] != '"':
                raise self._cut(at, pointer)
            try:
                name, end = scanstring(text, at + 1, True)
            except ValueError as error:
                raise self._cut(at, pointer) from error
            end = self.space(end)
            if text[end : end + 1] != ":":
                raise self._cut(at, pointer)
            yield name, self.space(end + 1)
            at = self._next(self._at, "}", pointer)
        self._at = at + 1

    def _next(self, at: int, closing: str, pointer: str) -> int:
        """Where the next member or element begins, or the bracket that closes them."""
        at = self.space(at)
        follows = self.text[at : at + 1]
        if follows == closing:
            return at
        if follows != ",":
            raise self._cut(at, pointer)
        after = self.space(at + 1)
        if self.text[after : after + 1] in ("", closing):
            raise self._cut(after, pointer)
        return after

    def _array(self, elements: list[Any], start: int, pointer: str, *, is_steps: bool) -> int:
        at = self.space(start + 1)
        while self.text[at : at + 1] != "]":
            value, end = self._whole(at, f"{pointer}/{len(elements)}")
            elements.append(value)
            self.steps += is_steps
            at = self._next(end, "]", pointer)
        return at + 1

    def _attempts(self, attempts: list[Any], start: int, pointer: str) -> int:
        at = self.space(start + 1)
        while self.text[at : at + 1] != "]":
            place = f"{pointer}/{len(attempts)}"
            if self.text[at : at + 1] == "{":
                attempt: Json = {}
                attempts.append(attempt)
                end = self._file(attempt, at, place)
            else:
                value, end = self._whole(at, place)
                attempts.append(value)
            at = self._next(end, "]", pointer)
        return at + 1

    def _whole(self, at: int, pointer: str) -> tuple[Any, int]:
        """A value and its end. A number at which the text ends, or that goes on as none does, is not complete."""
        try:
            value, end = self._value(self.text, at)
        except (StopIteration, ValueError, RecursionError) as error:
            raise self._cut(at, pointer) from error
        if type(value) in (int, float) and self.text[end : end + 1] in _GOES_ON:
            raise self._cut(at, pointer)
        return value, end
