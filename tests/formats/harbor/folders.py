"""Folders of trials and jobs, made from the base documents of the pages."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attraj.findings import Finding
from attraj.formats.harbor import (
    JobChecked,
    Trial,
    TrialChecked,
    check_job,
    check_trial,
    harbor_version,
    read_job,
    read_trial,
)
from attraj.jsonio import Document, parse
from tests.support import base_document, merge_patch

PACKAGE = "attraj.formats.harbor"
TRIAL_NAME = "hello__aaaaaaa"


def base(name: str) -> dict[str, Any]:
    """One of the pages' folders: "trial", "segments" (a continuation and a subagent), "steps", "job"."""
    document: dict[str, Any] = base_document(PACKAGE, name)
    return document


@dataclass(frozen=True)
class Raw:
    """A file's bytes as they stand, in place of a merge patch."""

    data: bytes


@dataclass(frozen=True)
class Link:
    """A symbolic link, in place of a file."""

    target: str


def build(folder: Path, files: Mapping[str, Any]) -> Path:
    """Write the files of a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        put(folder / path, content)
    return folder


def put(place: Path, content: Any) -> None:
    if content is None:
        remove(place)
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, Link):
        place.symlink_to(content.target)
    elif isinstance(content, Raw):
        place.write_bytes(content.data)
    elif isinstance(content, str):
        place.write_text(content, encoding="utf-8")
    else:
        place.write_text(json.dumps(content), encoding="utf-8")


def remove(place: Path) -> None:
    """Remove a file, and the folders that it leaves empty (as git does)."""
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)
    while place.parent.is_dir() and not any(place.parent.iterdir()) and place.parent.name != TRIAL_NAME:
        place = place.parent
        place.rmdir()


def changed(name: str, patches: Mapping[str, Any]) -> dict[str, Any]:
    """A base folder with merge patches on its JSON files; None takes a file away, text and Raw replace it."""
    files = base(name)
    for path, patch in patches.items():
        if patch is None:
            files.pop(path, None)
        elif isinstance(patch, dict):
            files[path] = merge_patch(files.get(path), patch)
        else:
            files[path] = patch
    return files


def documents_of(trial: Trial) -> dict[str, Document]:
    return {file.path: parse(Path(trial.full(file.path)).read_bytes()) for file in trial.trajectories}


def checked(folder: Path) -> TrialChecked:
    """A trial's folder, read and checked with its trajectories."""
    trial = read_trial(folder)
    return check_trial(trial, documents_of(trial))


def checked_job(folder: Path) -> tuple[JobChecked, list[TrialChecked]]:
    job = read_job(folder)
    trials = []
    for name in job.trials:
        trial = read_trial(job.full(name))
        trials.append(check_trial(trial, documents_of(trial), release=harbor_version(job.lock)))
    return check_job(job, [trial.account for trial in trials]), trials


def lines(found: TrialChecked) -> list[str]:
    """Every finding of a trial: "HB003 error" with its pointer, those of a trajectory behind its path."""
    return [line("", f) for f in found.findings] + [line(p, f) for p, fs in found.added.items() for f in fs]


def line(path: str, finding: Finding) -> str:
    place = f"{path}#{finding.location.pointer}" if path else finding.location.pointer
    return f"{finding.code} {finding.severity} {place}".rstrip()
