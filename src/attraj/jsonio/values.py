"""Python values to documents: the plain types that the checks expect, and the faults that a file would have.

A value as a JSON parser makes it is taken as it is. What JSON has no word for (a set, a date, a name that is no text)
is a mistake of the caller; what a file of JSON can hold by mistake (NaN, half a character) is a fault of the document.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from attraj.errors import Unreadable
from attraj.jsonio.document import MISSING, Document, Fault, FaultKind
from attraj.limits import DEFAULT_LIMITS, Limits
from attraj.pointer import document_order, join, shown

Way = tuple[Any, ...]  # (way to the container, name or position); () for the whole
Containers = list[tuple[Way, Any]]

_PLAIN = frozenset({dict, list, str, int, float, bool, type(None)})
_TEXT = frozenset({str})
_NO_NUMBERS = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
_HINT = "pass what json.loads gives"


def of_value(value: Any, limits: Limits = DEFAULT_LIMITS) -> Document:
    """The document that a Python value is, without bytes.

    Args:
        value: Tuples and subclasses of dict, list, str, int and float count as what JSON makes of them; the tree is
            then a copy, and the value itself otherwise. Never modified.
        limits: `max_depth` bounds its nesting.

    Raises:
        Unreadable: The value holds itself, or something that JSON cannot hold. The message says where.
    """
    containers = _containers(value)
    if containers is None:
        value = _copied(value)
        containers = _containers(value)
        assert containers is not None  # a copy is made of plain types
    if _depth(containers) > limits.max_depth:
        message = f"nested deeper than {limits.max_depth} levels"
        return Document(b"", MISSING, (Fault(FaultKind.LIMIT, message, hint="raise the limit with --max-depth"),))
    faults = [fault for way, each in containers for fault in _faults(way, each)]
    if len(faults) > 1:
        order = document_order(value)
        faults.sort(key=lambda fault: order(fault.pointer))
    return Document(b"", value, tuple(faults))


# --- shape -------------------------------------------------------------------------------------------------------


def _containers(value: Any) -> Containers | None:
    """Every object and array, each once, with a way to it; None when not everything is of a plain type."""
    if type(value) not in (dict, list):
        return None
    found: Containers = [((), value)]
    seen = {id(value)}
    for way, each in found:
        if type(each) is dict:
            if not _TEXT.issuperset(map(type, each)):
                return None
            inner: Iterable[Any] = each.values()
        else:
            inner = each
        if not _PLAIN.issuperset(map(type, inner)):
            return None
        for key, item in _inside(each):
            if id(item) not in seen:
                seen.add(id(item))
                found.append(((way, key), item))
    return found


def _inside(container: Any) -> list[tuple[str | int, Any]]:
    """The objects and arrays that stand in an object or array, with their names or positions."""
    items = container.items() if type(container) is dict else enumerate(container)
    return [(key, item) for key, item in items if type(item) is dict or type(item) is list]


def _depth(containers: Containers) -> int:
    """How many levels there are, the same object in several places counted at its deepest. Raises for a circle."""
    inside = {id(each): [item for _, item in _inside(each)] for _, each in containers}
    waiting = dict.fromkeys(inside, 0)  # places at which each stands and that are not counted yet
    for items in inside.values():
        for item in items:
            waiting[id(item)] += 1
    root = id(containers[0][1])
    level = {root: 1}
    ready = [root] if not waiting[root] else []
    for each in ready:
        for item in inside[each]:
            level[id(item)] = max(level.get(id(item), 0), level[each] + 1)
            waiting[id(item)] -= 1
            if not waiting[id(item)]:
                ready.append(id(item))
    if len(ready) < len(containers):
        raise Unreadable("a value that holds itself, which JSON cannot", hint=_HINT)
    return max(level.values())


# --- copying -----------------------------------------------------------------------------------------------------


def _copied(value: Any) -> Any:
    """The value in plain types; what stands in several places of it stands in several places of the copy."""
    whole = _plain(value, (), value)
    copies = {id(value): whole}
    pending: list[tuple[Way, Any, Any]] = [((), value, whole)]
    for way, original, copy in pending:
        for key, item in original.items() if type(copy) is dict else enumerate(original):
            known = copies.get(id(item))
            plain = _plain(item, (way, key), value) if known is None else known
            if known is None and type(plain) in (dict, list):
                copies[id(item)] = plain
                pending.append(((way, key), item, plain))
            if type(copy) is list:
                copy.append(plain)
            elif isinstance(key, str):
                copy[str.__str__(key)] = plain
            else:
                message = f"{_place(way, value)} has a name that is no text, which JSON cannot hold"
                raise Unreadable(message, hint="member names are of the type str")
    return whole


def _plain(item: Any, way: Way, value: Any) -> Any:
    """What JSON makes of one value: empty for an object or array, which is filled later."""
    if isinstance(item, dict):
        return {}
    if isinstance(item, (list, tuple)):
        return []
    if item is None or type(item) is bool:
        return item
    if isinstance(item, str):
        return str.__str__(item)  # what a subclass says of itself by str() is not its text
    if isinstance(item, int):
        return int.__int__(item)
    if isinstance(item, float):
        return float.__float__(item)
    raise Unreadable(f"{_place(way, value)} is of the type {type(item).__name__}, which JSON cannot hold", hint=_HINT)


def _place(way: Way, value: Any) -> str:
    return f"the value at {shown(_pointer(way), value)}" if way else "the value"


def _pointer(way: Way) -> str:
    keys: list[str | int] = []
    while way:
        way, key = way
        keys.append(key if type(key) is int else str(key))
    return join(*reversed(keys))


# --- faults ------------------------------------------------------------------------------------------------------


def _faults(way: Way, container: Any) -> Iterator[Fault]:
    """What a file of JSON can hold by mistake, among the texts and numbers of one object or array."""
    items: Iterable[tuple[str | int, Any]] = container.items() if type(container) is dict else enumerate(container)
    for key, item in items:
        if type(key) is str and _is_broken(key):
            yield _half(_pointer(way), "member name")
        if type(item) is float:
            if not math.isfinite(item):
                message, hint = f"{_NO_NUMBERS[str(item)]} is not JSON", "leave the member out, or write null"
                yield Fault(FaultKind.SYNTAX, message, _pointer((way, key)), hint=hint)
        elif type(item) is str and _is_broken(item):
            yield _half(_pointer((way, key)), "string")


def _is_broken(text: str) -> bool:
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _half(pointer: str, what: str) -> Fault:
    message, hint = f"a lone surrogate in a {what}", "the writer took bytes that are no text for text"
    return Fault(FaultKind.SURROGATE, message, pointer, hint=hint, is_fatal=False)
