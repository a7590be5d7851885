"""A baseline leaves out what was known, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from attraj.errors import AttrajError
from attraj.findings import DocumentReport, Rule, Severity, Stratum
from attraj.reports import Look, writer
from attraj.reports.baseline import read_baseline

RULE = Rule("XX001", "some-fault", Severity.ERROR, Stratum.MEANING)
OTHER = Rule("XX002", "other-fault", Severity.ERROR, Stratum.MEANING)


def saved(folder: Path, *documents: DocumentReport, key: bytes = b"") -> Path:
    pieces: list[str] = []
    draw = writer("jsonl", pieces.append, Look(key=key))
    for document in documents:
        draw.document(document)
    path = folder / "baseline.json"
    path.write_text(json.dumps({"report_version": 1, "documents": [json.loads(p) for p in pieces]}), encoding="utf-8")
    return path


def test_known_findings_go_and_new_ones_stay(tmp_path: Path) -> None:
    old = DocumentReport("a.json", status="findings", findings=(RULE.at("/nodes/1", "a fault"),))
    baseline = read_baseline(saved(tmp_path, old))
    moved = DocumentReport("a.json", status="findings", findings=(RULE.at("/nodes/2", "a fault"),))
    more = DocumentReport("a.json", status="findings", findings=(RULE.at("/nodes/2", "a fault"), OTHER.at("", "new")))
    elsewhere = DocumentReport("b.json", status="findings", findings=(RULE.at("/nodes/1", "a fault"),))
    results = [baseline.without_known(report) for report in (moved, more, elsewhere)]
    assert [("clean", []), ("findings", ["XX002"]), ("findings", ["XX001"])] == [
        (report.status, [f.code for f in report.findings]) for report in results
    ]
    assert ("1 known finding left out (baseline)",) == results[0].notes


def test_a_rejected_document_stays_rejected(tmp_path: Path) -> None:
    report = DocumentReport("a.json", status="rejected", findings=(RULE.at("/spec_version", "unknown"),))
    assert "rejected" == read_baseline(saved(tmp_path, report)).without_known(report).status


def test_another_key_knows_nothing(tmp_path: Path) -> None:
    report = DocumentReport("a.json", status="findings", findings=(RULE.at("/nodes/1", "a fault"),))
    path = saved(tmp_path, report, key=b"k" * 32)
    assert ("clean", "findings") == (
        read_baseline(path, b"k" * 32).without_known(report).status,
        read_baseline(path).without_known(report).status,
    )


@pytest.mark.parametrize("text", ["[]", "{}", '{"report_version": 1}', "{"])
def test_something_else_is_no_baseline(tmp_path: Path, text: str) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(AttrajError):
        read_baseline(path)
