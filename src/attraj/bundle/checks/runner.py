"""One pass over the bundle that serves every check: shape while the members are read, checks where they registered."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType

from attraj.bundle.checks.check import Asked, Check
from attraj.bundle.checks.shape import record_shape, top_level_shape, wrong_record
from attraj.bundle.checks.unjudged import judged
from attraj.bundle.model import Bundle
from attraj.bundle.shape import COLLECTIONS
from attraj.findings import Finding, Rule, Stratum


def run(bundle: Bundle, asked: Asked, no_json: Collection[str] = ()) -> list[Finding]:
    """Every finding of every check up to the asked stratum, in no particular order.

    Args:
        bundle: Never modified.
        asked: Level, closure, time, purpose.
        no_json: Places of values that are not JSON (NaN), which the reading of the bytes has told.
    """
    plan = plan_for(asked.level, bundle.profiles)
    found: list[Finding] = []
    if asked.level >= Stratum.SHAPE:
        found.extend(top_level_shape(bundle))
        for collection in COLLECTIONS:
            _records(bundle, collection, plan.records[collection], found)
    for check in plan.whole:
        if may_apply(check, bundle.raw):
            found.extend(check.function(bundle, asked))
    return judged(bundle, found, no_json)


def may_apply(check: Check, raw: bytes) -> bool:
    """False only when the bytes prove that the check has nothing to find: a search at memory speed, not a walk."""
    if not check.needs or not raw or any(word in raw for word in check.needs):
        return True
    # Printable ASCII written as an escape can hide a word from a search of the bytes.
    return any(escape in raw for escape in _HIDING)


_HIDING = tuple(b"\\u00%d" % digit for digit in range(2, 8))


@dataclass(slots=True)
class RecordPlan:
    """The checks of one collection: those of every record, and those that wait for a member."""

    every: list[Check] = field(default_factory=list)
    by_member: dict[str, list[Check]] = field(default_factory=dict)

    def add(self, check: Check) -> None:
        (self.by_member.setdefault(check.member, []) if check.member else self.every).append(check)

    def of(self, names: Iterable[str]) -> list[Check]:
        """The checks of a record with these members."""
        return [*self.every, *(check for name in names for check in self.by_member.get(name, ()))]


@dataclass(slots=True)
class Plan:
    """The checks that apply at one level to a bundle that claims certain profiles."""

    whole: list[Check] = field(default_factory=list)
    records: dict[str, RecordPlan] = field(default_factory=lambda: {name: RecordPlan() for name in COLLECTIONS})


@cache
def plan_for(level: Stratum, profiles: frozenset[str]) -> Plan:
    plan = Plan()
    for check in checks():
        if check.stratum > level or (check.profile and check.profile not in profiles):
            continue
        if check.collection:
            plan.records[check.collection].add(check)
        else:
            plan.whole.append(check)
    return plan


def families() -> tuple[ModuleType, ...]:
    """The modules that hold the checks, in the order of their codes."""
    from attraj.bundle.checks import (
        actors,
        bindings,
        causality,
        completeness,
        content_ids,
        disclosure,
        effects,
        envelope,
        evaluation,
        evidence,
        identity,
        integrity,
        leaks,
        order,
        reference_form,
        rewards,
        rights,
        safety,
        shape,
        state,
        training,
        transform,
        transitions,
        verifiers,
        withheld,
    )

    return (
        safety,
        shape,
        envelope,
        bindings,
        reference_form,
        identity,
        content_ids,
        causality,
        order,
        state,
        transitions,
        actors,
        effects,
        evidence,
        verifiers,
        rewards,
        disclosure,
        withheld,
        leaks,
        rights,
        training,
        completeness,
        evaluation,
        transform,
        integrity,
    )


def checks() -> list[Check]:
    """Every check of every family, in the order in which the families state them."""
    return [value for module in families() for value in vars(module).values() if type(value) is Check]


def rules() -> list[Rule]:
    """Every rule of every family, by code."""
    found = {value for module in families() for value in vars(module).values() if type(value) is Rule}
    return sorted(found, key=lambda rule: rule.code)


def _records(bundle: Bundle, collection: str, plan: RecordPlan, found: list[Finding]) -> None:
    """The hot loop: records of the same members are looked at together, and one by one where a check waits for them."""
    shape = record_shape(COLLECTIONS[collection][0])
    items = bundle.items(collection)
    if not set(map(type, items)) <= {dict}:
        found.extend(wrong_record(collection, i) for i, record in enumerate(items) if type(record) is not dict)
    for suspect in bundle.index.survey.suspects[collection]:
        found.extend(shape.faults(items[suspect], collection, suspect))
    for group in bundle.index.groups[collection]:
        for check in plan.of(group.names):
            function = check.function
            for position, record in check.among(bundle, group):
                results = function(bundle, position, record)
                if results:
                    found.extend(results)
