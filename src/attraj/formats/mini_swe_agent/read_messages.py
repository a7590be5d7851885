"""The messages of a run, one after another: what was said, what came back, what broke into the loop, how it ended.

Each message is one or more records. In 1.x results are messages of the user without a mark of their own: what has the
frame of a result is one, and of anything else nothing is claimed. Source: traj.md §3.2, §3.3, §7.5.
"""

from __future__ import annotations

from typing import Any

from attraj.formats.mapping.fields import At, Json, merged
from attraj.formats.mini_swe_agent.places import says
from attraj.formats.mini_swe_agent.read_replies import (
    id_place,
    is_kept_though_rejected,
    read_command,
    read_lost_reply,
    read_reply,
    read_response,
)
from attraj.formats.mini_swe_agent.scene import HARNESS, PRINCIPAL, RUNTIME, TIMES, TOOL, UNKNOWN, Scene
from attraj.formats.mini_swe_agent.text_calls import is_framed
from attraj.formats.mini_swe_agent.turns import extra_of, kind_of

_OF_A_PERSON = frozenset({"UserInterruption", "UserRejection", "UserNewTask"})


def read_messages(scene: Scene, submission: Any) -> str:
    """All messages.

    Args:
        scene: What is filled.
        submission: `info.submission`: what a last message of 1.x repeats when it is the end.

    Returns:
        The node of the end; "" when no message is one.
    """
    return _Messages(scene, submission).read()


class _Messages:
    def __init__(self, scene: Scene, submission: Any) -> None:
        self._scene, self._submission = scene, submission
        self._has_task = False
        self._reply = ""  # the last decision, while nothing has come back that it could have led to
        self._end = ""

    def read(self) -> str:
        scene = self._scene
        for position, message in enumerate(scene.messages):
            if type(message) is not dict:
                scene.draft.lose("not-a-message", "other", "dropped", scene.place_of(position), "it is no object")
                continue
            self._message(position, message, kind_of(message))
        return self._end

    def _message(self, position: int, message: Json, kind: str) -> None:
        scene = self._scene
        if kind == "assistant" or kind == "response":
            (read_reply if kind == "assistant" else read_response)(scene, position, message)
            self._reply = f"message:{position + 1}"
        elif kind in ("tool", "function_call_output"):
            self._result(position, message, "result" if kind == "tool" else "result item")
        elif kind == "exit":
            self._exit(position, message, "exit")
        elif kind in ("user", "message"):
            self._said(position, message)
        elif kind in ("system", "developer"):
            self._input(position, message, HARNESS)
        else:
            self._add("other message", "event", position, message, UNKNOWN)

    # --- messages of the user ------------------------------------------------------------------------------------

    def _said(self, position: int, message: Json) -> None:
        extra = extra_of(message)
        interrupt = extra.get("interrupt_type")
        if type(interrupt) is str and interrupt:
            self._interrupt(position, message, interrupt)
        elif position in self._scene.answers or position in self._scene.run.unmatched:
            self._result(position, message, "result")
        elif position in self._scene.turns:
            read_command(self._scene, position, message, self._input(position, message, PRINCIPAL))
        elif self._reply and is_framed(message.get("content")):
            self._plain_result(position, message)
        elif self._is_end(position, message):
            self._exit(position, message, "other message")
        else:
            self._input(position, message, UNKNOWN if self._has_task else PRINCIPAL)
            self._has_task = True

    def _interrupt(self, position: int, message: Json, word: str) -> None:
        scene = self._scene
        actor = HARNESS if word == "FormatError" else PRINCIPAL if word in _OF_A_PERSON else UNKNOWN
        rejected = ""
        if word == "FormatError":
            before = scene.messages[position - 1] if position else None
            is_kept = is_kept_though_rejected(before, message)
            rejected = scene.decisions.get(position - 1, "") if is_kept else read_lost_reply(scene, position, message)
        name = self._input(position, message, actor)
        if rejected:
            scene.waiting.append((rejected, "retries", "loop_semantics"))
        scene.waiting.append((name, "triggered_by", "turn_order"))

    def _input(self, position: int, message: Json, actor: Json) -> str:
        place = "input item" if message.get("type") == "message" else "input"
        return self._add(place, "input", position, message, actor)

    # --- what came back --------------------------------------------------------------------------------------------

    def _result(self, position: int, message: Json, place: str) -> None:
        scene, at = self._scene, self._scene.place_of(position)
        answered = scene.answers.get(position)
        name = self._add(place, "observation", position, message, TOOL, self._own_id(position, message, place))
        if answered is None:
            detail = "it belongs to no call of the turn before it that waits for a result"
            scene.draft.lose("unlinked-result", "order_vs_causality", "approximated", at, detail)
        else:
            _turn, call = answered
            node_id = scene.actions[id(call)]
            cause = scene.ran.get(node_id, node_id)
            scene.draft.edge(cause, name, "call_id" if call.id is not None else "loop_semantics")
        scene.waiting.append((name, "triggered_by", "turn_order"))

    def _own_id(self, position: int, message: Json, place: str) -> str:
        """The place of an id that is not the one of the call; "" where both are the same fact."""
        scene, answered = self._scene, self._scene.answers.get(position)
        member, place_of_id = (
            ("call_id", "id of a result item") if place == "result item" else ("tool_call_id", "id of a result")
        )
        if answered is not None and answered[1].id is not None:
            turn, call = answered
            if scene.reading.repeats(scene.place_of(position, member), id_place(scene, turn, call)):
                return ""
        return place_of_id if says(place_of_id, message) else ""

    def _plain_result(self, position: int, message: Json) -> None:
        """A result of 1.x, which no member of the file stands for: the call is in the text of the reply."""
        name = self._add("result", "observation", position, message, TOOL)
        self._scene.draft.edge(self._scene.ran.get(self._reply, self._reply), name, "loop_semantics")
        self._scene.waiting.append((name, "triggered_by", "turn_order"))
        self._reply = ""

    # --- the end -----------------------------------------------------------------------------------------------------

    def _is_end(self, position: int, message: Json) -> bool:
        """1.x ends with a message of the user that says what was submitted, or why the run stopped."""
        is_last = position == len(self._scene.messages) - 1
        submission = self._submission
        return is_last and bool(self._reply) and type(submission) is str and message.get("content") == submission

    def _exit(self, position: int, message: Json, place: str) -> None:
        self._end = self._add(place, "terminal", position, message, RUNTIME)

    def _add(self, place: str, kind: str, position: int, message: Json, actor: Json, besides: str = "") -> str:
        scene, name = self._scene, f"message:{position + 1}"
        at: At = scene.place_of(position)
        members = scene.take(place, name, at, message)
        if besides:
            members = merged(members, scene.take(besides, name, at, message))
        members = merged(members, scene.first(TIMES, name, at, message))
        scene.node(name, kind, actor, members, at)
        scene.in_context(name)
        return name
