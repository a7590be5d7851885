"""The steps of one ATIF trajectory as nodes: inputs, decisions, calls, results; with the views that decisions had.

Order is no cause: a call and its result are linked by the call's id, a decision and its calls by their record, the
results of a step and the next decision by the order of turns, and nothing else is (spec: DESIGN.md §2, decisions 19).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from attraj.bundle.markers import unavailable
from attraj.formats.atif.places import KEPT, as_kept, kept
from attraj.formats.atif.read_kept import OwnOfStep
from attraj.formats.atif.read_links import SIDECHAIN
from attraj.formats.atif.views import NOT_REPLACED, Context
from attraj.formats.mapping.draft import Draft
from attraj.formats.mapping.fields import At, Json, Reading, merged, pointer_of

COPIED = "copied context: it happened in another trajectory"
_LOST = "the reply was not kept"


def _marker(status: str, reason: str) -> Json:
    return {"$at": {"status": status, "reason": reason}}


@dataclass(slots=True)
class _Thread:
    """Where the steps of one agent have come to.

    Attributes:
        name: Its `thread_id`; "" for the main one.
        answers: Observations of the last turn that the next decision follows from.
    """

    name: str
    context: Context = field(default_factory=Context)
    answers: list[str] = field(default_factory=list)


class Steps:
    """Reads the steps of one trajectory.

    Args:
        draft: Gets the nodes, edges, states and losses.
        reading: Of the document that holds the trajectory.
        tree: The trajectory.
        at: Where it stands in the document.
        thread: `thread_id` of its steps.
        prefix: Of the identities of its nodes.
    """

    def __init__(self, draft: Draft, reading: Reading, tree: Json, at: At, thread: str, prefix: str) -> None:
        self._draft = draft
        self._reading = reading
        self._tree = tree
        self._at = at
        self._prefix = prefix
        self._main = _Thread(thread)
        self._sidechains: dict[Any, _Thread] = {}
        agent = tree.get("agent")
        self._has_model = type(agent) is dict and type(agent.get("model_name")) is str

    def read(self) -> None:
        steps = self._tree.get("steps")
        for position, step in enumerate(steps if type(steps) is list else ()):
            at = (*self._at, "steps", position)
            if type(step) is not dict:
                self._draft.lose("unreadable-step", "other", "dropped", at, "a step that is no object")
                continue
            _Step(self, step, at, f"{self._prefix}step:{position + 1}", self._thread_of(step)).read()
        if type(self._tree.get("continued_trajectory_ref")) is str:
            self._continuation()
        views = sum(thread.context.views for thread in (self._main, *self._sidechains.values()))
        if views:
            detail = "what a decision had before it is rebuilt from the earlier steps; requests are not recorded"
            at = (*self._at, "steps")
            self._draft.lose("reconstructed-views", "message_vs_state_view", "approximated", at, detail, views)

    def _thread_of(self, step: Json) -> _Thread:
        """A step of a subagent that stands among the main agent's is one of a thread of its own (atif.md §12-7)."""
        extra = step.get("extra")
        if type(extra) is not dict or extra.get("is_sidechain") is not True:
            return self._main
        agent = extra.get("agent_id")
        key = agent if type(agent) is str else None
        found = self._sidechains.get(key)
        if found is None:
            outer = f"{self._main.name}/" if self._main.name else ""
            found = self._sidechains[key] = _Thread(f"{outer}{SIDECHAIN}{len(self._sidechains) + 1}")
        return found

    def _continuation(self) -> None:
        node = f"{self._prefix}continuation"
        members = self._reading.take("continuation", node, self._at, self._tree)
        known = {"topic": "continuation", "actor": "harness", "authority_class": "harness", **_undetermined(FOLLOWS)}
        source = (self._reading, (*self._at, "continued_trajectory_ref"))
        self._draft.node(node, "event", _of(self._main, merged(known, members)), source)

    # --- what the steps use ------------------------------------------------------------------------------------

    @property
    def draft(self) -> Draft:
        return self._draft

    @property
    def reading(self) -> Reading:
        return self._reading

    @property
    def has_model(self) -> bool:
        """Whether the agent names a model for the steps that name none."""
        return self._has_model


FOLLOWS = "it stands at the end of the trajectory"


def _asked_by(step: Json, calls: int | None) -> Json:
    """Who asked for the calls of a step, and gave work away in it (spec: DESIGN.md §2, law 6)."""
    source = step.get("source")
    if source == "agent" and step.get("is_copied_context") is True:
        return {"actor": "agent", "authority_class": "unknown"}
    if source == "agent":
        by = "harness" if calls == 0 else "agent"
        return {"actor": by, "authority_class": by}
    return {"actor": "system", "authority_class": "harness"} if source == "system" else _NOBODY


_NOBODY = {"actor": "unknown", "authority_class": "unknown"}


def _undetermined(reason: str) -> Json:
    return {"parents": {"status": "undetermined", "reason": reason}}


def _of(thread: _Thread, members: Json) -> Json:
    return {"thread_id": thread.name, **members} if thread.name else members


class _Step:
    """One step: the nodes that it becomes, and their edges."""

    def __init__(self, steps: Steps, step: Json, at: At, name: str, thread: _Thread) -> None:
        self._draft = steps.draft
        self._reading = steps.reading
        self._has_model = steps.has_model
        self._step = step
        self._at = at
        self._name = name
        self._thread = thread
        self._is_copied = step.get("is_copied_context") is True
        self._kept = kept(step, "llm_call_count")
        self._own = OwnOfStep(steps.reading, step, at)
        count = self._kept.get("llm_call_count", step.get("llm_call_count"))
        self._calls = count if type(count) is int else None
        self._by = _asked_by(step, self._calls)
        self._actions: dict[Any, list[str]] = {}
        self._effects: dict[str, str] = {}
        self._asked: dict[str, tuple[At, Json]] = {}  # each call by its node
        self._nameless: set[Any] = set()  # ids of calls that have none in the source of the document

    def read(self) -> None:
        source = self._step.get("source")
        beside = kept(self._step, "kind").get("kind") if source == "system" else None
        if type(beside) is str and beside in ("event", "terminal"):
            self._node(self._name, beside, "step beside the turns", self._by)
        elif self._own.is_lost_reply():
            self._lost_reply()
        elif source == "agent":
            self._decision()
        elif source in ("user", "system"):
            self._input(source)
        else:
            self._node(self._name, "event", "step of no known source", _NOBODY)
            self._draft.lose("unknown-source", "identity", "approximated", self._at, "a step of no known source")
            self._thread.context.add(self._name)
        if source != "agent":
            self._thread.answers = []
            self._read_calls()  # where they should not be, and yet are
        observed = self._results()
        if source == "agent":
            self._thread.answers = [] if self._is_copied else observed
        self._boundary(source, observed)

    # --- nodes -------------------------------------------------------------------------------------------------

    def _node(self, name: str, kind: str, place: str, known: Json, at: At = (), source: Any = None) -> Json:
        """A node for this step, or for an object below it when `source` is given."""
        where = (*self._at, *at)
        given = self._step if source is None else source
        origin = self._at if place == "reasoning" else where
        own = self._own.members(place, name, at, given)
        if source is None and place != "reasoning" and self._kept:
            place = as_kept(place)
        members = merged(merged(known, self._reading.take(place, name, origin, given)), own)
        if source is None and place != "reasoning":
            self._time(members)
        if self._is_copied and kind != "input":
            members = {**_undetermined(COPIED), **members}
            if kind in ("decision", "action", "reasoning_summary"):
                members.setdefault("training", {"target": False, "reason": COPIED})
        return self._draft.node(name, kind, _of(self._thread, members), (self._reading, where))

    def _time(self, members: Json) -> None:
        if self._step.get("timestamp") is not None and "timestamp" not in members:
            members["timestamp"] = _marker("unavailable", "the source gives no time of RFC 3339, which has a zone")
            at = (*self._at, "timestamp")
            self._draft.lose("unusable-time", "timing", "dropped", at, "a time without a zone, or of another form")

    def _input(self, source: str) -> None:
        authority = "harness" if source == "system" else "unknown"  # harnesses speak as users, too
        self._node(self._name, "input", "input", {"actor": source, "authority_class": authority})
        self._thread.context.add(self._name)

    def _decision(self) -> None:
        is_call = not self._is_copied and self._calls != 0
        known: Json = {"actor": "agent", "authority_class": "model"}
        if is_call:
            known["state_view"] = self._thread.context.view(self._draft)
            if not self._has_model and type(self._step.get("model_name")) is not str:
                known["model_call"] = {"availability": "unavailable", "reason": "the source names no model"}
        elif self._is_copied:
            known |= {"authority_class": "unknown", "state_view": _marker("unavailable", COPIED)}
        else:
            reason = "no model was called"
            known = {"actor": "harness", "authority_class": "harness", "state_view": _marker("not_applicable", reason)}
            known["model_call"] = {"availability": "not_applicable", "reason": reason}
        reasoning = self._reasoning({name: known[name] for name in ("actor", "authority_class")})
        self._node(self._name, "decision", "decision" if is_call else "step without a model call", known)
        self._thread.context.add(self._name)
        if reasoning and not self._is_copied:
            self._draft.edge(reasoning, self._name, "recorded", "depends_on")
        if is_call:
            for answer in self._thread.answers:
                self._draft.edge(answer, self._name, "turn_order", "triggered_by")
        if self._calls is not None and self._calls > 1:
            detail = "several model calls in one step: one decision stands for them, and its usage is a sum"
            at = (*self._at, *(KEPT if self._kept else ()), "llm_call_count")
            self._draft.lose("several-calls", "span_vs_node", "approximated", at, detail)
        self._read_calls()

    def _lost_reply(self) -> None:
        """A reply that was not kept: a model was called, and what it said is in no document (spec: traj.md §7.5)."""
        known: Json = {"actor": "agent", "authority_class": "model", "payload": {"content": unavailable(_LOST)}}
        known["state_view"] = self._thread.context.view(self._draft)
        self._node(self._name, "decision", "lost reply", known)

    def _reasoning(self, by: Json) -> str:
        text = self._step.get("reasoning_content")
        if type(text) is not str or not text:
            return ""
        name = f"{self._name}:reasoning"
        self._node(name, "reasoning_summary", "reasoning", by, ("reasoning_content",))
        return name

    def _read_calls(self) -> None:
        calls = self._step.get("tool_calls")
        for position, call in enumerate(calls if type(calls) is list else ()):
            at = ("tool_calls", position)
            if type(call) is not dict:
                self._lose("unreadable-call", at, "a tool call that is no object")
                continue
            name = f"{self._name}:call:{position + 1}"
            known: Json = {**self._by, "action": {"kind": "tool_call"}}
            if not self._is_copied:
                known["admission"] = {"status": "unknown"}  # ATIF does not record admissions
            place = self._own.call_place(at, call)
            self._node(name, "action", place, known, at, call)
            self._asked[name] = (at, call)
            self._thread.context.add(name)
            identity = call.get("tool_call_id")
            if type(identity) is str:
                self._actions.setdefault(identity, []).append(name)
                if place != "call":
                    self._nameless.add(identity)
            if not self._is_copied and self._step.get("source") == "agent":
                self._draft.edge(self._name, name, "recorded")
            if not self._is_copied and self._own.has_effect(at, call):
                self._effect(name, at, f"call:{position + 1}")
        for number, (where, one) in enumerate(self._own.proposals(), 1):
            self._proposal(f"{self._name}:proposal:{number}", where, one)

    def _proposal(self, name: str, where: At, own: Json) -> str:
        """A call that was refused: nothing was done (spec: traj.md §7.3)."""
        members = {**self._by, **self._reading.take("proposal", name, where, own)}
        self._draft.node(name, "proposal", _of(self._thread, members), (self._reading, where))
        if not self._is_copied and self._step.get("source") == "agent":
            self._draft.edge(self._name, name, "recorded")
        return name

    # --- results -----------------------------------------------------------------------------------------------

    def _results(self) -> list[str]:
        """The observations of the step."""
        observation = self._step.get("observation")
        results = observation.get("results") if type(observation) is dict else None
        observed: list[str] = []
        for position, result in enumerate(results if type(results) is list else ()):
            at = ("observation", "results", position)
            if type(result) is not dict:
                self._lose("unreadable-result", at, "a result that is no object")
                continue
            call = self._call_of(result, at)
            if type(result.get("content")) in (str, list) or type(result.get("source_call_id")) is str:
                observed.append(self._observation(result, at, position, call))
            self._delegations(result, at, position, call)
        return observed

    def _call_of(self, result: Json, at: At) -> str:
        """The call that a result names; "" where it names none, or none that can be told."""
        identity = result.get("source_call_id")
        found = self._actions.get(identity, []) if type(identity) is str else []
        if len(found) == 1:
            return "" if self._is_copied else found[0]
        if self._actions and not self._is_copied:
            detail = "a result that names none of the step's calls, or a name that two of them have"
            where = (*self._at, *at)
            self._draft.lose("unlinked-result", "order_vs_causality", "approximated", where, detail)
        return ""

    def _observation(self, result: Json, at: At, position: int, call: str) -> str:
        name = f"{self._name}:result:{position + 1}"
        if call:
            effect = self._effect(call, at, f"{position + 1}")
            self._draft.edge(effect, name, "call_id")
        refused = self._own.refused(at, result)
        if refused is not None and not call:
            self._draft.edge(self._proposal(f"{name}:proposal", *refused), name, "recorded")
        known = {"actor": "environment", "authority_class": "unknown"}
        is_nameless = result.get("source_call_id") in self._nameless if call else False
        place = "result of a call without an id" if is_nameless else "result"
        self._node(name, "observation", place, known, at, result)
        self._thread.context.add(name)
        return name

    def _effect(self, call: str, at: At, tag: str) -> str:
        """That something was done, known by its result alone; whether it reached outside is not told (law 6)."""
        found = self._effects.get(call)
        if found is None:
            found = self._effects[call] = f"{self._name}:effect:{tag}"
            members = {
                "source_refs": [f"{self._reading.artifact}#{pointer_of((*self._at, *at))}"],
                "actor": "environment",
                "authority_class": "unknown",
                "effect": {"receipt_status": "none_authoritative"},
            }
            members = merged(members, self._own.members("effect", found, *self._asked[call]))
            self._draft.node(found, "effect", _of(self._thread, members))
            self._draft.edge(call, found, "call_id")
        return found

    def _delegations(self, result: Json, at: At, position: int, call: str) -> None:
        references = result.get("subagent_trajectory_ref")
        for number, reference in enumerate(references if type(references) is list else ()):
            where = (*at, "subagent_trajectory_ref", number)
            if type(reference) is not dict:
                self._lose("unreadable-reference", where, "a reference to a subagent that is no object")
                continue
            name = f"{self._name}:subagent:{position + 1}:{number + 1}"
            known: Json = {**self._by, "payload": {}}
            place = "subagent reference"
            place = as_kept(place) if kept(reference, "trajectory_id") else place
            self._node(name, "delegation", place, known, where, reference)
            if call:
                self._draft.edge(call, name, "call_id")

    def _lose(self, code: str, at: At, detail: str) -> None:
        self._draft.lose(code, "other", "dropped", (*self._at, *at), detail)

    # --- context -----------------------------------------------------------------------------------------------

    def _boundary(self, source: Any, observed: list[str]) -> None:
        extra = self._step.get("extra")
        if type(extra) is not dict or extra.get("context_management") is None:
            return
        management = extra["context_management"]
        boundary = management.get("boundary") if type(management) is dict else None
        context = self._thread.context
        if source != "system" or boundary not in ("replace", "append"):
            context.lose("a context boundary before the decision does not say what it left")
            self._view_loss("unknown-context", "what the context held after this boundary is not recorded")
        elif boundary == "replace":
            kept = [name for name in observed if self._has_content(name)]
            context.replace(kept)
            if not kept:
                self._view_loss("empty-boundary", NOT_REPLACED)

    def _has_content(self, name: str) -> bool:
        position = int(name.rpartition(":")[2]) - 1
        return bool(self._step["observation"]["results"][position].get("content"))

    def _view_loss(self, code: str, detail: str) -> None:
        at = (*self._at, "extra", "context_management")
        self._draft.lose(code, "message_vs_state_view", "approximated", at, detail)
