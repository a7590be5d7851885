"""Records by their members: every object once, in its place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.bundle.groups import BATCH, Group, grouped, groups

RECORDS = st.one_of(
    st.dictionaries(st.sampled_from("abc"), st.integers(), max_size=3),
    st.integers(),
    st.none(),
    st.lists(st.integers()),
)


@given(st.lists(RECORDS), st.integers(0, 5))
def test_every_object_is_in_one_group(items: list[Any], start: int) -> None:
    found = grouped(items, start)
    places = {i: record for group in found for i, record in zip(group.positions, group.records, strict=True)}
    assert {i: item for i, item in enumerate(items, start) if type(item) is dict} == places
    assert len({group.names for group in found}) == len(found)
    assert all((*record,) == group.names for group in found for record in group.records)


def test_columns_are_the_members() -> None:
    group = Group(("a", "b"), [4, 7], [{"a": 1, "b": 2}, {"a": 3, "b": ""}])
    assert ([1, 3], [2, ""], {int}, {int, str}) == (
        group.column("a"),
        group.column("b"),
        group.types("a"),
        group.types("b"),
    )


def test_records_without_members_are_a_group() -> None:
    (group,) = grouped([{}, {}])
    assert ([0, 1], ()) == (list(group.positions), group.names)


@pytest.mark.parametrize("count", [0, 1, BATCH - 1, BATCH, BATCH + 1, 3 * BATCH])
def test_long_arrays_keep_their_positions(count: int) -> None:
    items = [{"a": i} for i in range(count)]
    assert list(range(count)) == [i for group in groups(items) for i in group.positions]
