"""What this package writes into `info.attraj` of a `.traj` is read as the bindings that it stands for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.jsonio import parse
from attraj.verbs.convert import Request, convert

Json = dict[str, Any]
STEP: Json = {"action": "ls", "observation": "done", "response": "r", "thought": "t", "state": {}}
CONFIG = {"agent": {"model": {"name": "configured"}}, "problem_statement": {"id": "task-of-it"}}

INFOS = [
    pytest.param({"attraj": {"model": "m", "task": "t"}}, None, ("m", "t"), id="what-was-written"),
    pytest.param({"attraj": {"model": "m"}}, CONFIG, ("configured", "task-of-it"), id="the-configuration-wins"),
    pytest.param({"attraj": {"model": "", "task": 5}}, None, (None, None), id="wrong-types"),
    pytest.param({"attraj": []}, None, (None, None), id="no-object"),
]


@pytest.mark.parametrize(("info", "config", "bound"), INFOS)
def test_model_and_task_are_bound(info: Json, config: Any, bound: tuple[str | None, str | None]) -> None:
    tree: Json = {"trajectory": [STEP], "history": [], "info": info, "environment": "e"}
    if config is not None:
        tree["replay_config"] = json.dumps(config)
    raw = json.dumps(tree).encode()
    text = convert(parse(raw), "name", Request("bundle", is_verified=True)).outputs[0].text
    bindings = json.loads(text)["bindings"]
    assert bound == tuple(bindings.get(kind, [{}])[0].get("id") for kind in ("models", "tasks"))
    assert tree == json.loads(convert(parse(text), "name", Request("swe-agent")).outputs[0].text)
