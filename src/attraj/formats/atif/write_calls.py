"""The calls of one step, and what came of them.

A call is written with its results when edges say that they are its own; what was refused is no call, and stands in
the `extra` of its result or its step. Source: ATIF RFC 0001; spec traj.md §7.3, react-web.md §5.2; decisions 33.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from attraj.bundle.markers import is_marker, status_of
from attraj.bundle.model import Bundle
from attraj.bundle.vocabulary import REFUSALS
from attraj.formats.atif.write_content import content, withheld
from attraj.formats.mapping.fields import Json, is_same
from attraj.formats.mapping.held import Held, Ledger, Made, Part
from attraj.formats.mapping.turns import CallTurn, order_of
from attraj.formats.mapping.words import result_at
from attraj.jsonio import MISSING

WITH_EXTRAS = 7  # the version that brought `extra` on calls and results
_Id = Held | Made | None


@dataclass(slots=True)
class Scribe:
    """What steps are written with: one for all documents of a Bundle, each of which it is told to `begin`.

    Attributes:
        version: Minor version of ATIF.
        strips_thoughts: Reasoning is left out, and each piece of it is a loss.
        refer: Gives the reference to the subagent that a delegation names; None where it is not here.
        is_ours: The Bundle was read from a document, and who acted is told of by our own words for it.
        has_iterations: Its source is ReAct web JSON, whose order and numbers are kept in `extra` (react-web.md §5.3).
        has_calls: Its source records one call of a model for each decision (spec: traj.md §7.3, react-web.md §5.2).
        call_ids: Those of the calls of the document so far.
        has_unlinked: A result of the document was written that names no call although its step has some.
    """

    bundle: Bundle
    ledger: Ledger
    version: int
    strips_thoughts: bool
    refer: Callable[[Part], Json | None]
    is_ours: bool
    has_calls: bool = False
    has_iterations: bool = False
    has_unlinked: bool = False
    call_ids: set[str] = field(default_factory=set)
    _states: dict[str, int] = field(default_factory=dict)
    _ranks: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._states = {
            one["state_id"]: position
            for position, one in self.bundle.objects("states")
            if type(one.get("state_id")) is str
        }
        self._ranks = {position: rank for rank, position in enumerate(order_of(self.bundle))}

    def begin(self) -> None:
        """Begin a document, of which nothing is written yet."""
        self.has_unlinked = False
        self.call_ids = set()

    def rank(self, node: Part) -> int:
        """Where a node stands among all, by `sequence`."""
        position = node.at[1]
        return self._ranks.get(position, -1) if type(position) is int else -1

    def told(self, node: Part) -> Json:
        """What a node says by standing where it stands; who acted, where the Bundle has its own words for it."""
        node.get("kind")
        if self.is_ours:
            node.get("actor")
            node.get("authority_class")
            return {}
        return {member: node.hold(member) for member in ("actor", "authority_class")}

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


class Calls:
    """Collects `tool_calls` and `observation.results` of a step.

    Args:
        scribe: What it is written with.
        node: Of the step itself.
        number: Of the step; ids that have to be made up begin with it.
        clock: The logical clock that the step says by its number.
        extra: Of the step, for what has no place of its own.
    """

    def __init__(self, scribe: Scribe, node: Part, number: int, clock: Held | None, extra: Json) -> None:
        self._scribe = scribe
        self._node = node
        self._number = number
        self._clock = clock
        self._extra = extra
        self._ids: set[str] = set()
        self._repeated: dict[Any, Held] = {}  # id that was made for a call → the one that it shares with another
        self.keeps_order = False  # among calls and results: it is not that of each call and its results
        self.calls: list[Json] = []
        self._results: list[tuple[int, Json]] = []  # by the rank of their nodes

    def call(self, turn: CallTurn) -> None:
        """Write a call with what came of it."""
        action = turn.action
        status = action.peek("admission", "status")
        if action.peek("kind") == "proposal" or (type(status) is str and status in REFUSALS):
            self.refused(turn)
            return
        extra = {**self._told(action), **self._call_extra(turn)}
        identity = self._call_id(action, extra)
        if type(identity) is Made and not identity.origins:
            extra["synthetic_call"] = True
        arguments, odd = _arguments(action)
        if odd:
            extra["arguments"] = odd
        function = _function(action)
        if type(function) is Made and action.peek("action", "kind") == "shell_command":
            extra["kind"] = action.hold("action", "kind")
        self.calls.append(
            {
                "tool_call_id": identity,
                "function_name": function,
                "arguments": arguments,
                "extra": self._placed(extra, "calls", len(self.calls)),
            }
        )
        self.answers(turn, identity)

    def answers(self, turn: CallTurn, identity: _Id) -> None:
        """Write what came of a call."""
        start = len(self._results)
        for observation in turn.observations:
            self.result(observation, identity)
        self.delegate(turn.delegations, identity, start)

    def refused(self, turn: CallTurn) -> None:
        """A proposal that was not admitted is no call (spec: traj.md §7.3)."""
        action = turn.action
        besides = self._besides(action) if action.at != self._node.at else {}
        extra: Json = {**self._told(action), **besides, "admission": action.hold("admission")}
        extra["proposed_action"] = action.hold("action")
        is_answered = bool(turn.observations) and self._scribe.version >= WITH_EXTRAS
        if not is_answered:
            self._extra.setdefault("proposals", []).append(extra)
        for position, observation in enumerate(turn.observations):
            self.result(observation, None, extra if is_answered and position == 0 else None)
        self.delegate(turn.delegations)

    def answered(self) -> list[Json]:
        """`observation.results`, in the order in which they came; no more of them may be written."""
        results = [one for _, one in sorted(self._results, key=itemgetter(0))]
        for position, one in enumerate(results):
            one["extra"] = self._placed(one["extra"], "results", position)
        return results

    def result(self, node: Part, identity: _Id, extra: Json | None = None) -> _Id:
        """Write an observation as a result; of a call that it names itself where no edge says one. Gives its call."""
        path = result_at(node)
        besides = {**self._told(node), **self._besides(node, path)} if node.at != self._node.at else {}
        own = node.hold("payload", "source_call_id")
        shared = [one.value for one in self._repeated.values()]  # ids of several calls of the step: it names neither
        if identity is None and own is not None and own.value in self._ids and own.value not in shared:
            identity = own
        said = self._repeated.get(identity.value, identity) if identity is not None else None
        if isinstance(said, Held) and node.agrees(said, "payload", "source_call_id"):
            besides.pop("source_call_id", None)
        written: Json = {
            "source_call_id": identity,
            "content": content(node, *path, version=self._scribe.version),
            "extra": _beside(besides, extra or {}),
        }
        self._results.append((self._scribe.rank(node), written))
        return identity

    def delegate(self, nodes: list[Part], identity: _Id = None, start: int | None = None) -> None:
        """Write references to subagents, in the result of their call where it has one."""
        references = [one for one in map(self._scribe.refer, nodes) if one is not None]
        if not references:
            return
        if start is not None and start < len(self._results):
            self._results[start][1]["subagent_trajectory_ref"] = references
        else:
            written: Json = {"source_call_id": identity, "subagent_trajectory_ref": references, "extra": {}}
            self._results.append((self._scribe.rank(nodes[0]), written))

    # --- parts of them -----------------------------------------------------------------------------------------

    def _told(self, node: Part) -> Json:
        if node.peek("action", "kind") in ("tool_call", "shell_command"):
            node.get("action", "kind")
        found = {} if node.at == self._node.at else self._scribe.told(node)
        if self.keeps_order:
            found["place"] = node.hold("sequence")
        clock = node.peek("logical_clock")
        if self._clock is not None and is_same(clock, self._clock.value):
            node.get("logical_clock")
        elif clock is not MISSING:
            found["iteration" if self._scribe.has_iterations else "logical_clock"] = node.hold("logical_clock")
        return found

    def _besides(self, node: Part, said: tuple[str, ...] = ()) -> Json:
        """When it was, what became of it, and what its payload says beside what stands at `said`."""
        found: Json = {name: node.hold(name) for name in ("timestamp", "status")}
        payload = node.peek("payload")
        for name in payload if type(payload) is dict else ():
            if type(name) is str and ("payload", name) != said:
                found[name] = node.hold("payload", name)
        return found

    def _placed(self, extra: Json, kind: str, position: int) -> Json | None:
        """`extra` of a call or a result where the version has it; else the step carries it, by its position."""
        kept = {name: one for name, one in extra.items() if one is not None}
        if not kept:
            return None
        if self._scribe.version >= WITH_EXTRAS:
            return {"attraj": kept}
        self._extra.setdefault(kind, {})[str(position)] = {"attraj": kept}
        return None

    def _call_id(self, action: Part, extra: Json) -> Held | Made:
        """The id of a call: its own, where the document has no other call of that id (copied steps repeat theirs)."""
        held = action.hold("action", "call_id")
        given = held if held is not None and type(held.value) is str and held.value else None
        is_copied = self._node.peek("payload", "is_copied_context") is True
        if (
            given is not None
            and (given.value not in self._scribe.call_ids or is_copied)
            and given.value not in self._ids
        ):
            self._take(given.value, "" if is_copied else given.value)
            return given
        name = f"call_{self._number}_{len(self.calls) + 1}"
        while name in self._scribe.call_ids:
            name += "_"
        self._take(name, name)
        if given is None:
            return Made(name, (), "call-ids", "identity", "synthesized", "ATIF asks for the id of a call")
        extra["call_id"] = given
        self._repeated[name] = given
        detail = "the id is that of an earlier call, too: ATIF asks for one of its own; the other stands beside"
        return Made(name, (given.origin,), "call-ids", "identity", "approximated", detail)

    def _take(self, name: str, of_document: str) -> None:
        self._ids.add(name)
        if of_document:
            self._scribe.call_ids.add(of_document)

    def _call_extra(self, turn: CallTurn) -> Json:
        """What a call has besides: whether it was admitted, what its effect measured."""
        action = turn.action
        extra: Json = self._besides(action) if action.at != self._node.at else {}
        if action.peek("admission") == {"status": "unknown"}:
            action.get("admission")
        else:
            extra["admission"] = action.hold("admission")
        if action.peek("action", "arguments") is not MISSING:
            extra["value"] = action.hold("action", "value")
        for part in (action, *turn.effects):
            for member in ("state_before", "state_after"):
                extra[member] = self._scribe.snapshot(part, member) or extra.get(member)
        for effect in turn.effects:
            self._told(effect)
            extra["effect"] = effect.hold("payload") or extra.get("effect")
            extra["receipt"] = effect.hold("receipt") or extra.get("receipt")
            extra["ran"] = effect.hold("effect", "request") or extra.get("ran")
            if effect.peek("effect", "receipt_status") == "none_authoritative" and turn.observations:
                effect.get("effect", "receipt_status")  # a result, and no receipt: that is what ATIF says
                effect.get("effect", "external")
        return extra


def _function(action: Part) -> Held | Made:
    held = action.hold("action", "name")
    if held is not None and type(held.value) is str:
        return held
    at = (*action.at, "action", "kind")
    if action.peek("action", "kind") == "shell_command":
        return Made("bash", (at,), "tool-names", "identity", "synthesized", "a command without the name of a tool")
    return Made("unknown", (at,), "tool-names", "identity", "synthesized", "ATIF asks for the name of a tool")


def _beside(result: Json, proposal: Json) -> Json:
    """What is known of a result and of the proposal that it answers, each as its own."""
    proposed = {name: one for name, one in proposal.items() if one is not None}
    both = {name: one for name, one in proposed.items() if result.get(name) is not None}
    return {**result, **{name: one for name, one in proposed.items() if name not in both}, "proposal": both or None}


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
