"""Calls and results."""

from __future__ import annotations

from typing import Any

import pytest

from tests.formats.atif.documents import check, steps, told, turn

CALLS, RESULTS = "/steps/0/tool_calls", "/steps/0/observation/results"


def call(call_id: Any, name: str = "bash") -> dict[str, Any]:
    return {"tool_call_id": call_id, "function_name": name, "arguments": {}}


def result(call_id: Any = None, **members: Any) -> dict[str, Any]:
    return {"content": "ok", **members} if call_id is None else {"source_call_id": call_id, "content": "ok", **members}


def acting(calls: list[Any], results: list[Any] | None, **members: Any) -> dict[str, Any]:
    seen = {} if results is None else {"observation": {"results": results}}
    return {"source": "agent", "tool_calls": calls, **seen, **members}


AFTER: dict[str, Any] = {}
BAD = [
    pytest.param(
        steps(acting([call("a")], [result("b")]), AFTER),
        [("ATIF013", f"{RESULTS}/0/source_call_id")],
        id="unknown-id-is-one-fault-not-two",
    ),
    pytest.param(
        steps({"source": "agent", "observation": {"results": [result("b")]}}),
        [("ATIF013", f"{RESULTS}/0/source_call_id")],
        id="no-calls-at-all",
    ),
    pytest.param(
        steps(acting([call("a"), call("a")], [result("a")]), AFTER),
        [("ATIF014", f"{CALLS}/1/tool_call_id")],
        id="id-twice-in-a-step",
    ),
    pytest.param(
        steps(turn("a"), turn("a", message="again")),
        [("ATIF014", "/steps/1/tool_calls/0/tool_call_id")],
        id="id-twice-in-the-document",
    ),
    pytest.param(
        steps(turn("a", is_copied_context=True), turn("a")),
        [("ATIF014 i", "/steps/1/tool_calls/0/tool_call_id")],
        id="id-of-a-copied-step",
    ),
    pytest.param(
        steps(turn("a"), turn("b"), turn("a"), turn("b"), turn("c")),
        [("ATIF114 w", "/steps/2")],
        id="run-of-repeated-steps-told-once",
    ),
    pytest.param(steps(acting([call("a")], None), AFTER), [("ATIF015 w", f"{CALLS}/0")], id="call-without-result"),
    pytest.param(
        steps(acting([call("a"), call("b")], [result("b")]), AFTER),
        [("ATIF015 w", f"{CALLS}/0")],
        id="one-of-two-without-result",
    ),
    pytest.param(steps(acting([call("a")], None)), [("ATIF015 i", f"{CALLS}/0")], id="last-call"),
    pytest.param(
        steps(acting([call("a")], [result()]), acting([call("b")], [result()])),
        [("ATIF015 i", f"{CALLS}/0")],
        id="unlinked-results-told-once",
    ),
    pytest.param(
        steps(acting([call("a")], [result("a"), result("a")])),
        [("ATIF015 w", f"{RESULTS}/1/source_call_id")],
        id="two-results",
    ),
    pytest.param(
        steps(acting([call(""), call("b", "")], [result(""), result("b")])),
        [("ATIF116 w", f"{CALLS}/0/tool_call_id"), ("ATIF116 w", f"{CALLS}/1/function_name")],
        id="empty-names",
    ),
    pytest.param(
        steps(acting([call("a")], [{"source_call_id": "a"}])), [("ATIF117 w", f"{RESULTS}/0")], id="empty-result"
    ),
    pytest.param(
        steps(acting([None, {"tool_call_id": 5, "function_name": [], "args": {}}], ["x", {"source_call_id": 5}])),
        [
            ("ATIF012", f"{CALLS}/1"),
            ("ATIF032", f"{CALLS}/1/args"),
            ("ATIF109", f"{CALLS}/0"),
            ("ATIF109", f"{CALLS}/1/function_name"),
            ("ATIF109", f"{CALLS}/1/tool_call_id"),
            ("ATIF109", f"{RESULTS}/0"),
            ("ATIF109", f"{RESULTS}/1/source_call_id"),
            ("ATIF117 w", f"{RESULTS}/1"),
        ],
        id="wrong-types-everywhere",
    ),
]
GOOD = [
    pytest.param(steps(turn("a"), turn("b")), id="two-turns"),
    pytest.param(steps(acting([call("a"), call("b")], [result("b"), result("a")])), id="results-in-another-order"),
    pytest.param(steps(acting([call("a")], [result("a"), result()])), id="one-more-result-without-call"),
    pytest.param(steps({"source": "agent", "observation": {"results": [result()]}}), id="result-without-any-call"),
    pytest.param(steps(acting([call("a")], [result("a", content="")])), id="output-that-was-empty"),
    pytest.param(steps(acting([call("a")], [result("a", content=[{"type": "text", "text": ""}])])), id="parts"),
]


@pytest.mark.parametrize(("given", "expected"), BAD)
def test_tells(given: Any, expected: list[tuple[str, str]]) -> None:
    assert sorted(expected) == told(given)


@pytest.mark.parametrize("given", GOOD)
def test_is_silent(given: Any) -> None:
    assert [] == told(given)


def test_an_id_of_an_earlier_step_names_that_step() -> None:
    [finding] = check(steps(turn("a"), acting([call("b")], [result("a")]))).findings
    assert ("ATIF013", ["/steps/0"]) == (finding.code, [related.pointer for related in finding.related])
