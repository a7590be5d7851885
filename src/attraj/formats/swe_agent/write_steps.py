"""The turns of one thread → steps and messages: one action a step, and nothing that the record does not say.

What has no place in a step is counted as a loss by what is left unused (mapping/account.py). Spec: traj.md §7.2, §7.4.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from attraj.bundle.model import Bundle, text
from attraj.formats.mapping.draft import SUBMITTED
from attraj.formats.mapping.fields import Json
from attraj.formats.mapping.held import NULL, Held, Ledger, Made, Part
from attraj.formats.mapping.rooms import Wanted
from attraj.formats.mapping.turns import CallTurn, Thread, Turn, apart
from attraj.formats.mapping.words import result_at, words_at
from attraj.formats.swe_agent.align import EXIT_WORDS
from attraj.formats.swe_agent.shape import OWN
from attraj.formats.swe_agent.write_context import mark_of, mark_of_answer, samples_of
from attraj.formats.swe_agent.write_texts import Call, Said, action_of, call_of, content_of, text_of, thought_of
from attraj.formats.swe_agent.write_views import Sights
from attraj.jsonio import MISSING

_AGENT = "main"
_REFUSED = ("rejected", "denied")
_RAW = ("payload", "raw_output")
_ONE_CALL = "the text of a reply with several calls stands in the step of the first"


@dataclass(slots=True)
class Story:
    """What one thread gives.

    Attributes:
        steps, history: For `trajectory` and `history`.
        submission: What was handed in; None when nothing was.
        usage: Counters of this thread alone; None when it has none.
        last_words: The node of an end that is none of the loop's own making; None without one.
    """

    steps: list[Json] = field(default_factory=list)
    history: list[Json] = field(default_factory=list)
    submission: Said | None = None
    usage: Part | None = None
    last_words: Part | None = None


def is_turn(turn: Turn) -> bool:
    """Whether a turn gives a step or a message."""
    return turn.kind in ("input", "decision", "call", "observation")


def written_story(bundle: Bundle, ledger: Ledger, wanted: Wanted, thread: Thread) -> Story:
    """Steps and messages of one thread."""
    teller = _Teller(bundle, ledger, wanted)
    for turn in apart(thread.turns):
        teller.tell(turn)
    return teller.story


@dataclass(slots=True)
class _Act:
    """One call of a reply as a step and a message have it; a reply that asks for nothing is one, too.

    Attributes:
        call: The call; None where nothing was asked for.
        is_first: It is the first of its reply, and has its text.
        response, thinking: Of the reply; thinking is None where nothing was recorded.
        mark: Members of a message that is no experience of this run; None for one that is.
    """

    turn: Turn
    call: CallTurn | None
    is_first: bool
    response: Said
    thinking: Any
    mark: Json | None

    @property
    def is_refused(self) -> bool:
        return _is_refused(self.turn, self.call)

    @property
    def is_remembered(self) -> bool:
        """Whether its reply is in the history: what the model does not remember is not."""
        return not self.is_refused and (self.turn.kind != "call" or self.mark is not None)


class _Teller:
    def __init__(self, bundle: Bundle, ledger: Ledger, wanted: Wanted) -> None:
        self.story = Story()
        self._ledger = ledger
        self._wanted = wanted
        self._complaints: list[Part] = []
        self._sights = Sights(bundle, ledger, strips_thoughts=wanted.strips_thoughts)
        self._inferred = {
            (text(edge, "from"), text(edge, "to"))
            for _, edge in bundle.objects("edges")
            if edge.get("basis") in ("turn_order", "loop_semantics")
        }

    def tell(self, turn: Turn) -> None:
        """Add what one turn gives."""
        if turn.kind == "decision" or turn.kind == "call":
            self._decide(turn)
            return
        mark = None
        if turn.kind == "input" or (turn.kind == "event" and turn.node.peek("payload", "is_demo") is True):
            mark = mark_of(turn.node)
            self._message(turn.node, mark)
        elif turn.kind == "terminal":
            self._exit(turn.node)
        elif turn.kind == "resource_observation":
            self.story.usage = self.story.usage or turn.node.part("payload", "usage")
        self._submission(turn)
        for observation in ([turn.node] if turn.kind == "observation" else []) + turn.loose:
            self._answer(text_of(observation, *result_at(observation)), None, mark)

    # --- messages ------------------------------------------------------------------------------------------------

    def _message(self, node: Part, mark: Json | None) -> None:
        role = node.peek("payload", "role")
        content = content_of(node, *words_at(node))
        if content is None:
            return
        is_demo = node.peek("payload", "is_demo") is True
        kind = "demonstration" if is_demo else "system_prompt" if role == "system" else "observation"
        message: Json = {"role": node.hold("payload", "role"), "content": content}
        if role not in ("system", "user", "assistant", "tool"):
            detail = "a message whose role is none of the format's"
            message["role"] = Made("user", (), "unknown-role", "identity", "synthesized", detail)
        self.story.history.append({**message, "agent": _AGENT, "message_type": kind, **(mark or {})})

    def _answer(self, observation: Any, call_id: Held | None, mark: Json | None = None) -> None:
        if observation is None or observation is NULL:
            return
        message: Json = {"role": "user" if call_id is None else "tool", "content": observation, "agent": _AGENT}
        message["message_type"] = "observation"
        if call_id is not None:
            message["tool_call_ids"] = [call_id]
        self.story.history.append({**message, **(mark or {})})

    def _submission(self, turn: Turn) -> None:
        node = turn.node
        is_said_so = node.peek("status") == SUBMITTED
        path = words_at(node) if is_said_so or turn.kind == "evidence" else ("payload", "submission")
        if type(node.peek(*path)) is str and self.story.submission is None:
            self.story.submission = text_of(node, *path)
            if is_said_so:
                node.get("status")

    # --- steps ---------------------------------------------------------------------------------------------------

    def _decide(self, turn: Turn) -> None:
        """One step for each call; the first has the text of the reply. What is no experience gives messages alone."""
        self._submission(turn)
        mark = mark_of(turn.node)
        said = self._response(turn)
        query = self._sights.before(turn.node) if mark is None else None
        if mark is None:
            self._answer_complaints(query)
        thinking = self._thinking(turn)
        if turn.node.peek("model_call", "availability") in ("unavailable", "unknown"):
            for name in ("availability", "reason"):  # the format never says who was called
                turn.node.get("model_call", name)
        acts = [_Act(turn, call, not number, said, thinking, mark) for number, call in enumerate(turn.calls or [None])]
        place = (*turn.node.at, *words_at(turn.node))
        for act in acts[1:]:
            act.response = Made("", (place,), "one-call-a-step", "span_vs_node", "approximated", _ONE_CALL)
            act.thinking = None
        for act in acts:
            self._act(act, query)
        if mark is None:
            self._complaints = [node for act in acts if act.call and act.is_refused for node in act.call.observations]
        self._answer_apart(turn, mark)

    def _answer_apart(self, turn: Turn, mark: Json | None) -> None:
        """Results that nothing links to one of several calls: no step and no id says which of them they answer."""
        if _stands_by(turn):
            return
        detail = "a result that no record links to a call stands in the history alone"
        for node in turn.loose:
            self._answer(text_of(node, *result_at(node)), None, mark)
            self._ledger.lose(
                "unlinked-result", "order_vs_causality", "approximated", (*node.at, *result_at(node)), detail
            )

    def _answer_complaints(self, query: Any) -> None:
        """The answer to a refused proposal stands at the end of the next input."""
        if isinstance(query, Held) and query.value:
            last = len(query.value) - 1
            said = Held(query.value[last].get("content"), (*query.origin, last, "content"))
            for complaint in self._complaints:
                complaint.agrees(said, *result_at(complaint))
        self._complaints.clear()

    def _response(self, turn: Turn) -> Said:
        path = words_at(turn.node)
        said = text_of(turn.node, *path) if turn.kind == "decision" else None
        if said is not None:
            return said
        origins = ((*turn.node.at, *path),) if turn.node.peek(*path) is not MISSING else ()
        return Made("", origins, "no-response", "other", "synthesized", "no text of a reply is recorded")

    def _act(self, act: _Act, query: Any) -> None:
        """The step of a call, and its message and answer where the model remembers them."""
        call, turn = act.call, act.turn
        action = call.action.part("action") if call is not None else None
        tool_call = call_of(action) if action is not None and act.is_remembered and turn.kind != "call" else None
        command = action_of(action, is_told=tool_call is not None) if action is not None else None
        observation: Any = "" if act.is_refused else self._observation(turn, call)
        thought = self._thought(act, command)
        said = _command(command, is_refused=act.is_refused)
        is_empty = command is None and act.response.value == ""
        is_silent = is_empty and not act.is_refused and observation is NULL
        if is_silent:
            detail = "a reply without a word and without a call: a step of it would read as a rejected proposal"
            self._ledger.lose("empty-reply", "span_vs_node", "approximated", turn.node.at, detail)
        elif act.mark is None:
            self._step(act, {"action": said, "observation": observation, "thought": thought, "query": query})
        if not act.is_remembered:
            return
        if turn.kind == "call" and tool_call is None:  # the command of somebody who is no model
            message: Json = {"role": "user", "content": said, "agent": _AGENT, "message_type": "observation"}
        else:
            message = {"role": "assistant", "content": act.response, "thought": thought, "action": said}
            message |= {"agent": _AGENT, "message_type": "action"}
            message["tool_calls"] = [tool_call.tree] if tool_call is not None else None
            message["thinking_blocks"] = act.thinking
        self.story.history.append({**message, **(act.mark or {})})
        mark = mark_of_answer(act.mark, call)
        self._answer(self._shown(call) or observation, self._answered(tool_call, call), mark)

    def _step(self, act: _Act, told: Json) -> None:
        step: Json = {
            "action": told["action"],
            "observation": told["observation"],
            "response": act.response,
            "thought": told["thought"],
            "execution_time": self._duration(act.call),
            "state": {} if act.is_refused else self._sights.after(act.call),
            "query": told["query"],
            "extra_info": samples_of(act.turn.node) if act.is_first else None,
        }
        if self._wanted.is_derived:
            step[OWN] = self._derived(act, told["observation"])
        self.story.steps.append(step)

    def _thought(self, act: _Act, command: Said | None) -> Said:
        held = act.turn.node.hold("payload", "thought") if act.is_first else None
        if held is not None and type(held.value) is str:
            return held
        is_call = act.call is not None and act.call.action.peek("action", "name") is not MISSING
        return thought_of(act.response, command, is_call=is_call)

    def _observation(self, turn: Turn, call: CallTurn | None) -> Any:
        """What came back, as one text; null where nothing was observed."""
        if call is None:
            return NULL  # an observation would say that something ran
        nodes = list(call.observations)
        is_unlinked = not nodes and _stands_by(turn)
        if is_unlinked:
            nodes = turn.loose
        said = [text for node in nodes if (text := text_of(node, *_raw(node))) is not None]
        if not said:
            return NULL
        origins = tuple(origin for one in said for origin in _origins(one))
        value = "\n".join(one.value for one in said)
        if is_unlinked:
            detail = "a result that no record links to a call stands with the only one of its turn"
            return Made(value, origins, "unlinked-result", "order_vs_causality", "approximated", detail)
        if len(said) == 1:
            return said[0]
        return Made(value, origins, "joined-observations", "other", "approximated", "several results as one text")

    def _shown(self, call: CallTurn | None) -> Said | None:
        """What the model was shown of a result, where that differs from the raw output."""
        nodes = call.observations if call is not None else []
        is_framed = len(nodes) == 1 and _raw(nodes[0]) == _RAW
        return text_of(nodes[0], *result_at(nodes[0])) if is_framed else None

    def _duration(self, call: CallTurn | None) -> Held | None:
        for effect in call.effects if call is not None else ():
            held = effect.hold("payload", "duration_s")
            if held is not None and type(held.value) in (int, float):
                return held
        return None

    def _thinking(self, turn: Turn) -> Any:
        """Reasoning as the provider's blocks, or as one block each."""
        blocks: list[Any] = []
        for node in turn.reasoning:
            if self._wanted.strips_thoughts:
                node.get("payload")
                detail = "reasoning is left out, as was asked for"
                self._ledger.lose("stripped-thoughts", "other", "dropped", node.at, detail)
                continue
            held = node.hold(*words_at(node))
            if held is not None and type(held.value) is list and all(type(one) is dict for one in held.value):
                blocks += [Held(one, (*held.origin, position)) for position, one in enumerate(held.value)]
            elif (text := text_of(node, *words_at(node))) is not None:
                detail = "a text of reasoning as a block without a signature"
                block = {"type": "thinking", "thinking": text.value}
                blocks.append(Made(block, _origins(text), "reasoning-as-block", "other", "approximated", detail))
        return blocks or None

    def _answered(self, tool_call: Call | None, call: CallTurn | None) -> Held | None:
        """The id of the call as its result has it, else as the call has it; None where no id or record links them."""
        if tool_call is None or call is None or not call.observations:
            return None
        node = call.observations[0]
        chain = [one.peek("node_id") for one in (call.action, *call.effects)]
        links = [(cause, one) for cause in chain for one in (node.peek("node_id"), *chain[1:])]
        if any(type(a) is str and type(b) is str and (a, b) in self._inferred for a, b in links):
            return None
        for name in ("source_call_id", "call_id"):
            held = node.hold("payload", name)
            if held is not None and held.value == tool_call.id.value:
                return held
        return tool_call.id

    # --- the end -------------------------------------------------------------------------------------------------

    def _exit(self, node: Part) -> None:
        """The step that the loop makes up when it is cut off: only where the record says that this is one."""
        content = node.hold(*words_at(node))
        if content is None or type(content.value) is not str or not content.value.startswith(EXIT_WORDS):
            self.story.last_words = node
            return
        thought = node.hold("payload", "thought")
        observation = text_of(node, "payload", "observation")
        step: Json = {"action": "", "observation": "" if observation is None else observation, "response": content}
        step |= {"thought": content if thought is None else thought, "state": {}, "query": [{}]}
        self.story.steps.append(step)
        message: Json = {"role": "assistant", "content": content, "thought": step["thought"], "action": ""}
        self.story.history.append(message | {"agent": _AGENT, "message_type": "action"})
        self._answer(observation, None)

    # --- what can be derived -------------------------------------------------------------------------------------

    def _derived(self, act: _Act, observation: Any) -> Json:
        """Fields that a note suggests, as far as the record gives them (decisions 35)."""
        call = act.call
        action = call.action.part("action") if call is not None else None
        kind = "none" if observation is NULL or act.is_refused else "text"
        is_unparsed = act.is_refused and call is not None and call.action.peek("admission", "reason") == "format"
        return {
            "is_derived": True,
            "step_id": _derived(len(self.story.steps) + 1),
            "tool_name": action.hold("name") if action is not None else None,
            "tool_args": action.hold("arguments") if action is not None else None,
            "observation_type": _derived(kind),
            "parse_error": _derived(is_unparsed),
            "action_raw": act.response,
            "observation_text": None if kind == "none" else observation,
        }


def _derived(value: Any) -> Made:
    return Made(value, (), "derived-field", "other", "synthesized", "made from the record, as was asked for")


def _origins(said: Said) -> Any:
    return said.origins if isinstance(said, Made) else (said.origin,)


def _command(command: Said | None, *, is_refused: bool) -> Any:
    if command is not None:
        return command
    if is_refused:
        return ""  # the format's own word for what could not be parsed
    return Made("", (), "no-action", "request_vs_effect", "synthesized", "no call of the reply is recorded")


def _raw(node: Part) -> tuple[str, ...]:
    """Where a result stands as it came: beside what a template made of it, or alone."""
    return _RAW if type(node.peek(*_RAW)) is str else result_at(node)


def _stands_by(turn: Turn) -> bool:
    """Whether results that nothing links stand with the step of their turn: it has one call, which has none."""
    return len(turn.calls) == 1 and not any(call.observations for call in turn.calls)


def _is_refused(turn: Turn, call: CallTurn | None) -> bool:
    """Whether what was asked for was not admitted, and nothing of it was run."""
    if call is None:
        is_refused = turn.node.peek("status") in _REFUSED
        if is_refused:
            turn.node.get("status")
        return is_refused
    status = call.action.peek("admission", "status")
    if call.effects or not (call.action.peek("kind") == "proposal" or status in _REFUSED):
        return False
    call.action.get("admission", "status")
    return True
