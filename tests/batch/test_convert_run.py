"""Runs that are killed, run twice, run on several processes: the same bytes as one that nothing disturbed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from attraj.batch import convert_books, convert_run
from attraj.batch.convert_lock import FolderLock
from attraj.batch.convert_plan import Plan
from attraj.batch.convert_records import Record
from attraj.batch.convert_run import Conversion
from attraj.batch.convert_tally import Tally
from attraj.batch.convert_write import IS_OTHER
from attraj.errors import AttrajError
from tests.batch.converting import REQUEST, plan_of, task_of, tree_of, written
from tests.support import REPOSITORY

NUMBER = 20


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """Inputs that end in every way."""
    root = tmp_path / "in"
    for number in range(NUMBER):
        written(root / f"{number % 3}" / f"{number:02d}.json", losses=number % 4, number=number)
    written(root / "0" / "findings.json", toy="findings")
    written(root / "1" / "rejected.json", toy="rejected")
    written(root / "1" / "bug.json", toy="bug", secret="zq7Canary41x")
    (root / "notes.txt").write_text("text", encoding="utf-8")
    (root / "several.jsonl").write_text('{"toy":"converted","losses":2}\n' * 3, encoding="utf-8")
    return root


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(convert_books, "COMMIT_INPUTS", 3)
    monkeypatch.setattr(convert_run, "PAYS_S", 0.0)


def through(plan: Plan, jobs: int = 1, **modes: bool) -> list[Record]:
    """Run a plan to its end."""
    made: list[Record] = []
    tally = Tally()
    with Conversion(plan, task_of(plan), jobs, **modes) as run:
        for _, records in run.results():
            tally.add(records)
            made += records
        run.finish(tally.counts())
        assert made == [record for record, _ in run.everything()]
    return made


def counts(made: list[Record]) -> dict[str, int]:
    tally = Tally()
    tally.add(made)
    return tally.counts()


# --- the account -------------------------------------------------------------------------------------------------


def test_every_input_is_accounted_for(inputs: Path, tmp_path: Path) -> None:
    made = through(plan_of([inputs], tmp_path / "out"))
    found = counts(made)
    statuses = ("written", "with_findings", "unreadable", "rejected", "refused", "skipped")
    assert [NUMBER + 3, 1, 1, 1, 0, 1] == [found[status] for status in statuses]
    assert found["documents"] == sum(found[status] for status in statuses) == len(made)
    tally = Tally()
    tally.add(made)
    assert tally.lines() == [
        f"{NUMBER + 7} documents: {NUMBER + 3} converted, 1 with findings, 1 unreadable, 1 rejected, 1 skipped"
    ]
    assert [("not JSON", 1)] == tally.skipped()
    assert [("timing", "toy-step", "dropped", 36, 18)] == [
        (*one.kind, one.places, one.documents) for one in tally.losses()
    ]


def test_the_account_of_a_job_counts_trials(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        written(tmp_path / "job" / name / "agent" / "trajectory.json")
        (tmp_path / "job" / name / "result.json").write_text("{}", encoding="utf-8")
    (tmp_path / "job" / "c" / "agent" / "trajectory.json").unlink()
    (tmp_path / "job" / "result.json").write_text("{}", encoding="utf-8")
    tally = Tally()
    tally.add(through(plan_of([tmp_path / "job"], tmp_path / "out")))
    assert ["3 trials: 2 converted, 1 without trajectory"] == tally.lines()


def test_an_empty_folder_is_no_documents(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    tally = Tally()
    tally.add(through(plan_of([tmp_path / "in"], tmp_path / "out")))
    assert (["no documents"], 0) == (tally.lines(), tally.exit_code())


# --- several processes -------------------------------------------------------------------------------------------


def test_several_processes_give_the_bytes_of_one(inputs: Path, tmp_path: Path) -> None:
    one = through(plan_of([inputs], tmp_path / "one" / "out"))
    two = through(plan_of([inputs], tmp_path / "two" / "out"), jobs=2)
    assert one == two
    assert tree_of(tmp_path / "one" / "out") == tree_of(tmp_path / "two" / "out")


def test_a_worker_that_dies_takes_one_file_with_it(inputs: Path, tmp_path: Path) -> None:
    deadly = written(inputs / "1" / "05-death.json", toy="death", filler="____")
    plan = plan_of([inputs], tmp_path / "out")
    made = through(plan, jobs=2)
    died = [record for record in made if record.report.reason == "the worker died while converting it"]
    assert [("05-death.json", "unreadable", 2, False)] == [
        (Path(one.report.path).name, one.status, one.exit_code, one.is_final) for one in died
    ]
    assert NUMBER + 3 == counts(made)["written"]
    # The memory that it asked for may be there another day: a run that goes on tries again, and that alone.
    text = deadly.read_text("utf-8").replace("death", "converted").replace("____", "")
    deadly.write_text(text, encoding="utf-8")
    assert NUMBER + 4 == counts(through(plan, goes_on=True))["written"]


# --- going on ----------------------------------------------------------------------------------------------------


def interrupted(plan: Plan, after: int) -> None:
    """Run a plan until some inputs are accounted for, and leave it as a killed process would."""
    run = Conversion(plan, task_of(plan))
    run.__enter__()
    results: Iterator[Any] = run.results()
    for _ in range(after):
        next(results)
    assert run._books is not None
    for file in run._books._files:  # what was not written yet never will be
        os.dup2(os.open(os.devnull, os.O_RDWR), file.fileno())
    run._held.close()


@pytest.mark.parametrize("after", [0, 1, 4, 9, NUMBER + 4])
def test_a_run_that_goes_on_gives_the_bytes_of_one_that_was_not_interrupted(
    inputs: Path, tmp_path: Path, after: int
) -> None:
    whole = through(plan_of([inputs], tmp_path / "whole" / "out"))
    plan = plan_of([inputs], tmp_path / "out")
    interrupted(plan, after)
    leftover = tmp_path / "out" / "0" / ".attraj-1-0.tmp"
    if after:
        leftover.write_bytes(b"half")
    assert whole == through(plan, goes_on=True)
    assert tree_of(tmp_path / "whole" / "out") == tree_of(tmp_path / "out")
    assert whole == through(plan, goes_on=True)  # a run that is finished is told again


def test_what_is_done_is_not_done_again(inputs: Path, tmp_path: Path) -> None:
    plan = plan_of([inputs], tmp_path / "out")
    through(plan)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.atif.json")}
    (inputs / "1" / "bug.json").write_text("{}", encoding="utf-8")  # not looked at: the plan was made before
    with Conversion(plan, task_of(plan), goes_on=True) as run:
        assert {"bug"} == {Path(e.name).name for e in plan.entries} - {
            Path(plan.entries[n].name).name
            for n in run._books.saved  # type: ignore[union-attr]
        }
    assert before == {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.atif.json")}


@pytest.mark.parametrize(
    "harm",
    [
        pytest.param(lambda out: (out / "0" / "00.atif.json").unlink(), id="an-output-is-gone"),
        pytest.param(lambda out: (out / "_attraj" / "losses.jsonl").unlink(), id="losses-are-gone"),
        pytest.param(lambda out: (out / "_attraj" / "documents.jsonl").write_bytes(b"[]\n"), id="documents-are-others"),
        pytest.param(lambda out: (out / "_attraj" / "manifest.jsonl").write_bytes(b""), id="the-manifest-is-empty"),
        pytest.param(lambda out: torn(out / "_attraj" / "manifest.jsonl", 40), id="the-last-line-is-torn"),
        pytest.param(lambda out: torn(out / "_attraj" / "losses.jsonl", 3), id="the-last-losses-are-torn"),
        pytest.param(lambda out: spoilt(out / "_attraj" / "manifest.jsonl"), id="a-line-is-of-other-types"),
    ],
)
def test_what_does_not_hold_is_done_again(inputs: Path, tmp_path: Path, harm: Any) -> None:
    plan = plan_of([inputs], tmp_path / "out")
    whole = through(plan)
    files = tree_of(tmp_path / "out")
    harm(tmp_path / "out")
    assert whole == through(plan, goes_on=True)
    assert files == tree_of(tmp_path / "out")


def torn(path: Path, count: int) -> None:
    path.write_bytes(path.read_bytes()[:-count])


def spoilt(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    lines[5] = json.dumps({**json.loads(lines[5]), "outputs": [{"path": 7}]}).encode() + b"\n"
    path.write_bytes(b"".join(lines))


def test_an_output_that_somebody_changed_is_not_written_over(inputs: Path, tmp_path: Path) -> None:
    plan = plan_of([inputs], tmp_path / "out")
    through(plan)
    changed = tmp_path / "out" / "0" / "00.atif.json"
    changed.write_text("mine", encoding="utf-8")
    made = through(plan, goes_on=True)
    assert [("refused", IS_OTHER)] == [
        (one.status, one.report.reason) for one in made if one.report.path.endswith("00.json")
    ]
    assert "mine" == changed.read_text("utf-8")


@pytest.mark.parametrize(
    ("request_", "change", "message"),
    [
        pytest.param(REQUEST, True, "the run to resume was made with other inputs", id="other-inputs"),
        pytest.param(
            REQUEST._replace(is_lenient=True),
            False,
            "the run to resume was made with other options",
            id="other-options",
        ),
    ],
)
def test_another_plan_is_not_gone_on_with(
    inputs: Path, tmp_path: Path, request_: Any, change: bool, message: str
) -> None:
    out = tmp_path / "out"
    through(plan_of([inputs], out))
    before = tree_of(out)
    if change:
        written(inputs / "new.json")
    plan = plan_of([inputs], out, request_, is_resumed=True)
    with pytest.raises(AttrajError, match=message), Conversion(plan, task_of(plan), goes_on=True):
        pass
    assert before == tree_of(out)
    anew = plan_of([inputs], out, request_, overwrites=True)
    assert NUMBER + 3 + change == counts(through(anew, goes_on=True, starts_anew=True))["written"]


def test_one_run_at_a_time(inputs: Path, tmp_path: Path) -> None:
    plan = plan_of([inputs], tmp_path / "out")
    message = "another run of attraj writes to this folder"
    with FolderLock(str(tmp_path / "out" / "_attraj")):
        with pytest.raises(AttrajError, match=message), Conversion(plan, task_of(plan)):
            pass
        assert {"_attraj/lock": b""} == tree_of(tmp_path / "out")
    assert through(plan)


# --- killed ------------------------------------------------------------------------------------------------------


def program(cwd: Path, killed_at: int, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(REPOSITORY / "src"), str(REPOSITORY)])}
    command = [sys.executable, "-m", "tests.batch.convert_script", str(killed_at), "convert", *arguments]
    return subprocess.run(command, capture_output=True, env=environment, cwd=cwd, timeout=60, check=False)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("killed_at", [1, 8, NUMBER])
def test_killed_and_gone_on_with_is_the_same_as_undisturbed(
    inputs: Path, tmp_path: Path, killed_at: int, jobs: str
) -> None:
    arguments = ["in", "--to", "atif", "-o", "out", "--loss-report", "out/loss.json", "-j", jobs, "--no-config"]
    whole = program(tmp_path, -1, *arguments)
    files = tree_of(tmp_path / "out")
    (tmp_path / "out").rename(tmp_path / "kept")
    killed = program(tmp_path, killed_at, *arguments)  # returns when its workers have ended too: they hold its pipes
    assert -9 == killed.returncode
    assert not (tmp_path / "out" / "loss.json").exists()
    resumed = program(tmp_path, -1, *arguments, "--resume")
    assert (whole.returncode, whole.stdout) == (resumed.returncode, resumed.stdout)
    assert files == tree_of(tmp_path / "out")
    again = program(tmp_path, -1, *arguments, "--resume", "--format", "json")
    assert NUMBER + 3 == json.loads(again.stdout)["summary"]["written"]


def test_a_worker_does_not_outlive_the_process_that_started_it(inputs: Path, tmp_path: Path) -> None:
    written(inputs / "0" / "000-widow.json", toy="widow")
    # The worker holds the pipes of the program: what it has said is only whole when the worker has ended.
    killed = program(tmp_path, -1, "in", "--to", "atif", "-o", "out", "-j", "2", "--no-config")
    assert (-9, b"") == (killed.returncode, killed.stdout)
