"""A `.traj` that is given back as it was, but for what a caller asks: no reasoning in it, or more that can be derived.

All else of the document stays: its release, its configuration, its own members. Spec: decisions 18 and 35.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attraj.formats.mapping.fields import At, Json, pointer_of
from attraj.formats.mapping.forms import JSON_TEXTS, json_text_of
from attraj.formats.mapping.loss import Loss
from attraj.formats.mapping.rooms import Wanted
from attraj.formats.mapping.said import Notes
from attraj.formats.mapping.thoughts import MEMBERS
from attraj.formats.swe_agent.align import AlignedStep, StepKind
from attraj.formats.swe_agent.shape import ALIAS, OWN
from attraj.formats.swe_agent.unit import Unit
from attraj.formats.swe_agent.values import child, first_call, items, text

_STRIPPED = "reasoning is left out, as was asked for"
_DERIVED = "made from the record, as was asked for"
_LISTS = ("query", "messages", ALIAS)


def change(tree: Any, wanted: Wanted, notes: Notes) -> list[Loss]:
    """Change a document in place, and name each change.

    Args:
        tree: Shares nothing with its Bundle.
        wanted: What is asked for: `strips_thoughts`, `is_derived`.
        notes: Where the Bundle holds what the document says.
    """
    units = list(_units(tree))
    losses: list[Loss] = []
    if wanted.strips_thoughts:
        told: set[At] = set()
        for unit, at in units:
            for message, place in _messages(unit, at):
                losses += _strip(message, place, notes, told)
    if wanted.is_derived:
        for unit, at in units:
            losses += _derive(unit, at)
    return losses


def _units(tree: Any) -> Iterator[tuple[Unit, At]]:
    if type(tree) is not dict:
        return
    yield Unit(tree, ""), ()
    for index, attempt in enumerate(items(tree.get("attempts"))):
        if type(attempt) is dict:
            yield Unit(attempt, f"/attempts/{index}"), ("attempts", index)


# --- reasoning ---------------------------------------------------------------------------------------------------


def _messages(unit: Unit, at: At) -> Iterator[tuple[Json, At]]:
    """Every message that a file holds of a trajectory, with its place; parts of contents among them."""
    lists: list[tuple[Any, At]] = [(unit.history, (*at, "history"))]
    for index, step in enumerate(unit.steps):
        if type(step) is not dict:
            continue
        place = (*at, "trajectory", index)
        lists += [(step.get(name), (*place, name)) for name in _LISTS]
        for number, one in enumerate(items(child(step, "extra_info").get("comparison_log"))):
            if type(one) is dict:
                lists.append((one.get("messages"), (*place, "extra_info", "comparison_log", number, "messages")))
    for names in (("review",), ("chooser",), ("chooser", "preselector_output")):
        lists.append((child(unit.info, *names).get("messages"), (*at, "info", *names, "messages")))
    for listed, place in lists:
        for position, message in enumerate(items(listed)):
            if type(message) is not dict:
                continue
            yield message, (*place, position)
            for number, part in enumerate(items(message.get("content"))):
                if type(part) is dict:
                    yield part, (*place, position, "content", number)


def _strip(message: Json, at: At, notes: Notes, told: set[At]) -> Iterator[Loss]:
    """Take reasoning out of one message; what several lists of messages share is one loss."""
    for name in [name for name, value in message.items() if name in MEMBERS and value]:
        del message[name]
        said = notes.of((*at, name))
        place = said.at if said is not None else (*at, name)
        if place not in told:
            told.add(place)
            yield Loss("stripped-thoughts", "other", "dropped", pointer_of(place), 1, _STRIPPED, "write")


# --- what can be derived -----------------------------------------------------------------------------------------


def _derive(unit: Unit, at: At) -> Iterator[Loss]:
    """Add to each step what it says together with its message; steps that have such a member keep it."""
    for aligned in unit.alignment.steps:
        step = unit.steps[aligned.index]
        if aligned.kind is StepKind.NOT_A_STEP or OWN in step:
            continue
        step[OWN] = _derived(unit, aligned, step)
        place = pointer_of((*at, "trajectory", aligned.index, OWN))
        yield Loss("derived-field", "other", "synthesized", place, 1, _DERIVED, "write")


def _derived(unit: Unit, aligned: AlignedStep, step: Json) -> Json:
    message = unit.history[aligned.item] if aligned.item is not None else {}
    function = child(first_call(message), "function")
    arguments = function.get("arguments")
    form = json_text_of(arguments)
    if form:
        arguments = JSON_TEXTS[form].said(arguments)
    is_observed = aligned.kind is not StepKind.REJECTED and type(step.get("observation")) is str
    found: Json = {
        "is_derived": True,
        "step_id": aligned.index + 1,
        "tool_name": text(function, "name") or None,
        "tool_args": arguments if type(arguments) in (dict, str) else None,
        "observation_type": "text" if is_observed else "none",
        "parse_error": aligned.kind is StepKind.REJECTED and aligned.reason == "format",
        "action_raw": step["response"] if type(step.get("response")) is str else None,
        "observation_text": step["observation"] if is_observed else None,
    }
    if aligned.kind is StepKind.SYNTHETIC_EXIT:
        del found["action_raw"]  # the loop's own words
    return {name: value for name, value in found.items() if value is not None}
