"""What Harbor's own TrajectoryValidator says of a document: accepted, rejected, crash or undecided.

Imitated by hand from Harbor 0.18 and 0.26 (`harbor.utils.trajectory_validator` and its models), coercions, gaps and
crashes included: the verdict that a user will meet, not the one that the document deserves. Undecided is a document
for which Harbor would look at a file outside the document's folder, or whose folder is not known.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from attraj.formats.atif import times
from attraj.formats.atif.coercion import as_float, as_integer, is_boolean
from attraj.formats.atif.paths import MAX_PATH, Place, look_up
from attraj.formats.atif.shape import AGENT_ONLY, AUDIO_ALIASES, NEVER, OBJECTS, Member
from attraj.formats.atif.shape import NEWEST as ATIF_NEWEST
from attraj.formats.atif.survey import Steps
from attraj.jsonio.document import MISSING, Document, FaultKind

Json = dict[str, Any]
Models = Mapping[str, bool]

NEWEST = {"harbor-0.18": 7, "harbor-0.26": 8}
"""Each imitated version of Harbor, and the newest ATIF version that it knows."""

MAX_NESTING = 254  # pydantic stops at the next embedded subagent ("recursion_loop")
MAX_DEPTH = 1500  # where CPython 3.12's json stops with a RecursionError
SURE_DEPTH = 800  # what json reads in every supported version of Python
MAX_REREAD = 1 << 28


class _CrashError(Exception):
    """Harbor lets an exception out here."""


def harbor(document: Document, folder: str, models: Models | None = None) -> dict[str, str]:
    """The verdict of each imitated version.

    Args:
        document: Never modified.
        folder: Where media files are looked for; "" when not known.
        models: What each version's models say, where the findings tell it already; None to imitate them.
    """
    try:
        tree = _read(document)
        if tree is MISSING:
            return dict.fromkeys(NEWEST, "undecided")
        if type(tree) is not dict:
            return dict.fromkeys(NEWEST, "rejected")
        if models is None:
            models = {name: is_accepted_by_models(tree, newest) for name, newest in NEWEST.items()}
        places = list(_media_places(tree, folder))
    except _CrashError:
        return dict.fromkeys(NEWEST, "crash")
    # Harbor 0.18 does not look at audio.
    images = {place for kind, place in places if kind == "image"}
    everything = {place for _, place in places}
    return {name: _verdict(models[name], everything if newest >= 8 else images) for name, newest in NEWEST.items()}


def _verdict(is_valid: bool, places: set[Place]) -> str:
    if Place.REFUSED in places:
        return "crash"
    if not is_valid or Place.MISSING in places:
        return "rejected"
    return "undecided" if places else "accepted"


# --- reading -----------------------------------------------------------------------------------------------------


def _read(document: Document) -> Any:
    """The tree as Python's json reads it; None for text that it refuses, MISSING when that cannot be told."""
    if not document.faults:
        return document.tree
    try:
        text = document.raw.decode("utf-8")
    except UnicodeDecodeError:
        raise _CrashError from None
    if any(fault.kind is FaultKind.LIMIT for fault in document.faults):
        depth = _depth(text)
        if depth >= MAX_DEPTH:
            raise _CrashError
        if depth > SURE_DEPTH or len(text) > MAX_REREAD:
            return MISSING
    try:
        return json.loads(text) if not text.startswith("\ufeff") else None
    except json.JSONDecodeError:
        return None
    except ValueError:  # an integer of more than 4,300 digits
        raise _CrashError from None
    except RecursionError:
        return MISSING


_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[{]|[\]}]', re.DOTALL)


def _depth(text: str) -> int:
    depth = deepest = 0
    for match in _BRACKETS.finditer(text):
        mark = text[match.start()]
        if mark in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif mark != '"':
            depth -= 1
    return deepest


# --- models ------------------------------------------------------------------------------------------------------


def is_accepted_by_models(tree: Json, newest: int) -> bool:
    """Whether the pydantic models take the document. Raises when a rule of theirs lets an exception out."""
    order: list[tuple[Any, int, int]] = [(tree, -1, 0)]  # trajectory, position of the outer one, nesting
    for position, (trajectory, _, nesting) in enumerate(order):
        inside = trajectory.get("subagent_trajectories") if type(trajectory) is dict else None
        if type(inside) is list and nesting <= MAX_NESTING:
            order.extend((subagent, position, nesting + 1) for subagent in inside)
    is_valid = [nesting <= MAX_NESTING and _is_record("trajectory", t, newest) for t, _, nesting in order]
    for position in reversed(range(len(order))):
        trajectory, outer, _ = order[position]
        # Rules over the whole model run when all its members are valid, the innermost trajectory first.
        if is_valid[position] and not _keeps_rules(trajectory):
            is_valid[position] = False
        if not is_valid[position] and outer >= 0:
            is_valid[outer] = False
    return is_valid[0]


def _is_record(kind: str, record: Any, newest: int) -> bool:
    if type(record) is not dict:
        return False
    members = OBJECTS[kind]
    for name, value in record.items():
        member = members.get(name)
        if member is None:
            return False
        if value is None:
            if not member.is_nullable:
                return False
        elif not _is_value(name, member, value, newest):
            return False
    for name, member in members.items():
        if member.optional_since == NEVER and name not in record and name != "schema_version":
            return False
    rule = _RULES.get(kind)
    return rule is None or rule(record, newest)


def _is_value(name: str, member: Member, value: Any, newest: int) -> bool:
    kinds = member.types.keys()
    if kinds == {str}:
        return type(value) is str and _is_word(name, member, value, newest)
    if kinds == {int}:
        number = as_integer(value)
        return number is not None and (member.minimum is None or number >= member.minimum)
    if kinds == {int, float}:
        real = as_float(value)
        return real is not None and (member.minimum is None or real >= member.minimum)
    if kinds == {bool}:
        return is_boolean(value)
    if kinds == {str, int, float}:
        return type(value) is str or as_float(value) is not None
    if kinds == {str, list} and type(value) is str:
        return True
    if kinds == {dict}:
        return type(value) is dict and (member.of not in OBJECTS or _is_record(member.of, value, newest))
    return type(value) is list and _are_elements(member.of, value, newest)


def _is_word(name: str, member: Member, value: str, newest: int) -> bool:
    if not member.words:
        return name != "timestamp" or times.moment(value) is not None
    if name == "media_type" and value not in member.words:
        value = value.strip().lower()
        value = AUDIO_ALIASES.get(value, value)
        return value.startswith("audio/") and value in member.words
    return member.words.get(value, NEVER) <= newest


def _are_elements(of: str, values: list[Any], newest: int) -> bool:
    if of == "trajectory":
        return True  # looked at one by one
    if of == "object":
        return all(type(value) is dict for value in values)
    if of == "integer":
        return all(as_integer(value) is not None for value in values)
    if of == "number":
        return all(as_float(value) is not None for value in values)
    if of == "step":
        # A step that the quick look finds plain is taken by the models; the fuller look is for the others.
        is_plain = Steps(ATIF_NEWEST).is_plain
        return bool(values) and all(is_plain(i, v) or _is_record("step", v, newest) for i, v in enumerate(values))
    return all(_is_record(of, value, newest) for value in values)


def _is_step(step: Json, newest: int) -> bool:
    if step["source"] != "agent":
        return all(step.get(name) is None for name in AGENT_ONLY)
    count = step.get("llm_call_count")
    if count is not None and as_integer(count) == 0:
        return step.get("metrics") is None and step.get("reasoning_content") is None
    return True


def _is_part(part: Json, newest: int) -> bool:
    kind, source = part["type"], part.get("source")
    if kind == "text":
        return part.get("text") is not None and source is None
    return source is not None and part.get("text") is None and _is_record(kind, source, newest)


def _is_reference(reference: Json, newest: int) -> bool:
    return reference.get("trajectory_id") is not None or reference.get("trajectory_path") is not None


_RULES = {"step": _is_step, "part": _is_part, "ref": _is_reference}


def _keeps_rules(trajectory: Json) -> bool:
    """The rules over a whole trajectory, in Harbor's order; the first that is broken ends it."""
    steps = trajectory["steps"]
    for expected, step in enumerate(steps, start=1):
        if as_integer(step["step_id"]) != expected:
            return False
    ids = [subagent.get("trajectory_id") for subagent in trajectory.get("subagent_trajectories") or ()]
    if None in ids or len(set(ids)) < len(ids):
        return False
    for step in steps:
        observation = step.get("observation")
        if observation is None:
            continue
        own = {call["tool_call_id"] for call in step.get("tool_calls") or ()}
        for result in observation["results"]:
            call_id = result.get("source_call_id")
            if call_id is not None and call_id not in own:
                _name(call_id)
                return False
    return True


def _name(call_id: str) -> None:
    # Harbor puts the id into its message, and pydantic cannot take text with half a character.
    try:
        call_id.encode()
    except UnicodeEncodeError:
        raise _CrashError from None


# --- media files -------------------------------------------------------------------------------------------------


def _media_places(tree: Json, folder: str) -> Iterator[tuple[str, Place]]:
    """Where the media of the root's steps lead, by kind of part, but for what passes.

    Harbor runs this after failed validation as well. MISSING is an error there, REFUSED a crash, all else cannot be
    told; a shape that its loops do not expect is a crash at once.
    """
    for step in _elements(tree.get("steps", [])):
        message = step.get("message")
        if type(message) is list:
            yield from _parts_places(message, folder)
        observation = step.get("observation")
        if observation:
            if type(observation) is not dict:
                raise _CrashError
            for result in _elements(observation.get("results", [])):
                content = result.get("content")
                if type(content) is list:
                    yield from _parts_places(content, folder)


def _elements(values: Any) -> list[Json]:
    """The objects of an array; whatever else is there makes Harbor's loops raise."""
    if type(values) is list and set(map(type, values)) <= {dict}:
        return values
    if type(values) not in (list, str, dict) or values:
        raise _CrashError
    return []


def _parts_places(parts: list[Any], folder: str) -> Iterator[tuple[str, Place]]:
    for part in parts:
        kind = part.get("type") if type(part) is dict else None
        if kind != "image" and kind != "audio":
            continue
        source = part.get("source", {})
        path = source.get("path") if type(source) is dict else None
        place = _place(path, folder) if path else None
        if place is not None:
            yield kind, place


def _place(path: Any, folder: str) -> Place | None:
    """None where the file exists for Harbor, or is not looked for."""
    if type(path) is not str:
        return None if type(path) in (list, dict) and "://" in path else Place.REFUSED
    place = look_up(folder, path)
    if place in (Place.URL, Place.FILE, Place.FOLDER):
        return None
    if place is Place.DATA:  # a file name for Harbor
        return Place.REFUSED if len(path) + len(os.fsencode(folder)) >= MAX_PATH else Place.MISSING
    return Place.MISSING if place is Place.INVALID else place
