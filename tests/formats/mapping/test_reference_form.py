"""The reference form: closed, with nothing lost that reading back does not give again."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.bundle.checks.reference_form import differences
from attraj.findings import Severity
from attraj.formats.mapping.fields import is_same, look_up, tokens_of
from attraj.formats.mapping.reference_fillers import NO_TIME
from attraj.formats.mapping.reference_form import native_of, native_with_losses, reference_of
from attraj.formats.mapping.rooms import NotWritable
from attraj.jsonio import MISSING
from attraj.jsonio.values import of_value
from attraj.jsonio.write import dumps
from attraj.verbs.validate import validate
from tests.formats.mapping.trees import OBJECTS, VALUES, containers, leaves
from tests.support import CORPUS, base_document, needs_corpus

PACKAGE = "attraj.bundle.checks"
BASES = ["minimal", "full"]


def written(native: Any) -> tuple[Any, list[tuple[str, str, str]]]:
    """The reference form as its bytes say it, and the losses."""
    tree, losses = reference_of(native)
    return json.loads(dumps(tree)), [(loss.handling, loss.category, loss.pointer) for loss in losses]


def errors(tree: Any) -> list[str]:
    return [finding.rule.code for finding in validate(of_value(tree)).findings if finding.severity is Severity.ERROR]


@pytest.mark.parametrize("name", BASES)
def test_a_native_bundle_is_in_the_form_and_comes_back(name: str) -> None:
    native = base_document(PACKAGE, name)
    before = copy.deepcopy(native)
    tree, _ = written(native)
    assert [] == list(differences(tree))
    assert [] == errors(tree)
    assert is_same(native, native_of(tree))
    assert before == native


@st.composite
def damaged(draw: st.DrawFn) -> Any:
    """A Bundle with members replaced, removed and added; its collections hold objects."""
    tree = base_document(PACKAGE, draw(st.sampled_from(BASES)))
    for _ in range(draw(st.integers(1, 5))):
        _, owner = draw(st.sampled_from([one for one in containers(tree) if type(one[1]) is dict]))
        act = draw(st.sampled_from(["replace", "remove", "add"]))
        name = draw(st.sampled_from(sorted(owner))) if owner else "added"
        if act == "add" or not owner:
            owner[draw(st.sampled_from(["added", "0", "a/b", "~", "details", "delta"]))] = copy.deepcopy(draw(VALUES))
        elif act == "replace":
            owner[name] = copy.deepcopy(draw(VALUES))
        else:
            del owner[name]
    return tree


@given(damaged())
def test_whatever_a_bundle_says_comes_back(native: Any) -> None:
    try:
        tree, _ = written(native)
    except NotWritable:
        return
    assert [] == list(differences(tree))
    assert is_same(native, native_of(tree))


@given(damaged())
def test_every_value_that_the_bundle_does_not_say_there_is_a_loss(native: Any) -> None:
    try:
        tree, losses = written(native)
    except NotWritable:
        return
    places = [tokens_of(pointer) for _, _, pointer in losses]
    for at, value in [(at, value) for at, value in leaves(tree).items() if at[0] != "extensions"]:
        is_lost = any(at[: len(place)] == place for place in places)
        assert is_lost or is_same(value, look_up(native, at)) or at[0] == "bindings"


@given(OBJECTS)
def test_notes_of_any_kind_do_no_harm(data: Any) -> None:
    tree = {**base_document(PACKAGE, "minimal"), "extensions": {"dev.attraj.reference_form": {"data": data}}}
    native_of({**tree, "extensions": {**tree["extensions"], "dev.attraj.rights": {"data": data}}})


def changed(path: str, value: Any) -> Any:
    tree = base_document(PACKAGE, "minimal")
    *way, last = tokens_of(path)
    owner = look_up(tree, tuple(way))
    if value is MISSING:
        owner.pop(last, None)
    else:
        owner[last] = value
    return tree


FILLED = [
    pytest.param("/source/authority_domain", MISSING, "undeclared:", id="an-authority-that-nobody-named"),
    pytest.param("/scope/context_id", MISSING, "context:", id="a-context-that-nobody-named"),
    pytest.param("/nodes/0/timestamp", MISSING, NO_TIME, id="a-time-that-nobody-took"),
    pytest.param("/nodes/0/status", MISSING, "unknown", id="a-status-that-nobody-gave"),
    pytest.param("/rights/training", "unknown", False, id="a-right-that-nobody-knows-is-not-granted"),
    pytest.param("/rights/training", {"$at": {"status": "unknown"}}, False, id="nor-one-that-is-withheld"),
    pytest.param("/completeness/reason", MISSING, "", id="no-reason"),
]


@pytest.mark.parametrize(("path", "value", "expected"), FILLED)
def test_what_is_filled_in_tells_on_its_face_that_it_is(path: str, value: Any, expected: Any) -> None:
    tree, losses = written(changed(path, value))
    found = look_up(tree, tokens_of(path))
    assert found == expected or (type(found) is str and expected and found.startswith(expected))
    handling = "synthesized" if value is MISSING else "approximated"
    assert [handling] == [one for one, _, pointer in losses if pointer == path]


def test_rights_that_nobody_knows_stand_in_their_own_extension() -> None:
    tree, _ = written(changed("/rights/training", "unknown"))
    unknown = {use: right for use, right in base_document(PACKAGE, "minimal")["rights"].items() if right == "unknown"}
    assert {**unknown, "training": "unknown"} == tree["extensions"]["dev.attraj.rights"]["data"]


def test_a_right_that_somebody_withdrew_in_the_form_stays_withdrawn_and_none_is_widened() -> None:
    tree, _ = written(changed("/rights/training", "unknown"))
    assert "unknown" == native_of(tree)["rights"]["training"]
    tree["rights"]["training"] = True  # whoever holds the form has granted it himself
    assert native_of(tree)["rights"]["training"] is True


def test_what_somebody_changed_in_the_form_stays_as_he_wrote_it() -> None:
    native = changed("/nodes/0/timestamp", MISSING)
    tree, _ = written(native)
    tree["nodes"][0]["timestamp"] = "2026-01-01T00:00:00Z"
    assert is_same(changed("/nodes/0/timestamp", "2026-01-01T00:00:00Z"), native_of(tree))


def test_masks_stand_in_an_extension_that_readers_have_to_know() -> None:
    native = base_document(PACKAGE, "full")
    masks = {node["node_id"]: node["training"] for node in native["nodes"] if "training" in node}
    tree, _ = written(native)
    assert masks
    assert {"required": True, "version": "0.1", "data": masks} == tree["extensions"]["dev.attraj.training"]
    assert "dev.attraj.native" not in tree["extensions"]


COLLECTIONS = ("states", "nodes", "edges", "outcomes", "verifier_results", "reward_records")


@given(st.data())
def test_what_is_kept_beside_a_record_comes_back_at_it_alone(data: st.DataObject) -> None:
    native = base_document(PACKAGE, data.draw(st.sampled_from(BASES)))
    tree, _ = written(native)
    left: list[tuple[str, Any]] = []
    for name in COLLECTIONS:
        pairs = data.draw(st.permutations(list(zip(tree[name], native[name], strict=True))))
        kept = [pair for pair in pairs if data.draw(st.booleans())]
        tree[name] = [one for one, _ in kept]
        left += [(name, one) for _, one in kept]
    back, losses = native_with_losses(tree)
    assert left == [(name, one) for name in COLLECTIONS for one in back[name]]
    gone = {loss.pointer for loss in losses}
    assert gone == {
        f"/extensions/dev.attraj.{'training' if place == 'training' else 'reference_form'}/data/{pointer}"
        for place, pointer in _kept_for(written(native)[0], back)
    }


def _kept_for(tree: Any, back: Any) -> list[tuple[str, str]]:
    """Where something is moved for a record that is not there any more."""
    known = {one for name in COLLECTIONS for record in back[name] for key, one in record.items() if key in IDS}
    data = tree["extensions"]["dev.attraj.reference_form"]["data"]["records"]
    masks = tree["extensions"].get("dev.attraj.training", {"data": {}})["data"]
    found = [
        ("form", f"records/{name}/{identity}")
        for name, notes in data.items()
        for identity, note in notes.items()
        if identity not in known and note.get("moved")
    ]
    return found + [("training", identity) for identity in masks if identity not in known]


IDS = {"state_id", "node_id", "edge_id", "outcome_id", "verifier_result_id", "reward_id"}


def test_two_records_of_one_identity_are_told_apart_while_nothing_has_moved() -> None:
    native = base_document(PACKAGE, "minimal")
    twin = {**native["nodes"][0], "action": {"name": "second"}}
    native["nodes"].append(twin)
    tree, _ = written(native)
    assert is_same(native, native_of(tree))
    del tree["nodes"][0]
    back, losses = native_with_losses(tree)
    assert all("action" not in one for one in back["nodes"])
    assert {"dropped"} == {loss.handling for loss in losses}


def test_a_record_that_somebody_doubled_gets_back_nothing() -> None:
    tree, _ = written(base_document(PACKAGE, "full"))
    tree["nodes"] += copy.deepcopy(tree["nodes"])
    back, losses = native_with_losses(tree)
    assert [] == [one for one in back["nodes"] if {"action", "receipt", "training"} & set(one)]
    assert losses


def test_what_stood_with_a_value_that_somebody_changed_is_a_loss() -> None:
    tree, _ = written(changed("/rights/training", "unknown"))
    assert [] == native_with_losses(tree)[1]
    tree["rights"]["training"] = True
    losses = [(loss.handling, loss.pointer) for loss in native_with_losses(tree)[1]]
    assert [("dropped", "/extensions/dev.attraj.rights/data/moved/~1rights~1training")] == losses


def test_parents_within_a_node_stay_as_somebody_has_sorted_them() -> None:
    native = base_document(PACKAGE, "full")
    parents = [{"relation": "caused_by", "source_id": one, "note": f"about {one}"} for one in ("a", "b")]
    native["nodes"][0]["external_parents"] = parents
    tree, _ = written(native)
    assert is_same(native, native_of(tree))
    tree["nodes"][0]["external_parents"].reverse()
    assert ["b", "a"] == [one["source_id"] for one in native_of(tree)["nodes"][0]["external_parents"]]
    assert [] == [one for one in native_of(tree)["nodes"][0]["external_parents"] if "note" in one]


@pytest.mark.parametrize("status", ["undetermined", "partial"])
def test_a_node_whose_parents_nobody_knows_is_no_root(status: str) -> None:
    native = base_document(PACKAGE, "full")
    node = native["nodes"][-1]
    node |= {"parents": {"status": status, "reason": "not recorded"}, "external_parents": []}
    tree, _ = written(native)
    unknown = {"relation": "caused_by", "source_id": f"unknown:{node['node_id']}", "availability": "unknown"}
    assert [unknown] == tree["nodes"][-1]["external_parents"]
    assert is_same(native, native_of(tree))
    node["parents"] = {"status": "none"}
    assert [] == written(native)[0]["nodes"][-1]["external_parents"]


def test_a_digest_of_the_native_form_is_none_of_this_one() -> None:
    integrity = {"status": "digest_provided", "algorithm": "sha256", "canonicalization": "RFC8785", "digest": "00"}
    native = changed("/integrity", integrity)
    tree, losses = written(native)
    assert "not_provided" == tree["integrity"]["status"]
    assert ("approximated", "other", "/integrity") in losses
    assert is_same(native, native_of(tree))


def test_a_bundle_in_the_form_is_left_as_it_is() -> None:
    tree, _ = written(base_document(PACKAGE, "full"))
    assert (tree, []) == reference_of(tree)
    assert native_of({"nodes": []}) == {"nodes": []}
    assert native_of(5) == 5


def test_claims_about_a_run_without_a_node_stand_beside_the_form() -> None:
    native = {**base_document(PACKAGE, "full"), "nodes": [], "edges": []}
    native["outcomes"] = [{**one, "asserted_at": {"kind": "end"}} for one in native["outcomes"]]
    for outcome in native["outcomes"]:
        outcome.pop("asserted_at_node", None)
    tree, losses = written(native)
    assert [] == tree["outcomes"]
    assert ("approximated", "other", "/outcomes") in losses
    assert is_same(native, native_of(tree))


def test_a_record_that_is_no_object_cannot_be_written() -> None:
    with pytest.raises(NotWritable):
        reference_of(changed("/nodes/0", "a node"))


@needs_corpus
def test_the_schema_of_the_reference_says_the_same() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    path = CORPUS / "bundle/morphz/schema/morphz_agent_trajectory_bundle_v0_1.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    checker = jsonschema.Draft202012Validator(schema)
    for name in BASES:
        tree, _ = written(base_document(PACKAGE, name))
        assert [] == [error.json_path for error in checker.iter_errors(tree)]
