"""Turns of a Bundle → steps of ATIF: one step for an input, a decision with its calls, or what stands alone.

A call is written with its results when edges say that they are its own; what was refused is no call, and stands in
the `extra` of its step. What the format has no place for goes into `extra.attraj`, as it is.
Source: spec traj.md §7.3, §7.5, react-web.md §5.2; decisions 33, 34.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from attraj.bundle.markers import is_marker, status_of
from attraj.bundle.model import Bundle
from attraj.bundle.vocabulary import REFUSALS
from attraj.formats.atif.write_content import as_text, content, message, withheld
from attraj.formats.atif.write_metrics import metrics
from attraj.formats.mapping.fields import Json
from attraj.formats.mapping.held import Held, Ledger, Made, Part
from attraj.formats.mapping.turns import CallTurn, Turn
from attraj.jsonio import MISSING

WITH_EXTRAS = WITH_COUNTS = 7  # versions that brought `extra` on calls and results, and llm_call_count
# Roles of other formats, by the source that stands nearest to them; a reply shown as an example is no decision.
_SOURCES = {"system": "system", "developer": "system", "tool": "system", "function": "system"}
_OF_STEP = frozenset({"content", "role", "llm_call_count", "is_copied_context", "context_management"})


@dataclass(slots=True)
class Scribe:
    """What steps are written with.

    Attributes:
        version: Minor version of ATIF.
        strips_thoughts: Reasoning is left out, and each piece of it is a loss.
        refer: Gives the reference to the subagent that a delegation names; None where it is not here.
        has_unlinked: A result was written that names no call although its step has some.
    """

    bundle: Bundle
    ledger: Ledger
    version: int
    strips_thoughts: bool
    refer: Callable[[Part], Json | None]
    has_unlinked: bool = False
    _states: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._states = {
            one["state_id"]: position
            for position, one in self.bundle.objects("states")
            if type(one.get("state_id")) is str
        }

    def snapshot(self, node: Part, member: str) -> Held | None:
        """The whole state that a node names, where it is in the Bundle and no view."""
        name = node.peek(member)
        position = self._states.get(name) if type(name) is str else None
        if position is None:
            return None
        state = Part(self.bundle.items("states")[position], ("states", position), self.ledger)
        held = state.hold("snapshot")
        if held is not None:
            node.get(member)
            self.ledger.used.add(("states", position))
        return held


def steps_of(turns: Iterable[Turn], scribe: Scribe) -> list[Json]:
    """The steps of one thread, numbered from 1."""
    steps: list[Json] = []
    for turn in turns:
        step = _Step(scribe, turn, len(steps) + 1).written()
        if step is not None:
            steps.append(step)
    return steps


def is_record(turn: Turn) -> bool:
    """Whether a turn is no step: a record about the run, and not a part of what was said and done."""
    if turn.kind == "event":
        return bool(turn.node.peek("topic") == "continuation")
    return turn.kind not in _WRITERS


class _Step:
    def __init__(self, scribe: Scribe, turn: Turn, number: int) -> None:
        self._scribe = scribe
        self._turn = turn
        self._node = turn.node
        self._number = number
        self._version = scribe.version
        self._extra: Json = {}  # of the step, under `attraj`
        self._calls: list[Json] = []
        self._results: list[Json] = []
        self._ids: set[str] = set()

    def written(self) -> Json | None:
        if is_record(self._turn):
            return None
        return _WRITERS[self._turn.kind](self)

    # --- kinds of steps ----------------------------------------------------------------------------------------

    def input(self) -> Json:
        node = self._node
        self._known(node)
        self._loose()
        return self._whole(self._source(), message(node, "payload", "content", version=self._version))

    def _source(self) -> Any:
        node = self._node
        role = node.peek("payload", "role")
        if type(role) is str and role in ("user", "system"):
            return node.hold("payload", "role")
        detail = "a role that ATIF does not have, as the nearest of its sources"
        if type(role) is str:
            self._extra["role"] = node.hold("payload", "role")
            at = (*node.at, "payload", "role")
            return Made(_SOURCES.get(role, "user"), (at,), "role", "identity", "approximated", detail)
        by = "user" if node.peek("authority_class") in ("principal", "external") else "system"
        detail = "an input without a role: told by its authority"
        return Made(by, ((*node.at, "authority_class"),), "role", "identity", "approximated", detail)

    def decision(self) -> Json:
        node = self._node
        self._known(node)
        is_call = node.peek("authority_class") != "harness" and not self._is_uncalled()
        for call in self._turn.calls:
            self._call(call)
        self._loose()
        self._delegate(self._turn.delegations)
        said = node.hold("payload", "content")
        members: Json = {
            "model_name": self._text(("model_call", "model")),
            "reasoning_effort": self._effort(),
            "reasoning_content": self._reasoning() if is_call else None,
            "metrics": metrics(node.part("model_call", "usage"), self._version) if is_call else None,
        }
        if not is_call:
            self._stray_reasoning()
        if said is None and node.peek("payload", "content") is MISSING:
            detail = "ATIF asks for a message, and the decision has none"
            text: Any = Made("", (), "no-message", "other", "synthesized", detail)
        else:
            text = message(node, "payload", "content", version=self._version)
        return self._whole("agent", text, members, self._call_count(is_call=is_call))

    def _is_uncalled(self) -> bool:
        count = self._node.peek("payload", "llm_call_count")
        return type(count) is int and count == 0

    def _call_count(self, *, is_call: bool) -> Any:
        node = self._node
        if self._version < WITH_COUNTS:
            return None
        count = node.peek("payload", "llm_call_count")
        if type(count) is int and count >= 0:
            return node.hold("payload", "llm_call_count")
        if node.peek("payload", "is_copied_context") is True or node.peek("training", "target") is False:
            return None
        if node.peek("authority_class") not in ("model", "harness"):
            return None
        detail = "a decision of a model stands for one call of it; one of the harness for none"
        return Made(int(is_call), ((*node.at, "kind"),), "call-count", "usage", "synthesized", detail)

    def call(self) -> Json:
        """A call that no decision asked for: a person's command, or the harness's."""
        node = self._node
        if node.peek("authority_class") == "principal":
            self._known(node)
            self._extra["action"] = node.hold("action")
            for call in self._turn.calls or [CallTurn(node)]:
                self._answers(call, None)
            self._loose()
            value = node.hold("action", "value")
            text = value if value is not None and type(value.value) is str else None
            detail = "ATIF asks for a message, and a person's action has none"
            return self._whole("user", text or Made("", (), "no-message", "other", "synthesized", detail))
        self._known(node)
        for call in self._turn.calls or [CallTurn(node)]:
            self._call(call)
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
        self._known(node)
        detail = "ATIF asks for a message; the reasoning led to no decision"
        empty = Made("", (), "no-message", "other", "synthesized", detail)
        text = _joined([node])
        return self._whole("agent", empty, {"reasoning_content": text})

    def other(self) -> Json:
        """The end of a run, a note of the harness, a result that stands alone."""
        node = self._node
        self._known(node)
        self._extra["kind"] = node.hold("kind")
        if self._turn.kind == "observation":
            self._result(node, None)
        if self._turn.kind == "delegation":
            self._delegate([node])
        self._delegate(self._turn.delegations)
        self._loose()
        return self._whole("system", message(node, "payload", "content", version=self._version))

    # --- parts of a step ---------------------------------------------------------------------------------------

    def _whole(self, source: Any, text: Any, members: Json | None = None, count: Any = None) -> Json:
        node = self._node
        extra: Json = {}
        if source != "agent":
            extra["context_management"] = node.hold("payload", "context_management")
        carried = {name: one for name, one in self._extra.items() if one is not None}
        if carried:
            extra["attraj"] = carried
        is_copied = node.peek("payload", "is_copied_context")
        return {
            "step_id": self._step_id(),
            "timestamp": self._text(("timestamp",)),
            "source": source,
            "message": text,
            **(members or {}),
            "tool_calls": self._calls or None,
            "observation": {"results": self._results} if self._results else None,
            "llm_call_count": count,
            "is_copied_context": node.hold("payload", "is_copied_context") if type(is_copied) is bool else None,
            "extra": extra if any(one is not None for one in extra.values()) else None,
        }

    def _step_id(self) -> Any:
        clock = self._node.peek("logical_clock")
        if type(clock) is int and clock == self._number:
            return self._node.hold("logical_clock")
        self._extra["logical_clock"] = self._node.hold("logical_clock")
        detail = "ATIF numbers its steps from 1"
        return Made(self._number, (), "step-numbers", "identity", "synthesized", detail)

    def _known(self, node: Part) -> None:
        """Take what the step says by its form, and carry what else the node's payload says."""
        for member in ("actor", "authority_class", "kind"):
            node.get(member)
        for member in ("state_before", "state_after"):
            held = self._scribe.snapshot(node, member)
            if held is not None:
                self._extra[member] = held
        payload = node.peek("payload")
        for name in payload if type(payload) is dict else ():
            if name not in _OF_STEP and type(name) is str:
                self._extra[name] = node.hold("payload", name)
        if node.peek("training", "target") is False and node.peek("payload", "is_copied_context") is True:
            node.get("training")

    def _text(self, path: tuple[str, ...]) -> Held | None:
        return self._node.hold(*path) if type(self._node.peek(*path)) is str else None

    def _effort(self) -> Held | None:
        path = ("model_call", "decoding", "reasoning_effort")
        return self._node.hold(*path) if type(self._node.peek(*path)) in (str, int, float) else None

    def _reasoning(self) -> Any:
        if self._scribe.strips_thoughts:
            for part in self._turn.reasoning:
                self._strip(part)
            return None
        return _joined(self._turn.reasoning)

    def _stray_reasoning(self) -> None:
        """ATIF lets no reasoning stand where no model was called."""
        if self._turn.reasoning and not self._scribe.strips_thoughts:
            self._extra["reasoning"] = [part.hold("payload", "content") for part in self._turn.reasoning]
        elif self._turn.reasoning:
            self._reasoning()

    def _strip(self, part: Part) -> None:
        self._scribe.ledger.used.add(part.at)
        detail = "reasoning that was left out on request"
        self._scribe.ledger.lose("stripped-thoughts", "other", "dropped", part.at, detail)

    # --- calls and results -------------------------------------------------------------------------------------

    def _call(self, turn: CallTurn) -> None:
        action = turn.action
        status = action.peek("admission", "status")
        if action.peek("kind") == "proposal" or (type(status) is str and status in REFUSALS):
            self._refused(turn)
            return
        for member in ("actor", "authority_class", "kind"):
            action.get(member)
        identity, extra = self._call_id(action), self._call_extra(turn)
        if type(identity) is Made:
            extra["synthetic_call"] = True
        arguments, raw = _arguments(action)
        if raw:
            extra["arguments"] = raw
        self._calls.append(
            {
                "tool_call_id": identity,
                "function_name": self._function(action),
                "arguments": arguments,
                "extra": self._place_extra(extra, "calls", len(self._calls)),
            }
        )
        self._answers(turn, identity)

    def _place_extra(self, extra: Json, kind: str, position: int) -> Json | None:
        """`extra` of a call or a result where the version has it; else the step carries it, by its position."""
        kept = {name: one for name, one in extra.items() if one is not None}
        if not kept:
            return None
        if self._version >= WITH_EXTRAS:
            return {"attraj": kept}
        self._extra.setdefault(kind, {})[str(position)] = kept
        return None

    def _call_id(self, action: Part) -> Held | Made:
        held = action.hold("action", "call_id")
        if held is not None and type(held.value) is str:
            self._ids.add(held.value)
            return held
        name = f"call_{self._number}_{len(self._calls) + 1}"
        while name in self._ids:
            name += "_"
        self._ids.add(name)
        return Made(name, (), "call-ids", "identity", "synthesized", "ATIF asks for the id of a call")

    def _function(self, action: Part) -> Held | Made:
        held = action.hold("action", "name")
        if held is not None and type(held.value) is str and held.value:
            return held
        at = (*action.at, "action", "kind")
        if action.peek("action", "kind") == "shell_command":
            return Made("bash", (at,), "tool-names", "identity", "synthesized", "a command without the name of a tool")
        return Made("unknown", (at,), "tool-names", "identity", "synthesized", "ATIF asks for the name of a tool")

    def _call_extra(self, turn: CallTurn) -> Json:
        """What a call has besides: whether it was admitted, what its effect measured."""
        action = turn.action
        extra: Json = {}
        if action.peek("admission", "status") == "unknown":
            action.get("admission")
        else:
            extra["admission"] = action.hold("admission")
        payload = action.peek("payload")
        for name in payload if type(payload) is dict else ():
            if type(name) is str:
                extra[name] = action.hold("payload", name)
        for part in (action, *turn.effects):
            for member in ("state_before", "state_after"):
                extra[member] = self._scribe.snapshot(part, member) or extra.get(member)
        for effect in turn.effects:
            extra["effect"] = effect.hold("payload") or extra.get("effect")
            extra["receipt"] = effect.hold("receipt") or extra.get("receipt")
            if effect.peek("effect", "receipt_status") == "none_authoritative" and turn.observations:
                effect.get("effect", "receipt_status")  # a result, and no receipt: that is what ATIF says
                effect.get("effect", "external")
                effect.get("kind")
        return extra

    def _answers(self, turn: CallTurn, identity: Held | Made | None) -> None:
        start = len(self._results)
        for observation in turn.observations:
            self._result(observation, identity)
        self._delegate(turn.delegations, identity, start)

    def _result(self, node: Part, identity: Held | Made | None, extra: Json | None = None) -> None:
        for member in ("actor", "kind"):
            node.get(member)
        own = node.hold("payload", "source_call_id")
        if identity is None and own is not None and own.value in self._ids:
            identity = own
        elif own is not None and identity is not None and own.value == identity.value:
            node.get("payload", "source_call_id")
        extra = dict(extra or {})
        payload = node.peek("payload")
        for name in payload if type(payload) is dict else ():
            if type(name) is str and not (identity is not None and name == "source_call_id"):
                extra[name] = node.hold("payload", name)
        self._results.append(
            {
                "source_call_id": identity,
                "content": content(node, "observation", version=self._version),
                "extra": self._place_extra(extra, "results", len(self._results)),
            }
        )

    def _loose(self) -> None:
        for node in self._turn.loose:
            self._result(node, None)
            if self._calls and self._results[-1]["source_call_id"] is None:
                self._scribe.has_unlinked = True

    def _refused(self, turn: CallTurn) -> None:
        """A proposal that was not admitted is no call (spec: traj.md §7.3)."""
        action = turn.action
        for member in ("actor", "authority_class", "kind"):
            action.get(member)
        extra: Json = {"admission": action.hold("admission"), "proposed_action": action.hold("action")}
        if turn.observations and self._version >= WITH_EXTRAS:
            self._result(turn.observations[0], None, extra)
        else:
            self._extra.setdefault("proposals", []).append(extra)
            for observation in turn.observations[:1]:
                self._result(observation, None)
        for observation in turn.observations[1:]:
            self._result(observation, None)
        self._delegate(turn.delegations)

    def _delegate(self, nodes: list[Part], identity: Held | Made | None = None, start: int | None = None) -> None:
        """References to subagents, in the result of their call where it has one."""
        references = [one for one in map(self._scribe.refer, nodes) if one is not None]
        if not references:
            return
        if start is not None and start < len(self._results):
            self._results[start]["subagent_trajectory_ref"] = references
        else:
            self._results.append({"source_call_id": identity, "subagent_trajectory_ref": references})


def _joined(parts: list[Part]) -> Any:
    """The reasoning of a turn: one text as it is, several or a provider's blocks as one text."""
    texts: list[str] = []
    origins: list[Any] = []
    single: Any = None
    for part in parts:
        at = (*part.at, "payload", "content")
        value = part.peek("payload", "content")
        for member in ("actor", "authority_class", "kind"):
            part.get(member)
        if value is MISSING:
            continue
        if type(value) is dict:
            single = withheld(value, at) if is_marker(value) else as_text(value, at)
            texts.append(single.value)
        elif type(value) is list:
            texts += [text for text in map(_thought_of, value) if text]
        elif type(value) is str:
            single = Held(value, at)
            texts.append(value)
        origins.append(at)
    if len(texts) == 1 and single is not None:
        return single
    if not texts:
        return None
    detail = "several pieces of reasoning, as one text"
    return Made("\n\n".join(texts), tuple(origins), "joined-reasoning", "other", "approximated", detail)


def _thought_of(block: Any) -> str:
    if type(block) is str:
        return block
    if type(block) is dict:
        for name in ("thinking", "text", "summary"):
            if type(block.get(name)) is str:
                return str(block[name])
    return ""


def _arguments(action: Part) -> tuple[Any, str]:
    """`arguments` of a call, which is an object in ATIF; and a word where it is none in the Bundle."""
    value = action.peek("action", "arguments")
    at = (*action.at, "action", "arguments")
    if is_marker(value) and status_of(value) != "literal":
        return {"_raw": withheld(value, at)}, "withheld"
    if type(value) is dict:
        return Held(value, at), ""
    if value is MISSING:
        command = action.hold("action", "value")
        if command is None:
            detail = "ATIF asks for arguments, and none are recorded"
            return Made({}, (), "no-arguments", "other", "synthesized", detail), "not recorded"
        return {"command": command}, ""
    if value is None:
        return Made({}, (at,), "null-arguments", "other", "approximated", "arguments that are null"), "null"
    return {"_raw": Held(value, at)}, "not an object"


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
