"""Turns → steps: one iteration for each decision, each observation right after its action.

Nothing is invented to please the page: a call without a result stays one, a rejected proposal among them (decisions
33). Source: react-web.md §5.3.
"""

from __future__ import annotations

from typing import Any

from attraj.bundle.markers import is_marker
from attraj.formats.mapping.experience import Unlived, is_refused, is_unparsed, leave_out, lose, parts_of, unlived
from attraj.formats.mapping.fields import Json
from attraj.formats.mapping.held import Held, Ledger, Made, Part, joined
from attraj.formats.mapping.turns import CallTurn, Thread, Turn
from attraj.formats.mapping.words import result_at, words_at
from attraj.formats.react_web.write_text import as_text, is_empty, text_of
from attraj.jsonio import MISSING

MARK = "[message] "  # before what the model said beside its calls: the format has no step for it
_OF_SYSTEM = ("system", "developer")
_BOUNDARY = Unlived("context-boundary", "what replaced the context of the model is what it was shown: no tool gave it")


class Steps:
    """The steps of one thread.

    Args:
        ledger: Of the Bundle.
        is_own: The Bundle was read from ReAct web JSON: its step numbers, words and order are the format's own.
        has_thoughts: Reasoning is wanted, and may be told.
    """

    def __init__(self, ledger: Ledger, *, is_own: bool, has_thoughts: bool) -> None:
        self._ledger = ledger
        self._is_own, self._has_thoughts = is_own, has_thoughts
        self._steps: list[tuple[int | None, Json]] = []  # each with its place in the file that the record came from
        self._iteration = 0
        self._clock: Held | Made | None = None  # of the decision at hand, in a Bundle of this format
        self._is_uncounted = False  # the file that the decision came from gave it no number
        self._asked: list[Held | Made] = []  # of the agent, before it did anything
        self._has_begun = False

    @property
    def task(self) -> Held | Made | None:
        """What the agent was asked for before it began, as one text; None before `of`."""
        if len(self._asked) < 2:
            return self._asked[0] if self._asked else None
        detail = "all that was said before the agent began, as one text: which of it was the task is not recorded"
        return joined(self._asked, "inputs-joined", detail)

    def of(self, thread: Thread) -> list[Json]:
        """The steps; what was said before the first of them becomes `task`."""
        last = _last_word(thread)
        for turn in thread.turns:
            self._turn(turn, is_last=turn is last)
        if self._is_own:  # an action may stand before the results of those before it
            self._steps.sort(key=lambda one: one[0] or 0)
        return [step for _, step in self._steps]

    # --- turns -----------------------------------------------------------------------------------------------------

    def _turn(self, turn: Turn, *, is_last: bool) -> None:
        why = unlived(turn.node) if turn.kind in ("decision", "call") else None
        self._has_begun = self._has_begun or turn.kind in ("decision", "call")
        if why is not None:
            leave_out(turn, why)
        elif turn.kind == "decision":
            self._iteration += 1
            self._decision(turn, is_last=is_last)
        elif turn.kind == "input":
            self._input(turn)
        elif turn.kind == "call":
            self._calls(turn)
        elif turn.kind == "observation":
            self._observation(turn.node)
            self._loose(turn)
        elif turn.kind == "event" and (self._is_own or _kept_number(turn.node) is not None):
            self._other(turn.node)
        elif turn.kind in ("terminal", "event"):
            detail = "the end, or what a harness noted, which the format has no step for"
            self._drop(turn.node, turn.kind, "other", detail)
            self._loose(turn)
        elif turn.kind == "evidence":
            self._drop(turn.node, "evidence", "other", "what was handed in has no step")
            self._loose(turn)
        else:
            self._loose(turn)
        for node in (*turn.delegations, *(node for call in turn.calls for node in call.delegations)):
            self._drop(node, "delegations", "span_vs_node", "work given to other agents, whose files stand alone")

    def _input(self, turn: Turn) -> None:
        node = turn.node
        why, text = unlived(node), text_of(node, *words_at(node))
        if node.peek("payload", "is_copied_context") is False:
            node.get("payload", "is_copied_context")  # a step without the mark says so
        if type(node.peek("payload", "context_management")) is dict:
            leave_out(turn, _BOUNDARY)
            return
        if node.peek("payload", "role") in _OF_SYSTEM:
            self._drop(node, "system-prompt", "other", "the format has no messages of a system")
        elif text is not None and not is_empty(text) and self._is_task(node, why):
            self._asked.append(text)
            node.get("payload", "role")
        elif why is not None:
            lose(node, why)
        else:
            self._drop(node, "later-input", "other", "the format has one task and no further words of a user")
        for call in turn.calls:
            detail = "a call of a person: the format has steps of the agent alone"
            self._drop(call.action, "call-of-a-person", "other", detail)
            for one in call.observations:
                self._drop(one, "call-of-a-person", "other", detail)
        self._loose(turn)

    def _is_task(self, node: Part, why: Unlived | None) -> bool:
        """Whether a word of the user is of the task: said before the agent began, or the first of all."""
        if why is not None and why.code == "demonstration":
            return False
        return not self._asked or not (self._has_begun or node.peek("authority_class") == "harness")

    def _decision(self, turn: Turn, *, is_last: bool) -> None:
        node = turn.node
        self._clock = self._counted(node)
        for part in turn.reasoning:
            self._thought(part)
        text = text_of(node, *words_at(node))
        is_answer = self._is_answer(turn, is_last=is_last)
        if not is_answer and not is_empty(text):
            self._message(turn, text)
        self._calls(turn)
        if is_answer and not is_empty(text):
            self._add(node, "answer", content=text)  # it ends what the model said
            if self._is_own:
                self._steps[-1] = (max(map(_sequence, parts_of(turn))), self._steps[-1][1])
        elif text is not None:
            node.get(*words_at(node))  # an empty text says nothing more
        elif is_marker(node.peek(*words_at(node))):
            self._drop(node, "lost-reply", "other", "a reply that was not kept, or is withheld, leaves a gap")

    def _is_answer(self, turn: Turn, *, is_last: bool) -> bool:
        """Whether the decision's message is the answer: nothing of the agent's doing comes with it or after it.

        What a model says on the way is no answer, of which a file has one, and the replay ends at it.
        """
        if turn.node.peek("topic") == "answer":  # its author calls it one
            return True
        return not self._is_own and is_last and not (turn.calls or turn.loose or turn.node.peek("status") == "rejected")

    def _counted(self, node: Part) -> Held | Made | None:
        """The number of the model call, in a file of this format; for a decision that was added the next one."""
        if not self._is_own:
            kept = _kept_number(node)
            self._is_uncounted = kept is not None and kept.value is None
            return None if self._is_uncounted else kept
        held = node.hold("logical_clock")
        is_read = node.peek("source_event_id") is not MISSING or node.peek("source_refs") is not MISSING
        before = self._clock.value if self._clock is not None else 0
        if held is not None or is_read or type(before) is not int:
            return held
        detail = "the decision was added to the record: it is counted after the one before it"
        return Made(before + 1, (), "iteration", "order_vs_causality", "synthesized", detail)

    def _thought(self, part: Part) -> None:
        text = text_of(part, *words_at(part))
        if not self._has_thoughts:
            self._drop(part, "stripped-thoughts", "other", "reasoning is left out on request, or is not to be told")
        elif text is not None:
            self._add(part, "thought", content=text)

    def _message(self, turn: Turn, text: Held | Made | None) -> None:
        if text is None:
            return
        origins = text.origins if isinstance(text, Made) else (text.origin,)
        which = "beside its calls" if turn.calls else "on the way"
        detail = f"what the model said {which} has no step of its own: it stands as a thought with a mark"
        said = Made(f"{MARK}{text.value}", origins, "message-as-thought", "other", "approximated", detail)
        self._add(turn.node, "thought", content=said)

    def _other(self, node: Part) -> None:
        """A step of a type that the format does not have, as the file had it."""
        step: Json = {"iteration": self._number(node), "type": node.hold("topic"), "tool": node.hold("payload", "tool")}
        step |= {"args": node.hold("payload", "arguments"), "content": node.hold(*words_at(node))}
        self._steps.append((_sequence(node) if self._is_own else None, step))

    # --- calls and what came back ----------------------------------------------------------------------------------

    def _calls(self, turn: Turn) -> None:
        """The calls, each with what came back, and what no call has, in the order of the record."""
        start = len(self._steps)
        parts: list[tuple[int, CallTurn | Part]] = [(_sequence(call.action), call) for call in turn.calls]
        parts += [(_sequence(node), node) for node in turn.loose]
        for _, part in sorted(parts, key=lambda one: one[0]):
            if type(part) is CallTurn:
                self._call(part)
            elif type(part) is Part:
                self._observation(part)
        if self._is_own:
            return
        placed = self._steps[start:]
        if all(place is not None for place, _ in placed):
            self._steps[start:] = sorted(placed, key=lambda one: one[0] or 0)
        elif len(turn.calls) > 1 and any(call.observations for call in turn.calls):
            detail = "each result stands after its call, by which they belong together; when it came is not told"
            self._ledger.lose("interleaved-results", "order_vs_causality", "approximated", turn.node.at, detail)

    def _loose(self, turn: Turn) -> None:
        """What came back where nothing was asked for."""
        for node in turn.loose:
            self._observation(node)

    def _call(self, call: CallTurn) -> None:
        node = call.action
        if is_refused(node) and not self._is_own:
            self._refused(call)
            return
        tool = self._tool(node)
        self._add(node, "action", tool=tool, args=self._arguments(node))
        for observation in call.observations:
            self._observation(observation, tool)

    def _refused(self, call: CallTurn) -> None:
        """A call that was not admitted, without what was answered: an observation says that something ran."""
        node = call.action
        if is_unparsed(node):
            self._drop(node, "rejected-proposal", "request_vs_effect", "a reply of which no call could be parsed")
        else:
            self._add(node, "action", tool=self._tool(node), args=self._arguments(node))
            detail = "a call that was not admitted looks like one without a result"
            self._ledger.lose("rejected-proposal", "request_vs_effect", "approximated", node.at, detail)
        for one in call.observations:
            detail = "what was answered to a call that was not admitted: an observation would say that it ran"
            self._drop(one, "rejected-proposal", "request_vs_effect", detail)

    def _tool(self, node: Part) -> Any:
        name = node.hold("action", "name")
        if name is not None and type(name.value) is str and name.value:
            return name
        kind = node.peek("action", "kind")
        if kind == "shell_command":  # as in every other format
            detail = "a command without the name of a tool, under the usual name of a shell"
            return Made("bash", ((*node.at, "action", "kind"),), "tool-name", "identity", "approximated", detail)
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
        origins = value.origins if isinstance(value, Made) else (value.origin,)
        detail = "a command as the argument of its call"
        return {"command": Made(value.value, origins, "command-as-argument", "other", "approximated", detail)}

    def _observation(self, node: Part, tool: Held | Made | None = None) -> None:
        """What came back.

        Args:
            tool: Of the call that a record ties it to. Where none does, no tool is guessed by what waits for a result:
                the page pairs results with calls by their tools.
        """
        content: Any = text_of(node, *result_at(node))
        if self._is_own and node.hold("observation") is not None:
            content = node.hold("observation")
        if content is None:
            return
        said = node.hold("payload", "tool")
        own: Held | Made | None = said if said is not None and (self._is_own or type(said.value) is str) else None
        if not self._is_own and own is None and tool is None:
            detail = "a result that no record ties to a call: the page asks for the name of a tool"
            own = Made("unknown", (), "unknown-tool", "identity", "synthesized", detail)
        self._add(node, "observation", tool=own or (None if self._is_own else tool), content=content)

    # --- steps -----------------------------------------------------------------------------------------------------

    def _add(self, node: Part, kind: str, **members: Any) -> None:
        if self._is_own:
            node.get("topic")
        kept = node.hold("payload", "place")  # by the format that the file has come through
        place = _sequence(node) if self._is_own else kept.value if kept and type(kept.value) is int else None
        if place is not None:
            node.get("payload", "place")
        self._steps.append((place, {"iteration": self._number(node), "type": kind, **members}))

    def _number(self, node: Part) -> Any:
        if self._is_own:
            return node.hold("logical_clock") or self._clock
        kept = _kept_number(node)
        if kept is not None:
            return None if kept.value is None else kept
        if self._clock is not None or self._is_uncounted:
            return self._clock
        detail = "model calls are counted in the order of the record"
        return Made(max(self._iteration, 1), (), "iteration", "order_vs_causality", "synthesized", detail)

    def _drop(self, node: Part, code: str, category: str, detail: str) -> None:
        """Name what is lost of a node as one thing."""
        for member in ("payload", "action", "observation"):
            if node.get(member) is not MISSING:
                self._ledger.lose(code, category, "dropped", (*node.at, member), detail)


def _kept_number(node: Part) -> Held | None:
    """The number that a file of this format gave, kept aside by one that it came through; null where it gave none."""
    if node.peek("payload", "iteration") is None:
        node.get("payload", "iteration")
    return node.hold("payload", "iteration")


def _sequence(node: Part) -> int:
    sequence = node.peek("sequence")
    return sequence if type(sequence) is int else int(node.at[1])


def _last_word(thread: Thread) -> Turn | None:
    """The turn in which a thread ends: no decision, call, result or complaint of a harness comes after it."""
    for turn in reversed(thread.turns):
        if turn.kind == "input" and _is_of_a_person(turn.node) and not (turn.calls or turn.loose):
            continue  # it asks for what is not there any more
        if turn.kind in ("terminal", "event") and not turn.loose:
            continue
        return turn
    return None


def _is_of_a_person(node: Part) -> bool:
    return node.peek("authority_class") in ("principal", "external", MISSING)
