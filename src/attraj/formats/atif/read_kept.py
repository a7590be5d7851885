"""What this package wrote into `extra.attraj` of an ATIF document, read as what it is: see places_kept.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attraj.bundle.markers import unavailable
from attraj.bundle.vocabulary import BINDING_KINDS, NODE_KINDS, SIGNAL_TYPES, VERIFIER_STATUSES
from attraj.formats.atif.places_kept import OPTIONAL, at_own, is_refusal, own_of, says
from attraj.formats.mapping.draft import Draft
from attraj.formats.mapping.fields import At, Json, Reading, merged

_NAMES = "it names records that the document has no place for"
_COUNTED = ("prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd")
_LEFT_OUT = "the document does not say it"
# Kinds of nodes that are written as steps, or as parts of one: a record of the run is none of them.
_OF_STEPS = frozenset(
    {"input", "decision", "action", "proposal", "effect", "observation", "effect_receipt", "reasoning_summary"}
) | {"delegation", "terminal"}
_TEXTS = {
    "outcomes": ("producer", "authority_class", "status"),
    "verifier_results": ("verifier", "checked_property", "status"),
    "reward_records": ("policy", "attribution_target", "signal_type", "producer", "timing"),
}
_WORDS = {
    ("verifier_results", "status"): VERIFIER_STATUSES,
    ("reward_records", "signal_type"): SIGNAL_TYPES,
    ("reward_records", "timing"): ("online", "retrospective"),
}


def read_run(draft: Draft, reading: Reading, tree: Json) -> None:
    """What the document says of its run: how it ended, what was handed in, what it is about.

    Args:
        draft: Of this document alone, which has read its steps.
        tree: The document.
    """
    own = own_of(tree)
    if not own:
        return
    run = _Run(draft, reading, own)
    if says("run", own):
        draft.scope = merged(draft.scope, reading.take("run", "", at_own(()), own)["scope"])
    run.bindings()
    run.records()
    run.claims()


def whole_place(tree: Json) -> str:
    """Which place of the table a document is of: what no provider has counted stands beside ATIF's own totals."""
    metrics = tree.get("final_metrics")
    extra = metrics.get("extra") if type(metrics) is dict else None
    is_local = type(extra) is dict and type(extra.get("origin")) is str and extra["origin"] != ""
    if not is_local or any(metrics.get(f"total_{name}") is not None for name in _COUNTED):  # type: ignore[union-attr]
        has_calls = not is_local and type(extra) is dict and type(extra.get("api_calls")) is int
        return "trajectory with a count of calls" if has_calls else "trajectory"
    return "trajectory with totals of no provider"


class _Run:
    def __init__(self, draft: Draft, reading: Reading, own: Json) -> None:
        self._draft, self._reading, self._own = draft, reading, own
        self._at = at_own(())

    def _objects(self, name: str) -> Iterator[tuple[At, Json]]:
        listed = self._own.get(name)
        for position, one in enumerate(listed if type(listed) is list else ()):
            if type(one) is dict:
                yield (*self._at, name, position), one

    def bindings(self) -> None:
        """Task, environment and what else the run is bound to, as far as it is no other thread's."""
        bound = self._own.get("bindings")
        for kind, records in bound.items() if type(bound) is dict else ():
            if kind not in BINDING_KINDS.values() or kind in self._draft.bindings or type(records) is not list:
                continue
            for position, one in enumerate(records):
                if says("binding", one) and "thread_id" not in one:
                    found = self._draft.bindings.setdefault(kind, [])
                    at = (*self._at, "bindings", kind, position)
                    found.append(self._reading.take("binding", f"/bindings/{kind}/{len(found)}", at, one))

    def records(self) -> None:
        """Records that are no step: a patch that was handed in, a choice among attempts."""
        for at, one in self._objects("records"):
            kind = one.get("kind")
            if type(kind) is str and kind in NODE_KINDS and kind not in _OF_STEPS and says("record", one):
                name = f"record:{at[-1] + 1}"  # type: ignore[operator]
                members = self._reading.take("record", name, at, one)
                known = {"actor": "unknown", "authority_class": "unknown"}
                self._draft.node(name, kind, {**known, **members}, (self._reading, at))

    # --- claims --------------------------------------------------------------------------------------------------

    def claims(self) -> None:
        """Outcomes, verifier results and rewards that state what they have to; what they rest on has no name here."""
        for number, (at, one) in enumerate(self._stated("outcomes"), 1):
            members = self._taken("outcome", f"outcome:{number}", at, one)
            record = {"outcome_id": f"outcome:{number}", **members, "evidence_refs": unavailable(_NAMES)}
            self._draft.outcomes.append(record)
        results: dict[Any, str] = {}
        for number, (at, one) in enumerate(self._stated("verifier_results"), 1):
            identity, known = f"verifier-result:{number}", one.get("verifier_result_id")
            if type(known) is str:
                results[known] = identity
            members = self._taken("verifier result", identity, at, one)
            record = {"verifier_result_id": identity, **members, "evidence_refs": unavailable(_NAMES)}
            self._draft.verifier_results.append(record)
        for number, (at, one) in enumerate(self._stated("reward_records"), 1):
            identity, sources = f"reward:{number}", one.get("sources")
            listed = sources if type(sources) is list else []
            named = [results.get(source) if type(source) is str else None for source in listed]
            rests = named if named and all(named) else unavailable(_NAMES)
            members = self._taken("reward record", identity, at, one)
            self._draft.reward_records.append({"reward_id": identity, **members, "sources": rests})

    def _taken(self, place: str, identity: str, at: At, one: Json) -> Json:
        """What a claim says; what it has to say and does not is unavailable."""
        members = self._reading.take(place, identity, at, one)
        for name in OPTIONAL[place]:
            stated = f"{place}: {name}"
            found = self._reading.take(stated, identity, at, one) if says(stated, one) else {}
            members |= found or {name: unavailable(_NAMES if name == "asserted_at" else _LEFT_OUT)}
        return members

    def _stated(self, collection: str) -> Iterator[tuple[At, Json]]:
        """The records that are what they seem to be; any other one is nothing that this package wrote."""
        for at, one in self._objects(collection):
            texts = all(type(one.get(name)) is str and one[name] for name in _TEXTS[collection])
            words = all(one.get(name) in known for (of, name), known in _WORDS.items() if of == collection and texts)
            has_scope = type(one.get("scope")) is list and all(type(name) is str for name in one["scope"])
            is_whole = type(one.get("terminal")) is bool if collection == "outcomes" else True
            has_value = "value" in one if collection == "reward_records" else True
            if texts and words and has_scope and one["scope"] and is_whole and has_value:
                yield at, one


def decoding_of(reading: Reading, record: str, at: At, agent: Any) -> Json:
    """How the agent's model was called, for its binding; {} where the document does not say."""
    own = own_of(agent)
    return reading.take("decoding", record, at_own(at), own) if says("decoding", own) else {}


_BESIDE = {
    "input": "kept of an input",
    "decision": "kept of a decision",
    "step without a model call": "kept of a decision",
    "lost reply": "kept of a decision",
    "step beside the turns": "kept of a step beside the turns",
    "call": "kept of a call",
    "call without an id": "kept of a call",
    "command": "kept of a command",
    "effect": "kept of an effect",
    "result": "kept of a result",
    "result of a call without an id": "kept of a result",
}
# What a reader says where the document does not: a place of its own, for it is no word of the document then.
_BESIDES = {
    **dict.fromkeys(("kept of an input", "kept of a decision", "kept of a step beside the turns"), ("training",)),
    **dict.fromkeys(("kept of a call", "kept of a command"), ("admission",)),
}


class OwnOfStep:
    """What this package wrote of one step, its calls and its results.

    Args:
        reading: Of the document.
        step: The step.
        at: Where it stands.
    """

    def __init__(self, reading: Reading, step: Json, at: At) -> None:
        self._reading, self._step, self._at = reading, step, at
        self.step = own_of(step)

    def of(self, below: At, source: Any) -> tuple[Json, At]:
        """What was written of an object below the step, and where: the step carries it in versions before 1.7."""
        own = own_of(source)
        if own or len(below) < 2:
            return own, at_own((*self._at, *below))
        name, position = "calls" if below[0] == "tool_calls" else "results", str(below[-1])
        gathered = self.step.get(name)
        inner = gathered.get(position) if type(gathered) is dict else None
        held = inner.get("attraj") if type(inner) is dict else None
        return held if type(held) is dict else {}, (*at_own(self._at), name, position, "attraj")

    def members(self, place: str, record: str, below: At, source: Any) -> Json:
        """What it says of the record of an object at this place of the table."""
        name = _BESIDE.get(place)
        if name is None:
            return {}
        own, at = self.of(below, source)
        found: Json = {}
        for one in (name, *_BESIDES.get(name, ())):
            if says(one, own):
                found = merged(found, self._reading.take(one, record, at, own))
        return found

    def is_lost_reply(self) -> bool:
        """Whether the step stands for a reply of the model that was not kept."""
        return self.step.get("lost_reply") is True and not self._step.get("tool_calls")

    def call_place(self, below: At, call: Json) -> str:
        """Which place of the table a call is of: what is made up of it is not read."""
        own, _ = self.of(below, call)
        if own.get("synthetic_call") is not True:
            return "call"
        arguments = call.get("arguments")
        is_command = own.get("kind") == "shell_command" and type(arguments) is dict and arguments.keys() == {"command"}
        is_text = is_command and type(arguments["command"]) is str and "value" not in own  # type: ignore[index]
        return "command" if is_text else "call without an id"

    def has_effect(self, below: At, call: Json) -> bool:
        """Whether it is said of a call what was done for it."""
        return says(_BESIDE["effect"], self.of(below, call)[0])

    def proposals(self) -> Iterator[tuple[At, Json]]:
        """Calls that were refused and that no result answers, with their places below the step."""
        listed = self.step.get("proposals")
        for position, one in enumerate(listed if type(listed) is list else ()):
            if type(one) is dict and is_refusal(one.get("admission")):
                yield (*at_own(self._at), "proposals", position), one

    def refused(self, below: At, result: Json) -> tuple[At, Json] | None:
        """The call that a result refuses, where it is one; with its place."""
        own, at = self.of(below, result)
        return (at, own) if is_refusal(own.get("admission")) and type(own.get("proposed_action")) is dict else None
