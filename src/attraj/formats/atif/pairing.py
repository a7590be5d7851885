"""Tool calls and their results: which belongs to which, and what is left over (A13, A14, A15; repeated steps)."""

from __future__ import annotations

from typing import Any

from attraj.findings import Related, Severity
from attraj.formats.atif.content import look_at_parts
from attraj.formats.atif.rules import (
    DUPLICATE_CALL,
    EMPTY_NAME,
    EMPTY_RESULT,
    UNMARKED_REPEAT,
    UNPAIRED,
    UNRESOLVED_CALL,
)
from attraj.formats.atif.scope import Json, Scope
from attraj.formats.atif.subagents import look_at_references


def look_at_calls(scope: Scope, position: int, step: Json, calls: list[Any], at: str) -> dict[str, str]:
    """Check the calls of one step.

    Returns:
        tool_call_id to the pointer of the first call of this step that has it.
    """
    own: dict[str, str] = {}
    repeats: bool | None = None
    for index, call in enumerate(calls):
        place = f"{at}/tool_calls/{index}"
        if type(call) is not dict:
            scope.wrong_element(place, "an object as a tool call", call)
            continue
        scope.members("call", call, place)
        if call.get("function_name") == "":
            scope.add(EMPTY_NAME, f"{place}/function_name", "the name of the called function is empty")
        call_id = call.get("tool_call_id")
        if type(call_id) is not str:
            continue
        if not call_id:
            scope.add(EMPTY_NAME, f"{place}/tool_call_id", "the id of the tool call is empty")
        if call_id in own:
            related = [Related(own[call_id], "the first call with this id")]
            message = "another call of this step has the same id: their results cannot be told apart"
            scope.add(DUPLICATE_CALL, f"{place}/tool_call_id", message, "give each call its own id", None, related)
            continue
        own[call_id] = place
        earlier = scope.account.calls.setdefault(call_id, position)
        if earlier == position or not call_id:
            continue
        if repeats is None:
            repeats = _repeats(scope, position, step, earlier)
        if not repeats:
            _again(scope, position, step, earlier, place)
    return own


def _again(scope: Scope, position: int, step: Json, earlier: int, at: str) -> None:
    """A14 across steps: explained when one of the two is a copy of what went before."""
    is_copy = step.get("is_copied_context") is True or scope.steps[earlier].get("is_copied_context") is True
    related = [Related(f"{scope.at}/steps/{earlier}", "the first step with a call of this id")]
    scope.add(
        DUPLICATE_CALL,
        f"{at}/tool_call_id",
        "a call of an earlier step has the same id",
        "" if is_copy else "give each call an id that is unique in the document",
        Severity.INFO if is_copy else None,
        related,
    )


def _repeats(scope: Scope, position: int, step: Json, earlier: int) -> bool:
    """Whether the step says and calls what the earlier one did, ids and all; told once for each run of such steps."""
    before = scope.steps[earlier]
    if step.get("is_copied_context") is True or before.get("is_copied_context") is True:
        return False
    if any(step.get(name) != before.get(name) for name in ("source", "message", "tool_calls")):
        return False
    if scope.repeating != position - 1:
        scope.add(
            UNMARKED_REPEAT,
            f"{scope.at}/steps/{position}",
            "the step repeats an earlier one, calls and ids included, and is not marked as copied context",
            "mark it with is_copied_context, or leave it out: it counts twice in totals and in training data",
            related=[Related(f"{scope.at}/steps/{earlier}", "the step that it repeats")],
        )
    scope.repeating = position
    return True


def look_at_results(scope: Scope, position: int, observation: Json | None, own: dict[str, str], at: str) -> None:
    """Check the observation of one step against its own calls; None when it has none.

    Args:
        own: tool_call_id to pointer, of the calls of this step.
    """
    results = None
    if observation is not None:
        scope.members("observation", observation, at)
        results = observation.get("results")
    answered: dict[str, str] = {}
    unlinked = dangling = 0
    for index, result in enumerate(results if type(results) is list else ()):
        place = f"{at}/results/{index}"
        if type(result) is not dict:
            scope.wrong_element(place, "an object as a result", result)
            continue
        scope.members("result", result, place)
        call_id = result.get("source_call_id")
        if call_id is None:
            unlinked += 1
        elif type(call_id) is not str or call_id not in own:
            dangling += 1
            if type(call_id) is str:
                _unresolved(scope, position, call_id, bool(own), place)
        elif call_id in answered:
            related = [Related(answered[call_id], "the first result of this call")]
            scope.add(UNPAIRED, f"{place}/source_call_id", "the call already has a result", related=related)
        else:
            answered[call_id] = place
        if type(result.get("content")) is list:
            look_at_parts(scope, result["content"], f"{place}/content")
        elif result.get("content") is None and not result.get("subagent_trajectory_ref"):
            message = "a result with neither content nor a subagent: what came back is not recorded"
            hint = 'an output that was empty is ""'
            scope.tally("empty result", EMPTY_RESULT, place, message, hint)
        if type(result.get("subagent_trajectory_ref")) is list:
            look_at_references(scope, result["subagent_trajectory_ref"], f"{place}/subagent_trajectory_ref")
    # A result that names no known call is already told, and may be the one that is missing.
    if not dangling and len(answered) < len(own):
        _unanswered(scope, position, own, answered, unlinked)


def _unresolved(scope: Scope, position: int, call_id: str, has_calls: bool, at: str) -> None:
    earlier = scope.account.calls.get(call_id, position)
    related = [Related(f"{scope.at}/steps/{earlier}", "the id belongs to a call of this step")]
    message = "no tool call of this step has this id" if has_calls else "the step has no tool calls"
    if earlier != position:
        hint = "put the result into the observation of the step that made the call"
        scope.add(UNRESOLVED_CALL, f"{at}/source_call_id", message, hint, None, related)
    else:
        hint = "leave source_call_id out when no call of this step has this result"
        scope.add(UNRESOLVED_CALL, f"{at}/source_call_id", message, hint)


def _unanswered(scope: Scope, position: int, own: dict[str, str], answered: dict[str, str], unlinked: int) -> None:
    if unlinked:
        first = next(place for call_id, place in own.items() if call_id not in answered)
        message = "results without source_call_id: which call has which result is not recorded"
        hint = "write the tool_call_id of its call into each result"
        scope.tally("unlinked", UNPAIRED, first, message, hint, Severity.INFO)
        return
    is_last = position == len(scope.steps) - 1
    for call_id, place in own.items():
        if call_id in answered:
            continue
        if is_last:
            message = "the recording ends before the result of this call"
            scope.add(UNPAIRED, place, message, severity=Severity.INFO)
        else:
            hint = "add the result, or a result that says why there is none"
            scope.add(UNPAIRED, place, "the call has no result", hint)
