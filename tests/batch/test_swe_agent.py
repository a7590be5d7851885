"""A run folder of SWE-agent: trajectories as documents, the run by what is kept of them, cut files by their steps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from attraj.batch.counting import rows
from attraj.batch.discover import discover
from attraj.batch.run import run
from attraj.verbs.validate import Request, validate
from tests.support import base_document

TRAJ: dict[str, Any] = base_document("attraj.formats.swe_agent", "minimal")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    text = json.dumps(TRAJ, indent=2)
    for name, body in (("one", text), ("two", text[: len(text) // 2])):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.traj").write_text(body, encoding="utf-8")
    (tmp_path / "preds.json").write_text("{}", encoding="utf-8")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("notes", encoding="utf-8")
    return tmp_path


def test_the_run_stands_after_its_trajectories_and_nothing_vanishes(folder: Path) -> None:
    reports = [report for _, report in run(discover([str(folder)]), Request())]
    assert [("one.traj", "swe-agent"), ("two.traj", "swe-agent")] == [
        (Path(report.path).name, report.format) for report in reports[:2]
    ]
    assert (str(folder), "swe-agent", "1.x") == (reports[-1].path, reports[-1].format, reports[-1].format_version)
    assert "unreadable" == reports[1].status
    assert "notes.txt" in {Path(report.path).name for report in reports}


def test_findings_of_a_run_have_the_file_the_line_and_the_instance(folder: Path) -> None:
    (folder / "preds.json").write_text('{\n  "one": {"model_patch": 7},\n  "gone-1": {"model_patch": ""}\n}', "utf-8")
    (folder / "run-1").mkdir()
    (folder / "run-1" / "run-1.pred").write_text("{}", "utf-8")
    findings = [report for _, report in run(discover([str(folder)]), Request())][-1].findings
    assert {
        ("/preds.json/one", 2, 10, "preds.json"),
        ("/preds.json/{1}", 3, 13, "preds.json"),
        ("/run-1", None, None, ""),
        ("/run-1/run-1.pred", 1, 1, "run-1/run-1.pred"),
    } <= {finding.location for finding in findings}


def test_excluded_trajectories_are_said_to_be_left_out(folder: Path) -> None:
    report = [report for _, report in run(discover([str(folder)], ("two.traj",)), Request())][-1]
    assert "1 trajectory excluded, and not compared" in report.notes


@pytest.mark.parametrize("below", [pytest.param("", id="an-instance"), pytest.param("one", id="a-run")])
def test_an_attempt_beside_the_file_of_its_run_is_counted_there(tmp_path: Path, below: str) -> None:
    whole = {**TRAJ, "attempts": [TRAJ, TRAJ]}
    for path, tree in (("one.traj", whole), ("attempt_0/one.traj", TRAJ), ("attempt_1/one.traj", TRAJ)):
        file = tmp_path / below / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(tree), encoding="utf-8")
    found = [(Path(row.path).parent.name, row.status) for row in rows(discover([str(tmp_path)]))]
    main = below or tmp_path.name
    assert [(main, "counted"), ("attempt_0", "skipped"), ("attempt_1", "skipped")] == found


def test_a_cut_file_says_what_its_complete_steps_say_when_asked(folder: Path) -> None:
    path = folder / "two" / "two.traj"
    plain, lenient = validate_cut(path, False), validate_cut(path, True)
    assert ("unreadable", "unreadable") == (plain.status, lenient.status)
    assert ((), True) == (plain.notes, "complete step" in lenient.notes[0])


def validate_cut(path: Path, is_lenient: bool) -> Any:
    from attraj.jsonio import parse

    document = parse(path.read_bytes())
    return validate(document, Request(is_lenient=is_lenient))
