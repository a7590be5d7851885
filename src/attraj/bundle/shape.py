"""The one table of members and their types. Checks, JSON Schema and the published models are made from it.

Source: spec bundle.md §4 (Agent Trajectory v0.1 §6 to §13). Kinds of value:

    id        non-empty string that other records may name        word    enumerated state, a string
    text      string                                              time    RFC 3339 timestamp
    int, number, bool                                             right   true, false or "unknown"
    object    an object described under `of` (free when "")       list    an array of `of` (free when "")
    texts     string or array of strings                          any     whatever the source had
    a|b       either

Except for ids, every member may hold a `$at` marker instead of its value.
"""

from __future__ import annotations

from typing import NamedTuple

from attraj.bundle.vocabulary import (
    ADMISSIONS,
    AVAILABILITIES,
    BINDING_KINDS,
    COMPLETENESS,
    CORE,
    DERIVATIONS,
    EDGE_BASES,
    EPISODE_PURPOSES,
    EVALUATION,
    INTEGRITY_STATUSES,
    LOSS_CATEGORIES,
    MASK_AVAILABILITIES,
    MASK_LOSSES,
    MASK_ROLES,
    PARENT_STATUSES,
    PROFILES,
    RECEIPT_STATUSES,
    SIGNAL_TYPES,
    SPEC_VERSIONS,
    USES,
    VERIFIER_STATUSES,
)


class Member(NamedTuple):
    """One member of one kind of object.

    Attributes:
        kind: What its value may be (see above).
        of: The kind of object it holds, or that the elements of its array are; "" when free.
        required: AT-Core, AT-Evaluation or AT-Training when that profile needs it ("" otherwise); AT-Core covers
            all. Missing members are reported by the check of their family, the top-level ones by AT101.
        says: What the member means, in one line.
        words: The closed vocabulary of a word; () when it is open.
    """

    kind: str
    says: str
    of: str = ""
    required: str = ""
    words: tuple[str, ...] = ()


OBJECTS: dict[str, dict[str, Member]] = {
    "bundle": {
        "spec_version": Member("word", "version of the specification", required=CORE, words=SPEC_VERSIONS),
        "profiles": Member("list", "conformance profiles that the bundle claims", "word", CORE, PROFILES),
        "trajectory_id": Member("id", "stable identity of the trajectory", required=CORE),
        "source": Member("object", "what produced the records", "source", CORE),
        "scope": Member("object", "which part of the source is covered, and by which rule", "scope", CORE),
        "completeness": Member("object", "how whole the covered part is", "completeness", CORE),
        "bindings": Member("object", "identities of task, environment, model, harness, tools …", "bindings", CORE),
        "states": Member("list", "states, views, snapshots and deltas", "state", CORE),
        "nodes": Member("list", "causal events", "node", CORE),
        "edges": Member("list", "typed causal relations", "edge", CORE),
        "outcomes": Member("list", "claims about how it ended, each with its authority", "outcome", CORE),
        "verifier_results": Member("list", "results of identified verifiers", "verifier_result", CORE),
        "reward_records": Member("list", "reward signals under a versioned policy", "reward_record", CORE),
        "transform": Member("object", "what was done to the data on the way", "transform", CORE),
        "disclosure": Member("object", "what is withheld, and of which class", "disclosure", CORE),
        "rights": Member("object", "the six uses, each granted, denied or unknown", "rights", CORE),
        "integrity": Member("object", "digest or signature over a canonical form", "integrity", CORE),
        "extensions": Member("object", "namespaced additions", "extensions"),
    },
    "source": {
        "implementation": Member("text", "the system that produced the records", required=CORE),
        "exporter_version": Member("text", "version of the exporter", required=CORE),
        "authority_domain": Member("text", "whose event history this is"),
        "authority_revision": Member("text", "revision or cursor of that history"),
        "first_sequence": Member("int", "first sequence number covered"),
        "last_sequence": Member("int", "last sequence number covered"),
        "format": Member("text", "format that the records were converted from"),
        "artifacts": Member("list", "files that the records were read from", "artifact"),
    },
    "artifact": {
        "artifact_id": Member("id", "identity of the file, without its path", required=CORE),
        "media_type": Member("text", "media type"),
        "digest": Member("text|object", "content digest", "digest"),
        "availability": Member("word", "whether the content is here"),
        "reason": Member("text", "why it is not"),
    },
    "digest": {
        "algorithm": Member("text", "hash algorithm", required=CORE),
        "canonicalization": Member("text", "canonical form that was hashed"),
        "value": Member("text", "the digest", required=CORE),
    },
    "scope": {
        "selection": Member("text|object", "rule by which records were selected", required=CORE),
        "context_id": Member("texts", "contexts covered"),
        "context_ids": Member("texts", "contexts covered"),
        "objective_id": Member("texts", "objectives covered"),
        "objective_ids": Member("texts", "objectives covered"),
        "activation_id": Member("texts", "activations covered"),
        "activation_ids": Member("texts", "activations covered"),
        "attempt_id": Member("texts", "attempts covered"),
        "attempt_ids": Member("texts", "attempts covered"),
        "agent_id": Member("texts", "agents covered"),
        "agent_ids": Member("texts", "agents covered"),
        "session_id": Member("texts", "sessions covered"),
        "session_ids": Member("texts", "sessions covered"),
        "evaluation_id": Member("texts", "evaluations covered"),
        "evaluation_ids": Member("texts", "evaluations covered"),
        "boundary": Member("object", "where the covered part begins and ends", "boundary"),
        "event_count": Member("int", "number of source events covered"),
        "termination": Member("object", "how the run ended", "termination", EVALUATION),
        "resources": Member("object", "budget and what was used of it", "resources", EVALUATION),
    },
    "boundary": {
        "from": Member("any", "first record covered"),
        "to": Member("any", "last record covered"),
        "kind": Member("text", "kind of boundary"),
    },
    "termination": {
        "status": Member("word", "how the run ended"),
        "reason": Member("text", "why", required=EVALUATION),
        "at_node": Member("text", "the node at which it ended"),
    },
    "resources": {
        "budget": Member("any", "what was allowed"),
        "observed": Member("any", "what was used"),
    },
    "completeness": {
        "status": Member("word", "complete, partial or open", required=CORE, words=COMPLETENESS),
        "reason": Member("text", "why it is not complete"),
        "material_omissions": Member("list", "what is missing", "text|omission"),
    },
    "omission": {
        "class": Member("text", "class of what is missing"),
        "reason": Member("text", "why"),
        "refs": Member("list", "records concerned", "text"),
        "count": Member("int", "how many"),
    },
    "bindings": {
        **{
            name: Member("texts|object|list", f"the {plural} in play", "text|binding")
            for name, plural in BINDING_KINDS.items()
        },
        **{
            plural: Member("texts|object|list", f"the {plural} in play", "text|binding")
            for plural in BINDING_KINDS.values()
        },
        "equivalent_conditions": Member("texts", "declared equivalents of task and environment identity"),
        "uncontrolled_variables": Member("texts", "what was not controlled or not recorded", required=EVALUATION),
    },
    "binding": {
        "id": Member("text", "identity"),
        "name": Member("text", "name for people"),
        "version": Member("text", "version"),
        "digest": Member("text|object", "content identity", "digest"),
        "provider": Member("text", "provider of a model"),
        "policy_revision": Member("text", "revision of a model or policy"),
        "decoding": Member("any", "decoding parameters"),
        "scope": Member("texts", "what a verifier may speak about"),
        "thread_id": Member("text", "thread that it belongs to; absent for the main one"),
        "availability": Member("word", "whether the identity is here, withheld, unknown, or never existed"),
        "reason": Member("text", "why it is not here"),
    },
    "state": {
        "state_id": Member("id", "identity of the state", required=CORE),
        "kind": Member("word", "state, state_view, snapshot or delta"),
        "availability": Member("word", "whether the content is here", required=CORE, words=AVAILABILITIES),
        "context_id": Member("text", "context that the state belongs to"),
        "context_revision": Member("int", "revision of that context"),
        "revision": Member("text", "revision, where it is not a number"),
        "actor": Member("text", "whose view it is"),
        "source_event_id": Member("text", "source event that made it"),
        "digest": Member("text|object", "digest of the content", "digest"),
        "view": Member("any", "what was visible"),
        "snapshot": Member("any", "the whole state"),
        "delta": Member("any", "the change from `base_state`"),
        "base_state": Member("text", "state that the delta applies to"),
        "same_as": Member("text", "state that this one equals"),
        "reason": Member("text", "why the content is not here"),
        "reconstructed": Member("bool", "made later from other records"),
    },
    "node": {
        "node_id": Member("id", "identity of the node", required=CORE),
        "kind": Member("word", "what kind of event", required=CORE),
        "source_event_id": Member("text", "the source record"),
        "source_refs": Member("list", "the source records", "text|object"),
        "sequence": Member("int", "position for display; no causality"),
        "logical_clock": Member("any", "logical clock of the source"),
        "timestamp": Member("time", "time of the event"),
        "topic": Member("text", "topic in the source"),
        "actor": Member("text", "who acted"),
        "authority_class": Member("word", "by which authority"),
        "status": Member("word", "what became of it"),
        "state_before": Member("text", "state before"),
        "state_view": Member("text", "view that the decision really had"),
        "state_after": Member("text", "state after"),
        "read_set": Member("list", "what was read", "text"),
        "write_set": Member("list", "what was written", "text"),
        "state_delta": Member("any", "the change"),
        "attempt_id": Member("text", "attempt it belongs to"),
        "thread_id": Member("text", "agent, attempt or segment whose step it is; absent for the main one"),
        "intent_id": Member("text", "intent it serves"),
        "action": Member("object", "the chosen action", "action"),
        "admission": Member("object", "whether it was admitted, and by whom", "admission"),
        "effect": Member("object", "the effect on the world", "effect"),
        "receipt": Member("object", "the receipt of the effect", "receipt"),
        "observation": Member("any", "what came back"),
        "evidence_refs": Member("list", "records that support it", "text"),
        "model_call": Member("object", "the model call behind a decision", "model_call"),
        "parents": Member("object", "what is known about parents that are not edges", "parents"),
        "external_parents": Member("list", "parents outside the bundle", "external_parent"),
        "training": Member("object", "masks for training", "training"),
        "payload": Member("any", "the source record's content"),
    },
    "action": {
        "kind": Member("word", "kind of action"),
        "name": Member("text", "name of the tool or operation"),
        "artifact": Member("text", "identity of the tool or program"),
        "arguments": Member("any", "arguments"),
        "value": Member("any", "structured output or program value"),
        "call_id": Member("text", "identity of the call in the source"),
    },
    "admission": {
        "status": Member("word", "the decision", words=ADMISSIONS),
        "authority": Member("text", "who decided"),
        "decision_ref": Member("text", "node of the decision"),
        "capability_refs": Member("list", "grants it rests on", "text"),
        "reason": Member("text", "why"),
    },
    "effect": {
        "external": Member("bool", "reaches outside the runtime"),
        "target": Member("text", "what it acts on"),
        "request": Member("any", "the request"),
        "idempotency_key": Member("text", "key under which a redelivery is no new effect"),
        "replay": Member("bool", "is a redelivery"),
        "replay_of": Member("text", "the original"),
        "receipt_status": Member("word", "whether a receipt exists", words=RECEIPT_STATUSES),
        "receipt_ref": Member("text", "the receipt"),
    },
    "receipt": {
        "receipt_id": Member("id", "identity of the receipt", required=CORE),
        "operation": Member("text", "operation that ran", required=CORE),
        "arguments": Member("any", "arguments it ran with", required=CORE),
        "route": Member("text", "where it ran", required=CORE),
        "causal_id": Member("text", "what it answers", required=CORE),
        "status": Member("word", "how it went", required=CORE),
        "result_ref": Member("text", "its result", required=CORE),
    },
    "model_call": {
        "provider": Member("text", "provider"),
        "model": Member("text", "model"),
        "policy_revision": Member("text", "revision"),
        "request_id": Member("text", "identity of the request"),
        "decoding": Member("any", "decoding parameters"),
        "request_artifact": Member("any", "the exact request, or why it is not here"),
        "usage": Member("any", "tokens and cost as the source counted them"),
        "availability": Member("word", "whether provenance is here"),
        "reason": Member("text", "why it is not"),
    },
    "parents": {
        "status": Member("word", "none, undetermined, redacted or partial", required=CORE, words=PARENT_STATUSES),
        "reason": Member("text", "why"),
    },
    "external_parent": {
        "relation": Member("word", "relation to the child", required=CORE),
        "source_id": Member("text", "identity in the source", required=CORE),
        "availability": Member("word", "external, redacted or unknown", required=CORE),
        "reason": Member("text", "why it is withheld"),
        "metadata": Member("any", "what may be said about it"),
        "bundle": Member("object", "bundle that holds it", "bundle_ref"),
    },
    "bundle_ref": {
        "trajectory_id": Member("text", "identity of the bundle", required=CORE),
        "digest": Member("text|object", "its digest", "digest"),
    },
    "training": {
        "target": Member("bool", "whether the decision is a training target"),
        "purposes": Member("texts", "purposes it may serve"),
        "mask": Member("list", "role and loss of each part", "mask"),
        "missing_target": Member("any", "why there is no observation, delta or end"),
        "reason": Member("text", "why it is no target"),
    },
    "mask": {
        "path": Member("text", "JSON Pointer in the node; /state_view enters the state", required=CORE),
        "role": Member("word", "part in training", required=CORE, words=MASK_ROLES),
        "loss": Member("word", "whether loss is taken on it", required=CORE, words=MASK_LOSSES),
        "availability": Member("word", "whether the content is here", words=MASK_AVAILABILITIES),
        "visible": Member("right", "whether the model saw it"),
        "permitted": Member("right", "whether training on it is permitted"),
    },
    "edge": {
        "edge_id": Member("id", "identity of the edge"),
        "from": Member("id", "the cause", required=CORE),
        "to": Member("id", "what depends on it", required=CORE),
        "relation": Member("word", "`to` <relation> `from`", required=CORE),
        "basis": Member("word", "what the relation is known by", words=EDGE_BASES),
    },
    "outcome": {
        "outcome_id": Member("id", "identity of the outcome", required=CORE),
        "scope": Member("texts", "what it is about", required=CORE),
        "producer": Member("text", "who claims it", required=CORE),
        "authority_class": Member("word", "by which authority", required=CORE),
        "status": Member("word", "the claim", required=CORE),
        "terminal": Member("bool", "whether it ends the scope", required=CORE),
        "evidence_refs": Member("list", "what supports it", "text"),
        "asserted_at_node": Member("text", "node at which it was asserted"),
        "asserted_at": Member("object|text", "boundary at which it was asserted"),
        "value": Member("any", "content of the claim"),
        "invalidated_by": Member("text", "later record that invalidates it"),
        "superseded_by": Member("text", "later record that replaces it"),
    },
    "verifier_result": {
        "verifier_result_id": Member("id", "identity of the result", required=CORE),
        "verifier": Member("text", "who verified", required=CORE),
        "verifier_version": Member("text", "in which version", required=CORE),
        "checked_property": Member("text", "what was checked", required=CORE),
        "scope": Member("texts", "what it speaks about", required=EVALUATION),
        "evidence_refs": Member("list", "what it looked at", "text", CORE),
        "environment": Member("any", "where it ran"),
        "status": Member("word", "its result", required=CORE, words=VERIFIER_STATUSES),
        "output": Member("any", "its output; null when it had none", required=CORE),
        "asserted_at_node": Member("text", "node at which it was asserted"),
        "invalidates": Member("texts", "earlier results that it invalidates"),
        "invalidated_by": Member("text", "later record that invalidates it"),
    },
    "reward_record": {
        "reward_id": Member("id", "identity of the reward", required=CORE),
        "policy": Member("text", "policy that made it", required=CORE),
        "policy_version": Member("text", "in which version", required=CORE),
        "sources": Member("list", "records it rests on", "text", CORE),
        "scope": Member("texts", "what it is about", required=CORE),
        "attribution_target": Member("text", "what it is credited to", required=CORE),
        "signal_type": Member("word", "kind of signal", required=CORE, words=SIGNAL_TYPES),
        "value": Member("any", "the signal", required=CORE),
        "aggregation": Member("text", "how several sources became one value"),
        "producer": Member("text", "who made it", required=CORE),
        "created_at": Member("time", "when", required=CORE),
        "timing": Member("word", "during the run, or after it", required=CORE, words=("online", "retrospective")),
        "signal_shape": Member("any", "shape of a vector signal"),
        "labels": Member("any", "names of categories"),
    },
    "transform": {
        "exporter": Member("text", "implementation and version", required=CORE),
        "operations": Member("list", "what was done", "word", CORE),
        "derived_from": Member("list", "immediate sources", "derivation"),
        "steps": Member("list", "each operation with its implementation", "step"),
        "lossy": Member("list", "what a mapping dropped, approximated or synthesized", "loss"),
        "approximations": Member("list", "what is approximate", "text|object"),
    },
    "derivation": {
        "trajectory_id": Member("text", "identity of the source bundle"),
        "source_artifact": Member("text", "foreign file it was converted from"),
        "relation": Member("word", "how it was derived", words=DERIVATIONS),
        "availability": Member("word", "whether the source is at hand"),
        "completeness": Member("word", "completeness of the source", words=COMPLETENESS),
        "rights": Member("object", "rights of the source"),
        "digest": Member("text|object", "digest of the source", "digest"),
        "reason": Member("text", "why the source is not named"),
    },
    "step": {
        "operation": Member("word", "what was done", required=CORE),
        "implementation": Member("text", "by what", required=CORE),
        "version": Member("text", "in which version", required=CORE),
        "policy": Member("any", "under which policy"),
        "parameters": Member("any", "with which parameters"),
        "deterministic": Member("bool", "gives the same output each time"),
        "reason": Member("text", "why"),
    },
    "loss": {
        "code": Member("text", "name of the loss"),
        "class": Member("word", "category (name used by other writers)"),
        "category": Member("word", "category", words=LOSS_CATEGORIES),
        "handling": Member("word", "dropped, approximated or synthesized"),
        "pointer": Member("text", "place in the source"),
        "count": Member("int", "how many"),
        "detail": Member("text", "in one line"),
    },
    "disclosure": {
        "private_reasoning": Member("word", "what became of private reasoning"),
        "user_content": Member("word", "what became of user content"),
        "raw_event_payloads": Member("word", "what became of payloads"),
        "redacted_fields": Member("list", "paths of redacted members", "text"),
        "redactions": Member("list", "each redaction", "redaction"),
        "absences": Member("object", "why a record collection is empty", "absences"),
        "identity": Member("object", "how content-derived ids were made", "identity"),
    },
    "redaction": {
        "target": Member("text", "record concerned"),
        "pointer": Member("text", "JSON Pointer inside that record"),
        "status": Member("word", "redacted, omitted or truncated"),
        "class": Member("word", "class of what was taken"),
        "reason": Member("text", "why"),
        "rule": Member("text", "by which rule"),
        "count": Member("int", "how many"),
        "spans": Member("int", "how many spans inside the text"),
    },
    "absences": {
        "outcomes": Member("word", "why there are no outcomes"),
        "verifier_results": Member("word", "why there are no verifier results"),
        "reward_records": Member("word", "why there are no reward records"),
    },
    "identity": {
        "algorithm": Member("text", "hash algorithm of content-derived ids", required=CORE),
        "canonicalization": Member("text", "canonical form that was hashed", required=CORE),
    },
    "rights": {
        **{use: Member("right", f"whether {use.replace('_', ' ')} is granted", required=CORE) for use in USES},
        "collection": Member("right", "whether collection was granted"),
        "details": Member("object", "purposes, basis and validity of each use", "rights_details"),
    },
    "rights_details": {
        use: Member("object", f"details of {use.replace('_', ' ')}", "rights_detail") for use in (*USES, "collection")
    },
    "rights_detail": {
        "purposes": Member("texts", "purposes it is granted for"),
        "basis": Member("text", "what the grant rests on"),
        "licence": Member("text", "licence"),
        "granted_by": Member("text", "who granted it"),
        "valid_until": Member("time", "when it ends"),
        "conditions": Member("texts", "under which conditions"),
    },
    "integrity": {
        "status": Member("word", "what is provided", required=CORE, words=INTEGRITY_STATUSES),
        "algorithm": Member("text", "hash algorithm"),
        "canonicalization": Member("text", "canonical form"),
        "digest": Member("text", "the digest"),
        "signatures": Member("list", "signatures over the document", "signature"),
    },
    "signature": {
        "scheme": Member("text", "signature scheme", required=CORE),
        "key_id": Member("text", "key", required=CORE),
        "value": Member("text", "the signature", required=CORE),
    },
    "episode": {
        "episode_version": Member("word", "version of the Episode form", required=CORE, words=SPEC_VERSIONS),
        "episode_id": Member("id", "stable identity of the Episode", required=CORE),
        "source_trajectory_id": Member("text", "the trajectory that it was derived from"),
        "sources": Member("list", "the trajectories that it was derived from, when there are several", "bundle_ref"),
        "purpose": Member("word", "replay, evaluation or training", words=EPISODE_PURPOSES),
        "selection": Member("text|object", "rule by which transitions were selected", "episode_rule"),
        "termination": Member("text|object", "rule by which it ends, or how whole its source is", "episode_rule"),
        "transitions": Member("list", "the selected state transitions", "transition", CORE),
        "skipped": Member("list", "decisions that were left out, each with its reason", "skipped"),
        "reward_refs": Member("list", "reward records that it rests on", "text"),
        "completeness": Member("object", "how whole its sources are", "completeness"),
        "rights": Member("object", "the six uses, no wider than those of its sources", "rights", CORE),
        "disclosure": Member("object", "what is withheld, and of which class", "disclosure"),
        "transform": Member("object", "what was done to the data on the way", "transform"),
        "integrity": Member("object", "digest or signature over a canonical form", "integrity", CORE),
        "extensions": Member("object", "namespaced additions", "extensions"),
    },
    "episode_rule": {
        "rule": Member("text", "name of the rule"),
        "parameters": Member("any", "with which parameters"),
        "reason": Member("text", "why it ended"),
        "status": Member("word", "complete, partial or open", words=COMPLETENESS),
    },
    "transition": {
        "transition_id": Member("id", "identity of the transition", required=CORE),
        "source_trajectory_id": Member("text", "the trajectory it stands in, when the Episode has several"),
        "source_node_id": Member("text", "the decision in that trajectory"),
        "state_view": Member("object", "what the decision could see", "field"),
        "read_set": Member("list", "what it read", "text"),
        "policy": Member("object", "the model or policy that decided", "field"),
        "action_target": Member("object", "what it decided", "field"),
        "admission": Member("object", "whether that was admitted, and by whom", "field"),
        "environment_outputs": Member("list", "what came back", "field"),
        "state_delta": Member("object", "what it changed", "field"),
        "outcome_refs": Member("list", "outcomes that rest on it", "text"),
        "reward_refs": Member("list", "rewards credited to it by name", "text"),
        "metadata": Member("list", "what a trainer may read and never trains on", "field"),
    },
    "field": {
        "role": Member("word", "part in training", required=CORE, words=MASK_ROLES),
        "loss": Member("word", "whether loss is taken on it", required=CORE, words=MASK_LOSSES),
        "availability": Member("word", "whether the content is here", required=CORE, words=MASK_AVAILABILITIES),
        "visible": Member("right", "whether the model saw it"),
        "permitted": Member("right", "whether training on it is permitted"),
        "value": Member("any", "the content, or a reference to it"),
        "source": Member("object", "where it stands in the trajectory", "field_source"),
    },
    "field_source": {
        "trajectory_id": Member("text", "the trajectory"),
        "node_id": Member("text", "the node"),
        "pointer": Member("text", "JSON Pointer inside the node"),
    },
    "skipped": {
        "trajectory_id": Member("text", "the trajectory, when the Episode has several"),
        "node_id": Member("text", "the decision that was left out"),
        "reason": Member("text", "why"),
    },
    "dataset": {
        "dataset_version": Member("word", "version of the manifest form", required=CORE, words=SPEC_VERSIONS),
        "dataset_id": Member("id", "stable identity of the dataset", required=CORE),
        "version": Member("text", "version of the dataset"),
        "stated_use": Member("text", "the use that it was prepared for"),
        "purposes": Member("texts", "purposes of that use"),
        "members": Member("list", "Bundles and Episodes in it", "dataset_member", CORE),
        "labels": Member("list", "labels that were added; [] when there are none", "text|object"),
        "splits": Member("any", "division into parts"),
        "transform": Member("object", "what was done to the data on the way", "transform"),
        "rights": Member("object", "the six uses, no wider than those of any member", "rights"),
        "disclosure": Member("object", "what is withheld, and of which class", "disclosure"),
        "integrity": Member("object", "digest or signature over a canonical form", "integrity", CORE),
        "extensions": Member("object", "namespaced additions", "extensions"),
    },
    "dataset_member": {
        "kind": Member("word", "bundle or episode", required=CORE, words=("bundle", "episode")),
        "id": Member("id", "identity of the document", required=CORE),
        "path": Member("text", "where it stands, beside the manifest"),
        "digest": Member("text|object", "its digest", "digest"),
        "rights": Member("object", "its rights", "rights"),
    },
}

# Top-level collections of the Bundle, the kind of object they hold, and the member that identifies it.
COLLECTIONS: dict[str, tuple[str, str]] = {
    "states": ("state", "state_id"),
    "nodes": ("node", "node_id"),
    "edges": ("edge", "edge_id"),
    "outcomes": ("outcome", "outcome_id"),
    "verifier_results": ("verifier_result", "verifier_result_id"),
    "reward_records": ("reward_record", "reward_id"),
}

EXACT_TYPES: dict[str, frozenset[type]] = {
    "id": frozenset({str}),
    "text": frozenset({str}),
    "word": frozenset({str}),
    "time": frozenset({str}),
    "int": frozenset({int}),
    "number": frozenset({int, float}),
    "bool": frozenset({bool}),
    "right": frozenset({bool, str}),
    "object": frozenset({dict}),
    "list": frozenset({list}),
    "texts": frozenset({str, list}),
    "any": frozenset({str, int, float, bool, dict, list, type(None)}),
}


def exact_types(kind: str) -> frozenset[type]:
    """The exact Python types that a value of this kind ("text|object") may have; bool is not int."""
    return frozenset().union(*(EXACT_TYPES[part] for part in kind.split("|")))
