"""Turns → steps: one iteration for each decision, each observation right after its action.

Nothing is invented to please the page: a call without a result stays one, a rejected proposal among them (decisions
33). Source: react-web.md §5.3.
"""

from __future__ import annotations

from typing import Any

from attraj.formats.mapping.fields import Json
from attraj.formats.mapping.held import Held, Ledger, Made, Part
from attraj.formats.mapping.turns import CallTurn, Thread, Turn
from attraj.formats.react_web.write_text import as_text, is_empty, text_of
from attraj.jsonio import MISSING

MARK = "[message] "  # before what the model said beside its calls: the format has no step for it
_REFUSED = frozenset({"denied", "rejected", "expired", "revoked", "proposed"})


class Steps:
    """The steps of one thread.

    Args:
        ledger: Of the Bundle.
        follows: (cause, effect) of every edge between nodes.
        is_own: The Bundle was read from ReAct web JSON: its step numbers and words are the format's own.
        has_thoughts: Reasoning is wanted, and may be told.
    """

    def __init__(
        self, ledger: Ledger, follows: frozenset[tuple[Any, Any]], *, is_own: bool, has_thoughts: bool
    ) -> None:
        self._ledger, self._follows = ledger, follows
        self._is_own, self._has_thoughts = is_own, has_thoughts
        self._steps: list[Json] = []
        self._iteration = 0
        self._clock: Held | None = None  # of the decision at hand, in a Bundle of this format
        self.task: Held | Made | None = None

    def of(self, thread: Thread) -> list[Json]:
        """The steps; the first input that is not the system's becomes `task`."""
        for turn, after in zip(thread.turns, [*thread.turns[1:], None], strict=True):
            if turn.kind == "decision":
                self._iteration += 1
                self._decision(turn, after)
            elif turn.kind == "input":
                self._input(turn)
            elif turn.kind == "call":
                self._calls(turn)
            elif turn.kind == "observation":
                self._observation(turn.node, None)
                self._loose(turn)
            elif turn.kind == "event" and self._is_own:
                self._other(turn.node)
            elif turn.kind in ("terminal", "event"):
                detail = "the end, or what a harness noted, which the format has no step for"
                self._drop(turn.node, turn.kind, "other", detail)
                self._loose(turn)
            else:
                self._loose(turn)
        return self._steps

    # --- turns -----------------------------------------------------------------------------------------------------

    def _input(self, turn: Turn) -> None:
        role = turn.node.peek("payload", "role")
        text = text_of(turn.node, "payload", "content")
        if role in ("system", "developer"):
            self._drop(turn.node, "system-prompt", "other", "the format has no system prompt")
        elif self.task is None and not is_empty(text):
            self.task = text
            turn.node.get("payload", "role")
        else:
            self._drop(turn.node, "later-input", "other", "the format has one task and no further words of a user")
        for call in turn.calls:
            detail = "a call of a person: the format has steps of the agent alone"
            self._drop(call.action, "call-of-a-person", "other", detail)
            for node in call.observations:
                self._drop(node, "call-of-a-person", "other", detail)
        self._loose(turn)

    def _decision(self, turn: Turn, after: Turn | None) -> None:
        node = turn.node
        self._clock = node.hold("logical_clock")
        for part in turn.reasoning:
            self._thought(part)
        text = text_of(node, "payload", "content")
        is_answer = self._is_answer(turn, after)
        if not is_answer and not is_empty(text):
            self._message(node, text)
        self._calls(turn)
        self._loose(turn)
        if is_answer and not is_empty(text):
            self._add(node, "answer", content=text)  # it ends what the model said
        elif text is not None:
            node.get("payload", "content")  # an empty text says nothing more

    def _is_answer(self, turn: Turn, after: Turn | None) -> bool:
        """Whether the decision's message is an answer: it asks for nothing, and no result or complaint came back."""
        if self._is_own:
            return turn.node.peek("topic") == "answer"
        is_rejected = turn.node.peek("status") == "rejected"
        if is_rejected or (after is not None and after.kind == "input" and not _is_of_a_person(after.node)):
            return False
        return not turn.calls and not any(self._leads(turn.node, one) for one in turn.loose)

    def _thought(self, part: Part) -> None:
        text = text_of(part, "payload", "content")
        if not self._has_thoughts:
            self._drop(part, "stripped-thoughts", "other", "reasoning is left out on request, or is not to be told")
        elif text is not None:
            self._add(part, "thought", content=text)

    def _message(self, node: Part, text: Held | Made | None) -> None:
        if text is None:
            return
        origins = (text.origin,) if type(text) is Held else text.origins if type(text) is Made else ()
        detail = "what the model said beside its calls has no step of its own: it stands as a thought with a mark"
        said = Made(f"{MARK}{text.value}", origins, "message-as-thought", "other", "approximated", detail)
        self._add(node, "thought", content=said)

    def _other(self, node: Part) -> None:
        """A step of a type that the format does not have, as the file had it."""
        step: Json = {"iteration": self._number(node), "type": node.hold("topic"), "tool": node.hold("payload", "tool")}
        step |= {"args": node.hold("payload", "arguments"), "content": node.hold("payload", "content")}
        self._steps.append(step)

    # --- calls and what came back ----------------------------------------------------------------------------------

    def _calls(self, turn: Turn) -> None:
        for call in turn.calls:
            self._call(call)

    def _call(self, call: CallTurn) -> None:
        node = call.action
        tool = self._tool(node)
        self._add(node, "action", tool=tool, args=self._arguments(node))
        is_refused = node.peek("kind") == "proposal" or node.peek("admission", "status") in _REFUSED
        if is_refused:
            detail = "a call that was not admitted looks like any other" + (
                "" if call.observations else ", one without a result"
            )
            self._ledger.lose("rejected-proposal", "request_vs_effect", "approximated", node.at, detail)
        for observation in call.observations:
            self._observation(observation, tool)

    def _tool(self, node: Part) -> Any:
        name = node.hold("action", "name")
        if name is not None and type(name.value) is str and name.value:
            return name
        kind = node.peek("action", "kind")
        if type(kind) is str and kind:
            detail = "a call without the name of a tool, as the word for its kind"
            return Made(kind, ((*node.at, "action", "kind"),), "kind-as-tool", "identity", "approximated", detail)
        return Made("unknown", (), "unknown-tool", "identity", "synthesized", "the page asks for the name of a tool")

    def _arguments(self, node: Part) -> Any:
        arguments = node.hold("action", "arguments")
        if arguments is not None:
            node.get("action", "kind")
            return arguments
        value = as_text(node.peek("action", "value"), (*node.at, "action", "value"))
        if value is None:
            return None
        origins = (value.origin,) if type(value) is Held else (*value.origins,)  # type: ignore[union-attr]
        detail = "a command as the argument of its call"
        return {"command": Made(value.value, origins, "command-as-argument", "other", "approximated", detail)}

    def _observation(self, node: Part, tool: Any) -> None:
        value = node.peek("observation")
        content: Any = as_text(value, (*node.at, "observation"))
        if self._is_own and node.hold("observation") is not None:
            content = node.hold("observation")
        if content is None:
            return
        own = node.hold("payload", "tool") if self._is_own else None
        if self._is_own and own is None:
            tool = None
        self._add(node, "observation", tool=own or tool or self._unknown_tool(), content=content)

    def _unknown_tool(self) -> Made | None:
        if self._is_own:
            return None
        detail = "a result that no record ties to a call: the page asks for the name of a tool"
        return Made("unknown", (), "unknown-tool", "identity", "synthesized", detail)

    def _loose(self, turn: Turn) -> None:
        """What came back and is tied to no call: it belongs to the only call that has nothing yet, or to no one."""
        waiting = [call for call in turn.calls if not call.observations]
        for node in turn.loose:
            tool: Any = None
            if len(turn.loose) == len(waiting) == 1:
                name = self._tool(waiting[0].action)
                origins = (name.origin,) if type(name) is Held else name.origins
                detail = "the result names no tool: it stands after the only call of its turn that has none"
                tool = Made(name.value, origins, "tool-of-result", "order_vs_causality", "approximated", detail)
            self._observation(node, tool)

    # --- steps -----------------------------------------------------------------------------------------------------

    def _add(self, node: Part, kind: str, **members: Any) -> None:
        if self._is_own:
            node.get("topic")
        self._steps.append({"iteration": self._number(node), "type": kind, **members})

    def _number(self, node: Part) -> Any:
        if self._is_own:
            return node.hold("logical_clock") or self._clock
        detail = "model calls are counted in the order of the record"
        return Made(max(self._iteration, 1), (), "iteration", "order_vs_causality", "synthesized", detail)

    def _drop(self, node: Part, code: str, category: str, detail: str) -> None:
        """Name what is lost of a node as one thing."""
        for member in ("payload", "action", "observation"):
            if node.get(member) is not MISSING:
                self._ledger.lose(code, category, "dropped", (*node.at, member), detail)

    def _leads(self, cause: Part, effect: Part) -> bool:
        return (cause.peek("node_id"), effect.peek("node_id")) in self._follows


def _is_of_a_person(node: Part) -> bool:
    return node.peek("authority_class") in ("principal", "external", MISSING)
