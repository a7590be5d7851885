"""AT201 to AT213: identifiers and references."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.checks import content_ids, identity
from attraj.bundle.checks.check import Check
from attraj.bundle.model import Bundle
from attraj.findings import Severity
from tests.bundle.checks.mangled import mangled
from tests.bundle.checks.reported import add, findings, full, minimal, remove, replace, reported

MARKER = {"$at": {"status": "redacted", "reason": "policy"}}


def at(*pairs: str) -> list[tuple[str, str]]:
    """at("AT201 /nodes/1") is [("AT201", "/nodes/1")]."""
    return [(code, pointer) for code, pointer in (pair.split(" ") for pair in pairs)]


DUPLICATES = [
    pytest.param(full(replace("/nodes/4/node_id", "node:read")), at("AT201 /nodes/4/node_id"), id="nodes"),
    pytest.param(full(replace("/states/2/state_id", "state:after")), at("AT201 /states/2/state_id"), id="states"),
    pytest.param(full(replace("/edges/2/edge_id", "edge:1")), at("AT201 /edges/2/edge_id"), id="edges"),
    pytest.param(
        full(replace("/outcomes/1/outcome_id", "outcome:claim")), at("AT201 /outcomes/1/outcome_id"), id="outcomes"
    ),
    pytest.param(
        full(replace("/nodes/4/node_id", "node:read"), replace("/nodes/5/node_id", "node:read")),
        at("AT201 /nodes/4/node_id", "AT201 /nodes/5/node_id"),
        id="three-of-one-name",
    ),
    pytest.param(
        full(add("/source/artifacts", [{"artifact_id": "log"}, {"artifact_id": "log"}])),
        at("AT201 /source/artifacts/1/artifact_id"),
        id="artifacts",
    ),
    pytest.param(full(remove("/edges/0/edge_id"), remove("/edges/1/edge_id")), [], id="edges-without-identifiers"),
    pytest.param(
        full(replace("/nodes/3/node_id", ""), replace("/nodes/4/node_id", "")),
        [],
        id="empty-ones-are-the-matter-of-AT108",
    ),
    pytest.param(full(), [], id="none"),
]


@pytest.mark.parametrize(("tree", "expected"), DUPLICATES)
def test_duplicates(tree: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == reported(tree, "AT201")


SHARED = [
    pytest.param(
        full(replace("/outcomes/0/outcome_id", "node:level")), at("AT202 /outcomes/0/outcome_id"), id="outcome-node"
    ),
    pytest.param(full(replace("/states/2/state_id", "node:level")), at("AT202 /states/2/state_id"), id="state-node"),
    pytest.param(full(replace("/reward_records/0/reward_id", "outcome:claim")), [], id="reward-and-outcome-are-AT628"),
    pytest.param(full(replace("/edges/0/edge_id", "node:level")), [], id="edges-are-never-referred-to"),
    pytest.param(
        full(replace("/verifier_results/0/verifier_result_id", "event:37")), [], id="the-event-that-carries-it"
    ),
]


@pytest.mark.parametrize(("tree", "expected"), SHARED)
def test_shared_identifiers(tree: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == reported(tree, "AT202")


EDGES = [
    pytest.param(replace("/edges/0/from", "node:nope"), at("AT203 /edges/0/from"), id="from-missing"),
    pytest.param(replace("/edges/0/to", "node:nope"), at("AT203 /edges/0/to"), id="to-missing"),
    pytest.param(
        replace("/edges/0", {"from": "x", "to": "y", "relation": "caused_by"}),
        at("AT203 /edges/0/from", "AT203 /edges/0/to"),
        id="both-missing",
    ),
    pytest.param(replace("/edges/0/from", "event:30"), at("AT203 /edges/0/from"), id="a-source-event-is-no-node"),
    pytest.param(replace("/edges/0/from", "event:12"), at("AT203 /edges/0/from"), id="an-external-parent-is-no-node"),
    pytest.param(replace("/edges/0/from", 5), [], id="a-number-is-the-matter-of-AT108"),
    pytest.param(replace("/edges/0/from", ""), [], id="an-empty-one-too"),
    pytest.param(remove("/edges/0/from"), [], id="a-missing-one-too"),
    pytest.param(replace("/edges/0", "x"), [], id="no-edge-at-all"),
]


@pytest.mark.parametrize(("change", "expected"), EDGES)
def test_edge_ends(change: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == reported(full(change), "AT203")


REFERENCES = [
    pytest.param(replace("/nodes/6/state_before", "s"), at("AT204 /nodes/6/state_before"), id="state-before"),
    pytest.param(replace("/nodes/1/state_view", "s"), at("AT204 /nodes/1/state_view"), id="state-view"),
    pytest.param(replace("/nodes/6/state_after", "s"), at("AT204 /nodes/6/state_after"), id="state-after"),
    pytest.param(replace("/states/3/same_as", "s"), at("AT204 /states/3/same_as"), id="same-as"),
    pytest.param(add("/states/1/base_state", "s"), at("AT204 /states/1/base_state"), id="base-state"),
    pytest.param(replace("/nodes/6/state_after", ""), at("AT204 /nodes/6/state_after"), id="an-empty-name"),
    pytest.param(replace("/nodes/6/state_after", MARKER), [], id="a-state-withheld"),
    pytest.param(replace("/nodes/6/state_after", None), [], id="null-is-the-matter-of-AT102"),
    pytest.param(
        replace("/outcomes/1/asserted_at_node", "n"),
        at("AT205 /outcomes/1/asserted_at_node"),
        id="an-outcome-of-nowhere",
    ),
    pytest.param(
        replace("/verifier_results/0/asserted_at_node", "event:37"),
        at("AT205 /verifier_results/0/asserted_at_node"),
        id="a-source-event-is-no-node",
    ),
    pytest.param(replace("/outcomes/1/asserted_at_node", MARKER), [], id="a-node-withheld"),
    pytest.param(
        replace("/outcomes/1/evidence_refs", ["receipt:read", "receipt:999", "x"]),
        at("AT206 /outcomes/1/evidence_refs/1", "AT206 /outcomes/1/evidence_refs/2"),
        id="evidence-of-outcomes",
    ),
    pytest.param(
        replace("/verifier_results/0/evidence_refs", ["x"]),
        at("AT206 /verifier_results/0/evidence_refs/0"),
        id="evidence-of-verifiers",
    ),
    pytest.param(replace("/nodes/1/read_set", ["x"]), at("AT206 /nodes/1/read_set/0"), id="what-was-read"),
    pytest.param(add("/nodes/1/evidence_refs", ["x"]), at("AT206 /nodes/1/evidence_refs/0"), id="evidence-of-nodes"),
    pytest.param(
        replace("/nodes/1/admission/decision_ref", "x"), at("AT206 /nodes/1/admission/decision_ref"), id="a-decision"
    ),
    pytest.param(replace("/nodes/5/effect/receipt_ref", "x"), at("AT206 /nodes/5/effect/receipt_ref"), id="a-receipt"),
    pytest.param(replace("/nodes/3/receipt/result_ref", "x"), at("AT206 /nodes/3/receipt/result_ref"), id="a-result"),
    pytest.param(
        replace("/scope/termination/at_node", "x"), at("AT206 /scope/termination/at_node"), id="the-node-at-the-end"
    ),
    pytest.param(replace("/nodes/1/read_set", "x"), at("AT206 /nodes/1/read_set"), id="one-text-for-a-list"),
    pytest.param(replace("/nodes/1/read_set", [MARKER, 5, None]), [], id="no-texts"),
    pytest.param(
        replace("/nodes/1/read_set", ["event:30", "receipt:read", "outcome:claim", "result:level", "reward:choice"]),
        [],
        id="every-kind-of-record",
    ),
    pytest.param(
        replace("/nodes/1/read_set", ["state:harbour", "attempt:two", "objective:gauge-check", "event:12"]),
        [],
        id="states-scope-and-external-parents",
    ),
    pytest.param(
        replace("/reward_records/0/sources", ["result:level", "x"]),
        at("AT207 /reward_records/0/sources/1"),
        id="a-source",
    ),
    pytest.param(replace("/reward_records/0/sources", ["event:37", "outcome:claim"]), [], id="sources-that-are-there"),
    pytest.param(
        replace("/reward_records/0/attribution_target", "x"),
        at("AT208 /reward_records/0/attribution_target"),
        id="a-target-of-nowhere",
    ),
    pytest.param(replace("/reward_records/0/attribution_target", "attempt:two"), [], id="an-attempt-as-target"),
    pytest.param(replace("/reward_records/0/attribution_target", MARKER), [], id="a-target-withheld"),
]


@pytest.mark.parametrize(("change", "expected"), REFERENCES)
def test_references(change: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == reported(full(change), "AT204", "AT205", "AT206", "AT207", "AT208")


def test_artifacts_can_be_named_as_evidence() -> None:
    tree = full(add("/source/artifacts", [{"artifact_id": "log"}]), replace("/nodes/1/read_set", ["log"]))
    assert [] == reported(tree, "AT206")


SOURCES = [
    pytest.param(minimal(remove("/nodes/1/source_event_id")), at("AT211 /nodes/1"), id="none"),
    pytest.param(minimal(replace("/nodes/1/source_event_id", "")), at("AT211 /nodes/1"), id="an-empty-one"),
    pytest.param(minimal(replace("/nodes/1/source_event_id", MARKER)), [], id="withheld"),
    pytest.param(minimal(replace("/nodes/1/source_event_id", None)), [], id="null-is-the-matter-of-AT102"),
    pytest.param(
        minimal(remove("/nodes/1/source_event_id"), add("/nodes/1/source_refs", [])),
        at("AT211 /nodes/1"),
        id="an-empty-list",
    ),
    pytest.param(
        minimal(remove("/nodes/1/source_event_id"), add("/nodes/1/source_refs", [{"line": 4}])), [], id="a-reference"
    ),
    pytest.param(
        minimal(replace("/nodes/1/source_event_id", "event:ask")),
        at("AT212 /nodes/1/source_event_id"),
        id="one-event-twice",
    ),
    pytest.param(
        minimal(replace("/nodes/1/source_event_id", "event:ask"), replace("/nodes/1/node_id", "node:ask")),
        [],
        id="one-node-twice-is-AT201",
    ),
    pytest.param(minimal(replace("/nodes/1/source_event_id", 5)), [], id="a-number"),
]


@pytest.mark.parametrize(("tree", "expected"), SOURCES)
def test_sources(tree: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == reported(tree, "AT211", "AT212")


def test_a_training_target_without_source_weighs_more() -> None:
    found = findings(full(remove("/nodes/1/source_event_id"), remove("/nodes/2/source_event_id")), "AT211")
    assert [Severity.WARNING, Severity.INFO] == [finding.severity for finding in found]


def test_a_shared_event_is_an_error_in_the_reference_form() -> None:
    tree = minimal(replace("/nodes/1/source_event_id", "event:ask"))
    tree["integrity"]["canonicalization"] = "morphz-at-json-struct-order-v1"
    assert [Severity.ERROR] == [finding.severity for finding in findings(tree, "AT212")]


CONTEXTS = [
    pytest.param(full(replace("/states/0/context_id", "context:x")), at("AT213 /states/0/context_id"), id="another"),
    pytest.param(
        full(replace("/states/0/context_id", "context:x"), add("/scope/context_id", "context:x")),
        [],
        id="in-the-singular",
    ),
    pytest.param(
        full(replace("/states/0/context_id", "context:x"), remove("/scope/context_ids")),
        [],
        id="a-scope-without-contexts",
    ),
    pytest.param(
        full(replace("/states/0/context_id", "context:x"), replace("/scope/context_ids", MARKER)), [], id="withheld"
    ),
]


@pytest.mark.parametrize(("tree", "expected"), CONTEXTS)
def test_contexts(tree: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == reported(tree, "AT213")


def test_no_type_of_any_member_stops_the_checks() -> None:
    checks = [c for module in (identity, content_ids) for c in vars(module).values() if type(c) is Check]
    members = ("source", "scope", "states", "edges", "outcomes", "verifier_results", "reward_records", "disclosure")
    for tree in [*mangled(full(), *members), *mangled(minimal(), "nodes")]:
        for check in checks:
            check.run(Bundle(tree))
