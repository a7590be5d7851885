"""A `.traj` told and counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from attraj.formats.story import Tokens
from attraj.formats.swe_agent.telling import facts, light, tell, without_trajectory
from attraj.jsonio import Document


def step(action: str = "ls", response: str = "look", **members: Any) -> dict[str, Any]:
    return {
        "action": action,
        "observation": "out",
        "response": response,
        "thought": response,
        "state": {"open_file": "n/a"},
        "execution_time": 0.5,
        **members,
    }


def message(action: str = "ls", content: str = "look", **members: Any) -> dict[str, Any]:
    return {"role": "assistant", "agent": "main", "content": content, "thought": content, "action": action, **members}


def traj(*steps: Any, history: Any = (), **info: Any) -> dict[str, Any]:
    return {"trajectory": list(steps), "history": list(history), "info": info}


def document(tree: Any) -> Document:
    return Document(b"", tree)


REJECTED = step("", "two at once", observation="", state={}, execution_time=0.0)
EXIT = step("", "Exit due to cost limit", observation="", state={}, query=[{}])


@pytest.mark.parametrize(
    ("steps", "history", "marks", "role"),
    [
        pytest.param([step()], [message()], (), "agent", id="turn"),
        pytest.param([REJECTED, step()], [message()], ("rejected: format error",), "agent", id="format-error"),
        pytest.param(
            [{**REJECTED, "action": "vim a"}, step()],
            [message()],
            ("rejected: reason not recorded",),
            "agent",
            id="rejected-without-a-reason",
        ),
        pytest.param(
            [EXIT],
            [],
            ("synthetic exit: written by the loop, not by the model",),
            "runtime",
            id="made-up",
        ),
        pytest.param(
            [step()], [], ("run, and not in the history that the model goes on with",), "agent", id="forgotten"
        ),
    ],
)
def test_what_a_step_is(steps: list[Any], history: list[Any], marks: tuple[str, ...], role: str) -> None:
    first = next(iter(tell(document(traj(*steps, history=history))).steps))
    assert (marks, role) == (first.marks, first.role)


def test_a_rejected_proposal_has_no_result_and_a_made_up_exit_no_call() -> None:
    steps = list(tell(document(traj(REJECTED, EXIT))).steps)
    assert [((), ()), ((), 1)] == [(one.calls, one.results if one.results == () else len(one.results)) for one in steps]


def test_the_task_is_the_first_message_of_the_user_that_is_no_demonstration() -> None:
    history = [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "demo", "is_demo": True},
        {"role": "user", "content": [{"type": "text", "text": "fix it"}]},
        message(),
    ]
    story = tell(document(traj(step(), history=history)))
    assert story.task is not None
    assert ("fix it", "/history/2/content") == (story.task.text, story.task.pointer)


STATS = {"instance_cost": 0.5, "total_cost": 99.0, "tokens_sent": 7, "tokens_received": 3, "api_calls": 2}


@pytest.mark.parametrize(
    ("stats", "tokens", "cost"),
    [
        pytest.param(STATS, Tokens(7, 3, None, "litellm counter", "info.model_stats"), 0.5, id="litellm-s-count"),
        pytest.param(dict.fromkeys(STATS, 0), Tokens(), None, id="a-replay-counts-nothing"),
        pytest.param({"total_cost": 99.0}, Tokens(), None, id="the-cost-of-other-instances"),
        pytest.param({"tokens_sent": "7"}, Tokens(), None, id="another-type"),
    ],
)
def test_numbers(stats: dict[str, Any], tokens: Tokens, cost: float | None) -> None:
    found = facts(document(traj(step(), model_stats=stats)))
    assert (tokens, cost) == (found.tokens, found.cost_usd)


@pytest.mark.parametrize(
    ("info", "termination", "outcomes"),
    [
        pytest.param({"exit_status": "submitted"}, "submitted", (("agent_self_report", "succeeded"),), id="submitted"),
        pytest.param(
            {"exit_status": "submitted (exit_cost)"}, "submitted (exit_cost)", (("runtime", "partial"),), id="cut-off"
        ),
        pytest.param({"exit_status": "exit_context"}, "exit_context", (("runtime", "failed"),), id="failed"),
        pytest.param({"exit_status": "tok-of-mine"}, "other", (), id="a-word-of-its-own-is-not-repeated"),
        pytest.param({"exit_status": None}, "open: no exit status is recorded", (), id="open"),
        pytest.param({}, "open: no exit status is recorded", (), id="absent"),
    ],
)
def test_how_it_ended(info: dict[str, Any], termination: str, outcomes: object) -> None:
    found = facts(document(traj(step(), **info)))
    assert (termination, outcomes) == (found.termination, found.outcomes)


def test_the_attempts_of_a_retry_agent_count_once() -> None:
    tree = {**traj(step(), step()), "attempts": [traj(step()), traj(step(), step())]}
    found = facts(document(tree))
    assert (2, 2, 2) == (found.steps, found.calls, found.attempts)
    assert [1, 2] == [one.number for one in tell(document(tree)).steps]


def test_attempts_alone_are_all_told() -> None:
    steps = list(tell(document({"attempts": [traj(step()), traj(step())]})).steps)
    marks = "run, and not in the history that the model goes on with"
    assert [("attempt 1, step 1", marks), ("attempt 2, step 1", marks)] == [one.marks for one in steps]


def test_a_large_file_is_told_alike_without_its_model_inputs(tmp_path: Path) -> None:
    steps = [step(query=[{"role": "user", "content": "x"}]) for _ in range(2)]
    tree = traj(*steps, history=[message(), message()], exit_status="submitted")
    path = tmp_path / "a.traj"
    path.write_text(json.dumps(tree), encoding="utf-8")
    assert facts(document(tree)) == facts(light(path))
    whole, without = list(tell(document(tree)).steps), list(tell(light(path)).steps)
    assert [one.passages for one in whole] == [one.passages for one in without]
    assert [True, False] == ["query" in one for one in light(path).tree["trajectory"]]


@pytest.mark.parametrize("value", [None, 3, "x", [], {}, [None, 3, [], {}]])
@pytest.mark.parametrize("member", ["trajectory", "history", "info", "attempts", "replay_config", "environment"])
def test_any_type_anywhere_is_told(member: str, value: object) -> None:
    tree = {**traj(step(), history=[message()]), member: value}
    steps = [one.number for one in tell(document(tree)).steps]
    assert list(range(1, len(steps) + 1)) == steps


HISTORY = [{"role": "user", "content": "Do it."}]
DEMONSTRATION = "a demonstration: a history without a trajectory"
BROKEN = "the steps cannot be told, for the trajectory is missing or broken"


@pytest.mark.parametrize(
    ("tree", "remarks", "steps"),
    [
        pytest.param({"history": HISTORY, "replay_config": {}}, (DEMONSTRATION,), 1, id="a-demonstration"),
        pytest.param(
            {"trajectory": None, "history": HISTORY, "info": {}},
            (f"{BROKEN}: these are the messages of the history",),
            1,
            id="null",
        ),
        pytest.param(
            {"trajectory": {}, "history": HISTORY},
            (f"{BROKEN}: these are the messages of the history",),
            1,
            id="object",
        ),
        pytest.param(
            {"history": HISTORY, "info": {}}, (f"{BROKEN}: these are the messages of the history",), 1, id="lost"
        ),
        pytest.param({"trajectory": 3, "info": {}}, (BROKEN,), 0, id="nothing-to-tell-instead"),
        pytest.param({"attempts": []}, (), 0, id="a-retry-agent-before-its-first-attempt"),
        pytest.param({"trajectory": [], "history": []}, (), 0, id="no-steps"),
    ],
)
def test_what_is_told_instead_of_steps_is_called_what_it_is(tree: Any, remarks: tuple[str, ...], steps: int) -> None:
    story = tell(document(tree))
    assert (remarks, steps) == (story.remarks, len(list(story.steps)))


@pytest.mark.parametrize(
    ("status", "termination", "outcomes"),
    [
        pytest.param(
            "Uncaught SomeError", "no trajectory: uncaught exception", (("runtime", "failed"),), id="uncaught"
        ),
        pytest.param("exit_cost", "no trajectory: exit_cost", (("runtime", "failed"),), id="lost-after-its-end"),
        pytest.param("tok-of-mine", "no trajectory: no reason is recorded", (), id="a-word-of-its-own"),
        pytest.param(None, "no trajectory: no reason is recorded", (), id="nothing-is-known"),
    ],
)
def test_an_instance_without_a_trajectory_ended_without_one(
    status: str | None, termination: str, outcomes: Any
) -> None:
    found = without_trajectory(status)
    assert (termination, outcomes) == (found.termination, found.outcomes)
    assert (None, None, None, Tokens()) == (found.steps, found.calls, found.cost_usd, found.tokens)
