"""AT61x: verifier results."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.checks import verifiers
from tests.bundle.checks.families import FULL, added, changed, findings, found, removed, replaced
from tests.bundle.checks.mangled import mangled

RESULT = FULL["verifier_results"][0]
ZERO = "/verifier_results/0"


def result(**members: Any) -> list[dict[str, Any]]:
    return replaced(ZERO, {**RESULT, **members})


LATER = {**RESULT, "verifier_result_id": "result:later", "status": "fail", "invalidates": ["result:level"]}
BOUND = {"id": "level-check", "version": "7", "scope": ["attempt:one"], "availability": "included"}

BAD = [
    *(
        pytest.param(removed(f"{ZERO}/{member}"), [("AT611", ZERO)], id=f"no-{member}")
        for member in ("verifier", "verifier_version", "checked_property", "evidence_refs", "status", "output")
    ),
    pytest.param(result(checked_property=""), [("AT611", ZERO)], id="empty-property"),
    pytest.param(removed(f"{ZERO}/environment"), [("AT611", ZERO)], id="where-it-ran-not-named"),
    pytest.param(result(status="ok"), [("AT612", f"{ZERO}/status")], id="status-ok"),
    pytest.param(result(status="PASS"), [("AT612", f"{ZERO}/status")], id="status-in-capitals"),
    *(
        pytest.param(
            [*removed(f"{ZERO}/verifier_version"), *replaced(f"{ZERO}/verifier", name)],
            [("AT613", f"{ZERO}/verifier")],
            id=name,
        )
        for name in ("repo-tests:v3", "repo-tests@3", "repo-tests:1.2.0-rc1", "repo-tests@sha256:" + "ab" * 32)
    ),
    pytest.param(
        [*removed(f"{ZERO}/verifier_version"), *replaced(f"{ZERO}/verifier", "verifier:level")],
        [("AT611", ZERO)],
        id="a-prefix-is-no-version",
    ),
    pytest.param(result(status="invalidated"), [("AT614", f"{ZERO}/status")], id="invalidated-by-nobody"),
    pytest.param(
        result(status="invalidated", invalidates=["result:level"]), [("AT614", f"{ZERO}/status")], id="by-itself"
    ),
    pytest.param(replaced("/bindings/verifiers", [BOUND]), [("AT615", f"{ZERO}/scope")], id="beyond-its-binding"),
    pytest.param(removed(f"{ZERO}/scope"), [("AT617", ZERO)], id="no-scope"),
    pytest.param(result(scope=[]), [("AT617", ZERO)], id="empty-scope"),
]


@pytest.mark.parametrize(("patch", "expected"), BAD)
def test_reports_each_fault_once(patch: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == found(changed(patch), verifiers)


MARKER = {"$at": {"status": "unavailable"}}
SILENT = [
    pytest.param([], id="the-full-example"),
    pytest.param(result(output=None), id="output-null"),
    pytest.param(result(output=""), id="output-empty"),
    pytest.param(result(evidence_refs=[]), id="evidence-explicitly-empty"),
    pytest.param(result(verifier_version=MARKER, checked_property=MARKER, environment=MARKER), id="parts-marked"),
    pytest.param(
        [*removed(f"{ZERO}/environment"), *replaced("/bindings/environments", [{"availability": "not_applicable"}])],
        id="there-is-no-environment",
    ),
    *(pytest.param(result(status=word), id=word) for word in ("pass", "fail", "indeterminate", "error")),
    pytest.param([*result(status="invalidated"), *added("/verifier_results/-", LATER)], id="invalidated-by-a-later"),
    pytest.param(result(status="invalidated", invalidated_by="result:x"), id="a-dangling-one-is-told-by-AT607"),
    pytest.param(
        [
            *result(status="invalidated"),
            *added("/edges/-", {"from": "node:check", "to": "node:closed", "relation": "invalidates"}),
        ],
        id="invalidated-by-an-edge",
    ),
    pytest.param(
        replaced("/bindings/verifiers", [{**BOUND, "scope": ["attempt:one", "attempt:two"]}]), id="within-its-binding"
    ),
]


@pytest.mark.parametrize("patch", SILENT)
def test_is_silent(patch: Any) -> None:
    assert [] == found(changed(patch), verifiers)


@pytest.mark.parametrize(
    ("profiles", "patch", "expected"),
    [
        pytest.param(["AT-Core", "AT-Evaluation"], removed(f"{ZERO}/scope"), [("AT617", "error")], id="evaluation"),
        pytest.param(["AT-Core"], removed(f"{ZERO}/scope"), [("AT617", "info")], id="core"),
        pytest.param(["AT-Evaluation"], removed(f"{ZERO}/environment"), [("AT611", "warning")], id="environment"),
        pytest.param(["AT-Core"], removed(f"{ZERO}/environment"), [], id="environment-under-core"),
        pytest.param(["AT-Core"], removed(f"{ZERO}/output"), [("AT611", "error")], id="output-under-core"),
    ],
)
def test_the_profile_decides_what_it_weighs(profiles: list[str], patch: Any, expected: list[tuple[str, str]]) -> None:
    tree = changed([*patch, *replaced("/profiles", profiles)])
    assert expected == [(f.code, str(f.severity)) for f in findings(tree, verifiers)]


def test_the_word_that_is_meant_is_suggested() -> None:
    hints = [findings(changed(result(status=word)), verifiers)[0].hint for word in ("passed", "failed", "timeout")]
    assert ["it reads as `pass`", "it reads as `fail`", "it reads as `error`"] == hints


def test_no_type_in_any_place_breaks_a_check() -> None:
    for tree in mangled(FULL, "verifier_results", "bindings", "edges", "profiles"):
        findings(tree, verifiers)
