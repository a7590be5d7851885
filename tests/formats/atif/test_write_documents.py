"""A Bundle → documents of ATIF: which threads stand in one, and what it says of its agent and its run."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.model import Bundle
from attraj.formats.atif.write import compose
from attraj.formats.mapping.held import Ledger
from attraj.formats.mapping.rooms import NotWritable, Wanted
from attraj.jsonio import Document
from attraj.jsonio.write import dumps
from attraj.verbs.convert import Request as ConvertRequest
from attraj.verbs.convert import convert
from tests.formats.atif.bundles import (
    call,
    composed,
    errors,
    made,
    parts,
    read,
    step,
    written,
)
from tests.formats.atif.documents import steps, turn


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


def test_what_is_of_one_attempt_stands_in_its_document_and_what_is_of_the_run_adds_to_none() -> None:
    nodes = [
        {"kind": kind, "thread_id": thread, **({"payload": {"usage": {"api_calls": 3}}} if "r" in kind else {})}
        for thread in ("attempt:0", "attempt:1")
        for kind in ("decision", "resource_observation")
    ]
    places = [{"name": f"room {k}", "thread_id": f"attempt:{k}"} for k in (1, 0)]
    places += [{"name": "house"}, {"name": "gone", "thread_id": "attempt:7"}]
    scope = {"resources": {"observed": {"api_calls": 10}}, "termination": {"status": "ended"}}
    trees, _ = written(made(*nodes, bindings={"environments": places}, scope=scope))
    first, second = (tree["extra"]["attraj"] for tree in trees)
    assert [places[1], places[2], places[3]] == first["bindings"]["environments"]
    assert [places[0]] == second["bindings"]["environments"]
    assert ({"status": "ended"}, {"api_calls": 10}) == (first["termination_of_the_run"], first["resources_of_the_run"])
    assert set(second) & {"termination", "termination_of_the_run", "resources_of_the_run"} == set()
    assert [{"extra": {"api_calls": 3}}] * 2 == [tree["final_metrics"] for tree in trees]


def test_a_top_beside_attempts_has_not_what_all_of_them_used() -> None:
    scope = {"resources": {"observed": {"api_calls": 10}}}
    nodes = ({"kind": "decision"}, {"kind": "decision", "thread_id": "attempt:0"})
    trees, _ = written(made(*nodes, scope=scope))
    assert [None, None] == [tree.get("final_metrics") for tree in trees]
    assert {"api_calls": 10} == trees[0]["extra"]["attraj"]["resources_of_the_run"]


def test_neither_an_attempt_nor_a_subagent_goes_on_in_the_main_document() -> None:
    for name in ("attempt:0", "helper"):
        trees, _ = written(made({"kind": "decision"}, {"kind": "decision", "thread_id": name}), splits_subagents=True)
        assert [None, None] == [tree.get("continued_trajectory_ref") for tree in trees]
