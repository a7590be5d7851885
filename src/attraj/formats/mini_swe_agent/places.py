"""Where the values of a mini-swe-agent trajectory stand in the Bundle: the one table, read and written back.

Messages are the provider's own objects. What a row does not name (`extra.response` but for its account, templates of
the configuration, encrypted reasoning) stays in the residue. Source: traj.md §3, §7.5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attraj.formats.mapping.fields import At, Field, Place, look_up
from attraj.formats.mapping.forms import JSON_TEXTS, UNIX_TIME
from attraj.formats.mapping.holds import (
    is_content,
    is_count,
    is_filled_list,
    is_filled_text,
    is_list,
    is_number,
    is_object,
    is_text,
)
from attraj.jsonio import MISSING

_TOPIC = (Field(("role",), ("topic",), is_text),)
_ITEM = (Field(("type",), ("topic",), is_text),)
_MADE = "when the message was made: Unix seconds here, a time in UTC there"
_CONTENT = Field(("content",), ("payload", "content"), is_content, "a text, or parts as they are")
_COST: At = ("model_call", "usage", "cost_usd")
_RAN = (
    Field(("extra", "returncode"), ("payload", "returncode"), is_count),
    Field(("extra", "raw_output"), ("payload", "raw_output"), is_text, "before the template cut and framed it"),
    Field(("extra", "exception_info"), ("payload", "exception_info"), is_filled_text),
)
_INPUT = (
    Field(("role",), ("payload", "role"), is_text),
    _CONTENT,
    Field(("extra", "interrupt_type"), ("payload", "interrupt"), is_filled_text, "what broke into the loop"),
)


def _account(base: At, sent: str, received: str, details: str) -> tuple[Field, ...]:
    """What a provider's own reply says of the call."""
    usage = (*base, "usage")
    return (
        Field((*base, "id"), ("model_call", "request_id"), is_filled_text),
        Field((*base, "model"), ("model_call", "model"), is_filled_text, "as the provider names it"),
        Field((*base, "provider"), ("model_call", "provider"), is_filled_text),
        Field((*usage, sent), ("model_call", "usage", "prompt_tokens"), is_count),
        Field((*usage, received), ("model_call", "usage", "completion_tokens"), is_count),
        Field((*usage, details, "cached_tokens"), ("model_call", "usage", "cached_tokens"), is_count),
    )


def _call(form: str) -> tuple[Place, Place]:
    """A call in each of the two shapes, its arguments as text or as the object that the text stands for."""
    suffix, way = (f", {form} arguments", JSON_TEXTS[form]) if form else ("", None)
    says = "the object that this JSON text stands for" if form else "a text that is kept as it is"
    core = ("action", "arguments")
    return (
        Place(
            f"tool call{suffix}",
            fields=(
                Field(("type",), ("topic",), is_text),
                Field(("id",), ("action", "call_id"), is_text),
                Field(("function", "name"), ("action", "name"), is_text),
                Field(("function", "arguments"), core, says=says, form=way),
            ),
        ),
        Place(
            f"function call{suffix}",
            fields=(
                *_ITEM,
                Field(("call_id",), ("action", "call_id"), is_text),
                Field(("name",), ("action", "name"), is_text),
                Field(("arguments",), core, says=says, form=way),
            ),
        ),
    )


_CHAT = ("prompt_tokens", "completion_tokens", "prompt_tokens_details")
_RESPONSES = ("input_tokens", "output_tokens", "input_tokens_details")
_OBSERVED: At = ("resources", "observed")
_BUDGET: At = ("resources", "budget")

_PLACES: tuple[Place, ...] = (
    # The document.
    Place("task", "", (Field(("instance_id",), ("id",), is_filled_text),)),
    Place("harness", "", (Field(("info", "mini_version"), ("version",), is_filled_text),)),
    Place(
        "model",
        "",
        (
            Field(("info", "config", "model", "model_name"), ("id",), is_filled_text),
            Field(("info", "config", "model", "model_kwargs"), ("decoding",), is_object),
        ),
    ),
    Place("environment", "", (Field(("info", "config", "environment", "image"), ("id",), is_filled_text),)),
    Place(
        "account",
        "",
        (
            Field(("info", "model_stats", "instance_cost"), (*_OBSERVED, "cost_usd"), is_number, "litellm's prices"),
            Field(("info", "model_stats", "api_calls"), (*_OBSERVED, "api_calls"), is_count),
            *(
                Field(("info", "config", "agent", name), (*_BUDGET, name), is_number, "0 stands for no limit")
                for name in ("step_limit", "cost_limit", "wall_time_limit_seconds")
            ),
        ),
    ),
    Place("ending", "outcomes", (Field(("info", "exit_status"), ("value",), is_filled_text),)),
    Place("submission", fields=(Field(("info", "submission"), ("payload", "submission"), is_text),)),
    Place("submission alone", fields=(Field(("info", "submission"), ("payload", "content"), is_text),)),
    # Messages.
    Place("input", fields=_INPUT),
    Place("input item", fields=(*_ITEM, *_INPUT)),
    Place("time", fields=(Field(("extra", "timestamp"), ("timestamp",), is_number, _MADE, UNIX_TIME),)),
    Place("time in 1.x", fields=(Field(("timestamp",), ("timestamp",), is_number, _MADE, UNIX_TIME),)),
    Place("cost", fields=(Field(("extra", "cost"), _COST, is_number, "litellm's price of the call"),)),
    Place(
        "reply",
        fields=(
            *_TOPIC,
            _CONTENT,
        ),
    ),
    Place("response", fields=(Field(("object",), ("topic",), is_text),)),
    Place("text of a response", fields=(Field(("content",), ("payload", "content"), is_list),)),
    Place("only text of a response", fields=(Field(("content", 0, "text"), ("payload", "content"), is_text),)),
    Place("further text of a response", fields=(*_ITEM, Field(("content",), ("payload", "content"), is_list))),
    Place("account of the provider", fields=_account(("extra", "response"), *_CHAT)),
    Place("account of a response", fields=_account((), *_RESPONSES)),
    Place("cost of the provider", fields=(Field(("extra", "response", "usage", "cost"), _COST, is_number),)),
    Place(
        "reasoning",
        fields=(
            Field(("reasoning_content",), ("payload", "content"), is_filled_text),
            Field(("thinking_blocks",), ("payload", "blocks"), is_filled_list, "the provider's signed form of it"),
        ),
    ),
    Place(
        "reasoning of the provider",
        fields=(
            Field(("extra", "response", "choices", 0, "message", "reasoning"), ("payload", "content"), is_filled_text),
        ),
    ),
    Place("reasoning item", fields=(*_ITEM, Field(("summary",), ("payload", "content"), is_list))),
    Place("short reasoning item", fields=(*_ITEM, Field(("summary", 0, "text"), ("payload", "content"), is_text))),
    *(place for form in ("", *JSON_TEXTS) for place in _call(form)),
    Place("command", fields=(Field(("command",), ("action", "value"), is_text, "text mode, and a person's"),)),
    Place(
        "execution",
        fields=(Field(("command",), ("effect", "request"), is_text, "what ran"),),
    ),
    Place(
        "result",
        fields=(
            *_TOPIC,
            Field(("content",), ("observation",), is_content),
            *_RAN,
        ),
    ),
    Place(
        "result item",
        fields=(
            *_ITEM,
            Field(("output",), ("observation",), is_content),
            *_RAN,
        ),
    ),
    # An id that a result shares with no call: else it is that of the call, which both say.
    Place("id of a result", fields=(Field(("tool_call_id",), ("payload", "call_id"), is_text),)),
    Place("id of a result item", fields=(Field(("call_id",), ("payload", "call_id"), is_text),)),
    Place("unparsed reply", fields=(Field(("extra", "model_response"), ("payload", "content"), is_text),)),
    Place(
        "unparsed reply of the provider",
        fields=(Field(("extra", "response", "choices", 0, "message", "content"), ("payload", "content"), is_content),),
    ),
    Place(
        "exit",
        fields=(*_TOPIC, _CONTENT, Field(("extra", "traceback"), ("payload", "traceback"), is_filled_text)),
    ),
    Place("other message", fields=(*_TOPIC, _CONTENT)),
)

PLACES: Mapping[str, Place] = {place.name: place for place in _PLACES}


def says(place: str, source: Any) -> bool:
    """Whether an object holds anything that a place of the table takes."""
    values = ((one, look_up(source, one.source)) for one in PLACES[place].fields)
    return any(value is not MISSING and one.holds(value) for one, value in values)


def call_place(is_item: bool, form: str) -> str:
    """Name of the place of a call whose arguments are a JSON text of this form ("" for none)."""
    name = "function call" if is_item else "tool call"
    return f"{name}, {form} arguments" if form else name
