"""`attraj schema`: every name has a schema, and the report's schema is the contract of DESIGN."""

from __future__ import annotations

import copy
import json
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from attraj.errors import AttrajError
from attraj.findings import DocumentReport, Related, Rule, Severity, Stratum, Summary
from attraj.verbs.schema import NAMES, schema_of

EXAMPLE: dict[str, Any] = {
    "report_version": 1,
    "tool": {"name": "attraj", "version": "0.1.0"},
    "command": "validate",
    "documents": [
        {
            "path": "job/t1/agent/trajectory.json",
            "index": 0,
            "format": "atif",
            "format_version": "ATIF-v1.7",
            "status": "findings",
            "findings": [
                {
                    "code": "ATIF013",
                    "slug": "unresolved-call",
                    "severity": "error",
                    "pointer": "/steps/3/observation/results/0/source_call_id",
                    "line": 71,
                    "column": 24,
                    "message": "the result answers no call of this step",
                    "hint": "name a call of the step",
                    "related": [],
                }
            ],
            "verdicts": {"AT-Core": "not_claimed", "harbor-0.26": "rejected", "integrity": "not_provided"},
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
}

REPORT = jsonschema.Draft202012Validator(schema_of("report"))


@pytest.mark.parametrize("name", NAMES)
def test_every_name_has_a_schema(name: str) -> None:
    described = schema_of(name)
    jsonschema.Draft202012Validator.check_schema(described)
    assert described == json.loads(json.dumps(described))
    assert described["$id"].startswith(f"urn:attraj:schema:{name}:")


def test_another_name_is_refused_with_the_names() -> None:
    with pytest.raises(AttrajError) as refusal:
        schema_of("bundel")
    assert (refusal.value.message, refusal.value.exit_code) == ("there is no schema of that name", 2)
    assert "bundle, episode, dataset, report" in refusal.value.hint


def test_the_report_of_the_design_is_accepted() -> None:
    assert list(REPORT.iter_errors(EXAMPLE)) == []


def _objects() -> list[tuple[tuple[str | int, ...], str]]:
    inner: list[tuple[tuple[str | int, ...], Any]] = [
        ((), EXAMPLE),
        (("tool",), EXAMPLE["tool"]),
        (("summary",), EXAMPLE["summary"]),
    ]
    document = EXAMPLE["documents"][0]
    inner += [(("documents", 0), document), (("documents", 0, "findings", 0), document["findings"][0])]
    return [(way, name) for way, item in inner for name in item]


@pytest.mark.parametrize(("way", "name"), _objects(), ids=lambda part: str(part))
def test_a_report_without_one_of_its_members_is_refused(way: tuple[str | int, ...], name: str) -> None:
    report: Any = copy.deepcopy(EXAMPLE)
    item = report
    for key in way:
        item = item[key]
    del item[name]
    assert not REPORT.is_valid(report)


@pytest.mark.parametrize(
    ("change", "accepted"),
    [
        pytest.param({"added_later": 1}, True, id="members-may-be-added"),
        pytest.param({"status": "skipped"}, False, id="skipped-without-a-reason"),
        pytest.param({"status": "skipped", "reason": "no known format"}, True, id="skipped-with-its-reason"),
        pytest.param({"status": "odd"}, False, id="status-outside-the-words"),
        pytest.param({"stopped_after": "shape"}, True, id="stopped-after-a-stratum"),
        pytest.param({"format": None, "format_version": None}, True, id="format-not-told"),
        pytest.param({"index": -1}, False, id="negative-index"),
        pytest.param({"verdicts": {"AT-Core": True}}, False, id="verdict-that-is-no-word"),
    ],
)
def test_a_document_of_the_report(change: dict[str, Any], accepted: bool) -> None:
    report: Any = copy.deepcopy(EXAMPLE)
    report["documents"][0] |= change
    assert accepted == REPORT.is_valid(report)


def test_what_the_writer_writes_is_accepted() -> None:
    from attraj.reports import Look
    from attraj.reports.json_v1 import JsonWriter

    rule = Rule("AT301", "cycle", Severity.ERROR, Stratum.REFERENCES, "AT-Core")
    finding = rule.at("/nodes/0", "nodes depend on themselves", related=[Related("/nodes/1", "is on the cycle")])
    written: list[str] = []
    writer = JsonWriter(written.append, Look(command="validate"))
    writer.document(DocumentReport("a.json", format="bundle", status="findings", findings=(finding,)))
    writer.document(DocumentReport("b.txt", status="skipped", reason="no known format"))
    writer.close(Summary(documents=2, with_findings=1, skipped=1, errors=1))
    assert [error.message for error in REPORT.iter_errors(json.loads("".join(written)))] == []
