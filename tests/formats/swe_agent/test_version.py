"""The version of a file is what its features say, each by itself."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.formats.swe_agent.version import detect
from tests.formats.swe_agent.files import base

STEP = {"action": "ls", "observation": "", "response": "r", "thought": "r"}


def file(*steps: dict[str, Any], **beside: Any) -> dict[str, Any]:
    return {"trajectory": [{**STEP, **step} for step in steps], **beside}


OLD: dict[str, Any] = {"state": '{"open_file": "n/a"}\n'}
NEW: dict[str, Any] = {"state": {}}
MAIN = [{"role": "user", "content": "x", "agent": "main"}]
PRIMARY = [{"role": "user", "content": "x", "agent": "primary"}]

CASES = [
    pytest.param(file(OLD), "0.1-0.6", 0, id="state-as-text"),
    pytest.param(file({**OLD, "execution_time": 0.5}), "0.7", 0, id="state-as-text-and-a-time"),
    pytest.param(file({"state": '{"open_file": "n/a"}'}), "0.7", 0, id="state-without-a-line-end"),
    pytest.param(file(OLD, info={"edited_files30": ""}), "0.7", 0, id="state-as-text-and-edited-files"),
    pytest.param(file(NEW), "1.0-dev", 0, id="state-as-object-alone"),
    pytest.param(file({**NEW, "messages": []}), "1.0", 0, id="messages"),
    pytest.param(file({**NEW, "query": []}), "1.1", 0, id="query"),
    pytest.param(file(NEW, info={"swe_agent_version": "1.0.1"}), "1.0", 0, id="stated-1.0"),
    pytest.param(file({**NEW, "query": []}, info={"swe_agent_version": "1.1.0"}), "1.1", 0, id="stated-1.1"),
    pytest.param(file({**NEW, "query": []}, info={"swe_agent_version": "1.2.0.dev3"}), "1.1", 0, id="stated-later"),
    pytest.param(
        file({**NEW, "query": []}, info={"swe_agent_version": "latest"}), "1.1", 0, id="stated-in-other-words"
    ),
    pytest.param(file(info={"swe_agent_version": "1.1.0"}), "1.1", 0, id="no-steps-and-stated"),
    pytest.param(file(history=PRIMARY), "0.1-0.6", 0, id="no-steps-and-the-agent-primary"),
    pytest.param(file(history=MAIN), None, 0, id="no-steps-and-the-agent-main"),
    pytest.param(file(), None, 0, id="nothing-tells"),
    pytest.param(file({"state": 7}), None, 0, id="a-state-that-is-none"),
    pytest.param(file(OLD, replay_config={}), "0.1-0.6", 1, id="mixed-0.x-with-a-configuration"),
    pytest.param(file(OLD, info={"swe_agent_version": "0.9.1"}), "0.1-0.6", 1, id="mixed-0.x-that-states-a-release"),
    pytest.param(file(OLD, OLD, OLD, {**OLD, "query": []}), "0.1-0.6", 1, id="mixed-0.x-with-one-query"),
    pytest.param(file({**OLD, "query": []}), "1.1", 0, id="query-in-every-step-outweighs-states-as-text"),
    pytest.param(file(OLD, info={"swe_agent_version": "1.1.0"}), "1.1", 0, id="stated-outweighs-states-as-text"),
    pytest.param(file({**NEW, "query": [], "messages": []}), "1.1", 1, id="mixed-query-and-messages"),
    pytest.param(
        file({**NEW, "query": []}, info={"swe_agent_version": "1.0.1"}), "1.0", 1, id="mixed-query-in-a-stated-1.0"
    ),
    pytest.param(file({**NEW, "query": []}, history=PRIMARY), "1.1", 1, id="mixed-the-agent-primary"),
    pytest.param(file(OLD, history=[{"message_type": "action"}]), "0.1-0.6", 1, id="mixed-message_type-in-0.x"),
]


@pytest.mark.parametrize(("tree", "name", "mixed"), CASES)
def test_tells_the_version_and_what_does_not_belong(tree: dict[str, Any], name: str | None, mixed: int) -> None:
    version = detect(tree)
    assert (name, mixed) == (version.name, len(version.mixed))


@pytest.mark.parametrize(
    ("name", "is_stated", "is_new"), [("minimal", True, True), ("old", False, False)], ids=["1.1", "0.x"]
)
def test_says_whether_the_file_states_it(name: str, is_stated: bool, is_new: bool) -> None:
    version = detect(base(name))
    assert (is_stated, is_new) == (version.is_stated, version.is_new)
