"""The two-document cases of the corpus give the code that they are there for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.bundle.checks.pairs import check_pair
from attraj.bundle.checks.pairs.relation import RELATIONS
from attraj.bundle.model import Bundle
from tests.support import CORPUS, json_patch, needs_corpus

FOLDER = CORPUS / "bundle" / "derived"


def _rows() -> list[Any]:
    path = FOLDER / "failing_pairs.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()] if path.is_file() else []
    return [pytest.param(row, id=f"{row['expect']}-{row['why']}".replace(" ", "-")) for row in rows]


@needs_corpus
@pytest.mark.parametrize("row", _rows())
def test_gives_the_expected_code(row: dict[str, Any]) -> None:
    base = json.loads((FOLDER / row["a"].split()[0]).read_text())
    old, new = json_patch(base, row.get("a_patch", [])), json_patch(base, row["patch"])
    assert row["expect"] in [f.code for f in check_pair(Bundle(new), Bundle(old), row["mode"])]


@needs_corpus
@pytest.mark.parametrize("relation", RELATIONS)
def test_a_document_has_nothing_against_itself(relation: str) -> None:
    tree = json.loads((FOLDER / "native_full.json").read_text())
    codes = {f.code for f in check_pair(Bundle(tree), Bundle(tree), relation)}
    assert codes <= {"AT927"}  # it names a source, and that is another document
