"""Every file below the given paths, whatever it holds, with the trial that it belongs to (decisions 12).

Scanning and redacting look at whole trees: logs, panes and settings leak as trajectories do. No link is followed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from attraj.batch.discover import Item, file_item, is_left_out, why


@dataclass(frozen=True, slots=True)
class Found:
    """One file, or what kept it from being looked at.

    Attributes:
        path: As given, or below what was given.
        name: Its path within what was given, with "/"; the last part for a file that was given itself.
        scope: What it belongs to: equal for the files of one trial.
        is_named: Given by the caller.
        reason: Why it is not looked at; "" when it is.
        is_unreadable: It cannot be, as opposed to need not be.
        size: Bytes, where they were known; 0 otherwise.
    """

    path: str
    name: str
    scope: str
    is_named: bool = False
    reason: str = ""
    is_unreadable: bool = False
    size: int = 0


def files(paths: Iterable[str], exclude: Sequence[str] = (), without: str = "") -> Iterator[Found]:
    """The files of the given paths, in the order of their names.

    Args:
        paths: Files, folders, "-" for standard input.
        exclude: Patterns for names or paths that walks leave out.
        without: A folder that walks do not enter (where the output goes); "" for none.
    """
    for path in paths:
        if path == "-":
            yield Found("-", "-", "-", True)
        elif os.path.isdir(path):
            yield from _folder(path, exclude, os.path.realpath(without) if without else "")
        else:
            try:
                size = os.stat(path).st_size
            except OSError as error:
                yield Found(path, os.path.basename(path), path, True, why(error, path), True)
            else:
                yield Found(path, os.path.basename(path), stem(path), True, size=size)


def stem(path: str) -> str:
    """What the files of one run outside of a trial's folder have in common: their path up to the first dot.

    `trajectory.json` and `trajectory.cont-1.json`, `x.traj` and `x.debug.log` belong together.
    """
    folder, name = os.path.split(path)
    return os.path.join(folder, name[:1] + name[1:].partition(".")[0])


def _folder(root: str, exclude: Sequence[str], without: str) -> Iterator[Found]:
    from attraj.formats.harbor import recognise  # only when a folder is given

    pending: list[tuple[str, str]] = [(root, "")]  # folder, and the trial that it is in
    while pending:
        folder, trial = pending.pop()
        if not trial and recognise(folder) == "trial":
            trial = folder
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            yield Found(folder, _name(folder, root), folder, False, why(error, folder), True)
            continue
        below: list[tuple[str, str]] = []
        for entry in entries:
            if is_left_out(entry, exclude):
                continue
            if entry.is_dir(follow_symlinks=False):
                if not without or os.path.realpath(entry.path) != without:
                    below.append((entry.path, trial))
            else:
                yield _found(file_item(entry), root, trial)
        pending.extend(reversed(below))


def _found(item: Item, root: str, trial: str) -> Found:
    scope = trial or stem(item.path)
    return Found(item.path, _name(item.path, root), scope, False, item.reason, item.kind == "unreadable", item.size)


def _name(path: str, root: str) -> str:
    return PurePath(os.path.relpath(path, root)).as_posix()
