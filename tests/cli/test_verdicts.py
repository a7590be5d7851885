"""`attraj convert --verdicts`: reports that are named on the command line, and those that cannot be meant."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from attraj.cli import run
from tests.support import base_document

A = "demo__calc-1"
ENTRY = {"patch_exists": True, "resolved": False}
TRAJ = {
    **base_document("attraj.formats.swe_agent", "minimal"),
    "replay_config": json.dumps({"problem_statement": {"id": A}}),
}
Attraj = Callable[..., tuple[int, str, str]]


@pytest.fixture
def attraj(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Attraj:
    monkeypatch.chdir(tmp_path)
    files: dict[str, Any] = {
        **{f"{name}.traj": TRAJ for name in ("one", "two")},
        "report.json": ENTRY,
        "results.json": {"resolved_ids": [A]},
        "other.json": {"zq7Canary41x": ENTRY},
        "no.json": {"resolved": True},
    }
    for name, tree in files.items():
        Path(name).write_text(json.dumps(tree), "utf-8")

    def call(*arguments: str) -> tuple[int, str, str]:
        code = run(["convert", "--to", "bundle", "--no-config", *arguments])
        return code, *capsys.readouterr()

    return call


def statuses(text: str) -> list[str]:
    return [one["status"] for one in json.loads(text)["verifier_results"]]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param([], [], id="none-is-looked-for"),
        pytest.param(["report.json"], ["fail"], id="one"),
        pytest.param(["report.json", "results.json"], ["fail", "pass"], id="two-in-their-order"),
        pytest.param(["report.json", "report.json"], ["fail"], id="one-twice"),
        pytest.param(["other.json"], [], id="one-about-others"),
    ],
)
def test_reads_the_reports_that_are_named(attraj: Attraj, names: list[str], expected: list[str]) -> None:
    code, out, err = attraj("one.traj", *[part for name in names for part in ("--verdicts", name)])
    assert (0, expected) == (code, statuses(out))
    assert ("no-verdict" in err) is (names == ["other.json"])
    assert "zq7Canary41x" not in out + err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["one.traj", "--verdicts", "no.json"], "no.json: not a report of SWE-bench", id="no-report"),
        pytest.param(["one.traj", "--verdicts", "gone.json"], "gone.json: no such file", id="no-file"),
        pytest.param(
            ["one.traj", "two.traj", "-o", "out", "--verdicts", "report.json"],
            "a report that names no instance is about one trajectory",
            id="one-without-a-name-for-several",
        ),
    ],
)
def test_refuses_what_cannot_be_meant(attraj: Attraj, arguments: list[str], message: str) -> None:
    code, out, err = attraj(*arguments)
    assert (2, "", True) == (code, out, message in err)
    assert not Path("out").exists()
