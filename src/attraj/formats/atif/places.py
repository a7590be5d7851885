"""The map between ATIF and the Bundle, field by field: the table that reading and restoring go by.

What no row names stays beside the Bundle's core, by pointer (`extra`, `notes`, `schema_version`, the `source` of the
agent's steps, parameters of tools), and comes back with it. Sources: ATIF RFC 0001; spec atif.md §2, traj.md §7.3.

    step of a user or the system    input             message of an agent's step     decision
    reasoning_content               reasoning_summary a tool call                    action
    a result with its content       observation       a call that has a result       effect, without a receipt
    a reference to a subagent       delegation        continued_trajectory_ref       event at the end of its thread
    a step with extra.attraj.kind   event, terminal
    an embedded subagent            nodes of a thread of their own; so are steps with extra.is_sidechain
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attraj.formats.atif.places_kept import KEPT_PLACES, own_of
from attraj.formats.mapping.fields import At, Field, Json, Place
from attraj.formats.mapping.holds import (
    is_any,
    is_content,
    is_count,
    is_filled_text,
    is_flag,
    is_list,
    is_number,
    is_object,
    is_text,
    is_time,
)

CONTINUATION = "continuation"  # topic of the node that stands for `continued_trajectory_ref`


def _is_effort(value: Any) -> bool:
    return type(value) in (str, int, float)


def _is_outer_role(value: Any) -> bool:
    return type(value) is str and value in ("user", "system")


def _is_answer(value: Any) -> bool:
    return type(value) is str and value == "answer"


def _is_topic(value: Any) -> bool:
    return type(value) is str and value != CONTINUATION


_STEP = (
    Field(("step_id",), ("logical_clock",), is_count, "the number of the step"),
    Field(("timestamp",), ("timestamp",), is_time, "only with a zone; another one is `unavailable` and kept aside"),
    Field(("message",), ("payload", "content"), is_content, "text, or content parts as they are"),
    Field(("llm_call_count",), ("payload", "llm_call_count"), is_count, "0: no model decided; more than 1: a sum"),
    Field(("is_copied_context",), ("payload", "is_copied_context"), is_flag, "true: context, and no new experience"),
)
# What ReAct web JSON says and ATIF has no member for, as this package writes it (spec: react-web.md §5.2).
_ITERATION = Field(("extra", "attraj", "iteration"), ("payload", "iteration"), is_any, "there; null where it has none")
_PLACE = Field(("extra", "attraj", "place"), ("payload", "place"), is_count, "order of calls and results, from there")
_TOOL = Field(("extra", "attraj", "tool"), ("payload", "tool"), is_text, "of a result, from there")
_METRICS = ("prompt_tokens", "completion_tokens", "cached_tokens")
_LISTS = ("prompt_token_ids", "completion_token_ids", "logprobs")
_COUNTED = (*_METRICS, "cost_usd", "api_calls")
_OBSERVED = ("scope", "resources", "observed")
_TOTAL = (
    *(Field(("final_metrics", f"total_{one}"), (*_OBSERVED, one), is_count) for one in _METRICS),
    Field(("final_metrics", "total_cost_usd"), (*_OBSERVED, "cost_usd"), is_number),
    Field(
        ("final_metrics", "extra", "cost_source"),
        (*_OBSERVED, "cost_source"),
        is_filled_text,
        "who counted the cost",
    ),
    Field(("final_metrics", "total_steps"), (*_OBSERVED, "steps"), is_count),
)
_CALLS = Field(("final_metrics", "extra", "api_calls"), (*_OBSERVED, "api_calls"), is_count, "calls of a model")
_USAGE = ("model_call", "usage")

_PLACES = (
    Place(
        "identity",
        "",
        (
            Field(
                ("trajectory_id",),
                ("trajectory_id",),
                is_filled_text,
                "of the document, not of the run; where it has one",
            ),
        ),
    ),
    Place("trajectory", "", _TOTAL),
    Place("trajectory with a count of calls", "", (*_TOTAL, _CALLS)),
    Place(
        "trajectory with totals of no provider",
        "",
        (
            Field(
                ("final_metrics", "extra", "origin"), (*_OBSERVED, "origin"), is_filled_text, "who counted: no provider"
            ),
            *(Field(("final_metrics", "extra", one), (*_OBSERVED, one), is_number) for one in _COUNTED),
            Field(("final_metrics", "total_steps"), (*_OBSERVED, "steps"), is_count),
        ),
    ),
    Place(
        "thread",
        "",
        (
            Field(
                ("trajectory_id",), ("name",), is_filled_text, "of a subagent, or of one of several documents of a run"
            ),
        ),
    ),
    Place("session", "", (Field(("session_id",), ("id",), is_filled_text, "identity of the run; never a link"),)),
    Place(
        "agent",
        "",
        (Field(("name",), ("name",), is_filled_text), Field(("version",), ("version",), is_filled_text)),
    ),
    Place("model", "", (Field(("model_name",), ("id",), is_filled_text, "the agent's default model"),)),
    Place("tool", "", (Field(("function", "name"), ("name",), is_filled_text, "its parameters are kept aside"),)),
    Place(
        "input",
        fields=(
            *_STEP,
            Field(("source",), ("payload", "role"), _is_outer_role),
            Field(
                ("extra", "context_management"),
                ("payload", "context_management"),
                is_object,
                "state views go by it",
            ),
        ),
    ),
    Place(
        "decision",
        fields=(
            *_STEP,
            Field(("model_name",), ("model_call", "model"), is_filled_text),
            Field(("reasoning_effort",), ("model_call", "decoding", "reasoning_effort"), _is_effort),
            *(Field(("metrics", one), (*_USAGE, one), is_count) for one in _METRICS),
            Field(("metrics", "cost_usd"), (*_USAGE, "cost_usd"), is_number),
            Field(("metrics", "extra", "cost_source"), (*_USAGE, "cost_source"), is_filled_text, "who counted it"),
            *(Field(("metrics", one), (*_USAGE, one), is_list) for one in _LISTS),
            _ITERATION,
            Field(("extra", "attraj", "topic"), ("topic",), _is_answer, "the message is the answer of the run"),
        ),
    ),
    Place("step without a model call", fields=_STEP),
    Place("step of no known source", fields=_STEP),
    Place(
        "step beside the turns",
        fields=(
            *_STEP,
            _ITERATION,
            _PLACE,
            _TOOL,
            Field(("extra", "attraj", "arguments"), ("payload", "arguments")),
            Field(("extra", "attraj", "topic"), ("topic",), _is_topic),
        ),
    ),
    Place(
        "reasoning",
        fields=(Field(("reasoning_content",), ("payload", "content"), is_filled_text, "a node of its own"),),
    ),
    Place(
        "call",
        fields=(
            Field(("tool_call_id",), ("action", "call_id"), is_text),
            Field(("function_name",), ("action", "name"), is_text),
            Field(("arguments",), ("action", "arguments")),
            _ITERATION,
            _PLACE,
        ),
    ),
    # An id or a name of a tool that this package made up, since ATIF asks for them, is none of the source's.
    Place(
        "call without an id",
        fields=(
            Field(("function_name",), ("action", "name"), is_text),
            Field(("arguments",), ("action", "arguments")),
            _ITERATION,
            _PLACE,
        ),
    ),
    Place(
        "command",
        fields=(
            Field(("arguments", "command"), ("action", "value"), is_text, "of no named tool; so written here"),
            _ITERATION,
            _PLACE,
        ),
    ),
    Place(
        "result of a call without an id",
        fields=(Field(("content",), ("observation",), is_content), _ITERATION, _PLACE, _TOOL),
    ),
    Place(
        "lost reply",
        fields=(_STEP[0], _STEP[1], Field(("llm_call_count",), ("payload", "llm_call_count"), is_count)),
    ),
    Place(
        "result",
        fields=(
            Field(("content",), ("observation",), is_content, "text, or content parts as they are"),
            Field(("source_call_id",), ("payload", "source_call_id"), is_text, "the edge from the effect rests on it"),
            _ITERATION,
            _PLACE,
            _TOOL,
        ),
    ),
    Place(
        "subagent reference",
        fields=(
            Field(("trajectory_id",), ("payload", "trajectory_id"), is_text),
            Field(("trajectory_path",), ("payload", "trajectory_path"), is_text),
            Field(("session_id",), ("payload", "session_id"), is_text),
        ),
    ),
    Place(
        "continuation", fields=(Field(("continued_trajectory_ref",), ("payload", "continued_trajectory_ref"), is_text),)
    ),
)

KEPT: At = ("extra", "attraj")  # where this package writes what a version has no member for


def kept(source: Json, name: str) -> Json:
    """What stands in `extra.attraj` of an object that has no such member itself; {} for nothing."""
    own = own_of(source) if name not in source else {}
    return own if own.get(name) is not None else {}


def as_kept(place: str) -> str:
    """Name of a place for objects whose members of version 1.7 are kept in `extra.attraj`."""
    return f"{place} before 1.7"


def _kept_place(place: Place) -> Place:
    fields = [
        one._replace(source=(*KEPT, *one.source), says="where a version before 1.7 has it from this package")
        if one.source in (("llm_call_count",), ("trajectory_id",))
        else one
        for one in place.fields
    ]
    return Place(as_kept(place.name), place.collection, tuple(fields), variant_of=place.name)


_WITH_KEPT = frozenset(
    {"input", "decision", "step without a model call", "step of no known source", "subagent reference"}
)
_BEFORE_17 = tuple(_kept_place(place) for place in _PLACES if place.name in _WITH_KEPT)
PLACES: Mapping[str, Place] = {place.name: place for place in (*_PLACES, *_BEFORE_17, *KEPT_PLACES)}
