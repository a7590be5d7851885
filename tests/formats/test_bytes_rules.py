"""The rules below any format: one for each kind of fault, told once."""

from __future__ import annotations

import pytest

from attraj.findings import Severity
from attraj.formats.bytes_rules import byte_findings, byte_rules, untold
from attraj.jsonio import Fault, FaultKind

CODES = [
    pytest.param("AT", ["AT001", "AT002", "AT003", "AT004", "AT005", "AT006", "AT007", "AT008"], id="bundle"),
    pytest.param(
        "ATIF",
        ["ATIF101", "ATIF102", "ATIF033", "ATIF104", "ATIF105", "ATIF106", "ATIF107", "ATIF108"],
        id="atif-keeps-its-own-rule-for-duplicates",
    ),
    pytest.param("JSON", [f"JSON00{n}" for n in range(1, 9)], id="no-known-format"),
]


@pytest.mark.parametrize(("family", "codes"), CODES)
def test_every_kind_of_fault_has_a_code(family: str, codes: list[str]) -> None:
    rules = byte_rules(family)
    assert codes == [rules[kind.value].code for kind in FaultKind]


SEVERITIES = [
    pytest.param(Fault(FaultKind.SYNTAX, "x"), Severity.ERROR, id="unreadable"),
    pytest.param(Fault(FaultKind.DUPLICATE, "x", is_fatal=False), Severity.ERROR, id="a-member-twice"),
    pytest.param(Fault(FaultKind.SURROGATE, "x", is_fatal=False), Severity.WARNING, id="half-a-character"),
    pytest.param(Fault(FaultKind.NUMBER, "x", is_fatal=False), Severity.ERROR, id="a-number-that-became-infinite"),
    pytest.param(Fault(FaultKind.LONG_STRING, "x", is_fatal=False), Severity.WARNING, id="a-long-text"),
    pytest.param(Fault(FaultKind.LONG_STRING, "x"), Severity.ERROR, id="what-is-fatal-is-an-error"),
]


@pytest.mark.parametrize(("fault", "severity"), SEVERITIES)
def test_severities(fault: Fault, severity: Severity) -> None:
    assert [severity] == [finding.severity for finding in byte_findings([fault], "AT")]


def test_a_finding_keeps_the_place_of_its_fault() -> None:
    fault = Fault(FaultKind.DUPLICATE, "message", "/a", 3, 7, "hint", is_fatal=False)
    (finding,) = byte_findings([fault], "AT")
    place = finding.location
    assert ("/a", 3, 7, "message", "hint") == (place.pointer, place.line, place.column, finding.message, finding.hint)


def test_what_the_bytes_told_is_not_told_again() -> None:
    rule = byte_rules("AT")[FaultKind.NUMBER.value]
    findings = [rule.at("/a", "x"), rule.at("/b", "x")]
    fault = Fault(FaultKind.NUMBER, "x", "/a", is_fatal=False)
    assert (findings[1:], findings) == (untold(findings, [fault], "AT"), untold(findings, [], "AT"))
