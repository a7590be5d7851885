from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.pointer import Ranks, document_order, is_shown, join, resolve, shown, split

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


def test_the_members_of_an_object_are_counted_once_for_all_pointers_that_are_shown() -> None:
    class Counted(dict[str, int]):
        times = 0

        def __iter__(self) -> Iterator[str]:
            Counted.times += 1
            return super().__iter__()

    ranks, many = Ranks(), Counted((f"key {i}", i) for i in range(1000))
    assert list(range(1000)) == [ranks.of(many)[name] for name in many]
    assert Counted.times == 2
    tree = {"many": dict(many)}
    assert [f"/many/{{{i}}}" for i in range(1000)] == [shown(f"/many/key {i}", tree, ranks) for i in range(1000)]


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
