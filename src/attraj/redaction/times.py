"""Timestamps cut to a unit. Cutting is monotone, so that what was not later than something else still is not."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)([T ])(\d\d):(\d\d)(:\d\d)?([.,]\d{1,9})?(Z|z|[+-]\d\d:?\d\d)?", re.ASCII
).fullmatch
_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)").fullmatch


def coarsened(text: str, unit: str) -> str | None:
    """A timestamp cut to the "day", "hour" or "minute" of UTC, written as it was; None for any other text."""
    match = _TIME(text)
    if match is None:
        return None
    day, separator, hour, minute, seconds, fraction, zone = match.groups()
    try:
        local = datetime.fromisoformat(f"{day}T{hour}:{minute}{seconds or ''}")
        offset = _offset(zone)
        utc = local - offset
        cut = utc.replace(second=0, minute=utc.minute if unit == "minute" else 0, hour=0 if unit == "day" else utc.hour)
        back = cut + offset
    except (ValueError, OverflowError):
        return None  # no day of the calendar: then it is no time that could be told from another
    made = f"{back:%Y-%m-%d}{separator}{back:%H:%M}" + (":00" if seconds else "")
    if fraction:
        made += fraction[0] + "0" * (len(fraction) - 1)
    return made + (zone or "")


def _offset(zone: str | None) -> timedelta:
    match = _OFFSET(zone) if zone else None
    if match is None:
        return timedelta(0)
    offset = timedelta(hours=int(match[2]), minutes=int(match[3]))
    timezone(offset)  # raises ValueError beyond a day
    return -offset if match[1] == "-" else offset
