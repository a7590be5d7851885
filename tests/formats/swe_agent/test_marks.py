"""What is a `.traj`, also a broken one, and what only looks like one."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.formats import detect
from tests.formats.swe_agent.files import base

STEP = {"action": "ls", "observation": "", "response": "r", "thought": "t"}
INFO = {"exit_status": "submitted"}
MESSAGE = {"role": "user", "content": "x"}

OURS = [
    pytest.param({"trajectory": [STEP]}, id="steps-alone"),
    pytest.param({"trajectory": [{"response": "r", "thought": "t"}]}, id="half-a-step"),
    pytest.param({"trajectory": [7, STEP], "info": INFO}, id="one-element-that-is-no-step"),
    pytest.param({"trajectory": [7], "info": INFO, "environment": "main"}, id="no-step-at-all-beside-info"),
    pytest.param({"trajectory": None, "history": [MESSAGE], "info": INFO}, id="null-beside-history-and-info"),
    pytest.param({"trajectory": "x", "info": INFO}, id="text-beside-info"),
    pytest.param({"trajectory": [], "info": {}}, id="no-steps"),
    pytest.param({"attempts": []}, id="retry-agent-before-its-first-attempt"),
    pytest.param({"attempts": [{"trajectory": [STEP], "info": INFO}]}, id="retry-agent-at-work"),
    pytest.param({"history": [MESSAGE]}, id="demonstration"),
    pytest.param({"history": [MESSAGE], "replay_config": "{}"}, id="demonstration-with-a-configuration"),
    pytest.param({"history": [MESSAGE], "info": INFO, "environment": "main"}, id="a-trajectory-that-was-lost"),
    pytest.param({"schema_version": "1", "trajectory": [STEP]}, id="a-schema-version-of-somebody"),
    *(pytest.param(base(name), id=f"base-{name}") for name in ("minimal", "full", "old", "retry")),
]

OTHERS = [
    pytest.param(
        {"trajectory": [{"role": "ai", "text": "x"}], "instance_id": "i", "exit_status": "submitted"}, id="nebius"
    ),
    pytest.param({"trajectory": [MESSAGE], "model_patch": "", "exit_status": "submitted"}, id="openai-rows"),
    pytest.param({"trajectory": [MESSAGE], "history": [], "info": INFO}, id="messages-beside-history-and-info"),
    pytest.param({"trajectory": [1, 2]}, id="a-list-of-numbers"),
    pytest.param({"trajectory": None}, id="null-alone"),
    pytest.param({"history": [], "metrics": {}, "git_patch": "", "issue": {}}, id="openhands-output"),
    pytest.param({"history": [{"action": "run", "source": "agent"}]}, id="events"),
    pytest.param({"attempts": [{"score": 1}]}, id="attempts-of-something-else"),
    pytest.param({"attempts": 3}, id="a-count-of-attempts"),
    pytest.param({"attempts": [], "name": "job"}, id="attempts-of-a-job"),
    pytest.param({"info": INFO, "messages": [MESSAGE], "trajectory_format": "mini-swe-agent-1"}, id="mini"),
    pytest.param({"schema_version": "ATIF-v1.6", "steps": [], "agent": {}, "trajectory": [STEP]}, id="atif"),
    pytest.param({"instance_id": "i", "model_patch": ""}, id="prediction"),
    pytest.param({}, id="nothing"),
]


@pytest.mark.parametrize("tree", OURS)
def test_recognises(tree: dict[str, Any]) -> None:
    known = detect(tree)
    assert "swe-agent" == (known and known.name)


@pytest.mark.parametrize("tree", OTHERS)
def test_leaves_to_others(tree: dict[str, Any]) -> None:
    known = detect(tree)
    assert "swe-agent" != (known and known.name)
