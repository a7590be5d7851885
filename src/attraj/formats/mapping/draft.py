"""A Bundle while a reader makes it.

What readers agree on, so that writers of every format can go by it:

input               what a person or a harness said: `payload.role` (system, user), `payload.content` (text or parts)
decision            one model call: `payload.content` is the message, `model_call` who was called and what it used
reasoning_summary   reasoning that was recorded with a decision: `payload.content`; an edge leads to the decision
action, proposal    one call that a decision asks for: `action` {kind, name, arguments, value, call_id}, `admission`;
                    a proposal was not admitted
effect              that something was done, known from a result alone: no receipt stands behind it
observation         what came back: `observation`; by an edge of its action or effect, else undetermined
delegation          work given to another thread: `payload.thread_id`
terminal            the end, where a record of its own says it: `payload.content`
evidence            what was handed in: `payload.content`; this or a terminal has the `status` "submitted" where the
                    source says that its content was handed in, and no outcome names it as what it rests on
event               what a harness did or noted beside the turns: `payload`

`thread_id` tells the agents, attempts and segments of one Bundle apart; nodes of the main thread have none.
`sequence` is the order of the source and no causality. Source: spec bundle.md §4, decisions 15 to 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from attraj import __version__
from attraj.bundle.vocabulary import CORE, USES
from attraj.formats.mapping.fields import At, Json, Place, Reading, holds_markers, merged, pointer_of
from attraj.formats.mapping.loss import Handling, Loss, gathered
from attraj.formats.mapping.residue import EXTENSION, record_of

KNOWN_BASES = frozenset({"recorded", "call_id"})
EXPORTER = f"attraj@{__version__}"
SUBMITTED = "submitted"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a caller asks of a reader.

    Attributes:
        trajectory_id: Identity to give; "" for the source's own, or the one made of `name`.
        name: Path of the source within what was given, without known suffixes.
        has_inferred_edges: Write edges that rest on turn order or loop semantics.
    """

    trajectory_id: str = ""
    name: str = ""
    has_inferred_edges: bool = True


class Draft:
    """One Bundle in the making. Its parts are filled in the order of the source; `finish` gives the tree."""

    def __init__(self, format_name: str, settings: Settings) -> None:
        self.format = format_name
        self.settings = settings
        self.readings: list[Reading] = []
        self.losses: list[Loss] = []
        self.members: Json = {}  # of the Bundle itself, as the fields of a room give them
        self.source: Json = {"implementation": "unknown", "exporter_version": EXPORTER, "format": format_name}
        self.scope: Json = {"selection": "everything that the source document holds"}
        self.status = "partial"
        self.reasons: list[str] = []
        self.omissions: list[Json] = []
        self.bindings: Json = {}
        self.states: list[Json] = []
        self.nodes: list[Json] = []
        self.edges: list[Json] = []
        self.outcomes: list[Json] = []
        self.verifier_results: list[Json] = []
        self.reward_records: list[Json] = []
        self.operations = ["conversion"]
        self.disclosure: Json = {
            "private_reasoning": "not_collected",
            "user_content": "included",
            "raw_event_payloads": "included",
        }
        self.absences: dict[str, str] = {}
        self.derivations: list[Json] = []  # sources beside the documents that were read
        self.file = ""  # path of what is read just now, within the folder that the Bundle is of; "" for a lone document
        self._within: dict[str, str] = {}  # artifact → JSON Pointer of its file, the folder read as an object
        self.turn_basis = "turn_order"  # "loop_semantics" where the format itself defines who speaks when
        self._by_id: dict[str, Json] = {}
        self._events: set[str] = set()
        self._places: dict[str, tuple[Reading, At]] = {}

    # --- source documents ----------------------------------------------------------------------------------------

    def read(
        self, tree: Any, raw: bytes, name: str, version: str, places: Mapping[str, Place], format_name: str = ""
    ) -> Reading:
        """Begin to read one source document.

        Args:
            tree: Its JSON value; never modified.
            raw: Its bytes; b"" when they are not at hand.
            name: Its file name, without the path; "" when it has none.
            version: The version that it declares; "" when it does not.
            places: The room's table.
            format_name: Its format, where it is not the draft's (a trajectory in the folder of a trial).
        """
        artifact = f"file:{self.file}" if self.file else f"artifact:{len(self.readings)}"
        self._within[artifact] = self._pointer("")
        escapes = not raw or holds_markers(raw)
        form = format_name or self.format
        reading = Reading(artifact, name, tree, form, version, places, escapes=escapes, raw=raw)
        self.readings.append(reading)
        record: Json = {"artifact_id": artifact, "media_type": "application/json", "availability": "referenced"}
        if raw:
            record["digest"] = f"sha256:{sha256(raw).hexdigest()}"
        self.source.setdefault("artifacts", []).append(record)
        return reading

    # --- records -------------------------------------------------------------------------------------------------

    def node(self, node_id: str, kind: str, members: Json, source: tuple[Reading, At] | None = None) -> Json:
        """Add a node; its members are changed no more than the reader changes them.

        Args:
            node_id: Made of positions in the source, never of content (decisions 16).
            kind: Of `attraj.bundle.vocabulary.NODE_KINDS`.
            members: What `Reading.take` gave, merged with what the reader knows besides.
            source: The object that it stands for.
        """
        node: Json = {"node_id": node_id, "kind": kind}
        if source is not None:
            event = f"{source[0].artifact}#{pointer_of(source[1])}"
            if event in self._events:  # one node at most stands for a record of the source (AT212)
                node["source_refs"] = [event]
            else:
                node["source_event_id"] = event
                self._events.add(event)
            self._places[node_id] = source
        node["sequence"] = len(self.nodes) + 1
        node.update(members)
        self.nodes.append(node)
        self._by_id[node_id] = node
        return node

    def edge(self, cause: str, effect: str, basis: str, relation: str = "caused_by") -> None:
        """Add an edge: `effect` *relation* `cause`, known by `basis` (decisions 19, 20)."""
        edge_id = f"edge:{relation}:{cause}:{effect}"
        self.edges.append({"edge_id": edge_id, "from": cause, "to": effect, "relation": relation, "basis": basis})

    def state(self, state_id: str, kind: str, availability: str, members: Json) -> str:
        """Add a state, and give its identity back."""
        self.states.append({"state_id": state_id, "kind": kind, "availability": availability, **members})
        return state_id

    def lose(
        self, code: str, category: str, handling: Handling, at: At | str = "", detail: str = "", count: int = 1
    ) -> None:
        """Name a loss, with its place in the source."""
        place = self._pointer(at if type(at) is str else pointer_of(at))  # type: ignore[arg-type]
        self.losses.append(Loss(code, category, handling, place, count, detail))

    def _pointer(self, inside: str) -> str:
        """A place of what is read just now, from the folder where there is one."""
        return pointer_of(tuple(self.file.split("/"))) + inside if self.file else inside

    def omit(self, word: str, reason: str, count: int | None = None, refs: list[str] | None = None) -> None:
        """Name something material that is not here (completeness.material_omissions)."""
        record: Json = {"class": word, "reason": reason}
        if count is not None:
            record["count"] = count
        if refs:
            record["refs"] = refs
        self.omissions.append(record)

    @property
    def identity(self) -> Any:
        """The Bundle's `trajectory_id`: what the caller gives, else the source's own, else one of its name."""
        made = f"at:{self.format}:{self.settings.name or 'document'}"
        return self.settings.trajectory_id or self.members.get("trajectory_id") or made

    # --- the end -------------------------------------------------------------------------------------------------

    def finish(self) -> Json:
        """The Bundle's tree. Parents that no edge of a known basis gives are said to be unknown or partly known."""
        self._close_parents()
        tree: Json = {
            "spec_version": "0.1",
            "profiles": [CORE],
            "trajectory_id": self.identity,
            "source": self.source,
            "scope": {**self.scope, "event_count": len(self.nodes)},
            "completeness": self._completeness(),
            "bindings": self.bindings,
            "states": self.states,
            "nodes": self.nodes,
            "edges": self.edges,
            "outcomes": self.outcomes,
            "verifier_results": self.verifier_results,
            "reward_records": self.reward_records,
            "transform": self._transform(),
            "disclosure": self._disclosure(),
            "rights": dict.fromkeys(USES, "unknown"),
            "integrity": {"status": "not_provided"},
            "extensions": {
                "dev.attraj.native": {"required": True, "version": "0.1", "data": {}},
                EXTENSION: {
                    "required": False,
                    "version": "0.1",
                    "data": {"artifacts": [record_of(reading) for reading in self.readings]},
                },
            },
        }
        stated = {name: value for name, value in self.members.items() if name != "trajectory_id"}
        return merged(tree, stated)

    def _completeness(self) -> Json:
        record: Json = {"status": self.status}
        if self.reasons:
            record["reason"] = "; ".join(dict.fromkeys(self.reasons))
        if self.omissions:
            record["material_omissions"] = self.omissions
        return record

    def _transform(self) -> Json:
        step = {"operation": "conversion", "implementation": "attraj", "version": __version__, "deterministic": True}
        return {
            "exporter": EXPORTER,
            "operations": self.operations,
            "derived_from": [
                *(
                    {"source_artifact": reading.artifact, "relation": "conversion_of", "availability": "referenced"}
                    for reading in self.readings
                ),
                *self.derivations,
            ],
            "steps": [step],
            "lossy": [loss.as_record() for loss in gathered(self.losses)],
        }

    def _disclosure(self) -> Json:
        absences = dict(self.absences)
        for name in ("outcomes", "verifier_results", "reward_records"):
            if not getattr(self, name):
                absences.setdefault(name, "not_captured")
        return {**self.disclosure, "absences": absences} if absences else self.disclosure

    def _trigger(self) -> None:
        """What a person says triggers the next decision of its thread: told by the order of turns, no more."""
        known = {(edge["from"], edge["to"]) for edge in self.edges}
        waiting: dict[str, list[str]] = {}
        for node in self.nodes:
            thread, payload = node.get("thread_id", ""), node.get("payload")
            payload = payload if type(payload) is dict else {}
            is_context = payload.get("is_copied_context") is True or payload.get("is_demo") is True
            if node["kind"] == "input" and payload.get("role") == "user" and not is_context:
                waiting.setdefault(thread, []).append(node["node_id"])
            elif node["kind"] == "decision":
                said = waiting.pop(thread, [])
                if not is_context and payload.get("llm_call_count") != 0:
                    for one in said:
                        if (one, node["node_id"]) not in known:
                            self.edge(one, node["node_id"], self.turn_basis, "triggered_by")

    def _close_parents(self) -> None:
        self._trigger()
        if not self.settings.has_inferred_edges:
            self.edges = [edge for edge in self.edges if edge["basis"] in KNOWN_BASES]
        bases: dict[str, set[str]] = {}
        for edge in self.edges:
            bases.setdefault(edge["to"], set()).add(edge["basis"])
        for node in self.nodes:
            if "parents" in node or "external_parents" in node or node["kind"] == "input":
                continue
            known = bases.get(node["node_id"], set())
            if known and known <= KNOWN_BASES:
                continue
            reading_at = self._places.get(node["node_id"])
            place = self._within[reading_at[0].artifact] + pointer_of(reading_at[1]) if reading_at else ""
            if known:
                node["parents"] = {
                    "status": "partial",
                    "reason": "the source gives the order of turns, not their causes",
                }
                detail = "what caused it is inferred from the order of turns"
                self.lose("inferred-parents", "order_vs_causality", "approximated", place, detail)
            else:
                node["parents"] = {"status": "undetermined", "reason": "the source does not say what it follows from"}
