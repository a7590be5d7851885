"""One item to its reports. Runs in this process or in a worker: it imports neither the command line nor a report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from attraj.batch.discover import Item
from attraj.errors import Unreadable
from attraj.findings import FAILED, DocumentReport
from attraj.formats import is_one
from attraj.jsonio import Document, documents, read_bytes
from attraj.jsonio.read import read_stdin
from attraj.verbs.validate import NO_FORMAT, Request, validate

if TYPE_CHECKING:
    from attraj.formats.harbor import TrialAccount
    from attraj.formats.swe_agent.check_folder import TrajAccount

    Account = TrialAccount | TrajAccount | None

JSON_SUFFIXES = (".json", ".jsonl", ".ndjson", ".traj")


class Done(NamedTuple):
    """What became of one item.

    Attributes:
        reports: Of its documents, in order.
        account: What the folder that an item belongs to needs of it (`Item.whole`); None when there is none.
    """

    reports: list[DocumentReport]
    account: Account = None


def look_at(item: Item, request: Request) -> Done:
    """Look at one item: its documents, or what kept it from being looked at. Jobs and runs are made of others.

    A bug of ours that one item meets is told as one, and does not stop the others.
    """
    try:
        return _look_at(item, request)
    except Exception as error:  # noqa: BLE001  (one of the two places where a bug is caught: it stays with its item)
        from attraj.errors import bug_report

        return Done([DocumentReport(item.path, status="unreadable", reason=FAILED, notes=(bug_report(error),))])


def _look_at(item: Item, request: Request) -> Done:
    if item.kind == "skipped":
        return Done([DocumentReport(item.path, status="skipped", reason=item.reason)])
    if item.kind == "unreadable":
        return Done([DocumentReport(item.path, status="unreadable", reason=item.reason)])
    if item.kind in ("job", "run"):
        return Done([])
    if item.kind == "trial":
        from attraj.batch.harbor import look_at_trial  # only when such a folder is met

        return look_at_trial(item, request)
    if item.whole:
        from attraj.batch.swe_agent import look_at_trajectory  # only when a run folder is met

        return look_at_trajectory(item, request)
    return Done(list(file_reports(item, request)))


def file_reports(item: Item, request: Request) -> Iterator[DocumentReport]:
    """The report of each document of a file, or of standard input."""
    limits = request.options.limits
    try:
        raw = read_stdin(limits) if item.kind == "stdin" else read_bytes(item.path, limits)
    except Unreadable as error:
        yield unreadable(item.path, error)
        return
    if not item.is_named and not may_be_json(item.path, raw):
        yield DocumentReport(item.path, status="skipped", reason="not JSON")
        return
    for document in documents(raw, limits, is_one):
        document.path = item.path
        yield document_report(document, item, request)


def document_report(document: Document, item: Item, request: Request) -> DocumentReport:
    """The report of one document; what a walk met and no format fits is skipped, whole or broken."""
    report = validate(document, request)
    if why := why_no_document(document, report, item):
        return DocumentReport(report.path, report.index, status="skipped", reason=why)
    if report.reason == NO_FORMAT:
        return replace(report, notes=("attraj formats lists what is recognised; --from insists on a format",))
    return report


def why_no_document(document: Document, report: DocumentReport, item: Item) -> str:
    """Why what a walk has met is none: no format fits, and nothing says it is meant as one; "" for a document."""
    is_met = not item.is_named and not item.path.endswith(".traj")
    if report.format is not None or not is_met or _is_lost(document):
        return ""
    return NO_FORMAT if report.reason == NO_FORMAT else f"{NO_FORMAT}, and not JSON"


def _is_lost(document: Document) -> bool:
    """Whether this is an element that is no document, or a broken one, among the documents of an array."""
    return document.prefix != "" and type(document.tree) is not dict and not document.is_readable


def unreadable(path: str, error: Unreadable) -> DocumentReport:
    """The report of a file that cannot be read at all."""
    return DocumentReport(path, status="unreadable", reason=error.message, notes=(error.hint,) if error.hint else ())


def may_be_json(path: str, raw: bytes) -> bool:
    """Whether a file that a walk met is meant as JSON: by its first character or, when broken, by its suffix."""
    if raw[:64].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        return True
    return path.removesuffix(".gz").removesuffix(".zst").endswith(JSON_SUFFIXES)
