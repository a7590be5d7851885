"""Redaction as one call: what it takes, what it gives, and that its proof is that of the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import attraj
from attraj.redaction import library
from attraj.redaction.library import Unproven
from attraj.redaction.source import read_source
from attraj.verbs import redact as verb
from attraj.verbs.scan import FORMS
from tests.redaction.made_up import GITHUB
from tests.support import base_document

BUNDLE = base_document("attraj.bundle.checks", "full")
CLEAN = {"a": "use <API_TOKEN_1> now"}


def test_it_takes_values_bytes_and_paths(tmp_path: Path) -> None:
    value = {"a": f"use {GITHUB} now"}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(value), "utf-8")
    taken = [attraj.redact(value), attraj.redact(path), attraj.redact(str(path)), attraj.redact(path.read_bytes())]
    assert [CLEAN] * 4 == [made.tree for made in taken]
    assert {"a": f"use {GITHUB} now"} == value
    assert {"API_TOKEN": 1} == taken[0].counts["by_type"]


def test_a_text_has_no_tree(tmp_path: Path) -> None:
    made = attraj.redact(f"log {GITHUB}\n".encode())
    assert (b"log <API_TOKEN_1>\n", None) == (made.raw, made.tree)


def test_the_copy_has_to_be_as_valid_as_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verb, "new_errors", lambda name, before, after: ["AT101"])
    with pytest.raises(Unproven, match="validator"):
        attraj.redact({"a": GITHUB})
    assert CLEAN == library.redact({"a": f"use {GITHUB} now"}).tree  # it brings no validator of its own


@pytest.mark.parametrize(
    ("others", "are_parts"),
    [
        pytest.param([], [True], id="a-bundle"),
        pytest.param([None], [True, False], id="a-bundle-and-null"),
        pytest.param([{"a": 1}, 7], [True, False, False], id="a-bundle-and-what-is-none"),
    ],
)
def test_an_array_with_a_bundle_in_it_is_many_documents(others: list[Any], are_parts: list[bool]) -> None:
    raw = json.dumps([BUNDLE, *others]).encode()
    assert are_parts == [part.is_bundle for part in read_source("x.json", raw, forms=FORMS).parts]


def test_the_books_of_a_bundle_among_others_are_kept() -> None:
    bundle = json.loads(json.dumps(BUNDLE))
    bundle["nodes"][0]["producer"] = f"keeper {GITHUB}"
    made = attraj.redact([bundle, None])
    assert None is made.tree[1]
    assert bundle["transform"] != made.tree[0]["transform"]
    assert GITHUB.encode() not in made.raw
