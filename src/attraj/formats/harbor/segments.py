"""How the trajectories of one run hang together: continuations by reference, else by suffix; subagents by path.

The direction is old → new only (ATIF RFC 0001, continued_trajectory_ref). A file is named by what refers to it; the
suffix `-cont-N` is a fallback and says so (spec: atif.md §12-5, U12). Nothing outside the trial's folder is looked at.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from attraj.findings import Finding, Related, Severity
from attraj.formats.harbor import codes
from attraj.formats.harbor.facts import Facts, Json, objects, text
from attraj.formats.harbor.files import is_inside
from attraj.formats.harbor.layout import Run, TrajectoryFile, Trial
from attraj.formats.harbor.records import at

Found = tuple[str, Finding]  # the trajectory's path, and a finding of it

_REF = "continued_trajectory_ref"
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://").match


class Where(Enum):
    """Where a reference leads."""

    HERE = "here"  # to a file of the trial's folder
    MISSING = "missing"
    OUT = "out"  # out of the trial's folder
    ELSEWHERE = "elsewhere"  # a URL: not looked up


@dataclass(slots=True)
class Chain:
    """The segments of one run, in their order.

    Attributes:
        order: Main first, then what refers to what; segments that nothing refers to follow by their number.
        successors: Path of a segment to the path that it refers to, where that is one of the run's segments.
    """

    order: list[TrajectoryFile] = field(default_factory=list)
    successors: dict[str, str] = field(default_factory=dict)

    @property
    def main(self) -> TrajectoryFile | None:
        """The first segment."""
        return next((file for file in self.order if file.role == "main"), None)

    @property
    def numbered(self) -> dict[int, TrajectoryFile]:
        """Continuations by the numbers in their names."""
        return {file.number: file for file in self.order if file.role == "continuation" and file.number}

    @property
    def pointed_at(self) -> set[str]:
        """Paths of the segments that another one refers to."""
        return {target for path, target in self.successors.items() if target != path}


def resolve(trial: Trial, path: str, reference: str) -> tuple[Where, str]:
    """Where a reference from the trajectory at `path` leads, and the relative path of what it names.

    Args:
        trial: Its folder bounds everything.
        path: Relative path of the referring document.
        reference: A file name or path, relative to that document; a URL; an absolute path.
    """
    if _URL(reference):
        return Where.ELSEWHERE, ""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(path), reference.replace("\\", "/")))
    if target.startswith(("/", "../")) or target == ".." or re.match("[A-Za-z]:", reference):
        return Where.OUT, ""
    full = trial.full(target)
    if "\0" in reference or not reference or not os.path.lexists(full):
        return Where.MISSING, target
    if not is_inside(trial.folder, full):
        return Where.OUT, ""
    return (Where.HERE if os.path.isfile(full) else Where.MISSING), target


def look_up(facts: Facts, path: str, reference: str) -> tuple[Where, str]:
    """`resolve`, once for each reference of a trial."""
    key = (path, reference)
    if key not in facts.resolved:
        facts.resolved[key] = resolve(facts.trial, path, reference)
    found: tuple[Where, str] = facts.resolved[key]
    return found


def chain_of(facts: Facts, run: Run) -> Chain:
    """The segments of a run in order. Cycles end where they come back."""
    segments = {f.path: f for f in facts.of_run(run) if f.role in ("main", "continuation")}
    chain = Chain()
    for path, file in segments.items():
        reference = text(facts.document(file), _REF)
        if reference is not None:
            where, target = look_up(facts, path, reference)
            if where is Where.HERE and target in segments:
                chain.successors[path] = target
    seen: set[str] = set()
    pointed_at = chain.pointed_at
    starts = [path for path in segments if path not in pointed_at] + list(segments)
    for start in starts:
        step: str | None = start
        while step is not None and step not in seen:
            seen.add(step)
            chain.order.append(segments[step])
            step = chain.successors.get(step)
    return chain


def by_name(facts: Facts, run: Run) -> list[tuple[TrajectoryFile, TrajectoryFile | None]]:
    """Segments that only their names tell to be continuations, each with the one before it; None where that is open.

    A name is gone by where the numbers have no hole and no segment says that it goes on somewhere else.
    """
    chain = chain_of(facts, run)
    numbered, main, pointed_at = chain.numbered, chain.main, chain.pointed_at
    found: list[tuple[TrajectoryFile, TrajectoryFile | None]] = []
    for file in chain.order:
        if file.role != "continuation" or file.path in pointed_at:
            continue
        before = main if file.number == 1 else numbered.get(file.number - 1) if file.number else None
        is_open = before is None or not facts.document(before) or text(facts.document(before), _REF) is not None
        found.append((file, None if is_open else before))
    return found


def check_segments(facts: Facts) -> Iterator[Found]:
    """Continuations of every run, and the subagents' files."""
    for run in facts.trial.runs:
        chain = chain_of(facts, run)
        yield from _references(facts, chain)
        yield from _cycles(chain)
        yield from _forks(chain)
        yield from _suffixes(facts, chain)
        yield from _subagents(facts, run)


def _references(facts: Facts, chain: Chain) -> Iterator[Found]:
    place = {file.path: position for position, file in enumerate(chain.order)}
    for file in chain.order:
        reference = text(facts.document(file), _REF)
        if reference is None:
            continue
        where, target = look_up(facts, file.path, reference)
        if where is Where.OUT:
            yield file.path, _out(f"/{_REF}", "the continuation")
        elif where is Where.MISSING:
            yield (
                file.path,
                codes.MISSING_CONTINUATION.at(
                    f"/{_REF}",
                    "the trajectory goes on in a file that is not there",
                    hint="every step after this segment is missing: look for the file where the folder came from",
                ),
            )
        elif file.path in chain.successors and place[file.path] < place[target]:  # else it closes a circle
            yield from _order_of(file, chain.order[place[target]])


def _order_of(file: TrajectoryFile, target: TrajectoryFile) -> Iterator[Found]:
    if target.number < file.number and target.role == "continuation":
        message = "the segment goes on in one with a smaller number: references and file names contradict each other"
        yield file.path, codes.CONTINUATION_ORDER.at(f"/{_REF}", message, hint="references are followed, names are not")


def _out(pointer: str, what: str) -> Finding:
    return codes.REFERENCE_OUT.at(
        pointer,
        f"the reference to {what} leads out of the trial's folder; it was not followed",
        hint="name a file beside this one: other tools open whatever is named here",
    )


def _cycles(chain: Chain) -> Iterator[Found]:
    by_path = {file.path: file for file in chain.order}
    state: dict[str, int] = {}  # path → number of the walk that met it
    for walk, file in enumerate(chain.order):
        step: str | None = file.path
        last = ""
        while step is not None and step not in state:
            state[step] = walk
            last, step = step, chain.successors.get(step)
        if step is not None and last and state[step] == walk:
            yield (
                last,
                codes.CONTINUATION_CYCLE.at(
                    f"/{_REF}",
                    "the segments go on in a circle: this one leads back to itself or to an earlier one",
                    hint="a reader that follows references without a check never ends",
                    related=[Related(at(step), f"in the trial's folder: {by_path[step].title}")],
                ),
            )


def _forks(chain: Chain) -> Iterator[Found]:
    first: dict[str, TrajectoryFile] = {}
    for file in chain.order:
        target = chain.successors.get(file.path)
        if target is None or target == file.path:
            continue
        if target in first:
            yield (
                file.path,
                codes.FORKED_CONTINUATION.at(
                    f"/{_REF}",
                    "two segments go on in the same file",
                    related=[Related(at(first[target].path), f"in the trial's folder: {first[target].title}")],
                ),
            )
        first.setdefault(target, file)


def _suffixes(facts: Facts, chain: Chain) -> Iterator[Found]:
    """Continuations that are there by their name only, and holes in their numbers."""
    numbered, main = chain.numbered, chain.main
    pointed_at = set(chain.successors.values())
    # A reference that leads nowhere has been reported, and an unreadable document may hold one: what is not referred
    # to is then their consequence.
    is_broken = any(not facts.document(file) or _leads_nowhere(facts, file) for file in chain.order)
    previous = 0
    for number in sorted(numbered):
        file = numbered[number]
        if file.path in pointed_at or is_broken:
            pass
        elif number > previous + 1:
            yield (
                file.path,
                codes.CONTINUATION_GAP.at(
                    "", "the numbers of the continuations have a gap before this one: a segment is missing"
                ),
            )
        elif main is not None:
            yield (
                file.path,
                codes.UNREFERENCED_CONTINUATION.at(
                    "",
                    "only its name says that this is a continuation: no segment goes on in it",
                    hint="it is read as the next segment by its number; continued_trajectory_ref would say so",
                ),
            )
        previous = number


def _leads_nowhere(facts: Facts, file: TrajectoryFile) -> bool:
    reference = text(facts.document(file), _REF)
    return reference is not None and look_up(facts, file.path, reference)[0] is not Where.HERE


def is_whole(facts: Facts, run: Run) -> bool:
    """Whether every trajectory of a run can be read, and every one that they name is there."""
    for file in facts.of_run(run):
        references = references_of(facts, file)
        if not facts.document(file) or any(look_up(facts, file.path, one)[0] is not Where.HERE for one in references):
            return False
    return True


def references_of(facts: Facts, file: TrajectoryFile) -> list[str]:
    """Everything that a trajectory refers to, the next segment last."""
    following = text(facts.document(file), _REF)
    found = [reference for _, reference in _subagent_paths(facts, file)]
    return found if following is None else [*found, following]


def further_files(facts: Facts) -> list[str]:
    """Files of the trial that its trajectories name, and that are not among `Trial.trajectories`; by path."""
    listed = {file.path for file in facts.trial.trajectories}
    found: set[str] = set()
    for file in facts.trial.trajectories:
        for reference in references_of(facts, file):
            where, target = look_up(facts, file.path, reference)
            if where is Where.HERE and target not in listed:
                found.add(target)
    return sorted(found)


# --- subagents ---------------------------------------------------------------------------------------------------


def _subagents(facts: Facts, run: Run) -> Iterator[Found]:
    named: set[str] = set()
    unread = False
    for file in facts.of_run(run):
        unread = unread or not facts.document(file)
        for pointer, reference in _subagent_paths(facts, file):
            where, target = look_up(facts, file.path, reference)
            if where is Where.HERE:
                named.add(target)
            elif where is Where.OUT:
                yield file.path, _out(pointer, "a subagent's trajectory")
            elif where is Where.MISSING:
                message = "the subagent's trajectory is in a file that is not there"
                hint = "its steps and its tokens are missing; an embedded trajectory would go with the document"
                yield file.path, codes.MISSING_SUBAGENT.at(pointer, message, hint=hint)
    # A turn in flight when the run ended is not written, and it is the turn that would have named the file.
    was_broken_off = any(r.has_exception for r in facts.runs if r.run is run) or not facts.result
    for file in facts.of_run(run):
        if file.role == "subagent" and file.path not in named and not unread:
            message = "no step of the run refers to this subagent's trajectory"
            hint = "it cannot be told where it belongs; its tokens may be counted in the totals all the same"
            severity = Severity.INFO if was_broken_off else None
            yield file.path, codes.UNREFERENCED_SUBAGENT.at("", message, hint=hint, severity=severity)


def _subagent_paths(facts: Facts, file: TrajectoryFile) -> list[tuple[str, str]]:
    if file.path not in facts.references:
        facts.references[file.path] = list(_paths(facts.document(file)))
    return facts.references[file.path]


def _paths(tree: Json) -> Iterator[tuple[str, str]]:
    """Pointer and text of every trajectory_path of a document and of the trajectories embedded in it."""
    open_documents: list[tuple[str, Json]] = [("", tree)]
    while open_documents:
        base, document = open_documents.pop()
        for i, step in objects(document.get("steps")):
            observation = step.get("observation")
            for j, result in objects(observation.get("results") if type(observation) is dict else None):
                for k, reference in objects(result.get("subagent_trajectory_ref")):
                    path: Any = reference.get("trajectory_path")
                    if type(path) is str:
                        place = f"{base}/steps/{i}/observation/results/{j}/subagent_trajectory_ref/{k}"
                        yield f"{place}/trajectory_path", path
        embedded = objects(document.get("subagent_trajectories"))
        open_documents += [(f"{base}/subagent_trajectories/{i}", child) for i, child in reversed(embedded)]
