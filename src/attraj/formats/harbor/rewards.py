"""The reward in the verifier's files against the reward in result.json, and whether it counts.

Source: Harbor 0.26.0, verifier/verifier.py: reward.json wins over reward.txt, whose number becomes {"reward": n}.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from attraj.findings import Finding, Related, Severity
from attraj.formats.harbor import codes
from attraj.formats.harbor.exceptions import WITHOUT_REWARD, policy_of
from attraj.formats.harbor.facts import Facts, Json, RunResult, child, objects
from attraj.formats.harbor.layout import Run
from attraj.formats.harbor.records import at
from attraj.jsonio import MISSING
from attraj.pointer import join

_NOT_A_NUMBER = object()
_MOST = 1 << 1023


def check_rewards(facts: Facts) -> Iterator[Finding]:
    """Each run's reward files against its result, then the trial's reward against its steps', then its validity."""
    for run in facts.runs:
        yield from _shadowed(run.run)
        if run.said and not (facts.trial.is_multi_step and not run.run.step):
            yield from _against_result(facts, run)
            yield from _verifier(facts, run)
    if facts.trial.is_multi_step:
        rewards = child(facts.result, "verifier_result", "rewards")
        yield from _nulls(rewards, "/result.json/verifier_result/rewards", ())
        yield from _aggregate(facts, rewards)
    yield from _validity(facts)


def _aggregate(facts: Facts, rewards: Json) -> Iterator[Finding]:
    """The reward of a multi-step trial: the mean of its steps' (a missing key is 0), or the last step's."""
    steps = [step for _, step in objects(facts.result.get("step_results"))]
    graded = [child(step, "verifier_result", "rewards") for step in steps if step.get("verifier_result") is not None]
    for key, value in rewards.items():
        parts = [part.get(key, 0) for part in graded]
        if not parts or not _is_number(value) or not all(_is_number(part) for part in parts):
            continue
        expected = [sum(_within(parts)) / len(parts), float(_within(parts)[-1])]
        if not any(math.isclose(_within([value])[0], one, rel_tol=1e-9, abs_tol=1e-12) for one in expected):
            yield codes.REWARD_MISMATCH.at(
                "/result.json/verifier_result/rewards" + join(key),
                "the trial's reward is neither the mean of its steps' rewards nor the last step's",
                hint="Harbor computes it as one of the two: one of them was changed afterwards",
                related=(Related("/result.json/step_results", "the steps' rewards"),),
            )


def _within(values: list[Any]) -> list[float]:
    """As floats; an integer that no float holds is taken as infinite, as JSON readers do."""
    return [math.copysign(math.inf, v) if type(v) is int and abs(v) > _MOST else float(v) for v in values]


def _against_result(facts: Facts, run: RunResult) -> Iterator[Finding]:
    stored, where = run.rewards, f"{run.pointer}/verifier_result/rewards"
    found, pointer = _in_files(run.run)
    is_explained = any(exception in WITHOUT_REWARD for _, exception in facts.exceptions)
    # What counts is reward.json where it is there, else reward.txt.
    counts = ("reward.json", "reward.txt") if run.run.reward_json is None else ()
    is_unknown = any(facts.trial.is_closed(f"{run.run.verifier}/{name}") for name in counts)
    if found is None or is_unknown:
        if stored and not is_unknown:
            yield codes.MISSING_REWARD_FILE.at(
                where,
                "result.json has a reward, and the verifier's folder has no reward file",
                hint="the reward cannot be checked against what the verifier wrote",
            )
        yield from _nulls(stored, where, ())
    elif not stored:
        yield from _bad_values(found, pointer, Severity.INFO if is_explained else None)
        if not is_explained:
            message = "the verifier left a reward file, and result.json has no reward"
            yield codes.UNUSED_REWARD.at(pointer, message, hint="the trial was broken off, or result.json was edited")
    else:
        yield from _compare(stored, where, found, pointer)


def _compare(stored: Json, where: str, found: Json, pointer: str) -> Iterator[Finding]:
    bad = {key for key, value in found.items() if not _is_number(value)}
    yield from _bad_values({key: found[key] for key in found if key in bad}, pointer, None)
    origin = (Related(pointer, "what the verifier wrote"),)
    for key, value in stored.items():
        written = found.get(key, MISSING)
        if key in bad or (value is not None and not _is_number(value)):
            continue  # one fault: the file is invalid, or the member of result.json has a wrong type (HB005)
        if value is None and _is_not_finite(written):
            yield from _nulls({key: None}, where, origin)
        elif not _same(value, written):
            yield codes.REWARD_MISMATCH.at(
                where + join(key),
                "result.json and the verifier's file give different rewards",
                hint="Harbor copies the one from the other: one of them was changed afterwards",
                related=origin,
            )
    lacking = sum(1 for key in found if key not in stored and key not in bad)
    if lacking:
        what = "a reward" if lacking == 1 else f"{lacking} rewards"
        message = f"the verifier's file has {what} that result.json lacks"
        yield codes.REWARD_MISMATCH.at(where, message, related=origin)


def _nulls(rewards: Json, where: str, related: tuple[Related, ...]) -> Iterator[Finding]:
    for key, value in rewards.items():
        if value is None:
            yield codes.NULL_REWARD.at(
                where + join(key),
                "this reward is null: the verifier gave no finite number, and Harbor before 0.26 stored that as null",
                hint="take it as unavailable, never as 0",
                related=related,
            )


def _bad_values(found: Json, pointer: str, severity: Severity | None) -> Iterator[Finding]:
    bad = [key for key, value in found.items() if not _is_number(value) or _is_not_finite(value)]
    if bad:
        message = "the reward file does not hold finite numbers only, which Harbor refuses"
        yield codes.INVALID_REWARD_FILE.at(pointer, message, severity=severity, hint="correct the task's test script")


def _in_files(run: Run) -> tuple[Json | None, str]:
    """What the verifier wrote, and where; None when there is no file. A value that is no number stays what it is."""
    if run.reward_json is not None:
        tree: Any = run.reward_json.tree
        place = at(f"{run.verifier}/reward.json")
        return (tree if type(tree) is dict else {"reward": tree}), place
    if "reward.txt" in run.reward_files:
        return {"reward": _number(run.reward_text)}, at(f"{run.verifier}/reward.txt")
    return None, ""


def _number(raw: bytes | None) -> object:
    if raw is None:  # it is there and cannot be read
        return _NOT_A_NUMBER
    try:
        return float(raw.decode("utf-8"))  # as Harbor reads it: "nan" and "1e3" are numbers, "1,0" is none
    except ValueError:
        return _NOT_A_NUMBER


def _shadowed(run: Run) -> Iterator[Finding]:
    if run.reward_json is None or run.reward_text is None:
        return
    tree, text_says = run.reward_json.tree, _number(run.reward_text)
    said = tree.get("reward", MISSING) if type(tree) is dict else _NOT_A_NUMBER
    # A file that does not hold numbers is a fault of its own.
    if _is_number(text_says) and (said is MISSING or (_is_number(said) and not _same(said, text_says))):
        yield codes.SHADOWED_REWARD.at(
            at(f"{run.verifier}/reward.txt"),
            "reward.txt says something else than reward.json beside it, which Harbor uses",
            related=(Related(at(f"{run.verifier}/reward.json"), "what counts"),),
        )


def _verifier(facts: Facts, run: RunResult) -> Iterator[Finding]:
    if not run.rewards:
        return
    is_disabled = child(facts.config, "verifier").get("disable") is True
    if is_disabled or run.said.get("verifier") is None:
        why = "the verifier was switched off" if is_disabled else "no run of the verifier is recorded"
        yield codes.REWARD_WITHOUT_VERIFIER.at(
            f"{run.pointer}/verifier_result/rewards", f"there is a reward, and {why}", hint="ask where it came from"
        )


def _validity(facts: Facts) -> Iterator[Finding]:
    if not child(facts.result, "verifier_result", "rewards"):
        return  # without a reward, reward_valid is false as a matter of course
    where = "/result.json/verifier_result/rewards"
    not_valid = [pointer for pointer, name in facts.exceptions if not policy_of(name or "").reward_valid]
    related = [Related(pointer, "the exception") for pointer in not_valid]
    said = facts.result.get("reward_valid")
    if said is False:
        yield codes.REWARD_NOT_VALID.at(
            where,
            "the trial has a reward and says that it is not valid",
            hint="leave it out of means and of training, or say that it was kept",
            related=related,
        )
    elif said is not True and not_valid:
        yield codes.DOUBTFUL_REWARD.at(
            where,
            "the trial has a reward beside an exception with which Harbor (from 0.25) lets no reward count",
            hint="this release counted it; say which rule you follow",
            related=related,
        )


def _is_number(value: object) -> bool:
    return type(value) is int or type(value) is float


def _is_not_finite(value: object) -> bool:
    return type(value) is float and not math.isfinite(value)


def _same(one: object, other: object) -> bool:
    if _is_not_finite(one) and _is_not_finite(other):
        return str(one) == str(other)
    return _is_number(one) and _is_number(other) and one == other
