"""What pydantic's lax mode makes of JSON values, as Harbor's models have it: "1", 1.0 and true are the integer 1.

Only whether a value is taken, and as what number; nothing in attraj converts a document's values. Compared with
pydantic 2.14 value by value.
"""

from __future__ import annotations

import re
from typing import Any

_MAX_DIGITS = 4300
# The white space that Rust trims: Unicode's White_Space, without the separators U+001C to U+001F that Python adds.
_SPACE = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
_SPACE += "\u2028\u2029\u202f\u205f\u3000"

_INTEGER = re.compile(r"([+-]?)(\d+(?:_\d+)*)(?:\.0+)?", re.ASCII).fullmatch
# Rust drops leading zeros, with the underscores among them, and may then find a minus (compared with pydantic 2.14).
_ZEROS = re.compile(r"(?:\+?0[0_]*(-_?)|[+-]?0[0_]*)(0|[1-9]\d*(?:_\d+)*)(?:\.0+)?", re.ASCII).fullmatch
_FLOAT = re.compile(r"[+-]?(?:inf|infinity|nan|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)", re.ASCII | re.IGNORECASE).fullmatch
_BOOLEANS = frozenset({"0", "off", "f", "false", "n", "no", "1", "on", "t", "true", "y", "yes"})


def as_integer(value: Any) -> int | None:
    """The integer that the value is taken for; None when it is refused."""
    kind = type(value)
    if kind is int or kind is bool:
        return int(value)
    if kind is float:
        return int(value) if -(2.0**63) < value < 2.0**63 and value.is_integer() else None
    if kind is not str:
        return None
    text = value.strip(_SPACE)
    match = _INTEGER(text) or _ZEROS(text)
    if match is None:
        return None
    digits = match[2].replace("_", "").lstrip("0") or "0"
    if len(digits) > _MAX_DIGITS:
        return None
    return -int(digits) if "-" in text else int(digits)


def as_float(value: Any) -> float | None:
    """The float that the value is taken for; None when it is refused."""
    kind = type(value)
    if kind is str:
        return _float_of(value)
    if kind is float or kind is int or kind is bool:
        try:
            return float(value)
        except OverflowError:
            return None
    return None


def _float_of(text: str) -> float | None:
    trimmed = text.strip(_SPACE)
    if "_" in trimmed:
        # Rust trims on the first attempt; the second, without underscores, takes the text as it is.
        if trimmed != text or text.startswith("_") or text.endswith("_") or "__" in text:
            return None
        trimmed = text.replace("_", "")
    return float(trimmed) if _FLOAT(trimmed) else None


def is_boolean(value: Any) -> bool:
    """Whether the value is taken for true or false."""
    kind = type(value)
    if kind is bool:
        return True
    if kind is int or kind is float:
        return bool(value in (0, 1))
    return kind is str and value.isascii() and value.lower() in _BOOLEANS
