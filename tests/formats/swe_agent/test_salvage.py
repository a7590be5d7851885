"""What stands before a cut, where the cut is, and what is only its consequence."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.formats import Options
from attraj.formats.swe_agent import check
from attraj.formats.swe_agent.salvage import by_reading, salvage
from attraj.formats.swe_agent.salvage_tree import rest_of
from attraj.jsonio import Document, parse
from attraj.limits import DEFAULT_LIMITS
from tests.formats.swe_agent.files import base, changed, found
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
    pytest.param('{"trajectory": [1, 2.', 1, ["trajectory"], "/trajectory/1", "2.", id="before-the-fraction"),
    pytest.param('{"trajectory": [1, 2.5e+', 1, ["trajectory"], "/trajectory/1", "2.5e+", id="before-the-exponent"),
    pytest.param('{"trajectory": [1, 02]}', 1, ["trajectory"], "/trajectory/1", "02", id="a-number-that-goes-on"),
    pytest.param('{"info": 1.', 0, [], "/info", "1.", id="before-the-fraction-of-a-member"),
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
    assert saved == by_reading(text.encode())


SAME = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["trajectory", "history", "attempts", "info", 'a"\\', "é"]), inner, max_size=4
        )
    ),
    max_leaves=15,
)


@given(SAME, st.data(), st.booleans(), st.sampled_from([3, 1 << 22]))
def test_the_quick_way_saves_what_reading_saves(value: Any, data: st.DataObject, ascii: bool, window: int) -> None:
    raw = json.dumps({"attempts": [value], "trajectory": value}, ensure_ascii=ascii).encode()
    raw = raw[: data.draw(st.integers(1, len(raw)))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("attraj.jsonio.cut._WINDOW_BYTES", window)
        assert by_reading(raw) == salvage(raw)


def test_a_cut_file_is_saved_in_the_quick_way() -> None:
    assert rest_of(json.dumps(base("retry")).encode()[:-9], DEFAULT_LIMITS) is not None


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


REST = {"history", "info", "replay_config", "environment", "attempts"}
ATTEMPT = '{"trajectory": [], "history": [], "info": {}, "environment": "e", "replay_config": null, "attempts": []}'
OPEN = [
    pytest.param('{"trajectory": [], "info": {"x', {"": REST}, id="inside-a-member"),
    pytest.param('{"info": {}, "trajectory": [], "his', {"": REST - {"info"}}, id="inside-a-name"),
    pytest.param('{"trajectory": []} x', {}, id="something-follows-a-complete-file"),
    pytest.param(
        '{"attempts": [' + ATTEMPT + ', {"info"',
        {"": REST | {"trajectory"}, "/attempts/1": REST | {"trajectory"}},
        id="an-attempt-and-the-file-around-it",
    ),
]


@pytest.mark.parametrize(("text", "expected"), OPEN)
def test_names_what_may_stand_after_the_cut(text: str, expected: dict[str, set[str]]) -> None:
    saved = salvage(text.encode())
    assert saved is not None
    assert expected == saved.open


def told_of_a_cut(raw: bytes) -> set[tuple[str, str]]:
    saved = salvage(raw)
    if saved is None:
        return set()
    return {(f.code, f.location.pointer) for f in check(Document(raw, saved.tree), Options(), saved.open).findings}


WITHOUT_TRAJECTORY = {"trajectory": None, "info": {"exit_status": None}}
FILES = [
    *(pytest.param(base(name), id=name) for name in ("minimal", "full", "old", "retry")),
    pytest.param(changed("retry", {"info": None, "trajectory": None, "history": None}), id="a-retry-agent-at-work"),
    pytest.param(changed("retry", {"info": {"best_attempt_idx": 7}}), id="an-attempt-that-is-not-there"),
    pytest.param(changed("full", {"history": None}), id="no-history"),
    pytest.param(changed("full", WITHOUT_TRAJECTORY), id="no-trajectory"),
    pytest.param({"history": base("full")["history"]}, id="a-demonstration"),
]


def in_order(tree: dict[str, Any], order: str) -> dict[str, Any]:
    names = {"as-written": list(tree), "reversed": list(tree)[::-1], "sorted": sorted(tree)}[order]
    return {name: tree[name] for name in names}


@pytest.mark.parametrize("order", ["as-written", "reversed", "sorted"])
@pytest.mark.parametrize("tree", FILES)
def test_says_nothing_of_a_cut_file_that_is_not_true_of_the_whole(tree: dict[str, Any], order: str) -> None:
    raw = json.dumps(in_order(tree, order)).encode()
    whole = set(found(tree))
    assert {} == {end: more for end in range(1, len(raw), 7) if (more := told_of_a_cut(raw[:end]) - whole)}


def test_what_stands_complete_is_told() -> None:
    tree = changed("minimal", {"trajectory": [], "info": {"exit_status": "nonsense"}})
    raw = json.dumps({"info": tree["info"], "trajectory": [], "history": 3, "environment": "cut"}).encode()
    expected = {("TJ041", "/info/exit_status"), ("TJ015", "/trajectory"), ("TJ018", "/history")}
    assert expected == told_of_a_cut(raw[: raw.index(b"cut")])


def test_a_call_without_a_result_is_told_where_the_agent_goes_on_before_the_cut() -> None:
    call = {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": "a", "function": {"name": "x", "arguments": "{}"}}],
    }
    other = {"role": "user", "content": ""}
    raw = json.dumps({"history": [call, other, call, other], "trajectory": []}).encode()
    told = {pointer for code, pointer in told_of_a_cut(raw[: raw.index(b'], "trajectory')]) if code == "TJ037"}
    assert {"/history/0/tool_calls"} == told


def test_steps_that_the_cut_parts_from_their_messages_are_of_no_kind() -> None:
    raw = json.dumps(base("full")).encode()
    saved = salvage(raw[: raw.index(b'"history"') + 14])
    assert saved is not None
    notes = check(Document(raw, saved.tree), Options(), saved.open).notes
    steps = len(base("full")["trajectory"])
    assert any(note.startswith(f"{steps} steps: ") and "the history is cut" in note for note in notes)
    assert not any("not in the history" in note for note in notes)


def test_the_note_tells_where_the_complete_part_ends_and_where_the_text_does() -> None:
    raw = b'{"trajectory": [{"action": "a"}, {"action": "b'
    saved = salvage(raw)
    assert saved is not None
    assert [["33", "46"], ["33"]] == [re.findall("byte ([0-9]+)", saved.note(end)) for end in (46, None)]
    ended = salvage(raw[:31])
    assert ended is not None
    assert ["31"] == re.findall("byte ([0-9]+)", ended.note(31))


@needs_corpus
def test_the_cut_file_of_the_corpus() -> None:
    raw = (CORPUS / "swe-agent" / "handmade-edge" / "truncated.traj").read_bytes()
    saved = salvage(raw)
    assert saved is not None
    assert not parse(raw).is_readable
    assert (3, "/replay_config", b'"{') == (saved.steps, saved.pointer, raw[saved.offset :][:2])
    assert ["trajectory", "history", "info"] == list(saved.tree)
