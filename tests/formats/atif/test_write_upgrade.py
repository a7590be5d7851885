"""ATIF → ATIF with a change on the way: versions, thoughts, subagents. `extra` and `notes` stay what they are."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from attraj.bundle.model import Bundle
from attraj.formats.atif import read as reading
from attraj.formats.atif.verdict import harbor
from attraj.formats.atif.write import compose
from attraj.formats.mapping.draft import Draft, Settings
from attraj.formats.mapping.fields import is_same
from attraj.formats.mapping.held import Ledger, settle
from attraj.formats.mapping.rooms import NotWritable, Wanted
from attraj.jsonio import Document
from attraj.jsonio.write import dumps
from attraj.verbs.convert import Converted, convert
from attraj.verbs.convert import Request as ConvertRequest
from tests.formats.atif.bundles import back, errors, parts, read, written
from tests.formats.atif.documents import full, steps, turn

OLD = steps({"extra": {"own": 1}}, turn(reasoning_content="hm"), schema_version="ATIF-v1.5", notes="n", session_id="s")
VERSION = ("version", "approximated", "/extensions/dev.attraj.source/data/artifacts/0/rest/~1schema_version")
CHILD = {**steps({}), "trajectory_id": "child"}


def calling(*references: Any) -> dict[str, Any]:
    return turn(observation={"results": [{"source_call_id": "c", "subagent_trajectory_ref": list(references)}]})


def changed(tree: Any, **members: Any) -> Any:
    return {**copy.deepcopy(tree), **members}


def verdict(tree: Any) -> str:
    raw = dumps(tree)
    return harbor(Document(raw, json.loads(raw)), "")["harbor-0.26"]


# --- versions ---------------------------------------------------------------------------------------------------


def test_an_upgrade_changes_the_tag_and_nothing_else() -> None:
    (tree,), losses = written(read(OLD), upgrades=True)
    assert is_same(tree, changed(OLD, schema_version="ATIF-v1.8"))
    assert losses == [VERSION]


@pytest.mark.parametrize(("tree", "version"), [(OLD, "1.7"), (OLD, "ATIF-v1.8"), (full(), "1.8")])
def test_a_document_is_written_in_a_version_that_has_all_it_says(tree: Any, version: str) -> None:
    (new,), losses = written(read(tree), version)
    assert is_same(new, changed(tree, schema_version=f"ATIF-v{version.removeprefix('ATIF-v')}"))
    assert losses == ([] if tree["schema_version"] == new["schema_version"] else [VERSION])


def test_the_newest_version_is_not_upgraded() -> None:
    newest = changed(OLD, schema_version="ATIF-v1.8")
    assert written(read(newest), upgrades=True) == ([newest], [])


def test_claims_in_extra_stay_what_they_are() -> None:
    """Each is a record of its own: its scope is not the Bundle's, which has a member of the same name."""
    outcome = {"scope": ["t"], "producer": "p", "authority_class": "runtime", "status": "failed", "terminal": True}
    result = {"scope": ["t"], "verifier": "v", "checked_property": "c", "status": "pass"}
    reward = {"scope": ["t"], "policy": "p", "attribution_target": "t", "signal_type": "scalar", "value": 1}
    reward |= {"producer": "p", "timing": "retrospective"}
    own = {"outcomes": [outcome], "verifier_results": [result], "reward_records": [reward]}
    tree = changed(OLD, schema_version="ATIF-v1.7", extra={"attraj": own})
    assert all(len(read(tree)[name]) == 1 for name in own)
    (new,), losses = written(read(tree), "1.8", is_given=True)
    assert is_same(new, changed(tree, schema_version="ATIF-v1.8"))
    assert losses == [VERSION]


def test_a_version_before_1_7_keeps_what_it_has_no_member_for_in_extra() -> None:
    tree = changed(
        steps({}, turn(llm_call_count=1)),
        trajectory_id="t",
        extra={"own": 1},
    )
    tree["steps"][1]["tool_calls"][0]["extra"] = {"call": True}
    tree["steps"][1]["observation"]["results"][0]["extra"] = {"result": True}
    (old,), losses = written(read(tree), "1.6")
    assert verdict(old) == "accepted"
    assert errors(old, "atif") == []
    assert old["extra"] == {"own": 1, "attraj": {"trajectory_id": "t"}}
    assert old["steps"][1]["extra"]["attraj"] == {
        "llm_call_count": 1,
        "calls": {"0": {"call": True}},
        "results": {"0": {"result": True}},
    }
    assert sorted(code for code, _, _ in losses) == [*["moved-to-extra"] * 4, "version"]


def test_what_a_version_before_1_7_had_to_keep_in_extra_comes_back() -> None:
    child = {**steps({}, {"source": "agent", "llm_call_count": 2}), "trajectory_id": "child", "session_id": "s"}
    reference = {"trajectory_id": "child", "session_id": "s"}
    result = {"source_call_id": "c", "subagent_trajectory_ref": [reference], "extra": {"result": True}}
    asking = turn(llm_call_count=0, observation={"results": [result]})
    asking["tool_calls"][0]["extra"] = {"call": True}
    asking["extra"] = {"own": 1}
    tree = changed(steps({}, asking, subagent_trajectories=[child]), trajectory_id="t", session_id="s")
    olds, _ = written(read(tree), "1.6", stem="run")
    new = []
    for old in olds:
        bundle = read(old)
        new += written(bundle, "1.7")[0]
        assert is_same(back(bundle), old)
    assert is_same(new[1], {**child, "schema_version": "ATIF-v1.7"})
    expected = changed(tree, schema_version="ATIF-v1.7")
    del expected["subagent_trajectories"]
    named = expected["steps"][1]["observation"]["results"][0]["subagent_trajectory_ref"][0]
    named["trajectory_path"] = "run.embedded-1.atif.json"
    assert is_same(new[0], expected)


def test_a_step_without_a_call_of_a_model_is_one_in_a_version_that_cannot_say_so_too() -> None:
    (old,), _ = written(read(steps({}, {"source": "agent", "llm_call_count": 0})), "1.6")
    decision = read(old)["nodes"][1]
    assert (decision["authority_class"], decision["payload"]["llm_call_count"]) == ("harness", 0)


ODD = [
    pytest.param({"llm_call_count": "1"}, id="no-count"),
    pytest.param({"calls": {"7": {}}}, id="a-call-that-is-not-there"),
    pytest.param({"calls": {"0": 1}}, id="an-extra-that-is-no-object"),
    pytest.param({"calls": []}, id="no-object"),
    pytest.param(3, id="not-ours"),
]


@pytest.mark.parametrize("own", ODD)
def test_what_cannot_be_brought_back_stays_where_it_is(own: Any) -> None:
    old = changed(steps({}, turn(extra={"attraj": own})), schema_version="ATIF-v1.6", session_id="s")
    (new,), _ = written(read(old), upgrades=True)
    assert is_same(new["steps"], old["steps"])


def test_a_version_before_1_7_has_a_session() -> None:
    tree = steps({}, trajectory_id="t")
    tree.pop("session_id", None)
    (old,), losses = written(read(tree), "1.6")
    assert old["session_id"] == "t"
    assert "session-ids" in [code for code, handling, _ in losses if handling == "synthesized"]


def test_a_sound_is_given_up_before_1_8() -> None:
    part = {"type": "audio", "source": {"media_type": "audio/wav", "path": "a.wav"}}
    tree = changed(steps({"message": [{"type": "text", "text": "t"}, part]}), schema_version="ATIF-v1.8")
    (old,), losses = written(read(tree), "1.7")
    assert old["steps"][0]["message"] == [{"type": "text", "text": "t"}, {"type": "text", "text": "[audio omitted]"}]
    assert [one for one in losses if one[0] == "attachment"] == [
        ("attachment", "dropped", "/nodes/0/payload/content/1")
    ]


def test_a_reference_by_session_alone_cannot_be_upgraded() -> None:
    tree = changed(steps({}, calling({"session_id": "x"})), schema_version="ATIF-v1.5", session_id="s")
    (new,), losses = written(read(tree), upgrades=True)
    assert "subagent_trajectory_ref" not in new["steps"][1]["observation"]["results"][0]
    assert "unresolvable-reference" in [code for code, _, _ in losses]


@pytest.mark.parametrize("version", ["1.5", "2.0"])
def test_a_version_that_cannot_be_written_is_refused(version: str) -> None:
    with pytest.raises(NotWritable):
        written(read(OLD), version)


LOCAL = changed(steps({}, turn(timestamp="2026-01-01T00:00:00")), schema_version="ATIF-v1.5", session_id="s")


@pytest.mark.parametrize(
    "wanted", [{"upgrades": True}, {"version": "1.6"}, {"version": "1.8"}, {"splits_subagents": True}]
)
def test_a_time_without_a_zone_stays_what_it_is(wanted: Any) -> None:
    (tree,), _ = written(read(LOCAL), **wanted)
    assert tree["steps"][1]["timestamp"] == "2026-01-01T00:00:00"


def converted(tree: Any, **request: Any) -> Converted:
    return convert(Document(dumps(tree), tree), "run", ConvertRequest(to="atif", is_verified=True, **request))


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        pytest.param({"upgrades": True}, ["version"], id="a-version"),
        pytest.param({"splits_subagents": True}, [], id="nothing"),
        pytest.param({"upgrades": True, "trajectory_id": "x"}, ["renamed", "version"], id="a-name"),
        pytest.param({"trajectory_id": "x"}, ["renamed"], id="a-name-alone"),
    ],
)
def test_what_the_bundle_between_could_not_hold_is_no_loss_of_a_document_that_is_given_back(
    request_: Any, expected: list[str]
) -> None:
    made = converted(changed(LOCAL, trajectory_id="t", schema_version="ATIF-v1.7"), **request_)
    assert (made.status, [loss.code for loss in made.losses]) == ("converted", expected)


def test_what_somebody_did_to_a_bundle_since_is_a_loss_too() -> None:
    bundle = read(changed(OLD, schema_version="ATIF-v1.8"))
    bundle["nodes"][0]["training"] = {"target": False}
    bundle["nodes"].append({"node_id": "mine", "kind": "event", "sequence": 99, "payload": {"x": 1}})
    _, losses = written(bundle, strips_thoughts=True, is_given=True)
    assert [one for one in losses if one[2].startswith("/nodes/0")] == [("masks", "dropped", "/nodes/0/training")]
    last = len(bundle["nodes"]) - 1
    assert any(pointer.startswith(f"/nodes/{last}") for _, _, pointer in losses)


def test_what_is_withheld_without_a_name_is_left_out_and_a_loss() -> None:
    bundle = read(OLD)
    bundle["nodes"][1]["payload"]["content"] = {"$at": {"status": "omitted"}}
    (tree,), losses = written(bundle, upgrades=True)
    assert "reasoning_content" not in tree["steps"][1]
    assert [one for one in losses if one[0] == "withheld-content"] == [
        ("withheld-content", "dropped", "/nodes/1/payload/content")
    ]


# --- thoughts ---------------------------------------------------------------------------------------------------


def test_thoughts_are_left_out_and_the_version_stays() -> None:
    (tree,), losses = written(read(OLD), strips_thoughts=True)
    expected = copy.deepcopy(OLD)
    del expected["steps"][1]["reasoning_content"]
    assert is_same(tree, expected)
    assert losses == [("stripped-thoughts", "dropped", "/nodes/1/payload/content")]


def test_thoughts_of_subagents_are_left_out_too() -> None:
    child = {**steps({}, {"source": "agent", "reasoning_content": "hm"}), "trajectory_id": "child"}
    (tree,), losses = written(read(steps({}, subagent_trajectories=[child])), strips_thoughts=True)
    assert "reasoning_content" not in tree["subagent_trajectories"][0]["steps"][1]
    assert len(losses) == 1


# --- subagents --------------------------------------------------------------------------------------------------


def test_subagents_become_documents_that_references_name() -> None:
    nested = {**CHILD, "subagent_trajectories": [{**steps({}), "trajectory_id": "leaf"}]}
    bundle = read(steps({}, calling({"trajectory_id": "child"}), subagent_trajectories=[nested]))
    (main, child, leaf), losses = written(bundle, splits_subagents=True, stem="run")
    assert parts(bundle, splits_subagents=True) == ["", "embedded-1", "embedded-1-embedded-1"]
    assert not any("subagent_trajectories" in one for one in (main, child, leaf))
    (reference,) = main["steps"][1]["observation"]["results"][0]["subagent_trajectory_ref"]
    assert reference == {"trajectory_id": "child", "trajectory_path": "run.embedded-1.atif.json"}
    assert {verdict(one) for one in (main, child, leaf)} == {"accepted"}
    first = next(i for i, node in enumerate(bundle["nodes"]) if node.get("thread_id") == "embedded-1/embedded-1")
    assert losses[0] == ("unreferenced-subagents", "dropped", f"/nodes/{first}")  # only its place says whose it is
    assert [code for code, _, _ in losses[1:]] == ["file-names"]


def test_a_subagent_whose_steps_stand_among_those_of_the_agent_becomes_a_document() -> None:
    side = {"source": "agent", "extra": {"is_sidechain": True, "agent_id": "a"}}
    agent = {"name": "main", "version": "1", "model_name": "m"}
    tree = steps({}, side, {}, agent=agent, final_metrics={"total_steps": 3}, trajectory_id="t", notes="n")
    (main, child), losses = written(read(tree), splits_subagents=True)
    assert [one["step_id"] for one in main["steps"]] == [1, 2]
    assert [one["step_id"] for one in child["steps"]] == [1]
    assert (main["final_metrics"], main["notes"][:1]) == ({"total_steps": 2}, "n")
    assert (child["agent"], child["trajectory_id"]) == ({"name": "main", "version": "1"}, "t#sidechain-1")
    assert child["steps"][0]["extra"] == side["extra"]
    assert {verdict(main), verdict(child)} == {"accepted"}
    assert sorted(code for code, _, _ in losses) == [
        *("document-ids", "notes", "step-counts", "step-numbers", "step-numbers", "unreferenced-subagents")
    ]


def test_a_document_of_a_subagent_alone_is_not_emptied() -> None:
    tree = steps({"extra": {"is_sidechain": True}})
    assert written(read(tree), splits_subagents=True) == ([tree], [])


def run_of(*documents: tuple[str, Any], **files: str) -> Any:
    """One Bundle of several documents of a run."""
    run = Draft("atif", Settings(trajectory_id="trial"))
    for thread, tree in documents:
        prefix = f"{thread}/" if thread else ""
        reading.read_into(run, tree, dumps(tree), "", thread=thread, prefix=prefix).part = thread
    reading.link(run, {f"{name}.json": thread for name, thread in files.items()})
    return run.finish()


def embedded(bundle: Any) -> list[Any]:
    ledger = Ledger()
    return [settle(one.tree, ledger).tree for one in compose(Bundle(bundle), ledger, Wanted(embeds_subagents=True))]


def test_files_of_subagents_are_embedded_in_what_refers_to_them() -> None:
    main = steps({}, calling({"trajectory_path": "sub.json"}))
    bundle = run_of(("", main), ("sub-1", steps({"message": "inside"})), sub="sub-1")
    (tree,) = embedded(bundle)
    (child,) = tree["subagent_trajectories"]
    (reference,) = tree["steps"][1]["observation"]["results"][0]["subagent_trajectory_ref"]
    assert child["steps"][0]["message"] == "inside"
    assert reference == {"trajectory_id": child["trajectory_id"]}
    assert verdict(tree) == "accepted"


def test_an_embedded_document_has_an_identity_of_its_own_and_its_references_name_it() -> None:
    main = steps(
        {}, calling({"trajectory_path": "a.json"}, {"trajectory_path": "b.json"}, {"trajectory_path": "b.json"})
    )
    bundle = run_of(("", main), ("sub-1", CHILD), ("sub-2", CHILD), a="sub-1", b="sub-2")
    (tree,), losses = written(bundle, embeds_subagents=True)
    assert [one["trajectory_id"] for one in tree["subagent_trajectories"]] == ["child", "sub-2"]
    references = tree["steps"][1]["observation"]["results"][0]["subagent_trajectory_ref"]
    assert references == [{"trajectory_id": one} for one in ("child", "sub-2", "sub-2")]
    assert verdict(tree) == "accepted"
    assert {code for code, _, _ in losses} >= {"document-ids", "file-names"}


def test_a_subagent_in_a_file_that_was_not_read_is_named() -> None:
    tree = steps({}, calling({"trajectory_path": "sub.json"}), schema_version="ATIF-v1.8")
    (same,), losses = written(read(tree), embeds_subagents=True)
    assert is_same(same, tree)
    at = next(i for i, node in enumerate(read(tree)["nodes"]) if node["kind"] == "delegation")
    assert losses == [("not-embedded", "approximated", f"/nodes/{at}/payload/trajectory_path")]


def test_a_subagent_that_is_embedded_already_is_not_named() -> None:
    reference = {"trajectory_id": "child", "trajectory_path": "child.json"}
    tree = steps({}, calling(reference), subagent_trajectories=[CHILD], schema_version="ATIF-v1.8")
    assert written(read(tree), embeds_subagents=True) == ([tree], [])


def test_a_version_that_holds_no_subagents_is_not_asked_to() -> None:
    with pytest.raises(NotWritable):
        written(read(steps({})), "1.6", embeds_subagents=True)


def test_a_reference_of_an_old_version_names_the_session_of_the_subagent_s_own() -> None:
    tree = steps({}, calling({"trajectory_id": "child"}), subagent_trajectories=[{**CHILD, "session_id": "of-child"}])
    (main, child), losses = written(read(tree), "1.6")
    (reference,) = main["steps"][1]["observation"]["results"][0]["subagent_trajectory_ref"]
    assert reference["session_id"] == child["session_id"] == "of-child"
    assert [pointer for code, _, pointer in losses if code == "session-ids"] == []


def test_a_continuation_is_not_embedded() -> None:
    main = steps({}, continued_trajectory_ref="next.json")
    assert len(embedded(run_of(("", main), ("cont-1", steps({})), next="cont-1"))) == 2


def test_documents_that_refer_to_each_other_are_not_put_into_each_other() -> None:
    one, other = steps({}, calling({"trajectory_path": "b.json"})), steps({}, calling({"trajectory_path": "a.json"}))
    bundle = run_of(("", steps({})), ("a", one), ("b", other), a="a", b="b")
    trees = embedded(bundle)
    assert len(trees) == 2
    assert {verdict(tree) for tree in trees} == {"accepted"}


def test_what_was_added_to_the_bundle_since_is_a_loss() -> None:
    bundle = read(OLD)
    bundle["rights"]["training"] = False
    bundle["outcomes"].append({"outcome_id": "o", "status": "succeeded"})
    _, losses = written(bundle, upgrades=True)
    assert {code for code, _, _ in losses} == {"rights", "outcomes", "version"}


def test_a_mark_that_withholds_content_is_written_as_its_alias() -> None:
    bundle = read(OLD)
    bundle["nodes"][0]["payload"]["content"] = {"$at": {"status": "redacted", "alias": "<EMAIL_1>", "was": "string"}}
    (tree,), losses = written(bundle, upgrades=True)
    assert tree["steps"][0]["message"] == "<EMAIL_1>"
    assert {code for code, _, _ in losses} == {"withheld-content", "version"}
