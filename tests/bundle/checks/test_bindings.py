"""AT121 to AT123: bindings, and what the envelope should not tell."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.checks import bindings
from attraj.bundle.checks.check import Check
from attraj.bundle.model import Bundle
from attraj.findings import Severity
from tests.bundle.checks.mangled import mangled
from tests.bundle.checks.reported import add, findings, full, minimal, remove, replace, reported

MARKER = {"$at": {"status": "redacted", "reason": "policy"}}

FLOATING = [
    "tool:shell:latest",
    "tool:shell@latest",
    "image:main",
    "env:repo-task:HEAD",
    "stable",
    "shell",
    "tool:shell",
    "small-writer",
    {"id": "small-writer"},
    {"id": "small-writer", "availability": "included"},
    {"name": "shell", "version": "latest"},
    {"id": "shell", "version": ""},
    {"provider": "example-models", "id": "small-writer", "policy_revision": "main"},
]
PINNED = [
    "tool:shell:v1",
    "repo-tests@3",
    "env:repo-task:v3",
    "provider:model:policy-revision",
    "sha256:harness-content-id",
    "shell-2.1.0",
    "writer-20310301",
    "writer-2031-03-01",
    "git:0f3884ec1d2b",
    "git:0f3884e",
    {"id": "shell", "version": "2"},
    {"id": "shell", "digest": "sha256:41c8"},
    {"id": "shell", "digest": {"algorithm": "sha256", "value": "41c8"}},
    {"id": "shell@2"},
    {"id": "shell", "version": MARKER},
    {"availability": "redacted", "reason": "policy"},
    {"id": "shell", "availability": "unknown"},
    {"availability": "not_applicable"},
    MARKER,
]


@pytest.mark.parametrize("binding", FLOATING, ids=str)
def test_a_name_that_moves(binding: Any) -> None:
    assert [("AT121", "/bindings/tools/0")] == reported(minimal({"bindings": {"tools": [binding]}}), "AT121")


@pytest.mark.parametrize("binding", PINNED, ids=str)
def test_a_name_that_is_pinned(binding: Any) -> None:
    assert [] == reported(minimal({"bindings": {"tools": [binding]}}), "AT121")


WHERE = [
    pytest.param({"tool": "shell"}, [("AT121", "/bindings/tool")], id="a-singular-text"),
    pytest.param({"model": {"id": "m"}}, [("AT121", "/bindings/model")], id="a-singular-object"),
    pytest.param({"tools": ["a@1", "b"]}, [("AT121", "/bindings/tools/1")], id="the-second-of-two"),
    pytest.param({"sandboxes": ["sandbox:blue"]}, [], id="an-instance"),
    pytest.param({"capabilities": ["capability:read"]}, [], id="a-grant"),
    pytest.param({"uncontrolled_variables": ["the weather"]}, [], id="a-statement"),
    pytest.param({"gadgets": ["gadget"]}, [], id="a-kind-of-somebody-else"),
]


@pytest.mark.parametrize(("stated", "expected"), WHERE)
def test_which_kinds_are_asked_for_a_version(stated: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == reported(minimal({"bindings": stated}), "AT121")


FILLERS: list[Any] = [None, "", [], {}, "unknown", "Unknown", "n/a", {"id": ""}, {"id": "", "version": ""}]


@pytest.mark.parametrize("filler", FILLERS, ids=str)
@pytest.mark.parametrize("place", ["/bindings/tools", "/bindings/tools/0"])
def test_a_filler_gives_one_finding(place: str, filler: Any) -> None:
    value = [filler] if place.endswith("/0") else filler
    found = findings(minimal(add("/bindings/tools", value)), "AT121", "AT122", "AT10")
    assert [("AT122", place, Severity.WARNING)] == [(f.code, f.location.pointer, f.severity) for f in found]


@pytest.mark.parametrize(
    "stated",
    [
        pytest.param([{"availability": "unknown"}], id="marked-as-unknown"),
        pytest.param([MARKER], id="withheld"),
        pytest.param(MARKER, id="withheld-as-a-whole"),
        pytest.param(["unknown-tool@1"], id="a-name-that-begins-so"),
    ],
)
def test_no_filler(stated: Any) -> None:
    assert [] == reported(minimal(add("/bindings/tools", stated)), "AT122")


def test_an_empty_statement_is_a_statement() -> None:
    assert [] == reported(minimal(add("/bindings/uncontrolled_variables", [])), "AT122")


def node(**members: Any) -> Any:
    return add("/nodes/-", {"node_id": "node:more", "kind": "event", "source_event_id": "event:more", **members})


MENTIONED = [
    pytest.param(node(actor="agent:helper"), "agents", id="an-actor"),
    pytest.param(node(authority_class="agent"), "agents", id="an-authority-class"),
    pytest.param(node(actor="user:one"), "principals", id="a-user"),
    pytest.param(node(actor="verifier:tests"), "verifiers", id="a-verifier"),
    pytest.param(node(model_call={"model": "small-writer"}), "models", id="a-model-call"),
    pytest.param(node(action={"name": "shell"}), "tools", id="an-action"),
    pytest.param(node(admission={"status": "admitted", "capability_refs": ["c"]}), "capabilities", id="a-grant"),
    pytest.param(node(effect={"target": "box"}), "execution_targets", id="a-target"),
]


@pytest.mark.parametrize(("change", "kind"), MENTIONED)
def test_what_nodes_mention_is_bound_or_marked(change: Any, kind: str) -> None:
    bare = minimal(
        change, replace("/bindings", {}), replace("/nodes/0/actor", "x"), replace("/nodes/0/authority_class", "y")
    )
    found = findings(bare, "AT122")
    assert [("/bindings", Severity.INFO, ["/nodes/2"])] == [
        (f.location.pointer, f.severity, [related.pointer for related in f.related]) for f in found
    ]
    assert kind in found[0].message
    bare["bindings"] = {kind: [{"availability": "unknown"}]}
    assert [] == findings(bare, "AT122")


def test_a_singular_kind_and_one_that_stands_for_it_are_enough() -> None:
    bare = minimal(node(effect={"target": "box"}, actor="agent:x"), {"bindings": {"agents": None}})
    bare["bindings"] |= {"agent": "agent:x", "sandbox": "box"}
    assert [] == findings(bare, "AT122")


def test_under_evaluation_missing_models_and_tools_are_the_matter_of_at915() -> None:
    assert [] == reported(full(remove("/bindings/tools"), remove("/bindings/models")), "AT122")


DETAILS = [
    "postgres://10.0.0.5/events",
    "https://ci.example.org/run/4",
    "redis://cache:6379",
    "10.0.0.5",
    "at 192.168.1.20",
    "172.16.0.1",
    "127.0.0.1",
    "203.0.113.9:8443",
    "[fe80::1]",
    "localhost",
    "worker-4.internal",
    "node7.cluster.local",
    "ip-10-0-3-4",
    "/home/ada/run",
    "/Users/ada",
    "C:\\Users\\ada",
    "\\\\server\\share",
]
HARMLESS = [
    "context:tidehouse@41",
    "1.10.0.5",
    "10.0",
    "whole attempt",
    "a/b/c",
    "home/garden",
    "2031-04-02T06:00:00Z",
    "local",
    "internal review",
    "sha256:41c87e0b",
    "tool:/v3",
]


@pytest.mark.parametrize("text", DETAILS)
def test_infrastructure(text: str) -> None:
    assert [("AT123", "/source/authority_domain")] == reported(
        minimal(replace("/source/authority_domain", text)), "AT123"
    )


@pytest.mark.parametrize("text", HARMLESS)
def test_no_infrastructure(text: str) -> None:
    assert [] == reported(minimal(replace("/source/authority_domain", text)), "AT123")


PLACES = [
    pytest.param({"scope": {"selection": {"rule": "all", "parameters": {"host": ["db.internal"]}}}}, True, id="scope"),
    pytest.param({"bindings": {"sandboxes": [{"id": "box", "version": "10.0.0.5"}]}}, True, id="bindings"),
    pytest.param({"transform": {"exporter": "x@http://a"}}, False, id="elsewhere"),
]


@pytest.mark.parametrize(("change", "expected"), PLACES)
def test_where_infrastructure_is_looked_for(change: Any, expected: bool) -> None:
    assert expected == bool(reported(minimal(change), "AT123"))


def test_no_type_of_any_member_stops_the_checks() -> None:
    checks = [value for value in vars(bindings).values() if type(value) is Check]
    for tree in mangled(full(), "source", "scope", "bindings", "nodes"):
        for check in checks:
            check.run(Bundle(tree))
