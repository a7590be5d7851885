"""What a mini-swe-agent trajectory is made of: members and their exact types, in all its versions.

Messages are the model provider's own objects: members that are not listed are theirs, and none is unknown here.
Sources: mini-swe-agent 1.0 to 2.4.6; traj.md §3.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import NamedTuple


class Member(NamedTuple):
    """One member: the exact Python types of its JSON value, and whether a reader needs it."""

    types: frozenset[type]
    is_required: bool = False


def _member(*types: type, required: bool = False) -> Member:
    return Member(frozenset(types), required)


TEXT = _member(str, NoneType)
NUMBER = _member(int, float, NoneType)
OBJECT = _member(dict, NoneType)
ARRAY = _member(list, NoneType)

OBJECTS: Mapping[str, Mapping[str, Member]] = {
    "document": {
        "info": _member(dict, required=True),
        "messages": _member(list, required=True),
        "trajectory_format": TEXT,
        "instance_id": TEXT,
    },
    "info": {
        "exit_status": TEXT,
        "submission": TEXT,
        "model_stats": OBJECT,
        "mini_version": TEXT,
        "config": OBJECT,
        "traceback": TEXT,
        "exception_str": TEXT,
    },
    "stats": {"instance_cost": NUMBER, "api_calls": _member(int, NoneType)},
    "message": {"role": TEXT, "content": _member(str, list, NoneType), "extra": OBJECT},
    "assistant": {"tool_calls": ARRAY},
    "tool": {"tool_call_id": _member(str, required=True)},
    "response": {"output": _member(list, required=True)},
    "function_call_output": {"call_id": _member(str, required=True), "output": _member(str, list, required=True)},
    "extra": {
        "actions": ARRAY,
        "cost": NUMBER,
        "timestamp": NUMBER,
        "interrupt_type": TEXT,
        "raw_output": TEXT,
        "returncode": _member(int, NoneType),
        "exit_status": TEXT,
        "submission": TEXT,
    },
    "call": {"id": _member(str, required=True), "function": _member(dict, required=True)},
    "function_call": {"call_id": _member(str, required=True)},
    "action": {"command": _member(str, required=True), "tool_call_id": TEXT},
}

TITLES: Mapping[str, str] = {
    "document": "the document",
    "info": "`info`",
    "stats": "`model_stats`",
    "tool": "the result of a tool",
    "response": "a response item",
    "function_call_output": "the result of a tool",
    "call": "a tool call",
    "function_call": "a function call",
    "action": "an action",
}

ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "exit"})
ITEMS = frozenset({"message", "function_call_output"})  # Responses API; a whole reply has `object`: "response"

# Ways to end that are no exception. Everything else is an open vocabulary: the name of an exception class, or a fork's.
ENDINGS = frozenset({"Submitted", "LimitsExceeded", "TimeExceeded", "RepeatedFormatError"})

FORMATS = ("mini-swe-agent-1", "mini-swe-agent-1.1")
