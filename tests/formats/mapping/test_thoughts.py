"""A Bundle without the agent's reasoning (spec: bundle.md §6.1)."""

from __future__ import annotations

import copy
import json
from typing import Any

from attraj.findings import Severity
from attraj.formats.mapping.thoughts import without_thoughts
from attraj.jsonio import Document
from attraj.verbs.against import against
from attraj.verbs.convert import Request, convert
from attraj.verbs.validate import validate

SECRETIVE = "paperclips first"
TRAJECTORY = {
    "schema_version": "ATIF-v1.7",
    "agent": {"name": "paperclip", "version": "1"},
    "steps": [
        {"step_id": 1, "source": "user", "message": "Sort them."},
        {"step_id": 2, "source": "agent", "message": "Done.", "reasoning_content": SECRETIVE},
        {"step_id": 3, "source": "agent", "message": "Again.", "extra": {"raw": {"thinking_blocks": [SECRETIVE]}}},
    ],
}


def bundle(given: dict[str, Any]) -> dict[str, Any]:
    raw = json.dumps(given).encode()
    made = convert(Document(raw, given), "sorting", Request("bundle"))
    tree: dict[str, Any] = json.loads(made.outputs[0].text)
    return tree


def test_no_piece_of_reasoning_stays_and_each_is_a_loss() -> None:
    tree, losses = without_thoughts(bundle(TRAJECTORY), is_given=False)
    assert SECRETIVE not in json.dumps(tree)
    assert [(loss.code, loss.handling) for loss in losses] == [("stripped-thoughts", "dropped")] * 2
    assert tree["disclosure"]["private_reasoning"] == "omitted"
    assert [one["status"] for one in tree["disclosure"]["redactions"]] == ["omitted", "omitted"]


def test_the_copy_of_a_bundle_is_another_bundle_and_says_of_which() -> None:
    before = bundle(TRAJECTORY)
    after, _ = without_thoughts(before, is_given=True)
    assert after["trajectory_id"].startswith(f"{before['trajectory_id']}+selection_of:")
    assert after["transform"]["derived_from"][0]["trajectory_id"] == before["trajectory_id"]
    assert [f.code for f in validate(after).findings if f.severity is Severity.ERROR] == []
    worse = against(load_of(after), load_of(before)).findings
    assert [f.code for f in worse if f.severity is Severity.ERROR] == []


def test_what_is_given_is_not_changed_and_what_holds_none_comes_back_as_it_is() -> None:
    before = bundle(TRAJECTORY)
    kept = copy.deepcopy(before)
    after, _ = without_thoughts(before, is_given=True)
    assert kept == before
    assert without_thoughts(after, is_given=True) == (after, [])


def load_of(tree: dict[str, Any]) -> Document:
    return Document(json.dumps(tree).encode(), tree)


def test_a_conversion_leaves_reasoning_out_where_it_is_asked_to() -> None:
    raw = json.dumps(TRAJECTORY).encode()
    for target in ("bundle", "atif", "react-web", "swe-agent", "mini-swe-agent"):
        made = convert(Document(raw, TRAJECTORY), "sorting", Request(target, strips_thoughts=True))
        assert made.status == "converted", target
        text = b"".join(output.text for output in made.outputs)
        assert json.dumps("reasoning_content").encode() + b': "' + SECRETIVE.encode() not in text, target
        assert "stripped-thoughts" in {loss.code for loss in made.losses}, target
