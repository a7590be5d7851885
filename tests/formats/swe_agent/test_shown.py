"""A history that nothing ran beside is a demonstration, whatever it becomes: no experience of an agent."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.jsonio import parse
from attraj.jsonio.write import dumps
from attraj.verbs.convert import Request, convert
from tests.formats.swe_agent.files import base


def shown() -> dict[str, Any]:
    """The minimal document as demonstrations are kept: its history alone."""
    document: dict[str, Any] = base("minimal")
    return {"history": document["history"]}


def converted(raw: bytes, target: str) -> Any:
    result = convert(parse(raw), "run", Request(target, is_verified=True))
    assert "converted" == result.status, result.reason
    return result


@pytest.mark.parametrize("through", ["", "atif"])
@pytest.mark.parametrize("target", ["react-web", "mini-swe-agent"])
def test_its_turns_are_left_out_by_name(target: str, through: str) -> None:
    raw = dumps(shown())
    if through:
        [output] = converted(raw, through).outputs
        raw = output.text
    result = converted(raw, target)
    [output] = result.outputs
    document: Any = parse(output.text).tree
    told = document["steps"] if target == "react-web" else document["messages"]
    kinds = {one.get("type") or one.get("role") for one in told}
    assert not kinds & {"assistant", "tool", "action", "observation", "answer", "thought"}
    losses = {(one.code, one.handling) for one in result.losses}
    assert ("demonstration", "dropped") in losses
