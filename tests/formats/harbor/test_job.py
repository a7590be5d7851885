"""Whether a job's account adds up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.formats.harbor.folders import TRIAL_NAME, Link, build, changed, checked_job, line

STATS = "/result.json/stats"
OTHER = "hello__bbbbbbb"


def stats(**members: Any) -> dict[str, Any]:
    return {"result.json": {"stats": members}}


def rewards(**values: list[str]) -> dict[str, Any]:
    return stats(evals={"terminus-2__adhoc": {"reward_stats": {"reward": values}}})


def second(**members: Any) -> dict[str, Any]:
    """A second trial, well-formed but for `members` of its result.json."""
    files = changed("trial", {})
    files["config.json"]["trial_name"] = OTHER
    files["result.json"] |= {"trial_name": OTHER, "id": "22222222-2222-4222-8222-222222222222"} | members
    return {f"{OTHER}/{path}": content for path, content in files.items()}


CASES = [
    pytest.param({"config.json": None, "lock.json": None}, ["HB101 warning", "HB102 info"], id="no-config-no-lock"),
    pytest.param({"result.json": None}, ["HB103 error"], id="no-result"),
    pytest.param({"result.json": "{"}, ["HB004 error /result.json"], id="result-cut-off"),
    pytest.param({"result.json": {"finished_at": None}}, ["HB104 warning /result.json"], id="running"),
    pytest.param(stats(n_pending_trials=1), ["HB104 warning /result.json"], id="waiting-trials"),
    pytest.param({"result.json": {"n_total_trials": 2}}, ["HB105 error /result.json/n_total_trials"], id="one-is-gone"),
    pytest.param(
        {"result.json": {"n_total_trials": 2, "finished_at": None}},
        ["HB104 warning /result.json", "HB105 info /result.json/n_total_trials"],
        id="one-is-still-to-come",
    ),
    pytest.param(
        {"result.json": {"n_total_trials": 2} | rewards(**{"0.0": ["hello__ccccccc"]})["result.json"]},
        [f"HB106 error {STATS}/evals/terminus-2__adhoc/reward_stats/reward/0.0/0"],
        id="a-missing-trial-explains-the-count",
    ),
    pytest.param(rewards(**{"1.0": []}), [f"HB107 warning /{TRIAL_NAME}"], id="in-no-statistics"),
    pytest.param(stats(n_completed_trials=2), [f"HB108 warning {STATS}/n_completed_trials"], id="completed-two"),
    pytest.param(
        rewards(**{"1.0": [], "0.5": [TRIAL_NAME]}),
        [f"HB109 error {STATS}/evals/terminus-2__adhoc/reward_stats/reward/0.5/0"],
        id="another-reward",
    ),
    pytest.param(rewards(**{"1.0": [], "1": [TRIAL_NAME]}), [], id="the-same-number-in-other-words"),
    pytest.param(stats(n_retries=1), [f"HB110 info {STATS}/n_retries"], id="retried"),
    pytest.param(
        {"result.json": {"id": "other"}}, [f"HB111 warning /{TRIAL_NAME}/config.json/job_id"], id="of-another-job"
    ),
    pytest.param(
        second(id="11111111-1111-4111-8111-111111111111")
        | {"result.json": {"n_total_trials": 2, **rewards(**{"1.0": [TRIAL_NAME, OTHER]})["result.json"]}},
        [f"HB112 error /{OTHER}/result.json/id", f"HB108 warning {STATS}/n_completed_trials"],
        id="copied-under-another-name",
    ),
    pytest.param(
        {OTHER: "a file", "result.json": {"n_total_trials": 2}}, [f"HB007 error /{OTHER}"], id="trial-that-is-a-file"
    ),
    pytest.param({"link": Link("/etc")}, ["HB006 warning /link"], id="link-out"),
    pytest.param(
        {f"{OTHER}/agent/x": "", "result.json": {"n_total_trials": 2}}, [], id="interrupted-trial-is-in-the-account"
    ),
    pytest.param({"result.json": {"stats": []}}, ["HB005 error /result.json/stats"], id="stats-are-an-array"),
    pytest.param(
        {
            f"{TRIAL_NAME}/result.json": {"reward_valid": False},
            **rewards(**{"1.0": []}),
        },
        [],
        id="an-invalid-reward-is-in-no-statistics",
    ),
]


@pytest.mark.parametrize(("patches", "expected"), CASES)
def test_the_account(patches: dict[str, Any], expected: list[str], tmp_path: Path) -> None:
    job, _ = checked_job(build(tmp_path / "demo", changed("job", patches)))
    assert expected == [line("", finding) for finding in job.findings]


def test_step_exceptions_may_count_as_errors_or_not(tmp_path: Path) -> None:
    step = {"step_name": "one", "exception_info": {"exception_type": "AgentTimeoutError"}}
    for errored in (0, 1):
        patches = {f"{TRIAL_NAME}/result.json": {"step_results": [step]}} | stats(n_errored_trials=errored)
        job, _ = checked_job(build(tmp_path / str(errored), changed("job", patches)))
        assert () == job.findings


VERDICTS = [
    pytest.param({}, "finished", id="finished"),
    pytest.param({"result.json": {"finished_at": None}}, "open", id="no-finished-at"),
    pytest.param(stats(n_running_trials=1), "open", id="running-trials"),
    pytest.param({"result.json": None}, "unknown", id="no-result"),
]


@pytest.mark.parametrize(("patches", "word"), VERDICTS)
def test_the_verdict_says_whether_the_job_is_over(patches: dict[str, Any], word: str, tmp_path: Path) -> None:
    job, _ = checked_job(build(tmp_path / "demo", changed("job", patches)))
    assert ({"harbor-job": word}, "0.18.0") == (job.verdicts, job.version)


@pytest.mark.parametrize("version", ["0.18", "1.0.0rc1", "0.26.1.dev202610260541"])
def test_a_release_number_is_shown(version: str, tmp_path: Path) -> None:
    folder = build(tmp_path / "demo", changed("job", {"lock.json": {"harbor": {"version": version}}}))
    assert version == checked_job(folder)[1][0].version


@pytest.mark.parametrize("version", ["", "main", "0.18.0 by me", 18, None])
def test_anything_else_in_its_place_is_not(version: Any, tmp_path: Path) -> None:
    folder = build(tmp_path / "demo", changed("job", {"lock.json": {"harbor": {"version": version}}}))
    assert checked_job(folder)[1][0].version is None
