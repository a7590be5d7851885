"""Steps of a subagent that stand among the main agent's (`extra.is_sidechain`): documents of their own, on request.

Nothing says which call gave them their work, and where they stood among the others is lost with their place: their
numbers say so. Source: spec atif.md §12-7.
"""

from __future__ import annotations

from typing import Any

from attraj.formats.atif.upgrade_steps import members, plain
from attraj.formats.mapping.fields import At, Json
from attraj.formats.mapping.held import Held, Made

_NUMBERS = "steps are numbered from 1 in each document: the order among those of several agents is not told any more"
_TOTALS = "The totals are those of the document before the steps of subagents were taken out of it."


def split_sidechains(tree: Json, *, has_sessions: bool) -> list[Json]:
    """The documents of the subagents whose steps stand in a document, in the order of their first steps.

    Args:
        tree: Changed in place: it keeps the steps of its own agent. Nothing is done where none would be left.
        has_sessions: Documents are told apart by their sessions, in a version before 1.7.
    """
    steps = tree.get("steps")
    if type(steps) is not list:
        return []
    own: list[Any] = []
    others: dict[str | None, list[Any]] = {}
    for step in steps:
        extra = members(step.get("extra")) if type(step) is dict else {}
        if plain(extra.get("is_sidechain")) is True:
            agent = plain(extra.get("agent_id"))
            others.setdefault(agent if type(agent) is str else None, []).append(step)
        else:
            own.append(step)
    if not own or not others:
        return []
    _count_anew(tree, len(steps), len(own))
    tree["steps"] = _numbered(own)
    return [
        _document(tree, found, number, has_sessions=has_sessions)
        for number, found in enumerate(others.values(), start=1)
    ]


def _document(tree: Json, steps: list[Any], number: int, *, has_sessions: bool) -> Json:
    agent = members(tree.get("agent"))
    made: Json = {
        "schema_version": tree.get("schema_version"),
        "session_id": tree.get("session_id"),
        "agent": {name: agent[name] for name in ("name", "version") if name in agent},  # its model is its own
        "steps": _numbered(steps),
    }
    if not has_sessions:
        base = plain(tree.get("trajectory_id"))
        name = f"{base}#sidechain-{number}" if type(base) is str else f"sidechain-{number}"
        detail = "an identity for the document of a subagent that has none"
        made["trajectory_id"] = Made(name, (), "document-ids", "identity", "synthesized", detail)
    return made


def _numbered(steps: list[Any]) -> list[Any]:
    for number, step in enumerate(steps, start=1):
        known = step.get("step_id") if type(step) is dict else None
        if type(known) is Held and type(known.value) is int and known.value != number:
            step["step_id"] = Made(
                number, (known.origin,), "step-numbers", "order_vs_causality", "approximated", _NUMBERS
            )
    return steps


def _count_anew(tree: Json, before: int, now: int) -> None:
    """The number of steps, where the document counts them, and a word on what the other totals are (decisions 34)."""
    totals = members(tree.get("final_metrics"))
    if not totals:
        return
    notes = tree.get("notes")
    origins = (notes.origin,) if type(notes) is Held else ()
    text = f"{plain(notes)} {_TOTALS}" if type(plain(notes)) is str else _TOTALS
    detail = "a remark of the writer's own, on what the totals count"
    tree["notes"] = Made(text, origins, "notes", "other", "approximated" if origins else "synthesized", detail)
    known = totals.get("total_steps")
    if type(known) is Held and type(known.value) is int and known.value == before:
        at: tuple[At, ...] = (known.origin,)
        detail = "the steps of the document alone, without those of its subagents"
        totals["total_steps"] = Made(now, at, "step-counts", "other", "approximated", detail)
        tree["final_metrics"] = totals
