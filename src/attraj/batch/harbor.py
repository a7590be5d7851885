"""A Harbor trial with all it holds, and the account of a job from those of its trials."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from attraj.batch.discover import Item, discover
from attraj.batch.work import Done, file_reports, look_at, unreadable
from attraj.errors import Unreadable
from attraj.findings import DocumentReport
from attraj.formats.harbor import SUPERSEDED, Trial, TrialAccount, check_job, check_trial, read_job, read_trial
from attraj.jsonio import Document, documents, read_bytes
from attraj.limits import Limits
from attraj.verbs.validate import Request, folder_report, validate

TOTALS = frozenset({"ATIF027"})  # totals that are right when subagents and earlier segments are in view


def look_at_trial(item: Item, request: Request) -> Done:
    """The trial's folder first, then each of its trajectories, then whatever else lies in it."""
    limits = request.options.limits
    trial = read_trial(item.path, limits)
    read: dict[str, list[Document]] = {}
    reports: dict[str, list[DocumentReport]] = {}
    for file in trial.trajectories:
        _read(trial, file.path, limits, read, reports)
    alone = {path: found[0] for path, found in read.items() if len(found) == 1}
    checked = check_trial(trial, alone, job_lock=_job_lock(item.whole, limits))
    # The trial knows the files beside a trajectory: what the lone document can only wonder about is settled.
    inside = request._replace(drop=request.drop | SUPERSEDED)
    for path in checked.further:
        if path not in read:
            _read(trial, path, limits, read, reports)
    for path, found in read.items():
        is_alone = len(found) == 1
        added = checked.added.get(path, ()) if is_alone else ()
        explained = TOTALS if path in checked.explained else frozenset[str]()
        reports[path] = [validate(document, inside, added=added, explained=explained) for document in found]
    whole = folder_report(
        item.path,
        checked.findings,
        checked.tree,
        request,
        format_name="harbor",
        version=checked.version,
        verdicts=checked.verdicts,
        notes=checked.notes,
    )
    every = [whole, *(report for path in reports for report in reports[path])]
    for path in trial.unknown:
        every += _others(trial.full(path), request)
    return Done(every, checked.account)


def job_report(folder: str, trials: Sequence[TrialAccount], request: Request) -> DocumentReport:
    """The report of a job, made of its own files and the accounts of its trials."""
    checked = check_job(read_job(folder, request.options.limits), trials)
    return folder_report(
        folder,
        checked.findings,
        checked.tree,
        request,
        format_name="harbor",
        version=checked.version,
        verdicts=checked.verdicts,
        notes=checked.notes,
    )


def _read(
    trial: Trial,
    path: str,
    limits: Limits,
    read: dict[str, list[Document]],
    reports: dict[str, list[DocumentReport]],
) -> None:
    """Parse one trajectory file into `read`, or say in `reports` why it cannot be read; both keep the order."""
    full = trial.full(path)
    try:
        found = list(documents(read_bytes(full, limits), limits))
    except Unreadable as error:
        reports[path] = [unreadable(full, error)]
        return
    for document in found:
        document.path = full
    read[path] = found
    reports[path] = []


def _others(path: str, request: Request) -> list[DocumentReport]:
    """What stands in a trial's folder and is no part of a trial: walked like anything else."""
    found: list[DocumentReport] = []
    for item in discover([path]):
        if item.kind == "file":
            found += file_reports(Item("file", item.path, size=item.size), request)
        else:
            found += look_at(item, request).reports
    return found


@cache
def _job_lock(job: str, limits: Limits) -> Document | None:
    """The lock of a job, read once for all its trials: it alone names the Harbor release."""
    return read_job(job, limits).lock if job else None
