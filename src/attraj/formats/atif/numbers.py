"""Token counts, costs and totals (A26, A27, A28) and numbers that stand for something else (112, 113)."""

from __future__ import annotations

from typing import Any

from attraj.findings import Severity
from attraj.formats.atif.rules import NUMBER_RANGE, REPEATED_COUNTER, STEP_COUNT, TOTALS, UNMEASURED_ZERO, USAGE
from attraj.formats.atif.scope import TOLERANCE, Json, Scope
from attraj.formats.atif.survey import MAX_FLOAT, MAX_INTEGER

_COUNTS = ("prompt_tokens", "completion_tokens", "cached_tokens")
_LISTS = {"prompt_token_ids": "integer", "completion_token_ids": "integer", "logprobs": "number"}
_TOTALS = {
    "total_prompt_tokens": "prompt_tokens",
    "total_completion_tokens": "completion_tokens",
    "total_cached_tokens": "cached_tokens",
    "total_cost_usd": "cost_usd",
}
MIN_INTEGER = -MAX_INTEGER - 1


def look_at_metrics(scope: Scope, metrics: Json, at: str) -> None:
    """Types, ranges and lengths of the metrics of one step."""
    try:
        if scope.account.is_plain_usage(metrics):
            return
    except KeyError:  # a member that this version does not have: the close look says which
        pass
    scope.members("metrics", metrics, at)
    for name in _COUNTS:
        _count(scope, metrics.get(name), f"{at}/{name}")
    _cost(scope, metrics.get("cost_usd"), f"{at}/cost_usd")
    prompt, completion, cached = (integer(metrics.get(name)) for name in _COUNTS)
    if cached is not None and prompt is not None and 0 <= prompt < cached:
        message = "more cached tokens than prompt tokens"
        hint = "prompt_tokens counts all input, with what came from the cache"
        scope.add(USAGE, f"{at}/cached_tokens", message, hint)
    lists = {name: metrics[name] for name in _LISTS if type(metrics.get(name)) is list}
    for name, values in lists.items():
        _elements(scope, name, values, f"{at}/{name}")
    _lengths(scope, lists, prompt, completion, at)


def integer(value: Any) -> int | None:
    """The value when it is an integer, else None."""
    return value if type(value) is int else None


def _count(scope: Scope, value: Any, at: str) -> None:
    if type(value) is not int or 0 <= value <= MAX_INTEGER:
        return
    if MIN_INTEGER <= value < 0:
        scope.add(USAGE, at, "a count of tokens cannot be negative", "leave out what was not measured")
    else:
        scope.add(NUMBER_RANGE, at, "the integer does not fit into 64 bits")


def _cost(scope: Scope, value: Any, at: str) -> None:
    if type(value) is not int and type(value) is not float:
        return
    if not -MAX_FLOAT <= value <= MAX_FLOAT:
        scope.add(NUMBER_RANGE, at, "the number is not finite", "leave out what was not measured")
    elif value < 0:
        scope.add(USAGE, at, "a cost cannot be negative", "leave out what was not measured")


def _elements(scope: Scope, name: str, values: list[Any], at: str) -> None:
    if not values or _are_plain(name, values):
        return
    wanted = {int} if _LISTS[name] == "integer" else {int, float}
    for position, value in enumerate(values):
        if type(value) not in wanted:
            scope.wrong_element(f"{at}/{position}", f"an array of {_LISTS[name]}s", value)
        elif type(value) is float:
            if not -MAX_FLOAT <= value <= MAX_FLOAT:
                scope.add(NUMBER_RANGE, f"{at}/{position}", "the number is not finite")
        elif not MIN_INTEGER <= value <= MAX_INTEGER:
            scope.add(NUMBER_RANGE, f"{at}/{position}", "the integer does not fit into 64 bits")
        elif value < 0 and name != "logprobs":
            scope.add(USAGE, f"{at}/{position}", "a token id cannot be negative")


def _are_plain(name: str, values: list[Any]) -> bool:
    """Whether nothing is wrong with any element, at the speed of C: the arrays have 100,000 elements."""
    kinds = set(map(type, values))
    if kinds == {int}:
        least = MIN_INTEGER if name == "logprobs" else 0
        return bool(least <= min(values) and max(values) <= MAX_INTEGER)
    # The sum tells NaN, which no comparison shows.
    total: float = sum(values) if name == "logprobs" and kinds == {float} else MAX_FLOAT * 2
    return -MAX_FLOAT <= total <= MAX_FLOAT


def _lengths(scope: Scope, lists: Json, prompt: int | None, completion: int | None, at: str) -> None:
    """RFC 0001, Metrics: as many ids and logprobs as tokens."""
    ids, logprobs = lists.get("completion_token_ids"), lists.get("logprobs")
    hint = "keep the arrays and the counts of one and the same call"
    if prompt is not None and "prompt_token_ids" in lists and len(lists["prompt_token_ids"]) != prompt:
        message = "the number of prompt token ids is not prompt_tokens"
        scope.add(USAGE, f"{at}/prompt_token_ids", message, hint)
    if completion is not None and ids is not None and len(ids) != completion:
        message = "the number of completion token ids is not completion_tokens"
        scope.add(USAGE, f"{at}/completion_token_ids", message, hint)
    if logprobs is not None and completion is not None and len(logprobs) != completion:
        scope.add(USAGE, f"{at}/logprobs", "the number of logprobs is not completion_tokens", hint)
    elif logprobs is not None and completion is None and ids is not None and len(logprobs) != len(ids):
        scope.add(USAGE, f"{at}/logprobs", "not as many logprobs as completion token ids", hint)


def zeros(scope: Scope, step: Json, metrics: Json, at: str) -> None:
    """112: a model call with nothing in, or with nothing out although the step says something."""
    said = step.get("message") or step.get("tool_calls") or step.get("reasoning_content")
    hint = "leave out what was not measured: 0 counts as a measurement"
    if integer(metrics.get("prompt_tokens")) == 0:
        message = "0 prompt tokens on a step of the agent: no model call has an empty prompt"
        scope.tally("zero:prompt", UNMEASURED_ZERO, f"{at}/prompt_tokens", message, hint)
    if said and integer(metrics.get("completion_tokens")) == 0:
        message = "0 completion tokens on a step of the agent that says something"
        scope.tally("zero:completion", UNMEASURED_ZERO, f"{at}/completion_tokens", message, hint)


# --- totals ------------------------------------------------------------------------------------------------------


def look_at_totals(scope: Scope, final: Json) -> None:
    """Types, ranges, and the sums over the steps."""
    at = f"{scope.at}/final_metrics"
    scope.members("final_metrics", final, at)
    for name in _TOTALS:
        check = _cost if name == "total_cost_usd" else _count
        check(scope, final.get(name), f"{at}/{name}")
    _step_count(scope, integer(final.get("total_steps")), f"{at}/total_steps")
    for name, part in _TOTALS.items():
        _total(scope, final.get(name), name, part, at)


def _step_count(scope: Scope, total: int | None, at: str) -> None:
    if total is None:
        return
    if not 0 <= total <= MAX_INTEGER:
        scope.add(NUMBER_RANGE, at, "a number of steps is a 64-bit integer that is not negative")
        return
    if total == len(scope.steps) or scope.tree.get("notes") or type(scope.tree.get("steps")) is not list:
        return
    message = f"it is not the number of steps here ({len(scope.steps)}), and no `notes` explain why"
    if scope.account.copied and total == len(scope.steps) - scope.account.copied:
        scope.add(STEP_COUNT, at, "steps of copied context are not counted, and no `notes` say so", "", Severity.INFO)
    else:
        scope.add(STEP_COUNT, at, message, "count the steps, or say in `notes` what the number counts")


def _total(scope: Scope, total: Any, name: str, part: str, at: str) -> None:
    if type(total) not in (int, float) or not 0 <= total <= MAX_INTEGER:
        return
    account = scope.account
    values: list[float] = []
    for metrics in account.metered:
        value: Any = metrics.get(part)
        if type(value) in (int, float) and 0 <= value <= MAX_INTEGER:
            values.append(value)
    added = sum(values)
    if not values and account.agents:
        # Nothing was measured step by step: there is no sum to compare with.
        if total == 0 and name in ("total_prompt_tokens", "total_completion_tokens"):
            message = "a total of 0 tokens, and no step of the agent has a measurement"
            hint = "leave out what was not measured: 0 counts as a measurement"
            scope.add(UNMEASURED_ZERO, f"{at}/{name}", message, hint)
        return
    if abs(total - added) <= TOLERANCE * max(total, added):
        return
    explanation = _explanation(scope, total > added, len(values))
    if explanation:
        message = f"totals are not the sums over the steps: {explanation}"
        scope.tally("totals", TOTALS, f"{at}/{name}", message, severity=Severity.INFO)
        return
    hint = "add up the steps, or say in `notes` what the totals count"
    if not account.agents:
        hint = "a turn was paid for that is not recorded: say so in `notes`"
    elif len(values) > 1 and values[-1] == total and values == sorted(values):
        hint = "the last step alone has the total: the steps seem to hold a running counter"
    message = "totals are not the sums over the steps, and nothing here explains why"
    scope.tally("totals", TOTALS, f"{at}/{name}", message, hint)


def _explanation(scope: Scope, is_more: bool, counted: int) -> str:
    """Why a total may differ from the sum over the steps (spec: atif.md §9.2); "" when nothing explains it."""
    tree = scope.tree
    if tree.get("notes"):
        return "`notes` are there to say why"
    if tree.get("continued_trajectory_ref") is not None or scope.account.copied:
        return "the trajectory is one segment of several"
    if tree.get("subagent_trajectories") or scope.whole.references or scope.account.delegates:
        return "subagents may be counted in"
    if scope.account.sidechains:
        return "steps of subagents stand among the others"
    if is_more and (scope.account.unmetered or counted < len(scope.account.metered)):
        return "some steps of the agent have no measurement"
    return ""


def repeated_counter(scope: Scope) -> None:
    """113: every step has the same counts, as a counter that was read once, or is cumulative, leaves them."""
    metered = scope.account.metered
    if len(metered) < 3:
        return
    first = [metered[0].get(name) for name in _COUNTS[:2]]
    if not all(integer(value) for value in first):
        return
    if all(m.get(_COUNTS[0]) == first[0] and m.get(_COUNTS[1]) == first[1] for m in metered):
        message = "every step of the agent has the same token counts: one counter seems to be repeated"
        hint = "write what each call used, or the total in final_metrics alone"
        scope.add(REPEATED_COUNTER, f"{scope.at}/steps", message, hint)
