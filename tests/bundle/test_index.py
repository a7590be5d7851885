"""Look-ups over a Bundle: first record of an id, every kind of reference, and any JSON in any place."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.index import BundleIndex, Place
from tests.bundle.checks.mangled import mangled
from tests.support import base_document

FULL = base_document("attraj.bundle.checks", "full")


def index(**tree: Any) -> BundleIndex:
    return BundleIndex(tree)


IDS = [
    pytest.param([{"node_id": "a"}, {"node_id": "b"}], {"a": 0, "b": 1}, id="plain"),
    pytest.param([{"node_id": "a"}, {"node_id": "a"}], {"a": 0}, id="the-first-counts"),
    pytest.param([{"node_id": "a"}, {}, {"node_id": "b"}], {"a": 0, "b": 2}, id="one-without"),
    pytest.param([{"node_id": 1}, {"node_id": True}, {"node_id": "a"}], {"a": 2}, id="other-types"),
    pytest.param([{"node_id": []}, "node_id", None, {"node_id": "a"}], {"a": 3}, id="no-objects"),
    pytest.param({"node_id": "a"}, {}, id="no-array"),
    pytest.param([], {}, id="empty"),
]


@pytest.mark.parametrize(("nodes", "expected"), IDS)
def test_positions_by_id(nodes: Any, expected: dict[str, int]) -> None:
    assert expected == index(nodes=nodes).node_positions


REFERENCES = [
    pytest.param("node:read", Place("nodes", 3), id="node"),
    pytest.param("event:33", Place("nodes", 3), id="source-event"),
    pytest.param("receipt:read", Place("nodes", 3), id="receipt"),
    pytest.param("state:after", Place("states", 1), id="state"),
    pytest.param("attempt:two", Place("scope", -1), id="scope"),
    pytest.param("event:12", Place("external_parents", -1), id="external-parent"),
    pytest.param("nowhere", None, id="nothing"),
]


@pytest.mark.parametrize(("reference", "expected"), REFERENCES)
def test_references(reference: str, expected: Place | None) -> None:
    assert expected == BundleIndex(FULL).resolve(reference)


def test_descendants_and_ancestors() -> None:
    found = BundleIndex(FULL)
    assert ({2, 3, 4, 5, 6, 7, 8}, {0, 1, 2}) == (found.descendants(1), found.ancestors(3))


def test_kinds_and_identities() -> None:
    nodes = [{"kind": "input", "actor": "a", "authority_class": "agent"}, {"kind": ["input"]}, 5, {"kind": "input"}]
    found = index(nodes=nodes)
    assert {"input": [0, 3]} == found.by_kind
    assert (["input", ["input"], None, "input"], ["a", None, None, None], ["agent", None, None, None]) == (
        found.kinds,
        found.actors,
        found.authorities,
    )


RELATIONS = [
    pytest.param({"data": {"follows": {"meaning": "later"}}}, {"follows"}, id="declared"),
    pytest.param({"data": {"follows": "later"}}, set(), id="no-object"),
    pytest.param({"data": []}, set(), id="no-data"),
    pytest.param("follows", set(), id="no-extension"),
]


@pytest.mark.parametrize(("extension", "expected"), RELATIONS)
def test_relations_that_the_bundle_explains(extension: Any, expected: set[str]) -> None:
    assert expected == index(extensions={"dev.attraj.edge_types": extension}).own_relations


def test_operations_are_named_in_a_list_or_in_steps() -> None:
    transform = {"operations": ["selection", 5], "steps": [{"operation": "redaction"}, {"operation": []}, "merging"]}
    assert {"selection", "redaction"} == index(transform=transform).operations


def test_same_states_lead_to_the_end_of_the_chain() -> None:
    states = [{"state_id": "c", "same_as": "b"}, {"state_id": "b", "same_as": "a"}, {"state_id": "a"}]
    assert {"c": "a", "b": "a"} == index(states=states).same_states


def test_a_long_chain_of_same_states_is_followed_once() -> None:
    count = 50_000
    states = [{"state_id": str(i), "same_as": str(i - 1)} for i in range(1, count)]
    assert {"0"} == set(index(states=states).same_states.values())


def test_the_reference_form_is_known_by_its_canonicalization() -> None:
    forms: list[dict[str, Any]] = [
        {"integrity": {"canonicalization": "morphz-at-json-struct-order-v1"}},
        {"integrity": {"canonicalization": "RFC8785"}},
        {"integrity": []},
        {},
    ]
    assert [True, False, False, False] == [BundleIndex(tree).is_reference_form for tree in forms]


LOOKED_UP = (
    "positions",
    "kinds",
    "actors",
    "authorities",
    "by_kind",
    "graph",
    "causal_order",
    "links",
    "event_positions",
    "receipt_positions",
    "scope_ids",
    "artifact_ids",
    "external_ids",
    "own_relations",
    "has_own_relation",
    "intent_counts",
    "same_states",
    "operations",
    "is_reference_form",
)


def test_no_type_anywhere_makes_a_look_up_fall() -> None:
    for tree in mangled(FULL, "nodes", "edges", "states", "transform", "extensions", "integrity", "scope", "source"):
        found = BundleIndex(tree)
        for name in LOOKED_UP:
            getattr(found, name)
