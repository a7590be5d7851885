"""The corpus' documents and failing examples, as the checks of graph, state and effects see them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.bundle.checks import actors, causality, effects, order, state, transitions
from tests.bundle.checks.small import found
from tests.support import CORPUS, json_patch, needs_corpus

FAMILIES = (causality, order, state, transitions, actors, effects)
FOLDER = CORPUS / "bundle"


def read(path: str) -> Any:
    return json.loads((FOLDER / path).read_text(encoding="utf-8"))


def failing() -> list[Any]:
    path = FOLDER / "derived" / "failing_examples.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    cases = [json.loads(line) for line in lines]
    return [
        pytest.param(case, id=f"{case['expect']}-{case['why'].replace(' ', '-')}")
        for case in cases
        if case["expect"][:3] in ("AT3", "AT4", "AT5") and case["expect"] != "AT316"
    ]


@needs_corpus
@pytest.mark.parametrize("case", failing())
def test_every_failing_example_is_found(case: Any) -> None:
    document = json_patch(read(f"derived/{case['base']}"), case["patch"])
    assert case["expect"] in {code for code, _ in found(document, *FAMILIES)}


DOCUMENTS = [
    pytest.param("derived/native_full.json", [], id="native-full"),
    pytest.param("derived/ref_core_redacted.json", [], id="reference-core"),
    pytest.param(
        "derived/ref_training_loop.json",
        # AT406 is a remark: the reference form has no place for admission, effect, receipt or a state after.
        [*(("AT305", f"/nodes/{i}") for i in (0, 1, 3, 4)), ("AT406", "/nodes/1")],
        id="reference-training-loop",
    ),
    pytest.param(
        "morphz/examples/appendix_b_compact.json",
        [("AT305", "/nodes/0"), ("AT406", "/nodes/0"), ("AT501", "/nodes/0")],
        id="appendix-b",
    ),
]


@needs_corpus
@pytest.mark.parametrize(("path", "expected"), DOCUMENTS)
def test_a_document_gives_these_findings_and_no_others(path: str, expected: list[tuple[str, str]]) -> None:
    assert expected == found(read(path), *FAMILIES)
