"""Losses as they go out: no name that may be content, and equal ones gathered with every place."""

from __future__ import annotations

import json

import pytest

from attraj.batch.convert_losses import gathered, shown_place
from attraj.formats.mapping.loss import Loss
from attraj.pointer import Ranks

TREE = {"steps": [{"extra": {"plain": 1, "zq7Canary41x": 2}}]}


@pytest.mark.parametrize(
    ("pointer", "tree", "expected"),
    [
        pytest.param("/steps/0/extra/plain", TREE, "/steps/0/extra/plain", id="our-words"),
        pytest.param("/steps/0/extra/zq7Canary41x", TREE, "/steps/0/extra/{1}", id="a-name-that-may-be-content"),
        pytest.param("/steps/0/zq7Canary41x", None, "/steps/0/{?}", id="without-a-tree"),
        pytest.param("/steps/123456789", None, "/steps/{?}", id="a-number-that-may-be-an-identifier"),
        pytest.param("/steps/*/when", TREE, "/steps/*/when", id="any-position"),
        pytest.param("/agent~1trajectory.json/steps/1", None, "/agent~1trajectory.json/steps/1", id="a-file"),
        pytest.param("/steps~1zq7Canary41x~1agent", None, "/{?}", id="a-file-below-a-name"),
        pytest.param("/steps/0/extra/{1}", TREE, "/steps/0/extra/{1}", id="a-place-of-a-finding"),
        pytest.param("/steps/{?}/{2}/zq7Canary41x", None, "/steps/{?}/{2}/{?}", id="a-place-of-a-finding-and-more"),
        pytest.param("/{zq7Canary41x}", TREE, "/{?}", id="braces-around-content"),
        pytest.param("", TREE, "", id="the-whole"),
    ],
)
def test_a_place_shows_no_content(pointer: str, tree: object, expected: str) -> None:
    assert expected == shown_place(pointer, tree, Ranks())


def test_losses_that_differ_in_positions_are_one_with_all_their_places() -> None:
    losses = [
        Loss("no-time", "timing", "dropped", "/steps/0/when", 1, "d"),
        Loss("alone", "other", "synthesized", "/steps/0/id", 1, "d", "write"),
        Loss("no-time", "timing", "dropped", "/steps/7/when", 2, "d"),
        Loss("no-time", "timing", "dropped", "/steps/7/when", 1, "another detail"),
    ]
    made = gathered(losses, {"steps": []})
    assert made.losses == (
        Loss("no-time", "timing", "dropped", "/steps/*/when", 3, "d"),
        Loss("alone", "other", "synthesized", "/steps/0/id", 1, "d", "write"),
        Loss("no-time", "timing", "dropped", "/steps/7/when", 1, "another detail"),
    )
    assert [one["places"] for one in json.loads(made.places)] == [
        ["/steps/0/when", "/steps/7/when"],
        ["/steps/0/id"],
        ["/steps/7/when"],
    ]


def test_nothing_lost_is_an_empty_list() -> None:
    assert (gathered([]).losses, gathered([]).places) == ((), b"[]")
