"""By what a SWE-agent `.traj` is recognised, and how broken ones and other formats are told apart. Spec: traj.md §4.4.

`trajectory` alone proves nothing: rows of data sets have one too, with messages in it. Stands outside the package
`swe_agent` so that looking at marks imports no format.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

Json = dict[str, Any]

_FIRST = 40  # elements that are looked at: a mark is a habit of the producer, and shows from the start
_STEP = ("action", "observation", "response", "thought")
_INFO = ("exit_status", "model_stats", "submission", "swe_agent_version")
_DEMONSTRATION = frozenset({"history", "replay_config"})


def swe_agent(tree: Json) -> int:
    """How strongly a JSON object looks like a `.traj`; also when its steps are none, or broken."""
    if _is_of_another(tree):
        return 0
    if "trajectory" in tree:
        return _run(tree)
    if "attempts" in tree:
        return _attempts(tree)
    return _without_steps(tree)


def _is_of_another(tree: Json) -> bool:
    schema = tree.get("schema_version")
    is_atif = type(schema) is str and schema.upper().startswith("ATIF")
    return is_atif or "spec_version" in tree or "trajectory_format" in tree


def _run(tree: Json) -> int:
    steps = tree["trajectory"]
    around = _around(tree)
    if type(steps) is not list:
        return 3 + around if around else 0  # `trajectory: null` beside info or history is a broken .traj
    if not steps:
        return 3 + around
    first = [step for step in islice(steps, _FIRST) if type(step) is dict]
    if any(sum(name in step for name in _STEP) >= 2 for step in first):
        return 6 + around
    is_of_messages = any("role" in step for step in first)
    return 3 + around if around >= 2 and not is_of_messages else 0


def _around(tree: Json) -> int:
    """How many of the members that stand beside `trajectory` are there, in their own shape."""
    info = tree.get("info")
    marks = (
        "history" in tree,
        type(info) is dict and any(name in info for name in _INFO),
        "environment" in tree,
        "replay_config" in tree,
        "attempts" in tree,
    )
    return sum(marks)


def _attempts(tree: Json) -> int:
    """A retry agent at work writes `attempts` alone."""
    attempts = tree["attempts"]
    if type(attempts) is not list or tree.keys() - {"attempts", "info", "environment", "replay_config"}:
        return 0
    inside = [
        _run(attempt) for attempt in islice(attempts, _FIRST) if type(attempt) is dict and "trajectory" in attempt
    ]
    if attempts and not any(inside):
        return 0
    return max(inside, default=3)


def _without_steps(tree: Json) -> int:
    """A demonstration (a history alone), or a file that lost its trajectory."""
    history, info = tree.get("history"), tree.get("info")
    if type(history) is not list or not all(type(item) is dict and "role" in item for item in islice(history, _FIRST)):
        return 0
    if not tree.keys() - _DEMONSTRATION:
        return 3
    is_ours = type(info) is dict and any(name in info for name in _INFO)
    return 3 if is_ours and "messages" not in tree else 0
