"""How a conversion went altogether: numbers that add up, and losses by category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from attraj.batch.convert import NO_TRAJECTORY
from attraj.batch.convert_records import STATUSES, Noun, Record, worst
from attraj.bundle.vocabulary import LOSS_CATEGORIES
from attraj.findings import Severity


class LossKind(NamedTuple):
    """What losses are told apart by in a summary."""

    category: str
    code: str
    handling: str


class LossCount(NamedTuple):
    """How often one kind of loss was met.

    Attributes:
        kind: Which.
        places: Of all documents.
        documents: That have it.
        detail: What it means; "" when the documents say different things of it.
    """

    kind: LossKind
    places: int
    documents: int
    detail: str


class Tally:
    """Counts records as they pass."""

    def __init__(self) -> None:
        self._by_noun: dict[Noun, Counter[str]] = {}
        self._statuses: Counter[str] = Counter()
        self._severities: Counter[Severity] = Counter()
        self._codes: set[int] = set()
        self._files = self._assets = 0
        self._places: Counter[LossKind] = Counter()
        self._documents: Counter[LossKind] = Counter()
        self._details: dict[LossKind, set[str]] = {}
        self._reasons: Counter[str] = Counter()

    def add(self, records: Iterable[Record]) -> None:
        for record in records:
            # A trial without one may be converted all the same: into a Bundle of what else it says.
            is_without = record.status in ("written", "skipped") and record.report.reason == NO_TRAJECTORY
            self._by_noun.setdefault(record.noun, Counter())["without" if is_without else record.status] += 1
            self._statuses[record.status] += 1
            if record.status == "skipped" and not is_without:
                self._reasons[record.report.reason or ""] += 1
            self._codes.add(record.exit_code)
            self._severities.update(finding.severity for finding in record.report.findings)
            self._assets += sum(output.is_asset for output in record.outputs)
            self._files += sum(not output.is_asset for output in record.outputs)
            if record.status == "written":
                self._add_losses(record)

    def _add_losses(self, record: Record) -> None:
        met: set[LossKind] = set()
        for loss in record.losses:
            kind = LossKind(loss.category, loss.code, loss.handling)
            met.add(kind)
            self._places[kind] += loss.count
            self._details.setdefault(kind, set()).add(loss.detail)
        self._documents.update(met)

    # --- in numbers ---

    def counts(self) -> dict[str, int]:
        """The summary of the report: documents = written + with_findings + … + skipped; what is clean is written."""
        named = {_SUMMARY.get(status, status): self._statuses[status] for status in STATUSES}
        severities = {f"{severity}s": self._severities[severity] for severity in sorted(Severity, reverse=True)}
        outputs = {"outputs": self._files, "assets": self._assets}
        return {"documents": self._statuses.total(), "clean": 0, **named, **severities, **outputs}

    def exit_code(self) -> int:
        return worst(self._codes)

    def losses(self) -> list[LossCount]:
        """Of what was written: by category, the most frequent first."""
        found = [
            LossCount(kind, places, self._documents[kind], "".join(details) if len(details) == 1 else "")
            for kind, places in self._places.items()
            for details in (self._details[kind],)
        ]
        return sorted(found, key=lambda loss: (_rank(loss.kind.category), -loss.places, loss.kind))

    # --- in words ---

    def lines(self) -> list[str]:
        """The account: a line for trials, one for what else there was; the parts add up to the number before them."""
        if not self._by_noun:
            return ["no documents"]
        trials = self._by_noun.get("trial", Counter()) + self._by_noun.get("step", Counter())
        noun = "step of a trial" if "step" in self._by_noun else "trial"
        lines = [_line(trials, noun)] if trials else []
        if "document" in self._by_noun:
            lines.append(_line(self._by_noun["document"], "other file" if trials else "document"))
        return lines

    def skipped(self) -> list[tuple[str, int]]:
        """Why what was skipped was skipped, and how often, the most frequent first."""
        return sorted(self._reasons.items(), key=lambda reason: (-reason[1], reason[0]))


_SUMMARY = {"findings": "with_findings"}
_WORDS = {
    "written": "converted",
    "findings": "with findings",
    "unreadable": "unreadable",
    "rejected": "rejected",
    "refused": "refused",
    "without": "without trajectory",
    "skipped": "skipped",
}


def _line(counts: Counter[str], noun: str) -> str:
    told = ", ".join(f"{counts[status]:,} {word}" for status, word in _WORDS.items() if counts[status])
    return f"{counted(counts.total(), noun)}: {told}"


def counted(number: int, noun: str) -> str:
    """A number of things, in words."""
    first, space, rest = noun.partition(" of ")
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {first}s{space}{rest.replace('a trial', 'trials')}"


def _rank(category: str) -> int:
    return LOSS_CATEGORIES.index(category) if category in LOSS_CATEGORIES else len(LOSS_CATEGORIES)
