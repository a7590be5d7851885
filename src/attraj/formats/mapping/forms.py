"""Values that a source writes in another form than the core: times as numbers, arguments as JSON text.

Each form gives the source's own value back, to the last digit and blank; what cannot is left as it is (see Form).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from attraj.bundle.instants import instant
from attraj.bundle.markers import MARKER_KEY
from attraj.formats.mapping.fields import Form

_MAX_DEPTH = 100  # of a JSON text inside a value; the document around it has a bound of its own
_EPOCH = 62135683200  # 1970 in the seconds of `instant`
_END = 253402300800  # the year 10000, which RFC 3339 does not have


# --- times -------------------------------------------------------------------------------------------------------


def _time_said(seconds: Any) -> str | None:
    """The digits are those of the shortest text of the number: more would be made up."""
    if type(seconds) not in (int, float) or not 1 <= seconds < _END:
        return None
    whole, _, fraction = repr(seconds).partition(".")
    moment = datetime.fromtimestamp(int(whole), UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{moment}.{fraction}Z" if fraction else f"{moment}Z"


def _time_written(text: Any) -> int | float | None:
    found = instant(text) if type(text) is str else None
    if found is None:
        return None
    seconds, fraction = found[0] - _EPOCH, found[1]
    return float(f"{seconds}.{fraction or 0}") if "." in text else seconds


UNIX_TIME = Form(_time_said, _time_written)
"""Seconds since 1970 as an RFC 3339 time in UTC."""


# --- JSON texts --------------------------------------------------------------------------------------------------


def _decoded(text: Any) -> Any:
    """The object or array that a JSON text stands for; None for anything else, and for what the core cannot hold."""
    if type(text) is not str or text[:1] not in ("{", "["):
        return None
    try:
        value = json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError):
        return None
    return value if _is_plain(value) else None


def _refused(_word: str) -> Any:
    raise ValueError("no JSON number")


def _is_plain(value: Any) -> bool:
    """Whether a value is not nested too deep, and holds nothing that would read as a marker."""
    layer = [value]
    for _ in range(_MAX_DEPTH):
        if any(type(one) is dict and MARKER_KEY in one for one in layer):
            return False
        layer = [
            inner
            for one in layer
            if type(one) is dict or type(one) is list
            for inner in (one.values() if type(one) is dict else one)
        ]
        if not layer:
            return True
    return False


def _json_form(separators: tuple[str, str] | None, *, is_ascii: bool) -> Form:
    def written(value: Any) -> str | None:
        if type(value) not in (dict, list):
            return None
        return json.dumps(value, separators=separators, ensure_ascii=is_ascii)

    return Form(_decoded, written)


# Each way to write a JSON text that Python programs and providers have; a text in none of them stays a text.
JSON_TEXTS: Mapping[str, Form] = {
    "spaced": _json_form(None, is_ascii=True),
    "compact": _json_form((",", ":"), is_ascii=False),
    "spaced-utf8": _json_form(None, is_ascii=False),
    "compact-ascii": _json_form((",", ":"), is_ascii=True),
}


def json_text_of(value: Any) -> str:
    """Name of the form that gives this JSON text back; "" when none does."""
    decoded = _decoded(value)
    if decoded is None:
        return ""
    return next((name for name, form in JSON_TEXTS.items() if form.written(decoded) == value), "")
