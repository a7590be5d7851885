"""A run folder of SWE-agent: each trajectory as a document, and the folder by what is kept of them."""

from __future__ import annotations

from collections.abc import Mapping

from attraj.batch.discover import Item
from attraj.batch.work import Done, document_report, unreadable
from attraj.errors import Unreadable
from attraj.findings import DocumentReport
from attraj.formats import is_one
from attraj.formats.folders import Content, Entries
from attraj.formats.swe_agent.check_folder import TrajAccount, account_of, check_run
from attraj.formats.swe_agent.layout import LEFTOVERS, STATUSES, Run, read_run
from attraj.jsonio import documents, read_bytes
from attraj.verbs.validate import Request, folder_report


def look_at_trajectory(item: Item, request: Request) -> Done:
    """A trajectory of a run, and what the run's folder needs of it."""
    limits = request.options.limits
    try:
        found = list(documents(read_bytes(item.path, limits), limits, is_one))
    except Unreadable as error:
        return Done([unreadable(item.path, error)])
    named = Item("file", item.path, True)
    for document in found:
        document.path = item.path
    reports = [document_report(document, named, request) for document in found]
    return Done(reports, account_of(found[0]) if len(found) == 1 and found[0].is_readable else None)


def run_report(item: Item, accounts: Mapping[str, TrajAccount], request: Request) -> DocumentReport:
    """The report of a run folder.

    Args:
        item: The run, with the paths of the trajectories that the caller excludes.
        accounts: Full path of a trajectory to its account.
    """
    run = read_run(item.path, request.options.limits)
    known = {path: accounts[run.full(path)] for path in run.trajectories if run.full(path) in accounts}
    checked = check_run(run, known)
    excluded = len(item.left_out)
    left_out = f"{excluded} {'trajectory' if excluded == 1 else 'trajectories'} excluded, and not compared"
    return folder_report(
        item.path,
        checked.findings,
        Entries(checked.tree, _files(run)),
        request,
        format_name="swe-agent",
        version=run.layout,
        verdicts=checked.verdicts,
        notes=(*checked.notes, left_out) if excluded else checked.notes,
    )


def _files(run: Run) -> dict[str, Content]:
    """The files of a run that findings may point at, and what is known of them."""
    files: dict[str, Content] = dict.fromkeys(run.trajectories)
    files |= dict.fromkeys(run.names & {STATUSES, *LEFTOVERS})
    for instance in run.instances:
        if instance.pred is not None:
            files[f"{instance.path}/{instance.name}.pred"] = instance.pred
        if instance.patch is not None:
            files[f"{instance.path or 'patches'}/{instance.name}.patch"] = None
    if run.preds is not None:
        files["preds.json"] = run.preds
    if run.predictions:
        files["all_preds.jsonl"] = run.predictions
    return files
