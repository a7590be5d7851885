"""Bundles that are one step from valid, each with the code that must be among those reported."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from attraj.formats import Options, native
from attraj.jsonio import Document
from tests.support import CORPUS, json_patch, needs_corpus

DERIVED = CORPUS / "bundle" / "derived"
EXAMPLES = DERIVED / "failing_examples.jsonl"


def examples() -> list[dict[str, Any]]:
    return [json.loads(line) for line in EXAMPLES.read_text("utf-8").splitlines()] if EXAMPLES.is_file() else []


@cache
def base(name: str) -> Any:
    return json.loads((DERIVED / name).read_bytes())


CASES = [
    pytest.param(example, id=f"{example['expect']}-{example['why'].replace(' ', '-')}-{number}")
    for number, example in enumerate(examples())
]


@needs_corpus
@pytest.mark.parametrize("example", CASES)
def test_the_expected_code_is_reported(example: dict[str, Any]) -> None:
    tree = json_patch(base(example["base"]), example["patch"])
    codes = {finding.code for finding in native.check(Document(b"", tree), Options()).findings}
    assert example["expect"] in codes, sorted(codes)
