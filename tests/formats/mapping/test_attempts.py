"""Attempts: what their documents are called, and what each has used."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.model import Bundle
from attraj.formats.mapping.attempts import part_of, used_by
from attraj.formats.mapping.held import Ledger
from attraj.formats.mapping.turns import threads


@pytest.mark.parametrize(
    ("thread", "expected"),
    [
        pytest.param("attempt:0", "attempt-0", id="the-first-attempt"),
        pytest.param("attempt:12", "attempt-12", id="a-later-one"),
        pytest.param("attempt:x", "thread-7", id="no-number"),
        pytest.param("attempt:1/secret", "thread-7", id="more-than-a-number"),
        pytest.param("helper", "thread-7", id="another-agent"),
    ],
)
def test_a_document_is_called_in_words_of_ours(thread: str, expected: str) -> None:
    assert expected == part_of(thread, 7)


COUNTED = {"kind": "resource_observation", "payload": {"usage": {"api_calls": 3}}}


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        pytest.param({**COUNTED, "thread_id": "attempt:0"}, {"api_calls": 3}, id="a-record-of-the-attempt"),
        pytest.param(COUNTED, None, id="a-record-of-the-run"),
        pytest.param({**COUNTED, "thread_id": "attempt:0", "payload": {"usage": 3}}, None, id="no-counters"),
        pytest.param({"kind": "decision", "thread_id": "attempt:0"}, None, id="no-record"),
    ],
)
def test_an_attempt_has_used_what_a_record_of_its_own_says(node: Any, expected: Any) -> None:
    bundle = Bundle({"nodes": [{"node_id": "n", **node}]})
    (thread,) = threads(bundle, Ledger())
    used = used_by(thread)
    assert expected == (None if used is None else used.record)
