"""AT707, AT708: credentials and personal data in a document; the shapes themselves are tested in tests/secrets."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.bundle.checks import leaks
from attraj.bundle.model import Bundle
from attraj.secrets.quick.gate import SMALL_BYTES
from tests.bundle.checks.families import FULL, added, changed, findings, found, replaced
from tests.bundle.checks.mangled import mangled
from tests.secrets.templates import fill

SEEN = "/nodes/4/observation"
TOKEN = fill("ghp_{36}")
KEY_ID = fill("AKIA{16:BASE32}")
EMAIL = "a@" + "b.example"

BAD = [
    pytest.param(replaced(SEEN, "-----BEGIN RSA PRIVATE KEY-----"), [("AT707", SEEN)], id="private-key"),
    pytest.param(replaced(SEEN, {"out": [f"token={TOKEN}"]}), [("AT707", f"{SEEN}/out/0")], id="deep"),
    pytest.param(replaced(SEEN, {TOKEN: 1}), [("AT707", SEEN)], id="name-of-a-member"),
    pytest.param(
        added("/extensions/org.example.x", {"k": TOKEN}), [("AT707", "/extensions/org.example.x/k")], id="ext"
    ),
    pytest.param(replaced("/nodes/4/source_event_id", TOKEN), [("AT707", "/nodes/4/source_event_id")], id="an-id"),
    pytest.param(replaced(SEEN, [TOKEN, TOKEN]), [("AT707", f"{SEEN}/0"), ("AT707", f"{SEEN}/1")], id="each-place"),
    pytest.param(replaced(SEEN, f"write to {EMAIL}"), [("AT708", SEEN)], id="e-mail"),
    pytest.param(replaced(SEEN, "+1 555 010 0199"), [("AT708", SEEN)], id="telephone"),
    pytest.param(replaced(SEEN, KEY_ID), [("AT708", SEEN)], id="access-key-id-alone"),
    pytest.param(replaced(SEEN, fill("AKIA{16:BASE32} {40:BASE64}")), [("AT707", SEEN)], id="access-key-with-secret"),
    pytest.param(replaced(SEEN, f"{TOKEN} {EMAIL}"), [("AT707", SEEN), ("AT708", SEEN)], id="both"),
]


@pytest.mark.parametrize("raw", [False, True], ids=["tree-alone", "with-bytes"])
@pytest.mark.parametrize(("patch", "expected"), BAD)
def test_reports_each_place_once(patch: Any, expected: list[tuple[str, str]], raw: bool) -> None:
    assert expected == found(changed(patch), leaks, raw=raw)


@pytest.mark.parametrize("raw", [False, True], ids=["tree-alone", "with-bytes"])
def test_the_full_example_is_clean(raw: bool) -> None:
    assert [] == found(FULL, leaks, raw=raw)


def test_messages_name_the_kind_and_never_the_value() -> None:
    text = f"{TOKEN} {fill('glpat-{20}')} {TOKEN} {EMAIL}"
    reported = findings(changed(replaced(SEEN, {text: text})), leaks)
    assert [
        "the name of a member holds a GitHub token and a GitLab token",
        "text holds a GitHub token and a GitLab token",
        "the name of a member holds an e-mail address",
        "text holds an e-mail address",
    ] == [f.message for f in reported]


def test_a_large_clean_document_is_not_walked() -> None:
    tree = changed(replaced(SEEN, "the gauge is dry " * (SMALL_BYTES // 16)))
    bundle = Bundle(tree, json.dumps(tree).encode())
    assert [] == [f for check in (leaks.credential, leaks.personal_data) for f in check.run(bundle)]
    assert "walk" not in vars(bundle.index)


def test_a_large_document_with_a_secret_is_walked() -> None:
    tree = changed(replaced(SEEN, ["the gauge is dry " * (SMALL_BYTES // 16), TOKEN]))
    assert [("AT707", f"{SEEN}/1")] == found(tree, leaks, raw=True)


def test_no_type_in_any_place_breaks_a_check() -> None:
    for tree in mangled(FULL, "disclosure"):
        findings(tree, leaks)
