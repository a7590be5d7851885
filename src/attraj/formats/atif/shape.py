"""What ATIF objects are made of: one table of members, their exact types, and the version that brought each.

The checks and the published schema come from here. Sources: ATIF RFC 0001 (1.4, 1.5, 1.7) and the models of Harbor
0.26 for 1.8. A version is written as its minor number: 7 is ATIF-v1.7.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import NoneType
from typing import NamedTuple

OLDEST, NEWEST = 0, 8
VERSIONS: Mapping[str, int] = {f"ATIF-v1.{minor}": minor for minor in range(OLDEST, NEWEST + 1)}
"""Every known tag and its minor number."""

NEVER = 99
ALWAYS = -1


class Member(NamedTuple):
    """One member of an ATIF object.

    Attributes:
        types: Exact Python type of the JSON value to the first version that takes it.
        since: First version that has the member.
        optional_since: First version that lets the member out; NEVER when it is always required.
        of: The kind of object inside (or the type of the elements: "integer", "number", "object"); "" for none.
        words: The closed set of its texts, each with its first version; empty for any text.
        minimum: Least number that is taken; None for no bound.
        is_nullable: JSON null is taken, and means absence.
    """

    types: Mapping[type, int]
    since: int = 0
    optional_since: int = ALWAYS
    of: str = ""
    words: Mapping[str, int] = {}
    minimum: int | None = None
    is_nullable: bool = True

    def types_at(self, version: int) -> frozenset[type]:
        """The exact types of the value in one version."""
        taken = {kind for kind, since in self.types.items() if since <= version}
        return frozenset(taken | {NoneType} if self.is_nullable else taken)

    def is_required(self, version: int) -> bool:
        return version < self.optional_since


def _required(member: Member, until: int = NEVER) -> Member:
    return member._replace(optional_since=until, is_nullable=until != NEVER)


def _words(*words: str, **later: int) -> Mapping[str, int]:
    return {**dict.fromkeys(words, 0), **later}


TEXT = Member({str: 0})
INTEGER = Member({int: 0})
NUMBER = Member({int: 0, float: 0})
BOOLEAN = Member({bool: 0})
FREE = Member({dict: 0})  # an object whose members are the producer's own
CONTENT = Member({str: 0, list: 6}, of="part")


def _object(of: str) -> Member:
    return Member({dict: 0}, of=of)


def _list(of: str) -> Member:
    return Member({list: 0}, of=of)


IMAGE_TYPES = ("image/jpeg", "image/png", "image/gif", "image/webp")
AUDIO_TYPES = (
    *("audio/wav", "audio/mpeg", "audio/mp4", "audio/aac"),
    *("audio/ogg", "audio/flac", "audio/webm", "audio/aiff"),
)
AUDIO_ALIASES: Mapping[str, str] = {
    **dict.fromkeys(("audio/mp3", "audio/mpga", "audio/x-mpeg"), "audio/mpeg"),
    **dict.fromkeys(("audio/x-wav", "audio/wave", "audio/vnd.wave"), "audio/wav"),
    **dict.fromkeys(("audio/x-m4a", "audio/m4a"), "audio/mp4"),
    "audio/x-aac": "audio/aac",
    "audio/x-flac": "audio/flac",
    "audio/x-aiff": "audio/aiff",
}
"""Spellings of 1.8 that stand for a registered type, after lower-casing (Harbor 0.26, AudioSource)."""

SOURCES = ("system", "user", "agent")

# Step members that only a step of the agent may have (ATIF RFC 0001, StepObject; Harbor's Step model).
AGENT_ONLY = ("model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics")

OBJECTS: Mapping[str, Mapping[str, Member]] = {
    "trajectory": {
        "schema_version": _required(TEXT)._replace(words=VERSIONS),
        "session_id": _required(TEXT, until=7),
        "trajectory_id": TEXT._replace(since=7),
        "agent": _required(_object("agent")),
        "steps": _required(_list("step")),
        "notes": TEXT,
        "final_metrics": _object("final_metrics"),
        "continued_trajectory_ref": TEXT._replace(since=5),
        "extra": FREE._replace(since=1),
        "subagent_trajectories": _list("trajectory")._replace(since=7),
    },
    "agent": {
        "name": _required(TEXT),
        "version": _required(TEXT),
        "model_name": TEXT,
        "tool_definitions": _list("object")._replace(since=5),
        "extra": FREE,
    },
    "step": {
        "step_id": _required(INTEGER)._replace(minimum=1),
        "timestamp": TEXT,
        "source": _required(TEXT)._replace(words=_words(*SOURCES)),
        "model_name": TEXT,
        "reasoning_effort": Member({str: 0, int: 0, float: 0}),
        "message": _required(CONTENT),
        "reasoning_content": TEXT,
        "tool_calls": _list("call"),
        "observation": _object("observation"),
        "metrics": _object("metrics"),
        "llm_call_count": INTEGER._replace(since=7, minimum=0),
        "is_copied_context": BOOLEAN._replace(since=5),  # in Harbor's code since 1.5, in the RFC's text since 1.7
        "extra": FREE,
    },
    "call": {
        "tool_call_id": _required(TEXT),
        "function_name": _required(TEXT),
        "arguments": _required(FREE),
        "extra": FREE._replace(since=7),
    },
    "observation": {"results": _required(_list("result"))},
    "result": {
        "source_call_id": TEXT,
        "content": CONTENT,
        "subagent_trajectory_ref": _list("ref"),
        "extra": FREE._replace(since=7),
    },
    "ref": {
        "trajectory_id": TEXT._replace(since=7),
        "session_id": _required(TEXT, until=7),
        "trajectory_path": TEXT,
        "extra": FREE,
    },
    "part": {
        "type": _required(TEXT)._replace(words={"text": 6, "image": 6, "audio": 8}),
        "text": TEXT,
        "source": _object("image|audio"),
    },
    "image": {
        "media_type": _required(TEXT)._replace(words=_words(*IMAGE_TYPES)),
        "path": _required(TEXT),
    },
    "audio": {
        "media_type": _required(TEXT)._replace(words=_words(*AUDIO_TYPES)),
        "path": _required(TEXT),
        "duration_sec": NUMBER._replace(minimum=0),
    },
    "metrics": {
        "prompt_tokens": INTEGER,
        "completion_tokens": INTEGER,
        "cached_tokens": INTEGER,
        "cost_usd": NUMBER,
        "prompt_token_ids": _list("integer")._replace(since=4),
        "completion_token_ids": _list("integer")._replace(since=3),
        "logprobs": _list("number"),
        "extra": FREE,
    },
    "final_metrics": {
        "total_prompt_tokens": INTEGER,
        "total_completion_tokens": INTEGER,
        "total_cached_tokens": INTEGER,
        "total_cost_usd": NUMBER,
        "total_steps": INTEGER._replace(minimum=0),
        "extra": FREE,
    },
}
"""Kind of object to its members, in the order of the specification."""

TITLES: Mapping[str, str] = {
    **{kind: kind for kind in OBJECTS},
    "call": "tool call",
    "result": "observation result",
    "ref": "subagent reference",
    "part": "content part",
    "image": "image source",
    "audio": "audio source",
    "final_metrics": "final metrics",
}
"""What a person calls each kind of object."""

Types = Mapping[str, frozenset[type]]


@cache
def types_at(kind: str, version: int) -> Types:
    """Member name to the exact types of its value, for the members that one version has."""
    return {name: member.types_at(version) for name, member in OBJECTS[kind].items() if member.since <= version}


@cache
def required_at(kind: str, version: int) -> tuple[str, ...]:
    """The members that one version asks for."""
    return tuple(name for name, member in OBJECTS[kind].items() if member.is_required(version))
