"""Telling trials and jobs by the names of their entries, and listing what is in them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from attraj.formats.harbor import Job, TrajectoryFile, read_job, read_trial, recognise, trials_of
from attraj.limits import DEFAULT_LIMITS
from tests.formats.harbor.folders import TRIAL_NAME, Link, base, build

TRIALS = [
    pytest.param({"config.json": {}, "agent/trajectory.json": {}}, id="interrupted-trial-without-result"),
    pytest.param({"result.json": {}, "agent/trajectory.json": {}}, id="trial-without-config"),
    pytest.param({"result.json": {}, "verifier/reward.txt": "1"}, id="empty-agent-folder-lost-in-git"),
    pytest.param({"result.json": {}, "steps/one/agent/trajectory.json": {}}, id="multi-step-trial"),
    pytest.param({"config.json": {}, "trial.log": ""}, id="trial-that-just-began"),
    pytest.param({"agent/x": "", "trial.log": ""}, id="trial-that-lost-every-record"),
    pytest.param({"result.json": {"trial_name": "t", "agent_info": {}}}, id="a-trial's-result-and-nothing-else"),
    pytest.param({"config.json": {"trial_name": "t", "task": {}}}, id="a-trial's-config-and-nothing-else"),
]
JOBS = [
    pytest.param({"job.log": ""}, id="job-that-just-began"),
    pytest.param({"config.json": {}, "hello__aaaaaaa/trial.log": ""}, id="interrupted-job-without-result"),
    pytest.param({"result.json": {}, "hello__aaaaaaa": "a file"}, id="trial-folder-is-a-file"),
    pytest.param({"hello__aaaaaaa/config.json": {}, "hello__aaaaaaa/agent/x": ""}, id="trials-and-nothing-else"),
    pytest.param({"config.json": {}, "my-own-name/result.json": {}, "my-own-name/agent/x": ""}, id="trial-of-any-name"),
    pytest.param({"result.json": {"stats": {}, "n_total_trials": 2}}, id="a-job's-result-and-no-trial"),
    pytest.param({"lock.json": {"trials": []}, "result.json": "{"}, id="a-job's-lock-and-no-trial"),
]
NEITHER = [
    pytest.param({}, id="empty-folder"),
    pytest.param({"config.json": {}}, id="a-config-alone"),
    pytest.param({"result.json": {"stats": [], "n_total_trials": "2"}}, id="a-result-of-something-else"),
    pytest.param({"lock.json": {"trials": {}}, "result.json": "["}, id="a-lock-of-something-else"),
    pytest.param(
        {"result.json": {"stats": {}, "n_total_trials": 2}, "go.mod": ""}, id="source-tree-with-a-job's-result"
    ),
    pytest.param({"agent/main.py": ""}, id="an-agent-folder-alone"),
    pytest.param({"config.json": {}, "agent/main.py": "", "pyproject.toml": ""}, id="source-tree-with-a-config"),
    pytest.param({"hello__aaaaaaa/notes.txt": ""}, id="only-a-name-like-a-trial"),
    pytest.param({"__init__.py": "", "x__pycache/y": ""}, id="python-package"),
    pytest.param({"demo/config.json": {}, "demo/job.log": ""}, id="folder-of-jobs"),
    pytest.param({"django__django-1/x.traj": ""}, id="folder-of-another-tool"),
]


@pytest.mark.parametrize("files", TRIALS)
def test_recognises_a_trial(files: dict[str, Any], tmp_path: Path) -> None:
    assert recognise(build(tmp_path / "x", files)) == "trial"


@pytest.mark.parametrize("files", JOBS)
def test_recognises_a_job(files: dict[str, Any], tmp_path: Path) -> None:
    assert recognise(build(tmp_path / "x", files)) == "job"


@pytest.mark.parametrize("files", NEITHER)
def test_recognises_neither(files: dict[str, Any], tmp_path: Path) -> None:
    assert recognise(build(tmp_path / "x", files)) is None


def test_a_file_and_a_missing_path_are_neither(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert [None, None] == [recognise(tmp_path / "file"), recognise(tmp_path / "nowhere")]


def test_trajectories_come_in_their_order_with_their_roles(tmp_path: Path) -> None:
    names = (
        *("trajectory.json", "trajectory.cont-10.json", "trajectory.cont-2.json", "bridge-trajectory.json"),
        *(
            "trajectory.summarization-2-summary.json",
            "trajectory.summarization-1-answers.json",
            "trajectory.other.json",
        ),
        *("trajectory.cont-x.json", "sessions.json", "trajectory.jsonl"),
    )
    files: dict[str, Any] = {f"agent/{name}": {} for name in names}
    files |= {"result.json": {}, "user-agent/trajectory.json": {}}
    trial = read_trial(build(tmp_path / TRIAL_NAME, files))
    assert [
        ("trajectory.json", "main", 0),
        ("trajectory.cont-x.json", "continuation", 0),
        ("trajectory.cont-2.json", "continuation", 2),
        ("trajectory.cont-10.json", "continuation", 10),
        ("trajectory.other.json", "subagent", 0),
        ("trajectory.summarization-1-answers.json", "subagent", 1),
        ("trajectory.summarization-2-summary.json", "subagent", 2),
        ("bridge-trajectory.json", "bridge", 0),
        ("trajectory.json", "user-agent", 0),
    ] == [(os.path.basename(f.path), f.role, f.number) for f in trial.trajectories]


def test_a_step_has_its_own_run(tmp_path: Path) -> None:
    trial = read_trial(build(tmp_path / TRIAL_NAME, base("steps")))
    assert [("build", "steps/build/agent", b"1\n"), ("test", "steps/test/agent", b"1\n")] == [
        (run.step, run.agent, run.reward_text) for run in trial.runs
    ]
    assert (
        TrajectoryFile("steps/build/agent/trajectory.json", "main", "build"),
        TrajectoryFile("steps/test/agent/trajectory.json", "main", "test"),
    ) == trial.trajectories


def test_what_belongs_to_a_trial_is_no_unknown_entry(tmp_path: Path) -> None:
    files = base("trial") | {
        "agent/terminus_2.pane": "$",
        "verifier/ctrf.json": {},
        "artifacts/manifest.json": [],
        "trial.log": "",
        "analysis.md": "",
        "stream.json": {},
        "x.tus-url": "",
        "mine/notes.json": {},
        "other.json": {},
    }
    trial = read_trial(build(tmp_path / TRIAL_NAME, files))
    assert ("mine", "other.json") == trial.unknown
    assert ("agent/terminus_2.pane", "verifier/ctrf.json", "artifacts", "stream.json") == trial.left


def test_what_a_step_leaves_is_listed(tmp_path: Path) -> None:
    files = base("steps") | {"steps/build/artifacts/x": "", "steps/build/notes.json": {}, "steps/build/agent/a.log": ""}
    trial = read_trial(build(tmp_path / TRIAL_NAME, files))
    assert (("steps/build/notes.json",), ("steps/build/artifacts", "steps/build/agent/a.log")) == (
        trial.unknown,
        trial.left,
    )


def test_a_known_name_counts_only_for_what_harbor_writes_under_it(tmp_path: Path) -> None:
    files = base("trial") | {"trial.log/x.json": {}, "artifacts": "a file", "result.json": None, "agent": "a file"}
    files = {path: content for path, content in files.items() if not path.startswith("agent/") and content is not None}
    trial = read_trial(build(tmp_path / TRIAL_NAME, files | {"result.json/inside.json": {}}))
    assert (("artifacts", "trial.log"), ("result.json",), ("agent", "result.json")) == (
        trial.unknown,
        trial.left,
        trial.wrong_kind,
    )


CLOSED = [
    pytest.param("agent", {"agent": Link("/etc")}, True, id="a-link-out"),
    pytest.param("agent/trajectory.json", {"agent": "a file"}, True, id="below-a-file"),
    pytest.param("result.json", {"result.json/x": ""}, True, id="a-folder"),
    pytest.param("agent/trajectory.json", {"agent/x": ""}, False, id="missing"),
]


@pytest.mark.parametrize(("path", "files", "expected"), CLOSED)
def test_what_was_not_read_is_told_from_what_is_missing(
    path: str, files: dict[str, Any], expected: bool, tmp_path: Path
) -> None:
    assert expected == read_trial(build(tmp_path / TRIAL_NAME, {"config.json": {}} | files)).is_closed(path)


def test_links_are_followed_inside_the_folder_only(tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text('{"finished_at": "never read"}')
    files = base("trial") | {
        "agent/trajectory.cont-1.json": Link("trajectory.json"),
        "agent/trajectory.cont-2.json": Link("../../secret.json"),
        "agent/trajectory.cont-3.json": Link("nowhere.json"),
    }
    files["result.json"] = Link("../secret.json")
    trial = read_trial(build(tmp_path / TRIAL_NAME, files))
    assert ("result.json", "agent/trajectory.cont-2.json", "agent/trajectory.cont-3.json") == trial.outside
    assert (None, ["main", "continuation"]) == (trial.result, [f.role for f in trial.trajectories])


def test_a_job_lists_every_folder_named_like_a_trial(tmp_path: Path) -> None:
    files = base("job") | {"hello__bbbbbbb": "a file", "hello__ccccccc/.keep": "", "notes.txt": "", "extra/x.json": {}}
    job = read_job(build(tmp_path / "demo", files))
    assert (("hello__aaaaaaa", "hello__ccccccc"), ("hello__bbbbbbb",), ("extra", "notes.txt")) == (
        job.trials,
        job.not_folders,
        job.unknown,
    )
    assert () == job.linked + job.wrong_kind
    expected = tuple(os.path.join(job.folder, name) for name in job.trials)
    assert expected == trials_of(tmp_path / "demo")


def test_a_job_that_cannot_be_listed_says_so(tmp_path: Path) -> None:
    assert Job(str(tmp_path / "nowhere"), is_listed=False) == read_job(tmp_path / "nowhere")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in this file system")
def test_a_pipe_is_never_waited_for(tmp_path: Path) -> None:
    folder = build(tmp_path / TRIAL_NAME, base("trial") | {"result.json": None})
    os.mkfifo(folder / "result.json")
    trial = read_trial(folder)
    assert (None, ("result.json",), ()) == (trial.result, trial.wrong_kind, trial.unknown)
    os.mkfifo(folder / "agent" / "pipe")
    os.mkfifo(folder / "config.json.d")
    trial = read_trial(folder)
    assert (("agent/pipe",), ("config.json.d",)) == (trial.left, trial.unknown)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in this file system")
def test_a_job_says_what_takes_the_place_of_its_files(tmp_path: Path) -> None:
    files = {path: content for path, content in base("job").items() if path not in ("lock.json", "result.json")}
    folder = build(tmp_path / "demo", files | {"lock.json/x": ""})
    os.mkfifo(folder / "result.json")
    job = read_job(folder)
    assert (("lock.json", "result.json"), None, None, ()) == (job.wrong_kind, job.lock, job.result, job.unknown)


def test_a_link_inside_a_job_is_no_trial(tmp_path: Path) -> None:
    files = base("job") | {"store/hello__ccccccc/trial.log": "", "store/hello__ccccccc/config.json": {}}
    files |= {"hello__bbbbbbb": Link("hello__aaaaaaa"), "hello__ccccccc": Link("store/hello__ccccccc")}
    job = read_job(build(tmp_path / "demo", files))
    assert (("hello__aaaaaaa",), ("hello__ccccccc",), ("hello__bbbbbbb", "hello__ccccccc", "store")) == (
        job.trials,
        job.linked,
        job.unknown,
    )


def test_small_files_are_bounded(tmp_path: Path) -> None:
    trial = read_trial(build(tmp_path / TRIAL_NAME, base("trial")), DEFAULT_LIMITS._replace(max_bytes=10))
    assert trial.result is not None
    assert not trial.result.is_readable
