"""Reading members without trusting their types: what is not of the expected type is absent."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def child(tree: Any, *names: str) -> Json:
    """The object at the end of this path of members; {} when there is none."""
    for name in names:
        tree = tree.get(name) if type(tree) is dict else None
    return tree if type(tree) is dict else {}


def text(tree: Json, name: str) -> str:
    """The member when it is text, else ""."""
    value = tree.get(name)
    return value if type(value) is str else ""


def items(value: Any) -> list[Any]:
    """The array, or [] when this is none."""
    return value if type(value) is list else []


def first_call(message: Json) -> Json | None:
    """The first tool call of a message; None when it has none, or none that is an object."""
    calls = items(message.get("tool_calls"))
    return calls[0] if calls and type(calls[0]) is dict else None


def content_text(content: Any) -> str:
    """The text of a message's content: the text itself, or its text parts joined."""
    if type(content) is str:
        return content
    parts = [part.get("text") for part in items(content) if type(part) is dict]
    return "".join([part for part in parts if type(part) is str])
