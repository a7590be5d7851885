"""Which documents and folders the given paths hold. Nothing is opened here but folders, and no link is followed.

A walk leaves out version control, environments, dependencies and attraj's own bookkeeping; whatever else it meets
becomes an item, if only to be skipped with a reason (decisions 9, 10).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from attraj.formats.harbor import Job

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
        is_part: Another document of the walk may hold it too: an attempt beside the file of its retry agent, which
            nobody has opened yet (`attempts.is_held` tells).
        whole: The folder that a trial (a job) or a trajectory (a run) belongs to, when the walk met it; "" otherwise.
        release: Of a trial, the Harbor release that its job names; "" where none is known.
        exclude: Of a trial, a run and what a walk has met, the patterns for what is left out of it, and beside it.
        left_out: Of a job, the names of its trials that the caller excludes; of a run, the paths of its trajectories.
    """

    kind: Kind
    path: str
    is_named: bool = False
    reason: str = ""
    size: int = 0
    whole: str = ""
    is_part: bool = False
    release: str = ""
    exclude: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


def discover(paths: Iterable[str], exclude: Sequence[str] = ()) -> Iterator[Item]:
    """The items below the given paths, each path's in the order of their names.

    A file or folder that is given twice, by whatever path, or that lies inside another given folder, is one item: of
    the first path, or where the walk of that folder meets it.

    Args:
        paths: Files, folders, "-" for standard input. Paths that do not exist become items too.
        exclude: Patterns (`*`, `?`) for names or paths that walks leave out: files and folders, trials of a job, and
            the documents inside a trial (its own records are no documents).
    """
    walk = _Walk(tuple(exclude))
    for path, real in walk.plan(list(paths)):
        if path == "-":
            yield Item("stdin", "-", True)
            continue
        try:
            facts = os.stat(path)
        except OSError as error:
            yield Item("unreadable", path, True, why(error, path))
            continue
        if stat.S_ISDIR(facts.st_mode):
            yield from walk.folder(_Below(path, real, is_named=True))
        else:
            yield Item("file", path, True, size=facts.st_size)


class _Below(NamedTuple):
    """A folder that is still to be walked."""

    path: str
    real: str
    is_named: bool = False
    is_trial: bool = False
    job: str = ""
    release: str = ""
    beside: frozenset[str] = frozenset()  # files of retry agents above, which hold the attempts below


class _Walk:
    """The walks below the given paths, which meet each file and folder once."""

    def __init__(self, exclude: tuple[str, ...]) -> None:
        self._exclude = exclude
        self._inner: set[str] = set()  # real paths of what is given and lies inside another given folder
        self._met: set[str] = set()  # those of them that a walk has come to
        self._closed: set[str] = set()  # real paths of folders that answer for everything in them

    def plan(self, paths: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Each path once, with its real path; what lies inside another last, and only if no walk has met it."""
        if len(paths) == 1:
            yield paths[0], paths[0]  # nothing is compared
            return
        real = _RealPaths()
        first: dict[str, str] = {}
        for path in paths:
            first.setdefault("-" if path == "-" else real.of(path), path)
        folders = {one for one, path in first.items() if os.path.isdir(path)}
        self._inner = {one for one in first if not folders.isdisjoint(folders_above(one))} if folders else set()
        yield from ((path, one) for one, path in first.items() if one not in self._inner)
        inner = [one for one in first if one in self._inner]
        for one in sorted(inner, key=lambda path: path.count(os.sep)):  # an outer one may meet an inner one
            if one not in self._met and self._closed.isdisjoint((one, *folders_above(one))):
                yield first[one], one

    def folder(self, start: _Below) -> Iterator[Item]:
        """Files and trials below a folder; a job stands after its trials, since its account is made of theirs."""
        from attraj.formats.harbor import recognise, release_of_job  # only when a folder is given
        from attraj.formats.swe_agent.layout import recognise as recognise_run

        pending: list[Item | _Below] = [start]
        while pending:
            here = pending.pop()
            if isinstance(here, Item):
                yield here
                continue
            is_named = self._is_given(here.real) or here.is_named
            here = here._replace(is_named=is_named)
            kind = "trial" if here.is_trial else recognise(here.path)
            if kind == "trial":
                self._closed.add(here.real)
                release = here.release if here.job else release_of_job(here.path)
                yield Item("trial", here.path, is_named, whole=here.job, release=release, exclude=self._exclude)
            elif kind is None and recognise_run(here.path):
                self._closed.add(here.real)
                pending.extend(reversed(list(self._run(here))))
            else:
                pending.extend(reversed(list(self._entries(here, is_job=kind == "job"))))

    def _entries(self, here: _Below, *, is_job: bool) -> Iterator[Item | _Below]:
        """The files of a folder, then its folders, then the job that it is."""
        try:
            with os.scandir(here.path) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            yield Item("unreadable", here.path, here.is_named, why(error, here.path))
            return
        job, release = _job(here.path) if is_job else (None, "")
        trials = frozenset(job.trials) if job else frozenset[str]()
        names = frozenset(
            entry.name
            for entry in entries
            if entry.name.endswith(".traj")
            and entry.is_file(follow_symlinks=False)
            and not is_left_out(entry, self._exclude)
        )
        below: list[_Below] = []
        left_out: list[str] = []
        for entry in entries:
            if is_left_out(entry, self._exclude):
                left_out += [entry.name] if entry.name in trials else []
            elif entry.is_dir(follow_symlinks=False):
                beside = names if entry.name.startswith("attempt_") else frozenset[str]()
                real = os.path.join(here.real, entry.name)
                is_trial = entry.name in trials
                below.append(_Below(entry.path, real, False, is_trial, here.path if job else "", release, beside))
            elif job is None or entry.name in job.unknown:  # the other files of a job's folder are the job's
                item = file_item(entry, is_part=entry.name in here.beside)._replace(exclude=self._exclude)
                yield item._replace(is_named=True) if self._is_given(os.path.join(here.real, entry.name)) else item
        yield from below
        if job is not None:
            self._closed |= {os.path.join(here.real, entry.name) for entry in entries if _is_own(entry, job)}
            yield Item("job", here.path, here.is_named, left_out=tuple(left_out))

    def _is_given(self, real: str) -> bool:
        """Whether the caller gave this path besides the folder that it is in; it need not be walked again then."""
        if real not in self._inner:
            return False
        self._met.add(real)
        return True

    def _run(self, here: _Below) -> Iterator[Item | _Below]:
        """The trajectories of a run folder of SWE-agent, what else lies in it, and the run itself at the end."""
        from attraj.formats.swe_agent.layout import read_run

        run = read_run(here.path)
        attempts = {
            path
            for one in run.instances
            if one.trajectory and not is_excluded(here.path, one.trajectory, self._exclude)
            for path in one.attempts.values()
        }
        left_out: list[str] = []
        for path in run.trajectories:
            full = run.full(path)
            if is_excluded(here.path, path, self._exclude):
                left_out.append(path)
                continue
            try:
                size = os.stat(full).st_size
            except OSError as error:
                yield Item("unreadable", full, reason=why(error, full))
                continue
            is_part = path in attempts
            yield Item("file", full, size=size, whole=here.path, is_part=is_part, exclude=self._exclude)
        for path in run.unknown:
            if not is_excluded(here.path, path, self._exclude):
                full, real = run.full(path), os.path.join(here.real, path)
                yield met(full) or _Below(full, real)
        yield Item("run", here.path, here.is_named, exclude=self._exclude, left_out=tuple(left_out))


def below(path: str, exclude: Sequence[str] = ()) -> Iterator[Item]:
    """The items of one path that a walk has met: of a folder everything in it, of anything else itself."""
    item = met(path)
    if item is not None:
        yield item
    else:
        yield from _Walk(tuple(exclude)).folder(_Below(path, path))


def _job(folder: str) -> tuple[Job, str]:
    """What a job's folder holds, and the Harbor release that it names: read once for all its trials."""
    from attraj.formats.harbor import harbor_version, read_job

    job = read_job(folder)
    return job, harbor_version(job.lock) or ""


def _is_own(entry: os.DirEntry[str], job: Job) -> bool:
    """Whether a file is the job's own: then the job answers for it."""
    return entry.name not in job.unknown and not entry.is_dir(follow_symlinks=False)


class _RealPaths:
    """Real paths of many paths in few folders."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}

    def of(self, path: str) -> str:
        folder, name = os.path.split(path)
        if name in ("", ".", "..") or os.path.islink(path):
            return os.path.realpath(path)
        if folder not in self._folders:
            self._folders[folder] = os.path.realpath(folder)
        return os.path.join(self._folders[folder], name)


def folders_above(path: str) -> Iterator[str]:
    """The folders that a real path is in, the nearest first."""
    above = os.path.dirname(path)
    while above != path:
        yield above
        path, above = above, os.path.dirname(above)


def met(path: str) -> Item | None:
    """The item of something that a walk came to by its path; None for a folder."""
    try:
        facts = os.lstat(path)
    except OSError as error:
        return Item("unreadable", path, reason=why(error, path))
    return None if stat.S_ISDIR(facts.st_mode) else _item(path, facts)


def file_item(entry: os.DirEntry[str], *, is_part: bool = False) -> Item:
    """The item of one entry that is no folder: a file, or why it is not looked at."""
    try:
        return _item(entry.path, entry.stat(follow_symlinks=False), is_part=is_part)
    except OSError as error:
        return Item("unreadable", entry.path, reason=why(error, entry.path))


def _item(path: str, facts: os.stat_result, *, is_part: bool = False) -> Item:
    if stat.S_ISLNK(facts.st_mode):
        reason = "symbolic link: walks do not follow links" if os.path.exists(path) else _NOWHERE
        return Item("skipped", path, reason=reason)
    if not stat.S_ISREG(facts.st_mode):
        return Item("skipped", path, reason="not a regular file")
    return Item("file", path, size=facts.st_size, is_part=is_part)


_NOWHERE = "symbolic link that leads nowhere"


def is_left_out(entry: os.DirEntry[str], exclude: Sequence[str]) -> bool:
    """Whether a walk does not look at this entry: by its own name, or by what the caller excludes."""
    if entry.name in LEFT_OUT and entry.is_dir(follow_symlinks=False):
        return True
    return bool(exclude) and _is_match(entry.name, entry.path, exclude)


def is_excluded(root: str, path: str, exclude: Sequence[str]) -> bool:
    """Whether the caller excludes what is at a relative path below `root`, or a folder on the way to it."""
    if not exclude:
        return False
    full = root
    for name in path.split("/"):
        full = os.path.join(full, name)
        if _is_match(name, full, exclude):
            return True
    return False


def _is_match(name: str, path: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) or fnmatchcase(path, pattern) for pattern in patterns)


def why(error: OSError, path: str) -> str:
    """Why a path cannot be looked at, in a few words."""
    if isinstance(error, FileNotFoundError):
        return _NOWHERE if os.path.islink(path) else "no such file or folder"
    if isinstance(error, PermissionError):
        return "permission denied"
    return (error.strerror or "cannot be read").lower()
