"""One input of a conversion to what becomes of its documents. Runs in this process or in a worker.

A bug that one document meets is told as one and stays with it; whatever happens, every input is accounted for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from attraj.batch.convert_beside import HARNESS, is_report, with_beside
from attraj.batch.convert_losses import NOTHING_LOST, Gathered, gathered
from attraj.batch.convert_names import relative, stem
from attraj.batch.convert_plan import Destination, Entry
from attraj.batch.convert_records import Made, Noun, Record, because, bug_of, not_read, record_of
from attraj.batch.convert_write import SEVERAL, NotPlaced, Placing
from attraj.batch.discover import Item, below, is_excluded
from attraj.batch.work import may_be_json, unreadable, why_no_document
from attraj.errors import Unreadable, bug_report
from attraj.findings import DocumentReport
from attraj.formats import is_one
from attraj.jsonio import Document, documents, read_bytes
from attraj.jsonio.read import read_stdin
from attraj.verbs import convert as verb
from attraj.verbs.convert import Converted, Request

if TYPE_CHECKING:
    from attraj.batch.convert_plan import Plan

T = TypeVar("T")

NO_TRAJECTORY = "no trajectory"
ATTEMPT = "an attempt: the file of its run holds it"
LEFT_ALONE = "an attempt that the file of its run does not hold"
DIED = "the worker died while converting it"


def _convert_trial(folder: str, name: str, request: Request, release: str) -> list[tuple[str, Converted]]:
    from attraj.verbs.convert_trial import convert_trial  # only when a trial is met

    return convert_trial(folder, name, request, release)


class Verbs(NamedTuple):
    """What converts: functions that can travel to a worker by name."""

    convert: Callable[[Document, str, Request], Converted] = verb.convert
    convert_trial: Callable[[str, str, Request, str], list[tuple[str, Converted]]] = _convert_trial


VERBS = Verbs()


@dataclass(frozen=True, slots=True)
class ConvertTask:
    """How each input is converted, as values that can travel to a worker.

    Attributes:
        request: What is asked of each document.
        destination: Where outputs go.
        fails_on: Categories of losses for which a document is not written.
        protected: See `Plan`.
        verbs: What converts.
    """

    request: Request
    destination: Destination
    fails_on: frozenset[str] = frozenset()
    protected: frozenset[str] = frozenset()
    verbs: Verbs = VERBS

    @classmethod
    def of(cls, plan: Plan, request: Request, fails_on: frozenset[str] = frozenset()) -> ConvertTask:
        """The task of a plan."""
        return cls(request, plan.destination, fails_on, plan.protected)

    def begin(self) -> Callable[[Entry], Made]:
        """See `pool.Task`: in a worker, once."""
        from attraj.batch.engines.watch import end_with_parent

        end_with_parent()
        return self.look_at

    def lost(self, item: Entry) -> Made:
        """See `pool.Task`."""
        noun: Noun = "trial" if item.item.kind == "trial" else "document"
        record = record_of(not_read(item.item.path, DIED), "unreadable", noun=noun, is_final=False)
        if noun == "trial":
            record = replace(record, trial=item.item.path)
        return Made((record,), (NOTHING_LOST.places,))

    def size(self, item: Entry) -> int:
        """See `pool.Task`; converting takes many times as long as reading, so chunks are small."""
        return 1 << 20 if item.item.kind == "trial" else 16 * item.item.size

    def look_at(self, entry: Entry) -> Made:
        """Convert one input, write what comes of it, and say what became of each of its documents."""
        return _Looked(self, entry).made()


class _Told(NamedTuple):
    """A record with the places of its losses."""

    record: Record
    places: bytes = NOTHING_LOST.places


@dataclass(slots=True)
class _Looked:
    """One input while it is looked at."""

    task: ConvertTask
    entry: Entry
    placing: Placing = field(init=False)
    text: bytes = b""

    def __post_init__(self) -> None:
        task = self.task
        self.placing = Placing(self.entry, task.destination, task.request.to, task.protected)

    def made(self) -> Made:
        item = self.entry.item
        told: list[_Told] = []
        ended, bug = _isolated(partial(_collect, self._told(item, self.entry.name), told))
        if isinstance(ended, _Bug):
            told.append(_Told(bug_of(item.path, len(told), bug)))
        return Made(tuple(one.record for one in told), tuple(one.places for one in told), self.text)

    def _told(self, item: Item, name: str) -> Iterator[_Told]:
        if item.kind == "skipped":
            yield _Told(record_of(not_read(item.path, item.reason, "skipped"), "skipped"))
        elif item.kind == "unreadable":
            yield _Told(record_of(not_read(item.path, item.reason), "unreadable", is_final=False))
        elif item.is_part and not item.is_named:
            yield from self._attempt(item, name)
        elif item.kind == "trial":
            yield from self._trial(item, name)
        elif item.kind == "run":
            yield from map(_Told, _without_trajectory(item, self.task.request))
        elif item.kind in ("file", "stdin"):
            yield from self._file(item, name)

    # --- files ---

    def _attempt(self, item: Item, name: str) -> Iterator[_Told]:
        from attraj.batch.attempts import is_held  # only when one is met

        if is_held(item.path, self.task.request.limits):
            yield _Told(record_of(not_read(item.path, ATTEMPT, "skipped"), "skipped"))
            return
        for told in self._file(item, name):
            record = told.record
            is_lone = record.status == "written"
            yield told._replace(record=because(record, LEFT_ALONE)) if is_lone else told

    def _file(self, item: Item, name: str) -> Iterator[_Told]:
        limits = self.task.request.limits
        try:
            raw = read_stdin(limits) if item.kind == "stdin" else read_bytes(item.path, limits)
        except Unreadable as error:
            yield _Told(record_of(unreadable(item.path, error), "unreadable", is_final=False))
            return
        # What lies in a run folder where a trajectory belongs is one, whatever it looks like.
        item = item._replace(is_named=item.is_named or bool(item.whole))
        if not item.is_named and not may_be_json(item.path, raw):
            yield _Told(record_of(not_read(item.path, "not JSON", "skipped"), "skipped"))
            return
        found = documents(raw, limits, is_one)
        del raw
        one = next(found)
        after = next(found, None)
        is_many = after is not None
        if is_many and (reason := self._not_many()):
            yield _Told(record_of(DocumentReport(item.path), "refused", reason, exit_code=2))
            return
        while True:
            one.path = item.path
            yield self._document(one, item, name, is_many)
            if after is None:
                return
            one, after = after, next(found, None)

    def _not_many(self) -> str:
        """Why several documents of one file cannot be converted; "" when they can."""
        if self.task.destination.kind != "folder":
            return "the file holds several documents: name a folder with -o"
        if self.task.request.trajectory_id:
            return "the file holds several documents, and --trajectory-id names one"
        if not all(report.names_instances for report in self.task.request.verdicts):
            return "the file holds several documents, and a report of --verdicts is about one that it does not name"
        return ""

    def _document(self, document: Document, item: Item, name: str, is_many: bool) -> _Told:
        if is_many:
            name = f"{name}.{document.index}"
        asked = self._asked(name) if is_many else with_beside(self._asked(name), item)
        converted, bug = _isolated(partial(self.task.verbs.convert, document, name, asked))
        if isinstance(converted, _Bug):
            return _Told(bug_of(document.path, document.index, bug))
        report = converted.report or DocumentReport(document.path, document.index)
        if converted.reason == verb.NO_STEPS and not item.is_named:
            # An Episode beside what it was made of, say: a walk has met it, and nobody asked for it (decisions 9).
            return _Told(record_of(replace(report, status="skipped", reason=converted.reason), "skipped"))
        if why := why_no_document(document, report, item):
            reason = HARNESS if is_report(item) else why
            report = DocumentReport(report.path, report.index, status="skipped", reason=reason)
            return _Told(record_of(report, "skipped"))
        return self._finish(converted, report, document.tree, index=document.index if is_many else None)

    # --- trials ---

    def _trial(self, item: Item, name: str) -> Iterator[_Told]:
        for told in self._runs(item, name):
            yield told._replace(record=replace(told.record, trial=item.path))
        yield from self._beside(item, name)

    def _runs(self, item: Item, name: str) -> Iterator[_Told]:
        """The run of a trial, or that of each of its steps."""
        convert = partial(self.task.verbs.convert_trial, item.path, name, self._asked(name), item.release)
        parts, bug = _isolated(convert)
        if isinstance(parts, _Bug):
            yield _Told(bug_of(item.path, 0, bug, "trial"))
        elif not parts:
            yield _Told(record_of(not_read(item.path, NO_TRAJECTORY, "skipped"), "skipped", noun="trial"))
        elif len(parts) > 1 and self.task.destination.kind != "folder":
            yield _Told(record_of(DocumentReport(item.path), "refused", SEVERAL, noun="trial", exit_code=2))
        else:
            for part, converted in parts:
                yield self._finish(converted, _report(converted, item.path), None, part=part, noun=_noun(part))

    def _beside(self, item: Item, name: str) -> Iterator[_Told]:
        """What lies in a trial's folder and is no part of a trial, walked like anything else."""
        from attraj.formats.harbor import read_trial  # only when a trial is met

        trial = read_trial(item.path, self.task.request.limits)
        for path in trial.unknown:
            if is_excluded(item.path, path, item.exclude):
                continue
            for other in below(trial.full(path), item.exclude):
                if other.kind == "job":
                    continue
                if self.task.destination.kind != "folder" and other.kind != "skipped":
                    reason = "beside the trial: -o FOLDER converts it too"
                    yield _Told(record_of(not_read(other.path, reason, "skipped"), "skipped"))
                    continue
                within = relative(other.path, item.path)
                inner = f"{name}/{stem(within) if other.kind == 'file' else within}"
                looked = _Looked(self.task, Entry(self.entry.number, other, inner))
                yield from looked._told(other, inner)

    # --- what came of it ---

    def _asked(self, name: str) -> Request:
        """The request, with a folder for assets of this document's own."""
        request = self.task.request
        if not request.extracts_assets:
            return request
        return request._replace(assets_folder=f"{request.assets_folder}/{name.rpartition('/')[2]}")

    def _finish(
        self,
        converted: Converted,
        report: DocumentReport,
        tree: Any,
        *,
        index: int | None = None,
        part: str = "",
        noun: Noun = "document",
    ) -> _Told:
        lost = gathered(converted.losses, tree)
        record = partial(record_of, report, noun=noun, part=part, losses=lost.losses)
        written = partial(record, "written", converted.reason, errors=converted.errors, notes=converted.notes)
        if converted.status != "converted":
            is_final = converted.status != "unreadable" or bool(report.findings)
            code = 5 if converted.status == "refused" and converted.is_unproven else None
            made = record(converted.status, converted.reason, exit_code=code, is_final=is_final)
            return _Told(made, lost.places)
        failing = sorted({loss.category for loss in lost.losses} & self.task.fails_on)
        if failing:
            return _Told(record("refused", f"it would lose: {', '.join(failing)} (--fail-on-loss)"), lost.places)
        if self.task.destination.kind == "stdout":
            return self._to_stdout(converted, record, written, lost)
        try:
            outputs = self.placing.place(converted.outputs, index, part)
        except NotPlaced as error:
            refused = record("refused", error.reason, exit_code=error.exit_code, is_final=error.is_final)
            return _Told(refused, lost.places)
        return _Told(replace(written(), outputs=outputs), lost.places)

    def _to_stdout(
        self, converted: Converted, record: Callable[..., Record], written: Callable[[], Record], lost: Gathered
    ) -> _Told:
        if len(converted.outputs) != 1:
            return _Told(record("refused", SEVERAL, exit_code=2), lost.places)
        self.text = converted.outputs[0].text
        return _Told(written(), lost.places)


def _collect(told: Iterator[_Told], into: list[_Told]) -> None:
    for one in told:  # one at a time: what was told before a bug stays told
        into.append(one)  # noqa: PERF402


class _Bug:
    """Stands for what a bug kept from coming."""


_BUG = _Bug()


def _isolated(call: Callable[[], T]) -> tuple[T | _Bug, str]:
    """What the call gives, or that a bug of ours kept it from giving anything, with what to report."""
    try:
        return call(), ""
    except Exception as error:  # noqa: BLE001  (one of the places where a bug is caught: it stays with its document)
        return _BUG, bug_report(error)


def _report(converted: Converted, path: str) -> DocumentReport:
    return converted.report or DocumentReport(path)


def _noun(part: str) -> Noun:
    return "step" if part else "trial"


def _without_trajectory(item: Item, request: Request) -> Iterator[Record]:
    from attraj.batch.instances import LEADS_OUT, without_trajectory  # only when a run folder is met

    for one in without_trajectory(item, request.limits):
        reason = LEADS_OUT if one.is_link else NO_TRAJECTORY
        yield record_of(DocumentReport(one.path, one.position, status="skipped", reason=reason), "skipped")
