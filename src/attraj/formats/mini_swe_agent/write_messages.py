"""Turns → messages as mini-swe-agent 2.x keeps them with tool calls: what the model was sent, and what it said.

A result is a message of the role `tool` with the id of its call; one that belongs to no call is a message of the user,
as in text mode. What never ran has no action in `extra`. Source: traj.md §3.3, §7.5.
"""

from __future__ import annotations

import json
from typing import Any

from attraj.bundle.markers import is_marker
from attraj.formats.mapping.attachments import attachment_of, omitted
from attraj.formats.mapping.fields import At, Json
from attraj.formats.mapping.forms import UNIX_TIME
from attraj.formats.mapping.held import NULL, Held, Ledger, Made, Part
from attraj.formats.mapping.turns import CallTurn, Turn
from attraj.formats.mapping.withheld import plain
from attraj.jsonio import MISSING
from attraj.jsonio.write import dumps

_ROLES = ("system", "developer", "user")
_TEXTS = ("text", "input_text", "output_text")
_REFUSED = frozenset({"denied", "rejected", "expired", "revoked", "proposed"})


class Messages:
    """The messages of one thread.

    Args:
        ledger: Of the Bundle.
        has_thoughts: Reasoning is wanted.
    """

    def __init__(self, ledger: Ledger, *, has_thoughts: bool) -> None:
        self._ledger, self._has_thoughts = ledger, has_thoughts
        self._messages: list[Json] = []
        self._calls = 0

    def of(self, turns: list[Turn], ending: Json) -> list[Json]:
        """All messages; `ending` is what the last one says of the end, when the record has one."""
        rejected: Turn | None = None
        for turn in turns:
            if rejected is not None and not self._is_complaint(turn):
                self._decision(rejected)
                rejected = None
            if turn.kind == "decision" and turn.node.peek("status") == "rejected" and not turn.calls:
                rejected = turn  # a complaint that follows says it, as mini-swe-agent does
            elif turn.kind == "decision":
                self._decision(turn)
            elif turn.kind == "call":
                self._reply(turn, None)
            elif turn.kind == "input":
                self._input(turn, rejected)
                rejected = None
            elif turn.kind == "terminal":
                self._exit(turn, ending)
            else:
                self._other(turn)
        if rejected is not None:
            self._decision(rejected)
        return self._messages

    # --- what was said to the model --------------------------------------------------------------------------------

    def _is_complaint(self, turn: Turn) -> bool:
        return turn.kind == "input" and turn.node.peek("payload", "interrupt") == "FormatError"

    def _input(self, turn: Turn, rejected: Turn | None) -> None:
        node = turn.node
        role: Any = node.hold("payload", "role")
        if role is None or role.value not in _ROLES:
            detail = "the role of who speaks to the model is not recorded, or has no place here"
            role = Made("user", (), "role", "identity", "synthesized", detail)
        extra: Json = {
            "interrupt_type": node.hold("payload", "interrupt"),
            "actions": [self._action(call, None) for call in turn.calls if self._command(call.action)] or None,
            "timestamp": _time(node),
        }
        if rejected is not None:
            extra |= self._lost(rejected)
        content = content_of(node, "payload", "content")
        if content is not None or _stated(extra):
            self._say({"role": role, "content": content, "extra": _stated(extra)})
        for call in turn.calls:
            for result in call.observations:
                self._plain_result(result)
        for part in turn.loose:
            self._plain_result(part)

    def _lost(self, turn: Turn) -> Json:
        """A reply that could not be parsed, in the message that complains of it."""
        for part in turn.reasoning:
            self._drop(part, "reasoning-of-a-lost-reply", "a reply that could not be parsed is kept as its text alone")
        return {
            "model_response": _text(turn.node, "payload", "content"),
            "cost": turn.node.hold("model_call", "usage", "cost_usd"),
        }

    # --- what the model said ---------------------------------------------------------------------------------------

    def _decision(self, turn: Turn) -> None:
        self._reply(turn, turn.node)
        for part in turn.loose:
            self._plain_result(part)

    def _reply(self, turn: Turn, node: Part | None) -> None:
        self._calls += 1
        ids = [self._id(call, number) for number, call in enumerate(turn.calls, 1)]
        extra: Json = {
            "actions": [
                self._action(call, name)
                for call, name in zip(turn.calls, ids, strict=True)
                if call.effects and self._command(call.action)
            ]
            or None
        }
        message: Json = {"role": "assistant"}
        if node is not None:
            message["content"] = content_of(node, "payload", "content")
            message["reasoning_content"] = self._reasoning(turn)
            extra["cost"] = node.hold("model_call", "usage", "cost_usd")
            extra["timestamp"] = _time(node)
        calls = [self._call(call, name) for call, name in zip(turn.calls, ids, strict=True)]
        message["tool_calls"] = calls or None
        message["extra"] = _stated(extra)
        if len(_stated(message) or {}) > 1:
            self._say(message)
        for call, name in zip(turn.calls, ids, strict=True):
            self._results(call, name)

    def _reasoning(self, turn: Turn) -> Any:
        if not self._has_thoughts:
            for part in turn.reasoning:
                self._drop(part, "stripped-thoughts", "reasoning is left out on request")
            return None
        texts = [text for part in turn.reasoning if (text := _text(part, "payload", "content")) is not None]
        if len(texts) < 2:
            return texts[0] if texts else None
        return _joined(texts, "reasoning-joined", "several pieces of reasoning as one text")

    def _call(self, call: CallTurn, name: Any) -> Json:
        node = call.action
        if node.peek("kind") == "proposal" or node.peek("admission", "status") in _REFUSED:
            detail = "a call that was not admitted stands there like any other; no action says that it ran"
            self._ledger.lose("rejected-proposal", "request_vs_effect", "approximated", node.at, detail)
        tool: Any = node.hold("action", "name")
        if tool is None or type(tool.value) is not str:
            detail = "a command without the name of a tool, under the name of the only tool of mini-swe-agent"
            tool = Made("bash", ((*node.at, "action", "kind"),), "tool-name", "identity", "approximated", detail)
        return {"id": name, "type": "function", "function": {"name": tool, "arguments": _arguments(node)}}

    def _id(self, call: CallTurn, number: int) -> Any:
        held = call.action.hold("action", "call_id")
        if held is not None and type(held.value) is str:
            return held
        detail = "the record has no id of the call, and a result is tied to its call by nothing else"
        return Made(f"call_{self._calls}_{number}", (), "call-id", "identity", "synthesized", detail)

    def _command(self, node: Part) -> Held | None:
        for path in (("action", "value"), ("action", "arguments", "command")):
            held = node.hold(*path)
            if held is not None and type(held.value) is str:
                return held
        return None

    def _action(self, call: CallTurn, name: Any) -> Json:
        for effect in call.effects:
            if effect.peek("effect", "request") is not MISSING:
                held = effect.hold("effect", "request")
                if held is not None and type(held.value) is str:
                    return {"command": held, "tool_call_id": name}
        return {"command": self._command(call.action), "tool_call_id": name}

    # --- what came back --------------------------------------------------------------------------------------------

    def _results(self, call: CallTurn, name: Any) -> None:
        nodes = [node for node in call.observations if content_of(node, "observation") is not None]
        if not nodes:
            return
        message = {"role": "tool", **self._result(nodes[0]), "tool_call_id": name}
        if len(nodes) > 1:
            texts = [text for node in nodes if (text := _text(node, "observation")) is not None]
            message["content"] = _joined(texts, "results-joined", "several results of one call as one text")
        self._say(message)

    def _plain_result(self, node: Part) -> None:
        """A result that no call id ties to a call."""
        message = self._result(node)
        if message["content"] is None:
            return
        detail = "a result without the id of a call, as a message of the user"
        self._ledger.lose("unlinked-result", "order_vs_causality", "approximated", node.at, detail)
        self._say({"role": "user", **message})

    def _result(self, node: Part) -> Json:
        extra: Json = {name: _payload(node, name) for name in ("raw_output", "returncode", "exception_info")}
        extra["timestamp"] = _time(node)
        return {"content": content_of(node, "observation"), "extra": _stated(extra)}

    # --- the rest --------------------------------------------------------------------------------------------------

    def _exit(self, turn: Turn, ending: Json) -> None:
        node = turn.node
        extra = {**ending, "traceback": _payload(node, "traceback"), "timestamp": _time(node)}
        self._say({"role": "exit", "content": content_of(node, "payload", "content"), "extra": _stated(extra)})

    def _other(self, turn: Turn) -> None:
        if turn.kind == "observation":
            self._plain_result(turn.node)
        else:
            self._drop(turn.node, turn.kind, "what a harness noted, for which the format has no message")
        for part in turn.loose:
            self._plain_result(part)

    def _say(self, message: Json) -> None:
        if message.get("content") is None:
            message["content"] = NULL  # as providers write a message without a text
        self._messages.append(message)

    def _drop(self, node: Part, code: str, detail: str) -> None:
        for member in ("payload", "action", "observation"):
            if node.get(member) is not MISSING:
                self._ledger.lose(code, "other", "dropped", (*node.at, member), detail)


# --- values --------------------------------------------------------------------------------------------------------


def content_of(node: Part, *path: str | int) -> Any:
    """The content at a path as a message can have it: a text, or parts; None when there is none."""
    value, at = node.peek(*path), (*node.at, *path)
    if type(value) is list and value and all(map(_is_part, value)):
        return [_part(one, (*at, position)) for position, one in enumerate(value)]
    return _text(node, *path)


def _is_part(value: Any) -> bool:
    return type(value) is str or (type(value) is dict and type(value.get("type")) is str)


def _part(value: Any, at: At) -> Any:
    if type(value) is str:
        return {"type": "text", "text": Held(value, at)}
    if value["type"] in _TEXTS and type(value.get("text")) is str:
        return {"type": "text", "text": Held(value["text"], (*at, "text"))}
    if value["type"] == "image_url":
        return Held(value, at)
    attachment = attachment_of(value)
    if attachment is not None:
        return {"type": "text", "text": omitted(attachment, at)}
    return {"type": "text", "text": _as_json(value, at)}


def _text(node: Part, *path: str | int) -> Held | Made | None:
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
    written = plain(value, at, lambda _handling, _at: None)
    if written is MISSING:
        return None
    if is_marker(value) and type(written) is str:
        detail = "content that is withheld from the Bundle"
        return Made(written, (at,), "withheld-content", "other", "approximated", detail)
    detail = "content that is no text, as JSON text"
    return Made(dumps(written).decode(), (at,), "content-as-text", "other", "approximated", detail)


def _arguments(node: Part) -> Any:
    """The JSON text of what a call asks with; a command is the one argument of mini-swe-agent's tool."""
    arguments, at = node.peek("action", "arguments"), (*node.at, "action", "arguments")
    if type(arguments) is str:
        return Held(arguments, at)
    if arguments is not MISSING and not is_marker(arguments):
        written = plain(arguments, at, lambda _handling, _at: None)
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


def _time(node: Part) -> Made | None:
    held = node.hold("timestamp")
    seconds = None if held is None else UNIX_TIME.written(held.value)
    if held is None or seconds is None:
        return None
    detail = "a time as the number of seconds since 1970, which has no zone"
    return Made(seconds, (held.origin,), "time-as-number", "timing", "approximated", detail)


def _payload(node: Part, name: str) -> Held | None:
    """A member of the payload that only Bundles of mini-swe-agent have."""
    held = node.hold("payload", name)
    is_right = held is not None and type(held.value) is (int if name == "returncode" else str)
    return held if is_right else None


def _stated(members: Json) -> Json | None:
    """The members that say something; None when none does."""
    return {name: value for name, value in members.items() if value is not None} or None


def _joined(texts: list[Held | Made], code: str, detail: str) -> Made:
    origins: list[At] = []
    for text in texts:
        origins += [text.origin] if type(text) is Held else list(text.origins)  # type: ignore[union-attr]
    return Made("\n\n".join(text.value for text in texts), tuple(origins), code, "other", "approximated", detail)
