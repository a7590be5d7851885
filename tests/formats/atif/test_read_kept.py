"""What this package wrote into `extra.attraj` is read as the facts that it stands for, and comes back where it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from attraj.findings import Severity
from attraj.formats import is_one
from attraj.jsonio import documents, parse
from attraj.limits import DEFAULT_LIMITS
from attraj.verbs.convert import Request, convert
from attraj.verbs.validate import validate
from tests.support import CORPUS, needs_corpus

Json = dict[str, Any]

OUTCOME: Json = {
    "outcome_id": "outcome",
    "scope": ["t"],
    "producer": "agent:a",
    "authority_class": "agent_self_report",
    "status": "succeeded",
    "terminal": True,
    "evidence_refs": ["submission"],
    "value": "submitted",
}
RESULT: Json = {
    "verifier_result_id": "review",
    "verifier": "verifier:v",
    "checked_property": "the tests",
    "scope": ["t"],
    "status": "pass",
    "evidence_refs": ["x"],
    "output": {"tests": 3},
}
REWARD: Json = {
    "reward_id": "score",
    "policy": "p",
    "sources": ["review"],
    "scope": ["t"],
    "attribution_target": "t",
    "signal_type": "scalar",
    "value": 0.5,
    "producer": "verifier:v",
    "timing": "retrospective",
}


def atif(*steps: Json, own: Json | None = None, **members: Any) -> Json:
    extra = {"extra": {"attraj": own}} if own is not None else {}
    numbered = [{"step_id": number, "source": "agent", "message": "m", **one} for number, one in enumerate(steps, 1)]
    agent = {"name": "a", "version": "1"}
    return {"schema_version": "ATIF-v1.7", "trajectory_id": "t", "agent": agent, "steps": numbered, **members, **extra}


def bundle_of(tree: Json) -> Json:
    """The Bundle of a document, which is given back by it as it was."""
    text = convert(parse(json.dumps(tree).encode()), "name", Request("bundle", is_verified=True)).outputs[0].text
    back = convert(parse(text), "name", Request("atif")).outputs[0].text
    assert tree == json.loads(back)
    assert [] == [one.code for one in validate(parse(text)).findings if one.severity is Severity.ERROR]
    found: Json = json.loads(text)
    return found


def nodes(bundle: Json, *kinds: str) -> list[Json]:
    """The nodes of these kinds, by what they say alone."""
    said = ("action", "admission", "observation", "payload", "status", "timestamp", "effect", "training", "topic")
    return [
        {"kind": node["kind"], **{name: node[name] for name in said if name in node}}
        for node in bundle["nodes"]
        if node["kind"] in kinds
    ]


# --- the run -----------------------------------------------------------------------------------------------------


def test_an_outcome_is_the_claim_that_it_was() -> None:
    (found,) = bundle_of(atif({}, own={"outcomes": [OUTCOME]}))["outcomes"]
    names = ("scope", "producer", "authority_class", "status", "terminal", "value")
    assert {name: OUTCOME[name] for name in names} == {name: found[name] for name in names}
    assert ["unavailable", "unavailable"] == [found[name]["$at"]["status"] for name in ("evidence_refs", "asserted_at")]


NO_CLAIMS = [
    pytest.param({**OUTCOME, "terminal": "yes"}, id="terminal-is-no-boolean"),
    pytest.param({**OUTCOME, "scope": []}, id="about-nothing"),
    pytest.param({**OUTCOME, "status": None}, id="without-a-status"),
    pytest.param({"status": "succeeded"}, id="without-who-claims-it"),
    pytest.param("succeeded", id="no-object"),
]


@pytest.mark.parametrize("record", NO_CLAIMS)
def test_what_states_no_claim_is_none(record: Any) -> None:
    assert [] == bundle_of(atif({}, own={"outcomes": [record]}))["outcomes"]


def test_a_reward_rests_on_the_result_that_it_names() -> None:
    bundle = bundle_of(atif({}, own={"verifier_results": [RESULT], "reward_records": [REWARD]}))
    (result,), (reward,) = bundle["verifier_results"], bundle["reward_records"]
    assert ("pass", {"tests": 3}) == (result["status"], result["output"])
    assert ([result["verifier_result_id"]], 0.5) == (reward["sources"], reward["value"])


def test_a_reward_that_rests_on_what_is_not_here_says_so() -> None:
    (reward,) = bundle_of(atif({}, own={"reward_records": [REWARD]}))["reward_records"]
    assert "unavailable" == reward["sources"]["$at"]["status"]


@pytest.mark.parametrize("sources", [None, 5, "review", [5], {}])
def test_sources_of_a_wrong_type_name_nothing(sources: Any) -> None:
    own = {"verifier_results": [RESULT], "reward_records": [{**REWARD, "sources": sources}]}
    assert "unavailable" == bundle_of(atif({}, own=own))["reward_records"][0]["sources"]["$at"]["status"]


def test_how_it_ended_and_what_it_was_allowed_are_of_the_scope() -> None:
    own = {"termination": {"status": "ended", "reason": "r", "at_node": "x"}, "budget": {"cost_limit": 3}}
    scope = bundle_of(atif({}, own=own))["scope"]
    assert ({"status": "ended", "reason": "r"}, {"cost_limit": 3}) == (
        scope["termination"],
        scope["resources"]["budget"],
    )


def test_a_patch_is_a_record_and_no_step() -> None:
    record = {"kind": "evidence", "payload": {"content": "diff --git a/x b/x"}}
    assert [{"kind": "evidence", "payload": {"content": "diff --git a/x b/x"}}] == nodes(
        bundle_of(atif({}, own={"records": [record]})), "evidence"
    )


@pytest.mark.parametrize("kind", ["decision", "observation", "effect", "no-kind", None, 5])
def test_a_record_adds_nothing_to_the_story(kind: Any) -> None:
    bundle = bundle_of(atif({}, own={"records": [{"kind": kind, "payload": {"content": "x"}}]}))
    assert ["decision"] == [node["kind"] for node in bundle["nodes"]]


def test_task_and_environment_are_bound_again() -> None:
    own = {"bindings": {"tasks": [{"id": "django-1"}], "environments": [{"name": "e", "thread_id": "attempt:0"}]}}
    bindings = bundle_of(atif({}, own=own))["bindings"]
    assert [{"id": "django-1"}] == bindings["tasks"]
    assert ["unknown"] == [one["availability"] for one in bindings["environments"]]  # another thread's


def test_what_may_be_done_with_a_run_is_not_told_by_a_member_that_anybody_may_add() -> None:
    rights = {"training": True, "redistribution": True}
    assert {"unknown"} == set(bundle_of(atif({}, own={"rights": rights}))["rights"].values())


LOCAL: Json = {"prompt_tokens": 7, "cost_usd": 0.5, "api_calls": 2, "origin": "litellm counter"}
TOTALS = [
    pytest.param({"extra": LOCAL}, LOCAL, id="counted-by-no-provider"),
    pytest.param({"total_cost_usd": 1.0, "extra": LOCAL}, {"cost_usd": 1.0}, id="beside-those-of-a-provider"),
    pytest.param(
        {"total_cost_usd": 1.0, "extra": {"api_calls": 2}}, {"cost_usd": 1.0, "api_calls": 2}, id="a-count-of-calls"
    ),
    pytest.param({"total_cost_usd": 1.0, "extra": {"api_calls": "2"}}, {"cost_usd": 1.0}, id="no-count"),
    pytest.param({"total_steps": 1, "extra": {"cost_usd": 1}}, {"steps": 1}, id="without-who-counted-them"),
]


@pytest.mark.parametrize(("metrics", "observed"), TOTALS)
def test_totals_keep_who_counted_them(metrics: Json, observed: Json) -> None:
    assert observed == bundle_of(atif({}, final_metrics=metrics))["scope"]["resources"]["observed"]


# --- steps -------------------------------------------------------------------------------------------------------

CALL: Json = {"tool_call_id": "c", "function_name": "bash", "arguments": {"command": "ls"}}
ADMITTED: Json = {"status": "admitted", "authority": "runtime:r", "reason": "it was run"}
REFUSED: Json = {"status": "rejected", "authority": "runtime:r", "reason": "format"}


def called(own: Json, **members: Any) -> Json:
    results = [{"source_call_id": "c", "content": "done", **members}]
    return {"tool_calls": [{**CALL, "extra": {"attraj": own}}], "observation": {"results": results}}


CALLS = [
    pytest.param(
        {"admission": ADMITTED},
        {
            "admission": ADMITTED,
            "action": {"kind": "tool_call", "call_id": "c", "name": "bash", "arguments": {"command": "ls"}},
        },
        id="admitted",
    ),
    pytest.param(
        {"admission": REFUSED},
        {
            "admission": {"status": "unknown"},
            "action": {"kind": "tool_call", "call_id": "c", "name": "bash", "arguments": {"command": "ls"}},
        },
        id="a-call-with-a-result-was-not-refused",
    ),
    pytest.param(
        {"synthetic_call": True, "kind": "shell_command"},
        {"admission": {"status": "unknown"}, "action": {"kind": "shell_command", "value": "ls"}},
        id="a-command-of-no-named-tool-and-no-id",
    ),
    pytest.param(
        {"synthetic_call": True},
        {
            "admission": {"status": "unknown"},
            "action": {"kind": "tool_call", "name": "bash", "arguments": {"command": "ls"}},
        },
        id="an-id-that-was-made-up",
    ),
    pytest.param(
        {"kind": "shell_command"},
        {
            "admission": {"status": "unknown"},
            "action": {"kind": "tool_call", "call_id": "c", "name": "bash", "arguments": {"command": "ls"}},
        },
        id="an-id-of-its-own-and-so-no-command",
    ),
]


@pytest.mark.parametrize(("own", "expected"), CALLS)
def test_a_call_is_what_it_was_before_it_was_written(own: Json, expected: Json) -> None:
    assert [{"kind": "action", **expected}] == nodes(bundle_of(atif(called(own))), "action")


def test_an_effect_has_what_was_measured_of_it() -> None:
    own = {"effect": {"duration_s": 0.25, "exit_code": 0}, "ran": "ls"}
    effect = {"request": "ls", "receipt_status": "none_authoritative"}
    expected = {"kind": "effect", "payload": {"duration_s": 0.25, "exit_code": 0}, "effect": effect}
    assert [expected] == nodes(bundle_of(atif(called(own))), "effect")
    assert [expected] == nodes(bundle_of(atif({**called(own), "observation": None})), "effect")  # without a result


def test_a_result_keeps_its_time_and_its_exit_code() -> None:
    own = {"timestamp": "2026-11-30T09:00:00Z", "returncode": 1}
    step = called({}, extra={"attraj": own})
    (found,) = nodes(bundle_of(atif(step)), "observation")
    assert ("2026-11-30T09:00:00Z", 1) == (found["timestamp"], found["payload"]["returncode"])


PROPOSED: Json = {"admission": REFUSED, "proposed_action": {"kind": "unparsed", "value": "ls |"}}
PROPOSALS = [
    pytest.param({"extra": {"attraj": {"proposals": [PROPOSED]}}}, id="that-nothing-answers"),
    pytest.param({"observation": {"results": [{"content": "no", "extra": {"attraj": PROPOSED}}]}}, id="answered"),
]


@pytest.mark.parametrize("step", PROPOSALS)
def test_a_call_that_was_refused_is_a_proposal(step: Json) -> None:
    bundle = bundle_of(atif(step))
    expected = {"kind": "proposal", "action": PROPOSED["proposed_action"], "admission": REFUSED}
    assert [expected] == nodes(bundle, "proposal")
    assert [] == nodes(bundle, "action", "effect")
    answers = [edge for edge in bundle["edges"] if edge["to"].endswith(":result:1")]
    assert (["step:1:result:1:proposal"] if answers else []) == [edge["from"] for edge in answers]


@pytest.mark.parametrize("source", ["system", "agent"])
def test_a_reply_that_was_not_kept_is_a_decision_without_its_words(source: str) -> None:
    step = {"source": source, "message": "[UNAVAILABLE]", "extra": {"attraj": {"lost_reply": True}}}
    (found,) = nodes(bundle_of(atif(step)), "decision", "input")
    assert ("decision", "unavailable") == (found["kind"], found["payload"]["content"]["$at"]["status"])


def test_marks_of_a_step_are_its_own() -> None:
    training = {"target": False, "reason": "the loop made the step up"}
    steps: list[dict[str, Any]] = [
        {"source": "user", "extra": {"attraj": {"is_demo": True}}},
        {"extra": {"attraj": {"thought": "t", "status": "rejected"}}},
        {"source": "system", "extra": {"attraj": {"kind": "terminal", "training": training, "observation": "o"}}},
    ]
    assert [
        {"kind": "input", "payload": {"content": "m", "role": "user", "is_demo": True}},
        {"kind": "decision", "payload": {"content": "m", "thought": "t"}, "status": "rejected"},
        {"kind": "terminal", "payload": {"content": "m", "observation": "o"}, "training": training},
    ] == nodes(bundle_of(atif(*steps)), "input", "decision", "terminal")


STRANGE: list[Any] = [None, True, 0, -1, 1.5, "", "x", [], {}, [None], {"attraj": {}}, [{}], {"0": {}}]


@pytest.mark.parametrize("value", STRANGE, ids=repr)
def test_members_of_wrong_types_stay_where_they_are(value: Any) -> None:
    names = ("outcomes", "verifier_results", "reward_records", "records", "bindings", "termination", "budget", "status")
    named = (
        "admission",
        "effect",
        "value",
        "kind",
        "proposed_action",
        "proposals",
        "lost_reply",
        "thought",
        "training",
    )
    for name in (*names, *named, "calls", "results", "timestamp"):
        own = {"attraj": {name: value}}
        step = called({name: value}, extra=own)
        document = atif({**step, "extra": own}, {"source": "system", "extra": own}, own={name: value})
        text = convert(parse(json.dumps(document).encode()), "name", Request("bundle")).outputs[0].text
        assert document == json.loads(convert(parse(text), "name", Request("atif")).outputs[0].text), name


# --- law, over files of other formats ----------------------------------------------------------------------------


def corpus() -> list[Path]:
    folders = ("swe-agent/generated-by-upstream-code", "swe-agent/handmade-edge", "mini-swe-agent", "react-web")
    found = [path for folder in folders for path in sorted((CORPUS / folder).rglob("*")) if path.is_file()]
    return [path for path in found if path.suffix in (".json", ".traj") and path.stat().st_size < 300_000]


@needs_corpus
@pytest.mark.parametrize("path", corpus(), ids=lambda path: path.stem)
def test_a_run_keeps_its_claims_and_its_kinds_on_the_way_through_atif(path: Path) -> None:
    for one in list(documents(path.read_bytes(), DEFAULT_LIMITS, is_one))[:1]:
        source = convert(one, "name", Request("bundle"))
        there = convert(one, "name", Request("atif"))
        if len(there.outputs) != 1 or not source.outputs:
            continue
        before, after = json.loads(source.outputs[0].text), bundle_of(json.loads(there.outputs[0].text))
        names = ("authority_class", "status", "value", "terminal")
        assert [[one.get(name) for name in names] for one in before["outcomes"]] == [
            [one.get(name) for name in names] for one in after["outcomes"]
        ]
        for name in ("termination", "resources"):
            is_said = name in before["scope"] and name in after["scope"]
            assert not is_said or before["scope"][name] == after["scope"][name]
        kinds = ("decision", "proposal", "terminal", "evidence")
        assert [len(nodes(before, kind)) for kind in kinds] == [len(nodes(after, kind)) for kind in kinds]
        # A command of a person is a message of theirs in ATIF.
        admitted = [one["admission"]["status"] for one in nodes(before, "action")]
        assert [one for one in admitted if one != "not_required"] == [
            one["admission"]["status"] for one in nodes(after, "action")
        ]
