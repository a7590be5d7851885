"""Two steps, or two documents, side by side: what differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from attraj.verbs.comparing.align import align
from attraj.verbs.comparing.said import Identities, Name, Said, Says, is_same
from attraj.verbs.comparing.steps import Step, Story

# What a difference can be about → in words for people, in the order of a summary.
TOPICS: Mapping[str, str] = {
    "messages": "messages",
    "reasoning": "reasoning",
    "kinds": "kinds of steps and calls",
    "roles": "roles",
    "calls": "calls",
    "results": "results",
    "links": "which call a result answers, causes",
    "admission": "admission of calls",
    "effects": "effects and receipts",
    "models": "models and how they were called",
    "usage": "tokens and cost",
    "times": "times",
    "views": "what the model saw",
    "identities": "identities of records",
    "outcomes": "outcomes",
    "verifiers": "verifier results",
    "rewards": "rewards",
    "ending": "how it ended",
    "bindings": "agents, models, tools, tasks",
    "rights": "rights",
    "identity": "identity and source",
    "scope": "scope",
    "books": "completeness, disclosure, lineage",
    "members": "further members",
}
Kind = Literal["different", "only_a", "only_b"]


@dataclass(frozen=True, slots=True)
class Change:
    """One value that the two do not both say, or say differently."""

    topic: str
    name: Name
    a: Said | None
    b: Said | None

    @property
    def kind(self) -> Kind:
        return "only_b" if self.a is None else "only_a" if self.b is None else "different"


@dataclass(slots=True)
class Pair:
    """Two steps that belong together, or one that the other document does not have."""

    a: Step | None
    b: Step | None
    changes: list[Change] = field(default_factory=list)

    @property
    def is_in_both(self) -> bool:
        return self.a is not None and self.b is not None

    @property
    def is_same(self) -> bool:
        """Whether both documents have the step, and say the same in it."""
        return self.is_in_both and not self.changes


@dataclass(frozen=True, slots=True)
class ThreadPair:
    """Two threads that belong together; None for a thread that the other document does not have."""

    a: Story | None
    b: Story | None
    pairs: list[Pair]


def compared(a: Says, b: Says, identities: Identities) -> list[Change]:
    """What differs, in the order of the first, then what only the second says."""
    found = []
    for name, mine in a.items():
        theirs = b.get(name)
        if theirs is None or not _agree(mine, theirs, identities):
            found.append(Change(mine.topic, name, mine, theirs))
    found += [Change(theirs.topic, name, None, theirs) for name, theirs in b.items() if name not in a]
    return [told for change in found if (told := _told(change)) is not None]


def _told(change: Change) -> Change | None:
    """The difference as far as documents tell it: a word of a reader differs from nothing."""
    a = change.a if change.a is not None and change.a.is_told else None
    b = change.b if change.b is not None and change.b.is_told else None
    if a is None and b is None:
        return None
    return change if a is change.a and b is change.b else Change(change.topic, change.name, a, b)


def _agree(a: Said, b: Said, identities: Identities) -> bool:
    if a.is_identity and b.is_identity:
        return identities.agree(a.value, b.value)
    return is_same(a.value, b.value) or (type(a.key) is int and type(b.key) is int and a.key == b.key)


def alone(step: Step, *, is_a: bool) -> list[Change]:
    """What a step says that the other document does not have, as far as its document tells it."""
    return [
        Change(said.topic, name, said if is_a else None, None if is_a else said)
        for name, said in step.says.items()
        if said.is_told
    ]


_ANCHORS = 5  # marks of a step, from the whole of it on, that make two steps one where each is there once


def paired(a: list[Story], b: list[Story], identities: Identities) -> list[ThreadPair]:
    """The threads and steps of two documents, those that belong together side by side."""
    return [
        ThreadPair(mine, theirs, _pairs(mine.steps if mine else [], theirs.steps if theirs else [], identities))
        for mine, theirs in _threads(a, b)
    ]


def _pairs(a: list[Step], b: list[Step], identities: Identities) -> list[Pair]:
    found = []
    for mine, theirs in align([step.traits for step in a], [step.traits for step in b], _ANCHORS):
        pair = Pair(None if mine is None else a[mine], None if theirs is None else b[theirs])
        if pair.a is not None and pair.b is not None:
            pair.changes = compared(pair.a.says, pair.b.says, identities)
        found.append(pair)
    return found


def _threads(a: list[Story], b: list[Story]) -> Iterator[tuple[Story | None, Story | None]]:
    """Threads of one name belong together, then those that have most in common; what is left stands alone."""
    named = {story.name: story for story in b}
    partners = {story.name: named.pop(story.name) for story in a if story.name in named}
    left = [story for story in a if story.name not in partners]
    if left and named and len(left) * len(named) <= 2_500:
        marks = {story.name: _marks(story) for story in (*left, *named.values())}
        shared = [
            (-(marks[mine.name] & marks[theirs.name]).total(), i, j, mine.name, theirs)
            for i, mine in enumerate(left)
            for j, theirs in enumerate(named.values())
        ]
        for likeness, _, _, name, theirs in sorted(shared, key=lambda found: found[:3]):
            if likeness < 0 and name not in partners and theirs.name in named:
                partners[name] = named.pop(theirs.name)
    for story in a:
        yield story, partners.get(story.name)
    for story in named.values():
        yield None, story


def _marks(story: Story) -> Counter[object]:
    return Counter(step.traits.marks[1] for step in story.steps if step.traits.marks[1] is not None)
