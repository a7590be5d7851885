"""A mini-swe-agent trajectory told and counted."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.formats.mini_swe_agent.story import facts, tell
from attraj.formats.story import Tokens
from attraj.jsonio import Document

CALL = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}


def reply(*calls: Any, usage: Any = None, **extra: Any) -> dict[str, Any]:
    actions = [{"command": "ls", "tool_call_id": call["id"]} for call in calls]
    response = {"response": {"usage": usage}} if usage is not None else {}
    return {
        "role": "assistant",
        "content": "hm",
        "tool_calls": list(calls),
        "extra": {"actions": actions, **response, **extra},
    }


RESULT = {"role": "tool", "tool_call_id": "c1", "content": "out", "extra": {"returncode": 0}}
USAGE = {"prompt_tokens": 5, "completion_tokens": 2}
FORMAT_ERROR = {"role": "user", "content": "wrong form", "extra": {"interrupt_type": "FormatError"}}


def run(*messages: Any, **info: Any) -> Document:
    user = {"role": "user", "content": "do it"}
    return Document(b"", {"trajectory_format": "mini-swe-agent-1.1", "messages": [user, *messages], "info": info})


def test_a_message_is_a_step_and_a_result_names_its_call() -> None:
    steps = list(tell(run(reply(CALL), RESULT, reply({**CALL, "id": "c2"}))).steps)
    assert [
        (1, "task", (), []),
        (2, "agent", (), [("bash", ())]),
        (3, "tool", ("answers call 1 of step 2",), []),
        (4, "agent", (), [("bash", ("no result recorded",))]),
    ] == [(one.number, one.role, one.marks, [(c.name, c.marks) for c in one.calls]) for one in steps]


def test_a_rejected_reply_is_marked_and_the_lost_ones_are_counted() -> None:
    story = tell(run(FORMAT_ERROR))
    assert ("rejected: format error",) == list(story.steps)[1].marks
    assert ("replies of the model that were rejected and not kept: 1",) == story.remarks


@pytest.mark.parametrize(
    ("messages", "tokens"),
    [
        pytest.param(
            [reply(usage=USAGE), reply(usage=USAGE)],
            Tokens(10, 4, None, "provider usage", "sum over the replies"),
            id="every-reply-has-kept-its-usage",
        ),
        pytest.param([reply(usage=USAGE), reply()], Tokens(), id="one-has-not"),
        pytest.param([reply(usage=USAGE), FORMAT_ERROR], Tokens(), id="a-reply-was-thrown-away"),
        pytest.param([], Tokens(), id="none"),
    ],
)
def test_tokens(messages: list[Any], tokens: Tokens) -> None:
    assert tokens == facts(run(*messages)).tokens


@pytest.mark.parametrize(
    ("info", "cost", "termination"),
    [
        pytest.param({"exit_status": "Submitted", "model_stats": {"instance_cost": 0.5}}, 0.5, "Submitted", id="said"),
        pytest.param({"exit_status": "TokOfMine", "model_stats": {"instance_cost": 0}}, None, "other", id="own-word"),
        pytest.param({"exit_status": ""}, None, "open: no exit status is recorded", id="running"),
    ],
)
def test_cost_and_ending(info: dict[str, Any], cost: float | None, termination: str) -> None:
    found = facts(run(reply(), **info))
    assert (cost, termination) == (found.cost_usd, found.termination)


def test_calls_in_texts_are_not_parsed_out() -> None:
    text = {"role": "assistant", "content": "```bash\nls\n```"}
    assert (1, None) == (facts(run(text)).steps, facts(run(text)).calls)


def test_a_bare_list_has_no_account() -> None:
    story = tell(Document(b"", [{"role": "user", "content": "x"}, reply(CALL)]))
    assert (None, None, 1) == (story.facts.termination, story.facts.cost_usd, story.facts.steps)
    assert ["", "/1"] == ["", list(story.steps)[1].pointer]


@pytest.mark.parametrize("value", [None, 3, "x", [], {}, [None, 3, [], {}]])
@pytest.mark.parametrize("member", ["content", "tool_calls", "extra", "role", "reasoning_content", "output"])
def test_any_type_anywhere_is_told(member: str, value: object) -> None:
    document = run({**reply(CALL), member: value}, value, {**RESULT, member: value})
    assert 4 == len(list(tell(document).steps))
    assert "mini-swe-agent" == facts(document).format
