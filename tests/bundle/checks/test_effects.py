"""AT504 to AT511: admission, effect, receipt and redelivery."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.checks import effects
from tests.bundle.checks.mangled import mangled
from tests.bundle.checks.small import edge, found, node, tree
from tests.support import base_document

FULL = base_document("attraj.bundle.checks", "full")
GONE = {"$at": {"status": "redacted", "class": "other", "reason": "site policy"}}
OK = {"status": "admitted", "authority": "runtime:r"}
RECEIPT = {
    "receipt_id": "receipt:1",
    "operation": "turn",
    "arguments": None,
    "route": "door",
    "causal_id": "n",
    "status": "succeeded",
    "result_ref": GONE,
}


def effect(name: str = "n", **members: Any) -> dict[str, Any]:
    return node(name, "effect", **{"status": "succeeded", "admission": OK, **members})


HERE = "/nodes/0"
ALONE = [
    pytest.param(effect(), [], id="admitted"),
    pytest.param(effect(admission={"status": "unknown"}), [], id="unknown-admission-is-said"),
    pytest.param(effect(admission=GONE), [], id="withheld-admission"),
    pytest.param(effect(admission={"status": "admitted"}), [("AT504", HERE + "/admission")], id="no-authority"),
    pytest.param(effect(admission={"status": "admitted", "authority": GONE}), [], id="withheld-authority"),
    pytest.param(effect(admission=...), [("AT504", HERE)], id="no-admission"),
    pytest.param(effect(admission=..., status="proposed"), [], id="not-yet-run"),
    pytest.param(effect(admission=..., status="denied"), [], id="never-run"),
    pytest.param(effect(admission=..., status="replayed"), [], id="redelivery-needs-none"),
    pytest.param(effect(admission={"status": "denied"}), [("AT511", HERE + "/admission/status")], id="denied-and-run"),
    pytest.param(effect(admission={"status": "expired"}, status="cancelled"), [], id="expired-and-not-run"),
    pytest.param(
        effect(admission={"status": "revoked"}, status="failed", receipt=RECEIPT),
        [("AT511", HERE + "/admission/status")],
        id="the-receipt-says-that-it-ran",
    ),
    pytest.param(node("n", "decision", admission={"status": "denied"}), [], id="a-denied-decision"),
    pytest.param(effect(effect={"external": True}), [("AT505", HERE + "/effect")], id="no-receipt"),
    pytest.param(effect(effect={"external": True}, receipt=RECEIPT), [], id="receipt-attached"),
    pytest.param(effect(effect={"external": True}, receipt=GONE), [], id="receipt-withheld"),
    pytest.param(effect(effect={"external": True, "receipt_ref": "receipt:1"}), [], id="receipt-referenced"),
    pytest.param(effect(effect={"external": True, "receipt_status": "none_authoritative"}), [], id="there-is-none"),
    pytest.param(effect(effect={"external": True, "receipt_status": GONE}), [], id="withheld-whether-there-is-one"),
    pytest.param(
        effect(effect={"external": True, "receipt_status": "attached"}),
        [("AT505", HERE + "/effect")],
        id="attached-and-not-here",
    ),
    pytest.param(
        effect(effect={"external": True, "receipt_status": "referenced"}),
        [("AT505", HERE + "/effect")],
        id="referenced-and-not-named",
    ),
    pytest.param(effect(effect={"external": True}, status="queued"), [], id="nothing-ran-yet"),
    pytest.param(effect(effect={"external": False}), [], id="inside-the-runtime"),
    pytest.param(effect(effect={}), [], id="not-said-whether-external"),
    pytest.param(effect(receipt={}), [("AT506", HERE + "/receipt")], id="empty-receipt"),
    pytest.param(effect(receipt={**RECEIPT, "route": ""}), [("AT506", HERE + "/receipt")], id="empty-part"),
    pytest.param(effect(receipt={**RECEIPT, "arguments": ""}), [], id="empty-arguments-are-arguments"),
    pytest.param(effect(effect={"replay": True}), [("AT507", HERE + "/status")], id="replay-as-success"),
    pytest.param(effect(effect={"replay_of": "m"}), [("AT507", HERE + "/status")], id="replay-of-as-success"),
    pytest.param(effect(effect={"replay": True}, status="deduplicated"), [], id="replay-as-replay"),
    pytest.param(effect(effect={"replay": False}), [], id="no-replay"),
    pytest.param(effect(action={}, effect={}, receipt=RECEIPT), [("AT509", HERE)], id="three-phases-in-one"),
    pytest.param(
        node("n", "decision", actor="agent:a", authority_class="agent", admission={**OK, "authority": "agent:a"}),
        [("AT509", HERE + "/admission/authority")],
        id="admits-its-own-proposal",
    ),
    pytest.param(
        node("n", "decision", actor="agent:a", authority_class="agent", admission=OK), [], id="admitted-by-another"
    ),
    pytest.param(
        node("n", "decision", actor="p", authority_class="principal", admission={**OK, "authority": "p"}),
        [],
        id="a-principal-may",
    ),
]


@pytest.mark.parametrize(("given", "expected"), ALONE)
def test_one_node(given: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert expected == found(tree([given]), effects)


BARE = effect("n", admission=...)
GATE = node("g", "admission", status="admitted")
AGENT = {"actor": "agent:a", "authority_class": "agent"}
LINKED = [
    pytest.param([GATE, BARE], [edge("g", "n")], [], id="admission-before-the-effect"),
    pytest.param([node("g", "decision", admission=OK), BARE], [edge("g", "n")], [], id="the-decision-was-admitted"),
    pytest.param(
        [GATE, BARE, node("d", "decision")],
        [edge("g", "d"), edge("d", "n")],
        [("AT504", "/nodes/1")],
        id="another-decision-between",
    ),
    pytest.param([effect("e"), BARE], [edge("e", "n")], [("AT504", "/nodes/1")], id="the-effect-before-was-admitted"),
    pytest.param(
        [node("g", "admission", status="expired"), effect()], [edge("g", "n")], [("AT510", "/nodes/1")], id="x"
    ),
    pytest.param(
        [node("g", "capability", status="revoked"), effect()], [edge("g", "n")], [("AT510", "/nodes/1")], id="c"
    ),
    pytest.param(
        [node("g", "admission", status="denied"), node("m"), effect()],
        [edge("g", "m"), edge("m", "n")],
        [("AT510", "/nodes/2")],
        id="further-on",
    ),
    pytest.param(
        [node("g", "admission", status="denied"), node("h", "admission", status="admitted"), effect()],
        [edge("g", "h"), edge("h", "n")],
        [],
        id="granted-later",
    ),
    pytest.param(
        [node("g", "admission", status="denied"), node("h", "admission", status="admitted"), effect()],
        [edge("g", "n"), edge("h", "n")],
        [],
        id="granted-beside",
    ),
    pytest.param(
        [node("g", "admission", status="denied"), node("d", "decision"), effect()],
        [edge("g", "d"), edge("d", "n")],
        [],
        id="decided-anew",
    ),
    pytest.param(
        [node("g", "admission", status="denied"), effect(status="failed")], [edge("g", "n")], [], id="not-executed"
    ),
    pytest.param(
        [effect(effect={"external": True}), node("r", "effect_receipt")], [edge("n", "r")], [], id="receipt-next"
    ),
    pytest.param([effect("m"), effect()], [edge("m", "n", "replays")], [("AT507", "/nodes/1/status")], id="by-an-edge"),
    pytest.param(
        [effect("m"), effect(effect={})],
        [edge("m", "n", "replays")],
        [("AT507", "/nodes/1/status")],
        id="edge-and-member",
    ),
    pytest.param([node("m"), node("n")], [edge("m", "n", "replays")], [], id="no-effect-is-replayed"),
    pytest.param(
        [node("d", "decision", **AGENT), node("g", "admission", **AGENT, status="admitted")],
        [edge("d", "g")],
        [("AT509", "/nodes/1/actor")],
        id="a-gate-of-ones-own",
    ),
    pytest.param(
        [node("d", "decision", **AGENT), node("g", "admission", **AGENT, status="denied")],
        [edge("d", "g")],
        [],
        id="a-refusal-of-ones-own",
    ),
]


@pytest.mark.parametrize(("nodes", "edges", "expected"), LINKED)
def test_nodes_together(nodes: list[Any], edges: list[Any], expected: list[tuple[str, str]]) -> None:
    assert expected == found(tree(nodes, edges), effects)


def keyed(name: str, **members: Any) -> dict[str, Any]:
    return effect(name, effect={"idempotency_key": "k"}, **members)


KEY = "/nodes/1/effect/idempotency_key"
REPEATED = [
    pytest.param([keyed("a"), keyed("b")], [], [("AT508", KEY)], id="one-key-twice"),
    pytest.param(
        [keyed("a"), keyed("b"), keyed("c")], [], [("AT508", KEY), ("AT508", KEY.replace("1", "2"))], id="thrice"
    ),
    pytest.param([keyed("a", status="failed"), keyed("b")], [], [], id="the-first-failed"),
    pytest.param([keyed("a"), keyed("b", status="replayed")], [], [], id="a-replay"),
    pytest.param([effect("a", effect={"idempotency_key": ""}), keyed("b")], [], [], id="no-key"),
    pytest.param(
        [effect("a", receipt=RECEIPT), effect("b", receipt=RECEIPT)],
        [],
        [("AT508", "/nodes/1/receipt/receipt_id")],
        id="one-receipt-twice",
    ),
    pytest.param(
        [keyed("a", receipt=RECEIPT), keyed("b", receipt=RECEIPT)], [], [("AT508", KEY)], id="both-are-one-finding"
    ),
    pytest.param(
        [effect("a", receipt=RECEIPT), node("b", "effect_receipt", receipt=RECEIPT)], [], [], id="the-receipt-itself"
    ),
]


@pytest.mark.parametrize(("nodes", "edges", "expected"), REPEATED)
def test_repeated_effects(nodes: list[Any], edges: list[Any], expected: list[tuple[str, str]]) -> None:
    assert expected == found(tree(nodes, edges), effects)


def test_the_full_example_is_silent() -> None:
    assert [] == found(FULL, effects)


def test_no_type_anywhere_makes_a_check_fall() -> None:
    for document in mangled(FULL, "nodes", "edges"):
        found(document, effects)
