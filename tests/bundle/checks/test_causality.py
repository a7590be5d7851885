"""AT301 to AT318: what the graph says, and what it must not be made to say."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.checks import causality
from attraj.bundle.checks.check import Asked
from attraj.bundle.model import Bundle
from attraj.findings import Severity
from tests.bundle.checks.mangled import mangled
from tests.bundle.checks.small import edge, found, node, tree
from tests.support import base_document, json_patch

FULL = base_document("attraj.bundle.checks", "full")
NONE = {"status": "none"}
ROOT = node("a", "input")


def external(**members: Any) -> dict[str, Any]:
    made = {"relation": "caused_by", "source_id": "event:far", "availability": "referenced_outside_scope", **members}
    return {key: value for key, value in made.items() if value is not ...}


def declared(**relations: Any) -> dict[str, Any]:
    return {"extensions": {"dev.attraj.edge_types": {"data": relations}}}


EDGES = [
    pytest.param([edge("a", "b")], {}, [], id="two-nodes"),
    pytest.param([edge("a", "a")], {}, [("AT302", "/edges/0")], id="to-itself"),
    pytest.param([edge("a", "b"), edge("b", "a")], {}, [("AT301", "/nodes/0")], id="there-and-back"),
    pytest.param([edge("a", "b", "follows")], {}, [("AT303", "/edges/0/relation")], id="unknown-relation"),
    pytest.param([edge("a", "b", "")], {}, [("AT303", "/edges/0/relation")], id="empty-relation"),
    pytest.param([edge("a", "b", "precedes_in_plan")], {}, [], id="the-reference-exporters-relation"),
    pytest.param([edge("a", "b", "follows")], declared(follows={"meaning": "later"}), [], id="declared-relation"),
    pytest.param(
        [edge("a", "b", "follows")], declared(follows=None), [("AT303", "/edges/0/relation")], id="declared-as-nothing"
    ),
    pytest.param([edge("a", "b", {"$at": {"status": "redacted"}})], {}, [], id="withheld-relation"),
    pytest.param([edge("a", "b", 5), {"from": "a", "to": "b"}], {}, [], id="what-the-shape-reports"),
    pytest.param([edge("a", "b"), edge("a", "b")], {}, [("AT304", "/edges/1")], id="twice"),
    pytest.param([edge("a", "b")] * 3, {}, [("AT304", "/edges/1"), ("AT304", "/edges/2")], id="three-times"),
    pytest.param([edge("a", "b"), edge("a", "b", "depends_on")], {}, [], id="two-relations"),
    pytest.param([edge("a", "nowhere")], {}, [], id="dangling-is-another-family"),
]


@pytest.mark.parametrize(("edges", "more", "expected"), EDGES)
def test_edges(edges: list[Any], more: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert expected == found(tree([ROOT, node("b", parents={})], edges, **more), causality)


def test_a_cycle_lists_ten_nodes_and_counts_the_rest() -> None:
    nodes = [node(f"n{i}") for i in range(30)]
    edges = [edge(f"n{i}", f"n{(i + 1) % 30}") for i in range(30)]
    (finding,) = causality.cycle.run(Bundle(tree(nodes, edges)))
    assert ("the node depends on itself through a cycle of 30 nodes; the first 10 are listed", 10, "/nodes/0") == (
        finding.message,
        len(finding.related),
        finding.location.pointer,
    )


def test_each_group_of_nodes_gives_its_shortest_cycle() -> None:
    nodes = [node(name) for name in "abcdefg"]
    pairs = ["ab", "bc", "cd", "da", "ca", "ef", "fe", "dg"]
    cycles = causality.cycle.run(Bundle(tree(nodes, [edge(*pair) for pair in pairs])))
    assert [["/nodes/0", "/nodes/1", "/nodes/2"], ["/nodes/4", "/nodes/5"]] == [
        [related.pointer for related in finding.related] for finding in cycles
    ]


PARENTS = [
    pytest.param(node("b"), [], [("AT305", "/nodes/1")], id="nothing-said"),
    pytest.param(node("b", "input"), [], [], id="input"),
    pytest.param(node("b"), [edge("a", "b")], [], id="edge-in"),
    pytest.param(node("b"), [edge("b", "a")], [("AT305", "/nodes/1")], id="edge-out-only"),
    pytest.param(node("b"), [edge("b", "b")], [("AT302", "/edges/0"), ("AT305", "/nodes/1")], id="self-edge-only"),
    pytest.param(node("b"), [edge("nowhere", "b")], [], id="dangling-cause"),
    pytest.param(node("b", parents=NONE), [], [], id="none"),
    pytest.param(node("b", parents={"status": "undetermined", "reason": "lost"}), [], [], id="undetermined"),
    pytest.param(node("b", parents={"status": "partial"}), [], [], id="partial"),
    pytest.param(node("b", parents={"$at": {"status": "redacted"}}), [], [], id="withheld-statement"),
    pytest.param(node("b", parents={"status": "lost"}), [], [("AT305", "/nodes/1/parents/status")], id="unknown-word"),
    pytest.param(node("b", parents={}), [], [], id="no-status-is-the-shapes-to-say"),
    pytest.param(node("b", external_parents=[]), [], [("AT305", "/nodes/1")], id="empty-list-outside"),
    pytest.param(node("b", external_parents=[external()]), [], [], id="external-parent"),
    pytest.param(
        node("b", external_parents=[external(source_id="unknown:b", availability="unknown")]),
        [],
        [],
        id="unknown-in-the-reference-form",
    ),
    pytest.param(node("b"), [edge("a", "b", basis="recorded")], [], id="recorded-basis"),
    pytest.param(node("b"), [edge("a", "b", basis="call_id")], [], id="call-id-basis"),
    pytest.param(node("b"), [edge("a", "b", basis="turn_order")], [("AT305", "/nodes/1")], id="turn-order-alone"),
    pytest.param(
        node("b", parents={"status": "partial"}), [edge("a", "b", basis="turn_order")], [], id="turn-order-and-partial"
    ),
    pytest.param(
        node("b"),
        [edge("a", "b", basis="loop_semantics"), edge("a", "b", "depends_on")],
        [],
        id="one-concluded-one-recorded",
    ),
    pytest.param(node(5), [], [], id="an-id-that-no-edge-can-name"),
    pytest.param(node("a"), [], [], id="an-id-that-is-taken"),
    pytest.param(node("b", parents=NONE), [edge("a", "b")], [("AT308", "/nodes/1/parents/status")], id="none-and-edge"),
    pytest.param(
        node("b", parents=NONE, external_parents=[external()]),
        [],
        [("AT308", "/nodes/1/parents/status")],
        id="none-and-external",
    ),
    pytest.param(node("b", parents={"status": "redacted"}), [], [("AT307", "/nodes/1/parents")], id="no-reason"),
    pytest.param(node("b", parents={"status": "redacted", "reason": "privacy"}), [], [], id="with-reason"),
]


@pytest.mark.parametrize(("given", "edges", "expected"), PARENTS)
def test_parents(given: dict[str, Any], edges: list[Any], expected: list[tuple[str, str]]) -> None:
    assert expected == found(tree([ROOT, given], edges), causality)


def test_strict_closure_makes_undeclared_parents_errors() -> None:
    bundle = Bundle(tree([ROOT, node("b")]))
    severities = [
        [finding.severity for finding in causality.closure.run(bundle, Asked(needs_closure=strict))]
        for strict in (False, True)
    ]
    assert [[Severity.WARNING], [Severity.ERROR]] == severities


PLACE = "/nodes/1/external_parents/0"
OUTSIDE = [
    pytest.param(external(), [], id="complete"),
    pytest.param(external(relation=...), [("AT306", PLACE)], id="no-relation"),
    pytest.param(external(source_id="", availability=...), [("AT306", PLACE)], id="two-parts-one-finding"),
    pytest.param(external(source_id={"$at": {"status": "redacted"}}), [], id="withheld-identity"),
    pytest.param(external(availability="redacted", source_id="redacted:1"), [("AT307", PLACE)], id="no-reason"),
    pytest.param(external(availability="redacted", source_id="redacted:1", reason="privacy"), [], id="reason"),
    pytest.param(external(source_id="a"), [("AT317", PLACE + "/source_id")], id="a-node-of-this-bundle"),
    pytest.param(external(source_id="event:a"), [("AT317", PLACE + "/source_id")], id="an-event-of-this-bundle"),
    pytest.param(external(source_id="a", bundle={"trajectory_id": "at:other"}), [], id="a-node-of-another-bundle"),
    pytest.param(
        external(source_id="a", bundle={"trajectory_id": "at:this"}),
        [("AT317", PLACE + "/source_id")],
        id="this-bundle-by-name",
    ),
    pytest.param("event:far", [], id="no-object"),
    pytest.param({"$at": {"status": "redacted"}}, [], id="withheld-whole"),
]


@pytest.mark.parametrize(("parent", "expected"), OUTSIDE)
def test_external_parents(parent: Any, expected: list[tuple[str, str]]) -> None:
    nodes = [{**ROOT, "source_event_id": "event:a"}, node("b", external_parents=[parent])]
    assert expected == found(tree(nodes, trajectory_id="at:this"), causality)


def test_the_reference_form_has_no_place_for_a_reason() -> None:
    nodes = [ROOT, node("b", external_parents=[external(availability="redacted", source_id="redacted:1")])]
    sealed = tree(nodes, integrity={"canonicalization": "morphz-at-json-struct-order-v1"})
    (finding,) = causality.external_parents.run(Bundle(sealed))
    assert ("AT307", Severity.INFO) == (finding.code, finding.severity)


JOINS = [
    pytest.param({}, [edge("a", "j"), edge("b", "j")], [], id="two-causes"),
    pytest.param({}, [edge("a", "j")], [("AT311", "/nodes/2")], id="one-cause"),
    pytest.param({}, [edge("a", "j"), edge("a", "j", "joins")], [("AT311", "/nodes/2")], id="one-cause-twice"),
    pytest.param({"external_parents": [external()]}, [edge("a", "j")], [], id="one-inside-one-outside"),
    pytest.param({}, [edge("a", "j"), edge("nowhere", "j")], [], id="one-dangling"),
    pytest.param({"parents": {"status": "partial", "reason": "cut"}}, [edge("a", "j")], [], id="not-all-here"),
    pytest.param({"parents": NONE}, [], [("AT311", "/nodes/2")], id="none-at-all"),
]


@pytest.mark.parametrize(("members", "edges", "expected"), JOINS)
def test_joins(members: dict[str, Any], edges: list[Any], expected: list[tuple[str, str]]) -> None:
    given = tree([ROOT, node("b", "input"), node("j", "join", **members)], edges)
    assert expected == found(given, causality, only="AT311")


ORIGINALS = [
    pytest.param(node("b", "retry"), [edge("a", "b")], [("AT315", "/nodes/1")], id="retry-of-nothing"),
    pytest.param(node("b", "retry"), [edge("a", "b", "retries")], [], id="retry-linked"),
    pytest.param(node("b", "retry"), [], [("AT315", "/nodes/1")], id="retry-alone-is-one-fault"),
    pytest.param(node("b", "retry", parents={"status": "undetermined"}), [], [], id="retry-of-something-unknown"),
    pytest.param(node("b", "retry", parents=NONE), [], [("AT315", "/nodes/1")], id="retry-of-none"),
    pytest.param(node("b", "retry", intent_id="i"), [edge("a", "b")], [], id="retry-of-the-same-intent"),
    pytest.param(node("b", "retry", intent_id="j"), [edge("a", "b")], [("AT315", "/nodes/1")], id="intent-of-its-own"),
    pytest.param(node("b", "resume"), [edge("a", "b", "resumes")], [], id="resume-linked"),
    pytest.param(node("b", "replay", effect={"replay_of": "a"}), [edge("a", "b")], [], id="replay-by-reference"),
    pytest.param(node("b", "replay"), [edge("a", "b", "redelivers")], [], id="by-a-relation-of-its-own"),
    pytest.param(
        node("b", "resume", external_parents=[external(relation="resumes")]), [], [], id="original-outside-the-bundle"
    ),
    pytest.param(
        node("b", "resume", external_parents=[external()]), [], [("AT315", "/nodes/1")], id="some-cause-outside"
    ),
    pytest.param(node("b", "recovery"), [edge("a", "b")], [], id="recovery-linked"),
    pytest.param(node("b", "recovery", parents=NONE), [], [("AT315", "/nodes/1")], id="recovery-of-nothing"),
    pytest.param(node("b", "delegation"), [], [("AT315", "/nodes/1")], id="delegation-by-nobody"),
    pytest.param(node("b", "callback", external_parents=[external()]), [], [], id="callback-from-outside"),
    pytest.param(
        node("b", "effect", effect={"replay": True}),
        [edge("a", "b")],
        [("AT315", "/nodes/1/effect")],
        id="redelivery-of-nothing",
    ),
    pytest.param(
        node("b", "effect", effect={"replay": True}), [edge("a", "b", "replays")], [], id="redelivery-by-edge"
    ),
    pytest.param(node("b", "effect", effect={"replay": False}), [edge("a", "b")], [], id="no-redelivery"),
    pytest.param(
        node("b", "effect", effect={"replay_of": "nowhere"}),
        [edge("a", "b")],
        [("AT315", "/nodes/1/effect/replay_of")],
        id="redelivery-of-something-unknown",
    ),
    pytest.param(
        node("b", "effect", effect={"replay_of": {"$at": {"status": "redacted"}}}),
        [edge("a", "b")],
        [],
        id="redelivery-of-something-withheld",
    ),
]


@pytest.mark.parametrize(("given", "edges", "expected"), ORIGINALS)
def test_originals(given: dict[str, Any], edges: list[Any], expected: list[tuple[str, str]]) -> None:
    document = tree([{**ROOT, "intent_id": "i"}, given], edges, **declared(redelivers={"meaning": "again"}))
    assert expected == found(document, causality)


RESULTS = [
    pytest.param([node("b", "observation", parents=NONE)], [], [("AT318", "/nodes/1")], id="observation-of-nothing"),
    pytest.param([node("b", "effect_receipt", parents=NONE)], [], [("AT318", "/nodes/1")], id="receipt-of-nothing"),
    pytest.param([node("b", "observation")], [edge("a", "b")], [], id="observation-of-an-input"),
    pytest.param([node("b", "observation")], [], [], id="undeclared-parents-are-another-fault"),
    pytest.param(
        [node("b", "effect", parents=NONE), node("c", "observation")],
        [edge("b", "c")],
        [("AT318", "/nodes/2")],
        id="effect-out-of-nothing",
    ),
    pytest.param(
        [node("b", "effect", parents=NONE), node("c", "observation")],
        [edge("b", "c"), edge("a", "c")],
        [],
        id="an-input-among-the-causes",
    ),
    pytest.param(
        [node("b", "effect", parents=NONE), node("c", "observation", parents={"status": "partial"})],
        [edge("b", "c")],
        [],
        id="more-parents-than-shown",
    ),
    pytest.param(
        [node("b", "effect", external_parents=[external()]), node("c", "observation")],
        [edge("b", "c")],
        [],
        id="from-outside",
    ),
    pytest.param([node("b", "event", parents=NONE)], [], [], id="an-event-may-begin"),
]


@pytest.mark.parametrize(("nodes", "edges", "expected"), RESULTS)
def test_results(nodes: list[Any], edges: list[Any], expected: list[tuple[str, str]]) -> None:
    assert expected == found(tree([ROOT, *nodes], edges), causality, only="AT318")


def test_the_full_example_is_silent() -> None:
    assert [] == found(FULL, causality)


def test_no_type_anywhere_makes_a_check_fall() -> None:
    for document in mangled(FULL, "nodes", "edges", "extensions"):
        found(document, causality)


def test_the_order_of_the_arrays_does_not_matter() -> None:
    broken = json_patch(
        FULL,
        [
            {"op": "remove", "path": "/edges/4"},
            {"op": "add", "path": "/edges/-", "value": edge("node:closed", "node:request")},
        ],
    )
    turned = {**broken, "nodes": broken["nodes"][::-1], "edges": broken["edges"][::-1]}
    codes = [sorted(code for code, _ in found(document, causality)) for document in (broken, turned)]
    assert codes[0] == codes[1] == ["AT301", "AT305", "AT308"]


def test_a_long_ring_is_walked_without_recursion() -> None:
    count = 100_000  # far beyond any recursion limit
    nodes = [{"node_id": str(i)} for i in range(count)]
    edges = [{"from": str(i), "to": str((i + 1) % count)} for i in range(count)]
    (finding,) = causality.cycle.run(Bundle(tree(nodes, edges)))
    assert f"the node depends on itself through a cycle of {count} nodes; the first 10 are listed" == finding.message
