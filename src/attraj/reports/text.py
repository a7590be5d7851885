"""The report for people: grouped by file, readable at 80 columns, an account that adds up."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from attraj.findings import DocumentReport, Finding, Severity, Summary
from attraj.reports import Look, Write
from attraj.reports.escaping import document_name, escaped

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFO: "36"}
_BOLD, _DIM, _GREEN, _RED = "1", "2", "32", "31"


class TextWriter:
    """Writes plain text; colour only when the look allows it."""

    def __init__(self, write: Write, look: Look) -> None:
        self._write = write
        self._look = look
        self._width = max(look.width, 40)
        self._wrote = False
        self._in_block = False

    def document(self, report: DocumentReport, *, is_named: bool = False) -> None:
        look = self._look
        if look.summary_only:
            return
        if report.status in ("clean", "skipped"):
            if look.verbosity > 0 or (is_named and look.verbosity == 0):
                if self._in_block:
                    self._line("")
                self._line(self._one_line(report))
                self._in_block = False
                self._notes(report)
            return
        if look.verbosity < 0 and report.status == "findings" and not report.findings:
            return
        if self._wrote:
            self._line("")
        for line in self._block(report):
            self._line(line)
        self._notes(report)
        self._in_block = True

    def close(self, summary: Summary) -> None:
        if self._look.verbosity >= 0:
            if self._wrote:
                self._write("\n")
            for line in account(summary, self._width):
                self._write(line + "\n")

    def _line(self, line: str) -> None:
        self._write(line + "\n")
        self._wrote = True

    def _notes(self, report: DocumentReport) -> None:
        if self._look.verbosity > 0 or report.status == "unreadable":
            for note in report.notes:
                for line in wrap(note, self._width, initial_indent="  note: ", subsequent_indent="        "):
                    self._line(line)

    def _one_line(self, report: DocumentReport) -> str:
        if report.status == "skipped":
            return f"{_name(report)}: skipped ({report.reason})"
        return f"{_name(report)}: {self._paint('ok', _GREEN)}{_format(report)}{_verdicts(report)}"

    def _block(self, report: DocumentReport) -> Iterator[str]:
        yield self._paint(_name(report), _BOLD) + _format(report)
        if report.status == "unreadable":
            is_said = any(finding.message == report.reason for finding in report.findings)
            yield f"  {self._paint('unreadable', _RED)}" + ("" if is_said else f": {report.reason}")
        elif report.status == "rejected":
            yield f"  {self._paint('rejected', _RED)}: a reader must not go on with this document"
        look = self._look
        findings = report.findings if look.shown is None else report.findings[: look.shown]
        for finding in findings:
            yield from self._finding(finding)
        hidden = len(report.findings) - len(findings)
        if hidden:
            yield f"  … and {hidden:,} more (--show-all lists them, --format json holds them)"
        verdicts = _verdicts(report)
        if verdicts:
            yield from wrap(verdicts.strip(), self._width, initial_indent="  ", subsequent_indent="  ")

    def _finding(self, finding: Finding) -> Iterator[str]:
        at = finding.location
        place = f"{at.line}:{at.column}" if at.line is not None else "-"
        place = f"{escaped(at.file)}:{place}" if at.file and at.line is not None else place
        word = self._paint(str(finding.severity), _COLOURS[finding.severity])
        pointer = escaped(at.pointer) or "(whole document)"
        if len(pointer) > 2 * self._width:
            pointer = pointer[: self._width] + "…" + pointer[-self._width // 2 :]
        yield f"  {place:<7} {word} {finding.code} {finding.slug}  {self._paint(pointer, _DIM)}"
        indent = " " * 10
        yield from wrap(finding.message, self._width, initial_indent=indent, subsequent_indent=indent)
        if finding.hint:
            more = indent + "  "
            yield from wrap("→ " + finding.hint, self._width, initial_indent=indent, subsequent_indent=more)
        for related in finding.related:
            yield f"{indent}see {escaped(related.pointer) or '(whole document)'}: {related.message}"

    def _paint(self, text: str, colour: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self._look.colour else text


def account(summary: Summary, width: int = 80) -> list[str]:
    """The account in words. Parts that are zero are left out; the parts of the documents add up to their number."""
    if not summary.documents:
        return ["no documents"]
    statuses = (
        (summary.clean, "clean"),
        (summary.with_findings, "with findings"),
        (summary.unreadable, "unreadable"),
        (summary.rejected, "rejected"),
        (summary.skipped, "skipped"),
    )
    text = counted(summary.documents, "document") + ": " + ", ".join(f"{n:,} {word}" for n, word in statuses if n)
    kinds = ((summary.errors, "error"), (summary.warnings, "warning"), (summary.infos, "info"))
    counts = ", ".join(counted(n, word) for n, word in kinds if n)
    return wrap(text + (f" — {counts}" if counts else ""), width)


def _name(report: DocumentReport) -> str:
    return document_name(report.path, report.index)


def counted(number: int, word: str) -> str:
    """A number of things, in words."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def _format(report: DocumentReport) -> str:
    if not report.format:
        return ""
    return f" ({report.format} {report.format_version})" if report.format_version else f" ({report.format})"


def _verdicts(report: DocumentReport) -> str:
    said = [f"{name} {word}" for name, word in report.verdicts.items() if word not in ("not_claimed", "not_provided")]
    return "  " + ", ".join(said) if said else ""
