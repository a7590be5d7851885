"""The Bundle → mini-swe-agent in the shape of 2.x: valid runs, nothing that never ran, a loss for the rest."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.bundle.model import Bundle
from attraj.formats.mapping.held import Ledger
from attraj.formats.mapping.rooms import NotWritable, Wanted
from attraj.formats.mini_swe_agent.write import compose
from tests.formats.bundles import AS_IT_IS, bundle, composed, corpus_files, faults, page_bundles
from tests.formats.mini_swe_agent.documents import PADDED, ended, error, reply, result, run_of
from tests.formats.mini_swe_agent.test_corpus import FILES, HERE
from tests.support import needs_corpus

BUNDLES = [pytest.param(tree, id=name) for name, tree in page_bundles()]
CORPUS = [
    pytest.param(room, path, id=path.name)
    for room in ("atif", "swe-agent", "react-web", "mini-swe-agent")
    for path in corpus_files(room)
    if "neighbours" not in str(path)
]


def node(node_id: str, kind: str, **members: Any) -> dict[str, Any]:
    return {"node_id": node_id, "kind": kind, **members}


def edge(cause: str, effect: str) -> dict[str, Any]:
    return {"edge_id": f"{cause}>{effect}", "from": cause, "to": effect, "relation": "caused_by", "basis": "recorded"}


def tree_of(*nodes: dict[str, Any], edges: Any = (), **members: Any) -> dict[str, Any]:
    return {"nodes": list(nodes), "edges": list(edges), **members}


def messages_of(tree: dict[str, Any], wanted: Wanted = AS_IT_IS) -> list[dict[str, Any]]:
    [document], _, _ = composed(tree, "mini-swe-agent", wanted)
    messages: list[dict[str, Any]] = document["messages"]
    return messages


def call(name: str, arguments: str, call_id: str = "c1") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


SAY = node("d", "decision", payload={"content": "Look."})
CALL = node(
    "a", "action", action={"kind": "tool_call", "name": "bash", "arguments": {"command": "ls"}, "call_id": "c1"}
)
EFFECT = node("e", "effect", effect={"external": True})
RESULT = node("o", "observation", observation="out", timestamp="2026-01-01T00:00:00.5Z")
UNPARSED = node("a", "proposal", action={"kind": "unparsed", "value": ""}, admission={"status": "rejected"})
LINKED = [edge("d", "a"), edge("a", "e"), edge("e", "o"), edge("a", "o")]
ASKED = {"role": "assistant", "content": "Look.", "tool_calls": [call("bash", '{"command": "ls"}')]}

WRITTEN = [
    pytest.param(tree_of(SAY), [{"role": "assistant", "content": "Look."}], id="a-message"),
    pytest.param(
        tree_of(SAY, CALL, EFFECT, RESULT, edges=LINKED),
        [
            {**ASKED, "extra": {"actions": [{"command": "ls", "tool_call_id": "c1"}]}},
            {"role": "tool", "content": "out", "extra": {"timestamp": 1767225600.5}, "tool_call_id": "c1"},
        ],
        id="a-call-that-ran",
    ),
    pytest.param(tree_of(SAY, CALL, edges=LINKED), [ASKED], id="what-never-ran-has-no-action"),
    pytest.param(
        tree_of(node("d", "decision"), node("a", "action", action={"kind": "shell_command", "value": "ls"})),
        [{"role": "assistant", "content": None, "tool_calls": [call("bash", '{"command": "ls"}', "call_1_1")]}],
        id="a-command-is-a-call-of-the-only-tool",
    ),
    pytest.param(
        tree_of(SAY, RESULT),
        [
            {"role": "assistant", "content": "Look."},
            {"role": "user", "content": "out", "extra": {"timestamp": 1767225600.5}},
        ],
        id="a-result-of-no-call-is-a-message-of-the-user",
    ),
    pytest.param(
        tree_of(
            node("d", "decision", status="rejected", payload={"content": "So."}),
            node("i", "input", payload={"role": "user", "content": "No call.", "interrupt": "FormatError"}),
        ),
        [{"role": "user", "content": "No call.", "extra": {"interrupt_type": "FormatError", "model_response": "So."}}],
        id="a-reply-that-could-not-be-parsed-stands-in-the-complaint",
    ),
    pytest.param(
        tree_of(SAY, UNPARSED, {**RESULT, "observation": "No call."}, edges=LINKED),
        [
            {
                "role": "user",
                "content": "No call.",
                "extra": {"interrupt_type": "FormatError", "timestamp": 1767225600.5, "model_response": "Look."},
            }
        ],
        id="a-reply-that-another-format-could-not-parse",
    ),
    pytest.param(
        tree_of(SAY, UNPARSED, edges=LINKED),
        [{"role": "assistant", "content": "Look."}],
        id="a-reply-that-could-not-be-parsed-and-that-nobody-complained-of",
    ),
    pytest.param(
        tree_of(SAY, {**CALL, "kind": "proposal", "admission": {"status": "rejected"}}, RESULT, edges=LINKED),
        [
            ASKED,
            {
                "role": "tool",
                "content": "out",
                "extra": {"timestamp": 1767225600.5, **PADDED},
                "tool_call_id": "c1",
            },
        ],
        id="what-was-answered-to-a-call-that-was-not-admitted-says-that-it-was-not-executed",
    ),
    pytest.param(
        tree_of(node("r", "reasoning_summary", payload={"content": "Hm."}), SAY),
        [{"role": "assistant", "content": "Look.", "reasoning_content": "Hm."}],
        id="reasoning",
    ),
    pytest.param(
        tree_of(SAY, node("t", "terminal", payload={"content": "patch"})),
        [
            {"role": "assistant", "content": "Look."},
            {"role": "exit", "content": "patch"},
        ],
        id="the-end-which-is-no-submission-by-itself",
    ),
]


@pytest.mark.parametrize(("tree", "expected"), WRITTEN)
def test_turns_become_these_messages(tree: dict[str, Any], expected: list[dict[str, Any]]) -> None:
    assert expected == messages_of(tree)


COPIED = {"is_copied_context": True}
CONTEXT = [
    pytest.param({"payload": {"content": "Look.", **COPIED}}, "copied-context", id="copied"),
    pytest.param({"payload": {"content": "Look.", "llm_call_count": 0}}, "uncalled-step", id="no-model-was-called"),
    pytest.param({"authority_class": "harness", "payload": {"content": "Look."}}, "uncalled-step", id="a-harness"),
]


@pytest.mark.parametrize(("members", "code"), CONTEXT)
def test_what_the_model_did_not_reply_is_no_reply(members: dict[str, Any], code: str) -> None:
    nodes = [
        node("d", "decision", **members),
        CALL,
        EFFECT,
        RESULT,
        node("f", "decision", payload={"content": "Done."}),
    ]
    [document], losses, _ = composed(tree_of(*nodes, edges=LINKED), "mini-swe-agent")
    assert [{"role": "assistant", "content": "Done."}] == document["messages"]
    lost = {(loss.category, loss.handling, loss.pointer) for loss in losses if loss.code == code}
    places = ("/nodes/0/payload", "/nodes/1/action", "/nodes/3/observation")
    assert {("message_vs_state_view", "dropped", place) for place in places} == lost


def test_a_copied_word_stays_and_an_example_of_a_reply_does_not() -> None:
    task = node("i", "input", payload={"role": "user", "content": "Do it.", **COPIED})
    shown = node("x", "input", payload={"role": "assistant", "content": "Like this.", "is_demo": True})
    [document], losses, _ = composed(tree_of(shown, task, SAY), "mini-swe-agent")
    expected = [{"role": "user", "content": "Do it."}, {"role": "assistant", "content": "Look."}]
    assert expected == document["messages"]
    assert {"demonstration", "copied-context"} <= {loss.code for loss in losses}


def test_a_command_of_a_person_is_a_message_of_the_user() -> None:
    command = node("a", "action", authority_class="principal", action={"kind": "shell_command", "value": "ls"})
    [document], _, _ = composed(tree_of(command, RESULT, edges=[edge("a", "o")]), "mini-swe-agent")
    assert [
        {"role": "user", "content": "ls", "extra": {"actions": [{"command": "ls"}]}},
        {"role": "user", "content": "out", "extra": {"timestamp": 1767225600.5}},
    ] == document["messages"]


def test_a_subagent_has_not_the_model_of_who_called_it_and_the_end_is_told_where_the_run_ends() -> None:
    nodes = [SAY, node("e", "decision", thread_id="cont-1", payload={"content": "So."})]
    resumes = {"edge_id": "x", "from": "d", "to": "e", "relation": "resumes", "basis": "recorded"}
    late = {"outcome_id": "o", "status": "failed", "authority_class": "runtime", "value": "TimeExceeded"}
    models = [{"id": "m", "decoding": {"temperature": 0.5}}]
    tree = tree_of(*nodes, edges=[resumes], outcomes=[late], bindings={"models": models})
    main, rest = composed(tree, "mini-swe-agent")[0]
    assert ("m", None) == (main["info"]["config"]["model"]["model_name"], rest["info"].get("config"))
    assert (None, "TimeExceeded") == (main["info"].get("exit_status"), rest["info"]["exit_status"])


def test_thoughts_are_left_out_on_request() -> None:
    tree = tree_of(node("r", "reasoning_summary", payload={"content": "Hm."}), SAY)
    assert [{"role": "assistant", "content": "Look."}] == messages_of(tree, Wanted(strips_thoughts=True))


DONE = {"outcome_id": "o", "status": "succeeded", "authority_class": "agent_self_report"}
CUT = {"outcome_id": "o", "status": "partial", "authority_class": "runtime", "value": "submitted (exit_cost)"}
END = node("t", "terminal", payload={"content": "Out of money."})
PATCH = node("p", "evidence", payload={"content": "patch"})
SUBMISSIONS = [
    pytest.param(
        [END], {**DONE, "evidence_refs": ["t"]}, "Out of money.", id="what-the-end-says-when-the-agent-is-done"
    ),
    pytest.param([END], {**CUT, "evidence_refs": ["t"]}, None, id="not-what-it-says-when-the-run-was-cut-off"),
    pytest.param([END, PATCH], {**CUT, "evidence_refs": ["p", "t"]}, "patch", id="evidence"),
    pytest.param([END, PATCH], CUT, None, id="evidence-of-something-else"),
    pytest.param([node("t", "terminal", payload={"submission": "patch"})], {}, "patch", id="its-own-member"),
    pytest.param([END, {**PATCH, "status": "submitted"}], {}, "patch", id="evidence-that-was-submitted"),
    pytest.param([{**END, "status": "submitted"}], {}, "Out of money.", id="an-end-that-was-submitted"),
    pytest.param([END], {}, None, id="an-end-of-which-nobody-says-so"),
]


@pytest.mark.parametrize(("nodes", "outcome", "expected"), SUBMISSIONS)
def test_what_was_submitted_is_what_the_record_calls_so(nodes: list[Any], outcome: Any, expected: str | None) -> None:
    tree = tree_of(SAY, *nodes, outcomes=[outcome] if outcome else [])
    [document], _, _ = composed(tree, "mini-swe-agent")
    assert expected == document["info"].get("submission")
    assert expected == document["messages"][-1].get("extra", {}).get("submission")


STATUSES = [
    pytest.param("succeeded", "agent_self_report", "submitted", "Submitted", id="the-agent-has-submitted"),
    pytest.param("succeeded", "agent_self_report", None, None, id="to-be-done-is-not-to-have-submitted"),
    pytest.param("failed", "agent_self_report", None, None, id="the-agent-gave-up-for-which-there-is-no-word"),
    pytest.param("failed", "runtime", "exit_cost", "exit_cost", id="the-runtimes-own-word"),
    pytest.param("cancelled", "runtime", "exit_command", "exit_command", id="what-the-runtime-cut-off"),
    pytest.param("finished", "runtime", "done", None, id="a-run-that-finished"),
    pytest.param("failed", "runtime", None, None, id="the-runtime-gave-no-word"),
    pytest.param("succeeded", "external_world", None, None, id="what-the-world-says-is-no-end-of-a-loop"),
]


@pytest.mark.parametrize(("status", "authority", "value", "expected"), STATUSES)
def test_the_exit_status_is_of_who_ended_the_run(status: str, authority: str, value: Any, expected: Any) -> None:
    outcome = {"outcome_id": "o", "status": status, "authority_class": authority}
    outcome |= {} if value is None else {"value": value}
    [document], _, _ = composed(tree_of(SAY, outcomes=[outcome]), "mini-swe-agent")
    assert expected == document["info"].get("exit_status")


REFUSED = [
    pytest.param(tree_of(), AS_IT_IS, id="no-turn"),
    pytest.param(tree_of(SAY), Wanted(version="1"), id="a-version-that-is-not-written"),
]


@pytest.mark.parametrize(("tree", "wanted"), REFUSED)
def test_what_cannot_be_written_is_refused(tree: dict[str, Any], wanted: Wanted) -> None:
    with pytest.raises(NotWritable):
        composed(tree, "mini-swe-agent", wanted)


# --- every Bundle ----------------------------------------------------------------------------------------------------

WORDS = {"user", "assistant", "tool", "exit", "function", "text", "mini-swe-agent-1", "mini-swe-agent-1.1", None}


def obey(tree: dict[str, Any]) -> None:
    """The rules for every run that is written: the validator takes it, and nothing is made up but ids of calls."""
    try:
        documents, losses, words = composed(tree, "mini-swe-agent")
    except NotWritable:
        return
    assert [] == [one for one in words if one not in WORDS and one != {} and one != []]
    for document in documents:
        assert [] == faults(document, "mini-swe-agent")
    assert {"call-id", "role"} >= {loss.code for loss in losses if loss.handling == "synthesized"}


@pytest.mark.parametrize("tree", BUNDLES)
def test_a_bundle_of_the_pages_becomes_a_valid_run(tree: dict[str, Any]) -> None:
    obey(tree)


@needs_corpus
@pytest.mark.parametrize(("room", "path"), CORPUS)
def test_a_bundle_of_the_corpus_becomes_a_valid_run(room: str, path: Any) -> None:
    obey(bundle(room, path.read_bytes()))


# --- round trips -----------------------------------------------------------------------------------------------------


def text_reply(*commands: str) -> dict[str, Any]:
    return {"role": "assistant", "content": "Look.", "extra": {"actions": [{"command": one} for one in commands]}}


TASK = {"role": "user", "content": "Do it."}
TEXT_RESULT = {"role": "user", "content": "out", "extra": {"returncode": 0}}
PLAIN = {"role": "assistant", "content": "```bash\nls\n```"}
FRAMED = {"role": "user", "content": "<returncode>0</returncode>\nout"}
COMMAND = {"role": "user", "content": "ls", "extra": {"actions": [{"command": "ls"}]}}
LAST = {"role": "user", "content": "patch"}

AGAIN = [
    pytest.param(run_of(reply(("c1", "ls")), result("c1"), reply(("c2", "pwd"))), id="tool-calls"),
    pytest.param(run_of(reply(("c1", "ls"), ("c2", "pwd")), result("c1"), result("c2"), ended()), id="parallel-calls"),
    pytest.param(run_of(error(), error(model_response="So."), ended("RepeatedFormatError")), id="format-errors"),
    pytest.param(run_of(reply(("c1", "ls")), result("c1", **PADDED)), id="not-executed"),
    pytest.param(run_of(TASK, text_reply("ls"), TEXT_RESULT, text_reply("pwd"), ended()), id="text-mode"),
    pytest.param(run_of(TASK, text_reply("ls", "pwd"), TEXT_RESULT), id="text-mode-with-a-call-that-has-no-result"),
    pytest.param(run_of(TASK, PLAIN, error(), PLAIN, ended()), id="a-rejected-reply-that-was-kept"),
    pytest.param(run_of(TASK, COMMAND, TEXT_RESULT), id="a-command-of-a-person"),
    pytest.param(
        run_of(reply(("c1", "a"), ("c2", "b")), result("c2"), result("c1")),
        id="results-in-the-order-in-which-they-came",
    ),
]


def told(document: Any) -> list[Any]:
    """Roles, texts, ids and interrupts of the messages."""
    return [
        (
            one["role"],
            one.get("content"),
            [asked["id"] for asked in one.get("tool_calls") or ()],
            [action["command"] for action in one.get("extra", {}).get("actions", ()) if not one.get("tool_calls")],
            one.get("tool_call_id"),
            one.get("extra", {}).get("interrupt_type"),
            one.get("extra", {}).get("returncode"),
        )
        for one in document["messages"]
    ]


@pytest.mark.parametrize("document", AGAIN)
def test_a_new_run_says_what_the_old_one_said(document: Any) -> None:
    [again], _, _ = composed(bundle("mini-swe-agent", json.dumps(document).encode()), "mini-swe-agent")
    assert told(document) == told(again)
    assert document["info"]["exit_status"] == again["info"]["exit_status"]


FORMS = [
    pytest.param("mini-swe-agent-1", "", "mini-swe-agent-1", id="its-own"),
    pytest.param("mini-swe-agent-1", "1", "mini-swe-agent-1", id="asked-for"),
    pytest.param(None, "", None, id="none-said"),
    pytest.param(None, "1.1", "mini-swe-agent-1.1", id="a-newer-one"),
]


@pytest.mark.parametrize(("declared", "asked", "expected"), FORMS)
def test_a_run_of_1_x_stays_one(declared: str | None, asked: str, expected: str | None) -> None:
    document = {"info": {"exit_status": "Submitted", "submission": "patch"}, "messages": [TASK, PLAIN, FRAMED, LAST]}
    document |= {"trajectory_format": declared} if declared else {}
    raw = json.dumps(document).encode()
    [again], losses, _ = composed(bundle("mini-swe-agent", raw), "mini-swe-agent", Wanted(version=asked))
    assert (document["messages"], document["info"]) == (again["messages"], again["info"])
    assert expected == again.get("trajectory_format")
    assert [] == [loss for loss in losses if loss.code == "unlinked-result"]


def test_a_submission_that_info_alone_has_gets_no_message() -> None:
    raw = json.dumps({"info": {"submission": "patch"}, "messages": [TASK, PLAIN]}).encode()
    [again], _, _ = composed(bundle("mini-swe-agent", raw), "mini-swe-agent")
    assert ("patch", [TASK, PLAIN]) == (again["info"]["submission"], again["messages"])


def test_items_of_the_responses_api_become_messages_of_chat_and_say_so() -> None:
    call = {"type": "function_call", "call_id": "c1", "name": "bash", "arguments": '{"command": "ls"}'}
    text = {"type": "message", "content": [{"type": "output_text", "text": "Look."}]}
    more = {"type": "message", "content": [{"type": "output_text", "text": "More."}]}
    response = {"object": "response", "output": [text, more, call]}
    out = {"type": "function_call_output", "call_id": "c1", "output": "out"}
    raw = json.dumps(run_of(TASK, response, out)).encode()
    [again], losses, _ = composed(bundle("mini-swe-agent", raw), "mini-swe-agent")
    assert [("user", "Do it."), ("assistant", "Look."), ("tool", "out")] == [
        (one["role"], one["content"]) for one in again["messages"]
    ]
    assert {"response-as-chat", "further-text"} <= {loss.code for loss in losses}


CHAT = [name for name in FILES if "responses" not in name]


@needs_corpus
@pytest.mark.parametrize("name", CHAT)
def test_messages_of_the_corpus_come_back_from_a_writer_that_sees_only_the_bundle(name: str) -> None:
    document = json.loads((HERE / name).read_bytes())
    [again], _, _ = composed(bundle("mini-swe-agent", (HERE / name).read_bytes()), "mini-swe-agent")
    document = document if type(document) is dict else {"messages": document}
    assert told(document) == told(again)
    assert document.get("trajectory_format") == again.get("trajectory_format")


def test_each_attempt_is_named_and_has_used_what_it_used_itself() -> None:
    nodes = [
        one
        for k in (0, 1)
        for one in (
            node(f"d{k}", "decision", thread_id=f"attempt:{k}", payload={"content": "Look."}),
            node(f"u{k}", "resource_observation", thread_id=f"attempt:{k}", payload={"usage": {"api_calls": k + 2}}),
        )
    ]
    scope = {"resources": {"observed": {"api_calls": 9, "cost_usd": 1.5}}}
    documents = compose(Bundle(tree_of(*nodes, scope=scope)), Ledger(), AS_IT_IS)
    assert ["attempt-0", "attempt-1"] == [one.part for one in documents]
    both, _, _ = composed(tree_of(*nodes, scope=scope), "mini-swe-agent")
    assert [{"api_calls": 2}, {"api_calls": 3}] == [one["info"]["model_stats"] for one in both]
    top = node("t", "decision", payload={"content": "Look."})
    several, _, _ = composed(tree_of(top, *nodes, scope=scope), "mini-swe-agent")
    assert [None, {"api_calls": 2}, {"api_calls": 3}] == [one["info"].get("model_stats") for one in several]
    [alone], _, _ = composed(tree_of(top, scope=scope), "mini-swe-agent")
    assert {"api_calls": 9, "instance_cost": 1.5} == alone["info"]["model_stats"]
