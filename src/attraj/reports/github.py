"""Annotations of GitHub Actions (workflow commands), and the account as a step summary."""

from __future__ import annotations

from attraj.findings import DocumentReport, Severity, Summary
from attraj.reports import Look, Write, file_of
from attraj.reports.escaping import escaped
from attraj.reports.json_v1 import printable_path
from attraj.reports.text import account

MAX_SUMMARY = 900_000  # characters of rows: GitHub refuses a step summary of more than 1 MiB

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


class GithubWriter:
    """One annotation a finding on standard output; a table of documents where the look has a summary to write to."""

    def __init__(self, write: Write, look: Look) -> None:
        self._write = write
        self._look = look
        self._rows: list[str] = []
        self._size = 0
        self._left_out = 0

    def document(self, report: DocumentReport, *, is_named: bool = False) -> None:
        path = printable_path(report.path)
        if report.status in ("unreadable", "rejected") and not report.findings:
            self._annotate("error", path, None, None, report.status, report.reason or report.status)
        for finding in report.findings:
            at = finding.location
            where = f" at {at.pointer}" if at.pointer else ""
            hint = f". {finding.hint}" if finding.hint else ""
            title = f"{finding.code} {finding.slug}"
            command = _COMMANDS[finding.severity]
            file = printable_path(file_of(report.path, finding))
            self._annotate(command, file, at.line, at.column, title, f"{finding.message}{where}{hint}")
        if report.status not in ("clean", "skipped"):
            self._row(report, path)

    def close(self, summary: Summary) -> None:
        said = " ".join(account(summary, 1000))
        self._annotate("notice", None, None, None, f"attraj {self._look.command}", said)
        if self._look.write_summary is not None:
            table = ["| document | status | errors | other findings |", "| --- | --- | --- | --- |", *self._rows]
            if self._left_out:
                table.append(f"\n… and {self._left_out:,} more documents")
            body = "\n".join(table) if self._rows else ""
            self._look.write_summary(f"### attraj {self._look.command}\n\n{said}\n\n{body}\n")

    def _row(self, report: DocumentReport, path: str) -> None:
        errors = sum(f.severity is Severity.ERROR for f in report.findings)
        row = f"| `{_cell(path)}` | {report.status} | {errors} | {len(report.findings) - errors} |"
        self._size += len(row.encode("utf-8", "backslashreplace"))
        if self._size > MAX_SUMMARY:
            self._left_out += 1
        else:
            self._rows.append(row)

    def _annotate(
        self, command: str, path: str | None, line: int | None, column: int | None, title: str, message: str
    ) -> None:
        facts = {"file": path, "line": line, "col": column, "title": title}
        properties = ",".join(f"{key}={_property(str(value))}" for key, value in facts.items() if value is not None)
        self._write(f"::{command} {properties}::{_data(message)}\n")


def _data(text: str) -> str:
    return escaped(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _cell(text: str) -> str:
    return escaped(text).replace("|", "\\|").replace("`", "'")
