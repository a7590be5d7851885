"""A Harbor trial with all it holds, and the account of a job from those of its trials."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attraj.batch.discover import Item, below, is_excluded, why
from attraj.batch.work import JSON_SUFFIXES, Done, document_report, unreadable
from attraj.errors import Unreadable
from attraj.findings import DocumentReport, Finding
from attraj.formats import detect, guess, is_one
from attraj.formats.harbor import (
    EXPLAINS_ALL,
    SUPERSEDED,
    Trial,
    TrialAccount,
    TrialChecked,
    check_job,
    check_trial,
    read_job,
    read_trial,
)
from attraj.jsonio import MISSING, Document, documents, parse, read_bytes
from attraj.verbs.validate import Request, folder_report, validate

TOTALS = frozenset({"ATIF027"})  # totals that are right when subagents and earlier segments are in view


def look_at_trial(item: Item, request: Request) -> Done:
    """The trial's folder first, then each of its trajectories, then whatever else lies in it."""
    return _Looked(item, request).done()


class _Looked:
    """A trial while it is looked at."""

    def __init__(self, item: Item, request: Request) -> None:
        self.item = item
        # Insisting on "harbor" says what the folder is, not what the documents in it are.
        self.request = request._replace(format="") if request.format == "harbor" else request
        self.trial: Trial = read_trial(item.path, request.options.limits)
        self.read: dict[str, Document] = {}
        self.reports: dict[str, list[DocumentReport]] = {}  # by the path of a trajectory, in order
        self.left_out = 0
        self.logs = 0

    def done(self) -> Done:
        for file in self.trial.trajectories:
            self._read(file.path)
        checked = check_trial(self.trial, self.read, release=self.item.release or None)
        for path in checked.further:
            self._read(path)
        self._validate(checked)
        others = list(self._others())  # before the notes, which count what it leaves out
        whole = folder_report(
            self.item.path,
            checked.findings,
            checked.entries,
            self.request,
            format_name="harbor",
            version=checked.version,
            verdicts=checked.verdicts,
            notes=(*checked.notes, *self._notes()),
            unreadable=checked.unreadable,
        )
        return Done([whole, *(one for reports in self.reports.values() for one in reports), *others], checked.account)

    def _read(self, path: str) -> None:
        """Parse one trajectory, or report why it cannot be read. Harbor reads a file whole, as one document."""
        if path in self.reports:
            return
        if is_excluded(self.item.path, path, self.item.exclude):
            self.left_out += 1
            return
        full, limits = self.trial.full(path), self.request.options.limits
        try:
            document = parse(read_bytes(full, limits), limits)
        except Unreadable as error:
            self.reports[path] = [unreadable(full, error)]
            return
        document.path = full
        self.read[path] = document
        self.reports[path] = []

    def _validate(self, checked: TrialChecked) -> None:
        """Judge every trajectory by its place: what stands there must be ATIF, whatever it looks like."""
        # The trial knows the files beside a trajectory: what the lone document can only wonder about is settled.
        inside = self.request._replace(
            format=self.request.format or "atif",
            drop=self.request.drop | SUPERSEDED,
        )
        for path, document in self.read.items():
            added = _up_to(checked.added.get(path, ()), self.request)
            explained = TOTALS if path in checked.explained else frozenset[str]()
            wanted = inside
            if any(finding.code == EXPLAINS_ALL for finding in added):
                alone = frozenset({EXPLAINS_ALL})
                wanted = inside._replace(keep=alone if inside.keep is None else inside.keep & alone)
            self.reports[path] = [validate(document, wanted, added=added, explained=explained)]

    def _others(self) -> Iterator[DocumentReport]:
        """What is no part of a trial, walked like anything else; logs are counted, and have no report of their own."""
        from attraj.batch.run import run  # it imports this module

        told = {self.trial.full(path) for path in self.reports}
        items: list[Item] = []
        for path in (*self.trial.unknown, *self.trial.left):
            if is_excluded(self.item.path, path, self.item.exclude):
                self.left_out += 1
            else:
                items += below(self.trial.full(path), self.item.exclude)
        folders: list[Item] = []
        for item in items:
            if item.path in told:
                continue
            if item.kind != "file" or item.whole:
                folders.append(item)
                continue
            reports = _left(item, self.request)
            self.logs += not reports
            yield from reports
        yield from (report for _, report in run(folders, self.request))

    def _notes(self) -> Iterator[str]:
        if self.left_out:
            yield f"{_counted(self.left_out, 'entry', 'entries')} excluded, and not judged"
        if self.logs:
            yield f"{_counted(self.logs, 'file', 'files')} beside: logs and the like, no documents"


def job_report(item: Item, trials: Sequence[TrialAccount], lost: Sequence[str], request: Request) -> DocumentReport:
    """The report of a job, made of its own files and the accounts of its trials.

    Args:
        item: The job, with the names of the trials that the caller excludes.
        trials: Of each trial that was looked at.
        lost: Folder names of trials of which no account could be had (a worker died).
    """
    checked = check_job(read_job(item.path, request.options.limits), trials, (*item.left_out, *lost))
    return folder_report(
        item.path,
        checked.findings,
        checked.entries,
        request,
        format_name="harbor",
        version=checked.version,
        verdicts=checked.verdicts,
        notes=checked.notes,
        unreadable=checked.unreadable,
    )


def _left(item: Item, request: Request) -> list[DocumentReport]:
    """The reports of a file that lies in a trial and is no part of it; [] for a log, which is no document.

    A file that is named as JSON is told of, whatever it holds. Any other is a log, unless a known format is in it:
    logs begin with brackets too, and many of them are one JSON object a line.
    """
    is_json = item.path.removesuffix(".gz").removesuffix(".zst").endswith(JSON_SUFFIXES)
    limits = request.options.limits
    try:
        if not is_json and _first(item.path) not in (b"{", b"["):
            return []
        found = list(documents(read_bytes(item.path, limits), limits, is_one))
    except Unreadable as error:
        return [unreadable(item.path, error)]
    for document in found:
        document.path = item.path
    if any(detect(one.tree) or (one.tree is MISSING and guess(one.raw)) for one in found):
        return [document_report(document, item, request) for document in found]
    return [document_report(found[0], item, request)] if is_json else []


def _first(path: str) -> bytes:
    """The first character of a file that is no white space. Raises Unreadable."""
    try:
        with open(path, "rb") as file:
            return file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    except OSError as error:
        raise Unreadable(why(error, path)) from error


def _up_to(findings: Iterable[Finding], request: Request) -> list[Finding]:
    """The findings of the strata that are asked for."""
    return [finding for finding in findings if finding.rule.stratum <= request.options.level]


def _counted(number: int, one: str, many: str) -> str:
    return f"1 {one}" if number == 1 else f"{number} {many}"
