"""Usage, totals, and numbers that stand for something else."""

from __future__ import annotations

from typing import Any

import pytest

from tests.formats.atif.documents import check, minimal, steps, told, turn

USE, END = "/steps/0/metrics", "/final_metrics"


def used(*metrics: Any, **members: Any) -> Any:
    return steps(*[turn(f"c{i}", message="x", metrics=m) for i, m in enumerate(metrics)], **members)


def totals(*metrics: Any, end: Any, **members: Any) -> Any:
    return used(*metrics, final_metrics=end, **members)


ONE = {"prompt_tokens": 10, "completion_tokens": 2, "cached_tokens": 4, "cost_usd": 0.1}
BAD = [
    pytest.param(
        used({"prompt_tokens": 1.0, "cost_usd": "1", "logprobs": {}}),
        [("ATIF109", f"{USE}/cost_usd"), ("ATIF109", f"{USE}/logprobs"), ("ATIF109", f"{USE}/prompt_tokens")],
        id="types",
    ),
    pytest.param(
        used({"prompt_tokens": -1, "completion_tokens": -2, "cost_usd": -0.1}),
        [("ATIF028 w", f"{USE}/{name}") for name in ("completion_tokens", "cost_usd", "prompt_tokens")],
        id="negative",
    ),
    pytest.param(used({"prompt_tokens": 1, "cached_tokens": 2}), [("ATIF028 w", f"{USE}/cached_tokens")], id="cached"),
    pytest.param(used({"prompt_tokens": 2**63}), [("ATIF111", f"{USE}/prompt_tokens")], id="beyond-64-bits"),
    pytest.param(used({"cost_usd": float("inf")}), [("ATIF111", f"{USE}/cost_usd")], id="infinite"),
    pytest.param(used({"cost_usd": float("nan")}), [("ATIF111", f"{USE}/cost_usd")], id="not-a-number"),
    pytest.param(used({"cost_usd": 10**400}), [("ATIF111", f"{USE}/cost_usd")], id="integer-that-no-double-holds"),
    pytest.param(
        used({"logprobs": [-0.1, "x", None, float("nan"), True]}),
        [
            *[("ATIF109", f"{USE}/logprobs/{i}") for i in (1, 2, 4)],
            ("ATIF111", f"{USE}/logprobs/3"),
        ],
        id="elements",
    ),
    pytest.param(used({"logprobs": [-1, 10**400]}), [("ATIF111", f"{USE}/logprobs/1")], id="huge-element"),
    pytest.param(
        used({"completion_token_ids": [1, 2**70, -1]}),
        [("ATIF028 w", f"{USE}/completion_token_ids/2"), ("ATIF111", f"{USE}/completion_token_ids/1")],
        id="token-ids",
    ),
    pytest.param(
        used({"prompt_tokens": 3, "prompt_token_ids": [1], "completion_tokens": 2, "completion_token_ids": [1]}),
        [("ATIF028 w", f"{USE}/completion_token_ids"), ("ATIF028 w", f"{USE}/prompt_token_ids")],
        id="lengths",
    ),
    pytest.param(
        used({"completion_token_ids": [1, 2, 3], "logprobs": [-0.1]}), [("ATIF028 w", f"{USE}/logprobs")], id="pairs"
    ),
    pytest.param(
        used({"prompt_tokens": 0, "completion_tokens": 0}, {"prompt_tokens": 0, "completion_tokens": 1}),
        [("ATIF112 w", f"{USE}/completion_tokens"), ("ATIF112 w", f"{USE}/prompt_tokens")],
        id="zeros-told-once",
    ),
    pytest.param(used(ONE, ONE, ONE), [("ATIF113 w", "/steps")], id="one-counter-on-every-step"),
    pytest.param(
        totals(ONE, end={"total_prompt_tokens": 99, "total_completion_tokens": 99}),
        [("ATIF027 w", f"{END}/total_prompt_tokens")],
        id="wrong-totals-told-once",
    ),
    pytest.param(
        totals(ONE, end={"total_prompt_tokens": 99}, notes="with the judge's calls"),
        [("ATIF027 i", f"{END}/total_prompt_tokens")],
        id="explained-by-notes",
    ),
    pytest.param(
        totals(ONE, {}, end={"total_prompt_tokens": 99}),
        [("ATIF027 i", f"{END}/total_prompt_tokens")],
        id="explained-by-a-step-without-measurement",
    ),
    pytest.param(
        totals(ONE, {}, end={"total_prompt_tokens": 9}),
        [("ATIF027 w", f"{END}/total_prompt_tokens")],
        id="less-than-what-was-measured",
    ),
    pytest.param(
        minimal(
            {"steps": [{"step_id": 1, "source": "user", "message": ""}], "final_metrics": {"total_prompt_tokens": 9}}
        ),
        [("ATIF027 w", f"{END}/total_prompt_tokens")],
        id="tokens-without-any-step-of-the-agent",
    ),
    pytest.param(
        totals({}, end={"total_prompt_tokens": 0, "total_completion_tokens": 0}),
        [("ATIF112 w", f"{END}/total_completion_tokens"), ("ATIF112 w", f"{END}/total_prompt_tokens")],
        id="totals-of-zero",
    ),
    pytest.param(totals(ONE, end={"total_steps": 2}), [("ATIF026", f"{END}/total_steps")], id="number-of-steps"),
    pytest.param(totals(ONE, end={"total_steps": -1}), [("ATIF111", f"{END}/total_steps")], id="negative-steps"),
    pytest.param(
        steps({"is_copied_context": True}, {}, final_metrics={"total_steps": 1}),
        [("ATIF026 i", f"{END}/total_steps")],
        id="copied-steps-not-counted",
    ),
    pytest.param(
        totals({"prompt_tokens": "10"}, end={"total_prompt_tokens": 10, "total_steps": True}),
        [("ATIF109", f"{USE}/prompt_tokens"), ("ATIF109", f"{END}/total_steps")],
        id="types-do-not-crash-the-sums",
    ),
]
GOOD = [
    pytest.param(used(ONE), id="one"),
    pytest.param(used(ONE, ONE), id="two-equal-ones-may-be-chance"),
    pytest.param(
        totals(
            ONE,
            {"prompt_tokens": 5, "cost_usd": 0.2},
            end={
                "total_prompt_tokens": 15,
                "total_completion_tokens": 2,
                "total_cached_tokens": 4,
                "total_cost_usd": 0.3,
                "total_steps": 2,
            },
        ),
        id="sums",
    ),
    pytest.param(totals(ONE, end={"total_prompt_tokens": None, "extra": {"a": 1}}), id="null-is-absence"),
    pytest.param(totals(ONE, end={"total_steps": 9}, notes="events"), id="notes-explain-the-number-of-steps"),
    pytest.param(used({"cached_tokens": 0, "prompt_tokens": 1, "cost_usd": 0}), id="zeros-that-are-measured"),
    pytest.param(used({"completion_tokens": 2, "completion_token_ids": [0, 5], "logprobs": [-1, -0.5]}), id="arrays"),
]


@pytest.mark.parametrize(("given", "expected"), BAD)
def test_tells(given: Any, expected: list[tuple[str, str]]) -> None:
    assert sorted(expected) == told(given)


@pytest.mark.parametrize("given", GOOD)
def test_is_silent(given: Any) -> None:
    assert [] == told(given)


def test_a_running_counter_is_suspected() -> None:
    metrics = [{"prompt_tokens": 10}, {"prompt_tokens": 25}, {"prompt_tokens": 45}]
    [finding] = check(totals(*metrics, end={"total_prompt_tokens": 45})).findings
    assert "running counter" in finding.hint
