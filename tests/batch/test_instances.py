"""Instances of a run without a trajectory: each told once, with how it ended where that is recorded."""

from __future__ import annotations

from pathlib import Path

from attraj.batch.discover import Item
from attraj.batch.instances import Missing, without_trajectory
from attraj.limits import DEFAULT_LIMITS
from tests.formats.harbor.folders import build

STATUSES = "instances_by_exit_status:\n    Uncaught RuntimeError:\n    - c\n    - gone\n    submitted:\n    - a\n"
TRAJ = {"trajectory": [], "history": [], "info": {}, "environment": "e"}
FILE = "run_batch_exit_statuses.yaml"


def found(run: Path, *exclude: str) -> list[Missing]:
    return list(without_trajectory(Item("run", str(run), exclude=exclude), DEFAULT_LIMITS))


def test_files_without_a_trajectory_names_without_files_and_links_that_lead_out(tmp_path: Path) -> None:
    run = build(tmp_path / "run", {"a/a.traj": TRAJ, "b/b.log": "x", "c/c.log": "x", FILE: STATUSES})
    build(tmp_path / "elsewhere", {"d.traj": TRAJ})
    (run / "d").symlink_to(tmp_path / "elsewhere")
    uncaught = "Uncaught RuntimeError"
    names = [Missing("b"), Missing("c", status=uncaught), Missing(FILE, 1, uncaught), Missing("d", is_link=True)]
    expected = [one._replace(path=str(run / one.path)) for one in names]
    assert expected == found(run)
    assert expected[1:2] == found(run, "b", "d", "gone")


def test_a_run_whose_instances_all_have_one_misses_nothing(tmp_path: Path) -> None:
    assert [] == found(build(tmp_path, {"a/a.traj": TRAJ, "b/attempt_0/b.traj": TRAJ, "run_batch.log": ""}))
