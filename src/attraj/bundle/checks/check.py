"""What a check is, and how one says when it applies. No check lives here.

A check is a function with the rules that it may report. It registers for the whole bundle, for each record of a
collection, for each record of one kind, or for each record that has a certain member; one pass over a collection
serves them all (`attraj.bundle.checks.runner`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from attraj.bundle.groups import Group
from attraj.bundle.model import Bundle
from attraj.findings import Finding, Rule, Severity, Stratum
from attraj.limits import DEFAULT_LIMITS, Limits

Json = dict[str, Any]
BundleCheck = Callable[[Bundle, "Asked"], Iterable[Finding]]
RecordCheck = Callable[[Bundle, int, Json], Sequence[Finding]]
Suspects = Callable[[Bundle, Group], Iterable[int]]

NOTHING: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What the caller asks of the checks beyond the document itself.

    Attributes:
        level: The last stratum that runs.
        now: RFC 3339 time against which validity is judged; "" leaves validity alone (no clock is read here).
        purpose: Training purpose that must be covered; "" leaves purposes alone.
        needs_closure: Undeclared parents are errors (`--strict-closure`).
        as_reference: Differences from the reference JSON form are told as well (AT125).
        limits: Bounds on sizes.
    """

    level: Stratum = Stratum.PROFILES
    now: str = ""
    purpose: str = ""
    needs_closure: bool = False
    as_reference: bool = False
    limits: Limits = DEFAULT_LIMITS


@dataclass(frozen=True, slots=True)
class Check:
    """A function and when it applies.

    Attributes:
        rules: Every rule that it may report; its stratum is the first one's.
        function: Takes (bundle, asked) for the whole bundle, (bundle, position, record) for records.
        collection: "" for the whole bundle.
        kind: Only records of this `kind`; "" for all.
        member: Only records that have this member; "" for all.
        profile: Only bundles that claim this profile; "" for all.
        suspects: Only those records of a group that it names (the others are clean: a glance at columns has shown
            it); None for all.
        needs: Only when the document's bytes hold one of these (a JSON escape inside a word is written by nobody,
            and the runner looks for it); () for all.
    """

    rules: tuple[Rule, ...]
    function: Callable[..., Iterable[Finding]]
    collection: str = ""
    kind: str = ""
    member: str = ""
    profile: str = ""
    suspects: Suspects | None = None
    needs: tuple[bytes, ...] = ()

    @property
    def stratum(self) -> Stratum:
        return self.rules[0].stratum

    def run(self, bundle: Bundle, asked: Asked | None = None) -> list[Finding]:
        """Run this check alone over a bundle, in document order (for tests and for the library)."""
        if not self.collection:
            return list(self.function(bundle, asked or Asked()))
        found = [
            (position, finding)
            for group in bundle.index.groups[self.collection]
            if not self.member or self.member in group.names
            for position, record in self.among(bundle, group)
            for finding in self.function(bundle, position, record)
        ]
        return [finding for _, finding in sorted(found, key=itemgetter(0))]

    def among(self, bundle: Bundle, group: Group) -> Iterable[tuple[int, Json]]:
        """Position and record of those of a group (all of which have the member) that it looks at."""
        each: Iterable[tuple[int, Json]] = zip(group.positions, group.records, strict=True)
        if self.suspects is not None:
            each = [(group.positions[i], group.records[i]) for i in self.suspects(bundle, group)]
        return [(p, record) for p, record in each if record.get("kind") == self.kind] if self.kind else each


def on_bundle(*rules: Rule, profile: str = "", needs: Sequence[bytes] = ()) -> Callable[[BundleCheck], Check]:
    """The decorated function looks at the whole bundle: (bundle, asked) -> findings."""

    def decorate(function: BundleCheck) -> Check:
        return Check(rules, function, profile=profile, needs=tuple(needs))

    return decorate


def on_each(
    collection: str,
    *rules: Rule,
    kind: str = "",
    member: str = "",
    profile: str = "",
    suspects: Suspects | None = None,
) -> Callable[[RecordCheck], Check]:
    """The decorated function looks at one record: (bundle, position, record) -> findings, () when there are none.

    It runs once for each record that is an object (and has the kind, or the member). It must take any JSON type in
    any member: wrong types are reported by the shape check, and everything else goes on.

    Where there are many such records and few with a fault, `suspects` spares the calls: it takes the bundle and a
    group of them, and gives the numbers within the group of at least those that the function has something to say of.
    """

    def decorate(function: RecordCheck) -> Check:
        return Check(rules, function, collection, kind, member, profile, suspects)

    return decorate


def filled(member: str) -> Suspects:
    """Suspects are the records in which a member is neither empty nor null."""
    return lambda _bundle, group: group.filled(member)


def error(code: str, slug: str, stratum: Stratum, profile: str = "AT-Core", *, rejects: bool = False) -> Rule:
    """A rule whose findings are errors, and fail the verdict of `profile`."""
    return Rule(code, slug, Severity.ERROR, stratum, profile, rejects)


def warning(code: str, slug: str, stratum: Stratum, profile: str = "AT-Core") -> Rule:
    """A rule whose findings are warnings (unless a check says otherwise at one place)."""
    return Rule(code, slug, Severity.WARNING, stratum, profile)


def info(code: str, slug: str, stratum: Stratum, profile: str = "AT-Core") -> Rule:
    """A rule whose findings are remarks."""
    return Rule(code, slug, Severity.INFO, stratum, profile)
