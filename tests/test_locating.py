"""Every place is found again, in every layout, from the front and from behind."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj import locating
from attraj.pointer import join


def locate(text: str, pointers: Iterable[str], *, first_line: int = 1) -> dict[str, tuple[int, int]]:
    return locating.locate(text.encode("utf-8", "surrogatepass"), pointers, first_line=first_line)


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


def test_locate_counts_from_where_the_text_starts_in_its_file() -> None:
    places = locating.locate(b'{"a":\n1, "b": 2}', ["", "/a", "/b"], first_line=3, first_column=20)
    assert places == {"": (3, 20), "/a": (4, 1), "/b": (4, 9)}


def test_very_many_members_are_found_without_looking_from_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"name{i}" for i in range(1000)]
    text = '{"first": "' + "x" * (1 << 20) + '", ' + ", ".join(f'"{name}": 1' for name in names) + "}"
    monkeypatch.delattr(locating._Pass, "is_one_value")  # what a look from behind begins with
    expected = {f"/{name}": (1, text.index(f'"{name}"') + len(name) + 5) for name in names}
    assert expected == locate(text, expected)


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


def test_places_do_not_depend_on_how_much_is_looked_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    text = '\ufeff{"a": [1, {"b": "ö\\u00f6"}],\n "c": {"d": -12.5e3, "e": []}, "f": null}'
    pointers = {"", "/a", "/a/0", "/a/1/b", "/a/7", "/c/d", "/c/e", "/c/x", "/f", "/f/y", "/z"}
    expected = locate(text, pointers)
    for near in range(1, len(text.encode()) + 1):
        monkeypatch.setattr("attraj.locating._NEAR", near)
        assert expected == locate(text, pointers)
        assert {"/a/0": expected["/a/0"]} == locate(text, {"/a/0"})


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


@given(VALUES, st.sampled_from(["", "\n", " \r\n\t"]), st.data())
def test_a_large_document_gives_the_same_places_from_behind(value: Any, breaks: str, data: st.DataObject) -> None:
    large = {"first": value, "padding": "x" * (1 << 20), 'a"b\\c': value, "last": value, "end": {"last": [value]}}
    written = Written(large, breaks)
    wanted = data.draw(st.sets(st.sampled_from(sorted(written.places)), min_size=1))
    assert {pointer: written.places[pointer] for pointer in wanted} == locate(written.text, wanted)
