"""Turns → messages as mini-swe-agent 2.x keeps them with tool calls: what the model was sent, and what it said.

A result is a message of the role `tool` with the id of its call; one that belongs to no call is a message of the user,
as in text mode. What never ran has no action in `extra`. Source: traj.md §3.3, §7.5.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from attraj.formats.mapping.experience import Unlived, is_refused, is_unparsed, leave_out, unlived
from attraj.formats.mapping.fields import Json
from attraj.formats.mapping.held import NULL, Held, Ledger, Made, Part, joined
from attraj.formats.mapping.turns import CallTurn, Turn
from attraj.formats.mapping.words import result_at, words_at
from attraj.formats.mini_swe_agent.text_calls import IN_TEXT, command_of
from attraj.formats.mini_swe_agent.turns import NOT_EXECUTED
from attraj.formats.mini_swe_agent.write_values import (
    arguments_of,
    content_of,
    own_member,
    stated,
    text_of,
    time_of,
)
from attraj.jsonio import MISSING

_ROLES = ("system", "developer", "user")
_NO_REPLY = Unlived("reply-without-a-call", "a word of the model that no call of it gave is no reply of this run")


class Messages:
    """The messages of one thread.

    Args:
        ledger: Of the Bundle.
        is_own: The Bundle was read from a run of mini-swe-agent: text mode and the roles of 1.x are kept.
        has_thoughts: Reasoning is wanted.
    """

    def __init__(self, ledger: Ledger, *, is_own: bool, has_thoughts: bool) -> None:
        self._ledger, self._is_own, self._has_thoughts = ledger, is_own, has_thoughts
        self._messages: list[Json] = []
        self._calls = 0

    def of(self, turns: list[Turn], ending: Json) -> list[Json]:
        """All messages; `ending` is what the last one says of the end, when the record has one."""
        rejected: Turn | None = None
        for turn in turns:
            if rejected is not None and not self._is_complaint(turn):
                self._decision(rejected)
                rejected = None
            why = None if turn.kind == "input" else unlived(turn.node)
            if why is not None and turn.kind == "call" and turn.node.peek("authority_class") == "principal":
                self._of_a_person(turn)
            elif why is not None and turn.kind in ("decision", "call"):
                leave_out(turn, why)
            elif turn.kind == "decision" and self._is_lost(turn):
                rejected = turn  # a complaint that follows says it, as mini-swe-agent does
            elif turn.kind == "decision" and turn.calls and all(map(_is_unparsed, turn.calls)):
                self._unparsed(turn)
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
            for node in (*turn.delegations, *(node for call in turn.calls for node in call.delegations)):
                self._drop(node, "delegations", "work given to other agents, whose files stand alone")
        if rejected is not None:
            self._decision(rejected)
        return self._messages

    # --- what was said to the model --------------------------------------------------------------------------------

    def _is_lost(self, turn: Turn) -> bool:
        """Whether a reply has no message of its own: it could not be parsed, and a complaint has what is left of it."""
        is_kept = self._is_own and turn.node.peek("topic") is not MISSING
        return not (turn.calls or is_kept) and turn.node.peek("status") == "rejected"

    def _is_complaint(self, turn: Turn) -> bool:
        return turn.kind == "input" and turn.node.peek("payload", "interrupt") == "FormatError"

    def _input(self, turn: Turn, rejected: Turn | None) -> None:
        node = turn.node
        role: Any = node.hold("payload", "role")
        if role is not None and role.value == "assistant":
            leave_out(turn, unlived(node) or _NO_REPLY)
            return
        if node.peek("payload", "is_copied_context") is False:
            node.get("payload", "is_copied_context")  # a message without the mark says so
        if role is None or role.value not in _ROLES:
            detail = "the role of who speaks to the model is not recorded, or has no place here"
            role = Made("user", (), "role", "identity", "synthesized", detail)
        extra: Json = {
            "interrupt_type": node.hold("payload", "interrupt"),
            "actions": [self._action(call, None) for call in turn.calls if self._command(call.action)] or None,
            "timestamp": time_of(node),
        }
        if rejected is not None:
            extra |= self._lost(rejected)
        content = content_of(node, *words_at(node))
        if content is not None or stated(extra):
            self._say({"role": role, "content": content, "extra": stated(extra)})
        self._plain_results(_answers(turn))

    def _of_a_person(self, turn: Turn) -> None:
        """A command that a person gave: its message is the command itself."""
        command = self._command(turn.node)
        if command is None:
            self._drop(turn.node, "call-of-a-person", "a person's commands are texts here, and this one is none")
        else:
            actions = [self._action(call, None) for call in turn.calls]
            self._say({"role": "user", "content": command, "extra": {"actions": actions, **_when(turn.node)}})
        self._plain_results(_answers(turn))

    def _lost(self, turn: Turn) -> Json:
        """A reply that could not be parsed, in the message that complains of it."""
        for part in turn.reasoning:
            self._drop(part, "reasoning-of-a-lost-reply", "a reply that could not be parsed is kept as its text alone")
        return {
            "model_response": text_of(turn.node, *words_at(turn.node)),
            "cost": turn.node.hold("model_call", "usage", "cost_usd"),
        }

    def _unparsed(self, turn: Turn) -> None:
        """A reply of which no call could be parsed, by the record of another format."""
        for call in turn.calls:
            self._drop(call.action, "rejected-proposal", "a reply of which no call could be parsed asks for none")
        answers = _answers(turn)
        if not answers:
            self._decision(replace(turn, calls=[]))
            return
        detail = "that a reply could not be parsed, in the word of mini-swe-agent"
        at = (*turn.calls[0].action.at, "action", "kind")
        word = Made("FormatError", (at,), "format-error", "request_vs_effect", "approximated", detail)
        extra: Json = {"interrupt_type": word, **_when(answers[0]), **self._lost(turn)}
        content = content_of(answers[0], *result_at(answers[0]))
        self._say({"role": "user", "content": content, "extra": stated(extra)})
        self._plain_results(answers[1:])

    # --- what the model said ---------------------------------------------------------------------------------------

    def _decision(self, turn: Turn) -> None:
        if self._is_own and turn.node.peek("topic") == "response":
            detail = "an item of the Responses API, as a message of the chat API"
            self._ledger.lose("response-as-chat", "other", "approximated", turn.node.at, detail)
        self._reply(turn, turn.node)

    def _reply(self, turn: Turn, node: Part | None) -> None:
        self._calls += 1
        is_text = self._is_text(turn)
        ids = [None if is_text else self._id(call, number) for number, call in enumerate(turn.calls, 1)]
        pairs = list(zip(turn.calls, ids, strict=True))
        extra: Json = {
            "actions": [
                self._action(call, name)
                for call, name in pairs
                if not self._is_said(call, node) and (is_text or (call.effects and self._command(call.action)))
            ]
            or None
        }
        message: Json = {"role": "assistant"}
        if node is not None:
            message["content"] = content_of(node, *words_at(node))
            message["reasoning_content"] = self._reasoning(turn)
            extra["cost"] = node.hold("model_call", "usage", "cost_usd")
            extra["timestamp"] = time_of(node)
        if not is_text:
            message["tool_calls"] = [self._call(call, name) for call, name in pairs] or None
        message["extra"] = stated(extra)
        if len(stated(message) or {}) > 1:
            self._say(message)
        if is_text:
            self._plain_results(_answers(turn))
            return
        back: list[tuple[int, int, Part | tuple[CallTurn, Any]]] = [
            (_sequence(call.observations[0]), number, (call, name))
            for number, (call, name) in enumerate(pairs)
            if call.observations
        ]
        back += [(_sequence(part), number, part) for number, part in enumerate(turn.loose, len(pairs))]
        for _, _, one in sorted(back, key=lambda one: one[:2]):  # as they came
            self._plain_results([one]) if isinstance(one, Part) else self._results(*one)

    def _is_text(self, turn: Turn) -> bool:
        """Whether a reply is one of text mode: its commands have no ids, and results belong to them in their order."""
        answered = [bool(call.observations) for call in turn.calls]
        is_in_order = answered == sorted(answered, reverse=True)
        return self._is_own and bool(turn.calls) and is_in_order and all(map(self._is_command, turn.calls))

    def _is_said(self, call: CallTurn, reply: Part | None) -> bool:
        """Whether the text of a reply of 1.x says the call, so that nothing else does."""
        command = call.action.peek("action", "value")
        is_kept = self._is_own and call.action.peek("topic") == IN_TEXT and type(command) is str
        if reply is None or not is_kept or command_of(reply.peek(*words_at(reply))) != command:
            return False
        call.action.get("action")
        return True

    def _is_command(self, call: CallTurn) -> bool:
        asked = call.action.peek("action")
        return type(asked) is dict and type(asked.get("value")) is str and asked.keys().isdisjoint({"call_id", "name"})

    def _reasoning(self, turn: Turn) -> Any:
        if not self._has_thoughts:
            for part in turn.reasoning:
                self._drop(part, "stripped-thoughts", "reasoning is left out on request")
            return None
        texts = [text for part in turn.reasoning if (text := text_of(part, *words_at(part))) is not None]
        if len(texts) < 2:
            return texts[0] if texts else None
        return joined(texts, "reasoning-joined", "several pieces of reasoning as one text")

    def _call(self, call: CallTurn, name: Any) -> Json:
        node = call.action
        if is_refused(node):
            detail = "a call that was not admitted stands there like any other; no action says that it ran"
            self._ledger.lose("rejected-proposal", "request_vs_effect", "approximated", node.at, detail)
        if node.peek("action", "kind") == "tool_call":
            node.get("action", "kind")  # as the form of the message says
        tool: Any = node.hold("action", "name")
        if tool is None or type(tool.value) is not str:
            detail = "a command without the name of a tool, under the name of the only tool of mini-swe-agent"
            tool = Made("bash", ((*node.at, "action", "kind"),), "tool-name", "identity", "approximated", detail)
        return {"id": name, "type": "function", "function": {"name": tool, "arguments": arguments_of(node)}}

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
            held = effect.hold("effect", "request")
            if held is not None and type(held.value) is str:
                return {"command": held, "tool_call_id": name}
        return {"command": self._command(call.action), "tool_call_id": name}

    # --- what came back --------------------------------------------------------------------------------------------

    def _results(self, call: CallTurn, name: Any) -> None:
        nodes = [node for node in call.observations if content_of(node, *result_at(node)) is not None]
        if not nodes:
            return
        message = {"role": "tool", **self._result(nodes[0]), "tool_call_id": name}
        if is_refused(call.action) and not self._is_own:
            message["extra"] = {**(message["extra"] or {}), **_not_executed(call.action)}
        if len(nodes) > 1:
            texts = [text for node in nodes if (text := text_of(node, *result_at(node))) is not None]
            message["content"] = joined(texts, "results-joined", "several results of one call as one text")
        self._say(message)

    def _plain_results(self, nodes: Iterable[Part]) -> None:
        """Results that no call id ties to a call: as in text mode, and in 1.x."""
        for node in nodes:
            message = self._result(node)
            if message["content"] is None:
                continue
            if not (self._is_own and node.peek("topic") == "user"):
                detail = "a result without the id of a call, as a message of the user"
                self._ledger.lose("unlinked-result", "order_vs_causality", "approximated", node.at, detail)
            self._say({"role": "user", **message})

    def _result(self, node: Part) -> Json:
        extra: Json = {name: own_member(node, name) for name in ("raw_output", "returncode", "exception_info")}
        extra["timestamp"] = time_of(node)
        return {"content": content_of(node, *result_at(node)), "extra": stated(extra)}

    # --- the rest --------------------------------------------------------------------------------------------------

    def _exit(self, turn: Turn, ending: Json) -> None:
        node = turn.node
        extra = {**ending, "traceback": own_member(node, "traceback"), "timestamp": time_of(node)}
        topic = node.hold("topic") if self._is_own else None
        if self._is_own and topic is None:
            return  # a submission that `info` alone has
        if topic is not None and topic.value in _ROLES:  # 1.x ends with an ordinary message
            extra = {"timestamp": time_of(node)}
            self._say({"role": topic, "content": content_of(node, *words_at(node)), "extra": stated(extra)})
            return
        self._say({"role": "exit", "content": content_of(node, *words_at(node)), "extra": stated(extra)})

    def _other(self, turn: Turn) -> None:
        if turn.kind == "observation":
            self._plain_results([turn.node])
        elif turn.node.peek("authority_class") == "model":
            self._drop(turn.node, "further-text", "one more text of a reply, of which a message has one")
        else:
            self._drop(turn.node, turn.kind, "what a harness noted, for which the format has no message")
        self._plain_results(turn.loose)

    def _say(self, message: Json) -> None:
        if message.get("content") is None:
            message["content"] = NULL  # as providers write a message without a text
        self._messages.append(message)

    def _drop(self, node: Part, code: str, detail: str) -> None:
        for member in ("payload", "action", "observation"):
            if node.get(member) is not MISSING:
                self._ledger.lose(code, "other", "dropped", (*node.at, member), detail)


def _answers(turn: Turn) -> list[Part]:
    """All that came back in a turn: of each call, then what no call has."""
    return [*(result for call in turn.calls for result in call.observations), *turn.loose]


def _is_unparsed(call: CallTurn) -> bool:
    return is_refused(call.action) and is_unparsed(call.action)


def _sequence(node: Part) -> int:
    sequence = node.peek("sequence")
    return sequence if type(sequence) is int else int(node.at[1])


def _not_executed(action: Part) -> Json:
    """How mini-swe-agent says of a result that its call was not executed."""
    detail = "that the call was not admitted, in the words of mini-swe-agent"
    places = ((*action.at, "admission", "status"),) if action.peek("admission", "status") is not MISSING else ()
    values = {"returncode": -1, "exception_info": NOT_EXECUTED}
    origins = places or ((*action.at, "kind"),)
    return {
        name: Made(one, origins, "not-executed", "request_vs_effect", "approximated", detail)
        for name, one in values.items()
    }


def _when(node: Part) -> Json:
    time = time_of(node)
    return {} if time is None else {"timestamp": time}
