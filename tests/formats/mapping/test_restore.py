"""A document comes back out of its Bundle as it was, whichever parts of it a room maps, and follows the core."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.bundle.model import Bundle
from attraj.formats.mapping.fields import At, Field, Place, look_up, pointer_of, tokens_of
from attraj.formats.mapping.loss import Loss
from attraj.formats.mapping.restore import NotRestorable, restore, sources
from attraj.jsonio import MISSING
from attraj.jsonio.write import dumps
from tests.formats.mapping.trees import TREES, Mapped, leaves, mapped, same

PLACES = {"step": Place("step", "nodes", (Field(("text",), ("payload", "content")), Field(("time",), ("timestamp",))))}


def entry(links: Any, rest: Any, **more: Any) -> dict[str, Any]:
    return {"artifact_id": "artifact:0", "format": "demo", "links": links, "rest": rest, "order": {}, **more}


def bundle_of(source: Any, *nodes: Any, states: Any = ()) -> Bundle:
    extension = {"required": False, "data": {"artifacts": [source]}}
    return Bundle({"nodes": list(nodes), "states": list(states), "extensions": {"dev.attraj.source": extension}})


def restored(bundle: Bundle, losses: list[Loss] | None = None) -> Any:
    return restore(bundle, sources(bundle)[0], PLACES, losses)


@given(mapped())
def test_a_document_comes_back_whole_with_its_members_in_order(case: tuple[Any, Mapped]) -> None:
    source, bundle = case
    assert same(source, bundle.restored())


@given(mapped())
def test_no_value_stands_in_the_core_and_in_the_residue(case: tuple[Any, Mapped]) -> None:
    _, bundle = case
    rest = bundle.tree["extensions"]["dev.attraj.source"]["data"]["artifacts"][0]["rest"]
    kept = [tokens_of(pointer_of(at)) for at in map(tokens_of, rest)]
    for at in bundle.taken:
        place = tokens_of(pointer_of(at))
        assert [] == [one for one in kept if one[: len(place)] == place or place[: len(one)] == one]


@given(mapped(), st.data())
def test_what_changes_in_the_core_changes_there_and_nowhere_else(case: tuple[Any, Mapped], data: st.DataObject) -> None:
    source, bundle = case
    if not bundle.taken:
        return
    at = data.draw(st.sampled_from(sorted(bundle.taken, key=repr)))
    place = bundle.taken[at]
    look_up(bundle.tree, place[:-1])[place[-1]] = "another value"
    expected = json.loads(dumps(source))
    look_up(expected, at[:-1])[at[-1]] = "another value"
    assert same(expected, bundle.restored())


@given(TREES)
def test_pointers_name_the_place_that_they_are_made_of(tree: Any) -> None:
    for at, value in leaves(tree).items():
        assert value is look_up(tree, tokens_of(pointer_of(at))) or value == look_up(tree, tokens_of(pointer_of(at)))


NODE = {"node_id": "n", "kind": "event", "payload": {"content": "hi"}}


@pytest.mark.parametrize(
    ("source", "node", "expected"),
    [
        pytest.param(entry({"step": {"n": "/a"}}, {}), NODE, {"a": {"text": "hi"}}, id="a-record-alone"),
        pytest.param(entry({"step": {"n": ""}}, {}), NODE, {"text": "hi"}, id="the-document-itself"),
        pytest.param(entry({"step": {"n": "/a/0"}}, {}), NODE, {"a": [{"text": "hi"}]}, id="an-element"),
        pytest.param(
            entry({"step": {"n": "/0"}}, {}, numbered=[""]),
            NODE,
            {"0": {"text": "hi"}},
            id="a-member-named-by-a-number",
        ),
        pytest.param(
            entry({"step": {"n": ""}}, {"/text": "kept"}), NODE, {"text": "hi"}, id="the-core-wins-over-the-residue"
        ),
        pytest.param(
            entry({"step": {"n": "/a"}}, {"/a": {"text": "kept", "b": [1]}}),
            NODE,
            {"a": {"text": "hi", "b": [1]}},
            id="members-beside-the-core-are-added-to-it",
        ),
        pytest.param(
            entry({"step": {"n": ""}}, {"/time": "noon"}),
            {**NODE, "timestamp": {"$at": {"status": "unavailable", "reason": "no zone"}}},
            {"text": "hi", "time": "noon"},
            id="what-the-core-cannot-say-stands-in-the-residue",
        ),
        pytest.param(
            entry({"step": {"n": ""}}, {}),
            {**NODE, "timestamp": {"$at": {"status": "unknown"}}},
            {"text": "hi"},
            id="what-nobody-knows-is-not-written",
        ),
        pytest.param(entry({"step": {"n": "/a"}}, {}), {"node_id": "n"}, {"a": {}}, id="a-record-that-says-nothing"),
    ],
)
def test_puts_a_document_together(source: Any, node: Any, expected: Any) -> None:
    assert same(expected, restored(bundle_of(source, node)))


WITHHELD = [
    pytest.param(
        {"$at": {"status": "redacted", "class": "secret", "alias": "<API_TOKEN_1>"}},
        {"a": {"text": "<API_TOKEN_1>"}},
        [("approximated", "/nodes/0/payload/content")],
        id="a-text-that-was-withheld-is-its-alias",
    ),
    pytest.param(
        {"$at": {"status": "redacted", "class": "secret"}},
        {"a": {}},
        [("dropped", "/nodes/0/payload/content")],
        id="without-an-alias-it-is-left-out",
    ),
    pytest.param(
        {"$at": {"status": "redacted", "was": "number", "alias": "<PERSON_1>"}},
        {"a": {}},
        [("dropped", "/nodes/0/payload/content")],
        id="a-number-does-not-become-a-text",
    ),
    pytest.param(
        {"$at": {"status": "redacted", "alias": "sha256:00"}},
        {"a": {}},
        [("dropped", "/nodes/0/payload/content")],
        id="an-alias-that-is-no-placeholder-is-not-written",
    ),
    pytest.param(
        {"$at": {"status": "truncated", "text": "beginn", "kept_chars": 6}},
        {"a": {"text": "beginn"}},
        [("approximated", "/nodes/0/payload/content")],
        id="a-text-that-was-cut-is-what-is-left",
    ),
    pytest.param(
        [{"$at": {"status": "omitted"}}, {"b": {"$at": {"status": "omitted"}}, "c": 1}],
        {"a": {"text": [None, {"c": 1}]}},
        [("dropped", "/nodes/0/payload/content/0"), ("dropped", "/nodes/0/payload/content/1/b")],
        id="inside-a-value-no-position-moves",
    ),
    pytest.param({"$at": 1}, {"a": {"text": {"$at": 1}}}, [], id="what-is-no-marker-stays"),
    pytest.param(
        {"$at": {"status": "literal", "value": {"$at": {"status": "redacted"}}}},
        {"a": {"text": {"$at": {"status": "redacted"}}}},
        [],
        id="what-is-literal-is-written-as-it-was",
    ),
]


@pytest.mark.parametrize(("value", "expected", "lost"), WITHHELD)
def test_no_marker_is_written_into_a_document_that_knows_none(value: Any, expected: Any, lost: Any) -> None:
    losses: list[Loss] = []
    node = {**NODE, "payload": {"content": value}}
    assert same(expected, restored(bundle_of(entry({"step": {"n": "/a"}}, {}), node), losses))
    assert lost == [(loss.handling, loss.pointer) for loss in losses]


def test_what_was_withheld_from_the_residue_is_a_loss_there() -> None:
    losses: list[Loss] = []
    marker = {"$at": {"status": "redacted", "class": "credential"}}
    source = entry({}, {"/config/key": marker, "/config/other": 1})
    assert {"config": {"other": 1}} == restored(bundle_of(source), losses)
    place = "/extensions/dev.attraj.source/data/artifacts/0/rest/~1config~1key"
    assert [("dropped", place)] == [(loss.handling, loss.pointer) for loss in losses]


MISTAKES = [
    pytest.param(entry({"step": {"n": "/a"}}, {}), [], id="the-record-is-gone"),
    pytest.param(entry({"step": {"n": "/a/1"}}, {}), [NODE], id="a-position-is-left-empty"),
    pytest.param(entry({"step": {"n": "/a/99999999999999"}}, {}), [NODE], id="a-position-beyond-everything"),
    pytest.param(entry({"unheard": {"n": "/a"}}, {}), [NODE], id="a-place-that-no-table-has"),
    pytest.param(entry({"step": ["n"]}, {}), [NODE], id="links-of-another-type"),
    pytest.param(entry({"step": {"n": 5}}, {}), [NODE], id="a-link-that-is-no-pointer"),
    pytest.param(entry([], {}), [NODE], id="no-links"),
    pytest.param(entry({}, []), [NODE], id="no-residue"),
    pytest.param({"format": "demo", "links": {}, "rest": {}}, [NODE], id="no-order"),
]


@pytest.mark.parametrize(("source", "nodes"), MISTAKES)
def test_says_that_a_document_cannot_be_put_together(source: Any, nodes: Any) -> None:
    with pytest.raises(NotRestorable):
        restored(bundle_of(source, *nodes))


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(
            entry({"step": {"n": "/a"}}, {}, order={"": 5, "/a": [1, None, "text"]}), id="order-of-other-types"
        ),
        pytest.param(entry({"step": {"n": "/a"}}, {"/a/text/b": 1, "": 5}), id="residue-below-a-value"),
        pytest.param(entry({"step": {"n": "/a"}}, {}, numbered=[1, {}], root=7), id="notes-of-other-types"),
        pytest.param(entry({"step": {"n": "a"}}, {"x": 1}), id="pointers-without-a-slash"),
    ],
)
def test_notes_that_somebody_changed_do_no_harm(source: Any) -> None:
    assert restored(bundle_of(source, NODE)) is not MISSING


def test_a_record_of_a_message_wins_over_the_list_that_holds_it() -> None:
    places: dict[str, Place] = {**PLACES, "list": Place("list", "states", is_messages=True)}
    state = {"state_id": "s", "view": [{"role": "user", "text": "old", "0": 1}, [{"text": "old"}], {"1": {"2": 3}}]}
    nodes = [NODE, *({"node_id": name, "payload": {"content": "ho"}} for name in "mo")]
    links = {"list": {"s": "/messages"}, "step": {"n": "/messages/0", "m": "/messages/1/0", "o": "/messages/2/1"}}
    source = entry(links, {})
    bundle = bundle_of(source, *nodes, states=[state])
    changed = [{"role": "user", "text": "hi", "0": 1}, [{"text": "ho"}], {"1": {"2": 3, "text": "ho"}}]
    expected: Any = {"messages": changed}
    assert same(expected, restore(bundle, source, places))
    assert "old" == state["view"][0]["text"]  # type: ignore[index]


def test_a_record_that_stands_for_an_array_makes_an_object_of_it() -> None:
    places: dict[str, Place] = {**PLACES, "list": Place("list", "states", is_messages=True)}
    source = entry({"list": {"s": "/messages"}, "step": {"n": "/messages/0"}}, {})
    bundle = bundle_of(source, NODE, states=[{"state_id": "s", "view": [["a"]]}])
    assert same({"messages": [{"0": "a", "text": "hi"}]}, restore(bundle, source, places))


def test_thousands_of_objects_with_names_of_their_own_cost_no_more_than_they_are_long() -> None:
    source = {"list": [{"text": "hi", **{f"m{i}-{k}": k for k in range(3)}} for i in range(4000)]}
    tree = Mapped({}, {}, {})
    from attraj.formats.mapping.draft import Draft, Settings  # this test alone makes a Bundle by hand

    draft = Draft("demo", Settings(name="demo"))
    reading = draft.read(source, b"{}", "", "", PLACES)
    for position, one in enumerate(source["list"]):
        at: At = ("list", position)
        draft.node(f"n{position}", "event", reading.take("step", f"n{position}", at, one), (reading, at))
    tree = Mapped(draft.finish(), PLACES, {})
    order = tree.tree["extensions"]["dev.attraj.source"]["data"]["artifacts"][0]["order"]
    assert same(source, tree.restored())
    assert sum(len(names) for names in order.values()) < 20_000
