"""Bundles of every room → ATIF: accepted by Harbor, with the steps that the maps ask for, nothing made up unsaid."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from attraj.bundle.model import Bundle
from attraj.formats.atif.verdict import harbor
from attraj.formats.atif.write import compose
from attraj.formats.atif.write_documents import Composer
from attraj.formats.mapping.draft import Settings
from attraj.formats.mapping.fields import is_same, look_up
from attraj.formats.mapping.held import Ledger, settle
from attraj.formats.mapping.rooms import NotWritable, Wanted, reader
from attraj.jsonio import Document, documents, parse
from attraj.jsonio.write import dumps
from attraj.verbs.convert import Request as ConvertRequest
from attraj.verbs.convert import convert
from attraj.verbs.validate import Request, validate
from tests.formats.atif.bundles import FOREIGN, errors, made, parts, read, step, written
from tests.formats.atif.documents import steps, turn
from tests.support import CORPUS, needs_corpus

MARKS = {"swe-agent": b'"history"', "mini-swe-agent": b'"role"', "react-web": b'"type"', "atif": b'"ATIF-v'}
ROOMS = tuple(MARKS)


def corpus() -> list[Any]:
    found: list[Any] = []
    for room in ROOMS if CORPUS.is_dir() else ():
        for path in sorted((CORPUS / room).rglob("*")):
            if path.suffix in (".json", ".traj") and path.is_file() and MARKS[room] in path.read_bytes():
                found.append(pytest.param(room, path, id=f"{room}/{path.relative_to(CORPUS / room)}"))
    return found


def bundle_of(room: str, path: Path) -> Any:
    """The Bundle of the first document of a file; None when the file is of another format."""
    document = next(documents(path.read_bytes()), None)
    if document is None or validate(document, Request()).format != room:
        return None
    return reader(room).read(document, Settings(name=path.name)).finish()


def composed(bundle: Any, version: str = "") -> tuple[list[Any], Ledger]:
    """The documents of a Bundle, composed even where they could be restored."""
    ledger = Ledger()
    minor = int(version[2:]) if version else 7
    found = Composer(Bundle(bundle), ledger, Wanted(version), minor).documents()
    return [settle(one.tree, ledger).tree for one in found], ledger


def verdict(tree: Any, release: str = "harbor-0.26") -> str:
    raw = dumps(tree)
    return harbor(Document(raw, json.loads(raw)), "")[release]


@needs_corpus
@pytest.mark.parametrize(("room", "path"), corpus())
def test_what_is_written_of_the_corpus_is_accepted_by_harbor(room: str, path: Path) -> None:
    bundle = bundle_of(room, path)
    if bundle is None or not bundle["nodes"]:
        pytest.skip("no document of this room, or one without a step")
    before = dumps(bundle)
    trees, _ = composed(bundle)
    for tree in trees:
        assert verdict(tree) in ("accepted", "undecided")  # undecided: an image whose folder is not known
        assert verdict(tree, "harbor-0.18") in ("accepted", "undecided")
        assert errors(tree, "atif") == []
    again, _ = composed(bundle)
    assert dumps(again) == dumps(trees)
    assert dumps(bundle) == before
    document = next(documents(path.read_bytes()))
    proven = convert(document, path.name, ConvertRequest(to="atif", is_verified=True))
    assert proven.status in ("converted", "findings"), proven.reason
    old, _ = composed(bundle, "1.6")
    assert all(verdict(tree) in ("accepted", "undecided") for tree in old)


WORDS = {"ATIF-v1.7", "agent", "user", "system", "text", "image", True, "not an object", "null", "not recorded", None}


@needs_corpus
@pytest.mark.parametrize("room", ROOMS)
def test_what_neither_the_bundle_nor_a_loss_accounts_for_is_a_word_of_the_format(room: str) -> None:
    checked = 0
    for path in sorted((CORPUS / room).rglob("*")):
        bundle = bundle_of(room, path) if path.suffix in (".json", ".traj") and path.is_file() else None
        for one in Composer(Bundle(bundle), Ledger(), Wanted(), 7).documents() if bundle else ():
            found = settle(one.tree, Ledger())
            assert {look_up(found.tree, at) for at in found.words} <= WORDS, path.name
            checked += 1
    assert checked


# --- the oracles ------------------------------------------------------------------------------------------------


def oracle(room: str, name: str) -> Any:
    """The documents of one file of the corpus."""
    path = next((CORPUS / room).rglob(name))
    return composed(bundle_of(room, path))[0]


def sources_of(tree: Any) -> list[str]:
    """The source of each step, with a mark at those that call tools."""
    return [one["source"] + ("+" if one.get("tool_calls") else "") for one in tree["steps"]]


@needs_corpus
def test_the_asean_recording_is_a_task_and_four_turns() -> None:
    (tree,) = oracle("react-web", "ch1-asean-capitals-gpt5.json")
    assert [one.rstrip("+") for one in sources_of(tree)] == ["user", *["agent"] * 4]
    assert tree["extra"]["attraj"]["outcomes"][0]["authority_class"] == "unknown"


@needs_corpus
def test_attempts_are_documents_of_their_own_and_a_made_up_exit_is_a_system_step() -> None:
    first, second = oracle("swe-agent", "retry-score-two-attempts.traj")
    assert sources_of(first) == ["system", "user", "agent+", "agent+", "system"]
    assert sources_of(second) == ["system", "user", "agent+", "agent+", "agent+"]
    assert first["trajectory_id"] != second["trajectory_id"]
    assert first["steps"][-1]["extra"]["attraj"]["kind"] == "terminal"
    assert "subagent_trajectories" not in first


REPLY_BESIDE_EXIT = {"handmade-edge/v0.x-exit-format.traj"}  # the loop kept the last reply in the exit it made up


@needs_corpus
def test_steps_are_as_many_as_the_expectations_say() -> None:
    expected = json.loads((CORPUS / "swe-agent" / "EXPECTATIONS.json").read_text(encoding="utf-8"))["files"]
    checked = 0
    for name, facts in expected.items():
        classes = facts.get("step_classes") if type(facts) is dict else None
        path = CORPUS / "swe-agent" / name
        bundle = bundle_of("swe-agent", path) if classes and path.is_file() else None
        if bundle is None or facts.get("attempts"):
            continue
        trees, _ = composed(bundle)
        if len(trees) > 1:
            continue
        found = Counter(one["source"] for one in trees[0]["steps"])
        turns = sum(count for kind, count in classes.items() if kind != "synthetic_exit")
        assert found["agent"] == turns + (name in REPLY_BESIDE_EXIT), name
        checked += 1
    assert checked > 25


@needs_corpus
def test_a_submitted_run_that_solved_nothing_is_no_success() -> None:
    path = next((CORPUS / "swe-agent").rglob("*pr_53856*.traj"))
    trees, _ = composed(bundle_of("swe-agent", path))
    (outcome,) = trees[0]["extra"]["attraj"]["outcomes"]
    assert (outcome["authority_class"], outcome["value"]) == ("agent_self_report", "submitted")
    assert "verifier_results" not in trees[0]["extra"]["attraj"]


@needs_corpus
def test_counts_of_a_local_counter_are_no_provider_s_counts() -> None:
    (tree,) = oracle("swe-agent", "fc-exit-cost-autosubmitted.traj")
    assert set(tree["final_metrics"]) == {"extra"}
    assert tree["final_metrics"]["extra"]["origin"] == "litellm counter"


@needs_corpus
def test_a_reply_that_was_lost_is_no_step_of_the_agent() -> None:
    (tree,) = oracle("mini-swe-agent", "*14369*.traj.json")
    lost = [one for one in tree["steps"] if one.get("extra", {}).get("attraj", {}).get("lost_reply")]
    assert lost
    assert {one["source"] for one in lost} == {"system"}


def react_files() -> list[Any]:
    folder = CORPUS / "react-web"
    paths = sorted(folder.rglob("*.json")) if folder.is_dir() else []
    return [pytest.param(path, id=path.stem) for path in paths if MARKS["react-web"] in path.read_bytes()]


@needs_corpus
@pytest.mark.parametrize("path", react_files())
def test_a_react_recording_comes_back_step_by_step(path: Path) -> None:
    document = next(documents(path.read_bytes()))
    report = validate(document, Request())
    if report.format != "react-web" or any(str(one.severity) == "error" for one in report.findings):
        pytest.skip("another format, or a file with an error of its own")
    there = convert(document, path.stem, ConvertRequest(to="atif", is_verified=True))
    back = convert(parse(there.outputs[0].text), path.stem, ConvertRequest(to="react-web"))
    assert is_same(parse(back.outputs[0].text).tree["steps"], document.tree["steps"])


def react(*given: Any) -> tuple[list[Any], list[Any]]:
    """The steps of the ATIF document of a recording, and those of the recording that this becomes."""
    recording = {"task": "t", "model": "m", "steps": list(given)}
    there = convert(Document(dumps(recording), recording), "run", ConvertRequest(to="atif", is_verified=True))
    assert there.status == "converted", there.reason
    back = convert(parse(there.outputs[0].text), "run", ConvertRequest(to="react-web"))
    return parse(there.outputs[0].text).tree["steps"], parse(back.outputs[0].text).tree["steps"]


def did(kind: str, tool: str, iteration: int = 1, **members: Any) -> dict[str, Any]:
    content = {"args": {}} if kind == "action" else {"content": "x"}
    return {"iteration": iteration, "type": kind, "tool": tool, **content, **members}


RECORDINGS = [
    pytest.param([did("action", "a"), did("observation", "a")], id="a-call-and-its-result"),
    pytest.param(
        [did("action", "a"), did("action", "b"), did("observation", "b"), did("observation", "a")], id="results-later"
    ),
    pytest.param([did("action", "a", 7), did("observation", "a", 7)], id="another-number"),
    pytest.param(
        [did("action", "a"), did("observation", "a", 2), {"iteration": 2, "type": "answer", "content": "y"}],
        id="a-result-late",
    ),
    pytest.param([{"type": "thought", "content": "x"}], id="no-number"),
    pytest.param([did("action", "a"), {"iteration": 1, "type": "reflection", "content": "x"}], id="another-type"),
    pytest.param([{"iteration": 1, "type": "answer", "content": "x"}, did("action", "a")], id="no-end-at-the-answer"),
]


@pytest.mark.parametrize("given", RECORDINGS)
def test_what_atif_has_no_member_for_comes_back_out_of_extra(given: Any) -> None:
    assert is_same(react(*given)[1], given)


def test_the_order_of_calls_and_results_is_kept_only_where_it_is_another_one() -> None:
    plain, _ = react(did("action", "a"), did("observation", "a"), did("action", "b"))
    assert "place" not in str(plain)
    (_, step), _ = react(did("action", "a"), did("action", "b"), did("observation", "b"), did("observation", "a"))
    assert [one["extra"]["attraj"]["place"] for one in step["tool_calls"]] == [3, 5]


def test_a_step_that_came_while_another_went_on_is_a_loss_of_order() -> None:
    noted = {"kind": "event", "payload": {"content": "n"}}
    chain = (("n1", "n3", "caused_by"),)
    _, losses = written(made({"kind": "decision", "payload": {"content": "m"}}, noted, call(), edges=chain))
    assert [one for one in losses if one[0] == "interleaved-step"] == [("interleaved-step", "approximated", "/nodes/1")]
    _, losses = written(made({"kind": "decision", "payload": {"content": "m"}}, call(), noted, edges=chain))
    assert "interleaved-step" not in [code for code, _, _ in losses]


def test_what_a_harness_noted_or_made_up_comes_back_as_that() -> None:
    nodes = [
        {"kind": "event", "topic": "note", "payload": {"content": "n"}},
        {"kind": "terminal", "payload": {"content": "exit"}},
    ]
    (tree,), _ = written(made({"kind": "input", "payload": {"role": "user", "content": "x"}}, *nodes))
    again = read(tree)["nodes"]
    assert [(one["kind"], one.get("topic"), one["payload"]["content"]) for one in again] == [
        ("input", None, "x"),
        ("event", "note", "n"),
        ("terminal", None, "exit"),
    ]


# --- what one node becomes --------------------------------------------------------------------------------------


def call(**members: Any) -> dict[str, Any]:
    return {"kind": "action", "action": {"kind": "tool_call", "name": "sh", "arguments": {}, "call_id": "c"}, **members}


def after(*given: Any, edges: Any = ()) -> Any:
    """The step of a decision with what follows it, each linked to the one before."""
    chain = tuple((f"n{i}", f"n{i + 1}", "caused_by") for i in range(1, len(given) + 1))
    return step(made({"kind": "decision", "payload": {"content": "m"}}, *given, edges=edges or chain))


INPUTS = [
    pytest.param({"payload": {"role": "user", "content": "x"}}, ("user", "x"), id="a-user"),
    pytest.param({"payload": {"role": "developer", "content": "x"}}, ("system", "x"), id="a-developer"),
    pytest.param({"payload": {"role": "assistant", "content": "x"}}, ("user", "x"), id="a-reply-shown-as-example"),
    pytest.param({"payload": {"content": "x"}, "authority_class": "principal"}, ("user", "x"), id="a-principal"),
    pytest.param({"payload": {"text": "x"}, "authority_class": "harness"}, ("system", "x"), id="text-by-another-name"),
    pytest.param({"payload": "x"}, ("system", "x"), id="a-payload-that-is-its-text"),
    pytest.param({"payload": {"role": "user", "content": None}}, ("user", ""), id="null"),
    pytest.param({"payload": {"role": "user", "content": {"a": 1}}}, ("user", '{"a":1}'), id="an-object"),
]


@pytest.mark.parametrize(("node", "expected"), INPUTS)
def test_an_input_becomes(node: Any, expected: Any) -> None:
    found = step(made({"kind": "input", **node}))
    assert (found["source"], found["message"]) == expected


PARTS = [
    pytest.param({"type": "text", "text": "t", "cache_control": {}}, {"type": "text", "text": "t"}, id="text"),
    pytest.param("t", {"type": "text", "text": "t"}, id="a-bare-text"),
    pytest.param(
        {"type": "image", "source": {"media_type": "image/png", "path": "a.png"}},
        {"type": "image", "source": {"media_type": "image/png", "path": "a.png"}},
        id="an-image-of-atif",
    ),
    pytest.param(
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "text", "text": "[image omitted: image/png]"},
        id="an-image-without-a-place",
    ),
    pytest.param(
        {"type": "image_url", "image_url": {"url": "https://host.example/a"}},
        {"type": "text", "text": "https://host.example/a"},
        id="an-image-of-no-known-type",
    ),
    pytest.param(
        {"type": "image_url", "image_url": {"url": "assets/image-1.PNG"}},
        {"type": "image", "source": {"media_type": "image/png", "path": "assets/image-1.PNG"}},
        id="an-image-in-a-file",
    ),
    pytest.param(
        {"type": "audio", "source": {"media_type": "audio/wav", "path": "a.wav"}},
        {"type": "text", "text": "[audio omitted]"},
        id="a-sound-before-1.8",
    ),
    pytest.param({"type": "video", "x": 1}, {"type": "text", "text": '{"type":"video","x":1}'}, id="another-kind"),
]


@pytest.mark.parametrize(("part", "expected"), PARTS)
def test_a_content_part_becomes(part: Any, expected: Any) -> None:
    found = step(made({"kind": "input", "payload": {"role": "user", "content": [part]}}))
    assert found["message"] == [expected]


def test_a_sound_is_kept_where_the_version_has_it() -> None:
    part = {"type": "audio", "source": {"media_type": "audio/wav", "path": "a.wav", "duration_sec": 2}}
    found = step(made({"kind": "input", "payload": {"role": "user", "content": [part]}}), "1.8")
    assert found["message"] == [part]


CALLS = [
    pytest.param({}, {"tool_call_id": "c", "function_name": "sh", "arguments": {}}, id="as-it-is"),
    pytest.param(
        {"action": {"kind": "shell_command", "value": "ls"}},
        {
            "tool_call_id": "call_1_1",
            "function_name": "bash",
            "arguments": {"command": "ls"},
            "extra": {"attraj": {"synthetic_call": True}},
        },
        id="a-command-without-tool-and-id",
    ),
    pytest.param(
        {"action": {"kind": "tool_call", "name": "f", "call_id": "c", "arguments": "ls"}},
        {
            "tool_call_id": "c",
            "function_name": "f",
            "arguments": {"_raw": "ls"},
            "extra": {"attraj": {"arguments": "not an object"}},
        },
        id="arguments-that-are-a-text",
    ),
    pytest.param(
        {"action": {"kind": "tool_call", "name": "f", "call_id": "c", "arguments": None}},
        {
            "tool_call_id": "c",
            "function_name": "f",
            "arguments": {},
            "extra": {"attraj": {"arguments": "null"}},
        },
        id="arguments-that-are-null",
    ),
]


@pytest.mark.parametrize(("members", "expected"), CALLS)
def test_a_call_becomes(members: Any, expected: Any) -> None:
    assert after(call(**members))["tool_calls"] == [expected]


def test_a_result_stands_with_its_call() -> None:
    found = after(call(), {"kind": "observation", "observation": "ok"})
    assert found["observation"] == {"results": [{"source_call_id": "c", "content": "ok"}]}


def test_a_call_gets_an_id_of_its_own_where_an_earlier_one_has_the_same() -> None:
    decision = {"kind": "decision", "payload": {"content": "m"}}
    result = {"kind": "observation", "observation": "ok", "payload": {"source_call_id": "c"}}
    chain = (("n1", "n2", "caused_by"), ("n2", "n3", "caused_by"), ("n4", "n5", "caused_by"), ("n5", "n6", "caused_by"))
    (tree,), losses = written(made(decision, call(), result, decision, call(), result, edges=chain))
    first, second = tree["steps"]
    assert errors(tree, "atif") == []
    assert (first["tool_calls"][0]["tool_call_id"], second["tool_calls"][0]["tool_call_id"]) == ("c", "call_2_1")
    assert second["tool_calls"][0]["extra"] == {"attraj": {"call_id": "c"}}
    assert second["observation"]["results"] == [{"source_call_id": "call_2_1", "content": "ok"}]
    assert [one for one in losses if one[0] == "call-ids"] == [("call-ids", "approximated", "/nodes/4/action/call_id")]


def test_a_result_of_one_of_two_calls_of_one_id_is_linked_to_neither() -> None:
    loose = {"kind": "observation", "observation": "ok", "payload": {"source_call_id": "c"}}
    chain = (("n1", "n2", "caused_by"), ("n1", "n3", "caused_by"))
    (tree,), _ = written(made({"kind": "decision", "payload": {"content": "m"}}, call(), call(), loose, edges=chain))
    (found,) = tree["steps"]
    assert [one["tool_call_id"] for one in found["tool_calls"]] == ["c", "call_1_2"]
    (result,) = found["observation"]["results"]
    assert "source_call_id" not in result
    assert result["extra"] == {"attraj": {"source_call_id": "c"}}


def test_a_copied_step_repeats_the_ids_of_its_calls() -> None:
    copied = {"kind": "decision", "payload": {"content": "m", "is_copied_context": True}}
    chain = (("n1", "n2", "caused_by"), ("n3", "n4", "caused_by"))
    (tree,), _ = written(made(copied, call(), {"kind": "decision", "payload": {"content": "m"}}, call(), edges=chain))
    assert [one["tool_calls"][0]["tool_call_id"] for one in tree["steps"]] == ["c", "c"]
    assert errors(tree, "atif") == []


def test_results_stand_in_the_order_in_which_they_came() -> None:
    other = {"kind": "action", "action": {"kind": "tool_call", "name": "sh", "arguments": {}, "call_id": "d"}}
    answers = [{"kind": "observation", "observation": one} for one in ("of d", "of c", "loose")]
    edges = (("n1", "n2", "caused_by"), ("n1", "n3", "caused_by"), ("n3", "n4", "caused_by"), ("n2", "n5", "caused_by"))
    bundle = made({"kind": "decision", "payload": {"content": "m"}}, call(), other, *answers, edges=edges)
    expected = [("d", "of d"), ("c", "of c"), (None, "loose")]
    assert [(r.get("source_call_id"), r["content"]) for r in step(bundle)["observation"]["results"]] == expected
    bundle["nodes"][3]["sequence"], bundle["nodes"][4]["sequence"] = 5, 4  # order is `sequence`, and no position
    swapped = [expected[1], expected[0], expected[2]]
    assert [(r.get("source_call_id"), r["content"]) for r in step(bundle)["observation"]["results"]] == swapped


def test_a_result_that_no_edge_links_names_no_call_and_the_notes_say_so() -> None:
    bundle = made(
        {"kind": "decision", "payload": {"content": "m"}},
        call(),
        {"kind": "observation", "observation": "ok"},
        edges=(("n1", "n2", "caused_by"),),
    )
    (tree,), _ = written(bundle)
    assert tree["steps"][0]["observation"] == {"results": [{"content": "ok"}]}
    assert "source_call_id" in tree["notes"]


def test_a_null_observation_stays_null() -> None:
    found = after(call(), {"kind": "observation", "observation": None})
    assert found["observation"]["results"] == [{"source_call_id": "c", "content": None}]


def test_a_refused_proposal_is_no_call() -> None:
    refused = {**call(), "kind": "proposal", "admission": {"status": "rejected", "reason": "format"}}
    found = after(refused, {"kind": "observation", "observation": "no"})
    assert "tool_calls" not in found
    (result,) = found["observation"]["results"]
    assert "source_call_id" not in result
    assert result["extra"]["attraj"]["admission"] == {"status": "rejected", "reason": "format"}
    assert result["extra"]["attraj"]["proposed_action"]["name"] == "sh"


def test_a_refused_proposal_without_an_answer_stays_with_its_step() -> None:
    found = after({**call(), "kind": "proposal", "admission": {"status": "denied"}})
    assert "observation" not in found
    assert found["extra"]["attraj"]["proposals"][0]["admission"] == {"status": "denied"}


def test_a_person_s_command_is_no_call_of_the_agent() -> None:
    command = {"kind": "action", "action": {"kind": "shell_command", "value": "ls"}, "authority_class": "principal"}
    bundle = made({"kind": "decision", "payload": {"content": "m"}}, command)
    (tree,), _ = written(bundle)
    assert sources_of(tree) == ["agent", "user"]
    assert tree["steps"][1]["message"] == "ls"


def test_several_thoughts_are_one_text_and_a_loss() -> None:
    thoughts = [{"kind": "reasoning_summary", "payload": {"content": one}} for one in ("a", "b")]
    (tree,), losses = written(made(*thoughts, {"kind": "decision", "payload": {"content": "m"}}))
    assert tree["steps"][0]["reasoning_content"] == "a\n\nb"
    assert ("joined-reasoning", "approximated", "/nodes/0/payload/content") in losses


def test_a_decision_of_the_harness_has_no_model_call() -> None:
    found = step(
        made(
            {"kind": "decision", "authority_class": "harness", "payload": {"content": ""}, "model_call": {"usage": {}}}
        )
    )
    assert found["llm_call_count"] == 0
    assert "metrics" not in found


COUNTS = [
    pytest.param({}, "react-web", 1, id="one-where-the-format-records-a-call-a-turn"),
    pytest.param({}, "atif", None, id="none-where-the-source-does-not-track-them"),
    pytest.param({"payload": {"content": "m", "llm_call_count": 3}}, "atif", 3, id="as-the-source-says"),
    pytest.param({"authority_class": "harness"}, "atif", 0, id="none-was-called-by-the-harness"),
    pytest.param({"authority_class": "unknown"}, "react-web", None, id="nobody-known-decided"),
]


@pytest.mark.parametrize(("members", "source", "expected"), COUNTS)
def test_calls_of_the_model_are_counted_only_where_they_are_known(members: Any, source: str, expected: Any) -> None:
    bundle = made({"kind": "decision", "payload": {"content": "m"}, **members})
    bundle["extensions"]["dev.attraj.source"]["data"]["artifacts"] = [{**FOREIGN, "format": source}]
    (tree,), _ = composed(bundle)
    assert tree["steps"][0].get("llm_call_count") == expected
    old = composed(bundle, "1.6")[0][0]["steps"][0]
    assert "llm_call_count" not in old
    said = members.get("payload", {}).get("llm_call_count")
    assert old.get("extra", {}).get("attraj", {}).get("llm_call_count") == said


USAGES = [
    pytest.param({"prompt_tokens": 3, "cost_usd": 0.5}, {"prompt_tokens": 3, "cost_usd": 0.5}, id="a-provider-s"),
    pytest.param(
        {"prompt_tokens": 3, "origin": "counter"},
        {"extra": {"prompt_tokens": 3, "origin": "counter"}},
        id="an-estimate",
    ),
    pytest.param(
        {"prompt_tokens": 2.5, "api_calls": 1}, {"extra": {"prompt_tokens": 2.5, "api_calls": 1}}, id="no-count"
    ),
    pytest.param({"logprobs": [-0.5]}, {"logprobs": [-0.5]}, id="probabilities"),
    pytest.param({"logprobs": ["x"]}, {"extra": {"logprobs": ["x"]}}, id="no-probabilities"),
]


@pytest.mark.parametrize(("usage", "expected"), USAGES)
def test_what_a_call_used_becomes(usage: Any, expected: Any) -> None:
    node = {"kind": "decision", "payload": {"content": "m"}, "model_call": {"usage": usage}}
    assert step(made(node))["metrics"] == expected


WITHHELD = [
    pytest.param({"status": "redacted", "alias": "<API_TOKEN_1>"}, "<API_TOKEN_1>", id="by-its-alias"),
    pytest.param({"status": "redacted", "alias": "sha256:1234"}, "[REDACTED]", id="an-alias-that-is-none"),
    pytest.param({"status": "omitted"}, "[REDACTED]", id="omitted"),
    pytest.param({"status": "unknown"}, "[UNKNOWN]", id="unknown"),
]


@pytest.mark.parametrize(("marker", "text"), WITHHELD)
def test_a_withheld_message_is_never_an_empty_one(marker: Any, text: str) -> None:
    (tree,), losses = written(made({"kind": "input", "payload": {"role": "user", "content": {"$at": marker}}}))
    assert tree["steps"][0]["message"] == text
    assert ("withheld-content", "approximated", "/nodes/0/payload/content") in losses


def test_withheld_arguments_stay_an_object() -> None:
    secret = {"$at": {"status": "redacted", "alias": "<PASSWORD_1>", "was": "string"}}
    found = after(call(action={"kind": "tool_call", "name": "sh", "call_id": "c", "arguments": {"p": secret}}))
    assert found["tool_calls"][0]["arguments"] == {"p": "<PASSWORD_1>"}


# --- documents --------------------------------------------------------------------------------------------------


def test_every_made_up_value_is_a_synthesized_loss() -> None:
    _, losses = written(made({"kind": "decision"}, {**call(), "action": {"kind": "tool_call"}}))
    assert {code for code, handling, _ in losses if handling == "synthesized"} == {
        *("step-numbers", "no-message", "call-ids", "tool-names", "no-arguments", "call-count"),
        *("agent-name", "agent-version"),
    }


def test_outcomes_rewards_rights_and_endings_are_carried_and_not_judged() -> None:
    outcome = {"outcome_id": "o", "scope": ["task"], "status": "succeeded"}
    rights = {"training": False}
    bundle = made({"kind": "input", "payload": "x"}, outcomes=[outcome], rights=rights)
    (tree,), losses = written(bundle)
    assert tree["extra"]["attraj"]["outcomes"] == [outcome]
    assert tree["extra"]["attraj"]["rights"] == rights
    assert not any(pointer.startswith(("/outcomes", "/rights")) for _, _, pointer in losses)


def test_nothing_to_write_is_refused() -> None:
    with pytest.raises(NotWritable):
        written(made({"kind": "evidence", "payload": {}}))


@pytest.mark.parametrize("version", ["1.5", "1.9", "2.0", "seven"])
def test_a_version_that_cannot_be_written_is_refused(version: str) -> None:
    with pytest.raises(NotWritable):
        written(made({"kind": "input", "payload": "x"}), version)


def test_version_1_6_has_no_members_of_later_ones() -> None:
    bundle = made(
        {"kind": "decision", "payload": {"content": "m"}}, call(status="done"), edges=(("n1", "n2", "caused_by"),)
    )
    (tree,), losses = written(bundle, "1.6")
    assert errors(tree, "atif") == []
    assert "trajectory_id" not in tree
    assert "llm_call_count" not in tree["steps"][0]
    assert tree["steps"][0]["extra"]["attraj"]["calls"] == {"0": {"attraj": {"status": "done"}}}
    assert ("session-ids", "synthesized", "/trajectory_id") in losses


WITH_SUBAGENT = steps(
    {},
    turn(observation={"results": [{"source_call_id": "c", "subagent_trajectory_ref": [{"trajectory_id": "child"}]}]}),
    subagent_trajectories=[{**steps({}), "trajectory_id": "child"}],
)


def test_a_subagent_is_embedded_or_beside_as_the_caller_wants() -> None:
    bundle = read(WITH_SUBAGENT)
    (whole,), _ = composed(bundle)
    assert [one["trajectory_id"] for one in whole["subagent_trajectories"]] == ["child"]
    result = whole["steps"][1]["observation"]["results"][0]
    assert result["subagent_trajectory_ref"] == [{"trajectory_id": "child"}]
    main, beside = composed(bundle, "1.6")[0]
    (reference,) = main["steps"][1]["observation"]["results"][0]["subagent_trajectory_ref"]
    assert reference["trajectory_path"] == "embedded-1.atif.json"
    assert errors(main, "atif") == [] == errors(beside, "atif")


def test_a_subagent_that_nothing_refers_to_loses_its_place_with_its_document() -> None:
    child = {**steps({}), "trajectory_id": "child"}
    bundle = read(steps({}, subagent_trajectories=[child]))
    del bundle["extensions"]["dev.attraj.source"]
    (whole,), losses = written(bundle)
    assert len(whole["subagent_trajectories"]) == 1
    assert "unreferenced-subagents" not in [code for code, _, _ in losses]
    apart, losses = written(bundle, splits_subagents=True)
    assert len(apart) == 2
    at = next(i for i, node in enumerate(bundle["nodes"]) if node.get("thread_id") == "embedded-1")
    assert ("unreferenced-subagents", "dropped", f"/nodes/{at}") in losses


def agents_of(tree: Any, path: tuple[str, ...] = ("name", "model_name")) -> list[Any]:
    """What the agents of a document and of those in it are said to be."""
    inside = [one for child in tree.get("subagent_trajectories", ()) for one in agents_of(child, path)]
    return [tuple(tree["agent"].get(name) for name in path), *inside]


TOOLS = [{"type": "function", "function": {"name": "sh"}}]


def test_a_subagent_has_neither_the_model_nor_the_tools_of_the_agent_that_called_it() -> None:
    agent = {"name": "main", "version": "1", "model_name": "m", "tool_definitions": TOOLS}
    child = {**steps({}), "trajectory_id": "child", "agent": {"name": "child", "version": "2"}}
    (tree,), _ = composed(read(steps({}, agent=agent, subagent_trajectories=[child])))
    assert agents_of(tree) == [("main", "m"), ("child", None)]
    assert tree["agent"]["extra"] == {"attraj": {"tools": ["sh"]}}
    assert "extra" not in tree["subagent_trajectories"][0]["agent"]


def test_a_sidechain_is_of_the_program_of_its_document_and_of_no_known_model() -> None:
    agent = {"name": "main", "version": "1", "model_name": "m"}
    (tree,), _ = composed(read(steps({}, {"extra": {"is_sidechain": True}}, agent=agent)))
    assert agents_of(tree, ("name", "version", "model_name")) == [("main", "1", "m"), ("main", "1", None)]


def test_an_attempt_is_one_of_the_agent_of_the_run() -> None:
    nodes = [
        {"kind": "input", "payload": "x", "thread_id": one, "attempt_id": one} for one in ("attempt-1", "attempt-2")
    ]
    trees, _ = composed(made(*nodes, bindings={"agents": [{"name": "a"}], "models": [{"id": "m"}]}))
    assert [agents_of(tree) for tree in trees] == [[("a", "m")], [("a", "m")]]


def test_the_only_thread_of_a_bundle_is_of_its_agent_whatever_it_is_called() -> None:
    bundle = made({"kind": "input", "payload": "x", "thread_id": "t"}, bindings={"models": [{"id": "m"}]})
    del bundle["extensions"]["dev.attraj.source"]
    assert agents_of(composed(bundle)[0][0]) == [("unknown", "m")]


def test_a_sidechain_is_embedded_though_nothing_refers_to_it() -> None:
    (tree,), _ = composed(read(steps({}, {"extra": {"is_sidechain": True}})))
    assert len(tree["steps"]) == 1
    assert len(tree["subagent_trajectories"]) == 1


def test_documents_are_told_apart_by_names_that_are_none_of_the_source_s_texts() -> None:
    threads = ("", "../x", "a/b", "a-b", "attempt:1")
    bundle = made(
        *[{"kind": "input", "payload": "x", "thread_id": one, "attempt_id": "t"} for one in threads if one],
        {"kind": "input", "payload": "x"},
    )
    assert parts(bundle) == ["", "thread-1", "a-b", "a-b-3", "attempt-1"]


def test_thoughts_are_left_out_on_request() -> None:
    thought = {"kind": "reasoning_summary", "payload": {"content": "hm"}}
    bundle = made(thought, {"kind": "decision", "payload": {"content": "m"}})
    (tree,), losses = written(bundle, strips_thoughts=True)
    assert "reasoning_content" not in tree["steps"][0]
    assert [one for one in losses if one[0] == "stripped-thoughts"] == [("stripped-thoughts", "dropped", "/nodes/0")]


def test_who_acted_is_carried_for_a_bundle_that_was_not_made_of_a_document() -> None:
    bundle = made({"kind": "input", "actor": "principal:u1", "authority_class": "principal", "payload": "x"})
    del bundle["extensions"]["dev.attraj.source"]
    assert step(bundle)["extra"] == {"attraj": {"actor": "principal:u1", "authority_class": "principal"}}


def test_each_value_of_a_bundle_without_a_source_is_written_or_lost_by_name() -> None:
    tree = steps({}, turn(is_copied_context=True, llm_call_count=1), turn("d", extra={"own": 1}), trajectory_id="t")
    bundle = read(tree)
    del bundle["extensions"]["dev.attraj.source"]
    for node in bundle["nodes"]:
        if "admission" in node:
            node["admission"]["reason"] = "nobody said"
    made = convert(Document(dumps(bundle), bundle), "run", ConvertRequest(to="atif", is_verified=True))
    assert made.status == "converted", made.reason


def test_composing_is_what_happens_to_a_bundle_whose_source_is_gone() -> None:
    bundle = read(steps({}, turn()))
    del bundle["nodes"][0]
    documents = compose(Bundle(bundle), Ledger(), Wanted())
    assert len(documents) == 1
