"""A Bundle → the steps of its threads, each with everything that it says and by what it is recognised."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from attraj.bundle.markers import STATUSES, status_of
from attraj.bundle.vocabulary import REFUSALS
from attraj.formats.mapping.experience import is_refused
from attraj.formats.mapping.fields import At
from attraj.formats.mapping.held import Ledger, Part
from attraj.formats.mapping.turns import Turn, is_own, threads
from attraj.formats.mapping.words import result_at, words_at
from attraj.jsonio import MISSING
from attraj.verbs.comparing.align import Traits
from attraj.verbs.comparing.said import Name, Said, Says, content_of, fingerprint, is_silent, leaves
from attraj.verbs.comparing.sides import Side
from attraj.verbs.comparing.views import Views

# Words that a Bundle has for itself; what they stand for is told by threads, turns and pairs.
_BOOKKEEPING = frozenset({"node_id", "kind", "sequence", "thread_id"})
# What a foreign document says of these is told by its own places and links.
_OF_BUNDLES = frozenset({"source_event_id", "source_refs", "parents", "external_parents"})
_WORDS = frozenset({"content", "text", "message"})  # names for what a node says
_VIEWS = frozenset({"state_before", "state_view", "state_after", "state_delta"})
_ROOM_WORDS = frozenset({"topic"})  # what a format calls its steps
_CALL_IDS = frozenset({"call_id", "source_call_id", "tool_call_id"})
_TOPICS = {
    "timestamp": "times",
    "model_call": "models",
    "admission": "admission",
    "action": "calls",
    "observation": "results",
    "effect": "effects",
    "receipt": "effects",
}
_PAYLOAD: dict[At, str] = {("role",): "roles", ("thought",): "reasoning"}
# Compared whatever the formats are, also where the reader of a format is the one who says it.
_SHARED = frozenset({("payload", "content"), ("payload", "role"), ("action", "name"), ("action", "value")})
_ORDERS = frozenset({("payload", "iteration"), ("payload", "place")})
# Topics in which a record may name another one, and says nothing in words.
_LINKING = frozenset({"identities", "members", "models", "admission", "effects", "views"})


class Scope(NamedTuple):
    """How far two documents can be compared.

    Attributes:
        is_kin: Both are of one format, or were read from one: what the core does not map is compared too.
        has_native: One of them at least is a Bundle: its typed relations and its books are its own words.
        is_native: Both are Bundles.
    """

    is_kin: bool
    has_native: bool
    is_native: bool

    @property
    def holds_readers_words(self) -> bool:
        """Whether what a reader understands counts too: a Bundle says it in so many words."""
        return self.is_kin and self.has_native


@dataclass(slots=True)
class Step:
    """One turn of a thread.

    Attributes:
        number: As `attraj show` counts; 0 when it does not count this.
        pointer: Of the record in the document that the turn begins with.
        kind: "input", "decision", "terminal", or the kind of the node that stands alone.
        role: Whose turn it is, as recorded; "" when that is not said.
        says: Everything.
        nodes: Identity of each of its nodes → its slot.
        traits: What it is recognised by.
        missing: Why its message is not there, in a word of the specification; "" where it is, or where none is missed.
    """

    number: int
    pointer: str
    kind: str
    role: str
    says: Says = field(default_factory=dict)
    nodes: dict[str, str] = field(default_factory=dict)
    traits: Traits = field(default_factory=lambda: Traits((), ()))
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Story:
    """One thread. `name` is "" for the main one."""

    name: str
    steps: list[Step]


def stories(side: Side, scope: Scope, views: Views) -> list[Story]:
    """The threads of a document, with every value of its nodes."""
    found = []
    for thread in threads(side.bundle, Ledger()):
        telling = _Telling(side, scope, views)
        found.append(Story(thread.name, [telling.step(turn) for turn in thread.turns]))
    return found


class _Slot(NamedTuple):
    """A node of a turn; `answers` is the number of the call that it is a result of, 0 for none."""

    name: str
    part: Part
    answers: int = 0


class _Telling:
    """Says everything that the turns of one thread say, one after another."""

    def __init__(self, side: Side, scope: Scope, views: Views) -> None:
        self._side, self._scope, self._views = side, scope, views
        self._clock = 0

    def step(self, turn: Turn) -> Step:
        role = turn.node.peek("payload", "role")
        slots = list(_slots(turn))
        number, pointer = self._place(slots)
        status = status_of(turn.node.peek(*words_at(turn.node)))
        missing = status if status in STATUSES and status != "literal" else ""
        step = Step(number, pointer, turn.kind, role if type(role) is str else "", missing=missing)
        for slot in slots:
            self._node(step, slot)
            if slot.answers:
                said = Said("links", f"call {slot.answers}", slot.part.at)
                step.says[Name(slot.name, ("answers",))] = said
        step.traits = _traits(step)
        return step

    def _place(self, slots: list[_Slot]) -> tuple[int, str]:
        """Number and place of the record that `attraj show` counts first."""
        pointers = [self._side.pointer(slot.part.at) for slot in slots]
        known = [(number, pointer) for pointer in pointers if (number := self._number(pointer))]
        return min(known) if known else (0, next(filter(None, pointers), ""))

    def _number(self, pointer: str) -> int:
        while pointer:
            number = self._side.numbers.get(pointer, 0)
            if number:
                return number
            pointer = pointer.rpartition("/")[0]
        return 0

    def _node(self, step: Step, slot: _Slot) -> None:
        part = slot.part
        node_id, kind = part.peek("node_id"), part.peek("kind")
        if type(node_id) is str:
            step.nodes.setdefault(node_id, slot.name)
        if kind is not MISSING and (not slot.name or slot.name.startswith("call ")):
            step.says[Name(slot.name, ("kind",))] = Said("kinds", kind, part.at)
        if kind == "decision" and not slot.name and type(part.peek("action")) is dict and not self._scope.is_kin:
            own = "proposal" if is_refused(part) else "action"  # what a node of its own says in another format
            step.says[Name("call 1", ("kind",))] = Said("kinds", own, part.at)
        for member, value in part.record.items():
            if member in _BOOKKEEPING or (member in _OF_BUNDLES and not self._scope.is_native):
                continue
            if member in _VIEWS:
                for path, one in self._views.said(value):
                    self._say(step, slot, (member, *path), one, "views")
            elif member == "logical_clock" and type(value) is int:
                self._count(step, slot, value)
            else:
                for path, one in _values(member, value, not self._scope.is_kin):
                    # A decision may hold its only call itself, and a node of its own may hold it.
                    is_call = member in ("action", "admission") and kind == "decision" and not slot.name
                    called = slot._replace(name="call 1") if is_call else slot
                    self._say(step, called, path, one, _topic(kind == "reasoning_summary", path))

    def _count(self, step: Step, slot: _Slot, value: int) -> None:
        """A count goes on by one with every step that somebody adds: what counts is how far it goes on."""
        if self._scope.is_kin:
            at = (*slot.part.at, "logical_clock")
            key = value - self._clock
            step.says[Name(slot.name, at[2:])] = Said("members", value, at, key=key)
        self._clock = value

    def _say(self, step: Step, slot: _Slot, path: At, value: Any, topic: str) -> None:
        at = (*slot.part.at, *path)
        if not self._scope.is_native and is_silent(value):
            return
        if not self._scope.is_kin and _is_by_form(slot, path, value):
            return
        is_told = self._scope.holds_readers_words or self._is_of_source(path, value, topic, at)
        is_identity = topic in _LINKING and (path[-1] in _CALL_IDS or self._side.names(value))
        name = path if self._scope.is_kin else _spelled(path, slot)
        step.says[Name(slot.name, name)] = Said(topic, value, at, is_identity, is_told=is_told)

    def _is_of_source(self, path: At, value: Any, topic: str, at: At) -> bool:
        """Whether a document says this, or any format's reader would: two documents are compared, not two readers."""
        if topic == "views" or path[:2] in _SHARED or path[:2] == ("action", "arguments") or path[0] == "observation":
            return True
        if path == ("admission", "status") and value in REFUSALS:
            return True
        is_told = self._scope.is_kin or (topic not in ("admission", "effects") and path[0] not in _ROOM_WORDS)
        return is_told and self._side.is_said(at)


def _slots(turn: Turn) -> Iterator[_Slot]:
    """The nodes of a turn and what each is called in it; results in their order, whatever they answer."""
    results: list[tuple[Part, int]] = [(part, 0) for part in turn.loose]
    if turn.kind in ("observation", "effect_receipt"):
        results.append((turn.node, 0))
    elif turn.kind != "call":
        yield _Slot("", turn.node)
    for name, part in _numbered("reasoning", turn.reasoning):
        yield _Slot(name, part)
    for number, call in enumerate(turn.calls, 1):
        if turn.kind != "decision" or not is_own(turn, call):  # which says its call itself
            yield _Slot(f"call {number}", call.action)
        for name, part in _numbered(f"effect of call {number}", call.effects):
            yield _Slot(name, part)
        for name, part in _numbered(f"delegation of call {number}", call.delegations):
            yield _Slot(name, part)
        results += [(part, number) for part in call.observations]
    for name, part in _numbered("delegation", turn.delegations):
        yield _Slot(name, part)
    for number, (part, answers) in enumerate(sorted(results, key=lambda result: result[0].at), 1):
        yield _Slot(f"result {number}", part, answers)


def _numbered(word: str, parts: list[Part]) -> Iterator[tuple[str, Part]]:
    for number, part in enumerate(parts, 1):
        yield (word if len(parts) == 1 else f"{word}, {number}"), part


def _values(member: str, value: Any, is_text_alone: bool) -> Iterator[tuple[At, Any]]:
    """Path and value of what a member says. What was said, asked for and given back stays whole."""
    if member == "observation":
        yield (member,), content_of(value, is_text_alone=is_text_alone)
    elif type(value) is dict and member in ("payload", "action"):
        for name, one in value.items():
            if name == "arguments" and type(one) is dict and one:
                yield from (((member, name, argument), given) for argument, given in one.items())
            elif name in ("content", "arguments"):
                yield (member, name), content_of(one, is_text_alone=is_text_alone)
            else:
                yield from leaves(one, (member, name))
    else:
        yield from leaves(value, (member,), is_row_one=member == "model_call")


def _is_by_form(slot: _Slot, path: At, value: Any) -> bool:
    """Whether a format only says here what another one says by its form: that a decision is one call of a model, that
    a message says nothing, which call a result answers, in which order things came."""
    if path == ("payload", "llm_call_count"):
        return type(value) is int and value == 1
    if path == ("payload", "content"):
        return type(value) is str and value == ""
    return path in _ORDERS or (path[-1] in _CALL_IDS and path[0] == "payload" and slot.answers > 0)


def _spelled(path: At, slot: _Slot) -> At:
    """The path of what formats write in several ways: a command as text and as the only argument, and every text."""
    if path == ("action", "arguments", "command") and len(slot.part.part("action", "arguments").record) == 1:
        return ("action", "value")
    if path[0] == "payload" and slot.name.startswith("result ") and path == result_at(slot.part):
        return ("observation",)
    if path[0] == "payload" and path == words_at(slot.part):
        return ("payload", "content")
    return path


@lru_cache(maxsize=4096)  # the nodes of a document have the same few paths
def _topic(is_reasoning: bool, path: At) -> str:
    # An identity of a provider ("response_id") links nothing here: it is a fact like any other.
    if path[0] not in ("observation", "model_call") and path[:2] != ("action", "arguments"):
        last = next((token for token in reversed(path) if type(token) is str), "")
        if last.endswith(("_id", "_ids", "_ref", "_refs")):
            return "identities"
    if path[0] == "payload":
        if len(path) == 1 or (len(path) == 2 and path[1] in _WORDS):
            return "reasoning" if is_reasoning else "messages"
        return _PAYLOAD.get(path[1:], "members")
    if path[:2] == ("model_call", "usage"):
        return "usage"
    return _TOPICS.get(str(path[0]), "members")


# From the whole of a step to ever smaller parts of it; see `align.Traits`.
_WEIGHTS = (0, 0, 8, 8, 6, 2, 1)
_HEAD = 48
_CALLED = frozenset({("action", "name"), ("action", "arguments"), ("action", "value")})
_OWN = frozenset({"admission", "effects", "members"})  # what a step is told by that says and asks for nothing


def _traits(step: Step) -> Traits:
    marks: dict[str, list[bytes]] = {"messages": [], "reasoning": [], "calls": [], "results": [], "": []}
    head = None
    for name, said in step.says.items():
        if said.value in ("", None) or not said.is_told:
            continue
        if said.topic in marks and (said.topic != "calls" or name.path[:2] in _CALLED):
            marks[said.topic].append(fingerprint(said.value))
            if said.topic == "messages" and type(said.value) is str:
                head = said.value[:_HEAD]
        elif said.topic in _OWN:
            marks[""].append(fingerprint(said.value))
    message, reasoning, calls, results, own = (tuple(found) or None for found in marks.values())
    spoken = (message, calls) if message or calls else None
    told = (message, reasoning, calls, results)
    whole = (step.kind, step.role, *(told if any(told) else ("", own)))
    return Traits((whole, spoken, message, calls, results, head, step.kind), _WEIGHTS)
