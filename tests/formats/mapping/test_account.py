"""What a writer does not use of a Bundle is a loss: no value of it vanishes without a name."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.formats.mapping.account import KINDS, Kind, losses_of
from attraj.formats.mapping.fields import At, Json, pointer_of
from attraj.formats.mapping.held import Held, Ledger, Made, Part, settle
from attraj.formats.mapping.loss import Loss, gathered, pattern_of
from tests.formats.mapping.trees import leaves, same
from tests.support import base_document

FULL = base_document("attraj.bundle.checks", "full")
LEAVES = leaves(FULL)
# What is no loss though nothing of it is used: the target says it in its own way, or it is a statement of emptiness.
SILENT = [kind.place for kind in KINDS if not kind.code]


def lost(tree: Any, *used: At, kinds: Any = ()) -> list[tuple[str, str]]:
    return [(loss.code, loss.pointer) for loss in losses_of(tree, Ledger(set(used)), kinds)]


def is_silent(at: At) -> bool:
    kind_of_node = len(at) == 3 and at[0] == "nodes" and at[2] == "kind"
    return kind_of_node or any(at[: len(place)] == place for place in SILENT)


@given(st.sets(st.sampled_from(sorted(LEAVES, key=repr))), st.sets(st.integers(0, 4), max_size=3))
def test_every_value_is_used_or_a_loss(used: set[At], depths: set[int]) -> None:
    origins = used | {at[:depth] for depth in depths for at in list(used)[:2] if at[:depth]}
    pointers = {loss.pointer for loss in losses_of(FULL, Ledger(origins))}
    for at, value in LEAVES.items():
        is_used = any(at[:depth] in origins for depth in range(1, len(at) + 1))
        is_lost = any(pointer_of(at[:depth]) in pointers for depth in range(1, len(at) + 1))
        assert not (is_used and pointer_of(at) in pointers)
        assert is_used or is_lost or is_silent(at) or value in ([], {})


OURS = {"extensions": {"dev.attraj.source": {"data": {"artifacts": [{"rest": {"/a/b": None, "/c": {"d": 1}}}]}}}}


@pytest.mark.parametrize(
    ("tree", "used", "expected"),
    [
        pytest.param({"nodes": [{"kind": "input"}]}, [], [], id="whatever-is-written-of-a-node-says-what-it-is"),
        pytest.param({"nodes": [{"payload": {"a": {"b": 1}}}]}, [], [("content", "/nodes/0/payload/a")], id="content"),
        pytest.param(
            {"nodes": [{"payload": {"a": 1, "b": None, "c": 0}}]},
            [("nodes", 0, "payload", "a")],
            [("content", "/nodes/0/payload/b"), ("content", "/nodes/0/payload/c")],
            id="null-and-zero-are-values",
        ),
        pytest.param({"nodes": [{"payload": {"a": [], "b": {}}}]}, [("nodes", 0, "payload", "x")], [], id="emptiness"),
        pytest.param({"nodes": [{"timestamp": "x"}]}, [], [("times", "/nodes/0/timestamp")], id="a-kind-of-its-own"),
        pytest.param({"rights": {"training": True}}, [()], [], id="all-of-it"),
        pytest.param({"nodes": [{"sequence": 1}]}, [], [("content", "/nodes/0/sequence")], id="an-order-of-its-own"),
        pytest.param({**OURS, "nodes": [{"sequence": 1}]}, [("extensions",)], [], id="the-order-of-the-source-again"),
        pytest.param(
            {**OURS, "edges": [{"basis": "turn_order"}, {"basis": "call_id"}]},
            [("extensions",)],
            [("causal-edges", "/edges/1")],
            id="a-transcript-says-its-order-again",
        ),
        pytest.param(OURS, [], [("source-members", "/a/b"), ("source-members", "/c")], id="by-its-place-in-the-source"),
        pytest.param({"nodes": [5, None, []]}, [], [("content", "/nodes/0"), ("content", "/nodes/1")], id="no-records"),
        pytest.param(
            {"nodes": {"a": 1}, "edges": 5}, [], [("content", "/nodes/a"), ("causal-edges", "/edges")], id="x"
        ),
    ],
)
def test_names_what_is_lost(tree: Any, used: list[At], expected: Any) -> None:
    assert expected == lost(tree, *used)


def test_a_writer_may_know_better() -> None:
    tree = {"nodes": [{"payload": {"a": 1, "b": 2}}]}
    rows = [Kind(("nodes", "*", "payload", "a"), "letters", "other", "a letter"), Kind(("nodes", "*", "payload"))]
    assert [("letters", "/nodes/0/payload/a")] == lost(tree, kinds=rows)


WITHHELD = "content that is withheld from the Bundle"
NODE = {"payload": {"a": 1, "n": None, "m": {"$at": {"status": "redacted", "alias": "<EMAIL_1>"}}}}


def part(record: Any = NODE) -> Part:
    return Part(record, ("nodes", 0), Ledger())


def test_values_know_where_they_come_from() -> None:
    here = part()
    assert Held(1, ("nodes", 0, "payload", "a")) == here.hold("payload", "a")
    assert Held(None, ("nodes", 0, "payload", "n")) == here.part("payload").hold("n")
    assert (None, None) == (here.hold("payload", "m"), here.hold("payload", "x"))
    assert (set(), {}) == (here.ledger.used, here.part("payload", "a").record)
    assert 1 == here.peek("payload", "a") == here.get("payload", "a")
    assert {("nodes", 0, "payload", "a")} == here.ledger.used


def test_settling_says_what_stands_where() -> None:
    before = copy.deepcopy(NODE)
    here = part()
    tree = {
        "kept": here.hold("payload", "a"),
        "null": here.hold("payload", "n"),
        "none": here.hold("payload", "x"),
        "list": ["word", None, {"deep": here.hold("payload")}],
        "made": Made("1", (("nodes", 0, "payload", "a"), ("nodes", 0, "payload")), "as-text", "other", "approximated"),
        "up": Made("id-1", (), "made-id", "identity", "synthesized", "a name"),
    }
    settled = settle(tree, here.ledger)
    deep = {"a": 1, "n": None, "m": "<EMAIL_1>"}
    assert same(
        {"kept": 1, "null": None, "list": ["word", None, {"deep": deep}], "made": "1", "up": "id-1"}, settled.tree
    )
    at = ("nodes", 0, "payload")
    trace = [((*at, "a"), ("kept",)), ((*at, "n"), ("null",)), (at, ("list", 2, "deep"))]
    assert (trace, [("list", 0), ("list", 1)]) == (settled.trace, settled.words)
    assert {at, (*at, "a"), (*at, "n")} == here.ledger.used
    assert [
        Loss("withheld-content", "other", "approximated", "/nodes/0/payload/m", 1, WITHHELD, "write"),
        Loss("as-text", "other", "approximated", "/nodes/0/payload", 1, "", "write"),
        Loss("made-id", "identity", "synthesized", "/up", 1, "a name", "write"),
    ] == here.ledger.losses
    assert before == NODE


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param({"status": "redacted", "class": "secret"}, "withheld-content", id="somebody-took-it-away"),
        pytest.param({"status": "unavailable", "reason": "no clock"}, "not-stated", id="nobody-ever-said-it"),
    ],
)
def test_a_marker_inside_a_value_is_told_as_what_it_is(body: Any, expected: str) -> None:
    here = part({"payload": {"a": 1, "m": {"$at": body}}})
    assert {"x": {"a": 1}} == settle({"x": here.hold("payload")}, here.ledger).tree
    assert [(expected, "dropped", "/nodes/0/payload/m")] == [
        (one.code, one.handling, one.pointer) for one in here.ledger.losses
    ]


def test_what_is_literal_is_held_and_written_as_it_was() -> None:
    here = part({"payload": {"$at": {"status": "literal", "value": {"$at": 1}}}})
    assert {"x": {"$at": 1}} == settle({"x": here.hold("payload")}, here.ledger).tree


@pytest.mark.parametrize(
    ("pointer", "pattern"),
    [
        pytest.param("/steps/3/timestamp", "/steps/*/timestamp", id="a-position"),
        pytest.param("", "", id="the-document"),
        pytest.param("/a/b3", "/a/b3", id="a-name-with-a-digit"),
    ],
)
def test_positions_differ_and_names_do_not(pointer: str, pattern: str) -> None:
    assert pattern == pattern_of(pointer)


def test_equal_losses_are_counted_and_others_are_not_joined() -> None:
    losses = [
        Loss("times", "timing", "dropped", "/steps/0/timestamp", 1, "d"),
        Loss("ids", "identity", "dropped", "/steps/0/id", 1, "d"),
        Loss("times", "timing", "dropped", "/steps/1/timestamp", 2, "d"),
        Loss("times", "timing", "dropped", "/steps/1/timestamp", 1, "d", "write"),
        Loss("times", "timing", "approximated", "/steps/2/timestamp", 1, "d"),
    ]
    assert (
        Loss("times", "timing", "dropped", "/steps/*/timestamp", 3, "d"),
        losses[1],
        losses[3],
        losses[4],
    ) == gathered(losses)


FRESH: Json = {"dev.attraj.source": {"data": {"artifacts": []}}}
ASKED = {"action": {"arguments": {"command": "ls"}}}


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        pytest.param(
            {"effect": {"external": True, "receipt_status": "none_authoritative"}}, [], id="an-uncertain-effect"
        ),
        pytest.param(
            {"effect": {"receipt_status": "none_authoritative", "request": "ls"}}, [], id="what-was-asked-for"
        ),
        pytest.param(
            {"effect": {"receipt_status": "none_authoritative", "request": "rm"}},
            ["effect"],
            id="what-nobody-asked-for",
        ),
        pytest.param(
            {"effect": {"receipt_status": "none_authoritative", "id": "e"}}, ["effect"], id="an-effect-with-an-identity"
        ),
        pytest.param({"effect": {"receipt_status": "unknown"}}, ["effect"], id="another-effect"),
        pytest.param({"admission": {"status": "unknown", "reason": "not recorded"}}, [], id="no-admission"),
        pytest.param(
            {"admission": {"status": "unknown", "policy": "p"}}, ["admission"], id="an-admission-with-a-policy"
        ),
    ],
)
def test_of_what_a_result_alone_tells_only_that_is_no_loss(members: Any, expected: list[str]) -> None:
    tree: Json = {"nodes": [ASKED, members], "extensions": FRESH}
    found = [loss.pointer for loss in losses_of(tree, Ledger({("nodes", 0, "action")}))]
    assert [f"/nodes/1/{name}" for name in expected] == found
