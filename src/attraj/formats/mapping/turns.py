"""A Bundle → turns in order, for writers of formats that are transcripts.

A thread is what one agent, attempt or segment did, in the order of `sequence`; a turn is an input, a decision with the
calls it asks for and what came back, or something that stands alone. What belongs together is told by edges; only what
no edge says is told by the order, and no order is written as a cause.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from attraj.bundle.model import Bundle, text
from attraj.formats.mapping.held import Ledger, Part
from attraj.formats.mapping.words import result_at
from attraj.jsonio import MISSING

_Known = TypeVar("_Known")
_CALLS = frozenset({"action", "proposal"})
_ANSWERS = frozenset({"observation", "effect_receipt"})


@dataclass(slots=True)
class CallTurn:
    """One call and what came of it.

    Attributes:
        action: The node that holds `action`; an action, a proposal, or a decision that holds its call itself.
        effects: Nodes that say that something was done.
        observations: What came back, each linked to this call by edges.
        delegations: Work that the call gave to other threads.
    """

    action: Part
    effects: list[Part] = field(default_factory=list)
    observations: list[Part] = field(default_factory=list)
    delegations: list[Part] = field(default_factory=list)


@dataclass(slots=True)
class Turn:
    """One input, one decision, or one node that stands alone.

    Attributes:
        kind: "input", "decision", "terminal", or the node's own kind; "call" for a call that no decision asks for,
            which is its own only call.
        node: The node itself.
        reasoning: Nodes of kind reasoning_summary that lead to the decision.
        calls: In their order.
        loose: Observations that stand with this turn and that no edge links to a call.
        delegations: Work given away by the decision itself.
    """

    kind: str
    node: Part
    reasoning: list[Part] = field(default_factory=list)
    calls: list[CallTurn] = field(default_factory=list)
    loose: list[Part] = field(default_factory=list)
    delegations: list[Part] = field(default_factory=list)


@dataclass(slots=True)
class Thread:
    """The turns of one agent, attempt or segment. `name` is its `thread_id`, "" for the main one."""

    name: str
    turns: list[Turn] = field(default_factory=list)


def threads(bundle: Bundle, ledger: Ledger) -> list[Thread]:
    """The threads of a Bundle in the order of their first nodes, the main one first when it has any node.

    Args:
        bundle: Never modified.
        ledger: For the parts of it that are handed out.
    """
    found: dict[str, Thread] = {}
    reader = _Reader(bundle, ledger)
    for position in order_of(bundle):
        node = bundle.items("nodes")[position]
        name = text(node, "thread_id") or ""
        thread = found.setdefault(name, Thread(name))
        reader.add(thread, Part(node, ("nodes", position), ledger))
    for thread in found.values():
        reader.close(thread)
    return sorted(found.values(), key=lambda thread: thread.name != "")


def apart(turns: Iterable[Turn]) -> Iterator[Turn]:
    """The turns, with calls on their own that stand beside a turn which did not ask for them: those of a person."""
    for turn in turns:
        if turn.kind == "call":
            yield turn
            continue
        is_asking = turn.kind == "decision"
        own = [call for call in turn.calls if is_asking and (is_own(turn, call) or not _is_of_a_person(call))]
        others = [call for call in turn.calls if not any(call is one for one in own)]
        yield replace(turn, calls=own) if others else turn
        for call in others:
            yield Turn("call", call.action, calls=[call])


def is_own(turn: Turn, call: CallTurn) -> bool:
    """Whether a decision holds the call itself: one node stands for both (spec: bundle.md §4.6)."""
    return call.action.at == turn.node.at


def _is_of_a_person(call: CallTurn) -> bool:
    return bool(call.action.peek("authority_class") == "principal")


def order_of(bundle: Bundle) -> list[int]:
    """Positions of the nodes by `sequence`; a node without one stays where it stands."""
    keys: list[tuple[int, int]] = []
    last = -1
    for position, node in bundle.objects("nodes"):
        sequence = node.get("sequence")
        last = sequence if type(sequence) is int else last
        keys.append((last, position))
    return [position for _, position in sorted(keys)]


class _Reader:
    """Puts node after node where it belongs."""

    def __init__(self, bundle: Bundle, ledger: Ledger) -> None:
        self._ledger = ledger
        self._causes: dict[str, list[tuple[str, int]]] = {}
        decisions = {text(node, "node_id") for _, node in bundle.objects("nodes") if node.get("kind") == "decision"}
        self._leads: dict[str, dict[str, int]] = {}  # cause → the decisions that follow from it, by which edge
        for position, edge in bundle.objects("edges"):
            cause, effect = edge.get("from"), edge.get("to")
            if type(cause) is str and type(effect) is str:
                self._causes.setdefault(effect, []).append((cause, position))
                if effect in decisions:
                    self._leads.setdefault(cause, {})[effect] = position
        self._calls: dict[str, CallTurn] = {}  # action, admission, effect or receipt → the call
        self._promised: dict[str, CallTurn] = {}  # node that a receipt names as its result → the call
        self._turns: dict[str, Turn] = {}
        self._reasoning: dict[str, list[Part]] = {}  # thread → reasoning that waits for its decision

    def add(self, thread: Thread, part: Part) -> None:
        kind = text(part.record, "kind") or "event"
        name = text(part.record, "node_id") or ""
        if kind == "reasoning_summary":
            self._think(thread, part, name)
        elif kind == "decision":
            turn = Turn("decision", part, self._reasoning_for(thread, name))
            thread.turns.append(turn)
            self._turns[name] = turn
            if type(part.peek("action")) is dict:
                self._calls[name] = CallTurn(part)
                turn.calls.append(self._calls[name])
        elif kind in _CALLS:
            turn = self._turn_of(name) or self._last(thread) or self._alone(thread, part, "call")
            call = CallTurn(part)
            turn.calls.append(call)
            self._calls[name] = call
        elif kind == "effect" or _is_receipt_alone(kind, part):
            self._effect(thread, part, name, kind)
        elif kind in _ANSWERS:
            self._answer(thread, part, name)
        elif kind == "delegation":
            call_of = self._call_of(name)
            turn_of = self._turn_of(name) or self._last(thread)
            if call_of is not None:
                call_of.delegations.append(part)
            elif turn_of is not None:
                turn_of.delegations.append(part)
            else:
                self._alone(thread, part, "delegation")
        else:
            between = self._call_of(name) if kind == "admission" else None
            if between is not None:
                self._calls[name] = between  # what follows from it follows from the call
            self._alone(thread, part, kind)

    def close(self, thread: Thread) -> None:
        """Reasoning that no decision followed stands alone."""
        for part in self._reasoning.pop(thread.name, []):
            self._alone(thread, part, "reasoning_summary")

    def _think(self, thread: Thread, part: Part, name: str) -> None:
        for decision, position in self._leads.get(name, {}).items():
            if decision in self._turns:
                self._ledger.used.add(("edges", position))
                self._turns[decision].reasoning.append(part)
                return
        self._reasoning.setdefault(thread.name, []).append(part)

    def _reasoning_for(self, thread: Thread, decision: str) -> list[Part]:
        """What waits for this decision by an edge, and what waits for any."""
        found: list[Part] = []
        left: list[Part] = []
        for part in self._reasoning.pop(thread.name, []):
            leads = self._leads.get(text(part.record, "node_id") or "", {})
            if decision in leads:
                self._ledger.used.add(("edges", leads[decision]))
            (left if leads and decision not in leads else found).append(part)
        if left:
            self._reasoning[thread.name] = left
        return found

    def _effect(self, thread: Thread, part: Part, name: str, kind: str) -> None:
        """Put an effect to its call: by its edges, else by the receipt, which names its cause and its result."""
        receipt = part.peek("receipt")
        cause, result = (_named(receipt, member) for member in ("causal_id", "result_ref"))
        call = self._call_of(name) or (self._calls.get(cause) if cause else None)
        if call is None:
            self._alone(thread, part, kind)
            return
        call.effects.append(part)
        self._calls[name] = call
        if result:
            self._promised[result] = call

    def _answer(self, thread: Thread, part: Part, name: str) -> None:
        call = self._call_of(name) or self._promised.get(name)
        if call is not None:
            call.observations.append(part)
            if part.peek("kind") == "effect_receipt":
                self._calls[name] = call
            return
        turn = self._turn_of(name) or self._last(thread)
        if turn is None:
            turn = self._alone(thread, part, "observation")
        else:
            turn.loose.append(part)

    def _alone(self, thread: Thread, part: Part, kind: str) -> Turn:
        turn = Turn(kind, part)
        thread.turns.append(turn)
        return turn

    def _last(self, thread: Thread) -> Turn | None:
        return thread.turns[-1] if thread.turns else None

    def _call_of(self, name: str) -> CallTurn | None:
        return self._first(name, self._calls)

    def _turn_of(self, name: str) -> Turn | None:
        return self._first(name, self._turns)

    def _first(self, name: str, known: dict[str, _Known]) -> _Known | None:
        for cause, position in self._causes.get(name, ()):
            if cause in known:
                self._ledger.used.add(("edges", position))  # what is written keeps it by standing together
                return known[cause]
        return None


def _named(receipt: Any, member: str) -> str:
    name = receipt.get(member) if type(receipt) is dict else None
    return name if type(name) is str else ""


def _is_receipt_alone(kind: str, part: Part) -> bool:
    """Whether a node is the receipt of an effect, and no result beside it."""
    return kind == "effect_receipt" and part.peek(*result_at(part)) in (MISSING, None)
