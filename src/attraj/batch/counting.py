"""Items to rows for `stats`: a document is a row, and so is a Harbor trial with everything it holds."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from attraj.batch.attempts import is_held
from attraj.batch.discover import Item, below, folders_above, is_excluded
from attraj.batch.work import may_be_json
from attraj.errors import Unreadable
from attraj.formats import is_one
from attraj.formats.large import LARGE_BYTES, without_views
from attraj.jsonio import Document, documents, parse, read_bytes
from attraj.jsonio.read import read_stdin
from attraj.limits import DEFAULT_LIMITS, Limits
from attraj.verbs.stats import Row, stats
from attraj.verbs.validate import NO_FORMAT

_IS_ATTEMPT = re.compile(r"attempt_\d{1,6}").fullmatch


def rows(
    items: Iterable[Item], format: str = "", limits: Limits = DEFAULT_LIMITS, named: Iterable[str] = ()
) -> Iterator[Row]:
    """The rows of each item, in order. A job has none of its own, a run those of instances without a trajectory.

    Args:
        items: What `discover` found.
        format: Name of the format to insist on; "" to tell it by content.
        named: The paths that it was given: an attempt is not counted where its main file, counted with one of them,
            holds it.
    """
    given = frozenset(map(os.path.abspath, named))
    for item in items:
        if item.kind == "skipped" or item.kind == "unreadable":
            yield Row(item.path, status=item.kind, reason=item.reason)
        elif item.kind == "trial":
            yield from _trial(item, format, limits)
        elif _is_attempt(item, given) and is_held(item.path, limits):
            yield Row(item.path, status="skipped", reason="an attempt: counted with the file of its run")
        elif item.kind == "run":
            yield from _without_trajectory(item, limits)
        elif item.kind != "job":
            yield from _file(item, format, limits)


def _is_attempt(item: Item, given: frozenset[str]) -> bool:
    """Whether this is the file of an attempt, and the file of its run is counted as well."""
    return item.is_part or (item.is_named and _is_attempt_of(given, item.path))


def _is_attempt_of(given: frozenset[str], path: str) -> bool:
    """Whether this is the file of an attempt whose main file, or a folder that holds it, is given as well."""
    folder, name = os.path.split(os.path.abspath(path))
    above, inner = os.path.split(folder)
    if not _IS_ATTEMPT(inner):
        return False
    main = os.path.join(above, name)
    return not given.isdisjoint((main, *folders_above(main))) and os.path.isfile(main)


def _without_trajectory(item: Item, limits: Limits) -> Iterator[Row]:
    from attraj.batch.instances import LEADS_OUT, without_trajectory  # only when a run folder is met
    from attraj.formats.swe_agent.telling import without_trajectory as facts_of

    for one in without_trajectory(item, limits):
        if one.is_link:
            yield Row(one.path, status="skipped", reason=LEADS_OUT)
        else:
            yield Row(one.path, one.position, facts=facts_of(one.status))


def _file(item: Item, format: str, limits: Limits) -> Iterator[Row]:
    try:
        large = without_views(item.path, limits) if item.size > LARGE_BYTES else None
        if large is not None:
            yield stats(large, format)
            return
        raw = read_stdin(limits) if item.kind == "stdin" else read_bytes(item.path, limits)
    except Unreadable as error:
        yield Row(item.path, status="unreadable", reason=error.message)
        return
    if not item.is_named and not may_be_json(item.path, raw):
        yield Row(item.path, status="skipped", reason="not JSON")
        return
    for document in documents(raw, limits, is_one):
        document.path = item.path
        row = stats(document, format)
        if row.reason == NO_FORMAT and not item.is_named:
            row = replace(row, status="skipped")
        yield row


def _trial(item: Item, format: str, limits: Limits) -> Iterator[Row]:
    """The trial, then what of it cannot be read, then whatever else lies in its folder."""
    from attraj.formats.harbor import read_trial  # only when such a folder is met
    from attraj.formats.harbor.story import facts

    trial = read_trial(item.path, limits)
    read: dict[str, Document] = {}
    broken: list[Row] = []
    for file in trial.trajectories:
        full = trial.full(file.path)
        if is_excluded(item.path, file.path, item.exclude):
            continue  # what would have to be counted in it is unknown then
        try:
            document = parse(read_bytes(full, limits), limits)  # whole, as Harbor reads it
        except Unreadable as error:
            broken.append(Row(full, status="unreadable", reason=error.message))
            continue
        fault = next((fault for fault in document.faults if fault.is_fatal), None)
        if fault is not None:
            broken.append(Row(full, status="unreadable", reason=fault.message))
        elif type(document.tree) is not dict:
            broken.append(Row(full, status="unreadable", reason="no trajectory: its top level is not an object"))
        else:
            read[file.path] = document
    yield Row(item.path, facts=facts(trial, read, release=item.release or None))
    yield from broken
    for path in trial.unknown:
        if not is_excluded(item.path, path, item.exclude):
            yield from rows(below(trial.full(path), item.exclude), format, limits)
