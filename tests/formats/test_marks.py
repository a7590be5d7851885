"""Which format a document is taken for, with its envelope and without; arrays that are one document or many."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from attraj.batch.discover import discover
from attraj.batch.run import run
from attraj.formats import detect, is_one
from attraj.verbs.validate import Request
from tests.support import base_document

STEP = {"iteration": 1, "type": "thought", "content": "x"}
ATIF_STEP = {"step_id": 1, "source": "agent", "message": "x"}
SAID = {"role": "user", "content": "Fix it."}
DONE = {"role": "user", "content": "<returncode>0</returncode>\n<output>\n</output>"}
INFO = {"exit_status": "Submitted", "model_stats": {}}

CASES: list[Any] = [
    pytest.param(base_document("attraj.formats.react_web", "minimal"), "react-web", id="react-web"),
    pytest.param({"steps": [STEP]}, "react-web", id="steps-alone"),
    pytest.param({"experiment": "e", "model": "m", "steps": {}}, "react-web", id="an-envelope-with-broken-steps"),
    pytest.param({"experiment": "e", "model": "m", "task": "t", "outcome": "o"}, "react-web", id="an-envelope-alone"),
    pytest.param({"steps": [STEP], "schema_version": "ATIF-v1.7"}, "atif", id="steps-that-claim-to-be-atif"),
    pytest.param({"steps": [ATIF_STEP], "agent": {}}, "atif", id="atif-without-a-version"),
    pytest.param(
        {"steps": [{**STEP, "step_id": 1}], "agent": {}, "task": "t"}, "react-web", id="typed-steps-of-an-agent"
    ),
    pytest.param({"steps": []}, None, id="no-step-and-no-envelope"),
    pytest.param({"steps": ["mix", "bake"], "title": "Bread"}, None, id="a-recipe"),
    pytest.param({"trajectory_format": "mini-swe-agent-1.1"}, "mini-swe-agent", id="the-name-alone"),
    pytest.param({"messages": [SAID], "info": INFO}, "mini-swe-agent", id="messages-and-info"),
    pytest.param({"messages": None, "info": INFO}, "mini-swe-agent", id="messages-null"),
    pytest.param({"messages": [SAID], "info": {}}, None, id="info-without-a-mark"),
    pytest.param({"messages": [SAID], "instance_id": "a", "resolved": True}, None, id="a-row-of-a-data-set"),
    pytest.param([SAID, DONE], "mini-swe-agent", id="bare-messages"),
    pytest.param([SAID, {"role": "assistant", "content": "Done."}], None, id="a-chat"),
    pytest.param([{**DONE, "role": "system"}], None, id="a-prompt-that-shows-the-form"),
    pytest.param([DONE, {"role": "narrator", "content": "x"}], None, id="another-role"),
    pytest.param([STEP], "react-web", id="bare-steps"),
    pytest.param([{"type": "action", "id": 1}], None, id="typed-and-without-iterations"),
    pytest.param([{"messages": [SAID], "info": INFO}], None, id="an-array-of-documents"),
    pytest.param([], None, id="an-empty-array"),
    pytest.param(None, None, id="null"),
]


@pytest.mark.parametrize(("tree", "expected"), CASES)
def test_what_a_document_is_taken_for(tree: Any, expected: str | None) -> None:
    known = detect(tree)
    assert expected == (known.name if known else None)
    if type(tree) is list:
        assert is_one(tree) == (expected is not None)


FILES = [
    pytest.param([STEP, STEP], [(0, "react-web", "findings")], id="bare-steps-are-one"),
    pytest.param([SAID, DONE], [(0, "mini-swe-agent", "findings")], id="bare-messages-are-one"),
    pytest.param(
        [{"messages": [SAID], "info": INFO}] * 2,
        [(0, "mini-swe-agent", "clean"), (1, "mini-swe-agent", "clean")],
        id="documents-are-many",
    ),
    pytest.param([{"a": 1}, {"a": 2}], [(0, None, "unreadable"), (1, None, "unreadable")], id="unknown-ones-as-well"),
]


@pytest.mark.parametrize(("tree", "expected"), FILES)
def test_an_array_in_a_file_is_one_document_or_many(tree: Any, expected: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "any.name"
    path.write_text(json.dumps(tree), encoding="utf-8")
    assert expected == [(r.index, r.format, r.status) for _, r in run(discover([str(path)]), Request())]
