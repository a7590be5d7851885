"""`<TYPE_n>`: a number by first appearance within a scope, and no function of the value (spec: redaction.md §7.5)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attraj.secrets.spans import TYPES

_GRAMMAR = re.compile(r"<(%s)_([1-9][0-9]{0,8})>" % "|".join(TYPES))


def standing(text: str) -> list[tuple[int, int]]:
    """Where placeholders stand in a text already, ours or forged; [] nearly always."""
    if ">" not in text or "<" not in text:
        return []
    return [match.span() for match in _GRAMMAR.finditer(text)]


def unmasked(text: str) -> str:
    """A text without its placeholders, whose names are ours; a NUL for each."""
    return _GRAMMAR.sub("\0", text) if ">" in text and "<" in text else text


def is_placeholder(text: str) -> bool:
    """Whether a whole text is a placeholder."""
    return _GRAMMAR.fullmatch(text) is not None


_BROKEN = re.compile(r"(?:\\+[nr]|\s)+")


class Placeholders:
    """The placeholders of one scope. Equal values get equal ones; numbers go on above those that stand there already.

    Attributes:
        preexisting: How many stood in the scope before.
    """

    def __init__(self) -> None:
        self._last: dict[str, int] = {}
        self._by_value: dict[str, str] = {}
        self._said: dict[str, str] = {}
        self.preexisting = 0

    def note(self, text: str) -> None:
        """Take account of the placeholders that stand in a text already."""
        if ">" in text and "<" in text:
            for match in _GRAMMAR.finditer(text):
                self.preexisting += 1
                self._last[match[1]] = max(self._last.get(match[1], 0), int(match[2]))

    def of(self, kind: str, value: str) -> str:
        """The placeholder of a value; its kind is that of its first appearance."""
        said = value
        if kind == "PRIVATE_KEY":
            value = _BROKEN.sub("", value)  # a key is the same with its line breaks as escapes, or without them
        known = self._by_value.get(value)
        if known is None:
            known = self._by_value[value] = self.new(kind)
            self._said[known] = said
        return known

    def new(self, kind: str) -> str:
        """A placeholder that nothing else has (two names of one object must not become the same one)."""
        self._last[kind] = number = self._last.get(kind, 0) + 1
        return f"<{kind}_{number}>"

    def values(self) -> Iterator[tuple[str, str]]:
        """Each placeholder, and the value that it took first. Never to be written in the clear."""
        yield from self._said.items()

    def kinds(self) -> Iterator[str]:
        """The kind of each distinct value."""
        for placeholder in self._by_value.values():
            yield placeholder[1:].rpartition("_")[0]
