"""What a folder that was given holds beside a trajectory: verdicts of a harness on it (see formats/swe_bench).

A folder that is given is given whole. A file that is given is given alone: nothing beside it is looked at, and
`--verdicts` names the reports that are meant (spec: traj.md §7.1).
"""

from __future__ import annotations

from functools import partial

from attraj.batch.discover import Item, is_excluded
from attraj.verbs.convert import Request

HARNESS = "a harness's report: it is read with the trajectory beside it"


def with_beside(request: Request, item: Item) -> Request:
    """The request for one trajectory, with what stands beside it where a walk has met it."""
    if not _is_met(item):
        return request
    from attraj.formats.swe_bench.beside import read_beside  # only when a folder is given

    found = read_beside(item.path, item.whole, request.limits, partial(_is_excluded, item.exclude))
    return request._replace(beside=found) if found.reports or found.unread else request


def files_beside(item: Item) -> list[str]:
    """The paths at which files that decide on what is written of a trajectory would stand."""
    if not _is_met(item):
        return []
    from attraj.formats.swe_bench.beside import paths_beside  # likewise

    return paths_beside(item.path, item.whole)


def is_report(item: Item) -> bool:
    """Whether a file that a walk has met is such a report."""
    if item.kind != "file" or item.is_named:
        return False
    from attraj.formats.swe_bench.beside import is_beside  # likewise

    return is_beside(item.path)


def _is_met(item: Item) -> bool:
    return item.kind == "file" and (bool(item.whole) or not item.is_named)


def _is_excluded(exclude: tuple[str, ...], folder: str, within: str) -> bool:
    return is_excluded(folder, within, exclude)
