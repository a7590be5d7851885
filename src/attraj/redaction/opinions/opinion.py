"""Many texts as one input of a scanner, and its findings back to the texts."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from attraj.errors import AttrajError
from attraj.redaction.placeholders import standing

NAMES = ("betterleaks", "gitleaks", "kingfisher")
SHORTEST = 6  # characters: nothing shorter is a credential


class NoOpinion(AttrajError):
    """A scanner that was asked failed, or did not give a whole answer. Nothing it looked at counts as clean."""


class Text(NamedTuple):
    """One decoded text.

    Attributes:
        name: Of its member, so that a rule that needs a name beside a value has one; "" for none.
        text: What it says.
    """

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Remark:
    """What a scanner found.

    Attributes:
        text: Position of the text among those that were given.
        start, end: Where in it; the whole text when it was found in something decoded.
        rule: "gitleaks:github-pat": the scanner, and its own name of the rule.
    """

    text: int
    start: int
    end: int
    rule: str


class Raw(NamedTuple):
    """A finding as a scanner tells it: by offset in bytes or by line (from 1), the other one -1."""

    rule: str
    value: str
    line: int = -1
    offset: int = -1


class Opinion(Protocol):
    """A scanner that can be asked."""

    name: str
    version: str

    def look(self, texts: Sequence[Text]) -> list[Remark]:
        """What it finds, sorted by text and place. Raises NoOpinion."""
        ...


# The first line keeps a scanner from taking the input for a picture or an archive by its first bytes.
_HEAD = "texts of one document\n\n"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,60}").fullmatch
_RULE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,80}").fullmatch


@dataclass(slots=True)
class Joined:
    """Texts as one input.

    Attributes:
        texts: As given.
        data: The input.
        numbers: Of the texts that are in it, in order; short ones and ones that are the same are not.
        starts: Where the text of each begins in the input, in bytes.
        lines: On which line, from 1.
        last_line: Of the input.
    """

    texts: Sequence[Text]
    data: bytes = field(default=b"", repr=False)
    numbers: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    last_line: int = 0

    def __post_init__(self) -> None:
        pieces = [_HEAD.encode()]
        size, line = len(pieces[0]), 1 + _HEAD.count("\n")
        for number, text in enumerate(self.texts):
            if len(text.text) < SHORTEST:
                continue
            name = f"{text.name}: ".encode() if _NAME(text.name) else b""
            piece = _plain(text.text)
            self.numbers.append(number)
            self.starts.append(size + len(name))
            self.lines.append(line)
            pieces.append(name + piece + b"\n\n")
            size += len(pieces[-1])
            line += piece.count(b"\n") + 2
        self.data = b"".join(pieces)
        self.last_line = line

    def remarks(self, found: Iterable[Raw], scanner: str) -> list[Remark]:
        """Findings as remarks on the texts, without those of placeholders. Raises NoOpinion for one out of place."""
        made = {self._remark(raw, scanner) for raw in found}
        return sorted((remark for remark in made if remark is not None), key=_order)

    def _remark(self, raw: Raw, scanner: str) -> Remark | None:
        at = bisect_right(self.starts, raw.offset) if raw.line < 0 else bisect_right(self.lines, raw.line)
        if at == 0 or raw.line > self.last_line or raw.offset > len(self.data):
            raise NoOpinion(f"{scanner} names a place that it was not given")
        number = self.numbers[at - 1]
        text, value = self.texts[number].text, raw.value
        rule = f"{scanner}:{raw.rule if _RULE(raw.rule) else 'unnamed'}"
        start = text.find(value, self._beginning(at - 1, raw)) if value else -1
        start = text.find(value) if start < 0 and value else start
        if start < 0:  # found in something decoded, or across lines that were joined
            return None if standing(value) else Remark(number, 0, len(text), rule)
        end = start + len(value)
        if any(a < end and b > start for a, b in standing(text)):
            return None
        return Remark(number, start, end, rule)

    def _beginning(self, at: int, raw: Raw) -> int:
        """Where in a text a finding may begin at the earliest, in code points."""
        text = self.texts[self.numbers[at]].text
        if raw.line < 0:
            return len(self.data[self.starts[at] : raw.offset].decode("utf-8", "replace"))
        start = 0
        for _ in range(raw.line - self.lines[at]):
            start = text.find("\n", start) + 1
        return start


def _plain(text: str) -> bytes:
    """The bytes of a text, without NUL and halves of characters: none of them may end or spoil the input."""
    return text.replace("\0", " ").encode("utf-8", "replace")


def _order(remark: Remark) -> tuple[int, int, int, str]:
    return remark.text, remark.start, remark.end, remark.rule


# --- trying out ------------------------------------------------------------------------------------------------------


def try_out(opinion: Opinion) -> None:
    """See that a scanner finds a made-up token, beside marks that would switch it off and after bytes of an archive."""
    token = "gh" + "p_" + "R7tYw2KfQ9mZxL4vB8nJdH3sGp6CeUa1TiW5"
    texts = [Text("", "PK\x03\x04 %PDF-1.7 \0 nothing"), *_marked(token), Text("note", "nothing either")]
    found = {remark.text for remark in opinion.look(texts)}
    if found != set(range(1, len(texts) - 1)):
        raise AttrajError(
            f"the second opinion {opinion.name} does not find what it should",
            hint="another program of that name, or a version that attraj does not know",
        )


def _marked(token: str) -> Iterator[Text]:
    for mark in ("", "gitleaks:allow", "betterleaks:allow", "kingfisher:ignore", "pragma: allowlist secret"):
        yield Text("stdout", f"first\nsecond {token} # {mark}\n")
