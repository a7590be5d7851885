"""The map of a trial's small files: which of their values stand where in the Bundle (spec: atif.md §5.7).

Harbor's folders are read and never written. The table is the same kind that the other rooms restore their documents
by: whatever it does not name is kept beside the core as residue of its file.
"""

from __future__ import annotations

from collections.abc import Mapping

from attraj.formats.mapping.fields import Field, Place
from attraj.formats.mapping.holds import is_flag, is_number, is_object, is_text

_RESULT = Place(
    "result",
    "",
    (
        Field(("id",), ("scope", "attempt_id"), is_text, "identity of the trial: one rollout"),
        Field(("config", "job_id"), ("scope", "evaluation_id"), is_text, "the job"),
    ),
)
_STEP = Place("step", "", (Field(("step_name",), ("scope", "objective_id"), is_text, "step of a multi-step trial"),))

# The task by its digest in the lock; its checksum in result.json only where there is no lock (Harbor 0.1).
_TASK = Place(
    "task",
    "",
    (
        Field(("name",), ("name",), is_text),
        Field(("digest",), ("digest",), is_text, "of the task's folder"),
        Field(("version",), ("version",), is_text),
        Field(("source",), ("source",), is_text, "the dataset"),
        Field(("git_url",), ("git_url",), is_text),
        Field(("git_commit_id",), ("git_commit_id",), is_text),
    ),
)
_TASK_NAME = Place("task-name", "", (Field(("task_name",), ("name",), is_text),))
_CHECKSUM = Place("task-checksum", "", (Field(("task_checksum",), ("digest", "value"), is_text, "where no lock is"),))
_VERIFIED_TASK = Place("verified-task", "", (Field(("digest",), ("version",), is_text, "the task of a regrade"),))

_AGENT = Place(
    "agent",
    "",
    (Field(("name",), ("name",), is_text), Field(("version",), ("version",), is_text)),
)
_AGENT_CODE = Place(
    "agent-code", "", (Field(("import_path",), ("id",), is_text, "an agent that is no part of Harbor"),)
)
_MODEL = Place(
    "model",
    "",
    (Field(("name",), ("id",), is_text), Field(("provider",), ("provider",), is_text)),
)
_MODEL_NAME = Place("model-name", "", (Field(("model_name",), ("id",), is_text, "as asked for"),))
_ENVIRONMENT = Place(
    "environment",
    "",
    (
        Field(("type",), ("name",), is_text, "kind of sandbox"),
        Field(("import_path",), ("id",), is_text, "a sandbox that is no part of Harbor"),
    ),
)
_SKILL = Place(
    "skill",
    "",
    (Field(("name",), ("name",), is_text), Field(("digest",), ("digest",), is_text)),
)

_TERMINATION = Place("termination", "", (Field(("exception_type",), ("reason",), is_text),))
_EXCEPTION = Place(
    "exception",
    "outcomes",
    (
        Field(("exception_message",), ("value", "message"), is_text),
        Field(("occurred_at",), ("value", "occurred_at"), is_text, "naive local time in Harbor 0.18"),
        Field(("policy",), ("value", "policy"), is_object, "what Harbor recorded (from 0.25)"),
        Field(("policy_override",), ("value", "policy_override")),
    ),
)
_VERIFIER_EXCEPTION = Place(
    "verifier-exception",
    "verifier_results",
    (
        Field(("exception_message",), ("output", "message"), is_text, "of what kept the verifier from a reward"),
        Field(("occurred_at",), ("output", "occurred_at"), is_text, "naive local time in Harbor 0.18"),
        Field(("policy",), ("output", "policy"), is_object, "what Harbor recorded (from 0.25)"),
        Field(("policy_override",), ("output", "policy_override")),
    ),
)
_END = Place("end", "outcomes", (Field(("finished_at",), ("asserted_at", "to"), is_text),))

_BUDGET = Place(
    "budget",
    "",
    (
        Field(("timeout_multiplier",), ("timeout_multiplier",), is_number),
        Field(("agent_timeout_multiplier",), ("agent_timeout_multiplier",), is_number),
        Field(("verifier_timeout_multiplier",), ("verifier_timeout_multiplier",), is_number),
        Field(("agent_setup_timeout_multiplier",), ("agent_setup_timeout_multiplier",), is_number),
        Field(("environment_build_timeout_multiplier",), ("environment_build_timeout_multiplier",), is_number),
        Field(("agent", "override_timeout_sec"), ("agent_timeout_s",), is_number, "only where it was overridden"),
        Field(("agent", "max_timeout_sec"), ("agent_max_timeout_s",), is_number),
        Field(("agent", "override_setup_timeout_sec"), ("agent_setup_timeout_s",), is_number),
        Field(("agent", "kwargs", "max_turns"), ("max_turns",), is_number),
        Field(("agent", "kwargs", "max_budget_usd"), ("max_cost_usd",), is_number),
        Field(("verifier", "override_timeout_sec"), ("verifier_timeout_s",), is_number),
        Field(("verifier", "max_timeout_sec"), ("verifier_max_timeout_s",), is_number),
        Field(("environment", "override_cpus"), ("cpus",), is_number),
        Field(("environment", "override_memory_mb"), ("memory_mb",), is_number),
        Field(("environment", "override_storage_mb"), ("storage_mb",), is_number),
        Field(("environment", "override_gpus"), ("gpus",), is_number),
    ),
)
_USED = Place(
    "used",
    "",
    (
        Field(("n_input_tokens",), ("prompt_tokens",), is_number, "with what the cache gave"),
        Field(("n_cache_tokens",), ("cached_tokens",), is_number),
        Field(("n_output_tokens",), ("completion_tokens",), is_number),
        Field(("cost_usd",), ("cost_usd",), is_number),
        Field(("model_usage",), ("by_model",), is_object, "from 0.26"),
    ),
)
_SPANS = Place(
    "spans",
    "",
    (
        Field(("started_at",), ("started_at",), is_text),
        Field(("environment_setup",), ("environment_setup",), is_object),
        Field(("agent_setup",), ("agent_setup",), is_object),
        Field(("agent_execution",), ("agent_execution",), is_object),
        Field(("verifier",), ("verifier",), is_object),
    ),
)

_VERIFIER_RUN = Place(
    "verifier-run",
    "verifier_results",
    (
        Field(("verifier_environment_mode",), ("environment", "mode"), is_text, "shared or separate (from 0.26)"),
        Field(("reward_valid",), ("output", "reward_valid"), is_flag, "Harbor's own word on it (from 0.26)"),
    ),
)
_CTRF = Place(
    "ctrf",
    "verifier_results",
    (
        Field(("results", "tool"), ("output", "tool"), is_object),
        Field(("results", "summary"), ("output", "tests"), is_object, "written by the task's own script"),
    ),
)
_REWARD = Place("reward", "reward_records", (Field((), ("value",), is_number, "one record for each key"),))
_REGRADE = Place(
    "source-trial", "", (Field(("trial_id",), ("trajectory_id",), is_text, "the run that was graded again"),)
)

PLACES: Mapping[str, Place] = {
    one.name: one
    for one in (
        _RESULT,
        _STEP,
        _TASK,
        _TASK_NAME,
        _CHECKSUM,
        _VERIFIED_TASK,
        _AGENT,
        _AGENT_CODE,
        _MODEL,
        _MODEL_NAME,
        _ENVIRONMENT,
        _SKILL,
        _TERMINATION,
        _EXCEPTION,
        _VERIFIER_EXCEPTION,
        _END,
        _BUDGET,
        _USED,
        _SPANS,
        _VERIFIER_RUN,
        _CTRF,
        _REWARD,
        _REGRADE,
    )
}
