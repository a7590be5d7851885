"""A Bundle told and counted."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.formats.native_story import facts, tell
from attraj.formats.story import Facts, Passage, Tokens
from attraj.jsonio import Document
from tests.support import base_document, json_patch, merge_patch

MINIMAL: dict[str, Any] = base_document("attraj.bundle.checks", "minimal")


def document(tree: object) -> Document:
    return Document(b"", tree)


def test_what_a_bundle_says_is_counted() -> None:
    tree = {
        **MINIMAL,
        "bindings": {"agents": [{"id": "a", "version": "2"}], "models": ["m", {"availability": "redacted"}]},
        "scope": {"termination": {"status": "of my own"}, "attempt_ids": ["one", "two"]},
        "nodes": [{"action": {"kind": "tool_call", "name": "f"}}, {"model_call": {"model": "n"}}, 3],
        "reward_records": [{"policy": "p", "value": 0.5}, {"policy": "p", "value": "high"}],
    }
    assert facts(document(tree)) == Facts(
        "bundle",
        "0.1",
        "a",
        "2",
        ("m", "n"),
        steps=2,
        calls=1,
        rewards=(("p", 0.5), ("p", None)),
        termination="other",
        attempts=2,
    )


def with_calls(*usages: object) -> dict[str, Any]:
    nodes = [{"node_id": f"n{i}", "kind": "decision", "model_call": {"usage": usage}} for i, usage in enumerate(usages)]
    return {**MINIMAL, "nodes": nodes, "edges": []}


@pytest.mark.parametrize(
    ("usages", "tokens"),
    [
        pytest.param(
            [{"input_tokens": 5, "output_tokens": 2}, {"input_tokens": 7, "output_tokens": 1}],
            Tokens(12, 3, None, "unknown", "sum over the model calls"),
            id="every-call-says",
        ),
        pytest.param([{"input_tokens": 5}, {}], Tokens(), id="one-call-is-silent"),
        pytest.param([{"input_tokens": True}], Tokens(), id="a-boolean-is-no-count"),
        pytest.param([{"input_tokens": -1}], Tokens(), id="a-negative-count"),
        pytest.param([3], Tokens(), id="no-object"),
        pytest.param(
            [{"input_tokens": 5, "origin": "litellm counter"}],
            Tokens(5, None, None, "litellm counter", "sum over the model calls"),
            id="the-origin-is-kept",
        ),
    ],
)
def test_usage_is_added_up_only_when_every_call_has_it(usages: list[object], tokens: Tokens) -> None:
    assert tokens == facts(document(with_calls(*usages))).tokens


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"spec_version": "9.9"}, id="version"),
        pytest.param({"profiles": ["AT-Core", "AT-Other"]}, id="profile"),
        pytest.param({"extensions": {"org.example.x": {"required": True}}}, id="required-extension"),
    ],
)
def test_a_document_that_must_be_rejected_is_not_counted(change: dict[str, Any]) -> None:
    found = facts(document(merge_patch(MINIMAL, change)))
    assert (True, None) == (found.is_refused, found.steps)


def test_an_outcome_keeps_its_authority_and_a_word_of_its_own_is_other() -> None:
    outcomes = [{"authority_class": "runtime", "status": "succeeded"}, {"authority_class": "x", "status": ["y"]}]
    found = facts(document({**MINIMAL, "outcomes": outcomes}))
    assert (("runtime", "succeeded"), ("other", "other")) == found.outcomes


def test_a_withheld_text_is_named_and_not_invented() -> None:
    marker = {"$at": {"status": "redacted", "class": "secret"}}
    tree = json_patch(MINIMAL, [{"op": "add", "path": "/nodes/0/payload", "value": {"text": marker, "note": "hi"}}])
    step = next(iter(tell(document(tree)).steps))
    expected = (
        Passage("", "/nodes/0/payload/text", "redacted: secret"),
        Passage("hi", "/nodes/0/payload/note", "`note`"),
    )
    assert expected == step.passages


def test_causes_are_the_declared_edges_with_their_basis() -> None:
    nodes = [{"node_id": "a"}, {"node_id": "b"}]
    edges = [
        {"from": "a", "to": "b", "relation": "caused_by", "basis": "call_id"},
        {"from": "gone", "to": "b", "relation": "of_my_own"},
        {"from": "a", "to": 3},
    ]
    steps = list(tell(document({**MINIMAL, "nodes": nodes, "edges": edges})).steps)
    marks = ("a kind of its own", "caused by step 1 (call id)", "related to a node that is not here")
    assert [("a kind of its own",), marks] == [step.marks for step in steps]


@pytest.mark.parametrize("value", [None, 3, "x", [], {}, [None, 3, [], {}]])
@pytest.mark.parametrize("member", [*MINIMAL, "outcomes", "reward_records", "verifier_results", "extensions"])
def test_any_type_anywhere_is_told(member: str, value: object) -> None:
    steps = [step.number for step in tell(document({**MINIMAL, member: value})).steps]
    assert list(range(1, len(steps) + 1)) == steps
