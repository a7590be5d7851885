"""The catalogue of bad inputs: every file gets its exit code and its place, and no traceback.

The generator stands beside this checkout; where it is absent, the tests of `jsonio` and of the formats hold the same
kinds of files that are written there.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from attraj.cli import run
from tests.support import SHARED

GENERATOR = SHARED / "gen" / "bad_inputs.py"

# Where the catalogue suggests one exit code and what binds says another (DESIGN.md §4, decisions 3, 7, 9).
OTHERWISE: dict[str, tuple[int, str]] = {
    "bom_utf8": (1, "a byte order mark is an error of the catalogue (AT001), and the document is read all the same"),
    "two_documents": (0, "two lines are two documents"),
    "top_array": (2, "a named file of no known format"),
    "top_null": (2, "a named file of no known format"),
    "top_string": (2, "a named file of no known format"),
    "continuation_self": (0, "A23 is asked for by sense only: a warning"),
    "continuation_traversal": (0, "A23 is asked for by sense only: a warning; the path is not opened"),
    "token_len_mismatch": (0, "A28 is asked for by sense only: a warning"),
    **dict.fromkeys(
        ("swe_state_bad_json", "swe_empty_trajectory", "swe_query_not_prefix"), (0, "a warning (TJ021, TJ015, TJ036)")
    ),
    "swe_history_only": (0, "a demonstration is what it is: a remark (TJ014)"),
    **dict.fromkeys(
        (
            "react_two_answers",
            "react_after_answer",
            "react_iteration_back",
            "react_obs_without_action",
            "react_unknown_type",
        ),
        (0, "the page renders it: a warning (RW021, RW004, RW031, RW003)"),
    ),
    "b_edge_unknown_type": (0, "an undeclared relation is a warning (AT303); `type` is no member of an edge"),
    "b_complete_but_redacted": (0, "nothing in it is redacted: a complete bundle without an end is a warning (AT906)"),
}
# A place that is not told as the catalogue says, because a free-form name is told by its position (decisions 7).
ELSEWHERE = {"unknown_field_slash": "/steps/1/{7}"}

# Places that the catalogue names for a member that the format does not have, or a fault that is not there.
NO_PLACE = frozenset({"b_edge_unknown_type", "b_complete_but_redacted"})


def cases(folder: Path) -> list[dict[str, Any]]:
    subprocess.run([sys.executable, str(GENERATOR), str(folder)], check=True, capture_output=True)
    found: list[dict[str, Any]] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.skipif(not GENERATOR.is_file(), reason="the generator of bad inputs is not beside this checkout")
def test_every_bad_input_gets_its_exit_code_and_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong: list[object] = []
    for case in cases(tmp_path):
        code = run(["validate", "--no-config", "--format", "json", str(tmp_path / case["name"])])
        out, err = capsys.readouterr()
        expected = OTHERWISE.get(case["id"], (case["exit"], ""))[0]
        found = json.loads(out)["documents"]
        pointers = [finding["pointer"] for document in found for finding in document["findings"]]
        reasons = [document["reason"] for document in found if "reason" in document]
        place = ELSEWHERE.get(case["id"], case["pointer"])
        if code != expected or err or (place and place not in pointers and case["id"] not in NO_PLACE):
            wrong.append((case["id"], expected, code, place, pointers[:5], err[:200]))
        if expected == 2 and not reasons:
            wrong.append((case["id"], "says nothing"))
    assert [] == wrong
