"""How a JSON value is written in canonical form: the order of member names, the text of numbers, what has no form.

orjson does the writing wherever it writes the same bytes; a survey of the value finds where it would not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, NamedTuple

import orjson

from attraj.errors import AttrajError
from attraj.pointer import join

SAFE_INTEGER = (1 << 53) - 1
ORJSON_DEPTH = 250  # orjson stops writing at 254 levels


class NotCanonical(AttrajError, ValueError):
    """The value has no form under this canonicalization.

    Attributes:
        pointer: The place in the value that stands against it; "" when it is the value itself or the name.
    """

    def __init__(self, message: str, pointer: str = "", *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.pointer = pointer


# --- styles ------------------------------------------------------------------------------------------------------


class Style(NamedTuple):
    """How one canonicalization sorts members and writes numbers.

    Attributes:
        is_utf16_order: Keys are compared by UTF-16 code units; otherwise by code points (which is UTF-8 order).
        least, most: Integers that orjson writes as this style does.
        integer: Text of an integer outside of them; None refuses it.
        others: Positions of the finite floats that orjson writes otherwise than this style.
        number: Text of a finite float.
    """

    is_utf16_order: bool
    least: int
    most: int
    integer: Callable[[int], str] | None
    others: Callable[[list[float]], list[int]]
    number: Callable[[float], str]


def ecmascript_number(number: float) -> str:
    """A finite double as ECMAScript's Number::toString writes it (RFC 8785 §3.2.2.3)."""
    if not number:
        return "0"
    sign, digits, point = _decimal(number)
    length = len(digits)
    if length <= point <= 21:
        return sign + digits + "0" * (point - length)
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    return f"{sign}{_scientific(digits)}e{point - 1:+d}"


def serde_number(number: float) -> str:
    """A finite double as serde_json writes it: 1000.0, 0.00001, 1e-6, 1e16 (spec: bundle.md §3.4)."""
    if not number:
        return repr(number)
    sign, digits, point = _decimal(number)
    length = len(digits)
    if length <= point <= 16:
        return f"{sign}{digits}{'0' * (point - length)}.0"
    if 0 < point <= 16:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -5 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    return f"{sign}{_scientific(digits)}e{point - 1}"


def _decimal(number: float) -> tuple[str, str, int]:
    """Sign, shortest digits d, and n such that the number is 0.d times 10^n. Not for zero."""
    sign, text = ("-", repr(number)[1:]) if number < 0 else ("", repr(number))
    mantissa, _, exponent = text.partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = whole + fraction
    significant = digits.lstrip("0")
    point = len(whole) - (len(digits) - len(significant)) + int(exponent or 0)
    return sign, significant.rstrip("0"), point


def _scientific(digits: str) -> str:
    return f"{digits[0]}.{digits[1:]}" if len(digits) > 1 else digits


def integer_text(number: int) -> str:
    """All digits of an integer, also beyond the length that Python itself converts."""
    try:
        return str(number)
    except ValueError:
        from decimal import Decimal  # rare: numbers of more than 4,300 digits

        return format(Decimal(number), "f")


# orjson writes doubles of these ranges as both styles do, but for ".0", which ECMAScript leaves out.


def _other_ecmascript(floats: list[float]) -> list[int]:
    return [
        i for i, each in enumerate(floats) if not (1e-4 <= each < 1e15 or -1e15 < each <= -1e-4) or each.is_integer()
    ]


def _other_serde(floats: list[float]) -> list[int]:
    return [i for i, each in enumerate(floats) if not (1e-4 <= each < 1e15 or -1e15 < each <= -1e-4)]


def _serde_integer(number: int) -> str:
    # serde_json reads an integer that fits neither i64 nor u64 as a double.
    try:
        return serde_number(float(number))
    except OverflowError:
        raise NotCanonical("an integer that no double holds") from None


_I64, _U64 = -(1 << 63), (1 << 64) - 1
RFC8785_STYLE = Style(True, -SAFE_INTEGER, SAFE_INTEGER, None, _other_ecmascript, ecmascript_number)
ATTRAJ_STYLE = Style(True, _I64, _U64, integer_text, _other_ecmascript, ecmascript_number)
SERDE_STYLE = Style(False, _I64, _U64, _serde_integer, _other_serde, serde_number)


# --- writing -----------------------------------------------------------------------------------------------------


def form(value: Any, style: Style) -> bytes:
    """The canonical form of a JSON value in one style. orjson does the writing wherever it writes the same."""
    found = _survey(value, style)
    try:
        if found.depth > ORJSON_DEPTH or (style.is_utf16_order and found.has_astral_names):
            return _written(value, style)
        if found.has_other_numbers:
            value = _renumbered(value, style, found.rows)
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:
        raise refusal(value, style) from None


class _Survey(NamedTuple):
    """What stands in the way of writing a value as it is.

    Attributes:
        depth: Levels of objects and arrays.
        has_other_numbers: Some number is written otherwise than orjson does.
        rows: By identity, long arrays of numbers alone: the positions of those that are written otherwise.
        has_astral_names: Some member name is sorted otherwise in UTF-16 order.
    """

    depth: int
    has_other_numbers: bool
    rows: dict[int, list[int]]
    has_astral_names: bool


_TEXT = frozenset({str})
_CONTAINERS = frozenset({dict, list})
_ALL = _CONTAINERS | {str, bool, type(None), int, float}
_INFINITY = float("inf")
LONG_ROW = 16  # arrays of numbers alone pay off from about this length (token ids, log probabilities)


def _survey(value: Any, style: Style) -> _Survey:
    """One pass over all levels; refuses what has no form at all."""
    names: set[Any] = set()
    rows: dict[int, list[int]] = {}
    depth, has_other_numbers = 0, False
    level: list[Any] = [value]
    while True:
        kinds = set(map(type, level))
        if not kinds <= _ALL:
            raise refusal(value, style)
        if float in kinds or int in kinds:
            numbers = [each for each in level if type(each) is float or type(each) is int]
            has_other_numbers = bool(_others(numbers, kinds, style, value)) or has_other_numbers
        if kinds.isdisjoint(_CONTAINERS):
            break
        depth += 1
        objects = [each for each in level if type(each) is dict]
        names.update(*objects)
        inside: Iterable[Iterable[Any]] = [each.values() for each in objects]
        if list in kinds:
            arrays = [each for each in level if type(each) is list and not _is_row(each, rows, style, value)]
            inside = chain(inside, arrays)
        level = [each for each in chain.from_iterable(inside) if type(each) is not str]
    if not set(map(type, names)) <= _TEXT:
        raise refusal(value, style)
    has_astral_names = any(max(name) > "\uffff" for name in names if not name.isascii())
    return _Survey(depth, has_other_numbers or any(rows.values()), rows, has_astral_names)


def _is_row(array: list[Any], rows: dict[int, list[int]], style: Style, value: Any) -> bool:
    """Whether this is a long array of numbers alone; notes what is to be rewritten in it."""
    if len(array) < LONG_ROW:
        return False
    kinds = set(map(type, array))
    if not kinds <= {int, float}:
        return False
    rows[id(array)] = _others(array, kinds, style, value)
    return True


def _others(numbers: list[Any], kinds: set[type], style: Style, value: Any) -> list[int]:
    """Positions of the numbers that are written otherwise than orjson does. Refuses those that have no form."""
    found: list[int] = []
    if int in kinds and not (kinds == {int} and style.least <= min(numbers) and max(numbers) <= style.most):
        found = [i for i, each in enumerate(numbers) if type(each) is int and not style.least <= each <= style.most]
        if found and style.integer is None:
            raise refusal(value, style)
    if float in kinds:
        floats = numbers if kinds == {float} else [each if type(each) is float else 0.5 for each in numbers]
        # A sum is finite unless a summand is not, or it overflows: only then is each one looked at.
        if not -_INFINITY < sum(floats) < _INFINITY and not all(-_INFINITY < each < _INFINITY for each in floats):
            raise refusal(value, style)
        found += style.others(floats)
    return found


def _renumbered(value: Any, style: Style, rows: dict[int, list[int]]) -> Any:
    """A copy in which numbers that orjson writes otherwise are replaced by their text."""
    root = [value]
    pending: list[Any] = [root]
    while pending:
        container = pending.pop()
        for key, each in list(container.items() if type(container) is dict else enumerate(container)):
            kind = type(each)
            if kind is float or kind is int:
                if _others([each], {kind}, style, value):
                    container[key] = _fragment(each, style)
            elif id(each) in rows:
                container[key] = _renumbered_row(each, rows[id(each)], style)
            elif kind is dict or kind is list:
                container[key] = inner = each.copy()
                pending.append(inner)
    return root[0]


def _renumbered_row(row: list[Any], positions: list[int], style: Style) -> list[Any]:
    if not positions:
        return row
    copy = row.copy()
    for position in positions:
        copy[position] = _fragment(copy[position], style)
    return copy


def _fragment(number: Any, style: Style) -> orjson.Fragment:
    return orjson.Fragment(_number_text(number, style))


def _number_text(number: Any, style: Style) -> str:
    if type(number) is float:
        return style.number(number)
    if style.integer is None or style.least <= number <= style.most:
        return str(number)
    return style.integer(number)


def _written(value: Any, style: Style) -> bytes:
    """The form of a value that is too deep for orjson, or whose keys it would sort otherwise."""
    out: list[bytes] = []
    pending: list[Any] = [value]  # what is still to be written, last first; bytes are written as they are
    while pending:
        each = pending.pop()
        kind = type(each)
        if kind is bytes:
            out.append(each)
        elif kind is dict:
            pending.append(b"}")
            names = sorted(each, key=_utf16) if style.is_utf16_order else sorted(each)
            for name in reversed(names):
                pending += (each[name], b":", orjson.dumps(name), b",")
            if names:
                pending.pop()
            out.append(b"{")
        elif kind is list:
            pending.append(b"]")
            for element in reversed(each):
                pending += (element, b",")
            if each:
                pending.pop()
            out.append(b"[")
        elif kind is float or kind is int:
            out.append(_number_text(each, style).encode())
        else:
            out.append(orjson.dumps(each))
    return b"".join(out)


def _utf16(name: str) -> bytes:
    return name.encode("utf-16-be", "surrogatepass")


# --- refusing ----------------------------------------------------------------------------------------------------


def refusal(value: Any, style: Style) -> NotCanonical:
    """Why the value has no form in this style, with the first place that stands against it."""
    pending: list[tuple[Any, Any]] = [(value, None)]  # value, and the way to it: (way to its container, key)
    while pending:
        each, way = pending.pop()
        message = _fault_of(each, style)
        if message:
            hint = "attraj-c14n-v1 writes integers of any size" if type(each) is int else ""
            return NotCanonical(message, _pointer(way), hint=hint)
        if type(each) is dict:
            pending += reversed([(inner, (way, name)) for name, inner in each.items()])
        elif type(each) is list:
            pending += reversed([(inner, (way, position)) for position, inner in enumerate(each)])
    return NotCanonical("the value has no canonical form")


def _fault_of(each: Any, style: Style) -> str:
    kind = type(each)
    if kind is int and style.integer is None and not style.least <= each <= style.most:
        return "an integer beyond 2^53 has no form under RFC 8785: readers disagree on its value"
    if kind is float and not -_INFINITY < each < _INFINITY:
        return "a number that is not finite has no canonical form"
    if kind is str and not _is_encodable(each):
        return "half of a surrogate pair has no canonical form"
    if kind is dict and not all(type(name) is str and _is_encodable(name) for name in each):
        return "a member name that is no text has no canonical form"
    return "" if kind in _ALL else "a value that is not JSON has no canonical form"


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _pointer(way: Any) -> str:
    tokens: list[str | int] = []
    while way is not None:
        way, key = way
        tokens.append(key)
    return join(*reversed(tokens))
