"""ReAct web JSON → the Bundle: what is said, what is not, and the file again."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from attraj.formats.mapping.draft import Settings
from attraj.formats.mapping.fields import is_same
from attraj.formats.react_web.read import read
from tests.formats.bundles import (
    another,
    as_document,
    bundle,
    changed,
    copies_of,
    draft,
    errors,
    mapped_values,
    restored,
)
from tests.formats.react_web.documents import FULL, MINIMAL, step, with_steps
from tests.formats.react_web.test_corpus import EXPECTED, FILES, HERE
from tests.formats.react_web.test_laws import DOCUMENTS
from tests.support import needs_corpus


def tree_of(document: Any) -> dict[str, Any]:
    return bundle("react-web", json.dumps(document).encode())


def nodes(tree: dict[str, Any], *kinds: str) -> list[str]:
    return [node["node_id"] for node in tree["nodes"] if node["kind"] in kinds]


def edges(tree: dict[str, Any]) -> list[str]:
    """All but those of the task, which leads to the first decision of every run."""
    told = [f"{e['from']} > {e['to']} {e['relation']} {e['basis']}" for e in tree["edges"]]
    return [one for one in told if one != "task > iter:1 triggered_by loop_semantics"]


CALL, RESULT = step(1, "action"), step(1, "observation")
STEPS = [
    pytest.param([], [], id="nothing-recorded-is-no-node-but-the-task"),
    pytest.param([step(1, "thought")], ["reasoning_summary step:1", "decision iter:1"], id="a-thought-is-a-model-call"),
    pytest.param([step(1, "answer")], ["decision iter:1"], id="an-answer-is-the-message-of-its-decision"),
    pytest.param([CALL], ["decision iter:1", "action step:1"], id="a-call-without-a-result-has-no-effect"),
    pytest.param(
        [CALL, RESULT],
        ["decision iter:1", "action step:1", "effect step:1:effect", "observation step:2"],
        id="a-result-shows-that-something-ran",
    ),
    pytest.param(
        [CALL, CALL, RESULT],
        ["decision iter:1", "action step:1", "action step:2", "observation step:3"],
        id="an-ambiguous-result-shows-of-no-call-that-it-ran",
    ),
    pytest.param([RESULT], ["observation step:1"], id="a-result-alone-is-no-model-call"),
    pytest.param([step(1, "reflection")], ["event step:1"], id="an-unknown-type-is-an-event"),
    pytest.param(
        [step(1, "answer"), step(1, "thought"), step(1, "answer")],
        ["decision iter:1", "reasoning_summary step:2", "decision iter:1/2"],
        id="what-follows-an-answer-is-another-message",
    ),
    pytest.param([None, 7, step(1, "answer")], ["decision iter:1"], id="what-is-no-object-is-no-step"),
]


@pytest.mark.parametrize(("steps", "expected"), STEPS)
def test_steps_become_these_nodes(steps: list[Any], expected: list[str]) -> None:
    found = [f"{node['kind']} {node['node_id']}" for node in tree_of(with_steps(*steps))["nodes"]]
    assert ["input task", *expected] == found


EDGES = [
    pytest.param([step(1, "thought"), step(1, "answer")], ["step:1 > iter:1 depends_on recorded"], id="thought"),
    pytest.param(
        [CALL, RESULT, step(2, "answer")],
        [
            "iter:1 > step:1 caused_by recorded",
            "step:1 > step:1:effect caused_by loop_semantics",
            "step:1:effect > step:2 caused_by loop_semantics",
            "step:2 > iter:2 triggered_by loop_semantics",
        ],
        id="a-pair-without-a-doubt",
    ),
    pytest.param(
        [CALL, CALL, RESULT],
        [
            "iter:1 > step:1 caused_by recorded",
            "iter:1 > step:2 caused_by recorded",
            "step:1 > step:3 caused_by turn_order",
        ],
        id="an-ambiguous-pair-rests-on-order",
    ),
    pytest.param(
        [CALL, step(2, "observation"), step(2, "answer")],
        ["iter:1 > step:1 caused_by recorded", "step:1 > iter:2 triggered_by loop_semantics"],
        id="nothing-is-paired-across-iterations",
    ),
]


@pytest.mark.parametrize(("steps", "expected"), EDGES)
def test_edges_say_what_they_are_known_by(steps: list[Any], expected: list[str]) -> None:
    assert expected == edges(tree_of(with_steps(*steps)))


OUTCOMES = [
    pytest.param(None, [], None, id="none"),
    pytest.param("", [], None, id="empty"),
    pytest.param("success", [("succeeded", None)], None, id="success"),
    pytest.param("failure", [("failed", None)], None, id="failure"),
    pytest.param("loop", [("failed", None)], "loop", id="loop"),
    pytest.param("timeout", [("failed", None)], "timeout", id="timeout"),
    pytest.param("partial", [("unknown", "partial")], None, id="a-word-of-the-authors-own"),
    pytest.param(3, [("unknown", 3)], None, id="no-word"),
]


@pytest.mark.parametrize(("word", "expected", "reason"), OUTCOMES)
def test_the_outcome_is_the_authors_label(word: Any, expected: list[Any], reason: str | None) -> None:
    tree = tree_of(with_steps(step(1, "answer"), outcome=word))
    assert expected == [(one["status"], one.get("value")) for one in tree["outcomes"]]
    assert reason == tree["scope"].get("termination", {}).get("reason")
    assert {("annotation:recording", "unknown")} >= {(o["producer"], o["authority_class"]) for o in tree["outcomes"]}
    assert ([], []) == (tree["verifier_results"], tree["reward_records"])


def test_what_the_format_does_not_have_is_not_there() -> None:
    tree = tree_of(FULL)
    assert {"unavailable"} == {state["availability"] for state in tree["states"]}
    assert {"unknown"} == set(tree["rights"].values())
    assert "partial" == tree["completeness"]["status"]
    members = {member for node in tree["nodes"] for member in node}
    assert members.isdisjoint({"timestamp", "model_call", "receipt", "training"})
    assert all("call_id" not in node.get("action", {}) for node in tree["nodes"])
    assert {"unknown"} == {node["admission"]["status"] for node in tree["nodes"] if "admission" in node}


def test_results_that_the_author_took_out_are_told_as_that() -> None:
    tree = tree_of(with_steps(CALL, condition="no-tool-results"))
    [omission] = [one for one in tree["completeness"]["material_omissions"] if one["class"] == "tool_results"]
    assert (1, ["step:1"]) == (omission["count"], omission["refs"])
    assert "author" in omission["reason"]


NOTES = [
    pytest.param(
        "Once.\n\n（注意：回答因达到 max_tokens 上限被截断，请增大 max_tokens 后重试。）", True, id="the-producers-note"
    ),
    pytest.param("Once. (truncated)", True, id="a-note-in-english"),
    pytest.param("The string was truncated (see above).", False, id="brackets-about-something-else"),
    pytest.param("Set max_tokens (default 4096) higher.", False, id="no-note-at-the-end"),
    pytest.param("[max_tokens] " + "x" * 300 + "]", False, id="too-long-for-a-note"),
    pytest.param(")", False, id="a-bracket-alone"),
    pytest.param({"text": "(truncated)"}, False, id="no-text"),
]


@pytest.mark.parametrize(("content", "expected"), NOTES)
def test_a_note_that_an_answer_was_cut_is_told_beside_it(content: Any, expected: bool) -> None:
    tree = tree_of(with_steps(step(1, "answer", content=content), outcome="failure"))
    found = [one["refs"] for one in tree["completeness"]["material_omissions"] if one["class"] == "answer_tail"]
    assert ([["iter:1"]] if expected else []) == found
    assert content == next(node for node in tree["nodes"] if node["kind"] == "decision")["payload"]["content"]
    assert "termination" not in tree["scope"]


@pytest.mark.parametrize("document", [MINIMAL, FULL, FULL["steps"]], ids=["minimal", "full", "bare-list"])
def test_a_document_is_given_back_and_each_change_appears_in_its_place(document: Any) -> None:
    raw = json.dumps(document).encode()
    reading, tree = draft("react-web", raw).readings[0], bundle("react-web", raw)
    assert [] == errors(tree)
    assert is_same(document, restored(tree, "react-web"))
    places = list(mapped_values(reading, tree))
    assert len(places) == len({core for _, core in places})
    for at, core in places:
        expected, (said, written) = document, another(reading, at)
        for place in copies_of(reading, at):
            expected = changed(expected, place, written)
        assert is_same(expected, restored(changed(tree, core, said), "react-web"))


@needs_corpus
@pytest.mark.parametrize("name", FILES)
def test_a_corpus_file_makes_a_sound_bundle_and_comes_back(name: str) -> None:
    raw = (HERE / name).read_bytes()
    tree, facts = bundle("react-web", raw), EXPECTED[name]
    assert [] == errors(tree)
    assert is_same(json.loads(raw), restored(tree, "react-web"))
    kinds = Counter(node["topic"] for node in tree["nodes"] if "topic" in node)
    assert facts["types"] == dict(kinds)
    assert facts["unanswered_actions"] == sum(
        one.get("count", 0) for one in tree["completeness"]["material_omissions"] if one["class"] == "tool_results"
    )
    lost = Counter({loss["code"]: loss["count"] for loss in tree["transform"]["lossy"]})
    assert facts["unpaired_observations"] == lost["unlinked-result"]


@settings(
    max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(DOCUMENTS)
def test_nothing_crashes_a_reader_and_the_tree_is_not_changed(tree: Any) -> None:
    before = repr(tree)
    first = read(as_document(tree), Settings()).finish()
    assert first == read(as_document(tree), Settings()).finish() or "nan" in repr(tree)
    assert before == repr(tree)
    if type(tree) in (dict, list) and "nan" not in before:
        assert is_same(tree, restored(first, "react-web"))
