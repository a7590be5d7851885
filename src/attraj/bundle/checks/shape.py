"""AT101, AT102, AT108, AT109, AT110, AT116: members and their types, from the one table of `bundle.shape`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from attraj.bundle.checks.check import NOTHING, Json, error, info
from attraj.bundle.markers import is_marker
from attraj.bundle.model import Bundle
from attraj.bundle.shape import COLLECTIONS, OBJECTS, Member, exact_types
from attraj.findings import Finding, Severity, Stratum
from attraj.pointer import join

AT101 = error("AT101", "missing-member", Stratum.SHAPE)
AT102 = error("AT102", "wrong-type", Stratum.SHAPE)
AT108 = error("AT108", "bad-identifier", Stratum.SHAPE)
AT109 = error("AT109", "state-not-a-string", Stratum.SHAPE)
AT110 = error("AT110", "bad-timestamp", Stratum.SHAPE)
AT116 = info("AT116", "unknown-member", Stratum.SHAPE)

Path = tuple[str | int, ...]

NAMES = {str: "string", int: "integer", float: "number", bool: "boolean", dict: "object", list: "array"}

# RFC 3339 §5.6: offset mandatory, second 60 allowed (spec: bundle.md AT110).
_rfc3339 = re.compile(
    r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?"
    r"(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)",
    re.ASCII,
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


class RecordShape:
    """The compiled types of one kind of object."""

    __slots__ = ("members",)

    def __init__(self, members: dict[str, Member]) -> None:
        # name -> (exact types, kind, what it holds, whether more than the type is looked at)
        self.members = {
            name: (
                exact_types(member.kind),
                member.kind,
                member.of,
                bool(member.of) or member.kind in ("id", "time", "texts"),
            )
            for name, member in members.items()
        }

    def faults(self, record: Json, *at: str | int) -> Sequence[Finding]:
        """What is wrong with the members that are there. `at` leads to the record from the root."""
        members = self.members
        found: list[Finding] | None = None
        for name, value in record.items():
            row = members.get(name)
            if row is None:
                more: Sequence[Finding] = (_unknown_member(name, members, (*at, name)),)
            elif type(value) not in row[0]:
                more = _wrong_type(value, row[1], (*at, name))
            elif row[3]:
                more = _inside(value, row[1], row[2], (*at, name))
            else:
                continue
            if more:
                if found is None:
                    found = []
                found.extend(more)
        return NOTHING if found is None else found


@cache
def record_shape(kind: str) -> RecordShape:
    """The compiled shape of one kind of object ("node", "rights" …)."""
    return RecordShape(OBJECTS[kind])


def top_level_shape(bundle: Bundle) -> Iterator[Finding]:
    """Required top-level members (AT101), types of the envelope and of everything that is no record."""
    members = OBJECTS["bundle"]
    for name, member in members.items():
        if member.required and name not in bundle.tree:
            yield AT101.at(
                "",
                f"required member `{name}` is missing",
                hint="an empty collection is written as []; what is not known is said, not left out",
            )
    envelope = {name: value for name, value in bundle.tree.items() if name not in COLLECTIONS}
    yield from record_shape("bundle").faults(envelope)
    for name in COLLECTIONS:
        if name in bundle.tree and type(bundle.tree[name]) is not list:
            yield from _wrong_type(bundle.tree[name], "list", (name,))


def wrong_record(collection: str, position: int) -> Finding:
    """An element of a collection that is no object."""
    return AT102.at(join(collection, position), "expected an object")


def _wrong_type(value: Any, kind: str, at: Path) -> Sequence[Finding]:
    if is_marker(value) and kind != "id":
        return NOTHING
    expected = " or ".join(sorted({NAMES[t] for t in exact_types(kind) if t in NAMES}))
    got = "null" if value is None else NAMES[type(value)]
    pointer = join(*at)
    if kind == "id":
        return (AT108.at(pointer, f"identifier must be a string, got {got}"),)
    if kind == "word":
        return (AT109.at(pointer, f"enumerated state must be a string, got {got}"),)
    if kind == "time":
        return (AT110.at(pointer, f"timestamp must be an RFC 3339 string, got {got}"),)
    if kind == "right":
        return NOTHING  # AT802 says it, with what it means
    hint = "null says nothing here: leave the member out, or mark why the value is not here" if value is None else ""
    return (AT102.at(pointer, f"expected {expected}, got {got}", hint=hint),)


def _inside(value: Any, kind: str, of: str, at: Path) -> Sequence[Finding]:
    """A value of the right type: its text, its elements or its own members."""
    if kind == "id":
        return NOTHING if value else (AT108.at(join(*at), "identifier is empty"),)
    if kind == "time":
        if is_rfc3339(value):
            return NOTHING
        hint = "write it as 2026-08-21T12:00:00Z; the offset is mandatory"
        return (AT110.at(join(*at), "timestamp is not RFC 3339", hint=hint),)
    if type(value) is dict:
        return NOTHING if is_marker(value) else _object_inside(value, of, at)
    if type(value) is list:
        return _elements(value, of or "text", at)
    return NOTHING


def _object_inside(value: Json, of: str, at: Path) -> Sequence[Finding]:
    for part in of.split("|"):
        if part in OBJECTS:
            return record_shape(part).faults(value, *at)
    return NOTHING


def _elements(value: list[Any], of: str, at: Path) -> Sequence[Finding]:
    parts = of.split("|")
    kinds = "|".join("object" if part in OBJECTS else part for part in parts)
    types = exact_types(kinds)
    described = next((part for part in parts if part in OBJECTS), "")
    if not described and set(map(type, value)) <= types:
        return NOTHING
    found: list[Finding] = []
    for position, element in enumerate(value):
        if type(element) not in types:
            found.extend(_wrong_type(element, kinds, (*at, position)))
        elif described and type(element) is dict and not is_marker(element):
            found.extend(record_shape(described).faults(element, *at, position))
    return found


def _unknown_member(name: str, known: dict[str, Any], at: Path) -> Finding:
    near = any(_one_edit_apart(name, other) for other in known)
    hint = "it is one letter away from a member that the specification knows" if near else ""
    return AT116.at(
        join(*at),
        "member is not defined for this object; it is kept as it is",
        hint=hint,
        severity=Severity.WARNING if near else None,
    )


def _one_edit_apart(a: str, b: str) -> bool:
    if abs(len(a) - len(b)) > 1 or a == b:
        return False
    short, long = sorted((a, b), key=len)
    i = next((k for k, letter in enumerate(short) if letter != long[k]), len(short))
    if len(short) < len(long):
        return short[i:] == long[i + 1 :]
    swapped = short[i : i + 2] == long[i : i + 2][::-1] and short[i + 2 :] == long[i + 2 :]
    return short[i + 1 :] == long[i + 1 :] or swapped
