"""JUnit XML: one test suite a format, one test case a document; GitLab, Jenkins and others read it."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from attraj.findings import DocumentReport, Finding, Severity, Summary
from attraj.reports import Look, Write
from attraj.reports.escaping import escaped


class JunitWriter:
    """A document is a test case: what fails the run fails it; what is unreadable or rejected is an error."""

    def __init__(self, write: Write, look: Look) -> None:
        self._write = write
        self._command = look.command
        self._fail_on = look.fail_on
        self._cases: list[str] = []

    def document(self, report: DocumentReport, *, is_named: bool = False) -> None:
        self._cases.append("".join(_case(report, self._fail_on)))

    def close(self, summary: Summary) -> None:
        failures = sum("<failure" in case for case in self._cases)
        counts = (
            f'tests="{summary.documents}" failures="{failures}" '
            f'errors="{summary.unreadable + summary.rejected}" skipped="{summary.skipped}"'
        )
        self._write('<?xml version="1.0" encoding="UTF-8"?>\n')
        self._write(f"<testsuites {counts}>\n")
        self._write(f'<testsuite name="attraj {self._command}" {counts}>\n')
        for case in self._cases:
            self._write(case)
        self._write("</testsuite>\n</testsuites>\n")


def _case(report: DocumentReport, fail_on: Severity | None) -> Iterator[str]:
    name = escaped(report.path) + (f"[{report.index}]" if report.index else "")
    yield f"<testcase classname={_attribute('attraj.' + (report.format or 'unknown'))} name={_attribute(name)}>"
    least = Severity.ERROR if fail_on is None else fail_on
    errors = [f for f in report.findings if f.severity >= least]
    others = [f for f in report.findings if f.severity < least]
    if report.status == "skipped":
        yield f"<skipped message={_attribute(report.reason or '')}/>"
    elif report.status in ("unreadable", "rejected"):
        why = report.reason or "rejected by the specification"
        yield f"<error type={_attribute(report.status)} message={_attribute(why)}>{_lines(errors)}</error>"
    elif errors and fail_on is not None:
        summary = f"{len(errors)} finding{'s' if len(errors) > 1 else ''}"
        yield f'<failure type="findings" message="{summary}">{_lines(errors)}</failure>'
    elif errors:
        others = [*errors, *others]
    if others:
        yield f"<system-out>{_lines(others)}</system-out>"
    yield "</testcase>\n"


def _lines(findings: list[Finding]) -> str:
    return escape("\n".join(_line(finding) for finding in findings))


def _line(finding: Finding) -> str:
    at = finding.location
    place = f"{at.line}:{at.column} " if at.line is not None else ""
    place = f"{escaped(at.file)}:{place}" if at.file and place else place
    hint = f" ({finding.hint})" if finding.hint else ""
    return f"{place}{finding.severity} {finding.code} {finding.slug} {escaped(at.pointer)}: {finding.message}{hint}"


def _attribute(text: str) -> str:
    return quoteattr(escaped(text))
