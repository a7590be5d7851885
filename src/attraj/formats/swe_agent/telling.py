"""A `.traj` as a person reads it, and what is counted of it.

The steps are those of `trajectory`, each with what `history` knows of it besides. A step is not an executed action:
what was rejected, made up on the way out, or forgotten is marked as such (spec: traj.md §1.5). Numbers are those of
`info.model_stats`, which are litellm's own count; `total_cost` sums up other instances and is left alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from typing import Any

from attraj.formats.story import Call, Facts, Passage, Result, Role, Step, Story, Tokens, count, number, text
from attraj.formats.swe_agent.align import AlignedStep, StepKind
from attraj.formats.swe_agent.ending import ending_of, is_known
from attraj.formats.swe_agent.shape import PSEUDO_COMMANDS
from attraj.formats.swe_agent.unit import Unit, form_of
from attraj.formats.swe_agent.values import Json, child, content_text, items
from attraj.jsonio import MISSING, Document

OPEN = "open: no exit status is recorded"
OTHER = "other"
_NO_TRAJECTORY = "no trajectory"
_REASONS = {
    "format": "rejected: format error",
    "blocklist": "rejected: blocklist",
    "bash_syntax": "rejected: bash syntax",
    "": "rejected: reason not recorded",
}
_VIEWS = ("query", "messages", "message")
_TOLD = frozenset({"action", "observation", "response", "thought", "execution_time", *_VIEWS})
_ROLES: dict[Any, Role] = {"system": "system", "user": "user", "assistant": "agent", "tool": "tool"}


def tell(document: Document) -> Story:
    """The trajectory on top; without one, every attempt; without these, the messages of the demonstration."""
    tree: Json = document.tree if type(document.tree) is dict else {}
    units = _units(tree)
    has_steps = any(unit.has_steps for unit in units)
    messages = items(tree.get("history"))
    steps = _all_steps(units) if has_steps else _messages(messages)
    first = units[0] if units else Unit({}, "")
    task = _task(first) if has_steps else None
    remarks = [] if has_steps else list(_no_steps(tree, messages))
    demos = sum(1 for item in first.history if type(item) is dict and item.get("is_demo") is True)
    if has_steps and demos:
        remarks.append(f"the history holds demonstrations, which are no part of the run: {demos}")
    if has_steps and any(type(i) is dict and i.get("role") == "system" for i in first.history):
        remarks.append("the system prompt stands in the history and is not shown")
    environment = text(tree, "environment")
    title = (("environment", environment),) if environment else ()
    return Story(facts(document), steps, title, task, tuple(_records(first)), tuple(remarks))


def light(path: str | os.PathLike[str]) -> Document:
    """A file that is too large to be held, without the model inputs that make it so, for `tell` and `facts`.

    Raises:
        Unreadable: It cannot be read, or is no `.traj`.
    """
    from attraj.formats.swe_agent.stream import TrajStream, open_stream  # only for large files

    def tree_of(found: TrajStream, depth: int = 0) -> Json:
        head = found.head
        tree: Json = {}
        if head.steps is not None:
            # The first step stays whole (its input is the shortest): what its members are called tells the version.
            whole = list(islice(found.steps(skip=()), 1))
            tree["trajectory"] = [*whole, *islice(found.steps(), len(whole), None)]
        if head.messages is not None:
            tree["history"] = list(found.history())
        if head.attempts is not None and not depth:
            tree["attempts"] = [tree_of(attempt, 1) for attempt in found.attempts()]
        stated = {"info": head.info, "environment": head.environment, "replay_config": head.replay_config}
        return tree | {name: value for name, value in stated.items() if value is not MISSING}

    return Document(b"", tree_of(open_stream(path)), path=os.fspath(path))


def _units(tree: Json) -> list[Unit]:
    if "trajectory" in tree or "attempts" not in tree:
        return [Unit(tree, "")]
    attempts = items(tree.get("attempts"))
    return [Unit(attempt, f"/attempts/{k}") for k, attempt in enumerate(attempts) if type(attempt) is dict]


def _no_steps(tree: Json, messages: list[Any]) -> Iterator[str]:
    """Why no steps are told, and what is told instead."""
    form = form_of(tree)
    if form == "demonstration":
        yield "a demonstration: a history without a trajectory"
    elif form != "attempts":  # else a retry agent before its first step
        instead = ": these are the messages of the history" if messages else ""
        yield f"the steps cannot be told, for the trajectory is missing or broken{instead}"


def _task(unit: Unit) -> Passage | None:
    """The first message of the user that is no demonstration."""
    for position, item in enumerate(unit.history):
        if type(item) is dict and item.get("role") == "user" and item.get("is_demo") is not True:
            said = content_text(item.get("content"))
            return Passage(said, f"{unit.at}/history/{position}/content") if said else None
    return None


def _all_steps(units: list[Unit]) -> Iterator[Step]:
    told = 0
    for unit in units:
        part = f"attempt {int(unit.at.rpartition('/')[2]) + 1}, step " if unit.at else ""
        for aligned in unit.alignment.steps:
            told += 1
            yield _step(unit, aligned, told, (f"{part}{aligned.index + 1}",) if part else ())


def _step(unit: Unit, aligned: AlignedStep, ordinal: int, marks: tuple[str, ...]) -> Step:
    step: Any = unit.steps[aligned.index]
    place = unit.step(aligned.index)
    if aligned.kind is StepKind.NOT_A_STEP:
        from attraj.formats.story import as_text

        return Step(ordinal, "unknown", place, passages=(Passage(as_text(step), place, "no step"),), marks=marks)
    item: Json = unit.history[aligned.item] if aligned.item is not None else {}
    is_made_up = aligned.kind is StepKind.SYNTHETIC_EXIT
    calls = tuple(_calls(step, item, place)) if not is_made_up else ()
    return Step(
        ordinal,
        "runtime" if is_made_up else "agent",
        place,
        passages=tuple(_passages(step, item, place, unit.at, aligned)),
        calls=calls,
        results=tuple(_results(unit, step, aligned, place, bool(calls))),
        marks=(*marks, *_marks(aligned)),
        measures=tuple(_measures(step)),
        rest={name: value for name, value in step.items() if name not in _TOLD},
    )


def _marks(aligned: AlignedStep) -> Iterator[str]:
    if aligned.kind is StepKind.REJECTED:
        yield _REASONS.get(aligned.reason, _REASONS[""])
    elif aligned.kind is StepKind.SYNTHETIC_EXIT:
        yield "synthetic exit: written by the loop, not by the model"
    elif aligned.kind is StepKind.NOT_IN_HISTORY:
        yield "run, and not in the history that the model goes on with"
        if aligned.reason == "retry_with_output":
            yield "a tool asked for another try"
    elif aligned.kind is StepKind.TURN and aligned.reason == "exit_command":
        yield "the agent's own exit"


def _passages(step: Json, item: Json, place: str, at: str, aligned: AlignedStep) -> Iterator[Passage]:
    for k, thinking in enumerate(items(item.get("thinking_blocks"))):
        where = f"{at}/history/{aligned.item}/thinking_blocks/{k}"
        said = text(thinking, "thinking") if type(thinking) is dict else None
        yield Passage(said or "", where, "reasoning" if said else "reasoning, encrypted: not shown")
    response, thought = text(step, "response"), text(step, "thought")
    if response is not None:
        yield Passage(response, f"{place}/response")
    if thought is not None and (response is None or thought.strip() not in response):
        yield Passage(thought, f"{place}/thought", "thought")


def _calls(step: Json, item: Json, place: str) -> Iterator[Call]:
    """The action, under the name of the tool call that it was made from, where the history has one."""
    action = text(step, "action")
    names = [text(child(call, "function"), "name") for call in items(item.get("tool_calls"))]
    if action is not None:
        yield Call(names[0] if names else None, (Passage(action, f"{place}/action"),), f"{place}/action")


def _results(unit: Unit, step: Json, aligned: AlignedStep, place: str, has_call: bool) -> Iterator[Result]:
    observation = step.get("observation")
    where = f"{place}/observation"
    answers = 0 if has_call else None
    if type(observation) is str and (observation or aligned.kind is not StepKind.REJECTED):
        yield Result((Passage(observation, where, "" if observation else "empty"),), where, answers)
    elif "observation" in step and observation is None:
        yield Result((), where, answers)
    if aligned.kind is StepKind.REJECTED and aligned.error is not None:
        where = f"{unit.step(aligned.index + 1)}/query/{aligned.error}"
        said = content_text(unit.steps[aligned.index + 1]["query"][aligned.error].get("content"))
        yield Result((Passage(said, where),), where, answers, ("what the loop answered, in the next model input",))


def _measures(step: Json) -> Iterator[tuple[str, str]]:
    seconds = number(step.get("execution_time"))
    if seconds is not None:
        yield "seconds of the command", str(seconds)
    for name in _VIEWS:
        if type(step.get(name)) is list:
            yield "model input", f"{len(step[name]):,} messages, not shown"


def _messages(history: list[Any]) -> Iterator[Step]:
    for position, item in enumerate(history):
        place = f"/history/{position}"
        message: Json = item if type(item) is dict else {}
        role = message.get("role")
        said = content_text(message.get("content"))
        yield Step(
            position + 1,
            _ROLES.get(role, "unknown") if type(role) is str else "unknown",
            place,
            passages=(Passage(said, f"{place}/content"),) if said else (),
            marks=("demonstration",) if message.get("is_demo") is True else (),
            rest={name: value for name, value in message.items() if name not in ("role", "content")},
        )


def _records(unit: Unit) -> Iterator[Step]:
    submission = text(unit.info, "submission")
    if submission is not None:
        where = f"{unit.at}/info/submission"
        yield Step(0, "unknown", where, title="Submission", passages=(Passage(submission, where),))


# --- the count ---------------------------------------------------------------------------------------------------


def facts(document: Document) -> Facts:
    """What is counted of one file: of a retry agent's, the steps of the attempt that was chosen, the cost of all."""
    tree: Json = document.tree if type(document.tree) is dict else {}
    unit = Unit(tree, "")
    attempts = tree.get("attempts")
    stats = child(unit.info, "model_stats")
    cost = number(stats.get("instance_cost"))
    sent, received = count(stats.get("tokens_sent")), count(stats.get("tokens_received"))
    # A replay counts nothing and says 0 everywhere.
    is_measured = any((cost, sent, received))
    steps = [step for step in unit.steps if type(step) is dict]
    named = text(child(unit.config.tree, "agent", "model"), "name")
    model = named or text(unit.info, "model_name") or text(tree, "model_name")  # suggested by a note (decisions 35)
    return Facts(
        "swe-agent",
        unit.version.name,
        "SWE-agent",
        text(unit.info, "swe_agent_version"),
        (model,) if model else (),
        len(steps) if unit.has_steps else None,
        sum(1 for step in steps if _is_call(step)) if unit.has_steps else None,
        None,
        Tokens(sent, received, None, "litellm counter", "info.model_stats")
        if is_measured and (sent is not None or received is not None)
        else Tokens(),
        cost if is_measured else None,
        "litellm counter" if is_measured and cost is not None else "unknown",
        outcomes=tuple(_outcomes(text(unit.info, "exit_status"))),
        termination=_termination(tree, unit),
        attempts=len(attempts) if type(attempts) is list else None,
    )


def _is_call(step: Json) -> bool:
    action = text(step, "action")
    return action is not None and action.strip() not in PSEUDO_COMMANDS


def _termination(tree: Json, unit: Unit) -> str | None:
    if "info" not in tree:
        return OPEN if "attempts" in tree else None
    status = unit.info.get("exit_status")
    if status is None:
        return OPEN
    return status if type(status) is str and is_known(status) else OTHER


def without_trajectory(status: str | None) -> Facts:
    """What is counted of an instance that was tried and left no `.traj`.

    Args:
        status: Its exit status by the batch's own file; None when that has none.
    """
    termination, outcomes = f"{_NO_TRAJECTORY}: no reason is recorded", tuple(_outcomes(status))
    if status is not None and status.startswith("Uncaught"):
        termination, outcomes = f"{_NO_TRAJECTORY}: uncaught exception", (("runtime", "failed"),)
    elif status is not None and is_known(status):
        termination = f"{_NO_TRAJECTORY}: {status}"
    return Facts("swe-agent", None, "SWE-agent", outcomes=outcomes, termination=termination)


def _outcomes(status: str | None) -> Iterator[tuple[str, str]]:
    """What the exit status claims, and who claims it (spec: traj.md §7.1). A submission is a claim to be done."""
    if status is not None and is_known(status):
        ending = ending_of(status)
        yield ending.authority, ending.status
