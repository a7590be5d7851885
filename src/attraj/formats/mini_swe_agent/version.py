"""Which generation of mini-swe-agent wrote a document, and by which evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from attraj.formats.mini_swe_agent.shape import FORMATS
from attraj.formats.mini_swe_agent.turns import extra_of, kind_of


class Version(NamedTuple):
    """What a document says and shows of its version.

    Attributes:
        declared: trajectory_format, when it is a known one; None otherwise.
        generation: 1 or 2 by the messages, 0 when they show neither.
        evidence: What the generation was told by, in our own words.
        is_mixed: trajectory_format says one generation and the messages show the other.
    """

    declared: str | None
    generation: int
    evidence: tuple[str, ...]
    is_mixed: bool


def version_of(tree: Any, messages: Sequence[Any]) -> Version:
    """Tell the version of a document (an object, or a bare list of messages)."""
    word = tree.get("trajectory_format") if type(tree) is dict else None
    declared = word if type(word) is str and word in FORMATS else None
    evidence: list[str] = []
    if declared:
        evidence.append("trajectory_format")
    info = tree.get("info") if type(tree) is dict else None
    if type(info) is dict and "mini_version" in info:
        evidence.append("info.mini_version (from 1.5)")
    generation = 0
    marks = _marks_of_2(messages)
    if marks:
        generation = 2
        evidence.extend(marks)
    elif any(type(m) is dict and kind_of(m) == "assistant" for m in messages):
        generation = 2 if _has_word(messages, "```mswea_bash_command") else 1
        evidence.append("the fence of its commands" if generation == 2 else "messages of text alone")
    # A run that ended before its first reply shows no mark of 2.x but its exit. Fences are a matter of settings.
    is_mixed = declared == FORMATS[0] and bool(marks)
    return Version(declared, generation, tuple(evidence), is_mixed)


def _marks_of_2(messages: Sequence[Any]) -> list[str]:
    found: dict[str, None] = {}
    for message in messages:
        if type(message) is not dict:
            continue
        kind = kind_of(message)
        if kind == "tool" or message.get("tool_calls"):
            found["native tool calls (2.x)"] = None
        elif kind in ("response", "function_call_output"):
            found["items of the Responses API (2.x)"] = None
        elif kind == "exit":
            found["a message with the role exit (2.x)"] = None
        if not extra_of(message).keys().isdisjoint({"actions", "interrupt_type", "returncode"}):
            found["parsed actions and results in extra (2.x)"] = None
    return sorted(found)


def _has_word(messages: Sequence[Any], word: str) -> bool:
    contents = (m.get("content") for m in messages if type(m) is dict and kind_of(m) == "assistant")
    return any(type(content) is str and word in content for content in contents)
