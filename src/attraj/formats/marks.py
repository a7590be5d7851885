"""By what mini-swe-agent and ReAct web documents are recognised, with their envelope and without. Source: traj.md §4.4.

Only the first elements of an array are looked at: a mark is a habit of the producer, and shows from the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

Json = dict[str, Any]

_FIRST = 40  # elements

_STEP_TYPES = frozenset({"thought", "action", "observation", "answer"})
_ENVELOPE = ("experiment", "title", "model", "task", "condition", "outcome", "tags", "recorded_at")
_OTHERS = ("agent", "messages", "history", "trajectory", "nodes", "turns")  # what steps without a mark may belong to


def react_web(tree: Json) -> int:
    """How strongly an object looks like ReAct web JSON; also when its steps are none, or broken."""
    if "schema_version" in tree or "spec_version" in tree:
        return 0
    around = 0 if any(name in tree for name in _OTHERS) else sum(name in tree for name in _ENVELOPE)
    if "steps" not in tree:
        return around if around >= 4 and "experiment" in tree else 0
    steps = tree["steps"]
    inside = react_web_steps(steps) if type(steps) is list else 0
    return inside + around + 1 if inside or around >= 2 else 0


def react_web_steps(steps: Sequence[Any]) -> int:
    """The same for an array of steps: most of them are objects with one of the four types and an iteration."""
    first = [step for step in islice(steps, _FIRST) if type(step) is dict]
    typed = sum(type(step.get("type")) is str and step["type"] in _STEP_TYPES for step in first)
    counted = sum("iteration" in step and "type" in step for step in first)
    return 3 * (2 * typed > len(first)) + 2 * (2 * counted > len(first))


def react_web_bare(steps: list[Any]) -> int:
    """Without the envelope, both marks are asked for."""
    score = react_web_steps(steps)
    return score if score == 5 else 0


def mini(tree: Json) -> int:
    """How strongly an object looks like a mini-swe-agent trajectory; also when messages or info are missing."""
    name, info = tree.get("trajectory_format"), tree.get("info")
    is_named = type(name) is str and name.startswith("mini-swe-agent")
    said = sum(mark in info for mark in ("exit_status", "model_stats", "mini_version")) if type(info) is dict else 0
    if not is_named and ("trajectory" in tree or "messages" not in tree or not said):
        return 0
    return 6 * is_named + 2 * ("messages" in tree) + 2 * bool(said) + said


_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "exit"})
_OWN_WORDS = ("<returncode>", "```mswea_bash_command")


def mini_bare(messages: list[Any]) -> int:
    """A bare list of messages is a weak mark: a chat is mini-swe-agent's only when its commands or results show."""
    first = list(islice(messages, _FIRST))
    if not first or not all(map(_is_message, first)):
        return 0
    shown = sum(map(_is_own, first))
    return min(4, 1 + shown) if shown else 0


def _is_message(item: Any) -> bool:
    if type(item) is not dict:
        return False
    if item.get("object") == "response" or item.get("type") == "function_call_output":
        return True
    role = item.get("role")
    return type(role) is str and role in _ROLES and "content" in item


def _is_own(message: Json) -> bool:
    extra = message.get("extra")
    if type(extra) is dict and not extra.keys().isdisjoint({"actions", "returncode", "interrupt_type", "exit_status"}):
        return True
    content = message.get("content")
    return type(content) is str and message.get("role") != "system" and any(word in content for word in _OWN_WORDS)
