"""Which values of a source the core holds as they are: what the tables of the rooms say of each of their fields.

Types are exact: JSON true is no number, and 1.0 no count. What one room alone asks for stands in its own table.
"""

from __future__ import annotations

from typing import Any

from attraj.bundle.instants import is_rfc3339


def is_any(_value: Any) -> bool:
    """Any JSON value, null among them."""
    return True


def is_stated(value: Any) -> bool:
    """Whether a value says something: JSON null on an optional member does not (atif.md §2)."""
    return value is not None


def is_text(value: Any) -> bool:
    """A string, be it empty."""
    return type(value) is str


def is_filled_text(value: Any) -> bool:
    """A string that is not empty."""
    return type(value) is str and value != ""


def is_time(value: Any) -> bool:
    """A time that says its zone."""
    return type(value) is str and is_rfc3339(value)


def is_content(value: Any) -> bool:
    """What a message may say: a text, or a list of parts."""
    return type(value) is str or type(value) is list


def is_list(value: Any) -> bool:
    """A JSON array."""
    return type(value) is list


def is_filled_list(value: Any) -> bool:
    """An array that is not empty."""
    return type(value) is list and value != []


def is_object(value: Any) -> bool:
    """A JSON object."""
    return type(value) is dict


def is_filled_object(value: Any) -> bool:
    """An object that is not empty."""
    return type(value) is dict and value != {}


def is_flag(value: Any) -> bool:
    """A JSON boolean."""
    return type(value) is bool


def is_count(value: Any) -> bool:
    """A whole number, written as one."""
    return type(value) is int


def is_number(value: Any) -> bool:
    """A number that measures something: 1e999, which Python reads as infinity, does not."""
    return type(value) is int or (type(value) is float and value - value == 0)
