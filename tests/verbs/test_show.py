"""What is shown of a document, and what is not."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.errors import AttrajError, Refused, Unreadable
from attraj.jsonio import parse
from attraj.jsonio.document import Document
from attraj.verbs.show import chosen, show
from tests.support import base_document, json_patch

MINIMAL: dict[str, Any] = base_document("attraj.bundle.checks", "minimal")
BROKEN = json_patch(MINIMAL, [{"op": "add", "path": "/nodes/0/kind", "value": 3}])


def test_findings_stand_at_their_steps() -> None:
    reading = show(Document(b"", BROKEN))
    assert reading.report is not None
    at_steps = {step.number: [f.code for f in reading.findings_at(step)] for step in reading.story.steps}
    inside = [f.code for f in reading.report.findings if f.location.pointer.startswith("/nodes/0")]
    assert inside == at_steps[1]
    assert inside


@pytest.mark.parametrize(
    ("document", "error"),
    [
        pytest.param(parse(b"{"), Unreadable, id="broken"),
        pytest.param(parse(b'{"hello": 1}'), Unreadable, id="no-known-format"),
        pytest.param(Document(b"", {**MINIMAL, "spec_version": "9"}), Refused, id="rejected-by-the-specification"),
        pytest.param(Document(b"", {"episode_version": "0.1", "transitions": []}), Unreadable, id="a-format-of-no-run"),
    ],
)
def test_what_cannot_be_told(document: Document, error: type[AttrajError]) -> None:
    with pytest.raises(error):
        show(document)


def test_a_document_with_nan_is_told_as_far_as_there_is_a_tree() -> None:
    raw = b'{"schema_version": "ATIF-v1.7", "agent": {}, "steps": [{"step_id": NaN, "source": "user", "message": "x"}]}'
    assert ["x"] == [step.passages[0].text for step in show(parse(raw)).story.steps]


def test_showing_changes_nothing() -> None:
    before = json_patch(BROKEN, [])
    list(show(Document(b"", BROKEN)).story.steps)
    assert before == BROKEN


def test_reading_stops_after_the_last_step_that_is_asked_for() -> None:
    steps = iter(show(Document(b"", MINIMAL)).story.steps)
    assert [1] == [step.number for step in chosen(steps, 1, 1)]
