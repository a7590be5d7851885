"""Which documents and folders the given paths hold. Nothing is opened here but folders, and no link is followed.

A walk leaves out version control, environments, dependencies and attraj's own bookkeeping; whatever else it meets
becomes an item, if only to be skipped with a reason (decisions 9, 10).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Literal, NamedTuple

Kind = Literal["file", "trial", "job", "run", "skipped", "unreadable", "stdin"]

LEFT_OUT = frozenset(
    {".git", ".hg", ".svn", ".jj", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".nox", "_attraj"}
)


class Item(NamedTuple):
    """One thing to look at.

    Attributes:
        kind: A file, a Harbor trial or job folder, a run folder of SWE-agent, standard input; or what cannot or need
            not be looked at. A job and a run stand after what they are made of.
        path: As given, or below what was given.
        is_named: Given by the caller, not found by a walk: then an unknown format is an error.
        reason: Why it is skipped or unreadable.
        size: Bytes, where the walk knew them; 0 otherwise.
        is_part: Another document of the walk holds it too (an attempt beside the file of its retry agent).
        whole: The folder that a trial (a job) or a trajectory (a run) belongs to, when the walk met it; "" otherwise.
    """

    kind: Kind
    path: str
    is_named: bool = False
    reason: str = ""
    size: int = 0
    whole: str = ""
    is_part: bool = False


def discover(paths: Iterable[str], exclude: Sequence[str] = ()) -> Iterator[Item]:
    """The items below the given paths, each path's in the order of their names.

    Args:
        paths: Files, folders, "-" for standard input. Paths that do not exist become items too.
        exclude: Patterns (`*`, `?`) for names or paths that walks leave out.
    """
    for path in paths:
        if path == "-":
            yield Item("stdin", "-", True)
            continue
        try:
            facts = os.stat(path)
        except OSError as error:
            yield Item("unreadable", path, True, why(error, path))
            continue
        if stat.S_ISDIR(facts.st_mode):
            yield from _folder(path, exclude)
        else:
            yield Item("file", path, True, size=facts.st_size)


def _folder(folder: str, exclude: Sequence[str]) -> Iterator[Item]:
    """Files and trials below a folder; a job stands after its trials, since its account is made of theirs."""
    from attraj.formats.harbor import read_job, recognise  # only when a folder is given
    from attraj.formats.swe_agent.layout import recognise as recognise_run

    pending: list[Item | _Below] = [_Below(folder, is_named=True)]
    while pending:
        here = pending.pop()
        if isinstance(here, Item):
            yield here
            continue
        kind = "trial" if here.is_trial else recognise(here.path)
        if kind == "trial":
            yield Item("trial", here.path, here.is_named, whole=here.job)
            continue
        if kind is None and recognise_run(here.path):
            pending.extend(reversed(list(_run(here))))
            continue
        job = here.path if kind == "job" else ""
        trials = frozenset(read_job(here.path).trials) if job else frozenset[str]()
        if job:
            pending.append(Item("job", job, here.is_named))
        try:
            with os.scandir(here.path) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            yield Item("unreadable", here.path, here.is_named, why(error, here.path))
            continue
        below: list[Item | _Below] = []
        names = frozenset(entry.name for entry in entries if entry.name.endswith(".traj"))
        for entry in entries:
            if is_left_out(entry, exclude):
                continue
            if entry.is_dir(follow_symlinks=False):
                beside = names if entry.name.startswith("attempt_") else frozenset[str]()
                below.append(_Below(entry.path, is_trial=entry.name in trials, job=job, beside=beside))
            elif not job:  # the files of a job's folder are the job's
                yield file_item(entry, is_part=entry.name in here.beside)
        pending.extend(reversed(below))


class _Below(NamedTuple):
    """A folder that is still to be walked."""

    path: str
    is_named: bool = False
    is_trial: bool = False
    job: str = ""
    beside: frozenset[str] = frozenset()  # files of retry agents above, which hold the attempts below


def _run(here: _Below) -> Iterator[Item | _Below]:
    """The trajectories of a run folder of SWE-agent, what else lies in it, and the run itself at the end."""
    from attraj.formats.swe_agent.layout import read_run

    run = read_run(here.path)
    attempts = {path for one in run.instances if one.trajectory for path in one.attempts.values()}
    for path in run.trajectories:
        full = run.full(path)
        try:
            size = os.stat(full).st_size
        except OSError as error:
            yield Item("unreadable", full, reason=why(error, full))
            continue
        yield Item("file", full, size=size, whole=here.path, is_part=path in attempts)
    for path in run.unknown:
        full = run.full(path)
        yield _Below(full) if os.path.isdir(full) else Item("file", full)
    yield Item("run", here.path, here.is_named)


def file_item(entry: os.DirEntry[str], *, is_part: bool = False) -> Item:
    """The item of one entry that is no folder: a file, or why it is not looked at."""
    if entry.is_symlink():
        return Item("skipped", entry.path, reason=_link_reason(entry))
    try:
        facts = entry.stat(follow_symlinks=False)
    except OSError as error:
        return Item("unreadable", entry.path, reason=why(error, entry.path))
    if not stat.S_ISREG(facts.st_mode):
        return Item("skipped", entry.path, reason="not a regular file")
    return Item("file", entry.path, size=facts.st_size, is_part=is_part)


def _link_reason(entry: os.DirEntry[str]) -> str:
    try:
        entry.stat()
    except OSError:
        return "symbolic link that leads nowhere"
    return "symbolic link: walks do not follow links"


def is_left_out(entry: os.DirEntry[str], exclude: Sequence[str]) -> bool:
    """Whether a walk does not look at this entry: by its own name, or by what the caller excludes."""
    if entry.name in LEFT_OUT and entry.is_dir(follow_symlinks=False):
        return True
    if not exclude:
        return False
    return any(fnmatchcase(entry.name, pattern) or fnmatchcase(entry.path, pattern) for pattern in exclude)


def why(error: OSError, path: str) -> str:
    """Why a path cannot be looked at, in a few words."""
    if isinstance(error, FileNotFoundError):
        return "symbolic link that leads nowhere" if os.path.islink(path) else "no such file or folder"
    if isinstance(error, PermissionError):
        return "permission denied"
    return (error.strerror or "cannot be read").lower()
