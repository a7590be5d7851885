"""Replies of the model, and commands of a person: decisions, reasons, and the calls that they ask for.

`extra.actions` is the truth of what ran, the calls of what was asked; that a call ran is told by its result.
Source: traj.md §3.3, §7.5.
"""

from __future__ import annotations

from typing import Any

from attraj.bundle.markers import unavailable
from attraj.formats.mapping.fields import At, Json, look_up, merged, tokens_of
from attraj.formats.mapping.forms import json_text_of
from attraj.formats.mini_swe_agent.places import call_place, says
from attraj.formats.mini_swe_agent.scene import AGENT, COSTS, MODEL, PRINCIPAL, TIMES, TOOL, Scene
from attraj.formats.mini_swe_agent.text_calls import ADMITTED, command_of, read_text_call, told_by
from attraj.formats.mini_swe_agent.turns import Call, Turn, extra_of, is_submission

_NOT_RUN = "the result says that it was not executed"


def read_reply(scene: Scene, position: int, message: Json) -> None:
    """A message of the assistant: its reasons, the decision, its calls."""
    at, name = scene.place_of(position), f"message:{position + 1}"
    reasons = _reasoning(scene, name, at, message)
    members = merged(scene.take("reply", name, at, message), _account(scene, name, at, message))
    _decide(scene, position, name, members, reasons)
    for member in message:  # the provider's own reply says it again
        again = (*at, "extra", "response", "choices", 0, "message", member)
        if member != "extra" and again not in scene.reading.taken:
            scene.reading.repeats(again, (*at, member))
    turn = scene.turns[position]
    command = command_of(message.get("content")) if scene.has_text_calls and turn.mode == "text" else None
    if command is not None:
        read_text_call(scene, turn, name, command)
    elif turn.mode == "text" and not turn.calls:
        detail = "the call stands in the text of the reply, and is not parsed out of it"
        scene.draft.lose("call-in-text", "request_vs_effect", "approximated", at, detail)
    _calls(scene, turn, message, name)


def read_response(scene: Scene, position: int, message: Json) -> None:
    """A reply in the shape of the Responses API: one item with all its parts."""
    at, name = scene.place_of(position), f"message:{position + 1}"
    reasons, members = _output(scene, name, at, message)
    members = merged(members, scene.take("response", name, at, message))
    members = merged(members, scene.take("account of a response", name, at, message))
    members = merged(members, scene.first(COSTS[:1], name, at, message))
    members = merged(members, scene.first(TIMES, name, at, message))
    _decide(scene, position, name, members, reasons)
    _calls(scene, scene.turns[position], message, name)


def read_lost_reply(scene: Scene, position: int, message: Json) -> str:
    """The reply that a format error speaks of; where it was not kept, that there was one is all that is known."""
    at, name = scene.place_of(position), f"message:{position + 1}/reply"
    extra = extra_of(message)
    response = extra.get("response")
    is_response = type(response) is dict and type(response.get("output")) is list
    reasons: list[str] = []
    members: Json = {}
    if type(extra.get("model_response")) is str:
        members = scene.take("unparsed reply", name, at, message)
    elif is_response and type(response) is dict:
        reasons, members = _output(scene, name, (*at, "extra", "response"), response)
        members = merged(members, scene.take("account of a response", name, (*at, "extra", "response"), response))
    elif type(response) is dict:
        members = scene.take("unparsed reply of the provider", name, at, message)
    if not is_response:
        reasons = _reasoning(scene, name, at, message) if type(response) is dict else []
        members = merged(members, scene.first(("account of the provider",), name, at, message))
    members = merged(members, scene.first(COSTS, name, at, message))
    if type(response) is not dict and "payload" not in members:
        members["payload"] = {"content": unavailable("the reply was not kept")}
        scene.draft.lose("lost-reply", "other", "dropped", at, "a reply that could not be parsed was not kept")
    scene.decide(name, members, at, "rejected")
    _link(scene, reasons, name)
    return name


def read_command(scene: Scene, position: int, message: Json, name: str) -> None:
    """The command of a person in interactive mode."""
    turn = scene.turns[position]
    for number, call in enumerate(turn.calls, 1):
        _call(scene, _Asked(turn, call, message, name, number), PRINCIPAL, {"status": "not_required"})


def _decide(scene: Scene, position: int, name: str, members: Json, reasons: list[str]) -> None:
    follows = scene.messages[position + 1] if position + 1 < len(scene.messages) else None
    is_rejected = is_kept_though_rejected(scene.messages[position], follows)
    scene.decide(name, members, scene.place_of(position), "rejected" if is_rejected else "")
    scene.decisions[position] = name
    scene.in_context(name)
    _link(scene, reasons, name)


def is_kept_though_rejected(reply: Any, follows: Any) -> bool:
    """Whether a format error speaks of the message before it: a reply without a parsed action."""
    if type(follows) is not dict or extra_of(follows).get("interrupt_type") != "FormatError":
        return False
    extra = extra_of(follows)
    is_reply = type(reply) is dict and (reply.get("role") == "assistant" or reply.get("object") == "response")
    return is_reply and not extra_of(reply).get("actions") and not (extra.keys() & {"response", "model_response"})


def _link(scene: Scene, reasons: list[str], decision: str) -> None:
    for reason in reasons:
        scene.draft.edge(reason, decision, "recorded", "depends_on")
        scene.draft.disclosure["private_reasoning"] = "included"


# --- what a reply says ---------------------------------------------------------------------------------------------


def _account(scene: Scene, name: str, at: At, message: Json) -> Json:
    """What the call cost and used, and when its reply was made, as far as the message says so."""
    members = scene.first(("account of the provider",), name, at, message)
    return merged(merged(members, scene.first(COSTS, name, at, message)), scene.first(TIMES, name, at, message))


def _reasoning(scene: Scene, name: str, at: At, message: Json) -> list[str]:
    """Recorded reasoning of a chat message: its own, else what the provider's reply has of it."""
    node_id = f"{name}/reasoning"
    for place in ("reasoning", "reasoning of the provider"):
        if says(place, message):
            return [scene.node(node_id, "reasoning_summary", MODEL, scene.take(place, node_id, at, message), at)]
    return []


def _output(scene: Scene, name: str, at: At, response: Json) -> tuple[list[str], Json]:
    """Reasons and text of the output of the Responses API; its calls are read by their turn."""
    reasons: list[str] = []
    members: Json = {}
    output = response.get("output")
    for index, item in enumerate(output if type(output) is list else ()):
        if type(item) is not dict:
            continue
        here = (*at, "output", index)
        kind, content = item.get("type"), item.get("content")
        if kind == "reasoning" and item.get("encrypted_content") is not None:  # it stays in the residue
            scene.draft.disclosure["private_reasoning"] = "included"
        if kind == "reasoning" and type(item.get("summary")) is list and item["summary"]:
            place = "short reasoning item" if _is_one_text(item["summary"]) else "reasoning item"
            node_id = f"{name}/reasoning:{index + 1}"
            said = scene.take(place, node_id, here, item)
            reasons.append(scene.node(node_id, "reasoning_summary", MODEL, said, here))
        elif kind == "message" and type(content) is list and content and not members:
            place = "only text of a response" if _is_one_text(content) else "text of a response"
            members = scene.take(place, name, here, item)
        elif kind == "message" and type(content) is list and content:
            node_id = f"{name}/text:{index + 1}"
            said = scene.take("further text of a response", node_id, here, item)
            scene.node(node_id, "event", MODEL, said, here)
    return reasons, members


def _is_one_text(parts: list[Any]) -> bool:
    return len(parts) == 1 and type(parts[0]) is dict and type(parts[0].get("text")) is str


# --- what a reply asks for -----------------------------------------------------------------------------------------


class _Asked:
    """One call of a turn, where it stands, and which of the parsed actions is the one that ran for it."""

    def __init__(self, turn: Turn, call: Call, message: Json, name: str, number: int, ran: int | None = None) -> None:
        self.turn, self.call, self.message, self.ran = turn, call, message, ran
        self.decision, self.node_id = name, f"{name}/call:{number}"

    @property
    def command(self) -> str:
        return self.call.command or ""


def _calls(scene: Scene, turn: Turn, message: Json, name: str) -> None:
    ran = _actions(message)
    for number, call in enumerate(turn.calls, 1):
        asked = _Asked(turn, call, message, name, number, ran.pop(call.id, None) if call.id is not None else None)
        _call(scene, asked, AGENT, _admission(scene, asked))
    for index in turn.unasked:
        place = scene.place_of(turn.position, "extra", "actions", index)
        scene.draft.lose("unasked-action", "request_vs_effect", "dropped", place, "no call of the reply asks for it")


def _actions(message: Json) -> dict[str, int]:
    """Call id to the position of the first action that names it."""
    actions = extra_of(message).get("actions")
    found: dict[str, int] = {}
    for index, action in enumerate(actions if type(actions) is list else ()):
        if type(action) is dict and type(action.get("tool_call_id")) is str:
            found.setdefault(action["tool_call_id"], index)
    return found


def _call(scene: Scene, asked: _Asked, actor: Json, admission: Json) -> None:
    path = tokens_of(asked.call.pointer)
    at, source = scene.place_of(asked.turn.position, *path), look_up(asked.message, path)
    if asked.call.pointer.startswith("/extra/"):
        place, kind = "command", "shell_command"
    else:
        is_item = asked.call.pointer.startswith("/output/")
        holder = source if is_item or type(source) is not dict else source.get("function")
        arguments = holder.get("arguments") if type(holder) is dict else None
        place, kind = call_place(is_item, json_text_of(arguments)), "tool_call"
    members = merged(
        {"action": {"kind": kind}, "admission": dict(admission)}, scene.take(place, asked.node_id, at, source)
    )
    is_proposed = admission["status"] in ("denied", "proposed")
    scene.node(asked.node_id, "proposal" if is_proposed else "action", actor, members, at)
    scene.draft.edge(asked.decision, asked.node_id, "recorded")
    scene.actions[id(asked.call)] = asked.node_id
    if asked.call.result is None:
        scene.unanswered.append(asked.node_id)
    if admission == ADMITTED or actor is PRINCIPAL:
        _effect(scene, asked, at)


def _effect(scene: Scene, asked: _Asked, at: At) -> None:
    """That the call ran: its result says so, or that the run was submitted by it. No receipt stands behind it."""
    if asked.call.result is None and not scene.is_submitted_by(asked.turn, asked.command):
        return
    node_id = f"{asked.node_id}/effect"
    members: Json = {"effect": {"external": True, "receipt_status": "none_authoritative"}}
    if asked.ran is not None:
        here = scene.place_of(asked.turn.position, "extra", "actions", asked.ran)
        action = extra_of(asked.message)["actions"][asked.ran]
        members, at = merged(members, scene.take("execution", node_id, here, action)), here
        scene.reading.repeats((*here, "tool_call_id"), id_place(scene, asked.turn, asked.call))
    scene.node(node_id, "effect", TOOL, members, at)
    scene.draft.edge(asked.node_id, node_id, "call_id" if asked.call.id is not None else "loop_semantics")
    scene.ran[asked.node_id] = node_id
    told_by(scene, at, is_answered=asked.call.result is not None)


def _admission(scene: Scene, asked: _Asked) -> Json:
    """What became of the call, as far as the run says so."""
    if asked.call.is_padded:
        if is_submission(asked.command) and _ends_a_task(scene, asked.turn):
            return {"status": "unknown", "reason": "its result says that it was not executed, and it ended a task"}
        if _kinds_after(scene, asked.turn) & {"UserRejection"}:
            return {"status": "denied", "authority": "principal", "reason": "rejected by the user"}
        return {"status": "proposed", "reason": _NOT_RUN}
    if asked.call.result is not None or scene.is_submitted_by(asked.turn, asked.command):
        return ADMITTED
    return {"status": "unknown"}


def _kinds_after(scene: Scene, turn: Turn) -> set[str]:
    """What broke into the loop between this turn and the next."""
    return scene.interrupts_after.get(turn.position, set())


def _ends_a_task(scene: Scene, turn: Turn) -> bool:
    is_last = turn is scene.run.turns[-1]
    return "UserNewTask" in _kinds_after(scene, turn) or (is_last and scene.run.exit is not None)


def id_place(scene: Scene, turn: Turn, call: Call) -> At:
    """Where a call says its id."""
    name = "call_id" if call.pointer.startswith("/output/") else "id"
    return scene.place_of(turn.position, *tokens_of(call.pointer), name)
