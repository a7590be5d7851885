"""`.traj` → Bundle: nothing is lost, nothing is made up, what repeats is stored once."""

from __future__ import annotations

import copy
import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from attraj.bundle.model import Bundle
from attraj.findings import Severity
from attraj.formats.mapping.draft import Settings
from attraj.formats.mapping.fields import is_same, look_up, tokens_of
from attraj.formats.mapping.restore import restore, sources
from attraj.formats.swe_agent.ending import ending_of
from attraj.formats.swe_agent.places import PLACES
from attraj.formats.swe_agent.read import read
from attraj.jsonio import Document, load, parse
from attraj.jsonio.write import dumps
from attraj.verbs.validate import Request, validate
from tests.formats.swe_agent.files import base, changed
from tests.formats.swe_agent.test_laws import RELAXED, garbled
from tests.support import CORPUS, needs_corpus

HERE = CORPUS / "swe-agent"
EXPECTED: dict[str, Any] = (
    json.loads((HERE / "EXPECTATIONS.json").read_text(encoding="utf-8"))["files"] if HERE.is_dir() else {}
)
FILES = sorted(name for name in EXPECTED if name.endswith(".traj"))
TEXTS = ("payload", "observation", "action")


def bundle_of(tree: Any, name: str = "run") -> dict[str, Any]:
    """The Bundle of a document, as its bytes say it."""
    document = tree if isinstance(tree, Document) else Document(dumps(tree), tree)
    made: dict[str, Any] = parse(dumps(read(document, Settings(name=name)).finish())).tree
    return made


def restored(tree: dict[str, Any]) -> Any:
    bundle = Bundle(tree)
    return restore(bundle, sources(bundle)[0], PLACES)


def errors(tree: dict[str, Any]) -> list[str]:
    report = validate(parse(dumps(tree)), Request())
    assert "bundle" == report.format
    return [f"{f.rule.code} {f.location.pointer}" for f in report.findings if f.severity is Severity.ERROR]


def kinds(tree: dict[str, Any]) -> Counter[str]:
    return Counter(node["kind"] for node in tree["nodes"])


def node(tree: dict[str, Any], node_id: str) -> dict[str, Any]:
    found: dict[str, Any]
    [found] = [one for one in tree["nodes"] if one["node_id"] == node_id]
    return found


def edges(tree: dict[str, Any]) -> set[tuple[str, str, str, str]]:
    return {(edge["from"], edge["relation"], edge["to"], edge["basis"]) for edge in tree["edges"]}


# --- the corpus --------------------------------------------------------------------------------------------------


def file_of(name: str) -> Document:
    document = load(HERE / name)
    if type(document.tree) is not dict:
        pytest.skip("no object to read")
    return document


@needs_corpus
@pytest.mark.parametrize("name", FILES)
def test_a_file_comes_back_whole_from_a_sound_bundle(name: str) -> None:
    document = file_of(name)
    tree = bundle_of(document)
    assert [] == errors(tree)
    assert is_same(document.tree, restored(tree))
    assert dumps(document.tree) == dumps(restored(tree))  # the order of members too


@needs_corpus
@pytest.mark.parametrize("name", FILES)
def test_the_nodes_are_those_that_the_oracle_counts(name: str) -> None:
    expected = EXPECTED[name]
    classes, count = expected.get("step_classes", {}), kinds(bundle_of(file_of(name)))
    if "attempts" in expected.get("top_keys", ()) or "trajectory" not in expected.get("top_keys", ()):
        return  # see the tests of retry files and of demonstrations
    asked = sum(number for kind, number in classes.items() if kind != "synthetic_exit")
    unparsed = "v0.x-exit-format" in name  # the one exit that kept the reply it could not parse
    assert asked + unparsed == count["decision"]
    assert classes.get("rejected", 0) == count["proposal"]
    assert classes.get("synthetic_exit", 0) == count["terminal"]


@needs_corpus
@pytest.mark.parametrize("name", FILES)
def test_every_text_of_a_node_stands_in_the_source(name: str) -> None:
    document = file_of(name)
    said = set(strings(document.tree))
    for one in bundle_of(document)["nodes"]:
        for text in strings({part: one[part] for part in TEXTS if part in one}):
            assert text in said or text in ("tool_call", "shell_command", "unparsed", "litellm counter")
        assert "timestamp" not in one or one["timestamp"] in said


def strings(tree: Any) -> list[str]:
    """Every string of a JSON value, those inside of JSON texts among them."""
    found: list[str] = []
    pending = [tree]
    while pending:
        value = pending.pop()
        if type(value) is str:
            found.append(value)
            if value[:1] in ("{", "["):
                try:
                    pending.append(json.loads(value))
                except ValueError:
                    continue
        elif type(value) is dict:
            pending.extend(value.values())
        elif type(value) is list:
            pending.extend(value)
    return found


@needs_corpus
def test_a_submitted_run_that_solved_nothing_is_submitted_and_no_more() -> None:
    folder = HERE / "swe-smith" / "pandas-dev__pandas.95280573.pr_53856"
    [path] = folder.glob("*.traj")
    tree = bundle_of(load(path))
    [outcome] = tree["outcomes"]
    assert ("agent_self_report", "succeeded", "submitted") == tuple(
        outcome[name] for name in ("authority_class", "status", "value")
    )
    assert [] == tree["verifier_results"] == tree["reward_records"]
    assert "not_captured" == tree["disclosure"]["absences"]["verifier_results"]


@needs_corpus
def test_a_retry_file_has_its_attempts_once_and_its_reviews_beside_them() -> None:
    tree = bundle_of(load(HERE / "generated-by-upstream-code/retry-score-two-attempts/retry-score-two-attempts.traj"))
    assert ["attempt:0", "attempt:1"] == tree["scope"]["attempt_ids"]
    assert {"attempt:0": 2, "attempt:1": 3} == Counter(
        one["attempt_id"] for one in tree["nodes"] if one["kind"] == "decision"
    )
    assert [2.25, 9.25] == [reward["value"] for reward in tree["reward_records"]]
    assert ["indeterminate"] * 2 == [result["status"] for result in tree["verifier_results"]]
    assert 10 == tree["scope"]["resources"]["observed"]["api_calls"]
    assert [3, 3, 4] == [
        one["payload"]["usage"]["api_calls"] for one in tree["nodes"] if one["kind"] == "resource_observation"
    ]
    assert {"best_attempt": 1} == node(tree, "choice")["payload"]
    attempts = [edge for edge in tree["edges"] if edge["from"][:9] != edge["to"][:9]]
    assert [] == attempts


# --- one step ----------------------------------------------------------------------------------------------------


def test_a_turn_is_a_decision_an_action_an_effect_and_an_observation() -> None:
    tree = bundle_of(base("minimal"))
    chain = [f"step:1:{kind}" for kind in ("decision", "action", "effect", "observation")]
    assert chain == [one["node_id"] for one in tree["nodes"] if one["node_id"].startswith("step:1:")]
    assert {(a, "caused_by", b, "recorded") for a, b in itertools.pairwise(chain)} <= edges(tree)
    effect = node(tree, "step:1:effect")
    assert {"external": True, "receipt_status": "none_authoritative"} == effect["effect"]
    assert ("admitted", "runtime:swe-agent") == tuple(
        node(tree, "step:1:action")["admission"][name] for name in ("status", "authority")
    )


def test_a_rejected_proposal_has_no_effect_and_the_next_decision_retries_it() -> None:
    source = base("full")
    tree = bundle_of(source)
    [proposal] = [one for one in tree["nodes"] if one["kind"] == "proposal"]
    number = int(proposal["node_id"].split(":")[1])
    assert "rejected" == proposal["admission"]["status"]
    assert f"step:{number}:effect" not in {one["node_id"] for one in tree["nodes"]}
    assert (proposal["node_id"], "retries", f"step:{number + 1}:decision", "loop_semantics") in edges(tree)


def test_what_a_sampler_compared_leads_to_the_reply_that_came_of_it() -> None:
    source = changed("minimal")
    source["trajectory"][0]["extra_info"] = {"colleagues": "two opinions"}
    tree = bundle_of(source)
    names = [one["node_id"] for one in tree["nodes"]]
    assert names.index("step:1:samples") + 1 == names.index("step:1:decision")
    assert ("step:1:samples", "depends_on", "step:1:decision", "recorded") in edges(tree)
    assert (
        "several model calls stand behind it, and no record of each"
        == (node(tree, "step:1:decision")["model_call"]["reason"])
    )
    assert "samples" not in str(tree["outcomes"])
    assert is_same(source, restored(tree))


EXITED = {"action": "", "observation": "Exited", "response": "Exit due to cost limit", "state": {}, "query": [{}]}


def test_a_step_that_the_loop_made_up_is_no_decision() -> None:
    source = changed("minimal")
    source["trajectory"].append({**EXITED, "thought": EXITED["response"], "execution_time": 0.0})
    tree = bundle_of(source)
    last = source["trajectory"].index(source["trajectory"][-1]) + 1
    exit_node = node(tree, f"step:{last}:exit")
    assert ("terminal", "runtime") == (exit_node["kind"], exit_node["authority_class"])
    assert "model_call" not in exit_node
    assert exit_node["training"]["target"] is False
    assert not [one for one in tree["nodes"] if one["node_id"] == f"step:{last}:decision"]
    assert is_same(source, restored(tree))


def test_edges_of_the_loop_are_left_out_when_nobody_wants_them() -> None:
    source = base("full")
    draft = read(Document(dumps(source), source), Settings(has_inferred_edges=False))
    assert {"recorded"} == {edge["basis"] for edge in draft.finish()["edges"]}


@pytest.mark.parametrize(
    ("status", "ending"),
    [
        pytest.param("submitted", ("agent_self_report", "succeeded"), id="submitted-is-a-claim-of-the-agent"),
        pytest.param("submitted (exit_cost)", ("runtime", "partial"), id="cut-off-and-a-patch-extracted"),
        pytest.param("exit_cost", ("runtime", "failed"), id="cut-off-without-a-patch"),
        pytest.param("exit_forfeit", ("agent_self_report", "failed"), id="the-agent-gave-up"),
        pytest.param("exit_command", ("runtime", "cancelled"), id="the-agent-typed-exit"),
        pytest.param("skipped", ("runtime", "cancelled"), id="skipped"),
        pytest.param("early_exit", ("runtime", "failed"), id="the-environment-died"),
        pytest.param("solved", ("runtime", "unknown"), id="a-word-that-no-release-writes"),
        pytest.param("", ("runtime", "unknown"), id="an-empty-word"),
    ],
)
def test_an_exit_status_is_a_claim_of_somebody(status: str, ending: tuple[str, str]) -> None:
    assert ending == tuple(ending_of(status))


@pytest.mark.parametrize(
    "patch",
    [
        pytest.param({"info": {"exit_status": None}}, id="absent"),
        pytest.param({"info": None}, id="no-info"),
    ],
)
def test_without_an_exit_status_the_record_is_open_and_has_no_outcome(patch: Any) -> None:
    tree = bundle_of(changed("minimal", patch))
    assert ("open", []) == (tree["completeness"]["status"], tree["outcomes"])
    assert "not_captured" == tree["disclosure"]["absences"]["outcomes"]


@pytest.mark.parametrize(
    ("status", "outcomes", "has_ended"),
    [
        pytest.param(1, [("runtime", "unknown", 1)], True, id="a-number-that-upstream-s-annotation-allows"),
        pytest.param(["submitted"], [], False, id="no-word-at-all"),
    ],
)
def test_an_exit_status_that_is_no_text_says_that_the_run_has_ended(
    status: Any, outcomes: Any, has_ended: bool
) -> None:
    source = changed("minimal", [{"op": "add", "path": "/info/exit_status", "value": status}])
    tree = bundle_of(source)
    assert outcomes == [(one["authority_class"], one["status"], one["value"]) for one in tree["outcomes"]]
    assert ("partial", has_ended) == (tree["completeness"]["status"], "termination" in tree["scope"])
    assert "going on" not in tree["completeness"]["reason"]
    assert is_same(source, restored(tree))


SUGGESTED = {"model_name": "lab/model-a", "instance_id": "task-1", "total_cost": 0.5, "input_tokens": 7}


def test_what_a_note_suggests_is_used_where_the_format_s_own_members_are_silent() -> None:
    source = changed("minimal", {"info": {**SUGGESTED, "model_stats": None}, "replay_config": None})
    tree = bundle_of(source)
    assert "lab/model-a" == tree["bindings"]["models"][0]["id"]
    assert "task-1" == tree["bindings"]["tasks"][0]["id"]
    assert {"cost_usd": 0.5, "prompt_tokens": 7, "origin": "unknown"} == tree["scope"]["resources"]["observed"]
    assert is_same(source, restored(tree))
    tree["bindings"]["models"][0]["id"] = "lab/model-b"
    assert "lab/model-b" == restored(tree)["info"]["model_name"]


def test_what_a_note_suggests_says_nothing_against_the_format_s_own_members() -> None:
    plain = changed("minimal", {"replay_config": {"agent": {"model": {"name": "own"}}}})
    plain["info"]["model_stats"] = {"instance_cost": 1.5, "api_calls": 2}
    noted = copy.deepcopy(plain)
    noted["info"] |= SUGGESTED | {"instance_id": 7}
    found = [bundle_of(one) for one in (plain, noted)]
    assert found[0]["bindings"] == found[1]["bindings"]
    assert found[0]["scope"] == found[1]["scope"]


def test_a_name_of_the_whole_file_is_that_of_its_model() -> None:
    source = changed("minimal", {"model_name": "lab/model-a", "replay_config": None})
    assert "lab/model-a" == bundle_of(source)["bindings"]["models"][0]["id"]


# --- views -------------------------------------------------------------------------------------------------------


def long_run(steps: int, views: str = "") -> dict[str, Any]:
    """A run of so many turns; each with the whole conversation before it (`query`) or after it (`messages`)."""
    history: list[Any] = [{"role": "system", "content": "s" * 400, "agent": "main", "message_type": "system_prompt"}]
    trajectory: list[Any] = []
    for number in range(steps):
        said = f"look at file {number}"
        before = list(history)
        history.append(
            {"role": "assistant", "content": said, "thought": said, "action": f"cat {number}", "agent": "main"}
        )
        history.append({"role": "user", "content": f"OBSERVATION: {number} " + "x" * 300, "agent": "main"})
        step: dict[str, Any] = {"action": f"cat {number}", "observation": f"{number} " + "x" * 300, "response": said}
        step |= {"thought": said, "execution_time": 0.5, "state": {"working_dir": f"/d{number}"}, "extra_info": {}}
        if views:
            step[views] = before if views == "query" else list(history)
        trajectory.append(step)
    info = {
        "exit_status": "submitted",
        "submission": "diff",
        "swe_agent_version": "1.1.0" if views != "messages" else "1.0.1",
    }
    return {"trajectory": trajectory, "history": history, "info": info, "replay_config": None, "environment": "main"}


@pytest.mark.parametrize("views", ["query", "messages"])
def test_a_file_that_grows_with_the_square_of_its_steps_becomes_a_bundle_that_grows_with_them(views: str) -> None:
    whole, bare = dumps(long_run(200, views)), dumps(long_run(200))
    assert len(whole) > 40 * len(bare)
    assert len(dumps(bundle_of(long_run(200, views)))) < 5 * len(bare)
    assert is_same(long_run(200, views), restored(bundle_of(long_run(200, views))))


def test_a_rebuilt_view_of_every_step_costs_no_more_than_the_history() -> None:
    assert len(dumps(bundle_of(long_run(400)))) < 2.1 * len(dumps(bundle_of(long_run(200))))


@pytest.mark.parametrize(
    ("views", "is_rebuilt"),
    [
        pytest.param("query", [False, False, False], id="query-is-what-was-sent"),
        pytest.param("messages", [True, True, True], id="messages-stand-after-the-step-before"),
        pytest.param("message", [True, True, True], id="the-alias-is-read-like-messages"),
        pytest.param("", [True, True, True], id="the-history-up-to-the-reply"),
    ],
)
def test_each_decision_has_its_view(views: str, is_rebuilt: list[bool]) -> None:
    from attraj.formats.mapping.messages import Expander

    source = long_run(3, views)
    tree = bundle_of(source)
    expander = Expander(Bundle(tree))
    states = {state["state_id"]: state for state in tree["states"]}
    shown = [one["state_view"] for one in tree["nodes"] if one["kind"] == "decision"]
    assert is_rebuilt == [states[name].get("reconstructed", False) for name in shown]
    for number, name in enumerate(shown):
        assert source["history"][: 1 + 2 * number] == expander.items(name)
    assert (views != "query") == ("state_reconstruction" in tree["transform"]["operations"])


# --- what changes in the Bundle changes in the file --------------------------------------------------------------


def test_a_best_attempt_that_is_repeated_on_top_changes_in_both_places() -> None:
    source = base("retry")
    tree = bundle_of(source)
    best = source["info"]["best_attempt_idx"]
    [first] = [one for one in tree["nodes"] if one["node_id"] == f"attempt:{best}/step:1:decision"]
    first["payload"]["content"] = "other words"
    expected = copy.deepcopy(source)
    for holder in (expected, expected["attempts"][best]):
        holder["trajectory"][0]["response"] = "other words"
    assert is_same(expected, restored(tree))


def test_a_top_that_differs_from_its_best_attempt_is_a_trajectory_of_its_own() -> None:
    source = changed("retry", [{"op": "replace", "path": "/trajectory/0/response", "value": "edited"}])
    tree = bundle_of(source)
    assert "edited" == node(tree, "step:1:decision")["payload"]["content"]
    assert is_same(source, restored(tree))


@pytest.mark.parametrize("name", ["minimal", "full", "old", "retry"])
def test_each_mapped_value_changes_its_own_place_and_no_other(name: str) -> None:
    source = base(name)
    tree = bundle_of(source)
    [entry] = sources(Bundle(tree))
    copies = entry.get("copies", {})
    for place, linked in entry["links"].items():
        if PLACES[place].is_messages:
            continue
        for record, pointer in linked.items():
            for field in PLACES[place].fields:
                at = (*tokens_of(pointer), *field.source)
                assert is_alone(source, tree, (place, record, field.core), at, copies), (place, field.source)


def is_alone(source: Any, tree: dict[str, Any], core: tuple[str, str, Any], at: Any, copies: dict[str, str]) -> bool:
    place, record, path = core
    mutated = copy.deepcopy(tree)
    collection = PLACES[place].collection
    if collection:
        member = {"nodes": "node_id", "states": "state_id", "outcomes": "outcome_id"}.get(collection)
        member = member or {"verifier_results": "verifier_result_id", "reward_records": "reward_id"}[collection]
        [holder] = [one for one in mutated[collection] if one[member] == record]
    else:
        holder = look_up(mutated, tokens_of(record))
    for token in path[:-1]:
        holder = holder.get(token, {}) if type(holder) is dict else {}
    if path[-1] not in holder:
        return True  # the source does not say it
    value = holder[path[-1]] = other_than(holder[path[-1]])
    expected = copy.deepcopy(source)
    twins = [tokens_of(first) for first in copies.values()]
    places = [at] + [
        (*tokens_of(twin), *at[len(first) :])
        for twin, first in zip(copies, twins, strict=True)
        if at[: len(first)] == first
    ]
    for one in places:
        set_at(expected, one, value)
    return bool(is_same(expected, restored(mutated)))


def other_than(value: Any) -> Any:
    if type(value) is str:
        return value + "!"
    if type(value) is bool:
        return not value
    if type(value) in (int, float):
        return value + 1
    return [*value, "!"] if type(value) is list else {**value, "!": 1}


def set_at(tree: Any, at: Any, value: Any) -> None:
    """Set a value, also inside of a JSON text."""
    for depth in range(1, len(at)):
        text = look_up(tree, at[:depth])
        if type(text) is str:
            inner = json.loads(text)
            set_at(inner, at[depth:], value)
            compact = json.dumps(inner, separators=(",", ":"), ensure_ascii=False)
            set_at(tree, at[:depth], compact if json.dumps(json.loads(text)) != text else json.dumps(inner))
            return
    known = look_up(tree, at)
    if type(known) is str and type(value) is dict:
        value = (
            json.dumps(value) if json.dumps(json.loads(known)) == known else json.dumps(value, separators=(",", ":"))
        )
    look_up(tree, at[:-1])[at[-1]] = value


# --- documents that nobody would write ---------------------------------------------------------------------------


def is_finite(tree: Any) -> bool:
    """Whether a document can be written at all: JSON has no infinite number."""
    try:
        dumps(tree)
    except ValueError:
        return False
    return True


@RELAXED
@given(garbled().filter(is_finite))
def test_whatever_a_file_holds_it_comes_back_from_its_bundle(tree: Any) -> None:
    before = copy.deepcopy(tree)
    made = read(Document(b"", tree), Settings(name="run")).finish()
    again = read(Document(b"", copy.deepcopy(tree)), Settings(name="run")).finish()
    assert is_same(made, again)
    assert is_same(before, tree)
    assert is_same(tree, restored(made))


@pytest.mark.parametrize("tree", [None, [], [1], "x", 1], ids=str)
def test_what_is_no_object_gives_an_empty_record(tree: Any) -> None:
    made = read(Document(b"", tree), Settings()).finish()
    assert [] == made["nodes"] == made["outcomes"]


def test_the_identity_is_that_of_the_caller_or_of_the_name() -> None:
    assert "at:swe-agent:a/run" == bundle_of(base("minimal"), "a/run")["trajectory_id"]
    source = base("minimal")
    made = read(Document(dumps(source), source), Settings("mine", "a/run")).finish()
    assert "mine" == made["trajectory_id"] == made["outcomes"][0]["scope"][0]


def test_two_readings_give_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "run.traj"
    path.write_bytes(dumps(base("full")))
    assert dumps(read(load(path), Settings()).finish()) == dumps(read(load(path), Settings()).finish())
