"""Which step of one document is which of the other: in order, each once, at a bounded cost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.verbs.comparing.align import Pairs, Traits, align

ANCHORS = 2


def traits(word: str) -> Traits:
    """A step of a message, a result and a kind: "ab" says "a" and got "b"; "." stands for neither."""
    message, result = (None if mark == "." else mark for mark in word)
    return Traits((word, message, result, "step"), (0, 8, 6, 1))


def aligned(a: list[str], b: list[str]) -> Pairs:
    return align([traits(word) for word in a], [traits(word) for word in b], ANCHORS)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        pytest.param([], [], [], id="nothing"),
        pytest.param(["ax"], [], [(0, None)], id="one-side-is-empty"),
        pytest.param(["ax", "bx", "cx"], ["ax", "cx"], [(0, 0), (1, None), (2, 1)], id="one-is-gone"),
        pytest.param(["ax", "cx"], ["ax", "bx", "cx"], [(0, 0), (None, 1), (1, 2)], id="one-is-new"),
        pytest.param(["ax", "by", "cx"], ["ax", "bz", "cx"], [(0, 0), (1, 1), (2, 2)], id="a-result-is-another"),
        pytest.param(["ax", "by"], ["dx", "ez"], [(0, 0), (1, 1)], id="what-has-most-in-common"),
        pytest.param(["ax", "ax", "ax"], ["ax", "ax"], [(0, 0), (1, 1), (2, None)], id="repeated-steps"),
        pytest.param(["ax", "by"], ["by", "ax"], [(0, None), (1, 0), (None, 1)], id="order-is-kept"),
        pytest.param(["..", "by"], ["by"], [(0, None), (1, 0)], id="a-step-that-says-nothing"),
    ],
)
def test_steps_find_their_partners(a: list[str], b: list[str], expected: Pairs) -> None:
    assert expected == aligned(a, b)


WORDS = st.lists(st.sampled_from(["ax", "ay", "bx", "by", "c.", ".z", ".."]), max_size=12)


@given(WORDS, WORDS)
def test_every_step_stands_once_and_in_order(a: list[str], b: list[str]) -> None:
    pairs = aligned(a, b)
    assert list(range(len(a))) == [mine for mine, _ in pairs if mine is not None]
    assert list(range(len(b))) == [theirs for _, theirs in pairs if theirs is not None]


@given(WORDS)
def test_equal_lists_are_paired_one_to_one(words: list[str]) -> None:
    assert [(position, position) for position in range(len(words))] == aligned(words, words)


@given(WORDS, st.integers(0, 12))
def test_a_step_that_nothing_is_like_stands_alone(words: list[str], at: int) -> None:
    changed = [*words[:at], "qq", *words[at:]]
    pairs = align(
        [Traits((word, word), (0, 1)) for word in words], [Traits((word, word), (0, 1)) for word in changed], ANCHORS
    )
    assert len(words) == sum(mine is not None and theirs is not None for mine, theirs in pairs)


def test_ten_thousand_equal_steps_are_no_burden() -> None:
    a, b = ["ax"] * 10_000, ["ax"] * 4_000 + ["by"] * 3_000 + ["ax"] * 5_000
    pairs = aligned(a, b)
    assert 9_000 <= sum(mine is not None and theirs is not None for mine, theirs in pairs)
