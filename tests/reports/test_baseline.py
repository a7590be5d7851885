"""A baseline leaves out what was known, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from attraj.errors import AttrajError
from attraj.findings import DocumentReport, Rule, Severity, Stratum
from attraj.reports import Look, writer
from attraj.reports.baseline import read_baseline
from attraj.reports.fingerprints import key_id

RULE = Rule("XX001", "some-fault", Severity.ERROR, Stratum.MEANING)
OTHER = Rule("XX002", "other-fault", Severity.ERROR, Stratum.MEANING)


def saved(folder: Path, *documents: DocumentReport, key: bytes = b"") -> Path:
    pieces: list[str] = []
    draw = writer("jsonl", pieces.append, Look(key=key))
    for document in documents:
        draw.document(document)
    path = folder / "baseline.json"
    tree = {"report_version": 1, "documents": [json.loads(p) for p in pieces]}
    if key:
        tree["key_id"] = key_id(key)
    path.write_text(json.dumps(tree), encoding="utf-8")
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


def test_a_baseline_of_another_key_is_refused(tmp_path: Path) -> None:
    report = DocumentReport("a.json", status="findings", findings=(RULE.at("/nodes/1", "a fault"),))
    path = saved(tmp_path, report, key=b"k" * 32)
    assert "clean" == read_baseline(path, b"k" * 32).without_known(report).status
    for key in (b"", b"j" * 32):
        with pytest.raises(AttrajError):
            read_baseline(path, key)


def test_a_path_is_the_same_however_it_is_spelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    finding = RULE.at("/nodes/1", "a fault")
    baseline = read_baseline(saved(tmp_path, DocumentReport("a.json", status="findings", findings=(finding,))))
    spelled = ("./a.json", str(tmp_path / "a.json"), f"../{tmp_path.name}/a.json")
    reports = [DocumentReport(path, status="findings", findings=(finding,)) for path in spelled]
    assert ["clean"] * 3 == [baseline.without_known(report).status for report in reports]


def test_more_places_behind_one_finding_are_news(tmp_path: Path) -> None:
    def report(places: int) -> DocumentReport:
        finding = RULE.at("/steps/0", f"a member is missing ({places} places; this is the first)")
        return DocumentReport("a.json", status="findings", findings=(finding,))

    baseline = read_baseline(saved(tmp_path, report(2)))
    assert ["clean", "findings"] == [baseline.without_known(report(n)).status for n in (2, 4)]


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        '{"report_version": 1}',
        "{",
        '{"report_version": 2, "documents": []}',
        '{"report_version": 1, "documents": [1]}',
        '{"report_version": 1, "documents": [{"findings": [{"fingerprint": 5}]}]}',
    ],
)
def test_something_else_is_no_baseline(tmp_path: Path, text: str) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(AttrajError):
        read_baseline(path)
