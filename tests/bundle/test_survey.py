"""What a quick look at all records tells of the numbers in a document is what a walk over everything finds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.bundle.leaves import walk
from attraj.bundle.model import Bundle
from tests.bundle.checks.families import FULL
from tests.bundle.checks.mangled import mangled

GREAT = 2**53


def told(tree: Any) -> tuple[bool, bool]:
    found = Bundle(tree).index.survey
    return found.has_great_ones, found.has_floats


def met(tree: Any) -> tuple[bool, bool]:
    numbers = [leaf.value for leaf in walk(tree).numbers]
    great = any(not -GREAT < number < GREAT for number in numbers)
    return great, any(type(number) is float for number in numbers)


@pytest.mark.parametrize("number", [1, GREAT - 1, GREAT, -GREAT, 1.5, 1e300, float("inf"), True])
@pytest.mark.parametrize(
    "tree",
    [
        pytest.param({"source": {"a": [0]}}, id="in the envelope"),
        pytest.param({"nodes": {"a": 0}}, id="in a collection that is no array"),
        pytest.param({"nodes": [0]}, id="in place of a record"),
        pytest.param({"nodes": [{"node_id": "n", "kind": "input", "sequence": 0}]}, id="where an integer belongs"),
        pytest.param({"nodes": [{"node_id": "n", "kind": "input", "status": 0}]}, id="where a text belongs"),
        pytest.param({"nodes": [{"node_id": "n", "kind": "input", "status": {"$at": {"kept_chars": 0}}}]}, id="marker"),
        pytest.param({"nodes": [{"node_id": "n", "kind": "input", "payload": [{"a": [0]}]}]}, id="in free content"),
        pytest.param({"nodes": [{"node_id": "n", "kind": "input", "read_set": ["a", 0]}]}, id="among texts"),
        pytest.param(
            {"nodes": [{"node_id": "n", "kind": "x", "receipt": {"receipt_id": "r", "arguments": 0}}]}, id="r"
        ),
        pytest.param({"nodes": [{"node_id": "n", "kind": "x", "receipt": {"receipt_id": 0}}]}, id="nested"),
        pytest.param({"nodes": [{"node_id": "n", "kind": "x", "external_parents": [{"source_id": 0}]}]}, id="listed"),
        pytest.param({"nodes": [{"node_id": "n", "kind": "x", "source_refs": ["a", {"b": 0}]}]}, id="free and listed"),
        pytest.param({"nodes": [{"no": "id", "of": 0}]}, id="in an unknown member"),
    ],
)
def test_a_number_is_met_wherever_it_stands(tree: Any, number: Any) -> None:
    changed = _with(tree, number)
    assert met(changed) == told(changed)


def _with(value: Any, number: Any) -> Any:
    if type(value) is dict:
        return {name: _with(member, number) for name, member in value.items()}
    if type(value) is list:
        return [_with(element, number) for element in value]
    return number if value == 0 else value


def test_every_type_in_every_place_is_met() -> None:
    for tree in mangled(FULL, "nodes", "states", "edges", "outcomes"):
        assert met(tree) == told(tree)


@given(
    st.dictionaries(
        st.sampled_from(["nodes", "states", "scope"]),
        st.recursive(
            st.sampled_from(["a", None, 1, GREAT, 0.5, True]),
            lambda inner: (
                st.lists(inner, max_size=9)
                | st.dictionaries(st.sampled_from(["node_id", "kind", "payload", "sequence", "parents"]), inner)
            ),
            max_leaves=20,
        ),
    )
)
def test_any_tree(tree: dict[str, Any]) -> None:
    assert met(tree) == told(tree)
