"""A trial's folder as Bundles: what each file gives, what stays beside, and what is never made up (atif.md §5.7)."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from attraj.bundle.model import Bundle
from attraj.findings import Severity
from attraj.formats.atif.read import PLACES as ATIF_PLACES
from attraj.formats.harbor.exceptions import WITHOUT_REWARD
from attraj.formats.harbor.facts import Facts
from attraj.formats.harbor.layout import read_trial
from attraj.formats.harbor.read import PLACES, parts_of, read_run
from attraj.formats.mapping.draft import Settings
from attraj.formats.mapping.fields import is_same
from attraj.formats.mapping.restore import restore, sources
from attraj.jsonio import parse
from attraj.jsonio.write import dumps
from attraj.verbs.validate import validate
from tests.formats.harbor.folders import TRIAL_NAME, Link, Raw, base, build, changed, documents_of
from tests.support import CORPUS, needs_corpus

Json = dict[str, Any]
UUID = "11111111-1111-4111-8111-111111111111"
DIGEST = "sha256:" + 64 * "0"


def bundles(folder: Path, *, release: str = "0.26.0", inferred: bool = True, name: str = "jobs/hello") -> list[Json]:
    """Every Bundle of a trial, the main documents and no further ones read."""
    trial = read_trial(folder)
    facts = Facts(trial, documents_of(trial))
    asked = Settings(name=name, has_inferred_edges=inferred)
    return [read_run(facts, run, asked, release=release).finish() for run in parts_of(facts)]


def bundle(tmp_path: Path, base_name: str, patches: Mapping[str, Any]) -> Json:
    """The one Bundle of a base folder with patches."""
    (found,) = bundles(build(tmp_path / TRIAL_NAME, changed(base_name, patches)))
    return found


def errors(tree: Json) -> list[str]:
    report = validate(parse(dumps(tree)))
    return [f"{f.code} {f.location.pointer}" for f in report.findings if f.severity is Severity.ERROR]


def by_id(records: list[Json], member: str) -> dict[str, Json]:
    return {one[member]: one for one in records}


# --- identity ----------------------------------------------------------------------------------------------------


def test_a_bundle_has_the_identity_of_the_trial_and_not_of_a_session(tmp_path: Path) -> None:
    found = bundle(tmp_path, "trial", {})
    assert (UUID, UUID) == (found["trajectory_id"], found["scope"]["attempt_id"])


def test_a_step_adds_its_name(tmp_path: Path) -> None:
    found = bundles(build(tmp_path / TRIAL_NAME, base("steps")))
    assert [f"{UUID}:build", f"{UUID}:test"] == [one["trajectory_id"] for one in found]
    assert ["build", "test"] == [one["scope"]["objective_id"] for one in found]


def test_a_trial_without_a_uuid_is_called_by_its_place(tmp_path: Path) -> None:
    found = bundle(tmp_path, "trial", {"result.json": {"id": None}})
    assert "at:harbor:jobs/hello" == found["trajectory_id"]
    assert "attempt_id" not in found["scope"]
    assert [] == errors(found)


# --- bindings ----------------------------------------------------------------------------------------------------


def test_bindings_say_what_ran_and_what_is_not_known(tmp_path: Path) -> None:
    found = bundle(tmp_path, "trial", {"result.json": {"agent_info": {"model_info": {"name": "m-1", "provider": "p"}}}})
    bindings = found["bindings"]
    assert [{"name": "hello", "digest": DIGEST}] == bindings["tasks"]
    assert [{"id": "harbor", "version": "0.26.0"}] == bindings["harnesses"]
    assert [{"id": "verifier:task-tests", "version": DIGEST}] == bindings["verifiers"]
    assert {"id": "m-1", "provider": "p"} == bindings["models"][0]
    assert {"name": "terminus-2", "version": "2.0.0"} == bindings["agents"][0]
    assert ["unknown"] == [one["availability"] for one in bindings["environments"]]
    assert ["unknown"] == [one["availability"] for one in bindings["principals"]]
    assert "tools" not in bindings  # none was called


def test_the_release_is_unknown_without_the_job(tmp_path: Path) -> None:
    (found,) = bundles(build(tmp_path / TRIAL_NAME, base("trial")), release="")
    assert "unknown" == found["bindings"]["harnesses"][0]["availability"]
    assert "harbor" == found["source"]["implementation"]


TASKS = [
    pytest.param({}, {"name": "hello", "digest": DIGEST}, id="the lock's digest wins over the checksum"),
    pytest.param(
        {"lock.json": None},
        {"name": "hello", "digest": {"algorithm": "harbor-dirhash", "value": "00"}},
        id="without a lock the checksum is the identity, as what it is",
    ),
    pytest.param(
        {"lock.json": {"task": {"version": "3"}}},
        {"name": "hello", "digest": DIGEST, "version": "3"},
        id="the task's version",
    ),
    pytest.param(
        {"lock.json": {"task": {"source": "d", "git_url": "https://h/t.git", "git_commit_id": "ab"}}},
        {"name": "hello", "digest": DIGEST, "source": "d", "git_url": "https://h/t.git", "git_commit_id": "ab"},
        id="where the task comes from",
    ),
    pytest.param(
        {"lock.json": {"source_trial": {"trial_id": "t-0", "task": {"name": "old", "digest": "sha256:ab"}}}},
        {"name": "old", "digest": "sha256:ab"},
        id="a regrade: the task that was run, while the verifier is of the new one",
    ),
]


@pytest.mark.parametrize(("patches", "task"), TASKS)
def test_the_task(tmp_path: Path, patches: Json, task: Json) -> None:
    assert [task] == bundle(tmp_path, "trial", patches)["bindings"]["tasks"]


def test_a_regrade_is_derived_and_no_new_run(tmp_path: Path) -> None:
    found = bundle(tmp_path, "trial", {"lock.json": {"source_trial": {"trial_id": "t-0", "action": "regrade"}}})
    last = found["transform"]["derived_from"][-1]
    assert ("t-0", "reward_derivation_of") == (last["trajectory_id"], last["relation"])
    assert DIGEST == found["bindings"]["verifiers"][0]["version"]
    assert [] == errors(found)


# --- how it ended ------------------------------------------------------------------------------------------------

_NO_VERDICT = "Harbor declares no threshold: the rewards are numbers and no verdict"
_DOUBTED = "beside an exception with which Harbor, from 0.25, lets no reward count"
_RECORDED = "beside an exception with which, as Harbor recorded, no reward counts"

ENDINGS = [
    pytest.param("AgentTimeoutError", "timed_out", "timed_out", id="the time was up"),
    pytest.param("NonZeroAgentExitCodeError", "agent_ended", "failed", id="the agent's own ending"),
    pytest.param("SandboxBuildFailedError", "environment_failed", "failed", id="the environment failed"),
    pytest.param("RateLimitError", "provider_failed", "failed", id="the provider failed"),
    pytest.param("BadRequestError", "request_failed", "failed", id="the request was wrong"),
    pytest.param("BudgetExceededError", "budget_exceeded", "failed", id="the budget was used up"),
    pytest.param("CancelledError", "cancelled", "cancelled", id="cancelled"),
    pytest.param("AuthenticationError", "setup_failed", "failed", id="the user's set-up"),
    pytest.param("SomethingElse", "ended_by_exception", "failed", id="a type that Harbor has no policy for"),
]


@pytest.mark.parametrize(("kind", "termination", "status"), ENDINGS)
def test_termination_goes_by_the_policy_table(tmp_path: Path, kind: str, termination: str, status: str) -> None:
    exception = {"exception_type": kind, "exception_message": "m", "occurred_at": "2026-03-02T10:00:20"}
    found = bundle(tmp_path, "trial", {"result.json": {"exception_info": exception}, "exception.txt": "traceback"})
    assert {"status": termination, "reason": kind} == found["scope"]["termination"]
    runtime = by_id(found["outcomes"], "outcome_id")["outcome:runtime"]
    assert (status, "runtime", True) == (runtime["status"], runtime["authority_class"], runtime["terminal"])
    assert ["file:result.json", "file:exception.txt"] == runtime["evidence_refs"]
    assert {"message": "m", "occurred_at": "2026-03-02T10:00:20"} == runtime["value"]  # no policy that is not recorded
    assert [] == errors(found)


@pytest.mark.parametrize("kind", sorted(WITHOUT_REWARD))
def test_a_verifier_that_failed_is_no_failure_of_the_run(tmp_path: Path, kind: str) -> None:
    exception = {"exception_type": kind, "exception_message": "m", "occurred_at": "2026-03-02T10:00:20"}
    result = {"exception_info": exception, "verifier_result": None}
    found = bundle(tmp_path, "trial", {"result.json": result, "exception.txt": "traceback"})
    assert {"status": "verification_failed", "reason": kind} == found["scope"]["termination"]
    runtime = by_id(found["outcomes"], "outcome_id")["outcome:runtime"]
    assert ("finished", ["file:result.json"], False) == (
        runtime["status"],
        runtime["evidence_refs"],
        "value" in runtime,
    )
    (failed,) = found["verifier_results"]
    assert ("error", "m", "2026-03-02T10:00:20") == (
        failed["status"],
        failed["output"]["message"],
        failed["output"]["occurred_at"],
    )
    assert "file:exception.txt" in failed["evidence_refs"]
    assert [] == errors(found)


def test_where_the_agent_never_ran_a_failed_verifier_leaves_its_end_unknown(tmp_path: Path) -> None:
    result = {"exception_info": {"exception_type": "RewardFileEmptyError"}, "agent_execution": None}
    found = bundle(tmp_path, "trial", {"result.json": result})
    assert "unknown" == by_id(found["outcomes"], "outcome_id")["outcome:runtime"]["status"]


DOUBTS = [
    pytest.param("0.18.0", {}, _NO_VERDICT, id="before 0.25 any reward counts"),
    pytest.param("0.25.0", {}, _DOUBTED, id="from 0.25 the table holds"),
    pytest.param("", {}, _DOUBTED, id="of a release that is not known nobody can tell"),
    pytest.param("0.26.0", {"policy": {"has_valid_reward": True}}, _NO_VERDICT, id="what was recorded counts"),
    pytest.param("0.26.0", {"policy": {"has_valid_reward": False}}, _RECORDED, id="one way and the other"),
]


@pytest.mark.parametrize(("release", "policy", "reason"), DOUBTS)
def test_a_reward_beside_an_exception(tmp_path: Path, release: str, policy: Json, reason: str) -> None:
    result = {"exception_info": {"exception_type": "RateLimitError", **policy}, "reward_valid": None}
    folder = build(tmp_path / TRIAL_NAME, changed("trial", {"result.json": result}))
    (found,) = bundles(folder, release=release)
    (judged,) = found["verifier_results"]
    assert ("indeterminate", reason) == (judged["status"], judged["output"]["reason"])


def test_a_recorded_policy_is_carried_and_none_is_looked_up(tmp_path: Path) -> None:
    policy = {"should_retry": False, "should_grade": True, "has_valid_reward": True}
    found = bundle(
        tmp_path,
        "trial",
        {"result.json": {"exception_info": {"exception_type": "AgentTimeoutError", "policy": policy}}},
    )
    assert {"policy": policy} == by_id(found["outcomes"], "outcome_id")["outcome:runtime"]["value"]


def test_a_finished_run_is_no_success(tmp_path: Path) -> None:
    found = bundle(tmp_path, "trial", {})
    runtime = by_id(found["outcomes"], "outcome_id")["outcome:runtime"]
    assert "finished" == runtime["status"]
    assert {"kind": "end of the trial", "to": "2026-03-02T10:00:40Z"} == runtime["asserted_at"]
    assert "finished" == found["scope"]["termination"]["status"]


OPEN = [
    pytest.param({"result.json": {"finished_at": None}}, id="no finished_at"),
    pytest.param({"result.json": None}, id="no result.json"),
]


@pytest.mark.parametrize("patches", OPEN)
def test_a_trial_whose_end_is_not_recorded_is_open_and_has_no_runtime_outcome(tmp_path: Path, patches: Json) -> None:
    found = bundle(tmp_path, "trial", patches)
    assert ("open", "open") == (found["completeness"]["status"], found["scope"]["termination"]["status"])
    assert ["outcome:self-report"] == [one["outcome_id"] for one in found["outcomes"]]
    assert [] == errors(found)


def test_the_agents_last_message_is_a_self_report_of_which_nothing_is_read(tmp_path: Path) -> None:
    report = by_id(bundle(tmp_path, "trial", {})["outcomes"], "outcome_id")["outcome:self-report"]
    assert ("agent_self_report", "unknown", "step:2") == (
        report["authority_class"],
        report["status"],
        report["asserted_at_node"],
    )
    assert "unknown" == report["terminal"]["$at"]["status"]
    assert "agent:terminus-2" == report["producer"]


def test_an_agent_that_nothing_names_has_no_name(tmp_path: Path) -> None:
    patches = {
        "result.json": {"agent_info": None},
        "config.json": {"agent": {"name": None}},
        "agent/trajectory.json": {"agent": {"name": ""}},
    }
    report = by_id(bundle(tmp_path, "trial", patches)["outcomes"], "outcome_id")["outcome:self-report"]
    assert "agent" == report["producer"]


def test_a_trial_without_a_trajectory_discloses_nothing_that_it_cannot_know(tmp_path: Path) -> None:
    found = bundle(tmp_path, "trial", {"agent/trajectory.json": None, "agent/log.txt": "x"})
    words = [found["disclosure"][name] for name in ("private_reasoning", "user_content", "raw_event_payloads")]
    assert (["unknown"] * 3, []) == (words, errors(found))


def test_a_bundle_says_what_of_the_trial_it_is_of(tmp_path: Path) -> None:
    steps = bundles(build(tmp_path / "steps" / TRIAL_NAME, base("steps")))
    assert {"everything that the trial's folder says of one of its steps"} == {b["scope"]["selection"] for b in steps}
    assert "everything that the trial's folder says of its run" == bundle(tmp_path, "trial", {})["scope"]["selection"]


def test_the_call_that_says_done_is_a_self_report(tmp_path: Path) -> None:
    steps = copy.deepcopy(base("trial")["agent/trajectory.json"]["steps"])
    steps[1]["tool_calls"] = [{"tool_call_id": "c", "function_name": "mark_task_complete", "arguments": {}}]
    found = bundle(tmp_path, "trial", {"agent/trajectory.json": {"steps": steps}})
    report = by_id(found["outcomes"], "outcome_id")["outcome:self-report"]
    assert ("completed", True, "step:2:call:1") == (report["status"], report["terminal"], report["asserted_at_node"])
    assert [] == errors(found)


def test_an_agent_that_went_on_after_saying_done_has_not_ended_by_it(tmp_path: Path) -> None:
    steps = copy.deepcopy(base("trial")["agent/trajectory.json"]["steps"])
    steps[1]["tool_calls"] = [{"tool_call_id": "c", "function_name": "mark_task_complete", "arguments": {}}]
    steps.append({"step_id": 3, "source": "agent", "message": "one more look"})
    found = bundle(tmp_path, "trial", {"agent/trajectory.json": {"steps": steps}})
    report = by_id(found["outcomes"], "outcome_id")["outcome:self-report"]
    assert ("unknown", "step:3") == (report["status"], report["asserted_at_node"])


# --- verifier and rewards ----------------------------------------------------------------------------------------


def test_every_reward_key_has_a_record(tmp_path: Path) -> None:
    rewards = {"correctness": 1.0, "style": 0.25, "latency_sec": 3}
    found = bundle(tmp_path, "trial", {"result.json": {"verifier_result": {"rewards": {"reward": None, **rewards}}}})
    records = found["reward_records"]
    assert [f"harbor-reward:{key}" for key in rewards] == [one["policy"] for one in records]
    assert [(1.0, float), (0.25, float), (3, int)] == [(one["value"], type(one["value"])) for one in records]
    assert {(DIGEST, UUID, "retrospective", "2026-03-02T10:00:30Z")} == {
        (one["policy_version"], one["attribution_target"], one["timing"], one["created_at"]) for one in records
    }
    assert [["verifier-result:run"]] * 3 == [one["sources"] for one in records]


@pytest.mark.parametrize("value", [None, "1.0", True, [1]], ids=["null", "a text", "true", "a list"])
def test_a_reward_that_is_no_number_is_unavailable_and_no_zero(tmp_path: Path, value: Any) -> None:
    files = base("trial")
    files["result.json"]["verifier_result"] = {"rewards": {"reward": value}}
    folder = build(tmp_path / TRIAL_NAME, files)
    (found,) = bundles(folder)
    (record,) = found["reward_records"]
    assert "unavailable" == record["value"]["$at"]["status"]
    assert ([], []) == (lost_files(folder, found), errors(found))


CTRF = {"results": {"tool": {"name": "pytest"}, "summary": {"tests": 2, "passed": 2, "failed": 0}, "tests": []}}
FAILED = {"results": {"summary": {"tests": 2, "passed": 1, "failed": 1}}}
SKIPPED = {"results": {"summary": {"tests": 2, "passed": 1, "failed": 0, "skipped": 1}}}
STATUSES = [
    pytest.param({}, "indeterminate", id="a reward alone is no verdict"),
    pytest.param({"verifier/ctrf.json": CTRF}, "pass", id="every test of the report passed"),
    pytest.param({"verifier/ctrf.json": FAILED}, "fail", id="a test of the report failed"),
    pytest.param({"verifier/ctrf.json": SKIPPED}, "indeterminate", id="a test of the report was skipped"),
    pytest.param(
        {"verifier/ctrf.json": {"results": {"summary": {"tests": "2", "passed": 2, "failed": 0}}}},
        "indeterminate",
        id="the report gives no counts",
    ),
    pytest.param(
        {"result.json": {"reward_valid": False}, "verifier/ctrf.json": CTRF},
        "indeterminate",
        id="Harbor says that the reward is not valid",
    ),
    pytest.param(
        {"result.json": {"reward_valid": None, "exception_info": {"exception_type": "RateLimitError"}}},
        "indeterminate",
        id="an exception beside which no reward counts",
    ),
    pytest.param(
        {
            "result.json": {"verifier_result": None, "exception_info": {"exception_type": "VerifierOutputParseError"}},
            "verifier/reward.txt": "nan\n",
        },
        "error",
        id="a reward that Harbor refused",
    ),
    pytest.param(
        {"result.json": {"verifier_result": None}, "verifier/reward.txt": None}, "error", id="the verifier left nothing"
    ),
]


@pytest.mark.parametrize(("patches", "status"), STATUSES)
def test_the_verifiers_word(tmp_path: Path, patches: Json, status: str) -> None:
    found = bundle(tmp_path, "trial", patches)
    (result,) = found["verifier_results"]
    assert (status, "verifier:task-tests", DIGEST) == (result["status"], result["verifier"], result["verifier_version"])
    assert (1 if child_rewards(patches) else 0) == len(found["reward_records"])
    assert [] == errors(found)


def child_rewards(patches: Json) -> bool:
    return patches.get("result.json", {}).get("verifier_result", {}) is not None


NO_RESULTS = [
    pytest.param(
        {
            "config.json": {"verifier": {"disable": True}},
            "result.json": {"verifier_result": None, "verifier": None},
            "verifier/reward.txt": None,
        },
        "none_in_scope",
        id="the verifier was switched off",
    ),
    pytest.param(
        {"result.json": {"verifier_result": None, "verifier": None}, "verifier/reward.txt": None},
        "not_available",
        id="the verifier never ran",
    ),
]


@pytest.mark.parametrize(("patches", "absence"), NO_RESULTS)
def test_no_result_is_made_up(tmp_path: Path, patches: Json, absence: str) -> None:
    found = bundle(tmp_path, "trial", patches)
    assert ([], [], absence) == (
        found["verifier_results"],
        found["reward_records"],
        found["disclosure"]["absences"]["verifier_results"],
    )


def test_a_reward_file_that_result_json_did_not_take_is_no_reward(tmp_path: Path) -> None:
    found = bundle(tmp_path, "trial", {"result.json": {"verifier_result": None, "verifier": None}})
    assert [] == found["reward_records"]
    (omission,) = [one for one in found["completeness"]["material_omissions"] if one["class"] == "reward file"]
    assert ["file:verifier/reward.txt"] == omission["refs"]


AGGREGATIONS = [
    pytest.param(1.0, 0.0, 0.5, "mean", id="the mean"),
    pytest.param(1.0, 0.0, 0.0, "the last step's", id="the last step's"),
    pytest.param(1.0, 1.0, 1.0, None, id="both would give it"),
    pytest.param(1.0, 0.0, 0.3, None, id="neither gives it"),
]


@pytest.mark.parametrize(("first", "last", "trial", "expected"), AGGREGATIONS)
def test_the_trials_reward_is_in_the_last_steps_bundle_alone(
    tmp_path: Path, first: float, last: float, trial: float, expected: str | None
) -> None:
    files = base("steps")
    result = files["result.json"]
    result["verifier_result"]["rewards"]["reward"] = trial
    for step, value in zip(result["step_results"], (first, last), strict=True):
        step["verifier_result"]["rewards"]["reward"] = value
    one, two = bundles(build(tmp_path / TRIAL_NAME, files))
    assert [("reward:run:0", first)] == [(r["reward_id"], r["value"]) for r in one["reward_records"]]
    assert [("reward:run:0", last), ("reward:trial:0", trial)] == [
        (r["reward_id"], r["value"]) for r in two["reward_records"]
    ]
    aggregation = two["reward_records"][1]["aggregation"]
    assert (expected is None) == (type(aggregation) is dict)
    assert expected is None or aggregation.startswith(expected)
    assert [UUID] == two["reward_records"][1]["scope"]
    assert [] == errors(one) + errors(two)


# --- what was allowed and used -----------------------------------------------------------------------------------


def test_resources_are_those_of_the_trials_own_account(tmp_path: Path) -> None:
    agent = {"name": "terminus-2", "override_timeout_sec": 30.0, "kwargs": {"max_turns": 5}}
    found = bundle(tmp_path, "trial", {"result.json": {"config": {"agent": agent, "timeout_multiplier": 2.0}}})
    resources = found["scope"]["resources"]
    assert {"timeout_multiplier": 2.0, "agent_timeout_s": 30.0, "max_turns": 5} == resources["budget"]
    assert (100, 10) == (
        resources["observed"]["trial"]["prompt_tokens"],
        resources["observed"]["trial"]["completion_tokens"],
    )
    assert "cached_tokens" not in resources["observed"]["trial"]  # null is no 0


def test_a_timeout_that_is_not_here_is_unavailable(tmp_path: Path) -> None:
    budget = bundle(tmp_path, "trial", {})["scope"]["resources"]["budget"]
    assert "unavailable" == budget["task_agent_timeout_s"]["$at"]["status"]


def test_rollout_details_are_kept_where_they_were_recorded(tmp_path: Path) -> None:
    details = [{"prompt_token_ids": [[1, 2]], "completion_token_ids": [[3]], "logprobs": [[-0.5]]}]
    found = bundle(tmp_path, "trial", {"result.json": {"agent_result": {"rollout_details": details}}})
    assert details == _source(found, "file:result.json")["rest"]["/agent_result/rollout_details"]


# --- trajectories ------------------------------------------------------------------------------------------------


def test_segments_and_subagents_are_threads_that_references_link(tmp_path: Path) -> None:
    found = bundle(tmp_path, "segments", {})
    assert [None, "cont-1", "summarization-1-summary"] == list(
        dict.fromkeys(node.get("thread_id") for node in found["nodes"])
    )
    linked = {(edge["relation"], edge["from"], edge["to"]) for edge in found["edges"]}
    assert ("resumes", "continuation", "cont-1/step:1") in linked
    assert ("delegates", "step:3:subagent:1:1", "summarization-1-summary/step:1") in linked
    assert [] == errors(found)


def test_copied_context_is_no_new_experience(tmp_path: Path) -> None:
    steps = copy.deepcopy(base("segments")["agent/trajectory.cont-1.json"]["steps"])
    steps.insert(1, {"step_id": 2, "source": "agent", "message": "Writing the file.", "is_copied_context": True})
    steps[2]["step_id"] = 3
    found = bundle(tmp_path, "segments", {"agent/trajectory.cont-1.json": {"steps": steps}})
    nodes = by_id(found["nodes"], "node_id")
    assert False is nodes["cont-1/step:2"]["training"]["target"]
    assert "model_call" not in nodes["cont-1/step:2"]
    assert "training" not in nodes["cont-1/step:3"]


def test_a_shared_session_links_nothing(tmp_path: Path) -> None:
    files = base("segments")
    files["agent/trajectory.json"].pop("continued_trajectory_ref")
    files["agent/trajectory.json"]["steps"].pop()
    for name in ("agent/trajectory.cont-1.json", "agent/trajectory.summarization-1-summary.json"):
        files[name]["session_id"] = "s-1"
    (found,) = bundles(build(tmp_path / TRIAL_NAME, files), inferred=False)
    assert [] == links(found)


def links(found: Json) -> list[tuple[str, str, str, str]]:
    """What leads from one trajectory to another, and how that is known."""
    return [
        (edge["from"], edge["to"], edge["relation"], edge["basis"])
        for edge in found["edges"]
        if edge["relation"] in ("resumes", "delegates")
    ]


BY_NAME = "only its name says that a segment is a continuation"


def unreferenced(tmp_path: Path, *numbers: int) -> tuple[Json, list[str]]:
    """The Bundle of a trial whose segments nothing refers to, and the places of what is said of that."""
    files = base("segments")
    files["agent/trajectory.json"].pop("continued_trajectory_ref")
    segment = files.pop("agent/trajectory.cont-1.json")
    files |= {f"agent/trajectory.cont-{number}.json": copy.deepcopy(segment) for number in numbers}
    (found,) = bundles(build(tmp_path / TRIAL_NAME, files))
    assert [] == errors(found)
    assert BY_NAME in found["completeness"]["reason"]
    lost = [loss for loss in found["transform"]["lossy"] if loss["code"] == "continuation-by-name"]
    return found, [place for loss in lost for place in loss.get("places", [loss["pointer"]])]


def test_a_segment_that_nothing_refers_to_follows_by_its_number_and_with_a_warning(tmp_path: Path) -> None:
    found, lost = unreferenced(tmp_path, 1, 2)
    last = [node["node_id"] for node in found["nodes"] if "thread_id" not in node][-1]
    assert [
        (last, "cont-1/step:1", "resumes", "turn_order"),
        ("cont-1/step:2", "cont-2/step:1", "resumes", "turn_order"),
    ] == [one for one in links(found) if one[2] == "resumes"]
    assert ["/agent/trajectory.cont-1.json/steps", "/agent/trajectory.cont-2.json/steps"] == lost


def test_a_hole_in_the_numbers_is_not_read_over(tmp_path: Path) -> None:
    found, _ = unreferenced(tmp_path, 2)
    assert [] == [one for one in links(found) if one[2] == "resumes"]
    omitted = [one["reason"] for one in found["completeness"]["material_omissions"]]
    assert "which segment a continuation follows is not recorded" in omitted


def test_a_segment_that_goes_on_elsewhere_is_followed_by_none_of_the_same_number(tmp_path: Path) -> None:
    files = base("segments")
    files["agent/trajectory.json"]["continued_trajectory_ref"] = "../../x.json"
    (found,) = bundles(build(tmp_path / TRIAL_NAME, files))
    assert [] == [one for one in links(found) if one[2] == "resumes"]
    assert BY_NAME in found["completeness"]["reason"]


LEADS_NOWHERE = [
    pytest.param("trajectory.cont-1.json", "trajectory.json", id="back to where it came from"),
    pytest.param("../../other/agent/trajectory.json", None, id="out of the folder"),
    pytest.param("trajectory.cont-9.json", None, id="to a file that is not there"),
    pytest.param("https://example.org/t.json", None, id="to a place on the net"),
]


@pytest.mark.parametrize(("reference", "back"), LEADS_NOWHERE)
def test_references_are_followed_within_the_folder_and_in_no_circle(
    tmp_path: Path, reference: str, back: str | None
) -> None:
    files = base("segments")
    build(tmp_path / "other", {"agent/trajectory.json": files["agent/trajectory.json"]})
    files["agent/trajectory.json"]["continued_trajectory_ref"] = reference
    if back:
        files["agent/trajectory.cont-1.json"]["continued_trajectory_ref"] = back
    (found,) = bundles(build(tmp_path / TRIAL_NAME, files))
    resumed = [(edge["from"], edge["to"]) for edge in found["edges"] if edge["relation"] == "resumes"]
    assert ([("continuation", "cont-1/step:1")] if back else []) == resumed
    omitted = {one["class"]: one["reason"] for one in found["completeness"]["material_omissions"]}
    assert ("reference" if back else "continuation") in omitted
    assert ("leads back" in omitted.get("reference", "")) == bool(back)
    assert [] == errors(found)


def test_a_link_out_of_the_folder_is_not_read(tmp_path: Path) -> None:
    outside = build(tmp_path / "other", {"secret.json": base("trial")["agent/trajectory.json"]}) / "secret.json"
    files = changed("trial", {"agent/trajectory.json": None}) | {"agent/trajectory.json": Link(str(outside))}
    (found,) = bundles(build(tmp_path / TRIAL_NAME, files))
    assert [] == found["nodes"]


def test_the_user_agent_and_embedded_subagents_are_threads_of_their_own(tmp_path: Path) -> None:
    files = base("segments")
    inner = copy.deepcopy(files["agent/trajectory.summarization-1-summary.json"]) | {"trajectory_id": "sub"}
    files["agent/trajectory.json"]["subagent_trajectories"] = [inner]
    files["user-agent/trajectory.json"] = base("trial")["agent/trajectory.json"]
    files["agent/trajectory.other.json"] = base("trial")["agent/trajectory.json"]
    (found,) = bundles(build(tmp_path / TRIAL_NAME, files))
    threads = list(dict.fromkeys(node.get("thread_id", "") for node in found["nodes"]))
    assert ["", "embedded-1", "cont-1", "summarization-1-summary", "subagent-2", "user-agent-1"] == threads
    assert (
        "the user agent, which ran beside the agent" == found["scope"]["resources"]["observed"]["trial"]["counted_for"]
    )
    assert [] == errors(found)


def test_a_sidechain_is_a_subagent(tmp_path: Path) -> None:
    steps = copy.deepcopy(base("trial")["agent/trajectory.json"]["steps"])
    extra = {"is_sidechain": True, "agent_id": "a"}
    steps.append({"step_id": 3, "source": "agent", "message": "Looking.", "extra": extra})
    found = bundle(tmp_path, "trial", {"agent/trajectory.json": {"steps": steps}})
    assert [None, None, "sidechain-1"] == [node.get("thread_id") for node in found["nodes"]]
    report = by_id(found["outcomes"], "outcome_id")["outcome:self-report"]
    assert "step:2" == report["asserted_at_node"]  # the agent's own last message, not its subagent's


def test_a_run_without_a_trajectory_keeps_what_the_trial_says(tmp_path: Path) -> None:
    found = bundle(tmp_path, "trial", {"agent/trajectory.json": None, "agent/log.txt": "x"})
    assert ([], ["reward:run:0"], ["outcome:runtime"]) == (
        found["nodes"],
        [one["reward_id"] for one in found["reward_records"]],
        [one["outcome_id"] for one in found["outcomes"]],
    )
    assert "the run has no trajectory" in found["completeness"]["reason"]
    assert [] == errors(found)


def test_what_is_no_document_is_named_and_not_included(tmp_path: Path) -> None:
    patches = {
        "trial.log": "log",
        "agent/terminus_2.pane": "pane",
        "verifier/test-stdout.txt": "ok",
        "artifacts/a": "x",
    }
    found = bundle(tmp_path, "trial", patches)
    omitted = [one["artifact_id"] for one in found["source"]["artifacts"] if one["availability"] == "omitted"]
    assert [
        "file:agent/terminus_2.pane",
        "file:artifacts",
        "file:trial.log",
        "file:verifier/reward.txt",
        "file:verifier/test-stdout.txt",
    ] == sorted(omitted)


def test_a_word_that_scrubbing_left_is_counted(tmp_path: Path) -> None:
    steps = copy.deepcopy(base("trial")["agent/trajectory.json"]["steps"])
    steps[1]["message"] = "the key is [REDACTED], again [REDACTED]"
    found = bundle(tmp_path, "trial", {"agent/trajectory.json": {"steps": steps}})
    (omission,) = [one for one in found["completeness"]["material_omissions"] if one["class"] == "redacted"]
    assert 2 == omission["count"]


def test_rights_are_unknown_and_integrity_is_not_provided(tmp_path: Path) -> None:
    found = bundle(tmp_path, "trial", {})
    assert {"unknown"} == set(found["rights"].values())
    assert {"status": "not_provided"} == found["integrity"]


# --- laws --------------------------------------------------------------------------------------------------------


def _source(tree: Json, artifact: str) -> Json:
    (found,) = [one for one in sources(Bundle(tree)) if one["artifact_id"] == artifact]
    return found


def lost_files(folder: Path, tree: Json) -> list[str]:
    """Files of a trial that do not come back from its Bundle as they were."""
    lost = []
    for source in sources(Bundle(tree)):
        path = source["artifact_id"].removeprefix("file:")
        written = restore(Bundle(tree), source, PLACES if source["format"] == "harbor" else ATIF_PLACES)
        if not is_same(written, parse((folder / path).read_bytes()).tree):
            lost.append(path)
    return lost


FOLDERS = [
    pytest.param("trial", {}, id="a trial"),
    pytest.param("segments", {}, id="a trial of two segments"),
    pytest.param(
        "trial", {"verifier/reward.json": {"a": 1}, "verifier/ctrf.json": CTRF}, id="with the verifier's files"
    ),
    pytest.param(
        "trial", {"lock.json": {"skills": [{"name": "s", "digest": "sha256:1"}, 3, {}]}}, id="with skills of odd forms"
    ),
    pytest.param(
        "trial", {"result.json": {"agent_result": {}, "config": {}, "agent_info": 5}}, id="with empty objects"
    ),
]


@pytest.mark.parametrize(("name", "patches"), FOLDERS)
def test_nothing_of_the_files_is_dropped(tmp_path: Path, name: str, patches: Json) -> None:
    folder = build(tmp_path / TRIAL_NAME, changed(name, patches))
    (found,) = bundles(folder)
    assert [] == lost_files(folder, found)


def test_steps_have_bundles_of_their_own_and_say_what_they_leave_out(tmp_path: Path) -> None:
    one, two = bundles(build(tmp_path / TRIAL_NAME, base("steps")))
    for found, own in ((one, 0), (two, 1)):
        lost = [loss["pointer"] for loss in found["transform"]["lossy"] if loss["code"] == "other-step"]
        assert [f"/result.json/step_results/{1 - own}"] == lost
        rest = _source(found, "file:result.json")["rest"]
        assert {str(own)} == {pointer.split("/")[2] for pointer in rest if pointer.startswith("/step_results/")}
        assert 1 == next(
            o["count"] for o in found["completeness"]["material_omissions"] if o["class"] == "steps of the trial"
        )


def test_a_step_that_left_no_folder_is_not_lost(tmp_path: Path) -> None:
    files = {path: content for path, content in base("steps").items() if not path.startswith("steps/test/")}
    _, two = bundles(build(tmp_path / TRIAL_NAME, files))
    assert (f"{UUID}:test", []) == (two["trajectory_id"], two["nodes"])
    assert [] == errors(two)


def test_a_step_that_result_json_does_not_know_is_open(tmp_path: Path) -> None:
    files = base("steps")
    files["result.json"]["step_results"].pop()
    one, two = bundles(build(tmp_path / TRIAL_NAME, files))
    assert ("partial", "open") == (one["completeness"]["status"], two["completeness"]["status"])
    assert [] == errors(one) + errors(two)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "name", "task", "$at"]), inner),
    max_leaves=4,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_wrong_types_neither_crash_nor_vanish(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    files = base("segments")
    name = data.draw(st.sampled_from(["result.json", "config.json", "lock.json", "agent/trajectory.json"]))
    tree = files[name]
    here: Any = tree
    while True:
        key = data.draw(st.sampled_from(list(here) if type(here) is dict else list(range(len(here)))))
        if type(here[key]) not in (dict, list) or not here[key] or data.draw(st.booleans()):
            break
        here = here[key]
    here[key] = data.draw(VALUES)
    folder = build(tmp_path_factory.mktemp("trial") / TRIAL_NAME, files)
    for found in bundles(folder):
        assert [] == errors(found)
        if len(bundles(folder)) == 1 and not found["scope"].get("objective_id"):
            assert [] == lost_files(folder, found)


def test_a_file_that_is_no_json_is_an_omission(tmp_path: Path) -> None:
    found = bundle(tmp_path, "trial", {"verifier/ctrf.json": Raw(b'{"results": NaN}')})
    assert {"class": "file", "reason": "ctrf.json cannot be read"} in found["completeness"]["material_omissions"]


# --- real folders ------------------------------------------------------------------------------------------------

RIG = CORPUS / "atif" / "harbor-rig"
TRIALS = sorted(path.parent for path in RIG.glob("*/*/*/result.json"))


@needs_corpus
@pytest.mark.parametrize("folder", [pytest.param(one, id="/".join(one.parts[-3:])) for one in TRIALS])
def test_real_trials_are_valid_bundles_that_hold_every_file(folder: Path) -> None:
    found = bundles(folder)
    again = bundles(folder)
    assert [dumps(one) for one in found] == [dumps(one) for one in again]
    for one in found:
        assert [] == errors(one)
        if "objective_id" not in one["scope"]:
            assert [] == lost_files(folder, one)


@needs_corpus
def test_a_real_null_reward_is_unavailable_and_three_keys_are_three_records() -> None:
    mix = RIG / "h018" / "oracle-mix"
    (nan,) = bundles(next(mix.glob("nan-reward__*")))
    assert ["unavailable"] == [one["value"]["$at"]["status"] for one in nan["reward_records"]]
    (three,) = bundles(next(mix.glob("multi-reward__*")))
    assert [("harbor-reward:correctness", 1.0), ("harbor-reward:style", 0.25), ("harbor-reward:latency_sec", 3)] == [
        (one["policy"], one["value"]) for one in three["reward_records"]
    ]
    (missing,) = bundles(next(mix.glob("no-reward__*")))
    assert ([], ["error"]) == (missing["reward_records"], [one["status"] for one in missing["verifier_results"]])


@needs_corpus
@pytest.mark.parametrize("release", ["h018", "h026"])
def test_a_real_continuation_repeats_no_experience(release: str) -> None:
    (folder,) = (RIG / release / "t2-summarize-linear").glob("hello__*")
    (found,) = bundles(folder)
    copied = [node for node in found["nodes"] if (node.get("payload") or {}).get("is_copied_context") is True]
    assert copied
    assert {False} == {node["training"]["target"] for node in copied if node["kind"] == "decision"}
    linked = [edge["relation"] for edge in found["edges"] if edge["relation"] in ("resumes", "delegates")]
    assert ["delegates", "delegates", "delegates", "resumes"] == sorted(linked)
