"""The text report: readable at 80 columns, nothing raw from a path, an account that adds up."""

from __future__ import annotations

from attraj.findings import DocumentReport, Location, Related, Rule, Severity, Stratum, Summary
from attraj.reports import Look, writer
from attraj.reports.text import account

RULE = Rule("XX001", "some-fault", Severity.ERROR, Stratum.MEANING)
FINDING = RULE.at(
    "/nodes/3/kind",
    "a fault that takes more words to say than one line of a terminal of eighty columns can hold",
    hint="do the other thing",
    related=[Related("/nodes/1", "is the first of two")],
)


def drawn(*reports: DocumentReport, look: Look | None = None, named: bool = True) -> list[str]:
    written: list[str] = []
    draw = writer("text", written.append, look or Look())
    for report in reports:
        draw.document(report, is_named=named)
    return "".join(written).splitlines()


def test_a_finding_has_its_place_code_reason_and_way_out_within_eighty_columns() -> None:
    report = DocumentReport("a.json", format="bundle", format_version="0.1", status="findings", findings=(FINDING,))
    assert drawn(report) == [
        "a.json (bundle 0.1)",
        "  -       error XX001 some-fault  /nodes/3/kind",
        "          a fault that takes more words to say than one line of a terminal of",
        "          eighty columns can hold",
        "          → do the other thing",
        "          see /nodes/1: is the first of two",
    ]


def test_a_path_cannot_speak_to_the_terminal() -> None:
    name = "evil\x1b[31m\n\u202egpj.json\udcff"
    assert drawn(DocumentReport(name)) == ["evil\\x1b[31m\\x0a\\u202egpj.json\\xff: ok"]


def test_more_findings_than_are_listed_are_counted() -> None:
    report = DocumentReport("a.json", status="findings", findings=(FINDING,) * 7)
    lines = drawn(report, look=Look(shown=2))
    assert (
        sum("XX001" in line for line in lines),
        [line for line in lines if "more" in line and "…" in line],
    ) == (2, ["  … and 5 more (--show-all lists them, --format json holds them)"])


def test_clean_documents_of_a_walk_are_silent_unless_asked_for() -> None:
    clean = DocumentReport("a.json")
    assert drawn(clean, named=False) == []
    assert drawn(clean, named=False, look=Look(verbosity=1)) == ["a.json: ok"]
    assert drawn(clean, look=Look(verbosity=-1)) == []


def test_quiet_still_says_that_a_file_is_unreadable() -> None:
    broken = DocumentReport("a.json", status="unreadable", reason="file is empty")
    assert drawn(broken, look=Look(verbosity=-1)) == ["a.json", "  unreadable: file is empty"]


def test_colour_is_used_only_when_it_may_be() -> None:
    report = DocumentReport("a.json", status="findings", findings=(FINDING,))
    assert not any("\x1b" in line for line in drawn(report))
    assert any("\x1b[31m" in line for line in drawn(report, look=Look(colour=True)))


def test_the_account_names_only_what_there_is() -> None:
    assert account(Summary()) == ["no documents"]
    assert account(Summary(1, 1)) == ["1 document: 1 clean"]
    assert account(Summary(1004, 1000, 3, 1, 0, 0, 2, 0, 1), 120) == [
        "1,004 documents: 1,000 clean, 3 with findings, 1 unreadable — 2 errors, 1 info"
    ]


def test_a_finding_of_a_folder_is_placed_in_its_file() -> None:
    inside = FINDING.moved(Location("/a\x1b.json/id", 7, 5, "a\x1b.json"))
    lines = drawn(DocumentReport("job", status="findings", findings=(inside,)))
    assert "  a\\x1b.json:7:5 error XX001 some-fault  /a\\x1b.json/id" == lines[1]
