"""What the parts of reading a run share: the draft, the messages, what waits for the next decision, and the view."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from attraj.formats.mapping.draft import Draft
from attraj.formats.mapping.fields import At, Json, Reading, merged
from attraj.formats.mini_swe_agent.places import says
from attraj.formats.mini_swe_agent.turns import Call, Run, Turn, is_submission

AGENT: Json = {"actor": "agent", "authority_class": "agent"}
MODEL: Json = {"actor": "agent", "authority_class": "model"}
HARNESS: Json = {"actor": "runtime:mini-swe-agent", "authority_class": "harness"}
RUNTIME: Json = {"actor": "runtime:mini-swe-agent", "authority_class": "runtime"}
TOOL: Json = {"actor": "tool", "authority_class": "external"}
PRINCIPAL: Json = {"actor": "principal", "authority_class": "principal"}
TIMES = ("time", "time in 1.x")
COSTS = ("cost", "cost of the provider")
UNKNOWN: Json = {"actor": "unknown", "authority_class": "unknown"}
SUBMITTED = "Submitted"  # the exit status of a run that its agent handed in


@dataclass(slots=True)
class Scene:
    """One run while it is read.

    Attributes:
        draft, reading: What is filled, and from what.
        messages, at: The messages and the place of their array.
        run: What `turns` tells of them.
        status: The exit status; None when the document has none that says something.
        has_text_calls: Replies say their calls in their texts alone (1.x).
        waiting: (cause, relation, basis) of what the next decision follows from.
        actions: Call to its node, for the calls that were read.
        decisions: Position of a message to the node of its decision.
        ran: Calls of which something shows that they ran, by their node; to the node of the effect. Of a call in a
            text, by the node of the reply, to the last node before a result.
        unanswered: Nodes of calls without a result.
        interrupts_after: Position of a turn to what broke into the loop between it and the next one.
    """

    draft: Draft
    reading: Reading
    messages: list[Any]
    at: At
    run: Run
    status: str | None = None
    has_text_calls: bool = False
    turns: dict[int, Turn] = field(default_factory=dict)
    answers: dict[int, tuple[Turn, Call]] = field(default_factory=dict)
    waiting: list[tuple[str, str, str]] = field(default_factory=list)
    actions: dict[int, str] = field(default_factory=dict)
    decisions: dict[int, str] = field(default_factory=dict)
    ran: dict[str, str] = field(default_factory=dict)
    unanswered: list[str] = field(default_factory=list)
    interrupts_after: dict[int, set[str]] = field(default_factory=dict)
    _base: str = ""
    _size: int = 0
    _added: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.turns = {turn.position: turn for turn in self.run.turns}
        self.answers = {
            call.result: (turn, call) for turn in self.run.turns for call in turn.calls if call.result is not None
        }
        pending = iter(self.run.turns)
        after, last = next(pending, None), None
        for interrupt in self.run.interrupts:
            while after is not None and after.position < interrupt.position:
                after, last = next(pending, None), after
            if last is not None:
                self.interrupts_after.setdefault(last.position, set()).add(interrupt.kind)

    def place_of(self, position: int, *below: str | int) -> At:
        """Where a message stands, or a part of it."""
        return (*self.at, position, *below)

    def is_submitted_by(self, turn: Turn, command: str) -> bool:
        """Whether a command of this turn ended the run: the harness records no result for it."""
        return turn is self.run.turns[-1] and self.status == SUBMITTED and is_submission(command)

    def take(self, place: str, node_id: str, at: At, source: Any) -> Json:
        """The members that a place gives to a node."""
        return self.reading.take(place, node_id, at, source)

    def first(self, places: tuple[str, ...], node_id: str, at: At, source: Any) -> Json:
        """The members that the first of these places gives which has something to say."""
        place = next((one for one in places if says(one, source)), None)
        return {} if place is None else self.take(place, node_id, at, source)

    def node(self, node_id: str, kind: str, known: Json, members: Json, at: At) -> str:
        """Add a node; gives its identity back."""
        self.draft.node(node_id, kind, merged(known, members), (self.reading, at))
        return node_id

    def in_context(self, node_id: str) -> None:
        """The message that this node stands for is sent with every later call of the model."""
        self._added.append(node_id)

    def view(self) -> str:
        """The state of what was sent: every message so far. It is rebuilt: the file keeps no requests."""
        refs = [{"node_id": node_id} for node_id in self._added]
        content: Json = {"view": refs}
        if self._base:
            patch = [{"op": "add", "path": f"/{self._size + i}", "value": ref} for i, ref in enumerate(refs)]
            content = {"base_state": self._base, "delta": patch}
        self._size += len(refs)
        self._added = []
        state = f"state:{len(self.draft.states) + 1}"
        self._base = self.draft.state(state, "state_view", "included", {**content, "reconstructed": True})
        return self._base

    def decide(self, node_id: str, members: Json, at: At, status: str = "") -> str:
        """Add a decision with its view, and the edges by which the loop led to it."""
        known: Json = {**MODEL, "state_view": self.view()}
        if status:
            known["status"] = status
        if "model_call" not in members and "models" not in self.draft.bindings:
            reason = "the document does not say which model was called"
            known["model_call"] = {"availability": "unavailable", "reason": reason}
        self.node(node_id, "decision", known, members, at)
        for cause, relation, basis in self.waiting:
            self.draft.edge(cause, node_id, basis, relation)
        self.waiting = []
        return node_id
