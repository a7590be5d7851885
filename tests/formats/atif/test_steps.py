"""One step: its number, its source, its message, its time, its model calls."""

from __future__ import annotations

from typing import Any

import pytest

from tests.formats.atif.documents import check, full, steps, told, turn

AT = "/steps/0"


def stamped(*times: str, **members: Any) -> Any:
    return steps(*[{"timestamp": time, **members} for time in times])


BAD = [
    pytest.param(steps({"step_id": 0}, {"step_id": 1}), [("ATIF007", f"{AT}/step_id")], id="from-zero-told-once"),
    pytest.param(
        steps({}, {"step_id": 3}, {"step_id": 4}, {"step_id": 5}),
        [("ATIF007", "/steps/1/step_id")],
        id="gap-told-once",
    ),
    pytest.param(steps({}, {"step_id": 1}), [("ATIF007", "/steps/1/step_id")], id="number-twice"),
    pytest.param(
        steps({"step_id": "1"}, {"step_id": 2.0}, {"step_id": True}),
        [("ATIF007", f"/steps/{i}/step_id") for i in range(3)],
        id="number-of-another-type",
    ),
    pytest.param(
        steps({"step_id": None, "source": None}, {"source": "assistant"}),
        [("ATIF007", f"{AT}/step_id"), ("ATIF008", f"{AT}/source"), ("ATIF008", "/steps/1/source")],
        id="sources",
    ),
    pytest.param(
        steps({"message": None}, {"message": 5}, {"message": []}),
        [("ATIF009", "/steps/0/message"), ("ATIF009", "/steps/1/message"), ("ATIF009 w", "/steps/2/message")],
        id="messages",
    ),
    pytest.param(
        steps({"model_name": "", "metrics": {}, "tool_calls": []}),
        [("ATIF010", f"{AT}/metrics"), ("ATIF010", f"{AT}/model_name"), ("ATIF010", f"{AT}/tool_calls")],
        id="agent-only-members-even-empty",
    ),
    pytest.param(stamped("yesterday"), [("ATIF011", f"{AT}/timestamp")], id="words"),
    pytest.param(stamped("2026-02-30T00:00:00Z"), [("ATIF011", f"{AT}/timestamp")], id="day-that-does-not-exist"),
    pytest.param(stamped("2026-01-01T00:00:60Z"), [("ATIF011", f"{AT}/timestamp")], id="second-60-refused-by-harbor"),
    pytest.param(stamped("2026-01-01T00:00:00z"), [("ATIF011", f"{AT}/timestamp")], id="small-z-refused-by-harbor"),
    pytest.param(
        stamped("2026-01-01", "2026-01-02", "20260103T000000Z", "2026-W53-1", "2026-12-31 00:00:00Z"),
        [("ATIF011 w", f"{AT}/timestamp")],
        id="odd-forms-told-once",
    ),
    pytest.param(
        stamped("2026-01-01T00:00:00", "2026-01-01T00:00:01"), [("ATIF115 w", f"{AT}/timestamp")], id="no-zone"
    ),
    pytest.param(
        stamped("2026-01-01T00:00:05Z", "2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"),
        [("ATIF034 w", "/steps/1/timestamp")],
        id="time-goes-back-told-once",
    ),
    pytest.param(
        stamped("2026-01-01T00:00:00.9Z", "2026-01-01T00:00:00Z"),
        [("ATIF034 w", "/steps/1/timestamp")],
        id="less-than-a-second-back",
    ),
    pytest.param(
        steps(turn(llm_call_count=0, metrics={}, reasoning_content="")),
        [("ATIF016", f"{AT}/metrics"), ("ATIF016", f"{AT}/reasoning_content")],
        id="model-data-without-call",
    ),
    pytest.param(
        steps(
            turn("a", llm_call_count=2, metrics={"prompt_tokens": 1}),
            turn("b", llm_call_count=3, metrics={"prompt_tokens": 2}),
        ),
        [("ATIF017 i", f"{AT}/metrics")],
        id="aggregates-told-once",
    ),
    pytest.param(steps({"llm_call_count": -1}), [("ATIF111", f"{AT}/llm_call_count")], id="negative-count-of-calls"),
    pytest.param(
        steps(turn(reasoning_effort=float("inf"))), [("ATIF111", f"{AT}/reasoning_effort")], id="infinite-effort"
    ),
    pytest.param(
        steps({"extra": {"context_management": {"type": "compaction", "boundary": "append"}}}),
        [("ATIF030 w", f"{AT}/extra/context_management")],
        id="boundary-on-a-user-step",
    ),
    pytest.param(
        steps({"source": "system", "extra": {"context_management": {"boundary": 5}}}),
        [("ATIF030 w", f"{AT}/extra/context_management")],
        id="boundary-without-words",
    ),
    pytest.param(
        steps({"source": "system", "extra": {"context_management": {"type": "compaction", "boundary": "replace"}}}),
        [("ATIF030 w", f"{AT}/extra/context_management")],
        id="replace-by-nothing",
    ),
    pytest.param(
        steps(turn(is_copied_context=True)), [("ATIF029 w", "/steps")], id="every-step-of-the-agent-is-copied"
    ),
]
GOOD = [
    pytest.param(steps({"reasoning_content": None, "metrics": None}), id="null-is-absence"),
    pytest.param(steps({"observation": {"results": []}}), id="observation-of-a-user-as-harbor-takes-it"),
    pytest.param(steps({"llm_call_count": 0}, {"llm_call_count": 3}), id="count-of-calls-on-a-user-step"),
    pytest.param(steps(turn(reasoning_effort=3), {"source": "agent", "reasoning_effort": "high"}), id="efforts"),
    pytest.param(
        stamped("2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000000001Z", "2026-01-01T02:00:01+02:00"), id="times"
    ),
    pytest.param(
        steps(
            {"timestamp": "2026-01-02T00:00:00Z"},
            {"timestamp": "2026-01-01T00:00:00Z", "is_copied_context": True},
            {"timestamp": "2026-01-01T00:00:00Z", "extra": {"is_sidechain": True}},
            {"timestamp": "2026-01-02T00:00:00Z"},
        ),
        id="copies-and-subagents-are-not-in-the-order-of-time",
    ),
    pytest.param(
        steps({"source": "system", "extra": {"context_management": {"type": "pruning", "boundary": "truncate"}}}),
        id="truncated-context",
    ),
    pytest.param(
        steps({"source": "system", "extra": {"context_management": {"type": "own", "boundary": "own"}}}),
        id="the-sets-of-words-are-open",
    ),
    pytest.param(steps(turn(is_copied_context=True), {"source": "agent"}), id="one-new-step-of-the-agent"),
]


@pytest.mark.parametrize(("given", "expected"), BAD)
def test_tells(given: Any, expected: list[tuple[str, str]]) -> None:
    assert sorted(expected) == told(given)


@pytest.mark.parametrize("given", GOOD)
def test_is_silent(given: Any) -> None:
    assert [] == told(given)


def test_a_number_that_stands_twice_names_the_first() -> None:
    [finding] = check(steps({}, {"step_id": 1})).findings
    assert ["/steps/0/step_id"] == [related.pointer for related in finding.related]


def test_a_count_says_how_often() -> None:
    [finding] = check(stamped(*["2026-01-01T00:00:00"] * 7)).findings
    assert "7 places" in finding.message


def test_steps_of_subagents_among_the_others_are_noted() -> None:
    tree = full([{"op": "add", "path": "/steps/1/extra", "value": {"is_sidechain": True}}])
    assert any("subagents" in note for note in check(tree).notes)
