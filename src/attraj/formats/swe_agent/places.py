"""The map of a `.traj`: each kind of object, field by field, and where its values stand in a Bundle.

What is not here stays in the residue: the zeros and empty objects of steps that were not run, `edited_files*`, hashes
and versions of the runtime, the rest of the configuration. Spec: traj.md §7.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attraj.formats.mapping.fields import Field, Form, Place
from attraj.formats.mapping.forms import JSON_TEXTS
from attraj.formats.mapping.holds import (
    is_content,
    is_filled_list,
    is_filled_object,
    is_filled_text,
    is_flag,
    is_list,
    is_number,
    is_object,
    is_text,
    is_time,
)
from attraj.formats.swe_agent.shape import OWN


def is_text_or_object(value: Any) -> bool:
    """A string, or an object."""
    return type(value) is str or type(value) is dict


def is_nothing(value: Any) -> bool:
    """The number of things that are not there: 0 as an integer."""
    return type(value) is int and value == 0


def is_status(value: Any) -> bool:
    """Whether a value is an exit status: a word, or the number that upstream's annotation allows."""
    return type(value) in (str, int)


# --- the table ---------------------------------------------------------------------------------------------------

_CALL = (
    Field(("id",), ("action", "call_id"), is_text, "the provider's id of the call"),
    Field(("function", "name"), ("action", "name"), is_text, "the tool"),
)
_ARGUMENTS = ("function", "arguments")


def _call_place(name: str, form: Form | None) -> Place:
    says = "as the text that it is" if form is None else f"the object that the JSON text ({name}) stands for"
    arguments = Field(_ARGUMENTS, ("action", "arguments"), is_text if form else is_text_or_object, says, form)
    return Place(f"call-{name}" if name else "call", fields=(*_CALL, arguments))


_USAGE = (
    ("instance_cost", "cost_usd", "what the model calls cost"),
    ("tokens_sent", "prompt_tokens", "litellm's local count, no provider's usage"),
    ("tokens_received", "completion_tokens", "litellm's local count, no provider's usage"),
    ("api_calls", "api_calls", "more than the steps with a reply where replies were lost"),
)


def _usage(*core: str) -> tuple[Field, ...]:
    return tuple(Field((source,), (*core, name), is_number, says) for source, name, says in _USAGE)


SUGGESTED_TOTALS = {"total_cost": "cost_usd", "input_tokens": "prompt_tokens", "output_tokens": "completion_tokens"}

_TABLE = (
    Place("query", "states", is_messages=True),
    Place("messages", "states", is_messages=True),
    Place("history", "states", is_messages=True),
    Place(
        "message",
        fields=(
            Field(("role",), ("payload", "role"), is_text),
            Field(("content",), ("payload", "content"), is_content),
            Field(("is_demo",), ("payload", "is_demo"), is_flag, "shown as an example, no experience of this run"),
            Field((OWN, "is_copied_context"), ("payload", "is_copied_context"), is_flag, "of another trajectory"),
            Field((OWN, "llm_call_count"), ("payload", "llm_call_count"), is_nothing, "0: no model was called"),
        ),
    ),
    Place(
        "reply",
        fields=(
            Field(("response",), ("payload", "content"), is_text, "the model's text; tool calls are not in it"),
            Field(("thought",), ("payload", "thought"), is_text, "as parsed; the response itself where parsing failed"),
            Field(("timestamp_start",), ("timestamp",), is_time, "suggested by a note; no release writes it"),
            Field(("cost",), ("model_call", "usage", "cost_usd"), is_number, "suggested by a note"),
            Field(("prompt_tokens",), ("model_call", "usage", "prompt_tokens"), is_number, "likewise"),
            Field(("completion_tokens",), ("model_call", "usage", "completion_tokens"), is_number, "likewise"),
        ),
    ),
    Place("told_reply", fields=(
        Field(("content",), ("payload", "content"), is_content, "of a history without a trajectory"),
        Field(("thought",), ("payload", "thought"), is_text),
    )),
    Place("thinking", fields=(
        Field(("thinking_blocks",), ("payload", "content"), is_filled_list, "the provider's blocks"),
    )),
    Place("command", fields=(Field(("action",), ("action", "value"), is_text, "the command after parsing"),)),
    _call_place("", None),
    *[_call_place(name, form) for name, form in JSON_TEXTS.items()],
    Place("effect", fields=(
        Field(("execution_time",), ("payload", "duration_s"), is_number, "seconds of the command alone"),
        Field(("exit_code",), ("payload", "exit_code"), is_number, "suggested by a note"),
    )),
    Place("result", fields=(Field(("observation",), ("observation",), is_text, "the raw output"),
        Field(("timestamp_end",), ("timestamp",), is_time, "suggested by a note"),
    )),
    Place("complaint", fields=(
        Field(("content",), ("observation",), is_content, "why a proposal was rejected, in the next model input"),
    )),
    Place("told_result", fields=(
        Field(("content",), ("observation",), is_content, "of a history without a trajectory"),
    )),
    Place("exit", fields=(
        Field(("response",), ("payload", "content"), is_text, "the loop's own words; no model wrote them"),
        Field(("thought",), ("payload", "thought"), is_text),
        Field(("action",), ("payload", "action"), is_filled_text, "a pseudo command of 0.x"),
        Field(("observation",), ("payload", "observation"), is_filled_text),
        Field(("execution_time",), ("payload", "duration_s"), is_number, "of what submitted on the way out"),
    )),
    Place("exit_notice", fields=(
        Field(("thought",), ("payload", "content"), is_text, "the loop's own words beside a reply of the model"),
        Field(("action",), ("payload", "action"), is_filled_text, "a pseudo command of 0.x"),
        Field(("observation",), ("payload", "observation"), is_filled_text),
        Field(("execution_time",), ("payload", "duration_s"), is_number),
    )),
    Place("last_reply", fields=(
        Field(("response",), ("payload", "content"), is_text, "the reply that could not be parsed (exit_format)"),
    )),
    Place("samples", fields=(
        Field(("extra_info",), ("payload", "extra_info"), is_filled_object, "candidates that a sampler compared"),
    )),
    Place("snapshot", "states", fields=(
        Field(("state",), ("snapshot",), is_text_or_object, "0.x: a text, before the action; 1.x: after it"),
    )),
    Place("ending", "outcomes", fields=(
        Field(("exit_status",), ("value",), is_status, "how the loop ended, which is not whether the task was solved"),
    )),
    Place("submission", fields=(
        Field(("submission",), ("payload", "content"), is_text, "the patch, or a flag"),
    )),
    Place("totals", "", fields=_usage("scope", "resources", "observed")),
    Place("usage", fields=_usage("payload", "usage")),
    Place("review", "verifier_results", fields=(
        Field(("outputs",), ("output", "outputs"), is_list),
        Field(("messages",), ("output", "messages"), is_list, "what the reviewer was shown"),
    )),
    Place("score", "reward_records", fields=(
        Field(("accept",), ("value",), is_number, "mean of the reviewer's scores, less its penalties"),
    )),
    Place("choice", fields=(
        Field(("best_attempt_idx",), ("payload", "best_attempt"), is_number, "position of the attempt, from 0"),
        Field(("chooser",), ("payload", "chooser"), is_object),
    )),
    Place("harness", "", fields=(Field(("swe_agent_version",), ("version",), is_filled_text),)),
    Place("environment", "", fields=(
        Field(("environment",), ("name",), is_filled_text, "0.x: swe_main; 1.x: the instance in a batch, else main"),
    )),
    Place("model", "", fields=(
        Field(("agent", "model", "name"), ("id",), is_filled_text),
        Field(("agent", "model", "temperature"), ("decoding", "temperature"), is_number),
        Field(("agent", "model", "top_p"), ("decoding", "top_p"), is_number),
    )),
    Place("task", "", fields=(Field(("problem_statement", "id"), ("id",), is_filled_text),)),
    # Where this package wrote the file, and no configuration says it.
    Place("model_in_own", "", fields=(Field((OWN, "model"), ("id",), is_filled_text),)),
    Place("task_in_own", "", fields=(Field((OWN, "task"), ("id",), is_filled_text),)),
    # Suggested by a note; no release writes them (decisions 35). Who counted the totals is not known.
    Place("model_in_info", "", fields=(Field(("model_name",), ("id",), is_filled_text, "suggested by a note"),)),
    Place("task_in_info", "", fields=(Field(("instance_id",), ("id",), is_filled_text, "suggested by a note"),)),
    Place("model_in_file", "", fields=(Field(("model_name",), ("id",), is_filled_text, "suggested by a note"),)),
    Place("task_in_file", "", fields=(Field(("instance_id",), ("id",), is_filled_text, "suggested by a note"),)),
    Place("totals_in_info", "", fields=tuple(
        Field((source,), ("scope", "resources", "observed", name), is_number, "suggested by a note")
        for source, name in SUGGESTED_TOTALS.items()
    )),
)  # fmt: skip

PLACES: Mapping[str, Place] = {place.name: place for place in _TABLE}
"""Name of each kind of object in a `.traj` to its fields."""
