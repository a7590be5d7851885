"""What a source says twice, and what it says inside of a JSON text: one fact each, in all of its places."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.bundle.model import Bundle
from attraj.formats.mapping.draft import Draft, Settings
from attraj.formats.mapping.fields import Field, Place, is_same
from attraj.formats.mapping.forms import JSON_TEXTS
from attraj.formats.mapping.held import NULL, Ledger, Made, settle
from attraj.formats.mapping.restore import NotRestorable, restore, sources
from attraj.jsonio import parse
from attraj.jsonio.write import dumps

PLACES = {"event": Place("event", fields=(Field(("a",), ("payload", "a")), Field(("deep", "b"), ("payload", "b"))))}


def read(tree: Any, copies: Any = (), text: str = "") -> dict[str, Any]:
    """A Bundle in which one object is a node; `copies` are pairs of places, `text` names the form of the object."""
    draft = Draft("x", Settings())
    reading = draft.read(tree, dumps(tree), "x.json", "", PLACES)
    source = tree["one"]
    if text:
        source = json.loads(source)
        reading.open_text(("one",), text, source)
    draft.node("n", "event", reading.take("event", "n", ("one",), source), (reading, ("one",)))
    for at, first in copies:
        assert reading.repeats(at, first)
    return parse(dumps(draft.finish())).tree  # type: ignore[no-any-return]


def restored(tree: Any) -> Any:
    bundle = Bundle(tree)
    return restore(bundle, sources(bundle)[0], PLACES)


def test_a_copy_comes_back_at_its_place_and_changes_with_what_it_repeats() -> None:
    source = {"again": {"a": 1, "c": [2]}, "one": {"a": 1, "c": [2]}, "c": [2]}
    tree = read(source, [(("again",), ("one",)), (("c",), ("one", "c"))])
    assert dumps(source) == dumps(restored(tree))
    [entry] = sources(Bundle(tree))
    assert {"/one/c": [2]} == entry["rest"]
    tree["nodes"][0]["payload"]["a"] = 5
    assert {"again": {"a": 5, "c": [2]}, "one": {"a": 5, "c": [2]}, "c": [2]} == restored(tree)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(1, 1.0, id="an-integer-is-no-float"),
        pytest.param(1, True, id="nor-a-boolean"),
        pytest.param({"a": 1}, {"a": 1, "b": 1}, id="a-member-more"),
        pytest.param([1, 2], [2, 1], id="another-order"),
        pytest.param({"a": [{"b": 0}]}, {"a": [{"b": False}]}, id="deep-inside"),
    ],
)
def test_what_differs_is_no_copy(one: Any, other: Any) -> None:
    draft = Draft("x", Settings())
    reading = draft.read({"one": one, "other": other}, b"", "", "", PLACES)
    assert not reading.repeats(("other",), ("one",))
    assert not reading.repeats(("gone",), ("one",))
    assert ({}, {}) == (reading.copies, reading.taken)
    assert is_same(one, one)


@pytest.mark.parametrize("form", sorted(JSON_TEXTS))
def test_an_opened_text_comes_back_and_changes_inside(form: str) -> None:
    value = {"a": "é", "deep": {"b": [1, 2.5]}, "rest": {"x": None}}
    source = {"one": JSON_TEXTS[form].written(value)}
    tree = read(source, text=form)
    assert source == restored(tree)
    tree["nodes"][0]["payload"]["b"] = "new"
    assert JSON_TEXTS[form].written({**value, "deep": {"b": "new"}}) == restored(tree)["one"]


@pytest.mark.parametrize(
    "notes",
    [
        pytest.param({"copies": {"/again": "/gone"}}, id="a-copy-of-nothing"),
        pytest.param({"copies": {"/again": 1}}, id="a-copy-of-no-pointer"),
        pytest.param({"texts": {"/one": "runes"}}, id="an-unknown-form"),
    ],
)
def test_notes_that_make_no_sense_restore_nothing(notes: Any) -> None:
    tree = read({"one": {"a": 1}})
    sources(Bundle(tree))[0].update(notes)
    with pytest.raises(NotRestorable):
        restored(tree)


def test_null_is_a_word_and_a_value_in_two_places_is_one_loss() -> None:
    ledger = Ledger()
    made = Made("x", (("nodes", 0, "a"),), "code", "other", "approximated")
    settled = settle({"a": NULL, "b": None, "c": made, "d": [made]}, ledger)
    assert {"a": None, "c": "x", "d": ["x"]} == settled.tree
    assert [("a",)] == settled.words
    assert ["/nodes/0/a"] == [loss.pointer for loss in ledger.losses]
