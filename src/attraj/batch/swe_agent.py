"""A run folder of SWE-agent: each trajectory as a document, and the folder by what is kept of them."""

from __future__ import annotations

from collections.abc import Mapping

from attraj.batch.discover import Item
from attraj.batch.work import Done, document_report, unreadable
from attraj.errors import Unreadable
from attraj.findings import DocumentReport
from attraj.formats import is_one
from attraj.formats.swe_agent.check_folder import TrajAccount, account_of, check_run
from attraj.formats.swe_agent.layout import read_run
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


def run_report(folder: str, accounts: Mapping[str, TrajAccount], request: Request) -> DocumentReport:
    """The report of a run folder.

    Args:
        accounts: Full path of a trajectory to its account.
    """
    run = read_run(folder, request.options.limits)
    known = {path: accounts[run.full(path)] for path in run.trajectories if run.full(path) in accounts}
    checked = check_run(run, known)
    return folder_report(
        folder,
        checked.findings,
        checked.tree,
        request,
        format_name="swe-agent",
        version=run.layout,
        verdicts=checked.verdicts,
        notes=checked.notes,
    )
