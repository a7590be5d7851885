"""Files of retry agents: `attempts`, and the best of them merged on top.

Spec: traj.md §0 (8), §1.7; SWE-agent v1.1.0, agent/agents.py (RetryAgent).
"""

from __future__ import annotations

from typing import Any

from attraj.findings import Related
from attraj.formats.found import Found
from attraj.formats.swe_agent.codes import ATTEMPT_TOTALS, NO_SUCH_ATTEMPT, OTHER_ATTEMPT
from attraj.formats.swe_agent.values import Json, child, items

_MERGED = ("trajectory", "history", "environment", "replay_config")
_MERGED_INFO = ("exit_status", "submission")
_COUNTERS = ("tokens_sent", "tokens_received", "api_calls")


def best_attempt(tree: Json) -> int | None:
    """Position of the attempt that is merged on top; None when none is named, or none of that number is there."""
    index = child(tree, "info").get("best_attempt_idx")
    attempts = items(tree.get("attempts"))
    is_there = type(index) is int and 0 <= index < len(attempts) and type(attempts[index]) is dict
    return index if is_there else None


def is_merged_copy(tree: Json) -> bool:
    """Whether the top holds just what its best attempt holds, so that looking at one of the two is enough."""
    best = best_attempt(tree)
    return best is not None and not _differing(tree, tree["attempts"][best])


def check_attempts(found: Found, tree: Json) -> None:
    """The top of the file against its attempts."""
    if type(tree.get("attempts")) is not list or "trajectory" not in tree:
        return
    best = best_attempt(tree)
    if best is None:
        at, message = "", "the file has attempts and does not say which one is merged on top"
        if child(tree, "info").get("best_attempt_idx") is not None:
            at, message = "/info/best_attempt_idx", "the attempt that is said to be the best does not exist"
        found.add(NO_SUCH_ATTEMPT, at, message, "`info.best_attempt_idx` counts attempts from 0")
        return
    differing = _differing(tree, tree["attempts"][best])
    if differing:
        names = ", ".join(f"`{name.rpartition('/')[2]}`" for name in differing)
        related = [Related(f"/attempts/{best}{place}", "what the attempt says") for place in differing]
        message = f"the top of the file is not its best attempt: they differ in {names}"
        found.add(OTHER_ATTEMPT, differing[0], message, "one of the two was edited", related=related)
    _check_totals(found, tree)


def _differing(tree: Json, attempt: Json) -> list[str]:
    missing = object()
    places = [f"/{name}" for name in _MERGED if tree.get(name, missing) != attempt.get(name, missing)]
    own, its = child(tree, "info"), child(attempt, "info")
    return places + [f"/info/{name}" for name in _MERGED_INFO if own.get(name, missing) != its.get(name, missing)]


def _check_totals(found: Found, tree: Json) -> None:
    """The counters on top are those of all attempts and of the reviewer."""
    info = child(tree, "info")
    parts = [child(attempt, "info", "model_stats") for attempt in tree["attempts"]]
    parts.append(child(info, "rloop_model_stats"))
    for name in _COUNTERS:
        total: Any = child(info, "model_stats").get(name)
        summands = [value for part in parts if type(value := part.get(name)) is int]
        if type(total) is int and len(summands) == len(parts) and total != sum(summands):
            message = "the counter on top is not the sum of the attempts' and the reviewer's"
            found.add(ATTEMPT_TOTALS, f"/info/model_stats/{name}", message)
