"""An ATIF document told and counted."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.formats.atif.story import facts, tell
from attraj.formats.story import Call, Passage, Result, Tokens
from attraj.jsonio import Document


def agent(message: object = "m", **members: object) -> dict[str, Any]:
    return {"source": "agent", "message": message, **members}


def told(*steps: object, **members: object) -> Document:
    return Document(
        b"", {"schema_version": "ATIF-v1.7", "agent": {"name": "a", "version": "1"}, "steps": list(steps), **members}
    )


USER = {"source": "user", "message": "do it"}
METERED = {"prompt_tokens": 5, "completion_tokens": 2}


@pytest.mark.parametrize(
    ("document", "tokens"),
    [
        pytest.param(
            told(USER, agent(), final_metrics={"total_prompt_tokens": 9, "total_completion_tokens": 4}),
            Tokens(9, 4, basis="final_metrics"),
            id="totals",
        ),
        pytest.param(
            told(agent(), final_metrics={"total_prompt_tokens": 0, "total_cached_tokens": 0}),
            Tokens(None, None, 0, basis="final_metrics"),
            id="zero-for-not-measured",
        ),
        pytest.param(told(agent(), final_metrics={"total_prompt_tokens": "9"}), Tokens(), id="totals-of-another-type"),
        pytest.param(
            told(USER, agent(metrics=METERED), agent(metrics=METERED)),
            Tokens(10, 4, basis="sum over the steps"),
            id="every-step-measured",
        ),
        pytest.param(told(agent(metrics=METERED), agent()), Tokens(), id="one-step-not-measured"),
        pytest.param(
            told(agent(metrics=METERED), agent(llm_call_count=0)),
            Tokens(5, 2, basis="sum over the steps"),
            id="a-step-without-a-model-call",
        ),
        pytest.param(
            told(agent(metrics=METERED, is_copied_context=True), agent(metrics=METERED)),
            Tokens(5, 2, basis="sum over the steps"),
            id="copied-steps-count-once",
        ),
        pytest.param(told(*[agent(metrics=METERED)] * 3), Tokens(), id="one-counter-repeated"),
        pytest.param(told(USER), Tokens(), id="nothing"),
    ],
)
def test_tokens_are_those_recorded_or_unknown(document: Document, tokens: Tokens) -> None:
    assert tokens == facts(document).tokens


def test_copied_steps_and_those_of_subagents_are_not_the_runs_own() -> None:
    call = {"tool_call_id": "c", "function_name": "f", "arguments": {}}
    document = told(
        agent(is_copied_context=True, tool_calls=[call]),
        agent(tool_calls=[call, call]),
        agent(extra={"is_sidechain": True}, tool_calls=[call]),
        subagent_trajectories=[{"steps": [USER], "subagent_trajectories": [{"steps": []}]}],
    )
    found = facts(document)
    assert (1, 2, 2, True) == (found.steps, found.calls, found.subagents, found.is_segment)
    assert ["copied context"] == list(next(iter(tell(document).steps)).marks)


@pytest.mark.parametrize(
    ("step", "marks"),
    [
        pytest.param(agent(llm_call_count=0), ("zero-call",), id="zero-call"),
        pytest.param(agent(llm_call_count=3), ("3 model calls",), id="several-calls"),
        pytest.param(
            {
                "source": "system",
                "message": "",
                "extra": {"context_management": {"type": "compaction", "boundary": "replace"}},
            },
            ("context replaced here (compaction)",),
            id="replaced",
        ),
        pytest.param(
            {"source": "system", "message": "", "extra": {"context_management": {"type": "mine", "boundary": []}}},
            ("context changed here",),
            id="words-of-its-own",
        ),
        pytest.param(agent(), (), id="plain"),
    ],
)
def test_marks(step: dict[str, Any], marks: tuple[str, ...]) -> None:
    assert marks == next(iter(tell(told(step)).steps)).marks


def test_results_are_paired_by_id_and_never_by_order() -> None:
    calls = [
        {"tool_call_id": "a", "function_name": "f", "arguments": {"x": 1}},
        {"tool_call_id": "b", "function_name": "g"},
    ]
    results = [{"source_call_id": "b", "content": ""}, {"source_call_id": "z", "content": "r"}, {}]
    step = next(iter(tell(told(agent(tool_calls=calls, observation={"results": results}))).steps))
    at = "/steps/0"
    where = f"{at}/observation/results"
    assert (
        Call("f", (Passage('{"x": 1}', f"{at}/tool_calls/0/arguments"),), f"{at}/tool_calls/0"),
        Call("g", None, f"{at}/tool_calls/1"),
    ) == step.calls
    assert (
        Result((Passage("", f"{where}/0/content", "empty"),), f"{where}/0", 1),
        Result(
            (Passage("r", f"{where}/1/content"),), f"{where}/1", None, ("names a call that this step does not have",)
        ),
        Result((), f"{where}/2"),
    ) == step.results


def test_a_call_that_nothing_answers_says_so() -> None:
    calls = [{"tool_call_id": "a", "function_name": "f", "arguments": {}}]
    step = next(iter(tell(told(agent(tool_calls=calls))).steps))
    assert [("no result recorded",)] == [call.marks for call in step.calls]


def test_media_are_named_and_not_dumped() -> None:
    parts = [
        {"type": "text", "text": "see"},
        {"type": "image", "source": {"media_type": "image/png", "path": "images/a.png"}},
        {"type": "image", "source": {"media_type": "image/png", "path": "data:image/png;base64," + "A" * 5000}},
        {"type": "audio", "source": {"media_type": "of/mine", "path": 3}},
    ]
    passages = next(iter(tell(told(agent(parts))).steps)).passages
    assert [
        ("see", ""),
        ("images/a.png", "image (image/png), in a file of its own"),
        ("", "image (image/png), inline: 5,022 characters, not shown"),
        ("", "audio, without a path"),
    ] == [(passage.text, passage.label) for passage in passages]


def test_subagents_are_told_after_the_run_and_numbers_go_on() -> None:
    steps = list(tell(told(USER, agent(), subagent_trajectories=[{"steps": [USER]}, {"steps": [agent()]}])).steps)
    assert [
        (1, "task", "/steps/0", ()),
        (2, "agent", "/steps/1", ()),
        (3, "user", "/subagent_trajectories/0/steps/0", ("subagent 1, step 1",)),
        (4, "agent", "/subagent_trajectories/1/steps/0", ("subagent 2, step 1",)),
    ] == [(step.number, step.role, step.pointer, step.marks) for step in steps]


@pytest.mark.parametrize("value", [None, 3, "x", [], {}, [None, 3, [], {}, [[]]]])
@pytest.mark.parametrize(
    "member", ["message", "tool_calls", "observation", "metrics", "extra", "source", "timestamp", "reasoning_content"]
)
def test_any_type_anywhere_is_told(member: str, value: object) -> None:
    document = told({**agent(), member: value}, value, final_metrics=value, subagent_trajectories=value)
    assert 2 <= len(list(tell(document).steps))
