"""The JSON Schemas and the pydantic models say what the shape checks say: all three come from one table."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pydantic
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from attraj.bundle import jsonschema as made
from attraj.bundle.checks import runner
from attraj.bundle.checks.check import Asked
from attraj.bundle.columns import NEEDED
from attraj.bundle.jsonschema import ROOTS, allows_marker, schema
from attraj.bundle.model import Bundle
from attraj.bundle.published import model
from attraj.bundle.shape import COLLECTIONS, OBJECTS
from attraj.findings import Severity, Stratum
from tests.support import CORPUS, base_document, json_patch, needs_corpus

Json = dict[str, Any]
PACKAGE = "attraj.bundle.checks"
SHAPE_CODES = {"AT101", "AT102", "AT108", "AT109", "AT110"}
REDACTED = {"$at": {"status": "redacted", "reason": "privacy"}}


@cache
def validator(name: str) -> Any:
    return jsonschema.Draft202012Validator(schema(name))


def is_valid(tree: Any, name: str = "bundle") -> bool:
    return bool(validator(name).is_valid(tree))


def is_taken(tree: Any, name: str = "bundle") -> bool:
    """Whether the pydantic model takes it."""
    try:
        model(name).model_validate(tree)
    except pydantic.ValidationError:
        return False
    return True


def verdicts(tree: Any, name: str = "bundle") -> tuple[bool, bool]:
    return is_valid(tree, name), is_taken(tree, name)


def full() -> Json:
    tree: Json = base_document(PACKAGE, "full")
    return tree


@pytest.mark.parametrize("name", ROOTS)
def test_a_schema_is_a_schema_and_needs_nothing_from_elsewhere(name: str) -> None:
    text = json.dumps(schema(name))
    jsonschema.Draft202012Validator.check_schema(json.loads(text))
    references = {part.split('"')[0] for part in text.split('"$ref": "')[1:]}
    defined = {f"#/$defs/{kind}" for kind in schema(name)["$defs"]}
    assert (f"urn:attraj:schema:{name}:0.1", set()) == (schema(name)["$id"], references - defined)


def test_a_schema_is_new_each_time() -> None:
    first = schema("bundle")
    first["properties"]["nodes"].clear()
    assert schema("bundle") != first


def test_every_member_of_the_table_is_described() -> None:
    described = schema("bundle")
    for kind in (*described["$defs"], "bundle"):
        if kind in OBJECTS:
            at = described if kind == "bundle" else described["$defs"][kind]
            assert [m.says for m in OBJECTS[kind].values()] == [
                p["description"].split(" (asked for by ")[0] for p in at["properties"].values()
            ]


@pytest.mark.parametrize("name", ["minimal", "full"])
def test_takes_our_own_examples(name: str) -> None:
    assert verdicts(base_document(PACKAGE, name)) == (True, True)


@needs_corpus
@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("derived/native_full.json", "bundle"),
        ("derived/ref_core_redacted.json", "bundle"),
        ("derived/ref_training_loop.json", "bundle"),
        ("derived/ref_training_loop.episode.json", "episode"),
    ],
)
def test_takes_the_valid_documents_of_the_corpus(path: str, name: str) -> None:
    assert verdicts(json.loads((CORPUS / "bundle" / path).read_text()), name) == (True, True)


def _failing() -> list[Any]:
    path = CORPUS / "bundle" / "derived" / "failing_examples.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()] if path.is_file() else []
    return [pytest.param(row, id=row["why"]) for row in rows if row["expect"] in SHAPE_CODES]


@needs_corpus
@pytest.mark.parametrize("row", _failing())
def test_refuses_what_the_corpus_calls_a_wrong_shape(row: Json) -> None:
    base = json.loads((CORPUS / "bundle" / "derived" / row["base"]).read_text())
    assert verdicts(json_patch(base, row["patch"])) == (False, False)


@pytest.mark.parametrize(
    ("path", "value", "taken"),
    [
        pytest.param("/nodes/0/actor", REDACTED, True, id="marker-for-a-text"),
        pytest.param("/nodes/0/kind", REDACTED, True, id="marker-for-a-word"),
        pytest.param("/nodes/1/read_set/0", REDACTED, True, id="marker-in-an-array"),
        pytest.param("/bindings/tools", REDACTED, True, id="marker-for-a-binding"),
        pytest.param("/nodes/1/action", REDACTED, True, id="marker-for-an-object"),
        pytest.param("/completeness/status", REDACTED, True, id="marker-for-a-word-of-a-closed-vocabulary"),
        pytest.param("/nodes/0/node_id", REDACTED, False, id="marker-for-an-identifier"),
        pytest.param("/nodes", REDACTED, False, id="marker-for-a-collection"),
        pytest.param("/rights/training", REDACTED, False, id="marker-for-a-use"),
        pytest.param("/nodes/0/actor", {"$at": {"status": "gone"}}, False, id="marker-with-an-unknown-status"),
        pytest.param("/nodes/0/actor", {**REDACTED, "x": 1}, False, id="marker-with-a-second-member"),
        pytest.param("/rights/training", "unknown", True, id="unknown-right"),
        pytest.param("/rights/training", 1, False, id="one-is-not-true"),
        pytest.param("/rights/training", "yes", False, id="right-in-another-word"),
        pytest.param("/nodes/0/sequence", True, False, id="true-is-not-a-number"),
        pytest.param("/nodes/0/actor", None, False, id="null-for-a-text"),
        pytest.param("/nodes/0/status", "strolled", True, id="word-of-an-open-vocabulary"),
        pytest.param("/verifier_results/0/status", "ok", True, id="word-that-only-earns-a-warning"),
        pytest.param("/states/0/availability", "remote", True, id="alias-of-an-availability"),
        pytest.param("/states/0/availability", "maybe", False, id="word-outside-a-closed-vocabulary"),
        pytest.param("/profiles/0", "AT-Audit", False, id="unknown-profile"),
        pytest.param("/nodes/0/timestamp", "2026-08-21 12:00", False, id="time-without-offset"),
        pytest.param("/nodes/0/note_of_ours", [1], True, id="unknown-member"),
        pytest.param("/bindings/tools", "tool:gauge@1", True, id="one-text-for-several"),
        pytest.param("/bindings/tools", {"id": "tool:gauge"}, True, id="one-object-for-several"),
        pytest.param("/bindings/tools", 5, False, id="number-for-a-binding"),
    ],
)
def test_one_member(path: str, value: Any, taken: bool) -> None:
    assert (taken, taken) == verdicts(json_patch(full(), [{"op": "replace", "path": path, "value": value}]))


# --- every member that the table describes, where the full example has it ----------------------------------------


def described(tree: Json, root: str = "bundle") -> list[tuple[str, str, str]]:
    """(pointer, kind of object, member) of each value that the table describes, in the order of the tree."""
    found: list[tuple[str, str, str]] = []
    pending: list[tuple[str, str, Json]] = [("", root, tree)]
    for at, kind, item in pending:
        for name, value in item.items():
            member = OBJECTS[kind].get(name)
            if member is None:
                continue
            found.append((f"{at}/{name}", kind, name))
            inner = next((part for part in member.of.split("|") if part in OBJECTS), "")
            if inner and type(value) is dict:
                pending.append((f"{at}/{name}", inner, value))
            elif inner and type(value) is list:
                pending.extend((f"{at}/{name}/{i}", inner, v) for i, v in enumerate(value) if type(v) is dict)
    return found


PLACES = described(full())


@pytest.mark.parametrize(
    "place",
    [
        pytest.param(place, id=place[0])
        for place in PLACES
        if place[2] in made.needed(place[1]) and place[1] not in ROOTS
    ],
)
def test_what_a_schema_asks_for_is_an_error_when_it_is_missing(place: tuple[str, str, str]) -> None:
    tree = json_patch(full(), [{"op": "remove", "path": place[0]}])
    errors = [f.code for f in runner.run(Bundle(tree), Asked()) if f.severity is Severity.ERROR]
    assert errors != []


def types_only(name: str) -> Any:
    """The schema without closed vocabularies and without what other checks than that of the shape ask for."""
    whole = schema(name)
    for kind, part in [(name, whole), *whole["$defs"].items()]:
        if kind in OBJECTS and kind not in ROOTS:
            part["required"] = list(NEEDED.get(kind, ()))
        for owner, member in made.CLOSED:
            if owner == kind:
                _open(part["properties"][member])
    return jsonschema.Draft202012Validator(whole)


def _open(part: Json) -> None:
    for choice in part["anyOf"]:
        inner = choice.get("items", {}).get("anyOf", [])
        for words in [c for c in (choice, *inner) if "enum" in c]:
            del words["enum"]
            words["type"] = "string"


TYPES_ONLY = types_only("bundle")
VALUES: list[Any] = [
    None,
    True,
    0,
    7,
    1.5,
    "",
    "words",
    [],
    ["words"],
    [1],
    [None],
    [REDACTED],
    [{}],
    {},
    {"a": 1},
    REDACTED,
]


def _is_of_the_shape(place: tuple[str, str, str]) -> bool:
    """Whether the shape check alone speaks of this place (see NOT_HERE and `_is_said_elsewhere` of the check)."""
    pointer, kind, name = place
    if pointer.startswith("/bindings/") or kind == "rights":
        return False
    return name != "spec_version" and (kind, name) != ("outcome", "terminal")


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(st.sampled_from([p for p in PLACES if _is_of_the_shape(p)]), st.sampled_from(VALUES)),
        min_size=1,
        max_size=2,
        unique_by=lambda change: change[0][0],
    )
)
def test_schema_and_shape_check_agree(changes: list[tuple[tuple[str, str, str], Any]]) -> None:
    tree = full()
    for (pointer, _, _), value in sorted(changes, key=lambda c: -len(c[0][0])):  # inner places before outer ones
        tree = json_patch(tree, [{"op": "replace", "path": pointer, "value": value}])
    before = copy.deepcopy(tree)
    found = {f.code for f in runner.run(Bundle(tree), Asked(level=Stratum.SHAPE))} & SHAPE_CODES
    assert (not found, before) == (TYPES_ONLY.is_valid(tree), tree)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(PLACES), st.sampled_from(VALUES))
def test_model_and_schema_agree(place: tuple[str, str, str], value: Any) -> None:
    tree = json_patch(full(), [{"op": "replace", "path": place[0], "value": value}])
    valid, taken = verdicts(tree)
    assert valid == taken


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(OBJECTS["bundle"])))
def test_a_missing_top_level_member_is_refused_where_it_is_required(name: str) -> None:
    tree = full()
    tree.pop(name, None)
    is_required = OBJECTS["bundle"][name].required != ""
    assert (not is_required, not is_required) == verdicts(tree)


def test_collections_of_the_table_hold_records() -> None:
    assert dict.fromkeys(COLLECTIONS, False) == {
        name: allows_marker("bundle", OBJECTS["bundle"][name]) for name in COLLECTIONS
    }


def test_a_model_gives_back_what_it_was_given() -> None:
    tree = full() | {"note_of_ours": {"kept": [1, None]}}
    given_back = model("bundle").model_validate(tree).model_dump(by_alias=True, exclude_unset=True)
    assert tree == given_back


def test_a_model_names_the_parts() -> None:
    bundle: Any = model("bundle").model_validate(full())
    assert (bundle.edges[0].from_, bundle.edges[0].to) == ("node:request", "node:choose")


def test_models_are_made_once_and_unknown_names_are_refused() -> None:
    assert model("node") is model("node")
    with pytest.raises(KeyError):
        model("nothing")
