"""AT91x: what AT-Evaluation asks for."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.checks import evaluation
from tests.bundle.checks.families import FULL, MINIMAL, added, changed, findings, found, removed, replaced
from tests.bundle.checks.mangled import mangled

REDACTED = [{"availability": "redacted", "reason": "not for others"}]
NONE = [{"availability": "not_applicable"}]
BAD = [
    pytest.param(removed("/bindings/tasks"), [("AT911", "/bindings")], id="no-task"),
    pytest.param(
        removed("/bindings/environments"), [("AT911", "/bindings"), ("AT915", "/bindings")], id="no-environment"
    ),
    pytest.param(replaced("/bindings/tasks", REDACTED), [("AT911", "/bindings")], id="a-withheld-task-is-no-identity"),
    pytest.param(removed("/scope/termination"), [("AT912", "/scope")], id="no-termination"),
    pytest.param(removed("/scope/termination/reason"), [("AT912", "/scope/termination")], id="no-reason"),
    pytest.param(replaced("/scope/termination/reason", ""), [("AT912", "/scope/termination")], id="empty-reason"),
    pytest.param(removed("/scope/resources"), [("AT913", "/scope")], id="no-resources"),
    pytest.param(replaced("/scope/resources", {}), [("AT913", "/scope/resources")], id="empty-resources"),
    pytest.param(replaced("/scope/resources", {"budget": {}}), [("AT913", "/scope/resources")], id="empty-budget"),
    pytest.param(replaced("/verifier_results", []), [("AT914", "/verifier_results")], id="no-results-and-no-word"),
    *(
        pytest.param(removed(f"/bindings/{kind}"), [("AT915", "/bindings")], id=f"no-{kind}")
        for kind in ("models", "harnesses", "programs", "tools")
    ),
    pytest.param(replaced("/bindings/tools", []), [("AT915", "/bindings/tools")], id="empty-tools"),
    pytest.param(replaced("/bindings/tools", [None]), [("AT915", "/bindings/tools")], id="null-tool"),
    pytest.param(removed("/bindings/uncontrolled_variables"), [("AT916", "/bindings")], id="nothing-on-variables"),
]


@pytest.mark.parametrize(("patch", "expected"), BAD)
def test_reports_each_fault_once(patch: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == found(changed(patch), evaluation)


MARKER = {"$at": {"status": "unavailable"}}
SILENT = [
    pytest.param([], id="the-full-example"),
    pytest.param(
        [*removed("/bindings/tasks"), *added("/bindings/equivalent_conditions", ["the same harbour"])], id="equivalents"
    ),
    pytest.param([*removed("/bindings/tasks"), *added("/bindings/task", "task:one:v1")], id="singular"),
    pytest.param(replaced("/bindings/environments", NONE), id="there-is-no-environment"),
    pytest.param(replaced("/bindings/models", REDACTED), id="a-withheld-model-is-marked"),
    pytest.param(replaced("/scope/termination", MARKER), id="termination-marked"),
    pytest.param(replaced("/scope/termination/reason", MARKER), id="reason-marked"),
    pytest.param(replaced("/scope/resources", {"observed": MARKER}), id="resources-marked"),
    pytest.param(
        [*removed("/scope/resources"), *added("/nodes/-", {"node_id": "n", "kind": "resource_observation"})],
        id="a-node-observed-them",
    ),
    pytest.param(
        [*replaced("/verifier_results", []), *added("/disclosure/absences", {"verifier_results": "not_available"})],
        id="absence-declared",
    ),
    pytest.param(replaced("/bindings/uncontrolled_variables", []), id="an-empty-list-is-a-statement"),
]


@pytest.mark.parametrize("patch", SILENT)
def test_is_silent(patch: Any) -> None:
    assert [] == found(changed(patch), evaluation)


def test_only_the_profile_asks() -> None:
    assert [] == found(MINIMAL, evaluation)


def test_no_type_in_any_place_breaks_a_check() -> None:
    for tree in mangled(FULL, "bindings", "scope", "disclosure", "verifier_results"):
        findings(tree, evaluation)
