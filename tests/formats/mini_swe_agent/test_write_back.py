"""A run that is given back without its reasoning: nothing else of it changes, in no mode."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from attraj.jsonio import parse
from attraj.verbs.convert import Request, convert
from tests.formats.mini_swe_agent.documents import reply, run_of

TASK = {"role": "user", "content": "Do it."}
CALL = {"type": "function_call", "call_id": "c1", "name": "bash", "arguments": '{"command": "ls"}'}
SUMMARY = {"type": "summary_text", "text": "Hm."}
ASKED = {"effort": "high", "summary": None}


def item(**members: Any) -> dict[str, Any]:
    return {"type": "reasoning", "id": "r1", **members}


RESPONSE = {"object": "response", "reasoning": ASKED, "output": [item(summary=[SUMMARY], encrypted_content="x"), CALL]}
SILENT = {**RESPONSE, "output": [item(summary=[{"type": "summary_text"}]), CALL]}
CHAT = {**reply(("c1", "ls")), "reasoning_content": "Hm.", "thinking_blocks": [{"type": "thinking", "thinking": "Hm."}]}
SAID_AGAIN = {"choices": [{"message": {"reasoning": "Hm.", "content": "Look."}}], "model": "m"}
PARTS = [{"type": "thinking", "thinking": "Hm.", "signature": "s"}, {"type": "text", "text": "Look."}]

RUNS = [
    pytest.param([TASK, CHAT], [TASK, reply(("c1", "ls"))], 2, id="members-of-a-message"),
    pytest.param([TASK, RESPONSE], [TASK, SILENT], 2, id="items-of-the-responses-api"),
    pytest.param(
        [TASK, {"role": "assistant", "content": PARTS}],
        [TASK, {"role": "assistant", "content": [{"type": "thinking"}, PARTS[1]]}],
        2,
        id="parts-that-are-thinking",
    ),
    pytest.param(
        [TASK, {"role": "assistant", "content": "Look.", "extra": {"response": SAID_AGAIN}}],
        [
            TASK,
            {
                "role": "assistant",
                "content": "Look.",
                "extra": {"response": {"choices": [{"message": {"content": "Look."}}], "model": "m"}},
            },
        ],
        1,
        id="the-raw-reply",
    ),
    pytest.param([TASK, reply(("c1", "ls"))], [TASK, reply(("c1", "ls"))], 0, id="nothing-to-leave-out"),
]


@pytest.mark.parametrize("shape", ["document", "bare-list"])
@pytest.mark.parametrize(("messages", "expected", "count"), RUNS)
def test_reasoning_goes_and_the_rest_stays(messages: list[Any], expected: list[Any], count: int, shape: str) -> None:
    document = run_of(*copy.deepcopy(messages))
    document["info"]["config"] = {"agent": {"system_template": "You are."}}
    given: Any = document if shape == "document" else document["messages"]
    request = Request("mini-swe-agent", "mini-swe-agent", strips_thoughts=True, is_verified=True)
    made = convert(parse(json.dumps(given).encode()), "run", request)
    assert ("converted", count) == (made.status, sum(loss.code == "stripped-thoughts" for loss in made.losses))
    assert {"stripped-thoughts"} >= {loss.code for loss in made.losses}
    wanted = {**document, "messages": expected} if shape == "document" else expected
    assert wanted == json.loads(made.outputs[0].text)
