"""The reading of a run: turns, calls, results and interrupts."""

from __future__ import annotations

from typing import Any

from attraj.formats.mini_swe_agent.turns import Turn, read
from tests.formats.mini_swe_agent.documents import FIRST, FULL, PADDED, ended, error, reply, result


def told(turn: Turn) -> tuple[Any, ...]:
    return turn.position, turn.mode, turn.is_human, [(call.id, call.command, call.result) for call in turn.calls]


def test_a_run_of_the_responses_api_with_a_person_in_it() -> None:
    run = read(FULL["messages"])
    assert [
        (3, "responses", False, [("call-1", "ls", 4), ("call-2", "wc -l log.txt", 5)]),
        (6, "responses", False, [("call-3", "rm log.txt", 7)]),
        (9, "text", True, [(None, "pwd", 10)]),
        (11, "responses", False, [("call-4", "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && echo twelve", None)]),
    ] == [told(turn) for turn in run.turns]
    assert ([(2, "FormatError", True), (8, "UserRejection", False)], 12) == (
        [(i.position, i.kind, i.has_reply) for i in run.interrupts],
        run.exit,
    )
    assert [True, False] == [run.turns[1].calls[0].is_padded, run.turns[0].calls[0].is_padded]
    assert {"system": 1, "user": 5, "response": 3, "function_call_output": 3, "exit": 1} == run.kinds


def test_a_run_of_1_x_has_turns_without_calls() -> None:
    run = read(FIRST["messages"])
    assert [(2, "text", False, []), (4, "text", False, [])] == [told(turn) for turn in run.turns]
    assert (None, [], []) == (run.exit, run.unmatched, run.unanswered())


def test_results_of_text_mode_follow_the_order_of_the_actions() -> None:
    done: dict[str, Any] = {"role": "user", "content": "out", "extra": {"returncode": 0}}
    run = read(
        [
            {"role": "assistant", "content": "x", "extra": {"actions": [{"command": "a"}, {"command": "b"}]}},
            done,
            done,
            done,
        ]
    )
    assert [(0, "text", False, [(None, "a", 1), (None, "b", 2)])] == [told(turn) for turn in run.turns]
    assert [3] == run.unmatched


def test_an_id_that_comes_again_stays_with_its_turn() -> None:
    run = read([reply(("a", "ls")), result("a", **PADDED), reply(("a", "pwd")), result("a"), ended()])
    assert [("a", "ls", 1), ("a", "pwd", 3)] == [(c.id, c.command, c.result) for t in run.turns for c in t.calls]
    assert [(2, "/tool_calls/0", 0)] == run.reused


def test_what_was_asked_for_and_never_parsed_has_no_command() -> None:
    message = reply(("a", "ls"), ("b", "pwd"))
    message["extra"]["actions"].pop()
    assert ["ls", None] == [call.command for call in read([message]).turns[0].calls]


def test_format_errors_tell_whether_the_reply_is_kept() -> None:
    run = read([error(), error(response={"id": "r"}), error(model_response="text")])
    assert [False, True, True] == [interrupt.has_reply for interrupt in run.format_errors()]


def test_what_is_no_message_is_passed_over() -> None:
    assert [1] == [turn.position for turn in read([None, reply(("a", "ls")), 3, [reply(("b", "ls"))]]).turns]
