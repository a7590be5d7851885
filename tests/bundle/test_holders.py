"""A walk that the bytes guide finds what a walk over everything finds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.bundle import holders
from attraj.bundle.holders import Holders
from attraj.bundle.model import Bundle
from attraj.secrets.quick.gate import gate_of

MARK = {"$at": {"status": "redacted", "class": "secret"}}
GATE = gate_of(['"$at"'])
PATTERNS = (rb'\$(?=at")',)


@pytest.fixture(autouse=True)
def _each_record_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holders, "FEW", 0)
    monkeypatch.setattr(holders, "SMALL", 0)


def _of(tree: dict[str, Any], raw: bytes | None = None) -> dict[str, list[int]]:
    items = {name: tree.get(name, []) for name in ("states", "nodes", "edges")}
    found = Holders(json.dumps(tree).encode() if raw is None else raw, items).of(GATE, PATTERNS)
    return {name: list(positions) for name, positions in found.items()}


def _nodes(count: int, **by_position: Any) -> list[dict[str, Any]]:
    return [{"node_id": f"n{i}", "payload": by_position.get(f"n{i}", "")} for i in range(count)]


def test_nothing_is_looked_into_where_nothing_is_found() -> None:
    assert {"states": [], "nodes": [], "edges": []} == _of({"nodes": _nodes(3)})


def test_only_the_record_around_a_find_is_looked_into() -> None:
    tree = {"states": [{"state_id": "s"}], "nodes": _nodes(5, n2=MARK), "edges": [{"edge_id": "e"}]}
    assert {"nodes": [2], "states": [], "edges": []} == _of(tree)


def test_a_find_behind_the_last_record_may_stand_in_it() -> None:
    assert [2] == _of({"nodes": _nodes(3), "rights": MARK})["nodes"]


def test_a_find_before_the_first_record_may_stand_in_it() -> None:
    tree = {"rights": MARK, "nodes": [{"payload": MARK, "node_id": "a"}, {"node_id": "b"}, {"node_id": "c"}]}
    assert {0, 1} >= set(_of(tree)["nodes"]) >= {0}


def test_finds_behind_one_array_may_stand_in_its_last_record_alone() -> None:
    tree = {"states": [{"state_id": "s"}, {"state_id": "t"}], "nodes": _nodes(3, n1=MARK), "rights": MARK}
    assert {"nodes": [1, 2], "states": [1]} == _of(tree)


def test_records_that_name_themselves_late_are_looked_into_on_both_sides() -> None:
    tree = {"nodes": [{"payload": MARK if i == 2 else "", "node_id": f"n{i}"} for i in range(5)]}
    assert [1, 2] == _of(tree)["nodes"]


@pytest.mark.parametrize(
    "nodes",
    [
        pytest.param([*_nodes(3), {"kind": "input", "payload": MARK}], id="a record without a name"),
        pytest.param([*_nodes(3, n1=MARK), {}], id="a record without members"),
        pytest.param([*_nodes(3), "[REDACTED]", {"node_id": "x", "payload": MARK}], id="a record that is no object"),
        pytest.param(_nodes(3, n1={"node_id": "inner", "value": MARK}), id="the same name inside a record"),
        pytest.param(_nodes(3, n1=["node_id", MARK]), id="the name as a text"),
    ],
)
def test_a_collection_that_cannot_be_told_is_looked_into_as_a_whole(nodes: list[Any]) -> None:
    assert "nodes" not in _of({"states": [], "rights": {}, "nodes": [*nodes, {"node_id": "last"}], "z": MARK})


def test_edges_without_names_are_not_passed_over() -> None:
    tree = {"edges": [{"from": "a", "to": "b", "relation": MARK}], "z": {}}
    assert "edges" not in _of(tree)


_leaf = st.sampled_from(
    ["", "x", 1, None, MARK, {"$at": {"status": "literal", "value": MARK}}, {"$at": 1}, "[REDACTED]", "<EMAIL_1>"]
)
_value = st.recursive(
    _leaf,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "$at", "node_id", "availability", "type", "alias"]), inner, max_size=3)
    ),
    max_leaves=6,
)
_record = st.dictionaries(
    st.sampled_from(["node_id", "edge_id", "state_id", "payload", "view", "availability"]),
    _value | st.just("redacted"),
    max_size=4,
)
_bundle = st.fixed_dictionaries(
    {},
    optional={
        "rights": _value,
        "states": st.lists(_record | _value, max_size=4),
        "nodes": st.lists(_record, max_size=6),
        "edges": st.lists(_record, max_size=4),
        "disclosure": _value,
    },
)


@given(_bundle, st.booleans())
def test_the_guided_walk_finds_what_the_whole_one_does(tree: dict[str, Any], hides: bool) -> None:
    raw = json.dumps(tree).encode()
    if hides:
        raw = raw.replace(b'"$at"', b'"\\u0024at"', 1)
    guided, whole = Bundle(tree, raw).content, Bundle(tree).content
    for look in ("marked", "markers", "withheld", "placeholders", "spans", "withheld_objects"):
        assert getattr(whole, look) == getattr(guided, look)
