"""What `convert` says of each document and of all: on the screen, as the JSON report, as the report of losses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from textwrap import wrap
from typing import Any, NamedTuple, Protocol

from attraj.batch.convert_earlier import Cleared
from attraj.batch.convert_losses import as_object
from attraj.batch.convert_plan import Destination
from attraj.batch.convert_records import Record
from attraj.batch.convert_tally import Tally, counted
from attraj.reports import Look
from attraj.reports.escaping import document_name, escaped
from attraj.reports.json_v1 import REPORT_VERSION, document_object, printable_path, tool
from attraj.reports.text import TextWriter

Write = Callable[[str], object]


class View(Protocol):
    """Is told of each record in order, then of the account."""

    def record(self, record: Record) -> None: ...

    def close(self, tally: Tally, end: End) -> None: ...


class End(NamedTuple):
    """What is known at the end of a run, beside the numbers.

    Attributes:
        cleared: What became of the outputs of an earlier run.
        notes: On the plan.
    """

    cleared: Cleared = Cleared()
    notes: tuple[str, ...] = ()


class TextView:
    """The account for people: what was not converted and why, what was lost, numbers that add up.

    Args:
        write: Where it goes.
        look: See `reports`; verbosity -1 tells of what was not converted alone, 1 of every document.
        destination: Where the outputs went.
        is_lenient: What can be read of documents with errors was converted already.
    """

    def __init__(self, write: Write, look: Look, destination: Destination, *, is_lenient: bool = False) -> None:
        self._write = write
        self._hint = "" if is_lenient else _LENIENT
        self._look = look
        self._out = destination
        # The account of `validate` counts other things; only its blocks are drawn.
        self._blocks = TextWriter(write, look._replace(verbosity=-1))
        self._has_told = False

    def record(self, record: Record) -> None:
        report = record.report
        if record.status == "written":
            if self._look.verbosity > 0:
                why = f" ({escaped(report.reason)})" if report.reason else ""
                told = f"converted{why}{_errors(record)}{_losses(record)}"
                self._line(f"{_name(record)}{_arrow(record, self._out)}: {told}")
        elif record.status == "skipped":
            if self._look.verbosity > 0:
                self._line(f"{_name(record)}: skipped ({escaped(report.reason or '')})")
        elif record.status in ("findings", "unreadable", "rejected"):
            self._has_told = True
            self._blocks.document(report, is_named=True)
            if record.status == "findings":
                self._write(f"  not converted: {escaped(report.reason or 'errors in it')}{self._hint}\n")
        else:
            self._line(f"{_name(record)}: not converted: {escaped(report.reason or '')}")

    def _line(self, line: str) -> None:
        self._has_told = True
        self._write(line + "\n")

    def close(self, tally: Tally, end: End) -> None:
        if self._look.verbosity < 0:
            return
        if self._has_told:
            self._write("\n")
        losses = list(loss_lines(tally, self._look.width))
        for line in losses:
            self._write(line + "\n")
        if losses:
            self._write("\n")
        for line in self._account(tally, end):
            indent = "    " if line.startswith(" ") else "  "
            for piece in wrap(line, self._look.width, subsequent_indent=indent):
                self._write(piece + "\n")

    def _account(self, tally: Tally, end: End) -> Iterator[str]:
        yield from tally.lines()
        yield from self._skipped(tally)
        is_one = tally.counts()["documents"] == 1
        for note, count in tally.notes():
            yield f"note: {note}" + ("" if is_one else f" ({counted(count, 'document')})")
        yield from (f"note: {escaped(note)}" for note in end.notes)
        now, before = tally.files
        if self._out.kind != "stdout" and (now or before):
            assets = tally.counts()["assets"]
            more = f", {counted(assets, 'asset')}" if assets else ""
            kept = f" ({before:,} before)" if before else ""
            yield f"{counted(now, 'file')}{more} written to {escaped(self._out.path)}{kept}"
        yield from _earlier(end.cleared, self._out)

    def _skipped(self, tally: Tally) -> Iterator[str]:
        reasons = tally.skipped()
        if not reasons:
            return
        total = f"{counted(sum(count for _, count in reasons), 'file')} skipped"
        more = "" if self._look.verbosity > 0 else " (-v names them)"
        if len(reasons) == 1:
            yield f"{total}: {reasons[0][0]}{more}"
        else:
            yield f"{total}{more}:"
            yield from (f"  {count:,} {reason}" for reason, count in reasons)


def _earlier(cleared: Cleared, out: Destination) -> Iterator[str]:
    """What became of the outputs of an earlier run that this one does not give."""
    if cleared.removed:
        yield f"{counted(cleared.removed, 'file')} of the earlier run removed, which this one does not give"
    if cleared.left:
        many = len(cleared.left)
        yield f"{counted(many, 'file')} of an earlier run left, which this one does not give:"
        yield from (f"  {escaped(out.place(name))}" for name in cleared.left[:_NAMED])
        if many > _NAMED:
            yield f"  and {many - _NAMED:,} more (--format json names them)"


_NAMED = 20
_LENIENT = " (--lenient converts what can be read)"


def _name(record: Record) -> str:
    name = document_name(record.report.path, record.report.index)
    return f"{name} (step {escaped(record.part)})" if record.part else name


def _arrow(record: Record, out: Destination) -> str:
    paths = [path for path in output_paths(record, out) if path]
    return f" -> {', '.join(map(escaped, paths))}" if paths else ""


def _errors(record: Record) -> str:
    return f", with {counted(record.errors, 'error')} in it" if record.errors else ""


def _losses(record: Record) -> str:
    total = sum(loss.count for loss in record.losses)
    return f", {total:,} {'loss' if total == 1 else 'losses'}" if total else ""


def loss_lines(tally: Tally, width: int) -> Iterator[str]:
    """What was lost, by category and code."""
    losses = tally.losses()
    if not losses:
        return
    yield "Not as in the source (--loss-report FILE lists every place):"
    digits = max(len(f"{loss.places:,}") for loss in losses)
    category = ""
    for loss in losses:
        if loss.kind.category != category:
            category = loss.kind.category
            yield f"  {category}"
        head = f"    {loss.places:>{digits},}  {loss.kind.handling:<12}  {loss.kind.code}"
        text = f"{head}: {escaped(loss.detail)}" if loss.detail else head
        yield from wrap(text, max(width, 60), subsequent_indent=" " * (digits + 8))


# --- JSON --------------------------------------------------------------------------------------------------------


class JsonView:
    """The report, version 1: one JSON object, written as the documents come."""

    def __init__(self, write: Write, destination: Destination) -> None:
        self._write = write
        self._out = destination
        self._write(_dumps(_head())[:-1].decode() + ',"documents":[')
        self._separator = "\n"

    def record(self, record: Record) -> None:
        self._write(self._separator + _dumps(record_object(record, self._out)).decode())
        self._separator = ",\n"

    def close(self, tally: Tally, end: End) -> None:
        summary: dict[str, Any] = {
            **tally.counts(),
            "before": tally.before,
            "losses": [
                {**loss.kind._asdict(), "count": loss.places, "documents": loss.documents} for loss in tally.losses()
            ],
            "notes": [
                *({"note": note, "documents": count} for note, count in tally.notes()),
                *({"note": printable_path(note)} for note in end.notes),
            ],
            "earlier": {"removed": end.cleared.removed, "left": [printable_path(name) for name in end.cleared.left]},
        }
        self._write('],\n"summary":' + _dumps(summary).decode() + "}\n")


def record_object(record: Record, out: Destination) -> dict[str, Any]:
    """One document of the report: as `validate` gives it, with what came of it."""
    made = {**document_object(record.report), "status": record.status}
    made |= _of_trial(record)
    if record.errors:
        made["errors"] = record.errors
    if record.notes:
        made["notes"] = [*record.report.notes, *record.notes]
    return {**made, **_output(record, out), "losses": [as_object(loss) for loss in record.losses]}


def loss_report(records: Iterable[tuple[Record, bytes]], out: Destination) -> Iterator[bytes]:
    """The report of losses with every place, in pieces: one document a line."""
    yield _dumps(_head())[:-1] + b',"documents":['
    separator = b"\n"
    for record, places in records:
        if record.status != "written" and not record.losses:
            continue  # nothing of it was converted, so nothing of it was lost
        document: dict[str, Any] = {
            "path": printable_path(record.report.path),
            "index": record.report.index,
            "status": record.status,
            **_of_trial(record),
            **_output(record, out),
        }
        yield separator + _dumps(document)[:-1] + b',"losses":' + places + b"}"
        separator = b",\n"
    yield b"\n]}\n"


def _of_trial(record: Record) -> dict[str, str]:
    """Which trial and step it is, by which scripts join; the path may be that of a file in it."""
    found = {"trial": record.trial, "step": record.part}
    return {name: printable_path(value) for name, value in found.items() if value}


def _head() -> Mapping[str, Any]:
    return {"report_version": REPORT_VERSION, "tool": tool(), "command": "convert"}


def _output(record: Record, out: Destination) -> dict[str, Any]:
    """Where it went: one path, and all of them where there are several."""
    paths = [None if path is None else printable_path(path) for path in output_paths(record, out)]
    made: dict[str, Any] = {"output": paths[0] if paths else None}
    if len(paths) > 1:
        made["outputs"] = paths
    return made


def output_paths(record: Record, out: Destination) -> list[str | None]:
    """The paths of the documents that were written; None stands for standard output."""
    if out.kind == "stdout":
        return [None] if record.status == "written" else []
    names = [output.name for output in record.outputs if not output.is_asset]
    return [out.place(name) if name else out.path for name in names]


def _dumps(value: Mapping[str, Any]) -> bytes:
    import orjson  # 16 ms at start, and only when JSON is written

    return orjson.dumps(value)
