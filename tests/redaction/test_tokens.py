"""Patches of a JSON text change what they are meant for, and no other byte."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.redaction.tokens import Patch, Range, elements, inside, patched, ranges, tree_with_repeated

TEXT = '\ufeff { "a" : [1.50, "x\\u0041\\ud83d\\ude00y", {"b":null}],\r\n "a\\u0062": -0.0e1 }'


@pytest.mark.parametrize(
    ("keys", "is_name", "found"),
    [
        pytest.param(("a", 1), False, '"x\\u0041\\ud83d\\ude00y"', id="a-string"),
        pytest.param(("a", 0), False, "1.50", id="a-number"),
        pytest.param(("a",), True, '"a"', id="a-name"),
        pytest.param(("ab",), True, '"a\\u0062"', id="a-name-with-an-escape"),
        pytest.param(("a", 2), False, '{"b":null}', id="an-object"),
        pytest.param(("a", 2, "b"), False, "null", id="null"),
    ],
)
def test_a_place_is_found(keys: Any, is_name: bool, found: str) -> None:
    place = ranges(TEXT, [(keys, is_name)], 1)[keys, is_name]
    assert found == TEXT[place.start : place.end]


def test_a_part_of_a_token_keeps_the_escapes_around_it() -> None:
    text = r'"a\u00e9\n\/SECRET\ud83d\ude00\\"'
    assert "aé\n/SECRET😀\\" == json.loads(text)
    patches = inside(text, Range(0, len(text)), [(4, 10, "<X_1>")])
    assert r'"a\u00e9\n\/<X_1>\ud83d\ude00\\"' == patched(text, patches)


def test_patches_that_overlap_are_a_bug() -> None:
    with pytest.raises(ValueError, match="overlap"):
        patched("abc", [Patch(0, 2, ""), Patch(1, 3, "")])


def test_a_member_that_is_given_twice_is_two_places() -> None:
    text = '{"a": "one", "a": "two"}'
    names = list(tree_with_repeated(text))
    places = ranges(text, [((name,), False) for name in names], has_repeated=True)
    assert ['"one"', '"two"'] == [text[places[(name,), False].start : places[(name,), False].end] for name in names]


def test_elements_of_an_array() -> None:
    text = '[ {"a": 1},\n2 , "x,]"]'
    assert ['{"a": 1}', "2", '"x,]"'] == [text[a:b] for a, b in elements(text)]


@given(st.text(max_size=40), st.integers(0, 40), st.integers(0, 40), st.booleans())
def test_replacing_a_part_is_replacing_it_in_the_decoded_text(text: str, a: int, b: int, is_ascii: bool) -> None:
    start, end = sorted((min(a, len(text)), min(b, len(text))))
    written = json.dumps(text, ensure_ascii=is_ascii)
    made = patched(written, inside(written, Range(0, len(written)), [(start, end, "<X_1>")]))
    assert text[:start] + "<X_1>" + text[end:] == json.loads(made)
