"""The close look at one step that is not plain: everything that can be wrong with it, each fault once."""

from __future__ import annotations

from typing import Any

from attraj.findings import Related, Severity
from attraj.formats.atif import shape, times
from attraj.formats.atif.content import look_at_parts
from attraj.formats.atif.numbers import look_at_metrics, zeros
from attraj.formats.atif.pairing import look_at_calls, look_at_results
from attraj.formats.atif.rules import (
    AGENT_ONLY,
    AGGREGATE,
    BAD_MESSAGE,
    BAD_SOURCE,
    BAD_TIMESTAMP,
    BOUNDARY,
    NO_ZONE,
    NUMBER_RANGE,
    OUT_OF_SEQUENCE,
    TIME_ORDER,
    ZERO_CALLS,
)
from attraj.formats.atif.scope import Json, Scope
from attraj.formats.atif.survey import MAX_FLOAT, MAX_INTEGER

_SOURCE_HINTS = {
    **dict.fromkeys(("assistant", "ai", "model", "llm", "bot"), "did you mean `agent`?"),
    **dict.fromkeys(("human", "principal"), "did you mean `user`?"),
    "developer": "did you mean `system`?",
    **dict.fromkeys(
        ("tool", "function", "environment", "observation", "tool_result"),
        "results of tools stand in the `observation` of the agent's step that called them",
    ),
}


def look(scope: Scope, position: int, step: Any) -> None:
    """Report all that is wrong with one step, and add it to the account of its trajectory."""
    at = f"{scope.at}/steps/{position}"
    if type(step) is not dict:
        scope.wrong_element(at, "an object as a step", step)
        return
    scope.members("step", step, at)
    _step_id(scope, position, step.get("step_id"), at)
    source = step.get("source")
    if type(source) is str:
        _source(scope, source, step, at)
    _message(scope, step.get("message"), at)
    _calls_of_model(scope, step, at)
    effort: Any = step.get("reasoning_effort")
    if type(effort) in (int, float) and not -MAX_FLOAT <= effort <= MAX_FLOAT:
        scope.add(NUMBER_RANGE, f"{at}/reasoning_effort", "the number is not finite")
    is_copied = step.get("is_copied_context") is True
    extra = step["extra"] if type(step.get("extra")) is dict else {}
    is_aside = is_copied or bool(extra.get("is_sidechain"))
    if type(step.get("timestamp")) is str:
        _timestamp(scope, position, step["timestamp"], is_aside, f"{at}/timestamp")
    calls, observation, metrics = step.get("tool_calls"), step.get("observation"), step.get("metrics")
    own = look_at_calls(scope, position, step, calls, at) if type(calls) is list else {}
    if type(observation) is dict:
        look_at_results(scope, position, observation, own, f"{at}/observation")
    elif own:
        look_at_results(scope, position, None, own, f"{at}/observation")
    if type(metrics) is dict:
        look_at_metrics(scope, metrics, f"{at}/metrics")
    if "context_management" in extra:
        _boundary(scope, extra["context_management"], step, at)
    _count(scope, step, is_copied, is_aside, at)


def _step_id(scope: Scope, position: int, value: Any, at: str) -> None:
    """One finding for each break of the sequence: what merely goes on after a break is not at fault again."""
    expected = position + 1
    if type(value) is not int or value == expected:
        return
    before = _id_at(scope, position - 1)
    if before is not None and value == before + 1:
        return
    related = []
    if 1 <= value <= position and _id_at(scope, value - 1) == value:
        related = [Related(f"{scope.at}/steps/{value - 1}/step_id", "this step already has the id")]
    hint = "step_id counts from 1 without gaps; do not leave numbers out for steps that were dropped"
    scope.add(OUT_OF_SEQUENCE, f"{at}/step_id", f"expected {expected}, the position of the step", hint, None, related)


def _id_at(scope: Scope, position: int) -> int | None:
    step = scope.steps[position] if position >= 0 else None
    value = step.get("step_id") if type(step) is dict else None
    return value if type(value) is int else None


def _source(scope: Scope, source: str, step: Json, at: str) -> None:
    if source not in shape.SOURCES:
        hint = _SOURCE_HINTS.get(source.lower(), "")
        scope.add(BAD_SOURCE, f"{at}/source", "the source of a step is system, user or agent", hint)
        return
    if source == "agent":
        return
    for name in shape.AGENT_ONLY:
        if step.get(name) is not None:
            message = f"`{name}` belongs to steps of the agent, and this one is not"
            scope.add(AGENT_ONLY, f"{at}/{name}", message, "leave it out, even when it is empty")
    if source == "system" and scope.version < 2 and step.get("observation") is not None:
        scope.newer("step.observation:system", f"{at}/observation", "an observation on a system step", 2)


def _message(scope: Scope, message: Any, at: str) -> None:
    if type(message) is not list:
        return
    if message:
        look_at_parts(scope, message, f"{at}/message")
    else:
        hint = 'a step without text has the message ""'
        scope.add(BAD_MESSAGE, f"{at}/message", "the message is an empty array", hint, Severity.WARNING)


def _calls_of_model(scope: Scope, step: Json, at: str) -> None:
    """llm_call_count: its range, what 0 forbids, what more than 1 means (A16, A17)."""
    count = step.get("llm_call_count")
    if type(count) is not int:
        return
    if not 0 <= count <= MAX_INTEGER:
        message = "a number of model calls is a 64-bit integer that is not negative"
        scope.add(NUMBER_RANGE, f"{at}/llm_call_count", message)
    elif count > 1 and step.get("metrics"):
        message = "the metrics of this step are the sum of several model calls"
        hint = "token ids and logprobs of such a step are no single sequence"
        scope.tally("aggregate", AGGREGATE, f"{at}/metrics", message, hint)
    elif count == 0 and step.get("source") == "agent":
        for name in ("metrics", "reasoning_content"):
            if step.get(name) is not None:
                message = f"`{name}` must be absent where llm_call_count is 0: no model was called"
                scope.add(ZERO_CALLS, f"{at}/{name}", message, "leave it out, even when it is empty")


def _timestamp(scope: Scope, position: int, text: str, is_aside: bool, at: str) -> None:
    when = times.moment(text)
    form = "write it as 2026-08-21T12:00:00Z"
    if when is None:
        scope.add(BAD_TIMESTAMP, at, "not an ISO 8601 timestamp", form)
        return
    if not times.is_plain(text):
        message = "a timestamp in a form that few readers take"
        scope.tally("odd time", BAD_TIMESTAMP, at, message, form, Severity.WARNING)
    elif when.tzinfo is None:
        message = "a timestamp without a time zone cannot be compared with others"
        scope.tally("no zone", NO_ZONE, at, message, "add Z or the offset")
    if is_aside:
        return
    account = scope.account
    if account.last is not None and times.is_before(when, account.last):
        related = [Related(f"{scope.at}/steps/{account.last_at}/timestamp", "this earlier step is later in time")]
        scope.add(TIME_ORDER, at, "the step is earlier in time than a step before it", related=related)
    account.last, account.last_at = when, position


def _boundary(scope: Scope, value: Any, step: Json, at: str) -> None:
    """RFC 0001, "Context Management" (A30)."""
    at = f"{at}/extra/context_management"
    if step.get("source") != "system":
        hint = "a boundary of the context is a step of its own, with source system"
        scope.add(BOUNDARY, at, "context_management stands on a step that is not a system step", hint)
    if type(value) is not dict or type(value.get("type")) is not str or type(value.get("boundary")) is not str:
        hint = 'for example {"type": "compaction", "boundary": "replace"}'
        scope.add(BOUNDARY, at, "context_management is an object with the texts `type` and `boundary`", hint)
        return
    if value["boundary"] == "replace" and not _has_content(step.get("observation")):
        message = "the context is replaced, and no observation of this step says by what"
        hint = "put the new context into observation.results[].content; readers fall back to the steps that follow"
        scope.add(BOUNDARY, at, message, hint)


def _has_content(observation: Any) -> bool:
    results = observation.get("results") if type(observation) is dict else None
    return type(results) is list and any(type(result) is dict and result.get("content") for result in results)


def _count(scope: Scope, step: Json, is_copied: bool, is_aside: bool, at: str) -> None:
    account = scope.account
    account.copied += is_copied
    account.sidechains += is_aside and not is_copied
    if step.get("source") != "agent" or is_copied:
        return
    account.agents += 1
    account.called += bool(step.get("tool_calls"))
    metrics, count = step.get("metrics"), step.get("llm_call_count")
    if type(metrics) is dict and metrics:
        account.metered.append(metrics)
        if count != 0:
            zeros(scope, step, metrics, f"{at}/metrics")
    elif count != 0:
        account.unmetered += 1
