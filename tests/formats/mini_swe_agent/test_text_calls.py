"""Calls of 1.x: the one bash block of a reply, as mini-swe-agent takes it (traj.md §3.2, §7.5)."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.formats.mini_swe_agent.text_calls import PATTERN, command_of, has_text_calls, is_framed
from tests.formats.bundles import bundle, composed, restored

ASKED = "I look.\n\n```bash\nls -a\n```"
SUBMITTING = "```bash\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n```"
CONTENTS = [
    pytest.param(ASKED, "ls -a", id="one-block"),
    pytest.param("```bash \n\n  ls  \n\n```", "ls", id="spaces-around"),
    pytest.param("```bash\ncat <<X\n```\n", "cat <<X", id="to-the-first-end"),
    pytest.param([{"type": "text", "text": ASKED, "cache_control": {}}], "ls -a", id="in-its-only-part"),
    pytest.param([{"type": "text", "text": ASKED}, {"type": "text", "text": ASKED}], None, id="several-parts"),
    pytest.param(ASKED + ASKED, None, id="several-blocks"),
    pytest.param("```sh\nls\n```", None, id="another-language"),
    pytest.param("```bash ls\n```", None, id="on-the-line-of-the-fence"),
    pytest.param("```bash\nls", None, id="a-block-without-an-end"),
    pytest.param("```bash\n\n```", None, id="an-empty-block"),
    pytest.param(None, None, id="no-text"),
]


@pytest.mark.parametrize(("content", "expected"), CONTENTS)
def test_the_command_of_a_reply(content: Any, expected: str | None) -> None:
    assert expected == command_of(content)


@given(st.lists(st.sampled_from(["```", "```bash", "bash", "\n", " ", "ls"]), max_size=12).map("".join))
def test_it_is_the_one_that_the_pattern_of_upstream_finds(text: str) -> None:
    blocks = [block.strip() for block in re.findall(PATTERN, text, re.DOTALL)]
    assert (blocks[0] or None if len(blocks) == 1 else None) == command_of(text)


def test_a_pattern_of_the_user_s_own_says_where_calls_are() -> None:
    own = {"info": {"config": {"agent": {"action_regex": "<run>(.*?)</run>"}}}}
    given_ = {"info": {"config": {"agent": {"action_regex": PATTERN}}}}
    told = [has_text_calls(own, 1), has_text_calls(given_, 1), has_text_calls({"info": []}, 1), has_text_calls({}, 2)]
    assert [False, True, True, False] == told


def test_the_frame_of_a_result() -> None:
    framed = "<returncode>0</returncode>"
    contents: list[Any] = [framed, [{"text": framed}], "0", {}]
    assert [True, True, False, False] == [is_framed(one) for one in contents]


def run(*messages: tuple[str, str], status: str = "Submitted") -> bytes:
    said = [{"role": "system", "content": "Help."}, {"role": "user", "content": "Fix it."}]
    said += [{"role": role, "content": content} for role, content in messages]
    info = {"exit_status": status, "submission": "diff", "config": {"agent": {}}}
    return json.dumps({"messages": said, "info": info, "trajectory_format": "mini-swe-agent-1"}).encode()


RUN = run(
    ("assistant", ASKED),
    ("user", "<returncode>0</returncode>\n<output>\na.py\n</output>"),
    ("assistant", "No block."),
    ("user", "Exactly one action, please."),
    ("assistant", SUBMITTING),
    ("user", "diff"),
)


def test_what_ran_is_told_by_its_result_or_by_the_submission() -> None:
    nodes = {one["node_id"]: one for one in bundle("mini-swe-agent", RUN)["nodes"]}
    calls = [
        (name, one["action"]["value"], one["admission"]["status"]) for name, one in nodes.items() if "action" in one
    ]
    command = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
    assert [("message:3/call:1", "ls -a", "admitted"), ("message:7/call:1", command, "admitted")] == calls
    cut = bundle("mini-swe-agent", run(("assistant", SUBMITTING), status="LimitsExceeded"))
    assert [{"status": "unknown"}] == [one["admission"] for one in cut["nodes"] if "action" in one]
    assert [] == [one for one in cut["nodes"] if one["kind"] == "effect"]


def test_the_file_comes_back_and_says_a_call_once() -> None:
    tree = bundle("mini-swe-agent", RUN)
    assert json.loads(RUN) == restored(tree, "mini-swe-agent")
    [document], losses, _ = composed(tree, "mini-swe-agent")
    assert "mini-swe-agent-1" == document["trajectory_format"]
    assert [m["content"] for m in json.loads(RUN)["messages"]] == [m["content"] for m in document["messages"]]
    assert not any("tool_calls" in m or "actions" in m.get("extra", {}) for m in document["messages"])
    assert [] == [one.pointer for one in losses if "/action" in one.pointer]
    next(one for one in tree["nodes"] if "action" in one)["action"]["value"] = "rm -r ."
    [document], _, _ = composed(tree, "mini-swe-agent")
    assert [{"command": "rm -r ."}] == document["messages"][2]["extra"]["actions"]  # the reply does not say it


@pytest.mark.parametrize(
    ("room", "expected"),
    [
        pytest.param("atif", ["bash", "bash"], id="atif"),
        pytest.param("swe-agent", ["ls -a", "", "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"], id="swe-agent"),
        pytest.param("react-web", ["action", "observation", "action"], id="react-web"),
    ],
)
def test_every_target_has_the_calls(room: str, expected: list[str]) -> None:
    [document], _, _ = composed(bundle("mini-swe-agent", RUN), room)
    if room == "atif":
        calls = [call for step in document["steps"] for call in step.get("tool_calls", [])]
        assert expected == [call["function_name"] for call in calls]
        assert [True, True] == [call["extra"]["attraj"]["synthetic_call"] for call in calls]
    elif room == "swe-agent":
        assert expected == [step["action"] for step in document["trajectory"]]
        assert [str, type(None), type(None)] == [type(step["observation"]) for step in document["trajectory"]]
    else:
        assert expected == [step["type"] for step in document["steps"] if step["type"] in ("action", "observation")]
