"""Turns that an agent did not live through."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.model import Bundle
from attraj.formats.mapping.experience import is_refused, is_unparsed, leave_out, parts_of, unlived
from attraj.formats.mapping.held import Ledger, Part
from attraj.formats.mapping.turns import threads

NODES = [
    pytest.param({"kind": "decision"}, None, id="a-decision"),
    pytest.param({"kind": "decision", "authority_class": "model"}, None, id="a-decision-of-a-model"),
    pytest.param({"kind": "decision", "payload": {"llm_call_count": 2}}, None, id="of-several-calls"),
    pytest.param({"kind": "decision", "payload": {"llm_call_count": False}}, None, id="false-is-no-count"),
    pytest.param({"kind": "decision", "payload": {"is_copied_context": "true"}}, None, id="a-text-is-no-mark"),
    pytest.param({"kind": "decision", "payload": {"llm_call_count": 0}}, "uncalled-step", id="no-model-was-called"),
    pytest.param({"kind": "action", "authority_class": "harness"}, "uncalled-step", id="a-call-of-the-harness"),
    pytest.param({"kind": "action", "authority_class": "principal"}, "call-of-a-person", id="a-call-of-a-person"),
    pytest.param({"kind": "decision", "payload": {"is_copied_context": True}}, "copied-context", id="copied"),
    pytest.param({"kind": "input", "payload": {"is_copied_context": True}}, "copied-context", id="a-copied-word"),
    pytest.param({"kind": "input", "payload": {"is_demo": True}}, "demonstration", id="an-example"),
    pytest.param(
        {"kind": "decision", "authority_class": "unknown", "training": {"target": False}}, "demonstration", id="shown"
    ),
    pytest.param({"kind": "decision", "authority_class": "unknown", "training": {}}, None, id="of-nobody-known"),
    pytest.param({"kind": "decision", "authority_class": "model", "training": {"target": False}}, None, id="no-target"),
    pytest.param({"kind": "input", "authority_class": "harness"}, None, id="a-word-of-the-harness"),
]


@pytest.mark.parametrize(("record", "expected"), NODES)
def test_what_is_no_experience_says_why(record: dict[str, Any], expected: str | None) -> None:
    found = unlived(Part(record, ("nodes", 0), Ledger()))
    assert expected == (found.code if found else None)


def test_a_turn_is_left_out_whole_and_each_of_its_nodes_once() -> None:
    nodes: list[dict[str, Any]] = [
        {"node_id": "d", "kind": "decision", "payload": {"content": "x", "llm_call_count": 0}},
        {"node_id": "a", "kind": "action", "action": {"name": "ls"}},
        {"node_id": "o", "kind": "observation", "observation": "out"},
    ]
    edges = [{"from": "d", "to": "a"}, {"from": "a", "to": "o"}]
    ledger = Ledger()
    [thread] = threads(Bundle({"nodes": nodes, "edges": edges}), ledger)
    [turn] = thread.turns
    assert [("nodes", 0), ("nodes", 1), ("nodes", 2)] == [part.at for part in parts_of(turn)]
    why = unlived(turn.node)
    assert why is not None
    leave_out(turn, why)
    assert ["/nodes/0/payload", "/nodes/1/action", "/nodes/2/observation"] == [loss.pointer for loss in ledger.losses]
    assert {("uncalled-step", "message_vs_state_view", "dropped")} == {
        (loss.code, loss.category, loss.handling) for loss in ledger.losses
    }


CALLS = [
    pytest.param({"kind": "action", "action": {"name": "ls"}}, (False, False), id="a-call"),
    pytest.param({"kind": "proposal", "action": {"value": "ls"}}, (True, False), id="a-proposal"),
    pytest.param({"kind": "action", "admission": {"status": "denied"}}, (True, False), id="a-call-that-was-denied"),
    pytest.param(
        {"kind": "action", "admission": {"status": ["denied"]}}, (False, False), id="a-status-of-another-type"
    ),
    pytest.param({"kind": "proposal", "action": {"kind": "unparsed", "value": ""}}, (True, True), id="nothing-to-ask"),
    pytest.param({"kind": "action", "action": {"arguments": {}}}, (False, True), id="no-name-and-no-arguments"),
    pytest.param(
        {"kind": "action", "action": {"arguments": [], "value": 0}}, (False, False), id="odd-and-yet-something"
    ),
]


@pytest.mark.parametrize(("record", "expected"), CALLS)
def test_what_became_of_a_call(record: dict[str, Any], expected: tuple[bool, bool]) -> None:
    action = Part(record, ("nodes", 0), Ledger())
    assert expected == (is_refused(action), is_unparsed(action))
