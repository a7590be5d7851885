"""AT309, AT313: where order contradicts causality, and where it pretends to be it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from attraj.bundle.checks import order
from tests.bundle.checks.mangled import mangled
from tests.bundle.checks.small import edge, found, node, tree
from tests.support import base_document

LATER = [("AT309", "/edges/0")]
T = "2031-04-02T06:00:0"
TIMES = [
    pytest.param({"sequence": 1}, {"sequence": 2}, [], id="in-sequence"),
    pytest.param({"sequence": 2}, {"sequence": 2}, [], id="same-sequence"),
    pytest.param({"sequence": 3}, {"sequence": 2}, LATER, id="against-sequence"),
    pytest.param({"sequence": 3}, {}, [], id="one-sequence"),
    pytest.param({"sequence": True}, {"sequence": False}, [], id="booleans-are-no-numbers"),
    pytest.param({"timestamp": T + "1Z"}, {"timestamp": T + "2Z"}, [], id="in-time"),
    pytest.param({"timestamp": T + "2Z"}, {"timestamp": T + "1Z"}, LATER, id="against-time"),
    pytest.param({"timestamp": T + "1Z"}, {"timestamp": T + "1.5Z"}, [], id="a-fraction-later"),
    pytest.param({"timestamp": T + "1.5Z"}, {"timestamp": T + "1Z"}, LATER, id="a-fraction-earlier"),
    pytest.param({"timestamp": T + "1.50Z"}, {"timestamp": T + "1.5Z"}, [], id="the-same-instant-longer"),
    pytest.param(
        {"timestamp": T + "1+02:00"}, {"timestamp": "2031-04-02T04:00:01Z"}, [], id="the-same-instant-elsewhere"
    ),
    pytest.param({"timestamp": T + "1-02:00"}, {"timestamp": T + "2Z"}, LATER, id="later-in-another-zone"),
    pytest.param({"timestamp": "noon"}, {"timestamp": "midnight"}, [], id="no-timestamps"),
    pytest.param({"sequence": 2, "timestamp": T + "2Z"}, {"sequence": 1, "timestamp": T + "1Z"}, LATER, id="both-ways"),
]


@pytest.mark.parametrize(("cause", "effect", "expected"), TIMES)
def test_a_cause_does_not_stand_after_its_effect(
    cause: dict[str, Any], effect: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    for nodes in ([node("a", **cause), node("b", **effect)], [node("b", **effect), node("a", **cause)]):
        assert expected == found(tree(nodes, [edge("a", "b")]), order)


def test_sequences_of_merged_histories_do_not_compare() -> None:
    nodes = [node("a", sequence=9), node("b", sequence=1)]
    assert [] == found(tree(nodes, [edge("a", "b")], transform={"operations": ["merging"]}), order)


def chain(*names: str, **members: Any) -> list[Any]:
    return [edge(a, b, **members) for a, b in pairwise(names)]


COPY = [("AT313", "/edges")]
CHAINS = [
    pytest.param("abcd", chain(*"abcd"), {}, COPY, id="four-in-a-row"),
    pytest.param("abcd", chain(*"abcd")[::-1], {}, COPY, id="edges-in-another-order"),
    pytest.param("abc", chain(*"abc"), {}, [], id="three-prove-nothing"),
    pytest.param("abcd", chain(*"abcd", basis="recorded"), {}, [], id="recorded"),
    pytest.param("abcd", chain(*"abcd", basis="turn_order"), {}, COPY, id="from-turns"),
    pytest.param("abcd", [*chain(*"abc"), edge("b", "d")], {}, [], id="a-branch"),
    pytest.param("abcd", [*chain(*"abc"), edge("c", "d", "depends_on")], {}, [], id="another-relation"),
    pytest.param("abcd", chain(*"abcd"), {"parents": {"status": "undetermined"}}, [], id="undetermined-parents"),
    pytest.param("abcd", [*chain(*"abcd"), edge("a", "c")], {}, [], id="one-edge-more"),
]


@pytest.mark.parametrize(("names", "edges", "last", "expected"), CHAINS)
def test_edges_that_copy_the_array(
    names: str, edges: list[Any], last: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    nodes = [*(node(name) for name in names[:-1]), node(names[-1], **last)]
    assert expected == found(tree(nodes, edges), order)


def test_no_type_anywhere_makes_a_check_fall() -> None:
    for document in mangled(base_document("attraj.bundle.checks", "full"), "nodes", "edges"):
        found(document, order)
