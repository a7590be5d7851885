"""Timestamps of ATIF steps: the form that every reader takes, and the moment they tell."""

from __future__ import annotations

from datetime import datetime

fromisoformat = datetime.fromisoformat


def moment(text: str) -> datetime | None:
    """The moment that a timestamp tells, None when Harbor's validator (Python's `fromisoformat`) refuses it."""
    try:
        return fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None


def is_plain(text: str) -> bool:
    """Whether the timestamp is written YYYY-MM-DDTHH:MM:SS, in the form that RFC 3339 and ISO 8601 share.

    Asked only of text that `fromisoformat` takes: the digits and the rest are known to be right.
    """
    return text[10:11] == "T" and text[4] == "-" and text[7] == "-" and text[13:14] == ":" and text[16:17] == ":"


def is_before(this: datetime, other: datetime) -> bool:
    """Whether one moment is before another; False when only one of them has a time zone."""
    if (this.tzinfo is None) != (other.tzinfo is None):
        return False
    return this < other
