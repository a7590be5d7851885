"""mini-swe-agent → the Bundle: every version and mode; what ran and what did not; the run again."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from attraj.bundle.model import Bundle
from attraj.formats.mapping.draft import Settings
from attraj.formats.mapping.fields import is_same
from attraj.formats.mapping.messages import Expander
from attraj.formats.mini_swe_agent.read import read
from tests.formats.bundles import (
    another,
    as_document,
    bundle,
    changed,
    copies_of,
    draft,
    errors,
    mapped_values,
    restored,
)
from tests.formats.mini_swe_agent.documents import FIRST, FULL, MINIMAL, PADDED, ended, error, reply, result, run_of
from tests.formats.mini_swe_agent.test_corpus import EXPECTED, FILES, HERE
from tests.formats.mini_swe_agent.test_laws import DOCUMENTS
from tests.support import needs_corpus

TASK = {"role": "user", "content": "Do it."}
SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
REJECTED = {"role": "user", "content": "Not executed.", "extra": {"interrupt_type": "UserRejection"}}


def tree_of(document: Any) -> dict[str, Any]:
    return bundle("mini-swe-agent", json.dumps(document).encode())


def nodes(document: Any) -> list[str]:
    """Kind, name and authority of each node after the task."""
    found = tree_of(document)["nodes"]
    return [f"{one['kind']} {one['node_id'].removeprefix('message:')} {one['authority_class']}" for one in found[1:]]


def edges(document: Any) -> list[str]:
    """All but those of the task, which leads to the first decision of every run."""
    return [
        f"{e['from']} > {e['to']} {e['relation']} {e['basis']}".replace("message:", "")
        for e in tree_of(document)["edges"]
        if (e["from"], e["relation"], e["basis"]) != ("message:1", "triggered_by", "turn_order")
    ]


def text_reply(*commands: str, text: str = "Look.") -> dict[str, Any]:
    return {"role": "assistant", "content": text, "extra": {"actions": [{"command": one} for one in commands]}}


TEXT_RESULT = {"role": "user", "content": "out", "extra": {"returncode": 0}}
RESPONSE = {
    "object": "response",
    "output": [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Look."}]},
        {"type": "function_call", "call_id": "c1", "name": "bash", "arguments": '{"command": "ls"}'},
    ],
    "extra": {"actions": [{"command": "ls", "tool_call_id": "c1"}]},
}
RESPONSE_RESULT = {"type": "function_call_output", "call_id": "c1", "output": "out", "extra": {"returncode": 0}}
PLAIN = {"role": "assistant", "content": "```bash\nls\n```"}
FRAMED = {"role": "user", "content": "<returncode>0</returncode>\nout"}

STORIES = [
    pytest.param(
        run_of(TASK, reply(("c1", "ls")), result("c1"), reply(("c2", SUBMIT)), ended()),
        [
            "decision 2 model",
            "action 2/call:1 agent",
            "effect 2/call:1/effect external",
            "observation 3 external",
            "decision 4 model",
            "action 4/call:1 agent",
            "effect 4/call:1/effect external",
            "terminal 5 runtime",
        ],
        [
            "2 > 2/call:1 caused_by recorded",
            "2/call:1 > 2/call:1/effect caused_by call_id",
            "2/call:1/effect > 3 caused_by call_id",
            "3 > 4 triggered_by turn_order",
            "4 > 4/call:1 caused_by recorded",
            "4/call:1 > 4/call:1/effect caused_by call_id",
        ],
        id="tool-calls-and-the-submission-that-has-no-result",
    ),
    pytest.param(
        run_of(TASK, reply(("c1", "ls"), ("c2", SUBMIT)), ended()),
        [
            "decision 2 model",
            "action 2/call:1 agent",
            "action 2/call:2 agent",
            "effect 2/call:2/effect external",
            "terminal 3 runtime",
        ],
        [
            "2 > 2/call:1 caused_by recorded",
            "2 > 2/call:2 caused_by recorded",
            "2/call:2 > 2/call:2/effect caused_by call_id",
        ],
        id="whether-a-call-beside-the-submission-ran-is-not-known",
    ),
    pytest.param(
        run_of(TASK, text_reply("ls", "pwd"), TEXT_RESULT),
        [
            "decision 2 model",
            "action 2/call:1 agent",
            "effect 2/call:1/effect external",
            "action 2/call:2 agent",
            "observation 3 external",
        ],
        [
            "2 > 2/call:1 caused_by recorded",
            "2/call:1 > 2/call:1/effect caused_by loop_semantics",
            "2 > 2/call:2 caused_by recorded",
            "2/call:1/effect > 3 caused_by loop_semantics",
        ],
        id="text-mode-has-no-ids",
    ),
    pytest.param(
        run_of(TASK, RESPONSE, RESPONSE_RESULT),
        [
            "reasoning_summary 2/reasoning:1 model",
            "decision 2 model",
            "action 2/call:1 agent",
            "effect 2/call:1/effect external",
            "observation 3 external",
        ],
        [
            "2/reasoning:1 > 2 depends_on recorded",
            "2 > 2/call:1 caused_by recorded",
            "2/call:1 > 2/call:1/effect caused_by call_id",
            "2/call:1/effect > 3 caused_by call_id",
        ],
        id="items-of-the-responses-api",
    ),
    pytest.param(
        [TASK, PLAIN, FRAMED, PLAIN, {"role": "user", "content": "One action, please."}],
        [
            "decision 2 model",
            "action 2/call:1 agent",
            "effect 2/call:1/effect external",
            "observation 3 external",
            "decision 4 model",
            "action 4/call:1 agent",
            "input 5 unknown",
        ],
        [
            "2 > 2/call:1 caused_by recorded",
            "2/call:1 > 2/call:1/effect caused_by loop_semantics",
            "2/call:1/effect > 3 caused_by loop_semantics",
            "3 > 4 triggered_by turn_order",
            "4 > 4/call:1 caused_by recorded",
        ],
        id="in-1.x-the-only-block-of-a-reply-is-its-call",
    ),
    pytest.param(
        run_of(TASK, error(), error(model_response="So."), reply(("c1", "ls"))),
        [
            "decision 2/reply model",
            "input 2 harness",
            "decision 3/reply model",
            "input 3 harness",
            "decision 4 model",
            "action 4/call:1 agent",
        ],
        [
            "2/reply > 3/reply retries loop_semantics",
            "2 > 3/reply triggered_by turn_order",
            "3/reply > 4 retries loop_semantics",
            "3 > 4 triggered_by turn_order",
            "4 > 4/call:1 caused_by recorded",
        ],
        id="a-reply-that-could-not-be-parsed-was-a-call-of-the-model",
    ),
    pytest.param(
        run_of(TASK, PLAIN, error()),
        ["decision 2 model", "input 3 harness"],
        [],
        id="a-reply-that-is-kept-though-it-could-not-be-parsed-is-told-once",
    ),
    pytest.param(
        run_of(TASK, reply(("c1", "rm x")), result("c1", **PADDED), REJECTED),
        ["decision 2 model", "proposal 2/call:1 agent", "observation 3 external", "input 4 principal"],
        ["2 > 2/call:1 caused_by recorded", "2/call:1 > 3 caused_by call_id"],
        id="what-a-person-rejected-was-not-done",
    ),
    pytest.param(
        run_of(TASK, {"role": "user", "content": "ls", "extra": {"actions": [{"command": "ls"}]}}, TEXT_RESULT),
        [
            "input 2 principal",
            "action 2/call:1 principal",
            "effect 2/call:1/effect external",
            "observation 3 external",
        ],
        [
            "2 > 2/call:1 caused_by recorded",
            "2/call:1 > 2/call:1/effect caused_by loop_semantics",
            "2/call:1/effect > 3 caused_by loop_semantics",
        ],
        id="a-command-of-a-person-is-no-decision-of-the-model",
    ),
    pytest.param(
        run_of(TASK, result("c9"), {"role": "critic", "content": "no"}, 7),
        ["observation 2 external", "event 3 unknown"],
        [],
        id="what-belongs-to-nothing-stands-alone",
    ),
]


@pytest.mark.parametrize(("document", "expected", "linked"), STORIES)
def test_messages_become_these_records(document: Any, expected: list[str], linked: list[str]) -> None:
    assert (expected, linked) == (nodes(document), edges(document))
    assert [] == errors(tree_of(document))


ADMISSIONS = [
    pytest.param([reply(("c1", "ls")), result("c1")], "admitted", id="it-has-a-result"),
    pytest.param([reply(("c1", "ls"))], "unknown", id="it-has-none"),
    pytest.param([reply(("c1", SUBMIT)), ended()], "admitted", id="it-ended-the-run"),
    pytest.param([reply(("c1", SUBMIT)), ended("LimitsExceeded")], "unknown", id="something-else-ended-the-run"),
    pytest.param([reply(("c1", "ls")), result("c1", **PADDED), REJECTED], "denied", id="a-person-said-no"),
    pytest.param([reply(("c1", "ls")), result("c1", **PADDED)], "proposed", id="it-was-not-executed"),
    pytest.param([reply(("c1", SUBMIT)), result("c1", **PADDED), ended()], "unknown", id="a-result-that-cannot-be"),
]


@pytest.mark.parametrize(("messages", "expected"), ADMISSIONS)
def test_what_became_of_a_call(messages: list[Any], expected: str) -> None:
    status = messages[-1]["extra"]["exit_status"] if messages[-1].get("role") == "exit" else ""
    tree = tree_of(run_of(TASK, *messages, status=status))
    assert [expected] == [node["admission"]["status"] for node in tree["nodes"] if "admission" in node]
    has_effect = any(node["kind"] == "effect" for node in tree["nodes"])
    assert has_effect is (expected == "admitted")


def test_what_ran_is_told_by_its_result_or_by_the_exit_status_alone() -> None:
    asked = reply(("c1", "ls"), ("c2", SUBMIT))
    document = run_of(TASK, asked, result("c1"), ended(), status="Submitted")
    losses = draft("mini-swe-agent", json.dumps(document).encode()).losses
    assert [("effect-by-result", 0), ("effect-by-exit-status", 1)] == [
        (loss.code, int(loss.pointer.rpartition("/")[2])) for loss in losses if loss.code.startswith("effect-by")
    ]


ENDINGS = [
    pytest.param("Submitted", ("agent_self_report", "succeeded"), "partial", id="submitted-is-the-agents-own-word"),
    pytest.param("LimitsExceeded", ("runtime", "failed"), "partial", id="a-limit"),
    pytest.param("ContextWindowExceededError", ("runtime", "failed"), "partial", id="an-exception"),
    pytest.param("", None, "open", id="still-running"),
    pytest.param(None, None, "partial", id="null-says-nothing"),
]


@pytest.mark.parametrize(("status", "expected", "completeness"), ENDINGS)
def test_how_a_run_ended(status: Any, expected: Any, completeness: str) -> None:
    tree = tree_of(run_of(TASK, reply(("c1", "ls")), status=status))
    found = [(one["authority_class"], one["status"], one["value"]) for one in tree["outcomes"]]
    assert ([] if expected is None else [(*expected, status)]) == found
    assert completeness == tree["completeness"]["status"]


@pytest.mark.parametrize(
    ("cost", "expected"),
    [
        pytest.param(0.5, {"cost_usd": 0.5, "api_calls": 2}, id="the-sum-of-what-the-replies-cost"),
        pytest.param(0.0, {"cost_usd": 0.0, "api_calls": 2, "origin": "unknown"}, id="a-counter-that-never-moved"),
    ],
)
def test_the_cost_of_a_run_is_that_of_its_replies(cost: float, expected: Any) -> None:
    document = run_of(TASK, reply(("c1", "ls")), calls=2)
    document["info"]["model_stats"]["instance_cost"] = cost
    assert expected == tree_of(document)["scope"]["resources"]["observed"]


def test_a_run_says_what_it_was_made_with() -> None:
    document = run_of(TASK, calls=0)
    model = {"model_name": "lab/model-a", "model_kwargs": {"temperature": 0.5}}
    agent = {"step_limit": 250, "cost_limit": 3.0, "system_template": "You are."}
    config = {"model": model, "agent": agent, "environment": {"image": "image-a", "env": {"A": "b"}}}
    document["info"] |= {"mini_version": "2.4.6", "config": config}
    tree = tree_of({**document, "instance_id": "task-1"})
    assert {
        "tasks": [{"id": "task-1"}],
        "models": [{"id": "lab/model-a", "decoding": {"temperature": 0.5}}],
        "harnesses": [{"name": "mini-swe-agent", "version": "2.4.6"}],
        "environments": [{"id": "image-a"}],
    } == tree["bindings"]
    assert {
        "observed": {"cost_usd": 0.0, "api_calls": 0, "origin": "unknown"},
        "budget": {"step_limit": 250, "cost_limit": 3.0},
    } == tree["scope"]["resources"]


TIMES = [
    pytest.param(1773065379.9828994, "2026-03-09T14:09:39.9828994Z", id="digits"),
    pytest.param(1773065379, "2026-03-09T14:09:39Z", id="a-whole-number"),
    pytest.param(1773065379.0, "2026-03-09T14:09:39.0Z", id="a-whole-number-of-seconds-as-a-float"),
    pytest.param(1e300, None, id="no-time"),
    pytest.param(-5.5, None, id="before-all-agents"),
    pytest.param(True, None, id="no-number"),
]


@pytest.mark.parametrize(("seconds", "expected"), TIMES)
def test_a_time_keeps_its_digits(seconds: Any, expected: str | None) -> None:
    document = run_of(TASK, result("c1", timestamp=seconds))
    tree = tree_of(document)
    assert expected == tree["nodes"][1].get("timestamp")
    assert is_same(document, restored(tree, "mini-swe-agent"))


ARGUMENTS = [
    pytest.param('{"command": "ls"}', {"command": "ls"}, id="spaced"),
    pytest.param('{"command":"ls"}', {"command": "ls"}, id="compact"),
    pytest.param('{"command":"\\u00e9"}', {"command": "é"}, id="compact-ascii"),
    pytest.param('{"command": "é"}', {"command": "é"}, id="spaced-utf8"),
    pytest.param('{"command":  "ls"}', '{"command":  "ls"}', id="another-spacing-stays-a-text"),
    pytest.param('{"a": 1, "a": 2}', '{"a": 1, "a": 2}', id="a-name-twice-stays-a-text"),
    pytest.param('{"a": NaN}', '{"a": NaN}', id="no-json-stays-a-text"),
    pytest.param('{"$at": {}}', '{"$at": {}}', id="what-looks-like-a-marker-stays-a-text"),
    pytest.param("ls", "ls", id="no-object-stays-a-text"),
    pytest.param({"command": "ls"}, {"command": "ls"}, id="an-object-as-it-is"),
]


@pytest.mark.parametrize(("asked", "expected"), ARGUMENTS)
def test_arguments_are_an_object_when_their_text_can_be_written_again(asked: Any, expected: Any) -> None:
    message = reply(("c1", "ls"))
    message["tool_calls"][0]["function"]["arguments"] = asked
    tree = tree_of(run_of(TASK, message))
    assert [expected] == [node["action"]["arguments"] for node in tree["nodes"] if "action" in node]
    assert is_same(run_of(TASK, message), restored(tree, "mini-swe-agent"))


def test_each_decision_saw_every_message_before_it_and_the_views_grow_with_the_run() -> None:
    messages = [TASK, *(one for i in range(9) for one in (reply((f"c{i}", "ls")), result(f"c{i}")))]
    tree = tree_of(run_of(*messages))
    whole, views = Expander(Bundle(tree)), [node["state_view"] for node in tree["nodes"] if node["kind"] == "decision"]
    expected = [[{"node_id": f"message:{i + 1}"} for i in range(count)] for count in range(1, 19, 2)]
    assert expected == [whole.items(view) for view in views]
    assert {True} == {state["reconstructed"] for state in tree["states"]}
    assert 2 >= max(len(state.get("delta", ())) for state in tree["states"])


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(MINIMAL, id="minimal"),
        pytest.param(FULL, id="full"),
        pytest.param(FIRST, id="first"),
        pytest.param(run_of(TASK, RESPONSE, RESPONSE_RESULT, ended()), id="responses"),
        pytest.param(run_of(TASK, text_reply("ls"), TEXT_RESULT, error(model_response="So.", cost=1.5)), id="text"),
        pytest.param([TASK, PLAIN, FRAMED], id="bare-list"),
    ],
)
def test_a_run_is_given_back_and_each_change_appears_in_its_place(document: Any) -> None:
    raw = json.dumps(document).encode()
    reading, tree = draft("mini-swe-agent", raw).readings[0], bundle("mini-swe-agent", raw)
    assert [] == errors(tree)
    assert is_same(document, restored(tree, "mini-swe-agent"))
    places = list(mapped_values(reading, tree))
    assert len(places) == len({core for _, core in places})
    for at, core in places:
        expected, (said, written) = document, another(reading, at)
        for place in copies_of(reading, at):
            expected = changed(expected, place, written)
        assert is_same(expected, restored(changed(tree, core, said), "mini-swe-agent"))


@needs_corpus
@pytest.mark.parametrize("name", FILES)
def test_a_corpus_file_makes_a_sound_bundle_and_comes_back(name: str) -> None:
    raw, facts = (HERE / name).read_bytes(), EXPECTED[name]
    tree = bundle("mini-swe-agent", raw)
    assert [] == errors(tree)
    assert is_same(json.loads(raw), restored(tree, "mini-swe-agent"))
    kinds = Counter(node["kind"] for node in tree["nodes"])
    roles = facts["roles"]
    replies = roles.get("assistant", 0) + roles.get("response", 0)
    assert replies + facts["interrupts"].get("FormatError", 0) == kinds["decision"]
    calls = [node for node in tree["nodes"] if "call_id" in node.get("action", {})]
    assert facts["tool_calls"] == len(calls)
    results = [node for node in tree["nodes"] if node.get("topic") in ("tool", "function_call_output")]
    assert facts["tool_results"] == len(results)
    names = {node["node_id"] for node in results}
    answered = {edge["from"].removesuffix("/effect") for edge in tree["edges"] if edge["to"] in names}
    assert facts["unanswered_calls"] == len({call["node_id"] for call in calls} - answered)


@settings(
    max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(DOCUMENTS)
def test_nothing_crashes_a_reader_and_the_tree_is_not_changed(tree: Any) -> None:
    before = repr(tree)
    first = read(as_document(tree), Settings()).finish()
    assert first == read(as_document(tree), Settings()).finish() or "nan" in before
    assert before == repr(tree)
    if type(tree) in (dict, list) and "nan" not in before:
        assert is_same(tree, restored(first, "mini-swe-agent"))
