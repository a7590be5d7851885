"""Turns of a Bundle → steps of ATIF: one step for an input, a decision with its calls, or what stands alone.

What the format has no place for goes into `extra.attraj`, as it is. Source: spec traj.md §7.3, §7.5, react-web.md §5.2;
decisions 33, 34.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from attraj.bundle.markers import status_of
from attraj.bundle.model import text
from attraj.formats.atif.times import moment
from attraj.formats.atif.write_calls import Calls, Scribe
from attraj.formats.atif.write_content import held_text, joined, message
from attraj.formats.atif.write_metrics import metrics
from attraj.formats.mapping.experience import is_shown
from attraj.formats.mapping.fields import At, Json
from attraj.formats.mapping.held import NULL, Held, Made, Part
from attraj.formats.mapping.turns import Turn, apart
from attraj.formats.mapping.words import result_at, words_at
from attraj.jsonio import MISSING

WITH_COUNTS = 7  # the version that brought llm_call_count
# Roles of other formats, by the source that stands nearest to them; a reply shown as an example is no decision.
_SOURCES = {"system": "system", "developer": "system", "tool": "system", "function": "system"}
_SAMPLES = "extra_info"
_OF_STEP = frozenset({"content", "role", "llm_call_count", "is_copied_context", "context_management"})


def steps_of(turns: Iterable[Turn], scribe: Scribe) -> list[Json]:
    """The steps of one thread, numbered from 1."""
    steps: list[Json] = []
    last = -1
    told = list(apart(turns))
    samples = _samples(told, scribe)
    beside = {part.at for part in samples.values()}
    for turn in told:
        if turn.node.at in beside:
            continue
        ranks = [scribe.rank(part) for part in _parts(turn)]
        if min(ranks) < last and not is_record(turn):
            detail = "it came while the step before it went on"
            scribe.ledger.lose("interleaved-step", "order_vs_causality", "approximated", turn.node.at, detail)
        last = max(last, *ranks)
        sampled = samples.get(turn.node.at)
        step = _Step(scribe, turn, len(steps) + 1, sampled).written()
        if step is not None:
            steps.append(step)
    return steps


def _samples(turns: list[Turn], scribe: Scribe) -> dict[At, Part]:
    """Decisions with what a sampler compared for each: no step of its own, in which readers would see one of a run."""
    decisions = {text(turn.node.record, "node_id"): turn.node for turn in turns if turn.kind == "decision"}
    events = {
        text(turn.node.record, "node_id"): turn.node
        for turn in turns
        if scribe.is_ours and turn.kind == "event" and not turn.loose and _holds_samples(turn.node)
    }
    found: dict[At, Part] = {}
    for position, edge in scribe.bundle.objects("edges") if events else ():
        cause, effect = edge.get("from"), edge.get("to")
        if type(cause) is str and type(effect) is str and cause in events and effect in decisions:
            if decisions[effect].at in found:
                continue
            found[decisions[effect].at] = events.pop(cause)
            scribe.ledger.used.add(("edges", position))
    return found


def _holds_samples(node: Part) -> bool:
    payload = node.peek("payload")
    return type(payload) is dict and payload.keys() == {_SAMPLES}


def _parts(turn: Turn) -> list[Part]:
    """The nodes that stand in one step."""
    answers = [part for call in turn.calls for part in (call.action, *call.observations)]
    return [turn.node, *turn.reasoning, *answers, *turn.loose]


def is_record(turn: Turn) -> bool:
    """Whether a turn is no step: a record about the run, and not a part of what was said and done."""
    if turn.kind == "event" and turn.node.peek("topic") == "continuation":
        return True
    return turn.kind not in _WRITERS and not (turn.loose or turn.delegations or turn.calls)


class _Step:
    def __init__(self, scribe: Scribe, turn: Turn, number: int, samples: Part | None = None) -> None:
        self._scribe = scribe
        self._turn = turn
        self._node = turn.node
        self._number = number
        self._version = scribe.version
        self._extra: Json = {}  # of the step, under `attraj`
        self._samples = samples  # what was compared before the reply was chosen
        self._said = words_at(turn.node)
        self._clock = _clock(turn)
        self._calls = Calls(scribe, turn.node, number, self._clock, self._extra)

    def written(self) -> Json | None:
        if is_record(self._turn):
            return None
        return _WRITERS.get(self._turn.kind, _Step.other)(self)

    # --- kinds of steps ----------------------------------------------------------------------------------------

    def input(self) -> Json:
        self._known()
        self._loose()
        return self._whole(self._source(), self._message())

    def _source(self) -> Any:
        node = self._node
        role = node.peek("payload", "role")
        if type(role) is str and role in ("user", "system"):
            return node.hold("payload", "role")
        if type(role) is str:
            self._extra["role"] = node.hold("payload", "role")
            at = (*node.at, "payload", "role")
            detail = "a role that ATIF does not have, as the nearest of its sources"
            return Made(_SOURCES.get(role, "user"), (at,), "role", "identity", "approximated", detail)
        by = "user" if node.peek("authority_class") in ("principal", "external") else "system"
        detail = "an input without a role: told by its authority"
        return Made(by, ((*node.at, "authority_class"),), "role", "identity", "approximated", detail)

    def decision(self) -> Json:
        node = self._node
        self._known()
        calls = self._turn.calls
        if not calls and status_of(node.peek(*self._said)) == "unavailable":
            return self._lost_reply()
        is_call = node.peek("authority_class") != "harness" and not self._is_uncalled()
        for call in calls:
            self._calls.call(call)
        self._loose()
        members: Json = {
            "model_name": held_text(node, "model_call", "model"),
            "reasoning_effort": self._effort(),
            "reasoning_content": self._reasoning() if is_call else None,
            "metrics": metrics(node.part("model_call", "usage"), self._version) if is_call else None,
        }
        if not is_call:
            self._stray_reasoning()
        return self._whole("agent", self._message(), members, self._call_count(is_call=is_call))

    def _is_mixed(self) -> bool:
        """Whether calls and results stand in another order than each call before its results, and the others last."""
        parts = [part for call in self._turn.calls for part in (call.action, *call.observations)]
        ranks = [self._scribe.rank(part) for part in (*parts, *self._turn.loose)]
        return ranks != sorted(ranks)

    def _lost_reply(self) -> Json:
        """A reply that was not kept is no message of an agent (spec: traj.md §7.5)."""
        self._stray_reasoning()
        self._loose()
        self._extra |= {"lost_reply": True, "model_call": self._node.hold("model_call")}
        return self._whole("system", self._message())

    def _is_uncalled(self) -> bool:
        count = self._node.peek("payload", "llm_call_count")
        return type(count) is int and count == 0

    def _call_count(self, *, is_call: bool) -> Any:
        node = self._node
        if self._version < WITH_COUNTS:
            self._extra["llm_call_count"] = node.hold("payload", "llm_call_count")
            return None
        count = node.peek("payload", "llm_call_count")
        if type(count) is int and count >= 0:
            return node.hold("payload", "llm_call_count")
        if node.peek("payload", "is_copied_context") is True or node.peek("training", "target") is False:
            return None
        if node.peek("topic") == "sampled":  # several calls stand behind it, and nobody counted them
            return None
        authority = node.peek("authority_class")
        if authority != "harness" and not (authority == "model" and self._scribe.has_calls):
            return None  # not tracked; the member is optional
        detail = "a decision of a model stands for one call of it; one of the harness for none"
        return Made(int(is_call), ((*node.at, "kind"),), "call-count", "usage", "synthesized", detail)

    def call(self) -> Json:
        """A call that no decision asked for: a person's command, or the harness's."""
        node = self._node
        self._known()
        if node.peek("authority_class") == "principal":
            self._extra["action"] = node.hold("action")
            for call in self._turn.calls:
                self._calls.answers(call, None)
            self._loose()
            value = node.hold("action", "value")
            text = value.value if value is not None and type(value.value) is str else ""
            detail = "ATIF asks for a message, and a person's action has none: its command stands there"
            return self._whole("user", Made(text, (), "no-message", "other", "synthesized", detail))
        for call in self._turn.calls:
            self._calls.call(call)
        self._loose()
        detail = "no decision of a model asked for the call"
        empty = Made("", (), "no-message", "other", "synthesized", detail)
        count = Made(0, ((*node.at, "kind"),), "call-count", "usage", "synthesized", detail)
        return self._whole("agent", empty, count=count if self._version >= WITH_COUNTS else None)

    def thought(self) -> Json | None:
        """Reasoning that no decision followed."""
        node = self._node
        if self._scribe.strips_thoughts:
            self._strip(node)
            return None
        self._known()
        detail = "ATIF asks for a message; the reasoning led to no decision"
        empty = Made("", (), "no-message", "other", "synthesized", detail)
        return self._whole("agent", empty, {"reasoning_content": joined([node])})

    def other(self) -> Json:
        """The end of a run, a note of the harness, a result that stands alone."""
        node = self._node
        self._known()
        self._extra["kind"] = node.hold("kind")
        for member in ("effect", "receipt", "action"):
            self._extra[member] = node.hold(member)
        if self._turn.kind == "observation":
            self._calls.result(node, None)
        if self._turn.kind == "delegation":
            self._calls.delegate([node])
        self._loose()
        if self._turn.kind == "observation" and result_at(node) == self._said:  # it stands in the result
            detail = "ATIF asks for a message, and a result has none"
            return self._whole("system", Made("", (), "no-message", "other", "synthesized", detail))
        return self._whole("system", self._message())

    # --- parts of a step ---------------------------------------------------------------------------------------

    def _whole(self, source: Any, text: Any, members: Json | None = None, count: Any = None) -> Json:
        node = self._node
        extra: Json = {}
        if source != "agent":
            extra["context_management"] = node.hold("payload", "context_management")
        results = self._calls.answered()
        number, time = self._step_id(), self._time()
        carried = {name: one for name, one in self._extra.items() if one is not None}
        if carried:
            extra["attraj"] = carried
        is_copied = node.peek("payload", "is_copied_context")
        return {
            "step_id": number,
            "timestamp": time,
            "source": source,
            "message": text,
            **(members or {}),
            "tool_calls": self._calls.calls or None,
            "observation": {"results": results} if results else None,
            "llm_call_count": count,
            "is_copied_context": node.hold("payload", "is_copied_context") if type(is_copied) is bool else None,
            "extra": extra if any(one is not None for one in extra.values()) else None,
        }

    def _message(self) -> Any:
        return message(self._node, *self._said, version=self._version)

    def _step_id(self) -> Any:
        if self._clock is not None and type(self._clock.value) is int and self._clock.value == self._number:
            return self._clock
        if not self._scribe.has_iterations:
            self._extra["logical_clock"] = self._clock
        return Made(self._number, (), "step-numbers", "identity", "synthesized", "ATIF numbers its steps from 1")

    def _known(self) -> None:
        """Take what the step says by its form, and carry what else the node says."""
        node = self._node
        self._extra |= self._scribe.told(node)
        for part in self._turn.reasoning:
            self._scribe.told(part)
        if self._samples is not None:
            self._scribe.told(self._samples)
            self._extra[_SAMPLES] = self._samples.hold("payload", _SAMPLES)
        for member in ("state_before", "state_after"):
            self._extra[member] = self._scribe.snapshot(node, member)
        self._extra["status"] = node.hold("status")
        topic = node.peek("topic")
        if topic == "answer" or (self._turn.kind == "event" and topic is not MISSING):
            self._extra["topic"] = node.hold("topic")
        if self._scribe.has_iterations:
            self._extra["iteration"] = node.hold("logical_clock") or NULL
            self._calls.keeps_order = self._is_mixed()
        if is_shown(node):
            at = (*node.at, "authority_class")
            detail = "a turn that no model is known to have taken, as an example"
            self._extra["is_demo"] = Made(True, (at,), "demonstration", "identity", "approximated", detail)
        payload = node.peek("payload")
        for name in payload if type(payload) is dict else ():
            is_told = name in _OF_STEP and (name != "role" or node.peek("kind") == "input")
            if type(name) is str and not is_told and name != self._said[-1]:
                self._extra[name] = node.hold("payload", name)
        is_copied = node.peek("payload", "is_copied_context") is True
        if is_copied and node.peek("training", "target") is False and self._scribe.is_ours:
            node.get("training")
        elif type(node.peek("training")) is dict:  # a demonstration, a step that the loop made up: no target
            self._extra["training"] = node.hold("training")
        call = node.peek("model_call")
        if type(call) is dict and call.keys() <= {"availability", "reason"}:
            node.get("model_call")  # that nothing is known of the call is as true of a step that says nothing of it

    def _time(self) -> Held | None:
        """The time of the step, where Harbor's reader takes it: it knows no leap second and no lower-case z."""
        held = held_text(self._node, "timestamp")
        if held is None or moment(held.value) is not None:
            return held
        self._extra["timestamp"] = held
        return None

    def _effort(self) -> Held | None:
        path = ("model_call", "decoding", "reasoning_effort")
        return self._node.hold(*path) if type(self._node.peek(*path)) in (str, int, float) else None

    def _loose(self) -> None:
        for node in self._turn.loose:
            identity = self._calls.result(node, None)
            if self._calls.calls and identity is None:
                self._scribe.has_unlinked = True
        self._calls.delegate(self._turn.delegations)

    def _reasoning(self) -> Any:
        if self._scribe.strips_thoughts:
            for part in self._turn.reasoning:
                self._strip(part)
            return None
        return joined(self._turn.reasoning)

    def _stray_reasoning(self) -> None:
        """ATIF lets no reasoning stand where no model was called."""
        thoughts = self._turn.reasoning
        if thoughts and not self._scribe.strips_thoughts:
            self._extra["reasoning"] = [one for part in thoughts if (one := part.hold(*words_at(part)))]
        elif thoughts:
            self._reasoning()

    def _strip(self, part: Part) -> None:
        self._scribe.ledger.used.add(part.at)
        detail = "reasoning that was left out on request"
        self._scribe.ledger.lose("stripped-thoughts", "other", "dropped", part.at, detail)


def _clock(turn: Turn) -> Held | None:
    """The logical clock of a turn: its node's, else that of the first part of it that has one."""
    nodes = (turn.node, *turn.reasoning, *(call.action for call in turn.calls), *turn.loose)
    return next((node.hold("logical_clock") for node in nodes if node.peek("logical_clock") is not MISSING), None)


_WRITERS: dict[str, Callable[[_Step], Json | None]] = {
    "input": _Step.input,
    "decision": _Step.decision,
    "call": _Step.call,
    "reasoning_summary": _Step.thought,
    "observation": _Step.other,
    "delegation": _Step.other,
    "terminal": _Step.other,
    "event": _Step.other,
}
