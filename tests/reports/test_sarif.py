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


def test_results_beyond_what_a_service_shows_are_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MAX_RESULTS", 3)
    run = written(report("a.json", 5))["runs"][0]
    notes = [n["message"]["text"] for n in run["invocations"][0]["toolExecutionNotifications"]]
    assert (3, ["2 results are left out: a run shows 3 at most"]) == (len(run["results"]), notes)
