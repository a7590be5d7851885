"""AT406: the parts of a decision's transition, and where they may be."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from attraj.bundle.checks import transitions
from attraj.bundle.model import Bundle
from tests.bundle.checks.mangled import mangled
from tests.bundle.checks.small import edge, node, tree
from tests.support import base_document

GONE = {"$at": {"status": "unavailable", "reason": "not recorded"}}
WHOLE: dict[str, Any] = {
    "state_before": "s",
    "read_set": ["x"],
    "action": {"kind": "tool_call"},
    "admission": {"status": "admitted", "authority": "runtime:r"},
    "effect": {"external": False},
    "observation": "ok",
    "write_set": ["x"],
    "state_after": "t",
}


def missing(document: Any) -> dict[str, str]:
    """Pointer to the list of missing parts."""
    findings = transitions.parts.run(Bundle(document))
    return {f.location.pointer: f.message.removeprefix("not addressable from the decision: ") for f in findings}


def decision(name: Any = "d", **changes: Any) -> dict[str, Any]:
    return node(name, "decision", **{**WHOLE, **changes})


ALONE = [
    pytest.param({}, "", id="everything-in-one-node"),
    pytest.param({"state_before": ...}, "state before", id="no-state-before"),
    pytest.param(
        {"state_before": ..., "state_view": "s", "read_set": ...}, "state before", id="a-view-is-no-state-before"
    ),
    pytest.param({"read_set": ...}, "view or read set", id="no-view"),
    pytest.param({"action": ...}, "action", id="no-action"),
    pytest.param({"admission": ...}, "admission", id="no-admission"),
    pytest.param({"effect": ...}, "effect, receipt", id="no-effect"),
    pytest.param({"effect": {"external": True}}, "receipt", id="no-receipt"),
    pytest.param(
        {"effect": {"external": True, "receipt_status": "none_authoritative"}}, "", id="no-receipt-and-said-so"
    ),
    pytest.param({"observation": ...}, "observation or evidence", id="no-observation"),
    pytest.param({"observation": ..., "evidence_refs": ["x"]}, "", id="evidence"),
    pytest.param({"observation": GONE, "action": GONE}, "", id="marked-parts-are-addressable"),
    pytest.param({"write_set": ...}, "state delta or write set", id="no-change"),
    pytest.param({"write_set": ..., "state_after": "s"}, "", id="nothing-changed"),
    pytest.param({"write_set": ..., "state_after": "u"}, "", id="the-state-holds-its-change"),
    pytest.param({"state_after": ...}, "state after", id="no-state-after"),
    pytest.param({"status": ...}, "end status", id="no-status"),
    pytest.param({"effect": ..., "observation": ..., "admission": {"status": "denied"}}, "", id="refused"),
    pytest.param({"state_before": ..., "state_after": ...}, "state after", id="no-state-at-all-is-another-finding"),
]


@pytest.mark.parametrize(("changes", "expected"), ALONE)
def test_a_decision_alone(changes: dict[str, Any], expected: str) -> None:
    states = [{"state_id": "u", "delta": [1]}]
    assert ({"/nodes/0": expected} if expected else {}) == missing(tree([decision(**changes)], states=states))


BARE = dict.fromkeys(("action", "admission", "effect", "observation", "write_set", "state_after"), ...)
SPREAD = [
    node("act", "action"),
    node("gate", "admission"),
    node("do", "effect", effect={"receipt_status": "unavailable"}),
    node("see", "observation"),
    node("write", "state_transaction", state_after="t", write_set=["x"]),
]
WAY = ["d", "act", "gate", "do", "see", "write"]


def test_the_parts_may_be_spread_over_what_follows() -> None:
    edges = [edge(a, b) for a, b in pairwise(WAY)]
    assert {} == missing(tree([decision(**BARE), *SPREAD], edges))


def test_what_the_next_decision_led_to_is_not_counted() -> None:
    nodes = [decision("first", observation=...), decision("second")]
    assert {"/nodes/0": "observation or evidence"} == missing(tree(nodes, [edge("first", "second")]))


def test_a_refusal_that_follows_ends_the_transition() -> None:
    gate = node("gate", "admission", status="denied")
    changes = dict.fromkeys(("admission", "effect", "observation", "write_set", "state_after"), ...)
    assert {} == missing(tree([decision(**changes), gate], [edge("d", "gate")]))


def test_nothing_is_said_where_the_graph_is_broken() -> None:
    nodes = [decision("behind", observation=...), decision("before", observation=...), node("x"), node("y")]
    edges = [edge("x", "y"), edge("y", "x"), edge("x", "behind"), edge("before", "nowhere")]
    assert {} == missing(tree(nodes, edges))


def test_many_decisions_share_what_follows() -> None:
    count = 3000  # one walk for each decision would take count * count steps
    nodes = [decision(f"d{i}", observation=...) for i in range(count)]
    nodes += [node(f"n{i}") for i in range(count)] + [node("see", "observation")]
    edges = [edge(f"d{i}", "n0") for i in range(count)]
    edges += [edge(f"n{i}", f"n{i + 1}") for i in range(count - 1)] + [edge(f"n{count - 1}", "see")]
    assert {} == missing(tree(nodes, edges))


def test_no_type_anywhere_makes_a_check_fall() -> None:
    for document in mangled(base_document("attraj.bundle.checks", "full"), "nodes", "edges", "states"):
        missing(document)
