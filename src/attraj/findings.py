"""Findings and reports: values, their order, and what counts as a failure. No document format is known here.

Values that are made once, or of two or three members, are named tuples: a frozen dataclass takes four times as long
to define, and all of these are defined at every start.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Literal, NamedTuple


class Severity(IntEnum):
    """How much a finding matters; a greater value is worse."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    def __str__(self) -> str:
        return self.name.lower()


class Stratum(IntEnum):
    """The order in which a document is checked; `--level` names the last one that runs."""

    BYTES = 1
    SHAPE = 2
    REFERENCES = 3
    MEANING = 4
    PROFILES = 5

    def __str__(self) -> str:
        return self.name.lower()


class Location(NamedTuple):
    """A place in a document.

    Attributes:
        pointer: RFC 6901 JSON Pointer; "" is the whole document. For a missing member, its object.
        line, column: Counted from 1 in the file, columns in Unicode code points; None when not located.
        file: Of a folder's finding: the file that it stands in, relative to the folder, with "/"; line and column are
            that file's. "" for the document (or the folder) itself.
    """

    pointer: str
    line: int | None = None
    column: int | None = None
    file: str = ""


class Related(NamedTuple):
    """Another place that explains a finding (the first of two equal identifiers, a step of a cycle)."""

    pointer: str
    message: str


class Rule(NamedTuple):
    """One fault that attraj knows, with its code for ever.

    Attributes:
        code: For example "AT301". Never reused, never renamed.
        slug: Names the fault, for example "cycle".
        severity: What a finding of this rule weighs unless the check says otherwise.
        stratum: When it is looked for.
        profile: The conformance profile whose verdict an error of this rule fails ("" for none).
        rejects: The specification itself tells a reader to refuse the document (exit code 3).
    """

    code: str
    slug: str
    severity: Severity
    stratum: Stratum
    profile: str = ""
    rejects: bool = False

    def at(
        self,
        pointer: str,
        message: str,
        *,
        hint: str = "",
        severity: Severity | None = None,
        related: Sequence[Related] = (),
    ) -> Finding:
        """Make a finding of this rule. `message` and `hint` must not repeat text from the document."""
        weight = self.severity if severity is None else severity
        return Finding(self, weight, Location(pointer), message, hint, tuple(related))


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault at one place of one document.

    Attributes:
        mark: Keyed tag of what was found there, by which a baseline tells a new secret in an old place; "" for none.
            Never shown: it only enters the keyed fingerprint.
    """

    rule: Rule
    severity: Severity
    location: Location
    message: str
    hint: str = ""
    related: tuple[Related, ...] = ()
    mark: str = ""

    @property
    def code(self) -> str:
        return self.rule.code

    @property
    def slug(self) -> str:
        return self.rule.slug

    def moved(self, location: Location) -> Finding:
        """The same finding, elsewhere."""
        return replace(self, location=location)


Status = Literal["clean", "findings", "unreadable", "rejected", "skipped"]


@dataclass(frozen=True, slots=True)
class DocumentReport:
    """What became of one document (or of one folder, whose path is then the folder's).

    Attributes:
        path: As the user gave or the walk found it; "-" for standard input.
        index: Position among the documents of one file (JSON array or JSONL), from 0.
        format, format_version: None when the format could not be told.
        findings: In the order of their places in the document.
        verdicts: Name of a verdict to one of its words (AT-Core: conforms | fails | not_claimed …).
        stopped_after: The stratum after which checking had to stop; None when it ran to the end.
        reason: Why the document was skipped, or what made it unreadable; None otherwise.
        notes: Facts worth a line that are no fault (dialect, layout), in our own words.
    """

    path: str
    index: int = 0
    format: str | None = None
    format_version: str | None = None
    status: Status = "clean"
    findings: tuple[Finding, ...] = ()
    verdicts: Mapping[str, str] = field(default_factory=dict)
    stopped_after: Stratum | None = None
    reason: str | None = None
    notes: tuple[str, ...] = ()

    def worst(self) -> Severity | None:
        """The greatest severity among the findings, None when there are none."""
        return max((f.severity for f in self.findings), default=None)


class Summary(NamedTuple):
    """The account of a run. documents = clean + with_findings + unreadable + rejected + skipped."""

    documents: int = 0
    clean: int = 0
    with_findings: int = 0
    unreadable: int = 0
    rejected: int = 0
    skipped: int = 0
    errors: int = 0
    warnings: int = 0
    infos: int = 0


_COUNTED_AS = {"clean": 0, "findings": 1, "unreadable": 2, "rejected": 3, "skipped": 4}


FAILED = "attraj failed on it: a bug, not a fault of the document"


class Account:
    """Counts documents as they pass, so that a batch need not be kept in memory."""

    def __init__(self, fail_on: Severity | None = Severity.ERROR) -> None:
        self._fail_on = fail_on
        self._by_status = [0, 0, 0, 0, 0]
        self._by_severity = [0, 0, 0, 0]
        self._failing = False
        self._has_bug = False

    def add(self, document: DocumentReport) -> None:
        self._by_status[_COUNTED_AS[document.status]] += 1
        if document.reason == FAILED:
            self._has_bug = True
        for finding in document.findings:
            self._by_severity[finding.severity] += 1
            if self._fail_on is not None and finding.severity >= self._fail_on:
                self._failing = True

    def summary(self) -> Summary:
        return Summary(sum(self._by_status), *self._by_status, *self._by_severity[:0:-1])

    def exit_code(self) -> int:
        """The worst of: 4 a bug, 2 something unreadable, 3 rejected, 1 a finding at or above the threshold, 0."""
        _, _, unreadable, rejected, _ = self._by_status
        if self._has_bug:
            return 4
        if unreadable:
            return 2
        if rejected:
            return 3
        return 1 if self._failing else 0


class Report(NamedTuple):
    """The result of a check over any number of documents, in the order in which they were met."""

    command: str
    documents: tuple[DocumentReport, ...]

    def summary(self) -> Summary:
        return self._account(None).summary()

    def exit_code(self, fail_on: Severity | None = Severity.ERROR) -> int:
        """Exit code of the command line for this report; `fail_on=None` never fails on findings."""
        return self._account(fail_on).exit_code()

    def _account(self, fail_on: Severity | None) -> Account:
        account = Account(fail_on)
        for document in self.documents:
            account.add(document)
        return account


def selected(rules: Iterable[Rule], words: Iterable[str]) -> frozenset[str]:
    """The codes that `--select` / `--ignore` words name: a code, a slug, a family ("AT") or a part of one ("AT3").

    A family is matched whole: "AT" is the Bundle family alone, "ATIF" another one (spec: decisions 2).
    """
    wanted = list(words)
    return frozenset(rule.code for rule in rules if any(_names(word, rule) for word in wanted))


def _names(word: str, rule: Rule) -> bool:
    if word in (rule.slug, rule.code):
        return True
    family, number = split_code(word.upper())
    own_family, own_number = split_code(rule.code)
    return family == own_family and own_number.startswith(number)


def split_code(code: str) -> tuple[str, str]:
    """("ATIF", "013") of "ATIF013"; secret codes ("SEC-API_TOKEN") split at the dash."""
    if "-" in code:
        family, _, rest = code.partition("-")
        return family, rest
    family = code.rstrip("0123456789")
    return family, code[len(family) :]
