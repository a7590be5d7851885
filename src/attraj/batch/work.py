"""One item to its reports. Runs in this process or in a worker: it imports neither the command line nor a report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from attraj.batch.discover import Item
from attraj.errors import Unreadable
from attraj.findings import DocumentReport
from attraj.jsonio import Document, documents, read_bytes
from attraj.jsonio.read import read_stdin
from attraj.verbs.validate import NO_FORMAT, Request, validate

JSON_SUFFIXES = (".json", ".jsonl", ".ndjson", ".traj")


def reports_of(item: Item, request: Request) -> Iterator[DocumentReport]:
    """The reports of one item, in order: its documents, or what kept it from being looked at."""
    if item.kind == "skipped":
        yield DocumentReport(item.path, status="skipped", reason=item.reason)
    elif item.kind == "unreadable":
        yield DocumentReport(item.path, status="unreadable", reason=item.reason)
    elif item.kind in ("trial", "job"):
        from attraj.batch.harbor import folder_reports  # only when such a folder is met

        yield from folder_reports(item, request)
    else:
        yield from _file_reports(item, request)


def _file_reports(item: Item, request: Request) -> Iterator[DocumentReport]:
    limits = request.options.limits
    try:
        raw = read_stdin(limits) if item.kind == "stdin" else read_bytes(item.path, limits)
    except Unreadable as error:
        yield DocumentReport(item.path, status="unreadable", reason=error.message)
        return
    if not item.is_named and not _may_be_json(item.path, raw):
        yield DocumentReport(item.path, status="skipped", reason="not JSON")
        return
    for document in documents(raw, limits):
        document.path = item.path
        yield _report(document, item, request)


def _report(document: Document, item: Item, request: Request) -> DocumentReport:
    report = validate(document, request)
    if report.reason == NO_FORMAT and not item.is_named:
        return replace(report, status="skipped", findings=())
    return report


def _may_be_json(path: str, raw: bytes) -> bool:
    """Whether a file that a walk met is meant as JSON: by its first character or, when broken, by its suffix."""
    return raw[:64].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[") or path.removesuffix(".gz").removesuffix(
        ".zst"
    ).endswith(JSON_SUFFIXES)
