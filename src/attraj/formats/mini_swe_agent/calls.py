"""MJ102, MJ103, MJ112, MJ114, MJ116: calls, what they ask with, and their results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attraj.findings import Related, Severity
from attraj.formats.found import NAMES, Found
from attraj.formats.mini_swe_agent.codes import BAD_ARGUMENTS, FALSE_PADDING, UNANSWERED, UNASKED_ACTION, UNMATCHED
from attraj.formats.mini_swe_agent.turns import Call, Json, Run, Turn, is_submission


def look_at_calls(found: Found, messages: Sequence[Any], run: Run, at: str) -> None:
    """Check what the reading says of calls and results; `at` is the pointer of the messages."""
    last_error = max((error.position for error in run.format_errors()), default=-1)
    for turn, calls in run.unanswered():
        is_last = turn is run.turns[-1] and turn.position > last_error
        if is_last:
            _last(found, turn, calls, f"{at}/{turn.position}")
            continue
        for call in calls:
            hint = "add the result: whether the command ran cannot be told without it"
            found.add(
                UNANSWERED, f"{at}/{turn.position}{call.pointer}", "the call has no result, and the run goes on", hint
            )
    for position in run.unmatched:
        message = "the result belongs to no call of the turn before it"
        found.add(
            UNMATCHED, f"{at}/{position}", message, "put it after the reply that asked for it, with that call's id"
        )
    for position in run.repeated:
        found.add(UNMATCHED, f"{at}/{position}", "the call has a result already", "a call has one result")
    for position, pointer, first in run.reused:
        related = [Related(f"{at}/{first}", "the reply that has the id first")]
        hint = "readers that match results by id alone mix the two up"
        found.add(UNMATCHED, f"{at}/{position}{pointer}", "a call has this id already", hint, related=related)
    for turn in run.turns:
        for index in turn.unasked:
            message = "the action is none of the calls that the reply asks for"
            found.add(UNASKED_ACTION, f"{at}/{turn.position}/extra/actions/{index}", message)
    rejected = {error.position for error in run.format_errors()}
    for turn in run.turns:
        for call in turn.calls if turn.mode != "text" else ():
            # A reply that is kept though it could not be parsed is told by the error after it.
            severity = Severity.INFO if turn.position + 1 in rejected else None
            _arguments(found, messages[turn.position], call.pointer, f"{at}/{turn.position}{call.pointer}", severity)
    _padding(found, messages, run, at)


def _arguments(found: Found, message: Json, pointer: str, at: str, severity: Severity | None) -> None:
    """What a call asks with, which is the JSON text of an object."""
    _, member, index = pointer.split("/")
    asked: Any = message[member][int(index)]
    if member == "tool_calls":
        asked, at = asked.get("function") if type(asked) is dict else None, f"{at}/function"
    arguments = asked.get("arguments") if type(asked) is dict else None
    if arguments is None or (type(arguments) is str and _is_object(arguments)):
        return
    if type(arguments) is str:
        told = "the arguments of a call are text, and no JSON object"
    elif type(arguments) is dict:
        told = "the arguments of a call are an object, where providers ask for its JSON text"
    else:
        told = f"expected the JSON text of an object as arguments, got {NAMES[type(arguments)]}"
    hint = "write the JSON text of an object; {} when there are none"
    found.add(BAD_ARGUMENTS, f"{at}/arguments", told, hint, severity)


def _is_object(text: str) -> bool:
    import jiter  # only where a call has arguments

    try:
        return type(jiter.from_json(text.encode())) is dict
    except ValueError:  # no JSON, deeper than 200, or half a character
        return False


def _last(found: Found, turn: Turn, calls: list[Call], at: str) -> None:
    message = "the last call has no result: mini-swe-agent records none for the command that ends the run"
    if len(calls) > 1:
        message = (
            f"the last {len(calls)} calls have no result: mini-swe-agent records none when one of them ends the run, "
            "also for those that ran before it"
        )
    found.add(UNANSWERED, f"{at}{calls[0].pointer}", message, severity=Severity.INFO)


def _padding(found: Found, messages: Sequence[Any], run: Run, at: str) -> None:
    """A submission that ended the run, or a task in it, was executed, whatever its result says."""
    events = [(interrupt.position, interrupt.kind) for interrupt in run.interrupts]
    if run.exit is not None:
        events.append((run.exit, "exit"))
    after = iter(sorted(events))
    event = next(after, None)
    ends = [turn.position for turn in run.turns[1:]] + [len(messages)]
    for turn, end in zip(run.turns, ends, strict=False):
        words: set[str] = set()
        while event is not None and event[0] < end:
            if event[0] > turn.position:
                words.add(event[1])
            event = next(after, None)
        if "UserRejection" in words or words.isdisjoint({"exit", "UserNewTask"}):
            continue
        for call in turn.calls:
            if call.is_padded and call.command and is_submission(call.command):
                message = "the result says that the submission was not executed, and the run was submitted by it"
                hint = "the interactive agent fills in missing results so: read the status of this call as unknown"
                found.tally("padding", FALSE_PADDING, f"{at}/{call.result}", message, hint)
