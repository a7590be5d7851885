"""Agent Trajectory Bundles v0.1 by node count: every construct of the specification, written as a stream.

A Bundle claims all three profiles, so that every rule of the catalogue has work to do, and breaks none of them.
What happens in it is told in `turns`; this module keeps the records and the envelope.
"""

from __future__ import annotations

import random
import shutil
from tempfile import TemporaryFile
from typing import Any, BinaryIO

from benchmarks.generate.clock import Clock
from benchmarks.generate.encode import ArrayWriter, closed, opened
from benchmarks.generate.text import Prose

Json = dict[str, Any]
Cause = tuple[str, str]  # node id, relation

PILOT, RUNTIME, KEEPER, CHECKER = "agent:pilot", "runtime:tidehouse", "principal:keeper", "verifier:level-check"
AUTHORITIES = {PILOT: "model", RUNTIME: "runtime", KEEPER: "principal", CHECKER: "verifier"}
VERIFIER, VERIFIER_VERSION = "level-check", "7"
ATTEMPT_NODES = 400  # nodes to an attempt


class Records:
    """The records of one Bundle, each written to its own temporary file as it is made.

    Attributes:
        rng: Chooses everything.
        state: The state that the run is in.
        attempt: The attempt that it is in.
    """

    def __init__(self, seed: str) -> None:
        self.rng = random.Random(seed)
        self.prose = Prose(self.rng)
        self._clock = Clock(self.rng)
        self.counts: dict[str, int] = {}
        self._spools: dict[str, tuple[Any, ArrayWriter]] = {}
        self.redactions: list[Json] = []
        self.state = self._first_state()

    @property
    def attempt(self) -> str:
        return f"attempt:{self.counts.get('nodes', 0) // ATTEMPT_NODES}"

    def node(
        self, kind: str, causes: list[Cause], actor: str = RUNTIME, status: str = "committed", **members: Any
    ) -> str:
        """Add a node and an edge from each of its causes; returns its id."""
        number = self._next("nodes")
        identity = f"node:{number}"
        record: Json = {
            "node_id": identity,
            "kind": kind,
            "source_event_id": f"event:{number}",
            "sequence": number,
            "timestamp": self._clock.tick(),
            "actor": actor,
            "authority_class": AUTHORITIES[actor],
            "status": status,
        }
        if not causes and "external_parents" not in members:
            record["parents"] = {"status": "none"}
        record.setdefault("external_parents", [])
        self.add("nodes", {**record, **members})
        for cause, relation in causes:
            self.edge(cause, identity, relation)
        return identity

    def now(self) -> str:
        """The time at which something is recorded that is no node."""
        return self._clock.tick()

    def edge(self, cause: str, effect: str, relation: str) -> None:
        record = {"edge_id": f"edge:{self._next('edges')}", "from": cause, "to": effect, "relation": relation}
        if self.rng.random() < 0.2:
            record["basis"] = self.rng.choice(("recorded", "call_id"))
        self.add("edges", record)

    def next_state(self, write: str) -> str:
        """Move the run to a new state, and return its id: referenced, included, a delta, or not at hand."""
        rng, before = self.rng, self.state
        number = self._next("states")
        record: Json = {"state_id": f"state:{number}", "kind": "state_view", "context_id": "context:tidehouse"}
        record |= {"context_revision": number, "actor": PILOT}
        draw = rng.random()
        if draw < 0.50:
            record |= {"availability": "referenced", "digest": f"sha256:{rng.getrandbits(256):064x}"}
        elif draw < 0.75:
            view = {
                "agent_visible": {"log": [self.prose.sentence(90)], "open": write},
                "runtime_only": {"turn": number},
            }
            record |= {"availability": "included", "view": view}
        elif draw < 0.93:
            delta = [{"op": "add", "path": "/log/-", "value": self.prose.sentence(60)}]
            record |= {"kind": "delta", "availability": "included", "delta": delta, "base_state": before}
        else:
            record |= {"availability": "unavailable", "reason": "the harness kept no snapshot here"}
        self.add("states", record)
        self.state = record["state_id"]
        return self.state

    def redacted(self, member: str, kind: str, reason: str) -> Json:
        """A marker in place of a text of the node that comes next, listed in the disclosure."""
        target = f"node:{self.counts.get('nodes', 0) + 1}"
        said = {"status": "redacted", "class": kind, "reason": reason}
        self.redactions.append({"target": target, "pointer": member, **said})
        return {"$at": {**said, "was": "string"}}

    def number(self, collection: str) -> int:
        """The number that the next record of a collection has; it is taken."""
        return self._next(collection)

    def add(self, collection: str, record: Json) -> None:
        if collection not in self._spools:
            spool = TemporaryFile()  # noqa: SIM115 (closed when it has been copied into the document)
            self._spools[collection] = (spool, ArrayWriter(spool, collection))
        self._spools[collection][1].add(record)

    def write(self, out: BinaryIO, collection: str) -> None:
        """Copy what was added to a collection into the document."""
        if collection not in self._spools:
            ArrayWriter(out, collection).end()
            return
        spool, writer = self._spools.pop(collection)
        writer.end()
        spool.seek(0)
        with spool:
            shutil.copyfileobj(spool, out, 1 << 20)

    def _next(self, collection: str) -> int:
        self.counts[collection] = self.counts.get(collection, 0) + 1
        return self.counts[collection]

    def _first_state(self) -> str:
        number = self._next("states")
        record: Json = {"state_id": f"state:{number}", "kind": "state_view", "context_id": "context:tidehouse"}
        record |= {"context_revision": number, "actor": PILOT, "availability": "referenced"}
        self.add("states", {**record, "digest": f"sha256:{self.rng.getrandbits(256):064x}"})
        return str(record["state_id"])


def write_bundle(out: BinaryIO, seed: str, nodes: int) -> dict[str, int]:
    """Write one Bundle of about `nodes` nodes (never fewer) and return how many records each collection has."""
    from benchmarks.generate.turns import play  # the story is told over the records, and needs them

    records = Records(seed)
    play(records, nodes)
    out.write(opened(_head(seed, records)))
    for collection in ("states", "nodes", "edges", "outcomes", "verifier_results", "reward_records"):
        records.write(out, collection)
    out.write(closed(_tail(records)))
    return dict(records.counts)


def _head(seed: str, records: Records) -> Json:
    last = records.counts["nodes"]
    attempts = [f"attempt:{number}" for number in range(last // ATTEMPT_NODES + 1)]
    return {
        "spec_version": "0.1",
        "profiles": ["AT-Core", "AT-Evaluation", "AT-Training"],
        "trajectory_id": f"at:tidehouse:generated:{seed}:{last}",
        "source": {
            "implementation": "tidehouse-runtime",
            "exporter_version": "2.4.0",
            "authority_domain": "context:tidehouse",
            "authority_revision": f"context:tidehouse@{last}",
            "first_sequence": 1,
            "last_sequence": last,
        },
        "scope": {
            "selection": {"rule": "attempt causal closure", "parameters": {"attempts": len(attempts)}},
            "context_ids": ["context:tidehouse"],
            "objective_ids": ["objective:levels"],
            "attempt_ids": attempts,
            "agent_ids": [PILOT],
            "boundary": {"from": "node:1", "to": f"node:{last}"},
            "event_count": last,
            "termination": {"status": "completed", "reason": "the runtime closed it", "at_node": f"node:{last}"},
            "resources": {"budget": {"nodes": 2 * last}, "observed": {"nodes": last}},
        },
        "completeness": {
            "status": "partial",
            "reason": "what the keeper wrote is withheld, and some snapshots were not kept",
            "material_omissions": [{"class": "user_content", "reason": "privacy", "count": len(records.redactions)}],
        },
        "bindings": _BINDINGS,
    }


_BINDINGS: Json = {
    "tasks": ["task:levels:v5"],
    "environments": ["env:harbour-model:v2"],
    "agents": [PILOT],
    "principals": [KEEPER],
    "harnesses": [{"id": "harness:tidehouse", "version": "2.4.0", "availability": "included"}],
    "programs": [{"availability": "not_applicable"}],
    "models": [{"provider": "example", "id": "small-1", "policy_revision": "2031-03-01", "availability": "included"}],
    "tools": ["tool:shell:v3", "tool:reader:v3"],
    "execution_targets": ["target:sandbox"],
    "capabilities": ["capability:write-ledger:lease-six"],
    "sandboxes": [{"availability": "redacted", "reason": "describes the site"}],
    "verifiers": [f"{VERIFIER}@{VERIFIER_VERSION}"],
    "uncontrolled_variables": ["updates on the side of the model provider"],
}

_RIGHTS: Json = {
    "retention": True,
    "local_evaluation": True,
    "hosted_evaluation": False,
    "training": True,
    "redistribution_original": False,
    "redistribution_transformed": True,
}


def _tail(records: Records) -> Json:
    granted = {"purposes": ["supervised_finetuning"], "basis": "consent:form-nine", "granted_by": KEEPER}
    step = {"version": "2.4.0", "deterministic": True}
    source: Json = {"trajectory_id": "at:tidehouse:generated:source", "relation": "redaction_of"}
    source |= {"availability": "referenced", "completeness": "complete", "rights": _RIGHTS}
    return {
        "transform": {
            "exporter": "tidehouse-exporter@2.4.0",
            "operations": ["selection", "redaction"],
            "derived_from": [source],
            "steps": [
                {"operation": "selection", "implementation": "tidehouse-exporter", **step},
                {"operation": "redaction", "implementation": "tidehouse-exporter", "policy": "privacy@3", **step},
            ],
        },
        "disclosure": {
            "private_reasoning": "not_collected",
            "user_content": "redacted",
            "raw_event_payloads": "included_with_secret_redaction",
            "redacted_fields": ["payload.text"],
            "redactions": records.redactions,
        },
        "rights": {**_RIGHTS, "details": {"training": granted}},
        "integrity": {"status": "not_provided"},
        "extensions": {
            "dev.attraj.edge_types": {
                "required": False,
                "data": {"redelivers": {"meaning": "the same effect is delivered again", "causal": True}},
            }
        },
    }
