"""AT316, AT62x: rewards."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.checks import rewards
from tests.bundle.checks.families import FULL, added, changed, findings, found, removed, replaced
from tests.bundle.checks.mangled import mangled

REWARD = FULL["reward_records"][0]
ZERO = "/reward_records/0"


def reward(**members: Any) -> list[dict[str, Any]]:
    return replaced(ZERO, {**REWARD, **members})


def more(*others: dict[str, Any]) -> list[dict[str, Any]]:
    """A patch that adds rewards like the first one, each with an id of its own."""
    return [
        operation
        for number, members in enumerate(others)
        for operation in added("/reward_records/-", {**REWARD, "reward_id": f"reward:{number}", **members})
    ]


SPREAD = more({"attribution_target": "node:read"}, {"attribution_target": "node:note"})
BAD = [
    pytest.param(reward(sources=["reward:choice"]), [("AT316", f"{ZERO}/sources/0")], id="derived-from-itself"),
    pytest.param(
        [*reward(sources=["reward:0"]), *more({"sources": ["reward:choice"]})], [("AT316", ZERO)], id="in-a-circle"
    ),
    *(
        pytest.param(removed(f"{ZERO}/{member}"), [("AT621", ZERO)], id=f"no-{member}")
        for member in (
            "policy",
            "policy_version",
            "sources",
            "scope",
            "attribution_target",
            "signal_type",
            "value",
            "producer",
            "created_at",
            "timing",
        )
    ),
    pytest.param(
        [*removed(f"{ZERO}/aggregation"), *replaced(f"{ZERO}/sources", ["result:level", "outcome:runtime"])],
        [("AT621", ZERO)],
        id="two-sources-and-no-aggregation",
    ),
    pytest.param(reward(value=""), [("AT621", ZERO)], id="empty-value"),
    pytest.param(reward(sources=[]), [("AT622", f"{ZERO}/sources")], id="no-sources"),
    pytest.param(reward(value="high"), [("AT623", f"{ZERO}/value")], id="scalar-word"),
    pytest.param(reward(value=True), [("AT623", f"{ZERO}/value")], id="scalar-boolean"),
    pytest.param(reward(value=None), [("AT623", f"{ZERO}/value")], id="scalar-null"),
    pytest.param(reward(signal_type="vector", value=[1, "a"]), [("AT623", f"{ZERO}/value")], id="vector-of-words"),
    pytest.param(reward(signal_type="categorical", value=[1]), [("AT623", f"{ZERO}/value")], id="category-array"),
    pytest.param(reward(signal_type="grade"), [("AT623", f"{ZERO}/signal_type")], id="unknown-signal-type"),
    pytest.param(reward(timing="later"), [("AT624", f"{ZERO}/timing")], id="unknown-timing"),
    pytest.param(
        [*removed(f"{ZERO}/policy_version"), *replaced(f"{ZERO}/policy", "level-and-cost:v4")],
        [("AT625", f"{ZERO}/policy")],
        id="version-inside-the-policy",
    ),
    pytest.param(SPREAD, [("AT626", ZERO)], id="spread-over-three-nodes"),
    pytest.param(reward(created_at="2020-01-01T00:00:00Z"), [("AT627", f"{ZERO}/created_at")], id="before-its-source"),
    pytest.param(reward(timing="online"), [("AT627", f"{ZERO}/created_at")], id="online-after-the-end"),
    pytest.param(
        added("/outcomes/1/evidence_refs/-", "reward:choice"),
        [("AT628", "/outcomes/1/evidence_refs/2")],
        id="evidence-of-an-outcome",
    ),
    pytest.param(
        added("/verifier_results/0/evidence_refs/-", "reward:choice"),
        [("AT628", "/verifier_results/0/evidence_refs/1")],
        id="evidence-of-a-verifier",
    ),
    pytest.param(
        [
            *added("/nodes/-", {"node_id": "node:paid", "kind": "reward"}),
            *added("/outcomes/1/evidence_refs/-", "node:paid"),
        ],
        [("AT628", "/outcomes/1/evidence_refs/2")],
        id="a-reward-event-as-evidence",
    ),
    pytest.param(reward(reward_id="outcome:claim"), [("AT628", f"{ZERO}/reward_id")], id="the-id-of-an-outcome"),
]


@pytest.mark.parametrize(("patch", "expected"), BAD)
def test_reports_each_fault_once(patch: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == found(changed(patch), rewards)


MARKER = {"$at": {"status": "unavailable"}}
SILENT = [
    pytest.param([], id="the-full-example"),
    pytest.param(removed(f"{ZERO}/aggregation"), id="one-source-needs-no-aggregation"),
    pytest.param(reward(value=MARKER, policy_version=MARKER), id="parts-marked"),
    pytest.param(reward(value=0), id="zero-is-a-value"),
    pytest.param(reward(signal_type="vector", value=[1, 0.5]), id="vector"),
    pytest.param(reward(signal_type="vector", value={"level": 1}), id="named-vector"),
    pytest.param(reward(signal_type="ordinal", value="good"), id="ordinal-word"),
    pytest.param(reward(signal_type="categorical", value="a"), id="category"),
    pytest.param(reward(signal_type="preference", value={"chosen": "a", "rejected": "b"}), id="preference"),
    pytest.param(reward(signal_type="step_level", value=[0, 1]), id="steps"),
    pytest.param(reward(signal_type="label", value=False), id="label"),
    pytest.param(more({"attribution_target": "node:read"}), id="two-nodes"),
    pytest.param([{**op, "value": {**op["value"], "value": n}} for n, op in enumerate(SPREAD)], id="other-values"),
    pytest.param(
        [{**op, "value": {**op["value"], "aggregation": "discounted"}} for op in SPREAD], id="the-policy-spreads"
    ),
    pytest.param(more({"sources": ["reward:choice"]}), id="one-derived-from-another"),
    pytest.param(reward(timing="online", created_at="2031-04-02T06:00:16Z"), id="online-before-the-end"),
    pytest.param(reward(created_at="2031-04-02T08:00:15+02:00"), id="the-same-instant-in-another-zone"),
]


@pytest.mark.parametrize("patch", SILENT)
def test_is_silent(patch: Any) -> None:
    assert [] == found(changed(patch), rewards)


def test_one_is_not_true_and_lists_compare() -> None:
    records = [
        {**REWARD, "reward_id": f"r{n}", "attribution_target": node["node_id"]} for n, node in enumerate(FULL["nodes"])
    ]
    values: list[Any] = [1, True, 1.5, [1, 2], [1, 2], [1, 2], {"a": 1}, {"a": 1}, {"a": 1}]
    spread = [{**record, "value": value} for record, value in zip(records, values, strict=True)]
    tree = {**FULL, "reward_records": [{**record, "signal_type": "label"} for record in spread]}
    assert [("AT626", "/reward_records/3")] == found(tree, rewards)


def test_no_type_in_any_place_breaks_a_check() -> None:
    for tree in mangled(FULL, "reward_records", "outcomes", "verifier_results"):
        findings(tree, rewards)
