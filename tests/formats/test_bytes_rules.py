"""The rules below any format: one for each kind of fault, told once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from attraj.findings import Severity
from attraj.formats.bytes_rules import byte_findings, byte_rules, untold
from attraj.jsonio import Fault, FaultKind, parse
from attraj.pointer import join
from attraj.verbs.validate import validate
from tests.support import base_document, json_patch

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


ROOMS = [
    pytest.param(family, package, name, id=package.rpartition(".")[2])
    for family, package, name in (
        ("AT", "attraj.bundle.checks", "full"),
        ("ATIF", "attraj.formats.atif", "full"),
        ("TJ", "attraj.formats.swe_agent", "minimal"),
        ("MJ", "attraj.formats.mini_swe_agent", "minimal"),
        ("RW", "attraj.formats.react_web", "minimal"),
    )
]


def numbers_in(value: Any, at: str = "") -> Iterator[str]:
    if type(value) in (dict, list):
        for name, inner in value.items() if type(value) is dict else enumerate(value):
            yield from numbers_in(inner, at + join(name))
    elif type(value) in (int, float):
        yield at


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize(("family", "package", "name"), ROOMS)
def test_what_is_no_number_is_one_fault(family: str, package: str, name: str, word: str) -> None:
    tree = base_document(package, name)
    places = list(numbers_in(tree))
    assert places
    code = byte_rules(family)[FaultKind.SYNTAX.value].code
    for place in places:
        patch = [{"op": "replace", "path": place, "value": "a place for a word"}]
        raw = json.dumps(json_patch(tree, patch)).replace('"a place for a word"', word).encode()
        there = [f.code for f in validate(parse(raw)).findings if f.location.pointer == place]
        assert [code] == there, place


def test_the_name_of_what_is_no_number_may_be_at_fault_besides() -> None:
    raw = b'{"trajectory": [], "history": [], "info": {"exit_status": null, "odd": NaN}, "environment": "e"}'
    there = [f.code for f in validate(parse(raw)).findings if f.location.pointer == "/info/odd"]
    assert ["TJ001", "TJ011"] == there


def test_what_the_bytes_told_is_not_told_again() -> None:
    rule = byte_rules("AT")[FaultKind.NUMBER.value]
    findings = [rule.at("/a", "x"), rule.at("/b", "x")]
    fault = Fault(FaultKind.NUMBER, "x", "/a", is_fatal=False)
    assert (findings[1:], findings) == (untold(findings, [fault], "AT"), untold(findings, [], "AT"))
