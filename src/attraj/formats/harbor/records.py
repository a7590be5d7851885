"""The files and folders that a trial or a job must have, and the shape of the small JSON files.

Source: Harbor 0.26.0, models/trial/result.py, config.py, lock.py and models/job/result.py, which are read with the
members that 0.18 lacks left optional.
"""

from __future__ import annotations

from collections.abc import Iterator

from attraj.findings import Finding, Location, Severity
from attraj.formats.harbor import codes
from attraj.formats.harbor.facts import Facts, Json
from attraj.formats.harbor.job_layout import Job
from attraj.formats.harbor.layout import Trial
from attraj.formats.harbor.recognise import is_trial_name
from attraj.jsonio import MISSING, Document
from attraj.pointer import join

# Member path → types, a star for every element. A trailing "?" lets null stand; "!" asks for the member.
_TYPES: dict[str, dict[str, str]] = {
    "result.json": {
        "task_name": "string!",
        "trial_name": "string!",
        "task_id": "object",
        "config": "object",
        "agent_info": "object!",
        "agent_info/name": "string!",
        "agent_info/version": "string!",
        "agent_info/model_info": "object?",
        "agent_result": "object?",
        "agent_result/n_input_tokens": "integer?",
        "agent_result/n_cache_tokens": "integer?",
        "agent_result/n_output_tokens": "integer?",
        "agent_result/cost_usd": "number?",
        "verifier_result": "object?",
        "verifier_result/rewards": "object?",
        "verifier_result/rewards/*": "number?",  # null is a NaN that 0.18 stored: HB023
        "exception_info": "object?",
        "exception_info/exception_type": "string!",
        "started_at": "string?",
        "finished_at": "string?",
        "environment_setup": "object?",
        "agent_setup": "object?",
        "agent_execution": "object?",
        "verifier": "object?",
        "step_results": "array?",
        "step_results/*": "object",
        "step_results/*/step_name": "string!",
        "step_results/*/agent_result": "object?",
        "step_results/*/verifier_result": "object?",
        "step_results/*/verifier_result/rewards": "object?",
        "step_results/*/verifier_result/rewards/*": "number?",
        "step_results/*/exception_info": "object?",
        "step_results/*/exception_info/exception_type": "string!",
        "step_results/*/agent_execution": "object?",
        "step_results/*/verifier": "object?",
        "reward_valid": "boolean",
    },
    "config.json": {
        "task": "object!",
        "trial_name": "string",
        "agent": "object",
        "environment": "object",
        "verifier": "object",
        "source_trial": "object?",
        "user_agent": "object?",
    },
    "lock.json": {"task": "object!", "agent": "object", "verifier": "object", "source_trial": "object?"},
    "job/result.json": {
        "n_total_trials": "integer!",
        "started_at": "string?",
        "finished_at": "string?",
        "stats": "object!",
        "stats/n_completed_trials": "integer",
        "stats/n_errored_trials": "integer",
        "stats/n_running_trials": "integer",
        "stats/n_pending_trials": "integer",
        "stats/n_cancelled_trials": "integer",
        "stats/n_retries": "integer",
        "stats/evals": "object",
        "stats/evals/*": "object",
        "stats/evals/*/reward_stats": "object",
        "stats/evals/*/reward_stats/*": "object",
        "stats/evals/*/reward_stats/*/*": "array",
        "stats/evals/*/exception_stats": "object",
        "stats/evals/*/exception_stats/*": "array",
    },
    "job/config.json": {"agents": "array", "tasks": "array", "environment": "object"},
    "job/lock.json": {"harbor": "object", "trials": "array", "trials/*": "object"},
}

_JSON_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "object": (dict,),
    "array": (list,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}


def check_records(facts: Facts) -> Iterator[Finding]:
    """What is missing, unreadable or misshapen in a trial's folder."""
    trial = facts.trial
    yield from _entries(trial)
    if "" in trial.wrong_kind or "" in trial.unlisted:
        return
    if trial.is_empty:
        if not trial.outside:
            yield codes.EMPTY_TRIAL.at(
                "",
                "the trial's folder holds nothing of a trial: it was created and never ran, or was cleared",
                hint="remove it, or run the trial again (resuming its job does)",
            )
        return
    yield from _missing(trial)
    yield from check_file(trial.config, "config.json")
    yield from check_file(trial.lock, "lock.json")
    yield from check_file(trial.result, "result.json")


def check_job_records(job: Job) -> Iterator[Finding]:
    """What is missing, unreadable or misshapen in a job's folder."""
    if not job.is_listed:
        yield codes.UNREADABLE_FILE.at("", "the job's folder cannot be listed")
        return
    for name in job.outside:
        yield _link_out(join(name), is_needed=name == "result.json" or is_trial_name(name) is not None)
    for name in job.not_folders:
        yield codes.WRONG_KIND.at(join(name), "a trial must be a folder; this entry is named like one and is none")
    for name in job.wrong_kind:
        yield codes.WRONG_KIND.at(join(name), _NO_FILE)
    closed = {*job.outside, *job.wrong_kind}  # what is there and was not read is not missing
    if job.config is None and "config.json" not in closed:
        yield codes.MISSING_JOB_CONFIG.at("", "the job's folder has no config.json", hint=_NOT_RESUMED)
    if job.lock is None and "lock.json" not in closed:
        message = "the job's folder has no lock.json: which Harbor ran it is unknown"
        yield codes.MISSING_JOB_LOCK.at("", message, hint="releases 0.1 wrote none")
    if job.result is None and "result.json" not in closed:
        yield codes.MISSING_JOB_RESULT.at("", "the job's folder has no result.json: its trials are counted nowhere")
    yield from check_file(job.config, "config.json", "job/")
    yield from check_file(job.lock, "lock.json", "job/")
    yield from check_file(job.result, "result.json", "job/")


_NOT_RESUMED = "what was asked for is unknown, and Harbor cannot resume it"
_NO_FILE = "Harbor writes a file here, and this is a folder, a pipe or a device"


def _entries(trial: Trial) -> Iterator[Finding]:
    for path in trial.outside:
        yield _link_out(at(path), is_needed=path == "result.json")
    for path in trial.wrong_kind:
        message = "not what Harbor writes here: a file in the place of a folder, a folder in that of a file, or neither"
        yield codes.WRONG_KIND.at(at(path), message if path else "a trial must be a folder, and this is a file")
    for path in trial.unlisted:
        yield codes.UNREADABLE_FILE.at(at(path), "the folder cannot be listed", hint="look at its permissions")


def _link_out(pointer: str, *, is_needed: bool) -> Finding:
    """A link that was not followed: an error where nothing can be judged without what it leads to."""
    message = "a symbolic link leads out of the folder, or nowhere; it was not followed"
    severity = Severity.ERROR if is_needed else None
    return codes.LINK_OUT.at(pointer, message, hint="put the file itself in its place", severity=severity)


def _missing(trial: Trial) -> Iterator[Finding]:
    if trial.config is None and not trial.is_closed("config.json"):
        yield codes.MISSING_CONFIG.at("", "the trial has no config.json: what was asked of it is unknown")
    if trial.lock is None and not trial.is_closed("lock.json"):
        message = "the trial has no lock.json: the digest of its task is unknown"
        yield codes.MISSING_LOCK.at("", message, hint="releases 0.1 wrote none")
    if trial.result is None and not trial.is_closed("result.json"):
        yield codes.MISSING_RESULT.at(
            "",
            "the trial has no result.json: it is still running, or it was interrupted",
            hint="keep a copy if the run matters: resuming the job deletes a trial's folder without a result.json",
        )


def check_file(document: Document | None, name: str, kind: str = "") -> Iterator[Finding]:
    """One of the small files: that it can be read, and that its members have the types that Harbor gives them."""
    if document is None:
        return
    yield from _faults(document, name)
    tree = document.tree
    if type(tree) is dict:
        yield from _shapes(tree, name, _TYPES[kind + name])
    elif tree is not MISSING:
        yield codes.WRONG_SHAPE.at(join(name), f"{name} must be an object")


def _faults(document: Document, name: str) -> Iterator[Finding]:
    """The first fault of the bytes that makes the file unreadable or doubtful; the others follow from it."""
    for fault in document.faults:
        severity = None if fault.is_fatal else codes.MISSING_CONFIG.severity
        message = f"{name} is not read as Harbor reads it: {fault.message}"
        finding = codes.UNREADABLE_FILE.at(join(name) + fault.pointer, message, hint=fault.hint, severity=severity)
        yield finding.moved(Location(finding.location.pointer, fault.line, fault.column))
        if fault.is_fatal:
            return


def _shapes(tree: Json, name: str, types: dict[str, str]) -> Iterator[Finding]:
    for path, spelled in types.items():
        wanted = spelled.rstrip("?!")
        for pointer, holder, member in _holders(tree, path.split("/")):
            value = holder.get(member, MISSING) if isinstance(holder, dict) else holder[int(member)]
            if value is MISSING:
                if spelled.endswith("!"):
                    message = f"{name} lacks {member} here, which Harbor requires"
                    yield codes.WRONG_SHAPE.at(join(name) + pointer, message)
            elif type(value) not in _JSON_TYPES[wanted] and not (value is None and spelled.endswith("?")):
                nullable = " or null" if spelled.endswith("?") else ""
                message = f"{name}: this must be a JSON {wanted}{nullable}"
                yield codes.WRONG_SHAPE.at(join(name) + pointer + join(member), message)


def _holders(tree: Json, path: list[str]) -> Iterator[tuple[str, dict[str, object] | list[object], str]]:
    """Pointer, holder and member name of every place that a path with stars names; wrong types fall out."""
    places: list[tuple[str, object]] = [("", tree)]
    for step in path[:-1]:
        places = [
            (pointer + join(key), value)
            for pointer, holder in places
            for key, value in _members(holder)
            if step in ("*", key)
        ]
    for pointer, holder in places:
        if type(holder) is not dict and type(holder) is not list:
            continue
        if path[-1] == "*":
            yield from ((pointer, holder, key) for key, _ in _members(holder))
        elif type(holder) is dict:
            yield pointer, holder, path[-1]


def _members(holder: object) -> Iterator[tuple[str, object]]:
    if type(holder) is dict:
        yield from holder.items()
    elif type(holder) is list:
        yield from ((str(i), item) for i, item in enumerate(holder))


def at(path: str) -> str:
    """The pointer of a file: the folder is read as an object whose members are its entries."""
    return join(*path.split("/")) if path else ""
