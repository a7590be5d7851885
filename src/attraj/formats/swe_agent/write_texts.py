"""Contents, commands and calls of a Bundle as the texts that a `.traj` has for them."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from attraj.bundle.markers import MARKER_KEY, is_marker, is_placeholder, is_withheld, status_of
from attraj.formats.mapping.fields import Json, unescaped
from attraj.formats.mapping.held import Held, Made, Part
from attraj.jsonio import MISSING

Said = Held | Made

_SHELLS = frozenset({"bash", "shell", "execute_bash", "bash_command", "run_shell_command", "terminal"})
_BLOCK = re.compile(r"```[A-Za-z_]{0,24}\n(.*?)```", re.DOTALL)
_WITHHELD = "content that is withheld from the Bundle"
_UNPARSED = "the command is no block of the response, so that the thought is not told apart in it"
_OMITTED = "[{} omitted]"
_PARTS = {"text": ("text",), "image_url": ("image_url",)}


def text_of(part: Part, *path: str | int) -> Said | None:
    """What stands at this path as one text; None when there is nothing.

    A list of parts is joined, what is no text in it told by its kind; what is withheld has its placeholder.
    """
    value, at = part.peek(*path), (*part.at, *path)
    if value is MISSING or value is None:
        return None
    if type(value) is str:
        return Held(value, at)
    value = unescaped(value)
    if is_marker(value) and status_of(part.peek(*path)) != "literal":
        return _placeholder(value, at)
    if type(value) is list:
        said, is_whole = _joined(value)
        category = "other" if is_whole else "attachments"
        return Made(said, (at,), "joined-parts", category, "approximated", "parts of a message as one text")
    said = json.dumps(value, ensure_ascii=False)
    return Made(said, (at,), "value-as-text", "other", "approximated", "a JSON value as its text")


def _placeholder(value: Any, at: Any) -> Made | None:
    if not is_withheld(value):
        return None
    body = value[MARKER_KEY]
    alias = body.get("alias")
    text = alias if type(alias) is str and is_placeholder(alias) else "[REDACTED]"
    return Made(text, (at,), "withheld-content", "other", "approximated", _WITHHELD)


def _joined(parts: list[Any]) -> tuple[str, bool]:
    """The texts of parts, and whether they are all."""
    texts: list[str] = []
    is_whole = True
    for part in parts:
        if type(part) is str:
            texts.append(part)
        elif type(part) is dict and type(part.get("text")) is str:
            texts.append(part["text"])
        else:
            is_whole = False
            kind = part.get("type") if type(part) is dict else None
            known = kind if kind in ("image", "audio", "file", "document") else "part"
            texts.append(_OMITTED.format("image" if kind in ("image_url", "input_image") else known))
    return "\n".join(texts), is_whole


def content_of(part: Part, *path: str | int) -> Said | None:
    """The content of a message: a text, or the parts that a `.traj` knows, as they are."""
    value = part.peek(*path)
    if type(value) is list and value and all(_is_part(one) for one in value):
        return Held(value, (*part.at, *path))
    return text_of(part, *path)


def _is_part(part: Any) -> bool:
    """Whether a part has the form of SWE-agent's own."""
    if type(part) is not dict or part.get("type") not in ("text", "image_url"):
        return False
    if part["type"] == "text":
        return type(part.get("text")) is str
    return type(part.get("image_url")) in (dict, str)


def action_of(action: Part, *, is_told: bool = False) -> Said | None:
    """A call as the command line that a step has for it; None when the call says nothing.

    Args:
        action: The call.
        is_told: A message of the history has the call itself, with its tool and its arguments.
    """
    action.get("kind")  # a step is an action
    value = action.peek("value")
    if type(value) is str or is_marker(value):
        return text_of(action, "value")
    name, arguments = action.peek("name"), action.peek("arguments")
    if type(name) is not str:
        return text_of(action, "arguments") or text_of(action, "value")
    command = arguments.get("command") if type(arguments) is dict else None
    if name in _SHELLS and type(command) is str and len(arguments) == 1:
        return Held(command, (*action.at, "arguments", "command")) if is_told else _rendered(action, command)
    if arguments is MISSING or arguments in ({}, "{}", ""):
        action.get("arguments")
        return Held(name, (*action.at, "name"))
    rendered = text_of(action, "arguments")
    said = rendered.value if rendered is not None else ""
    return _rendered(action, f"{name} {said}".rstrip())


def _rendered(action: Part, command: str) -> Made:
    origins = ((*action.at, "name"), (*action.at, "arguments"))
    return Made(command, origins, "rendered-action", "other", "approximated", "a call as a command line")


class Call(NamedTuple):
    """A call as a message has it."""

    id: Held
    tree: Json


def call_of(action: Part) -> Call | None:
    """The tool call of a message; None where its id, name or arguments are not known: none of them is made up."""
    call_id, name, arguments = action.hold("call_id"), action.hold("name"), action.hold("arguments")
    if call_id is None or name is None or not all(type(one.value) is str and one.value for one in (call_id, name)):
        return None
    if arguments is None or type(arguments.value) not in (str, dict):
        return None
    said: Said = arguments
    if type(arguments.value) is dict:
        text = json.dumps(arguments.value)
        detail = "an object as its JSON text"
        said = Made(text, (arguments.origin,), "arguments-as-text", "other", "approximated", detail)
    return Call(call_id, {"id": call_id, "type": "function", "function": {"name": name, "arguments": said}})


def thought_of(response: Said, action: Said | None, *, is_call: bool) -> Said:
    """The thought as SWE-agent's own parsers cut it from a response (decisions 34).

    Args:
        response: Of the same step.
        action: The command, which may stand in a block of the response.
        is_call: The model asked by a tool call: the response is the thought.
    """
    if is_call or type(response.value) is not str:
        return response
    command = action.value.strip() if action is not None and type(action.value) is str else ""
    blocks = [block for block in _BLOCK.finditer(response.value) if block[1].strip() == command]
    if not command or _BLOCK.search(response.value) is None:
        return response
    if not blocks:  # a copy of the response would say that parsing failed (spec: traj.md §1.3)
        origins = response.origins if isinstance(response, Made) else (response.origin,)
        return Made("", origins, "unparsed-thought", "other", "approximated", _UNPARSED)
    text = (response.value[: blocks[-1].start()] + response.value[blocks[-1].end() :]).strip()
    origins = response.origins if isinstance(response, Made) else (response.origin,)
    return Made(text, origins, "parsed-thought", "other", "approximated", "the response without its command")
