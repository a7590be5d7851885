"""ReAct web JSON → the Bundle: one decision for each iteration in which the model did something.

The format has no call ids, no views, no times and no receipts, and its results are its author's assertion: nothing of
these is filled in. Which observation belongs to which action is told by `pairing`. Source: react-web.md §4, §5.1.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from attraj.formats.mapping.draft import Draft, Settings
from attraj.formats.mapping.fields import At, Json, Reading, merged
from attraj.formats.react_web import pairing
from attraj.formats.react_web.calls import is_stripped
from attraj.formats.react_web.pairing import Confidence, Group
from attraj.formats.react_web.places import PLACES as PLACES
from attraj.formats.react_web.places import is_ending, status_of
from attraj.jsonio import Document

_MODEL: Json = {"actor": "agent", "authority_class": "model"}
_TOOL: Json = {"actor": "tool", "authority_class": "external"}
_OF_MODEL = frozenset({"thought", "action", "answer"})
_TYPES = _OF_MODEL | {"observation"}
_CUT = ("max_tokens", "截断", "truncated", "length limit")
_LONGEST_NOTE = 200  # characters: a note is one sentence
_NOT_IN_FORMAT = (
    ("state_views", "the format has no context: what the model saw is not recorded"),
    ("system_prompt", "the format has no system prompt"),
    ("tool_definitions", "the format has no tool definitions"),
    ("call_ids", "the format has no call ids"),
    ("call_times", "the format has no time of a step"),
    ("per_call_usage", "the format has no tokens and no cost"),
    ("effect_receipts", "the format has no receipts"),
)


def read(document: Document, settings: Settings) -> Draft:
    """One document as a Bundle in the making; a bare list of steps is one as well."""
    tree: Any = document.tree
    draft = Draft("react-web", settings)
    draft.turn_basis = "loop_semantics"
    draft.source["implementation"] = "unknown (ReAct web JSON)"
    reading = draft.read(tree, document.raw, os.path.basename(document.path), "", PLACES)
    for word, reason in _NOT_IN_FORMAT:
        draft.omit(word, reason)
    draft.reasons.append("the format holds no context, ids, times, usage or receipts")
    envelope: Json = tree if type(tree) is dict else {}
    at: At = ("steps",) if type(tree) is dict else ()
    steps = envelope.get("steps") if at else tree
    if type(steps) is not list:
        steps = []
        draft.lose("steps-unreadable", "other", "dropped", at, "the steps are no array")
    if not steps:
        draft.reasons.append("no steps recorded")
    _envelope(draft, reading, envelope)
    _Steps(draft, reading, steps, at, is_stripped(envelope.get("condition"))).read()
    _outcome(draft, reading, envelope)
    return draft


def _envelope(draft: Draft, reading: Reading, tree: Json) -> None:
    if type(tree.get("task")) is str:
        members = reading.take("task", "task", (), tree)
        who: Json = {"actor": "principal", "authority_class": "principal", "payload": {"role": "user"}}
        draft.node("task", "input", merged(who, members), (reading, ("task",)))
    if type(tree.get("model")) is str:
        draft.bindings["models"] = [reading.take("model", "/bindings/models/0", (), tree)]
    if type(tree.get("experiment")) is str:
        draft.bindings["tasks"] = [reading.take("experiment", "/bindings/tasks/0", (), tree)]


def _outcome(draft: Draft, reading: Reading, tree: Json) -> None:
    """The author's label: whose authority stands behind it is not known."""
    word = tree.get("outcome")
    if word is None or word == "":
        return  # as the page has it: not known
    answers = [node["node_id"] for node in draft.nodes if node.get("topic") == "answer"]
    outcome: Json = {
        "outcome_id": "outcome:0",
        "scope": ["task"],
        "producer": "annotation:recording",
        "authority_class": "unknown",
        "status": "unknown",
        "terminal": True,
        "evidence_refs": answers[-1:] or [node["node_id"] for node in draft.nodes[-1:]],
        "asserted_at": {"kind": "end of the recording"},
    }
    if status_of(word) is not None:
        outcome |= reading.take("outcome", "outcome:0", (), tree)
    elif is_ending(word):
        outcome["status"] = "failed"
        draft.scope["termination"] = reading.take("ending", "/scope/termination", (), tree)
    else:
        outcome |= reading.take("other outcome", "outcome:0", (), tree)
    draft.outcomes.append(outcome)
    detail = "a label that the author of the recording gave; nobody says by which authority"
    draft.lose("authors-label", "call_success_vs_outcome", "approximated", ("outcome",), detail)


class _Steps:
    """Reads the steps, iteration after iteration."""

    def __init__(self, draft: Draft, reading: Reading, steps: list[Any], at: At, is_told: bool) -> None:
        self.draft = draft
        self._reading, self._steps, self._at, self._is_told = reading, steps, at, is_told
        found = pairing.read(steps)
        self._groups = found.groups
        self._pairs = {pair.observation: pair for pair in found.pairs}
        self._answered = {pair.action: pair for pair in found.pairs if pair.action is not None}
        self._before: list[str] = []  # what the next decision follows from
        self._actions: list[str] = []  # of the iteration at hand
        self._results: list[str] = []
        self._unanswered: list[str] = []
        self._clocks: dict[str, int] = {}  # node → the step whose iteration it says

    def read(self) -> None:
        for position, step in enumerate(self._steps):
            if type(step) is not dict:
                self.draft.lose("not-a-step", "other", "dropped", (*self._at, position), "the step is no object")
        for number, group in enumerate(self._groups, 1):
            for part, positions in enumerate(_parts(group, self._kind), 1):
                self._part(f"iter:{number}" if part == 1 else f"iter:{number}/{part}", positions)
            self._before = self._results or self._actions or self._before
            self._results, self._actions = [], []
        self._account()

    def _part(self, decision: str, positions: list[int]) -> None:
        """Thoughts that come first, the decision that they lead to, and the rest in its order."""
        kinds = [self._kind(position) for position in positions]
        first = next((i for i, kind in enumerate(kinds) if kind != "thought"), len(kinds))
        self._count(positions, decision if not _OF_MODEL.isdisjoint(kinds) else "")
        for position in positions[:first]:
            self._thought(position)
        if not _OF_MODEL.isdisjoint(kinds):
            self._decide(decision, positions, positions[-1] if kinds[-1] == "answer" else None)
        for position, kind in zip(positions[first:], kinds[first:], strict=True):
            if kind == "thought":
                self._thought(position)
            elif kind == "action":
                self._action(position, decision)
            elif kind == "observation":
                self._observation(position)
            elif kind != "answer":  # an answer is the content of its decision
                known: Json = {"actor": "unknown", "authority_class": "unknown"}
                self._add("other step", _id(position), "event", position, known)

    def _decide(self, decision: str, positions: list[int], answer: int | None) -> None:
        view = f"view:{len(self.draft.states) + 1}"
        self.draft.state(view, "state_view", "unavailable", {"reason": "the format has no context"})
        known: Json = {**_MODEL, "state_view": view}
        place, position = ("", positions[0]) if answer is None else ("answer", answer)
        self._add(place, decision, "decision", position, known)
        if answer is not None and _is_cut(self._steps[answer].get("content")):
            reason = "the answer ends with a note that it was cut at a limit of its length"
            self.draft.omit("answer_tail", reason, 1, [decision])
        for position in positions:
            if self._kind(position) == "thought":
                self.draft.edge(_id(position), decision, "recorded", "depends_on")
        for cause in self._before:  # the loop says so, and no record
            self.draft.edge(cause, decision, "loop_semantics", "triggered_by")
        self._before = []

    def _count(self, positions: list[int], decision: str) -> None:
        """The number of the model call: a fact of its decision, which each step of the iteration repeats."""
        first: At = ()
        for position in positions:
            at, step = (*self._at, position), self._steps[position]
            is_other = self._kind(position) not in _TYPES  # no step of the call: its number is its own
            if step.get("iteration") is None:
                continue
            if not is_other and first and self._reading.repeats((*at, "iteration"), first):
                continue
            if decision and not first and not is_other:
                self._clocks[decision], first = position, (*at, "iteration")
            else:
                self._clocks[_id(position)] = position

    def _thought(self, position: int) -> None:
        self._add("thought", _id(position), "reasoning_summary", position, _MODEL)
        self.draft.disclosure["private_reasoning"] = "included"

    def _action(self, position: int, decision: str) -> None:
        known: Json = {
            "actor": "agent",
            "authority_class": "agent",
            "action": {"kind": "tool_call"},
            "admission": {"status": "unknown"},
        }
        self._add("action", _id(position), "action", position, known)
        self.draft.edge(decision, _id(position), "recorded")
        self._actions.append(_id(position))
        pair = self._answered.get(position)
        if pair is None:
            self._unanswered.append(_id(position))
        elif pair.confidence.is_exact:
            effect: Json = {"external": True, "receipt_status": "none_authoritative"}
            self._add("", f"{_id(position)}:effect", "effect", position, {**_TOOL, "effect": effect})
            self.draft.edge(_id(position), f"{_id(position)}:effect", "loop_semantics")
            detail = "that the call was admitted and ran is told by its result alone"
            self.draft.lose("effect-by-result", "request_vs_effect", "approximated", (*self._at, position), detail)

    def _observation(self, position: int) -> None:
        self._add("observation", _id(position), "observation", position, _TOOL)
        self._results.append(_id(position))
        pair, at = self._pairs[position], (*self._at, position)
        if pair.action is None:
            detail = "which action it answers cannot be told"
            self.draft.lose("unlinked-result", "order_vs_causality", "approximated", at, detail)
        elif pair.confidence.is_exact:
            self.draft.edge(f"{_id(pair.action)}:effect", _id(position), "loop_semantics")
        else:
            basis = "loop_semantics" if pair.confidence is Confidence.BY_POSITION else "turn_order"
            self.draft.edge(_id(pair.action), _id(position), basis)
            detail = "it may answer another action: the first that waits is taken"
            self.draft.lose("ambiguous-pairing", "order_vs_causality", "approximated", at, detail)

    def _add(self, place: str, node_id: str, kind: str, position: int, known: Json) -> None:
        at = (*self._at, position)
        members = self._reading.take(place, node_id, at, self._steps[position]) if place else {}
        counted = self._clocks.get(node_id)
        if counted is not None:
            clock = self._reading.take("iteration", node_id, (*self._at, counted), self._steps[counted])
            members = merged(members, clock)
        self.draft.node(node_id, kind, merged(known, members), (self._reading, at))

    def _kind(self, position: int) -> str:
        kind = self._steps[position].get("type")
        return kind if type(kind) is str else ""

    def _account(self) -> None:
        if self._unanswered:
            reason = "the calls have no result: whether they ran is not known"
            if self._is_told:
                reason = "the author's condition says that the results of tools were taken out"
            self.draft.omit("tool_results", reason, len(self._unanswered), self._unanswered)
        if self.draft.states:
            detail = "what the model saw is not recorded"
            self.draft.lose("no-state-views", "message_vs_state_view", "dropped", self._at, detail)


def _id(position: int) -> str:
    return f"step:{position + 1}"


def _is_cut(content: Any) -> bool:
    """Whether an answer ends with its producer's note, in brackets, that a limit of tokens cut it off."""
    text = content.rstrip() if type(content) is str else ""
    opened = max(text.rfind(bracket) for bracket in "（([【")
    is_note = text[-1:] in tuple("）)]】") and 0 <= opened and len(text) - opened <= _LONGEST_NOTE
    return is_note and any(word in text[opened:].lower() for word in _CUT)


def _parts(group: Group, kind_of: Callable[[int], str]) -> list[list[int]]:
    """The steps of an iteration up to each answer: what follows an answer is another message of the model."""
    parts: list[list[int]] = [[]]
    for position in group.steps:
        if parts[-1] and kind_of(parts[-1][-1]) == "answer":
            parts.append([])
        parts[-1].append(position)
    return parts
