"""Lists of messages come out of their states as they went in, and what they share is stored once."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.bundle.model import Bundle
from attraj.formats.mapping.messages import Expander, Sharing
from attraj.jsonio.write import dumps
from tests.formats.mapping.trees import VALUES, same


def states_of(lists: list[list[Any]]) -> list[dict[str, Any]]:
    sharing = Sharing()
    found = [{"state_id": f"s{i}", **sharing.content(f"s{i}", items)} for i, items in enumerate(lists)]
    states: list[dict[str, Any]] = json.loads(dumps(found))
    return states


@st.composite
def conversations(draw: st.DrawFn) -> list[list[Any]]:
    """Lists that grow, shrink, change in the middle, repeat and begin anew."""
    pool = draw(st.lists(VALUES, min_size=1, max_size=6))
    lists: list[list[Any]] = [[]] if draw(st.booleans()) else [draw(st.lists(st.sampled_from(pool), max_size=6))]
    for _ in range(draw(st.integers(0, 6))):
        items = list(lists[-1])
        start, end = sorted(draw(st.tuples(st.integers(0, len(items)), st.integers(0, len(items)))))
        items[start:end] = draw(st.lists(st.sampled_from(pool), max_size=3))
        lists.append(items)
    return lists


@given(conversations(), st.randoms(use_true_random=False))
def test_every_list_comes_out_as_it_went_in_whatever_is_asked_first(lists: list[list[Any]], order: Any) -> None:
    expander = Expander(Bundle({"states": states_of(lists)}))
    numbers = list(range(len(lists))) * 2
    order.shuffle(numbers)
    for number in numbers:
        assert same(lists[number], expander.items(f"s{number}"))


@pytest.mark.parametrize(
    ("lists", "expected"),
    [
        pytest.param([["a"]], [{"view": ["a"]}], id="the-first-is-whole"),
        pytest.param(
            [["a"], ["a"]], [{"view": ["a"]}, {"base_state": "s0", "delta": []}], id="an-equal-one-is-no-more"
        ),
        pytest.param(
            [["a", "b"], ["a", "b", "c"]],
            [{"view": ["a", "b"]}, {"base_state": "s0", "delta": [{"op": "add", "path": "/2", "value": "c"}]}],
            id="what-is-added",
        ),
        pytest.param(
            [["a", "b", "c"], ["a", "c"]],
            [{"view": ["a", "b", "c"]}, {"base_state": "s0", "delta": [{"op": "remove", "path": "/1"}]}],
            id="what-is-removed",
        ),
        pytest.param(
            [["a", "b", "c"], ["a", "d", "c"]],
            [{"view": ["a", "b", "c"]}, {"base_state": "s0", "delta": [{"op": "replace", "path": "/1", "value": "d"}]}],
            id="what-is-replaced",
        ),
        pytest.param([["a"], ["b"]], [{"view": ["a"]}, {"view": ["b"]}], id="nothing-is-shared"),
        pytest.param([[1], [True]], [{"view": [1]}, {"view": [True]}], id="a-number-is-no-boolean"),
        pytest.param([[1], [1.0]], [{"view": [1]}, {"view": [1.0]}], id="a-whole-number-is-no-other-number"),
        pytest.param(
            [["a"], []],
            [{"view": ["a"]}, {"base_state": "s0", "delta": [{"op": "remove", "path": "/0"}]}],
            id="nothing-left",
        ),
    ],
)
def test_what_differs_is_all_that_is_stored(lists: Any, expected: Any) -> None:
    assert expected == [{k: v for k, v in state.items() if k != "state_id"} for state in states_of(lists)]


def test_a_conversation_that_every_step_repeats_is_stored_once() -> None:
    messages = [{"role": "user", "content": f"message {i} " + "x" * 200} for i in range(400)]
    lists = [messages[:length] for length in range(1, 401)]
    once = len(dumps(messages))
    assert len(dumps(states_of(lists))) < 2 * once
    assert len(dumps(lists)) > 100 * once


@pytest.mark.parametrize(
    "states",
    [
        pytest.param([], id="no-such-state"),
        pytest.param([{"state_id": "s"}], id="a-state-without-content"),
        pytest.param([{"state_id": "s", "base_state": "s", "delta": []}], id="its-own-base"),
        pytest.param([{"state_id": "s", "same_as": "t"}, {"state_id": "t", "same_as": "s"}], id="in-a-circle"),
        pytest.param([{"state_id": "s", "base_state": 5, "delta": []}], id="a-base-that-is-no-name"),
        pytest.param([{"state_id": "s", "view": {"a": 1}}], id="a-view-that-is-no-list"),
        pytest.param([{"state_id": "s", "view": {"$at": {"status": "redacted"}}}], id="a-view-that-is-withheld"),
        *(
            pytest.param(
                [{"state_id": "t", "view": ["a"]}, {"state_id": "s", "base_state": "t", "delta": [operation]}], id=name
            )
            for name, operation in {
                "an-operation-that-is-none": 5,
                "an-unknown-operation": {"op": "move", "path": "/0", "from": "/0"},
                "an-operation-beyond-the-end": {"op": "add", "path": "/2", "value": 1},
                "an-operation-without-a-value": {"op": "add", "path": "/0"},
                "an-operation-inside-a-message": {"op": "add", "path": "/0/a", "value": 1},
                "a-place-that-is-no-pointer": {"op": "remove", "path": 0},
                "nothing-to-replace": {"op": "replace", "path": "/1", "value": 1},
            }.items()
        ),
    ],
)
def test_a_list_that_is_not_all_here_is_none(states: Any) -> None:
    assert Expander(Bundle({"states": states})).items("s") is None


def test_a_state_that_is_the_same_as_another_has_its_messages() -> None:
    states = [{"state_id": "s", "same_as": "t"}, {"state_id": "t", "view": ["a"]}]
    assert ["a"] == Expander(Bundle({"states": states})).items("s")
