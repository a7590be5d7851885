"""What no terminal may be given raw."""

from __future__ import annotations

import sys
from unicodedata import category

import pytest

from attraj.reports.escaping import escaped


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("\x1b[31mred", "\\x1b[31mred", id="ansi-escape"),
        pytest.param("\x9b31m", "\\x9b31m", id="c1-csi"),
        pytest.param("a\rb\nc\td", "a\\x0db\\x0ac\\x09d", id="line-ends-and-tab"),
        pytest.param("a\x00b\x7f", "a\\x00b\\x7f", id="nul-and-del"),
        pytest.param("\u202egnp\u2066x\u2069\u061c", "\\u202egnp\\u2066x\\u2069\\u061c", id="bidi"),
        pytest.param("a\u200bb\u200dc\ufeff", "a\\u200bb\\u200dc\\ufeff", id="zero-width"),
        pytest.param("a\u2028b\u0085c", "a\\u2028b\\x85c", id="line-separators"),
        pytest.param("\U000e0069\U000e0067", "\\U000e0069\\U000e0067", id="tags-that-only-a-model-reads"),
        pytest.param("a\u00adb\u3164c\u115f", "a\\u00adb\\u3164c\\u115f".replace("\\u00ad", "\\xad"), id="fillers"),
        pytest.param("x\ufe01\U000e0101", "x\\ufe01\\U000e0101", id="variation-selectors-as-a-channel"),
        pytest.param("⚠\ufe0f\ufe0f", "⚠\ufe0f\\ufe0f", id="second-emoji-selector"),
        pytest.param("\ufe0f", "\\ufe0f", id="selector-that-follows-nothing"),
        pytest.param("Z" + "\u0301" * 6, "Z" + "\u0301" * 4 + "\\u0301" * 2, id="stacked-marks"),
        pytest.param("\udc80", "\\x80", id="byte-of-a-file-name"),
        pytest.param("\ud800", "\\ud800", id="half-a-character"),
    ],
)
def test_is_written_as_an_escape(text: str, shown: str) -> None:
    assert shown == escaped(text)


@pytest.mark.parametrize("text", ["plain text", "größe 日本語", "⚠\ufe0f ok", "e\u0301\u0323", "→ │ … \\x1b", ""])
def test_is_left_alone(text: str) -> None:
    assert text == escaped(text)


# Signs that stand before a number or a verse, and are drawn: Unicode counts them as format characters.
DRAWN = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}


def test_no_control_or_format_character_passes() -> None:
    unseen = (chr(code) for code in range(sys.maxunicode + 1) if code not in DRAWN)
    assert [] == [c for c in unseen if category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") and escaped("a" + c) == "a" + c]
