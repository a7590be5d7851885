"""What an ATIF document says about other files and about time: pure functions for whoever reads several documents.

Nothing is looked up here; `paths.look_up` does that. Wrong types are passed over: the checks report them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from attraj.formats.atif.times import moment

Json = dict[str, Any]


class Named(NamedTuple):
    """A file that a document names: where it does so, and the path as written."""

    pointer: str
    path: str


class Span(NamedTuple):
    """The time from the earliest to the latest step, with the pointers of their timestamps."""

    first: datetime
    first_at: str
    last: datetime
    last_at: str


def trajectories(tree: Any) -> Iterator[tuple[str, Json]]:
    """The document and the subagents embedded in it, outer ones first, with their pointers."""
    pending: list[tuple[str, Any]] = [("", tree)]
    while pending:
        at, trajectory = pending.pop()
        if type(trajectory) is not dict:
            continue
        yield at, trajectory
        inside = trajectory.get("subagent_trajectories")
        if type(inside) is list:
            places = [(f"{at}/subagent_trajectories/{i}", subagent) for i, subagent in enumerate(inside)]
            pending.extend(reversed(places))


def steps_of(trajectory: Any, at: str = "") -> Iterator[tuple[str, Json]]:
    """The steps of one trajectory that are objects, with their pointers."""
    steps = trajectory.get("steps") if type(trajectory) is dict else None
    for position, step in enumerate(steps if type(steps) is list else ()):
        if type(step) is dict:
            yield f"{at}/steps/{position}", step


def continuation_of(tree: Any) -> str | None:
    """The file that continues the document, as written; None when it says nothing of one."""
    reference = tree.get("continued_trajectory_ref") if type(tree) is dict else None
    return reference if type(reference) is str else None


def subagent_paths(tree: Any) -> list[Named]:
    """The files of subagents that the document refers to, embedded subagents' references included, in order."""
    return [
        Named(f"{pointer}/trajectory_path", reference["trajectory_path"])
        for at, trajectory in trajectories(tree)
        for place, step in steps_of(trajectory, at)
        for pointer, reference in _references(step, place)
        if type(reference.get("trajectory_path")) is str
    ]


def media_paths(tree: Any) -> list[Named]:
    """The images and recordings that content parts name, URLs included, in order."""
    return [
        Named(f"{pointer}/source/path", part["source"]["path"])
        for at, trajectory in trajectories(tree)
        for place, step in steps_of(trajectory, at)
        for pointer, part in _parts(step, place)
        if type(part.get("source")) is dict and type(part["source"].get("path")) is str
    ]


def time_span(tree: Any, *, with_copied: bool = False) -> Span | None:
    """From the earliest to the latest timestamp with a time zone, of the document's own steps.

    Args:
        tree: The document; subagents embedded in it are left out.
        with_copied: Also look at steps of copied context, which happened before.

    Returns:
        None when no such step has a timestamp that can be compared.
    """
    span: Span | None = None
    for at, step in steps_of(tree):
        when = moment(step["timestamp"]) if type(step.get("timestamp")) is str else None
        if when is None or when.tzinfo is None or (step.get("is_copied_context") is True and not with_copied):
            continue
        place = f"{at}/timestamp"
        if span is None:
            span = Span(when, place, when, place)
        elif when < span.first:
            span = span._replace(first=when, first_at=place)
        elif when > span.last:
            span = span._replace(last=when, last_at=place)
    return span


def _results(step: Json, at: str) -> Iterator[tuple[str, Json]]:
    observation = step.get("observation")
    results = observation.get("results") if type(observation) is dict else None
    for index, result in enumerate(results if type(results) is list else ()):
        if type(result) is dict:
            yield f"{at}/observation/results/{index}", result


def _references(step: Json, at: str) -> Iterator[tuple[str, Json]]:
    for place, result in _results(step, at):
        yield from _objects(result.get("subagent_trajectory_ref"), f"{place}/subagent_trajectory_ref")


def _parts(step: Json, at: str) -> Iterator[tuple[str, Json]]:
    yield from _objects(step.get("message"), f"{at}/message")
    for place, result in _results(step, at):
        yield from _objects(result.get("content"), f"{place}/content")


def _objects(values: Any, at: str) -> Iterator[tuple[str, Json]]:
    for index, value in enumerate(values if type(values) is list else ()):
        if type(value) is dict:
            yield f"{at}/{index}", value
