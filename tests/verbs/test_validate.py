"""One document to one report: order, places, status, what is shown of pointers, what options change."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from attraj import validate
from attraj.errors import Unreadable
from attraj.findings import Location, Severity, Stratum
from attraj.formats import Options
from attraj.jsonio import Document, parse
from attraj.verbs.validate import Request
from tests.support import base_document, json_patch

MINIMAL: dict[str, Any] = base_document("attraj.bundle.checks", "minimal")


def document(*operations: dict[str, Any], indent: int | None = 2) -> Document:
    return parse(json.dumps(json_patch(MINIMAL, list(operations)), indent=indent).encode())


def replaced(path: str, value: object) -> dict[str, Any]:
    return {"op": "replace", "path": path, "value": value}


def codes(request: Request, *operations: dict[str, Any]) -> list[str]:
    return [finding.code for finding in validate(document(*operations), request).findings]


def test_findings_stand_in_document_order_with_line_and_column() -> None:
    broken = document(replaced("/nodes/1/node_id", 5), replaced("/scope", []), replaced("/nodes/0/kind", None))
    found = [f for f in validate(broken).findings if f.rule.stratum is Stratum.SHAPE]
    text = broken.raw.decode().splitlines()
    assert [
        ("AT102", "/scope", text.index('  "scope": [],') + 1, 12),
        ("AT109", "/nodes/0/kind", text.index('      "kind": null,') + 1, 15),
        ("AT108", "/nodes/1/node_id", text.index('      "node_id": 5,') + 1, 18),
    ] == [(f.code, f.location.pointer, f.location.line, f.location.column) for f in found]


def test_only_as_many_findings_are_located_as_are_asked_for() -> None:
    broken = document(replaced("/nodes/1/node_id", 5), replaced("/scope", []))
    lines = [f.location.line is not None for f in validate(broken, Request(located=1)).findings]
    assert (lines[0], lines[-1]) == (True, False)


def test_a_key_that_may_be_content_is_shown_by_its_position() -> None:
    token = "".join(["gh", "p_", "a1B2" * 9])
    broken = document({"op": "add", "path": "/extensions", "value": {"first": {}, token: {}}})
    pointers = [f.location.pointer for f in validate(broken).findings if f.location.pointer.startswith("/extensions")]
    assert "/extensions/{1}" in pointers
    assert not any(token in pointer for pointer in pointers)


def test_validate_changes_nothing() -> None:
    broken = document(replaced("/nodes/1/node_id", 5), replaced("/rights", None))
    before = copy.deepcopy(broken.tree)
    validate(broken)
    assert before == broken.tree


def test_a_rejected_document_says_so_whatever_is_ignored() -> None:
    report = validate(document(replaced("/spec_version", "9.9")), Request(drop=frozenset({"AT104"})))
    assert (report.status, any(f.code == "AT104" for f in report.findings)) == ("rejected", False)


def test_ignored_codes_leave_the_list_and_the_status_but_not_the_verdict() -> None:
    edges = replaced("/edges/0/to", "node:nowhere")
    everything = validate(document(edges))
    dropped = validate(document(edges), Request(drop=frozenset(f.code for f in everything.findings)))
    assert (
        everything.status,
        dropped.status,
        everything.verdicts["AT-Core"],
        dropped.verdicts["AT-Core"],
    ) == ("findings", "clean", "fails", "fails")


def test_a_level_stops_the_later_strata_and_leaves_the_profiles_undecided() -> None:
    report = validate(document(), Request(options=Options(level=Stratum.REFERENCES)))
    assert all(f.rule.stratum <= Stratum.REFERENCES for f in report.findings)
    assert report.verdicts["AT-Core"] == "undecided"


def test_a_profile_can_be_asked_for_without_being_claimed() -> None:
    asked = Request(options=Options(profiles=frozenset({"AT-Evaluation"})))
    report = validate(document(), asked)
    assert (report.verdicts["AT-Evaluation"], "AT911" in codes(asked)) == ("fails", True)


@pytest.mark.parametrize(
    ("raw", "status", "format_name", "family"),
    [
        pytest.param(b'{"spec_version": "0.1", "nodes": [', "unreadable", "bundle", "AT", id="cut-bundle"),
        pytest.param(b'{"schema_version": "ATIF-v1.7", "steps": [', "unreadable", "atif", "ATIF", id="cut-atif"),
        pytest.param(b'{"hello": ', "unreadable", None, "JSON", id="cut-anything"),
        pytest.param(b'{"hello": 1}', "unreadable", None, "", id="no-known-format"),
        pytest.param(b"[1, 2]", "unreadable", None, "", id="no-object"),
    ],
)
def test_what_cannot_be_read_says_why(raw: bytes, status: str, format_name: str | None, family: str) -> None:
    report = validate(parse(raw))
    families = {f.code.rstrip("0123456789") for f in report.findings}
    assert (status, format_name, {family} - {""}, True) == (report.status, report.format, families, bool(report.reason))


def test_a_format_can_be_insisted_on() -> None:
    report = validate(parse(b"[1, 2]"), Request(format="bundle"))
    assert ([f.code for f in report.findings], report.status) == (["AT004"], "findings")


def test_an_unknown_format_name_is_an_error_of_the_caller() -> None:
    with pytest.raises(Unreadable):
        validate(parse(b"{}"), Request(format="nonsense"))


def test_a_file_and_its_tree_give_the_same_findings(tmp_path: Path) -> None:
    tree = json_patch(MINIMAL, [replaced("/edges/0/to", "node:nowhere")])
    path = tmp_path / "bundle.json"
    path.write_text(json.dumps(tree), encoding="utf-8")
    of_file = [(f.code, f.location.pointer) for f in validate(path).findings]
    of_tree = [(f.code, f.location) for f in validate(tree).findings]
    assert of_tree == [(code, Location(pointer)) for code, pointer in of_file]


def test_a_truncated_document_keeps_nothing_of_its_text() -> None:
    token = "".join(["s3", "cr", "3t"])
    report = validate(parse(('{"spec_version": "' + token).encode()))
    assert token not in repr(report)
    assert Severity.ERROR is report.worst()
