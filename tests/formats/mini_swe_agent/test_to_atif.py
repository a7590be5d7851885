"""mini-swe-agent → ATIF: what other converters get wrong, and here is right.

Source: traj.md §7.5; the behaviours of Harbor's reference converter are those of §7.6.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.formats.bundles import bundle, composed
from tests.formats.mini_swe_agent.documents import PADDED, ended, error, reply, result, run_of
from tests.formats.mini_swe_agent.test_corpus import HERE
from tests.support import needs_corpus

TASK = {"role": "user", "content": "Do it."}
COMMAND = {"role": "user", "content": "pwd", "extra": {"actions": [{"command": "pwd"}]}}
TEXT_RESULT = {"role": "user", "content": "/work", "extra": {"returncode": 0}}
REJECTION = {"role": "user", "content": "No.", "extra": {"interrupt_type": "UserRejection"}}
SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"


def back(call_id: str, content: Any, **extra: Any) -> dict[str, Any]:
    return {**result(call_id, **extra), "content": content}


def steps_of(*messages: Any, status: str = "Submitted") -> list[dict[str, Any]]:
    raw = json.dumps(run_of(TASK, *messages, status=status)).encode()
    [document], _, _ = composed(bundle("mini-swe-agent", raw), "atif")
    steps: list[dict[str, Any]] = document["steps"]
    return steps[1:]


def results(step: dict[str, Any]) -> list[tuple[Any, Any]]:
    found = step.get("observation", {}).get("results", [])
    return [(one.get("source_call_id"), one.get("content")) for one in found]


def test_parallel_results_keep_their_call_ids_in_the_order_in_which_they_came() -> None:
    [step] = steps_of(reply(("c1", "a"), ("c2", "b")), back("c2", "B"), back("c1", "A"))
    assert [("c2", "B"), ("c1", "A")] == results(step)
    assert ["c1", "c2"] == [call["tool_call_id"] for call in step["tool_calls"]]


def test_a_complaint_is_no_observation_of_the_step_before_it_and_a_lost_reply_is_no_step_of_the_agent() -> None:
    first, lost, complaint, kept, again, last = steps_of(
        reply(("c1", "a")), back("c1", "A"), error(), error(model_response="So."), reply(("c2", "b"))
    )
    assert [("c1", "A")] == results(first)
    assert ("system", True) == (lost["source"], lost["extra"]["attraj"]["lost_reply"])
    assert {"tool_calls", "observation", "metrics", "llm_call_count"}.isdisjoint(lost)
    assert [("user", []), ("agent", []), ("user", [])] == [
        (one["source"], results(one)) for one in (complaint, kept, again)
    ]
    assert ("So.", "rejected") == (kept["message"], kept["extra"]["attraj"]["status"])
    assert {"FormatError"} == {one["extra"]["attraj"]["interrupt"] for one in (complaint, again)}
    assert "c2" == last["tool_calls"][0]["tool_call_id"]


def test_a_rejection_is_a_word_of_the_user_and_what_was_rejected_is_no_call() -> None:
    proposed, rejection = steps_of(reply(("c1", "rm x")), back("c1", "not run", **PADDED), REJECTION)
    assert "tool_calls" not in proposed
    assert [(None, "not run")] == results(proposed)
    extra = proposed["observation"]["results"][0]["extra"]["attraj"]
    assert ("denied", "principal") == (extra["admission"]["status"], extra["admission"]["authority"])
    assert ("user", "No.", []) == (rejection["source"], rejection["message"], results(rejection))


def test_a_command_of_a_person_and_its_result_are_the_users() -> None:
    agent, *human = steps_of(reply(("c1", "ls")), back("c1", "out"), COMMAND, TEXT_RESULT)
    assert [("c1", "out")] == results(agent)
    assert {"user"} == {step["source"] for step in human}
    assert [[], [(None, "/work")]] == [results(step) for step in human]
    assert all("tool_calls" not in step for step in human)


@pytest.mark.parametrize("status", ["Submitted", "LimitsExceeded"])
def test_the_end_is_kept_and_the_submitting_call_has_no_result(status: str) -> None:
    raw = json.dumps(run_of(TASK, reply(("c1", SUBMIT)), ended(status), status=status)).encode()
    [document], _, _ = composed(bundle("mini-swe-agent", raw), "atif")
    _, call, end = document["steps"]
    assert (1, []) == (len(call["tool_calls"]), results(call))
    assert ("system", "terminal") == (end["source"], end["extra"]["attraj"]["kind"])
    [outcome] = document["extra"]["attraj"]["outcomes"]
    assert status == outcome["value"]


def test_each_reply_costs_what_it_cost() -> None:
    first, second = reply(("c1", "a")), reply(("c2", "b"))
    first["extra"] |= {"cost": 0.25}
    second["extra"] |= {"cost": 0.5}
    steps = steps_of(first, result("c1"), second)
    assert [0.25, 0.5] == [step["metrics"]["cost_usd"] for step in steps]
    assert [{"cost_usd"}, {"cost_usd"}] == [set(step["metrics"]) for step in steps]


def test_what_was_said_is_no_reasoning() -> None:
    quiet, loud = steps_of(reply(("c1", "a")), result("c1"), {**reply(("c2", "b")), "reasoning_content": "Hm."})
    assert (None, "Hm.") == (quiet.get("reasoning_content"), loud["reasoning_content"])
    assert "Hm." != loud["message"]


def test_a_list_of_parts_stays_one() -> None:
    parts = [{"type": "text", "text": "here"}, {"type": "image_url", "image_url": {"url": "images/a.png"}}]
    [step] = steps_of(reply(("c1", "show")), back("c1", parts))
    [(_, content)] = results(step)
    assert {"type": "text", "text": "here"} == content[0]
    assert ("image", "images/a.png") == (content[1]["type"], content[1]["source"]["path"])


LOST = [("14369", "astropy__astropy", 24, 35), ("11066", "django__django", 14, 2), ("11119", "django__django", 9, 13)]


@needs_corpus
@pytest.mark.parametrize(("number", "project", "replies", "lost"), LOST)
def test_replies_that_were_lost_are_told_and_none_is_made_up(
    number: str, project: str, replies: int, lost: int
) -> None:
    raw = (HERE / f"v2-liveswe-gpt5mini/{project}-{number}.traj.json").read_bytes()
    [document], losses, _ = composed(bundle("mini-swe-agent", raw), "atif")
    steps = document["steps"]
    costs = [one["extra"]["cost"] for one in json.loads(raw)["messages"] if one["role"] == "assistant"]
    assert costs == [step["metrics"]["cost_usd"] for step in steps if step["source"] == "agent"]
    assert replies == len(costs)
    assert lost == sum(step.get("extra", {}).get("attraj", {}).get("lost_reply") is True for step in steps)
    calls = [call["tool_call_id"] for step in steps for call in step.get("tool_calls", ())]
    answered = [identity for step in steps for identity, _ in results(step)]
    assert 1 == len(calls) - len(answered)
    assert None not in answered
    made_up = {loss.code for loss in losses if loss.handling == "synthesized"}
    assert {"no-message", "call-count", "step-numbers"} >= made_up
