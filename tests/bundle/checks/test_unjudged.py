"""One fault of shape is one finding; what does not follow from it is still told."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from attraj.bundle.checks import runner
from attraj.bundle.checks.check import Asked
from attraj.bundle.model import Bundle
from attraj.bundle.shape import OBJECTS
from attraj.formats import is_one
from attraj.jsonio import documents, parse
from attraj.verbs.validate import Request, validate
from tests.support import base_document

PACKAGE = "attraj.bundle.checks"
FULL: dict[str, Any] = base_document(PACKAGE, "full")
MINIMAL: dict[str, Any] = base_document(PACKAGE, "minimal")


def found(tree: Any) -> set[tuple[str, str]]:
    return {(f.code, f.location.pointer) for f in runner.run(Bundle(tree), Asked())}


def changed(base: dict[str, Any], *edits: tuple[str, Any]) -> dict[str, Any]:
    tree = copy.deepcopy(base)
    for pointer, value in edits:
        *way, last = pointer.split("/")[1:]
        place: Any = tree
        for token in way:
            place = place[int(token)] if isinstance(place, list) else place[token]
        place[int(last) if isinstance(place, list) else last] = value
    return tree


@pytest.mark.parametrize("base", [pytest.param(FULL, id="full"), pytest.param(MINIMAL, id="minimal")])
@pytest.mark.parametrize("name", OBJECTS["bundle"])
@pytest.mark.parametrize("value", [None, 5, "text", [], {}], ids=json.dumps)
def test_a_top_level_member_of_the_wrong_type_is_one_finding(base: dict[str, Any], name: str, value: Any) -> None:
    if name in base and type(base[name]) is not type(value) and name not in ("extensions", "integrity"):
        new = found({**base, name: value}) - found(base)
        assert [f"/{name}"] == [pointer for _, pointer in new]


@pytest.mark.parametrize("base", [pytest.param(FULL, id="full"), pytest.param(MINIMAL, id="minimal")])
@pytest.mark.parametrize("name", [name for name, member in OBJECTS["bundle"].items() if member.required])
def test_a_missing_top_level_member_is_one_finding(base: dict[str, Any], name: str) -> None:
    new = found({key: value for key, value in base.items() if key != name}) - found(base)
    assert 1 == len(new)


ONE = [
    pytest.param([("/nodes/3", None)], {("AT102", "/nodes/3")}, id="a node that is null"),
    pytest.param([("/nodes/3/node_id", 5)], {("AT108", "/nodes/3/node_id")}, id="a node whose id is a number"),
    pytest.param([("/states/0/state_id", None)], {("AT108", "/states/0/state_id")}, id="a state whose id is null"),
    pytest.param([("/edges/1/to", [])], {("AT108", "/edges/1/to")}, id="an edge that ends at an array"),
    pytest.param([("/nodes/3/receipt", None)], {("AT102", "/nodes/3/receipt")}, id="a receipt that is null"),
    pytest.param([("/outcomes/0/producer", [])], {("AT102", "/outcomes/0/producer")}, id="a producer that is empty"),
    pytest.param([("/outcomes/0/terminal", [])], {("AT601", "/outcomes/0")}, id="an end that is empty"),
    pytest.param([("/outcomes/0/asserted_at_node", {})], {("AT102", "/outcomes/0/asserted_at_node")}, id="no node"),
    pytest.param([("/scope/termination", "x")], {("AT102", "/scope/termination")}, id="a termination that is a text"),
    pytest.param([("/disclosure/redactions", 5)], {("AT102", "/disclosure/redactions")}, id="redactions in a number"),
    pytest.param([("/profiles/2", 5)], {("AT109", "/profiles/2")}, id="a profile that is a number"),
]


@pytest.mark.parametrize(("edits", "expected"), ONE)
def test_one_fault_of_shape_is_one_finding(edits: list[tuple[str, Any]], expected: set[tuple[str, str]]) -> None:
    assert expected == found(changed(FULL, *edits)) - found(FULL)


MORE = [
    pytest.param(
        [("/nodes/3/node_id", 5), ("/edges/0/to", "node:elsewhere"), ("/edges/1/from", "node:nowhere")],
        {("AT203", "/edges/0/to"), ("AT203", "/edges/1/from")},
        id="more names lead nowhere than nodes have lost theirs",
    ),
    pytest.param(
        [("/nodes/3/status", 5), ("/edges/0/to", "node:elsewhere")],
        {("AT203", "/edges/0/to")},
        id="what is wrong with a node is not its name",
    ),
    pytest.param(
        [("/reward_records/0/sources", "result:none")],
        {("AT102", "/reward_records/0/sources"), ("AT207", "/reward_records/0/sources/0")},
        id="a text in place of an array names something",
    ),
    pytest.param(
        [("/states", None), ("/edges/0/to", "node:elsewhere")], {("AT203", "/edges/0/to")}, id="other collections"
    ),
    pytest.param(
        [("/outcomes/0/producer", []), ("/outcomes/0/status", "")],
        {("AT601", "/outcomes/0")},
        id="another member is not stated",
    ),
]


@pytest.mark.parametrize(("edits", "expected"), MORE)
def test_what_does_not_follow_is_told(edits: list[tuple[str, Any]], expected: set[tuple[str, str]]) -> None:
    assert expected <= found(changed(FULL, *edits)) - found(FULL)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("NaN", [("AT002", "/rights/training")], id="no number"),
        pytest.param("1e999", [("AT802", "/rights/training")], id="a number too large for a double"),
        pytest.param("9007199254740993", [("AT802", "/rights/training")], id="an integer too large for a double"),
    ],
)
def test_a_number_where_none_belongs_is_one_finding(value: str, expected: list[tuple[str, str]]) -> None:
    text = json.dumps(changed(MINIMAL, ("/rights/training", "HERE"))).replace('"HERE"', value)
    before = {(f.code, f.location.pointer) for f in validate(MINIMAL).findings}
    after = [(f.code, f.location.pointer) for f in validate(parse(text.encode())).findings]
    assert expected == [place for place in after if place not in before]


def test_what_a_source_grants_is_not_known_where_it_is_no_json() -> None:
    pointer = "/transform/derived_from/0/rights/training"
    text = json.dumps(changed(FULL, (pointer, "HERE"))).replace('"HERE"', "NaN")
    before = {(f.code, f.location.pointer) for f in validate(FULL).findings}
    after = [(f.code, f.location.pointer) for f in validate(parse(text.encode())).findings]
    assert [("AT002", pointer)] == [place for place in after if place not in before]


def test_an_element_of_an_array_that_is_no_object_is_one_finding() -> None:
    found = list(documents(b'[{"spec_version": "0.1", "trajectory_id": "t"}, null]', is_one=is_one))
    report = validate(found[1], Request(format="bundle"))
    assert [("AT004", "")] == [(f.code, f.location.pointer) for f in report.findings]
