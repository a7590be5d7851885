"""What is jumped to is where reading everything finds it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj import jumps
from attraj.jumps import offsets_in
from attraj.locating import locate
from attraj.pointer import join

VALUES = st.recursive(
    st.none() | st.integers() | st.sampled_from(["", "a", '"a"', "{", "}]", "\\", 'x":', "é", "\\u0061"]),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from(["a", "b", 'a"', "é", ""]), inner),
    max_leaves=30,
)


@pytest.fixture(autouse=True)
def _every_array_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jumps, "FEW", 0)


def _pointers(value: Any, *way: str | int) -> list[str]:
    found = [join(*way)]
    for key, inner in value.items() if type(value) is dict else enumerate(value) if type(value) is list else ():
        found += _pointers(inner, *way, key)
    return [*found, join(*way, "missing")]


def _by_reading(text: str, pointers: list[str]) -> dict[str, int]:
    """Offsets from the places: the text is on one line, and ASCII."""
    return {pointer: column - 1 for pointer, (_, column) in locate(text.encode(), pointers).items()}


@given(VALUES, st.booleans(), st.data())
def test_every_place_is_found_again_or_nothing_is_claimed(value: Any, is_spaced: bool, data: st.DataObject) -> None:
    text = json.dumps(value, separators=(" , ", " : ") if is_spaced else (",", ":"))
    wanted = data.draw(st.lists(st.sampled_from(_pointers(value)), unique=True))
    assert offsets_in(text.encode(), value, wanted) in (None, _by_reading(text, wanted))


RECORDS = [{"id": f"r{i}", "b": [{"c": i}], "t": '"id":{'} for i in range(200)]
TREE = {"head": {"a": [1]}, "records": RECORDS, "tail": {"z": None}}


@pytest.mark.parametrize(
    "pointers",
    [
        pytest.param(["/tail/z"], id="behind the records"),
        pytest.param(["/records/0/b/0/c", "/records/199", "/records/77/t"], id="in some of them"),
        pytest.param(["", "/head/a/0", "/records", "/records/5/x", "/nothing"], id="around and beside them"),
    ],
)
def test_records_are_jumped_over(pointers: list[str]) -> None:
    text = json.dumps(TREE)
    assert _by_reading(text, pointers) == offsets_in(text.encode(), TREE, pointers)


def test_a_name_that_stands_elsewhere_too_is_not_jumped_by(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = {"records": [{"id": i, "b": {"id": 1}} for i in range(50)], "tail": 1}
    text = json.dumps(tree)
    assert _by_reading(text, ["/records/40/b"]) == offsets_in(text.encode(), tree, ["/records/40/b"])
    monkeypatch.setattr(jumps, "MOST_READ", 100)
    assert offsets_in(text.encode(), tree, ["/records/40/b"]) is None


def test_names_that_hide_in_escapes_mislead_nobody() -> None:
    tree = {"records": [{"id": 0, "b": 0}, {"id": 1, "b": {"id": 2}}], "tail": 1}
    text = json.dumps(tree).replace('"id"', '"\\u0069d"', 1)
    assert offsets_in(text.encode(), tree, ["/records/1/b"]) in (None, _by_reading(text, ["/records/1/b"]))


@pytest.mark.parametrize("raw", [b"", b"[", b'{"records', b'{"records": 1}'])
def test_bytes_of_another_document_are_refused(raw: bytes) -> None:
    assert offsets_in(raw, TREE, ["/tail/z"]) is None
