"""The messages: those of the history, with calls and their results, and those that each step repeats as model input."""

from __future__ import annotations

from typing import Any

from attraj.formats.found import Found
from attraj.formats.swe_agent.codes import BAD_CALL, REWRITTEN, UNPAIRED
from attraj.formats.swe_agent.config import decoded_json
from attraj.formats.swe_agent.members import check_item
from attraj.formats.swe_agent.shape import ALIAS
from attraj.formats.swe_agent.unit import Unit
from attraj.formats.swe_agent.values import Json, child, content_text, items

VIEWS = ("query", "messages", ALIAS)
_REQUERY = ("assistant", "user")  # message_type of what stands in one model input and in no history


def check_history(found: Found, unit: Unit) -> None:
    """Shape of every message of the history; each call with one result, each result with its call."""
    open_call: tuple[int, frozenset[str]] | None = None
    for index, item in enumerate(unit.history):
        at = f"{unit.at}/history/{index}"
        check_item(found, item, at)
        if type(item) is not dict:
            continue
        if item.get("role") == "assistant":
            if open_call is not None:
                _unanswered(found, unit, open_call[0])
            calls = items(item.get("tool_calls"))
            _check_calls(found, calls, at)
            open_call = (index, _ids(calls)) if calls else None
        elif item.get("role") == "tool":
            _check_result(found, item, open_call, at)
            open_call = None
    if open_call is not None and open_call[0] < len(unit.history) - 1 and "history" not in unit.open:
        _unanswered(found, unit, open_call[0])


def _ids(calls: list[Any]) -> frozenset[str]:
    ids = [call.get("id") for call in calls if type(call) is dict]
    return frozenset(i for i in ids if type(i) is str)


def _unanswered(found: Found, unit: Unit, index: int) -> None:
    message = "a tool call has no result before the agent's next turn"
    found.add(UNPAIRED, f"{unit.at}/history/{index}/tool_calls", message, "a message of the role tool is missing")


def _check_result(found: Found, item: Json, open_call: tuple[int, frozenset[str]] | None, at: str) -> None:
    ids = [i for i in items(item.get("tool_call_ids")) if type(i) is str]
    if not ids:
        message = "a tool result does not say which call it answers"
        found.add(UNPAIRED, at, message, "name the call in `tool_call_ids`")
    elif open_call is None or not open_call[1].issuperset(ids):
        message = "a tool result answers a call that the agent's turn before it did not make"
        found.add(UNPAIRED, f"{at}/tool_call_ids", message)


def _check_calls(found: Found, calls: list[Any], at: str) -> None:
    if len(calls) > 1:
        message = "a turn has several tool calls: SWE-agent takes exactly one, and its trajectory has one action"
        found.add(BAD_CALL, f"{at}/tool_calls", message)
    for index, call in enumerate(calls):
        arguments = child(call, "function").get("arguments")
        place = f"{at}/tool_calls/{index}/function/arguments"
        if type(arguments) is str and type(decoded_json(arguments)) is not dict:
            message = "the arguments of a tool call are text, and no JSON object"
            found.add(BAD_CALL, place, message, "write the JSON text of an object; {} when there are none")
        elif type(arguments) is dict:
            message = "the arguments of a tool call are an object, where providers ask for its JSON text"
            found.tally(BAD_CALL.code, BAD_CALL, place, message, "write the object as JSON text")


# --- model inputs ------------------------------------------------------------------------------------------------


def check_views(found: Found, unit: Unit) -> None:
    """Shape of every message of the model inputs, once however often it is repeated; and whether they only grow."""
    before: dict[str, list[Any]] = {}
    # A processor may be configured after the cut.
    may_be_rewritten = unit.config.rewrites_history or "replay_config" in unit.open
    for index, step in enumerate(unit.steps):
        if type(step) is not dict:
            continue
        for name in VIEWS:
            view = step.get(name)
            if type(view) is not list or view == [{}]:  # a made-up step has no input
                continue
            known = before.get(name, [])
            same = _shared(known, view)
            for position in range(same, len(view)):
                if view[position] != {}:
                    check_item(found, view[position], unit.step(index, name, str(position)))
            if same < len(known) and not may_be_rewritten and not _extends(known, view, same):
                message = "the model input does not start with the one before it: the history was rewritten in between"
                hint = "no processor that does so is configured; don't take the views for one growing conversation"
                found.tally(f"rewritten {name}", REWRITTEN, unit.step(index, name), message, hint)
            before[name] = _without_requery(view)


def _shared(before: list[Any], view: list[Any]) -> int:
    """How many messages two model inputs have in common from their start."""
    if view[: len(before)] == before:
        return len(before)
    return next((i for i, (a, b) in enumerate(zip(before, view, strict=False)) if a != b), min(len(before), len(view)))


def _extends(before: list[Any], view: list[Any], start: int) -> bool:
    """Whether `view` says what `before` says and goes on; marks for the provider's cache may differ."""
    if len(view) < len(before):
        return False
    return all(_same_message(a, b) for a, b in zip(before[start:], view[start:], strict=False))


def _same_message(a: Any, b: Any) -> bool:
    if type(a) is not dict or type(b) is not dict:
        return bool(a == b)
    return a.get("role") == b.get("role") and content_text(a.get("content")) == content_text(b.get("content"))


def _without_requery(view: list[Any]) -> list[Any]:
    end = len(view)
    while end and type(view[end - 1]) is dict and view[end - 1].get("message_type") in _REQUERY:
        end -= 1
    return view[:end]
