"""RW003 to RW006, RW021, RW035, RW040: the steps one by one, and the course of their iterations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attraj.bundle.leaves import pointer_of, walk
from attraj.findings import Related, Severity
from attraj.formats.found import NAMES, Found
from attraj.formats.react_web.codes import (
    BAD_CALL,
    BAD_CONTENT,
    BAD_ITERATION,
    BAD_STEPS,
    BAD_TYPE,
    EMPTY_ARGUMENTS,
    MISPLACED_ANSWER,
    UNKNOWN_MEMBER,
    UNSAFE_NUMBER,
)
from attraj.formats.react_web.shape import ANY_STEP, STEPS, TYPES, WITH_CONTENT, WITH_TOOL, meant
from attraj.pointer import escape

Json = dict[str, Any]

_TEXTS = frozenset({str, bool, type(None)})
_INFINITY = float("inf")


def look_at_steps(found: Found, steps: Sequence[Any], at: str) -> None:
    """Check each step for itself and the order of iterations and answers.

    Args:
        at: Pointer of the array of the steps; "" when the array is the document.
    """
    iterations = _Iterations(found)
    answers: list[int] = []
    for position, step in enumerate(steps):
        place = f"{at}/{position}"
        if type(step) is not dict:
            hint = "the page stops at a step that is null" if step is None else "the page shows it as an empty box"
            found.add(BAD_STEPS, place, f"expected an object as a step, got {NAMES[type(step)]}", hint)
            continue
        kind = _type(found, step, place)
        iterations.look(step, place)
        if kind in WITH_TOOL:
            _tool(found, kind, step, place)
        if kind == "action":
            _args(found, step, place)
        if kind in WITH_CONTENT:
            _content(found, step, place)
        if kind == "answer":
            answers.append(position)
        allowed = STEPS.get(kind, ANY_STEP)
        if not step.keys() <= allowed:
            _members(found, kind, step, place)
    _answers(found, answers, len(steps), at)


def _type(found: Found, step: Json, at: str) -> str:
    """The type of the step, "" when it has none; a word that is not one of the four is told and let through."""
    kind = step.get("type")
    if type(kind) is str and kind in TYPES:
        return kind
    hint = f"the types are {', '.join(TYPES)}"
    if kind is None or kind == "":
        found.add(BAD_TYPE, at, "the step has no type", hint)
    elif type(kind) is not str:
        found.add(BAD_TYPE, f"{at}/type", f"expected a text, got {NAMES[type(kind)]}", hint)
    else:
        message = "the type of the step is none of the four words"
        found.add(BAD_TYPE, f"{at}/type", message, f"{hint}; the page shows any other as it is", Severity.WARNING)
        return kind
    return ""


def _tool(found: Found, kind: str, step: Json, at: str) -> None:
    tool = step.get("tool")
    if type(tool) is str and tool:
        return
    place = f"{at}/tool" if "tool" in step else at
    if tool is None or tool == "":
        message = "the action names no tool" if kind == "action" else "the observation does not say of which tool it is"
        found.add(BAD_CALL, place, message, "without the tool nobody can tell which call has which result")
    else:
        found.add(BAD_CALL, place, f"expected a text as the name of a tool, got {NAMES[type(tool)]}")


def _args(found: Found, step: Json, at: str) -> None:
    if "args" not in step:
        message = "the action has no args"
        found.add(BAD_CALL, at, message, "an action without arguments has the args {}", Severity.WARNING)
        return
    args = step["args"]
    if type(args) is not dict:
        message = f"expected an object as args, got {NAMES[type(args)]}"
        found.add(BAD_CALL, f"{at}/args", message, "write the parsed arguments", Severity.WARNING)
    elif not args:
        message = "the args are empty: the producer writes {} also where it could not parse the model's arguments"
        found.tally("empty args", EMPTY_ARGUMENTS, f"{at}/args", message)
    else:
        _numbers(found, args, at)


def _numbers(found: Found, args: Json, at: str) -> None:
    """Fast parsers read a number beyond the doubles as infinite, and say nothing."""
    if _TEXTS.issuperset(map(type, args.values())):
        return
    for way, key, value in walk(args).numbers:
        if type(value) is float and not -_INFINITY < value < _INFINITY:
            place = f"{at}/args{pointer_of(way, key)}"
            found.add(
                UNSAFE_NUMBER, place, "the number is too large for a double", "write it as a text", Severity.ERROR
            )


def _content(found: Found, step: Json, at: str) -> None:
    content = step.get("content")
    if type(content) is str:
        if not content:
            found.tally("empty", BAD_CONTENT, f"{at}/content", "the content is empty", severity=Severity.INFO)
    elif content is None:
        place = f"{at}/content" if "content" in step else at
        found.add(BAD_CONTENT, place, "the step has no content", 'a step whose text is empty has the content ""')
    else:
        shows = 'as "[object Object]"' if type(content) is dict else "as JavaScript writes it"
        message = f"expected a text, got {NAMES[type(content)]}: the page shows it {shows}"
        found.add(BAD_CONTENT, f"{at}/content", message, "write it as JSON text", Severity.WARNING)


def _members(found: Found, kind: str, step: Json, at: str) -> None:
    for name in step:
        if name in STEPS.get(kind, ANY_STEP):
            continue
        place, key = f"{at}/{escape(name)}", f"member {kind} {name}"
        if name in ANY_STEP:
            message = f"`{name}` does not belong to a step of this type, though the page shows it"
            found.tally(key, UNKNOWN_MEMBER, place, message)
        else:
            better = meant("step", name)
            hint = f"did you mean `{better}`?" if better and better not in step else ""
            found.tally(key, UNKNOWN_MEMBER, place, "the member has no place in the format", hint)


class _Iterations:
    """The course of the iterations: from 1 upwards, without gaps, each change at one place."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._last: int | None = None

    def look(self, step: Json, at: str) -> None:
        value = step.get("iteration")
        if value is None:
            place = f"{at}/iteration" if "iteration" in step else at
            message = "the step has no iteration: it is read as part of the one before it"
            self._found.tally("no iteration", BAD_ITERATION, place, message)
            return
        place = f"{at}/iteration"
        number = int(value) if type(value) is float and value.is_integer() else value  # JavaScript has one kind
        if type(number) is not int:
            message = f"expected an integer as iteration, got {NAMES[type(number)]}"
            if type(number) is float:
                message = "the iteration is not an integer"
            self._found.tally("no integer", BAD_ITERATION, place, message)
            return
        if number < 1:
            message = "iterations are counted from 1"
            self._found.tally("below one", BAD_ITERATION, place, message)
        elif self._last is None and number > 1:
            self._found.add(BAD_ITERATION, place, "the first iteration is not 1", "keep the whole run, or say so")
        elif self._last is not None and number < self._last:
            message = "the iteration goes back: it is read as a new one"
            self._found.add(BAD_ITERATION, place, message, "keep the steps in the order of the run")
        elif self._last is not None and number > self._last + 1:
            message = "the iteration leaves out at least one number"
            self._found.add(BAD_ITERATION, place, message, "iterations count the calls of the model, one by one")
        self._last = number


def _answers(found: Found, answers: list[int], steps: int, at: str) -> None:
    for position in answers[1:]:
        related = [Related(f"{at}/{answers[0]}", "the first answer")]
        message = "the run has an answer already: only one ends it"
        found.add(MISPLACED_ANSWER, f"{at}/{position}", message, "an answer on the way is a thought", related=related)
    if answers and answers[-1] != steps - 1:
        message = "the answer is not the last step"
        found.add(MISPLACED_ANSWER, f"{at}/{answers[-1]}", message, "the answer ends the replay: put it last")
