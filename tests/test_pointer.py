from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.pointer import document_order, is_shown, join, locate, resolve, shown, split

# --- making and following ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parts", "pointer"),
    [
        pytest.param([], "", id="the whole document"),
        pytest.param(["nodes", 3, "kind"], "/nodes/3/kind", id="names and positions"),
        pytest.param([""], "/", id="the empty name"),
        pytest.param(["a/b", "m~n", "~1"], "/a~1b/m~0n/~01", id="names that are escaped"),
    ],
)
def test_join_and_split_are_inverse(parts: list[str | int], pointer: str) -> None:
    assert pointer == join(*parts)
    assert [str(part) for part in parts] == split(pointer)


@given(st.lists(st.text() | st.integers(min_value=0)))
def test_split_gives_back_what_was_joined(parts: list[str | int]) -> None:
    assert [str(part) for part in parts] == split(join(*parts))


TREE = {"a": [10, {"b/c": 20}], "": 30, "3": 40, "n": None}


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        pytest.param("", TREE, id="the whole document"),
        pytest.param("/a/0", 10, id="an element"),
        pytest.param("/a/1/b~1c", 20, id="an escaped name"),
        pytest.param("/", 30, id="the empty name"),
        pytest.param("/3", 40, id="a name of digits"),
        pytest.param("/n", None, id="null"),
    ],
)
def test_resolve_gives_the_value(pointer: str, value: Any) -> None:
    assert value == resolve(TREE, pointer)


@pytest.mark.parametrize(
    "pointer",
    [
        pytest.param("/b", id="no such member"),
        pytest.param("/a/2", id="no such element"),
        pytest.param("/a/-1", id="a negative position"),
        pytest.param("/a/-", id="the position after the last"),
        pytest.param("/a/00", id="a position with a leading zero"),
        pytest.param("/a/٠", id="a position in digits of another script"),
        pytest.param("/a/" + "9" * 5_000, id="a position of 5000 digits"),
        pytest.param("/a/0/x", id="below a number"),
        pytest.param("/n/x", id="below null"),
    ],
)
def test_resolve_refuses_what_leads_nowhere(pointer: str) -> None:
    with pytest.raises(LookupError):
        resolve(TREE, pointer)


# --- order -------------------------------------------------------------------------------------------------------


def test_document_order_is_the_order_of_the_places() -> None:
    tree = {"z": [0] * 11, "a": {"y": 1, "b": 2}}
    ordered = ["", "/z", "/z/2", "/z/10", "/a", "/a/y", "/a/b", "/a/missing", "/missing"]
    assert ordered == sorted(sorted(ordered), key=document_order(tree))


# --- showing -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["steps", "source_call_id", "maxTokens", "toolUseID", "a.b-c", "sha256"])
def test_names_of_members_are_shown(name: str) -> None:
    assert is_shown(name)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("", id="the empty name"),
        pytest.param("call_1", id="with a digit"),
        pytest.param("a b", id="with a space"),
        pytest.param("/etc/passwd", id="a path"),
        pytest.param("a@b.c", id="an address"),
        pytest.param("_private", id="with a leading underscore"),
        pytest.param("é", id="with a letter beyond ASCII"),
        pytest.param("a" * 17, id="a long word"),
        pytest.param("SESSION_NAME", id="in capitals"),
        pytest.param("word_" * 9 + "word", id="very many words"),
        pytest.param("name\n", id="with a line break"),
        pytest.param("\x1b[2J", id="with a control character"),
    ],
)
def test_names_that_may_be_content_are_not(name: str) -> None:
    assert not is_shown(name)


SHOWN = {"extra": {"k1": 1, "k2": [{"p q": 1}], "ok": {"x/y": 2}}, "0": [5]}


@pytest.mark.parametrize(
    ("pointer", "text"),
    [
        pytest.param("", "", id="the whole document"),
        pytest.param("/extra/ok", "/extra/ok", id="names alone"),
        pytest.param("/extra/k2", "/extra/{1}", id="a name that may be content"),
        pytest.param("/extra/k2/0/p q", "/extra/{1}/0/{0}", id="an element and another such name below it"),
        pytest.param("/extra/ok/x~1y", "/extra/ok/{0}", id="a name with a slash"),
        pytest.param("/0/0", "/{1}/0", id="a name of digits is no position in an array"),
        pytest.param("/extra/k9", "/extra/{?}", id="a name that is not there"),
        pytest.param("/extra/k2/7/message", "/extra/{1}/7/message", id="beyond the end of an array"),
    ],
)
def test_shown_puts_positions_for_names_that_may_be_content(pointer: str, text: str) -> None:
    assert text == shown(pointer, SHOWN)


@pytest.mark.parametrize(
    ("pointer", "text"),
    [
        pytest.param("/steps/12/message", "/steps/12/message", id="a short number is a position"),
        pytest.param("/extra/k1", "/extra/{?}", id="a name that may be content"),
        pytest.param("/extra/4111111111111111", "/extra/{?}", id="a long number is a name"),
        pytest.param("/extra/007", "/extra/{?}", id="a number with leading zeros is a name"),
    ],
)
def test_shown_without_a_tree(pointer: str, text: str) -> None:
    assert text == shown(pointer, None)


# --- locating ----------------------------------------------------------------------------------------------------

TEXT = """{
  "a": [10, {"b/c": "é😀", "d": null}],
  "s": "\\"}\\u0041", "A": -1.5e3
}
"""


@pytest.mark.parametrize(
    ("pointer", "place"),
    [
        pytest.param("", (1, 1), id="the whole document"),
        pytest.param("/a", (2, 8), id="an array"),
        pytest.param("/a/0", (2, 9), id="an element"),
        pytest.param("/a/1/b~1c", (2, 21), id="an escaped name"),
        pytest.param("/a/1/d", (2, 32), id="columns are code points"),
        pytest.param("/A", (3, 26), id="after a string with brackets and escapes"),
        pytest.param("/a/1/x", (2, 13), id="a missing member is at its object"),
        pytest.param("/a/7/x/y", (2, 8), id="below a missing element is at the array"),
        pytest.param("/a/0/x", (2, 9), id="below a number is at the number"),
        pytest.param("/x", (1, 1), id="a missing member of the root is at the root"),
    ],
)
def test_locate_gives_line_and_column(pointer: str, place: tuple[int, int]) -> None:
    assert {pointer: place} == locate(TEXT, [pointer])


def test_locate_finds_all_in_one_pass() -> None:
    wanted = {"/A": (3, 26), "/a/0": (2, 9), "/s": (3, 8), "/x": (1, 1), "": (1, 1)}
    assert wanted == locate(TEXT, [*wanted, *wanted])


def test_locate_counts_lines_from_the_first_line_of_the_text() -> None:
    assert locate('{"a": 1}', ["/a"], first_line=42) == {"/a": (42, 7)}


def test_locate_counts_no_column_for_a_byte_order_mark() -> None:
    assert locate('\ufeff{"a": 1,\n"b": 2}', ["/a", "/b"]) == {"/a": (1, 7), "/b": (2, 6)}


def test_locate_takes_the_first_of_a_member_given_twice() -> None:
    text = '{"a": 1, "a": 2, "b": 3}'
    assert locate(text, ["/a"]) == {"/a": (1, 7)}
    assert locate(text, ["/a", "/b"]) == {"/a": (1, 7), "/b": (1, 23)}


def test_locate_reads_what_is_almost_json() -> None:
    assert locate('["\t", NaN, "\\ud800"]', ["/1"]) == {"/1": (1, 7)}


def test_locate_keeps_what_it_found_before_the_text_breaks() -> None:
    assert locate('{"a": 1, !', ["/a", "/b"]) == {"/a": (1, 7)}
    assert locate("", ["/a"]) == {}


def test_locate_stops_after_the_last_place() -> None:
    assert locate('{"a": 1, this is never looked at', ["/a"]) == {"/a": (1, 7)}


def test_locate_finds_very_many_on_one_line() -> None:
    text = "[" + ",".join(["1"] * 50_000) + "]"
    assert {f"/{i}": (1, 2 + 2 * i) for i in range(50_000)} == locate(text, [f"/{i}" for i in range(50_000)])


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=15,
)


class Written:
    """A JSON text written piece by piece, each value's place noted on the way: what locate has to find again."""

    def __init__(self, value: Any, breaks: str) -> None:
        self.text = ""
        self.places: dict[str, tuple[int, int]] = {}
        self.breaks = breaks
        self._write(value, "")

    def _write(self, value: Any, pointer: str) -> None:
        self.text += self.breaks
        self.places[pointer] = (self.text.count("\n") + 1, len(self.text) - self.text.rfind("\n"))
        if isinstance(value, dict):
            self.text += "{"
            for i, (name, inner) in enumerate(value.items()):
                self.text += ("," if i else "") + self.breaks + json.dumps(name, ensure_ascii=i % 2 == 0) + ":"
                self._write(inner, pointer + join(name))
            self.text += "}"
        elif isinstance(value, list):
            self.text += "["
            for i, inner in enumerate(value):
                self.text += "," if i else ""
                self._write(inner, pointer + join(i))
            self.text += self.breaks + "]"
        else:
            self.text += json.dumps(value, ensure_ascii=False)


@given(VALUES, st.sampled_from(["", "\n", " \r\n\t"]), st.data())
def test_locate_finds_every_place_again(value: Any, breaks: str, data: st.DataObject) -> None:
    written = Written(value, breaks)
    wanted = data.draw(st.sets(st.sampled_from(sorted(written.places))))
    assert {pointer: written.places[pointer] for pointer in wanted} == locate(written.text, wanted)


@given(VALUES, st.data())
def test_a_place_that_is_not_there_is_at_the_nearest_one_around_it(value: Any, data: st.DataObject) -> None:
    written = Written(value, "\n")
    around = data.draw(st.sampled_from(sorted(written.places)))
    missing = around + "/not there"
    assert {missing: written.places[around]} == locate(written.text, [missing])
