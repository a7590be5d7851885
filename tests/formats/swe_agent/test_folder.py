"""Run folders: what is one, what is listed of it, and where its files tell different things."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.formats.swe_agent.check_folder import account_of, check_run
from attraj.formats.swe_agent.layout import read_run, recognise
from attraj.formats.swe_agent.statuses import read_statuses
from attraj.jsonio import MISSING, Document
from attraj.limits import DEFAULT_LIMITS
from attraj.pointer import shown
from tests.formats.swe_agent.files import at, base, build, checked_run, put
from tests.formats.swe_agent.test_laws import RELAXED, TOKEN, VALUES

A, B, C = "demo__calc-1", "demo__calc-2", "demo__calc-3"
TRAJ, PRED = f"{A}/{A}.traj", f"{A}/{A}.pred"

RUNS = [
    pytest.param({TRAJ: "{}"}, id="an-instance-in-a-folder-of-its-name"),
    pytest.param({f"{A}/{A}.info.log": "", "run_batch.config.yaml": ""}, id="a-batch-without-a-trajectory"),
    pytest.param({PRED: "{}", "preds.json": "{}"}, id="predictions-alone"),
    pytest.param({f"{A}.traj": "{}", "args.yaml": ""}, id="flat-with-arguments"),
    pytest.param({f"{A}.traj": "{}", "patches/x.patch": ""}, id="flat-with-patches"),
    *(pytest.param(base(name), id=name) for name in ("run", "retry_run", "old_run")),
]
OTHERS = [
    pytest.param({}, id="nothing"),
    pytest.param({f"{A}.traj": "{}"}, id="a-loose-trajectory"),
    pytest.param({f"some/{A}.traj": "{}"}, id="a-folder-of-another-name"),
    pytest.param({f"{A}/{A}.traj.json": "{}", "preds.json": "{}", "minisweagent.log": ""}, id="mini-swe-agent"),
    pytest.param({"preds.json": "{}"}, id="predictions-without-a-run"),
    pytest.param({"args.yaml": "", "notes.txt": ""}, id="arguments-alone"),
    pytest.param({"result.json": "{}", "agent/trajectory.json": "{}"}, id="a-harbor-trial"),
]


@pytest.mark.parametrize("files", RUNS)
def test_recognises_a_run(files: dict[str, Any], tmp_path: Path) -> None:
    assert "run" == recognise(build(tmp_path / "run1", files))


@pytest.mark.parametrize("files", OTHERS)
def test_leaves_other_folders_alone(files: dict[str, Any], tmp_path: Path) -> None:
    folder = build(tmp_path / "run1", files)
    assert recognise(folder) is None
    assert recognise(tmp_path / "missing") is None


def test_lists_what_belongs_to_an_instance(tmp_path: Path) -> None:
    run = read_run(build(tmp_path / "run1", {**base("run"), f"{A}/report.json": "{}", "notes.txt": ""}))
    first, second = run.instances
    assert (A, TRAJ, True, True) == (first.name, first.trajectory, first.has_config, first.has_log)
    assert (None, ()) == (second.patch, second.others)
    assert (TRAJ, f"{B}/{B}.traj") == run.trajectories
    assert (f"{A}/report.json", "notes.txt") == run.unknown
    assert {A: "submitted", B: "exit_cost"} == run.statuses


def test_lists_the_attempts_in_their_order(tmp_path: Path) -> None:
    files = {f"{C}/attempt_{n}/{C}.traj": "{}" for n in (10, 2, 0)}
    run = read_run(build(tmp_path / "run1", {f"{C}/{C}.traj": "{}", **files}))
    assert [0, 2, 10] == list(run.instances[0].attempts)
    assert (f"{C}/{C}.traj", *(f"{C}/attempt_{n}/{C}.traj" for n in (0, 2, 10))) == run.trajectories


def test_no_link_is_followed_out_of_the_folder(tmp_path: Path) -> None:
    folder = build(tmp_path / "run1", base("run"))
    (folder / PRED).unlink()
    build(tmp_path, {"elsewhere.json": {"instance_id": A}})
    (folder / PRED).symlink_to(tmp_path / "elsewhere.json")
    run = read_run(folder)
    assert (None, (PRED,)) == (run.instances[0].pred, run.outside)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything can be read by root")
def test_a_small_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    folder = build(tmp_path / "run1", base("run"))
    for path in (STATUS, f"{A}/{A}.patch"):
        (folder / path).chmod(0)
    assert [("TJ102", f"/{A}/{A}.patch"), ("TJ102", f"/{STATUS}")] == at(checked_run(folder).findings)


def test_a_small_file_beyond_the_bound_is_told(tmp_path: Path) -> None:
    run = read_run(build(tmp_path / "run1", base("run")), DEFAULT_LIMITS._replace(max_bytes=20))
    assert {f"{A}/{A}.patch", STATUS} == set(run.unread)
    told = [place for code, place in at(check_run(run).findings) if code == "TJ102"]
    assert {f"/{A}/{A}.patch", f"/{STATUS}"} <= set(told)


def prediction(**changes: Any) -> dict[str, Any]:
    return {**base("run")[PRED], **changes}


def traj(**info: Any) -> dict[str, Any]:
    tree: dict[str, Any] = base("minimal")
    tree["info"].update(info)
    return tree


PREDS = base("run")["preds.json"]
STATUS = "run_batch_exit_statuses.yaml"

# base folder, files that are changed (None: taken away), findings
CASES = [
    pytest.param("run", {TRAJ: None}, [("TJ101", f"/{A}")], id="environment-failed"),
    pytest.param(
        "run",
        {STATUS: "instances_by_exit_status:\n    submitted:\n    - demo__calc-1\n    - demo__calc-9\ntotal_cost: 0\n"},
        [("TJ101", f"/{STATUS}")],
        id="only-the-exit-statuses-name-it",
    ),
    pytest.param("run", {PRED: "{"}, [("TJ102", f"/{A}/{A}.pred")], id="prediction-is-not-json"),
    pytest.param("run", {PRED: []}, [("TJ102", f"/{A}/{A}.pred")], id="prediction-is-an-array"),
    pytest.param("run", {PRED: prediction(model_patch=3)}, [("TJ102", f"/{A}/{A}.pred")], id="patch-is-a-number"),
    pytest.param("run", {"preds.json": []}, [("TJ102", "/preds.json")], id="predictions-in-an-array"),
    pytest.param("run", {"preds.json": {**PREDS, B: 1}}, [("TJ102", f"/preds.json/{B}")], id="an-entry-is-a-number"),
    pytest.param("run", {PRED: None}, [("TJ103", f"/{A}")], id="no-prediction"),
    pytest.param(
        "run", {PRED: None, TRAJ: traj(exit_status=None), STATUS: None}, [], id="an-open-run-has-no-prediction"
    ),
    pytest.param(
        "run",
        {PRED: None, "preds.json": {**PREDS, A: prediction(model_patch="x")}},
        [("TJ103", f"/{A}"), ("TJ104", f"/preds.json/{A}/model_patch")],
        id="a-merged-prediction-against-the-trajectory",
    ),
    pytest.param(
        "run",
        {PRED: prediction(model_patch=None)},
        [("TJ104", f"/{A}/{A}.pred/model_patch")],
        id="null-is-not-a-patch-and-the-merged-one-is-right",
    ),
    pytest.param(
        "run",
        {f"{B}/{B}.pred": prediction(instance_id=B, model_patch="")},
        [("TJ104", f"/{B}/{B}.pred/model_patch")],
        id="null-is-not-the-empty-text",
    ),
    pytest.param("run", {"preds.json": {**PREDS, B: prediction(model_patch=None)}}, [], id="merged-null-stays-null"),
    pytest.param(
        "run", {PRED: prediction(instance_id=7)}, [("TJ105", f"/{A}/{A}.pred/instance_id")], id="id-is-a-number"
    ),
    pytest.param("run", {"preds.json": None}, [("TJ106", "")], id="nothing-was-merged"),
    pytest.param(
        "run",
        {"preds.json": None, "run_batch.config.yaml": None, STATUS: None},
        [],
        id="runs-one-by-one-are-not-merged",
    ),
    pytest.param("run", {"preds.json": {A: PREDS[A]}}, [("TJ107", f"/{B}")], id="not-merged"),
    pytest.param(
        "run", {"preds.json": {**PREDS, "x": PREDS[A]}}, [("TJ108", "/preds.json/x")], id="merged-from-nowhere"
    ),
    pytest.param("run", {TRAJ: traj(exit_status="submitted (exit_cost)")}, [("TJ109", f"/{A}")], id="another-status"),
    pytest.param("run", {TRAJ: traj(exit_status=["x"])}, [("TJ109", f"/{A}")], id="a-status-that-is-none"),
    pytest.param("run", {STATUS: "instances_by_exit_status: {}\ntotal_cost: 0\n"}, [], id="overwritten-on-a-resume"),
    *(
        pytest.param("run", {STATUS: text}, [("TJ115", f"/{STATUS}")], id=f"statuses-{name}")
        for name, text in (
            ("in-flow-form", "{instances_by_exit_status: {submitted: [demo__calc-1]}}"),
            ("that-are-broken", "a: ["),
            ("that-are-empty", ""),
            ("that-are-a-list", "[]"),
            ("that-are-a-number", "instances_by_exit_status: 5\n"),
        )
    ),
    pytest.param("run", {STATUS: None}, [], id="no-statuses"),
    pytest.param(
        "run",
        {STATUS: f"instances_by_exit_status:\n    skipped (submitted):\n    - {A}\ntotal_cost: 0\n"},
        [],
        id="skipped-because-it-was-there",
    ),
    pytest.param("run", {f"{A}/{A}.patch": "x"}, [("TJ112", f"/{A}/{A}.patch")], id="another-patch"),
    pytest.param("run", {f"{B}/{B}.patch": "x"}, [("TJ112", f"/{B}/{B}.patch")], id="a-patch-and-no-submission"),
    pytest.param("run", {"tmppreds.json": {}}, [("TJ113", "/tmppreds.json")], id="a-broken-off-evaluation"),
    pytest.param("run", {f"{A}/copy.traj": {}}, [("TJ113", f"/{A}/copy.traj")], id="a-copy"),
    pytest.param("retry_run", {}, [("TJ110", f"/{C}/attempt_0")], id="attempts"),
    pytest.param(
        "retry_run",
        {f"{C}/attempt_2/{C}.traj": {}},
        [("TJ110", f"/{C}/attempt_0"), ("TJ111", f"/{C}")],
        id="an-attempt-too-many",
    ),
    pytest.param(
        "retry_run",
        {f"{C}/{C}.traj": {"attempts": base("retry")["attempts"][:1]}},
        [("TJ110", f"/{C}/attempt_0")],
        id="an-attempt-at-work-is-not-in-the-file-yet",
    ),
    pytest.param(
        "retry_run",
        {f"{C}/{C}.traj": base("minimal")},
        [("TJ110", f"/{C}/attempt_0"), ("TJ111", f"/{C}")],
        id="attempts-of-another-run",
    ),
    pytest.param(
        "old_run",
        {"all_preds.jsonl": json.dumps(prediction(model_patch="x"))},
        [("TJ104", "/all_preds.jsonl/0/model_patch")],
        id="0.x-another-prediction",
    ),
    pytest.param("old_run", {"all_preds.jsonl": "{}\n"}, [("TJ102", "/all_preds.jsonl/0")], id="0.x-no-prediction"),
    pytest.param(
        "old_run",
        {"all_preds.jsonl": json.dumps(prediction(instance_id=[]))},
        [("TJ108", "/all_preds.jsonl/0")],
        id="0.x-an-id-that-is-none",
    ),
    pytest.param("old_run", {f"patches/{A}.patch": "x"}, [("TJ112", f"/patches/{A}.patch")], id="0.x-another-patch"),
]


@pytest.mark.parametrize(("name", "files", "expected"), CASES)
def test_finds_exactly(name: str, files: dict[str, Any], expected: list[tuple[str, str]], tmp_path: Path) -> None:
    folder = build(tmp_path / "run1", base(name))
    for path, content in files.items():
        put(folder / path, content)
    assert expected == at(checked_run(folder).findings)


def test_a_trajectory_that_was_not_read_is_compared_with_nothing(tmp_path: Path) -> None:
    folder = build(tmp_path / "run1", {**base("run"), TRAJ: "{"})
    assert [] == at(checked_run(folder).findings)
    assert {"swe-agent-run": "unknown"} == check_run(read_run(folder)).verdicts


@pytest.mark.parametrize(
    ("info", "word"), [({}, "finished"), ({"exit_status": None}, "open"), ({"exit_status": 1}, "open")]
)
def test_the_word_of_a_run(info: dict[str, Any], word: str, tmp_path: Path) -> None:
    folder = build(tmp_path / "run1", {**base("run"), TRAJ: traj(**info)})
    assert {"swe-agent-run": word} == checked_run(folder).verdicts


def test_notes_count_every_instance(tmp_path: Path) -> None:
    folder = build(tmp_path / "run1", {**base("run"), f"{C}/{C}.info.log": "", f"{A}/{A}.traj": traj(exit_status=None)})
    assert (
        "SWE-agent 1.x batch run of 3 instances",
        "1 ended without a patch, 1 open, 1 without a trajectory",
    ) == checked_run(folder).notes


def test_ids_are_not_shown(tmp_path: Path) -> None:
    checked = checked_run(build(tmp_path / "run1", {**base("run"), PRED: "{", TRAJ: traj(submission="x")}))
    places = sorted(shown(f.location.pointer, checked.tree) for f in checked.findings)
    assert ["/preds.json/{0}/model_patch", "/{0}/{0}", "/{0}/{1}"] == places


def test_no_message_repeats_what_was_read(tmp_path: Path) -> None:
    files: dict[str, Any] = json.loads(json.dumps(base("run")))
    files[PRED]["model_patch"] = files["preds.json"][A]["model_patch"] = TOKEN
    files[PRED]["instance_id"] = TOKEN
    files[TRAJ]["info"]["exit_status"] = TOKEN
    files["preds.json"][TOKEN] = files["preds.json"][A]
    files[f"{A}/{TOKEN}.traj"] = "{}"
    checked = checked_run(build(tmp_path / "run1", files))
    said = [text for f in checked.findings for text in (f.message, f.hint)] + list(checked.notes)
    assert len(checked.findings) >= 5
    assert [] == [text for text in said if TOKEN in text]


@RELAXED
@given(st.dictionaries(st.sampled_from([PRED, TRAJ, "preds.json", f"{B}/{B}.pred"]), VALUES))
def test_no_folder_crashes_a_check(files: dict[str, Any]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        folder = build(Path(place) / "run1", {**base("run"), **files})
        assert at(checked_run(folder).findings) == at(checked_run(folder).findings)


def test_an_account_keeps_null_and_absent_apart() -> None:
    account = account_of(Document(b"", {"info": {"submission": None}, "attempts": [1], "trajectory": []}))
    assert (MISSING, None, 1, True) == (account.exit_status, account.submission, account.attempts, account.has_steps)
    assert account_of(Document(b"", MISSING)) == account_of(Document(b"", {}))


STATUSES = [
    pytest.param("instances_by_exit_status: {}\ntotal_cost: 0\n", {}, id="empty"),
    pytest.param(
        "instances_by_exit_status:\n    submitted:\n    - a__b-1\n    - c\n",
        {"a__b-1": "submitted", "c": "submitted"},
        id="plain",
    ),
    pytest.param("instances_by_exit_status:\n  'exit_cost':\n  - 'a'\n", {"a": "exit_cost"}, id="quoted"),
    pytest.param("instances_by_exit_status:\n    null:\n    - a\n", {"a": "null"}, id="null-is-a-word-here"),
    pytest.param(
        "instances_by_exit_status:\n    x:\n    - a/b#1@2,c:d\n", {"a/b#1@2,c:d": "x"}, id="marks-inside-a-word"
    ),
    pytest.param("instances_by_exit_status:\n    x:\n    - a: b\n", None, id="a-mapping"),
    pytest.param("instances_by_exit_status:\n    x:\n    - a #b\n", None, id="a-comment-without-a-space"),
    pytest.param("instances_by_exit_status:\n    x:\n    - a\n    y:\n    - a\n", None, id="named-twice"),
    pytest.param("instances_by_exit_status:\n    - a\n", None, id="no-status"),
    pytest.param("instances_by_exit_status:\n    x: [a, b]\n", None, id="a-flow-list"),
    pytest.param("instances_by_exit_status:\n    x:\n    - &a b\n", None, id="an-anchor"),
    pytest.param("instances_by_exit_status:\n    x:\n    - !!int 7\n", None, id="a-tag"),
    pytest.param("instances_by_exit_status:\n    x:\n    - a # b\n", None, id="a-comment"),
    pytest.param("instances_by_exit_status:\n    x:\n    - 'it''s'\n", None, id="an-escaped-quote"),
    pytest.param("total_cost: 0\n", None, id="no-heading"),
    pytest.param("", None, id="nothing"),
    pytest.param("instances_by_exit_status:\n    é:\n    - a\n", None, id="not-ascii"),
]


@pytest.mark.parametrize(("text", "expected"), STATUSES)
def test_reads_exit_statuses_or_nothing(text: str, expected: dict[str, str] | None) -> None:
    assert expected == read_statuses(text.encode())
