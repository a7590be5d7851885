"""Values of a Bundle as messages of mini-swe-agent have them: texts, parts, JSON texts, seconds."""

from __future__ import annotations

import json
from typing import Any

from attraj.bundle.markers import is_marker, is_withheld
from attraj.formats.mapping.attachments import attachment_of, omitted
from attraj.formats.mapping.fields import At, Json
from attraj.formats.mapping.forms import UNIX_TIME
from attraj.formats.mapping.held import Held, Made, Part
from attraj.formats.mapping.withheld import plain
from attraj.jsonio import MISSING
from attraj.jsonio.write import dumps

_TEXTS = ("input_text", "output_text")


def content_of(node: Part, *path: str | int) -> Any:
    """The content at a path as a message can have it: a text, or parts; None when there is none."""
    value, at = node.peek(*path), (*node.at, *path)
    if type(value) is list and value and all(map(_is_part, value)):
        return [_part(one, (*at, position)) for position, one in enumerate(value)]
    return text_of(node, *path)


def _is_part(value: Any) -> bool:
    return type(value) is str or (type(value) is dict and type(value.get("type")) is str)


def _part(value: Any, at: At) -> Any:
    if type(value) is str:
        return {"type": "text", "text": Held(value, at)}
    if value["type"] == "image_url" or (value["type"] == "text" and type(value.get("text")) is str):
        return Held(value, at)  # as providers take it, with what they know besides (cache_control)
    if value["type"] in _TEXTS and type(value.get("text")) is str:
        return {"type": "text", "text": Held(value["text"], (*at, "text"))}
    attachment = attachment_of(value)
    if attachment is not None:
        return {"type": "text", "text": omitted(attachment, at)}
    return {"type": "text", "text": _as_json(value, at)}


def text_of(node: Part, *path: str | int) -> Held | Made | None:
    """The value at a path as one text; None when there is none, or nothing is left of it."""
    value, at = node.peek(*path), (*node.at, *path)
    if value is MISSING or value is None:
        return None
    if type(value) is str:
        return Held(value, at)
    if type(value) is list and value and all(map(_is_part, value)):
        texts = [one if type(one) is str else one.get("text", one.get("thinking")) for one in value]
        if all(type(text) is str for text in texts):
            return Made("\n".join(texts), (at,), "parts-joined", "other", "approximated", "parts as one text")
    return _as_json(value, at)


def _as_json(value: Any, at: At) -> Made | None:
    """A value that is no text: what stands for it where it is withheld, else its JSON text."""
    written = plain(value, at, lambda _handling, _at, _code: None)
    if written is MISSING and is_withheld(value):
        written = "[REDACTED]"  # that something was said is known
    if written is MISSING:
        return None
    if is_marker(value) and type(written) is str:
        detail = "content that is withheld from the Bundle"
        return Made(written, (at,), "withheld-content", "other", "approximated", detail)
    detail = "content that is no text, as JSON text"
    return Made(dumps(written).decode(), (at,), "content-as-text", "other", "approximated", detail)


def arguments_of(node: Part) -> Any:
    """The JSON text of what a call asks with; a command is the one argument of mini-swe-agent's tool."""
    arguments, at = node.peek("action", "arguments"), (*node.at, "action", "arguments")
    if type(arguments) is str:
        return Held(arguments, at)
    if arguments is not MISSING and not is_marker(arguments):
        written = plain(arguments, at, lambda _handling, _at, _code: None)
        detail = "arguments as the JSON text that providers write"
        return Made(_json(written), (at,), "arguments-as-text", "other", "approximated", detail)
    value = node.hold("action", "value")
    if value is None or type(value.value) is not str:
        return None
    detail = "a command as the argument of its call"
    text = _json({"command": value.value})
    return Made(text, (value.origin,), "command-as-argument", "other", "approximated", detail)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def time_of(node: Part) -> Made | None:
    held = node.hold("timestamp")
    seconds = None if held is None else UNIX_TIME.written(held.value)
    if held is None or seconds is None:
        return None
    detail = "a time as the number of seconds since 1970, which has no zone"
    return Made(seconds, (held.origin,), "time-as-number", "timing", "approximated", detail)


def own_member(node: Part, name: str) -> Held | None:
    """A member of the payload that only Bundles of mini-swe-agent have."""
    held = node.hold("payload", name)
    is_right = held is not None and type(held.value) is (int if name == "returncode" else str)
    return held if is_right else None


def stated(members: Json) -> Json | None:
    """The members that say something; None when none does."""
    return {name: value for name, value in members.items() if value is not None} or None
