"""What pydantic's lax mode takes: compared with pydantic itself, value by value."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from attraj.formats.atif.coercion import as_float, as_integer, is_boolean

INTEGER, FLOAT, BOOLEAN = TypeAdapter(int), TypeAdapter(float), TypeAdapter(bool)
REFUSED = object()

NUMBERS = [
    *("1", " 1 ", "01", "+1", "1.0", "1.", "1_0", "1__0", "_1", "1_", "-1", "-01", "- 1", "1.50", "0x1", "1e2", ""),
    *(
        "0",
        "00",
        "-0",
        "1_000.0",
        "01_0",
        "1\n",
        "\xa01",
        "\u0661",
        ".0",
        "0.0",
        "++1",
        "+-1",
        "-_1",
        "\x1c1",
        "\u200b1",
    ),
    *("0-0", "0-5", "00_-5", "+0-5", "-0-5", "0-_5", "0-__5", "0-05", "0+5", "0__5", "-0_5", "-+05", "0-5.0", "0_"),
    *("9" * 30, "9" * 4300, "9" * 4301, "0" * 5000 + "1", "1" + "_1" * 2200),
    *("nan", "NaN", "+nan", "inf", "-Infinity", "infinit", "1.5", ".5", ".", "1e", "1e5_0", "1_e5", "1_0.5_0", "1e400"),
    *(0, 1, -1, 2**63, 2**70, 10**308, 10**400, -(10**400), True, False, None),
    *(0.0, -0.0, 1.0, 1.5, 1e18, 9.223372036854774e18, 2.0**63, -(2.0**63), 1e30, math.inf, math.nan),
]
WORDS = [
    *("yes", "YES", "Yes", "y", "on", "ON", "1", "t", "true", "tRuE", "no", "off", "0", "f", "false", "n"),
    *(" yes", "yes ", "2", "", "ok", "0.0", "1.0", "ſ", "\u212a"),
    *(0, 1, 2, -1, 10**40, 0.0, 1.0, -0.0, 0.5, math.nan, 1e300, True, False, None),
]
TEXTS = st.text(alphabet="0123456789+-_. eEnaifty\t\n\x1c\xa0\u0661", max_size=8)


def by_pydantic(adapter: TypeAdapter[Any], value: Any) -> Any:
    try:
        return adapter.validate_python(value)
    except ValidationError:
        return REFUSED


def same(expected: Any, actual: Any) -> bool:
    if expected is REFUSED or actual is None:
        return expected is REFUSED and actual is None
    return bool(expected == actual) or (expected != expected and actual != actual)


@pytest.mark.parametrize("value", NUMBERS, ids=lambda value: ascii(value)[:24])
def test_numbers(value: Any) -> None:
    assert same(by_pydantic(INTEGER, value), as_integer(value))
    assert same(by_pydantic(FLOAT, value), as_float(value))


@pytest.mark.parametrize("value", WORDS, ids=lambda value: ascii(value)[:24])
def test_booleans(value: Any) -> None:
    assert (by_pydantic(BOOLEAN, value) is not REFUSED) == is_boolean(value)


@settings(max_examples=600)
@given(st.one_of(TEXTS, st.integers(), st.floats()))
def test_any_number_or_text(value: Any) -> None:
    assert same(by_pydantic(INTEGER, value), as_integer(value))
    assert same(by_pydantic(FLOAT, value), as_float(value))
    assert (by_pydantic(BOOLEAN, value) is not REFUSED) == is_boolean(value)
