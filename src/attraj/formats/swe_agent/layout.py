"""The folders that SWE-agent writes its runs into: telling them, and listing what is in one.

    1.x   <id>/<id>.traj .pred .patch .config.yaml *.log, <id>/attempt_N/<id>.traj, preds.json, run_batch.* …
    0.x   <id>.traj beside each other, args.yaml, all_preds.jsonl, patches/<id>.patch, run-*.log

Names and small files only; the trajectories are listed, and read by the caller one by one. A configuration is present
or absent: it may be any YAML. Spec: traj.md §2, decisions 10.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from attraj.formats.harbor.files import Entry, Kind, entries, read, read_json
from attraj.formats.swe_agent.statuses import read_statuses
from attraj.jsonio import Document, documents
from attraj.limits import DEFAULT_LIMITS, Limits

Layout = Literal["1.x", "0.x"]

STATUSES = "run_batch_exit_statuses.yaml"
_BATCH = frozenset({"run_batch.config.yaml", STATUSES, "run_batch.log"})
_OLD = frozenset({"args.yaml", "all_preds.jsonl", "patches"})
_KNOWN = _BATCH | _OLD | {"preds.json", "results.json", "sb-cli-reports", "tmppreds.json", "traj"}
_OWN_ENDINGS = (".traj", ".pred", ".patch", ".yaml", ".log")
LEFTOVERS = frozenset({"tmppreds.json"})
_ATTEMPT = re.compile(r"attempt_(\d{1,6})").fullmatch
_PEEKS = 64  # folders that are looked into to tell a run; the walk below looks at the others anyway


@dataclass(frozen=True, slots=True)
class Instance:
    """What is there of one instance.

    Attributes:
        name: Its id: the folder's name in 1.x, the stem of its `.traj` in 0.x.
        path: Its folder, relative to the run's; "" in 0.x.
        trajectory: Path of its `.traj`; "" when there is none.
        pred: Its `.pred`; None when there is none.
        patch: Bytes of its patch file; None when there is none, or when it cannot be read.
        has_config, has_log: Whether it has them.
        attempts: N to the path of attempt_N's `.traj`; "" for a folder without one.
        others: Paths of other `.traj` files in its folder.
    """

    name: str
    path: str = ""
    trajectory: str = ""
    pred: Document | None = None
    patch: bytes | None = None
    has_config: bool = False
    has_log: bool = False
    attempts: Mapping[int, str] = field(default_factory=dict)
    others: tuple[str, ...] = ()

    @property
    def trajectories(self) -> tuple[str, ...]:
        """Paths of every `.traj`, the main one first."""
        main = (self.trajectory,) if self.trajectory else ()
        return (*main, *(path for path in self.attempts.values() if path), *self.others)


@dataclass(frozen=True, slots=True)
class Run:
    """A run folder as it was listed.

    Attributes:
        folder: As given.
        layout: Which generation's.
        instances: By name.
        preds: preds.json; None when there is none.
        predictions: The lines of all_preds.jsonl (0.x).
        statuses: Instance id to exit status, by the batch's own file; None when there is none or it cannot be read
            without doubt.
        names: Names of the entries of the folder.
        unknown: Paths of entries that SWE-agent does not write: for the caller to walk.
        outside: Paths of symbolic links that leave the folder.
        unlisted: Paths of folders that cannot be listed.
        unread: Paths of small files (patches, statuses, lines of predictions) that cannot be read.
    """

    folder: str
    layout: Layout = "1.x"
    instances: tuple[Instance, ...] = ()
    preds: Document | None = None
    predictions: tuple[Document, ...] = ()
    statuses: Mapping[str, str] | None = None
    names: frozenset[str] = frozenset()
    unknown: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    unlisted: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def is_batch(self) -> bool:
        """Whether the batch runner's own files are there."""
        return not self.names.isdisjoint(_BATCH)

    @property
    def trajectories(self) -> tuple[str, ...]:
        """Paths of every `.traj`, relative to the folder, in the order of the instances."""
        return tuple(path for instance in self.instances for path in instance.trajectories)

    def full(self, path: str) -> str:
        return os.path.join(self.folder, path)


def recognise(folder: str | os.PathLike[str]) -> Literal["run"] | None:
    """Whether a folder is a run of SWE-agent; nothing is read but names."""
    listed = entries(os.fspath(folder))
    return "run" if listed is not None and _layout(os.fspath(folder), listed) is not None else None


def _layout(folder: str, listed: list[Entry]) -> Layout | None:
    names = {entry.name for entry in listed}
    folders = [entry.name for entry in listed if entry.kind is Kind.FOLDER]
    if names & _BATCH and folders:
        return "1.x"
    if any(_is_file(folder, name, f"{name}.traj") for name in islice(folders, _PEEKS)):
        return "1.x"
    if "preds.json" in names and any(_is_file(folder, name, f"{name}.pred") for name in islice(folders, _PEEKS)):
        return "1.x"
    has_old = any(entry.kind is Kind.FILE and entry.name.endswith(".traj") for entry in listed)
    return "0.x" if has_old and names & _OLD else None


def _is_file(*parts: str) -> bool:
    return os.path.isfile(os.path.join(*parts))


def read_run(folder: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> Run:
    """List a run folder and read its small files. A folder that cannot be listed is a Run too."""
    path = os.fspath(folder)
    listing = _Listing(path, limits)
    top = listing.entries()
    layout = _layout(path, top) or "1.x"
    instances = _flat(listing, top) if layout == "0.x" else _nested(listing, top)
    names = frozenset(entry.name for entry in top)
    return Run(
        path,
        layout,
        tuple(sorted(instances, key=lambda instance: instance.name)),
        listing.json(top, "preds.json"),
        tuple(_predictions(listing, top)),
        _statuses(listing, top),
        names,
        tuple(listing.unknown),
        tuple(listing.outside),
        tuple(listing.unlisted),
        tuple(listing.unread),
    )


class _Listing:
    """The folder while it is listed."""

    def __init__(self, folder: str, limits: Limits) -> None:
        self.folder = folder
        self.limits = limits
        self.unknown: list[str] = []
        self.outside: list[str] = []
        self.unlisted: list[str] = []
        self.unread: list[str] = []

    def entries(self, below: str = "") -> list[Entry]:
        found = entries(self.folder, below)
        if found is None:
            self.unlisted.append(below)
            return []
        self.outside += [entry.path for entry in found if entry.kind is Kind.OUTSIDE]
        return [entry for entry in found if entry.kind in (Kind.FILE, Kind.FOLDER)]

    def json(self, listed: Iterable[Entry], name: str) -> Document | None:
        path = self.path_of(listed, name)
        return read_json(self.folder, path, self.limits) if path else None

    def bytes(self, path: str) -> bytes | None:
        if not path:
            return None
        found, _ = read(self.folder, path, self.limits)
        if found is None:
            self.unread.append(path)
        return found

    @staticmethod
    def path_of(listed: Iterable[Entry], name: str) -> str:
        """Path of the file of this name; "" when there is none."""
        return next((entry.path for entry in listed if entry.name == name and entry.kind is Kind.FILE), "")


# --- 1.x ---------------------------------------------------------------------------------------------------------


def _nested(listing: _Listing, top: list[Entry]) -> Iterator[Instance]:
    for entry in top:
        if entry.kind is Kind.FOLDER and entry.name not in _KNOWN:
            instance = _instance(listing, entry)
            if instance is None:
                listing.unknown.append(entry.path)
            else:
                yield instance
        elif entry.name not in _KNOWN and not entry.name.endswith((".log", ".yaml")):
            listing.unknown.append(entry.path)


def _instance(listing: _Listing, folder: Entry) -> Instance | None:
    """The instance of this folder; None when nothing in it bears the folder's name."""
    listed = listing.entries(folder.path)
    name = folder.name
    own = {entry.name for entry in listed if entry.name.startswith(f"{name}.")}
    if not own and not any(_ATTEMPT(entry.name) for entry in listed):
        return None
    attempts: dict[int, str] = {}
    for entry in listed:
        match = _ATTEMPT(entry.name) if entry.kind is Kind.FOLDER else None
        if match is not None:
            inside = listing.entries(entry.path)
            attempts[int(match[1])] = listing.path_of(inside, f"{name}.traj")
            listing.unknown += [each.path for each in inside if not each.name.endswith(_OWN_ENDINGS)]
        elif not entry.name.endswith(_OWN_ENDINGS):
            listing.unknown.append(entry.path)
    others = [entry.path for entry in listed if entry.kind is Kind.FILE and entry.name.endswith(".traj")]
    trajectory = listing.path_of(listed, f"{name}.traj")
    return Instance(
        name,
        folder.path,
        trajectory,
        listing.json(listed, f"{name}.pred"),
        listing.bytes(listing.path_of(listed, f"{name}.patch")),
        any(entry.name in ("config.yaml", f"{name}.config.yaml") for entry in listed),
        any(entry.name.endswith(".log") for entry in listed),
        dict(sorted(attempts.items())),
        tuple(path for path in others if path != trajectory),
    )


# --- 0.x ---------------------------------------------------------------------------------------------------------


def _flat(listing: _Listing, top: list[Entry]) -> Iterator[Instance]:
    has_patches = any(entry.name == "patches" and entry.kind is Kind.FOLDER for entry in top)
    patches = {entry.name: entry.path for entry in listing.entries("patches")} if has_patches else {}
    for entry in top:
        if entry.kind is Kind.FILE and entry.name.endswith(".traj"):
            name = entry.name.removesuffix(".traj")
            patch = listing.bytes(patches.get(f"{name}.patch", ""))
            yield Instance(name, trajectory=entry.path, patch=patch)
        elif entry.name not in _KNOWN and not entry.name.endswith((".log", ".yaml")):
            listing.unknown.append(entry.path)


def _predictions(listing: _Listing, top: list[Entry]) -> Iterator[Document]:
    raw = listing.bytes(listing.path_of(top, "all_preds.jsonl"))
    return iter(()) if raw is None else iter(documents(raw, listing.limits))


def _statuses(listing: _Listing, top: list[Entry]) -> Mapping[str, str] | None:
    raw = listing.bytes(listing.path_of(top, STATUSES))
    return None if raw is None else read_statuses(raw)
