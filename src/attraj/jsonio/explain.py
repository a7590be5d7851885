"""Why a text stops being JSON at one character: the mistake that people and programs make there, in our own words."""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple


class Expected(Enum):
    """What the grammar asks for at a place."""

    VALUE = "a value"
    NAME = "a member name"
    COLON = "a colon"
    NEXT = "a comma or the closing bracket"
    END = "the end of the file"


class Explanation(NamedTuple):
    """A message, a hint, and the character that is at fault."""

    message: str
    hint: str
    at: int


_JSON_DUMPS = "write it with a JSON library"

_ANYWHERE = (
    (r"'", "single quotes: this looks like a Python repr, not JSON", _JSON_DUMPS),
    (r"//|/\*|#", "comments are not JSON", "remove the comment"),
    (r"\0", "a NUL byte (the file was written sparsely or never filled?)", ""),
    (r"[\u201c-\u201f\u2018-\u201b]", "typographic quotes instead of straight ones", "write straight double quotes"),
    (r"\ufeff", "a byte order mark inside the text", "remove it"),
)

_AT_START = (
    (r"<", "this looks like HTML or XML, not JSON", "see what the download really gave"),
    (r"---\s|%YAML|[A-Za-z_][\w.-]*:(?:\s|\Z)", "this looks like YAML, not JSON", "convert it to JSON"),
)

_VALUE = (
    (r"(?:None|True|False)\b", "Python's None, True and False are not JSON", "write null, true, false"),
    (r"(?i:null|true|false)\b", "null, true and false are written in small letters", ""),
    (r"undefined\b", "undefined is not JSON", "write null, or leave the member out"),
    (r"[+-]?(?i:nan|inf(?:inity)?)\b", "JSON has no NaN and no Infinity", "leave the member out, or write null"),
    (r"\+", "a number must not start with a plus sign", "remove the plus sign"),
    (r"-?0[xXoObB]", "JSON has no hexadecimal, octal or binary numbers", "write it in decimal"),
    (r"-?0[0-9]", "a number must not start with a zero", "remove the leading zero"),
    (r"-?\.[0-9]", "a number must have a digit before its point", "write a zero before the point"),
    (r"-?[0-9]+\.(?![0-9])", "a number must have a digit after its point", "write a zero after the point"),
    (r"-?[0-9]", "this is not a JSON number", ""),
    (r"-", "a minus sign without a number", ""),
    (r",", "a value is missing before this comma", ""),
    (r"[\]}]", "a value is missing before this bracket", ""),
    (r":", "a value is missing before this colon", ""),
    (r"\w", "this is not a JSON value", "text must be in double quotes"),
)

_NAME = (
    (r"[\w$-]", "a member name must be in double quotes", "put double quotes around it"),
    (r",", "a member is missing before this comma", ""),
    (r"[:\[{]", "a member name is missing here", ""),
    (r"\]", "an object is closed by the bracket of an array", ""),
)

_NEXT = (
    (r'["\[{]', "a comma is missing before this", ""),
    (r"[\w-]", "a comma is missing before this, or a quote inside the string is not escaped", ""),
    (r"\}", "an array is closed by the bracket of an object", ""),
    (r"\]", "an object is closed by the bracket of an array", ""),
    (r":", "a colon where a comma or the closing bracket is expected", ""),
)

_END = (
    (r"\0", "NUL bytes after the document", "cut them off"),
    (r"[{\[]", "more than one document in the file", "write one document a line (JSON Lines), or one array of them"),
    (r"[\]}]", "one closing bracket too many", ""),
    (r"//|/\*|#", "comments are not JSON", "remove the comment"),
    (r"", "something follows the document", "remove it"),
)

_TABLES = {
    Expected.VALUE: _ANYWHERE + _VALUE,
    Expected.NAME: _ANYWHERE + _NAME,
    Expected.COLON: _ANYWHERE,
    Expected.NEXT: _ANYWHERE + _NEXT,
    Expected.END: _END,
}


def explain(text: str, at: int, expected: Expected) -> Explanation:
    """Say what is wrong at one character of a text that is JSON up to there.

    Args:
        text: The whole text; `at` is inside it.
        at: The first character that the grammar does not allow.
        expected: What it allows instead.

    Returns:
        The explanation; its place is the comma for a trailing comma, else `at`.
    """
    if expected in (Expected.VALUE, Expected.NAME) and text[at] in "]}":
        comma = text.rfind(",", 0, at)
        if comma >= 0 and (comma + 1 == at or text[comma + 1 : at].isspace()):
            return Explanation("a trailing comma", "remove the comma", comma)
    table = _TABLES[expected]
    if expected is Expected.VALUE and not text[:at].strip("\ufeff \t\r\n"):
        table = _AT_START + table
    for pattern, message, hint in table:
        if re.compile(pattern).match(text, at):
            return Explanation(message, hint, at)
    return Explanation(f"{expected.value} is expected here", "", at)
