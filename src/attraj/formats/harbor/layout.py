"""What is in the folder of a trial.

Names and kinds of entries only; what the files say is for `check.py`. Files that Harbor's layout knows are part of
the trial and no documents of their own; everything else is listed too, so that a walk can account for it.

Source: Harbor 0.26.0, models/trial/paths.py and job.py; spec: atif.md §5.1, decisions 10.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from attraj.formats.harbor.files import Entry, Kind, entries, read, read_json
from attraj.formats.harbor.recognise import RECORDS
from attraj.jsonio import Document
from attraj.limits import DEFAULT_LIMITS, Limits

Role = Literal["main", "continuation", "subagent", "user-agent", "bridge"]

_TRIAL_LOGS = frozenset({"trial.log", "analysis.md"})
_TRIAL_FILES = RECORDS | _TRIAL_LOGS | {"exception.txt", "stream.json"}
# What agent, verifier and task leave here is theirs, and may be anything.
_LEFT_FOLDERS = frozenset({"artifacts", "user-agent-inputs", ".harbor-upload"})
# Entries of these names have a finding when they are not the file or the folder that they must be.
_JUDGED = RECORDS | {"exception.txt", "agent", "verifier", "steps", "user-agent"}
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
_REWARD_FILES = frozenset({"reward.json", "reward.txt"})
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
        has_agent, has_verifier: Whether agent/ and verifier/ are there, and are folders.
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
        left: What the agent, the verifier and the task left in the folders that are theirs: logs, documents, folders.
            It may be anything, and is for a walk to look at.
        outside: Symbolic links that leave the trial's folder, relative paths; none is followed.
        wrong_kind: Files where a folder belongs, and the reverse; pipes and devices.
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
    left: tuple[str, ...] = ()
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

    def is_closed(self, path: str) -> bool:
        """Whether what is at this path cannot be told: it, or a folder that it is in, was not or could not be read.

        What is not known to be there is not known to be missing either.
        """
        closed = {*self.outside, *self.wrong_kind, *self.unlisted}
        parts = path.split("/")
        return bool(closed) and any("/".join(parts[:end]) in closed for end in range(len(parts) + 1))

    def full(self, path: str) -> str:
        """The path of one of its files, for opening."""
        return os.path.join(self.folder, *path.split("/"))


class Listing:
    """Collects what stands out while the folders of a trial are listed."""

    def __init__(self, folder: str, limits: Limits) -> None:
        self.folder = folder
        self.limits = limits
        self.unknown: list[str] = []
        self.left: list[str] = []
        self.outside: list[str] = []
        self.wrong_kind: list[str] = []
        self.unlisted: list[str] = []
        self.trajectories: list[TrajectoryFile] = []

    def entries(self, below: str = "") -> list[Entry]:
        """The entries of one folder; links that leave the trial are noted and left out."""
        listed = entries(self.folder, below)
        if listed is None:
            self.unlisted.append(below)
            return []
        self.outside += [entry.path for entry in listed if entry.kind is Kind.OUTSIDE]
        return [entry for entry in listed if entry.kind is not Kind.OUTSIDE]

    def has_folder(self, listed: list[Entry], name: str) -> bool:
        return self._has(listed, name, Kind.FOLDER)

    def has_file(self, listed: list[Entry], name: str) -> bool:
        return self._has(listed, name, Kind.FILE)

    def _has(self, listed: list[Entry], name: str, kind: Kind) -> bool:
        """Whether an entry is there and of this kind; one of another kind is noted."""
        for entry in listed:
            if entry.name == name:
                if entry.kind is kind:
                    return True
                self.wrong_kind.append(entry.path)
                if entry.kind is Kind.FOLDER:
                    self.left.append(entry.path)  # what is in it is still to be looked at
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
    is_multi_step = seen.has_folder(top, "steps")
    runs = tuple(_runs(seen, top, is_multi_step))
    if seen.has_folder(top, "user-agent"):
        _user_agent(seen)
    _rest(seen, top)
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
        left=tuple(dict.fromkeys(seen.left)),
        outside=tuple(seen.outside),
        wrong_kind=tuple(dict.fromkeys(seen.wrong_kind)),
        unlisted=tuple(seen.unlisted),
    )


def _rest(seen: Listing, top: list[Entry]) -> None:
    """What stands beside records and runs. A known name counts only for what Harbor writes under it."""
    for entry in top:
        is_left = entry.kind is Kind.FOLDER and entry.name in _LEFT_FOLDERS
        is_log = entry.kind is Kind.FILE and (entry.name in _TRIAL_LOGS or _UPLOAD_LEFTOVER(entry.name))
        if is_left or entry.name == "stream.json":
            seen.left.append(entry.path)
        elif entry.name not in _JUDGED and not is_log:
            seen.unknown.append(entry.path)


def _user_agent(seen: Listing) -> None:
    listed = seen.entries("user-agent")
    if seen.has_file(listed, "trajectory.json"):
        seen.trajectories.append(TrajectoryFile("user-agent/trajectory.json", "user-agent"))
    seen.left += [entry.path for entry in listed if entry.name != "trajectory.json"]


def _runs(seen: Listing, top: list[Entry], is_multi_step: bool) -> Iterator[Run]:
    root = _run(seen, top, "", "")
    has_files = not is_multi_step and any(entry.name in _TRIAL_FILES for entry in top)
    if root.has_agent or root.has_verifier or has_files:
        yield root
    for entry in seen.entries("steps") if is_multi_step else ():
        if entry.kind is not Kind.FOLDER:
            seen.wrong_kind.append(entry.path)
            continue
        listed = seen.entries(entry.path)
        for inside in listed:
            if inside.name == "artifacts":
                seen.left.append(inside.path)
            elif inside.name not in ("agent", "verifier"):
                seen.unknown.append(inside.path)
        yield _run(seen, listed, entry.name, entry.path + "/")


def _run(seen: Listing, listed: list[Entry], step: str, prefix: str) -> Run:
    has_agent, has_verifier = seen.has_folder(listed, "agent"), seen.has_folder(listed, "verifier")
    agent = seen.entries(f"{prefix}agent") if has_agent else []
    verifier = seen.entries(f"{prefix}verifier") if has_verifier else []
    trajectories = sorted(_trajectories(seen, agent, step), key=_order)
    exit_codes = tuple(e.path for e in agent if e.kind is Kind.FILE and e.name.startswith("exit-code"))
    seen.trajectories += trajectories
    known = {*exit_codes, *(file.path for file in trajectories), *seen.wrong_kind}
    seen.left += [e.path for e in agent if e.path not in known]
    seen.left += [e.path for e in verifier if e.name not in _REWARD_FILES]
    text = None
    if seen.has_file(verifier, "reward.txt"):
        text, _ = read(seen.folder, f"{prefix}verifier/reward.txt", seen.limits._replace(max_bytes=_MAX_REWARD_BYTES))
    return Run(
        step,
        prefix,
        has_agent,
        has_verifier,
        text,
        seen.json(verifier, "reward.json"),
        tuple(e.name for e in verifier if e.kind is Kind.FILE and e.name in _REWARD_FILES),
        exit_codes,
        tuple(e.name for e in verifier),
    )


def _trajectories(seen: Listing, agent: list[Entry], step: str) -> Iterator[TrajectoryFile]:
    for entry in agent:
        match = _TRAJECTORY(entry.name)
        if match is None and entry.name != _BRIDGE:
            continue
        if entry.kind is not Kind.FILE:
            seen.wrong_kind.append(entry.path)
            if entry.kind is Kind.FOLDER:
                seen.left.append(entry.path)
        elif match is None:
            yield TrajectoryFile(entry.path, "bridge", step)
        else:
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
