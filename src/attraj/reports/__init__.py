"""The forms of a report. Each is a writer that is told of one document at a time, so that a batch needs no memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from attraj.findings import DocumentReport, Finding, Severity, Summary

if TYPE_CHECKING:
    from attraj.pages import Page

Write = Callable[[str], object]


class Look(NamedTuple):
    """How a report is drawn.

    Attributes:
        width: Columns of the terminal; text is wrapped to it, places never are.
        colour: Whether ANSI colours may be used.
        verbosity: -1 findings only, 0 also what was clean by name and the account, 1 everything.
        summary_only: Only the account.
        shown: Findings of one document that are listed in text; the others are counted. None for all.
        command: Name of the command that made the report.
        key: Key of the fingerprints; b"" for fingerprints that everybody can recompute.
        fail_on: From which severity a finding fails a document, in forms that say so; None when none does.
        pages: Gives the page of each code, for forms that carry help; called only when it is needed.
        write_summary: Where a form that has a separate summary writes it; None when there is no such place.
    """

    width: int = 80
    colour: bool = False
    verbosity: int = 0
    summary_only: bool = False
    shown: int | None = 50
    command: str = "validate"
    key: bytes = b""
    fail_on: Severity | None = Severity.ERROR
    pages: Callable[[], Mapping[str, Page]] = dict
    write_summary: Write | None = None


class Writer(Protocol):
    """Is told of each document in order, then of the account."""

    def document(self, report: DocumentReport, *, is_named: bool = False) -> None: ...

    def close(self, summary: Summary) -> None: ...


_HOMES = {
    "text": ("attraj.reports.text", "TextWriter"),
    "json": ("attraj.reports.json_v1", "JsonWriter"),
    "jsonl": ("attraj.reports.json_v1", "JsonLinesWriter"),
    "sarif": ("attraj.reports.sarif", "SarifWriter"),
    "junit": ("attraj.reports.junit", "JunitWriter"),
    "github": ("attraj.reports.github", "GithubWriter"),
}

FORMS = tuple(_HOMES)


def writer(form: str, write: Write, look: Look) -> Writer:
    """The writer of one form ("text", "json" …); only its own module is imported."""
    module, name = _HOMES[form]
    made: Any = getattr(import_module(module), name)
    return made(write, look)  # type: ignore[no-any-return]


def file_of(path: str, finding: Finding) -> str:
    """The path of the file that a finding stands in: the document's, or that of a file of the folder."""
    return f"{path.rstrip('/')}/{finding.location.file}" if finding.location.file else path
