"""Bundle → `.traj`: what is written is a `.traj`, and says no more than the Bundle does."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given

from attraj.bundle.model import Bundle
from attraj.findings import Severity
from attraj.formats.mapping.account import losses_of
from attraj.formats.mapping.draft import Settings
from attraj.formats.mapping.fields import At, look_up, pointer_of
from attraj.formats.mapping.held import Ledger, Settled, settle
from attraj.formats.mapping.loss import Loss
from attraj.formats.mapping.rooms import READABLE, NotWritable, Wanted, reader
from attraj.formats.swe_agent.align import StepKind, align
from attraj.formats.swe_agent.write import compose
from attraj.jsonio import Document, parse
from attraj.jsonio.write import dumps
from attraj.verbs.validate import Request, validate
from tests.formats.swe_agent.files import base, changed
from tests.formats.swe_agent.test_laws import RELAXED, garbled
from tests.formats.swe_agent.test_read import EXITED, bundle_of, is_finite, long_run
from tests.support import CORPUS, needs_corpus

PLAIN = Wanted()
WORDS = frozenset(
    {
        *("main", "action", "observation", "system_prompt", "demonstration", "assistant", "user", "tool", "function"),
        *("", None, True),
    }
)


def written(tree: dict[str, Any], wanted: Wanted = PLAIN) -> tuple[list[tuple[str, Settled]], list[Loss]]:
    """Each document with its part, and every loss."""
    bundle, ledger = Bundle(tree), Ledger()
    documents = [(one.part, settle(one.tree, ledger)) for one in compose(bundle, ledger, wanted)]
    return documents, list(losses_of(tree, ledger))


def only(tree: dict[str, Any], wanted: Wanted = PLAIN) -> tuple[dict[str, Any], list[Loss]]:
    [(part, settled)], losses = written(tree, wanted)
    assert "" == part
    return parse(dumps(settled.tree)).tree, losses


def errors(tree: Any) -> list[str]:
    report = validate(parse(dumps(tree)), Request())
    assert "swe-agent" == report.format
    return [f"{f.rule.code} {f.location.pointer}" for f in report.findings if f.severity is Severity.ERROR]


def told(losses: list[Loss], code: str) -> list[tuple[str, str]]:
    return [(loss.handling, loss.pointer) for loss in losses if loss.code == code]


# --- Bundles of every room ---------------------------------------------------------------------------------------


def corpus(room: str) -> list[Any]:
    folder = CORPUS / room
    found = sorted(path for path in folder.rglob("*") if path.suffix in (".traj", ".json")) if folder.is_dir() else []
    return [pytest.param(room, path, id=str(path.relative_to(CORPUS))) for path in found if "EXPECT" not in path.name]


def of_room(room: str, path: Any) -> Document:
    document = parse(path.read_bytes())
    if validate(document, Request()).format != room:
        pytest.skip("no document of this format")
    return document


@needs_corpus
@pytest.mark.parametrize(("room", "path"), [one for room in READABLE for one in corpus(room)])
def test_what_is_written_of_any_bundle_is_a_traj_without_errors(room: str, path: Any) -> None:
    tree = reader(room).read(of_room(room, path), Settings(name="run")).finish()
    try:
        documents, losses = written(tree)
    except NotWritable:
        assert {"input", "decision", "action", "observation"}.isdisjoint(node["kind"] for node in tree["nodes"])
        return
    for _, settled in documents:
        assert [] == errors(settled.tree)
        assert [] == [pointer_of(at) for at in settled.words if not is_word(settled.tree, at)]
        for origin, place in settled.trace:
            stands_in_the_bundle(tree, origin, look_up(settled.tree, place))
    assert all(loss.pointer and loss.stage == "write" for loss in losses)
    assert dumps([one.tree for _, one in documents]) == dumps([one.tree for _, one in written(tree)[0]])


def is_word(tree: Any, at: At) -> bool:
    """Whether a value that came from nowhere is a word of the format."""
    return look_up(tree, at) in WORDS


def stands_in_the_bundle(tree: Any, origin: At, value: Any) -> None:
    if len(origin) == 2 and origin[0] == "states":  # a list of messages, which the state may hold as a difference
        return
    assert look_up(tree, origin) == value


@needs_corpus
def test_what_was_read_of_a_traj_is_written_with_the_steps_of_the_same_kinds() -> None:
    for path in sorted((CORPUS / "swe-agent" / "generated-by-upstream-code").glob("fc-*/*.traj")):
        source = parse(path.read_bytes()).tree
        document, _ = only(bundle_of(source))
        kinds = [[step.kind for step in align(one["trajectory"], one["history"]).steps] for one in (source, document)]
        assert [plain(kind) for kind in kinds[0]] == [plain(kind) for kind in kinds[1]], path.name
        for name in ("action", "response", "thought", "state"):
            assert [step[name] for step in source["trajectory"]] == [step[name] for step in document["trajectory"]]
        assert [step["query"] for step in source["trajectory"]] == [step["query"] for step in document["trajectory"]]


def plain(kind: StepKind) -> str:
    """A writer puts what was run into the history, also where the loop had forgotten it."""
    return "turn" if kind is StepKind.NOT_IN_HISTORY else kind.value


# --- turns -------------------------------------------------------------------------------------------------------


def bundle(*nodes: Any, edges: Any = (), **members: Any) -> dict[str, Any]:
    """A Bundle of these nodes; each is (id, kind, members)."""
    made = [
        {"node_id": name, "kind": kind, "sequence": number, **more} for number, (name, kind, more) in enumerate(nodes)
    ]
    links = [
        {"edge_id": f"{a}:{b}", "from": a, "to": b, "relation": "caused_by", "basis": "recorded"} for a, b in edges
    ]
    return {"spec_version": "0.1", "nodes": made, "edges": links, "states": [], "outcomes": [], **members}


TASK = ("i", "input", {"payload": {"role": "user", "content": "Fix it."}})
SAID = ("d", "decision", {"payload": {"content": "I look."}})


NAMED = {"$at": {"status": "redacted", "alias": "<SECRET_1>"}}
UNNAMED = {"$at": {"status": "redacted"}}


def call(name: str, **action: Any) -> Any:
    return (name, "action", {"action": {"kind": "tool_call", "name": "bash", **action}})


def seen(name: str, text: Any) -> Any:
    return (name, "observation", {"observation": text})


def test_a_turn_has_its_step_its_message_and_its_answer() -> None:
    tree = bundle(
        TASK,
        SAID,
        call("a", arguments={"command": "ls"}, call_id="c1"),
        seen("o", "calc.py"),
        edges=[("d", "a"), ("a", "o")],
    )
    document, losses = only(tree)
    arguments = '{"command": "ls"}'
    said = {"thought": "I look.", "action": "ls", "agent": "main", "message_type": "action"}
    tool_call = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": arguments}}
    assert {
        "trajectory": [
            {
                "action": "ls",
                "observation": "calc.py",
                "response": "I look.",
                "thought": "I look.",
                "state": {},
                "query": [],
            }
        ],
        "history": [
            {"role": "user", "content": "Fix it.", "agent": "main", "message_type": "observation"},
            {"role": "assistant", "content": "I look.", **said, "tool_calls": [tool_call]},
            {
                "role": "tool",
                "content": "calc.py",
                "agent": "main",
                "message_type": "observation",
                "tool_call_ids": ["c1"],
            },
        ],
        "info": {},
        "replay_config": None,
    } == document
    assert [("synthesized", "/trajectory/0/state")] == told(losses, "state-not-taken")
    assert [("synthesized", "/trajectory/0/query")] == told(losses, "no-query")
    assert [("approximated", "/nodes/2/action/arguments")] == told(losses, "arguments-as-text")


def test_several_calls_of_one_reply_are_steps_of_their_own_and_the_first_has_the_text() -> None:
    tree = bundle(
        SAID,
        call("a", arguments={"command": "ls"}),
        call("b", arguments={"command": "pwd"}),
        seen("x", "calc.py"),
        seen("y", "/"),
        edges=[("d", "a"), ("d", "b"), ("a", "x"), ("b", "y")],
    )
    document, losses = only(tree)
    assert [("ls", "calc.py", "I look."), ("pwd", "/", "")] == [
        (step["action"], step["observation"], step["response"]) for step in document["trajectory"]
    ]
    assert [("approximated", "/nodes/0/payload/content")] == told(losses, "one-call-a-step")


def test_a_refused_proposal_is_in_the_trajectory_and_not_in_the_history() -> None:
    refused = {"action": {"value": "vim a"}, "admission": {"status": "rejected", "reason": "blocklist"}}
    document, _ = only(bundle(TASK, SAID, ("p", "proposal", refused), edges=[("d", "p")]))
    [step] = document["trajectory"]
    assert ("vim a", "", {}, "I look.") == tuple(step[name] for name in ("action", "observation", "state", "thought"))
    assert ["user"] == [message["role"] for message in document["history"]]
    assert [StepKind.REJECTED] == [one.kind for one in align(document["trajectory"], document["history"]).steps]


def test_a_reply_that_was_rejected_and_not_kept_is_no_turn() -> None:
    lost = {"status": "rejected", "payload": {"content": {"$at": {"status": "unavailable", "reason": "not kept"}}}}
    document, losses = only(bundle(TASK, ("d", "decision", lost)))
    assert ("", "", "") == tuple(document["trajectory"][0][name] for name in ("action", "response", "observation"))
    assert ["user"] == [message["role"] for message in document["history"]]
    assert [("synthesized", "/nodes/1/payload/content")] == told(losses, "no-response")


@pytest.mark.parametrize(
    ("action", "command", "code"),
    [
        pytest.param({"value": "ls -l"}, "ls -l", "", id="a-command-as-it-is"),
        pytest.param({"name": "bash", "arguments": {"command": "ls"}, "call_id": "c"}, "ls", "", id="a-shell-tool"),
        pytest.param({"name": "bash", "arguments": {"command": "ls"}}, "ls", "rendered-action", id="in-no-message"),
        pytest.param({"name": "submit", "arguments": {}}, "submit", "", id="a-tool-without-arguments"),
        pytest.param(
            {"name": "view", "arguments": {"path": "/a"}}, 'view {"path": "/a"}', "rendered-action", id="another-tool"
        ),
        pytest.param(
            {"name": "bash", "arguments": {"command": "ls", "timeout": 3}},
            'bash {"command": "ls", "timeout": 3}',
            "rendered-action",
            id="a-shell-tool-with-more-to-say",
        ),
        pytest.param({"name": "view", "arguments": "not json"}, "view not json", "rendered-action", id="a-text"),
        pytest.param({"value": NAMED}, "<SECRET_1>", "withheld-content", id="a-withheld-command-has-its-name"),
        pytest.param({"value": UNNAMED}, "[REDACTED]", "withheld-content", id="or-a-placeholder"),
        pytest.param({}, "", "no-action", id="a-call-that-says-nothing"),
    ],
)
def test_a_call_is_a_command_line(action: Any, command: str, code: str) -> None:
    document, losses = only(bundle(SAID, ("a", "action", {"action": action}), edges=[("d", "a")]))
    assert command == document["trajectory"][0]["action"]
    codes = {"rendered-action", "no-action", "withheld-content"}
    assert ({code} if code else set()) == {loss.code for loss in losses} & codes


@pytest.mark.parametrize(
    ("content", "action", "thought"),
    [
        pytest.param("Look.\n\n```\nls\n```", {"value": "ls"}, "Look.", id="cut-out-of-the-response"),
        pytest.param("Look.", {"value": "ls"}, "Look.", id="no-block-to-cut"),
        pytest.param("Look.\n```mswea_bash_command\nls\n```", {"value": "ls"}, "Look.", id="a-block-of-mini-swe-agent"),
        pytest.param("```\npwd\n```", {"value": "ls"}, "", id="another-command-in-the-block"),
        pytest.param("Look.\n```\nls\n```", {"name": "bash", "value": "ls"}, "Look.\n```\nls\n```", id="a-tool-call"),
    ],
)
def test_a_thought_is_parsed_from_the_response(content: str, action: Any, thought: str) -> None:
    nodes = [("d", "decision", {"payload": {"content": content}}), ("a", "action", {"action": action})]
    reasoning = ("r", "reasoning_summary", {"payload": {"content": "never said"}})
    document, _ = only(bundle(reasoning, *nodes, edges=[("r", "d"), ("d", "a")]))
    assert thought == document["trajectory"][0]["thought"]


def test_reasoning_is_a_block_of_the_message_or_left_out_when_asked_for() -> None:
    nodes = [("r", "reasoning_summary", {"payload": {"content": "hm"}}), SAID]
    document, losses = only(bundle(*nodes, edges=[("r", "d")]))
    assert [{"type": "thinking", "thinking": "hm"}] == document["history"][0]["thinking_blocks"]
    assert [("approximated", "/nodes/0/payload/content")] == told(losses, "reasoning-as-block")
    document, losses = only(bundle(*nodes, edges=[("r", "d")]), Wanted(strips_thoughts=True))
    assert "thinking_blocks" not in document["history"][0]
    assert [("dropped", "/nodes/0")] == told(losses, "stripped-thoughts")


def test_a_step_of_the_loop_is_written_as_one() -> None:
    source = changed("minimal")
    source["trajectory"].append({**EXITED, "thought": EXITED["response"], "execution_time": 0.0})
    document, _ = only(bundle_of(source))
    assert StepKind.SYNTHETIC_EXIT is align(document["trajectory"], document["history"]).steps[-1].kind


@pytest.mark.parametrize(
    ("state", "query"),
    [
        pytest.param({"view": [{"role": "user", "content": "q"}]}, [{"role": "user", "content": "q"}], id="exact"),
        pytest.param({"view": [{"role": "user", "content": "q"}], "reconstructed": True}, [], id="reconstructed"),
        pytest.param({"view": [{"role": "user"}]}, [], id="no-messages-of-the-format"),
        pytest.param({"view": {"a": 1}}, [], id="no-messages"),
        pytest.param({"delta": [{"op": "add", "path": "/0", "value": 1}], "base_state": "gone"}, [], id="not-whole"),
    ],
)
def test_a_query_is_an_exact_view_or_empty(state: Any, query: Any) -> None:
    said = ("d", "decision", {"payload": {"content": "I look."}, "state_view": "s"})
    tree = bundle(said, states=[{"state_id": "s", "kind": "state_view", "availability": "included", **state}])
    document, losses = only(tree)
    assert query == document["trajectory"][0]["query"]
    assert bool(query) == (told(losses, "no-query") == [])


# --- the end -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("authority", "status", "value", "word"),
    [
        pytest.param("agent_self_report", "succeeded", "submitted", "submitted", id="the-loop's-own-word"),
        pytest.param("runtime", "partial", "submitted (exit_cost)", "submitted (exit_cost)", id="cut-off"),
        pytest.param("agent_self_report", "succeeded", "Submitted", "submitted", id="of-another-agent"),
        pytest.param("agent_self_report", "succeeded", "done", None, id="to-be-done-is-not-to-have-submitted"),
        pytest.param("runtime", "failed", None, "exit_error", id="failed"),
        pytest.param("runtime", "failed", "ValueError", "exit_error", id="an-exception-of-another-harness"),
        pytest.param("runtime", "failed", "LimitsExceeded", "exit_cost", id="limits-of-mini-swe-agent"),
        pytest.param("runtime", "failed", "TimeExceeded", "exit_total_execution_time", id="its-time"),
        pytest.param("runtime", "failed", "RepeatedFormatError", "exit_format", id="its-errors-of-form"),
        pytest.param("runtime", "failed", "ContextWindowExceededError", "exit_context", id="its-context-window"),
        pytest.param("unknown", "failed", "LimitsExceeded", None, id="a-word-that-nobody-is-known-to-have-said"),
        pytest.param("runtime", "cancelled", None, None, id="no-word-for-it"),
        pytest.param("unknown", "succeeded", None, None, id="nobody's-claim"),
        pytest.param("external_world", "succeeded", "submitted", None, id="a-fact-of-the-world-is-no-exit-status"),
    ],
)
def test_an_exit_status_comes_from_the_run_or_the_agent_alone(
    authority: str, status: str, value: Any, word: str | None
) -> None:
    outcome: dict[str, Any] = {"outcome_id": "o", "scope": ["t"], "authority_class": authority, "status": status}
    document, _ = only(bundle(SAID, outcomes=[outcome | ({} if value is None else {"value": value})]))
    info = document["info"]
    assert word == info.get("exit_status")
    is_claim, is_own = authority in ("runtime", "agent_self_report"), word == value
    assert (value if is_claim and not is_own else None) == info.get("attraj", {}).get("exit_status")


def test_what_was_handed_in_makes_a_run_that_is_done_a_submitted_one() -> None:
    outcome = {"outcome_id": "o", "scope": ["t"], "authority_class": "agent_self_report", "status": "succeeded"}
    patch = ("p", "evidence", {"payload": {"content": "diff"}})
    document, _ = only(bundle(SAID, patch, outcomes=[outcome]))
    assert ("submitted", "diff") == (document["info"]["exit_status"], document["info"]["submission"])
    document, _ = only(bundle(SAID, patch, outcomes=[outcome | {"terminal": False}]))
    assert "exit_status" not in document["info"]


def test_a_submission_is_one_though_no_outcome_rests_on_it() -> None:
    end = ("p", "terminal", {"payload": {"content": "diff"}, "status": "submitted"})
    assert "diff" == only(bundle(SAID, end))[0]["info"]["submission"]
    end[2].pop("status")
    assert "submission" not in only(bundle(SAID, end))[0]["info"]


def test_counts_that_a_provider_measured_are_said_less_exactly() -> None:
    observed = {"cost_usd": 0.5, "prompt_tokens": 10, "completion_tokens": 2.5, "api_calls": 1}
    document, losses = only(bundle(SAID, scope={"resources": {"observed": observed}}))
    assert {"instance_cost": 0.5, "tokens_sent": 10, "api_calls": 1} == document["info"]["model_stats"]
    assert [("approximated", "/scope/resources/observed/prompt_tokens")] == told(losses, "counted-tokens")
    local = observed | {"origin": "litellm counter"}
    assert [] == told(only(bundle(SAID, scope={"resources": {"observed": local}}))[1], "counted-tokens")


def test_attempts_are_files_of_their_own_in_words_of_ours() -> None:
    tree = bundle_of(base("retry"))
    tree["nodes"] = [dict(node, thread_id="zq" + "secret" + node["attempt_id"]) if "attempt_id" in node else node
                     for node in tree["nodes"]]  # fmt: skip
    documents, _ = written(tree)
    assert ["thread-1", "thread-2"] == [part for part, _ in documents]
    for (_, settled), attempt in zip(documents, base("retry")["attempts"], strict=True):
        assert attempt["info"]["exit_status"] == settled.tree["info"]["exit_status"]
        assert [one["action"] for one in attempt["trajectory"]] == [one["action"] for one in settled.tree["trajectory"]]


def test_files_of_attempts_are_counted_as_the_loop_counts_them_and_have_their_own_reviews() -> None:
    source = base("retry")
    source["info"]["best_attempt_idx"] = 1
    for number, attempt in enumerate(source["attempts"]):
        attempt["info"]["review"] = {"accept": number + 0.5, "outputs": [f"words {number}"], "messages": []}
        attempt["info"]["model_stats"] = {"instance_cost": 0.5, "tokens_sent": number + 1, "api_calls": 3}
    source["info"]["model_stats"] = {"instance_cost": 9.5, "tokens_sent": 99, "api_calls": 99}
    documents, losses = written(bundle_of(source))
    assert ["attempt-0", "attempt-1"] == [part for part, _ in documents]
    for (_, settled), attempt in zip(documents, source["attempts"], strict=True):
        info = settled.tree["info"]
        assert attempt["info"]["review"] == info["review"]
        assert attempt["info"]["model_stats"] == info["model_stats"]
        assert 1 == info["attraj"]["best_attempt"]
        assert [] == errors(settled.tree)
    assert [] == told(losses, "verifier-results") == told(losses, "reward-records")


def test_what_can_be_derived_is_added_under_one_name_and_every_field_of_it_is_a_loss() -> None:
    nodes = [SAID, call("a", arguments={"command": "ls"}), seen("o", "calc.py")]
    document, losses = only(bundle(*nodes, edges=[("d", "a"), ("a", "o")]), Wanted(is_derived=True))
    assert {
        "is_derived": True,
        "step_id": 1,
        "tool_name": "bash",
        "tool_args": {"command": "ls"},
        "observation_type": "text",
        "parse_error": False,
        "action_raw": "I look.",
        "observation_text": "calc.py",
    } == document["trajectory"][0]["attraj"]
    assert 3 == len(told(losses, "derived-field"))
    assert [] == errors(document)
    assert "attraj" not in only(bundle(*nodes, edges=[("d", "a"), ("a", "o")]))[0]["trajectory"][0]


@pytest.mark.parametrize(
    ("tree", "wanted"),
    [
        pytest.param(bundle(), Wanted(), id="no-node"),
        pytest.param(bundle(("v", "verification", {})), Wanted(), id="no-turn"),
        pytest.param(bundle(SAID), Wanted(version="0.7"), id="another-version"),
    ],
)
def test_what_cannot_be_written_is_refused(tree: Any, wanted: Wanted) -> None:
    with pytest.raises(NotWritable):
        written(tree, wanted)


# --- laws --------------------------------------------------------------------------------------------------------


@RELAXED
@given(garbled().filter(is_finite))
def test_whatever_was_read_is_written_without_errors_or_refused(tree: Any) -> None:
    made = bundle_of(tree)
    before = copy.deepcopy(made)
    try:
        documents, _ = written(made, Wanted(is_derived=True))
    except NotWritable:
        return
    finally:
        assert before == made
    assert [] == [found for _, settled in documents for found in errors(settled.tree)]


def ways(tree: Any, way: At = ()) -> Iterator[At]:
    members = tree.items() if type(tree) is dict else enumerate(tree) if type(tree) is list else ()
    for key, value in members:
        yield (*way, key)
        yield from ways(value, (*way, key))


@pytest.mark.parametrize("odd", [None, 7, [], {}, NAMED], ids=str)
def test_no_odd_value_of_a_bundle_crashes_the_writer(odd: Any) -> None:
    tree = bundle_of(base("full"))
    for way in [way for way in ways(tree) if way[0] in ("nodes", "states", "outcomes", "scope", "bindings")]:
        broken = copy.deepcopy(tree)
        look_up(broken, way[:-1])[way[-1]] = odd
        try:
            documents, _ = written(broken)
        except NotWritable:
            continue
        for _, settled in documents:
            json.dumps(settled.tree)


def test_no_value_of_a_bundle_stands_in_a_loss() -> None:
    token = "zq" + "canary" + "42"
    source = json.loads(json.dumps(long_run(3, "query")).replace("look at", token))
    for loss in only(bundle_of(source))[1]:
        assert token not in f"{loss.code} {loss.pointer} {loss.detail}"
