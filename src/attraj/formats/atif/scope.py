"""The account of one check: what was found, and what is told once however often it occurs.

A `Whole` is the document, a `Scope` one trajectory in it (the root, or an embedded subagent with its own version).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attraj.findings import Finding, Related, Rule, Severity
from attraj.formats.atif import shape
from attraj.formats.atif.rules import (
    BY_MEMBER,
    MISSING_MEMBER,
    MISSING_SESSION,
    MISSING_VERSION,
    NEWER,
    UNKNOWN_MEMBER,
    UNRESOLVABLE,
    WRONG_TYPE,
)
from attraj.formats.atif.survey import Steps
from attraj.pointer import escape

Json = dict[str, Any]

TOLERANCE = 1e-6  # of a total cost: costs are sums of binary fractions
NAMES = {str: "string", int: "integer", float: "number", bool: "boolean", dict: "object", list: "array"}

_MISSING = {
    ("trajectory", "schema_version"): MISSING_VERSION,
    ("trajectory", "session_id"): MISSING_SESSION,
    ("ref", "session_id"): UNRESOLVABLE,
}
_MISSING_HINTS = {
    ("trajectory", "schema_version"): "Harbor takes such a document for its newest version; write the version it has",
    ("trajectory", "session_id"): "it became optional in ATIF-v1.7",
    ("trajectory", "agent"): "write at least the agent's name and version",
    ("ref", "session_id"): "before ATIF-v1.7 a reference carries the session_id of the subagent",
    ("step", "message"): 'a step without text has the message ""',
    ("call", "arguments"): "a call without arguments has {}",
    ("observation", "results"): "an observation without results has []",
}
_TYPE_HINTS = {
    ("call", "arguments", str): "it looks like JSON text: write the object itself",
    ("result", "subagent_trajectory_ref", dict): "put the reference into an array",
    ("step", "message", type(None)): 'a step without text has the message ""',
}


class Tally:
    """A fault that is told once for a trajectory: its first place, and how often it occurs."""

    # No dataclass here and below: making one costs a start of the program a millisecond.
    __slots__ = ("count", "hint", "message", "pointer", "rule", "severity")

    def __init__(self, rule: Rule, pointer: str, message: str, hint: str, severity: Severity | None) -> None:
        self.rule = rule
        self.pointer = pointer
        self.message = message
        self.hint = hint
        self.severity = severity
        self.count = 1

    def finding(self) -> Finding:
        more = f" ({self.count} places; this is the first)" if self.count > 1 else ""
        return self.rule.at(self.pointer, self.message + more, hint=self.hint, severity=self.severity)


class Whole:
    """What is gathered over the whole document.

    Attributes:
        folder: Where files that it names are looked for; "" when not known.
        found: Findings so far.
        has_media: Some part names an image or a recording.
        has_audio: Some part is audio.
        unlooked: How many files were named and could not be looked for, for want of a folder.
        references: trajectory_id references: pointer, id, whether a path is given too.
        embedded: trajectory_id of every embedded subagent, to its pointers.
        is_newest: Some trajectory declares the newest version.
        sidechains: Steps that are marked as a subagent's own.
        has_calls: Some step of the agent has tool calls.
    """

    __slots__ = (
        *("embedded", "folder", "found", "has_audio", "has_calls", "has_media"),
        *("is_newest", "references", "sidechains", "unlooked"),
    )

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.found: list[Finding] = []
        self.has_media = False
        self.has_audio = False
        self.unlooked = 0
        self.references: list[tuple[str, str, bool]] = []
        self.embedded: dict[str, list[str]] = {}
        self.is_newest = False
        self.sidechains = 0
        self.has_calls = False


class Scope:
    """One trajectory of the document while it is checked.

    Attributes:
        at: Pointer of the trajectory; "" for the document itself.
        version: Minor number of the version whose members and types apply.
        steps: Its steps, [] when there are none to look at.
        account: What its steps add up to.
    """

    __slots__ = ("account", "at", "repeating", "steps", "tallies", "tree", "version", "whole")

    def __init__(self, whole: Whole, tree: Json, at: str, version: int) -> None:
        self.whole = whole
        self.tree = tree
        self.at = at
        self.version = version
        steps = tree.get("steps")
        self.steps: list[Any] = steps if type(steps) is list else []
        self.account = Steps(version)
        self.tallies: dict[str, Tally] = {}
        self.repeating = -2  # position of the last step that repeats an earlier one

    def add(
        self,
        rule: Rule,
        at: str,
        message: str,
        hint: str = "",
        severity: Severity | None = None,
        related: Sequence[Related] = (),
    ) -> None:
        self.whole.found.append(rule.at(at, message, hint=hint, severity=severity, related=related))

    def tally(
        self, key: str, rule: Rule, at: str, message: str, hint: str = "", severity: Severity | None = None
    ) -> None:
        """Tell a fault once for this trajectory, at its first place."""
        known = self.tallies.get(key)
        if known is None:
            self.tallies[key] = Tally(rule, at, message, hint, severity)
        else:
            known.count += 1

    def close(self) -> None:
        """Turn the tallies into findings."""
        self.whole.found.extend(tally.finding() for tally in self.tallies.values())

    # --- members and types -------------------------------------------------------------------------------------

    def members(self, kind: str, record: Json, at: str) -> None:
        """Report unknown members, members and values of a later version, wrong types and missing members."""
        now = shape.types_at(kind, self.version)
        for name, value in record.items():
            types = now.get(name)
            if types is None or type(value) not in types:
                self._member(kind, name, value, at)
        for name in shape.required_at(kind, self.version):
            if name not in record or (record[name] is None and shape.OBJECTS[kind][name].is_nullable):
                self._missing(kind, name, record, at)

    def _missing(self, kind: str, name: str, record: Json, at: str) -> None:
        rule = _MISSING.get((kind, name)) or BY_MEMBER.get((kind, name), MISSING_MEMBER)
        hint = _MISSING_HINTS.get((kind, name), "")
        if name in record:
            self.add(rule, f"{at}/{name}", f"required member `{name}` is null", hint)
        else:
            self.add(rule, at, f"required member `{name}` is missing", hint)

    def _member(self, kind: str, name: str, value: Any, at: str) -> None:
        member = shape.OBJECTS[kind].get(name)
        if member is None:
            from attraj.formats.atif.unknown import hint_for  # only where there is something unknown

            message = f"member is not part of ATIF's {shape.TITLES[kind]}"
            self.add(UNKNOWN_MEMBER, f"{at}/{escape(name)}", message, hint_for(kind, name))
            return
        if member.since > self.version and value is not None:
            self.newer(f"{kind}.{name}", f"{at}/{name}", f"member `{name}`", member.since)
        if type(value) in member.types_at(shape.NEWEST):
            since = member.types.get(type(value), 0)
            if since > max(self.version, member.since):
                self.newer(f"{kind}.{name}:{since}", f"{at}/{name}", f"an array as `{name}`", since)
            return
        expected = " or ".join(NAMES[t] for t in member.types if t is not int or float not in member.types)
        got = "null" if value is None else NAMES[type(value)]
        hint = _TYPE_HINTS.get((kind, name, type(value))) or _hint_for_type(member, value)
        rule = BY_MEMBER.get((kind, name), WRONG_TYPE)
        self.add(rule, f"{at}/{name}", f"expected {expected}, got {got}", hint)

    def newer(self, key: str, at: str, what: str, since: int) -> None:
        """A03: something that the declared version does not have yet."""
        message = f"{what} came with ATIF-v1.{since}, the document declares ATIF-v1.{self.version}"
        self.tally(key, NEWER, at, message, f"declare ATIF-v1.{since} or later")

    def wrong_element(self, at: str, expected: str, value: Any) -> None:
        """An element of an array that is of the wrong type."""
        got = "null" if value is None else NAMES[type(value)]
        self.add(WRONG_TYPE, at, f"expected {expected}, got {got}")


def _hint_for_type(member: shape.Member, value: Any) -> str:
    if member.types.keys() <= {int, float}:
        if type(value) is float and value.is_integer():
            return "write it without a fraction: other readers take it for another type"
        if type(value) in (str, bool):
            return "write the number itself; Harbor converts such values, other readers do not"
    elif bool in member.types and type(value) in (str, int):
        return "write true or false; Harbor converts such values, other readers do not"
    return ""
