"""What the objects of a `.traj` are made of: one table of members, their exact types, the versions that have them.

The checks come from here. Source: SWE-agent v0.1.0 to v1.1.0 and main of 2026-07 (types.py, agent/agents.py); spec:
traj.md §1.2 to §1.9. Files are made by hand, too, so that the version of a file is what its features say
(`version.py`), and a member alone never proves one.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import NamedTuple

V0, V07, V10_DEV, V10, V11 = range(5)
VERSIONS = ("0.1-0.6", "0.7", "1.0-dev", "1.0", "1.1")
"""The versions whose files differ, oldest first; what stands between 0.1 and 0.6 cannot be told apart."""


class Member(NamedTuple):
    """One member of an object.

    Attributes:
        types: Exact Python types of its JSON value.
        since, until: First and last version that writes it, as positions in `VERSIONS`.
        of: The kind of object inside; "" for none, or for one whose members are free.
    """

    types: frozenset[type]
    since: int = V0
    until: int = V11
    of: str = ""


def _member(*types: type, since: int = V0, until: int = V11, of: str = "") -> Member:
    return Member(frozenset(types), since, until, of)


_TEXT = _member(str)
_NUMBER = _member(int, float)
_COUNT = _member(int)
_OPTIONAL_TEXT = _member(str, NoneType)

OBJECTS: Mapping[str, Mapping[str, Member]] = {
    "file": {
        "trajectory": _member(list, of="step"),
        "history": _member(list, of="item"),
        "info": _member(dict, of="info"),
        "replay_config": _member(str, dict, NoneType, since=V10_DEV),
        "environment": _TEXT,
        "attempts": _member(list, since=V10, of="file"),
    },
    "step": {
        "action": _TEXT,
        "observation": _OPTIONAL_TEXT,
        "response": _TEXT,
        "thought": _TEXT,
        "state": _member(str, dict),
        "execution_time": _NUMBER._replace(since=V07),
        "messages": _member(list, since=V10, until=V10, of="item"),
        "query": _member(list, since=V11, of="item"),
        "extra_info": _member(dict, since=V10),
    },
    "item": {
        "role": _TEXT,
        "content": _member(str, list, of="part"),
        "agent": _TEXT,
        "message_type": _TEXT._replace(since=V10),
        "thought": _OPTIONAL_TEXT,
        "action": _OPTIONAL_TEXT,
        "tool_calls": _member(list, NoneType, since=V10_DEV, of="call"),
        "tool_call_ids": _member(list, NoneType, since=V10_DEV),
        "thinking_blocks": _member(list, NoneType, since=V11),
        "cache_control": _member(dict, NoneType, since=V10),
        "tags": _member(list, NoneType, since=V10),
        "is_demo": _member(bool),
    },
    "call": {
        "id": _TEXT,
        "type": _TEXT,
        "function": _member(dict, of="function"),
        "index": _COUNT,
    },
    "function": {
        "name": _TEXT,
        "arguments": _member(str, dict),
    },
    "part": {
        "type": _TEXT,
        "text": _TEXT,
        "image_url": _member(dict, str),
        "cache_control": _member(dict, NoneType),
    },
    "info": {
        "exit_status": _OPTIONAL_TEXT,
        "submission": _OPTIONAL_TEXT,
        "model_stats": _member(dict, of="model_stats"),
        "edited_files30": _TEXT._replace(since=V07),
        "edited_files50": _TEXT._replace(since=V07),
        "edited_files70": _TEXT._replace(since=V07),
        "summarizer": _member(dict, since=V07, until=V07, of="summarizer"),
        "swe_agent_hash": _TEXT._replace(since=V10),
        "swe_agent_version": _TEXT._replace(since=V10),
        "swe_rex_hash": _TEXT._replace(since=V10),
        "swe_rex_version": _TEXT._replace(since=V10),
        "review": _member(dict, since=V10),
        "chooser": _member(dict, since=V10),
        "best_attempt_idx": _COUNT._replace(since=V10),
        "rloop_model_stats": _member(dict, since=V10, of="model_stats"),
    },
    "summarizer": {
        "model_stats": _member(dict, of="model_stats"),
        "n_calls": _COUNT,
    },
    "model_stats": {
        "instance_cost": _NUMBER,
        "total_cost": _NUMBER._replace(until=V07),
        "tokens_sent": _COUNT,
        "tokens_received": _COUNT,
        "api_calls": _COUNT,
    },
}
"""Kind of object to its members, in the order of upstream's own types."""

TITLES: Mapping[str, str] = {
    "file": "file",
    "step": "step",
    "item": "message",
    "call": "tool call",
    "function": "function of a tool call",
    "part": "content part",
    "info": "`info`",
    "summarizer": "`summarizer`",
    "model_stats": "model statistics",
}
"""What a person calls each kind of object."""

STEP_TEXTS = ("action", "observation", "response", "thought")
"""The members that every version writes into every step."""

# Members that a widely read note on the format suggests and no release writes (spec: traj.md §1.2, §10; decisions 35).
SUGGESTED: Mapping[str, frozenset[str]] = {
    "file": frozenset({"instance_id", "schema_version", "run_id", "agent_version", "model_name", "config_ref"}),
    "step": frozenset(
        {
            *("step_id", "timestamp", "timestamp_start", "timestamp_end", "parse_error", "exit_code"),
            *("tool_name", "tool_args", "observation_type", "cost", "tokens", "tokens_sent", "tokens_received"),
            *("prompt_tokens", "completion_tokens", "action_raw", "observation_text"),
        }
    ),
    "info": frozenset({"instance_id", "run_id", "agent_version", "model_name", "config_ref"}),
}

OWN = (
    "attraj"  # what a converter writes beside a release's own members, in `info`, steps, messages (spec: traj.md §7.2)
)
ALIAS = "message"  # named by upstream's own documentation, in no file: read like `messages` (spec: decisions 35)

# --- words of the format -----------------------------------------------------------------------------------------

REASONS = frozenset(
    {
        *("exit_cost", "exit_context", "exit_format", "exit_error", "exit_environment_error", "exit_api"),
        *("exit_total_execution_time", "exit_command_timeout", "exit_forfeit"),
    }
)
"""Why a run was cut off: alone, or as the X of `submitted (X)`."""

EXIT_STATUSES = REASONS | {"submitted", "exit_command", "skipped", "early_exit"}

PSEUDO_COMMANDS = frozenset({"exit_cost", "exit_context", "exit_error", "exit_api", "exit_format"})
"""Actions that the loop of SWE-agent 0.x wrote itself (spec: traj.md §1.5)."""

PARSERS = frozenset(
    {
        *("action", "action_only", "thought_action", "xml_thought_action", "xml_function_calling", "edit_format"),
        *("identity", "function_calling", "json", "all_bash_code_blocks", "single_bash_code_block"),
    }
)
"""Response formats of upstream; the set is open."""

# How each parser cuts a response (sweagent/tools/parsing.py). Where thought or action are made in another way, nothing
# about them can be checked.
WHOLE_THOUGHT = frozenset({"function_calling", "identity"})  # the thought is the response
CUT_THOUGHT = frozenset({"thought_action", "xml_thought_action", "edit_format", "xml_function_calling"})
QUOTED_ACTION = frozenset({"action", "action_only", "thought_action", "xml_thought_action", "edit_format", "identity"})
