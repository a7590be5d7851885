"""The JSON report, version 1: the contract of scripts and CI. Members may be added, never renamed (DESIGN.md §4)."""

from __future__ import annotations

from typing import Any

from attraj import __version__
from attraj.findings import DocumentReport, Finding, Summary
from attraj.reports import Look, Write
from attraj.reports.fingerprints import fingerprints, key_id

REPORT_VERSION = 1


class JsonWriter:
    """One JSON object, written as the documents come."""

    def __init__(self, write: Write, look: Look) -> None:
        self._write = write
        head: dict[str, Any] = {"report_version": REPORT_VERSION, "tool": tool(), "command": look.command}
        if look.key:
            head["key_id"] = key_id(look.key)  # with which key the fingerprints were made
        if look.summary_only:
            head["documents_left_out"] = True
        self._write(_dumps(head)[:-1] + ',"documents":[')
        self._separator = "\n"
        self._summary_only = look.summary_only
        self._key = look.key

    def document(self, report: DocumentReport, *, is_named: bool = False) -> None:
        if not self._summary_only:
            self._write(self._separator + _dumps(document_object(report, self._key)))
            self._separator = ",\n"

    def close(self, summary: Summary) -> None:
        self._write('],\n"summary":' + _dumps(summary._asdict()) + "}\n")


class JsonLinesWriter:
    """One document a line, and nothing else (decisions 6)."""

    def __init__(self, write: Write, look: Look) -> None:
        self._write = write
        self._key = look.key

    def document(self, report: DocumentReport, *, is_named: bool = False) -> None:
        self._write(_dumps(document_object(report, self._key)) + "\n")

    def close(self, summary: Summary) -> None:
        pass


def tool() -> dict[str, str]:
    """Who made the report."""
    return {"name": "attraj", "version": __version__}


def document_object(report: DocumentReport, key: bytes = b"") -> dict[str, Any]:
    """One document of the report."""
    document: dict[str, Any] = {
        "path": printable_path(report.path),
        "index": report.index,
        "format": report.format,
        "format_version": report.format_version,
        "status": report.status,
        "findings": [finding_object(finding, mark) for finding, mark in fingerprints(report, key)],
        "verdicts": dict(report.verdicts),
        "stopped_after": str(report.stopped_after) if report.stopped_after else None,
    }
    if report.reason is not None:
        document["reason"] = report.reason
    if report.notes:
        document["notes"] = list(report.notes)
    return document


def finding_object(finding: Finding, fingerprint: str) -> dict[str, Any]:
    """One finding of the report. `file` is there for findings of a folder that stand in one of its files."""
    location = finding.location
    return {
        "code": finding.code,
        "slug": finding.slug,
        "severity": str(finding.severity),
        "pointer": printable_path(location.pointer),
        **({"file": printable_path(location.file)} if location.file else {}),
        "line": location.line,
        "column": location.column,
        "message": finding.message,
        "hint": finding.hint,
        "related": [{"pointer": printable_path(r.pointer), "message": r.message} for r in finding.related],
        "fingerprint": fingerprint,
    }


def printable_path(path: str) -> str:
    """A path, or a pointer with one in it, that any JSON reader takes: bytes that are no UTF-8 are written as \\xff."""
    if path.isascii():
        return path
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _dumps(value: Any) -> str:
    import orjson  # 16 ms at start, and only when JSON is written

    return orjson.dumps(value).decode()
