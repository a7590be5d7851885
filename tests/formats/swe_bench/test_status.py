"""The word of a verdict: the harness's own, and undecided where it says neither."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.formats.swe_bench.report import report_of
from attraj.formats.swe_bench.status import of_entry, of_lists
from attraj.jsonio import parse
from attraj.jsonio.write import dumps


@pytest.mark.parametrize(
    ("entry", "word"),
    [
        pytest.param({"resolved": True}, "pass", id="resolved"),
        pytest.param({"resolved": False}, "fail", id="not-resolved"),
        pytest.param({"resolved": True, "patch_successfully_applied": False}, "pass", id="flags-decide-nothing"),
        pytest.param({"patch_is_None": True}, "indeterminate", id="no-word"),
        pytest.param({"resolved": None}, "indeterminate", id="null"),
        pytest.param({"resolved": 1}, "indeterminate", id="a-number"),
        pytest.param({"resolved": "true"}, "indeterminate", id="a-text"),
    ],
)
def test_of_an_entry(entry: Any, word: str) -> None:
    assert word == of_entry(entry).word


@pytest.mark.parametrize(
    ("tree", "word"),
    [
        pytest.param({"resolved_ids": ["a"], "completed_ids": ["a"]}, "pass", id="resolved"),
        pytest.param({"resolved": ["a"], "applied": ["a"]}, "pass", id="resolved-in-0.x"),
        pytest.param({"resolved_ids": [], "unresolved_ids": ["a"]}, "fail", id="not-resolved"),
        pytest.param({"resolved_ids": [], "completed_ids": ["a"]}, "fail", id="completed-and-not-resolved"),
        pytest.param({"resolved": ["b"], "applied": ["a", "b"]}, "fail", id="applied-and-not-resolved"),
        pytest.param(
            {"resolved_ids": [], "unresolved_ids": [], "completed_ids": ["a"]},
            "indeterminate",
            id="completed-and-in-neither-of-two-lists",
        ),
        pytest.param({"resolved_ids": [], "error_ids": ["a"], "completed_ids": ["a"]}, "error", id="an-error"),
        pytest.param({"resolved": [], "applied": ["a"], "test_timeout": ["a"]}, "error", id="tests-that-did-not-end"),
        pytest.param({"resolved_ids": ["a"], "unresolved_ids": ["a"]}, "indeterminate", id="both"),
        pytest.param({"resolved_ids": ["a"], "error_ids": ["a"]}, "indeterminate", id="resolved-with-an-error"),
        pytest.param({"resolved_ids": [], "empty_patch_ids": ["a"]}, "indeterminate", id="an-empty-patch"),
        pytest.param({"resolved_ids": [], "submitted_ids": ["a"]}, "indeterminate", id="handed-in"),
        pytest.param({"resolved": [], "no_logs": ["a"]}, "indeterminate", id="without-logs"),
        pytest.param({"resolved_ids": [], "mine": ["a"]}, "indeterminate", id="a-list-that-is-not-known"),
    ],
)
def test_of_lists(tree: Any, word: str) -> None:
    report = report_of(parse(dumps(tree)), "results.json")
    assert report is not None
    assert word == of_lists(report, (report.about("a") or {}).keys()).word
