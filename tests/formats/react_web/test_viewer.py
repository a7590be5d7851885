"""What the component makes of a document, case by case of its JavaScript."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.formats.react_web.viewer import viewer
from attraj.jsonio import Document
from tests.formats.react_web.documents import FULL, MINIMAL

BAD = {"toString": 1}  # an object of which JavaScript makes no text

CASES = [
    pytest.param(MINIMAL, "renders", id="the-smallest"),
    pytest.param(FULL, "renders", id="the-full"),
    pytest.param({}, "renders_empty", id="nothing"),
    pytest.param({"steps": []}, "renders_empty", id="no-step"),
    pytest.param({"steps": None}, "renders_empty", id="steps-null"),
    pytest.param({"steps": 0}, "renders_empty", id="steps-zero"),
    pytest.param({"steps": ""}, "renders_empty", id="steps-an-empty-text"),
    pytest.param({"steps": "thought"}, "breaks", id="steps-a-text"),
    pytest.param({"steps": {}}, "breaks", id="steps-an-object"),
    pytest.param({"steps": True}, "breaks", id="steps-true"),
    pytest.param(MINIMAL["steps"], "renders_empty", id="a-bare-list"),
    pytest.param(None, "breaks", id="null"),
    pytest.param("text", "renders_empty", id="a-text"),
    pytest.param(0, "renders_empty", id="zero"),
    pytest.param({"steps": [None]}, "breaks", id="a-null-step"),
    pytest.param({"steps": [{}, None]}, "breaks", id="one-null-step-stops-all"),
    pytest.param({"steps": [7]}, "renders", id="a-number-as-step"),
    pytest.param({"steps": ["thought"]}, "renders", id="a-text-as-step"),
    pytest.param({"steps": [{}]}, "renders", id="a-step-of-nothing"),
    pytest.param({"steps": [{"type": "toString"}], "outcome": "constructor"}, "renders", id="prototype-names"),
    pytest.param({"steps": [{"type": BAD}]}, "breaks", id="a-type-that-is-no-text"),
    pytest.param({"steps": [{"iteration": [[BAD]]}]}, "breaks", id="deep-in-an-array"),
    pytest.param({"steps": [{"content": {"a": BAD}}]}, "renders", id="deep-in-an-object"),
    pytest.param({"steps": [{"content": {"length": BAD}}]}, "breaks", id="a-length-that-is-no-number"),
    pytest.param({"steps": [{"args": BAD}]}, "renders", id="args-are-shown-as-json"),
    pytest.param({"steps": [{"tool": BAD}]}, "breaks", id="tool"),
    pytest.param({"steps": [{}], "title": BAD}, "breaks", id="title"),
    pytest.param({"steps": [{}], "title": "t", "experiment": BAD}, "renders", id="experiment-behind-a-title"),
    pytest.param({"steps": [{}], "title": "", "experiment": BAD}, "breaks", id="experiment-as-title"),
    pytest.param({"steps": [{}], "outcome": BAD}, "breaks", id="outcome"),
    pytest.param({"steps": [{}], "model": {"valueOf": 1}}, "renders", id="value-of-is-not-asked"),
]


@pytest.mark.parametrize(("tree", "expected"), CASES)
def test_viewer(tree: Any, expected: str) -> None:
    assert expected == viewer(Document(b"", tree))
