"""Bundles of other producers (spec: bundle.md §4.6) in every target: the call that a decision holds, and every text."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.jsonio.values import of_value
from attraj.limits import DEFAULT_LIMITS
from attraj.verbs.diff import diff
from tests.formats.bundles import composed

Json = dict[str, Any]
ROOMS = ["atif", "swe-agent", "mini-swe-agent", "react-web"]


def node(name: str, kind: str, **more: Any) -> Json:
    return {"node_id": name, "kind": kind, **more}


def native(name: str) -> Json:
    """A run in the form of a runtime's own log, its texts under this name; "" for the text as the payload."""

    def said(text: str) -> Any:
        return {name: text} if name else text

    call = {"kind": "tool_call", "name": "shell", "arguments": {"cmd": "pytest -q"}}
    return {
        "spec_version": "0.1",
        "profiles": ["AT-Core"],
        "trajectory_id": "at:demo:1",
        "source": {"implementation": "demo"},
        "nodes": [
            node("i", "input", authority_class="principal", payload=said("Fix add().")),
            node(
                "d",
                "decision",
                authority_class="model",
                payload=said("I run the tests."),
                action=call,
                admission={"status": "admitted"},
            ),
            node("m", "admission", authority_class="runtime"),
            node("e", "effect", effect={"external": True}, receipt={"receipt_id": "r"}),
            node("o", "observation", payload=said("1 passed")),
            node("t", "terminal", payload=said("Over.")),
        ],
        "edges": [
            {"edge_id": f"{cause}{effect}", "from": cause, "to": effect, "relation": "caused_by"}
            for cause, effect in ("id", "dm", "me", "eo")
        ],
    }


def told(room: str, document: Any) -> list[Any]:
    """What each target says of the run: task, reply, call, result."""
    if room == "atif":
        user, agent = document["steps"][:2]
        [call] = agent["tool_calls"]
        [result] = agent["observation"]["results"]
        assert call["tool_call_id"] == result["source_call_id"]
        assert "text" not in result.get("extra", {}).get("attraj", {})
        return [user["message"], agent["message"], call["function_name"], call["arguments"], result["content"]]
    if room == "swe-agent":
        [step] = document["trajectory"]
        return [document["history"][0]["content"], step["response"], step["action"], step["observation"]]
    if room == "mini-swe-agent":
        user, reply, result, _ = document["messages"]
        [call] = reply["tool_calls"]
        assert call["id"] == result["tool_call_id"]
        return [user["content"], reply["content"], *call["function"].values(), result["content"]]
    thought, action, result = document["steps"]
    assert action["tool"] == result["tool"]
    return [document["task"], thought["content"], action["tool"], action["args"], result["content"]]


SAID = ("/nodes/0/payload", "/nodes/1/payload", "/nodes/1/action", "/nodes/4/payload")
EXPECTED: dict[str, list[Any]] = {
    "atif": ["Fix add().", "I run the tests.", "shell", {"cmd": "pytest -q"}, "1 passed"],
    "swe-agent": ["Fix add().", "I run the tests.", 'shell {"cmd": "pytest -q"}', "1 passed"],
    "mini-swe-agent": ["Fix add().", "I run the tests.", "shell", '{"cmd": "pytest -q"}', "1 passed"],
    "react-web": ["Fix add().", "[message] I run the tests.", "shell", {"cmd": "pytest -q"}, "1 passed"],
}


@pytest.mark.parametrize("name", ["content", "text", "message", ""])
@pytest.mark.parametrize("room", ROOMS)
def test_every_target_has_the_call_of_a_decision_and_every_text(room: str, name: str) -> None:
    documents, losses, _ = composed(native(name), room)
    assert EXPECTED[room] == told(room, documents[0])
    dropped = [one.pointer for one in losses if one.handling == "dropped" and one.pointer in SAID]
    assert ([], False) == (dropped, "no-action" in [one.code for one in losses])


@pytest.mark.parametrize("room", ROOMS)
def test_a_call_that_a_decision_holds_and_that_was_refused_did_not_run(room: str) -> None:
    tree = native("content")
    tree["nodes"][1]["admission"] = {"status": "denied"}
    tree["nodes"] = [tree["nodes"][0], tree["nodes"][1], tree["nodes"][4]]
    tree["edges"] = [{"edge_id": "do", "from": "d", "to": "o", "relation": "caused_by"}]
    [document], losses, _ = composed(tree, room)
    if room == "atif":
        assert "tool_calls" not in document["steps"][1]
    elif room == "swe-agent":
        assert [""] == [step["observation"] for step in document["trajectory"]]
    elif room == "mini-swe-agent":
        assert "actions" not in document["messages"][1].get("extra", {})
        assert -1 == document["messages"][2]["extra"]["returncode"]
    else:
        assert ["thought", "action"] == [step["type"] for step in document["steps"]]
        assert "rejected-proposal" in [one.code for one in losses]


@pytest.mark.parametrize("room", ROOMS)
def test_a_word_that_was_taken_away_was_said(room: str) -> None:
    tree = native("text")
    tree["nodes"][0]["payload"]["text"] = {"$at": {"status": "redacted", "reason": "privacy", "was": "string"}}
    [document], losses, _ = composed(tree, room)
    assert "[REDACTED]" == told(room, document)[0]
    assert ("withheld-content", "/nodes/0/payload/text") in [(one.code, one.pointer) for one in losses]


def test_samples_that_came_through_another_format_stand_with_their_step() -> None:
    tree = native("content")
    compared: dict[str, Any] = {"comparison_log": []}
    tree["nodes"][1]["payload"]["extra_info"] = compared
    [document], _, _ = composed(tree, "swe-agent")
    assert [compared] == [step["extra_info"] for step in document["trajectory"]]


@pytest.mark.parametrize("name", ["content", "text", ""])
@pytest.mark.parametrize("room", ["atif", "mini-swe-agent"])
def test_comparing_finds_what_was_said_and_asked_for_in_both(room: str, name: str) -> None:
    tree = native(name)
    [document], _, _ = composed(tree, room)
    found = diff(of_value(tree, DEFAULT_LIMITS), of_value(document, DEFAULT_LIMITS))
    changes = [(one.topic, one.kind) for pair in found.pairs() for one in pair.changes]
    assert [] == [one for one in changes if one[0] in ("messages", "results", "calls", "links", "kinds")]


def test_comparing_natives_tells_a_word_that_differs_as_one() -> None:
    one, other = native("text"), native("text")
    other["nodes"][4]["payload"]["text"] = "2 passed"
    found = diff(of_value(one, DEFAULT_LIMITS), of_value(other, DEFAULT_LIMITS))
    assert ["messages"] == [change.topic for pair in found.pairs() for change in pair.changes]
