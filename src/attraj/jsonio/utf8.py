"""Bytes that are not UTF-8, and escapes that are half a character: where they are, and what they seem to be."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BAD = re.compile("[\udc80-\udcff]")
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)


def decode(raw: bytes) -> str:
    """The text of these bytes; a byte that is not UTF-8 becomes a character from U+DC80 to U+DCFF."""
    return raw.decode("utf-8", "surrogateescape")


def bad_characters(text: str) -> Iterator[int]:
    """Where a text from `decode` stands for bytes that are not UTF-8, in order."""
    return (match.start() for match in _BAD.finditer(text))


def is_bad(character: str) -> bool:
    """Whether this character of a text from `decode` stands for a byte that is not UTF-8."""
    return "\udc80" <= character <= "\udcff"


def lone_escapes(text: str) -> Iterator[int]:
    """Where a JSON text has a surrogate escape without its other half, in order."""
    if "\\ud" not in text and "\\uD" not in text:
        return iter(())
    return (match.start() for match in _ESCAPE.finditer(text) if match[1])


def describe(raw: bytes, at: int) -> tuple[str, str]:
    """What the bytes at `at`, which are not UTF-8, seem to be: a phrase and a hint.

    Source: RFC 3629 §3 and §4; Unicode TR 26 for CESU-8.
    """
    lead, second = raw[at], raw[at + 1] if at + 1 < len(raw) else 0
    if lead in (0xC0, 0xC1) or (lead == 0xE0 and 0x80 <= second < 0xA0) or (lead == 0xF0 and 0x80 <= second < 0x90):
        return "an overlong sequence", "write the character in its shortest form"
    if lead == 0xED and 0xA0 <= second < 0xC0:
        return "an encoded surrogate (CESU-8)", "convert it from CESU-8 to UTF-8"
    needed = 1 if 0xC2 <= lead < 0xE0 else 2 if 0xE0 <= lead < 0xF0 else 3 if 0xF0 <= lead < 0xF5 else 0
    following = 0
    while following < needed and at + 1 + following < len(raw) and 0x80 <= raw[at + 1 + following] < 0xC0:
        following += 1
    if following < needed and at + 1 + following == len(raw):
        return "an incomplete sequence at the end", "the text was cut inside a character"
    if 0 < following < needed:
        return "an incomplete sequence", "the text was cut inside a character"
    return "a byte of another encoding (Latin-1, Windows-1252?)", "convert it to UTF-8"
