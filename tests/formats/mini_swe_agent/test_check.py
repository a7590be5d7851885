"""What the checks of mini-swe-agent trajectories say, and what they are silent about."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.findings import Severity, Stratum
from attraj.formats import Options
from attraj.formats.mini_swe_agent import check
from attraj.jsonio import Document
from tests.formats.mini_swe_agent.documents import (
    FIRST,
    FULL,
    MINIMAL,
    PADDED,
    checked,
    ended,
    error,
    lines,
    put,
    reply,
    result,
    run_of,
    taken,
)

SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
USER = {"role": "user", "content": "Go on."}
REJECTED = {"role": "user", "content": "No.", "extra": {"interrupt_type": "UserRejection"}}
NEW_TASK = {"role": "user", "content": "More.", "extra": {"interrupt_type": "UserNewTask"}}

ARGUMENTS = "/messages/2/tool_calls/0/function/arguments"

CASES = [
    pytest.param(put("/trajectory_format", "mini-swe-agent-1.2"), ["MJ101 warning /trajectory_format"], id="a-fork"),
    pytest.param(put("/trajectory_format", 1.1), ["MJ109 error /trajectory_format"], id="format-a-number"),
    pytest.param(put("/trajectory_format", "mini-swe-agent-1"), ["MJ111 warning /trajectory_format"], id="mixed"),
    pytest.param(taken("/info"), ["MJ108 error"], id="no-info"),
    pytest.param(put("/info", []), ["MJ109 error /info"], id="info-a-list"),
    pytest.param(taken("/messages"), ["MJ105 warning /info/model_stats/api_calls", "MJ108 error"], id="no-messages"),
    pytest.param(
        put("/messages", None),
        ["MJ105 warning /info/model_stats/api_calls", "MJ109 error /messages"],
        id="null-messages",
    ),
    pytest.param(put("/messages/1", "Count."), ["MJ109 error /messages/1"], id="a-text-as-message"),
    pytest.param(taken("/messages/1/role"), ["MJ108 error /messages/1"], id="no-role"),
    pytest.param(taken("/messages/1/content"), ["MJ108 error /messages/1"], id="no-content"),
    pytest.param(put("/messages/1/content", ["Count."]), ["MJ109 error /messages/1/content/0"], id="a-text-as-part"),
    pytest.param(put("/messages/1/content", 5), ["MJ109 error /messages/1/content"], id="content-a-number"),
    pytest.param(put("/messages/1/role", "human"), ["MJ110 warning /messages/1"], id="another-role"),
    pytest.param(put("/messages/2/extra/cost", "0.001"), ["MJ109 error /messages/2/extra/cost"], id="cost-a-text"),
    pytest.param(
        put("/messages/3/extra/returncode", True), ["MJ109 error /messages/3/extra/returncode"], id="code-true"
    ),
    pytest.param(put("/messages/2/tool_calls", ["ls"]), ["MJ109 error /messages/2/tool_calls/0"], id="a-text-as-call"),
    pytest.param(put("/messages/2/tool_calls", "ls"), ["MJ109 error /messages/2/tool_calls"], id="calls-a-text"),
    pytest.param(
        taken("/messages/2/tool_calls/0/id"), ["MJ108 error /messages/2/tool_calls/0"], id="a-call-without-id"
    ),
    pytest.param(
        taken("/messages/3/output/1/call_id", FULL),
        ["MJ102 info /messages/11/output/0", "MJ108 error /messages/3/output/1"],
        id="a-function-call-without-id",
    ),
    *(
        pytest.param(put(ARGUMENTS, value), [f"MJ116 warning {ARGUMENTS}"], id=f"arguments-{name}")
        for name, value in (
            ("broken", "{bad"),
            ("an-array", "[]"),
            ("nothing", ""),
            ("an-object", {}),
            ("a-number", 5),
            ("half-a-character", '{"a": "\ud800"}'),
        )
    ),
    pytest.param(put(ARGUMENTS, None), [], id="arguments-null"),
    pytest.param(taken(ARGUMENTS), [], id="no-arguments"),
    pytest.param(
        put("/messages/3/output/1/arguments", "{bad", FULL),
        ["MJ102 info /messages/11/output/0", "MJ116 warning /messages/3/output/1/arguments"],
        id="arguments-of-a-function-call",
    ),
    pytest.param(
        put("/messages/1", {"role": "document", "content": ""}), ["MJ110 warning /messages/1"], id="a-role-like-a-table"
    ),
    pytest.param(
        put("/messages/2/role", 3, FULL),
        ["MJ102 info /messages/11/output/0", "MJ109 error /messages/2/role"],
        id="a-role-that-is-no-text-beside-a-type",
    ),
    pytest.param(
        put("/messages/2/extra/actions/0/tool_call_id", "x"),
        ["MJ114 warning /messages/2/extra/actions/0"],
        id="unasked",
    ),
    pytest.param(
        taken("/messages/2/extra/actions/0/command"), ["MJ108 error /messages/2/extra/actions/0"], id="no-command"
    ),
    pytest.param(
        taken("/messages/3", FULL),
        [
            "MJ103 warning /messages/3",
            "MJ103 warning /messages/4",
            "MJ102 info /messages/10/output/0",
            "MJ105 warning /info/model_stats/api_calls",
            "MJ115 warning /info/model_stats/instance_cost",
        ],
        id="a-response-cut-out",
    ),
    pytest.param(put("/info/exit_status", None), ["MJ106 info /info/exit_status"], id="status-null"),
    pytest.param(
        put("/info/exit_status", ""),
        ["MJ106 info /info/exit_status", "MJ113 warning /messages/6/extra/exit_status"],
        id="status-empty-beside-another",
    ),
    pytest.param(taken("/info/exit_status"), ["MJ106 info /info"], id="status-absent"),
    pytest.param(put("/info/exit_status", 1), ["MJ109 error /info/exit_status"], id="status-a-number"),
    pytest.param(put("/info/submission", "x"), ["MJ113 warning /messages/6/extra/submission"], id="another-submission"),
    pytest.param(
        put("/info/model_stats/api_calls", 2.0), ["MJ109 error /info/model_stats/api_calls"], id="calls-a-float"
    ),
    pytest.param(
        put("/info/model_stats/api_calls", 3), ["MJ105 warning /info/model_stats/api_calls"], id="one-call-too-many"
    ),
    pytest.param(
        put("/info/model_stats/api_calls", 1, FIRST), ["MJ105 info /info/model_stats/api_calls"], id="a-person-in-1.x"
    ),
    pytest.param(
        put("/info/model_stats/instance_cost", 0.002),
        ["MJ115 warning /info/model_stats/instance_cost"],
        id="cost-too-low",
    ),
    pytest.param(
        put("/messages/1/tool_calls/0/function/arguments", "{", run_of(USER, reply(("a", "ls")), error(response={}))),
        ["MJ102 warning /messages/1/tool_calls/0", "MJ116 info /messages/1/tool_calls/0/function/arguments"],
        id="arguments-of-a-reply-that-was-rejected",
    ),
    pytest.param(
        run_of(USER, error(), error(response={}), reply(("a", "ls")), result("a"), calls=3),
        ["MJ104 info /messages/1"],
        id="one-lost-one-kept",
    ),
    pytest.param(
        run_of(USER, reply(("a", "ls"), ("b", SUBMIT)), ended(), calls=1),
        ["MJ102 info /messages/1/tool_calls/0"],
        id="both-of-the-last-turn",
    ),
    pytest.param(
        run_of(USER, reply(("a", "ls"), ("b", "pwd")), result("b"), reply(("c", "ls")), result("c"), calls=2),
        ["MJ102 warning /messages/1/tool_calls/0"],
        id="in-the-middle-of-the-run",
    ),
    pytest.param(
        run_of(USER, reply(("a", "ls")), error(response={}), calls=2),
        ["MJ102 warning /messages/1/tool_calls/0"],
        id="the-model-went-on",
    ),
    pytest.param(
        run_of(USER, reply(("a", "ls")), result("a"), result("a"), calls=1),
        ["MJ103 warning /messages/3"],
        id="two-results",
    ),
    pytest.param(
        run_of(USER, reply(("a", "ls"), ("a", "pwd")), result("a"), calls=1),
        ["MJ102 info /messages/1/tool_calls/1", "MJ103 warning /messages/1/tool_calls/1"],
        id="one-id-twice-in-a-reply",
    ),
    pytest.param(
        run_of(USER, reply(("a", "ls")), result("a"), reply(("b", "ls")), result("a"), result("b"), calls=2),
        ["MJ103 warning /messages/4"],
        id="a-result-of-an-earlier-turn",
    ),
    pytest.param(
        run_of(USER, reply(("a", SUBMIT)), result("a", **PADDED), ended(), calls=1),
        ["MJ112 info /messages/2"],
        id="padded-and-submitted",
    ),
    pytest.param(
        run_of(USER, reply(("a", SUBMIT)), result("a", **PADDED), NEW_TASK, reply(("b", "ls")), result("b"), calls=2),
        ["MJ112 info /messages/2"],
        id="padded-before-a-new-task",
    ),
]


@pytest.mark.parametrize(("tree", "expected"), CASES)
def test_each_fault_is_told_at_its_place(tree: Any, expected: list[str]) -> None:
    assert sorted(expected) == lines(tree)


SILENT = [
    pytest.param(MINIMAL, id="the-smallest"),
    pytest.param(FIRST, id="of-1.x"),
    pytest.param(taken("/trajectory_format", FIRST), id="before-1.5"),
    pytest.param(taken("/info/mini_version", FIRST), id="without-a-version"),
    pytest.param(put("/run_id", "7"), id="a-member-of-the-caller"),
    pytest.param(put("/messages/2/thinking_blocks", [1]), id="a-member-of-the-provider"),
    pytest.param(put("/info/exit_status", "SomeNewEnd", taken("/messages/6")), id="another-way-to-end"),
    pytest.param(run_of(USER, status="NotFoundError", calls=1), id="died-at-the-first-call"),
    pytest.param(run_of(USER, status="NotFoundError", calls=0), id="died-before-it"),
    pytest.param(run_of(USER, error(response={}), error(model_response="x"), calls=2), id="replies-kept-in-the-errors"),
    pytest.param(
        run_of(USER, reply(("a", SUBMIT)), result("a", **PADDED), REJECTED, calls=1, status="UserInterruption"),
        id="padded-and-rejected",
    ),
    pytest.param(
        run_of(USER, reply(("a", "ls")), result("a", **PADDED), ended(), calls=1), id="another-command-was-padded"
    ),
    pytest.param(put("/info/model_stats/instance_cost", None), id="no-cost"),
    pytest.param(taken("/messages/2/extra/cost"), id="a-reply-without-cost"),
]


@pytest.mark.parametrize("tree", SILENT)
def test_is_silent(tree: Any) -> None:
    assert [] == lines(tree)


def test_the_three_ways_to_say_nothing_of_the_end_are_told_apart() -> None:
    trees = [put("/info/exit_status", None), put("/info/exit_status", ""), taken("/info/exit_status")]
    messages = {f.message for tree in trees for f in checked(tree).findings if f.code == "MJ106"}
    assert 3 == len(messages)


def test_a_cost_that_older_versions_leave_out_may_be_missing() -> None:
    messages = [{"role": "user", "content": "x"}, error(), {**reply(("a", "ls")), "extra": {"cost": 0.5}}]
    higher = run_of(*messages, calls=2)
    higher["info"]["model_stats"]["instance_cost"] = 0.7
    lower = run_of(*messages, calls=2)
    lower["info"]["model_stats"]["instance_cost"] = 0.4
    assert [0, 1] == [sum(line.startswith("MJ115") for line in lines(tree)) for tree in (higher, lower)]


def test_a_bare_list_has_places_of_its_own() -> None:
    tree = [USER, reply(("a", "ls")), result("b"), result("a")]
    assert ["MJ103 warning /2", "MJ107 info"] == lines(tree)


@pytest.mark.parametrize("tree", [None, 3, "text", True, 1.5])
def test_what_is_no_document_stops_after_the_bytes(tree: Any) -> None:
    answer = checked(tree)
    assert [("MJ007", Severity.ERROR)] == [(f.code, f.severity) for f in answer.findings]
    assert Stratum.BYTES is answer.stopped_after


def test_a_level_leaves_the_later_strata_out() -> None:
    tree = put("/messages/3/tool_call_id", "x", put("/info/model_stats/api_calls", 9))
    found = {
        level: sorted({f.code for f in check(Document(b"", tree), Options(level=level)).findings})
        for level in (Stratum.SHAPE, Stratum.REFERENCES, Stratum.MEANING)
    }
    assert [[], ["MJ102", "MJ103"], ["MJ102", "MJ103", "MJ105"]] == list(found.values())


def test_version_and_counts() -> None:
    answer = checked(FULL)
    assert ("mini-swe-agent-1.1", {}) == (answer.version, dict(answer.verdicts))
    assert (
        "turns of the model: 3, calls: 5, without a result: 1",
        "format errors: 1, other interrupts: 1",
    ) == answer.notes[1:]


EVIDENCE = [
    pytest.param(MINIMAL, "2.x", "native tool calls", id="tool-calls"),
    pytest.param(FULL, "2.x", "items of the Responses API", id="responses"),
    pytest.param(FIRST, "1.x", "messages of text alone", id="text"),
    pytest.param([{"role": "assistant", "content": "```mswea_bash_command\nls\n```"}], "2.x", "the fence", id="fence"),
    pytest.param({"messages": [], "info": {}}, "unknown", "", id="no-messages"),
]


@pytest.mark.parametrize(("tree", "generation", "evidence"), EVIDENCE)
def test_the_generation_is_told_with_its_evidence(tree: Any, generation: str, evidence: str) -> None:
    note = checked(tree).notes[0]
    assert (True, True) == (note.startswith(f"generation of mini-swe-agent: {generation}"), evidence in note)
