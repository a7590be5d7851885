"""Trajectory beside history: the counted facts of every corpus file, and each kind of step alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.formats.swe_agent.align import AlignedStep, StepKind, align
from attraj.formats.swe_agent.config import Config, read_config
from attraj.jsonio import parse
from tests.formats.swe_agent.files import base, changed
from tests.support import CORPUS, needs_corpus

SWE_AGENT = CORPUS / "swe-agent"


def expectations() -> dict[str, Any]:
    place = SWE_AGENT / "EXPECTATIONS.json"
    files: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))["files"] if place.is_file() else {}
    return {name: facts for name, facts in files.items() if "unreadable" not in facts and "invalid" not in facts}


@needs_corpus
@pytest.mark.parametrize(("name", "facts"), expectations().items(), ids=expectations())
def test_every_file_of_the_corpus_is_counted_as_reviewed(name: str, facts: dict[str, Any]) -> None:
    tree = parse((SWE_AGENT / name).read_bytes()).tree
    alignment = align(tree.get("trajectory", []), tree.get("history"), read_config(tree))
    counts = {kind.value: number for kind, number in alignment.counts().items()}
    assert (facts.get("steps", 0), facts.get("step_classes", {})) == (len(alignment.steps), counts)
    if "assistant_history_items" in facts:
        assert facts["assistant_history_items"] == len(alignment.assistants)


# step: kind, reason
REASONS = {
    "fc-format-errors-then-submitted": ["format", "format", "blocklist"],
    "ta-format-error-blocked-syntaxerror-submitted": ["format", "blocklist", "bash_syntax"],
    "ta-exit-format-no-patch": ["format", "format", "format"],
    "fc-retry-with-output-token": ["retry_with_output"],
    "ta-exit-command": ["exit_command"],
}


@needs_corpus
@pytest.mark.parametrize(("name", "reasons"), REASONS.items(), ids=REASONS)
def test_the_reasons_are_those_of_the_run(name: str, reasons: list[str]) -> None:
    tree = parse((SWE_AGENT / "generated-by-upstream-code" / name / f"{name}.traj").read_bytes()).tree
    steps = align(tree["trajectory"], tree["history"], read_config(tree)).steps
    assert reasons == [step.reason for step in steps if step.reason]


def kinds(tree: Any) -> list[tuple[str, str]]:
    steps = align(tree["trajectory"], tree.get("history"), read_config(tree)).steps
    return [(step.kind.value, step.reason) for step in steps]


TURN, REJECTED = ("turn", ""), ("rejected", "format")
FULL = [TURN, REJECTED, TURN, TURN]


def test_a_step_knows_its_message_its_answer_and_its_error() -> None:
    tree = base("full")
    steps = align(tree["trajectory"], tree["history"]).steps
    assert steps == (
        AlignedStep(0, StepKind.TURN, item=2, answer=3),
        AlignedStep(1, StepKind.REJECTED, "format", error=5),
        AlignedStep(2, StepKind.TURN, item=4, answer=5),
        AlignedStep(3, StepKind.TURN, item=6, answer=7),
    )


def blocked(said: str) -> list[dict[str, Any]]:
    return [
        {"op": "replace", "path": "/trajectory/1/action", "value": "vim calc.py"},
        {"op": "replace", "path": "/trajectory/2/query/5/content", "value": said},
    ]


CASES = [
    pytest.param([], FULL, id="turns-and-a-proposal-that-could-not-be-parsed"),
    pytest.param(blocked("It is not supported here."), [TURN, ("rejected", "blocklist"), TURN, TURN], id="blocked"),
    pytest.param(blocked("It has syntax errors."), [TURN, ("rejected", "bash_syntax"), TURN, TURN], id="no-bash"),
    pytest.param(blocked("No."), [TURN, ("rejected", ""), TURN, TURN], id="rejected-for-a-reason-that-is-not-told"),
    pytest.param(
        [*blocked("x"), {"op": "replace", "path": "/trajectory/2/query", "value": [{}]}],
        [TURN, ("rejected", ""), TURN, TURN],
        id="rejected-and-the-error-is-nowhere",
    ),
    pytest.param(
        [{"op": "replace", "path": "/trajectory/1/state", "value": {"working_dir": "/calc"}}],
        [TURN, ("executed_not_in_history", "retry_with_output"), TURN, TURN],
        id="a-tool-asked-for-another-try",
    ),
    pytest.param(
        [{"op": "replace", "path": "/history/4/content", "value": "Something else."}],
        FULL,
        id="the-thought-alone-is-enough",
    ),
    pytest.param(
        [
            {"op": "replace", "path": "/history/4/content", "value": "Something else."},
            {"op": "replace", "path": "/history/4/thought", "value": "Something else."},
        ],
        FULL,
        id="the-action-alone-is-enough-for-a-step-that-was-run",
    ),
    pytest.param(
        [{"op": "replace", "path": "/history/4/action", "value": "cat other.py"}],
        [TURN, REJECTED, ("executed_not_in_history", ""), TURN],
        id="another-action-is-another-turn",
    ),
    pytest.param(
        [{"op": "add", "path": "/history/4/is_demo", "value": True}],
        [TURN, REJECTED, ("executed_not_in_history", ""), TURN],
        id="a-demonstration-is-no-turn",
    ),
    pytest.param(
        [{"op": "replace", "path": "/history/4/agent", "value": "summarizer"}],
        [TURN, REJECTED, ("executed_not_in_history", ""), TURN],
        id="another-agent-is-no-turn",
    ),
    pytest.param(
        [{"op": "replace", "path": "/trajectory/0", "value": 7}], [("not_a_step", ""), *FULL[1:]], id="no-step"
    ),
    pytest.param(
        [
            {"op": "replace", "path": "/trajectory/3/action", "value": "exit"},
            {"op": "replace", "path": "/trajectory/3/observation", "value": "Exited"},
            {"op": "replace", "path": "/history/6/action", "value": "exit"},
        ],
        [TURN, REJECTED, TURN, ("turn", "exit_command")],
        id="the-agent-typed-exit",
    ),
]


@pytest.mark.parametrize(("patch", "expected"), CASES)
def test_tells_the_kind_of_a_step(patch: list[Any], expected: list[tuple[str, str]]) -> None:
    assert expected == kinds(changed("full", patch))


EXIT = {"action": "", "observation": "", "response": "Exit due to cost limit", "thought": "Exit due to cost limit"}
PSEUDO = {"action": "exit_cost", "observation": "Exited", "response": "Exit due to cost limit", "state": "{}"}
ENDS = [
    pytest.param({**EXIT, "state": {}, "query": [{}]}, ("synthetic_exit", ""), id="made-up"),
    pytest.param({**EXIT, "state": {}}, ("synthetic_exit", ""), id="made-up-in-1.0-which-has-no-query"),
    pytest.param(
        {**EXIT, "response": "I cannot.", "thought": "I cannot.", "state": {}, "query": [{}]},
        ("synthetic_exit", ""),
        id="an-empty-input-is-enough",
    ),
    pytest.param(
        {**EXIT, "response": "I cannot.", "thought": "I cannot.", "state": {}},
        REJECTED,
        id="near-a-refusal-of-the-model",
    ),
    pytest.param(
        {**PSEUDO, "thought": "Exit due to cost limit"},
        ("synthetic_exit", "pseudo_command"),
        id="pseudo-command-of-0.x",
    ),
    pytest.param(
        {**PSEUDO, "thought": "Let me leave."}, ("executed_not_in_history", ""), id="near-the-agent-typed-exit_cost"
    ),
    pytest.param(
        {**EXIT, "action": "exit_forfeit", "thought": "I give up.", "state": "{}"},
        ("executed_not_in_history", ""),
        id="exit_forfeit-is-the-agents-own",
    ),
]


@pytest.mark.parametrize(("step", "expected"), ENDS)
def test_tells_what_the_loop_made_up(step: dict[str, Any], expected: tuple[str, str]) -> None:
    tree = base("minimal")
    tree["trajectory"].append(step)
    assert [TURN, expected] == kinds(tree)


def test_words_of_an_exit_in_the_middle_are_the_models() -> None:
    tree = base("minimal")
    tree["trajectory"].insert(0, {**EXIT, "state": {}})
    assert [REJECTED, TURN] == kinds(tree)


def test_without_a_history_only_what_was_not_run_can_be_told() -> None:
    tree = base("full")
    del tree["history"]
    assert [("no_history", ""), REJECTED, ("no_history", ""), ("no_history", "")] == kinds(tree)


def test_templates_of_the_configuration_tell_why() -> None:
    tools = {"filter": {"blocklist_error_template": "Forbidden here: {action}"}}
    config = Config("object", {"agent": {"tools": tools}})
    tree = changed("full", blocked("Forbidden here: vim"))
    assert "blocklist" == align(tree["trajectory"], tree["history"], config).steps[1].reason


def test_a_turn_without_a_step_is_named() -> None:
    tree = base("full")
    del tree["trajectory"][2]
    alignment = align(tree["trajectory"], tree["history"])
    assert ((2, 4, 6), (4,)) == (alignment.assistants, alignment.unmatched)
