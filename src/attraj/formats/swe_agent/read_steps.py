"""Steps and messages → nodes: what was proposed, what was run, what came back, what the loop made up.

Spec: traj.md §1.5, §1.6, §7.1.
"""

from __future__ import annotations

from typing import Any

from attraj.bundle.markers import unavailable
from attraj.formats.mapping.fields import At, Json, merged
from attraj.formats.mapping.forms import json_text_of
from attraj.formats.mapping.holds import is_number
from attraj.formats.swe_agent.align import AlignedStep, StepKind
from attraj.formats.swe_agent.scene import AGENT, NOT_SAID, RUNTIME, Scene
from attraj.formats.swe_agent.values import child, first_call, items, text
from attraj.formats.swe_agent.views import holds_reply, next_state

_NO_IDENTITY = {"availability": "unavailable", "reason": "the source keeps no record of single model calls"}
_SEVERAL = {"availability": "unavailable", "reason": "several model calls stand behind it, and no record of each"}


def read_story(scene: Scene) -> None:
    """The nodes of one trajectory: its steps, with the messages of the history that no step stands for between."""
    aligned = scene.unit.alignment.steps
    claimed = {step.item for step in aligned} | {step.answer for step in aligned}
    told = 0
    for step in aligned:
        if step.item is not None:
            for position in range(told, step.item):
                if position not in claimed:
                    read_message(scene, position)
            told = max(told, step.item + 1)
        elif not told:  # what stands before the first reply comes before every step
            told = _opening(scene, claimed)
        if step.kind is not StepKind.NOT_A_STEP:
            _read_step(scene, step)
    for position in range(told, len(scene.unit.history)):
        if position not in claimed:
            read_message(scene, position)


def _opening(scene: Scene, claimed: set[int | None]) -> int:
    """Tell what the history has before the first of the agent's own messages; gives the position after it."""
    assistants = scene.unit.alignment.assistants
    end = assistants[0] if assistants else len(scene.unit.history)
    for position in range(end):
        if position not in claimed:
            read_message(scene, position)
    return end


def read_message(scene: Scene, position: int) -> None:
    """A message that no step stands for: an input, or a word of another agent, of a demonstration, of a lost turn."""
    message = scene.unit.history[position]
    if type(message) is not dict:
        return
    at = (*scene.at, "history", position)
    role = text(message, "role")
    is_input = role in ("system", "user")
    node_id = scene.id("history", position, "input" if is_input else "message")
    members = scene.take("message", node_id, at, message)
    foreign = _not_lived(members["payload"]) if role == "assistant" and "payload" in members else None
    if foreign is not None:
        scene.node(node_id, "decision", "unknown", "unknown", merged(members, foreign), at)
    elif role == "system" or (is_input and message.get("is_demo") is True):
        scene.node(node_id, "input", RUNTIME, "harness", members, at)
    elif is_input:
        scene.node(node_id, "input", "principal", "principal", members, at)
    else:
        is_tool = role == "tool"
        scene.node(
            node_id, "event", RUNTIME if is_tool else "unknown", "runtime" if is_tool else "unknown", members, at
        )


def _not_lived(payload: Json) -> Json | None:
    """What is to be said of a reply that a converter has marked as none of this run; None for another message."""
    if payload.get("is_copied_context") is True:
        marker = unavailable("copied context: it happened in another trajectory")
        return {"state_view": marker, "training": {"target": False, "reason": "it happened in another trajectory"}}
    if "llm_call_count" in payload:
        reason = "no model was called"
        marker = {"$at": {"status": "not_applicable", "reason": reason}}
        call = {"availability": "not_applicable", "reason": reason}
        return {"actor": "harness", "authority_class": "harness", "state_view": marker, "model_call": call}
    return None


# --- one step ----------------------------------------------------------------------------------------------------


def _read_step(scene: Scene, aligned: AlignedStep) -> None:
    step: Json = scene.unit.steps[aligned.index]
    at = (*scene.at, "trajectory", aligned.index)
    if aligned.kind is StepKind.SYNTHETIC_EXIT:
        _read_exit(scene, aligned, step, at)
        return
    decision = _read_decision(scene, aligned, step, at)
    if aligned.kind is StepKind.REJECTED:
        _read_proposal(scene, aligned, step, at, decision)
    else:
        _read_action(scene, aligned, step, at, decision)


def _read_samples(scene: Scene, aligned: AlignedStep, step: Json, at: At) -> str:
    """What a sampler compared before the reply was chosen; "" where there was none."""
    if type(step.get("extra_info")) is not dict or not step["extra_info"]:
        return ""
    node_id = scene.id("step", aligned.index + 1, "samples")
    scene.node(node_id, "event", RUNTIME, "runtime", scene.take("samples", node_id, at, step), at)
    detail = "several model calls stand behind one step; what they gave is kept as the source has it"
    scene.draft.lose("sampled-calls", "span_vs_node", "approximated", (*at, "extra_info"), detail)
    return node_id


def _read_decision(scene: Scene, aligned: AlignedStep, step: Json, at: At) -> str:
    number = aligned.index + 1
    samples = _read_samples(scene, aligned, step, at)
    reasoning = _read_thinking(scene, aligned)
    node_id = scene.id("step", number, "decision")
    members = scene.take("reply", node_id, at, step)
    members["state_view"] = scene.views.of(aligned.index)
    no_identity = _SEVERAL if samples else _NO_IDENTITY
    if samples:
        members["topic"] = "sampled"  # writers of formats that count calls go by it
    members["model_call"] = {**no_identity, **members.get("model_call", {})}
    if type(step.get("state")) is str:  # 0.x takes it before the model is asked
        members["state_before"] = _read_state(scene, step, at)
    _follow(scene, node_id)
    scene.node(node_id, "decision", AGENT, "model", members, at)
    for cause in (samples, reasoning):
        if cause:
            scene.draft.edge(cause, node_id, "recorded", "depends_on")
    return node_id


def _read_thinking(scene: Scene, aligned: AlignedStep) -> str:
    if aligned.item is None:
        return ""
    message = scene.unit.history[aligned.item]
    if not items(message.get("thinking_blocks")):
        return ""
    at = (*scene.at, "history", aligned.item)
    node_id = scene.id("step", aligned.index + 1, "reasoning")
    members = scene.take("thinking", node_id, at, message)
    return scene.node(node_id, "reasoning_summary", AGENT, "model", members, at)


def _follow(scene: Scene, node_id: str) -> None:
    """The edges by which the loop leads to a decision."""
    for cause, relation in scene.waiting:
        scene.draft.edge(cause, node_id, "loop_semantics", relation)
    scene.waiting.clear()


def _read_state(scene: Scene, step: Json, at: At) -> str:
    state = next_state(scene.draft)
    return scene.draft.state(state, "snapshot", "included", scene.take("snapshot", state, at, step))


# --- what was asked for ------------------------------------------------------------------------------------------


def _read_call(scene: Scene, aligned: AlignedStep, node_id: str, step: Json, at: At) -> Json:
    """The action of a step: its command, and the tool call of its message."""
    members = scene.take("command", node_id, at, step)
    message = scene.unit.history[aligned.item] if aligned.item is not None else {}
    call = first_call(message)
    kind = "tool_call" if call is not None else "shell_command" if text(step, "action") else "unparsed"
    members = merged(members, {"action": {"kind": kind}})
    if call is None:
        return members
    place = (*scene.at, "history", aligned.item or 0, "tool_calls", 0)
    return merged(members, _take_call(scene, node_id, place, call))


def _take_call(scene: Scene, node_id: str, at: At, call: Json) -> Json:
    """The members that a tool call gives, by the form of its arguments."""
    form = json_text_of(child(call, "function").get("arguments"))
    return scene.take(f"call-{form}" if form else "call", node_id, at, call)


def _read_proposal(scene: Scene, aligned: AlignedStep, step: Json, at: At, decision: str) -> None:
    """What was asked for and never run, and why the loop said so."""
    number = aligned.index + 1
    node_id = scene.id("step", number, "proposal")
    admission: Json = {"status": "rejected", "authority": RUNTIME, "reason": aligned.reason or unavailable(NOT_SAID)}
    members = merged(_read_call(scene, aligned, node_id, step, at), {"admission": admission})
    scene.node(node_id, "proposal", AGENT, "model", members, at)
    scene.draft.edge(decision, node_id, "recorded")
    scene.waiting.append((node_id, "retries"))
    detail = "that the proposal was rejected, and why, is told by its shape and by the words of the answer"
    scene.draft.lose("inferred-rejection", "request_vs_effect", "approximated", at, detail)
    if aligned.error is None:
        return
    place = (*scene.at, "trajectory", aligned.index + 1, "query", aligned.error)
    answer = scene.unit.steps[aligned.index + 1]["query"][aligned.error]
    error_id = scene.id("step", number, "observation")
    scene.node(error_id, "observation", RUNTIME, "runtime", scene.take("complaint", error_id, place, answer), place)
    scene.draft.edge(node_id, error_id, "loop_semantics")
    scene.waiting.append((error_id, "triggered_by"))


def _read_action(scene: Scene, aligned: AlignedStep, step: Json, at: At, decision: str) -> None:
    number = aligned.index + 1
    is_exit = aligned.reason == "exit_command"
    has_run = not is_exit and _has_run(scene, aligned, step)
    after = _read_state(scene, step, at) if type(step.get("state")) is dict and step["state"] else ""
    cause = decision
    if text(step, "action") or has_run:
        cause = scene.id("step", number, "action")
        members = _read_call(scene, aligned, cause, step, at)
        members["admission"] = _admission(scene, at, has_run=has_run)
        if after and not has_run:
            members["state_after"] = after
        scene.node(cause, "action", AGENT, "model", members, at)
        scene.draft.edge(decision, cause, "recorded")
    if has_run:
        effect = scene.id("step", number, "effect")
        members = {"effect": {"external": True, "receipt_status": "none_authoritative"}}
        if after:
            members["state_after"] = after
        members = merged(members, scene.take("effect", effect, at, step))
        scene.node(effect, "effect", RUNTIME, "runtime", members, at)
        scene.draft.edge(cause, effect, "recorded")
        cause = effect
    if type(step.get("observation")) is str:
        node_id = scene.id("step", number, "observation")
        scene.node(node_id, "observation", RUNTIME, "runtime", scene.take("result", node_id, at, step), at)
        scene.draft.edge(cause, node_id, "recorded")
        scene.waiting.append((node_id, "triggered_by"))
        if aligned.reason == "retry_with_output":
            scene.waiting.append((cause, "retries"))


def _admission(scene: Scene, at: At, *, has_run: bool) -> Json:
    if not has_run:
        return {"status": "unknown", "authority": RUNTIME, "reason": NOT_SAID}
    detail = "that the action was admitted is told by its having run"
    scene.draft.lose("inferred-admission", "request_vs_effect", "approximated", at, detail)
    return {"status": "admitted", "authority": RUNTIME, "reason": "it was run"}


def _has_run(scene: Scene, aligned: AlignedStep, step: Json) -> bool:
    """Whether a result shows that something was done: output, a measured time, a state taken after it, a next turn."""
    duration: Any = step.get("execution_time")
    if text(step, "observation") or (is_number(duration) and duration > 0):
        return True
    if type(step.get("state")) is dict and step["state"]:
        return True
    if not text(step, "action") or type(step.get("observation")) is not str:
        return False
    return aligned.item is not None and aligned.answer is not None  # it printed nothing, and the model was told so


# --- the way out -------------------------------------------------------------------------------------------------


def _read_exit(scene: Scene, aligned: AlignedStep, step: Json, at: At) -> None:
    """The step that the loop made up; beside a reply of the model where 0.x kept one (exit_format)."""
    number = aligned.index + 1
    node_id = scene.id("step", number, "exit")
    if holds_reply(step):
        reply = scene.id("step", number, "decision")
        members = scene.take("last_reply", reply, at, step)
        members.update(state_view=scene.views.of(aligned.index), model_call=dict(_NO_IDENTITY), status="rejected")
        detail = "that the reply was rejected is told by the loop's own thought beside it"
        scene.draft.lose("inferred-rejection", "request_vs_effect", "approximated", at, detail)
        if type(step.get("state")) is str:
            members["state_before"] = _read_state(scene, step, at)
        _follow(scene, reply)
        scene.node(reply, "decision", AGENT, "model", members, at)
        scene.node(node_id, "terminal", RUNTIME, "runtime", scene.take("exit_notice", node_id, at, step), at)
        scene.draft.edge(reply, node_id, "loop_semantics", "triggered_by")
        return
    members = scene.take("exit", node_id, at, step)
    if type(step.get("state")) is str:
        members["state_before"] = _read_state(scene, step, at)
    members["training"] = {"target": False, "reason": "the loop made the step up; no model wrote it"}
    scene.node(node_id, "terminal", RUNTIME, "runtime", members, at)
    scene.waiting.clear()


# --- a history without a trajectory ------------------------------------------------------------------------------


def read_demonstration(scene: Scene) -> None:
    """The turns of a history that no trajectory stands beside: nothing says what was run."""
    call_id, action, follower = "", "", -1
    for position, message in enumerate(scene.unit.history):
        role = text(message, "role") if type(message) is dict else ""
        if role == "assistant":
            action, call_id = _read_turn(scene, position, message)
            follower = position + 1
        elif action and position == follower and role in ("tool", "user") and message.get("is_demo") is not True:
            _read_answer(scene, position, message, action, call_id)
            action = ""
        else:
            read_message(scene, position)


def _read_turn(scene: Scene, position: int, message: Json) -> tuple[str, str]:
    """A turn as it is told; gives its action and the id of its call, "" where there is none."""
    at = (*scene.at, "history", position)
    decision = scene.id("history", position, "decision")
    members = scene.take("told_reply", decision, at, message)
    members.update(state_view=scene.views.of(position), model_call=dict(_NO_IDENTITY))
    members["training"] = {"target": False, "reason": "a demonstration is no experience of an agent"}
    _follow(scene, decision)
    scene.node(decision, "decision", AGENT, "unknown", members, at)
    call = first_call(message)
    if not text(message, "action") and call is None:
        return "", ""
    action = scene.id("history", position, "action")
    members = scene.take("command", action, at, message)
    members = merged(members, {"action": {"kind": "shell_command" if call is None else "tool_call"}})
    if call is not None:
        members = merged(members, _take_call(scene, action, (*at, "tool_calls", 0), call))
    members["admission"] = {"status": "unknown", "authority": RUNTIME, "reason": NOT_SAID}
    scene.node(action, "action", AGENT, "unknown", members, at)
    scene.draft.edge(decision, action, "recorded")
    return action, "" if call is None else text(call, "id")


def _read_answer(scene: Scene, position: int, message: Json, action: str, call_id: str) -> None:
    at = (*scene.at, "history", position)
    node_id = scene.id("history", position, "observation")
    scene.node(node_id, "observation", RUNTIME, "runtime", scene.take("told_result", node_id, at, message), at)
    is_named = bool(call_id) and items(message.get("tool_call_ids")) == [call_id]
    scene.draft.edge(action, node_id, "call_id" if is_named else "turn_order")
    scene.waiting.append((node_id, "triggered_by"))
