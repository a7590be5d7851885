"""What a value of a step or a document is called in a comparison. Names that a document chose are quoted."""

from __future__ import annotations

from attraj.pointer import is_shown
from attraj.reports.layout import View, inline
from attraj.verbs.comparing.said import Name

ROLES = ("system", "user", "agent", "assistant", "tool")
_WORDS = {
    ("payload", "content"): "message",
    ("payload", "role"): "role",
    ("payload", "thought"): "thought",
    ("action", "name"): "name",
    ("action", "value"): "text",
    ("action", "arguments"): "arguments",
    ("timestamp",): "time",
    ("answers",): "answers",
    ("kind",): "kind",
}


def label(name: Name, topic: str, view: View | None) -> str:
    """The name in words: "call 2, argument command", "result 1", "model_call.model".

    Args:
        topic: Of the value.
        view: How names that a document chose are quoted; None to have a "?" stand for those that may be content.
    """
    words = _path(name, topic, view)
    return ", ".join(part for part in (name.slot, words) if part) or "value"


def _path(name: Name, topic: str, view: View | None) -> str:
    path = name.path
    if name.slot and (topic in ("reasoning", "results") and path in (("payload", "content"), ("observation",))):
        return ""
    if path in _WORDS:
        return _WORDS[path]  # type: ignore[index]
    if path[:2] == ("action", "arguments"):
        return f"argument {_token(path[2], view)}"
    if topic == "links" and path[:1] == ("edges",):
        return "relation"
    if path[:2] == ("model_call", "usage"):
        path = path[2:]
    if path[:1] == ("source",) and topic == "members":  # of the source document: `source` is our word
        path = path[1:]
    return ".".join(_token(token, view) for token in path)


def _token(token: str | int, view: View | None) -> str:
    if type(token) is int:
        return str(token)
    text = str(token)
    if view is None:
        return text if is_shown(text) else "?"
    return inline(text, view, 60)
