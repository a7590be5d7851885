"""Telling a trial's folder from a job's, and both from everything else.

Source: Harbor 0.26.0, models/trial/paths.py and job.py; spec: atif.md §5.1, decisions 10.
"""

from __future__ import annotations

import os
import re
from typing import Literal

from attraj.formats.harbor.files import Entry, Kind, entries, of_kind, read_json
from attraj.limits import DEFAULT_LIMITS

RECORDS = frozenset({"config.json", "lock.json", "result.json"})
# A folder with one of these is somebody's source tree, whatever else it holds.
_SOURCE_TREE = frozenset({".git", ".hg", "pyproject.toml", "setup.py", "package.json", "Cargo.toml", "go.mod"})

# <task[:32]>__<7 characters>: what Harbor calls a trial unless it is told another name.
is_trial_name = re.compile(r".+__[A-Za-z0-9]{7}").fullmatch
_PEEKS = 8  # children looked into when the names of a folder's entries alone do not tell whether it is a job
_MAX_PEEK_BYTES = 1 << 26  # the account of a job of 100,000 trials


def recognise(folder: str | os.PathLike[str]) -> Literal["trial", "job"] | None:
    """What this folder is by the names of its entries; None when it is neither, or cannot be listed.

    A trial has agent/ (or another folder or log that only a trial has) beside one of config.json, lock.json and
    result.json; a job has one of these or job.log beside folders that are trials. One look at the folder, and at no
    more than eight of its children where names alone do not tell. Where nothing is left beside these files, their
    members tell: a job that lost its trials is a job all the same.
    """
    path = os.fspath(folder)
    listed = entries(path)
    if listed is None:
        return None
    if is_trial(listed):
        return "trial"
    return "job" if _is_job(path, listed) else _by_members(path, listed)


def _by_members(folder: str, listed: list[Entry]) -> Literal["trial", "job"] | None:
    files = set(of_kind(listed, Kind.FILE))
    if not files & RECORDS or files & _SOURCE_TREE:
        return None
    limits = DEFAULT_LIMITS._replace(max_bytes=_MAX_PEEK_BYTES)
    for name, needed, kind in _MEMBERS:
        if name in files:
            tree = read_json(folder, name, limits).tree
            if type(tree) is dict and all(type(tree.get(member)) is wanted for member, wanted in needed.items()):
                return kind
    return None


_MEMBERS: tuple[tuple[str, dict[str, type], Literal["trial", "job"]], ...] = (
    ("result.json", {"stats": dict, "n_total_trials": int}, "job"),
    ("result.json", {"trial_name": str, "agent_info": dict}, "trial"),
    ("lock.json", {"trials": list}, "job"),
    ("config.json", {"task": dict, "trial_name": str}, "trial"),
)


def is_trial(listed: list[Entry]) -> bool:
    """Whether a folder with these entries is a trial's."""
    files, folders = set(of_kind(listed, Kind.FILE)), set(of_kind(listed, Kind.FOLDER))
    if (files | folders) & _SOURCE_TREE:
        return False
    has_record = bool(files & RECORDS)
    has_run = bool(folders & {"agent", "user-agent", "verifier"}) or bool(files & {"trial.log", "exception.txt"})
    # An interrupted trial may have lost every record, and an agent/ alone says nothing.
    return (has_record and (has_run or "steps" in folders)) or ("agent" in folders and "trial.log" in files)


def _is_job(folder: str, listed: list[Entry]) -> bool:
    names = {entry.name for entry in listed if entry.kind is Kind.FILE}
    if names & _SOURCE_TREE:
        return False
    if "job.log" in names:
        return True
    named = any(is_trial_name(entry.name) for entry in listed)
    if names & (RECORDS | {"job.log"}):
        return named or _has_trial(folder, listed)
    return named and _has_trial(folder, [entry for entry in listed if is_trial_name(entry.name)])


def _has_trial(folder: str, listed: list[Entry]) -> bool:
    for name in list(of_kind(listed, Kind.FOLDER))[:_PEEKS]:
        below = entries(os.path.join(folder, name))
        if below is not None and is_trial(below):
            return True
    return False
