"""The Bundle → ReAct web JSON: files that the component shows, and a loss for what they cannot hold."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.formats.mapping.rooms import Wanted
from attraj.formats.react_web.shape import ENVELOPE, OUTCOMES, STEPS, TYPES
from attraj.formats.react_web.viewer import viewer
from attraj.formats.react_web.write_steps import MARK
from tests.formats.bundles import AS_IT_IS, as_document, bundle, composed, corpus_files, faults, page_bundles
from tests.formats.react_web.documents import FULL, MINIMAL, step, with_steps
from tests.formats.react_web.test_corpus import FILES, HERE
from tests.formats.react_web.viewer_rules import LABELS, page
from tests.support import needs_corpus

BUNDLES = [pytest.param(tree, id=name) for name, tree in page_bundles() if not name.startswith("react-web")]
CORPUS = [
    pytest.param(room, path, id=path.name)
    for room in ("atif", "swe-agent", "mini-swe-agent")
    for path in corpus_files(room)
]


def node(node_id: str, kind: str, **members: Any) -> dict[str, Any]:
    return {"node_id": node_id, "kind": kind, **members}


def edge(cause: str, effect: str, basis: str = "recorded") -> dict[str, Any]:
    return {"edge_id": f"{cause}>{effect}", "from": cause, "to": effect, "relation": "caused_by", "basis": basis}


def tree_of(*nodes: dict[str, Any], edges: Any = (), **members: Any) -> dict[str, Any]:
    return {"nodes": list(nodes), "edges": list(edges), **members}


def steps_of(tree: dict[str, Any], wanted: Wanted = AS_IT_IS) -> list[dict[str, Any]]:
    [document], _, _ = composed(tree, "react-web", wanted)
    steps: list[dict[str, Any]] = document["steps"]
    return steps


SAY = node("d", "decision", payload={"content": "Look."})
CALL = node("a", "action", action={"kind": "tool_call", "name": "ls", "arguments": {"p": 1}})
RESULT = node("o", "observation", observation="out")
COMPLAINT = node("i", "input", authority_class="harness", payload={"role": "user", "content": "No."})
NOT_KEPT = node("d", "decision", payload={"content": {"$at": {"status": "unavailable"}}})
PARTS = [{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": "x.png"}}]
LINKED = [edge("d", "a"), edge("a", "o", "call_id")]

WRITTEN = [
    pytest.param(tree_of(SAY), [step(1, "answer", content="Look.")], id="a-message-alone-is-an-answer"),
    pytest.param(
        tree_of(SAY, CALL, RESULT, edges=LINKED),
        [
            step(1, "thought", content=f"{MARK}Look."),
            step(1, "action", tool="ls", args={"p": 1}),
            step(1, "observation", tool="ls", content="out"),
        ],
        id="a-message-beside-calls-has-no-step-of-its-own",
    ),
    pytest.param(
        tree_of(node("r", "reasoning_summary", payload={"content": "Hm."}), SAY),
        [step(1, "thought", content="Hm."), step(1, "answer", content="Look.")],
        id="reasoning-is-a-thought",
    ),
    pytest.param(
        tree_of(node("d", "decision"), {**CALL, "kind": "proposal", "admission": {"status": "rejected"}}, edges=LINKED),
        [step(1, "action", tool="ls", args={"p": 1})],
        id="a-rejected-proposal-gets-no-observation",
    ),
    pytest.param(
        tree_of(node("d", "decision"), node("a", "action", action={"kind": "shell_command", "value": "ls"})),
        [step(1, "action", tool="shell_command", args={"command": "ls"})],
        id="a-command-stands-under-the-word-for-its-kind",
    ),
    pytest.param(
        tree_of(SAY, RESULT, edges=[edge("d", "o", "loop_semantics")]),
        [step(1, "thought", content=f"{MARK}Look."), step(1, "observation", tool="unknown", content="out")],
        id="a-message-to-which-something-came-back-is-no-answer",
    ),
    pytest.param(
        tree_of(SAY, COMPLAINT, node("e", "decision")),
        [step(1, "thought", content=f"{MARK}Look.")],
        id="a-message-that-a-harness-complained-about-is-no-answer",
    ),
    pytest.param(
        tree_of(NOT_KEPT, node("e", "decision", payload={"content": "So."})),
        [step(2, "answer", content="So.")],
        id="a-reply-that-was-not-kept-leaves-a-gap",
    ),
    pytest.param(
        tree_of(node("d", "decision", payload={"content": {"$at": {"status": "redacted", "alias": "<EMAIL_1>"}}})),
        [step(1, "answer", content="<EMAIL_1>")],
        id="what-was-withheld-stands-there-by-its-name",
    ),
    pytest.param(
        tree_of(node("d", "decision", payload={"content": PARTS})),
        [step(1, "answer", content="a\n[image omitted: image/png]")],
        id="parts-are-one-text",
    ),
]


@pytest.mark.parametrize(("tree", "expected"), WRITTEN)
def test_turns_become_these_steps(tree: dict[str, Any], expected: list[dict[str, Any]]) -> None:
    assert expected == steps_of(tree)


def test_thoughts_are_left_out_on_request_and_where_the_bundle_does_not_disclose_them() -> None:
    thought = node("r", "reasoning_summary", payload={"content": "Hm."})
    expected = [step(1, "answer", content="Look.")]
    assert expected == steps_of(tree_of(thought, SAY), Wanted(strips_thoughts=True))
    assert expected == steps_of(tree_of(thought, SAY, disclosure={"private_reasoning": "redacted"}))


def outcome(status: str, authority: str, **members: Any) -> dict[str, Any]:
    return {"outcomes": [{"outcome_id": "o", "status": status, "authority_class": authority, **members}]}


def verified(*statuses: str) -> dict[str, Any]:
    return {"verifier_results": [{"verifier_result_id": str(i), "status": one} for i, one in enumerate(statuses)]}


HOW_IT_WENT = [
    pytest.param({}, None, id="nothing-is-known"),
    pytest.param(outcome("succeeded", "agent_self_report"), None, id="an-agents-own-word-is-not-enough"),
    pytest.param(outcome("succeeded", "runtime"), None, id="a-run-that-ended-is-no-success"),
    pytest.param(outcome("succeeded", "unknown"), None, id="nobodys-word"),
    pytest.param(outcome("failed", "runtime", value="exit_cost"), "failure", id="a-limit-of-cost-is-a-failure"),
    pytest.param(outcome("failed", "runtime", value="TimeExceeded"), "timeout", id="a-limit-of-time-is-a-timeout"),
    pytest.param(outcome("succeeded", "external_world"), "success", id="the-world"),
    pytest.param(outcome("succeeded", "external_world", superseded_by="x"), None, id="an-outcome-that-is-replaced"),
    pytest.param(verified("pass", "pass"), "success", id="every-verifier-passed"),
    pytest.param(verified("pass", "fail"), "failure", id="one-verifier-did-not-pass"),
    pytest.param(verified("indeterminate", "error"), None, id="no-verifier-came-to-a-result"),
    pytest.param({**verified("pass"), **outcome("failed", "runtime")}, "success", id="a-verifier-goes-first"),
]


@pytest.mark.parametrize(("members", "expected"), HOW_IT_WENT)
def test_the_outcome_is_told_only_by_who_can_know_it(members: dict[str, Any], expected: str | None) -> None:
    [document], _, _ = composed(tree_of(SAY, **members), "react-web")
    assert expected == document.get("outcome")


def test_of_several_attempts_the_one_that_was_chosen_is_written() -> None:
    attempts = [node(f"d{i}", "decision", thread_id=f"attempt:{i}", payload={"content": f"try {i}"}) for i in (0, 1)]
    choice = node("c", "branch", payload={"best_attempt": 1})
    [document], losses, _ = composed(tree_of(*attempts, choice), "react-web")
    assert [step(1, "answer", content="try 1")] == document["steps"]
    assert "/nodes/0/payload" in {loss.pointer for loss in losses}
    both, _, _ = composed(tree_of(*attempts), "react-web")
    assert ["try 0", "try 1"] == [one["steps"][0]["content"] for one in both]


RIGHTS = [
    pytest.param({}, 2, id="not-stated"),
    pytest.param({"redistribution_original": "unknown", "redistribution_transformed": True}, 1, id="one-of-both"),
    pytest.param({"redistribution_original": True, "redistribution_transformed": True}, 0, id="granted"),
]


@pytest.mark.parametrize(("rights", "expected"), RIGHTS)
def test_a_file_for_publishing_warns_when_redistribution_is_not_granted(rights: Any, expected: int) -> None:
    _, losses, _ = composed(tree_of(SAY, rights=rights), "react-web")
    assert expected == sum(loss.code == "redistribution-not-granted" for loss in losses)


# --- every Bundle ----------------------------------------------------------------------------------------------------


def obey(tree: dict[str, Any]) -> None:
    """The rules for every file that is written: the component shows it, the validator takes it, nothing is made up."""
    documents, losses, words = composed(tree, "react-web")
    known = {*TYPES, *OUTCOMES}
    assert set() == {one for one in words if one not in known}
    for document in documents:
        assert "breaks" != viewer(as_document(document))
        assert [] == faults(document, "react-web")
        assert set(document) <= set(ENVELOPE)
        shown = page(document)
        assert len(document["steps"]) == len(shown.boxes)
        for one, box in zip(document["steps"], shown.boxes, strict=True):
            assert set(one) <= STEPS[one["type"]]
            assert (LABELS[one["type"]], type(one["iteration"])) == (box.label, int)
            assert box.content is not None or one["type"] == "action"
            assert box.tool or one["type"] in ("thought", "answer")
    synthesized = {loss.code for loss in losses if loss.handling == "synthesized"}
    assert synthesized <= {"iteration", "unknown-tool"}


@pytest.mark.parametrize("tree", BUNDLES)
def test_a_bundle_of_the_pages_becomes_files_that_the_component_shows(tree: dict[str, Any]) -> None:
    obey(tree)


@needs_corpus
@pytest.mark.parametrize(("room", "path"), CORPUS)
def test_a_bundle_of_the_corpus_becomes_files_that_the_component_shows(room: str, path: Any) -> None:
    obey(bundle(room, path.read_bytes()))


# --- round trips -----------------------------------------------------------------------------------------------------

# The format has no ids: where several results wait, each is written after its own call, and the order is another one.
ORDERED_ANEW = {
    "handmade-edge/actions-first-results-reordered.json",
    "handmade-edge/actions-first-same-tool-ambiguous.json",
    "handmade-edge/three-actions-one-observation.json",
}
# ATIF numbers its steps and has neither types of steps of one's own nor the tool of a result without a call.
NOT_BY_ATIF = ORDERED_ANEW | {
    "handmade-edge/missing-iteration-string-iteration-zero.json",
    "handmade-edge/non-string-content-and-args.json",
    "handmade-edge/observation-in-next-iteration.json",
    "handmade-edge/observation-without-action.json",
    "handmade-edge/prototype-names.json",
    "handmade-edge/unknown-type-and-outcome.json",
}
MEMBERS = ("iteration", "type", "tool", "args", "content")


def told(document: Any) -> list[list[Any]]:
    return [[one.get(member) for member in MEMBERS] for one in document["steps"]]


@pytest.mark.parametrize("document", [MINIMAL, FULL, with_steps(step(1, "answer"), outcome="loop")])
def test_a_new_file_says_what_the_old_one_said(document: Any) -> None:
    [again], _, _ = composed(bundle("react-web", json.dumps(document).encode()), "react-web")
    assert (document.get("outcome"), told(document)) == (again.get("outcome"), told(again))


@needs_corpus
@pytest.mark.parametrize("name", [name for name in FILES if name not in ORDERED_ANEW and "non-string" not in name])
def test_steps_of_the_corpus_come_back_from_a_writer_that_sees_only_the_bundle(name: str) -> None:
    raw = (HERE / name).read_bytes()
    [again], _, _ = composed(bundle("react-web", raw), "react-web")
    assert told(json.loads(raw)) == told(again)


@needs_corpus
@pytest.mark.parametrize("name", [name for name in FILES if name not in NOT_BY_ATIF])
def test_steps_come_back_from_atif(name: str) -> None:
    raw = (HERE / name).read_bytes()
    if not json.loads(raw)["steps"]:
        return
    [atif], _, _ = composed(bundle("react-web", raw), "atif")
    [again], _, _ = composed(bundle("atif", json.dumps(atif).encode()), "react-web")
    assert told(json.loads(raw)) == told(again)
