"""What ReAct web JSON is made of: its members, its words, and which step has what. Source: SCHEMA.md of the book.

The component that plays the files is far more tolerant; what it makes of a document is in `viewer`.
"""

from __future__ import annotations

from collections.abc import Mapping

TYPES = ("thought", "action", "observation", "answer")
OUTCOMES = ("success", "failure", "loop", "timeout")

TEXTS = ("experiment", "title", "model", "task", "condition")
"""Members of the envelope that are texts without a rule of their own."""

EXPECTED = ("experiment", "title", "model", "task", "outcome")
"""Members of the envelope without which a reader does not know what the run was."""

USEFUL = ("recorded_at", "tags", "condition")
"""Members that tell when and under which conditions; the text calls the last one optional."""

ENVELOPE = ("$schema", "experiment", "title", "model", "task", "condition", "outcome", "tags", "recorded_at", "steps")

STEPS: Mapping[str, frozenset[str]] = {
    "thought": frozenset({"iteration", "type", "content"}),
    "action": frozenset({"iteration", "type", "tool", "args"}),
    "observation": frozenset({"iteration", "type", "tool", "content"}),
    "answer": frozenset({"iteration", "type", "content"}),
}
ANY_STEP = frozenset().union(*STEPS.values())

WITH_TOOL = frozenset({"action", "observation"})
WITH_CONTENT = frozenset({"thought", "observation", "answer"})

# Spelled without separators and in small letters.
MEANT: Mapping[str, Mapping[str, str]] = {
    "document": {
        **dict.fromkeys(("id", "name", "experimentid"), "experiment"),
        **dict.fromkeys(("modelname", "llm"), "model"),
        **dict.fromkeys(("question", "query", "prompt", "instruction"), "task"),
        **dict.fromkeys(("result", "status", "success"), "outcome"),
        **dict.fromkeys(("date", "timestamp", "createdat", "recorded"), "recorded_at"),
        **dict.fromkeys(("trace", "trajectory", "events", "turns"), "steps"),
        "schema": "$schema",
        "labels": "tags",
    },
    "step": {
        **dict.fromkeys(("iter", "round", "turn", "step", "index"), "iteration"),
        **dict.fromkeys(("kind", "role"), "type"),
        **dict.fromkeys(("name", "toolname", "function"), "tool"),
        **dict.fromkeys(("arguments", "input", "params", "parameters"), "args"),
        **dict.fromkeys(("text", "result", "output", "message", "thought"), "content"),
    },
}


def meant(kind: str, name: str) -> str:
    """The member that a producer probably meant by one that the format does not have; "" when nobody can tell."""
    return MEANT[kind].get(name[:64].replace("_", "").replace("-", "").lower(), "")
