"""What is wrong with a document that is converted all the same: each error of its shape is a loss with its place.

A lenient reader repairs nothing that it does not name: what stands at these places is read as far as it can be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attraj.findings import DocumentReport, Finding, Severity, Stratum
from attraj.formats.mapping.loss import READ_OVER, Loss
from attraj.jsonio import Document, FaultKind

MISSHAPEN = "errors in its shape"


def is_misshapen(report: DocumentReport) -> bool:
    """Whether a document is not converted for what is wrong with it, unless somebody asks for what can be read."""
    return any(finding.rule.stratum <= Stratum.SHAPE for finding in errors_of(report))


def errors_of(report: DocumentReport) -> list[Finding]:
    """The errors that a document was read in spite of."""
    return [finding for finding in report.findings if finding.severity is Severity.ERROR]


def repairs(document: Document | None, report: DocumentReport, within: str = "") -> Iterator[Loss]:
    """What reading a document with defects has left out or replaced, and where it has read over an error.

    Args:
        document: What was read; None for a folder.
        report: Of its shape.
        within: JSON Pointer of the document in the folder that is read; "" for one that is read alone.
    """
    told: set[str] = set()
    for fault in document.faults if document is not None else ():
        if fault.kind is FaultKind.DUPLICATE:
            detail = "the text had a defect here and was read over"
            told.add(fault.pointer)
            yield Loss("repaired-text", "other", "approximated", within + fault.pointer, 1, detail)
    yield from _read_over((one for one in errors_of(report) if one.location.pointer not in told), within)


def _read_over(findings: Iterable[Finding], within: str) -> Iterator[Loss]:
    for finding in findings:
        detail = f"{finding.code} {finding.rule.slug}: read as far as it can be read"
        yield Loss(READ_OVER, "other", "approximated", within + finding.location.pointer, 1, detail)


def lowered(tree: dict[str, Any]) -> tuple[dict[str, Any], list[Loss]]:
    """A Bundle with errors that claims to be whole, as one that does not: nobody can tell what the errors hide."""
    completeness = tree.get("completeness")
    if type(completeness) is not dict or completeness.get("status") != "complete":
        return tree, []
    reason = {"reason": "converted in spite of errors in its shape", **completeness}
    detail = "a Bundle with errors in its shape is not known to be whole"
    places = ["/completeness/status", *([] if "reason" in completeness else ["/completeness/reason"])]
    losses = [Loss("lowered-completeness", "other", "approximated", place, 1, detail) for place in places]
    return {**tree, "completeness": {**reason, "status": "partial"}}, losses
