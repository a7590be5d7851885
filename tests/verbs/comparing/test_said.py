"""When two values say the same."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.verbs.comparing.said import Identities, content_of, fingerprint, is_same, is_silent, leaves

NAN = float("nan")


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        pytest.param({"x": 1, "y": 2}, {"y": 2, "x": 1}, True, id="members-in-another-order"),
        pytest.param(1, 1.0, True, id="a-number-written-another-way"),
        pytest.param([1, 2], [2, 1], False, id="elements-in-another-order"),
        pytest.param(True, 1, False, id="true-is-no-number"),
        pytest.param(0, False, False, id="false-is-no-number"),
        pytest.param("1", 1, False, id="a-text-is-no-number"),
        pytest.param(None, "", False, id="null-is-no-text"),
        pytest.param({}, [], False, id="an-object-is-no-array"),
        pytest.param({"x": None}, {}, False, id="null-is-not-absent"),
        pytest.param(NAN, NAN, True, id="a-number-that-is-none-equals-itself"),
        pytest.param([[{"x": [1]}]], [[{"x": [1.0]}]], True, id="deep-inside"),
    ],
)
def test_values_are_compared_by_what_they_say(a: Any, b: Any, expected: bool) -> None:
    assert expected is is_same(a, b)
    assert expected is is_same(b, a)


@pytest.mark.parametrize(
    ("value", "is_text_alone", "expected"),
    [
        pytest.param([{"type": "text", "text": "a"}], False, "a", id="the-only-part"),
        pytest.param([{"type": "text", "text": "a", "x": 1}], True, "a", id="a-part-that-holds-more"),
        pytest.param([{"type": "text", "text": "a", "x": 1}], False, None, id="more-is-a-fact-in-one-format"),
        pytest.param([{"type": "text", "text": "a"}] * 2, True, None, id="two-parts"),
        pytest.param([{"type": "text", "text": 1}], True, None, id="no-text"),
        pytest.param([], True, None, id="no-part"),
        pytest.param("a", True, None, id="a-text"),
    ],
)
def test_a_text_may_be_the_only_part_of_a_list(value: Any, is_text_alone: bool, expected: str | None) -> None:
    assert (value if expected is None else expected) == content_of(value, is_text_alone=is_text_alone)


@pytest.mark.parametrize("status", ["unavailable", "unknown", "not_applicable"])
def test_a_marker_of_ignorance_is_silent(status: str) -> None:
    assert is_silent({"$at": {"status": status}})


@pytest.mark.parametrize("value", [{"$at": {"status": "redacted"}}, "", None, 0, False, {}, "unknown"])
def test_anything_else_is_said(value: Any) -> None:
    assert not is_silent(value)


def test_leaves_are_told_in_order_and_markers_whole() -> None:
    tree = {"a": [1, {"b": None}], "c": {}, "d": {"$at": {"status": "redacted"}}}
    expected = [(("a", 0), 1), (("a", 1, "b"), None), (("c",), {}), (("d",), {"$at": {"status": "redacted"}})]
    assert expected == list(leaves(tree))


def test_identities_agree_one_to_one() -> None:
    identities = Identities()
    assert [True, True, False, False, True] == [
        identities.agree("a1", "b1"),
        identities.agree("a1", "b1"),
        identities.agree("a1", "b2"),
        identities.agree("a2", "b1"),
        identities.agree("a2", "b2"),
    ]


@pytest.mark.parametrize("value", [float("inf"), "\ud800", [NAN], {"\udfff": 1}, 10**400])
def test_what_has_no_canonical_form_has_a_fingerprint(value: Any) -> None:
    assert fingerprint(value) == fingerprint(value)
