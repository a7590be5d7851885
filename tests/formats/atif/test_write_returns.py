"""What ATIF has no member for and `extra.attraj` keeps: it comes back when the document is read again."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.formats.mapping.fields import is_same
from attraj.jsonio import Document, parse
from attraj.jsonio.write import dumps
from attraj.verbs.convert import Request as ConvertRequest
from attraj.verbs.convert import convert
from tests.formats.atif.bundles import (
    call,
    made,
    read,
    written,
)


def react(*given: Any) -> tuple[list[Any], list[Any]]:
    """The steps of the ATIF document of a recording, and those of the recording that this becomes."""
    recording = {"task": "t", "model": "m", "steps": list(given)}
    there = convert(Document(dumps(recording), recording), "run", ConvertRequest(to="atif", is_verified=True))
    assert there.status == "converted", there.reason
    back = convert(parse(there.outputs[0].text), "run", ConvertRequest(to="react-web"))
    return parse(there.outputs[0].text).tree["steps"], parse(back.outputs[0].text).tree["steps"]


def did(kind: str, tool: str, iteration: int = 1, **members: Any) -> dict[str, Any]:
    content: dict[str, Any] = {"args": {}} if kind == "action" else {"content": "x"}
    return {"iteration": iteration, "type": kind, "tool": tool, **content, **members}


RECORDINGS = [
    pytest.param([did("action", "a"), did("observation", "a")], id="a-call-and-its-result"),
    pytest.param(
        [did("action", "a"), did("action", "b"), did("observation", "b"), did("observation", "a")], id="results-later"
    ),
    pytest.param([did("action", "a", 7), did("observation", "a", 7)], id="another-number"),
    pytest.param(
        [did("action", "a"), did("observation", "a", 2), {"iteration": 2, "type": "answer", "content": "y"}],
        id="a-result-late",
    ),
    pytest.param([{"type": "thought", "content": "x"}], id="no-number"),
    pytest.param([did("action", "a"), {"iteration": 1, "type": "reflection", "content": "x"}], id="another-type"),
    pytest.param([{"iteration": 1, "type": "answer", "content": "x"}, did("action", "a")], id="no-end-at-the-answer"),
]


@pytest.mark.parametrize("given", RECORDINGS)
def test_what_atif_has_no_member_for_comes_back_out_of_extra(given: Any) -> None:
    assert is_same(react(*given)[1], given)


def test_the_order_of_calls_and_results_is_kept_only_where_it_is_another_one() -> None:
    plain, _ = react(did("action", "a"), did("observation", "a"), did("action", "b"))
    assert "place" not in str(plain)
    (_, step), _ = react(did("action", "a"), did("action", "b"), did("observation", "b"), did("observation", "a"))
    assert [one["extra"]["attraj"]["place"] for one in step["tool_calls"]] == [3, 5]


def test_a_step_that_came_while_another_went_on_is_a_loss_of_order() -> None:
    noted = {"kind": "event", "payload": {"content": "n"}}
    chain = (("n1", "n3", "caused_by"),)
    _, losses = written(made({"kind": "decision", "payload": {"content": "m"}}, noted, call(), edges=chain))
    assert [one for one in losses if one[0] == "interleaved-step"] == [("interleaved-step", "approximated", "/nodes/1")]
    _, losses = written(made({"kind": "decision", "payload": {"content": "m"}}, call(), noted, edges=chain))
    assert "interleaved-step" not in [code for code, _, _ in losses]


def test_what_a_harness_noted_or_made_up_comes_back_as_that() -> None:
    nodes = [
        {"kind": "event", "topic": "note", "payload": {"content": "n"}},
        {"kind": "terminal", "payload": {"content": "exit"}},
    ]
    (tree,), _ = written(made({"kind": "input", "payload": {"role": "user", "content": "x"}}, *nodes))
    again = read(tree)["nodes"]
    assert [(one["kind"], one.get("topic"), one["payload"]["content"]) for one in again] == [
        ("input", None, "x"),
        ("event", "note", "n"),
        ("terminal", None, "exit"),
    ]
