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


def merged_attempt(tree: Json, open: frozenset[str] = frozenset()) -> int | None:
    """Position of the attempt of which the top is just a copy, so that looking at one of the two is enough.

    Args:
        open: Members of a file that was cut (`Unit.open`). Where the cut took away which attempt is the best, it is
            the first that holds what the top holds.
    """
    best = best_attempt(tree)
    if best is not None:
        return best if not _differing(tree, tree["attempts"][best], open) else None
    if "info" not in open or not items(tree.get("trajectory")):
        return None
    attempts = enumerate(items(tree.get("attempts")))
    return next((k for k, one in attempts if type(one) is dict and not _differing(tree, one, open)), None)


def check_attempts(found: Found, tree: Json, open: frozenset[str] = frozenset()) -> None:
    """The top of the file against its attempts, as far as both stand before a cut."""
    if type(tree.get("attempts")) is not list or "trajectory" not in tree or not open.isdisjoint({"attempts", "info"}):
        return
    best = best_attempt(tree)
    if best is None:
        at, message = "", "the file has attempts and does not say which one is merged on top"
        if child(tree, "info").get("best_attempt_idx") is not None:
            at, message = "/info/best_attempt_idx", "the attempt that is said to be the best does not exist"
        found.add(NO_SUCH_ATTEMPT, at, message, "`info.best_attempt_idx` counts attempts from 0")
        return
    differing = _differing(tree, tree["attempts"][best], open)
    if differing:
        names = ", ".join(f"`{name.rpartition('/')[2]}`" for name in differing)
        related = [Related(f"/attempts/{best}{place}", "what the attempt says") for place in differing]
        message = f"the top of the file is not its best attempt: they differ in {names}"
        found.add(OTHER_ATTEMPT, differing[0], message, "one of the two was edited", related=related)
    _check_totals(found, tree)


def _differing(tree: Json, attempt: Json, open: frozenset[str]) -> list[str]:
    """Places at which the two differ; what stands before a cut must be how the attempt's member begins."""
    missing = object()
    places: list[str] = []
    for name in _MERGED:
        own, its = tree.get(name, missing), attempt.get(name, missing)
        if name in open:
            is_same = own is missing or (type(own) is list and type(its) is list and own == its[: len(own)])
        else:
            is_same = own == its
        if not is_same:
            places.append(f"/{name}")
    if "info" in open:
        return places
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
