"""Text for a terminal: nothing in it may move the cursor, hide, reverse or colour (Agent Trajectory v0.1 §16)."""

from __future__ import annotations

import re
from functools import cache


def escaped(text: str) -> str:
    """The text with every character that is not plainly visible written as \\xNN, \\uNNNN or \\UNNNNNNNN."""
    return _unsafe().sub(_escape, text) if not text.isascii() or not text.isprintable() else text


def document_name(path: str, index: int) -> str:
    """What a document is called: its file, and its position where the file holds several."""
    name = "(standard input)" if path == "-" else escaped(path)
    return f"{name}[{index}]" if index else name


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file name that is no UTF-8
        return f"\\x{code - 0xDC00:02x}"
    if code > 0xFFFF:
        return f"\\U{code:08x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


@cache  # compiled for the first text that needs it: most runs show plain ASCII alone
def _unsafe() -> re.Pattern[str]:
    """What is not plainly visible, or makes its neighbours so."""
    return re.compile(
        "["
        "\x00-\x1f\x7f-\x9f"  # C0 with ESC and CR, DEL, C1 with CSI
        "\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"  # bidi, zero-width, line separators, BOM
        "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0"  # soft hyphen, fillers: drawn as nothing
        "\ufff9-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # layout, shorthand, music
        "\U000e0000-\U000e0fff"  # tags and selectors: a text that no reader sees and every model reads
        "\ufe00-\ufe0d\ud800-\udfff"
        "]"
        # One selector of text or emoji form belongs to the character before it; more of them carry something else.
        "|(?<=[\ufe00-\ufe0f\\s])[\ufe0e\ufe0f]|^[\ufe0e\ufe0f]"
        # Marks that stack grow over the lines above and below.
        "|(?<=[MARKS]{4})[MARKS]".replace(
            "MARKS", "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
        )
    )
