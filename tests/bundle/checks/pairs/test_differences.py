"""What counts as a difference between two values, and of which kind."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.bundle.checks.pairs.differences import How, differences, removed_spans, same

GONE = {"$at": {"status": "redacted"}}
UNKNOWN = {"$at": {"status": "unknown"}}


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        pytest.param({"a": 1, "b": 2}, {"b": 2, "a": 1}, [], id="key-order"),
        pytest.param({"a": 1.0}, {"a": 1}, [], id="one-number-in-two-spellings"),
        pytest.param({"a": 2**70}, {"a": 2**70}, [], id="large-integers"),
        pytest.param({"a": "\ud800"}, {"a": "\ud800"}, [], id="half-characters"),
        pytest.param({"a": 1}, {"a": True}, [(How.CHANGED, ("a",))], id="true-is-not-one"),
        pytest.param({"a": {"b": 2}}, {"a": {"b": 1}}, [(How.CHANGED, ("a", "b"))], id="deep-change"),
        pytest.param({"a": ""}, {"a": "x"}, [(How.EMPTIED, ("a",))], id="became-empty-text"),
        pytest.param({"a": None}, {"a": "x"}, [(How.EMPTIED, ("a",))], id="became-null"),
        pytest.param({"a": 0}, {"a": 7}, [(How.EMPTIED, ("a",))], id="became-zero"),
        pytest.param({"a": False}, {"a": True}, [(How.EMPTIED, ("a",))], id="became-false"),
        pytest.param({"a": []}, {"a": [1]}, [(How.EMPTIED, ("a",))], id="became-an-empty-array"),
        pytest.param({"a": {}}, {"a": "x"}, [(How.EMPTIED, ("a",))], id="became-an-empty-object"),
        pytest.param({"a": ""}, {"a": None}, [(How.CHANGED, ("a",))], id="one-emptiness-for-another"),
        pytest.param({}, {"a": 1}, [(How.DROPPED, ("a",))], id="dropped"),
        pytest.param({"a": 1}, {}, [(How.ADDED, ("a",))], id="added"),
        pytest.param({"a": [1]}, {"a": [1, 2]}, [(How.DROPPED, ("a",))], id="shorter-array"),
        pytest.param({"a": [1, 2]}, {"a": [1]}, [(How.ADDED, ("a",))], id="longer-array"),
        pytest.param({"a": [2, 1]}, {"a": [1, 2]}, [(How.CHANGED, ("a", 0)), (How.CHANGED, ("a", 1))], id="order"),
        pytest.param({"sources": [2, 1]}, {"sources": [1, 2]}, [], id="order-of-references"),
        pytest.param({"sources": [3, 1]}, {"sources": [1, 2]}, [(How.CHANGED, ("sources", 0))], id="other-reference"),
        pytest.param({"a": GONE}, {"a": {"b": 1}}, [(How.WITHHELD, ("a",))], id="object-withheld"),
        pytest.param({"a": GONE}, {"a": "x"}, [(How.WITHHELD, ("a",))], id="text-withheld"),
        pytest.param({"a": [GONE]}, {"a": ["x"]}, [(How.WITHHELD, ("a", 0))], id="element-withheld"),
        pytest.param({"a": "[REDACTED]"}, {"a": "x"}, [(How.WITHHELD, ("a",))], id="placeholder-of-another-tool"),
        pytest.param({"a": "at <IP_1> now"}, {"a": "at 1.2 now"}, [(How.WITHHELD, ("a",))], id="span-withheld"),
        pytest.param({"a": "at <IP_1> then"}, {"a": "at 1.2 now"}, [(How.CHANGED, ("a",))], id="span-and-change"),
        pytest.param(
            {"a": {"availability": "redacted"}}, {"a": {"b": 1}}, [(How.WITHHELD, ("a",))], id="object-says-redacted"
        ),
        pytest.param({"a": "x"}, {"a": GONE}, [(How.FILLED, ("a",))], id="filled"),
        pytest.param({"a": UNKNOWN}, {"a": GONE}, [(How.REMARKED, ("a",))], id="another-status"),
        pytest.param({"a": {"$at": {"status": "redacted", "reason": "law"}}}, {"a": GONE}, [], id="another-reason"),
        pytest.param(
            {"a": {"$at": {"status": "literal", "value": 1}}},
            {"a": {"$at": {"status": "literal", "value": 2}}},
            [(How.CHANGED, ("a", "$at", "value"))],
            id="escaped-values-are-values",
        ),
    ],
)
def test_tells(new: Any, old: Any, expected: list[Any]) -> None:
    assert [(d.how, d.way) for d in differences(new, old, {})] == expected


def test_an_identifier_may_have_another_name() -> None:
    assert same({"from": "<USER_1>"}, {"from": "node:mary"}, {"<USER_1>": "node:mary"})


def test_a_deep_value_is_no_danger() -> None:
    new: Any = 1
    old: Any = 2
    for _ in range(5000):
        new, old = [new], [old]
    assert [d.how for d in differences(new, old, {})] == [How.CHANGED]


@pytest.mark.parametrize(
    ("new", "old", "spans"),
    [
        pytest.param("run <SECRET_1> now", "run abc now", ["abc"], id="one"),
        pytest.param("<SECRET_1>", "abc", ["abc"], id="whole"),
        pytest.param("<SECRET_1> or <SECRET_2>", "abc or def", ["abc", "def"], id="two"),
        pytest.param("<USER_1>/<USER_1>", "mary/mary", ["mary", "mary"], id="twice-the-same"),
        pytest.param("<IP_1><IP_2>", "ab", ["ab"], id="side-by-side"),
        pytest.param("a <IP_1> <IP_2>", "a <IP_1> b", ["b"], id="one-was-there-before"),
        pytest.param("a <SECRET_1>", "b abc", None, id="another-beginning"),
        pytest.param("<SECRET_1> z", "abc", None, id="another-end"),
        pytest.param("plain", "text", None, id="no-placeholder"),
        pytest.param("ab<IP_1>bc", "abc", None, id="overlap"),
    ],
)
def test_says_what_placeholders_stand_for(new: str, old: str, spans: list[str] | None) -> None:
    assert removed_spans(new, old) == spans


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


@given(json_values)
def test_a_value_is_the_same_as_itself(value: Any) -> None:
    assert same(value, value)


@given(json_values, json_values)
def test_sameness_goes_both_ways(one: Any, other: Any) -> None:
    assert same(one, other) == same(other, one)
