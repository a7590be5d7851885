"""AT101, AT102, AT108, AT109, AT110, AT116: members and their types, from the one table of `bundle.shape`.

Only the records that a quick look suspects (`attraj.bundle.columns`) are read member by member; the findings come from
that reading alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from attraj.bundle.checks.check import NOTHING, Json, error, info
from attraj.bundle.columns import NEEDED, described, element_kind, element_types
from attraj.bundle.instants import is_rfc3339
from attraj.bundle.markers import is_marker
from attraj.bundle.model import Bundle
from attraj.bundle.shape import COLLECTIONS, OBJECTS, exact_types
from attraj.bundle.vocabulary import STATEMENTS
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

# Of these the envelope's checks speak: a version that is missing or no string is AT103, whatever the reason.
NOT_HERE = frozenset({"spec_version"})

WITHHELD_RECORD = "keep the record with its identity and links, and mark the members that are withheld"


class RecordShape:
    """The types of one kind of object, read member by member."""

    __slots__ = ("_kind", "members", "needed")

    def __init__(self, kind: str) -> None:
        # name -> (exact types, kind, what it holds)
        self.members = {
            name: (exact_types(member.kind), member.kind, member.of) for name, member in OBJECTS[kind].items()
        }
        self.needed = NEEDED.get(kind, ())
        self._kind = kind

    def faults(self, record: Json, *at: str | int) -> Sequence[Finding]:
        """What is wrong with the members of a record. `at` leads to it from the root."""
        members = self.members
        if is_marker(record):
            return (AT102.at(join(*at), "a marker stands for a whole record", hint=WITHHELD_RECORD),)
        found = [_missing(name, members[name][1], at) for name in self.needed if name not in record]
        for name, value in record.items():
            row = members.get(name)
            if row is None:
                found.append(_unknown_member((*at, name), is_near=_near(self._kind).has(name)))
            elif type(value) not in row[0]:
                found.extend(_wrong_type(value, row[1], (*at, name)))
            else:
                found.extend(_inside(value, row[1], row[2], (*at, name)))
        return found


@cache
def record_shape(kind: str) -> RecordShape:
    """The compiled shape of one kind of object ("node", "rights" …)."""
    return RecordShape(kind)


@cache
def _near(kind: str) -> Near:
    return Near(OBJECTS[kind])


def top_level_shape(bundle: Bundle) -> Iterator[Finding]:
    """Required top-level members (AT101), types of the envelope and of everything that is no record."""
    for name, member in OBJECTS["bundle"].items():
        if member.required and name not in bundle.tree and name not in NOT_HERE:
            yield AT101.at(
                "",
                f"required member `{name}` is missing",
                hint="an empty collection is written as []; what is not known is said, not left out",
            )
    apart = NOT_HERE.union(COLLECTIONS)
    envelope = {name: value for name, value in bundle.tree.items() if name not in apart}
    yield from record_shape("bundle").faults(envelope)
    for name in COLLECTIONS:
        if name in bundle.tree and type(bundle.tree[name]) is not list:
            value = bundle.tree[name]
            yield AT102.at(join(name), f"expected array, got {_name_of(value)}", hint=_null_hint(value))


def wrong_record(collection: str, position: int) -> Finding:
    """An element of a collection that is no object."""
    return AT102.at(join(collection, position), "expected an object")


# --- the exact way -----------------------------------------------------------------------------------------------


def _name_of(value: Any) -> str:
    return "null" if value is None else NAMES[type(value)]


def _null_hint(value: Any) -> str:
    if value is not None:
        return ""
    return "null says nothing here: leave the member out, or mark why the value is not here"


def _missing(name: str, kind: str, at: Path) -> Finding:
    if kind == "id":
        return AT108.at(join(*at), f"identifier `{name}` is missing")
    return AT101.at(join(*at), f"required member `{name}` is missing")


def _wrong_type(value: Any, kind: str, at: Path) -> Sequence[Finding]:
    if (is_marker(value) and kind != "id") or _is_said_elsewhere(value, kind, at):
        return NOTHING
    got, pointer, hint = _name_of(value), join(*at), _null_hint(value)
    if kind == "id":
        return (AT108.at(pointer, f"identifier must be a string, got {got}"),)
    if kind == "word":
        return (AT109.at(pointer, f"enumerated state must be a string, got {got}", hint=hint),)
    if kind == "time":
        return (AT110.at(pointer, f"timestamp must be an RFC 3339 string, got {got}", hint=hint),)
    expected = " or ".join(sorted({NAMES[t] for t in exact_types(kind) if t in NAMES}))
    return (AT102.at(pointer, f"expected {expected}, got {got}", hint=hint),)


def _is_said_elsewhere(value: Any, kind: str, at: Path) -> bool:
    """Whether another check says what this value of the wrong type means, so that one fault gives one finding.

    A right is AT802; an empty filler in a binding AT122; `terminal` of an outcome AT601.
    """
    if kind == "right":
        return at[0] == "rights"
    if at[0] == "bindings" and (value is None or value == []):
        is_binding = len(at) == 2 or (len(at) == 3 and type(at[2]) is int)
        return is_binding and at[1] not in STATEMENTS
    return len(at) == 3 and at[0] == "outcomes" and at[2] == "terminal"


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
    if type(value) is list and (of or kind == "texts"):
        return _elements(value, of or "text", at)
    return NOTHING


def _object_inside(value: Json, of: str, at: Path) -> Sequence[Finding]:
    kind = described(of)
    return record_shape(kind).faults(value, *at) if kind else NOTHING


def _elements(value: list[Any], of: str, at: Path) -> Sequence[Finding]:
    types, kind = element_types(of), described(of)
    found: list[Finding] = []
    for position, element in enumerate(value):
        if type(element) not in types:
            found.extend(_wrong_type(element, element_kind(of), (*at, position)))
        elif kind and type(element) is dict and not is_marker(element):
            found.extend(record_shape(kind).faults(element, *at, position))
    return found


def _unknown_member(at: Path, *, is_near: bool) -> Finding:
    return AT116.at(
        join(*at),
        "member is not defined for this object; it is kept as it is",
        hint="it is one letter away from a member that the specification knows" if is_near else "",
        severity=Severity.WARNING if is_near else None,
    )


class Near:
    """Tells names that are one edit (a letter more, less, other, or two swapped) away from a known one."""

    __slots__ = ("_by_shortened", "_known")

    def __init__(self, known: Iterable[str]) -> None:
        self._known = tuple(known)
        # Names one edit apart share a shortened form: the long list is only walked when there is one.
        self._by_shortened = {short for name in self._known for short in _shortened(name)}

    def has(self, name: str) -> bool:
        if len(name) > 40 or self._by_shortened.isdisjoint(_shortened(name)):
            return False
        return any(one_edit_apart(name, other) for other in self._known)


def _shortened(name: str) -> Iterator[str]:
    yield name
    for i in range(len(name)):
        yield name[:i] + name[i + 1 :]


def one_edit_apart(a: str, b: str) -> bool:
    """Whether one letter inserted, left out, changed, or two neighbours swapped, make one word into the other."""
    if abs(len(a) - len(b)) > 1 or a == b:
        return False
    short, long = sorted((a, b), key=len)
    i = next((k for k, letter in enumerate(short) if letter != long[k]), len(short))
    if len(short) < len(long):
        return short[i:] == long[i + 1 :]
    swapped = short[i : i + 2] == long[i : i + 2][::-1] and short[i + 2 :] == long[i + 2 :]
    return short[i + 1 :] == long[i + 1 :] or swapped
