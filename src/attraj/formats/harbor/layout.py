"""The folders that Harbor writes: telling a trial from a job, and listing what is in a trial.

Names and kinds of entries only; what the files say is for `check.py`. Files that Harbor's layout knows are part of
the trial and no documents of their own; everything else is listed as unknown, so that a walk can account for it.

Source: Harbor 0.26.0, models/trial/paths.py and job.py; spec: atif.md §5.1, decisions 10.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from attraj.formats.harbor.files import Entry, Kind, entries, of_kind, read, read_json
from attraj.jsonio import Document
from attraj.limits import DEFAULT_LIMITS, Limits

Role = Literal["main", "continuation", "subagent", "user-agent", "bridge"]

_RECORDS = frozenset({"config.json", "lock.json", "result.json"})
_TRIAL_FILES = _RECORDS | {"trial.log", "exception.txt", "analysis.md", "stream.json"}
_TRIAL_FOLDERS = frozenset(
    {"agent", "verifier", "artifacts", "steps", "user-agent", "user-agent-inputs", ".harbor-upload"}
)
JOB_FILES = _RECORDS | {"job.log"}
# A folder with one of these is somebody's source tree, whatever else it holds.
_SOURCE_TREE = frozenset({".git", ".hg", "pyproject.toml", "setup.py", "package.json", "Cargo.toml", "go.mod"})

# <task[:32]>__<7 characters>: what Harbor calls a trial unless it is told another name.
is_trial_name = re.compile(r".+__[A-Za-z0-9]{7}").fullmatch
_TRAJECTORY = re.compile(r"trajectory(?:\.(?P<rest>[^/]+))?\.json").fullmatch
_CONTINUATION = re.compile(r"cont-(?P<number>\d{1,9})?.*").fullmatch
_SUMMARIZATION = re.compile(r"summarization-(?P<number>\d{1,9})-.*").fullmatch
_UPLOAD_LEFTOVER = re.compile(r".*\.tus-url").fullmatch
_BRIDGE = "bridge-trajectory.json"
_TITLES = {
    "main": "trajectory.json",
    "subagent": "a subagent's trajectory",
    "bridge": "the bridge's trajectory",
    "user-agent": "the user agent's trajectory",
}
_PEEKS = 8  # children looked into when the names of a folder's entries alone do not tell whether it is a job
_MAX_REWARD_BYTES = 1 << 16  # a reward.txt holds one number


@dataclass(frozen=True, slots=True)
class TrajectoryFile:
    """One trajectory of a trial.

    Attributes:
        path: Relative to the trial's folder, with "/".
        role: What it is to the trial, by its place and its name.
        step: The step of a multi-step trial that it belongs to; "" for the trial itself.
        number: N of a continuation or of a summarization; 0 when the name has none.
    """

    path: str
    role: Role
    step: str = ""
    number: int = 0

    @property
    def title(self) -> str:
        """What it is, in our own words: a file's name may hold anything."""
        if self.role == "continuation":
            return f"continuation {self.number}" if self.number else "a continuation"
        return _TITLES[self.role]


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the agent and its verifier: the trial itself, or one step of a multi-step trial.

    Attributes:
        step: The step's name; "" for the trial itself.
        prefix: Where its folders are, relative to the trial's: "" or "steps/<name>/".
        has_agent, has_verifier: Whether agent/ and verifier/ are there.
        reward_text: The bytes of verifier/reward.txt; None when there is none (or it cannot be read).
        reward_json: verifier/reward.json.
        reward_files: Names of the reward files that are there, readable or not.
        exit_code_files: agent/exit-code.txt and its like, relative to the trial's folder.
        verifier_files: Names of the entries of verifier/.
    """

    step: str = ""
    prefix: str = ""
    has_agent: bool = False
    has_verifier: bool = False
    reward_text: bytes | None = None
    reward_json: Document | None = None
    reward_files: tuple[str, ...] = ()
    exit_code_files: tuple[str, ...] = ()
    verifier_files: tuple[str, ...] = ()

    @property
    def agent(self) -> str:
        """Its agent folder, relative to the trial's."""
        return f"{self.prefix}agent"

    @property
    def verifier(self) -> str:
        return f"{self.prefix}verifier"


@dataclass(frozen=True, slots=True)
class Trial:
    """A trial's folder as found.

    Attributes:
        folder: As it was given.
        config, lock, result: The small JSON files, parsed; None when missing.
        runs: The trial itself, or the steps of a multi-step trial by name.
        trajectories: By run; in a run: main, continuations and subagents by number, bridge; then the user agent.
        has_exception_file: Whether exception.txt is there.
        is_multi_step: Whether there is a folder steps/.
        unknown: Entries that Harbor does not write, relative paths; a walk may look into them.
        outside: Symbolic links that leave the trial's folder, relative paths; none is followed.
        wrong_kind: Files where a folder belongs, and the reverse.
        unlisted: Folders that cannot be listed.
    """

    folder: str
    config: Document | None = None
    lock: Document | None = None
    result: Document | None = None
    runs: tuple[Run, ...] = ()
    trajectories: tuple[TrajectoryFile, ...] = ()
    has_exception_file: bool = False
    is_multi_step: bool = False
    unknown: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    wrong_kind: tuple[str, ...] = ()
    unlisted: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return os.path.basename(os.path.abspath(self.folder))

    @property
    def is_empty(self) -> bool:
        """Whether nothing of a trial is here."""
        records = (self.config, self.lock, self.result)
        return not (self.runs or self.trajectories or self.wrong_kind or any(r is not None for r in records))

    def full(self, path: str) -> str:
        """The path of one of its files, for opening."""
        return os.path.join(self.folder, *path.split("/"))


# --- recognising -------------------------------------------------------------------------------------------------


def recognise(folder: str | os.PathLike[str]) -> Literal["trial", "job"] | None:
    """What this folder is by the names of its entries; None when it is neither, or cannot be listed.

    A trial has agent/ (or another folder or log that only a trial has) beside one of config.json, lock.json and
    result.json; a job has one of these or job.log beside folders that are trials. One look at the folder, and at no
    more than eight of its children where names alone do not tell.
    """
    listed = entries(os.fspath(folder))
    if listed is None:
        return None
    if is_trial(listed):
        return "trial"
    return "job" if _is_job(os.fspath(folder), listed) else None


def is_trial(listed: list[Entry]) -> bool:
    """Whether a folder with these entries is a trial's."""
    files, folders = set(of_kind(listed, Kind.FILE)), set(of_kind(listed, Kind.FOLDER))
    if (files | folders) & _SOURCE_TREE:
        return False
    has_record = bool(files & _RECORDS)
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
    if names & JOB_FILES:
        return named or _has_trial(folder, listed)
    return named and _has_trial(folder, [entry for entry in listed if is_trial_name(entry.name)])


def _has_trial(folder: str, listed: list[Entry]) -> bool:
    for name in list(of_kind(listed, Kind.FOLDER))[:_PEEKS]:
        below = entries(os.path.join(folder, name))
        if below is not None and is_trial(below):
            return True
    return False


# --- a trial -----------------------------------------------------------------------------------------------------


class Listing:
    """Collects what stands out while the folders of a trial are listed."""

    def __init__(self, folder: str, limits: Limits) -> None:
        self.folder = folder
        self.limits = limits
        self.unknown: list[str] = []
        self.outside: list[str] = []
        self.wrong_kind: list[str] = []
        self.unlisted: list[str] = []
        self.trajectories: list[TrajectoryFile] = []

    def entries(self, below: str = "") -> list[Entry]:
        """The files and folders of one folder; links that leave the trial are noted and left out."""
        listed = entries(self.folder, below)
        if listed is None:
            self.unlisted.append(below)
            return []
        self.outside += [entry.path for entry in listed if entry.kind is Kind.OUTSIDE]
        self.unknown += [entry.path for entry in listed if entry.kind is Kind.OTHER]
        return [entry for entry in listed if entry.kind in (Kind.FILE, Kind.FOLDER)]

    def has_folder(self, listed: list[Entry], name: str) -> bool:
        return self._has(listed, name, Kind.FOLDER)

    def has_file(self, listed: list[Entry], name: str) -> bool:
        return self._has(listed, name, Kind.FILE)

    def _has(self, listed: list[Entry], name: str, kind: Kind) -> bool:
        for entry in listed:
            if entry.name == name:
                if entry.kind is kind:
                    return True
                self.wrong_kind.append(entry.path)
        return False

    def json(self, listed: list[Entry], name: str) -> Document | None:
        path = next((entry.path for entry in listed if entry.name == name), None)
        if path is None or not self.has_file(listed, name):
            return None
        return read_json(self.folder, path, self.limits)


def read_trial(folder: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> Trial:
    """List a trial's folder and read its small files; trajectories are listed, and read by the caller.

    A folder that cannot be listed, or that is a file, is a Trial too: what is wrong with it is a finding.
    """
    path = os.fspath(folder)
    if not os.path.isdir(path):
        return Trial(path, wrong_kind=("",) if os.path.lexists(path) else ())
    seen = Listing(path, limits)
    top = seen.entries()
    seen.unknown += [e.path for e in top if not _is_known(e)]
    is_multi_step = seen.has_folder(top, "steps")
    runs = tuple(_runs(seen, top, is_multi_step))
    if seen.has_folder(top, "user-agent") and seen.has_file(seen.entries("user-agent"), "trajectory.json"):
        seen.trajectories.append(TrajectoryFile("user-agent/trajectory.json", "user-agent"))
    return Trial(
        path,
        seen.json(top, "config.json"),
        seen.json(top, "lock.json"),
        seen.json(top, "result.json"),
        runs=runs,
        trajectories=tuple(seen.trajectories),
        has_exception_file=seen.has_file(top, "exception.txt"),
        is_multi_step=is_multi_step,
        unknown=tuple(seen.unknown),
        outside=tuple(seen.outside),
        wrong_kind=tuple(dict.fromkeys(seen.wrong_kind)),
        unlisted=tuple(seen.unlisted),
    )


def _is_known(entry: Entry) -> bool:
    known = _TRIAL_FOLDERS if entry.kind is Kind.FOLDER else _TRIAL_FILES
    return entry.name in known | _TRIAL_FOLDERS | _TRIAL_FILES or _UPLOAD_LEFTOVER(entry.name) is not None


def _runs(seen: Listing, top: list[Entry], is_multi_step: bool) -> Iterator[Run]:
    root = _run(seen, top, "", "")
    has_files = not is_multi_step and any(entry.name in _TRIAL_FILES for entry in top)
    if root.has_agent or root.has_verifier or has_files:
        yield root
    if is_multi_step:
        for entry in seen.entries("steps"):
            if entry.kind is Kind.FOLDER:
                yield _run(seen, seen.entries(entry.path), entry.name, entry.path + "/")
            else:
                seen.wrong_kind.append(entry.path)


def _run(seen: Listing, listed: list[Entry], step: str, prefix: str) -> Run:
    has_agent, has_verifier = seen.has_folder(listed, "agent"), seen.has_folder(listed, "verifier")
    agent = seen.entries(f"{prefix}agent") if has_agent else []
    verifier = seen.entries(f"{prefix}verifier") if has_verifier else []
    seen.trajectories += sorted(_trajectories(seen, agent, step), key=_order)
    has_text = seen.has_file(verifier, "reward.txt")
    text = None
    if has_text:
        text, _ = read(seen.folder, f"{prefix}verifier/reward.txt", seen.limits._replace(max_bytes=_MAX_REWARD_BYTES))
    return Run(
        step,
        prefix,
        has_agent,
        has_verifier,
        text,
        seen.json(verifier, "reward.json"),
        tuple(e.name for e in verifier if e.kind is Kind.FILE and e.name in ("reward.json", "reward.txt")),
        tuple(e.path for e in agent if e.kind is Kind.FILE and e.name.startswith("exit-code")),
        tuple(e.name for e in verifier),
    )


def _trajectories(seen: Listing, agent: list[Entry], step: str) -> Iterator[TrajectoryFile]:
    for entry in agent:
        if entry.name == _BRIDGE and entry.kind is Kind.FILE:
            yield TrajectoryFile(entry.path, "bridge", step)
        match = _TRAJECTORY(entry.name)
        if match is None:
            continue
        if entry.kind is not Kind.FILE:
            seen.wrong_kind.append(entry.path)
            continue
        yield _named(entry.path, match["rest"] or "", step)


def _named(path: str, rest: str, step: str) -> TrajectoryFile:
    if not rest:
        return TrajectoryFile(path, "main", step)
    continuation = _CONTINUATION(rest)
    if continuation:
        return TrajectoryFile(path, "continuation", step, int(continuation["number"] or 0))
    summarization = _SUMMARIZATION(rest)
    return TrajectoryFile(path, "subagent", step, int(summarization["number"]) if summarization else 0)


_ORDER = {"main": 0, "continuation": 1, "subagent": 2, "bridge": 3, "user-agent": 4}


def _order(file: TrajectoryFile) -> tuple[int, int, str]:
    return _ORDER[file.role], file.number, file.path
