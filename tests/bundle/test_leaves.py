"""The one walk over everything in a document."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.bundle.leaves import LONG, SAFE_INTEGER, pointer_of, walk
from attraj.pointer import resolve

JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_each_way_leads_to_its_container(tree: Any) -> None:
    for way, container in walk(tree).containers:
        assert container is resolve(tree, pointer_of(way))


@given(JSON)
def test_each_number_stands_where_it_is_said_to(tree: Any) -> None:
    for way, key, value in walk(tree).numbers:
        assert value is resolve(tree, pointer_of(way, key))
        assert type(value) is float or abs(value) > SAFE_INTEGER


def test_gathers_long_texts_floats_and_great_integers() -> None:
    tree = {
        "a": ["x" * LONG, "x" * (LONG + 1)],
        "b": {"c/d": 0.5, "e": SAFE_INTEGER, "f": -SAFE_INTEGER - 1, "g": True},
    }
    found = walk(tree)
    assert (["/a/1"], ["/b/c~1d", "/b/f"]) == (
        [pointer_of(way, key) for way, key, _ in found.long_texts],
        [pointer_of(way, key) for way, key, _ in found.numbers],
    )


@pytest.mark.parametrize("tree", [None, 5, "x", True])
def test_a_lone_scalar_has_no_containers(tree: Any) -> None:
    assert [] == walk(tree).containers


def test_depth_costs_no_stack() -> None:
    tree: Any = []
    for _ in range(100_000):
        tree = [tree]
    assert 100_001 == len(walk(tree).containers)
    while tree:  # taken apart by hand: the interpreter would take it apart recursively
        tree = tree.pop()
