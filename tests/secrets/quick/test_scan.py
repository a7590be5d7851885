"""find: text to spans; possible: which detectors the bytes of a document leave."""

from __future__ import annotations

import json

import pytest

from attraj.secrets.quick import gate, scan
from attraj.secrets.quick.anchors import RULES, AnchoredRule
from attraj.secrets.quick.detector import Span
from tests.secrets.templates import fill

TOKEN = fill("ghp_{36}")


def test_spans_come_in_order_and_do_not_overlap() -> None:
    url = f"https://keeper:{TOKEN}@git.example/x"
    text = f"a+b@tide.example {url} {TOKEN}"
    first = text.index(TOKEN)
    assert [
        Span(0, 16, "EMAIL", "email"),
        Span(first, first + 40, "API_TOKEN", "github-token"),
        Span(len(text) - 40, len(text), "API_TOKEN", "github-token"),
    ] == scan.find(text)


@pytest.mark.parametrize("text", ["", "a", "sk-", "@", "eyJ", "-----BEGIN", "the door is locked", "task-list: disk-1"])
def test_ordinary_texts_hold_nothing(text: str) -> None:
    assert ([], False) == (scan.find(text), scan.is_secret_like(text))


def test_only_the_named_detectors_look() -> None:
    email = scan.by_id()["email"]
    assert ["email"] == [span.rule for span in scan.find(f"{TOKEN} a@b.example", [email])]


@pytest.mark.parametrize("rule", [pytest.param(r, id=r.id) for r in RULES])
def test_the_gate_is_open_for_every_text_with_a_find(rule: AnchoredRule) -> None:
    texts = [f"a line\n{fill(example)}\nand another" for example in rule.examples]
    assert [True] * len(texts) == [scan.by_id()[rule.id].may_match(text) for text in texts]


def escaped(text: str) -> str:
    return "".join(f"\\u{ord(c):04x}" for c in text)


def padded(body: str, large: bool) -> bytes:
    filler = json.dumps("tide 潮汐 gauge " * (gate.SMALL_BYTES // 16 if large else 4), ensure_ascii=False)
    return f'{{"filler": {filler}, "text": "{body}", "more": {filler}}}'.encode()


@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
class TestPossible:
    @pytest.mark.parametrize("rule", [pytest.param(r, id=r.id) for r in RULES])
    def test_no_rule_is_lost(self, rule: AnchoredRule, large: bool) -> None:
        text = fill(rule.examples[0])
        left = {d.id for d in scan.possible(padded(json.dumps(text)[1:-1], large))}
        assert rule.id in left

    def test_a_clean_document_leaves_no_detector(self, large: bool) -> None:
        assert () == scan.possible(padded("the door is locked", large))

    def test_ascii_written_as_escapes_leaves_them_all(self, large: bool) -> None:
        assert scan.detectors() == scan.possible(padded(escaped(TOKEN), large))

    def test_control_characters_written_as_escapes_leave_none(self, large: bool) -> None:
        assert () == scan.possible(padded("\\u001b[0m", large))

    def test_bytes_that_are_not_utf8_prove_nothing(self, large: bool) -> None:
        raw = padded(TOKEN, large).replace(b"}", b"\xff}")
        assert "github-token" in {d.id for d in scan.possible(raw)}

    @pytest.mark.parametrize("at", [gate._CHUNK - 20, gate._CHUNK - 1, 2 * gate._CHUNK - 39])
    def test_a_token_across_two_chunks_is_seen(self, at: int, large: bool) -> None:
        raw = bytearray(b" " * (gate.SMALL_BYTES + 1 if large else 3 * gate._CHUNK))
        raw[at : at + len(TOKEN)] = TOKEN.encode()
        assert "github-token" in {d.id for d in scan.possible(bytes(raw))}


def test_bytes_that_are_not_at_hand_prove_nothing() -> None:
    assert scan.detectors() == scan.possible(b"")


def test_the_anchors_are_bytes_without_which_nothing_is_found() -> None:
    assert {b"ghp_", b"://", b":\\/\\/", b"@", b"-----BEGIN "} <= set(scan.anchors())
