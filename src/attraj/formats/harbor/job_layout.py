"""A job's folder: which of its entries are trials, and its small files.

Source: Harbor 0.26.0, job.py; spec: atif.md §5.1, decisions 10.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from attraj.formats.harbor.files import Kind, entries, of_kind
from attraj.formats.harbor.layout import Listing
from attraj.formats.harbor.recognise import RECORDS, is_trial, is_trial_name
from attraj.jsonio import Document
from attraj.limits import DEFAULT_LIMITS, Limits

_LOGS = frozenset({"job.log", "analysis.md"})


@dataclass(frozen=True, slots=True)
class Job:
    """A job's folder as found.

    Attributes:
        folder: As it was given.
        config, lock, result: The small JSON files, parsed; None when missing.
        trials: Names of the folders that are trials, in order.
        not_folders: Names of entries that are called like a trial and are no folder.
        linked: Names of symbolic links to a folder inside the job that is none of its trials. They are not followed,
            and what they lead to is not judged.
        wrong_kind: Names of the small files whose place a folder, a pipe or a device takes.
        unknown: Entries that Harbor does not write, links inside the job among them; a walk may look into them.
        outside: Symbolic links that leave the job's folder; none is followed.
        is_listed: Whether the folder can be listed at all.
    """

    folder: str
    config: Document | None = None
    lock: Document | None = None
    result: Document | None = None
    trials: tuple[str, ...] = ()
    not_folders: tuple[str, ...] = ()
    linked: tuple[str, ...] = ()
    wrong_kind: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    is_listed: bool = True

    def full(self, name: str) -> str:
        """The path of one of its entries, for opening."""
        return os.path.join(self.folder, name)


def read_job(folder: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> Job:
    """List a job's folder and read its small files; its trials are listed, and read by the caller.

    Every folder that is called like a trial is one, also when nothing of it is left: it stays in the account.
    """
    path = os.fspath(folder)
    listed = entries(path)
    if listed is None:
        return Job(path, is_listed=False)
    seen = Listing(path, limits)
    inside = [entry for entry in listed if entry.kind is not Kind.OUTSIDE]
    folders = [entry for entry in inside if entry.kind is Kind.FOLDER and _is_trial_of_job(path, entry.name)]
    trials = [entry.name for entry in folders if not entry.is_link]
    not_folders = [e.name for e in inside if e.kind is not Kind.FOLDER and not e.is_link and is_trial_name(e.name)]
    known = {*trials, *not_folders, *RECORDS}
    known |= {entry.name for entry in inside if entry.kind is Kind.FILE and not entry.is_link and entry.name in _LOGS}
    return Job(
        path,
        seen.json(inside, "config.json"),
        seen.json(inside, "lock.json"),
        seen.json(inside, "result.json"),
        trials=tuple(trials),
        not_folders=tuple(not_folders),
        linked=tuple(e.name for e in folders if e.is_link and not _is_one_of(path, e.name, trials)),
        wrong_kind=tuple(seen.wrong_kind),
        unknown=tuple(entry.name for entry in inside if entry.name not in known),
        outside=tuple(of_kind(listed, Kind.OUTSIDE)),
    )


def _is_one_of(folder: str, link: str, names: list[str]) -> bool:
    real = os.path.realpath(os.path.join(folder, link))
    return os.path.dirname(real) == os.path.realpath(folder) and os.path.basename(real) in names


def _is_trial_of_job(folder: str, name: str) -> bool:
    if is_trial_name(name):
        return True
    below = entries(os.path.join(folder, name))
    return below is not None and is_trial(below)


def trials_of(job_folder: str | os.PathLike[str]) -> tuple[str, ...]:
    """The full paths of a job's trials, by name."""
    job = read_job(job_folder)
    return tuple(job.full(name) for name in job.trials)
