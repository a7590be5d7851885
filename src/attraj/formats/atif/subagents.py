"""Subagents, embedded and in files, and how they are referred to (A18 to A22)."""

from __future__ import annotations

from typing import Any

from attraj.findings import Related, Severity
from attraj.formats.atif.paths import Place, look_up
from attraj.formats.atif.rules import (
    EMPTY_NAME,
    SUBAGENT_FILE,
    SUBAGENT_ID,
    UNKNOWN_SUBAGENT,
    UNREFERENCED,
    UNRESOLVABLE,
)
from attraj.formats.atif.scope import Json, Scope, Whole

FILE_FAULTS: dict[Place, str] = {
    Place.MISSING: "the file is not there",
    Place.FOLDER: "the path leads to a folder",
    Place.EMPTY: "the path is empty",
    Place.DATA: "the path is a data: URI, not a file",
    Place.ABSOLUTE: "an absolute path holds on one machine only; it was not looked at",
    Place.OUTSIDE: "the path leaves the folder of the trajectory; it was not looked at",
    Place.INVALID: "no file can have this path",
    Place.REFUSED: "the system refuses this path (is it too long?)",
}


def look_at_references(scope: Scope, references: list[Any], at: str) -> None:
    """Check the references to subagents of one result."""
    for index, reference in enumerate(references):
        place = f"{at}/{index}"
        if type(reference) is not dict:
            scope.wrong_element(place, "an object as a subagent reference", reference)
            continue
        scope.members("ref", reference, place)
        scope.account.delegates += 1
        target, path = reference.get("trajectory_id"), reference.get("trajectory_path")
        if target is None and path is None:
            _session_only(scope, reference, place)
        if type(target) is str:
            scope.whole.references.append((f"{place}/trajectory_id", target, path is not None))
        if type(path) is str:
            _file(scope, path, f"{place}/trajectory_path")


def _session_only(scope: Scope, reference: Json, at: str) -> None:
    """A18: an error since 1.7. Before, session_id was the way to refer, and Harbor refuses it all the same."""
    if scope.version >= 7:
        message = "the reference has neither trajectory_id nor trajectory_path"
        hint = "session_id does not tell which trajectory is meant: several may share it"
        scope.add(UNRESOLVABLE, at, message, hint)
    elif reference.get("session_id") is not None:
        message = "the reference has a session_id alone: right before ATIF-v1.7, and yet Harbor refuses it"
        hint = "add the trajectory_path of the subagent's file"
        scope.add(UNRESOLVABLE, at, message, hint, Severity.INFO)


def _file(scope: Scope, path: str, at: str) -> None:
    place = look_up(scope.whole.folder, path)
    if place is Place.UNKNOWN:
        scope.whole.unlooked += 1
    elif place in FILE_FAULTS:
        hint = "keep the subagent's file beside this one, or embed it in subagent_trajectories"
        scope.add(SUBAGENT_FILE, at, f"the subagent's trajectory cannot be found: {FILE_FAULTS[place]}", hint)


def embedded(scope: Scope, subagents: list[Any]) -> list[tuple[str, Json]]:
    """Check the array of embedded subagents, not yet what is inside them.

    Returns:
        Pointer and tree of each that is an object, in order.
    """
    known: dict[str, str] = {}
    found: list[tuple[str, Json]] = []
    for index, subagent in enumerate(subagents):
        at = f"{scope.at}/subagent_trajectories/{index}"
        if type(subagent) is not dict:
            scope.wrong_element(at, "an object as a trajectory", subagent)
            continue
        found.append((at, subagent))
        own = subagent.get("trajectory_id")
        if own is None:
            hint = "references find an embedded subagent by its trajectory_id"
            scope.add(SUBAGENT_ID, at, "an embedded subagent needs a trajectory_id", hint)
        elif type(own) is str:
            place = f"{at}/trajectory_id"
            if own in known:
                related = [Related(known[own], "the first subagent with this id")]
                scope.add(SUBAGENT_ID, place, "another subagent of this array has the same id", related=related)
                continue
            if not own:
                scope.add(EMPTY_NAME, place, "the id of the subagent is empty")
            known[own] = place
            scope.whole.embedded.setdefault(own, []).append(place)
    return found


def look_over(whole: Whole, root: Json) -> None:
    """What only the whole document shows: references to nowhere, subagents nobody refers to, one id twice."""
    for pointer, target, has_path in whole.references:
        if target not in whole.embedded and not has_path:
            message = "no subagent embedded in this document has this id"
            hint = "embed it in subagent_trajectories, or give its file as trajectory_path"
            whole.found.append(UNKNOWN_SUBAGENT.at(pointer, message, hint=hint))
    referred = {target for _, target, _ in whole.references}
    own = root.get("trajectory_id")
    for subagent, pointers in whole.embedded.items():
        if subagent not in referred:
            for pointer in pointers:
                at = pointer.removesuffix("/trajectory_id")
                message = "nothing refers to this embedded subagent: what called it is not recorded"
                hint = "name its trajectory_id in the subagent_trajectory_ref of the result that it gave"
                whole.found.append(UNREFERENCED.at(at, message, hint=hint))
        first = "/trajectory_id" if subagent == own else pointers[0]
        for pointer in pointers if subagent == own else pointers[1:]:
            related = [Related(first, "the first trajectory with this id")]
            message = "another trajectory of this document, not beside this one, has the same id"
            finding = SUBAGENT_ID.at(pointer, message, severity=Severity.WARNING, related=related)
            whole.found.append(finding)
