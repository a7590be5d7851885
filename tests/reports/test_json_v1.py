"""The JSON report holds what DESIGN.md promises, whatever the path."""

from __future__ import annotations

import json
from typing import Any

from attraj import __version__
from attraj.findings import Account, DocumentReport, Location, Rule, Severity, Stratum
from attraj.reports import Look, writer

RULE = Rule("XX001", "some-fault", Severity.ERROR, Stratum.MEANING)


def report(*documents: DocumentReport, form: str = "json") -> str:
    written: list[str] = []
    draw = writer(form, written.append, Look())
    account = Account()
    for document in documents:
        account.add(document)
        draw.document(document)
    draw.close(account.summary())
    return "".join(written)


FINDINGS = DocumentReport(
    "t1/agent/trajectory.json",
    format="atif",
    format_version="ATIF-v1.7",
    status="findings",
    findings=(RULE.at("/steps/3", "a fault", hint="mend it").moved(Location("/steps/3", 71, 24)),),
    verdicts={"harbor-0.26": "rejected"},
)


def without_fingerprints(tree: dict[str, Any]) -> dict[str, Any]:
    """The report with zeros for its fingerprints, which have a test of their own."""
    for document in tree["documents"]:
        for finding in document["findings"]:
            finding["fingerprint"] = "0" * len(finding["fingerprint"])
    return tree


def test_the_whole_report() -> None:
    assert {
        "report_version": 1,
        "tool": {"name": "attraj", "version": __version__},
        "command": "validate",
        "documents": [
            {
                "path": "t1/agent/trajectory.json",
                "index": 0,
                "format": "atif",
                "format_version": "ATIF-v1.7",
                "status": "findings",
                "findings": [
                    {
                        "code": "XX001",
                        "slug": "some-fault",
                        "severity": "error",
                        "pointer": "/steps/3",
                        "line": 71,
                        "column": 24,
                        "message": "a fault",
                        "hint": "mend it",
                        "related": [],
                        "fingerprint": "0" * 32,
                    }
                ],
                "verdicts": {"harbor-0.26": "rejected"},
                "stopped_after": None,
            }
        ],
        "summary": {
            "documents": 1,
            "clean": 0,
            "with_findings": 1,
            "unreadable": 0,
            "rejected": 0,
            "skipped": 0,
            "errors": 1,
            "warnings": 0,
            "infos": 0,
        },
    } == without_fingerprints(json.loads(report(FINDINGS)))


def test_a_report_without_documents_is_whole() -> None:
    assert json.loads(report())["documents"] == []


def test_a_path_that_is_no_utf8_stays_json() -> None:
    unreadable = DocumentReport("bad\udcff.json", status="unreadable", reason="file is empty")
    document = json.loads(report(unreadable))["documents"][0]
    assert (document["path"], document["reason"]) == ("bad\\xff.json", "file is empty")


def test_lines_hold_one_document_each_and_nothing_else() -> None:
    lines = report(FINDINGS, DocumentReport("b.json"), form="jsonl").splitlines()
    assert [json.loads(line)["path"] for line in lines] == ["t1/agent/trajectory.json", "b.json"]


def test_a_finding_of_a_folder_names_its_file_and_no_other_does() -> None:
    plain = RULE.at("", "a fault")
    inside = plain.moved(Location("/bad\udcff/a.json/id", 7, 5, "bad\udcff/a.json"))
    document = json.loads(report(DocumentReport("job", status="findings", findings=(inside, plain))))["documents"][0]
    assert [("bad\\xff/a.json", "/bad\\xff/a.json/id"), (None, "")] == [
        (finding.get("file"), finding["pointer"]) for finding in document["findings"]
    ]
