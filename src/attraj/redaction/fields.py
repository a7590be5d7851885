"""Whole fields that a policy drops, by their names and by the roles that stand beside them, in any format.

A Bundle marks such a value; elsewhere each text in it becomes a placeholder. Names of roles and members are those of
the formats (spec: atif.md §2, traj.md §1 and §3, react-web.md), so that a member of another name stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from attraj.bundle.leaves import keys_of, walk
from attraj.bundle.markers import is_marker
from attraj.redaction.leaves import Keys
from attraj.redaction.policy import Policy

_REASONING = frozenset({"reasoning_content", "reasoning", "thinking", "thought", "thoughts", "thinking_blocks"})
_SEALED = frozenset({"encrypted_content", "thought_signature", "thoughtSignature", "redacted_thinking"})
_REASONING_TYPES = frozenset({"reasoning", "thinking", "thought", "redacted_thinking"})
_OUTPUT_TYPES = frozenset({"tool_result", "function_call_output", "observation"})
_SPOKEN = ("content", "message", "text")
_HEADERS = re.compile(r"(?:[a-z]+_)*headers").fullmatch
_QUERY = re.compile(r"(?<=://)[^\s\"'<>?#]+\?([^\s\"'<>#]+)")
# What links records, and what says what they are: never content.
STRUCTURE = frozenset(
    {"type", "role", "source", "id", "call_id", "tool_call_id", "source_call_id", "name", "function_name", "tool_name"}
    | {"media_type", "kind", "trajectory_id", "session_id", "trajectory_path"}
)

CLASSES = {
    "private_reasoning": "private_reasoning",
    "encrypted_reasoning": "private_reasoning",
    "user_content": "user_content",
    "tool_output": "tool_output",
    "headers": "infrastructure",
}


class Field(NamedTuple):
    """A value that goes whole.

    Attributes:
        keys: Lead to it.
        word: Of `DROPPABLE`, or "headers".
        value: The value.
    """

    keys: Keys
    word: str
    value: Any


def fields(tree: Any, policy: Policy) -> Iterator[Field]:
    """The values that the policy drops, none inside another, in no particular order."""
    if not policy.drop and policy.headers is None:
        return
    dropped: set[tuple[int, str | int]] = set()  # members, by the way to their object
    inside: set[int] = set()  # ways that lead into what is dropped
    for way, container in walk(tree).containers:
        if way is not None and (id(way[0]) in inside or (id(way[0]), way[1]) in dropped):
            inside.add(id(way))
            continue
        if type(container) is not dict or is_marker(container):
            continue
        for key, word in _dropped(container, way[1] if way is not None else "", policy):
            value = container[key]
            if value in (None, "", [], {}) or is_marker(value):
                continue  # nothing is no content, and what is withheld already stays so
            dropped.add((id(way), key))
            yield Field(keys_of(way, key), word, value)


def sealed(tree: Any) -> int:
    """How many blobs of reasoning that a provider encrypted stand in a tree (decisions 27)."""
    return sum(
        1
        for _, container in walk(tree).containers
        if type(container) is dict
        for key in container
        if _is_sealed(container, key) and type(container[key]) is str and len(container[key]) > 32
    )


def queries(text: str) -> Iterator[tuple[int, int]]:
    """Where the queries of URLs stand in a text."""
    if "://" in text and "?" in text:
        for match in _QUERY.finditer(text):
            yield match.span(1)


def _dropped(container: dict[str, Any], name: Any, policy: Policy) -> Iterator[tuple[str, str]]:
    kind = container.get("type")
    role = container.get("role", container.get("source"))
    for key in container:
        if key in STRUCTURE:
            continue
        if policy.headers is not None and _is_header(name, key, policy.headers):
            yield key, "headers"
        elif "encrypted_reasoning" in policy.drop and _is_sealed(container, key):
            yield key, "encrypted_reasoning"
        elif "private_reasoning" in policy.drop and _is_reasoning(kind, key):
            yield key, "private_reasoning"
        elif "user_content" in policy.drop and _is_spoken(container, role, key):
            yield key, "user_content"
        elif "tool_output" in policy.drop and _is_output(container, kind, role, key):
            yield key, "tool_output"


def _is_header(name: Any, key: str, stay: frozenset[str]) -> bool:
    return type(name) is str and _HEADERS(name.lower()) is not None and key.lower() not in stay


def _is_sealed(container: dict[str, Any], key: str) -> bool:
    kind = container.get("type")
    is_typed = type(kind) is str and kind in _REASONING_TYPES
    return key in _SEALED or (is_typed and key in ("signature", "data"))


def _is_reasoning(kind: Any, key: str) -> bool:
    return key in _REASONING or (type(kind) is str and kind in _REASONING_TYPES and key in (*_SPOKEN, "summary"))


def _is_spoken(container: dict[str, Any], role: Any, key: str) -> bool:
    if role == "user" and key in _SPOKEN:
        return True
    is_input = container.get("kind") == "input" or container.get("authority_class") == "principal"
    return (is_input and "node_id" in container and key == "payload") or key == "problem_statement"


def _is_output(container: dict[str, Any], kind: Any, role: Any, key: str) -> bool:
    if key == "observation":
        return True
    if (type(kind) is str and kind in _OUTPUT_TYPES) or role in ("tool", "function"):
        return key in (*_SPOKEN, "output")
    return container.get("kind") == "observation" and "node_id" in container and key == "payload"
