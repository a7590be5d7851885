"""SARIF 2.1.0 for code-scanning services. Source: OASIS SARIF 2.1.0; GitHub's limit of 5,000 results a run."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import quote

from attraj import __version__
from attraj.findings import DocumentReport, Finding, Rule, Severity, Summary
from attraj.pages import Page
from attraj.reports import Look, Write, file_of
from attraj.reports.fingerprints import fingerprints
from attraj.reports.json_v1 import printable_path

MAX_RESULTS = 5_000  # more are not shown by GitHub; what is left out is said in a notification

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_Kept = tuple[int, str, Finding, str]  # when it was met, path, finding, fingerprint
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class SarifWriter:
    """Keeps the findings until the end: SARIF states the rules before them, and the worst go first where room ends."""

    def __init__(self, write: Write, look: Look) -> None:
        self._write = write
        self._look = look
        self._kept: dict[Severity, list[_Kept]] = {severity: [] for severity in Severity}
        self._met = 0
        self._rules: dict[str, Rule] = {}
        self._notifications: list[dict[str, Any]] = []

    def document(self, report: DocumentReport, *, is_named: bool = False) -> None:
        if report.status == "unreadable" and not report.findings:
            self._notifications.append(_notification("error", f"unreadable: {report.reason}", report.path))
        for finding, fingerprint in fingerprints(report, self._look.key):
            kept = self._kept[finding.severity]
            if len(kept) < MAX_RESULTS:
                kept.append((self._met, report.path, finding, fingerprint))
            self._met += 1

    def close(self, summary: Summary) -> None:
        worst_first = [kept for severity in sorted(Severity, reverse=True) for kept in self._kept[severity]]
        shown = sorted(worst_first[:MAX_RESULTS], key=lambda kept: kept[0])
        if len(shown) < self._met:
            text = f"{self._met - len(shown)} results are left out, the least severe: a run shows {MAX_RESULTS} at most"
            self._notifications.append(_notification("warning", text))
        for _, _, finding, _ in shown:
            self._rules.setdefault(finding.code, finding.rule)
        numbers = {code: number for number, code in enumerate(self._rules)}
        run = {
            "tool": {"driver": self._driver()},
            "columnKind": "unicodeCodePoints",
            "results": [_result(path, finding, mark, numbers) for _, path, finding, mark in shown],
            "invocations": [
                {"executionSuccessful": not summary.unreadable, "toolExecutionNotifications": self._notifications}
            ],
        }
        self._write(_dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n")

    def _driver(self) -> dict[str, Any]:
        pages = self._look.pages() if self._rules else {}
        return {
            "name": "attraj",
            "version": __version__,
            "semanticVersion": __version__,
            "rules": [_rule(rule, pages.get(code)) for code, rule in self._rules.items()],
        }


def _result(path: str, finding: Finding, fingerprint: str, numbers: dict[str, int]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": numbers[finding.code],
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message + (f". {finding.hint}" if finding.hint else "")},
        "locations": [_location(path, finding)],
        "partialFingerprints": {"attraj/v1": fingerprint},
    }
    if finding.related:
        result["relatedLocations"] = [
            {
                "id": number,
                "message": {"text": related.message},
                "physicalLocation": {"artifactLocation": {"uri": uri(path)}},
                "logicalLocations": [{"fullyQualifiedName": printable_path(related.pointer), "kind": "value"}],
            }
            for number, related in enumerate(finding.related)
        ]
    return result


def uri(path: str) -> str:
    """A path as a URI reference: relative ones stay relative, absolute ones get their scheme; bytes stay bytes."""
    raw = os.fsencode(path.replace(os.sep, "/"))
    quoted = quote(raw, safe="/!$&'()*+,;=~-._@")
    if quoted.startswith("/"):
        return "file://" + quoted
    return quoted.removeprefix("./") or "."


def _location(path: str, finding: Finding) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri(file_of(path, finding))}}
    at = finding.location
    if at.line is not None:
        physical["region"] = {"startLine": at.line, "startColumn": at.column or 1}
    return {
        "physicalLocation": physical,
        "logicalLocations": [{"fullyQualifiedName": printable_path(at.pointer), "kind": "value"}],
    }


def _rule(rule: Rule, page: Page | None) -> dict[str, Any]:
    described: dict[str, Any] = {
        "id": rule.code,
        "name": rule.slug,
        "shortDescription": {"text": rule.slug.replace("-", " ")},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"stratum": str(rule.stratum), "profile": rule.profile or None},
    }
    if page is not None:
        described["shortDescription"] = {"text": " ".join(page.body.split("\n\n", 1)[0].split())}
        described["fullDescription"] = {"text": page.section("What it checks")}
        described["help"] = {"text": page.section("How to fix"), "markdown": page.body}
    return described


def _notification(level: str, text: str, path: str | None = None) -> dict[str, Any]:
    notification: dict[str, Any] = {"level": level, "message": {"text": text}}
    if path is not None:
        notification["locations"] = [{"physicalLocation": {"artifactLocation": {"uri": uri(path)}}}]
    return notification


def _dumps(value: Any) -> str:
    import orjson  # only when SARIF is written

    return orjson.dumps(value).decode()
