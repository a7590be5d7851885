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
        detail: What it means; a number of different things where there are many.
    """

    kind: LossKind
    places: int
    documents: int
    detail: str


class Tally:
    """Counts records as they pass."""

    def __init__(self) -> None:
        self._by_noun: dict[Noun, Counter[str]] = {}
        self._trials = 0
        self._statuses: Counter[str] = Counter()
        self._severities: Counter[Severity] = Counter()
        self._codes: set[int] = set()
        self._files: Counter[bool] = Counter()  # by whether an earlier run has written them
        self._assets = self._before = 0
        self._places: Counter[LossKind] = Counter()
        self._documents: Counter[LossKind] = Counter()
        self._details: dict[LossKind, set[str]] = {}
        self._reasons: Counter[str] = Counter()
        self._notes: Counter[str] = Counter()

    def add(self, records: Iterable[Record], *, was_before: bool = False) -> None:
        """Count what became of one input; `was_before` when an earlier run that is gone on with has done it."""
        trials: set[str] = set()
        for record in records:
            trials.update((record.trial,) if record.noun != "document" else ())
            self._add(record, was_before=was_before)
        self._trials += len(trials)

    def _add(self, record: Record, *, was_before: bool) -> None:
        # A trial without one may be converted all the same: into a Bundle of what else it says.
        is_without = record.status in ("written", "skipped") and record.report.reason == NO_TRAJECTORY
        counts = self._by_noun.setdefault(record.noun, Counter())
        counts["without" if is_without else record.status] += 1
        self._statuses[record.status] += 1
        if record.status == "skipped" and not is_without:
            self._reasons[record.report.reason or ""] += 1
        self._codes.add(record.exit_code)
        self._severities.update(finding.severity for finding in record.report.findings)
        self._assets += sum(output.is_asset for output in record.outputs)
        self._files[was_before] += sum(not output.is_asset for output in record.outputs)
        self._before += was_before
        if record.status == "written":
            counts[_FLAWED] += bool(record.errors) and not is_without
            counts[_BEFORE] += was_before and not is_without
            self._notes.update(record.notes)
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
        """The summary of the report: documents = written + with_findings + … + skipped; what is clean is written.

        `without_trajectory`, `written_with_errors` and `before` (done by the run that this one goes on with) are among
        these.
        """
        named = {_SUMMARY.get(status, status): self._statuses[status] for status in STATUSES}
        among = {
            "without_trajectory": sum(counts["without"] for counts in self._by_noun.values()),
            "written_with_errors": sum(counts[_FLAWED] for counts in self._by_noun.values()),
        }
        severities = {f"{severity}s": self._severities[severity] for severity in sorted(Severity, reverse=True)}
        outputs = {"outputs": self._files.total(), "assets": self._assets}
        return {"documents": self._statuses.total(), "clean": 0, **named, **among, **severities, **outputs}

    @property
    def before(self) -> int:
        """How many documents an earlier run has done."""
        return self._before

    @property
    def files(self) -> tuple[int, int]:
        """How many documents this run has written, and how many the run that it goes on with."""
        return self._files[False], self._files[True]

    def notes(self) -> list[tuple[str, int]]:
        """What is worth a line and no loss, with the number of documents."""
        return sorted(self._notes.items())

    def exit_code(self) -> int:
        return worst(self._codes)

    def losses(self) -> list[LossCount]:
        """Of what was written: by category, the most frequent first."""
        found = [
            LossCount(kind, places, self._documents[kind], _detail(details))
            for kind, places in self._places.items()
            for details in (self._details[kind],)
        ]
        return sorted(found, key=lambda loss: (_rank(loss.kind.category), -loss.places, loss.kind))

    # --- in words ---

    def lines(self) -> list[str]:
        """The account: a line for trials, one for what else there was; the parts add up to the number before them."""
        lines: list[str] = []
        trials = self._by_noun.get("trial", Counter()) + self._by_noun.get("step", Counter())
        if trials:
            steps = f" ({counted(_total(trials), 'step')})" if "step" in self._by_noun else ""
            lines.append(_line(f"{counted(self._trials, 'trial')}{steps}", trials))
        others = self._by_noun.get("document", Counter())
        if _total(others):
            lines.append(_line(counted(_total(others), "other document" if trials else "document"), others))
        return lines or ["no documents"]

    def skipped(self) -> list[tuple[str, int]]:
        """Why what was skipped was skipped, and how often, the most frequent first."""
        return sorted(self._reasons.items(), key=lambda reason: (-reason[1], reason[0]))


_TOLD = 3  # different things that are said of one kind of loss: more tell a reader nothing
_SUMMARY = {"findings": "with_findings"}
_FLAWED, _BEFORE = "with errors", "before"  # of what was written
_WORDS = {
    "written": "converted",
    "findings": "with findings",
    "unreadable": "unreadable",
    "rejected": "rejected",
    "refused": "refused",
    "without": "without trajectory",
}


def _detail(details: set[str]) -> str:
    return "; ".join(sorted(details)) if len(details) <= _TOLD else f"{len(details):,} different ones"


def _total(counts: Counter[str]) -> int:
    """What was skipped is no document, and has a line of its own."""
    return sum(counts[status] for status in _WORDS)


def _line(what: str, counts: Counter[str]) -> str:
    told = []
    for status, word in _WORDS.items():
        if counts[status]:
            among = _among(counts) if status == "written" else ""
            told.append(f"{counts[status]:,} {word}{among}")
    return f"{what}: {', '.join(told)}"


def _among(counts: Counter[str]) -> str:
    told = [f"{counts[_FLAWED]:,} of them with errors"] if counts[_FLAWED] else []
    told += [f"{counts[_BEFORE]:,} before"] if counts[_BEFORE] else []
    return f" ({', '.join(told)})" if told else ""


def counted(number: int, noun: str) -> str:
    """A number of things, in words."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _rank(category: str) -> int:
    return LOSS_CATEGORIES.index(category) if category in LOSS_CATEGORIES else len(LOSS_CATEGORIES)
