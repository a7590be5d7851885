"""The Bundle → ReAct web JSON: files that the component shows, and a loss for what they cannot hold."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.bundle.model import Bundle
from attraj.formats.mapping.held import Ledger
from attraj.formats.mapping.rooms import Wanted
from attraj.formats.react_web.shape import ENVELOPE, OUTCOMES, STEPS, TYPES
from attraj.formats.react_web.viewer import viewer
from attraj.formats.react_web.write import compose
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
        tree_of(
            node("d", "decision"),
            {**CALL, "kind": "proposal", "admission": {"status": "rejected"}},
            {**RESULT, "observation": "Not allowed."},
            edges=LINKED,
        ),
        [step(1, "action", tool="ls", args={"p": 1})],
        id="nor-what-was-answered-to-it",
    ),
    pytest.param(
        tree_of(
            SAY,
            node("a", "proposal", action={"kind": "unparsed", "value": ""}, admission={"status": "rejected"}),
            {**RESULT, "observation": "No command found."},
            edges=LINKED,
        ),
        [step(1, "thought", content=f"{MARK}Look.")],
        id="a-reply-of-which-no-call-could-be-parsed-asks-for-none",
    ),
    pytest.param(
        tree_of(node("d", "decision"), node("a", "action", action={"kind": "shell_command", "value": "ls"})),
        [step(1, "action", tool="bash", args={"command": "ls"})],
        id="a-command-stands-under-the-word-for-its-kind",
    ),
    pytest.param(
        tree_of(SAY, RESULT, edges=[edge("d", "o", "loop_semantics")]),
        [step(1, "thought", content=f"{MARK}Look."), step(1, "observation", tool="unknown", content="out")],
        id="a-message-to-which-something-came-back-is-no-answer",
    ),
    pytest.param(
        tree_of(SAY, RESULT, node("e", "decision", payload={"content": "Done."})),
        [
            step(1, "thought", content=f"{MARK}Look."),
            step(1, "observation", tool="unknown", content="out"),
            step(2, "answer", content="Done."),
        ],
        id="a-result-that-nothing-links-stands-after-the-message-before-it",
    ),
    pytest.param(
        tree_of(
            SAY, node("e", "decision", payload={"content": "So."}), node("f", "decision", payload={"content": "Done."})
        ),
        [
            step(1, "thought", content=f"{MARK}Look."),
            step(2, "thought", content=f"{MARK}So."),
            step(3, "answer", content="Done."),
        ],
        id="of-several-messages-the-last-alone-is-the-answer",
    ),
    pytest.param(
        tree_of(SAY, node("e", "decision")), [step(1, "thought", content=f"{MARK}Look.")], id="a-message-before-silence"
    ),
    pytest.param(
        tree_of(SAY, node("i", "input", authority_class="principal", payload={"role": "user", "content": "Thanks."})),
        [step(1, "answer", content="Look.")],
        id="thanks-after-an-answer",
    ),
    pytest.param(
        tree_of(node("d", "decision"), CALL, RESULT, edges=[edge("d", "a")]),
        [step(1, "action", tool="ls", args={"p": 1}), step(1, "observation", tool="unknown", content="out")],
        id="no-tool-is-guessed-by-what-waits-for-a-result",
    ),
    pytest.param(
        tree_of(node("d", "decision"), RESULT, {**CALL, "sequence": 9}, edges=[edge("d", "a")]),
        [step(1, "observation", tool="unknown", content="out"), step(1, "action", tool="ls", args={"p": 1})],
        id="a-result-that-nothing-links-keeps-its-place",
    ),
    pytest.param(
        tree_of(node("d", "decision"), {**RESULT, "payload": {"tool": "ls"}}),
        [step(1, "observation", tool="ls", content="out")],
        id="a-result-that-names-its-tool-itself",
    ),
    pytest.param(
        tree_of(
            node("d", "decision", payload={"iteration": 4}),
            {**CALL, "payload": {"place": 1}},
            {**CALL, "node_id": "b", "payload": {"place": 2}},
            {**RESULT, "payload": {"place": 3}},
            edges=[*LINKED, edge("d", "b")],
        ),
        [
            step(4, "action", tool="ls", args={"p": 1}),
            step(4, "action", tool="ls", args={"p": 1}),
            step(4, "observation", tool="ls", content="out"),
        ],
        id="numbers-and-places-that-another-format-has-kept",
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


MODELS = [
    pytest.param([{"id": "m"}], ["m", None], id="a-subagent-has-not-the-model-of-who-called-it"),
    pytest.param([{"id": "m"}, {"id": "n", "thread_id": "sub"}], ["m", "n"], id="each-its-own"),
    pytest.param([{"id": "n", "thread_id": "sub"}], [None, "n"], id="nor-the-other-way-round"),
]


@pytest.mark.parametrize(("models", "expected"), MODELS)
def test_a_model_is_that_of_the_thread(models: list[Any], expected: list[Any]) -> None:
    nodes = [SAY, node("e", "decision", thread_id="sub", payload={"content": "So."})]
    documents, _, _ = composed(tree_of(*nodes, bindings={"models": models, "tasks": [{"id": "t"}]}), "react-web")
    assert expected == [one.get("model") for one in documents]
    assert ["t", "t"] == [one.get("experiment") for one in documents]


COPIED = {"is_copied_context": True}
CONTEXT = [
    pytest.param(node("d", "decision", payload={"content": "Look.", **COPIED}), "copied-context", id="copied"),
    pytest.param(
        node("d", "decision", payload={"content": "Look.", "llm_call_count": 0}), "uncalled-step", id="no-call"
    ),
    pytest.param(
        node("d", "decision", authority_class="harness", payload={"content": "Look."}), "uncalled-step", id="own"
    ),
]


@pytest.mark.parametrize(("decision", "code"), CONTEXT)
def test_what_the_agent_did_not_decide_is_no_step(decision: dict[str, Any], code: str) -> None:
    thought = node("r", "reasoning_summary", payload={"content": "Hm."})
    nodes = [thought, decision, CALL, RESULT, node("e", "decision", payload={"content": "Done."})]
    [document], losses, _ = composed(tree_of(*nodes, edges=[edge("r", "d"), *LINKED]), "react-web")
    assert [step(1, "answer", content="Done.")] == document["steps"]
    lost = {(loss.code, loss.category, loss.handling, loss.pointer) for loss in losses if loss.code == code}
    places = ("/nodes/0/payload", "/nodes/1/payload", "/nodes/2/action", "/nodes/3/observation")
    assert {(code, "message_vs_state_view", "dropped", place) for place in places} == lost


def asked(content: Any, **members: Any) -> dict[str, Any]:
    return node(f"i-{content}", "input", **{"payload": {"role": "user", "content": content}, **members})


TASKS = [
    pytest.param([asked("Do it."), SAY], "Do it.", id="one"),
    pytest.param([asked("Here is where."), asked("Do it."), SAY], "Here is where.\n\nDo it.", id="several"),
    pytest.param([asked("Do it."), asked("No call.", authority_class="harness"), SAY], "Do it.", id="and-a-harness"),
    pytest.param([asked("Do it."), SAY, asked("And that.")], "Do it.", id="what-is-said-later"),
    pytest.param([SAY, asked("Do it.")], "Do it.", id="the-first-word-though-it-comes-late"),
    pytest.param([asked("", authority_class="principal"), SAY], None, id="nothing"),
]


@pytest.mark.parametrize(("nodes", "expected"), TASKS)
def test_the_task_is_what_was_said_before_the_agent_began(nodes: list[Any], expected: str | None) -> None:
    [document], losses, _ = composed(tree_of(*nodes), "react-web")
    assert expected == document.get("task")
    assert ("\n\n" in (expected or "")) is any(loss.code == "inputs-joined" for loss in losses)


def test_a_reply_that_was_not_kept_is_named() -> None:
    _, losses, _ = composed(tree_of(NOT_KEPT, node("e", "decision", payload={"content": "So."})), "react-web")
    assert ["/nodes/0/payload"] == [loss.pointer for loss in losses if loss.code == "lost-reply"]


def test_the_task_may_be_copied_and_is_never_an_example() -> None:
    demo = node("x", "input", payload={"role": "user", "content": "Like this.", "is_demo": True})
    task = node("i", "input", payload={"role": "user", "content": "Do it.", **COPIED})
    [document], losses, _ = composed(tree_of(demo, task, SAY), "react-web")
    assert ("Do it.", [step(1, "answer", content="Look.")]) == (document["task"], document["steps"])
    assert {"demonstration", "copied-context"} <= {loss.code for loss in losses}


def test_what_replaced_a_context_is_no_observation_of_a_tool() -> None:
    management = {"type": "compaction", "boundary": "replace"}
    compacted = node("i", "input", payload={"role": "system", "content": "Cut.", "context_management": management})
    [document], losses, _ = composed(tree_of(compacted, RESULT, SAY), "react-web")
    assert [step(1, "answer", content="Look.")] == document["steps"]
    lost = {loss.pointer: loss.category for loss in losses if loss.code == "context-boundary"}
    assert {"/nodes/0/payload": "message_vs_state_view", "/nodes/1/observation": "message_vs_state_view"} == lost


def test_of_several_attempts_the_one_that_was_chosen_is_written() -> None:
    attempts = [node(f"d{i}", "decision", thread_id=f"attempt:{i}", payload={"content": f"try {i}"}) for i in (0, 1)]
    choice = node("c", "branch", payload={"best_attempt": 1})
    [document], losses, _ = composed(tree_of(*attempts, choice), "react-web")
    assert [step(1, "answer", content="try 1")] == document["steps"]
    assert any(loss.pointer.startswith("/nodes/0/payload") for loss in losses)
    both, _, _ = composed(tree_of(*attempts), "react-web")
    assert ["try 0", "try 1"] == [one["steps"][0]["content"] for one in both]


RIGHTS = [
    pytest.param({}, True, id="not-stated"),
    pytest.param({"redistribution_original": "unknown", "redistribution_transformed": True}, True, id="one-of-both"),
    pytest.param({"redistribution_original": True, "redistribution_transformed": True}, False, id="granted"),
]


@pytest.mark.parametrize(("rights", "expected"), RIGHTS)
def test_a_file_for_publishing_warns_when_redistribution_is_not_granted(rights: Any, expected: bool) -> None:
    tree = tree_of(SAY, rights=rights)
    ledger = Ledger()
    compose(Bundle(tree), ledger, Wanted())
    warning = "the file is made for publishing, and redistribution is not granted"
    assert ([warning] if expected else []) == ledger.notes
    assert [] == [loss for loss in ledger.losses if loss.category == "rights"]  # nothing of it is lost


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

# ATIF asks for an object as arguments, and for the name of a tool no more than it is there: RW005 and RW006.
WITH_ERRORS = {"handmade-edge/non-string-content-and-args.json", "handmade-edge/observation-without-action.json"}
MEMBERS = ("iteration", "type", "tool", "args", "content")


def told(document: Any) -> list[list[Any]]:
    return [[one.get(member) for member in MEMBERS] for one in document["steps"]]


@pytest.mark.parametrize("document", [MINIMAL, FULL, with_steps(step(1, "answer"), outcome="loop")])
def test_a_new_file_says_what_the_old_one_said(document: Any) -> None:
    [again], _, _ = composed(bundle("react-web", json.dumps(document).encode()), "react-web")
    assert (document.get("outcome"), told(document)) == (again.get("outcome"), told(again))


@needs_corpus
@pytest.mark.parametrize("name", [name for name in FILES if "non-string" not in name])
def test_steps_of_the_corpus_come_back_from_a_writer_that_sees_only_the_bundle(name: str) -> None:
    raw = (HERE / name).read_bytes()
    [again], _, _ = composed(bundle("react-web", raw), "react-web")
    assert told(json.loads(raw)) == told(again)


@needs_corpus
@pytest.mark.parametrize("name", [name for name in FILES if name not in WITH_ERRORS])
def test_steps_come_back_from_atif(name: str) -> None:
    raw = (HERE / name).read_bytes()
    if not json.loads(raw)["steps"]:
        return
    [atif], _, _ = composed(bundle("react-web", raw), "atif")
    [again], _, _ = composed(bundle("atif", json.dumps(atif).encode()), "react-web")
    assert told(json.loads(raw)) == told(again)
