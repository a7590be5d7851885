"""Workflow commands: one line each, whatever stands in a path, and a summary of the step."""

from __future__ import annotations

import pytest

from attraj.findings import Account, DocumentReport, Location, Rule, Severity, Stratum
from attraj.reports import Look, github, writer

RULE = Rule("XX001", "some-fault", Severity.ERROR, Stratum.MEANING)


def test_annotations_are_one_line_each_and_the_summary_is_a_table() -> None:
    fault = RULE.at("/nodes/3", "100% wrong").moved(Location("/nodes/3", 7, 5))
    documents = [
        DocumentReport("a,b:c\n::error::|.json", status="findings", findings=(fault,)),
        DocumentReport("empty.json", status="unreadable", reason="file is empty"),
        DocumentReport("clean.json"),
    ]
    lines: list[str] = []
    summary: list[str] = []
    draw = writer("github", lines.append, Look(write_summary=summary.append))
    account = Account()
    for document in documents:
        account.add(document)
        draw.document(document)
    draw.close(account.summary())
    said = "3 documents: 1 clean, 1 with findings, 1 unreadable — 1 error"
    assert [
        "::error file=a%2Cb%3Ac\\x0a%3A%3Aerror%3A%3A|.json,line=7,col=5,title=XX001 some-fault"
        "::100%25 wrong at /nodes/3\n",
        "::error file=empty.json,title=unreadable::file is empty\n",
        f"::notice title=attraj validate::{said}\n",
    ] == lines
    assert (
        f"### attraj validate\n\n{said}\n\n"
        "| document | status | errors | other findings |\n| --- | --- | --- | --- |\n"
        "| `a,b:c\\x0a::error::\\|.json` | findings | 1 | 0 |\n| `empty.json` | unreadable | 0 | 0 |\n"
    ) == summary[0]


def test_the_summary_keeps_within_what_github_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(github, "MAX_SUMMARY", 120)
    summary: list[str] = []
    draw = writer("github", lambda _text: None, Look(write_summary=summary.append))
    account = Account()
    for number in range(50):
        report = DocumentReport(f"{number}.json", status="findings", findings=(RULE.at("", "a fault"),))
        account.add(report)
        draw.document(report)
    draw.close(account.summary())
    assert (3, True) == (summary[0].count("| findings |"), "… and 47 more documents" in summary[0])


def test_a_finding_of_a_folder_is_annotated_at_its_file() -> None:
    lines: list[str] = []
    finding = RULE.at("/result.json/id", "a fault").moved(Location("/result.json/id", 7, 5, "result.json"))
    writer("github", lines.append, Look()).document(DocumentReport("job/", status="findings", findings=(finding,)))
    assert ["::error file=job/result.json,line=7,col=5,title=XX001 some-fault::a fault at /result.json/id\n"] == lines
