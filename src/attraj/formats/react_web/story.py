"""ReAct web JSON as a person reads it, and what is counted of it.

The format has no call ids: an observation names the step that it is paired with, and how sure that is (§4). What a
file says of its outcome is its author's label.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attraj.formats.react_web.pairing import Confidence, iteration_of, read, tool_of
from attraj.formats.react_web.shape import ANY_STEP, OUTCOMES
from attraj.formats.story import Call, Facts, Json, Passage, Result, Role, Step, Story, as_text, passages_of, text
from attraj.jsonio import Document

OTHER = "other"
_ROLES: dict[Any, Role] = {"thought": "agent", "action": "agent", "observation": "tool", "answer": "agent"}
_SURENESS = {
    Confidence.EXACT_BY_ORDER: "the only one that was open",
    Confidence.EXACT_BY_TOOL: "by its tool",
    Confidence.AMBIGUOUS_FIFO: "a guess: several were open for this tool",
    Confidence.BY_POSITION: "a guess: it names no tool",
}


def tell(document: Document) -> Story:
    """The steps, one by one."""
    tree: Any = document.tree
    steps, at = _steps_of(tree)
    envelope: Json = tree if type(tree) is dict else {}
    title = [(name, value) for name in ("title", "experiment", "condition") if (value := text(envelope, name))]
    recorded = text(envelope, "recorded_at")
    if recorded:
        title.append(("recorded at", recorded))
    task = text(envelope, "task")
    return Story(
        facts(document),
        _steps(steps, at),
        tuple(title),
        Passage(task, "/task") if task else None,
        remarks=() if at else ("a bare list of steps: task, model and outcome are not recorded",),
    )


def _steps_of(tree: Any) -> tuple[list[Any], str]:
    if type(tree) is list:
        return tree, ""
    found = tree.get("steps") if type(tree) is dict else None
    return (found if type(found) is list else []), "/steps"


def _steps(steps: list[Any], at: str) -> Iterator[Step]:
    reading = read(steps)
    pairs = {pair.observation: pair for pair in reading.pairs}
    unanswered = set(reading.unanswered)
    for position, step in enumerate(steps):
        place = f"{at}/{position}"
        if type(step) is not dict:
            yield Step(position + 1, "unknown", place, passages=(Passage(as_text(step), place, "no step"),))
            continue
        marks = list(_marks(step))
        pair = pairs.get(position)
        if pair is not None and pair.action is not None:
            marks.append(f"answers step {pair.action + 1} ({_SURENESS[pair.confidence]})")
        elif pair is not None:
            marks.append("answers no action that is open in its iteration")
        yield _step(step, position, place, tuple(marks), position in unanswered)


def _marks(step: Json) -> Iterator[str]:
    iteration = iteration_of(step)
    if type(iteration) is int:
        yield f"iteration {iteration}"
    if step.get("type") == "answer":
        yield "answer"


def _step(step: Json, position: int, place: str, marks: tuple[str, ...], is_open: bool) -> Step:
    kind = step.get("type")
    passages = tuple(passages_of(step.get("content"), f"{place}/content", "reasoning" if kind == "thought" else ""))
    calls: tuple[Call, ...] = ()
    if kind == "action":
        args = step.get("args")
        arguments = None if args is None else tuple(passages_of(args, f"{place}/args"))
        calls = (Call(tool_of(step), arguments, place, ("no result recorded",) if is_open else ()),)
    is_result = kind == "observation"
    tool = tool_of(step)
    return Step(
        position + 1,
        _ROLES.get(kind, "unknown") if type(kind) is str else "unknown",
        place,
        passages=() if is_result else passages,
        calls=calls,
        results=(Result(passages, place),) if is_result else (),
        marks=marks,
        measures=(("tool", tool),) if tool is not None and is_result else (),
        rest={name: value for name, value in step.items() if name not in ANY_STEP},
    )


def facts(document: Document) -> Facts:
    """What is counted of one document: nothing but steps and calls, since the format has no numbers."""
    tree: Json = document.tree if type(document.tree) is dict else {}
    steps, at = _steps_of(document.tree)
    outcome: Any = tree.get("outcome")
    word = outcome if type(outcome) is str and outcome in OUTCOMES else OTHER
    model = text(tree, "model")
    has_steps = not at or type(tree.get("steps")) is list
    return Facts(
        "react-web",
        models=(model,) if model else (),
        steps=len(steps) if has_steps else None,
        calls=sum(1 for s in steps if type(s) is dict and s.get("type") == "action") if has_steps else None,
        outcomes=(("unknown", word),) if outcome not in (None, "") else (),
        termination=word if word in ("loop", "timeout") else None,
    )
