"""AT209 and AT210: identifiers that are made from content."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.canonical import digest
from attraj.bundle.checks.content_ids import is_derived
from tests.bundle.checks.reported import add, findings, minimal, replace, reported

ONE, TWO = "sha256:" + "1" * 64, "sha256:" + "2" * 64
IDENTITY = {"disclosure": {"identity": {"algorithm": "sha256", "canonicalization": "RFC8785"}}}

DERIVED = [
    "sha256:5f1d0c6b7a2e9384",
    "sha256-" + "a" * 64,
    "node:sha256_" + "0" * 16,
    "blake3:0123456789abcdef",
    "md5:d41d8cd98f00b204e9800998ecf8427e",
    "at:morphz:" + "c9" * 32,
    "at_verifier_" + "80" * 32,
    "0f3884ec1d2b" + "a" * 28,
]
OPAQUE = [
    "node:6",
    "sha256:short",
    "sha256:harness-content-id",
    "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "event:0123456789abcdef",
    "a" * 39,
    "g" * 64,
    "state:17",
    "",
]


@pytest.mark.parametrize("identifier", DERIVED)
def test_looks_derived(identifier: str) -> None:
    assert is_derived(identifier)
    tree = minimal(replace("/trajectory_id", identifier))
    assert [("AT209", "/disclosure")] == reported(tree, "AT209")
    assert [] == reported(minimal(replace("/trajectory_id", identifier), IDENTITY), "AT209")


@pytest.mark.parametrize("identifier", OPAQUE)
def test_looks_opaque(identifier: str) -> None:
    assert not is_derived(identifier)


def test_many_identifiers_are_one_fault() -> None:
    nodes = [{"node_id": f"sha256:{number:064x}", "kind": "input"} for number in range(30)]
    (finding,) = findings(minimal({"nodes": nodes, "edges": []}), "AT209")
    assert ("/disclosure", 10, "/nodes/0/node_id") == (
        finding.location.pointer,
        len(finding.related),
        finding.related[0].pointer,
    )


def test_without_disclosure_the_place_is_the_document() -> None:
    assert [("AT209", "")] == reported(minimal({"disclosure": None, "trajectory_id": ONE}), "AT209")


def artifact(**members: Any) -> Any:
    return minimal(IDENTITY, {"source": {"artifacts": [members]}})


ARTIFACTS = [
    pytest.param(artifact(artifact_id=ONE, digest=TWO), True, id="another-digest"),
    pytest.param(
        artifact(artifact_id=ONE, digest={"algorithm": "SHA-256", "value": "2" * 64}), True, id="as-an-object"
    ),
    pytest.param(artifact(artifact_id=ONE, digest=ONE), False, id="the-same-digest"),
    pytest.param(artifact(artifact_id=ONE.upper(), digest=ONE), False, id="in-capitals"),
    pytest.param(artifact(artifact_id=ONE, digest="md5:" + "2" * 32), False, id="another-algorithm"),
    pytest.param(artifact(artifact_id=ONE), False, id="no-digest"),
    pytest.param(artifact(artifact_id="log", digest=TWO), False, id="an-opaque-identifier"),
]


@pytest.mark.parametrize(("tree", "expected"), ARTIFACTS)
def test_artifacts(tree: Any, expected: bool) -> None:
    assert ([("AT210", "/source/artifacts/0/artifact_id")] if expected else []) == reported(tree, "AT210")


VIEW = {"log": ["level noted"], "depth": 3.5}


def state(identifier: str, declared: Any = IDENTITY, **members: Any) -> Any:
    record = {"state_id": identifier, "availability": "included", **members}
    return minimal(declared, add("/states/-", record))


STATES = [
    pytest.param(state(ONE, view=VIEW), True, id="another-content"),
    pytest.param(state(digest(VIEW, "RFC8785"), view=VIEW), False, id="the-content"),
    pytest.param(state("state:" + digest(VIEW, "RFC8785"), view=VIEW), False, id="with-a-prefix"),
    pytest.param(
        state(digest({"availability": "included", "view": VIEW}, "RFC8785"), view=VIEW),
        False,
        id="all-but-the-identifier",
    ),
    pytest.param(state(ONE, view={"text": {"$at": {"status": "redacted"}}}), False, id="content-no-longer-whole"),
    pytest.param(state(ONE), False, id="no-content"),
    pytest.param(state(ONE, {}, view=VIEW), False, id="no-declaration"),
    pytest.param(
        state(ONE, {"disclosure": {"identity": {"algorithm": "sha256", "canonicalization": "own-form"}}}, view=VIEW),
        False,
        id="a-form-that-attraj-does-not-know",
    ),
    pytest.param(state(ONE, view={"big": 2**60}), False, id="content-without-canonical-form"),
]


@pytest.mark.parametrize(("tree", "expected"), STATES)
def test_states(tree: Any, expected: bool) -> None:
    assert ([("AT210", "/states/0/state_id")] if expected else []) == reported(tree, "AT210")
