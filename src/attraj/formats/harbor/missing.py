"""Why a run left no trajectory.json, by the evidence that the trial gives; and what is no trajectory in its place.

Harbor tells nobody: what a converter raises is only debug-logged (Harbor 0.26.0, trial.py and agents/installed).
"""

from __future__ import annotations

from collections.abc import Iterator

from attraj.findings import Finding, Severity
from attraj.formats import detect
from attraj.formats.harbor import codes
from attraj.formats.harbor.agents import WITHOUT_ATIF
from attraj.formats.harbor.exceptions import named
from attraj.formats.harbor.facts import Facts, RunResult, child, number
from attraj.formats.harbor.records import at
from attraj.formats.harbor.segments import Found


def check_missing(facts: Facts) -> Iterator[Finding]:
    """A finding for each run without a main trajectory, with a diagnosis."""
    if facts.trial.is_empty or not facts.trial.runs:
        return
    for run in facts.runs:
        is_root_of_steps = facts.trial.is_multi_step and not run.run.step
        has_main = any(file.role == "main" for file in facts.of_run(run.run))
        if has_main or is_root_of_steps or facts.trial.is_closed(f"{run.run.agent}/trajectory.json"):
            continue
        yield _gap(facts, run)


def check_foreign(facts: Facts) -> Iterator[Found]:
    """A finding for each document of another format in the place of a trajectory, for that document's report."""
    for file in facts.trial.trajectories:
        document = facts.documents.get(file.path)
        known = detect(document.tree) if document is not None else None
        if known is not None and known.name != "atif":
            yield (
                file.path,
                codes.FOREIGN_TRAJECTORY.at(
                    "",
                    f"Harbor reads ATIF here, and this is a document of another format ({known.title})",
                    hint="under another name it is checked as what it is; put the trajectory itself in its place",
                ),
            )


def _gap(facts: Facts, run: RunResult) -> Finding:
    causes = list(_causes(facts, run))
    severity = Severity.INFO if any(explains for explains, _ in causes) else None
    hint = "; ".join(cause for _, cause in causes[1:])
    if run.run.has_agent:
        message = f"there is no agent/trajectory.json: {causes[0][1]}"
        return codes.MISSING_TRAJECTORY.at(at(run.run.agent), message, hint=hint, severity=severity)
    message = f"there is no agent/ folder, and so no trajectory: {causes[0][1]}"
    lost = "empty folders get lost in git and in many archives"
    return codes.MISSING_AGENT.at(
        at(run.run.prefix.rstrip("/")), message, hint=f"{hint}; {lost}" if hint else lost, severity=severity
    )


def _causes(facts: Facts, run: RunResult) -> Iterator[tuple[bool, str]]:
    """Whether a cause explains the gap by itself, and its words; likeliest first."""
    if facts.agent_name in WITHOUT_ATIF:
        yield True, "this agent writes no ATIF"
        return
    if facts.config.get("install_only") is True or facts.lock.get("install_only") is True:
        yield True, "the trial only installed its agent"
        return
    if run.said and run.said.get("agent_execution") is None:
        yield True, "the agent never ran"
    elif run.has_exception:
        ended = named(run.exception_type or "")
        yield False, f"the agent's run was ended by {ended}, perhaps before anything was converted"
    if run.run.exit_code_files:
        yield False, "the agent left an exit code: see exit-code.txt in its folder"
    if facts.trial.result is None and not facts.trial.is_closed("result.json"):
        yield True, "the trial has no result.json either: it was interrupted before its logs were converted"
    agent = child(facts.config, "agent")
    if agent.get("include_logs") or agent.get("exclude_logs"):
        yield False, "the agent's log files were filtered (include_logs, exclude_logs of its configuration)"
    if number(child(run.said, "agent_result"), "n_input_tokens"):
        yield False, "the run filled in its token counts by itself, and Harbor then skips the conversion of logs"
    yield False, "the conversion of the agent's logs may have failed, which Harbor only debug-logs"
