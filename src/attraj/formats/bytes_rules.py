"""The rules below any format, once for each family: AT001 … AT008, ATIF101 …, JSON001 … for an unknown format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attraj.findings import Finding, Location, Rule, Severity, Stratum
from attraj.jsonio.document import Fault, FaultKind

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


def byte_rules(family: str) -> dict[int, Rule]:
    """FaultKind value to the rule of this family. Source: spec bundle.md §5 (AT0xx), bad-inputs.md."""
    base = _BASES[family]
    return {
        kind: Rule(
            _OWN_CODES.get((family, kind), f"{family}{base + kind:03d}"),
            slug,
            # Text with half a character cannot be written as UTF-8 at all; the Bundle's catalogue says warning.
            Severity.ERROR if kind == FaultKind.SURROGATE.value and family != "AT" else severity,
            Stratum.BYTES,
            "AT-Core" if family == "AT" else "",
        )
        for kind, (slug, severity) in _SLUGS.items()
    }


def byte_findings(faults: Iterable[Fault], family: str) -> Iterator[Finding]:
    """The faults of a document's bytes as findings of one family, already placed."""
    rules = byte_rules(family)
    for fault in faults:
        rule = rules[fault.kind.value]
        severity = Severity.ERROR if fault.is_fatal else _severity(fault, rule)
        finding = rule.at(fault.pointer, fault.message, hint=fault.hint, severity=severity)
        yield finding.moved(Location(fault.pointer, fault.line, fault.column))


def untold(findings: list[Finding], faults: Iterable[Fault], family: str) -> list[Finding]:
    """The findings without those that repeat a fault of the bytes: the same code at the same place of the tree."""
    rules = byte_rules(family)
    told = {(rules[fault.kind.value].code, fault.pointer) for fault in faults}
    return [f for f in findings if (f.code, f.location.pointer) not in told] if told else findings


def _severity(fault: Fault, rule: Rule) -> Severity:
    # A number that no double holds changes its value in most readers; one beyond 2^53 only may.
    return Severity.ERROR if fault.kind is FaultKind.NUMBER else rule.severity
