"""Which SWE-agent wrote a file: told per feature, because demonstrations are edited by hand and mix them.

Spec: traj.md §1.1.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from attraj.formats.swe_agent.shape import V0, V07, V10, V10_DEV, V11, VERSIONS
from attraj.formats.swe_agent.values import Json, child, items, text

_STATED = re.compile(r"(\d{1,3})\.(\d{1,3})(?:\.\d{1,6})?(?:[.+-]?[A-Za-z0-9.]{1,20})?").fullmatch


class Version(NamedTuple):
    """What is known about the version of one file or attempt.

    Attributes:
        at: Position in `shape.VERSIONS`; None when nothing tells it.
        is_stated: The file itself names the release (`info.swe_agent_version`).
        evidence: What tells it, in our words.
        mixed: Features that the version does not write, in our words.
    """

    at: int | None
    is_stated: bool
    evidence: tuple[str, ...]
    mixed: tuple[str, ...]

    @property
    def name(self) -> str | None:
        return None if self.at is None else VERSIONS[self.at]

    @property
    def is_new(self) -> bool:
        """1.x, or its development."""
        return self.at is not None and self.at >= V10_DEV


class Features(NamedTuple):
    """How many steps have what, and what stands beside them."""

    steps: int = 0
    query: int = 0
    messages: int = 0
    object_state: int = 0
    text_state: int = 0
    bare_state: int = 0
    timed: int = 0
    stated: tuple[int, int] | None = None
    has_config: bool = False
    has_calls: bool = False
    has_types: bool = False
    is_main: bool = False
    is_primary: bool = False
    has_edited_files: bool = False


def features(tree: Json) -> Features:
    """Count the features of one file or attempt."""
    steps = [step for step in items(tree.get("trajectory")) if type(step) is dict]
    history = [item for item in items(tree.get("history")) if type(item) is dict]
    info = child(tree, "info")
    match = _STATED(text(info, "swe_agent_version"))
    states = [type(step.get("state")) for step in steps]
    agents = {text(item, "agent") for item in history}
    return Features(
        len(steps),
        sum("query" in step for step in steps),
        sum("messages" in step for step in steps),
        states.count(dict),
        states.count(str),
        sum(_is_bare(step.get("state")) for step in steps),
        sum("execution_time" in step for step in steps),
        (int(match[1]), int(match[2])) if match else None,
        tree.get("replay_config") is not None,
        any(item.get("tool_calls") for item in history),
        any("message_type" in item for item in history),
        "main" in agents,
        "primary" in agents,
        any(name in info for name in ("edited_files30", "edited_files50", "edited_files70")),
    )


def _is_bare(state: Any) -> bool:
    """Whether a state is a JSON text without the line end that 0.1 to 0.6 left on it."""
    return type(state) is str and state.startswith("{") and not state.endswith("\n")


def detect(tree: Json) -> Version:
    """The version of one file or attempt, with what tells it."""
    found = features(tree)
    if found.text_state > found.object_state and not _is_new_body(found):
        return _old(found)
    if found.object_state or found.query or found.messages or found.stated or found.is_main or found.has_config:
        return _new(found)
    if found.is_primary:
        return Version(V0, False, ("messages of the agent named primary",), _mixed_old(found))
    return Version(None, False, (), ())


def _is_new_body(found: Features) -> bool:
    """Whether steps with a state as text are those of 1.x all the same: somebody wrote the states over."""
    is_stated = found.stated is not None and found.stated[0] >= 1
    return is_stated or 2 * max(found.query, found.messages) >= found.text_state


def _old(found: Features) -> Version:
    evidence = ["state as text"]
    at = V0
    signs = (
        (found.timed, "steps with execution_time"),
        (found.has_edited_files, "info with edited files"),
        (found.bare_state, "states without a line end"),
    )
    words = [words for is_there, words in signs if is_there]
    if words:
        at, evidence = V07, [*evidence, *words]
    return Version(at, False, tuple(evidence), _mixed_old(found))


def _mixed_old(found: Features) -> tuple[str, ...]:
    signs = (
        (found.query, "steps with `query` (1.1)"),
        (found.messages, "steps with `messages` (1.0)"),
        (found.has_config, "a replay_config (1.0)"),
        (found.stated is not None, "a stated release, which 0.x did not write"),
        (found.has_calls, "messages with tool calls (1.0)"),
        (found.has_types, "messages with message_type (1.0)"),
    )
    return tuple(words for is_there, words in signs if is_there)


def _new(found: Features) -> Version:
    evidence: list[str] = []
    if found.stated is not None:
        evidence.append("swe_agent_version")
    if found.query:
        evidence.append("steps with `query`")
    if found.messages:
        evidence.append("steps with `messages`")
    if found.object_state:
        evidence.append("state as an object")
    if found.stated is not None and found.stated[0] >= 1:
        at = V10 if found.stated[:2] == (1, 0) else V11
    elif found.query or found.messages:
        at = V11 if found.query >= found.messages else V10
    elif found.object_state:
        at = V10_DEV
    else:
        return Version(None, False, tuple(evidence), ())
    signs = (
        (at == V11 and found.messages, "steps with `messages` (1.0)"),
        (at < V11 and found.query, "steps with `query` (1.1)"),
        (found.stated is not None and found.stated[0] == 0, "a stated release of 0.x"),
        (found.is_primary, "messages of the agent named primary (0.x)"),
    )
    is_stated = found.stated is not None and found.stated[0] >= 1
    return Version(at, is_stated, tuple(evidence), tuple(words for is_there, words in signs if is_there))
