"""What calls and runs used, as ATIF counts it. An estimate never becomes a provider's count (spec: decisions 34)."""

from __future__ import annotations

from typing import Any

from attraj.bundle.markers import is_marker
from attraj.formats.atif.shape import OBJECTS
from attraj.formats.mapping.fields import Json
from attraj.formats.mapping.held import Held, Part

_LISTS = ("prompt_token_ids", "completion_token_ids", "logprobs")


def metrics(usage: Part, version: int) -> Json | None:
    """`metrics` of a step; None when nothing is recorded."""
    return _counted(usage, "", version)


def totals(observed: Part, version: int, steps: int) -> Json | None:
    """`final_metrics` of a document; None when nothing is recorded."""
    found = _counted(observed, "total_", version)
    counted = observed.hold("steps")
    if counted is None or type(counted.value) is not int:
        return found
    found = found or {}
    extra = found.setdefault("extra", {})
    extra.pop("steps", None)
    if counted.value == steps:
        found["total_steps"] = counted
    else:
        extra["steps"] = counted
    return {name: one for name, one in found.items() if one != {}}


def _counted(usage: Part, prefix: str, version: int) -> Json | None:
    if is_marker(usage.record):
        return None
    is_estimate = type(usage.peek("origin")) is str
    kind = "final_metrics" if prefix else "metrics"
    found: Json = {}
    extra: Json = {}
    for name in usage.record:
        held = usage.hold(name) if type(name) is str else None
        if held is None:
            continue
        member = OBJECTS[kind].get(f"{prefix}{name}")
        if member is not None and member.since <= version and not is_estimate and _fits(name, held):
            found[f"{prefix}{name}"] = held
        else:
            extra[name] = held
    if extra:
        found["extra"] = extra
    return found or None


def _fits(name: str, held: Held) -> bool:
    value: Any = held.value
    if name in _LISTS:
        kinds = (int,) if name != "logprobs" else (int, float)
        return type(value) is list and all(type(one) in kinds for one in value)
    return type(value) is int or (name == "cost_usd" and type(value) is float)
