"""JUnit XML as another project's parser reads it."""

from __future__ import annotations

from junitparser import Error, Failure, JUnitXml, Skipped

from attraj.findings import Account, DocumentReport, Location, Rule, Severity, Stratum
from attraj.reports import Look, writer

RULE = Rule("XX001", "some-fault", Severity.ERROR, Stratum.MEANING)
REMARK = Rule("XX002", "a-remark", Severity.INFO, Stratum.MEANING)


def test_a_parser_of_another_project_reads_every_kind_of_document() -> None:
    fault = RULE.at("/a<b>&c", 'a "fault"', hint="mend & go on").moved(Location("/a<b>&c", 7, 5))
    documents = [
        DocumentReport("clean.json", format="bundle"),
        DocumentReport(
            "evil\x1b<&\"'.json", format="atif", status="findings", findings=(fault, REMARK.at("", "noted"))
        ),
        DocumentReport("remarks.json", format="atif", status="findings", findings=(REMARK.at("", "noted"),)),
        DocumentReport("broken.json", status="unreadable", reason="file is empty"),
        DocumentReport("notes.txt", status="skipped", reason="not JSON"),
    ]
    pieces: list[str] = []
    draw = writer("junit", pieces.append, Look())
    account = Account()
    for document in documents:
        account.add(document)
        draw.document(document)
    draw.close(account.summary())
    [suite] = JUnitXml.fromstring("".join(pieces).encode())
    cases = list(suite)
    kinds = [[type(result) for result in case.result] for case in cases]
    assert (5, 1, 1, 1) == (suite.tests, suite.failures, suite.errors, suite.skipped)
    assert [[], [Failure], [], [Error], [Skipped]] == kinds
    assert "evil\\x1b<&\"'.json" == cases[1].name
    assert '7:5 error XX001 some-fault /a<b>&c: a "fault" (mend & go on)' == cases[1].result[0].text
    assert "info XX002 a-remark : noted" == cases[2].system_out


def test_what_fails_the_run_fails_the_case() -> None:
    remark = DocumentReport("remarks.json", status="findings", findings=(REMARK.at("", "noted"),))
    fault = DocumentReport("fault.json", status="findings", findings=(RULE.at("", "a fault"),))

    def failures(fail_on: Severity | None) -> list[int]:
        pieces: list[str] = []
        draw = writer("junit", pieces.append, Look(fail_on=fail_on))
        account = Account()
        for document in (remark, fault):
            account.add(document)
            draw.document(document)
        draw.close(account.summary())
        [suite] = JUnitXml.fromstring("".join(pieces).encode())
        return [sum(isinstance(result, Failure) for result in case.result) for case in suite]

    assert [[1, 1], [0, 1], [0, 0]] == [failures(Severity.INFO), failures(Severity.ERROR), failures(None)]
