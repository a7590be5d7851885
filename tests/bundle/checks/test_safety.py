"""AT005 to AT008 where they need the tree."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.bundle.checks import safety
from attraj.bundle.checks.raw_search import long_floats, may_hold_texts_over
from attraj.findings import Severity
from attraj.formats import Options, native
from attraj.formats.bytes_rules import byte_findings, byte_rules
from attraj.jsonio import parse
from tests.bundle.checks.reported import add, findings, full, minimal, replace, reported

CODES = ("AT005", "AT006", "AT007", "AT008")
PAYLOAD = "/nodes/1/payload"


def test_uses_the_rules_of_the_bytes() -> None:
    """One code is one rule, whether the bytes or the tree gave it away."""
    rules = byte_rules("AT")
    assert [rules[5], rules[6], rules[7], rules[8]] == [safety.AT005, safety.AT006, safety.AT007, safety.AT008]


FAULTS = [
    pytest.param(minimal(), {"max_nodes": 1}, [("AT005", "/nodes")], id="more-nodes-than-allowed"),
    pytest.param(minimal(), {"max_nodes": 2}, [], id="as-many-nodes-as-allowed"),
    pytest.param(
        minimal(replace("/nodes/1/node_id", "n" * 61)),
        {"max_id_chars": 60},
        [("AT005", "/nodes/1/node_id")],
        id="a-long-identifier",
    ),
    pytest.param(
        minimal(replace("/trajectory_id", "t" * 61)),
        {"max_id_chars": 60},
        [("AT005", "/trajectory_id")],
        id="of-the-whole",
    ),
    pytest.param(
        minimal(replace("/nodes/1/node_id", "n" * 61)),
        {"max_id_chars": 60, "max_inline_chars": 60},
        [("AT005", "/nodes/1/node_id")],
        id="a-long-identifier-is-no-long-text-besides",
    ),
    pytest.param(
        minimal(add(PAYLOAD, {"log": ["x" * 61]})),
        {"max_inline_chars": 60},
        [("AT007", PAYLOAD + "/log/0")],
        id="a-long-text",
    ),
    pytest.param(minimal(add(PAYLOAD, "x" * 60)), {"max_inline_chars": 60}, [], id="as-long-as-allowed"),
    pytest.param(
        minimal(add(PAYLOAD, "x" * 5001)),
        {"max_inline_chars": 5000},
        [("AT007", PAYLOAD)],
        id="longer-than-the-walk-keeps",
    ),
    pytest.param(minimal(replace("/trajectory_id", "a\0b")), {}, [("AT006", "/trajectory_id")], id="a-nul"),
    pytest.param(minimal(replace("/nodes/1/node_id", "a\nb")), {}, [("AT006", "/nodes/1/node_id")], id="a-line-break"),
    pytest.param(
        minimal(replace("/edges/0/edge_id", "a\u202eb")), {}, [("AT006", "/edges/0/edge_id")], id="right-to-left"
    ),
    pytest.param(
        minimal(replace("/nodes/1/node_id", "a\x9bb")), {}, [("AT006", "/nodes/1/node_id")], id="a-c1-control"
    ),
    pytest.param(
        minimal(replace("/nodes/1/node_id", "a\ud800")), {}, [("AT006", "/nodes/1/node_id")], id="half-a-character"
    ),
    pytest.param(minimal(replace("/nodes/1/node_id", "Überführung-日本-😀")), {}, [], id="letters-of-any-script"),
    pytest.param(minimal(add(PAYLOAD, "a\u202eb\0")), {}, [], id="content-may-hold-anything"),
    pytest.param(minimal(add(PAYLOAD, [2**53])), {}, [("AT008", PAYLOAD + "/0")], id="two-to-the-53"),
    pytest.param(minimal(add(PAYLOAD, -(2**53))), {}, [("AT008", PAYLOAD)], id="and-its-negative"),
    pytest.param(minimal(add(PAYLOAD, 10**40)), {}, [("AT008", PAYLOAD)], id="forty-digits"),
    pytest.param(minimal(add(PAYLOAD, 2**53 - 1)), {}, [], id="the-last-safe-integer"),
    pytest.param(minimal(add(PAYLOAD, float("inf"))), {}, [("AT008", PAYLOAD)], id="infinity"),
    pytest.param(minimal(add(PAYLOAD, 0.1 + 0.2)), {}, [], id="seventeen-digits-are-what-a-double-has"),
]


@pytest.mark.parametrize(("tree", "limits", "expected"), FAULTS)
def test_reports_each_fault_once(tree: Any, limits: dict[str, int], expected: list[tuple[str, str]]) -> None:
    assert expected == reported(tree, *CODES, limits=limits)


def test_infinity_is_an_error_and_a_long_integer_a_remark() -> None:
    found = findings(minimal(add(PAYLOAD, [float("inf"), 2**60])), "AT008")
    assert [Severity.ERROR, Severity.INFO] == [finding.severity for finding in found]


FLOATS = [
    pytest.param("3.141592653589793238462643383279", True, id="more-digits-than-a-double"),
    pytest.param("-3.141592653589793238462643383279", True, id="a-negative-one"),
    pytest.param("31415926535897932384.6", True, id="before-the-point"),
    pytest.param("3.14159265358979323846264e2", True, id="with-an-exponent"),
    pytest.param("3.5e2", False, id="an-exponent"),
    pytest.param("3.5e22", False, id="a-great-number-of-few-digits"),
    pytest.param("3.141592653589793", False, id="sixteen-digits"),
    pytest.param("0.30000000000000004", False, id="seventeen-digits"),
    pytest.param("0.000000000000000000000000000001", False, id="zeros-in-front-say-nothing"),
    pytest.param("1.000000000000000000000000000000", False, id="zeros-at-the-end-neither"),
    pytest.param('"3.141592653589793238462643383279"', False, id="a-text"),
    pytest.param('"look: 3.141592653589793238462643383279 "', False, id="inside-a-text"),
]


@pytest.mark.parametrize("spaced", [True, False], ids=["spaced", "compact"])
@pytest.mark.parametrize(("number", "expected"), FLOATS)
def test_finds_digits_that_a_double_does_not_hold(number: str, expected: bool, spaced: bool) -> None:
    tree = minimal(add(PAYLOAD, {"measured": "HERE", "half": 0.5}))
    text = json.dumps(tree, indent=1) if spaced else json.dumps(tree, separators=(",", ":"))
    raw = text.replace('"HERE"', number).encode()
    places = [("AT008", PAYLOAD + "/measured")] if expected else []
    assert places == reported(json.loads(raw), "AT008", raw=raw)


@pytest.mark.parametrize("shift", range(-12, 12))
@pytest.mark.parametrize("filler", ["x", "\\\\", '\\"', "é"], ids=["letters", "backslashes", "quotes", "two-bytes"])
def test_the_bytes_rule_out_long_texts(filler: str, shift: int) -> None:
    """Never where there is one; and mostly where there is none."""
    most = 64
    for count in (most + 1, most + 1 + shift % 5, 3 * most):
        raw = ('{"a":"%s","b":"%s","c":1}' % ("y" * (12 + shift), filler * count)).encode()
        assert may_hold_texts_over(most, raw)
    short = ('{"a":"%s"}' % '","b":"'.join(["y" * 20] * 50)).encode()
    assert not may_hold_texts_over(most, short)


def test_bytes_that_are_no_document_of_their_own_are_let_be() -> None:
    number = b"3.141592653589793238462643383279"
    assert ([], []) == (list(long_floats(b"[" + number + b"]")), list(long_floats(b"{" + number)))


def test_a_fault_of_the_bytes_is_told_once() -> None:
    raw = json.dumps(minimal(add(PAYLOAD, {"a": "HERE"}))).replace('"HERE"', "1e400").encode()
    doubled = raw.replace(b'"spec_version": "0.1"', b'"spec_version": "0.1", "spec_version": "0.1"')
    for text in (raw, doubled):  # read by the quick reader and by the exact one
        document = parse(text)
        found = [*byte_findings(document.faults, "AT"), *native.check(document, Options()).findings]
        assert 1 == sum(finding.code == "AT008" for finding in found)


def test_the_examples_hold_nothing_of_the_kind() -> None:
    assert ([], []) == (reported(minimal(), *CODES), reported(full(), *CODES))
