"""RW020 and RW030 to RW034: actions, their observations, and the end of the run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from attraj.findings import Related, Severity
from attraj.formats.found import Found
from attraj.formats.react_web.codes import ANSWER_AND_OUTCOME, ECHO, PARALLEL, REPEATED, UNANSWERED, UNCERTAIN
from attraj.formats.react_web.pairing import Pair, Reading, tool_of

Json = dict[str, Any]

OFTEN = 3  # the same call in so many iterations hints at a loop
_LONGEST_ECHO = 1 << 20


def look_at_calls(found: Found, steps: Sequence[Any], reading: Reading, at: str, condition: Any = None) -> None:
    """Check what the reading of the steps says.

    Args:
        at: Pointer of the array of the steps.
        condition: The member of the envelope: the author's word on why results may be missing.
    """
    _unanswered(found, reading, at, is_stripped(condition))
    for pair in reading.pairs:
        if pair.candidates != 1:  # a missing tool is told already, what follows from a choice as well
            _uncertain(found, pair, at)
    parallel = [group for group in reading.groups if len(group.actions) > 1]
    if parallel:
        most = max(len(group.actions) for group in parallel)
        message = f"{most} actions in one iteration: their order is not causal"
        if len(parallel) > 1:
            message = f"up to {most} actions in one iteration, in {len(parallel)} iterations: their order is not causal"
        found.add(PARALLEL, f"{at}/{parallel[0].actions[0]}", message)
    _repeated(found, steps, reading, at)
    for pair in reading.pairs:
        if pair.action is not None and _is_echo(steps[pair.action].get("args"), steps[pair.observation].get("content")):
            message = "the observation repeats the arguments of its action: the real result is not recorded"
            hint = "the tool ran on the model provider's side"
            found.tally("echo", ECHO, f"{at}/{pair.observation}/content", message, hint)


def look_at_end(found: Found, steps: Sequence[Any], outcome: Any, at: str) -> None:
    """An answer and the outcome that go together."""
    answer = next((i for i, s in enumerate(steps) if type(s) is dict and s.get("type") == "answer"), None)
    if outcome == "success" and answer is None:
        message = "the outcome is success, and no step is an answer"
        found.add(ANSWER_AND_OUTCOME, "/outcome", message, "add the answer, or leave the outcome out")
    elif type(outcome) is str and outcome in ("failure", "loop", "timeout") and answer is not None:
        message = "there is an answer although the outcome is no success"
        found.add(ANSWER_AND_OUTCOME, f"{at}/{answer}", message, severity=Severity.INFO)


def is_stripped(condition: Any) -> bool:
    """Whether the author's condition says that the results of tools were taken out."""
    if type(condition) is not str:
        return False
    return "no-tool-result" in condition[:200].lower().replace("_", "-").replace(" ", "-")


def _unanswered(found: Found, reading: Reading, at: str, is_told: bool) -> None:
    if not reading.unanswered:
        return
    if len(reading.unanswered) == reading.actions:
        count = reading.actions
        message = (
            "the only action has no observation" if count == 1 else f"none of the {count} actions has an observation"
        )
        message += ": `condition` says that results were taken out" if is_told else ""
        found.add(UNANSWERED, f"{at}/{reading.unanswered[0]}", message, severity=Severity.INFO)
        return
    hint = "add the observation right after its action; whether the call ran cannot be told without it"
    for position in reading.unanswered:
        found.add(UNANSWERED, f"{at}/{position}", "the action has no observation", hint)


def _uncertain(found: Found, pair: Pair, at: str) -> None:
    hint = "put each observation right after its action: order is the only link that the format has"
    if pair.action is not None:
        message = f"the observation may belong to any of {pair.candidates} actions of its iteration: the first is taken"
        related = [Related(f"{at}/{pair.action}", "the action that is taken")]
        found.add(UNCERTAIN, f"{at}/{pair.observation}", message, hint, related=related)
        return
    if pair.is_late:
        message = "the observation has no action in its iteration; one of an earlier iteration waits for this tool"
        hint = "give it the iteration of its action"
    elif pair.candidates > 1:
        message = f"the observation names no tool, and {pair.candidates} actions of its iteration wait"
    else:
        message, hint = "the observation has no action in its iteration", "add the action that had this result"
    found.add(UNCERTAIN, f"{at}/{pair.observation}", message, hint)


def _repeated(found: Found, steps: Sequence[Any], reading: Reading, at: str) -> None:
    """Arguments are compared only of tools that are called in many iterations."""
    by_tool: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, group in enumerate(reading.groups):
        for position in group.actions:
            tool = tool_of(steps[position])
            if tool is not None:
                by_tool[tool].append((number, position))
    for calls in by_tool.values():
        if len({number for number, _ in calls}) < OFTEN:
            continue
        same: defaultdict[bytes, list[tuple[int, int]]] = defaultdict(list)
        for number, position in calls:
            key = _form(steps[position].get("args"))
            if key is not None:
                same[key].append((number, position))
        for places in same.values():
            iterations = len({number for number, _ in places})
            if iterations >= OFTEN:
                message = f"the same call is made in {iterations} iterations"
                found.add(REPEATED, f"{at}/{places[0][1]}", message, "a hint at a loop")


def _form(args: Any) -> bytes | None:
    """One form for equal arguments; None when they have none (beyond 64-bit integers, half characters)."""
    import orjson  # only for documents that call a tool again and again

    try:
        return orjson.dumps(args, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:
        return None


def _is_echo(args: Any, content: Any) -> bool:
    if type(args) is not dict or not args:
        return False
    if type(content) is str:
        if len(content) > _LONGEST_ECHO or not content.lstrip().startswith("{"):
            return False
        import jiter  # only where an observation looks like JSON

        try:
            content = jiter.from_json(content.encode())
        except ValueError:
            return False
    try:
        return type(content) is dict and bool(content == args)
    except RecursionError:  # deeper than any parser lets through
        return False
