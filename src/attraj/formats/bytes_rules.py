"""The rules below any format, once for each family: AT001 … AT008, ATIF101 …, TJ001 …, JSON001 … for an unknown one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from attraj.findings import Finding, Location, Rule, Severity, Stratum
from attraj.jsonio.document import Fault, FaultKind
from attraj.pointer import resolve

_SLUGS: dict[int, tuple[str, Severity]] = {
    FaultKind.ENCODING.value: ("not-utf8", Severity.ERROR),
    FaultKind.SYNTAX.value: ("not-json", Severity.ERROR),
    FaultKind.DUPLICATE.value: ("duplicate-member", Severity.ERROR),
    FaultKind.TOP_LEVEL.value: ("not-an-object", Severity.ERROR),
    FaultKind.LIMIT.value: ("limit-exceeded", Severity.ERROR),
    FaultKind.SURROGATE.value: ("broken-text", Severity.WARNING),
    FaultKind.LONG_STRING.value: ("long-inline-string", Severity.WARNING),
    FaultKind.NUMBER.value: ("unsafe-number", Severity.INFO),
}

# First code of each family; the seven others follow. ATIF's rule A33 is the duplicate member.
_BASES = {"AT": 0, "JSON": 0, "ATIF": 100}
_OWN_CODES = {("ATIF", FaultKind.DUPLICATE.value): "ATIF033"}

# Families whose catalogue numbers the faults of the bytes in its own way: kind to code and slug. A
# `.traj` has no artifacts, so that no string in it is too long.
_OWN_RULES: dict[str, dict[int, tuple[str, str]]] = {
    "TJ": {
        FaultKind.ENCODING.value: ("TJ001", "not-json"),
        FaultKind.SYNTAX.value: ("TJ001", "not-json"),
        FaultKind.LIMIT.value: ("TJ001", "not-json"),
        FaultKind.DUPLICATE.value: ("TJ005", "duplicate-member"),
        FaultKind.SURROGATE.value: ("TJ006", "broken-text"),
        FaultKind.TOP_LEVEL.value: ("TJ007", "not-an-object"),
        FaultKind.NUMBER.value: ("TJ008", "unsafe-number"),
    },
    "MJ": {
        FaultKind.ENCODING.value: ("MJ001", "not-json"),
        FaultKind.SYNTAX.value: ("MJ001", "not-json"),
        FaultKind.LIMIT.value: ("MJ001", "not-json"),
        FaultKind.DUPLICATE.value: ("MJ005", "duplicate-member"),
        FaultKind.SURROGATE.value: ("MJ006", "broken-text"),
        FaultKind.TOP_LEVEL.value: ("MJ007", "not-an-object"),
        FaultKind.NUMBER.value: ("MJ008", "unsafe-number"),
    },
    # RW001 is "not JSON, or the top level is not an object" (react-web.md §4).
    "RW": {
        FaultKind.ENCODING.value: ("RW001", "not-a-json-object"),
        FaultKind.SYNTAX.value: ("RW001", "not-a-json-object"),
        FaultKind.TOP_LEVEL.value: ("RW001", "not-a-json-object"),
        FaultKind.DUPLICATE.value: ("RW103", "duplicate-member"),
        FaultKind.LIMIT.value: ("RW105", "limit-exceeded"),
        FaultKind.SURROGATE.value: ("RW106", "broken-text"),
        FaultKind.NUMBER.value: ("RW108", "unsafe-number"),
    },
}
# A byte order mark, in the families that have a code for it; elsewhere it is a fault of the encoding.
_MARKS = {
    "TJ": Rule("TJ002", "byte-order-mark", Severity.INFO, Stratum.BYTES),
    "MJ": Rule("MJ002", "byte-order-mark", Severity.WARNING, Stratum.BYTES),  # Python's json refuses it
    "RW": Rule("RW101", "byte-order-mark", Severity.INFO, Stratum.BYTES),  # browsers read over it
}


@cache
def byte_rules(family: str) -> dict[int, Rule]:
    """FaultKind value to the rule of this family. Source: spec bundle.md §5 (AT0xx), bad-inputs.md."""
    if family in _OWN_RULES:
        own = _OWN_RULES[family].items()
        return {kind: Rule(code, slug, _severity_in(family, kind), Stratum.BYTES) for kind, (code, slug) in own}
    base = _BASES[family]
    return {
        kind: Rule(
            _OWN_CODES.get((family, kind), f"{family}{base + kind:03d}"),
            slug,
            _severity_in(family, kind),
            Stratum.BYTES,
            "AT-Core" if family == "AT" else "",
        )
        for kind, (slug, _) in _SLUGS.items()
    }


def family_rules(family: str) -> tuple[Rule, ...]:
    """Every rule of the bytes that one family has, by code."""
    found = {rule.code: rule for rule in byte_rules(family).values()}
    if family in _MARKS:
        found[_MARKS[family].code] = _MARKS[family]
    return tuple(found[code] for code in sorted(found))


def _severity_in(family: str, kind: int) -> Severity:
    # Text with half a character cannot be written as UTF-8 at all; the Bundle's catalogue says warning.
    return Severity.ERROR if kind == FaultKind.SURROGATE.value and family != "AT" else _SLUGS[kind][1]


def byte_findings(faults: Iterable[Fault], family: str) -> Iterator[Finding]:
    """The faults of a document's bytes as findings of one family, already placed."""
    rules = byte_rules(family)
    for fault in faults:
        is_mark = fault.kind is FaultKind.ENCODING and not fault.is_fatal
        rule = _MARKS.get(family, rules[fault.kind.value]) if is_mark else rules[fault.kind.value]
        severity = Severity.ERROR if fault.is_fatal else _severity(fault, rule)
        finding = rule.at(fault.pointer, fault.message, hint=fault.hint, severity=severity)
        yield finding.moved(Location(fault.pointer, fault.line, fault.column))


def untold(findings: Sequence[Finding], faults: Sequence[Fault], family: str, tree: Any = None) -> list[Finding]:
    """The findings without those that repeat a fault of the bytes.

    That is the same code at the same place; a number beyond the doubles where NaN or Infinity is told; and whatever
    is said of such a value, which is no JSON at all: its type, its range. Its name may be at fault besides.

    Args:
        tree: By which the places of NaN and Infinity are found.
    """
    if not faults:
        return list(findings)
    rules = byte_rules(family)
    numbers = rules[FaultKind.NUMBER.value].code
    told = {(rules[fault.kind.value].code, fault.pointer) for fault in faults}
    told |= {(numbers, fault.pointer) for fault in faults if fault.kind in (FaultKind.SYNTAX, FaultKind.LIMIT)}
    words = {fault.pointer for fault in faults if fault.kind is FaultKind.SYNTAX and _is_word(tree, fault.pointer)}
    return [
        f
        for f in findings
        if (f.code, f.location.pointer) not in told and (f.location.pointer not in words or f.slug.endswith("-member"))
    ]


def _is_word(tree: Any, pointer: str) -> bool:
    """Whether the value at this place is NaN or an infinity."""
    try:
        value = resolve(tree, pointer)
    except LookupError:
        return False
    return type(value) is float and value - value != 0


def _severity(fault: Fault, rule: Rule) -> Severity:
    # A number that no double holds changes its value in most readers; one beyond 2^53 only may.
    return Severity.ERROR if fault.kind is FaultKind.NUMBER else rule.severity
