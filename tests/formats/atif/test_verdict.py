"""Harbor's verdict: coercions, gaps, crashes; and that a document without findings needs no imitation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from attraj.formats import Options, atif
from attraj.formats.atif.verdict import harbor
from attraj.jsonio import Document, parse
from tests.formats.atif.documents import check, full, minimal, steps, turn

IMAGE = {"type": "image", "source": {"media_type": "image/png", "path": "a.png"}}


def verdict(tree: Any, folder: str = "") -> str:
    """The word of Harbor 0.26 on a tree."""
    return check(tree, folder).verdicts["harbor-0.26"]


TREES = [
    pytest.param(minimal(), "accepted", id="clean"),
    pytest.param(minimal({"schema_version": None}), "accepted", id="version-filled-in"),
    pytest.param(minimal([{"op": "add", "path": "/schema_version", "value": None}]), "rejected", id="version-null"),
    pytest.param(steps({"step_id": "1"}, {"step_id": 2.0}), "accepted", id="numbers-converted"),
    pytest.param(steps({"step_id": "1"}, {"step_id": "3"}), "rejected", id="converted-and-out-of-sequence"),
    pytest.param(steps(turn(llm_call_count="0", metrics={})), "rejected", id="converted-zero-calls"),
    pytest.param(steps({"is_copied_context": "on"}), "accepted", id="boolean-converted"),
    pytest.param(steps({"message": None}), "rejected", id="null-message"),
    pytest.param(minimal({"steps": "x"}), "crash", id="steps-is-a-text"),
    pytest.param(minimal({"steps": ""}), "rejected", id="steps-is-an-empty-text"),
    pytest.param(minimal({"steps": {"a": 1}}), "crash", id="steps-is-an-object"),
    pytest.param([], "rejected", id="no-object"),
    pytest.param(minimal([{"op": "replace", "path": "/steps", "value": None}]), "crash", id="steps-null"),
    pytest.param(minimal([{"op": "remove", "path": "/steps"}]), "rejected", id="steps-missing"),
    pytest.param(steps(None), "crash", id="step-null"),
    pytest.param(steps(turn(observation="x")), "crash", id="observation-is-a-text"),
    pytest.param(steps(turn(observation={"results": None})), "crash", id="results-null"),
    pytest.param(steps(turn(observation={"results": ["x"]})), "crash", id="result-is-a-text"),
    pytest.param(steps({"message": [{**IMAGE, "source": {"path": 5}}]}), "crash", id="path-is-a-number"),
    pytest.param(steps({"message": [{**IMAGE, "source": {"path": ["://"]}}]}), "rejected", id="path-is-an-odd-array"),
    pytest.param(full({"subagent_trajectories": None}), "accepted", id="reference-to-nobody"),
]


@pytest.mark.parametrize(("tree", "word"), TREES)
def test_of_a_tree(tree: Any, word: str) -> None:
    assert word == verdict(tree)


def test_harbor_0_18_ends_at_version_1_7() -> None:
    assert {"harbor-0.18": "rejected", "harbor-0.26": "accepted"} == dict(check(full()).verdicts)


def test_harbor_0_18_does_not_look_at_audio(tmp_path: Path) -> None:
    audio = {"type": "audio", "source": {"media_type": "audio/wav", "path": 5}}
    tree = steps({"message": [audio]})
    assert {"harbor-0.18": "rejected", "harbor-0.26": "crash"} == dict(check(tree, str(tmp_path)).verdicts)


# --- bytes ---------------------------------------------------------------------------------------------------------

RAW = json.dumps(minimal()).encode()
BYTES = [
    pytest.param(RAW, "accepted", id="clean"),
    pytest.param(b"\xef\xbb\xbf" + RAW, "rejected", id="byte-order-mark"),
    pytest.param(RAW.replace(b"count", b"caf\xe9"), "crash", id="not-utf8"),
    pytest.param(RAW.decode().encode("utf-16"), "crash", id="utf16"),
    pytest.param(RAW.replace(b'"prompt_tokens": 20', b'"cost_usd": NaN'), "accepted", id="nan"),
    pytest.param(RAW.replace(b"count", b"\\ud800"), "accepted", id="half-a-character"),
    pytest.param(
        RAW.replace(b'"source_call_id": "call-1"', b'"source_call_id": "\\ud800"'), "crash", id="in-its-message"
    ),
    pytest.param(RAW.replace(b'"session_id"', b'"notes": "a", "notes": 5, "session_id"'), "rejected", id="last-counts"),
    pytest.param(RAW.replace(b'"session_id"', b'"notes": 5, "notes": "a", "session_id"'), "accepted", id="last-wins"),
    pytest.param(RAW.replace(b": 20", b": " + b"9" * 5000), "crash", id="5000-digits"),
    pytest.param(RAW[:-5], "rejected", id="cut-off"),
    pytest.param(b"", "rejected", id="empty"),
    pytest.param(b"[" * 100_000, "crash", id="deep-and-unclosed"),
    pytest.param(b'{"extra": ' + b"[" * 5000 + b"]" * 5000 + b"}", "crash", id="deep"),
    pytest.param(RAW[:-1] + b', "extra": {"a": ' + b"[" * 300 + b"]" * 300 + b"}}", "accepted", id="300-levels"),
    pytest.param(RAW[:-1] + b', "extra": {"a": ' + b"[" * 1200 + b"]" * 1200 + b"}}", "undecided", id="1200-levels"),
]


@pytest.mark.parametrize(("raw", "word"), BYTES)
def test_of_bytes(raw: bytes, word: str) -> None:
    document = parse(raw)
    assert {"harbor-0.18": word, "harbor-0.26": word} == dict(atif.check(document, Options()).verdicts)


def test_embedded_subagents_end_where_pydantic_ends() -> None:
    def nested(count: int) -> Any:
        tree = minimal({"trajectory_id": "t"})
        for _ in range(count):
            tree = {**minimal(), "trajectory_id": "t", "subagent_trajectories": [tree]}
        return tree

    assert ["accepted", "rejected"] == [harbor(Document(b"", nested(n)), "")["harbor-0.26"] for n in (254, 255)]


# --- the short cut -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tree", [minimal(), full(), full({"schema_version": "ATIF-v1.3"}), *[p.values[0] for p in TREES]]
)
def test_the_short_cut_and_the_imitation_agree(tree: Any) -> None:
    document = Document(b"", tree)
    assert harbor(document, "") == dict(atif.check(document, Options()).verdicts)
