"""Iterations and pairs: how sure each one is."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.formats.react_web.pairing import read
from tests.formats.react_web.documents import step


def act(iteration: Any, tool: Any = "a") -> dict[str, Any]:
    return step(iteration, "action", tool=tool)


def see(iteration: Any, tool: Any = "a") -> dict[str, Any]:
    return step(iteration, "observation", tool=tool)


PAIRS = [
    pytest.param([act(1), see(1)], [(1, 0, "exact_by_order")], id="one-and-one"),
    pytest.param(
        [act(1), see(1), act(1), see(1)], [(1, 0, "exact_by_order"), (3, 2, "exact_by_order")], id="interleaved"
    ),
    pytest.param(
        [act(1, "a"), act(1, "b"), see(1, "b"), see(1, "a")],
        [(2, 1, "exact_by_tool"), (3, 0, "exact_by_order")],
        id="other-tools-in-any-order",
    ),
    pytest.param(
        [act(1), act(1), see(1), see(1)],
        [(2, 0, "ambiguous_fifo"), (3, 1, "ambiguous_fifo")],
        id="what-follows-a-choice",
    ),
    pytest.param(
        [act(1), act(1), see(1), see(1), act(1), see(1)],
        [(2, 0, "ambiguous_fifo"), (3, 1, "ambiguous_fifo"), (5, 4, "exact_by_order")],
        id="sure-again-when-all-are-answered",
    ),
    pytest.param([act(1), act(1), act(1), see(1)], [(3, 0, "ambiguous_fifo")], id="three-and-one"),
    pytest.param([act(1), see(1, ...)], [(1, 0, "by_position")], id="no-tool-and-one-waits"),
    pytest.param([act(1), act(1, "b"), see(1, ...)], [(2, None, "unlinked")], id="no-tool-and-two-wait"),
    pytest.param(
        [act(1), see(1, ...), act(1), see(1)], [(1, 0, "by_position"), (3, 2, "exact_by_order")], id="taken-by-position"
    ),
    pytest.param([see(1), act(1)], [(0, None, "unlinked")], id="before-its-action"),
    pytest.param([act(1), see(2)], [(1, None, "unlinked")], id="in-the-next-iteration"),
    pytest.param([act(1, ...), see(1)], [(1, None, "unlinked")], id="action-without-tool"),
    pytest.param([act(1), see(1), see(1)], [(1, 0, "exact_by_order"), (2, None, "unlinked")], id="two-for-one"),
]


@pytest.mark.parametrize(("steps", "expected"), PAIRS)
def test_pairs(steps: list[Any], expected: list[tuple[int, int | None, str]]) -> None:
    assert expected == [(p.observation, p.action, p.confidence.value) for p in read(steps).pairs]


def test_what_waits_in_an_earlier_iteration_is_named_and_not_paired() -> None:
    reading = read([act(1), see(2), see(2, "b")])
    assert ([True, False], (0,)) == ([pair.is_late for pair in reading.pairs], reading.unanswered)


GROUPS = [
    pytest.param([1, 1, 2], [(1, (0, 1)), (2, (2,))], id="by-number"),
    pytest.param([1, 2, 1], [(1, (0,)), (2, (1,)), (1, (2,))], id="a-number-that-comes-back-is-new"),
    pytest.param([1, ..., 2], [(1, (0, 1)), (2, (2,))], id="without-a-number-the-group-goes-on"),
    pytest.param([..., 1], [(None, (0,)), (1, (1,))], id="first-without-a-number"),
    pytest.param(["1", 1], [("1", (0,)), (1, (1,))], id="a-text-is-no-number"),
    pytest.param([1, 1.0], [(1, (0, 1))], id="one-is-one-point-zero"),
    pytest.param([1, [1], True], [(1, (0, 1, 2))], id="no-use-of-lists-and-truth"),
    pytest.param([], [], id="nothing"),
]


@pytest.mark.parametrize(("iterations", "expected"), GROUPS)
def test_groups(iterations: list[Any], expected: list[Any]) -> None:
    reading = read([step(iteration, "thought") for iteration in iterations])
    assert expected == [(group.iteration, group.steps) for group in reading.groups]


def test_equal_actions_stay_apart() -> None:
    reading = read([act(1), act(1), act(2)])
    assert ([(0, 1), (2,)], (0, 1, 2)) == ([group.actions for group in reading.groups], reading.unanswered)


def test_what_is_no_step_is_passed_over() -> None:
    assert [(1, (1,))] == [(g.iteration, g.steps) for g in read([None, act(1), 3, "x", [act(1)]]).groups]


def test_many_equal_actions_take_linear_time() -> None:
    reading = read([act(1)] * 50_000 + [see(1)] * 50_000)
    assert (50_000, 49_999, ()) == (len(reading.pairs), len(reading.ambiguous()), reading.unanswered)
