"""AT60x, AT615, AT616: outcomes and what they rest on."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.checks import evidence
from tests.bundle.checks.families import FULL, added, changed, findings, found, removed, replaced
from tests.bundle.checks.mangled import mangled

RUNTIME = FULL["outcomes"][1]
ONE = "/outcomes/1"


def outcome(**members: Any) -> list[dict[str, Any]]:
    """A patch that changes members of the runtime's terminal outcome."""
    return replaced(ONE, {**RUNTIME, **members})


def another(**members: Any) -> list[dict[str, Any]]:
    """A patch that adds a third outcome like the runtime's."""
    return added("/outcomes/-", {**RUNTIME, "outcome_id": "outcome:third", **members})


MARKER = {"$at": {"status": "unknown"}}
BAD = [
    pytest.param(removed(f"{ONE}/scope"), [("AT601", ONE)], id="no-scope"),
    pytest.param(removed(f"{ONE}/producer"), [("AT601", ONE)], id="no-producer"),
    pytest.param(removed(f"{ONE}/authority_class"), [("AT601", ONE)], id="no-authority"),
    pytest.param(removed(f"{ONE}/terminal"), [("AT601", ONE)], id="terminality-not-said"),
    pytest.param(outcome(scope="", producer=""), [("AT601", ONE)], id="empty-texts-state-nothing"),
    pytest.param(outcome(terminal="yes"), [("AT601", f"{ONE}/terminal")], id="terminality-as-text"),
    pytest.param(outcome(terminal="unknown"), [("AT601", f"{ONE}/terminal")], id="unknown-terminality-not-marked"),
    pytest.param(removed(f"{ONE}/asserted_at_node"), [("AT602", ONE)], id="no-assertion"),
    pytest.param(outcome(asserted_at_node=""), [("AT602", ONE)], id="empty-assertion"),
    pytest.param(outcome(authority_class="oracle"), [("AT603", f"{ONE}/authority_class")], id="oracle"),
    pytest.param(
        outcome(authority_class="external_or_unspecified"), [("AT603", f"{ONE}/authority_class")], id="a-node's-class"
    ),
    pytest.param(
        outcome(authority_class="agent_claim_runtime_committed"),
        [("AT604", f"{ONE}/authority_class")],
        id="agent-and-runtime",
    ),
    pytest.param(outcome(authority_class="runtime+user"), [("AT604", f"{ONE}/authority_class")], id="joined-by-plus"),
    pytest.param(outcome(evidence_refs=[]), [("AT605", f"{ONE}/evidence_refs")], id="no-evidence"),
    pytest.param(removed(f"{ONE}/evidence_refs"), [("AT605", ONE)], id="evidence-not-mentioned"),
    pytest.param(another(status="failed"), [("AT606", "/outcomes/2")], id="success-and-failure"),
    pytest.param(
        another(status="failed", scope=["attempt:two"]), [("AT606", "/outcomes/2")], id="the-scope-in-an-array"
    ),
    pytest.param(outcome(superseded_by="outcome:none"), [("AT607", f"{ONE}/superseded_by")], id="unknown-successor"),
    pytest.param(outcome(superseded_by="attempt:two"), [("AT607", f"{ONE}/superseded_by")], id="successor-no-record"),
    pytest.param(
        outcome(invalidated_by="outcome:runtime"), [("AT607", f"{ONE}/invalidated_by")], id="invalidated-by-itself"
    ),
    pytest.param(
        [*outcome(superseded_by="outcome:claim"), *added("/outcomes/0/superseded_by", "outcome:runtime")],
        [("AT607", "/outcomes/0")],
        id="in-a-circle",
    ),
    pytest.param(
        added("/verifier_results/0/invalidated_by", "result:none"),
        [("AT607", "/verifier_results/0/invalidated_by")],
        id="verifier-result-invalidated-by-nothing",
    ),
    pytest.param(outcome(producer="agent:pilot"), [("AT608", f"{ONE}/authority_class")], id="agent-as-runtime"),
    pytest.param(
        outcome(scope="objective:gauge-check", evidence_refs=["result:level"]),
        [("AT615", f"{ONE}/evidence_refs"), ("AT616", f"{ONE}/evidence_refs")],
        id="on-a-result-of-another-scope-alone",
    ),
    pytest.param(
        outcome(evidence_refs=["result:level"]), [("AT616", f"{ONE}/evidence_refs")], id="on-a-verifier-alone"
    ),
    pytest.param(
        outcome(producer="verifier:level-check", authority_class="verifier"),
        [("AT616", f"{ONE}/authority_class")],
        id="by-a-verifier",
    ),
]


@pytest.mark.parametrize(("patch", "expected"), BAD)
def test_reports_each_fault_once(patch: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == found(changed(patch), evidence)


SILENT = [
    pytest.param([], id="the-full-example"),
    pytest.param(outcome(terminal=MARKER), id="terminality-marked-unknown"),
    pytest.param(outcome(scope=MARKER, producer=MARKER, status=MARKER), id="parts-marked"),
    pytest.param(outcome(asserted_at_node=MARKER), id="assertion-marked"),
    pytest.param(
        [*removed(f"{ONE}/asserted_at_node"), *added(f"{ONE}/asserted_at", {"boundary": "end"})], id="a-boundary"
    ),
    *(
        pytest.param(outcome(authority_class=word, producer="somebody"), id=f"authority-{word}")
        for word in ("runtime", "principal_acceptance", "external_world", "unknown", "agent", "user", "external")
    ),
    pytest.param(outcome(evidence_refs=MARKER), id="evidence-marked"),
    pytest.param(another(status="failed", scope="attempt:three"), id="failure-of-another-scope"),
    pytest.param(
        another(status="failed", authority_class="principal_acceptance", producer="principal:keeper"),
        id="failure-by-another-authority",
    ),
    pytest.param(another(status="failed", terminal=False), id="failure-that-ends-nothing"),
    pytest.param(another(status="failed", superseded_by="outcome:runtime"), id="failure-that-was-superseded"),
    pytest.param(
        [
            *another(status="failed", asserted_at_node="node:note"),
            *added("/edges/-", {"from": "node:note", "to": "node:closed", "relation": "supersedes"}),
        ],
        id="failure-superseded-by-an-edge",
    ),
    pytest.param(outcome(producer="harness:tidehouse"), id="a-harness-speaks-as-runtime"),
    pytest.param(outcome(producer="dock:seven"), id="a-prefix-that-says-nothing"),
    pytest.param(outcome(evidence_refs=["result:level"], terminal=False), id="on-a-verifier-alone-and-not-the-end"),
]


@pytest.mark.parametrize("patch", SILENT)
def test_is_silent(patch: Any) -> None:
    assert [] == found(changed(patch), evidence)


@pytest.mark.parametrize(
    ("members", "severity"),
    [({"terminal": True}, "warning"), ({"terminal": False}, "info"), ({"status": "failed"}, "info")],
)
def test_missing_evidence_weighs_more_under_a_success(members: dict[str, Any], severity: str) -> None:
    reported = findings(changed(outcome(evidence_refs=[], **members)), evidence)
    assert [("AT605", severity)] == [(f.code, str(f.severity)) for f in reported]


def test_the_parts_that_are_wanting_are_named() -> None:
    tree = changed([*removed(f"{ONE}/scope"), *removed(f"{ONE}/status")])
    assert ["outcome does not state `scope`, `status`"] == [f.message for f in findings(tree, evidence)]


def test_no_type_in_any_place_breaks_a_check() -> None:
    for tree in mangled(FULL, "outcomes", "verifier_results", "edges", "bindings"):
        findings(tree, evidence)
