"""The proofs find what they are there for."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import pytest

from attraj.redaction.policy import DEFAULT
from attraj.redaction.prove import Claim, difference, differs, is_rewritten, prove
from attraj.redaction.search import Search, Value
from attraj.redaction.source import read_source
from attraj.verbs.scan import FORMS
from tests.redaction.made_up import GITHUB, PASSWORD, TOOLS, source

VALUE = Value(GITHUB, "API_TOKEN", 4)


def proven(before: Any, after: bytes, values: list[Value], name: str = "trajectory.json") -> list[str]:
    claim = Claim([source(before, name)], [(name, after)], values, DEFAULT)
    return sorted({f.proof for f in prove(claim, TOOLS.residual, forms=FORMS).failures})


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        pytest.param(f"x{GITHUB}y", True, id="glued"),
        pytest.param(json.dumps(json.dumps(f'"{GITHUB}"')), True, id="json-twice"),
        pytest.param("".join(f"%{b:02x}" for b in GITHUB.encode()), True, id="percent-lower-case"),
        pytest.param(base64.b64encode(b"a" + GITHUB.encode()).decode(), True, id="base64-shifted-by-one"),
        pytest.param(base64.b64encode(b"ab" + GITHUB.encode() + b"c").decode(), True, id="base64-shifted-by-two"),
        pytest.param(base64.urlsafe_b64encode(b"abc" + GITHUB.encode()).decode(), True, id="base64-url-safe"),
        pytest.param(GITHUB.encode().hex().upper(), True, id="hex-upper-case"),
        pytest.param(GITHUB[10:22], True, id="twelve-characters"),
        pytest.param(GITHUB[10:21], False, id="eleven-characters"),
        pytest.param("\x1b[1m".join(GITHUB[4:]), True, id="colours-between-characters"),
        pytest.param('" + "'.join((GITHUB[:15], GITHUB[15:])), True, id="concatenated"),
        pytest.param("\\\n".join((GITHUB[:9], GITHUB[9:20], GITHUB[20:])), True, id="wrapped"),
        pytest.param("gh" + "p_", False, id="the-public-anchor"),
        pytest.param("nothing of the kind", False, id="another-text"),
    ],
)
def test_a_value_is_found_in_any_disguise(text: str, is_found: bool) -> None:
    assert is_found is Search([VALUE]).is_in(text)


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        pytest.param("the secret hunter22 is out", True, id="by-itself"),
        pytest.param("hunter2277", False, id="inside-a-longer-word"),
        pytest.param(quote("a=hunter22&b"), True, id="in-a-query"),
    ],
)
def test_a_short_value_is_found_where_it_stands_alone(text: str, is_found: bool) -> None:
    assert is_found is Search([Value("hunter22", "PASSWORD")]).is_in(text)


@pytest.mark.parametrize(
    ("old", "new", "is_fine"),
    [
        pytest.param("a SECRET b", "a <SECRET_1> b", True, id="one-stretch"),
        pytest.param("aSEC\nRETb", "a<SECRET_1>\nb", True, id="a-split-value"),
        pytest.param("a SECRET b", "a <SECRET_1> c", False, id="the-end-changed"),
        pytest.param("a SECRET b", "A <SECRET_1> b", False, id="the-beginning-changed"),
        pytest.param("a b", "a c", False, id="no-placeholder"),
    ],
)
def test_what_a_redaction_may_do_to_a_text(old: str, new: str, is_fine: bool) -> None:
    assert is_fine is is_rewritten(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param('{"a": 1.50}', '{"a": 1.5}', id="a-number-is-spelled-otherwise"),
        pytest.param('{"a": 1}', '{"a":1}', id="white-space"),
        pytest.param('{"a": 1, "b": 2}', '{"b": 2, "a": 1}', id="order"),
        pytest.param('{"a": "x"}', '{"a": ""}', id="emptied"),
        pytest.param('{"a": "x"}', '{"a": null}', id="null"),
        pytest.param('{"a": "x", "b": 1}', '{"b": 1}', id="a-member-is-gone"),
    ],
)
def test_any_other_change_of_bytes_fails(old: str, new: str) -> None:
    assert differs(old, new)


@pytest.mark.parametrize(
    ("old", "new", "at"),
    [
        pytest.param({"nodes": [1, 2]}, {"nodes": [1]}, "/nodes", id="a-record-is-gone"),
        pytest.param({"a": {"b": False}}, {"a": {"b": 0}}, "/a/b", id="false-is-not-zero"),
        pytest.param({"a": "x"}, {"a": {"$at": {"status": "unknown"}}}, "/a", id="marked-as-unknown"),
        pytest.param({"a": "x"}, {"a": {"$at": {"status": "redacted"}}}, None, id="marked-as-redacted"),
        pytest.param(
            {"a": [{"x_id": "one"}, {"x_id": "one"}]},
            {"a": [{"x_id": "<USER_1>"}, {"x_id": "<USER_2>"}]},
            "/a/0/x_id",
            id="one-id-with-two-new-names",
        ),
    ],
)
def test_the_skeleton_of_a_bundle(old: Any, new: Any, at: str | None) -> None:
    assert at == difference(old, new, is_bundle=True)


def test_each_proof_sees_its_own_fault() -> None:
    before = {"a": GITHUB, "b": f"again {GITHUB}", "n": 1}
    good = json.dumps({"a": "<API_TOKEN_1>", "b": "again <API_TOKEN_1>", "n": 1}, indent=1).encode()
    assert [] == proven(before, good, [VALUE])
    half = json.dumps({"a": "<API_TOKEN_1>", "b": f"again {GITHUB}", "n": 1}, indent=1).encode()
    assert ["residual", "values"] == proven(before, half, [VALUE])
    part = json.dumps({"a": "<API_TOKEN_1>", "b": f"again {GITHUB[5:25]}", "n": 1}, indent=1).encode()
    assert "values" in proven(before, part, [VALUE])
    assert ["structure"] == proven(before, good.replace(b'"n": 1', b'"n": 2'), [VALUE])
    assert ["parse"] == proven(before, good[:-1], [VALUE])


def test_the_validator_is_asked() -> None:
    before = source({"schema_version": "ATIF-v1.7", "x": GITHUB})
    after = before.raw.replace(GITHUB.encode(), b"<API_TOKEN_1>")
    claim = Claim([before], [("trajectory.json", after)], [VALUE], DEFAULT)
    failures = prove(claim, TOOLS.residual, validator=lambda *_: ["ATIF013"]).failures
    assert [("validator", "a new finding: ATIF013")] == [(f.proof, f.detail) for f in failures]


def test_what_the_policy_keeps_is_nothing_left() -> None:
    policy = replace(DEFAULT, keep=frozenset({"nadia@" + "tidehouse-works.io"}))
    raw = b'{"a": "nadia@' + b'tidehouse-works.io"}'
    claim = Claim([read_source("a.json", raw)], [("a.json", raw)], [], policy)
    assert [] == prove(claim, TOOLS.residual).failures


def test_a_failure_and_a_claim_do_not_show_a_value() -> None:
    value = Value(PASSWORD, "PASSWORD")
    claim = Claim([], [], [value], DEFAULT)
    assert PASSWORD not in repr(claim)
