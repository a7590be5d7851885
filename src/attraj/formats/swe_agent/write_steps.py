"""The turns of one thread → steps and messages: one action a step, and nothing that the record does not say.

What has no place in a step is counted as a loss by what is left unused (mapping/account.py). Spec: traj.md §7.2, §7.4.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from attraj.bundle.model import Bundle
from attraj.findings import Severity
from attraj.formats.found import Found
from attraj.formats.mapping.fields import Json
from attraj.formats.mapping.held import NULL, Held, Ledger, Made, Part
from attraj.formats.mapping.messages import Expander
from attraj.formats.mapping.rooms import Wanted
from attraj.formats.mapping.turns import CallTurn, Thread, Turn
from attraj.formats.swe_agent.align import EXIT_WORDS
from attraj.formats.swe_agent.members import check_item
from attraj.formats.swe_agent.shape import OWN
from attraj.formats.swe_agent.write_texts import Call, Said, action_of, call_of, content_of, text_of, thought_of
from attraj.jsonio import MISSING

_AGENT = "main"
_REFUSED = ("rejected", "denied")
_NO_STATE = "no state was taken after the action"
_NO_VIEW = "what the model was shown is not recorded as messages"
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
    for turn in thread.turns:
        teller.tell(turn)
    return teller.story


class _Teller:
    def __init__(self, bundle: Bundle, ledger: Ledger, wanted: Wanted) -> None:
        self.story = Story()
        self._ledger = ledger
        self._wanted = wanted
        self._complaints: list[Part] = []
        self._messages: dict[int, bool] = {}  # of the Bundle, which lives as long as this
        self._expander = Expander(bundle)
        self._states = {
            state["state_id"]: (position, state)
            for position, state in bundle.objects("states")
            if type(state.get("state_id")) is str
        }

    def tell(self, turn: Turn) -> None:
        """Add what one turn gives."""
        if turn.kind == "decision" or turn.kind == "call":
            self._decide(turn)
        elif turn.kind == "input" or (turn.kind == "event" and turn.node.peek("payload", "is_demo") is True):
            self._message(turn.node)
        elif turn.kind == "terminal":
            self._exit(turn.node)
        elif turn.kind == "resource_observation":
            self.story.usage = self.story.usage or turn.node.part("payload", "usage")
        self._submission(turn)
        if turn.kind not in ("decision", "call"):
            for observation in ([turn.node] if turn.kind == "observation" else []) + turn.loose:
                self._answer(text_of(observation, "observation"), None)

    # --- messages ------------------------------------------------------------------------------------------------

    def _message(self, node: Part) -> None:
        role = node.peek("payload", "role")
        content = content_of(node, "payload", "content")
        if content is None:
            return
        is_demo = node.peek("payload", "is_demo") is True
        kind = "demonstration" if is_demo else "system_prompt" if role == "system" else "observation"
        message: Json = {"role": node.hold("payload", "role"), "content": content}
        if role not in ("system", "user", "assistant", "tool"):
            detail = "a message whose role is none of the format's"
            message["role"] = Made("user", (), "unknown-role", "identity", "synthesized", detail)
        message |= {"agent": _AGENT, "message_type": kind}
        if is_demo:
            message["is_demo"] = node.hold("payload", "is_demo")
        self.story.history.append(message)

    def _answer(self, observation: Any, call_id: Held | None) -> None:
        if observation is None or observation is NULL:
            return
        message: Json = {"role": "user" if call_id is None else "tool", "content": observation, "agent": _AGENT}
        message["message_type"] = "observation"
        if call_id is not None:
            message["tool_call_ids"] = [call_id]
        self.story.history.append(message)

    def _submission(self, turn: Turn) -> None:
        node = turn.node
        path = ("payload", "content") if turn.kind == "evidence" else ("payload", "submission")
        if type(node.peek(*path)) is str and self.story.submission is None:
            self.story.submission = text_of(node, *path)

    # --- steps ---------------------------------------------------------------------------------------------------

    def _decide(self, turn: Turn) -> None:
        """One step for each call; the first has the text of the reply."""
        said = self._response(turn)
        query = self._query(turn.node)
        thinking = self._thinking(turn)
        if turn.node.peek("model_call", "availability") in ("unavailable", "unknown"):
            for name in ("availability", "reason"):  # the format never says who was called
                turn.node.get("model_call", name)
        if not turn.calls:
            self._step(turn, None, said, query, thinking)
        self._complaints = [node for call in turn.calls if _is_refused(turn, call) for node in call.observations]
        place = (*turn.node.at, "payload", "content")
        for number, call in enumerate(turn.calls):
            if number:
                said = Made("", (place,), "one-call-a-step", "span_vs_node", "approximated", _ONE_CALL)
                thinking = None
            self._step(turn, call, said, query, thinking)

    def _response(self, turn: Turn) -> Said:
        path = ("payload", "content")
        said = text_of(turn.node, *path) if turn.kind == "decision" else None
        if said is not None:
            return said
        origins = ((*turn.node.at, *path),) if turn.node.peek(*path) is not MISSING else ()
        return Made("", origins, "no-response", "other", "synthesized", "no text of a reply is recorded")

    def _step(self, turn: Turn, call: CallTurn | None, response: Said, query: Any, thinking: Any) -> None:
        action = call.action.part("action") if call is not None else None
        is_refused = _is_refused(turn, call)
        is_remembered = action is not None and not is_refused and turn.kind != "call"
        tool_call = call_of(action) if action is not None and is_remembered else None
        command = action_of(action, is_told=tool_call is not None) if action is not None else None
        observation: Any = "" if is_refused else self._observation(turn, call)
        thought = self._thought(turn, call, response, command)
        step: Json = {
            "action": _command(command, is_refused=is_refused),
            "observation": observation,
            "response": response,
            "thought": thought,
            "execution_time": self._duration(call),
            "state": {} if is_refused else self._state(call),
            "query": query,
        }
        if self._wanted.is_derived:
            step[OWN] = self._derived(call, response, observation, is_refused=is_refused)
        self.story.steps.append(step)
        is_empty = command is None and response.value == ""
        if is_refused or is_empty or turn.kind == "call":
            return  # what the model does not remember is not in the history
        message: Json = {"role": "assistant", "content": response, "thought": thought, "action": step["action"]}
        message |= {"agent": _AGENT, "message_type": "action"}
        message["tool_calls"] = [tool_call.tree] if tool_call is not None else None
        message["thinking_blocks"] = thinking
        self.story.history.append(message)
        self._answer(self._shown(call) or observation, _answered(tool_call, call))

    def _thought(self, turn: Turn, call: CallTurn | None, response: Said, command: Said | None) -> Said:
        if turn.calls[:1] == ([call] if call is not None else []):
            held = turn.node.hold("payload", "thought")
            if held is not None and type(held.value) is str:
                return held
        is_call = call is not None and call.action.peek("action", "name") is not MISSING
        return thought_of(response, command, is_call=is_call)

    def _observation(self, turn: Turn, call: CallTurn | None) -> Any:
        """What came back, as one text; null where nothing was observed."""
        nodes = list(call.observations) if call is not None else []
        is_last = call is None or call is turn.calls[-1]
        loose = turn.loose if is_last else []
        said = [text for node in (*nodes, *loose) if (text := text_of(node, *_raw(node))) is not None]
        if not said:
            return NULL
        if len(said) == 1 and not loose:
            return said[0]
        origins = tuple(origin for one in said for origin in _origins(one))
        value = "\n".join(one.value for one in said)
        if loose and call is not None and len(turn.calls) > 1:
            detail = "results that no record links to a call stand with the last one"
            return Made(value, origins, "unlinked-result", "order_vs_causality", "approximated", detail)
        if len(said) == 1:
            return said[0]
        return Made(value, origins, "joined-observations", "other", "approximated", "several results as one text")

    def _shown(self, call: CallTurn | None) -> Said | None:
        """What the model was shown of a result, where that differs from the raw output."""
        nodes = call.observations if call is not None else []
        is_framed = len(nodes) == 1 and _raw(nodes[0]) != ("observation",)
        return text_of(nodes[0], "observation") if is_framed else None

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
            held = node.hold("payload", "content")
            if held is not None and type(held.value) is list and all(type(one) is dict for one in held.value):
                blocks += [Held(one, (*held.origin, position)) for position, one in enumerate(held.value)]
            elif (text := text_of(node, "payload", "content")) is not None:
                detail = "a text of reasoning as a block without a signature"
                block = {"type": "thinking", "thinking": text.value}
                blocks.append(Made(block, _origins(text), "reasoning-as-block", "other", "approximated", detail))
        return blocks or None

    # --- states --------------------------------------------------------------------------------------------------

    def _state(self, call: CallTurn | None) -> Any:
        for node in (*call.effects, call.action) if call is not None else ():
            name = node.peek("state_after")
            position, state = self._states.get(name, (0, {})) if type(name) is str else (0, {})
            if type(state.get("snapshot")) is dict:
                node.get("state_after")
                self._use_state(position, state)
                return Held(state["snapshot"], ("states", position, "snapshot"))
        return Made({}, (), "state-not-taken", "message_vs_state_view", "synthesized", _NO_STATE)

    def _query(self, node: Part) -> Any:
        """The exact view of a decision; nothing that was put together afterwards is shown as what was sent."""
        name = node.peek("state_view")
        position, state = self._states.get(name, (0, {})) if type(name) is str else (0, {})
        items = self._expander.items(name) if state and state.get("reconstructed") is not True else None
        if items is None or not all(self._is_message(item) for item in items):
            return Made([], (), "no-query", "message_vs_state_view", "synthesized", _NO_VIEW)
        node.get("state_view")
        self._use_state(position, state)
        for complaint in self._complaints:  # the answer to a refused proposal stands at the end of the next input
            if any(item["content"] == complaint.peek("observation") for item in items[-1:]):
                complaint.get("observation")
        self._complaints.clear()
        return Held(items, ("states", position))

    def _is_message(self, item: Any) -> bool:
        """Whether a `.traj` can hold this message of a view. Views share their messages: each is asked once."""
        known = self._messages.get(id(item))
        if known is None:
            found = Found()
            check_item(found, item, "")
            known = not any(finding.severity is Severity.ERROR for finding in found.all())
            self._messages[id(item)] = known
        return known

    def _use_state(self, position: int, state: Json) -> None:
        self._ledger.used.update([("states", position, name) for name in state])

    # --- the end -------------------------------------------------------------------------------------------------

    def _exit(self, node: Part) -> None:
        """The step that the loop makes up when it is cut off: only where the record says that this is one."""
        content = node.hold("payload", "content")
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

    def _derived(self, call: CallTurn | None, response: Said, observation: Any, *, is_refused: bool) -> Json:
        """Fields that a note suggests, as far as the record gives them (decisions 35)."""
        action = call.action.part("action") if call is not None else None
        kind = "none" if observation is NULL or is_refused else "text"
        is_unparsed = is_refused and call is not None and call.action.peek("admission", "reason") == "format"
        return {
            "is_derived": True,
            "step_id": _derived(len(self.story.steps) + 1),
            "tool_name": action.hold("name") if action is not None else None,
            "tool_args": action.hold("arguments") if action is not None else None,
            "observation_type": _derived(kind),
            "parse_error": _derived(is_unparsed),
            "action_raw": response,
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
    return Made("", (), "no-action", "request_vs_effect", "synthesized", "the reply asks for nothing")


def _raw(node: Part) -> tuple[str, ...]:
    """Where a result stands as it came: beside what a template made of it, or alone."""
    return ("payload", "raw_output") if type(node.peek("payload", "raw_output")) is str else ("observation",)


def _answered(tool_call: Call | None, call: CallTurn | None) -> Held | None:
    """The id of the call as its result has it, else as the call has it; None where no message has the call."""
    if tool_call is None or call is None:
        return None
    for node in call.observations[:1]:
        for name in ("source_call_id", "call_id"):
            held = node.hold("payload", name)
            if held is not None and held.value == tool_call.id.value:
                return held
    return tool_call.id


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
