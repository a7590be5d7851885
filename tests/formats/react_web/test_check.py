"""What the checks of ReAct web JSON say, and what they are silent about."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.findings import Severity, Stratum
from attraj.formats import Options
from attraj.formats.react_web import check
from attraj.jsonio import Document
from tests.formats.react_web.documents import MINIMAL, checked, lines, read, step, with_steps

ANSWER = step(2, "answer")
CALL = (step(1, "action"), step(1, "observation"))

CASES = [
    pytest.param({**MINIMAL, "steps": None}, ["RW002 error /steps"], id="steps-null"),
    pytest.param({k: v for k, v in MINIMAL.items() if k != "steps"}, ["RW002 error"], id="steps-missing"),
    pytest.param(with_steps(None, *CALL, ANSWER), ["RW002 error /steps/0"], id="a-null-step"),
    pytest.param(with_steps(*CALL, 7, ANSWER), ["RW002 error /steps/2"], id="a-number-as-step"),
    pytest.param(with_steps(step(1, "plan"), *CALL, ANSWER), ["RW003 warning /steps/0/type"], id="another-type"),
    pytest.param(with_steps(step(1, "toString"), *CALL, ANSWER), ["RW003 warning /steps/0/type"], id="prototype-name"),
    pytest.param(with_steps(step(1, ["thought"]), *CALL, ANSWER), ["RW003 error /steps/0/type"], id="type-a-list"),
    pytest.param(with_steps(step(1, ""), *CALL, ANSWER), ["RW003 error /steps/0"], id="type-empty"),
    pytest.param(with_steps(step(1, None, type=...), *CALL, ANSWER), ["RW003 error /steps/0"], id="type-missing"),
    pytest.param(
        with_steps(step(2, "thought"), step(3, "answer")), ["RW004 warning /steps/0/iteration"], id="starts-at-2"
    ),
    pytest.param(
        with_steps(step(0, "thought"), step(0, "thought"), step(1, "answer")),
        ["RW004 warning /steps/0/iteration"],
        id="counts-from-zero",
    ),
    pytest.param(
        with_steps(step(1, "thought"), step(3, "thought"), step(2, "thought"), step(3, "answer")),
        ["RW004 warning /steps/1/iteration", "RW004 warning /steps/2/iteration"],
        id="gap-and-back",
    ),
    pytest.param(
        with_steps(step(..., "thought"), step(..., "thought"), step(1, "answer")),
        ["RW004 warning /steps/0"],
        id="iterations-missing",
    ),
    pytest.param(with_steps(step(True, "answer")), ["RW004 warning /steps/0/iteration"], id="iteration-true"),
    pytest.param(with_steps(step(1.5, "answer")), ["RW004 warning /steps/0/iteration"], id="iteration-a-fraction"),
    pytest.param(
        with_steps(step(1, "action", tool=""), step(1, "observation"), ANSWER),
        ["RW005 error /steps/0/tool", "RW030 info /steps/0", "RW031 warning /steps/1"],
        id="tool-empty",
    ),
    pytest.param(
        with_steps(step(1, "action"), step(1, "observation", tool=...), ANSWER),
        ["RW005 error /steps/1"],
        id="by-position",
    ),
    pytest.param(
        with_steps(step(1, "action", args=...), step(1, "observation"), ANSWER),
        ["RW005 warning /steps/0"],
        id="no-args",
    ),
    pytest.param(
        with_steps(step(1, "action", args=None), step(1, "observation"), ANSWER),
        ["RW005 warning /steps/0/args"],
        id="args-null",
    ),
    pytest.param(with_steps(step(1, "answer", content=None)), ["RW006 error /steps/0/content"], id="content-null"),
    pytest.param(with_steps(step(1, "answer", content=...)), ["RW006 error /steps/0"], id="content-missing"),
    pytest.param(with_steps(step(1, "answer", content=False)), ["RW006 warning /steps/0/content"], id="content-false"),
    pytest.param(
        with_steps(step(1, "thought", content=""), step(1, "answer", content="")),
        ["RW006 info /steps/0/content"],
        id="content-empty",
    ),
    pytest.param({**MINIMAL, "model": "", "title": None}, ["RW010 warning"], id="two-members-missing"),
    pytest.param({k: v for k, v in MINIMAL.items() if k not in ("tags", "condition")}, ["RW010 info"], id="no-tags"),
    pytest.param({**MINIMAL, "outcome": "constructor"}, ["RW011 warning /outcome"], id="another-outcome"),
    pytest.param({**MINIMAL, "outcome": ["success"]}, ["RW011 warning /outcome"], id="outcome-a-list"),
    pytest.param({**MINIMAL, "recorded_at": 1772445600}, ["RW011 warning /recorded_at"], id="a-unix-time"),
    pytest.param({**MINIMAL, "recorded_at": "2026-03-02T10:00:00"}, ["RW011 warning /recorded_at"], id="no-zone"),
    pytest.param({**MINIMAL, "tags": "demo"}, ["RW011 warning /tags"], id="tags-a-text"),
    pytest.param({**MINIMAL, "tags": ["a", 1, 2]}, ["RW011 warning /tags/1"], id="numbers-as-tags"),
    pytest.param({**MINIMAL, "task": {"q": 1}}, ["RW011 warning /task"], id="task-an-object"),
    pytest.param(with_steps(step(1, "thought")), ["RW020 warning /outcome"], id="success-without-answer"),
    pytest.param(with_steps(outcome="success"), ["RW020 warning /outcome"], id="success-without-steps"),
    pytest.param(with_steps(step(1, "answer"), outcome="timeout"), ["RW020 info /steps/0"], id="answer-out-of-time"),
    pytest.param(with_steps(*CALL, ANSWER, ANSWER), ["RW021 warning /steps/3"], id="two-answers"),
    pytest.param(with_steps(step(1, "answer"), *CALL), ["RW021 warning /steps/0"], id="answer-first"),
    pytest.param(with_steps(*CALL, step(2, "action"), ANSWER), ["RW030 warning /steps/2"], id="one-of-two-unanswered"),
    pytest.param(with_steps(step(1, "action"), ANSWER), ["RW030 info /steps/0"], id="none-answered"),
    pytest.param(
        with_steps(step(1, "observation"), step(1, "action"), ANSWER),
        ["RW030 info /steps/1", "RW031 warning /steps/0"],
        id="observation-before-its-action",
    ),
    pytest.param(
        with_steps(step(1, "action"), step(1, "action"), *[step(1, "observation")] * 2, ANSWER),
        ["RW031 warning /steps/2", "RW032 info /steps/0"],
        id="two-of-one-tool-are-told-once",
    ),
    pytest.param(
        with_steps(*[step(1, "action"), step(1, "observation")] * 3, ANSWER),
        ["RW032 info /steps/0"],
        id="thrice-at-once",
    ),
    pytest.param(
        with_steps(*[s for i in (1, 2, 3) for s in (step(i, "action"), step(i, "observation"))], step(4, "answer")),
        ["RW033 info /steps/0"],
        id="the-same-in-three-iterations",
    ),
    pytest.param(
        with_steps(step(1, "action"), step(1, "observation", content={"q": "tides"}), ANSWER),
        ["RW006 warning /steps/1/content", "RW034 info /steps/1/content"],
        id="echo-as-an-object",
    ),
    pytest.param(
        with_steps(step(1, "action", args={}), step(1, "observation", content="{}"), ANSWER),
        ["RW035 info /steps/0/args"],
        id="nothing-to-echo",
    ),
    pytest.param({**MINIMAL, "question": "Tides?"}, ["RW040 warning /question"], id="unknown-member"),
    pytest.param(
        with_steps(step(1, "action", content="calling"), step(1, "observation"), ANSWER),
        ["RW040 warning /steps/0/content"],
        id="content-of-an-action",
    ),
    pytest.param(
        with_steps(step(1, "thought", tool="search"), step(1, "thought", tool="search"), ANSWER),
        ["RW040 warning /steps/0/tool"],
        id="tool-of-a-thought-told-once",
    ),
]


@pytest.mark.parametrize(("tree", "expected"), CASES)
def test_each_fault_is_told_at_its_place(tree: Any, expected: list[str]) -> None:
    assert expected == lines(tree)


SILENT = [
    pytest.param(MINIMAL, id="the-smallest"),
    pytest.param({**MINIMAL, "$schema": "../SCHEMA.md"}, id="with-a-hint-at-the-schema"),
    pytest.param({**MINIMAL, "recorded_at": "2026-07-20T14:32:08.5+08:00"}, id="time-with-an-offset"),
    pytest.param({**MINIMAL, "tags": []}, id="no-tag"),
    pytest.param(with_steps(step(1.0, "thought"), step(2, "answer")), id="one-point-zero-is-one"),
    pytest.param(with_steps(step(1, "thought"), step(1, "answer")), id="answer-in-the-same-iteration"),
    pytest.param(with_steps(outcome="failure"), id="a-failure-without-steps"),
    pytest.param(with_steps(step(1, "thought"), outcome="loop"), id="a-loop-without-answer"),
    pytest.param(
        with_steps(step(1, "action"), step(1, "observation", content='{"q": "tides", "hits": 1}'), ANSWER), id="no-echo"
    ),
    pytest.param(
        with_steps(
            *[s for i in (1, 2, 3) for s in (step(i, "action", args={"page": i}), step(i, "observation"))],
            step(4, "answer"),
        ),
        id="other-arguments",
    ),
    pytest.param(
        with_steps(*[s for i in (1, 2) for s in (step(i, "action"), step(i, "observation"))], step(3, "answer")),
        id="the-same-twice",
    ),
]


@pytest.mark.parametrize("tree", SILENT)
def test_is_silent(tree: Any) -> None:
    assert [] == lines(tree)


def test_the_author_s_word_on_stripped_results_is_told() -> None:
    answer = checked(with_steps(step(1, "action"), outcome="loop", condition="No tool results"))
    assert [True] == ["`condition` says" in f.message for f in answer.findings if f.code == "RW030"]


def test_a_secret_is_told_and_not_repeated() -> None:
    token = "".join(["gh", "p_", "a1B2c3D4" * 4, "e5F6"])
    tree = with_steps(step(1, "thought", content=f"use {token}"), step(1, "answer"))
    found = [f for f in checked(tree).findings if f.code == "RW050"]
    assert ["/steps/0/content"] == [f.location.pointer for f in found]
    assert token not in repr(found)


def test_a_bare_list_is_read_with_a_warning() -> None:
    tree = [step(1, "thought"), step(1, "action"), step(2, "answer", content=None)]
    assert ["RW001 warning", "RW006 error /2/content", "RW030 info /1"] == lines(tree)
    assert ("invalid", "renders_empty", None) == (*checked(tree).verdicts.values(), checked(tree).stopped_after)


@pytest.mark.parametrize("tree", [None, 3, "text", True, [], [1, 2], 1.5])
def test_what_is_no_document_stops_after_the_bytes(tree: Any) -> None:
    answer = checked(tree)
    assert (["RW001"], Severity.ERROR, Stratum.BYTES) == (
        [f.code for f in answer.findings],
        answer.findings[0].severity,
        answer.stopped_after,
    )


def test_a_level_leaves_the_later_strata_out_and_the_verdicts_alone() -> None:
    tree = with_steps(*CALL, ANSWER, ANSWER, model=5)
    whole = check(Document(b"", tree), Options())
    shape = check(Document(b"", tree), Options(level=Stratum.SHAPE))
    assert (["RW011"], whole.verdicts) == ([f.code for f in shape.findings], shape.verdicts)


@pytest.mark.parametrize(
    ("raw", "schema", "viewer", "codes"),
    [
        pytest.param(b'{"steps": [], "outcome": NaN}', "invalid", "breaks", ["RW001"], id="nan"),
        pytest.param(b'\xef\xbb\xbf{"steps": []}', "invalid", "renders_empty", ["RW101"], id="byte-order-mark"),
        pytest.param(b'{"steps": [], "steps": []}', "invalid", "renders_empty", ["RW103"], id="twice"),
        pytest.param(
            b'{"steps": [{"type": "action", "args": {"q": [1e999]}}]}', "invalid", "renders", ["RW108"], id="infinite"
        ),
    ],
)
def test_faults_of_the_bytes(raw: bytes, schema: str, viewer: str, codes: list[str]) -> None:
    answer, found = read(raw)
    assert {"schema": schema, "viewer": viewer} == dict(answer.verdicts)
    assert codes == [f.code for f in found if f.rule.stratum is Stratum.BYTES]


def test_the_counts_are_notes() -> None:
    tree = with_steps(step(1, "action"), step(1, "action"), step(1, "observation"), step(2, "answer"))
    assert (
        "steps: 4, iterations: 2",
        "actions: 2, without an observation: 1",
        "observations: 1, paired exactly: 0, unlinked: 0",
    ) == checked(tree).notes
