"""The word for how a run went: told only by who can know it, in the file that it is a fact of."""

from __future__ import annotations

from typing import Any

import pytest

from tests.formats.bundles import composed
from tests.formats.react_web.test_write import SAY, node, tree_of


def outcome(status: str, authority: str, **members: Any) -> dict[str, Any]:
    return {"outcomes": [{"outcome_id": "o", "status": status, "authority_class": authority, **members}]}


def verified(*statuses: str) -> dict[str, Any]:
    return {"verifier_results": [{"verifier_result_id": str(i), "status": one} for i, one in enumerate(statuses)]}


def both(*members: dict[str, Any]) -> dict[str, Any]:
    return {name: one for tree in members for name, one in tree.items()}


RESOLVED = {
    "verifier_results": [{"verifier_result_id": "v", "status": "pass", "checked_property": "resolved", "output": None}]
}
UNDECIDED = {"verifier_results": [*RESOLVED["verifier_results"], *verified("indeterminate")["verifier_results"]]}
REWARD = {"reward_records": [{"reward_id": "r", "signal_type": "scalar", "value": 1.0, "sources": ["0"]}]}
LATE = outcome("failed", "runtime", value="AgentTimeoutError")
WORLD = outcome("succeeded", "external_world")

HOW_IT_WENT = [
    pytest.param({}, None, id="nothing-is-known"),
    pytest.param(outcome("succeeded", "agent_self_report"), None, id="an-agents-own-word-is-not-enough"),
    pytest.param(outcome("succeeded", "runtime"), None, id="a-run-that-ended-is-no-success"),
    pytest.param(outcome("succeeded", "unknown"), None, id="nobodys-word"),
    pytest.param(outcome("failed", "runtime", value="exit_cost"), "failure", id="a-limit-of-cost-is-a-failure"),
    pytest.param(outcome("failed", "runtime", value="TimeExceeded"), "timeout", id="a-limit-of-time-is-a-timeout"),
    pytest.param(WORLD, "success", id="the-world"),
    pytest.param(outcome("succeeded", "external_world", superseded_by="x"), None, id="an-outcome-that-is-replaced"),
    pytest.param(outcome("succeeded", "external_world", terminal=False), None, id="an-outcome-that-is-not-the-last"),
    pytest.param(verified("pass", "pass"), None, id="a-pass-is-no-achievement"),
    pytest.param(both(verified("pass"), outcome("finished", "runtime")), None, id="nor-is-one-of-a-run-that-finished"),
    pytest.param(RESOLVED, "success", id="what-was-verified-is-the-objective"),
    pytest.param(UNDECIDED, None, id="a-verifier-beside-it-is-undecided"),
    pytest.param(verified("pass", "fail"), "failure", id="one-verifier-did-not-pass"),
    pytest.param(verified("indeterminate", "error"), None, id="no-verifier-came-to-a-result"),
    pytest.param(both(verified("indeterminate"), REWARD), None, id="a-reward-of-an-undecided-verifier-is-no-success"),
    pytest.param(both(RESOLVED, outcome("failed", "runtime")), None, id="resolved-though-the-runtime-says-failed"),
    pytest.param(both(verified("fail"), WORLD), None, id="a-verifier-and-the-world-disagree"),
    pytest.param(both(RESOLVED, LATE), "timeout", id="a-run-that-was-too-late-was-too-late"),
    pytest.param(both(verified("fail"), LATE), "timeout", id="why-it-failed"),
]


@pytest.mark.parametrize(("members", "expected"), HOW_IT_WENT)
def test_the_outcome_is_told_only_by_who_can_know_it(members: dict[str, Any], expected: str | None) -> None:
    [document], losses, _ = composed(tree_of(SAY, **members), "react-web")
    assert expected == document.get("outcome")
    assert (expected is not None) is any(loss.code == "outcome-word" for loss in losses)


def test_a_fact_of_the_run_stands_in_the_file_that_holds_its_end() -> None:
    segments = [
        node("d", "decision"),
        node("e", "decision", thread_id="cont-1"),
        node("f", "decision", thread_id="sub"),
    ]
    goes_on = {"edge_id": "x", "from": "d", "to": "e", "relation": "resumes", "basis": "recorded"}
    documents, _, _ = composed(tree_of(*segments, edges=[goes_on], **WORLD), "react-web")
    assert [None, "success", None] == [one.get("outcome") for one in documents]
    documents, _, _ = composed(
        tree_of(*segments, edges=[goes_on], **outcome("failed", "runtime", asserted_at_node="f")), "react-web"
    )
    assert [None, None, "failure"] == [one.get("outcome") for one in documents]


def test_a_fact_of_the_run_is_none_of_an_attempt_as_long_as_nobody_knows_of_which() -> None:
    attempts = [node(f"d{i}", "decision", thread_id=f"attempt:{i}") for i in (0, 1)]
    documents, _, _ = composed(tree_of(*attempts, **WORLD), "react-web")
    assert [None, None] == [one.get("outcome") for one in documents]


@pytest.mark.parametrize(
    ("completeness", "scope", "expected"),
    [
        pytest.param("open", ["attempt:0"], None, id="others-may-follow"),
        pytest.param("open", ["task"], "failure", id="of-the-run-itself"),
        pytest.param("partial", ["attempt:0"], "failure", id="the-run-has-ended"),
    ],
)
def test_how_an_attempt_went_is_not_told_of_a_run_that_goes_on(completeness: str, scope: Any, expected: Any) -> None:
    attempt = node("d", "decision", thread_id="attempt:0")
    members = outcome("failed", "runtime", scope=scope, asserted_at_node="d")
    [document], _, _ = composed(tree_of(attempt, completeness={"status": completeness}, **members), "react-web")
    assert expected == document.get("outcome")
