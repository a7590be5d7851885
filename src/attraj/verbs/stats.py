"""What is counted of a document, and what may be added up over many of them. Nothing is checked here."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from attraj.formats import detect
from attraj.formats.story import Facts, Origin, room_of
from attraj.jsonio import MISSING
from attraj.verbs.source import Source, document_of
from attraj.verbs.validate import NO_FORMAT, named_format

RowStatus = Literal["counted", "unreadable", "rejected", "skipped"]


@dataclass(frozen=True, slots=True)
class Row:
    """What became of one document (or of one Harbor trial, whose path is the folder's).

    Attributes:
        path, index: As in a report.
        reason: Why it was not counted; "" when it was.
        facts: None unless it was counted.
    """

    path: str
    index: int = 0
    status: RowStatus = "counted"
    reason: str = ""
    facts: Facts | None = None


def stats(source: Source, format: str = "") -> Row:
    """What is counted of one document.

    Args:
        source: A document, the path of a file that holds one, or a JSON value. Never modified.
        format: Name of the format to insist on; "" to tell it by content.

    Returns:
        The row; numbers that the document does not say are None, and never 0.

    Raises:
        Unreadable: The file cannot be read, or the named format is unknown.
    """
    document = document_of(source)
    fault = next((fault for fault in document.faults if fault.is_fatal), None)
    if fault is not None:
        return Row(document.path, document.index, "unreadable", fault.message)
    if document.tree is MISSING:
        return Row(document.path, document.index, "unreadable", "not readable")
    known = named_format(format) if format else detect(document.tree)
    room = room_of(known.name) if known is not None else None
    if room is None:
        reason = NO_FORMAT if known is None else f"{known.name}: a document of no run"
        return Row(document.path, document.index, "skipped" if known else "unreadable", reason)
    facts = room.facts(document)
    if facts.is_refused:
        return Row(document.path, document.index, "rejected", "a reader must not go on with this document")
    return Row(document.path, document.index, facts=facts)


# --- adding up ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Sum:
    """A sum over the documents that state a number.

    Attributes:
        total: Of those that do.
        known: How many do.
        unknown: How many do not, or must not be added.
    """

    total: float | int = 0
    known: int = 0
    unknown: int = 0

    def add(self, value: float | int | None) -> None:
        if value is None:
            self.unknown += 1
        else:
            self.total += value
            self.known += 1


@dataclass(slots=True)
class Spread:
    """The rewards of one key: those that count, and how many do not (by the runtime's own word, or no number)."""

    values: list[float | int] = field(default_factory=list)
    not_valid: int = 0
    unavailable: int = 0

    @property
    def mean(self) -> float | None:
        return sum(self.values) / len(self.values) if self.values else None


class Totals:
    """Adds up rows as they pass, and only what may be added.

    Tokens are added by who counted them; totals of a segment, which may be those of other documents as well, are
    left out and counted as unknown; a reward that the runtime calls invalid is in no mean.
    """

    def __init__(self) -> None:
        self.statuses: Counter[str] = Counter()
        self.formats: Counter[str] = Counter()
        self.steps = Sum()
        self.calls = Sum()
        self.tokens: dict[Origin, tuple[Sum, Sum]] = {}
        self.tokens_unknown = 0
        self.cost = Sum()
        self.rewards: dict[str, Spread] = {}
        self.without_reward = 0
        self.outcomes: Counter[tuple[str, str]] = Counter()
        self.terminations: Counter[str] = Counter()

    @property
    def documents(self) -> int:
        return sum(self.statuses.values())

    def add(self, row: Row) -> None:
        self.statuses[row.status] += 1
        facts = row.facts
        if facts is None:
            return
        self.formats[facts.format] += 1
        self.steps.add(facts.steps)
        self.calls.add(facts.calls)
        self.cost.add(None if facts.is_segment else facts.cost_usd)
        self._tokens(facts)
        self._rewards(facts)
        self.outcomes.update(facts.outcomes)
        if facts.termination is not None:
            self.terminations[facts.termination] += 1

    def _tokens(self, facts: Facts) -> None:
        tokens = facts.tokens
        if not tokens.basis or facts.is_segment:
            self.tokens_unknown += 1
            return
        sums = self.tokens.setdefault(tokens.origin, (Sum(), Sum()))
        sums[0].add(tokens.input)
        sums[1].add(tokens.output)

    def _rewards(self, facts: Facts) -> None:
        if not facts.rewards:
            self.without_reward += 1
        for key, value in facts.rewards:
            spread = self.rewards.setdefault(key, Spread())
            if value is None:
                spread.unavailable += 1
            elif facts.reward_valid is False:
                spread.not_valid += 1
            else:
                spread.values.append(value)

    def exit_code(self) -> int:
        """2 when something is unreadable, 3 when something is rejected, else 0."""
        if self.statuses["unreadable"]:
            return 2
        return 3 if self.statuses["rejected"] else 0
