"""What became of each document of a conversion, as values that go from a worker to the account and through a file.

A record holds no content: our own words, masked pointers, the names of files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from attraj.findings import FAILED, DocumentReport, Finding, Location, Related, Rule, Severity, Stratum
from attraj.formats.mapping.loss import Loss
from attraj.jsonio.write import dumps

Status = Literal["written", "findings", "unreadable", "rejected", "refused", "skipped"]
Noun = Literal["document", "trial", "step"]

STATUSES: tuple[Status, ...] = ("written", "findings", "unreadable", "rejected", "refused", "skipped")


class Written(NamedTuple):
    """One file that was written.

    Attributes:
        name: Its path within the output folder, with "/"; "" when the output is one file, or standard output.
        size: Bytes.
        sha256: Of its bytes, in hexadecimal.
        is_asset: It is no document, but named by one.
    """

    name: str
    size: int
    sha256: str
    is_asset: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """What became of one document.

    Attributes:
        report: Of the input, by the validator; `reason` and `notes` say why nothing came of it.
        status: `written`, or why it was not.
        noun: What it is: a document, a trial, a step of a trial.
        part: Name of a trial's step; "" otherwise.
        exit_code: What it does to that of the run.
        outputs: () unless written.
        losses: Gathered: each with the pattern of its places and their number.
        is_final: Another run over the same bytes would end the same way; else a resumed run tries again.
        errors: How many errors there are in what was read, in spite of which it was written.
        notes: Facts about what was written that are no loss.
        trial: Path of the trial's folder, whatever of it the report is about; "" for what is in none.
    """

    report: DocumentReport
    status: Status
    noun: Noun = "document"
    part: str = ""
    exit_code: int = 0
    outputs: tuple[Written, ...] = ()
    losses: tuple[Loss, ...] = ()
    is_final: bool = True
    errors: int = 0
    notes: tuple[str, ...] = ()
    trial: str = ""


@dataclass(frozen=True, slots=True)
class Made:
    """What became of one input.

    Attributes:
        records: Of its documents, in order.
        places: Of each record, the JSON text of its losses with every place.
        text: What goes to standard output, where that is where it goes.
    """

    records: tuple[Record, ...]
    places: tuple[bytes, ...]
    text: bytes = field(default=b"", repr=False)


# --- making them -------------------------------------------------------------------------------------------------

_CODES: dict[Status, int] = {"written": 0, "findings": 1, "refused": 1, "unreadable": 2, "rejected": 3, "skipped": 0}


def record_of(
    report: DocumentReport,
    status: Any,
    reason: str = "",
    *,
    noun: Noun = "document",
    part: str = "",
    exit_code: int | None = None,
    is_final: bool = True,
    losses: Any = (),
    errors: int = 0,
    notes: tuple[str, ...] = (),
) -> Record:
    """The record of a document that ended in this way.

    Args:
        status: As in a `Record`, or "converted", which is written.
        reason: Given where the report gives none.
        exit_code: None for that of the status.
    """
    status = "written" if status == "converted" else status
    if reason and report.reason is None:
        report = replace(report, reason=reason)
    code = _CODES[status] if exit_code is None else exit_code
    return Record(report, status, noun, part, code, (), losses, is_final, errors, notes)


def because(record: Record, reason: str) -> Record:
    """The record with a reason beside what became of it."""
    return replace(record, report=replace(record.report, reason=reason))


def bug_of(path: str, index: int, text: str, noun: Noun = "document") -> Record:
    """The record of a document that a bug of ours kept from being converted."""
    report = DocumentReport(path, index, status="unreadable", reason=FAILED, notes=(text,))
    return record_of(report, "unreadable", noun=noun, exit_code=4, is_final=False)


def not_read(path: str, reason: str, status: Any = "unreadable") -> DocumentReport:
    """The report of an input that was not looked into."""
    return DocumentReport(path, status=status, reason=reason)


# --- to and from a line ------------------------------------------------------------------------------------------


def to_line(record: Record) -> bytes:
    """The record as one line of JSON: all of it, so that a resumed run says what an undisturbed one would."""
    report = record.report
    value: dict[str, Any] = {
        "path": report.path,
        "index": report.index,
        "format": report.format,
        "format_version": report.format_version,
        "report": report.status,
        "findings": [_from_finding(finding) for finding in report.findings],
        "verdicts": dict(report.verdicts),
        "stopped_after": None if report.stopped_after is None else int(report.stopped_after),
        "reason": report.reason,
        "notes": list(report.notes),
        "status": record.status,
        "noun": record.noun,
        "part": record.part,
        "exit_code": record.exit_code,
        "outputs": [list(output) for output in record.outputs],
        "losses": [[getattr(loss, name) for name in Loss.__slots__] for loss in record.losses],
        "is_final": record.is_final,
        "errors": record.errors,
        "record_notes": list(record.notes),
        "trial": record.trial,
    }
    return dumps(value) + b"\n"


def from_line(line: bytes) -> Record:
    """The record that `to_line` wrote."""
    value = json.loads(line)  # the standard reader takes the lone surrogates of file names that are no UTF-8
    stopped = value["stopped_after"]
    report = DocumentReport(
        value["path"],
        value["index"],
        value["format"],
        value["format_version"],
        value["report"],
        tuple(map(_to_finding, value["findings"])),
        value["verdicts"],
        None if stopped is None else Stratum(stopped),
        value["reason"],
        tuple(value["notes"]),
    )
    return Record(
        report,
        value["status"],
        value["noun"],
        value["part"],
        value["exit_code"],
        tuple(Written(*output) for output in value["outputs"]),
        tuple(Loss(*loss) for loss in value["losses"]),
        value["is_final"],
        value["errors"],
        tuple(value["record_notes"]),
        value["trial"],
    )


def _from_finding(finding: Finding) -> list[Any]:
    rule = [*finding.rule[:2], int(finding.rule.severity), int(finding.rule.stratum), *finding.rule[4:]]
    related = [list(one) for one in finding.related]
    return [rule, int(finding.severity), list(finding.location), finding.message, finding.hint, related]


def _to_finding(value: list[Any]) -> Finding:
    (code, slug, weight, stratum, *more), severity, place, message, hint, related = value
    return Finding(
        Rule(code, slug, Severity(weight), Stratum(stratum), *more),
        Severity(severity),
        Location(*place),
        message,
        hint,
        tuple(Related(*one) for one in related),
    )


def worst(codes: Iterable[int]) -> int:
    """The exit code of a run (DESIGN.md §4)."""
    given = set(codes)
    return next((code for code in (4, 5, 2, 3, 1) if code in given), 0)
