"""RFC 3339 timestamps: their form, and instants that compare, to any number of fraction digits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

Instant = tuple[int, str]

_parts = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))", re.ASCII
).fullmatch


# RFC 3339 §5.6: offset mandatory, second 60 allowed (spec: bundle.md AT110).
_rfc3339 = re.compile(
    r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?"
    r"(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)",
    re.ASCII,
).fullmatch
# The usual spelling on a day that its month has in every year, line by line: most timestamps of most documents.
_usual_times = re.compile(
    r"(?:[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)"
    r"T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]++)?Z\n)*+"
).fullmatch
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_rfc3339(text: str) -> bool:
    """Whether the text is an RFC 3339 date-time with an offset, on a day that exists."""
    if _rfc3339(text) is None:
        return False
    day = int(text[8:10])
    if day < 29:
        return True
    year, month = int(text[:4]), int(text[5:7])
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return day <= _DAYS[month - 1] and (month != 2 or day < 29 or leap)


def are_usual_times(texts: Sequence[str]) -> bool:
    """Whether all are timestamps in the usual spelling; false may also mean another spelling."""
    lines = "\n".join(texts) + "\n"
    return _usual_times(lines) is not None and lines.count("\n") == len(texts)


def instant(text: str) -> Instant | None:
    """Seconds since the year 1 and the digits of the fraction, which order as the instants do; None for other text."""
    match = _parts(text)
    if match is None:
        return None
    year, month, day, hour, minute, second, fraction, sign, hours, minutes = match.groups()
    try:
        days = date(int(year), int(month), int(day)).toordinal()
    except ValueError:
        return None
    seconds = ((days * 24 + int(hour)) * 60 + int(minute)) * 60 + int(second)
    if sign:
        offset = (int(hours) * 60 + int(minutes)) * 60
        seconds += offset if sign == "-" else -offset
    return seconds, (fraction or "").rstrip("0")


def is_later(first: str, second: str) -> bool:
    """Whether the first timestamp stands for a later instant; False when one of them is no timestamp."""
    if len(first) == len(second) and first[-1:] == second[-1:] == "Z" and first <= second:
        return False  # the same form in the same zone orders as text: nearly always so
    a, b = instant(first), instant(second)
    return a is not None and b is not None and a > b
