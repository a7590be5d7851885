"""Steps and history side by side: what was rejected, made up or forgotten, and where the two tell different things."""

from __future__ import annotations

from attraj.findings import Related, Severity
from attraj.formats.found import Found
from attraj.formats.swe_agent.align import AlignedStep, StepKind
from attraj.formats.swe_agent.codes import (
    FOREIGN_ACTION,
    FOREIGN_THOUGHT,
    OTHER_WORDS,
    REJECTED,
    SYNTHETIC_EXIT,
    UNMATCHED,
)
from attraj.formats.swe_agent.shape import CUT_THOUGHT, QUOTED_ACTION, V10_DEV, WHOLE_THOUGHT
from attraj.formats.swe_agent.unit import Unit
from attraj.formats.swe_agent.values import Json, content_text, text

_REASONS = {
    "format": "could not be parsed",
    "blocklist": "blocked",
    "bash_syntax": "no valid bash",
    "": "for a reason that is not recorded",
}


def check_story(found: Found, unit: Unit) -> None:
    """Every finding that needs a step's kind or its message."""
    steps = unit.alignment.steps
    rejected = [step for step in steps if step.kind is StepKind.REJECTED]
    if rejected:
        _tell_rejected(found, unit, rejected)
    is_told = _tell_empty(found, unit)
    for step in steps:
        if step.kind is StepKind.SYNTHETIC_EXIT:
            _tell_exit(found, unit, step)
        elif step.kind is StepKind.NOT_IN_HISTORY and not is_told:
            _tell_forgotten(found, unit, step)
        if step.item is not None:
            _compare(found, unit, step)
        if step.kind in (StepKind.TURN, StepKind.REJECTED, StepKind.NOT_IN_HISTORY, StepKind.NO_HISTORY):
            _check_cut(found, unit, step)
    for item in _without_step(unit):
        message = "the history has a turn of the agent that no step of the trajectory matches"
        found.add(UNMATCHED, f"{unit.at}/history/{item}", message, "a step was taken out, or the texts were changed")


def _without_step(unit: Unit) -> list[int]:
    """Turns of the history that no step matches; of a trajectory that was cut, those before one that is matched."""
    if "trajectory" not in unit.open:
        return list(unit.alignment.unmatched)
    last = max((step.item for step in unit.alignment.steps if step.item is not None), default=-1)
    return [item for item in unit.alignment.unmatched if item < last]


def _tell_rejected(found: Found, unit: Unit, rejected: list[AlignedStep]) -> None:
    counts = {reason: sum(step.reason == reason for step in rejected) for reason in _REASONS}
    parts = ", ".join(f"{count} {_REASONS[reason]}" for reason, count in counts.items() if count)
    noun = "proposal was" if len(rejected) == 1 else "proposals were"
    message = f"{len(rejected)} {noun} rejected and never run ({parts})"
    hint = "don't count them as actions, and don't train on them as such"
    found.add(REJECTED, unit.step(rejected[0].index), message, hint)


def _tell_exit(found: Found, unit: Unit, step: AlignedStep) -> None:
    message = "the step was made up by the loop when the run was cut off: no model wrote it"
    if step.reason == "pseudo_command":
        hint = "its action is no command that was run"
    else:
        hint = "the model's last reply, where there was one, is not recorded; don't train on this step"
    found.add(SYNTHETIC_EXIT, unit.step(step.index), message, hint)


def _tell_empty(found: Found, unit: Unit) -> bool:
    """Tell a history without any turn of the agent once, instead of at every step."""
    forgotten = unit.alignment.counts()[StepKind.NOT_IN_HISTORY]
    if unit.alignment.assistants or forgotten < 2:
        return False
    message = f"the history has no turn of the agent, though {forgotten} steps were run"
    found.add(UNMATCHED, f"{unit.at}/history", message, "its messages were taken out, or are of another agent")
    return True


def _tell_forgotten(found: Found, unit: Unit, step: AlignedStep) -> None:
    message = "an action was run, and the history does not have it"
    hint, severity = "a turn was taken out of the history, or the texts were changed", None
    if step.reason == "retry_with_output":
        hint = "a tool asked for another try and showed its output: the model saw this turn once, and then no more"
    elif unit.version.at == V10_DEV and step.index == len(unit.steps) - 1:
        hint, severity = "before 1.0 the last turn was never put into the history", Severity.INFO
    found.add(UNMATCHED, unit.step(step.index), message, hint, severity)


def _compare(found: Found, unit: Unit, aligned: AlignedStep) -> None:
    """Thought and response of a step and of its message; the message's own pointer stands beside it."""
    step, item = unit.steps[aligned.index], unit.history[aligned.item or 0]
    at = f"{unit.at}/history/{aligned.item}"
    pairs = [
        ("response", "content", content_text(item.get("content"))),
        ("thought", "thought", text(item, "thought")),
    ]
    differing = [
        (name, member)
        for name, member, other in pairs
        if type(step.get(name)) is str and item.get(member) is not None and step[name].strip() != other.strip()
    ]
    if differing:
        names = " and ".join(f"`{name}`" for name, _ in differing)
        related = [Related(f"{at}/{member}", "what the history says") for _, member in differing]
        message = f"{names} of the step and of its message in the history differ"
        place = unit.step(aligned.index, differing[0][0])
        found.add(OTHER_WORDS, place, message, "one of the two was edited", related=related)


# --- thought and action as parts of the response -----------------------------------------------------------------


def _check_cut(found: Found, unit: Unit, aligned: AlignedStep) -> None:
    step: Json = unit.steps[aligned.index]
    response, thought, action = (step.get(name) for name in ("response", "thought", "action"))
    if type(response) is not str:
        return
    parser = _parser(unit, aligned, response)
    if type(thought) is str and not _is_thought_of(thought, response, parser):
        message = "the thought is not a part of the response"
        found.tally(
            FOREIGN_THOUGHT.code, FOREIGN_THOUGHT, unit.step(aligned.index, "thought"), message, _cut_hint(parser)
        )
    if type(action) is str and parser in QUOTED_ACTION and action.strip() not in response:
        message = "the action does not stand in the response, from which it is cut"
        found.tally(FOREIGN_ACTION.code, FOREIGN_ACTION, unit.step(aligned.index, "action"), message, _cut_hint(parser))


def _parser(unit: Unit, aligned: AlignedStep, response: str) -> str:
    """How the response was cut: as configured, else by what only some parsers leave; "" when nothing tells it."""
    if unit.config.parser:
        return unit.config.parser
    item = unit.history[aligned.item] if aligned.item is not None else {}
    if item.get("tool_calls"):
        return "xml_function_calling"  # the action is made of a call, and no more is known
    is_cut = not unit.open.isdisjoint({"replay_config", "history"})
    if unit.version.is_new or unit.version.at is None or is_cut or _is_json(response):
        return ""
    return "thought_action"


def _is_json(response: str) -> bool:
    return response.lstrip()[:1] == "{"  # the JSON parser takes thought and command out of the members of an object


def _is_thought_of(thought: str, response: str, parser: str) -> bool:
    if parser in WHOLE_THOUGHT:
        return thought.strip() == response.strip()
    return parser not in CUT_THOUGHT or thought.strip() in response or _is_rest_of(thought.strip(), response.strip())


def _is_rest_of(thought: str, response: str) -> bool:
    """Whether the thought is the response with one block cut out, and white space at its ends with it."""
    head = _shared_length(thought, response)
    return response.endswith(thought[head:].strip())


def _shared_length(a: str, b: str) -> int:
    """Length of the common beginning of two texts, by halving: `startswith` is C code."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if b.startswith(a[:middle]):
            low = middle
        else:
            high = middle - 1
    return low


def _cut_hint(parser: str) -> str:
    if parser in WHOLE_THOUGHT:
        return "with this response format the thought is the response itself"
    return "one of the two was edited, or the response format is another one"
