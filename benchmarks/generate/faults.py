"""Copies of a clean ATIF trajectory with a given number of faults, one to a step, each at a known place."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]


def with_faults(trajectory: Json, count: int, seed: str) -> list[str]:
    """Put `count` faults into a trajectory, in place, spread over its length.

    Args:
        trajectory: A clean trajectory with more than `count` agent steps that call a tool. It is modified.
        count: Number of faults; no step gets two.
        seed: Chooses the steps.

    Returns:
        The JSON Pointers at which a validator has to report them, in document order.

    Raises:
        ValueError: The trajectory is too short.
    """
    steps = trajectory["steps"]
    able = [position for position, step in enumerate(steps) if step.get("tool_calls")]
    if len(able) < count:
        raise ValueError(f"{len(able)} steps call a tool: too few for {count} faults")
    chosen = sorted(random.Random(seed).sample(able, count))
    return [f"/steps/{at}{FAULTS[turn % len(FAULTS)](steps[at])}" for turn, at in enumerate(chosen)]


def broken(source: bytes, count: int, seed: str) -> tuple[Json, list[str]]:
    """The trajectory in `source` with faults, and where they are."""
    trajectory: Json = json.loads(source)
    return trajectory, with_faults(trajectory, count, seed)


def _unknown_member(step: Json) -> str:
    step["mood"] = "calm"
    return "/mood"


def _message_of_wrong_type(step: Json) -> str:
    step["message"] = 7
    return "/message"


def _missing_source(step: Json) -> str:
    del step["source"]
    return ""  # a missing member is reported at the object that lacks it


def _unresolved_call(step: Json) -> str:
    step["observation"]["results"][0]["source_call_id"] = "call-of-no-step"
    return "/observation/results/0/source_call_id"


def _bad_timestamp(step: Json) -> str:
    step["timestamp"] = "yesterday"
    return "/timestamp"


FAULTS: tuple[Callable[[Json], str], ...] = (
    _unknown_member,
    _message_of_wrong_type,
    _missing_source,
    _unresolved_call,
    _bad_timestamp,
)
