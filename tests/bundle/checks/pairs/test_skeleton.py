"""AT312, AT314, AT711: what is taken away moves no child and puts nothing in order."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.bundle.checks.pairs import check_pair
from attraj.bundle.model import Bundle
from attraj.findings import Related, Severity
from tests.bundle.checks.pairs.support import add, base, derived, found, redaction, remove, replace

WITHHELD = {"relation": "caused_by", "source_id": "redacted:1", "availability": "redacted", "reason": "site"}
WITHOUT_LEVEL = [remove("/nodes/4"), remove("/edges/6"), remove("/edges/5"), remove("/edges/3")]


def edge(cause: str, effect: str, relation: str = "caused_by") -> dict[str, Any]:
    return add("/edges/-", {"edge_id": "edge:new", "from": cause, "to": effect, "relation": relation})


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param([replace("/edges/5/from", "node:request")], [("AT312", "/edges/5")], id="moved-to-an-ancestor"),
        pytest.param([edge("node:request", "node:closed")], [("AT312", "/edges/9")], id="a-parent-more"),
        pytest.param([edge("node:note", "node:check")], [("AT314", "/edges/9")], id="siblings-ordered"),
        pytest.param(
            [add("/nodes/4/external_parents/-", {**WITHHELD, "availability": "external", "source_id": "event:1"})],
            [("AT312", "/nodes/4/external_parents/0")],
            id="an-external-parent-more",
        ),
        pytest.param(
            [add("/nodes/4/external_parents/-", WITHHELD)],
            [("AT312", "/nodes/4/external_parents/0")],
            id="a-withheld-parent-that-is-not-one",
        ),
        pytest.param(
            [replace("/nodes/6/external_parents/0", {**WITHHELD, "relation": "triggered_by"})],
            [],
            id="an-external-parent-withheld",
        ),
        pytest.param(
            [replace("/nodes/6/external_parents/0/source_id", "<ID_NUMBER_1>")], [], id="an-external-parent-renamed"
        ),
        pytest.param(WITHOUT_LEVEL, [("AT711", "/nodes")], id="node-gone"),
        pytest.param(
            [add("/nodes/-", {"node_id": "node:x", "kind": "event"})], [("AT711", "/nodes/9")], id="node-invented"
        ),
        pytest.param([remove("/states/2")], [("AT711", "/states")], id="state-gone"),
        pytest.param([remove("/edges/5")], [("AT711", "/nodes/6")], id="edge-gone"),
        pytest.param([replace("/edges/5/relation", "depends_on")], [("AT711", "/nodes/6")], id="other-relation"),
        pytest.param([replace("/edges/5/edge_id", "edge:other")], [], id="edge-under-another-name"),
        pytest.param([replace("/nodes/0/parents/status", "undetermined")], [], id="parents-no-longer-told"),
        pytest.param([add("/nodes/4/parents", {"status": "none"})], [("AT711", "/nodes/4")], id="root-invented"),
        pytest.param([replace("/nodes/4/kind", "event")], [("AT711", "/nodes/4/kind")], id="other-kind"),
        pytest.param([replace("/nodes/4/sequence", 1)], [("AT711", "/nodes/4/sequence")], id="other-sequence"),
        pytest.param([remove("/nodes/1/state_view")], [("AT711", "/nodes/1")], id="link-gone"),
        pytest.param(
            [replace("/nodes/1/state_view", {"$at": {"status": "redacted"}})],
            [("AT711", "/nodes/1/state_view")],
            id="link-withheld",
        ),
        pytest.param(
            [replace("/outcomes/1/evidence_refs", ["receipt:read"])],
            [("AT711", "/outcomes/1/evidence_refs")],
            id="evidence-gone",
        ),
        pytest.param(
            [replace("/outcomes/1/evidence_refs", ["result:level", "receipt:read"])], [], id="evidence-in-another-order"
        ),
        pytest.param(
            [replace("/nodes/3/receipt/result_ref", "node:note")],
            [("AT711", "/nodes/3/receipt/result_ref")],
            id="result-of-a-receipt",
        ),
        pytest.param([remove("/bindings/sandboxes")], [("AT711", "/bindings")], id="binding-gone"),
        pytest.param([replace("/bindings/tools", [])], [("AT711", "/bindings/tools")], id="bindings-emptied"),
        pytest.param(
            [replace("/bindings/tools", ["tool:other"])], [("AT711", "/bindings/tools/0")], id="binding-other"
        ),
        pytest.param(
            [replace("/bindings/tools", {"availability": "redacted", "reason": "site"})], [], id="bindings-withheld"
        ),
        pytest.param([replace("/scope/event_count", 8)], [("AT711", "/scope/event_count")], id="other-scope"),
    ],
)
def test_redaction(changes: list[Any], expected: list[Any]) -> None:
    assert found(redaction(*changes), base(), "redaction") == expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param(WITHOUT_LEVEL, [("AT711", "/nodes/5"), ("AT711", "/nodes/6")], id="parent-left-out-unsaid"),
        pytest.param(
            [
                *WITHOUT_LEVEL,
                add("/nodes/5/external_parents/-", WITHHELD),
                add("/nodes/6/parents", {"status": "partial", "reason": "left out"}),
            ],
            [],
            id="parent-left-out-and-said-so",
        ),
        pytest.param(
            [
                *WITHOUT_LEVEL,
                *(
                    add(f"/nodes/{i}/external_parents/-", {**WITHHELD, "availability": "external", "source_id": name})
                    for i, name in ((5, "event:34"), (6, "node:level"))
                ),
            ],
            [],
            id="parent-left-out-and-named",
        ),
        pytest.param(
            [*WITHOUT_LEVEL, edge("node:read", "node:note"), edge("node:read", "node:check")],
            [("AT312", "/edges/6"), ("AT312", "/edges/7")],
            id="joined-to-the-grandparent",
        ),
        pytest.param([remove("/edges/5")], [("AT711", "/nodes/6")], id="edge-between-two-that-stay"),
        pytest.param([edge("node:note", "node:check")], [("AT314", "/edges/9")], id="siblings-ordered"),
    ],
)
def test_selection(changes: list[Any], expected: list[Any]) -> None:
    assert found(derived("selection_of", *changes), base(), "derive") == expected


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param(edge("node:note", "node:check"), [("AT314", "/edges/9")], id="siblings-ordered"),
        pytest.param(edge("node:request", "node:closed"), [], id="an-order-that-was-there"),
    ],
)
def test_revision(change: Any, expected: list[Any]) -> None:
    assert found(derived("revision_of", change), base(), "revision") == expected


def test_a_revision_may_find_parents_that_were_undetermined() -> None:
    old = base()
    old["nodes"][7]["parents"] = {"status": "partial", "reason": "not all were recorded"}
    assert found(derived("revision_of", edge("node:note", "node:check"), old=old), old, "revision") == []


def test_the_severity_of_an_invented_order() -> None:
    change = edge("node:note", "node:check")
    (taken,) = check_pair(Bundle(redaction(change)), Bundle(base()), "redaction")
    (revised,) = check_pair(Bundle(derived("revision_of", change)), Bundle(base()), "revision")
    assert (taken.severity, revised.severity) == (Severity.ERROR, Severity.WARNING)
    assert taken.related == (Related("/nodes/7", "in the older document"),)


def test_edges_follow_an_identifier_that_was_replaced() -> None:
    text = json.dumps(redaction(replace("/edges/5/from", "node:request"))).replace("node:level", "<USER_1>")
    assert found(json.loads(text), base(), "redaction") == [("AT312", "/edges/5")]
