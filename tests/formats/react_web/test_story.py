"""ReAct web JSON told and counted."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.formats.react_web.story import facts, tell
from attraj.formats.story import Facts
from attraj.jsonio import Document


def action(tool: str = "search", iteration: int = 1) -> dict[str, Any]:
    return {"iteration": iteration, "type": "action", "tool": tool, "args": {"q": "x"}}


def observation(tool: str = "search", iteration: int = 1) -> dict[str, Any]:
    return {"iteration": iteration, "type": "observation", "tool": tool, "content": "r"}


def document(*steps: Any, **members: Any) -> Document:
    return Document(b"", {"title": "t", "model": "m", "task": "q?", "steps": list(steps), **members})


@pytest.mark.parametrize(
    ("steps", "marks"),
    [
        pytest.param(
            [action(), observation()], ("iteration 1", "answers step 1 (the only one that was open)"), id="one-was-open"
        ),
        pytest.param(
            [action(), action("other"), observation()], ("iteration 1", "answers step 1 (by its tool)"), id="by-tool"
        ),
        pytest.param(
            [action(), action(), observation()],
            ("iteration 1", "answers step 1 (a guess: several were open for this tool)"),
            id="a-guess-says-so",
        ),
        pytest.param(
            [action(), observation(iteration=2)],
            ("iteration 2", "answers no action that is open in its iteration"),
            id="never-across-iterations",
        ),
    ],
)
def test_an_observation_says_what_it_answers_and_how_sure_that_is(steps: list[Any], marks: tuple[str, ...]) -> None:
    assert marks == list(tell(document(*steps)).steps)[-1].marks


def test_an_action_that_nothing_answers_says_so() -> None:
    step = next(iter(tell(document(action())).steps))
    assert [("search", ("no result recorded",))] == [(call.name, call.marks) for call in step.calls]


def test_what_is_counted() -> None:
    found = facts(document(action(), observation(), outcome="loop"))
    assert found == Facts(
        "react-web", models=("m",), steps=2, calls=1, outcomes=(("unknown", "loop"),), termination="loop"
    )


@pytest.mark.parametrize(
    ("outcome", "outcomes"),
    [
        pytest.param("success", (("unknown", "success"),), id="the-authors-label-has-no-authority"),
        pytest.param("tok-of-mine", (("unknown", "other"),), id="another-word-is-not-repeated"),
        pytest.param(None, (), id="none"),
    ],
)
def test_the_outcome(outcome: object, outcomes: object) -> None:
    assert outcomes == facts(document(outcome=outcome)).outcomes


@pytest.mark.parametrize("value", [None, 3, "x", [], {}, [None, 3, [], {}]])
@pytest.mark.parametrize("member", ["type", "tool", "args", "content", "iteration"])
def test_any_type_anywhere_is_told(member: str, value: object) -> None:
    told = tell(document({**action(), member: value}, value, task=value, outcome=value))
    assert [1, 2] == [step.number for step in told.steps]
