"""Bundle → `.traj`: nothing of another run or thread as this one's, nothing together that no record links."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.formats.mapping.rooms import Wanted
from attraj.formats.swe_agent.align import StepKind, align
from tests.formats.swe_agent.files import base, changed
from tests.formats.swe_agent.test_read import bundle_of, edges, node
from tests.formats.swe_agent.test_write import SAID, TASK, bundle, call, errors, only, seen, told, written

# --- results that nothing links ----------------------------------------------------------------------------------

LS = call("a", arguments={"command": "ls"}, call_id="c1")
PWD = call("b", arguments={"command": "pwd"}, call_id="c2")
ASKED = (("d", "a"), ("d", "b"))


def answers(document: Any) -> list[tuple[str, str, Any]]:
    """Role, content and call ids of what came back."""
    return [
        (one["role"], one["content"], one.get("tool_call_ids"))
        for one in document["history"]
        if one["message_type"] == "observation"
    ]


def test_results_that_no_record_links_stand_with_none_of_several_calls() -> None:
    document, losses = only(bundle(SAID, LS, PWD, seen("x", "calc.py"), seen("y", "/"), edges=ASKED))
    assert [None, None] == [step["observation"] for step in document["trajectory"]]
    assert [("user", "calc.py", None), ("user", "/", None)] == answers(document)
    assert [("approximated", "/nodes/3/observation"), ("approximated", "/nodes/4/observation")] == told(
        losses, "unlinked-result"
    )


def test_a_linked_result_keeps_its_id_beside_one_that_is_not() -> None:
    document, losses = only(bundle(SAID, LS, PWD, seen("x", "calc.py"), seen("y", "/"), edges=(*ASKED, ("a", "x"))))
    assert ["calc.py", None] == [step["observation"] for step in document["trajectory"]]
    assert [("tool", "calc.py", ["c1"]), ("user", "/", None)] == answers(document)
    assert [("approximated", "/nodes/4/observation")] == told(losses, "unlinked-result")


def test_the_only_call_of_a_turn_has_a_result_beside_it_and_no_id() -> None:
    document, losses = only(bundle(SAID, LS, seen("x", "calc.py"), edges=[("d", "a")]))
    assert ["calc.py"] == [step["observation"] for step in document["trajectory"]]
    assert [("user", "calc.py", None)] == answers(document)
    assert [("approximated", "/nodes/2/observation")] == told(losses, "unlinked-result")


def test_what_comes_back_of_a_reply_without_calls_is_no_result_of_its_step() -> None:
    document, losses = only(bundle(SAID, seen("x", "calc.py")))
    assert [("", None)] == [(step["action"], step["observation"]) for step in document["trajectory"]]
    assert [("user", "calc.py", None)] == answers(document)
    assert [("approximated", "/nodes/1/observation")] == told(losses, "unlinked-result")


@pytest.mark.parametrize(
    ("basis", "answer"),
    [
        pytest.param("call_id", ("tool", "calc.py", ["c1"]), id="by-an-id"),
        pytest.param("recorded", ("tool", "calc.py", ["c1"]), id="by-a-record"),
        pytest.param("turn_order", ("user", "calc.py", None), id="by-the-order-of-turns"),
        pytest.param("loop_semantics", ("user", "calc.py", None), id="by-the-way-of-a-loop"),
    ],
)
@pytest.mark.parametrize("inferred", [0, 1], ids=["the-effect", "the-result"])
def test_an_id_stands_only_where_the_link_is_known(basis: str, answer: Any, inferred: int) -> None:
    done = ("e", "effect", {"effect": {"external": True}})
    tree = bundle(SAID, LS, done, seen("x", "calc.py"), edges=[("d", "a"), ("a", "e"), ("e", "x")])
    tree["edges"][1 + inferred]["basis"] = basis
    document, _ = only(tree)
    assert ["calc.py"] == [step["observation"] for step in document["trajectory"]]
    assert [answer] == answers(document)


# --- what a thread has not lived ---------------------------------------------------------------------------------

COPIED = {"payload": {"content": "Old.", "is_copied_context": True}, "authority_class": "unknown"}
UNCALLED = {"payload": {"content": "Auto.", "llm_call_count": 0}, "authority_class": "harness"}


@pytest.mark.parametrize(
    ("members", "own", "code", "category", "place"),
    [
        pytest.param(
            COPIED,
            {"is_copied_context": True},
            "copied-context",
            "message_vs_state_view",
            "/nodes/1/payload/is_copied_context",
            id="a-copied-step",
        ),
        pytest.param(
            UNCALLED,
            {"llm_call_count": 0},
            "uncalled-step",
            "identity",
            "/nodes/1/payload/llm_call_count",
            id="a-step-without-a-model-call",
        ),
        pytest.param(
            {"payload": {"content": "Auto."}, "authority_class": "harness"},
            {"authority_class": "harness"},
            "uncalled-step",
            "identity",
            "/nodes/1/authority_class",
            id="a-decision-of-the-harness",
        ),
    ],
)
def test_a_step_that_is_no_experience_is_in_the_history_alone(
    members: Any, own: Any, code: str, category: str, place: str
) -> None:
    tree = bundle(TASK, ("k", "decision", members), LS, seen("x", "calc.py"), SAID, edges=[("k", "a")])
    document, losses = only(tree)
    assert ["I look."] == [step["response"] for step in document["trajectory"]]
    marked = [one for one in document["history"] if "attraj" in one]
    assert [("assistant", members["payload"]["content"]), ("user", "calc.py")] == [
        (one["role"], one["content"]) for one in marked
    ]
    assert all(one["is_demo"] is True and one["attraj"] == own for one in marked)
    assert [(code, category, "approximated", place)] == [
        (loss.code, loss.category, loss.handling, loss.pointer) for loss in losses if loss.code == code
    ]
    assert [] == errors(document)


def test_what_was_copied_does_not_hide_the_steps_of_the_run() -> None:
    copied = [(f"k{number}", "decision", COPIED) for number in range(9)]
    document, _ = only(bundle(*copied, SAID, LS, seen("x", "calc.py"), edges=[("d", "a"), ("a", "x")]))
    aligned = align(document["trajectory"], document["history"])
    assert [(StepKind.TURN, 9)] == [(step.kind, step.item) for step in aligned.steps]


def test_copied_inputs_are_marked_and_the_others_are_not() -> None:
    payload = {"role": "user", "content": "Old task.", "is_copied_context": True}
    document, losses = only(bundle(("k", "input", {"payload": payload}), TASK, SAID))
    old, new, _ = document["history"]
    assert (True, {"is_copied_context": True}) == (old["is_demo"], old["attraj"])
    assert new.keys().isdisjoint({"is_demo", "attraj"})
    assert [("approximated", "/nodes/0/payload/is_copied_context")] == told(losses, "copied-context")


def test_a_demonstration_that_is_written_anew_is_no_run() -> None:
    said = {"role": "assistant", "content": "I look.", "thought": "I look.", "action": "ls", "agent": "main"}
    tree = bundle_of(
        {"history": [{"role": "user", "content": "Fix it."}, said, {"role": "user", "content": "calc.py"}]}
    )
    document, losses = only(tree)
    assert [] == document["trajectory"]
    assert [None, True, True] == [one.get("is_demo") for one in document["history"]]
    assert ["approximated"] == [handling for handling, _ in told(losses, "demonstration")]
    assert [] == errors(document)


def test_a_masked_reply_of_the_model_is_a_step() -> None:
    masked = {"payload": {"content": "I look."}, "training": {"target": False}, "authority_class": "model"}
    assert 1 == len(only(bundle(("d", "decision", masked)))[0]["trajectory"])


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param({"content": "I look.", "is_copied_context": False}, id="not-copied"),
        pytest.param({"content": "I look.", "is_copied_context": "true"}, id="a-text-is-no-flag"),
        pytest.param({"content": "I look.", "llm_call_count": 1}, id="one-call"),
        pytest.param({"content": "I look.", "llm_call_count": 3}, id="several-calls"),
        pytest.param({"content": "I look.", "llm_call_count": False}, id="false-is-no-number"),
        pytest.param({"content": "I look.", "llm_call_count": None}, id="not-known"),
    ],
)
def test_a_step_of_the_run_is_experience(payload: Any) -> None:
    document, _ = only(bundle(("d", "decision", {"payload": payload, "authority_class": "model"})))
    assert ["I look."] == [step["response"] for step in document["trajectory"]]
    assert document["history"][0].keys().isdisjoint({"is_demo", "attraj"})


def test_the_marks_are_read_again() -> None:
    payload = {"role": "user", "content": "Old task.", "is_copied_context": True}
    tree = bundle(("i", "input", {"payload": payload}), ("k", "decision", COPIED), ("u", "decision", UNCALLED), SAID)
    again = bundle_of(only(tree)[0])
    assert node(again, "history:0:input")["payload"]["is_copied_context"] is True
    copied, uncalled = node(again, "history:1:message"), node(again, "history:2:message")
    assert ("decision", "unknown") == (copied["kind"], copied["authority_class"])
    assert {"content": "Old.", "role": "assistant", "is_demo": True, "is_copied_context": True} == copied["payload"]
    assert copied["training"]["target"] is False
    assert ("decision", "harness", 0) == (
        uncalled["kind"],
        uncalled["authority_class"],
        uncalled["payload"]["llm_call_count"],
    )
    assert "not_applicable" == uncalled["model_call"]["availability"]
    assert not [edge for edge in edges(again) if {"history:1:message", "history:2:message"} & {edge[0], edge[2]}]


def test_the_command_of_a_person_is_a_message_and_no_step() -> None:
    own = ("h", "action", {"action": {"value": "git status"}, "authority_class": "principal"})
    tree = bundle(TASK, SAID, own, seen("o", "clean"), edges=[("h", "o")])
    document, losses = only(tree)
    assert ["I look."] == [step["response"] for step in document["trajectory"]]
    assert [None] == [step["observation"] for step in document["trajectory"]]
    assert [("user", "Fix it."), ("assistant", "I look."), ("user", "git status"), ("user", "clean")] == [
        (one["role"], one["content"]) for one in document["history"]
    ]
    assert {"authority_class": "principal"} == document["history"][2]["attraj"]
    assert "attraj" not in document["history"][3]  # nobody says whose word the result is
    assert [("synthesized", "/nodes/2")] == told(losses, "call-of-a-person")


def test_the_result_of_a_person_s_command_is_no_word_of_theirs() -> None:
    own = ("h", "action", {"action": {"value": "git status"}, "authority_class": "principal"})
    result = ("o", "observation", {"observation": "clean", "authority_class": "external"})
    document, _ = only(bundle(TASK, SAID, own, result, edges=[("h", "o")]))
    assert ["principal", "external"] == [one["attraj"]["authority_class"] for one in document["history"][2:]]


def test_a_reply_without_a_word_is_no_rejected_proposal() -> None:
    document, losses = only(bundle(TASK, ("k", "decision", {"payload": {"content": ""}}), SAID))
    assert ["I look."] == [step["response"] for step in document["trajectory"]]
    assert ["Fix it.", "", "I look."] == [one["content"] for one in document["history"]]
    assert [("approximated", "/nodes/1")] == told(losses, "empty-reply")


# --- what is bound to a thread -----------------------------------------------------------------------------------

CHILD = ("s", "decision", {"payload": {"content": "I help."}, "thread_id": "child"})


def models(**bindings: Any) -> list[Any]:
    """`info.attraj` of the document of each thread."""
    documents, _ = written(bundle(SAID, CHILD, bindings=bindings))
    return [settled.tree["info"].get("attraj") for _, settled in documents]


@pytest.mark.parametrize(
    ("bindings", "expected"),
    [
        pytest.param({"models": [{"id": "m"}]}, [{"model": "m"}, None], id="the-main-thread's-alone"),
        pytest.param(
            {"models": [{"id": "m"}, {"id": "c", "thread_id": "child"}]},
            [{"model": "m"}, {"model": "c"}],
            id="each-its-own",
        ),
        pytest.param({"models": [{"id": "c", "thread_id": "child"}]}, [None, {"model": "c"}], id="the-child's-alone"),
        pytest.param({"models": [{"id": "x", "thread_id": "other"}]}, [None, None], id="of-a-thread-that-is-not-here"),
        pytest.param({"models": [{"availability": "unavailable"}]}, [None, None], id="not-known"),
        pytest.param({"tasks": [{"id": "t"}]}, [{"task": "t"}, {"task": "t"}], id="a-task-is-the-run's"),
        pytest.param(
            {"tasks": [{"id": "t"}, {"id": "u", "thread_id": "child"}]},
            [{"task": "t"}, {"task": "u"}],
            id="unless-threads-have-their-own",
        ),
    ],
)
def test_a_thread_has_its_own_model_or_none(bindings: Any, expected: Any) -> None:
    assert expected == models(**bindings)


def test_the_only_thread_has_what_the_record_binds() -> None:
    document, _ = only_part(bundle(CHILD, bindings={"models": [{"id": "m"}]}))
    assert {"model": "m"} == document["info"]["attraj"]


def only_part(tree: Any) -> Any:
    [(_, settled)], losses = written(tree)
    return settled.tree, losses


def test_each_attempt_has_its_own_environment_and_release() -> None:
    patch = [{"op": "replace", "path": "/attempts/0/environment", "value": "other"}]
    tree = bundle_of(changed("retry", patch))
    assert ["attempt:0", "attempt:1"] == [one["thread_id"] for one in tree["bindings"]["environments"]]
    documents, _ = written(tree)
    expected = ["other", base("retry")["attempts"][1]["environment"]]
    assert expected == [settled.tree["environment"] for _, settled in documents]


# --- reasoning that is not wanted --------------------------------------------------------------------------------


def test_stripped_thoughts_are_in_no_input_either() -> None:
    token = "zq" + "thought"
    said = {"role": "assistant", "content": "I look.", "thinking_blocks": [{"type": "thinking", "thinking": token}]}
    state = {"state_id": "s", "kind": "state_view", "availability": "included", "view": [said]}
    tree = bundle(("d", "decision", {"payload": {"content": "I see."}, "state_view": "s"}), states=[state])
    assert token in str(only(tree)[0])
    document, losses = only(tree, Wanted(strips_thoughts=True))
    assert token not in str(document)
    assert [{"role": "assistant", "content": "I look."}] == document["trajectory"][0]["query"]
    assert [("dropped", "/states/0")] == told(losses, "stripped-thoughts")
