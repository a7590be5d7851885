"""Paths, pointers, and foreign data that looks like a marker of a Bundle."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from attraj.formats.mapping.fields import (
    At,
    Field,
    Form,
    Place,
    Reading,
    escaped,
    holds_markers,
    look_up,
    merged,
    pointer_of,
    tokens_of,
    unescaped,
)
from attraj.formats.mapping.withheld import holds_marker, plain
from attraj.jsonio import MISSING
from attraj.jsonio.write import dumps
from tests.formats.mapping.trees import TREES, VALUES, same


@given(VALUES)
def test_what_looks_like_a_marker_comes_back_out_of_its_escape(value: Any) -> None:
    assert same(value, unescaped(escaped(value)))
    told: list[Any] = []
    assert same(value, plain(escaped(value), (), lambda handling, at, code: told.append((handling, at, code))))
    assert [] == told


@given(TREES)
def test_a_text_is_known_to_hold_what_looks_like_a_marker(tree: Any) -> None:
    if holds_marker(tree):
        assert holds_markers(dumps(tree))


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param(b'{"a": "at"}', False, id="no-such-name"),
        pytest.param(b'{"$at": 1}', True, id="plain"),
        pytest.param(b'{"\\u0024at": 1}', True, id="the-first-character-as-an-escape"),
        pytest.param(b'{"\\u0024\\u0061\\u0074": 1}', True, id="every-character-as-an-escape"),
        pytest.param(b'{"$\\u0061t": 1}', True, id="the-second-as-an-escape"),
        pytest.param(b'{"$a\\u0074": 1}', True, id="the-third-as-an-escape"),
        pytest.param(b'{"\\u0061t": "\\u00e4", "$a": 1, "$attr": 2}', False, id="other-names-and-escapes"),
        pytest.param('{"$at": 1}'.encode("utf-16"), True, id="in-two-bytes-a-character"),
    ],
)
def test_finds_names_of_markers_however_they_are_spelled(raw: bytes, expected: bool) -> None:
    assert expected is holds_markers(raw)


@pytest.mark.parametrize(
    ("pointer", "tokens"),
    [
        pytest.param("", (), id="the-document"),
        pytest.param("/", ("",), id="an-empty-name"),
        pytest.param("/a/0", ("a", 0), id="a-position"),
        pytest.param("/a/01", ("a", "01"), id="no-position-begins-with-a-zero"),
        pytest.param("/a~1b/~0~1", ("a/b", "~/"), id="escapes"),
        pytest.param("/~01", ("~1",), id="an-escaped-escape"),
        pytest.param("/²", ("²",), id="a-digit-that-is-none"),
        pytest.param("/" + "9" * 30, ("9" * 30,), id="a-number-beyond-every-array"),
    ],
)
def test_reads_pointers(pointer: str, tokens: At) -> None:
    assert tokens == tokens_of(pointer)
    assert pointer == pointer_of(tokens)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param(("a", 0), 1, id="an-element"),
        pytest.param(("a", 1), MISSING, id="beyond-the-end"),
        pytest.param(("a", -1), MISSING, id="nothing-counts-from-the-end"),
        pytest.param(("a", "0"), MISSING, id="an-array-has-no-names"),
        pytest.param(("b", 0), 2, id="a-name-that-reads-as-a-position"),
        pytest.param(("a", 0, "c"), MISSING, id="below-a-number"),
        pytest.param(("n",), None, id="null-is-a-value"),
    ],
)
def test_looks_up(path: At, expected: Any) -> None:
    assert look_up({"a": [1], "b": {"0": 2}, "n": None}, path) is expected


def test_merging_changes_neither_and_the_second_wins() -> None:
    base, more = {"a": {"b": 1, "c": 2}, "d": [1]}, {"a": {"c": 3}, "d": {"e": 1}}
    assert {"a": {"b": 1, "c": 3}, "d": {"e": 1}} == merged(base, more)
    assert ({"a": {"b": 1, "c": 2}, "d": [1]}, {"a": {"c": 3}, "d": {"e": 1}}) == (base, more)


def halved(value: Any) -> Any:
    return value / 2 if type(value) is int else None


def doubled(value: Any) -> Any:
    return int(value * 2) if type(value) is float else None


PLACE = Place(
    "thing",
    fields=(
        Field(("a",), ("payload", "a")),
        Field(("b", "c"), ("payload", "c"), lambda value: type(value) is str),
        Field(("d",), ("payload", "d"), form=Form(halved, doubled)),
    ),
)


@pytest.mark.parametrize(
    ("source", "members", "taken"),
    [
        pytest.param({"a": 0}, {"payload": {"a": 0}}, [("x", "a")], id="zero-is-a-value"),
        pytest.param({"a": None}, {}, [], id="null-says-nothing"),
        pytest.param({"b": {"c": "t"}}, {"payload": {"c": "t"}}, [("x", "b", "c")], id="below"),
        pytest.param({"b": {"c": 5}}, {}, [], id="a-value-that-the-core-cannot-hold"),
        pytest.param({"b": "t"}, {}, [], id="no-object-to-look-into"),
        pytest.param({"d": 3}, {"payload": {"d": 1.5}}, [("x", "d")], id="said-in-another-form"),
        pytest.param({"d": True}, {}, [], id="a-form-that-does-not-give-it-back"),
        pytest.param(["a"], {}, [], id="no-object"),
        pytest.param(None, {}, [], id="null"),
        pytest.param(
            {"a": {"$at": 1}},
            {"payload": {"a": {"$at": {"status": "literal", "value": {"$at": 1}}}}},
            [("x", "a")],
            id="what-looks-like-a-marker",
        ),
    ],
)
def test_takes_what_the_fields_name_and_the_core_can_hold(source: Any, members: Any, taken: Any) -> None:
    reading = Reading("artifact:0", "", {"x": source}, "demo", "", {"thing": PLACE}, escapes=True)
    assert same(members, reading.take("thing", "n", ("x",), source))
    assert taken == list(reading.taken)
    assert ({"thing": {"n": "/x"}} if type(source) is dict else {}) == reading.links
