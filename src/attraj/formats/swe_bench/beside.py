"""The files beside a trajectory that speak of its instance: a harness's reports, and the patch that was handed in.

    1.x   <run>/<id>/<id>.traj   report.json, <id>.pred, <id>.patch, patch.diff in its folder; results.json in the run's
    0.x   <run>/<id>.traj        results.json beside it, patches/<id>.patch

Names alone decide what is looked at, and nothing outside of the folder is. Spec: traj.md §2, decisions 9, 10.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from attraj.formats.harbor.files import read, read_json
from attraj.formats.swe_bench.report import Report, report_of
from attraj.jsonio import MISSING
from attraj.limits import Limits

REPORT, RESULTS = "report.json", "results.json"
_ENDING = ".traj"


@dataclass(frozen=True, slots=True)
class Patch:
    """A patch that stands beside a trajectory.

    Attributes:
        name: File name, without its path.
        text: What was handed in; None for a prediction that says that there is no patch.
        raw: Bytes of the file.
    """

    name: str
    text: str | None
    raw: bytes


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside a trajectory.

    Attributes:
        instance: The instance's id, as the folder has it.
        reports: Those of its own folder first.
        patches: See `Patch`.
        unread: Names of files that should be reports, and are not to be read as one.
    """

    instance: str = ""
    reports: tuple[Report, ...] = ()
    patches: tuple[Patch, ...] = ()
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Home:
    """Where a trajectory lies: its folder, the run's ("" when it is not known), the instance."""

    folder: str
    run: str
    instance: str
    is_flat: bool

    def files(self) -> Iterator[tuple[str, str]]:
        """Each file that may speak of the instance: the folder that it must be in, and its path within it."""
        if self.is_flat:
            yield self.folder, RESULTS
            yield self.folder, f"patches/{self.instance}.patch"
            return
        for name in (REPORT, "patch.diff", f"{self.instance}.patch", f"{self.instance}.pred"):
            yield self.folder, name
        if self.run:
            yield self.run, RESULTS


def paths_beside(path: str, run: str) -> list[str]:
    """The paths at which files that speak of a trajectory's instance would stand; [] when it stands for no instance.

    Args:
        path: Of the trajectory, which a walk has met.
        run: The run folder that it was met in; "" when it was met in none.
    """
    home = _home(path, run)
    return [] if home is None else [os.path.join(folder, name) for folder, name in home.files()]


def read_beside(path: str, run: str, limits: Limits, is_excluded: Callable[[str, str], bool]) -> Beside:
    """What stands beside a trajectory. Files that are not there are not missed.

    Args:
        path, run: See `paths_beside`.
        limits: For the files that are read.
        is_excluded: Whether the caller leaves out a path within a folder.
    """
    home = _home(path, run)
    if home is None:
        return Beside()
    reports: list[Report] = []
    patches: list[Patch] = []
    unread: list[str] = []
    for folder, within in home.files():
        name = within.rpartition("/")[2]
        if not os.path.lexists(os.path.join(folder, within)) or is_excluded(folder, within):
            continue
        if name in (REPORT, RESULTS):
            report = report_of(read_json(folder, within, limits), name)
            if report is None:
                unread.append(name)
            else:
                reports.append(report)
        else:
            patch = _patch(folder, within, limits)
            patches += [patch] if patch is not None else []
    return Beside(home.instance, tuple(reports), tuple(patches), tuple(unread))


def is_beside(path: str) -> bool:
    """Whether a file is the report in the folder of an instance, which is read with the trajectory there."""
    folder, name = os.path.split(os.path.abspath(path))
    return name == REPORT and os.path.lexists(os.path.join(folder, os.path.basename(folder) + _ENDING))


def _home(path: str, run: str) -> _Home | None:
    """Where a trajectory that stands for an instance lies; None for an attempt, a copy, a file of no run."""
    folder, name = os.path.split(path)
    instance = name.removesuffix(_ENDING)
    if instance == name or not instance:
        return None
    folder = folder or os.curdir
    if run and os.path.normpath(folder) == os.path.normpath(run):
        return _Home(folder, run, instance, is_flat=True)
    above = os.path.dirname(os.path.abspath(folder))
    is_own = os.path.basename(os.path.abspath(folder)) == instance and (not run or above == os.path.abspath(run))
    return _Home(folder, run, instance, is_flat=False) if is_own else None


def _patch(folder: str, within: str, limits: Limits) -> Patch | None:
    name = within.rpartition("/")[2]
    if not name.endswith(".pred"):
        raw, _ = read(folder, within, limits)
        return None if raw is None else Patch(name, raw.decode("utf-8", "replace"), raw)
    document = read_json(folder, within, limits)
    patch: Any = document.tree.get("model_patch", MISSING) if type(document.tree) is dict else MISSING
    return Patch(name, patch, document.raw) if patch is None or type(patch) is str else None
