"""Pointers that lead through a folder into its files: what is shown of them, and which document they stand in."""

from __future__ import annotations

import pytest

from attraj.formats.folders import Entries, entries_of
from attraj.jsonio import parse

RESULT = parse(b'{"rewards": {"a-key-1": 1}}')
LINES = (parse(b'{"x": 1}'), parse(b'{"Y9": {"z": 1}}'))
ENTRIES = entries_of(
    {"result.json": RESULT, "run-1/agent/trajectory.cont-1.json": None, "lines.jsonl": LINES, "cut.json": parse(b"{")},
    ("run-1/verifier", "a~1 file"),
)


@pytest.mark.parametrize(
    ("pointer", "shown", "file"),
    [
        pytest.param("", "", "", id="the-folder"),
        pytest.param("/run-1/agent", "/run-1/agent", "", id="a-folder-by-its-name"),
        pytest.param("/a~01 file", "/a~01 file", "", id="any-name-as-it-is"),
        pytest.param(
            "/run-1/agent/trajectory.cont-1.json",
            "/run-1/agent/trajectory.cont-1.json",
            "run-1/agent/trajectory.cont-1.json",
            id="a-file-by-its-name",
        ),
        pytest.param("/result.json/rewards/a-key-1", "/result.json/rewards/{0}", "result.json", id="a-key-in-a-file"),
        pytest.param("/result.json/run-1", "/result.json/run-1", "result.json", id="a-key-that-is-an-entry's-name"),
        pytest.param("/lines.jsonl/1/Y9", "/lines.jsonl/1/{0}", "lines.jsonl", id="a-line-of-many"),
        pytest.param("/cut.json/7", "/cut.json/7", "cut.json", id="a-file-without-a-tree"),
        pytest.param("/nowhere-9/x", "/{?}/x", "", id="no-entry"),
    ],
)
def test_names_of_entries_are_shown_and_keys_are_not(pointer: str, shown: str, file: str) -> None:
    assert (shown, file) == (ENTRIES.shown(pointer), ENTRIES.inside(pointer).file)


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        pytest.param("/result.json/rewards", (RESULT, "/rewards"), id="inside-a-document"),
        pytest.param("/result.json", (RESULT, ""), id="a-document"),
        pytest.param("/lines.jsonl/1/Y9", (LINES[1], "/Y9"), id="inside-one-of-many"),
        pytest.param("/lines.jsonl/2", (None, ""), id="beyond-the-last"),
        pytest.param("/lines.jsonl", (None, ""), id="all-of-many"),
        pytest.param("/run-1/agent/trajectory.cont-1.json", (None, ""), id="a-file-that-is-not-held"),
        pytest.param("/run-1", (None, ""), id="a-folder"),
    ],
)
def test_a_pointer_leads_into_a_document(pointer: str, expected: object) -> None:
    assert expected == ENTRIES.document(pointer)


def test_no_entries_show_nothing_that_may_be_content() -> None:
    assert "/{?}/plain" == Entries().shown("/a-key-1/plain")
