"""Findings about a trial as a whole: what is wrong, what is explained, and what must stay silent."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from attraj.formats.harbor import check_trial, read_trial, release_of_job
from attraj.formats.harbor.exceptions import POLICIES, policy_of
from tests.formats.harbor.folders import (
    TRIAL_NAME,
    Link,
    Raw,
    build,
    changed,
    checked,
    documents_of,
    lines,
)

MAIN, CONT, SUB = (
    "agent/trajectory.json",
    "agent/trajectory.cont-1.json",
    "agent/trajectory.summarization-1-summary.json",
)
CONT_2 = {"schema_version": "ATIF-v1.7", "session_id": "s-1-cont-2"}
TIMEOUT = {"exception_info": {"exception_type": "AgentTimeoutError"}}


def result(**members: Any) -> dict[str, Any]:
    return {"result.json": members}


def ended(exception_type: str, **members: Any) -> dict[str, Any]:
    return {"result.json": {"exception_info": {"exception_type": exception_type}, **members}, "exception.txt": "Trace"}


TRIAL = [
    pytest.param({"config.json": None}, ["HB001 warning"], id="no-config"),
    pytest.param({"lock.json": None}, ["HB002 info"], id="no-lock"),
    pytest.param({"result.json": None}, ["HB003 error"], id="no-result"),
    pytest.param(
        {"result.json": None, MAIN: None, "agent/a.log": ""}, ["HB003 error", "HB030 info /agent"], id="broken-off"
    ),
    pytest.param({"result.json": Raw(b"")}, ["HB004 error /result.json"], id="empty-result"),
    pytest.param({"result.json": Raw(b"[]")}, ["HB005 error /result.json"], id="result-is-no-object"),
    pytest.param({"result.json": Raw(b"\xff\xfe{")}, ["HB004 error /result.json"], id="result-in-utf16"),
    pytest.param({"lock.json": Raw(b'{"task": {}, "task": {}}')}, ["HB004 warning /lock.json/task"], id="member-twice"),
    pytest.param(result(agent_info=7), ["HB005 error /result.json/agent_info"], id="agent-info-is-a-number"),
    pytest.param(
        result(step_results={}, verifier_result=[]),
        [
            "HB005 error /result.json/verifier_result",
            "HB005 error /result.json/step_results",
            "HB022 warning /verifier/reward.txt",
        ],
        id="array-and-object-exchanged",
    ),
    pytest.param({"agent/link": Link("/etc/hostname")}, ["HB006 warning /agent/link"], id="link-out"),
    pytest.param({MAIN: None, f"{MAIN}/x": ""}, ["HB007 error /agent/trajectory.json"], id="trajectory-is-a-folder"),
    pytest.param({MAIN: None, "agent": ""}, ["HB007 error /agent"], id="agent-is-a-file"),
    pytest.param({MAIN: None, "agent": Link("/etc")}, ["HB006 warning /agent"], id="agent-is-elsewhere"),
    pytest.param({MAIN: Link("/etc/hostname")}, [f"HB006 warning /{MAIN}"], id="trajectory-is-elsewhere"),
    pytest.param({"result.json": Link("/etc/hostname")}, ["HB006 error /result.json"], id="result-is-elsewhere"),
    pytest.param({"config.json": Link("/etc/hostname")}, ["HB006 warning /config.json"], id="config-is-elsewhere"),
    pytest.param(
        {"verifier/reward.txt": None, "verifier": ""}, ["HB007 error /verifier"], id="verifier-is-a-file-and-no-loss"
    ),
    pytest.param(
        {"verifier/reward.json": Link("/etc/hostname"), "verifier/reward.txt": "0.5"},
        ["HB006 warning /verifier/reward.json"],
        id="the-reward-that-counts-is-elsewhere",
    ),
    pytest.param(
        {MAIN: '{"messages": [], "info": {"exit_status": "x"}}'},
        [f"HB033 error {MAIN}#"],
        id="a-document-of-another-format",
    ),
    pytest.param(result(finished_at=None), ["HB010 warning /result.json"], id="open"),
    pytest.param(ended("AgentTimeoutError"), ["HB011 info /result.json/exception_info"], id="timeout-keeps-its-reward"),
    pytest.param(
        result(**TIMEOUT),
        ["HB011 info /result.json/exception_info", "HB012 warning /result.json/exception_info"],
        id="no-traceback",
    ),
    pytest.param({"exception.txt": ""}, ["HB013 warning /exception.txt"], id="traceback-of-nothing"),
    pytest.param(
        result(verifier={"started_at": "2026-03-02T10:00:30Z", "finished_at": "2026-03-02T10:00:29Z"}),
        ["HB014 warning /result.json/verifier"],
        id="verifier-ends-before-it-starts",
    ),
    pytest.param(
        {"config.json": {"trial_name": "other"}}, ["HB015 info /result.json/trial_name"], id="config-names-another"
    ),
]

REWARDS = [
    pytest.param(
        {"verifier/reward.txt": "0.5"}, ["HB020 error /result.json/verifier_result/rewards/reward"], id="another-number"
    ),
    pytest.param(
        {"verifier/reward.json": {"reward": 1, "style": 2}},
        ["HB020 error /result.json/verifier_result/rewards"],
        id="a-key-that-result-lacks",
    ),
    pytest.param(
        {"verifier/reward.json": {"reward": 1, "style": 2, "speed": 3}},
        ["HB020 error /result.json/verifier_result/rewards"],
        id="two-keys-that-result-lacks-are-one-finding",
    ),
    pytest.param(
        {"verifier/reward.txt": None}, ["HB021 warning /result.json/verifier_result/rewards"], id="no-reward-file"
    ),
    pytest.param(result(verifier_result=None), ["HB022 warning /verifier/reward.txt"], id="not-taken-over"),
    pytest.param(
        {"verifier/reward.txt": "NaN", "result.json": {"verifier_result": None}},
        ["HB024 error /verifier/reward.txt", "HB022 warning /verifier/reward.txt"],
        id="nan-and-no-reason",
    ),
    pytest.param(
        {"verifier/reward.txt": "NaN"} | ended("VerifierOutputParseError", verifier_result=None),
        ["HB011 info /result.json/exception_info", "HB024 info /verifier/reward.txt"],
        id="nan-refused-by-harbor",
    ),
    pytest.param({"verifier/reward.json": [1]}, ["HB024 error /verifier/reward.json"], id="reward-in-an-array"),
    pytest.param(
        {"verifier/reward.json": Raw(b"{")},
        ["HB024 error /verifier/reward.json"],
        id="reward-json-cut-off",
    ),
    pytest.param({"verifier/reward.txt": Raw(b"\xff")}, ["HB024 error /verifier/reward.txt"], id="reward-is-no-text"),
    pytest.param({"verifier/reward.json": {"reward": 1}}, [], id="both-files-agree"),
    pytest.param(
        {"config.json": {"verifier": {"disable": True}}},
        ["HB026 warning /result.json/verifier_result/rewards"],
        id="verifier-switched-off",
    ),
    pytest.param(
        result(reward_valid=False), ["HB027 warning /result.json/verifier_result/rewards"], id="not-valid-by-itself"
    ),
    pytest.param(
        {"verifier/reward.txt": None} | result(reward_valid=False, verifier_result=None),
        [],
        id="no-reward-is-never-valid",
    ),
    pytest.param(
        ended("NetworkConnectionError", reward_valid=None),
        ["HB011 info /result.json/exception_info", "HB028 warning /result.json/verifier_result/rewards"],
        id="old-release-counted-it",
    ),
]

GAPS = [
    pytest.param({"agent/a.log": ""}, ["HB030 warning /agent"], id="nothing-says-why"),
    pytest.param({}, ["HB008 warning"], id="no-agent-folder"),
    pytest.param(
        {"agent/a.log": "", "result.json": {"agent_info": {"name": "oracle"}}}, ["HB030 info /agent"], id="oracle"
    ),
    pytest.param({"result.json": {"agent_info": {"name": "nop"}}}, ["HB008 info"], id="nop-without-folder"),
    pytest.param(result(agent_execution=None), ["HB008 info"], id="agent-never-ran"),
    pytest.param({"config.json": {"install_only": True}}, ["HB008 info"], id="install-only"),
]


def found(name: str, patches: dict[str, Any], tmp_path: Path) -> list[str]:
    return lines(checked(build(tmp_path / TRIAL_NAME, changed(name, patches))))


@pytest.mark.parametrize(("patches", "expected"), TRIAL)
def test_the_folder_and_its_records(patches: dict[str, Any], expected: list[str], tmp_path: Path) -> None:
    assert expected == found("trial", patches, tmp_path)


@pytest.mark.parametrize(("patches", "expected"), REWARDS)
def test_rewards(patches: dict[str, Any], expected: list[str], tmp_path: Path) -> None:
    assert expected == found("trial", patches, tmp_path)


@pytest.mark.parametrize(("patches", "expected"), GAPS)
def test_a_missing_trajectory(patches: dict[str, Any], expected: list[str], tmp_path: Path) -> None:
    assert expected == found("trial", {MAIN: None} | patches, tmp_path)


def test_the_causes_of_a_missing_trajectory_come_in_order(tmp_path: Path) -> None:
    patches = {MAIN: None, "agent/exit-code.txt": "3", "config.json": {"agent": {"exclude_logs": ["*.jsonl"]}}}
    trial = checked(build(tmp_path / TRIAL_NAME, changed("trial", patches | ended("NonZeroAgentExitCodeError"))))
    gap = next(f for f in trial.findings if f.code == "HB030")
    words = ("NonZeroAgentExitCodeError", "exit code", "filtered", "token counts", "conversion of the agent's logs")
    places = [f"{gap.message}; {gap.hint}".index(word) for word in words]
    assert sorted(places) == places


STEPS = [
    pytest.param(
        {"steps/extra/agent/x": ""},
        ["HB031 warning /steps/extra", "HB030 warning /steps/extra/agent"],
        id="more-folders",
    ),
    pytest.param(
        {f"steps/test/{name}": None for name in ("agent/trajectory.json", "verifier/reward.txt")},
        ["HB032 warning /result.json/step_results/1/step_name"],
        id="more-results",
    ),
    pytest.param({"steps/notes.txt": ""}, ["HB007 error /steps/notes.txt"], id="a-file-among-the-steps"),
    pytest.param(
        {"steps/test/verifier/reward.txt": "0"},
        ["HB020 error /result.json/step_results/1/verifier_result/rewards/reward"],
        id="reward-of-a-step",
    ),
    pytest.param(
        result(verifier_result={"rewards": {"reward": 0.25}}),
        ["HB020 error /result.json/verifier_result/rewards/reward"],
        id="neither-mean-nor-last",
    ),
    pytest.param({"agent/x": ""}, [], id="left-over-root-folder"),
]


@pytest.mark.parametrize(("patches", "expected"), STEPS)
def test_steps(patches: dict[str, Any], expected: list[str], tmp_path: Path) -> None:
    assert expected == found("steps", patches, tmp_path)


def test_a_resumed_step_repeats_the_earlier_one(tmp_path: Path) -> None:
    files = changed("steps", {})
    first = files["steps/build/agent/trajectory.json"]["steps"]
    files["steps/test/agent/trajectory.json"]["steps"][:0] = copy.deepcopy(first)
    path = "steps/test/agent/trajectory.json"
    assert [f"ATIF134 warning {path}#/steps/0"] == lines(checked(build(tmp_path / TRIAL_NAME, files)))


SEGMENTS = [
    pytest.param({CONT: None}, [f"ATIF120 warning {MAIN}#/continued_trajectory_ref"], id="continuation-missing"),
    pytest.param(
        {CONT: None, "agent/trajectory.cont-2.json": CONT_2},
        [f"ATIF120 warning {MAIN}#/continued_trajectory_ref"],
        id="what-follows-a-missing-one-is-its-consequence",
    ),
    pytest.param(
        {MAIN: {"continued_trajectory_ref": "/logs/agent/trajectory.cont-1.json"}},
        [f"ATIF121 warning {MAIN}#/continued_trajectory_ref"],
        id="absolute-path",
    ),
    pytest.param(
        {MAIN: {"continued_trajectory_ref": "../agent/trajectory.cont-1.json"}}, [], id="up-and-down-inside-the-trial"
    ),
    pytest.param(
        {MAIN: {"continued_trajectory_ref": ""}},
        [f"ATIF120 warning {MAIN}#/continued_trajectory_ref"],
        id="empty-reference",
    ),
    pytest.param(
        {MAIN: {"continued_trajectory_ref": "trajectory.json"}, CONT: None, "result.json": {"agent_result": None}},
        [f"ATIF122 warning {MAIN}#/continued_trajectory_ref"],
        id="leads-to-itself",
    ),
    pytest.param(
        {CONT: {"continued_trajectory_ref": "trajectory.json"}},
        [f"ATIF122 warning {CONT}#/continued_trajectory_ref"],
        id="leads-back-to-the-first",
    ),
    pytest.param({"agent/trajectory.cont-3.json": CONT_2}, ["ATIF123 warning agent/trajectory.cont-3.json#"], id="gap"),
    pytest.param(
        {"agent/trajectory.cont-2.json": CONT_2}, ["ATIF124 warning agent/trajectory.cont-2.json#"], id="suffix-only"
    ),
    pytest.param({MAIN: Raw(b"{")}, [], id="unreadable-first-segment-may-hold-every-reference"),
    pytest.param(
        {SUB: None},
        [f"ATIF126 warning {MAIN}#/steps/2/observation/results/0/subagent_trajectory_ref/0/trajectory_path"],
        id="subagent-missing",
    ),
    pytest.param(
        {"agent/trajectory.other.json": {"session_id": "s-1-x"}},
        ["ATIF127 warning agent/trajectory.other.json#"],
        id="subagent-unreferenced",
    ),
    pytest.param(
        {"agent/trajectory.other.json": {"session_id": "s-1-x"}} | ended("AgentTimeoutError"),
        ["HB011 info /result.json/exception_info", "ATIF127 info agent/trajectory.other.json#"],
        id="subagent-of-the-turn-that-was-lost",
    ),
    pytest.param({CONT: {"session_id": "else"}}, [f"ATIF131 warning {CONT}#/session_id"], id="foreign-session"),
    pytest.param({CONT: {"session_id": "s-10"}}, [f"ATIF131 warning {CONT}#/session_id"], id="no-prefix-of-another-id"),
    pytest.param(
        {SUB: {"session_id": "x", "agent": {"extra": {"parent_session_id": "s-1"}}}}, [], id="subagent-names-its-parent"
    ),
    pytest.param({SUB: {"agent": {"name": "claude-code"}}}, [], id="a-subagent-is-another-agent"),
]


@pytest.mark.parametrize(("patches", "expected"), SEGMENTS)
def test_segments_and_subagents(patches: dict[str, Any], expected: list[str], tmp_path: Path) -> None:
    assert expected == found("segments", patches, tmp_path)


def step(time: str, **more: Any) -> dict[str, Any]:
    return {MAIN: {"steps": [{"step_id": 1, "timestamp": time, "source": "user", "message": "", **more}]}}


CLAIMS = [
    pytest.param(step("2026-03-02T10:01:39Z"), [], id="stamped-within-a-minute-of-the-end"),
    pytest.param(
        step("2026-03-02T10:02:00Z"), [f"ATIF130 warning {MAIN}#/steps/0/timestamp"], id="stamped-after-the-trial"
    ),
    pytest.param(step("2026-03-02T18:00:11+08:00"), [], id="another-zone"),
    pytest.param(step("2026-02-01T10:00:00"), [], id="a-naive-time-is-not-guessed-at"),
    pytest.param(step("2026-02-01T10:00:00Z", is_copied_context=True), [], id="copied-context-is-older"),
    pytest.param(
        step("2026-02-01T10:00:00Z") | {"config.json": {"source_trial": {"trial_id": "x"}}},
        [f"ATIF130 info {MAIN}#/steps/0/timestamp"],
        id="regraded",
    ),
    pytest.param({MAIN: {"agent": {"version": "unknown"}}}, [], id="unknown-version-says-nothing"),
    pytest.param(
        result(agent_info={"name": "other"}), [f"ATIF132 warning {MAIN}#/agent/name"], id="result-names-another-agent"
    ),
    pytest.param(
        result(agent_result={"n_input_tokens": 7}),
        [f"ATIF136 warning {MAIN}#/final_metrics/total_prompt_tokens"],
        id="tokens-of-nothing",
    ),
    pytest.param(result(agent_result={"n_input_tokens": 0, "n_cache_tokens": 5}), [], id="zero-and-unknown"),
    pytest.param(
        result(agent_result={"n_input_tokens": 7}) | {"user-agent/trajectory.json": {}}, [], id="simulated-user"
    ),
]


@pytest.mark.parametrize(("patches", "expected"), CLAIMS)
def test_claims_against_the_result(patches: dict[str, Any], expected: list[str], tmp_path: Path) -> None:
    assert expected == found("trial", patches, tmp_path)


TOTALS = {"total_prompt_tokens": 130, "total_completion_tokens": 15}
EXPLAINED = [
    pytest.param({}, {MAIN, CONT}, id="own-steps"),
    pytest.param({MAIN: {"final_metrics": TOTALS}}, {MAIN, CONT}, id="with-the-subagent"),
    pytest.param(
        {CONT: {"final_metrics": {"total_prompt_tokens": 200, "total_completion_tokens": 20}}},
        {MAIN, CONT},
        id="cumulative",
    ),
    pytest.param({CONT: {"final_metrics": {"total_prompt_tokens": 201}}}, {MAIN}, id="more-than-there-is"),
    pytest.param(
        {CONT: {"final_metrics": {"total_prompt_tokens": 999}}} | ended("AgentTimeoutError"),
        {MAIN, CONT},
        id="more-than-there-is-after-a-timeout",
    ),
]


@pytest.mark.parametrize(("patches", "expected"), EXPLAINED)
def test_totals_that_the_trial_explains(patches: dict[str, Any], expected: set[str], tmp_path: Path) -> None:
    trial = checked(build(tmp_path / TRIAL_NAME, changed("segments", patches)))
    assert expected == trial.explained & {MAIN, CONT}


WORDS = [
    pytest.param({}, "finished", id="finished"),
    pytest.param(ended("Timeout"), "exception", id="ended-by-an-exception"),
    pytest.param(result(finished_at=None), "open", id="no-finished-at"),
    pytest.param({"result.json": None}, "open", id="no-result"),
    pytest.param({"result.json": Raw(b"")}, "unknown", id="unreadable-result"),
]


@pytest.mark.parametrize(("patches", "word"), WORDS)
def test_the_verdict_says_how_the_trial_ended(patches: dict[str, Any], word: str, tmp_path: Path) -> None:
    trial = checked(build(tmp_path / TRIAL_NAME, changed("trial", patches)))
    assert {"harbor-trial": word} == trial.verdicts


def test_an_empty_folder_and_a_file_are_trials_with_one_finding(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "empty").mkdir()
    assert [["HB007 error"], ["HB009 error"]] == [lines(checked(tmp_path / name)) for name in ("file", "empty")]


def test_files_that_are_named_outside_the_usual_places_are_handed_on(tmp_path: Path) -> None:
    patches: dict[str, Any] = {MAIN: {"continued_trajectory_ref": "more/part.json"}, "agent/more/part.json": {}}
    trial = checked(build(tmp_path / TRIAL_NAME, changed("trial", patches)))
    assert ([], ("agent/more/part.json",)) == (lines(trial), trial.further)


def test_documents_that_are_not_given_are_compared_with_nothing(tmp_path: Path) -> None:
    folder = build(tmp_path / TRIAL_NAME, changed("segments", {CONT: None}))
    assert [] == lines(check_trial(read_trial(folder)))


def test_a_check_changes_nothing(tmp_path: Path) -> None:
    trial = read_trial(build(tmp_path / TRIAL_NAME, changed("segments", ended("AgentTimeoutError"))))
    documents = documents_of(trial)
    before = copy.deepcopy((trial, documents))
    check_trial(trial, documents)
    assert before == (trial, documents)


def test_the_table_of_exceptions_holds_each_type_once() -> None:
    assert (58, True, False) == (
        len(POLICIES),
        policy_of("AgentTimeoutError").reward_valid,
        policy_of("VerifierTimeoutError").reward_valid,
    )
    assert policy_of("SomethingElse").reward_valid


# --- the job that a trial lies in --------------------------------------------------------------------------------

LOCK: dict[str, Any] = {"harbor": {"version": "0.26.0"}, "trials": []}
RELEASES = [
    pytest.param({"lock.json": LOCK}, "0.26.0", id="the-job's-lock-names-it"),
    pytest.param({"lock.json": {"trials": []}}, "", id="the-lock-does-not-name-it"),
    pytest.param({"lock.json": {**LOCK, "harbor": {"version": "the newest"}}}, "", id="no-release-number"),
    pytest.param({"lock.json": Raw(b"{")}, "", id="the-lock-cannot-be-read"),
    pytest.param({"lock.json": Raw(b"[]")}, "", id="the-lock-is-no-object"),
    pytest.param({}, "", id="the-folder-above-has-no-lock"),
    pytest.param({"lock.json": LOCK, "pyproject.toml": ""}, "", id="the-folder-above-is-no-job"),
    pytest.param({"lock.json": Link("../elsewhere.json")}, "", id="the-lock-leads-out-of-the-job"),
]


@pytest.mark.parametrize(("files", "release"), RELEASES)
def test_the_release_is_what_the_job_around_a_trial_names(files: dict[str, Any], release: str, tmp_path: Path) -> None:
    build(tmp_path, {"elsewhere.json": LOCK})
    job = build(tmp_path / "job", {f"{TRIAL_NAME}/config.json": {}, f"{TRIAL_NAME}/agent/x": "", **files})
    assert release == release_of_job(str(job / TRIAL_NAME))


def test_a_trial_that_is_reached_by_a_link_is_of_the_job_that_it_lies_in(tmp_path: Path) -> None:
    build(tmp_path / "job", {"lock.json": LOCK, f"{TRIAL_NAME}/config.json": {}, f"{TRIAL_NAME}/agent/x": ""})
    other = build(tmp_path / "other", {"lock.json": {**LOCK, "harbor": {"version": "0.1.0"}}, "job.log": ""})
    (other / "here").symlink_to(tmp_path / "job" / TRIAL_NAME)
    assert "0.26.0" == release_of_job(str(other / "here"))
