"""Findings while a document is looked at: faults told each at its place, and faults told once with their number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from attraj.findings import Finding, Related, Rule, Severity

NAMES: dict[type, str] = {
    dict: "an object",
    list: "an array",
    str: "a text",
    int: "a number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}
"""How a message calls the JSON type of a value."""


@dataclass(slots=True)
class _Tally:
    rule: Rule
    pointer: str
    message: str
    hint: str
    severity: Severity | None
    count: int = 1

    def finding(self) -> Finding:
        more = f" ({self.count} places; this is the first)" if self.count > 1 else ""
        return self.rule.at(self.pointer, self.message + more, hint=self.hint, severity=self.severity)


@dataclass(slots=True)
class Found:
    """The findings of one document so far."""

    _findings: list[Finding] = field(default_factory=list)
    _tallies: dict[str, _Tally] = field(default_factory=dict)

    def add(
        self,
        rule: Rule,
        at: str,
        message: str,
        hint: str = "",
        severity: Severity | None = None,
        related: Sequence[Related] = (),
    ) -> None:
        self._findings.append(rule.at(at, message, hint=hint, severity=severity, related=related))

    def tally(
        self, key: str, rule: Rule, at: str, message: str, hint: str = "", severity: Severity | None = None
    ) -> None:
        """Tell a fault once for the document, at its first place; `key` says which faults are the same one."""
        known = self._tallies.get(key)
        if known is None:
            self._tallies[key] = _Tally(rule, at, message, hint, severity)
        else:
            known.count += 1

    def all(self) -> list[Finding]:
        """Every finding, in no particular order."""
        return [*self._findings, *(tally.finding() for tally in self._tallies.values())]
