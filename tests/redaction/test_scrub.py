"""Scrubbing texts and streams."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attraj.redaction import StreamScrubber, scrub
from tests.redaction.made_up import EMAIL, GITHUB, OTHER_GITHUB

ONE = "<API_TOKEN_1>"
KEY = "\n".join(
    ["-----BEGIN RSA PRIVATE" + " KEY-----", *("Q7xZ" * 16 for _ in range(3)), "-----END RSA PRIVATE" + " KEY-----"]
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(f"a {GITHUB} b {EMAIL}", "a <API_TOKEN_1> b <EMAIL_1>", id="two-kinds"),
        pytest.param(
            f"a {GITHUB} b\n\n{OTHER_GITHUB}, {GITHUB}.",
            "a <API_TOKEN_1> b\n\n<API_TOKEN_2>, <API_TOKEN_1>.",
            id="equal",
        ),
        pytest.param("<API_TOKEN_3> stays", "<API_TOKEN_3> stays", id="placeholders-stay"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_scrub(text: str, expected: str) -> None:
    assert expected == scrub(text)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 40), max_size=20))
def test_a_stream_says_the_same_however_it_is_cut(cuts: list[int]) -> None:
    text = f"one {GITHUB} two\n{KEY}\nthree {OTHER_GITHUB} and {GITHUB}\nend"
    scrubber, made, at = StreamScrubber(), [], 0
    for cut in cuts:
        made.append(scrubber.feed(text[at : at + cut]))
        at += cut
    made += [scrubber.feed(text[at:]), scrubber.close()]
    assert "one <API_TOKEN_1> two\n<PRIVATE_KEY_1>\nthree <API_TOKEN_2> and <API_TOKEN_1>\nend" == "".join(made)


def test_nothing_is_given_out_before_its_line_is_whole() -> None:
    scrubber = StreamScrubber()
    assert ["", "a <API_TOKEN_1>\n"] == [scrubber.feed(f"a {GITHUB[:20]}"), scrubber.feed(f"{GITHUB[20:]}\nb")]
