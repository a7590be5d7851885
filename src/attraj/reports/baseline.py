"""Findings that are known already: an earlier JSON report of attraj, whose fingerprints are left out of a new one."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from attraj.errors import AttrajError
from attraj.findings import DocumentReport
from attraj.jsonio import MISSING, load
from attraj.reports.fingerprints import fingerprints


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
    """The baseline in a file. Raises AttrajError when it is not a JSON report of attraj."""
    tree: Any = load(path).tree
    documents = tree.get("documents") if tree is not MISSING and type(tree) is dict else None
    if type(documents) is not list or type(tree.get("report_version")) is not int:
        raise AttrajError("the baseline is not a JSON report of attraj", hint="attraj validate … --format json > FILE")
    marks = [
        finding.get("fingerprint")
        for document in documents
        if type(document) is dict and type(document.get("findings")) is list
        for finding in document["findings"]
        if type(finding) is dict
    ]
    return Baseline(frozenset(mark for mark in marks if type(mark) is str), key)
