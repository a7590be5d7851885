"""Two documents side by side: which records are the same ones, which are gone, which are new, what differs in them."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

from attraj.bundle.checks.pairs.differences import Difference, How, Way, differences, has_placeholder, same
from attraj.bundle.checks.pairs.relation import DERIVE, REDACTION, operations
from attraj.bundle.model import Bundle
from attraj.bundle.shape import COLLECTIONS
from attraj.findings import Related
from attraj.pointer import join

Json = dict[str, Any]

IN_THE_OLDER = "in the older document"


class Kept(NamedTuple):
    """One record that both documents have, and how the newer one differs."""

    collection: str
    new: int
    old: int
    differences: list[Difference]


class Pair:
    """A newer and an older document, and how the newer one was made. Neither is modified."""

    def __init__(self, new: Bundle, old: Bundle, relation: str) -> None:
        self.new = new
        self.old = old
        self.relation = relation
        self.operations = operations(new)

    @property
    def may_rename(self) -> bool:
        """Whether an identifier may have been replaced by a placeholder (decisions 25)."""
        return self.relation == REDACTION or (self.relation == DERIVE and "redaction" in self.operations)

    @cached_property
    def renamed(self) -> dict[str, str]:
        """Identifiers of the newer document to those of the older one that they replace.

        Redaction keeps the order of records, and an id that holds a secret becomes a placeholder: the n-th unknown
        placeholder of a collection stands for its n-th missing id.
        """
        found: dict[str, str] = {}
        if not self.may_rename:
            return found
        for collection in COLLECTIONS:
            ours, theirs = self.new.index.positions[collection], self.old.index.positions[collection]
            unknown = [name for name in ours if name not in theirs and has_placeholder(name)]
            missing = [name for name in theirs if name not in ours]
            found.update(zip(unknown, missing, strict=False))
        return found

    @cached_property
    def matches(self) -> dict[str, list[tuple[int, int]]]:
        """Collection to the positions (newer, older) of the records that both have, in the newer order."""
        found: dict[str, list[tuple[int, int]]] = {}
        for collection in COLLECTIONS:
            theirs = self.old.index.positions[collection]
            pairs = [
                (position, theirs[self.old_name(name)])
                for name, position in self.new.index.positions[collection].items()
                if self.old_name(name) in theirs
            ]
            found[collection] = pairs
        return found

    @cached_property
    def gone(self) -> dict[str, list[int]]:
        """Collection to the older positions of the records that the newer document lacks."""
        found: dict[str, list[int]] = {}
        for collection, matched in self.matches.items():
            kept = {old for _, old in matched}
            found[collection] = [p for p in self.old.index.positions[collection].values() if p not in kept]
        return found

    @cached_property
    def fresh(self) -> dict[str, list[int]]:
        """Collection to the newer positions of the records that the older document lacks."""
        found: dict[str, list[int]] = {}
        for collection, matched in self.matches.items():
            kept = {new for new, _ in matched}
            found[collection] = [p for p in self.new.index.positions[collection].values() if p not in kept]
        return found

    def old_name(self, name: str) -> str:
        """The identifier under which the older document has what the newer one calls `name`."""
        return self.renamed.get(name, name)

    @cached_property
    def kept(self) -> list[Kept]:
        """The records that both documents have and that differ in anything but their own identifier."""
        found: list[Kept] = []
        for collection, matched in self.matches.items():
            ours, theirs = self.new.items(collection), self.old.items(collection)
            for new, old in matched:
                changes = _record_differences(collection, ours[new], theirs[old], self.renamed)
                if changes:
                    found.append(Kept(collection, new, old, changes))
        return found

    def envelope(self, member: str) -> list[Difference]:
        """How a top-level member that is no collection differs."""
        ours, theirs = self.new.tree, self.old.tree
        if member not in theirs:
            return []
        if member not in ours:
            return [Difference(How.DROPPED, (member,), None, theirs[member])]
        return differences(ours[member], theirs[member], self.renamed, (member,))

    @cached_property
    def is_equal(self) -> bool:
        """Whether the two say the same, whatever their identity, seal and order."""
        apart = {*COLLECTIONS, "integrity", "trajectory_id"}
        ours = {name: value for name, value in self.new.tree.items() if name not in apart}
        theirs = {name: value for name, value in self.old.tree.items() if name not in apart}
        if self.kept or any(self.gone.values()) or any(self.fresh.values()):
            return False
        return same(ours, theirs, self.renamed)


# A state's content: it goes as a whole when the state's `availability` says so (§8.3).
STATE_CONTENT = ("view", "snapshot", "delta")
_SAYS_WHY = {"availability", "reason"}


def _record_differences(collection: str, new: Json, old: Json, renamed: dict[str, str]) -> list[Difference]:
    if collection == "states" and new.get("availability") != old.get("availability"):
        return _state_differences(new, old, renamed)
    return differences(new, old, renamed)


def _state_differences(new: Json, old: Json, renamed: dict[str, str]) -> list[Difference]:
    """One difference for a content that came or went together with the word that says why."""
    lost = [name for name in STATE_CONTENT if name in old and name not in new]
    came = [name for name in STATE_CONTENT if name in new and name not in old]
    if bool(lost) == bool(came):
        return differences(new, old, renamed)
    apart = {*lost, *came, *_SAYS_WHY, "digest"}
    rest = differences(
        {name: value for name, value in new.items() if name not in apart},
        {name: value for name, value in old.items() if name not in apart},
        renamed,
    )
    word = new.get("availability")
    if came:
        return [Difference(How.FILLED, ("availability",), word, old.get("availability")), *rest]
    if word in ("redacted", "omitted"):
        return [*(Difference(How.WITHHELD, (name,), None, old[name]) for name in lost), *rest]
    return [Difference(How.EMPTIED, ("availability",), word, old[lost[0]]), *rest]


# Links and kinds: what redaction must leave as it is (spec: bundle.md §6.1-1). A placeholder inside an identifier is
# the same link under another name, and no difference of this kind.
LINKS = frozenset(
    {
        "asserted_at_node",
        "attempt_id",
        "attribution_target",
        "base_state",
        "causal_id",
        "context_id",
        "decision_ref",
        "evidence_refs",
        "intent_id",
        "invalidated_by",
        "invalidates",
        "kind",
        "receipt_id",
        "receipt_ref",
        "replay_of",
        "result_ref",
        "same_as",
        "sequence",
        "sources",
        "state_after",
        "state_before",
        "state_view",
        "superseded_by",
    }
)
_LINK_HOLDERS = frozenset({"admission", "effect", "receipt"})


def is_link(way: Way) -> bool:
    """Whether a way inside a record leads to a link, a kind or an order."""
    names = [key for key in way if type(key) is str]
    if len(names) == 1:
        return names[0] in LINKS
    return len(names) == 2 and names[0] in _LINK_HOLDERS and names[1] in LINKS and names[1] != "kind"


def in_the_older(*parts: str | int) -> tuple[Related]:
    """The place in the older document that a finding about the newer one rests on."""
    return (Related(join(*parts), IN_THE_OLDER),)
