"""Canonical forms: equal to the `rfc8785` package on anything, to the reference's digests on the corpus."""

from __future__ import annotations

import copy
import json
import struct
from typing import Any

import pytest
import rfc8785
from hypothesis import example, given
from hypothesis import strategies as st

from attraj.bundle.canonical import (
    ATTRAJ_C14N,
    CANONICALIZATIONS,
    RFC8785,
    STRUCT_ORDER,
    canonical_bytes,
    digest,
    document_digest,
    without_seal,
)
from attraj.bundle.canonical_form import NotCanonical, ecmascript_number, serde_number

SAFE = (1 << 53) - 1
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
NUMBERS = st.integers(-SAFE, SAFE) | st.floats(allow_nan=False, allow_infinity=False)
ROWS = st.lists(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-SAFE, SAFE), min_size=16, max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS | ROWS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)

RFC_EXAMPLE = {  # RFC 8785 §3.2.2
    "numbers": [333333333.33333329, 1e30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"\u002f",
    "literals": [None, True, False],
}
KEYS_EXAMPLE = {  # RFC 8785 §3.2.3
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\U0001f600": "Emoji: Grinning Face",
    "\u0080": "Control",
    "\u00f6": "Latin Small Letter O With Diaeresis",
}


def nested(depth: int, core: Any = 1.0) -> Any:
    for level in range(depth):
        core = {"in": core} if level % 2 else [core]
    return core


@given(VALUES)
@example(RFC_EXAMPLE)
@example(KEYS_EXAMPLE)
@example({"a": [0.0, -0.0, 1e21, 1e20, 123456789012345680000.0, 1e-6, 1e-7, 5e-324, 9007199254740993.0, 1e15, 1e16]})
@example([0.5] * 15 + [-0.0])
@example([7] * 15 + [1.0])
def test_is_what_the_rfc8785_package_writes(value: Any) -> None:
    before = copy.deepcopy(value)
    assert rfc8785.dumps(value) == canonical_bytes(value, RFC8785) == canonical_bytes(value, ATTRAJ_C14N)
    assert repr(before) == repr(value)


@given(st.binary(min_size=8, max_size=8))
def test_writes_every_double_as_ecmascript_does(raw: bytes) -> None:
    number: float = struct.unpack("<d", raw)[0]
    if number - number == 0:
        assert rfc8785.dumps(number) == ecmascript_number(number).encode() == canonical_bytes(number, RFC8785)
        assert number == float(serde_number(number)) == float(json.loads(canonical_bytes([number], RFC8785))[0])


@pytest.mark.parametrize("depth", [249, 250, 251, 255, 2000])
def test_writes_values_of_any_depth(depth: int) -> None:
    opening = "".join('{"in":' if level % 2 else "[" for level in reversed(range(depth)))
    closing = "".join("}" if level % 2 else "]" for level in range(depth))
    assert f"{opening}1{closing}".encode() == canonical_bytes(nested(depth), RFC8785)


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        pytest.param({"a": [0, SAFE + 1]}, "/a/1", id="an-integer-beyond-2^53"),
        pytest.param({"a": -SAFE - 1}, "/a", id="an-integer-below-minus-2^53"),
        pytest.param([1] * 20 + [SAFE + 1], "/20", id="an-integer-beyond-2^53-in-a-long-row"),
        pytest.param({"a": float("inf")}, "/a", id="infinity"),
        pytest.param([0.5] * 20 + [float("nan")], "/20", id="not-a-number-in-a-long-row"),
        pytest.param({"a/b": {"c": "\ud800"}}, "/a~1b/c", id="half-a-surrogate-pair"),
        pytest.param({"a": [{"\udfff": 1}]}, "/a/0", id="half-a-surrogate-pair-in-a-name"),
        pytest.param({"a": [{1: 1}]}, "/a/0", id="a-member-name-that-is-a-number"),
        pytest.param({"a": {1, 2}}, "/a", id="a-value-that-is-not-json"),
        pytest.param({"a": b"x"}, "/a", id="bytes"),
        pytest.param(nested(300, SAFE + 1), "/" + "/".join(["in", "0"] * 150), id="deep-down"),
    ],
)
def test_refuses_what_has_no_form_and_says_where(value: Any, pointer: str) -> None:
    with pytest.raises(NotCanonical) as refused:
        canonical_bytes(value, RFC8785)
    assert (pointer, True) == (refused.value.pointer, isinstance(refused.value, ValueError))


def test_refuses_an_unknown_name() -> None:
    with pytest.raises(NotCanonical):
        canonical_bytes({}, "JCS-ish")


@pytest.mark.parametrize(
    ("number", "text"),
    [
        pytest.param(8794635099572340021, b"8794635099572340021", id="of-64-bits"),
        pytest.param(-(1 << 63) - 1, b"-9223372036854775809", id="just-below-64-bits"),
        pytest.param(10**40, b"1" + b"0" * 40, id="of-128-bits"),
        pytest.param(10**5000, b"1" + b"0" * 5000, id="longer-than-python-converts"),
    ],
)
def test_attraj_form_writes_integers_of_any_size(number: int, text: bytes) -> None:
    long_row = [*range(20), number]
    rows = ",".join(map(str, range(20))).encode()
    assert text == canonical_bytes(number, ATTRAJ_C14N)
    assert b"[" + rows + b"," + text + b"]" == canonical_bytes(long_row, ATTRAJ_C14N)
    assert b'{"a":[1,' + text + b"]}" == canonical_bytes({"a": [1.0, number]}, ATTRAJ_C14N)
    assert canonical_bytes(nested(300, number), ATTRAJ_C14N).count(text) == 1


def test_overflowing_sums_of_finite_numbers_are_written() -> None:
    assert rfc8785.dumps([1.7e308] * 20) == canonical_bytes([1.7e308] * 20, RFC8785)


def test_digest_names_its_algorithm() -> None:
    assert digest({}, RFC8785) == "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


SEALED = {"a": 1, "integrity": {"status": "signed", "algorithm": "sha256", "canonicalization": RFC8785}}


@pytest.mark.parametrize(
    ("changed", "is_covered"),
    [
        pytest.param({"digest": "sha256:00"}, False, id="the-digest-itself"),
        pytest.param({"signatures": [{}]}, False, id="signatures"),
        pytest.param({"status": "digest_provided"}, True, id="the-status"),
        pytest.param({"canonicalization": ATTRAJ_C14N}, True, id="the-canonicalization-stated"),
        pytest.param({"reviewed": True}, True, id="a-member-nobody-knows"),
    ],
)
def test_a_document_digest_covers_all_but_the_seal(changed: dict[str, Any], is_covered: bool) -> None:
    other = {**SEALED, "integrity": {**SEALED["integrity"], **changed}}  # type: ignore[dict-item]
    assert is_covered == (document_digest(SEALED, RFC8785) != document_digest(other, RFC8785))


def test_without_seal_changes_nothing_else() -> None:
    assert without_seal({"a": 1}) == {"a": 1}
    assert without_seal({"integrity": [1]}) == {"integrity": [1]}


def test_each_form_says_what_it_covers() -> None:
    assert {RFC8785, ATTRAJ_C14N, STRUCT_ORDER} == set(CANONICALIZATIONS)
