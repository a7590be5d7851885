"""A whole job: whether its account adds up with the trials that are there.

Source: Harbor 0.26.0, models/job/result.py (`increment`): a trial with a recorded exception is an error, and a
completed trial as well; only a valid reward enters reward_stats.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from attraj.findings import Finding, Related, Severity
from attraj.formats.folders import NO_ENTRIES, Content, Entries, entries_of
from attraj.formats.harbor import codes
from attraj.formats.harbor.check import TrialAccount, harbor_version, unreadable
from attraj.formats.harbor.facts import Json, child, number, text, tree_of
from attraj.formats.harbor.job_layout import Job
from attraj.formats.harbor.recognise import is_trial_name
from attraj.formats.harbor.records import check_job_records
from attraj.pointer import join


@dataclass(frozen=True, slots=True)
class JobChecked:
    """What is to be said of a job.

    Attributes:
        findings: About the folder; pointers as in `check.py`.
        verdicts: {"harbor-job": word}: "finished"; "open" (no finished_at, or trials that run or wait); "unknown".
        version: The Harbor release of its lock.json.
        notes: Facts that are no fault.
        entries: What the pointers of the findings lead into.
    """

    findings: tuple[Finding, ...] = ()
    verdicts: Mapping[str, str] = field(default_factory=dict)
    version: str | None = None
    notes: tuple[str, ...] = ()
    entries: Entries = NO_ENTRIES

    @property
    def unreadable(self) -> str | None:
        """What of the folder itself could not be read; None when everything could."""
        return unreadable(self.findings)


def check_job(job: Job, trials: Sequence[TrialAccount], left_out: Iterable[str] = ()) -> JobChecked:
    """Every finding about a job as a whole.

    Args:
        job: From `read_job`.
        trials: The account of each of its trials (`TrialChecked.account`) but those left out, in any order.
        left_out: Folders of trials that the caller did not want to be looked at: they are there, and not judged.
    """
    unjudged = frozenset(left_out)
    account = _Account(job, sorted(trials, key=lambda trial: trial.folder_name), unjudged)
    findings = [*check_job_records(job), *_trials(account)]
    if account.result:
        findings += [*_open(account), *_counts(account), *_stats(account), *_retries(account)]
    version = harbor_version(job.lock)
    with_trajectory = sum(1 for trial in trials if trial.trajectories)
    notes = [
        f"Harbor job: {_counted(len(trials))}, {with_trajectory} with a trajectory",
        f"Harbor {version}" if version else "the Harbor release is unknown",
    ]
    if unjudged:
        notes.append(f"{_counted(len(unjudged))} not looked at, and not judged")
    if job.linked:
        notes.append(f"{_counted(len(job.linked))} behind symbolic links, which are not followed, and not judged")
    return JobChecked(tuple(findings), {"harbor-job": account.word}, version, tuple(notes), _entries(job, trials))


def _counted(trials: int) -> str:
    return "1 trial" if trials == 1 else f"{trials} trials"


class _Account:
    """The job's own figures beside its trials."""

    def __init__(self, job: Job, trials: list[TrialAccount], left_out: frozenset[str]) -> None:
        self.job = job
        self.trials = trials
        self.result = tree_of(job.result)
        self.stats = child(self.result, "stats")
        self.by_name = {trial.name or trial.folder_name: trial for trial in trials}
        self.names = {trial.folder_name for trial in trials} | set(self.by_name) | set(job.not_folders)
        # What is there and was not looked into: it counts, and its own name for itself is not known.
        self.unjudged = left_out | set(job.linked) | {name for name in job.outside if is_trial_name(name)}
        self.present = len(trials) + len(job.not_folders) + len(self.unjudged)
        waiting = [number(self.stats, name) or 0 for name in ("n_running_trials", "n_pending_trials")]
        self.is_open = self.result.get("finished_at") is None or any(count > 0 for count in waiting)
        self.mentioned = list(_mentioned(self.stats))

    @property
    def word(self) -> str:
        if not self.result:
            return "unknown"
        return "open" if self.is_open else "finished"

    @cached_property
    def missing(self) -> dict[str, str]:
        """Trials that the statistics name and that have no folder, with the first place that names them."""
        found: dict[str, str] = {}
        mentioned: set[str] = set()
        for name, pointer, _, _ in self.mentioned:
            mentioned.add(name)
            if name not in self.names and name not in self.unjudged:
                found.setdefault(name, pointer)
        # A folder that was renamed and not looked into may be one of them.
        unknown = len(self.unjudged - mentioned)
        return found if len(found) > unknown else {}


def _mentioned(stats: Json) -> Iterator[tuple[str, str, str, str | None]]:
    """Name of a trial, where the statistics name it, the reward or exception, and the reward's value (None there)."""
    evals = child(stats, "evals")
    for key in evals:
        for reward, values in child(evals, key, "reward_stats").items():
            for value, names in values.items() if type(values) is dict else ():
                place = join("result.json", "stats", "evals", key, "reward_stats", reward, value)
                yield from ((name, f"{place}/{i}", reward, value) for i, name in _texts(names))
        for exception, names in child(evals, key, "exception_stats").items():
            place = join("result.json", "stats", "evals", key, "exception_stats", exception)
            yield from ((name, f"{place}/{i}", exception, None) for i, name in _texts(names))


def _texts(value: object) -> Iterable[tuple[int, str]]:
    return [(i, item) for i, item in enumerate(value) if type(item) is str] if type(value) is list else []


def _trials(account: _Account) -> Iterator[Finding]:
    job_id = text(account.result, "id")
    first: dict[str, str] = {}
    for trial in account.trials:
        here = join(trial.folder_name)
        if job_id is not None and trial.job_id is not None and trial.job_id != job_id:
            yield codes.FOREIGN_TRIAL.at(
                f"{here}/config.json/job_id",
                "the trial says that it belongs to another job",
                hint="it was copied here, and is in no figure of this job",
                related=[Related("/result.json/id", "this job")],
            )
        if trial.id is not None and trial.id in first:
            yield codes.DUPLICATE_TRIAL_ID.at(
                f"{here}/result.json/id",
                "two folders hold the same trial",
                hint="one is a copy: whoever counts folders counts it twice",
                related=[Related(first[trial.id], "the other one")],
            )
        elif trial.id is not None:
            first[trial.id] = f"{here}/result.json/id"


def _open(account: _Account) -> Iterator[Finding]:
    if account.is_open:
        yield codes.OPEN_JOB.at(
            "/result.json",
            "the job is not finished: it has no finished_at, or counts trials that run or wait",
            hint="wait for it, or resume it; its figures are not final",
        )


def _counts(account: _Account) -> Iterator[Finding]:
    missing = account.missing
    for pointer in missing.values():
        yield codes.MISSING_TRIAL.at(
            pointer,
            "the statistics name a trial that has no folder here",
            hint="its folder was moved or deleted: the figures can no longer be recomputed",
        )
    total = number(account.result, "n_total_trials")
    present = account.present
    if total is None or present + len(missing) == total:
        return
    yield codes.TRIAL_COUNT.at(
        "/result.json/n_total_trials",
        f"the job counts {'more' if total > present else 'fewer'} trials than the {present} that are here",
        severity=Severity.INFO if account.is_open and total > present else None,
    )


def _stats(account: _Account) -> Iterator[Finding]:
    in_stats = {name for name, _, _, _ in account.mentioned}
    # Old files have no statistics by evaluation, and broken ones are told as such.
    has_evals = type(account.stats.get("evals")) is dict
    for name, trial in account.by_name.items() if has_evals else ():
        counts = trial.reward_valid is not False and bool(trial.rewards)
        if trial.has_result and trial.is_finished and name not in in_stats and (counts or trial.exception_types):
            yield codes.UNCOUNTED_TRIAL.at(
                join(trial.folder_name),
                "the trial has a result, and the job's statistics do not name it",
                hint="resuming the job, or a later copy of the folder, may explain it",
                severity=Severity.INFO if account.is_open else None,
            )
    yield from _stated_rewards(account)
    is_whole = number(account.result, "n_total_trials") in (None, account.present) and not account.unjudged
    if account.is_open or account.missing or not is_whole or not all(trial.has_result for trial in account.trials):
        return  # without all the trials nothing can be counted against the figures
    # Which exceptions of steps count has changed between releases: either reading is right.
    errored = {
        sum(1 for t in account.trials if t.exception_types),
        sum(1 for t in account.trials if t.has_own_exception),
    }
    for name, old_name, counted in (
        ("n_completed_trials", "n_trials", {len(account.trials)}),
        ("n_errored_trials", "n_errors", errored),
    ):
        member = name if name in account.stats or old_name not in account.stats else old_name
        said = number(account.stats, member)
        if said is not None and said not in counted:
            words = " or ".join(str(count) for count in sorted(counted))
            message = f"the trials that are here make {words}, and the job says otherwise"
            yield codes.STATS_MISMATCH.at(f"/result.json/stats/{member}", message)


def _stated_rewards(account: _Account) -> Iterator[Finding]:
    for name, pointer, key, value in account.mentioned:
        trial = account.by_name.get(name)
        if trial is None or value is None or not trial.has_result:
            continue
        if key not in trial.rewards or not _agree(value, trial.rewards[key]):
            yield codes.STATS_REWARD_MISMATCH.at(
                pointer,
                "the statistics give this trial another reward than its result.json",
                hint="the trial was run or graded again after the job's figures were made, or one was edited",
                related=[Related(join(trial.folder_name, "result.json"), "the trial's result")],
            )


def _agree(stated: str, reward: object) -> bool:
    try:
        value = float(stated)
    except ValueError:
        return False
    if not math.isfinite(value):
        # A NaN is stored as null in the trial, and as the key "nan" in the job (Harbor before 0.26).
        return reward is None or (type(reward) is float and not math.isfinite(reward))
    return (type(reward) is int or type(reward) is float) and reward == value


def _retries(account: _Account) -> Iterator[Finding]:
    retries = number(account.stats, "n_retries")
    if retries is not None and retries > 0:
        yield codes.RETRIED_TRIALS.at(
            "/result.json/stats/n_retries",
            "trials were retried: Harbor deletes the folder of a failed attempt, so that the attempts left no trace",
            hint="say so where success rates are given: only last attempts are here",
        )


def _entries(job: Job, trials: Sequence[TrialAccount]) -> Entries:
    records = (("config.json", job.config), ("lock.json", job.lock), ("result.json", job.result))
    files: dict[str, Content] = {name: document for name, document in records if document is not None}
    files |= {f"{trial.folder_name}/{name}": None for trial in trials for name in ("config.json", "result.json")}
    files |= dict.fromkeys(job.not_folders)
    return entries_of(files, (*job.trials, *job.outside, *job.wrong_kind))
