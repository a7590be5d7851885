"""Two JSON values compared: what differs, where, and in which of the ways that a reader could be misled by.

Key order means nothing, nor does the order of the arrays that hold references. No recursion: documents are untrusted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, NamedTuple

import orjson

from attraj.bundle.markers import PLACEHOLDERS, is_marker, status_of

Way = tuple[str | int, ...]


class How(Enum):
    """In which way a value differs from the older one."""

    CHANGED = "changed"  # both state a value, and the values are not the same
    EMPTIED = "emptied"  # became "", [], {}, null, false or 0
    DROPPED = "dropped"  # the member, or elements of the array, are not there any more
    ADDED = "added"  # the older document does not state it
    WITHHELD = "withheld"  # became a marker, or a text with placeholders in place of spans
    FILLED = "filled"  # the older document marked that it is not here
    REMARKED = "remarked"  # the marker gives another status


class Difference(NamedTuple):
    """One difference; `way` leads to it in both values (to the object, when a member was dropped, its name last)."""

    how: How
    way: Way
    new: Any
    old: Any


class Gap(Enum):
    """Stands for a member that one of the two does not have."""

    ABSENT = "absent"


ABSENT = Gap.ABSENT

# Arrays of references and declarations; "array order has meaning only where declared" (§14).
UNORDERED = frozenset(
    {
        "capability_refs",
        "evidence_refs",
        "external_parents",
        "invalidates",
        "mask",
        "purposes",
        "read_set",
        "scope",
        "source_refs",
        "sources",
        "write_set",
    }
)
_EMPTY: tuple[Any, ...] = ("", [], {}, None, False, 0)
_WITHHELD_WORDS = frozenset({"redacted", "omitted"})

# What redaction leaves inside a text, `<TYPE_n>`, and ids renamed by other writers (decisions 25).
_SPAN = re.compile(r"<[A-Z][A-Z_]*_\d+>|redacted:[a-z_]+:\d+")


def same(new: Any, old: Any, renamed: Mapping[str, str] | None = None) -> bool:
    """Whether two JSON values are equal, key order aside; true is not 1, and 1 is 1.0."""
    return not differences(new, old, renamed or {})


def differences(new: Any, old: Any, renamed: Mapping[str, str], way: Way = ()) -> list[Difference]:
    """Every difference between two values, outermost only, in a fixed order.

    Args:
        new, old: JSON values. Never modified.
        renamed: Identifiers of the newer document to those that they replace.
        way: Where the values stand.
    """
    if _is_equal_at_a_glance(new, old):
        return []
    found: list[Difference] = []
    pending: list[tuple[Any, Any, Way]] = [(new, old, way)]
    while pending:
        ours, theirs, at = pending.pop()
        if type(ours) is dict and type(theirs) is dict and (not at or _how_marked(ours, theirs) is None):
            if at and theirs and not ours:
                found.append(Difference(How.EMPTIED, at, ours, theirs))
            else:
                pending.extend(_members(ours, theirs, at, found))
        elif type(ours) is list and type(theirs) is list:
            pending.extend(_elements(ours, theirs, at, found))
        else:
            how = _how(ours, theirs, renamed)
            if how is not None:
                found.append(Difference(how, at, ours, theirs))
    return found


def _is_equal_at_a_glance(new: Any, old: Any) -> bool:
    """True only when the values are equal: one comparison of bytes settles most records of most pairs."""
    try:
        return orjson.dumps(new, option=orjson.OPT_SORT_KEYS) == orjson.dumps(old, option=orjson.OPT_SORT_KEYS)
    except (TypeError, orjson.JSONEncodeError):  # an integer of more than 64 bits, or half a character
        return False


def _members(
    new: dict[str, Any], old: dict[str, Any], at: Way, found: list[Difference]
) -> Iterator[tuple[Any, Any, Way]]:
    for name, theirs in reversed(old.items()):
        if name in new:
            yield new[name], theirs, (*at, name)
        else:
            found.append(Difference(How.DROPPED, (*at, name), ABSENT, theirs))
    for name, ours in new.items():
        if name not in old:
            found.append(Difference(How.ADDED, (*at, name), ours, ABSENT))


def _elements(new: list[Any], old: list[Any], at: Way, found: list[Difference]) -> Iterator[tuple[Any, Any, Way]]:
    positions: list[tuple[int, int]]
    if at and at[-1] in UNORDERED:
        ours, theirs = _unmatched(new, old)
        positions = list(zip(ours, theirs, strict=False))
    else:
        positions = [(i, i) for i in range(len(old))]
    if len(new) < len(old):
        found.append(Difference(How.DROPPED if new else How.EMPTIED, at, new, old))
    elif len(new) > len(old):
        found.append(Difference(How.ADDED, at, new, old))
    else:
        for i, j in reversed(positions):
            yield new[i], old[j], (*at, i)


def _unmatched(new: list[Any], old: list[Any]) -> tuple[list[int], list[int]]:
    """Positions of the elements of each that the other lacks, counted with their number."""
    ours, theirs = [_name(e) for e in new], [_name(e) for e in old]
    return _beyond(ours, Counter(theirs)), _beyond(theirs, Counter(ours))


def _beyond(names: list[object], others: Counter[object]) -> list[int]:
    left: list[int] = []
    for position, name in enumerate(names):
        if others[name] > 0:
            others[name] -= 1
        else:
            left.append(position)
    return left


def _name(value: Any) -> object:
    """Something equal for equal values; the value's own identity when it cannot be written."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except (TypeError, orjson.JSONEncodeError):
        return value if type(value) in (str, int) else id(value)


# --- two values that are not both objects or arrays --------------------------------------------------------------


def _how(new: Any, old: Any, renamed: Mapping[str, str]) -> How | None:
    if type(new) is dict or type(old) is dict:
        how = _how_marked(new, old)
        if how is not None:
            return None if how is How.REMARKED and status_of(new) == status_of(old) else how
    elif type(new) is str and type(old) is str:
        if new == old or renamed.get(new) == old:
            return None
        if new in PLACEHOLDERS or removed_spans(new, old) is not None:
            return How.WITHHELD
    elif _is_equal_scalar(new, old):
        return None
    return How.EMPTIED if is_empty(new) and not is_empty(old) else How.CHANGED


def _how_marked(new: Any, old: Any) -> How | None:
    """How one says that the value is not here and the other does not; REMARKED when both do, None when neither."""
    ours, theirs = is_gap(new), is_gap(old)
    if ours:
        return How.REMARKED if theirs else How.WITHHELD
    return How.FILLED if theirs else None


def is_gap(value: Any) -> bool:
    """Whether the value says that content is not here: a marker, or an object whose `availability` says so."""
    if type(value) is not dict:
        return False
    if is_marker(value):
        return status_of(value) != "literal"  # an escaped value is a value
    word = value.get("availability")
    return type(word) is str and word in _WITHHELD_WORDS


def is_empty(value: Any) -> bool:
    return any(type(value) is type(empty) and value == empty for empty in _EMPTY) or (
        type(value) is float and not value
    )


def _is_equal_scalar(new: Any, old: Any) -> bool:
    numbers = (int, float)
    if type(new) in numbers and type(old) in numbers:
        return bool(new == old)
    return type(new) is type(old) and bool(new == old)


def removed_spans(new: str, old: str) -> list[str] | None:
    """What placeholders stand for: the parts of the older text that they replace; None when the texts do not fit.

    "run <SECRET_1> now" fits "run abc now", and "abc" was removed.
    """
    pieces = _SPAN.split(new)
    if len(pieces) == 1 or not old.startswith(pieces[0]) or not old.endswith(pieces[-1]):
        return None
    at, end = len(pieces[0]), len(old) - len(pieces[-1])
    removed: list[str] = []
    for piece in pieces[1:-1]:
        if not piece:  # two placeholders side by side: what they stand for cannot be told apart
            continue
        start = old.find(piece, at, end)
        if start < 0:
            return None
        removed.append(old[at:start])
        at = start + len(piece)
    if at > end:
        return None
    removed.append(old[at:end])
    return [span for span in removed if span and not _SPAN.fullmatch(span)]


def has_placeholder(text: str) -> bool:
    """Whether a text holds what redaction leaves in place of a span or of an identifier."""
    return _SPAN.search(text) is not None
