"""AT125: the reference implementation's form, as its JSON Schema counts the differences."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.bundle.checks.reference_form import differences
from tests.bundle.checks.mangled import mangled
from tests.bundle.checks.reported import add, findings, full, minimal, remove, replace, reported
from tests.support import CORPUS, needs_corpus, patched

BUNDLES = CORPUS / "bundle"


def in_form(*changes: Any) -> Any:
    """A small document in the reference form, changed."""
    tree = minimal(
        {
            "source": {"authority_revision": None},
            "scope": {"attempt_ids": None, "context_id": "context:example"},
            "completeness": {"material_omissions": []},
            "disclosure": {"absences": None, "redacted_fields": []},
            "integrity": {"algorithm": "sha256", "canonicalization": "none"},
            "extensions": {},
        }
    )
    for node in tree["nodes"]:
        node |= {"timestamp": "2031-04-02T06:00:00Z", "topic": "example", "external_parents": []}
        for name in ("parents", "observation"):
            node.pop(name, None)
    for change in changes:
        tree = patched(tree, change)
    return tree


DIFFERENCES = [
    pytest.param([], [], id="in-the-form"),
    pytest.param([remove("/extensions")], [""], id="extensions-are-required-there"),
    pytest.param([replace("/rights/training", "unknown")], ["/rights/training"], id="no-unknown-right"),
    pytest.param([replace("/bindings/agents", "agent:x")], ["/bindings/agents"], id="a-text-for-a-list"),
    pytest.param([replace("/bindings/agents", ["a", "a"])], ["/bindings/agents"], id="a-binding-twice"),
    pytest.param([replace("/bindings/agents", [{"id": "a"}])], ["/bindings/agents"], id="a-binding-with-members"),
    pytest.param([replace("/nodes/0/actor", "")], [], id="an-empty-actor-is-let-through"),
    pytest.param([replace("/nodes/0/topic", "")], ["/nodes/0/topic"], id="an-empty-topic-is-not"),
    pytest.param([add("/nodes/0/read_set", []), add("/nodes/0/action", {})], ["/nodes/0"], id="two-members-too-many"),
    pytest.param([remove("/nodes/0/topic"), remove("/nodes/0/actor")], ["/nodes/0", "/nodes/0"], id="two-missing"),
    pytest.param([replace("/nodes/0/timestamp", "noon")], ["/nodes/0/timestamp"], id="no-time"),
    pytest.param([replace("/scope/event_count", -1)], ["/scope/event_count"], id="a-negative-count"),
    pytest.param([replace("/scope/event_count", True)], ["/scope/event_count"], id="a-flag-for-a-count"),
    pytest.param([replace("/integrity/status", "digest_provided")], ["/integrity"], id="no-digest"),
    pytest.param([add("/integrity/digest", "sha256:x")], ["/integrity/digest"], id="a-digest-too-many"),
    pytest.param([replace("/nodes", {})], ["/nodes"], id="no-array"),
    pytest.param([replace("/nodes/0", "x")], ["/nodes/0"], id="no-object"),
    pytest.param([replace("/profiles", ["AT-Core", "AT-Core"])], ["/profiles"], id="a-profile-twice"),
    pytest.param([add("/nodes/0/payload", None)], [], id="payloads-are-free"),
]


@pytest.mark.parametrize(("changes", "expected"), DIFFERENCES)
def test_tells_each_difference(changes: Any, expected: list[str]) -> None:
    assert [("AT125", pointer) for pointer in expected] == reported(in_form(*changes), "AT125", as_reference=True)


def test_is_told_only_when_asked_for() -> None:
    assert [] == reported(full(), "AT125")


def test_names_the_members_that_are_too_many() -> None:
    (finding,) = findings(in_form(add("/nodes/0/read_set", [])), "AT125", as_reference=True)
    assert ["/nodes/0/read_set"] == [related.pointer for related in finding.related]


@needs_corpus
@pytest.mark.parametrize(
    ("name", "count"),
    [
        pytest.param("morphz/examples/appendix_b_compact.json", 29, id="appendix-b"),
        pytest.param("derived/ref_core_redacted.json", 0, id="a-reference-export"),
        pytest.param("derived/ref_training_loop.json", 0, id="a-reference-training-loop"),
    ],
)
def test_counts_as_the_reference_schema_does(name: str, count: int) -> None:
    tree = json.loads((BUNDLES / name).read_bytes())
    assert count == len(reported(tree, "AT125", as_reference=True))


def test_no_type_of_any_member_stops_the_check() -> None:
    for tree in mangled(in_form(), *in_form()):
        list(differences(tree))
