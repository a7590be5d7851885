"""Which documents and folders the given paths hold. Nothing is opened here but folders, and no link is followed.

A walk leaves out version control, environments, dependencies and attraj's own bookkeeping; whatever else it meets
becomes an item, if only to be skipped with a reason (decisions 9, 10).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

Kind = Literal["file", "trial", "job", "skipped", "unreadable", "stdin"]

LEFT_OUT = frozenset(
    {".git", ".hg", ".svn", ".jj", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".nox", "_attraj"}
)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to look at.

    Attributes:
        kind: A file, a Harbor trial or job folder, standard input; or what cannot or need not be looked at.
        path: As given, or below what was given.
        is_named: Given by the caller, not found by a walk: then an unknown format is an error.
        reason: Why it is skipped or unreadable.
        size: Bytes, where the walk knew them; 0 otherwise.
    """

    kind: Kind
    path: str
    is_named: bool = False
    reason: str = ""
    size: int = 0


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
            yield Item("unreadable", path, True, _why(error, path))
            continue
        if stat.S_ISDIR(facts.st_mode):
            yield from _folder(path, exclude)
        else:
            yield Item("file", path, True, size=facts.st_size)


def _folder(folder: str, exclude: Sequence[str]) -> Iterator[Item]:
    from attraj.formats.harbor.layout import recognise  # only when a folder is given

    pending = [(folder, True)]
    while pending:
        here, is_named = pending.pop()
        try:
            with os.scandir(here) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            yield Item("unreadable", here, is_named, _why(error, here))
            continue
        kind = recognise(here)
        if kind == "trial":
            yield Item("trial", here, is_named)
            continue
        if kind == "job":
            yield Item("job", here, is_named)
        below: list[tuple[str, bool]] = []
        for entry in entries:
            if _is_left_out(entry, exclude):
                continue
            if entry.is_dir(follow_symlinks=False):
                below.append((entry.path, False))
            elif kind != "job":  # the files of a job folder itself are the job's
                yield _file(entry)
        pending.extend(reversed(below))


def _file(entry: os.DirEntry[str]) -> Item:
    if entry.is_symlink():
        return Item("skipped", entry.path, reason=_link_reason(entry))
    try:
        facts = entry.stat(follow_symlinks=False)
    except OSError as error:
        return Item("unreadable", entry.path, reason=_why(error, entry.path))
    if not stat.S_ISREG(facts.st_mode):
        return Item("skipped", entry.path, reason="not a regular file")
    return Item("file", entry.path, size=facts.st_size)


def _link_reason(entry: os.DirEntry[str]) -> str:
    try:
        entry.stat()
    except OSError:
        return "symbolic link that leads nowhere"
    return "symbolic link: walks do not follow links"


def _is_left_out(entry: os.DirEntry[str], exclude: Sequence[str]) -> bool:
    if entry.name in LEFT_OUT and entry.is_dir(follow_symlinks=False):
        return True
    return any(fnmatchcase(entry.name, pattern) or fnmatchcase(entry.path, pattern) for pattern in exclude)


def _why(error: OSError, path: str) -> str:
    if isinstance(error, FileNotFoundError):
        return "symbolic link that leads nowhere" if os.path.islink(path) else "no such file or folder"
    if isinstance(error, PermissionError):
        return "permission denied"
    return (error.strerror or "cannot be read").lower()
