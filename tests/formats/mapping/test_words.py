"""Where a node has what it says: several producers, several names."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.formats.mapping.held import Ledger, Part
from attraj.formats.mapping.words import result_at, words_at

CONTENT = ("payload", "content")


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        pytest.param({"content": "a", "text": "b", "message": "c"}, CONTENT, id="the-first-name"),
        pytest.param({"content": None, "text": "b"}, ("payload", "text"), id="null-says-nothing"),
        pytest.param({"content": "", "text": "b"}, CONTENT, id="an-empty-text-says-so"),
        pytest.param({"message": ["c"], "x": 1}, ("payload", "message"), id="parts-under-another-name"),
        pytest.param("whole", ("payload",), id="a-text-as-the-payload"),
        pytest.param({"x": 1}, CONTENT, id="nothing-of-the-kind"),
        pytest.param(["a"], CONTENT, id="no-object"),
    ],
)
def test_the_words_of_a_node(payload: Any, expected: tuple[str, ...]) -> None:
    assert expected == words_at(Part({"payload": payload}, (), Ledger()))


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        pytest.param({"observation": "a", "payload": {"text": "b"}}, ("observation",), id="its-own-member"),
        pytest.param({"observation": "", "payload": {"text": "b"}}, ("observation",), id="an-empty-result"),
        pytest.param({"payload": {"text": "b"}}, ("payload", "text"), id="a-text-of-the-reference-exporter"),
        pytest.param({"payload": {"tool": "b"}}, ("observation",), id="no-words"),
        pytest.param({}, ("observation",), id="nothing"),
    ],
)
def test_what_came_back(node: Any, expected: tuple[str, ...]) -> None:
    assert expected == result_at(Part(node, (), Ledger()))
