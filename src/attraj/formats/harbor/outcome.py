"""How a trial ended: open or finished, with or without an exception, step by step."""

from __future__ import annotations

from collections.abc import Iterator

from attraj.findings import Finding, Related
from attraj.formats.harbor import codes
from attraj.formats.harbor.exceptions import POLICIES, named, policy_of
from attraj.formats.harbor.facts import Facts, child, moment, objects, text
from attraj.formats.harbor.records import at

_PHASES = ("", "environment_setup", "agent_setup", "agent_execution", "verifier")


def check_outcome(facts: Facts) -> Iterator[Finding]:
    """What result.json says about the end of the trial, against the folder."""
    if not facts.result:
        return
    if facts.result.get("finished_at") is None:
        yield codes.OPEN_TRIAL.at(
            "/result.json",
            "the trial has no finished_at: it is still running, or it was broken off while it ended",
            hint="wait for it, or treat what it holds as partial",
        )
    yield from _exceptions(facts)
    yield from _times(facts)
    yield from _steps(facts)
    yield from _names(facts)


def _exceptions(facts: Facts) -> Iterator[Finding]:
    for pointer, exception_type in facts.exceptions:
        policy = policy_of(exception_type or "")
        counts = "its reward counts" if policy.reward_valid else "a reward beside it does not count"
        known = policy.group if exception_type in POLICIES else "Harbor has no policy for this type"
        message = f"the run was ended by {named(exception_type or '')}: {known}; {counts}"
        yield codes.ENDED_BY_EXCEPTION.at(pointer, message)
    has_own = facts.result.get("exception_info") is not None
    if has_own and not facts.trial.has_exception_file and not facts.trial.is_closed("exception.txt"):
        yield codes.MISSING_EXCEPTION_FILE.at(
            "/result.json/exception_info",
            "the trial was ended by an exception, and there is no exception.txt with its traceback",
            hint="Harbor writes both at once: look for the file where the folder was copied from",
        )
    if facts.trial.has_exception_file and not has_own:
        yield codes.UNEXPLAINED_EXCEPTION_FILE.at(
            at("exception.txt"),
            "there is an exception.txt, and result.json knows of no exception of the trial",
            hint="the file may be left over from an earlier attempt in the same folder, or result.json was edited",
        )


def _times(facts: Facts) -> Iterator[Finding]:
    places = [("/result.json", facts.result)]
    places += [(f"/result.json/step_results/{i}", step) for i, step in objects(facts.result.get("step_results"))]
    for pointer, said in places:
        for phase in _PHASES:
            span = child(said, phase) if phase else said
            started, finished = moment(span.get("started_at")), moment(span.get("finished_at"))
            if started is not None and finished is not None and finished < started:
                where = f"{pointer}/{phase}" if phase else pointer
                yield codes.REVERSED_TIMES.at(where, "this finishes before it starts")


def _steps(facts: Facts) -> Iterator[Finding]:
    folders = {run.step for run in facts.trial.runs if run.step}
    for run in facts.trial.runs:
        if run.step and run.step not in facts.step_names:
            yield codes.STEP_WITHOUT_RESULT.at(
                at(run.prefix.rstrip("/")),
                "a step left a folder, and step_results of result.json knows no step of this name",
                hint="its reward is in no aggregate; the trial may have been broken off in this step",
            )
    for name, position in facts.step_names.items():
        if name not in folders and not facts.trial.is_closed(f"steps/{name}"):
            yield codes.RESULT_WITHOUT_STEP.at(
                f"/result.json/step_results/{position}/step_name",
                "a step has a result, and there is no folder of this name in steps/",
                hint="its trajectory and its verifier's output are missing",
            )


def _names(facts: Facts) -> Iterator[Finding]:
    name = text(facts.result, "trial_name")
    asked = text(facts.config, "trial_name")
    if name is None:
        return
    if asked is not None and asked != name:
        yield codes.RENAMED_TRIAL.at(
            "/result.json/trial_name",
            "config.json and result.json give the trial different names",
            related=[Related("/config.json/trial_name", "the other name")],
        )
    elif name != facts.trial.name:
        yield codes.RENAMED_TRIAL.at(
            "/result.json/trial_name",
            "the folder has another name than the trial: it was renamed or copied",
            hint="the job's statistics know the trial by its own name",
        )
