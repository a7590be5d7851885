"""One fault of shape is one finding; what does not follow from it is still told."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from attraj.formats import Options, atif
from attraj.formats.atif.shape import OBJECTS
from attraj.jsonio import Document, parse
from attraj.verbs.validate import validate
from tests.support import base_document

FULL: dict[str, Any] = base_document("attraj.formats.atif", "full")
MINIMAL: dict[str, Any] = base_document("attraj.formats.atif", "minimal")


def found(tree: Any) -> set[tuple[str, str]]:
    return {(f.code, f.location.pointer) for f in atif.check(Document(b"", tree), Options()).findings}


def changed(base: dict[str, Any], *edits: tuple[str, Any]) -> dict[str, Any]:
    tree = copy.deepcopy(base)
    for pointer, value in edits:
        *way, last = pointer.split("/")[1:]
        place: Any = tree
        for token in way:
            place = place[int(token)] if isinstance(place, list) else place[token]
        place[int(last) if isinstance(place, list) else last] = value
    return tree


@pytest.mark.parametrize("name", [name for name in OBJECTS["trajectory"] if name in FULL])
@pytest.mark.parametrize("value", [None, 5, {}, []], ids=repr)
def test_a_top_level_member_of_the_wrong_type_is_one_finding_at_most(name: str, value: Any) -> None:
    if type(value) is not type(FULL[name]) and not (name == "subagent_trajectories" and value is None):
        assert 1 >= len(found({**FULL, name: value}) - found(FULL))


def test_totals_of_steps_that_are_not_there_are_not_judged() -> None:
    without = {name: value for name, value in FULL.items() if name != "steps"}
    assert [{("ATIF006", "")}, {("ATIF006", "/steps")}, {("ATIF006", "/steps")}] == [
        found(without),
        found({**FULL, "steps": {}}),
        found({**FULL, "steps": []}),
    ]


ONE = [
    pytest.param("/steps/1/tool_calls", 5, "ATIF109", id="calls in a number"),
    pytest.param("/steps/1/tool_calls/0", None, "ATIF109", id="a call that is null"),
    pytest.param("/steps/1/tool_calls/0/tool_call_id", 7, "ATIF109", id="the id of a call is a number"),
    pytest.param("/steps/1/observation", [], "ATIF109", id="an observation in an array"),
    pytest.param("/steps/1/observation/results", {}, "ATIF109", id="results in an object"),
    pytest.param("/steps/1/observation/results/0", "text", "ATIF109", id="a result that is a text"),
    pytest.param("/steps/1/metrics", [], "ATIF109", id="metrics in an array"),
    pytest.param("/steps/1/metrics/prompt_tokens", "9", "ATIF109", id="a count that is a text"),
    pytest.param("/steps/1/source", None, "ATIF008", id="a source that is null"),
    pytest.param("/steps/2/source", 5, "ATIF008", id="the source of a boundary is a number"),
    pytest.param("/steps/2/observation/results/0/content", {}, "ATIF109", id="a new context in an object"),
    pytest.param("/steps/1", None, "ATIF109", id="a step that is null"),
]


@pytest.mark.parametrize(("pointer", "value", "code"), ONE)
def test_one_fault_of_shape_is_one_finding(pointer: str, value: Any, code: str) -> None:
    assert {(code, pointer)} == found(changed(FULL, (pointer, value))) - found(FULL)


def test_an_embedded_subagent_without_its_id_explains_one_name_that_leads_nowhere() -> None:
    nameless = changed(FULL, ("/subagent_trajectories/0/trajectory_id", None))
    assert {("ATIF021", "/subagent_trajectories/0")} == found(nameless) - found(FULL)


MORE = [
    pytest.param(
        [("/steps/1/tool_calls/0/arguments", "x"), ("/steps/1/observation/results/0/source_call_id", "call-9")],
        {("ATIF013", "/steps/1/observation/results/0/source_call_id")},
        id="what is wrong with the call is not its id",
    ),
    pytest.param(
        [("/agent/version", 5), ("/final_metrics/total_prompt_tokens", 999_999)],
        {("ATIF027", "/final_metrics/total_prompt_tokens")},
        id="a fault elsewhere does not excuse the totals",
    ),
]


@pytest.mark.parametrize(("edits", "expected"), MORE)
def test_what_does_not_follow_is_told(edits: list[tuple[str, Any]], expected: set[tuple[str, str]]) -> None:
    assert expected <= found(changed(MINIMAL if "call" in str(expected) else FULL, *edits))


def test_the_verdict_of_harbor_is_that_of_the_whole_document() -> None:
    checked = atif.check(Document(b"", changed(FULL, ("/steps/1/tool_calls/0/tool_call_id", 7))), Options())
    assert "rejected" == checked.verdicts["harbor-0.26"]


@pytest.mark.parametrize("value", ["NaN", "-Infinity", "1e999"])
def test_a_cost_that_is_no_number_is_one_finding(value: str) -> None:
    pointer = "/steps/1/metrics/cost_usd"
    text = json.dumps(changed(FULL, (pointer, "HERE"))).replace('"HERE"', value)
    before = {(f.code, f.location.pointer) for f in validate(FULL).findings}
    after = {(f.code, f.location.pointer) for f in validate(parse(text.encode())).findings} - before
    assert {("ATIF111" if value == "1e999" else "ATIF102", pointer)} == after
