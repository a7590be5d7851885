"""Texts that only end too early are told in a quick way, as the exact reader tells them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.jsonio import MISSING, Document, cut, exact
from attraj.jsonio.cut import containers_of, open_at_end, opened_at, read_cut
from attraj.jsonio.exact import read_exactly
from attraj.limits import DEFAULT_LIMITS

ODD = '["\\{}],: \néa1eu/~\ud83d\ude00'.encode("utf-16", "surrogatepass").decode("utf-16")
TEXTS = st.text(ODD, max_size=4) | st.sampled_from(["k9", "steps", "x_y", "\\", '\\"', "null"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@pytest.fixture(autouse=True)
def _small_files_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cut, "_SMALL_BYTES", 0)


def told_quickly(raw: bytes) -> Document | None:
    return read_cut(raw, DEFAULT_LIMITS, "file")


def told_slowly(raw: bytes) -> Document:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "read_cut", lambda *_: None)
        return read_exactly(raw)


@given(VALUES, st.data(), st.sampled_from([1, 2, 3, 7, 50, 1 << 22]), st.booleans(), st.sampled_from([None, 1]))
def test_says_what_the_exact_reader_says_of_every_cut(
    value: Any, data: st.DataObject, window: int, ascii: bool, indent: int | None
) -> None:
    raw = json.dumps([value], ensure_ascii=ascii, indent=indent).encode()
    raw = raw[: data.draw(st.integers(1, len(raw) - 1))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cut, "_WINDOW_BYTES", window)
        quick = told_quickly(raw)
    if quick is not None:
        slow = told_slowly(raw)
        assert (slow.faults, slow.tree) == (quick.faults, quick.tree)


def test_a_plain_cut_is_told_quickly() -> None:
    quick = told_quickly(b'{"steps": [{"m": "a"}, {"m": "b')
    assert quick is not None
    assert [("/steps/1/m", 31)] == [(fault.pointer, fault.offset) for fault in quick.faults]


OTHERS = [
    pytest.param(b'{"a": 1}', id="whole"),
    pytest.param(b'{"a": 1} x', id="something follows"),
    pytest.param(b'[{"a": "["b, "c": 1}', id="a comma is missing"),
    pytest.param(b'{"a": 1, "a": 2, "b', id="a member is there twice"),
    pytest.param(b'[NaN, "b', id="not a number"),
    pytest.param(b'[1e400, "b', id="a number beyond the doubles"),
    pytest.param(b'["a\nb', id="a line break in the string that is cut"),
    pytest.param(b'["\\ud83d b', id="half a character in the string that is cut"),
    pytest.param(b'["\xff b', id="no UTF-8 in the string that is cut"),
    pytest.param('["é'.encode()[:-1], id="a character is cut"),
    pytest.param(b'\xef\xbb\xbf{"a": "b', id="a byte order mark"),
    pytest.param(b"[" * 300, id="too deep"),
    pytest.param(b'"abc', id="no container"),
    pytest.param(b"", id="nothing"),
]


@pytest.mark.parametrize("raw", OTHERS)
def test_leaves_anything_else_to_the_exact_reader(raw: bytes) -> None:
    assert told_quickly(raw) is None


def test_keeps_the_limits_of_the_caller() -> None:
    raw = b'{"a": [1, {"b": "c'
    assert read_cut(raw, DEFAULT_LIMITS._replace(max_bytes=5), "file") is None
    assert read_cut(raw, DEFAULT_LIMITS._replace(max_depth=2), "file") is None


ENDS = [
    pytest.param(b'{"a": [1, {"b": "]}\\"', (b"{[{", 16), [0, 6, 10], id="in a string"),
    pytest.param(b'{"a": [1, {"b": 2}]', (b"{", -1), [0], id="between members"),
    pytest.param(b'["\\\\", "\\\\\\"", [[], {"[": {', (b"[[{{", -1), [0, 15, 20, 26], id="after escapes"),
    pytest.param(b"[]", (b"", -1), [], id="nowhere"),
]


@pytest.mark.parametrize("window", [1, 3, 9, 1 << 22])
@pytest.mark.parametrize(("raw", "end", "places"), ENDS)
def test_finds_what_is_open_and_where(
    raw: bytes, end: tuple[bytes, int], places: list[int], window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cut, "_WINDOW_BYTES", window)
    found = open_at_end(raw)
    assert end == (found.brackets, found.quote)
    assert places == [opened_at(raw, found, depth) for depth in range(len(found.brackets))]


def test_a_tree_that_is_unlike_the_brackets_has_no_open_containers() -> None:
    trees: list[Any] = [{}, {"a": {}}, MISSING]
    assert [[], [], []] == [containers_of(tree, b"{[") for tree in trees]
