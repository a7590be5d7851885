"""What the verifier said of a run, and the rewards: one result for each run, one record for each key.

A reward is a number and no verdict: Harbor declares no threshold. Only a report of tests (ctrf.json) declares a
property that can hold or fail. Source: spec atif.md §5.4, §5.7; decisions 21, 23.
"""

from __future__ import annotations

import math
from typing import Any

from attraj.bundle.instants import is_rfc3339
from attraj.bundle.markers import unavailable, unknown
from attraj.formats.harbor.exceptions import WITHOUT_REWARD, has_policy, policy_of
from attraj.formats.harbor.facts import Json, child, objects, text
from attraj.formats.harbor.material import Material, settings_of
from attraj.formats.harbor.read_bindings import VERIFIER, verifier_version
from attraj.formats.harbor.read_outcome import Ending, exceptions_of
from attraj.formats.mapping.fields import At, merged
from attraj.formats.mapping.holds import is_number

RESULT = "verifier-result:run"
TRIAL_RESULT = "verifier-result:trial"
_NO_THRESHOLD = "Harbor declares no threshold: the rewards are numbers and no verdict"
_NO_PROPERTY = "what the task's own test script checks, told by rewards alone"
_TESTS = "every test that ctrf.json reports has passed"


def read_verification(material: Material) -> None:
    """The verifier's result and the rewards of the run; for the last step of a trial those of the trial as well."""
    if "result.json" in material.facts.unread:
        material.draft.absences["reward_records"] = "not_available"  # nobody can tell whether one was captured
    _of_run(material)
    if material.is_step and material.is_last and child(material.facts.result, "verifier_result", "rewards"):
        _of_trial(material)


def _of_run(material: Material) -> None:
    run = material.run.run
    report = material.open_verifier_file("ctrf.json")
    absence = _absence(material)
    if absence:
        material.draft.absences["verifier_results"] = absence
        if run.reward_files:
            _leave_unused(material)
        return
    rewards = material.run.rewards
    tests = child(report.tree, "results", "summary") if report is not None and type(report.tree) is dict else {}
    status, why = _status(material, tests)
    failure = _failure(material)
    files = [f"{run.verifier}/{name}" for name in ("reward.json", "reward.txt", "ctrf.json", "test-stdout.txt")]
    files += ["exception.txt"] if failure is not None else []
    result: Json = {
        "verifier_result_id": RESULT,
        "verifier": VERIFIER,
        "verifier_version": verifier_version(material),
        "checked_property": _TESTS if tests else _NO_PROPERTY,
        "scope": [material.scope],
        "evidence_refs": material.evidence("result.json", *files),
        "status": status,
        "output": {"reason": why},
    }
    result = merged(result, material.take("verifier-run", RESULT, "result.json"))
    if failure is not None:
        result = merged(result, material.take("verifier-exception", RESULT, "result.json", *failure.at))
    if report is not None:
        result = merged(result, material.take("ctrf", RESULT, f"{run.verifier}/ctrf.json"))
    result.setdefault("environment", unknown("the trial does not record where the verifier ran"))
    material.draft.verifier_results.append(result)
    _rewards(material, RESULT, (*material.said_at, "verifier_result", "rewards"), rewards, "")
    if not rewards and run.reward_files:
        _leave_unused(material)


def _absence(material: Material) -> str:
    """Why there is no result of a verifier; "" when there is one."""
    said = material.run.said
    has_result = said.get("verifier_result") is not None
    if has_result or _failure(material) is not None:
        return ""
    if child(settings_of(material.facts).said, "verifier").get("disable") is True:
        return "none_in_scope"
    return "" if said.get("verifier") is not None else "not_available"


def _status(material: Material, tests: Json) -> tuple[str, str]:
    """The word for what the verifier said, and why it is this word."""
    if _failure(material) is not None or material.run.said.get("verifier_result") is None:
        return "error", "the verifier gave no reward that Harbor could read"
    said = material.facts.result.get("reward_valid")
    if said is False:
        return "indeterminate", "Harbor says that the reward is not valid"
    why = "" if said is True else _doubt(material)
    if why:
        return "indeterminate", why
    if not tests:
        return "indeterminate", _NO_THRESHOLD
    total, passed, bad = (tests.get(name) for name in ("tests", "passed", "failed"))
    if type(total) is not int or type(passed) is not int or type(bad) is not int:
        return "indeterminate", "the report of the tests gives no counts"
    if bad > 0:
        return "fail", "the report counts tests that failed"
    if passed == total > 0:
        return "pass", "the report counts every test as passed; it is no word on the objective"
    return "indeterminate", "the report counts tests that neither passed nor failed"


def _failure(material: Material) -> Ending | None:
    """The exception that kept the verifier from a reward."""
    return next((one for one in exceptions_of(material) if one.kind in WITHOUT_REWARD), None)


def _doubt(material: Material) -> str:
    """Why a reward beside an exception does not count; "" where it does, as any reward before 0.25 (atif.md §5.5)."""
    for one in exceptions_of(material):
        recorded = one.policy(material, "has_valid_reward")
        if recorded is False:
            return "beside an exception with which, as Harbor recorded, no reward counts"
        if recorded is not True and not policy_of(one.kind).reward_valid and has_policy(material.release) is not False:
            return "beside an exception with which Harbor, from 0.25, lets no reward count"
    return ""


def _leave_unused(material: Material) -> None:
    is_unread = "result.json" in material.facts.unread
    why = "cannot be read: whether it is the reward is not known" if is_unread else "has no reward of it"
    material.draft.omit(
        "reward file",
        f"the verifier left a reward file, and result.json {why}: it is not taken for one",
        refs=material.evidence(*(f"{material.run.run.verifier}/{name}" for name in material.run.run.reward_files)),
    )


def _rewards(material: Material, result: str, at: At, rewards: Json, aggregation: Any) -> None:
    """One record for each key, in the order of the file. A null is a NaN that was stored, and never 0."""
    owner = "trial" if result == TRIAL_RESULT else "run"
    scope = text(material.facts.result, "id") or material.identity if owner == "trial" else material.scope
    version = verifier_version(material)
    for position, (key, value) in enumerate(rewards.items()):
        reward_id = f"reward:{owner}:{position}"
        record: Json = {
            "reward_id": reward_id,
            "policy": f"harbor-reward:{key}",
            "policy_version": version,
            "sources": [result],
            "scope": [scope],
            "attribution_target": scope if material.has_scope else result,
            "signal_type": "scalar",
            "value": _value(material, reward_id, (*at, key), value),
            "producer": VERIFIER,
            "created_at": _created(material, owner),
            "timing": "retrospective",
        }
        if aggregation:
            record["aggregation"] = aggregation
        material.draft.reward_records.append(record)


def _value(material: Material, reward_id: str, at: At, value: Any) -> Any:
    if is_number(value):
        return material.hold("reward", reward_id, "result.json", *at)
    if value is None:
        why = "null: the verifier gave no finite number"
        material.lose("null-reward", "verifier_vs_reward", "approximated", "result.json", at, "a null, never read as 0")
        return unavailable(why)
    what = "a reward that is no number stays beside the core"
    material.lose("odd-reward", "verifier_vs_reward", "dropped", "result.json", at, what)
    return unavailable("the reward is no number")


def _created(material: Material, owner: str) -> Any:
    said = material.run.said if owner == "run" else material.facts.result
    candidates = [child(said, "verifier").get("finished_at")]
    if owner == "trial":
        candidates.append(material.facts.result.get("finished_at"))
    for time in candidates:
        if type(time) is str and is_rfc3339(time):
            return time
    return unavailable("the trial does not record when the verifier ended, with a zone")


# --- the trial of several steps ----------------------------------------------------------------------------------


def _of_trial(material: Material) -> None:
    """What the trial makes of its steps' rewards. The steps' own results are in their own Bundles."""
    rewards = child(material.facts.result, "verifier_result", "rewards")
    material.draft.verifier_results.append(
        {
            "verifier_result_id": TRIAL_RESULT,
            "verifier": VERIFIER,
            "verifier_version": verifier_version(material),
            "checked_property": "the steps of the trial together, told by aggregated rewards alone",
            "scope": [text(material.facts.result, "id") or material.identity],
            "evidence_refs": material.evidence("result.json"),
            "status": "indeterminate",
            "output": {"reason": _NO_THRESHOLD},
        }
    )
    _rewards(material, TRIAL_RESULT, ("verifier_result", "rewards"), rewards, _aggregation(material, rewards))


def _aggregation(material: Material, rewards: Json) -> Any:
    """How the trial's rewards were made of its steps': only the task says it, and the numbers may show it."""
    steps = [step for _, step in objects(material.facts.result.get("step_results"))]
    graded = [child(step, "verifier_result", "rewards") for step in steps if step.get("verifier_result") is not None]
    parts = [[part.get(key, 0) for part in graded] for key in rewards]
    if not graded or not all(is_number(value) for values in (*parts, rewards.values()) for value in values):
        return unknown("the trial does not record how it was made of its steps' rewards")
    is_mean = all(
        _is_close(value, math.fsum(map(float, part)) / len(part))
        for value, part in zip(rewards.values(), parts, strict=True)
    )
    is_last = all(_is_close(value, float(part[-1])) for value, part in zip(rewards.values(), parts, strict=True))
    if is_mean and not is_last:
        return "mean over the steps that have a result; a missing key counts as 0"
    if is_last and not is_mean:
        return "the last step's"
    return unknown("the trial does not record how it was made of its steps' rewards, and the numbers do not show it")


def _is_close(value: Any, expected: float) -> bool:
    return math.isclose(float(value), expected, rel_tol=1e-9, abs_tol=1e-12)
