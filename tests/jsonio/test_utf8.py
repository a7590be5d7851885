from __future__ import annotations

import pytest

from attraj.jsonio.utf8 import bad_characters, decode, describe, lone_escapes

OTHER = "a byte of another encoding (Latin-1, Windows-1252?)"
CUT = "an incomplete sequence at the end"


@pytest.mark.parametrize(
    ("raw", "what"),
    [
        pytest.param(b"\xe9 ", OTHER, id="a letter of Latin-1"),
        pytest.param(b"\x80 ", OTHER, id="a continuation without a start"),
        pytest.param(b"\xf5\x80\x80\x80", OTHER, id="beyond Unicode by its start"),
        pytest.param(b"\xf4\x90\x80\x80", OTHER, id="beyond Unicode by its continuation"),
        pytest.param(b"\xc0\xaf", "an overlong sequence", id="two bytes for one"),
        pytest.param(b"\xe0\x80\xaf", "an overlong sequence", id="three bytes for one"),
        pytest.param(b"\xf0\x80\x80\xaf", "an overlong sequence", id="four bytes for one"),
        pytest.param(b"\xed\xa0\xbd", "an encoded surrogate (CESU-8)", id="half of a pair"),
        pytest.param(b"\xe4\xb8 ", "an incomplete sequence", id="two bytes of three"),
        pytest.param(b"\xe4\xb8", CUT, id="two bytes of three at the end"),
        pytest.param(b"\xf0\x9f\x98", CUT, id="three bytes of four at the end"),
        pytest.param(b"\xc3", CUT, id="one byte of two at the end"),
    ],
)
def test_tells_what_bytes_seem_to_be(raw: bytes, what: str) -> None:
    assert what == describe(b'"' + raw, 1)[0]


def test_finds_every_byte_that_is_not_utf8() -> None:
    offsets = [1, 3, 4]
    assert offsets == list(bad_characters(decode(b"\xc3\xa9\xe9 \xed\xa0")))


@pytest.mark.parametrize(
    ("text", "offsets"),
    [
        pytest.param(r'"\ud800"', [1], id="alone"),
        pytest.param(r'"\ud83d\ude00"', [], id="a pair"),
        pytest.param(r'"\ude00\ud83d"', [1, 7], id="in the wrong order"),
        pytest.param(r'"\ud83d\ud83d\ude00"', [1], id="before a pair"),
        pytest.param(r'"\\ud800"', [], id="after an escaped backslash"),
        pytest.param(r'"\\\uDC00"', [3], id="after an escaped backslash and a real one, in capitals"),
        pytest.param(r'"\u00e9\n"', [], id="other escapes"),
    ],
)
def test_finds_every_lone_surrogate_escape(text: str, offsets: list[int]) -> None:
    assert offsets == list(lone_escapes(text))
