"""How a run ended: its exit status, what it submitted, what its counters say about what is not in the file."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from attraj.formats.found import Found
from attraj.formats.swe_agent.align import StepKind
from attraj.formats.swe_agent.codes import (
    ALL_ZERO,
    EXIT_STATUS,
    NO_SUBMISSION,
    OPEN,
    OTHER_SUBMISSION,
    UNRECORDED_CALLS,
)
from attraj.formats.swe_agent.members import check_number
from attraj.formats.swe_agent.shape import EXIT_STATUSES, REASONS
from attraj.formats.swe_agent.unit import Unit
from attraj.formats.swe_agent.values import child, text
from attraj.pointer import escape

_CUT_OFF = re.compile(r"submitted \((.{1,60})\)").fullmatch


class Ending(NamedTuple):
    """What an exit status says: who claims it, and what."""

    authority: str
    status: str


AGENT_REPORT, RUNTIME_REPORT = "agent_self_report", "runtime"
_ENDINGS = {
    "submitted": Ending(AGENT_REPORT, "succeeded"),
    "exit_forfeit": Ending(AGENT_REPORT, "failed"),
    "exit_command": Ending(RUNTIME_REPORT, "cancelled"),
    "skipped": Ending(RUNTIME_REPORT, "cancelled"),
    "early_exit": Ending(RUNTIME_REPORT, "failed"),
}
_FAILED = re.compile(r"exit_[a-z_]{1,40}").fullmatch


def check_ending(found: Found, unit: Unit) -> None:
    """Exit status, submission and counters of one finished or open trajectory."""
    if "info" not in unit.tree:
        return
    at = f"{unit.at}/info"
    status = unit.info.get("exit_status")
    if status is None:
        if type(unit.tree["info"]) is dict:
            place = f"{at}/exit_status" if "exit_status" in unit.info else at
            said = "null" if "exit_status" in unit.info else "absent"
            message = f"the run is open: its exit status is {said}, so that it was running or killed"
            found.add(OPEN, place, message, "its steps are whole, its outcome is not known")
    elif type(status) is not str:
        found.add(EXIT_STATUS, f"{at}/exit_status", "the exit status is no text", "write one of SWE-agent's words")
    elif not is_known(status):
        message = "the exit status is none that SWE-agent writes: how the run ended is not known"
        found.add(EXIT_STATUS, f"{at}/exit_status", message, "see `submitted`, `submitted (exit_cost)`, `exit_context`")
    else:
        _check_submission(found, unit, status, at)
    _check_counters(found, unit, at)


def is_known(status: str) -> bool:
    """Whether a status is in the vocabulary of some release (spec: traj.md §1.8)."""
    match = _CUT_OFF(status)
    return status in EXIT_STATUSES or (match is not None and match[1] in REASONS | {"None"})


def ending_of(status: str) -> Ending:
    """What a status of the loop says; "unknown" for words that no release writes."""
    if _CUT_OFF(status):
        return Ending(RUNTIME_REPORT, "partial")
    known = _ENDINGS.get(status)
    if known is not None:
        return known
    return Ending(RUNTIME_REPORT, "failed" if _FAILED(status) else "unknown")


def _check_submission(found: Found, unit: Unit, status: str, at: str) -> None:
    submission = unit.info.get("submission")
    if not status.startswith("submitted"):
        return
    if submission is None:
        place = f"{at}/submission" if "submission" in unit.info else at
        said = "null" if "submission" in unit.info else "absent"
        message = f"submitted, and the submission is {said}: there is no patch, which is not an empty patch"
        found.add(NO_SUBMISSION, place, message)
        return
    if not unit.open.isdisjoint({"trajectory", "replay_config"}):
        return  # what came last, or what submits, may stand after the cut
    last = unit.steps[-1] if unit.steps and type(unit.steps[-1]) is dict else {}
    if status != "submitted" or not last or type(submission) is not str:
        return
    command = unit.config.submit_command
    words = text(last, "action").split(None, 1)
    if not words or not (words[0].startswith("submit") or words[0] == command.split(None, 1)[0]):
        message = "submitted, and the last action is no submit: what ended the run is not in the trajectory"
        found.add(OTHER_SUBMISSION, f"{at}/exit_status", message)
        return
    shown, given = _plain(text(last, "observation")), _plain(submission)
    if shown and given and shown != given:
        message = "the submission is not what the last observation shows"
        found.add(OTHER_SUBMISSION, f"{at}/submission", message, "one of the two was edited or cut")


def _plain(patch: str) -> str:
    """A patch without what terminals and templates add (spec: traj.md §8, TJ043)."""
    return patch.replace("\r\n", "\n").strip()


def _check_counters(found: Found, unit: Unit, at: str) -> None:
    counters = child(unit.info, "model_stats")
    numbers: dict[str, Any] = {n: v for n, v in counters.items() if type(v) in (int, float)}
    for name, value in numbers.items():
        check_number(found, value, f"{at}/model_stats/{escape(name)}", "a count or a cost cannot be less than nothing")
    if numbers and not any(numbers.values()) and unit.steps:
        message = "every counter is zero: a replay or a human wrote the turns, so that zero is not a measurement"
        found.add(ALL_ZERO, f"{at}/model_stats", message)
    calls = numbers.get("api_calls")
    if "trajectory" in unit.open:
        return
    if type(calls) is int and calls > 0 and unit.steps and not _has_further_calls(unit):
        _check_calls(found, unit, calls, at)


def _has_further_calls(unit: Unit) -> bool:
    """Whether samplers, reviewers or other attempts stand behind the number of calls."""
    if "attempts" in unit.tree or "rloop_model_stats" in unit.info:
        return True
    return any(type(step) is dict and step.get("extra_info") for step in unit.steps)


def _check_calls(found: Found, unit: Unit, calls: int, at: str) -> None:
    counts = unit.alignment.counts()
    made_up = counts[StepKind.SYNTHETIC_EXIT]  # each stands for at most one reply that was thrown away
    lost = calls - len(unit.steps) + counts[StepKind.NOT_A_STEP]
    if lost > 0:
        noun = "model call has" if lost == 1 else "model calls have"
        message = f"{lost} {noun} left no step: rejected proposals of 0.x, or replies that were lost"
        hint = "one more may stand behind the made-up exit" if made_up else ""
        found.add(UNRECORDED_CALLS, f"{at}/model_stats/api_calls", message, hint)
