"""Runs that are killed, run twice, run on several processes: the same bytes as one that nothing disturbed."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from attraj.batch import convert_books, convert_run
from attraj.batch.convert import NO_TRAJECTORY
from attraj.batch.convert_earlier import Cleared
from attraj.batch.convert_lock import FolderLock
from attraj.batch.convert_plan import Plan
from attraj.batch.convert_records import Record
from attraj.batch.convert_run import Conversion
from attraj.batch.convert_tally import Tally
from attraj.batch.convert_write import IS_OTHER
from attraj.errors import AttrajError
from attraj.findings import DocumentReport
from attraj.formats.mapping.loss import Loss
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
        for _, records, _ in run.results():
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
        f"{NUMBER + 6} documents: {NUMBER + 3} converted, 1 with findings, 1 unreadable, 1 rejected"
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


def test_the_account_tells_trials_from_steps_and_documents_from_other_files(tmp_path: Path) -> None:
    job = tmp_path / "job"
    for name in ("a", "b/steps/first", "b/steps/second"):
        written(job / name / "agent" / "trajectory.json")
    written(job / "a" / "further" / "x.json")
    (job / "a" / "further" / "notes.txt").write_text("text", encoding="utf-8")
    for folder in (job / "a", job / "b", job):
        (folder / "result.json").write_text("{}", encoding="utf-8")
    made = through(plan_of([job], tmp_path / "out"))
    tally = Tally()
    for path in ("a", "b"):
        tally.add([one for one in made if f"/job/{path}" in one.report.path])
    assert tally.lines() == ["2 trials (3 steps): 3 converted", "1 other document: 1 converted"]
    assert [("not JSON", 1)] == tally.skipped()
    assert {str(job / "a"), str(job / "b"), ""} == {one.trial for one in made}


def test_a_trial_is_told_from_the_file_that_is_wrong_in_it(tmp_path: Path) -> None:
    written(tmp_path / "job" / "a" / "agent" / "trajectory.json", toy="findings")
    for folder in ("job", "job/a"):
        (tmp_path / folder / "result.json").write_text("{}", encoding="utf-8")
    (made,) = through(plan_of([tmp_path / "job"], tmp_path / "out"))
    assert (str(tmp_path / "job" / "a"), "trajectory.json") == (made.trial, Path(made.report.path).name)


def test_what_is_converted_in_spite_of_errors_or_without_a_trajectory_is_counted(tmp_path: Path) -> None:
    trees: dict[str, dict[str, Any]] = {
        "a": {},
        "b": {"errors": 3},
        "c": {"because": NO_TRAJECTORY},
        "d": {"notes": ["a fact"]},
    }
    for name, tree in trees.items():
        written(tmp_path / "in" / f"{name}.json", **tree)
    tally = Tally()
    tally.add(through(plan_of([tmp_path / "in"], tmp_path / "out")))
    assert ["4 documents: 3 converted (1 of them with errors), 1 without trajectory"] == tally.lines()
    found = tally.counts()
    assert (4, 1, 1) == (found["written"], found["written_with_errors"], found["without_trajectory"])
    assert [("a fact", 1)] == tally.notes()


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        pytest.param(1, "detail 0", id="one"),
        pytest.param(3, "detail 0; detail 1; detail 2", id="few"),
        pytest.param(4, "4 different ones", id="many"),
    ],
)
def test_what_is_said_of_a_loss_is_told_where_it_is_little(number: int, expected: str) -> None:
    losses = tuple(Loss("code", "other", "dropped", f"/{i}", 1, f"detail {i}") for i in range(number))
    tally = Tally()
    tally.add([Record(DocumentReport("a"), "written", losses=losses)])
    assert [expected] == [loss.detail for loss in tally.losses()]


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


def test_what_another_run_has_done_is_told_from_what_this_one_does(inputs: Path, tmp_path: Path) -> None:
    plan = plan_of([inputs], tmp_path / "out")
    through(plan)
    (tmp_path / "out" / "0" / "00.atif.json").unlink()
    tally = Tally()
    with Conversion(plan, task_of(plan), goes_on=True) as run:
        for _, records, was_before in run.results():
            tally.add(records, was_before=was_before)
    assert f" {NUMBER + 3} converted ({NUMBER + 2} before), " in tally.lines()[0]
    assert ((1, NUMBER + 2), NUMBER + 5) == (tally.files, tally.before)


@pytest.mark.parametrize("name", ["", "manifest.jsonl", "documents.jsonl", "losses.jsonl", "earlier.jsonl", "lock"])
def test_a_link_leads_no_bookkeeping_out_of_the_output_folder(inputs: Path, tmp_path: Path, name: str) -> None:
    evil = tmp_path / "evil"
    evil.mkdir()
    if name:
        (evil / name).write_bytes(b"mine")
    books = tmp_path / "out" / "_attraj"
    if name:
        books.mkdir(parents=True)
        (books / name).symlink_to(evil / name)
    else:
        books.parent.mkdir()
        books.symlink_to(evil)
    before = tree_of(evil)
    plan = plan_of([inputs], tmp_path / "out", overwrites=True)
    with pytest.raises(AttrajError, match="link"), Conversion(plan, task_of(plan), starts_anew=True):
        pass
    assert before == tree_of(evil)


# --- starting again ----------------------------------------------------------------------------------------------


def anew(inputs: Path, out: Path, request: Any = REQUEST, after: int = -1, **modes: bool) -> Cleared:
    """Run over the same folder again; `after` that many inputs the process is killed."""
    plan = plan_of([inputs], out, request, overwrites=True)
    if after >= 0:
        run = Conversion(plan, task_of(plan, request), starts_anew=True)
        run.__enter__()
        results = run.results()
        for _ in range(after):
            next(results)
        run._held.close()
        return Cleared()
    with Conversion(plan, task_of(plan, request), starts_anew=not modes, **modes) as run:
        tally = Tally()
        for _, records, _ in run.results():
            tally.add(records)
        return run.finish(tally.counts())


@pytest.mark.parametrize("after", [-1, 0, 5, NUMBER])
def test_a_run_that_starts_again_leaves_nothing_that_its_inputs_no_longer_give(
    inputs: Path, tmp_path: Path, after: int
) -> None:
    out = tmp_path / "out"
    through(plan_of([inputs], out))
    mine = out / "mine.txt"
    mine.write_text("mine", encoding="utf-8")
    (inputs / "0" / "00.json").unlink()  # gone
    written(inputs / "1" / "01.json", toy="findings")  # no longer to be converted
    (inputs / "several.jsonl").write_text('{"toy":"converted"}\n', encoding="utf-8")  # one document, not three
    (inputs / "2" / "02.json").unlink()
    (out / "2" / "02.atif.json").write_text("changed", encoding="utf-8")
    if after >= 0:
        anew(inputs, out, after=after)
        assert Cleared(5, ("2/02.atif.json",)) == anew(inputs, out, goes_on=True)
    else:
        assert Cleared(5, ("2/02.atif.json",)) == anew(inputs, out)
    files = set(tree_of(out))
    assert {"0/00.atif.json", "1/01.atif.json", "several.0.atif.json"}.isdisjoint(files)
    assert {"several.atif.json", "2/02.atif.json", "mine.txt", "0/03.atif.json"} <= files
    assert "_attraj/earlier.jsonl" not in files
    assert Cleared() == anew(inputs, out, goes_on=True)


def test_folders_that_are_empty_then_go_too(inputs: Path, tmp_path: Path) -> None:
    through(plan_of([inputs], tmp_path / "out"))
    for path in (inputs / "1").iterdir():
        path.unlink()
    assert anew(inputs, tmp_path / "out").removed > 1
    assert not (tmp_path / "out" / "1").exists()


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(lambda inputs, out: anew(inputs, out, REQUEST._replace(to="bundle")), id="another-format"),
        pytest.param(lambda inputs, out: anew(inputs / "0", out), id="other-paths"),
    ],
)
def test_what_another_run_wrote_is_left_and_named(inputs: Path, tmp_path: Path, other: Any) -> None:
    out = tmp_path / "out"
    through(plan_of([inputs], out))
    before = {name for name in tree_of(out) if not name.startswith("_attraj")}
    cleared = other(inputs, out)
    assert 0 == cleared.removed
    assert before == set(cleared.left)
    assert before <= set(tree_of(out))


@pytest.mark.parametrize(
    "name", ["../evil.json", "/evil.json", "0/../../evil.json", "link/evil.json", "", "a//b", "a\0b"]
)
def test_names_out_of_a_manifest_lead_nowhere_else(inputs: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / "out"
    through(plan_of([inputs], out))
    evil = tmp_path / "evil.json"
    evil.write_text("mine", encoding="utf-8")
    (out / "link").symlink_to(tmp_path)
    digest = hashlib.sha256(b"mine").hexdigest()
    manifest = out / "_attraj" / "manifest.jsonl"
    line = {"outputs": [{"path": name, "bytes": 4, "sha256": digest}, 5, {"path": 5}]}
    manifest.write_bytes(manifest.read_bytes() + json.dumps(line).encode() + b"\n[]\nx\n")
    assert Cleared() == anew(inputs, out)
    assert "mine" == evil.read_text("utf-8")


def test_an_input_among_the_outputs_of_an_earlier_run_is_not_removed(inputs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    through(plan_of([inputs], out))
    kept = out / "0" / "00.atif.json"
    (inputs / "0" / "00.json").unlink()
    plan = plan_of([inputs, kept], out, overwrites=True)
    with Conversion(plan, task_of(plan), starts_anew=True) as run:
        list(run.results())
        run.finish({})
    assert kept.exists()


# --- killed ------------------------------------------------------------------------------------------------------


def program(cwd: Path, killed_at: int, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(REPOSITORY / "src"), str(REPOSITORY)])}
    command = [sys.executable, "-m", "tests.batch.convert_script", str(killed_at), "convert", *arguments]
    return subprocess.run(command, capture_output=True, env=environment, cwd=cwd, timeout=60, check=False)


def without_before(said: bytes) -> list[bytes]:
    """The words of an account, without what tells this run from the one that it goes on with."""
    return re.sub(rb" \(\d+ before\)|\d+ files? written", b"", b" ".join(said.split())).split()


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
    assert whole.returncode == resumed.returncode
    assert without_before(whole.stdout) == without_before(resumed.stdout)
    assert (killed_at > 3) == (b" before)" in resumed.stdout)  # as many are told of at once
    assert files == tree_of(tmp_path / "out")
    again = program(tmp_path, -1, *arguments, "--resume", "--format", "json")
    assert NUMBER + 3 == json.loads(again.stdout)["summary"]["written"]


def test_a_worker_does_not_outlive_the_process_that_started_it(inputs: Path, tmp_path: Path) -> None:
    written(inputs / "0" / "000-widow.json", toy="widow")
    # The worker holds the pipes of the program: what it has said is only whole when the worker has ended.
    killed = program(tmp_path, -1, "in", "--to", "atif", "-o", "out", "-j", "2", "--no-config")
    assert (-9, b"") == (killed.returncode, killed.stdout)
