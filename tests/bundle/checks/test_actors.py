"""AT501 to AT503 and AT514 to AT518: who acted, by which authority, and what a node is."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.checks import actors
from attraj.bundle.model import Bundle
from attraj.findings import Severity
from tests.bundle.checks.mangled import mangled
from tests.bundle.checks.small import found, node, tree
from tests.support import base_document

FULL = base_document("attraj.bundle.checks", "full")
GONE = {"$at": {"status": "redacted", "class": "personal_data", "reason": "privacy"}}
HERE, CLASS = "/nodes/0", "/nodes/0/authority_class"
MODEL = {"actor": "agent:a", "authority_class": "model"}
NODES = [
    pytest.param(node("n"), [], id="both-said"),
    pytest.param(node("n", actor=...), [("AT501", HERE)], id="no-actor"),
    pytest.param(node("n", actor=""), [("AT501", HERE)], id="empty-actor"),
    pytest.param(node("n", authority_class=...), [("AT501", HERE)], id="no-class"),
    pytest.param(node("n", actor=..., authority_class=...), [("AT501", HERE)], id="neither-is-one-finding"),
    pytest.param(node("n", actor=GONE, authority_class=GONE), [], id="both-withheld"),
    pytest.param(node("n", authority_class="unknown"), [], id="unknown-is-a-class"),
    pytest.param(node("n", authority_class="external_or_unspecified"), [], id="the-reference-forms-class"),
    pytest.param(node("n", authority_class="wizard"), [("AT502", CLASS)], id="no-class-of-the-list"),
    pytest.param(node("n", authority_class="Runtime"), [("AT502", CLASS)], id="a-capital"),
    pytest.param(node("n", "hop"), [("AT516", HERE + "/kind")], id="unknown-kind"),
    pytest.param(node("n", ...), [], id="no-kind-is-the-shapes-to-say"),
    pytest.param(node("n", "effect", **MODEL), [("AT503", CLASS)], id="effect-by-a-model"),
    pytest.param(node("n", "effect_receipt", authority_class="agent"), [("AT503", CLASS)], id="receipt-by-an-agent"),
    pytest.param(node("n", "observation", **MODEL), [], id="observation-by-a-model"),
    pytest.param(node("n", "proposal", status="succeeded"), [("AT503", HERE + "/status")], id="succeeded-proposal"),
    pytest.param(node("n", "proposal", status="proposed"), [], id="proposed-proposal"),
    pytest.param(node("n", "proposal", status="rejected"), [], id="rejected-proposal"),
    pytest.param(node("n", "reasoning_summary"), [("AT514", CLASS)], id="reasoning-as-a-fact"),
    pytest.param(node("n", "reasoning_summary", **MODEL, payload="so"), [], id="reasoning-of-a-model"),
    pytest.param(node("n", actor="agent:a"), [("AT518", CLASS)], id="an-agent-as-the-runtime"),
    pytest.param(
        node("n", actor="model:m", authority_class="verifier"), [("AT518", CLASS)], id="a-model-as-a-verifier"
    ),
    pytest.param(node("n", authority_class="principal"), [("AT518", CLASS)], id="the-runtime-as-a-principal"),
    pytest.param(node("n", authority_class="harness"), [], id="a-harness-is-part-of-the-runtime"),
    pytest.param(node("n", actor="agent:a", authority_class="model"), [], id="an-agent-speaks-by-its-model"),
    pytest.param(node("n", actor="agent", authority_class="runtime"), [], id="no-prefix"),
    pytest.param(node("n", actor="Runtime:x", authority_class="agent"), [], id="another-prefix"),
    pytest.param(node("n", actor="verifier:v", authority_class="external_or_unspecified"), [], id="claims-nothing"),
]


@pytest.mark.parametrize(("given", "expected"), NODES)
def test_one_node(given: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert expected == found(tree([given]), actors)


@pytest.mark.parametrize(
    ("kind", "missing", "severity"),
    [
        pytest.param("effect", "actor", Severity.ERROR, id="an-effect-of-nobody"),
        pytest.param("action", "actor", Severity.ERROR, id="an-action-of-nobody"),
        pytest.param("effect", "authority_class", Severity.WARNING, id="an-effect-without-a-class"),
        pytest.param("observation", "actor", Severity.WARNING, id="an-observation-of-nobody"),
    ],
)
def test_severity_of_a_missing_actor(kind: str, missing: str, severity: Severity) -> None:
    (finding,) = actors.identities.run(Bundle(tree([node("n", kind, **{missing: ...})])))
    assert ("AT501", severity) == (finding.code, finding.severity)


def test_a_fault_is_told_at_each_node() -> None:
    nodes = [node(f"n{i}", authority_class="wizard") for i in range(3)]
    assert [("AT502", f"/nodes/{i}/authority_class") for i in range(3)] == found(tree(nodes), actors)


FROM = [("AT515", HERE)]
PROVENANCE = [
    pytest.param({}, {}, FROM, id="nothing-said"),
    pytest.param({"model_call": {"model": "m"}}, {}, [], id="model-call"),
    pytest.param({"model_call": GONE}, {}, [], id="withheld-call"),
    pytest.param({"model_call": {"availability": "unavailable", "reason": "lost"}}, {}, [], id="unavailable-call"),
    pytest.param({"model_call": {}}, {}, FROM, id="empty-call"),
    pytest.param({"model_call": {"usage": {"tokens": 5}}}, {}, FROM, id="only-usage"),
    pytest.param({}, {"models": ["m@1"]}, [], id="bound-model"),
    pytest.param({}, {"model": "m@1"}, [], id="bound-in-the-singular"),
    pytest.param({}, {"models": [{"availability": "redacted"}]}, [], id="withheld-binding"),
    pytest.param({}, {"models": [None, ""]}, FROM, id="filler"),
    pytest.param({"authority_class": "agent"}, {}, [], id="not-said-to-be-a-models"),
    pytest.param({"authority_class": "agent", "training": {"target": True}}, {}, FROM, id="a-training-target"),
    pytest.param({"authority_class": "agent", "training": {"target": False}}, {}, [], id="no-target"),
]


@pytest.mark.parametrize(("members", "bindings", "expected"), PROVENANCE)
def test_provenance(members: dict[str, Any], bindings: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    given = node("n", "decision", **{**MODEL, "action": {}, **members})
    assert expected == found(tree([given], bindings=bindings), actors)


ABSENT = [("AT517", HERE)]
CONTENT = [
    pytest.param(node("n", "input"), {}, ABSENT, id="input-without-payload"),
    pytest.param(node("n", "input", payload=None), {}, [], id="explicit-null"),
    pytest.param(node("n", "input", payload=GONE), {}, [], id="marked"),
    pytest.param(node("n", "input", source_refs=["artifact:1"]), {}, [], id="referenced"),
    pytest.param(node("n", "input"), {"disclosure": {"user_content": "omitted"}}, [], id="left-out-and-said-so"),
    pytest.param(node("n", "input"), {"disclosure": {"raw_event_payloads": "omitted"}}, [], id="no-payloads-at-all"),
    pytest.param(node("n", "input"), {"transform": {"operations": ["event_payload_omission"]}}, [], id="by-operation"),
    pytest.param(node("n", "input"), {"disclosure": {"user_content": "included"}}, ABSENT, id="said-to-be-included"),
    pytest.param(node("n", "action", **MODEL), {}, ABSENT, id="a-models-action"),
    pytest.param(node("n", "action", **{**MODEL, "authority_class": "agent"}), {}, [], id="an-agents-action"),
    pytest.param(node("n", "action", **MODEL, model_call={"request_artifact": "a"}), {}, [], id="request-artifact"),
    pytest.param(node("n", "terminal"), {}, [], id="a-terminal-says-nothing"),
]


@pytest.mark.parametrize(("given", "more", "expected"), CONTENT)
def test_content(given: dict[str, Any], more: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert expected == found(tree([given], **more), actors)


def test_the_full_example_is_silent() -> None:
    assert [] == found(FULL, actors)


def test_no_type_anywhere_makes_a_check_fall() -> None:
    for document in mangled(FULL, "nodes", "bindings", "disclosure", "transform"):
        found(document, actors)
