"""The causal graph by positions: what is taken in, orders, cycles."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import Any

import pytest

from attraj.bundle import graph
from attraj.bundle.graph import Graph, Link


def built(count: int, *pairs: Any) -> Graph:
    at = {str(position): position for position in range(count)}
    return graph.build(count, at, [{"from": a, "to": b} for a, b in pairs])


def cycles(given: Graph) -> list[list[int]]:
    return list(graph.cycles(given, graph.causal_order(given)))


def test_edges_become_neighbours() -> None:
    given = built(4, ("0", "1"), ("0", "2"), ("0", "1"), ("1", "1"))
    assert ([[1, 2, 1], None, None, None], [None, [0, 0], [0], None]) == (given.children, given.parents)


def test_edges_that_lack_an_end_are_told_apart() -> None:
    given = built(3, ("0", "1"), ("far", "1"), ("1", "far"), ("far", "near"), (5, "1"), ([], {}))
    assert ({1: ["far"]}, {1}, [1, 2, 3, 4, 5]) == (given.outside, given.astray, given.unresolved)


@pytest.mark.parametrize("edge", [None, 5, "from", [], {}, {"from": "0"}, {"to": "0"}])
def test_what_is_no_edge_is_left_out(edge: Any) -> None:
    given = graph.build(1, {"0": 0}, [edge])
    assert ([None], [None], [0]) == (given.parents, given.children, given.unresolved)


def test_a_cause_that_was_just_an_effect_is_the_same_node() -> None:
    given = graph.build(3, {"0": 0, "1": 1, "2": 2}, [{"from": "0", "to": "1"}, 5, {"from": "1", "to": "2"}])
    assert [None, [0], [1]] == given.parents


def test_concluded_edges_are_counted() -> None:
    edges = [{"from": "0", "to": "1", "basis": basis} for basis in ("recorded", "turn_order", "loop_semantics", 5)]
    given = graph.build(2, {"0": 0, "1": 1}, edges)
    assert ({1: 2}, 4) == (given.inferred, given.edges_into(1))


def test_links_name_edge_relation_and_cause() -> None:
    at = {"0": 0, "1": 1}
    edges = [
        {"from": "0", "to": "1", "relation": "retries"},
        {"from": "far", "to": "1", "relation": "replays"},
        {"from": "0", "to": "1", "relation": "caused_by"},
        {"from": "1", "to": "1", "relation": "resumes"},
        {"from": "0", "to": "1", "relation": ["retries"]},
    ]
    assert {1: [Link(0, "retries", 0), Link(1, "replays", None)]} == graph.links(at, edges)


def test_order_puts_causes_first_whatever_the_array_says() -> None:
    pairs = [("3", "1"), ("1", "0"), ("0", "2"), ("3", "2")]
    for edges in permutations(pairs):
        order = list(graph.causal_order(built(4, *edges)))
        assert all(order.index(int(a)) < order.index(int(b)) for a, b in edges)


def test_nodes_on_and_behind_a_cycle_have_no_order() -> None:
    assert [0] == list(graph.causal_order(built(4, ("0", "1"), ("1", "2"), ("2", "1"), ("2", "3"))))


CYCLES = [
    pytest.param([("0", "1"), ("1", "2")], [], id="none"),
    pytest.param([("0", "0")], [], id="self-edges-are-another-fault"),
    pytest.param([("0", "1"), ("1", "0")], [[0, 1]], id="two"),
    pytest.param([("2", "1"), ("1", "0"), ("0", "2")], [[0, 2, 1]], id="against-the-array"),
    pytest.param([("0", "1"), ("1", "2"), ("2", "3"), ("3", "0"), ("2", "0")], [[0, 1, 2]], id="the-shorter-of-two"),
    pytest.param([("0", "1"), ("1", "0"), ("2", "3"), ("3", "2"), ("1", "2")], [[0, 1], [2, 3]], id="two-groups"),
    pytest.param([("0", "1"), ("0", "1"), ("1", "0")], [[0, 1]], id="parallel-edges"),
]


@pytest.mark.parametrize(("pairs", "expected"), CYCLES)
def test_cycles(pairs: list[tuple[str, str]], expected: list[list[int]]) -> None:
    assert expected == cycles(built(5, *pairs))


def shortest_through_brute_force(given: Graph, group: set[int]) -> int:
    """Length of the shortest cycle inside a group, by one search from each of its nodes."""
    best = len(group) + 1
    for start in group:
        distance, ring = 0, {start}
        while ring and distance < best:
            distance += 1
            ring = {step for position in ring for step in given.children[position] or () if step in group}
            if start in ring:
                best = distance
                break
    return best


@pytest.mark.parametrize("seed", range(40))
def test_a_cycle_is_real_and_as_short_as_any_of_its_group(seed: int) -> None:
    random = Random(seed)
    count = random.randrange(3, 14)
    pairs = [(str(random.randrange(count)), str(random.randrange(count))) for _ in range(2 * count)]
    given = built(count, *pairs)
    for found in cycles(given):
        first = found[0]
        assert all(b in (given.children[a] or ()) for a, b in zip(found, [*found[1:], first], strict=True))
        group = graph.reach(given.children, [first]) & graph.reach(given.parents, [first])
        assert shortest_through_brute_force(given, group) == len(found)


def test_long_chains_and_rings_need_no_recursion_and_no_square_time() -> None:
    count = 50_000
    ring = [(str(i + 1), str(i)) for i in range(count - 1)] + [("0", str(count - 1))]
    (found,) = cycles(built(count, *ring))
    assert (count, 0) == (len(found), found[0])
    doubled = built(count, *ring, *[(str(i), str(i + 2)) for i in range(0, count - 2, 7)])
    assert [3] == [len(cycle) for cycle in cycles(doubled)]
