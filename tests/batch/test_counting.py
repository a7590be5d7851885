"""Items to rows: trials once, every file accounted for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

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
