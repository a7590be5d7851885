"""The words of the specification: profiles, kinds, relations, statuses. Source: spec bundle.md §4, decisions 21-23."""

from __future__ import annotations

CORE, EVALUATION, TRAINING = "AT-Core", "AT-Evaluation", "AT-Training"
PROFILES = (CORE, EVALUATION, TRAINING)
SPEC_VERSIONS = ("0.1",)
USES = (
    "retention",
    "local_evaluation",
    "hosted_evaluation",
    "training",
    "redistribution_original",
    "redistribution_transformed",
)
AVAILABILITIES = ("included", "referenced", "redacted", "omitted", "unavailable", "unchanged", "unknown")
AVAILABILITY_ALIASES = {"inline": "included", "artifact": "referenced", "remote": "referenced"}
AUTHORITY_CLASSES = ("agent", "model", "harness", "program", "runtime", "principal", "verifier", "external", "unknown")
NODE_KINDS = (
    "input",
    "decision",
    "proposal",
    "action",
    "admission",
    "capability",
    "effect",
    "effect_receipt",
    "observation",
    "state_transaction",
    "branch",
    "join",
    "verification",
    "reward",
    "outcome",
    "evidence",
    "delegation",
    "callback",
    "recovery",
    "retry",
    "resume",
    "replay",
    "terminal",
    "resource_observation",
    "reasoning_summary",
    "objective_transition",
    "evaluation_request",
    "event",
)
AUTHORITY_ALIASES = {"external_or_unspecified": "unknown"}
RELATIONS = ("caused_by", "triggered_by", "depends_on", "joins", "retries", "resumes", "verifies")
BUILT_IN_RELATIONS = ("replays", "recovers", "delegates", "supersedes", "invalidates", "precedes_in_plan")
OUTCOME_AUTHORITIES = ("agent_self_report", "runtime", "principal_acceptance", "external_world", "unknown")
OUTCOME_AUTHORITY_ALIASES = ("agent", "principal", "external", "user")
VERIFIER_STATUSES = ("pass", "fail", "indeterminate", "error", "invalidated")
SIGNAL_TYPES = ("scalar", "vector", "ordinal", "categorical", "preference", "step_level", "label")
COMPLETENESS = ("complete", "partial", "open")
ADMISSIONS = ("proposed", "admitted", "denied", "rejected", "expired", "revoked", "not_required", "unknown")
REFUSALS = ("denied", "rejected", "expired", "revoked")
RECEIPT_STATUSES = ("attached", "referenced", "none_authoritative", "unavailable", "redacted")
# Status words are open; rules that must tell how something went use these families (spec: bundle.md §4.6).
SUCCESS_WORDS = ("succeeded", "success", "committed", "completed", "executed", "done")
FAILURE_WORDS = ("failed", "error", "rejected", "denied", "cancelled", "timed_out", "expired", "revoked")
PENDING_WORDS = ("proposed", "pending", "queued", "running", "waiting", "suspended")
REPLAY_WORDS = ("replayed", "deduplicated")
PARENT_STATUSES = ("none", "undetermined", "redacted", "partial")
EDGE_BASES = ("recorded", "call_id", "turn_order", "loop_semantics")
OPERATIONS = (
    "export",
    "conversion",
    "causal_projection",
    "selection",
    "normalization",
    "retokenization",
    "redaction",
    "labeling",
    "merging",
    "reward_derivation",
    "state_reconstruction",
    "event_payload_omission",
    "user_content_redaction",
    "attempt_selection",
    "episode_derivation",
    "time_coarsening",
    "id_renaming",
)
DERIVATIONS = (
    "export_of",
    "redaction_of",
    "selection_of",
    "revision_of",
    "merge_of",
    "reward_derivation_of",
    "conversion_of",
)
MASK_ROLES = ("model_input", "supervised_target", "environment_output", "metadata", "excluded")
MASK_LOSSES = ("included", "excluded")
MASK_AVAILABILITIES = ("included", "referenced", "redacted", "omitted", "unavailable", "unknown", "missing")
EPISODE_PURPOSES = ("replay", "evaluation", "training")
LOSS_CATEGORIES = (
    "span_vs_node",
    "message_vs_state_view",
    "request_vs_effect",
    "call_success_vs_outcome",
    "verifier_vs_reward",
    "order_vs_causality",
    "attachments",
    "identity",
    "timing",
    "usage",
    "rights",
    "other",
)
# Extensions that attraj itself defines and reads (spec: bundle.md §2.4, §4.7, §4.10, decisions 22).
KNOWN_EXTENSIONS = (
    "dev.attraj.native",
    "dev.attraj.source",
    "dev.attraj.edge_types",
    "dev.attraj.training",
    "dev.attraj.rights",
    "dev.attraj.reference_form",
)
LOSS_HANDLINGS = ("dropped", "approximated", "synthesized", "discarded")  # the last is an older word for dropped
INTEGRITY_STATUSES = ("not_provided", "digest_provided", "signed")

# Binding kinds: plural is written, singular is read (spec: bundle.md §4.2, decisions 23).
BINDING_KINDS = {
    "task": "tasks",
    "environment": "environments",
    "cognitive_application": "cognitive_applications",
    "agent": "agents",
    "principal": "principals",
    "context": "contexts",
    "session": "sessions",
    "objective": "objectives",
    "attempt": "attempts",
    "activation": "activations",
    "thread": "threads",
    "harness": "harnesses",
    "evaluation_binding": "evaluation_bindings",
    "contract": "contracts",
    "entry_program": "entry_programs",
    "program": "programs",
    "program_execution": "program_executions",
    "model": "models",
    "policy": "policies",
    "tool": "tools",
    "execution_target": "execution_targets",
    "capability": "capabilities",
    "sandbox": "sandboxes",
    "verifier": "verifiers",
}
# Members of `bindings` that bind nothing: plain statements, of which [] is one.
STATEMENTS = ("equivalent_conditions", "uncontrolled_variables")
