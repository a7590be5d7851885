"""What a plan says: which parts of which texts go, and what stands there afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from attraj.redaction.leaves import Keys
from attraj.redaction.search import Value


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a text that goes.

    Attributes:
        start, end: In the text.
        new: What stands there afterwards.
        kind: TYPE of the placeholder; "TIME" for a timestamp that is cut.
        rule, confidence, via, pack: What found it, in our own words.
    """

    start: int
    end: int
    new: str
    kind: str
    rule: str
    confidence: str = "high"
    via: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """One text that changes.

    Attributes:
        keys: Lead to the value, or to the member whose name it is.
        is_key: It is the name.
        stretches: What goes, in order.
        is_whole: All of it goes: in the content of a Bundle a marker takes its place.
        is_number: It is a number.
        word: The field of the policy that drops it; "" otherwise.
        length: Of the text, in code points.
    """

    keys: Keys
    is_key: bool
    stretches: tuple[Stretch, ...] = field(repr=False)
    is_whole: bool = False
    is_number: bool = False
    word: str = ""
    length: int = 0


@dataclass(slots=True)
class Unscanned:
    """A text that was not looked at whole, or is no text.

    Attributes:
        source: Position of the file in the scope.
        part: Position of its document.
        keys: Lead to it.
        reason: "budget", or the media type.
        is_media: It is an image or other data.
    """

    source: int
    part: int
    keys: Keys
    reason: str
    is_media: bool


@dataclass(slots=True)
class Plan:
    """What changes in a scope.

    Attributes:
        changes: By (position of the file, position of its document); a text file has one document.
        names: New names of the files.
        values: What goes, for the proof. Never shown, never written.
        unscanned: What could not be looked at.
        ignored: How many findings the policy lets stay.
        sealed: How many encrypted blobs stay.
        refused: Numbers that must go and may not become texts, as (file, document, keys).
    """

    changes: dict[tuple[int, int], list[Change]] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    values: list[Value] = field(default_factory=list, repr=False)
    unscanned: list[Unscanned] = field(default_factory=list)
    ignored: int = 0
    sealed: int = 0
    refused: list[tuple[int, int, Keys]] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether nothing changes."""
        return not any(self.changes.values())


def replaced(text: str, stretches: Iterable[Stretch]) -> str:
    """The text with what goes replaced."""
    pieces: list[str] = []
    at = 0
    for stretch in stretches:
        pieces += (text[at : stretch.start], stretch.new)
        at = stretch.end
    return "".join([*pieces, text[at:]])
