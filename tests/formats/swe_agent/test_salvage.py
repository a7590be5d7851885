"""What stands before a cut, where the cut is, and what is only its consequence."""

from __future__ import annotations

import json

import pytest

from attraj.formats.swe_agent.salvage import salvage
from attraj.jsonio import parse
from tests.formats.swe_agent.files import base, found
from tests.support import CORPUS, needs_corpus

STEP = '{"action": "a"}'

# text, steps, members, pointer, what the text at the offset begins with
CUTS = [
    pytest.param(
        '{"trajectory": [' + STEP + ', {"action": "b',
        1,
        ["trajectory"],
        "/trajectory/1",
        '{"action": "b',
        id="in-a-step",
    ),
    pytest.param('{"trajectory": [' + STEP, 1, ["trajectory"], "/trajectory", "", id="after-a-step"),
    pytest.param('{"trajectory": [' + STEP + ",", 1, ["trajectory"], "/trajectory", "", id="after-a-comma"),
    pytest.param('{"trajectory": [', 0, ["trajectory"], "/trajectory/0", "", id="before-the-first-step"),
    pytest.param('{"trajectory": [' + STEP + '], "info": {"exit', 1, ["trajectory"], "/info", '{"exit', id="in-info"),
    pytest.param('{"trajectory": [], "info": {}, "n": 12', 0, ["trajectory", "info"], "/n", "12", id="in-a-number"),
    pytest.param('{"trajectory": [], "info": {}, "n": tr', 0, ["trajectory", "info"], "/n", "tr", id="in-a-word"),
    pytest.param('{"trajectory": [1, 2', 1, ["trajectory"], "/trajectory/1", "2", id="in-a-number-of-a-list"),
    pytest.param('{"history": [{"role": "u"}', 0, ["history"], "/history", "", id="in-the-history"),
    pytest.param('{"info": {}, "tra', 0, ["info"], "", '"tra', id="in-a-name"),
    pytest.param('{"info": {} "x": 1}', 0, ["info"], "", '"x"', id="a-comma-is-missing"),
    pytest.param('{"info": {}} trailing', 0, ["info"], "", "trailing", id="something-follows"),
    pytest.param('{"a": NaN}', 0, [], "/a", "NaN", id="not-a-number"),
    pytest.param("{", 0, [], "", "", id="nothing-but-an-opening"),
]


@pytest.mark.parametrize(("text", "steps", "members", "pointer", "rest"), CUTS)
def test_keeps_what_is_complete(text: str, steps: int, members: list[str], pointer: str, rest: str) -> None:
    saved = salvage(text.encode())
    assert saved is not None
    assert (steps, members, pointer) == (saved.steps, list(saved.tree), saved.pointer)
    assert text.encode()[saved.offset :].decode().startswith(rest)


WHOLE = [
    pytest.param(b"{}", id="a-whole-object"),
    pytest.param(b"[1, 2", id="an-array"),
    pytest.param(b"", id="nothing"),
    pytest.param(b"\xff\xfe", id="no-text"),
    pytest.param(b'\xef\xbb\xbf{"trajectory": []}', id="a-byte-order-mark-before-a-whole-object"),
]


@pytest.mark.parametrize("raw", WHOLE)
def test_has_nothing_to_save(raw: bytes) -> None:
    assert salvage(raw) is None


def test_a_character_that_is_cut_ends_the_text_before_it() -> None:
    raw = '{"environment": "x", "history": ["é'.encode()
    saved = salvage(raw[:-1])
    assert saved is not None
    assert ({"environment": "x", "history": []}, "/history/0") == (saved.tree, saved.pointer)
    assert b'["' == raw[saved.offset - 1 : saved.offset + 1]


def test_bytes_before_the_cut_are_counted_and_not_characters() -> None:
    raw = '{"environment": "éé", "info": {"x'.encode()
    saved = salvage(raw)
    assert saved is not None
    assert raw.index(b'{"x') == saved.offset


def test_attempts_are_entered() -> None:
    raw = json.dumps({"attempts": base("retry")["attempts"]}).encode()
    saved = salvage(raw[: raw.rindex(b'"thought"')])
    assert saved is not None
    whole, cut = saved.tree["attempts"]
    assert base("retry")["attempts"][0] == whole
    assert (["trajectory", "history"], "/attempts/1/history/2") == (list(cut), saved.pointer)
    assert 3 == saved.steps


def test_a_deep_value_is_a_cut_and_no_crash() -> None:
    saved = salvage(b'{"environment": "x", "info": ' + b"[" * 200_000)
    assert saved is not None
    assert ({"environment": "x"}, "/info") == (saved.tree, saved.pointer)


def test_what_only_the_cut_is_to_blame_for_is_named() -> None:
    raw = json.dumps(base("minimal")).encode()
    saved = salvage(raw[: raw.index(b'"history"')])
    assert saved is not None
    told = {code for code, _ in found(saved.tree)}
    assert {"TJ004", "TJ010", "TJ016", "TJ017"} == told
    assert {"TJ010"} == told - saved.consequences


def test_what_stands_before_the_cut_is_no_consequence() -> None:
    saved = salvage(json.dumps(base("minimal")).encode()[:-1])
    assert saved is not None
    assert not saved.consequences & {"TJ004", "TJ016", "TJ017", "TJ032"}


@needs_corpus
def test_the_cut_file_of_the_corpus() -> None:
    raw = (CORPUS / "swe-agent" / "handmade-edge" / "truncated.traj").read_bytes()
    saved = salvage(raw)
    assert saved is not None
    assert not parse(raw).is_readable
    assert (3, "/replay_config", b'"{') == (saved.steps, saved.pointer, raw[saved.offset :][:2])
    assert ["trajectory", "history", "info"] == list(saved.tree)
