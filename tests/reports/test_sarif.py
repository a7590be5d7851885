"""SARIF 2.1.0: the models that are made from the published schema take it; limits and omissions are said."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as Published

from attraj.findings import Account, DocumentReport, Location, Related, Rule, Severity, Stratum
from attraj.pages import parse
from attraj.reports import Look, sarif, writer

RULE = Rule("XX001", "some-fault", Severity.ERROR, Stratum.MEANING, "AT-Core")
REMARK = Rule("XX002", "a-remark", Severity.INFO, Stratum.MEANING)
PAGE = parse(
    "## XX001 some-fault\n\nThe document has a fault.\n\n**What it checks.** Faults.\n\n**How to fix.** Mend it.\n"
)[0]


def written(*documents: DocumentReport) -> dict[str, Any]:
    pieces: list[str] = []
    draw = writer("sarif", pieces.append, Look(pages=lambda: {"XX001": PAGE}))
    account = Account()
    for document in documents:
        account.add(document)
        draw.document(document)
    draw.close(account.summary())
    tree: dict[str, Any] = json.loads("".join(pieces))
    return tree


def report(path: str, count: int = 1) -> DocumentReport:
    finding = RULE.at("/nodes/3", "a fault", hint="mend it", related=[Related("/nodes/1", "is the first")])
    return DocumentReport(path, status="findings", findings=(finding.moved(Location("/nodes/3", 7, 5)),) * count)


def test_the_published_schema_takes_every_kind_of_document() -> None:
    remark = DocumentReport("c.json", status="findings", findings=(REMARK.at("", "a remark"),))
    unreadable = DocumentReport("d e\udcff.json", status="unreadable", reason="file is empty")
    tree = written(DocumentReport("a.json"), report("b.json", 3), remark, unreadable)
    Published.model_validate(tree, strict=False)
    results = tree["runs"][0]["results"]
    assert [("XX001", "error"), ("XX001", "error"), ("XX001", "error"), ("XX002", "note")] == [
        (result["ruleId"], result["level"]) for result in results
    ]


def test_a_result_has_region_place_and_rule() -> None:
    run = written(report("./job/a b.json"))["runs"][0]
    result = run["results"][0]
    location = result["locations"][0]
    assert {
        "uri": "job/a%20b.json",
        "region": {"startLine": 7, "startColumn": 5},
        "pointer": "/nodes/3",
        "message": "a fault. mend it",
        "rule": ("XX001", "some-fault", "The document has a fault.", "Mend it."),
        "units": "unicodeCodePoints",
    } == {
        "uri": location["physicalLocation"]["artifactLocation"]["uri"],
        "region": location["physicalLocation"]["region"],
        "pointer": location["logicalLocations"][0]["fullyQualifiedName"],
        "message": result["message"]["text"],
        "rule": (
            run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"],
            run["tool"]["driver"]["rules"][0]["name"],
            run["tool"]["driver"]["rules"][0]["shortDescription"]["text"],
            run["tool"]["driver"]["rules"][0]["help"]["text"],
        ),
        "units": run["columnKind"],
    }


def test_fingerprints_do_not_move_with_the_position_and_tell_equal_places_apart() -> None:
    first = written(report("a.json", 2))["runs"][0]["results"]
    moved = DocumentReport("a.json", status="findings", findings=(RULE.at("/nodes/9", "a fault"),))
    prints = [result["partialFingerprints"]["attraj/v1"] for result in first]
    again = written(moved)["runs"][0]["results"][0]["partialFingerprints"]["attraj/v1"]
    assert (2, prints[0]) == (len(set(prints)), again)


def test_beyond_what_a_service_shows_the_least_severe_are_left_out_and_it_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sarif, "MAX_RESULTS", 3)
    remarks = DocumentReport("a.json", status="findings", findings=(REMARK.at("", "a remark"),) * 5)
    run = written(remarks, report("b.json", 2))["runs"][0]
    notes = [n["message"]["text"] for n in run["invocations"][0]["toolExecutionNotifications"]]
    assert ["4 results are left out, the least severe: a run shows 3 at most"] == notes
    assert ["note", "error", "error"] == [result["level"] for result in run["results"]]


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        pytest.param("./job/a b.json", "job/a%20b.json", id="relative"),
        pytest.param("x:y?#%20.json", "x%3Ay%3F%23%2520.json", id="what would be a scheme, a query, a fragment"),
        pytest.param("back\\slash.json", "back%5Cslash.json", id="a backslash that is part of a name"),
        pytest.param("q\udcff.json", "q%FF.json", id="a byte that is no text"),
        pytest.param("/tmp/a.json", "file:///tmp/a.json", id="absolute"),
    ],
)
def test_a_path_is_a_uri(path: str, uri: str) -> None:
    assert uri == sarif.uri(path)


def test_a_finding_of_a_folder_stands_in_its_file() -> None:
    place = Location("/a b.json/id", 7, 5, "a b.json")
    finding = RULE.at("", "a fault", related=[Related("/bad\udcff", "too")]).moved(place)
    run = written(DocumentReport("./job", status="findings", findings=(finding,)))["runs"][0]
    (location,) = run["results"][0]["locations"]
    assert {"artifactLocation": {"uri": "job/a%20b.json"}, "region": {"startLine": 7, "startColumn": 5}} == location[
        "physicalLocation"
    ]
