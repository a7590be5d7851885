"""Findings that are known already: an earlier JSON report of attraj, whose fingerprints are left out of a new one."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from attraj.errors import AttrajError
from attraj.findings import DocumentReport
from attraj.jsonio import documents, read_bytes
from attraj.reports.fingerprints import fingerprints, key_id
from attraj.reports.json_v1 import REPORT_VERSION


class Baseline:
    """The fingerprints of an earlier report.

    Args:
        known: Fingerprints.
        key: The key they were made with; b"" for none.
    """

    def __init__(self, known: frozenset[str], key: bytes = b"") -> None:
        self._known = known
        self._key = key
        self.left_out = 0

    def without_known(self, report: DocumentReport) -> DocumentReport:
        """The report without the findings that the baseline holds. A rejected or unreadable document stays so."""
        if not report.findings:
            return report
        new = tuple(finding for finding, mark in fingerprints(report, self._key) if mark not in self._known)
        known = len(report.findings) - len(new)
        if not known:
            return report
        self.left_out += known
        note = f"{known} known {'finding' if known == 1 else 'findings'} left out (baseline)"
        status = "clean" if report.status == "findings" and not new else report.status
        return replace(report, findings=new, status=status, notes=(*report.notes, note))


def read_baseline(path: str | os.PathLike[str], key: bytes = b"") -> Baseline:
    """The baseline in a file. Raises AttrajError when it is no JSON report of attraj, or was made with another key."""
    found = list(documents(read_bytes(path)))
    tree: Any = found[0].tree if len(found) == 1 else None
    if type(tree) is not dict or type(tree.get("documents")) is not list:
        raise AttrajError("the baseline is not a JSON report of attraj", hint="attraj validate … --format json > FILE")
    if tree.get("report_version") != REPORT_VERSION:
        raise AttrajError("the baseline is a report of another version", hint="make it anew with this attraj")
    if tree.get("key_id") != key_id(key):
        raise AttrajError(
            "the baseline was made with another key, or with none", hint="--key-file names the key it was made with"
        )
    marks = frozenset(_mark(finding) for document in tree["documents"] for finding in _findings(document))
    return Baseline(marks, key)


def _findings(document: Any) -> list[Any]:
    findings = document.get("findings") if type(document) is dict else None
    if type(findings) is not list:
        raise AttrajError("the baseline holds a document without findings", hint="make it anew")
    return findings


def _mark(finding: Any) -> str:
    mark = finding.get("fingerprint") if type(finding) is dict else None
    if type(mark) is not str:
        raise AttrajError("the baseline holds a finding without a fingerprint", hint="make it anew")
    return mark
