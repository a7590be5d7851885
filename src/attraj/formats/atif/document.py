"""All rules of one ATIF document, A01 to A34: a quick look at each step, a close one where it is not plain."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from attraj.findings import Severity
from attraj.formats.atif import shape
from attraj.formats.atif.rules import (
    BAD_AGENT,
    CONTINUATION,
    COPIED,
    NO_STEPS,
    TOOL_DEFINITION,
    UNKNOWN_VERSION,
)
from attraj.formats.atif.scope import TOLERANCE, Json, Scope, Whole


def look(tree: Json, folder: str = "", path: str = "") -> Whole:
    """Check one document and the subagents embedded in it.

    Args:
        tree: The document. Never modified.
        folder: Where it stands, "" when not known.
        path: Its file, "" when not known; only to tell a continuation that is the file itself.

    Returns:
        The findings, in no particular order, and what was gathered on the way.
    """
    whole = Whole(folder)
    pending: list[tuple[str, Json, int]] = [("", tree, shape.NEWEST)]
    while pending:
        at, trajectory, outer = pending.pop()
        tag = trajectory.get("schema_version")
        version = shape.VERSIONS.get(tag, outer) if type(tag) is str else outer
        scope = Scope(whole, trajectory, at, version)
        if version == shape.NEWEST and tag is not None:
            whole.is_newest = True
        inside = _trajectory(scope, tag, path if not at else "")
        pending.extend((place, subagent, version) for place, subagent in reversed(inside))
    if whole.references or whole.embedded:
        from attraj.formats.atif.subagents import look_over

        look_over(whole, tree)
    return whole


def _trajectory(scope: Scope, tag: Any, path: str) -> list[tuple[str, Json]]:
    tree, at = scope.tree, scope.at
    scope.members("trajectory", tree, at)
    if type(tag) is str and tag not in shape.VERSIONS:
        from attraj.formats.atif.dialects import explain

        message, hint = explain(tag)
        scope.add(UNKNOWN_VERSION, f"{at}/schema_version", message, hint)
    if type(tree.get("agent")) is dict:
        _agent(scope, tree["agent"], f"{at}/agent")
    if tree.get("steps") == []:
        scope.add(NO_STEPS, f"{at}/steps", "a trajectory has at least one step")
    _steps(scope)
    if type(tree.get("final_metrics")) is dict:
        _totals(scope, tree["final_metrics"])
    if type(tree.get("continued_trajectory_ref")) is str:
        _continuation(scope, tree["continued_trajectory_ref"], path)
    inside: list[tuple[str, Json]] = []
    if type(tree.get("subagent_trajectories")) is list:
        from attraj.formats.atif.subagents import embedded

        inside = embedded(scope, tree["subagent_trajectories"])
    if scope.tallies:
        scope.close()
    return inside


def _agent(scope: Scope, agent: Json, at: str) -> None:
    scope.members("agent", agent, at)
    for name in ("name", "version"):
        if agent.get(name) == "":
            hint = "write `unknown` when it is not known"
            scope.add(BAD_AGENT, f"{at}/{name}", f"the agent's {name} is empty", hint, Severity.WARNING)
    definitions = agent.get("tool_definitions")
    for index, definition in enumerate(definitions if type(definitions) is list else ()):
        place = f"{at}/tool_definitions/{index}"
        if type(definition) is not dict:
            scope.wrong_element(place, "an object as a tool definition", definition)
            continue
        function = definition.get("function")
        if definition.get("type") != "function" or type(function) is not dict or type(function.get("name")) is not str:
            message = "not the shape of an OpenAI tool: type `function`, and a `function` with a name"
            hint = "{type, function: {name, description, parameters}}"
            scope.add(TOOL_DEFINITION, place, message, hint)


def _steps(scope: Scope) -> None:
    account = scope.account
    is_plain = account.is_plain
    for position, step in enumerate(scope.steps):
        if not is_plain(position, step):
            from attraj.formats.atif import steps  # not for the many documents whose steps are all plain

            steps.look(scope, position, step)
    scope.whole.sidechains += account.sidechains
    scope.whole.has_calls = scope.whole.has_calls or account.called > 0
    if account.copied and not account.agents and _has_agent_step(scope.steps):
        message = "every step of the agent is copied context: nothing here is new"
        hint = "mark only what an earlier trajectory already holds"
        scope.add(COPIED, f"{scope.at}/steps", message, hint)
    if len(account.metered) > 2:
        metered = account.metered
        if metered[0].get("prompt_tokens") == metered[1].get("prompt_tokens") == metered[2].get("prompt_tokens"):
            from attraj.formats.atif.numbers import repeated_counter

            repeated_counter(scope)


def _has_agent_step(steps: list[Any]) -> bool:
    return any(type(step) is dict and step.get("source") == "agent" for step in steps)


def _totals(scope: Scope, final: Json) -> None:
    """Only totals that are not the plain sums are looked at closely."""
    if not _are_plain_totals(scope, final):
        from attraj.formats.atif.numbers import look_at_totals

        look_at_totals(scope, final)


def _are_plain_totals(scope: Scope, final: Json) -> bool:
    metered = scope.account.metered
    try:
        for name, value in final.items():
            part = _PARTS[name]
            if part is None:
                if type(value) is not int or value != len(scope.steps):
                    return False
                continue
            added = sum([metrics.get(part) or 0 for metrics in metered])
            if name == "total_cost_usd":
                if type(value) is not float or not abs(value - added) <= TOLERANCE * value:
                    return False
            elif type(value) is not int or value != added or not value:
                return False
    except (KeyError, TypeError, OverflowError):
        return False
    return True


def _continuation(scope: Scope, reference: str, path: str) -> None:
    from attraj.formats.atif.paths import Place, look_up
    from attraj.formats.atif.subagents import FILE_FAULTS

    at = f"{scope.at}/continued_trajectory_ref"
    place = look_up(scope.whole.folder, reference)
    if place is Place.UNKNOWN:
        scope.whole.unlooked += 1
    elif place in FILE_FAULTS:
        message = f"the next segment cannot be found: {FILE_FAULTS[place]}"
        scope.add(CONTINUATION, at, message, "keep all segments in one folder")
    elif place is Place.FILE and path and _is_same(scope.whole.folder, reference, path):
        message = "the trajectory is continued by itself: whoever follows the chain never ends"
        scope.add(CONTINUATION, at, message, "name the file of the next segment, or leave the member out")


def _is_same(folder: str, reference: str, path: str) -> bool:
    try:
        return os.path.samefile(os.path.join(folder, reference), path)
    except OSError:
        return False


_PARTS: Mapping[str, str | None] = {
    "total_prompt_tokens": "prompt_tokens",
    "total_completion_tokens": "completion_tokens",
    "total_cached_tokens": "cached_tokens",
    "total_cost_usd": "cost_usd",
    "total_steps": None,
}
"""Each total, and what it is the sum of over the steps."""
