"""Text for a terminal: nothing in it may move the cursor, hide, reverse or colour (Agent Trajectory v0.1 §16)."""

from __future__ import annotations

import re

# C0, DEL, C1; bidi marks, embeddings, overrides and isolates; zero-width and line separators; surrogates, BOM.
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


def escaped(text: str) -> str:
    """The text with every character that is not plainly visible written as \\xNN or \\uNNNN."""
    return _UNSAFE.sub(_escape, text) if _UNSAFE.search(text) else text


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file name that is no UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
