"""A proof finds every value that went astray, whoever lost it, and believes no loss that does not name it."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.bundle.model import Bundle
from attraj.formats.mapping.covers import ReadLosses, WriteLosses
from attraj.formats.mapping.draft import Draft, Settings
from attraj.formats.mapping.fields import At, Field, Form, Place, escaped, look_up, pointer_of, tokens_of
from attraj.formats.mapping.forms import json_text_of
from attraj.formats.mapping.held import Held, Ledger, Part, settle
from attraj.formats.mapping.loss import Handling, Loss
from attraj.formats.mapping.messages import Sharing
from attraj.formats.mapping.restore import sources
from attraj.formats.mapping.said import Notes, notes_of
from attraj.formats.mapping.verify import (
    Target,
    misplaced,
    missing_in_bundle,
    missing_in_copy,
    missing_in_targets,
    missing_of_bundle,
)
from attraj.jsonio.write import dumps
from tests.formats.mapping.trees import TREES, VALUES, Mapped, leaves, mapped

# --- two documents that should be equal --------------------------------------------------------------------------


@given(TREES)
def test_a_copy_lacks_nothing(tree: Any) -> None:
    assert [] == missing_in_copy(tree, json.loads(dumps(tree)))


@given(TREES, st.data())
def test_a_copy_with_another_value_lacks_it_there(tree: Any, data: st.DataObject) -> None:
    places = [at for at in leaves(tree) if at]
    if places:
        at = data.draw(st.sampled_from(places))
        other = json.loads(dumps(tree))
        look_up(other, at[:-1])[at[-1]] = "another value"
        assert [at] == missing_in_copy(tree, other)


@pytest.mark.parametrize(
    ("source", "other", "expected"),
    [
        pytest.param({"a": 1}, {"a": 1.0}, [("a",)], id="a-number-of-another-type"),
        pytest.param({"a": 1}, {"a": True}, [("a",)], id="a-boolean-for-a-number"),
        pytest.param({"a": None}, {}, [("a",)], id="null-is-a-value"),
        pytest.param({}, {"a": 1}, [("a",)], id="something-that-the-source-does-not-say"),
        pytest.param([1], [1, 2], [(1,)], id="an-element-too-many"),
        pytest.param([1, 2, 3], [1], [(1,), (2,)], id="elements-that-are-gone"),
        pytest.param({"a": [], "b": {}}, {"a": {}, "b": []}, [("a",), ("b",)], id="emptiness-of-two-kinds"),
        pytest.param({"a": 1, "b": 2}, {"b": 2, "a": 1}, [], id="the-order-of-members-says-nothing"),
        pytest.param([{"a": 1}], [[("a", 1)]], [(0,)], id="an-array-for-an-object"),
    ],
)
def test_tells_copies_from_others(source: Any, other: Any, expected: Any) -> None:
    assert expected == missing_in_copy(source, other)


# --- a source and its Bundle -------------------------------------------------------------------------------------


def notes(bundle: Mapped) -> Notes:
    whole = Bundle(bundle.tree)
    return notes_of(whole, sources(whole)[0], bundle.places)


@given(mapped())
def test_every_value_of_a_source_is_found_in_its_bundle(case: tuple[Any, Mapped]) -> None:
    source, bundle = case
    assert [] == missing_in_bundle(source, notes(bundle), ())


@given(mapped(), st.data())
def test_a_value_that_went_astray_in_the_core_is_missed_there(case: tuple[Any, Mapped], data: st.DataObject) -> None:
    source, bundle = case
    if bundle.taken:
        at = data.draw(st.sampled_from(sorted(bundle.taken, key=repr)))
        place = bundle.taken[at]
        look_up(bundle.tree, place[:-1])[place[-1]] = ["another value"]
        inside = {one for one in leaves(source) if one[: len(at)] == at}
        assert inside == set(missing_in_bundle(source, notes(bundle), ()))


@given(mapped(), st.data())
def test_a_value_that_went_astray_in_the_residue_is_missed_there(case: tuple[Any, Mapped], data: st.DataObject) -> None:
    source, bundle = case
    rest = sources(Bundle(bundle.tree))[0]["rest"]
    if rest:
        pointer = data.draw(st.sampled_from(sorted(rest)))
        del rest[pointer]
        missing = {pointer_of(at) for at in missing_in_bundle(source, notes(bundle), ())}
        inside = {pointer_of(at) for at in leaves(source) if f"{pointer_of(at)}/".startswith(f"{pointer}/")}
        assert inside == missing


HALF = Form(lambda v: v / 2 if type(v) is int else None, lambda v: int(v * 2) if type(v) is float else None)
PLACES = {
    "thing": Place("thing", fields=(Field(("a",), ("payload", "a")), Field(("n",), ("payload", "half"), form=HALF))),
    "list": Place("list", "states", is_messages=True),
}
SOURCE = {
    "thing": {"a": {"x": 1, "y": None}, "n": 3, "left": "over"},
    "again": {"a": {"x": 1, "y": None}, "n": 3, "left": "over"},
    "text": '{"a": "inside", "b": 2}',
    "list": [{"role": "user"}, {"role": "user"}, {"role": "user"}],
    "more": [{"role": "user"}, {"role": "user"}],
    "none": [],
}


def read(source: Any = SOURCE) -> dict[str, Any]:
    """The Bundle of a source with every way of holding a value, as its bytes say it."""
    draft = Draft("demo", Settings(name="demo"))
    reading = draft.read(source, b"{}", "", "", PLACES)
    draft.node("n", "event", reading.take("thing", "n", ("thing",), source["thing"]))
    reading.repeats(("again",), ("thing",))
    inner = json.loads(source["text"])
    reading.open_text(("text",), json_text_of(source["text"]), inner)
    draft.node("t", "event", reading.take("thing", "t", ("text",), inner))
    sharing = Sharing()
    for name in ("list", "more", "none"):
        draft.state(name, "state_view", "included", sharing.content(name, source[name]))
        reading.take_whole("list", name, (name,))
    tree: dict[str, Any] = json.loads(dumps(draft.finish()))
    return tree


def notes_in(tree: dict[str, Any]) -> Notes:
    return notes_of(Bundle(tree), sources(Bundle(tree))[0], PLACES)


def test_finds_values_in_other_forms_copies_texts_and_lists() -> None:
    assert [] == missing_in_bundle(SOURCE, notes_in(read()), ())


ASTRAY = [
    pytest.param(("nodes", 0, "payload", "half"), 2.0, ["/thing/n", "/again/n"], id="in-another-form-and-in-a-copy"),
    pytest.param(("nodes", 1, "payload", "a"), "else", ["/text/a"], id="inside-a-text"),
    pytest.param(("states", 0, "view", 2, "role"), "tool", ["/list/2/role"], id="in-a-list"),
    pytest.param(("states", 0, "view", 0, "role"), "tool", ["/list/0/role", "/more/0/role"], id="in-two-lists"),
    pytest.param(("states", 2, "delta"), [{"op": "add", "path": "/1", "value": 1}], ["/none"], id="in-an-empty-list"),
]


@pytest.mark.parametrize(("place", "value", "expected"), ASTRAY)
def test_misses_values_wherever_they_are_held(place: At, value: Any, expected: list[str]) -> None:
    tree = read()
    look_up(tree, place[:-1])[place[-1]] = value
    assert expected == [pointer_of(at) for at in missing_in_bundle(SOURCE, notes_in(tree), ())]


# --- a source and what was written of its Bundle -----------------------------------------------------------------


def written(tree: Any, ledger: Ledger) -> list[Target]:
    """A document that holds a part of the Bundle."""
    node = Part(tree["nodes"][0], ("nodes", 0), ledger)
    settled = settle({"kept": node.hold("payload", "a"), "half": node.hold("payload", "half")}, ledger)
    return [Target(json.loads(dumps(settled.tree)), settled.trace)]


def missing(losses: list[Loss], source: Any = SOURCE) -> list[str]:
    tree, ledger = read(source), Ledger()
    targets = written(tree, ledger)
    found = missing_in_targets(source, notes_in(tree), tree, targets, [*ledger.losses, *losses], ledger)
    return [pointer_of(at) for at in found]


def lost(pointer: str, handling: Handling = "dropped", code: str = "content", category: str = "other") -> Loss:
    return Loss(code, category, handling, pointer, 1, "", "write")


LISTS = [*(f"/list/{i}/role" for i in range(3)), "/more/0/role", "/more/1/role"]
REST = ["/thing/left", "/again/left"]


@pytest.mark.parametrize(
    ("losses", "expected"),
    [
        pytest.param([], [*REST[:1], *REST[1:], "/text/a", "/text/b", *LISTS], id="what-nobody-wrote-and-nobody-named"),
        pytest.param(
            [lost("/nodes/1/payload"), lost("/states/0"), lost("/states/1/delta")],
            [*REST, "/text/b"],
            id="losses-of-writing-by-their-place-in-the-bundle",
        ),
        pytest.param(
            [lost("/thing/left", code="source-members"), lost("/text/b", code="source-members")],
            ["/text/a", *LISTS],
            id="losses-of-the-residue-by-their-place-in-the-source",
        ),
        pytest.param([lost("/nodes/1")], [*REST, "/text/b", *LISTS], id="a-node-that-was-left-out"),
        pytest.param(
            [lost("/nodes/1", "approximated"), lost("/nodes/1", category="span_vs_node")],
            [*REST, "/text/a", "/text/b", *LISTS],
            id="a-node-that-is-said-in-another-way",
        ),
        pytest.param(
            [lost("/states/0", "synthesized")], [*REST, "/text/a", "/text/b", *LISTS], id="made-up-is-no-loss"
        ),
        pytest.param([lost("")], [*REST, "/text/a", "/text/b", *LISTS], id="a-loss-of-everything-names-nothing"),
    ],
)
def test_what_is_not_written_has_to_be_named(losses: list[Loss], expected: list[str]) -> None:
    assert sorted(expected) == sorted(missing(losses))


def test_a_value_that_was_written_wrong_is_missed() -> None:
    tree, ledger = read(), Ledger()
    targets = written(tree, ledger)
    targets[0].tree["kept"]["x"] = 2
    found = missing_in_targets(SOURCE, notes_in(tree), tree, targets, [], ledger)
    assert {("thing", "a", "x"), ("again", "a", "x")} <= set(found)
    assert ("thing", "a", "y") not in found


@pytest.mark.parametrize(
    ("record", "use", "expected"),
    [
        pytest.param({"payload": {"role": "user"}}, ("payload", "role"), [], id="a-word-is-believed"),
        pytest.param({"payload": {"content": "hi"}}, ("payload", "content"), ["/payload/content"], id="content-is-not"),
        pytest.param({"payload": {"content": ""}}, ("payload", "content"), [], id="an-empty-text-says-nothing"),
        pytest.param({"payload": {"role": "user"}}, ("payload", "x"), ["/payload/role"], id="a-word-that-nobody-used"),
    ],
)
def test_believes_a_writer_of_words_alone(record: Any, use: Any, expected: list[str]) -> None:
    tree, ledger = {"nodes": [record]}, Ledger()
    Part(record, ("nodes", 0), ledger).get(*use)
    found = missing_of_bundle(tree, [Target({}, [])], [], ledger)
    assert expected == [pointer_of(at[2:]) for at in found]


def test_what_is_written_at_another_place_that_says_the_same_is_not_missed() -> None:
    record = {"action": {"call_id": "c"}, "payload": {"source_call_id": "c", "other": "d"}}
    ledger = Ledger()
    node = Part(record, ("nodes", 0), ledger)
    held = node.hold("action", "call_id")
    assert isinstance(held, Held)
    assert (True, False) == (node.agrees(held, "payload", "source_call_id"), node.agrees(held, "payload", "other"))
    settled = settle({"id": held}, ledger)
    found = missing_of_bundle({"nodes": [record]}, [Target(settled.tree, settled.trace)], [], ledger)
    assert [("nodes", 0, "payload", "other")] == found
    astray = missing_of_bundle({"nodes": [record]}, [Target({"id": "e"}, settled.trace)], [], ledger)
    assert [("nodes", 0, "action", "call_id"), ("nodes", 0, "payload", "source_call_id"), *found] == astray


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"$at": 1}, id="data-of-the-form-of-a-marker"),
        pytest.param({"$at": {"status": "literal", "value": {"$at": 1}}}, id="data-of-the-form-of-its-mark"),
        pytest.param([{"a": {"$at": None}}], id="inside"),
    ],
)
def test_what_is_literal_in_a_bundle_is_looked_for_as_it_is_written(value: Any) -> None:
    tree = {"nodes": [{"payload": escaped(value)}]}
    targets = [Target({"x": value}, [(("nodes", 0, "payload"), ("x",))])]
    assert [] == missing_of_bundle(tree, targets, [], Ledger())
    assert [] != missing_of_bundle(tree, [Target({"x": 5}, targets[0].trace)], [], Ledger())


@given(VALUES)
def test_every_value_of_a_bundle_is_written_or_lost(value: Any) -> None:
    tree = {"nodes": [{"payload": escaped(value)}]}
    before = copy.deepcopy(tree)
    everything = missing_of_bundle(tree, [Target({}, [])], [], Ledger())
    assert {at for at, one in leaves(tree).items() if one not in ([], {})} == set(everything)
    assert [] == missing_of_bundle(tree, [Target({}, [])], [lost("/nodes/0/payload")], Ledger())
    assert [] == missing_of_bundle(tree, [Target({"x": value}, [(("nodes", 0, "payload"), ("x",))])], [], Ledger())
    assert before == tree


def test_a_value_has_to_stand_at_each_place_where_it_was_put() -> None:
    tree = {"nodes": [{"action": {"call_id": "a"}}, {"action": {"call_id": "b"}}]}
    trace: list[tuple[At, At]] = [
        (("nodes", 0, "action", "call_id"), ("calls", 0)),
        (("nodes", 0, "action", "call_id"), ("results", 0)),
        (("nodes", 1, "action", "call_id"), ("calls", 1)),
        (("nodes", 1, "action", "call_id"), ("results", 1)),
    ]
    paired, crossed = ({"calls": ["a", "b"], "results": results} for results in (["a", "b"], ["b", "a"]))
    assert [] == misplaced(tree, [Target(paired, trace)], [])
    both = [("nodes", 0, "action", "call_id"), ("nodes", 1, "action", "call_id")]
    assert both == misplaced(tree, [Target(crossed, trace)], [])
    assert both[1:] == misplaced(tree, [Target(crossed, trace)], [lost("/nodes/0/action/call_id")])


# --- what a loss stands for --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pointer", "category", "at", "expected"),
    [
        pytest.param("/a/b", "other", "/a/b", True, id="the-place-itself"),
        pytest.param("/a", "other", "/a/b/0", True, id="what-is-below"),
        pytest.param("/a/b", "other", "/a", False, id="nothing-above"),
        pytest.param("/a/b", "other", "/a/bc", False, id="no-other-name"),
        pytest.param("/steps/1", "order_vs_causality", "/steps/1/text", False, id="an-order-is-no-content"),
        pytest.param("/steps/1", "order_vs_causality", "/steps/1", True, id="the-value-that-gave-the-order"),
        pytest.param("/steps/*/time", "timing", "/steps/3/time", True, id="any-position"),
        pytest.param("", "other", "/a", False, id="the-document-is-no-place"),
        pytest.param("/a/0", "other", "/a/0", True, id="a-name-that-reads-as-a-position"),
    ],
)
def test_a_loss_of_reading_stands_for_what_it_names(pointer: str, category: str, at: str, expected: bool) -> None:
    loss = Loss("code", category, "dropped", pointer)
    assert expected is ReadLosses([loss]).cover(tokens_of(at))
    assert expected is ReadLosses([loss]).cover(tuple(at.split("/")[1:]))
    assert not ReadLosses([lost(pointer)]).cover(tokens_of(at))
    assert not WriteLosses([loss]).cover(tokens_of(at))


def test_what_is_said_less_exactly_is_lost_at_its_place_and_not_below() -> None:
    told = ReadLosses([Loss("code", "usage", "approximated", "/info/stats")])
    assert (True, False) == (told.cover(("info", "stats")), told.cover(("info", "stats", "tokens")))
