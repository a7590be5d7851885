"""A mini-swe-agent trajectory → the Bundle. Source: traj.md §3, §7.5; decisions 18, 21, 34."""

from __future__ import annotations

import os
from typing import Any

from attraj.formats.mapping.draft import SUBMITTED as HANDED_IN
from attraj.formats.mapping.draft import Draft, Settings
from attraj.formats.mapping.fields import At, Json, Reading, look_up, merged
from attraj.formats.mini_swe_agent import turns
from attraj.formats.mini_swe_agent.places import PLACES as PLACES
from attraj.formats.mini_swe_agent.places import says
from attraj.formats.mini_swe_agent.read_messages import read_messages
from attraj.formats.mini_swe_agent.scene import RUNTIME, SUBMITTED, Scene
from attraj.formats.mini_swe_agent.text_calls import has_text_calls
from attraj.formats.mini_swe_agent.version import version_of
from attraj.jsonio import MISSING, Document


def read(document: Document, settings: Settings) -> Draft:
    """One run as a Bundle in the making; a bare list of messages is one as well."""
    tree: Any = document.tree
    draft = Draft("mini-swe-agent", settings)
    top: Json = tree if type(tree) is dict else {}
    at: At = ("messages",) if type(tree) is dict else ()
    messages = top.get("messages") if at else tree
    if type(messages) is not list:
        messages = []
        draft.lose("messages-unreadable", "other", "dropped", at, "the messages are no array")
    version = version_of(tree, messages)
    reading = draft.read(tree, document.raw, os.path.basename(document.path), version.declared or "", PLACES)
    _bindings(draft, reading, top)
    info = top["info"] if type(top.get("info")) is dict else {}
    status = info.get("exit_status")
    scene = Scene(draft, reading, messages, at, turns.read(messages), status if type(status) is str else None)
    scene.has_text_calls = has_text_calls(top, version.generation)
    _account(scene, top)
    end = read_messages(scene, info.get("submission"))
    _close(scene, top, info, end)
    _omissions(scene)
    return draft


def _bindings(draft: Draft, reading: Reading, top: Json) -> None:
    draft.source["implementation"] = "mini-swe-agent"
    for kind, place in (
        ("tasks", "task"),
        ("harnesses", "harness"),
        ("models", "model"),
        ("environments", "environment"),
    ):
        if says(place, top):
            draft.bindings[kind] = [reading.take(place, f"/bindings/{kind}/0", (), top)]
    harness = draft.bindings.setdefault("harnesses", [{}])[0]
    harness["name"] = "mini-swe-agent"  # the format is its own


def _account(scene: Scene, top: Json) -> None:
    if not says("account", top):
        return
    members = scene.reading.take("account", "/scope", (), top)
    observed = members["resources"].get("observed", {})
    if observed.get("cost_usd") == 0:  # where the counter starts, and stays when nobody knows the price
        observed["origin"] = "unknown"
    scene.draft.scope.update(members)


def _close(scene: Scene, top: Json, info: Json, end: str) -> None:
    """The end, the outcome that it stands for, and how whole the record is."""
    draft, status = scene.draft, info.get("exit_status")
    if type(info.get("submission")) is str:
        if end:
            _submission(scene, top, end)
        elif info["submission"]:
            end = "submission"
            members = scene.reading.take("submission alone", end, (), top)
            scene.node(end, "terminal", RUNTIME, members, ("info", "submission"))
    if type(status) is not str or status == "":
        if end and type(info.get("submission")) is str and info["submission"]:
            _mark(scene, end)
        if status == "":
            draft.status = "open"
            draft.reasons.append("the exit status is empty: the run was going on when this was written")
        else:
            draft.reasons.append("no exit status is recorded: how the run ended is not known")
        return
    draft.reasons.append("calls have no start times and effects no receipts")
    last = end or (draft.nodes[-1]["node_id"] if draft.nodes else "")
    outcome: Json = {
        "outcome_id": "outcome:0",
        "scope": ["task"],
        "producer": "agent" if status == SUBMITTED else "runtime:mini-swe-agent",
        "authority_class": "agent_self_report" if status == SUBMITTED else "runtime",
        "status": "succeeded" if status == SUBMITTED else "failed",
        "terminal": True,
        "evidence_refs": [last] if last else [],
        **({"asserted_at_node": last} if last else {"asserted_at": {"kind": "end of the recording"}}),
        **scene.reading.take("ending", "outcome:0", (), top),
    }
    draft.outcomes.append(outcome)
    detail = "how the loop ended is not whether the task was solved"
    draft.lose("exit-as-outcome", "call_success_vs_outcome", "approximated", ("info", "exit_status"), detail)


def _mark(scene: Scene, end: str) -> None:
    """Where no exit status is, no outcome says that what the end says was handed in."""
    node = next(node for node in reversed(scene.draft.nodes) if node["node_id"] == end)
    if look_up(node, ("payload", "submission")) is MISSING:
        node["status"] = HANDED_IN


def _submission(scene: Scene, top: Json, end: str) -> None:
    """The end says what was submitted up to three times: one fact, as long as all say the same."""
    message = int(end.removeprefix("message:")) - 1
    content = scene.place_of(message, "content")
    if not scene.reading.repeats(("info", "submission"), content):
        node = next(node for node in reversed(scene.draft.nodes) if node["node_id"] == end)
        node.update(merged(node, scene.reading.take("submission", end, (), top)))
    again = scene.place_of(message, "extra", "submission")
    scene.reading.repeats(again, content) or scene.reading.repeats(again, ("info", "submission"))
    scene.reading.repeats(scene.place_of(message, "extra", "exit_status"), ("info", "exit_status"))


def _omissions(scene: Scene) -> None:
    draft = scene.draft
    lost = [error for error in scene.run.format_errors() if not error.has_reply]
    draft.omit("call_times", "only the times at which messages were made are recorded")
    draft.omit("effect_receipts", "the format has no receipts")
    draft.omit("tool_definitions", "the format has no tool definitions")
    if scene.unanswered:
        reason = "not recorded by the producer: the command that ends a run gets no result, nor do those beside it"
        draft.omit("tool_results", reason, len(scene.unanswered), scene.unanswered)
    if lost:
        draft.omit("replies", "replies that could not be parsed were not kept", len(lost))
    if draft.states:
        draft.operations.append("state_reconstruction")
        detail = "views are rebuilt from the messages before each call: requests are not recorded"
        draft.lose("rebuilt-views", "message_vs_state_view", "approximated", scene.at, detail)
