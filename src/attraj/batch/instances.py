"""The instances of a SWE-agent run of which there is no trajectory to look at.

An instance whose environment did not start was tried and failed: without it every rate is too good.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from attraj.batch.discover import Item, is_excluded
from attraj.limits import Limits

LEADS_OUT = "symbolic link that leads out of the run, or nowhere"


class Missing(NamedTuple):
    """One instance without a trajectory, or a link that may lead to one and is not followed.

    Attributes:
        path: Of its folder; of the file of exit statuses for one that is only named there.
        position: Of it in that file, else 0.
        status: How it ended by that file; None where it does not say.
        is_link: It is a link that leads out of the run, or nowhere.
    """

    path: str
    position: int = 0
    status: str | None = None
    is_link: bool = False


def without_trajectory(item: Item, limits: Limits) -> Iterator[Missing]:
    """The instances of a run that have files and no trajectory, those that only its exit statuses name, links at last.

    Args:
        item: The run, with the patterns for what is left out of it.
    """
    from attraj.formats.swe_agent.layout import STATUSES, read_run  # only when such a folder is met

    run = read_run(item.path, limits)
    statuses = run.statuses or {}
    for instance in run.instances:
        if not instance.trajectories and not is_excluded(item.path, instance.path, item.exclude):
            yield Missing(run.full(instance.path), status=statuses.get(instance.name))
    known = {instance.name for instance in run.instances}
    for position, (name, status) in enumerate(statuses.items()):
        if name not in known and not is_excluded(item.path, name, item.exclude):
            yield Missing(run.full(STATUSES), position, status)
    for path in run.outside:
        if not is_excluded(item.path, path, item.exclude):
            yield Missing(run.full(path), is_link=True)
