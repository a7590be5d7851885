"""A document comes back as it was when the version that is asked for is its own, and its number is that version's."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.jsonio import parse
from attraj.verbs.convert import Request, convert

EXTRA = {"note": "kept by a document that comes back as it was"}
MINI = {
    "trajectory_format": "mini-swe-agent-1.1",
    "info": {"exit_status": "Submitted", "submission": "", **EXTRA},
    "messages": [{"role": "user", "content": "Do it."}, {"role": "assistant", "content": "So.", "tool_calls": []}],
}
ATIF = {
    "schema_version": "ATIF-v1.7",
    "agent": {"name": "a", "version": "1", "extra": EXTRA},
    "steps": [{"step_id": 1, "source": "user", "message": "Do it."}],
}
VERSIONS = [
    pytest.param(MINI, "mini-swe-agent", "", True, id="none-asked-for"),
    pytest.param(MINI, "mini-swe-agent", "1.1", True, id="the-number"),
    pytest.param(MINI, "mini-swe-agent", "mini-swe-agent-1.1", True, id="the-whole-word"),
    pytest.param(MINI, "mini-swe-agent", ".1", False, id="the-end-of-a-number"),
    pytest.param(ATIF, "atif", "1.7", True, id="a-number-with-its-letter"),
    pytest.param(ATIF, "atif", "1.6", False, id="another-version"),
]


@pytest.mark.parametrize(("document", "to", "version", "expected"), VERSIONS)
def test_a_version_is_the_whole_number(document: Any, to: str, version: str, expected: bool) -> None:
    made = convert(parse(json.dumps(document).encode()), "run", Request(to, version=version))
    assert expected is (bool(made.outputs) and json.loads(made.outputs[0].text) == document)


def test_1_is_not_1_1() -> None:
    old = {**MINI, "trajectory_format": "mini-swe-agent-1"}
    made = convert(parse(json.dumps(old).encode()), "run", Request("mini-swe-agent", version="1"))
    assert old == json.loads(made.outputs[0].text)
    new = {**MINI, "messages": [*MINI["messages"], {"role": "exit", "content": ""}]}
    made = convert(parse(json.dumps(new).encode()), "run", Request("mini-swe-agent", version="1"))
    assert ("refused", ()) == (made.status, made.outputs)
