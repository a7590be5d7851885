"""Reports of harnesses: what is one, and what one says of an instance."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.errors import Unreadable
from attraj.formats.swe_bench.report import load_report, report_of
from attraj.jsonio import Document, parse
from attraj.jsonio.write import dumps
from attraj.limits import DEFAULT_LIMITS

ENTRY = {"patch_exists": True, "resolved": True, "tests_status": {}}


@pytest.mark.parametrize(
    ("tree", "form"),
    [
        pytest.param(ENTRY, "entry", id="flat-as-swe-smith-writes-it"),
        pytest.param({"patch_is_None": True}, "entry", id="an-entry-without-a-verdict"),
        pytest.param({"a": ENTRY}, "entries", id="nested-as-swe-bench-writes-it"),
        pytest.param({"a": ENTRY, "b": ENTRY}, "entries", id="several-instances"),
        pytest.param({"resolved_ids": [], "total_instances": 0}, "summary", id="a-summary-of-nothing"),
        pytest.param({"resolved": ["a"], "applied": ["a"]}, "summary", id="a-summary-of-0.x"),
        pytest.param({"resolved": ["a"], "patch_exists": ["a"]}, "summary", id="lists-are-no-flags"),
        pytest.param({}, None, id="nothing"),
        pytest.param({"resolved": True}, None, id="a-row-of-a-data-set"),
        pytest.param({"resolved_ids": "a"}, None, id="no-list"),
        pytest.param({"submitted_ids": ["a"]}, None, id="no-word-on-what-is-resolved"),
        pytest.param({"a": ENTRY, "b": 1}, None, id="not-all-of-it-entries"),
        pytest.param([ENTRY], None, id="an-array"),
        pytest.param({"resolved_ids": [], "rate": [{"x": 1e308 * 10}]}, None, id="a-number-beyond-every-double"),
        pytest.param("resolved", None, id="a-text"),
    ],
)
def test_tells_a_report_by_its_content(tree: Any, form: str | None) -> None:
    report = report_of(Document(b"", tree), "any.json")
    assert form == (report and report.form)


@pytest.mark.parametrize(
    ("tree", "part"),
    [
        pytest.param(ENTRY, ENTRY, id="an-entry-is-of-its-folder"),
        pytest.param({**ENTRY, "instance_id": "a"}, {**ENTRY, "instance_id": "a"}, id="an-entry-that-names-it"),
        pytest.param({**ENTRY, "instance_id": "b"}, None, id="an-entry-that-names-another"),
        pytest.param({**ENTRY, "instance_id": None}, None, id="an-entry-that-names-it-by-nothing"),
        pytest.param({"a": ENTRY, "b": {**ENTRY, "resolved": False}}, {"a": ENTRY}, id="its-own-entry-alone"),
        pytest.param({"a-1": ENTRY, "A": ENTRY}, None, id="names-that-are-like-it"),
        pytest.param(
            {"resolved_ids": ["b", "a"], "error_ids": [], "mine": ["a"], "resolved_instances": 2},
            {"resolved_ids": ["a"], "mine": ["a"]},
            id="every-list-that-holds-it",
        ),
        pytest.param({"resolved_ids": ["aa", ["a"], 1], "total": "a"}, None, id="in-none-of-the-lists"),
    ],
)
def test_gives_the_part_of_one_instance(tree: Any, part: Any) -> None:
    report = report_of(parse(dumps(tree)), "any.json")
    assert report is not None
    assert part == report.about("a")


def test_says_whether_it_names_instances() -> None:
    trees: tuple[Any, ...] = (ENTRY, {**ENTRY, "instance_id": "a"}, {"a": ENTRY}, {"resolved_ids": []})
    reports = [report_of(parse(dumps(tree)), "r") for tree in trees]
    assert [False, True, True, True] == [report.names_instances for report in reports if report is not None]


@pytest.mark.parametrize(
    "text", [pytest.param("{", id="broken"), pytest.param("{}", id="empty"), pytest.param(None, id="missing")]
)
def test_a_file_that_is_no_report_is_refused_by_its_path(tmp_path: Any, text: str | None) -> None:
    path = tmp_path / "r.json"
    if text is not None:
        path.write_text(text, "utf-8")
    with pytest.raises(Unreadable, match=r"r\.json: "):
        load_report(str(path), DEFAULT_LIMITS)
