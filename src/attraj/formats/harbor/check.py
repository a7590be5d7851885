"""A whole trial: findings about its folder, findings to add to its trajectories, its part in the job's account.

The trajectories themselves are checked as ATIF documents by the caller; here they are looked at side by side.

A pointer of a folder's finding reads the folder as an object whose members are its entries, and goes on inside the
JSON files: "/result.json/exception_info", "/steps/build/agent". The pointer of a finding that is added to a
trajectory is that document's own; what stands in its `related` is again a pointer from the trial's folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from attraj.findings import Finding, Rule, Severity
from attraj.formats.folders import NO_ENTRIES, Content, Entries, entries_of
from attraj.formats.harbor.claims import check_claims
from attraj.formats.harbor.codes import UNREADABLE_FILE, all_rules
from attraj.formats.harbor.facts import Facts, child, text
from attraj.formats.harbor.files import read_json
from attraj.formats.harbor.layout import Trial
from attraj.formats.harbor.missing import check_foreign, check_missing
from attraj.formats.harbor.outcome import check_outcome
from attraj.formats.harbor.recognise import recognise
from attraj.formats.harbor.records import check_records
from attraj.formats.harbor.rewards import check_rewards
from attraj.formats.harbor.segments import chain_of, check_segments, further_files
from attraj.formats.harbor.tokens import check_tokens, explained_totals
from attraj.jsonio import Document
from attraj.limits import DEFAULT_LIMITS, Limits

_VERSION = re.compile(r"\d{1,4}(?:\.\d{1,6}){1,3}(?:(?:a|b|rc|\.dev)\d{1,14})?").fullmatch


@dataclass(frozen=True, slots=True)
class TrialAccount:
    """What a job's account needs of one trial; small, so that the trial itself need not be kept.

    Attributes:
        folder_name: Name of the trial's folder in the job.
        has_result: Whether there is a readable result.json.
        name, id, job_id: What the trial says of itself; None when it does not.
        is_finished: Whether finished_at is there.
        exception_types: Of the trial and its steps.
        has_own_exception: Whether one of them is the trial's, not a step's.
        rewards: As in result.json, values untouched.
        reward_valid: What the trial says; None when it does not (before 0.26).
        trajectories: How many trajectory files it has.
    """

    folder_name: str
    has_result: bool = False
    name: str | None = None
    id: str | None = None
    job_id: str | None = None
    is_finished: bool = False
    exception_types: tuple[str, ...] = ()
    has_own_exception: bool = False
    rewards: Mapping[str, Any] = field(default_factory=dict)
    reward_valid: bool | None = None
    trajectories: int = 0


@dataclass(frozen=True, slots=True)
class TrialChecked:
    """What is to be said of a trial.

    Attributes:
        findings: About the folder; the report's path is the folder.
        added: Path of a trajectory (as in `Trial.trajectories`) to findings for its own report.
        explained: Paths of trajectories whose totals are right with the trial in view: a finding that they are not the
            sums of their steps (ATIF027) is info there.
        verdicts: {"harbor-trial": word}: "finished"; "exception" (finished, by an exception); "open" (no result.json
            yet, or no finished_at); "unknown" (a result.json that cannot be read, or no trial at all).
        version: The Harbor release that ran it, when its job says so in a form that is a release number.
        notes: Facts that are no fault.
        further: Files of the trial that its trajectories name and that `Trial.trajectories` does not list, by path:
            documents too, for the caller to check one by one.
        account: For `attraj.formats.harbor.job.check_job`.
        entries: What the pointers of the findings lead into.
    """

    findings: tuple[Finding, ...] = ()
    added: Mapping[str, tuple[Finding, ...]] = field(default_factory=dict)
    explained: frozenset[str] = frozenset()
    verdicts: Mapping[str, str] = field(default_factory=dict)
    version: str | None = None
    notes: tuple[str, ...] = ()
    further: tuple[str, ...] = ()
    account: TrialAccount = TrialAccount("")
    entries: Entries = NO_ENTRIES

    @property
    def unreadable(self) -> str | None:
        """What of the folder itself could not be read, so that the checks say less than they should; None otherwise."""
        return unreadable(self.findings)


def check_trial(
    trial: Trial, documents: Mapping[str, Document] | None = None, *, release: str | None = None
) -> TrialChecked:
    """Every finding about a trial as a whole.

    Args:
        trial: From `read_trial`.
        documents: Its trajectories by their path in `trial.trajectories`. One that is missing here (unreadable, or
            left out on purpose) is not compared with anything. Never modified.
        release: The Harbor release, which only the lock.json of its job names (`harbor_version`).

    Returns:
        Findings in the order: folder, result, rewards, trajectories; those of a trajectory in the order of checks.
    """
    facts = Facts(trial, documents)
    findings = [
        *check_records(facts),
        *check_outcome(facts),
        *check_rewards(facts),
        *check_missing(facts),
    ]
    added: dict[str, list[Finding]] = {}
    for path, finding in (*check_foreign(facts), *check_segments(facts), *check_claims(facts), *check_tokens(facts)):
        added.setdefault(path, []).append(finding)
    return TrialChecked(
        tuple(findings),
        {path: tuple(found) for path, found in added.items()},
        explained_totals(facts),
        {"harbor-trial": _word(facts)},
        release,
        tuple(_notes(facts, release)),
        tuple(further_files(facts)),
        _account(facts),
        _entries(facts),
    )


def rules() -> Sequence[Rule]:
    """Every rule of this package, by code."""
    return all_rules()


def harbor_version(job_lock: Document | None) -> str | None:
    """The release in a job's lock.json; None when it is not there, or is no release number."""
    tree = job_lock.tree if job_lock is not None else None
    version = text(child(tree, "harbor"), "version") if type(tree) is dict else None
    return version if version is not None and _VERSION(version) else None


def release_of_job(trial: str, limits: Limits = DEFAULT_LIMITS) -> str:
    """The Harbor release that a trial's job names, where the folder lies in that of a job; "" when none does.

    Of the job's folder its lock.json alone is read: whoever asks for one trial asks for nothing else of the job.
    """
    folder = os.path.dirname(os.path.realpath(trial))
    if recognise(folder) != "job":
        return ""
    return harbor_version(read_json(folder, "lock.json", limits)) or ""


def unreadable(findings: Iterable[Finding]) -> str | None:
    """The first of the findings that says that something of a folder could not be read; None when none does."""
    return next((f.message for f in findings if f.rule is UNREADABLE_FILE and f.severity is Severity.ERROR), None)


def _word(facts: Facts) -> str:
    if facts.trial.result is None and not facts.trial.is_closed("result.json"):
        return "open" if facts.trial.runs or facts.config else "unknown"
    if not facts.result:
        return "unknown"
    if facts.result.get("finished_at") is None:
        return "open"
    return "exception" if facts.exceptions else "finished"


def _notes(facts: Facts, version: str | None) -> list[str]:
    trial = facts.trial
    steps = sum(1 for run in trial.runs if run.step)
    notes = [f"Harbor trial of {_counted(steps, 'step')}" if trial.is_multi_step else "Harbor trial"]
    notes.append(
        f"Harbor {version}" if version else "the Harbor release is unknown (only its job's lock.json names it)"
    )
    segments = sum(len(chain_of(facts, run).order) for run in trial.runs)
    subagents = sum(1 for file in trial.trajectories if file.role == "subagent")
    notes.append(f"{_counted(segments, 'segment')}, {_counted(subagents, 'subagent file')}")
    if child(facts.config, "agent").get("include_logs") or child(facts.config, "agent").get("exclude_logs"):
        notes.append("the agent's log files were filtered: the trial is partial by its own configuration")
    if facts.is_derived:
        notes.append("agent files or a trajectory were carried over from an earlier trial")
    if trial.unknown:
        entries = _counted(len(trial.unknown), "entry").replace("entrys", "entries")
        notes.append(f"{entries} that Harbor does not write")
    return notes


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _account(facts: Facts) -> TrialAccount:
    valid = facts.result.get("reward_valid")
    return TrialAccount(
        facts.trial.name,
        has_result=bool(facts.result),
        name=text(facts.result, "trial_name"),
        id=text(facts.result, "id"),
        job_id=text(facts.config, "job_id"),
        is_finished=facts.result.get("finished_at") is not None,
        exception_types=tuple(found or "" for _, found in facts.exceptions),
        has_own_exception=facts.result.get("exception_info") is not None,
        rewards=child(facts.result, "verifier_result", "rewards"),
        reward_valid=valid if type(valid) is bool else None,
        trajectories=len(facts.trial.trajectories),
    )


def _entries(facts: Facts) -> Entries:
    trial = facts.trial
    records = (("config.json", trial.config), ("lock.json", trial.lock), ("result.json", trial.result))
    files: dict[str, Content] = {name: document for name, document in records if document is not None}
    files |= {file.path: facts.documents.get(file.path) for file in trial.trajectories}
    for run in trial.runs:
        files |= {f"{run.verifier}/{name}": None for name in run.reward_files}
        if run.reward_json is not None:
            files[f"{run.verifier}/reward.json"] = run.reward_json
    if trial.has_exception_file:
        files["exception.txt"] = None
    folders = [path for run in trial.runs for path in (run.agent, run.verifier)]
    return entries_of(files, (*folders, *trial.outside, *trial.wrong_kind, *trial.unlisted))
