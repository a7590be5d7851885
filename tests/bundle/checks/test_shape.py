"""AT101 to AT116: members and types; and that the quick way and the exact way see the same faults."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.checks.shape import NOT_HERE, one_edit_apart, record_shape
from attraj.bundle.columns import columns
from attraj.bundle.instants import is_rfc3339
from attraj.bundle.shape import COLLECTIONS, OBJECTS
from attraj.findings import Severity
from tests.bundle.checks.mangled import mangled
from tests.bundle.checks.reported import add, findings, full, minimal, remove, replace, reported

CODES = ("AT101", "AT102", "AT108", "AT109", "AT110", "AT116")
MARKER = {"$at": {"status": "redacted", "reason": "policy"}}

FAULTS = [
    pytest.param(remove("/rights"), [("AT101", "")], id="a-required-member-missing"),
    pytest.param(remove("/nodes"), [("AT101", "")], id="a-collection-missing"),
    pytest.param(remove("/edges/0/relation"), [("AT101", "/edges/0")], id="an-edge-without-relation"),
    pytest.param(remove("/nodes/1/kind"), [("AT101", "/nodes/1")], id="a-node-without-kind"),
    pytest.param(replace("/nodes", {}), [("AT102", "/nodes")], id="nodes-no-array"),
    pytest.param(replace("/nodes", None), [("AT102", "/nodes")], id="nodes-null"),
    pytest.param(replace("/nodes/1", "node"), [("AT102", "/nodes/1")], id="a-node-that-is-a-text"),
    pytest.param(replace("/nodes/1", None), [("AT102", "/nodes/1")], id="a-node-that-is-null"),
    pytest.param(replace("/nodes/1", MARKER), [("AT102", "/nodes/1")], id="a-node-withheld-as-a-whole"),
    pytest.param(replace("/source", []), [("AT102", "/source")], id="source-no-object"),
    pytest.param(replace("/scope/event_count", True), [("AT102", "/scope/event_count")], id="a-boolean-is-no-integer"),
    pytest.param(replace("/scope/event_count", 2.0), [("AT102", "/scope/event_count")], id="a-float-is-no-integer"),
    pytest.param(add("/scope/attempt_ids/-", 3), [("AT102", "/scope/attempt_ids/1")], id="a-number-among-texts"),
    pytest.param(add("/scope/attempt_ids/-", ["x"]), [("AT102", "/scope/attempt_ids/1")], id="an-array-among-texts"),
    pytest.param(
        add("/nodes/1/external_parents", ["event:x"]),
        [("AT102", "/nodes/1/external_parents/0")],
        id="a-text-among-objects",
    ),
    pytest.param(
        add("/nodes/1/effect", {"external": "yes"}),
        [("AT102", "/nodes/1/effect/external")],
        id="inside-an-object-of-a-node",
    ),
    pytest.param(replace("/nodes/1/node_id", 5), [("AT108", "/nodes/1/node_id")], id="a-number-for-an-identifier"),
    pytest.param(replace("/nodes/1/node_id", ""), [("AT108", "/nodes/1/node_id")], id="an-empty-identifier"),
    pytest.param(replace("/nodes/1/node_id", None), [("AT108", "/nodes/1/node_id")], id="null-for-an-identifier"),
    pytest.param(replace("/nodes/1/node_id", MARKER), [("AT108", "/nodes/1/node_id")], id="an-identifier-withheld"),
    pytest.param(remove("/nodes/1/node_id"), [("AT108", "/nodes/1")], id="an-identifier-missing"),
    pytest.param(remove("/edges/0/to"), [("AT108", "/edges/0")], id="an-edge-without-end"),
    pytest.param(replace("/trajectory_id", ""), [("AT108", "/trajectory_id")], id="an-empty-trajectory-id"),
    pytest.param(replace("/nodes/1/status", True), [("AT109", "/nodes/1/status")], id="a-flag-for-a-state"),
    pytest.param(replace("/nodes/1/status", None), [("AT109", "/nodes/1/status")], id="null-for-a-state"),
    pytest.param(replace("/profiles", ["AT-Core", 1]), [("AT109", "/profiles/1")], id="a-number-among-profiles"),
    pytest.param(add("/nodes/1/timestamp", 1755777600), [("AT110", "/nodes/1/timestamp")], id="seconds-since-1970"),
    pytest.param(
        add("/nodes/1/timestamp", "2031-04-02T06:00:00Z\n2031-04-02T06:00:00Z"),
        [("AT110", "/nodes/1/timestamp")],
        id="two-timestamps-in-one",
    ),
    pytest.param(add("/nodes/1/timestamp", None), [("AT110", "/nodes/1/timestamp")], id="null-for-a-time"),
    pytest.param(add("/nodes/1/when", "x"), [("AT116", "/nodes/1/when")], id="an-unknown-member"),
    pytest.param(
        replace("/bindings/agents", [{"id": None}]), [("AT102", "/bindings/agents/0/id")], id="null-inside-a-binding"
    ),
    pytest.param(
        add("/bindings/uncontrolled_variables", [None]),
        [("AT102", "/bindings/uncontrolled_variables/0")],
        id="null-in-a-statement",
    ),
    pytest.param(add("/consent", True), [("AT116", "/consent")], id="an-unknown-member-of-the-top-level"),
    pytest.param(add("/nodes/1/a~1b~0", 1), [("AT116", "/nodes/1/a~1b~0")], id="a-name-that-needs-escapes"),
    pytest.param(
        add("/disclosure/identity", {"algorithm": "sha256"}), [("AT101", "/disclosure/identity")], id="half-an-identity"
    ),
    pytest.param(
        replace("/nodes/1", {"when": 1, "kind": 5, "timestamp": "now"}),
        [
            ("AT108", "/nodes/1"),
            ("AT109", "/nodes/1/kind"),
            ("AT110", "/nodes/1/timestamp"),
            ("AT116", "/nodes/1/when"),
        ],
        id="all-faults-of-a-record",
    ),
]


@pytest.mark.parametrize(("change", "expected"), FAULTS)
def test_reports_each_fault_once(change: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == reported(minimal(change), *CODES)


SOUND = [
    pytest.param(replace("/nodes/1/status", MARKER), id="a-marker-for-a-state"),
    pytest.param(replace("/nodes/1/observation", None), id="null-where-the-source-had-null"),
    pytest.param(add("/nodes/1/payload", {"anything": [1, None, {"goes": True}]}), id="payloads-are-free"),
    pytest.param(replace("/source", MARKER), id="an-object-withheld"),
    pytest.param(add("/nodes/1/external_parents", []), id="an-empty-array"),
    pytest.param(add("/nodes/1/external_parents", MARKER), id="an-array-withheld"),
    pytest.param(remove("/edges/0/edge_id"), id="an-edge-without-identifier"),
    pytest.param(add("/scope/objective_ids", "objective:one"), id="one-text-for-an-array-of-them"),
    pytest.param(add("/extensions", {}), id="extensions"),
    pytest.param(replace("/rights/training", "yes"), id="a-right-is-the-matter-of-AT802"),
    pytest.param(replace("/spec_version", 0.1), id="the-version-is-the-matter-of-AT103"),
    pytest.param(remove("/spec_version"), id="a-missing-version-too"),
    pytest.param(replace("/bindings/agents", [None]), id="a-filler-is-the-matter-of-AT122"),
]


@pytest.mark.parametrize("change", SOUND)
def test_is_silent(change: Any) -> None:
    assert [] == reported(minimal(change), *CODES)


@pytest.mark.parametrize(
    ("name", "severity"),
    [
        pytest.param("timestamps", Severity.WARNING, id="a-letter-more"),
        pytest.param("timestmp", Severity.WARNING, id="a-letter-less"),
        pytest.param("timestanp", Severity.WARNING, id="another-letter"),
        pytest.param("timestapm", Severity.WARNING, id="two-swapped"),
        pytest.param("note", Severity.INFO, id="another-word"),
        pytest.param("x" * 5000, Severity.INFO, id="a-name-of-absurd-length"),
        pytest.param("", Severity.INFO, id="an-empty-name"),
    ],
)
def test_weighs_unknown_members_by_how_near_they_are(name: str, severity: Severity) -> None:
    (finding,) = findings(minimal(add("/nodes/1/" + name, 1)), "AT116")
    assert severity is finding.severity


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (("state", "state"), False),
        (("state", "states"), True),
        (("recieved", "received"), True),
        (("form", "from"), True),
        (("abcd", "dcba"), False),
        (("", "a"), True),
        (("a", "abc"), False),
    ],
)
def test_counts_one_edit(pair: tuple[str, str], expected: bool) -> None:
    assert (expected, expected) == (one_edit_apart(*pair), one_edit_apart(*reversed(pair)))


TIMES = [
    ("2031-04-02T06:00:00Z", True),
    ("2031-04-02t06:00:00z", True),
    ("2031-04-02T06:00:00.123456789+14:00", True),
    ("2016-12-31T23:59:60Z", True),
    ("2032-02-29T00:00:00Z", True),
    ("2100-02-29T00:00:00Z", False),
    ("2031-02-30T00:00:00Z", False),
    ("2031-04-31T00:00:00Z", False),
    ("2031-04-02 06:00:00Z", False),
    ("2031-04-02T06:00Z", False),
    ("2031-04-02T06:00:00", False),
    ("2031-04-02T24:00:00Z", False),
    ("2031-04-02T06:00:00+24:00", False),
    ("2031-04-02T06:00:00Z\n", False),
    ("２031-04-02T06:00:00Z", False),
    ("1755777600", False),
    ("", False),
]


@pytest.mark.parametrize(("text", "expected"), TIMES)
def test_knows_rfc3339(text: str, expected: bool) -> None:
    assert expected == is_rfc3339(text)


def test_a_long_collection_gives_the_places_of_its_faults() -> None:
    nodes = [{"node_id": f"n{i}", "kind": "event"} for i in range(3000)]
    nodes[1500] = {"node_id": "n1500", "kind": "event", "status": 1}  # type: ignore[dict-item]
    nodes[2999] = {"kind": "event"}
    assert [("AT109", "/nodes/1500/status"), ("AT108", "/nodes/2999")] == reported(
        minimal({"nodes": nodes, "edges": []}), *CODES
    )


def test_the_quick_way_suspects_what_the_exact_way_reports() -> None:
    """For every record, with every value of another type in every place of it."""
    tree = full()
    for collection, (kind, _) in COLLECTIONS.items():
        known = record_shape(kind)
        records = [
            record
            for variant in mangled({collection: tree[collection]}, collection)
            if type(variant.get(collection)) is list
            for record in variant[collection]
            if type(record) is dict
        ]
        faulty = {number for number, record in enumerate(records) if known.faults(record, collection, number)}
        suspected = columns(kind).among(records, lambda _: None)
        # A marker in an object's place is suspected and then found to be right.
        assert faulty <= suspected, collection
        assert faulty, collection


def test_every_kind_of_object_compiles() -> None:
    assert {True} == {bool(record_shape(kind).members) or kind == "" for kind in OBJECTS}
    assert set(OBJECTS["bundle"]) > NOT_HERE


def test_nothing_of_a_document_stays_behind() -> None:
    """Shapes are kept for the life of the process: they must hold names of the specification only."""
    before = {kind: set(record_shape(kind).members) for kind in OBJECTS}
    reported(minimal(add("/nodes/1/token_of_somebody", 1)), *CODES)
    assert before == {kind: set(record_shape(kind).members) for kind in OBJECTS}
