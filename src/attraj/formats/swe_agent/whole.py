"""All rules of one `.traj`: the file, each of its trajectories, the configuration inside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from attraj.findings import Finding, Severity
from attraj.formats.found import Found
from attraj.formats.swe_agent.align import StepKind
from attraj.formats.swe_agent.attempts import best_attempt, check_attempts, merged_attempt
from attraj.formats.swe_agent.codes import (
    BROKEN_CONFIG,
    DEMONSTRATION,
    MISSING_ENVIRONMENT,
    MISSING_HISTORY,
    MISSING_INFO,
    NO_STEP_LIST,
    OPEN,
    OTHER_CONFIG,
    PRIVATE_CONFIG,
    VERSION,
    WRONG_TYPE,
)
from attraj.formats.swe_agent.config import private_parts
from attraj.formats.swe_agent.ending import check_ending
from attraj.formats.swe_agent.history import check_history, check_views
from attraj.formats.swe_agent.members import check_members, check_statistics, name_of
from attraj.formats.swe_agent.shape import V11
from attraj.formats.swe_agent.steps import check_steps
from attraj.formats.swe_agent.story import check_story
from attraj.formats.swe_agent.unit import Unit, form_of
from attraj.formats.swe_agent.values import Json, items


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found in one file.

    Attributes:
        findings: In no particular order.
        units: Its trajectories: the top and the attempts; a merged copy on top is left out.
        form: "run", "attempts" (a retry agent's, at work), "retry" (finished), "demonstration"; "cut" when a
            cut keeps it from being told.
    """

    findings: list[Finding]
    units: tuple[Unit, ...]
    form: str


def look(tree: Json, cut: Mapping[str, frozenset[str]] | None = None) -> Looked:
    """Check one file. The tree is never modified.

    Args:
        cut: Of a file that was cut, the pointer of each trajectory that is not complete, to its open members
            (`Unit.open`); None for a whole file.
    """
    found = Found()
    cut = cut or {}
    open = cut.get("", frozenset())
    form = form_of(tree)
    check_members(found, "file", tree, "")
    units = tuple(_units(found, tree, cut))
    if "trajectory" in open and "trajectory" not in tree:
        form = "cut"  # what it was to become is not known
    elif form == "attempts":
        message = "a retry agent is at work or was killed: only finished attempts are in the file"
        found.add(OPEN, "/attempts", message, "the best attempt is not chosen yet")
    elif form == "demonstration":
        message = "the file is a demonstration: a history and no trajectory, so that nothing says what was run"
        found.add(DEMONSTRATION, "", message, "it can be shown to a model; it is no record of a run")
    merged = merged_attempt(tree, open) if form == "retry" else None
    looked_at = units if merged is None else units[1:]  # a merged copy on top says what its attempt says
    for unit in looked_at:
        _check_unit(found, unit, form)
    if form != "retry":
        return Looked(found.all(), looked_at, form)
    if merged is not None:
        check_statistics(found, units[0].info, "/info")
    check_attempts(found, tree, open)
    return Looked(_once(found.all(), best_attempt(tree) if merged is None else merged), looked_at, form)


def _units(found: Found, tree: Json, cut: Mapping[str, frozenset[str]]) -> Iterator[Unit]:
    if form_of(tree) != "attempts":
        yield Unit(tree, "", cut.get("", frozenset()))
    for index, attempt in enumerate(items(tree.get("attempts"))):
        at = f"/attempts/{index}"
        if type(attempt) is not dict:
            found.add(WRONG_TYPE, at, f"an attempt is an object, not {name_of(attempt)}")
        else:
            check_members(found, "file", attempt, at)
            yield Unit(attempt, at, cut.get(at, frozenset()))


def _check_unit(found: Found, unit: Unit, form: str) -> None:
    if form != "demonstration":
        _check_parts(found, unit)
    if type(unit.tree.get("info")) is dict:
        check_statistics(found, unit.info, f"{unit.at}/info")
    _check_version(found, unit, form)
    _check_config(found, unit)
    check_steps(found, unit)
    check_history(found, unit)
    check_views(found, unit)
    if unit.has_steps:
        check_story(found, unit)
        check_ending(found, unit)


def _check_parts(found: Found, unit: Unit) -> None:
    at, tree = unit.at, unit.tree
    if unit.lacks("trajectory"):
        message = "the file has no `trajectory`: nothing says what was run"
        found.add(NO_STEP_LIST, at, message, "a file that is written during a run has it from the first step on")
    elif "trajectory" in tree and type(tree["trajectory"]) is not list:
        message = f"`trajectory` is {name_of(tree['trajectory'])}; expected an array of steps"
        found.add(NO_STEP_LIST, f"{at}/trajectory", message, "a run without steps has []")
    if unit.lacks("info"):
        message = "the file has no `info`: how the run ended, what it submitted and what it cost is not known"
        found.add(MISSING_INFO, at, message, "absent is not the same as a run that failed")
    if unit.lacks("history"):
        message = "the file has no `history`: rejected proposals cannot be told from turns, tool calls are not known"
        found.add(MISSING_HISTORY, at, message, "every SWE-agent writes it")
    if unit.lacks("environment"):
        message = "the file has no `environment`, which every SWE-agent writes"
        found.add(MISSING_ENVIRONMENT, at, message, "in a batch run of 1.x it is the instance id")


def _check_version(found: Found, unit: Unit, form: str) -> None:
    version = unit.version
    if version.mixed:
        message = f"features of several versions mix: a body of {version.name}, and {', '.join(version.mixed)}"
        hint = "the file was edited or written by another tool; each feature is read by its own version's rules"
        found.add(VERSION, unit.at, message, hint, Severity.WARNING)
    elif unit.has_steps and not version.is_stated and version.name is not None and "info" not in unit.open:
        message = f"the file does not say which SWE-agent wrote it: {version.name}, by {', '.join(version.evidence)}"
        found.add(VERSION, unit.at, message)


def _check_config(found: Found, unit: Unit) -> None:
    config, at = unit.config, f"{unit.at}/replay_config"
    if config.form == "object":
        message = "the configuration is an object; SWE-agent writes the JSON text of one"
        found.add(OTHER_CONFIG, at, message, "SWE-agent's own replay parses a text")
    elif config.form == "null" and not unit.at and unit.lacks("attempts"):
        message = "the configuration is null: model, tools and response format are not known from this file"
        found.add(OTHER_CONFIG, at, message, "retry agents write none; it may stand in the instance's config.yaml")
    elif config.form == "broken":
        message = "the configuration is a text, and no JSON object"
        found.add(BROKEN_CONFIG, at, message, "it is the JSON text of the run's configuration")
    for what, count in private_parts(config):
        places = "" if count == 1 else f" ({count} times)"
        message = f"the configuration holds {what}{places}"
        found.add(PRIVATE_CONFIG, at, message, "redact it before the file is shared")


# --- retry files: what stands twice is told once ------------------------------------------------------------------


def _once(findings: list[Finding], best: int | None) -> list[Finding]:
    """Without what is told of the top of the file and of the same place of its best attempt."""
    if best is None:
        return findings
    prefix = f"/attempts/{best}"
    inside = {(f.code, f.location.pointer.removeprefix(prefix)) for f in findings if _is_in(f, prefix)}
    return [f for f in findings if _is_in(f, "/attempts") or (f.code, f.location.pointer) not in inside]


def _is_in(finding: Finding, prefix: str) -> bool:
    return (finding.location.pointer + "/").startswith(prefix + "/")


# --- notes -------------------------------------------------------------------------------------------------------

_FORMS = {
    "attempts": "file of a retry agent at work",
    "retry": "file of a retry agent",
    "demonstration": "demonstration: a history without a trajectory",
}
_KINDS = {
    StepKind.TURN: ("turn", "turns"),
    StepKind.REJECTED: ("rejected proposal", "rejected proposals"),
    StepKind.NOT_IN_HISTORY: ("run and not in the history", "run and not in the history"),
    StepKind.SYNTHETIC_EXIT: ("made-up exit", "made-up exits"),
    StepKind.NO_HISTORY: ("step without a history", "steps without a history"),
}
_UNKNOWN = ("of a kind that is not known: the history is cut",) * 2
_REASONS = {"format": "format", "blocklist": "blocklist", "bash_syntax": "bash syntax", "": "reason not known"}


def notes_on(looked: Looked) -> tuple[str, ...]:
    """Facts that are no fault, in our own words."""
    notes = [_FORMS[looked.form]] if looked.form in _FORMS else []
    attempts = sum(1 for unit in looked.units if unit.at)
    if attempts or looked.form in ("attempts", "retry"):
        notes.append(f"{attempts} {'attempt' if attempts == 1 else 'attempts'}")
    for unit in looked.units:
        notes += [f"attempt {unit.at.rpartition('/')[2]}: {note}" if unit.at else note for note in _unit_notes(unit)]
    return tuple(notes)


def _unit_notes(unit: Unit) -> Iterator[str]:
    version = unit.version
    if version.name is not None:
        yield f"SWE-agent {version.name}, by {', '.join(version.evidence)}"
    if unit.steps:
        yield _steps_note(unit)
    if unit.config.has_model or unit.config.parser:
        parser = f"response format {unit.config.parser}" if unit.config.parser else ""
        model = "a model is named" if unit.config.has_model else ""
        yield f"configuration: {', '.join(part for part in (model, parser) if part)}"
    if unit.config.rewrites_history and version.at == V11:
        yield "a processor is configured that rewrites the history between model calls"


def _steps_note(unit: Unit) -> str:
    counts = unit.alignment.counts()
    named = _KINDS | {StepKind.NO_HISTORY: _UNKNOWN} if "history" in unit.open else _KINDS
    parts = [f"{counts[kind]} {words[counts[kind] > 1]}" for kind, words in named.items() if counts[kind]]
    steps = unit.alignment.steps
    reasons = Counter(step.reason for step in steps if step.kind is StepKind.REJECTED)
    if reasons:
        listed = ", ".join(f"{reasons[reason]} {words}" for reason, words in _REASONS.items() if reasons[reason])
        parts.append(f"rejected by: {listed}")
    retries = sum(step.reason == "retry_with_output" for step in steps)
    exits = sum(step.reason == "exit_command" for step in steps)
    if retries:
        parts.append(f"{retries} of a tool that asked for another try")
    if exits:
        parts.append("the agent typed exit")
    return f"{len(unit.steps)} {'step' if len(unit.steps) == 1 else 'steps'}: {', '.join(parts)}"
