"""Items to rows: trials once, every file accounted for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from attraj.batch.counting import rows
from attraj.batch.discover import discover
from attraj.formats import large
from tests.formats.harbor.folders import TRIAL_NAME, Raw, base, build, changed
from tests.support import base_document

MINIMAL: dict[str, Any] = base_document("attraj.bundle.checks", "minimal")


def counted(*paths: Path) -> list[tuple[str, int, str, str | None]]:
    found = rows(discover(map(str, paths)))
    return [(Path(r.path).name, r.index, r.status, r.facts.format if r.facts else None) for r in found]


def test_a_trial_is_one_row_with_its_segments_and_subagents(tmp_path: Path) -> None:
    trial = build(tmp_path / TRIAL_NAME, base("segments"))
    assert [(TRIAL_NAME, 0, "counted", "harbor")] == counted(trial)


def test_a_broken_trajectory_is_a_row_of_its_own(tmp_path: Path) -> None:
    trial = build(tmp_path / TRIAL_NAME, changed("trial", {"agent/trajectory.json": Raw(b"{")}))
    assert [(TRIAL_NAME, 0, "counted", "harbor"), ("trajectory.json", 0, "unreadable", None)] == counted(trial)


def test_what_a_walk_meets_and_nobody_knows_is_skipped_and_what_is_named_is_unreadable(tmp_path: Path) -> None:
    build(tmp_path, {"a.json": {"hello": 1}, "b.txt": "text", "c.json": MINIMAL})
    expected = [("a.json", 0, "skipped", None), ("b.txt", 0, "skipped", None), ("c.json", 0, "counted", "bundle")]
    assert expected == counted(tmp_path)
    assert [("a.json", 0, "unreadable", None)] == counted(tmp_path / "a.json")


def test_each_document_of_a_file_is_a_row(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f"{json.dumps(MINIMAL)}\n{{\n{json.dumps(MINIMAL)}\n", encoding="utf-8")
    assert ["counted", "unreadable", "counted"] == [status for _, _, status, _ in counted(path)]


def test_a_path_that_is_not_there_is_a_row(tmp_path: Path) -> None:
    assert [("gone", 0, "unreadable", None)] == counted(tmp_path / "gone")


def test_a_large_traj_is_counted_without_its_model_inputs(tmp_path: Path, monkeypatch: Any) -> None:
    step = {"action": "ls", "observation": "", "response": "r", "thought": "r", "state": {}, "query": [{"role": "x"}]}
    tree = {"trajectory": [step], "history": [], "info": {"exit_status": "submitted"}, "environment": "e"}
    path = build(tmp_path, {"a.traj": tree}) / "a.traj"
    whole = list(rows(discover([str(path)])))
    monkeypatch.setattr(large, "LARGE_BYTES", 10)
    monkeypatch.setattr("attraj.batch.counting.LARGE_BYTES", 10)
    assert whole == list(rows(discover([str(path)])))


STATUSES = "instances_by_exit_status:\n    Uncaught RuntimeError:\n    - c\n    - gone\n    submitted:\n    - a\n"
TRAJ = {"trajectory": [], "history": [], "info": {"exit_status": "submitted"}, "environment": "e"}


def ended(
    *paths: Path, named: tuple[Path, ...] = (), exclude: tuple[str, ...] = ()
) -> list[tuple[str, str, str | None]]:
    found = rows(discover(map(str, paths), exclude), named=map(str, named or paths))
    return [(Path(r.path).name, r.status, r.facts.termination if r.facts else None) for r in found]


def test_an_instance_of_a_run_without_a_trajectory_is_a_row(tmp_path: Path) -> None:
    run = build(
        tmp_path / "run1",
        {"a/a.traj": TRAJ, "b/b.info.log": "x", "c/c.info.log": "x", "run_batch_exit_statuses.yaml": STATUSES},
    )
    uncaught = "no trajectory: uncaught exception"
    expected = [
        ("a.traj", "counted", "submitted"),
        ("b", "counted", "no trajectory: no reason is recorded"),
        ("c", "counted", uncaught),
        ("run_batch_exit_statuses.yaml", "counted", uncaught),
    ]
    assert expected == ended(run)
    assert [1] == [row.index for row in rows(discover([str(run)])) if row.path.endswith(".yaml")]
    assert expected[:1] + expected[2:] == ended(run, exclude=("b",))


def test_an_instance_of_attempts_alone_is_counted_by_them(tmp_path: Path) -> None:
    run = build(tmp_path / "run1", {"a/a.traj": TRAJ, "b/b.log": "", "b/attempt_0/b.traj": TRAJ, "run_batch.log": ""})
    assert ["a.traj", "b.traj"] == [name for name, _, _ in ended(run)]


def test_a_link_out_of_a_run_is_a_row(tmp_path: Path) -> None:
    run = build(tmp_path / "run1", {"a/a.traj": TRAJ, "run_batch.log": ""})
    build(tmp_path / "elsewhere", {"b.traj": TRAJ})
    (run / "b").symlink_to(tmp_path / "elsewhere")
    assert [("a.traj", "counted"), ("b", "skipped")] == [row[:2] for row in ended(run)]


def test_an_attempt_that_is_named_beside_its_main_file_is_counted_once(tmp_path: Path) -> None:
    folder = build(tmp_path, dict.fromkeys(("attempt_0/x.traj", "attempt_1/y.traj"), TRAJ))
    build(folder, {"x.traj": {**TRAJ, "attempts": [TRAJ]}})
    main, first, other = folder / "x.traj", folder / "attempt_0" / "x.traj", folder / "attempt_1" / "y.traj"

    def of(*paths: Path) -> list[str]:
        return [status for _, status, _ in ended(*paths)]

    assert ["counted", "skipped", "counted"] == of(main, first, other)
    assert ["skipped", "counted"] == of(first, main)
    assert ["counted"] == of(first)
    (folder / "x.traj").unlink()
    assert ["counted", "unreadable"] == of(first, main)


SECOND = {**TRAJ, "info": {"exit_status": "exit_cost"}}


@pytest.mark.parametrize(
    ("attempts", "expected"),
    [
        pytest.param([TRAJ, SECOND], ["skipped", "skipped"], id="ended"),
        pytest.param([TRAJ], ["skipped", "counted"], id="interrupted-in-the-second"),
        pytest.param([TRAJ, TRAJ], ["skipped", "counted"], id="as-many-but-another"),
        pytest.param([], ["counted", "counted"], id="interrupted-in-the-first"),
        pytest.param({"0": TRAJ}, ["counted", "counted"], id="no-list"),
        pytest.param(None, ["counted", "counted"], id="none"),
    ],
)
@pytest.mark.parametrize("is_run", [True, False])
def test_an_attempt_is_counted_by_itself_where_the_file_of_its_run_does_not_hold_it(
    tmp_path: Path, attempts: Any, expected: list[str], is_run: bool
) -> None:
    run = build(tmp_path, {"x/x.traj": {**TRAJ, "attempts": attempts}, "run_batch.log": ""})
    build(run, {"x/attempt_0/x.traj": TRAJ, "x/attempt_1/x.traj": SECOND})
    root = run if is_run else run / "x"
    found = {Path(row.path).parent.name: (row.status, row.reason) for row in rows(discover([str(root)]))}
    held = "an attempt: counted with the file of its run"
    reasons = [held if status == "skipped" else "" for status in expected]
    assert list(zip(expected, reasons, strict=True)) == [found["attempt_0"], found["attempt_1"]]
    assert ("counted", "") == found["x"]


def test_an_attempt_is_counted_where_the_file_of_its_run_cannot_be_read(tmp_path: Path) -> None:
    build(tmp_path, {"x.traj": Raw(b'{"attempts": ['), "attempt_0/x.traj": TRAJ})
    assert [("x.traj", "unreadable"), ("x.traj", "counted")] == [row[:2] for row in ended(tmp_path)]
