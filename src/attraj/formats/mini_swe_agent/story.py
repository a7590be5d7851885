"""A mini-swe-agent trajectory as a person reads it, and what is counted of it.

Each message is a step. A result names the step and the call that it answers; a call that nothing answers says so. No
call is parsed out of a text. Tokens are the provider's own usage, and known only when every reply has kept it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attraj.formats.mini_swe_agent import turns
from attraj.formats.mini_swe_agent.shape import ENDINGS
from attraj.formats.mini_swe_agent.turns import Run, Turn, extra_of, kind_of
from attraj.formats.mini_swe_agent.version import version_of
from attraj.formats.story import (
    Call,
    Facts,
    Json,
    Passage,
    Result,
    Role,
    Step,
    Story,
    Tokens,
    as_text,
    child,
    count,
    number,
    passages_of,
    text,
)
from attraj.jsonio import Document

OPEN = "open: no exit status is recorded"
OTHER = "other"
_ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "message": "user",
    "assistant": "agent",
    "response": "agent",
    "tool": "tool",
    "function_call_output": "tool",
    "exit": "runtime",
}
_INTERRUPTS = {
    "FormatError": "rejected: format error",
    "UserInterruption": "interrupted by the user",
    "UserRejection": "rejected by the user",
    "UserNewTask": "a new task of the user",
}
_TOLD = frozenset({"role", "content", "tool_calls", "reasoning_content", "type", "call_id", "tool_call_id"})
_USAGE = (("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens"))


def tell(document: Document) -> Story:
    """The messages, one by one."""
    messages, at = _messages(document.tree)
    run = turns.read(messages)
    remarks = [] if at else ["a bare list of messages: how the run ended and what it cost is not recorded"]
    lost = [error for error in run.format_errors() if not error.has_reply]
    if lost:
        remarks.append(f"replies of the model that were rejected and not kept: {len(lost)}")
    instance = text(document.tree, "instance_id") if type(document.tree) is dict else None
    title = (("instance", instance),) if instance else ()
    return Story(facts(document), _steps(messages, run, at), title, remarks=tuple(remarks))


def _messages(tree: Any) -> tuple[list[Any], str]:
    if type(tree) is list:
        return tree, ""
    found = tree.get("messages") if type(tree) is dict else None
    return (found if type(found) is list else []), "/messages"


def _steps(messages: list[Any], run: Run, at: str) -> Iterator[Step]:
    by_position = {turn.position: turn for turn in run.turns}
    answers = {
        call.result: f"answers call {number} of step {turn.position + 1}"
        for turn in run.turns
        for number, call in enumerate(turn.calls, 1)
        if call.result is not None
    }
    interrupts = {one.position: _INTERRUPTS.get(one.kind, "interrupted") for one in run.interrupts}
    unmatched = {*run.unmatched, *run.repeated}
    has_task = False
    for position, message in enumerate(messages):
        place = f"{at}/{position}"
        if type(message) is not dict:
            yield Step(position + 1, "unknown", place, passages=(Passage(as_text(message), place, "no message"),))
            continue
        role = _ROLES.get(kind_of(message), "unknown")
        if role == "user" and not has_task:
            role, has_task = "task", True
        marks = [answers.get(position), interrupts.get(position)]
        marks.append("answers no call that is open" if position in unmatched else None)
        yield _step(message, position, place, role, by_position.get(position), tuple(m for m in marks if m))


def _step(message: Json, position: int, place: str, role: Role, turn: Turn | None, marks: tuple[str, ...]) -> Step:
    extra = extra_of(message)
    passages = tuple(_passages(message, place))
    is_result = role == "tool" or ("returncode" in extra and turn is None)
    stamp = extra.get("timestamp", message.get("timestamp"))
    measures = [("return code", as_text(extra["returncode"]))] if "returncode" in extra else []
    if "cost" in extra:
        measures.append(("cost in USD", as_text(extra["cost"])))
    if turn is not None and turn.is_human:
        marks = (*marks, "a command of the user")
    return Step(
        position + 1,
        role,
        place,
        None if stamp is None else as_text(stamp),
        () if is_result else passages,
        tuple(_calls(message, turn, place)) if turn is not None else (),
        (Result(passages, place),) if is_result else (),
        marks,
        tuple(measures),
        {name: value for name, value in message.items() if name not in _TOLD and name != "output"},
    )


def _passages(message: Json, place: str) -> Iterator[Passage]:
    reasoning = text(message, "reasoning_content")
    if reasoning is not None:
        yield Passage(reasoning, f"{place}/reasoning_content", "reasoning")
    for member in ("content", "output"):
        value = message.get(member)
        if type(value) is not list:
            yield from passages_of(value, f"{place}/{member}")
            continue
        for i, part in enumerate(value):
            yield from _part(part, f"{place}/{member}/{i}")


def _part(part: Any, place: str) -> Iterator[Passage]:
    kind = part.get("type") if type(part) is dict else None
    if kind in ("text", "input_text", "output_text") and type(part.get("text")) is str:
        yield Passage(part["text"], f"{place}/text")
    elif kind == "message":
        inner = part.get("content")
        for i, one in enumerate(inner if type(inner) is list else ()):
            if type(one) is dict and type(one.get("text")) is str:
                yield Passage(one["text"], f"{place}/content/{i}/text")
    elif kind == "reasoning":
        summary = part.get("summary")
        for i, one in enumerate(summary if type(summary) is list else ()):
            if type(one) is dict and type(one.get("text")) is str:
                yield Passage(one["text"], f"{place}/summary/{i}/text", "reasoning")
        if part.get("encrypted_content") is not None:
            yield Passage("", f"{place}/encrypted_content", "reasoning, encrypted: not shown")
    elif kind in ("image_url", "input_image"):
        yield Passage("", place, "image, not shown")
    elif kind != "function_call":
        yield Passage(as_text(part), place, "a part of no known kind")


def _calls(message: Json, turn: Turn, place: str) -> Iterator[Call]:
    for call in turn.calls:
        where = f"{place}{call.pointer}"
        marks = [] if call.result is not None else ["no result recorded"]
        if call.is_padded:
            marks.append("the result says that it was not executed")
        arguments: tuple[Passage, ...] | None = None
        if call.command is not None:
            arguments = (Passage(call.command, where),)
        else:
            asked = _arguments(message, call.pointer)
            arguments = None if asked is None else tuple(passages_of(asked, where))
        yield Call(call.name, arguments, where, tuple(marks))


def _arguments(message: Json, pointer: str) -> Any:
    """What the call at this place of its message asks with; None when there is nothing to be seen."""
    _, member, index = pointer.split("/")[:3]
    calls = message.get(member)
    call = calls[int(index)] if type(calls) is list and int(index) < len(calls) else None
    if type(call) is not dict:
        return None
    return child(call, "function").get("arguments") if member == "tool_calls" else call.get("arguments")


# --- the count ---------------------------------------------------------------------------------------------------


def facts(document: Document) -> Facts:
    """What is counted of one run. Its steps are the replies of the model."""
    messages, at = _messages(document.tree)
    tree: Json = document.tree if type(document.tree) is dict else {}
    run = turns.read(messages)
    info = child(tree, "info")
    cost = number(child(info, "model_stats").get("instance_cost"))
    if cost == 0 and run.replies:
        cost = None  # where a counter starts, and stays when nobody knows the price
    model = text(child(child(info, "config"), "model"), "model_name")
    has_messages = not at or type(tree.get("messages")) is list
    return Facts(
        "mini-swe-agent",
        version_of(document.tree, messages).declared,
        "mini-swe-agent",
        text(info, "mini_version"),
        (model,) if model else (),
        len(run.replies) if has_messages else None,
        _calls_of(run) if has_messages else None,
        None,
        _tokens(messages, run),
        cost,
        "unknown" if cost is None else "litellm counter",
        outcomes=(("agent_self_report", "succeeded"),) if info.get("exit_status") == "Submitted" else (),
        termination=_termination(info) if "info" in tree else None,
    )


def _calls_of(run: Run) -> int | None:
    """None for a run whose calls stand in its texts: nothing is parsed out of these."""
    calls = sum(len(turn.calls) for turn in run.replies)
    return calls if calls or not run.replies else None


def _termination(info: Json) -> str:
    status = info.get("exit_status")
    if status is None or status == "":
        return OPEN
    return status if type(status) is str and status in ENDINGS else OTHER


def _tokens(messages: list[Any], run: Run) -> Tokens:
    """The usage in the provider's own replies, when every reply has one and none was thrown away."""
    usages = [child(child(extra_of(messages[turn.position]), "response"), "usage") for turn in run.replies]
    if not usages or any(not error.has_reply for error in run.format_errors()):
        return Tokens()
    sums: list[int | None] = []
    for names in _USAGE:
        values = [next((n for name in names if (n := count(usage.get(name))) is not None), None) for usage in usages]
        known = [value for value in values if value is not None]
        sums.append(sum(known) if len(known) == len(values) else None)
    if sums == [None, None]:
        return Tokens()
    return Tokens(sums[0], sums[1], None, "provider usage", "sum over the replies")
