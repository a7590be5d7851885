"""A Harbor trial counted: one run, however many files tell it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from attraj.formats.harbor import read_trial
from attraj.formats.harbor.story import facts
from attraj.formats.story import Facts
from tests.formats.harbor.folders import TRIAL_NAME, build, changed, documents_of


def counted(folder: Path, name: str, patches: Mapping[str, Any]) -> Facts:
    trial = read_trial(build(folder / TRIAL_NAME, changed(name, patches)))
    return facts(trial, documents_of(trial))


@pytest.mark.parametrize(
    ("patch", "termination", "outcomes"),
    [
        pytest.param({}, "finished", (("runtime", "finished"),), id="finished"),
        pytest.param({"finished_at": None}, "open: no end is recorded", (("runtime", "open"),), id="open"),
        pytest.param(
            {"exception_info": {"exception_type": "AgentTimeoutError"}},
            "AgentTimeoutError",
            (("runtime", "exception"),),
            id="exception",
        ),
        pytest.param(
            {"exception_info": {"exception_type": "tok-of-mine"}},
            "an exception of another type",
            (("runtime", "exception"),),
            id="a-name-of-its-own-is-not-repeated",
        ),
    ],
)
def test_how_it_ended(tmp_path: Path, patch: dict[str, Any], termination: str, outcomes: object) -> None:
    found = counted(tmp_path, "trial", {"result.json": patch})
    assert (termination, outcomes) == (found.termination, found.outcomes)


def test_a_trial_without_a_result_is_open_and_has_no_outcome(tmp_path: Path) -> None:
    found = counted(tmp_path, "trial", {"result.json": None})
    assert ("open: no end is recorded", (), ()) == (found.termination, found.outcomes, found.rewards)


def test_rewards_are_as_recorded_and_null_is_no_zero(tmp_path: Path) -> None:
    rewards = {"reward": None, "speed": 0.5, "odd": "1"}
    found = counted(
        tmp_path, "trial", {"result.json": {"verifier_result": {"rewards": rewards}, "reward_valid": False}}
    )
    # A merge patch takes a null away: the key that is there already stays out.
    assert (("speed", 0.5), ("odd", None)) == found.rewards
    assert found.reward_valid is False


def test_the_trials_own_account_comes_first(tmp_path: Path) -> None:
    account = {"n_input_tokens": 11, "n_output_tokens": 0, "n_cache_tokens": 3, "cost_usd": 0.25}
    found = counted(tmp_path, "trial", {"result.json": {"agent_result": account}})
    assert (11, None, 3, "agent_result", 0.25) == (
        found.tokens.input,
        found.tokens.output,
        found.tokens.cached,
        found.tokens.basis,
        found.cost_usd,
    )


def test_totals_of_segments_are_never_added(tmp_path: Path) -> None:
    found = counted(tmp_path, "segments", {"result.json": {"agent_result": None}})
    assert ("", None) == (found.tokens.basis, found.cost_usd)
    assert found.steps is not None


def test_what_a_missing_trajectory_would_have_told_is_unknown(tmp_path: Path) -> None:
    found = counted(tmp_path, "trial", {"agent/trajectory.json": None})
    assert (None, None) == (found.steps, found.calls)
