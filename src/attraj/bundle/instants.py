"""RFC 3339 timestamps as instants that compare, to any number of fraction digits. Their form is checked elsewhere."""

from __future__ import annotations

import re
from datetime import date

Instant = tuple[int, str]

_parts = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))", re.ASCII
).fullmatch


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
