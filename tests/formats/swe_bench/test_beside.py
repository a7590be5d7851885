"""What stands beside a trajectory: by its place in a run, nothing outside, nothing that is excluded."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from attraj.formats.swe_bench.beside import Beside, is_beside, paths_beside, read_beside
from attraj.limits import DEFAULT_LIMITS
from tests.formats.swe_agent.files import build

A = "demo__calc-1"
ENTRY = {"resolved": False, "patch_exists": True}
SUMMARY = {"resolved_ids": [], "unresolved_ids": [A]}


def beside(folder: Path, path: str, run: str | None = "", *excluded: str) -> Beside:
    whole = "" if run is None else str(folder / run)
    return read_beside(str(folder / path), whole, DEFAULT_LIMITS, lambda _folder, within: within in excluded)


def told(found: Beside) -> list[Any]:
    return [
        found.instance,
        [(report.name, report.form) for report in found.reports],
        [(patch.name, patch.text) for patch in found.patches],
        list(found.unread),
    ]


def test_of_an_instance_with_a_folder_of_its_own(tmp_path: Path) -> None:
    files = {
        f"{A}/report.json": ENTRY,
        f"{A}/patch.diff": "one",
        f"{A}/{A}.patch": "two",
        f"{A}/{A}.pred": {"instance_id": A, "model_patch": None},
        f"{A}/test_output.txt": "passed",
        "results.json": SUMMARY,
        "report.json": ENTRY,
    }
    build(tmp_path, files)
    patches = [("patch.diff", "one"), (f"{A}.patch", "two"), (f"{A}.pred", None)]
    path = f"{A}/{A}.traj"
    assert [A, [("report.json", "entry"), ("results.json", "summary")], patches, []] == told(beside(tmp_path, path))
    assert [A, [("report.json", "entry")], patches, []] == told(beside(tmp_path, path, None))
    left = beside(tmp_path, path, "", "report.json", "results.json", "patch.diff", f"{A}.patch", f"{A}.pred")
    assert [A, [], [], []] == told(left)


def test_of_a_flat_run(tmp_path: Path) -> None:
    build(tmp_path, {"results.json": {"resolved": [A]}, "report.json": ENTRY, f"patches/{A}.patch": "one"})
    expected = [A, [("results.json", "summary")], [(f"{A}.patch", "one")], []]
    assert expected == told(beside(tmp_path, f"{A}.traj"))


@pytest.mark.parametrize(
    ("path", "run"),
    [
        pytest.param(f"{A}/attempt_0/{A}.traj", "", id="an-attempt"),
        pytest.param(f"{A}/copy.traj", "", id="a-copy-beside-it"),
        pytest.param(f"{A}/{A}.json", "", id="no-trajectory"),
        pytest.param(f"{A}/.traj", "", id="no-name"),
        pytest.param(f"x/{A}/{A}.traj", "", id="deeper-in-a-run"),
        pytest.param(f"{A}.traj", None, id="in-no-run"),
    ],
)
def test_other_files_stand_for_no_instance(tmp_path: Path, path: str, run: str | None) -> None:
    build(tmp_path, {f"{A}/report.json": ENTRY, f"x/{A}/report.json": ENTRY, "results.json": SUMMARY})
    assert Beside() == beside(tmp_path, path, run)
    assert [] == paths_beside(str(tmp_path / path), "" if run is None else str(tmp_path))


def test_a_file_that_is_no_report_is_named(tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text(json.dumps(SUMMARY), "utf-8")
    run = build(tmp_path / "run", {f"{A}/report.json": {"title": "sales"}, f"{A}/{A}.pred": {"model_patch": 7}})
    os.symlink(outside, run / "results.json")
    assert [A, [], [], ["report.json", "results.json"]] == told(beside(run, f"{A}/{A}.traj"))


def test_the_report_of_an_instance_is_known_as_one(tmp_path: Path) -> None:
    build(tmp_path, {f"{A}/{A}.traj": "{}", f"{A}/report.json": ENTRY, "x/report.json": ENTRY})
    found = [is_beside(str(tmp_path / path)) for path in (f"{A}/report.json", f"{A}/{A}.traj", "x/report.json")]
    assert [True, False, False] == found
