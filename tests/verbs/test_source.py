"""What the library takes for one document, and how it says that something is none."""

from __future__ import annotations

import json
from collections import OrderedDict
from pathlib import Path
from typing import Any

import pytest

import attraj
from attraj import AttrajError, Document, DocumentReport, load, validate, validate_paths
from attraj.verbs.stats import stats
from tests.support import REPOSITORY, base_document

BUNDLE: dict[str, Any] = base_document("attraj.bundle.checks", "minimal")
ATIF = {
    "schema_version": "ATIF-v1.7",
    "session_id": "s",
    "agent": {"name": "a", "version": "1"},
    "steps": [{"step_id": 1, "source": "user", "message": "hello"}],
}
SEVERAL = "attraj.validate_paths takes files of several documents, and folders"


def test_subclasses_and_tuples_are_checked_like_what_json_makes_of_them() -> None:
    odd = OrderedDict(BUNDLE)
    odd["nodes"] = tuple(OrderedDict(node) for node in BUNDLE["nodes"])
    assert validate(BUNDLE) == validate(odd)
    assert stats(BUNDLE) == stats(odd)


def test_a_list_is_a_document_of_a_format_that_has_bare_lists() -> None:
    steps = [{"type": "thought", "iteration": 1, "content": "x"}, {"type": "answer", "iteration": 1, "content": "x"}]
    assert "react-web" == validate(steps).format


def test_not_a_number_is_the_fault_that_it_is_in_a_file(tmp_path: Path) -> None:
    step = {**ATIF["steps"][0], "extra": {"k": float("nan")}}  # type: ignore[index]
    tree = {**ATIF, "steps": [step]}
    path = tmp_path / "atif.json"
    path.write_text(json.dumps(tree))
    of_file, of_value = validate(path), validate(tree)
    assert ["ATIF102"] == [finding.code for finding in of_value.findings]
    assert [(f.code, f.location.pointer, f.message) for f in of_file.findings] == [
        (f.code, f.location.pointer, f.message) for f in of_value.findings
    ]
    assert "unreadable" == of_file.status == of_value.status


def said(source: Any) -> tuple[str, str]:
    with pytest.raises(AttrajError) as caught:
        validate(source)
    return str(caught.value), caught.value.hint


def test_what_is_no_document_is_refused_in_one_line(tmp_path: Path) -> None:
    several = tmp_path / "several.jsonl"
    several.write_text(f"{json.dumps(ATIF)}\n{json.dumps(ATIF)}\n")
    parsed = "give a path, what json.loads gives, or what attraj.jsonio.parse makes of bytes"
    assert (f"{tmp_path}: a folder, not a file", SEVERAL) == said(tmp_path)
    assert (f"{tmp_path}/none: no such file", "check the name") == said(str(tmp_path / "none"))
    assert (f"{several}: expected one document, found 2", SEVERAL) == said(several)
    assert ("expected one document, found a list of 2", "validate one after another") == said([ATIF, ATIF])
    assert ("a value of the type NoneType is no document", parsed) == said(None)
    assert ("a value of the type bytes is no document", parsed) == said(b"{}")
    text = ' {"spec_version": "secret"}'
    assert ("this is JSON text and no path", "give what json.loads makes of it") == said(text)
    assert "the value at /extra is of the type set, which JSON cannot hold" == said({**ATIF, "extra": {1}})[0]


def test_a_loaded_document_knows_its_path(tmp_path: Path) -> None:
    path = tmp_path / "atif.json"
    path.write_text(json.dumps([{"role": "user", "content": "<returncode>0</returncode>"}]))
    document = load(path)
    assert isinstance(document, Document)
    assert (str(path), "mini-swe-agent") == (document.path, validate(document).format)


def test_folders_and_batches_are_validated_by_one_call(tmp_path: Path) -> None:
    array = tmp_path / "array.json"
    array.write_text(json.dumps([ATIF, None, BUNDLE]))
    job = REPOSITORY / "examples" / "harbor-job"
    report = validate_paths([array, job, tmp_path / "none"])
    of_array = [(d.index, d.format, d.status, d.reason) for d in report.documents if d.path == str(array)]
    odd = "an element of an array of documents is not an object"
    assert [(0, "atif", "clean", None), (1, None, "unreadable", odd), (2, "bundle", "findings", None)] == of_array
    assert all(isinstance(document, DocumentReport) for document in report.documents)
    assert {"harbor", "atif", None} <= {document.format for document in report.documents}
    assert (str(tmp_path / "none"), "unreadable") == (report.documents[-1].path, report.documents[-1].status)
    assert (2, "validate") == (report.exit_code(), report.command)


@pytest.mark.parametrize(
    ("text", "statuses"),
    [
        pytest.param(json.dumps([ATIF, None]), ["clean", "unreadable"], id="an element that is no object"),
        pytest.param(json.dumps([ATIF, ATIF])[:-120], ["clean", "unreadable"], id="cut"),
        pytest.param(json.dumps([{"a": 1}, None]), ["skipped"], id="no document at all"),
        pytest.param('[{"a": 1}, {"a": NaN}, {"a": 2}]', ["skipped"] * 3, id="objects of no known format"),
    ],
)
def test_what_is_lost_of_an_array_of_documents_is_not_skipped_by_a_walk(
    tmp_path: Path, text: str, statuses: list[str]
) -> None:
    (tmp_path / "array.json").write_text(text)
    assert statuses == [document.status for document in validate_paths([tmp_path]).documents]


def test_every_public_name_is_there() -> None:
    assert all(getattr(attraj, name) is not None for name in attraj.__all__)
    assert sorted(attraj.__all__) == dir(attraj)
