"""AT312, AT314, AT711: the causal shape. What is taken away moves no child and puts nothing in order (§7.3, §13.2).

Edges are compared as what they say, "this node depends on that one by this relation", whatever their identifiers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from attraj.bundle.checks.pairs.codes import AT312, AT314, AT711
from attraj.bundle.checks.pairs.differences import has_placeholder
from attraj.bundle.checks.pairs.pair import Pair, in_the_older
from attraj.bundle.checks.pairs.relation import DERIVE, REDACTION, REEXPORT, REVISION
from attraj.bundle.index import BundleIndex
from attraj.bundle.model import Bundle, child, text
from attraj.bundle.shape import COLLECTIONS
from attraj.findings import Finding, Severity
from attraj.pointer import join

Json = dict[str, Any]


class Link(NamedTuple):
    """One edge, by what it says. Identifiers are those of the older document."""

    cause: str
    effect: str
    relation: str


def check(pair: Pair) -> Iterator[Finding]:
    """The faults of the causal shape under one relation. A reward derivation must leave it alone altogether (AT629)."""
    if pair.relation in (REDACTION, DERIVE, REEXPORT, REVISION):
        yield from Skeletons(pair).findings()


class Skeletons:
    """The causal shapes of the two documents."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.is_taken = pair.relation in (REDACTION, DERIVE)  # a part of the older document, and nothing added
        self.ours = _links(pair.new, pair)
        self.theirs = _links(pair.old, None)
        self.moved: set[str] = set()  # effects whose new parent is reported: their lost edge is the same fault

    @cached_property
    def kept_nodes(self) -> dict[str, int]:
        """Identifier in the older document to the position in the newer one, of each node that both have."""
        names = self.pair.old.index.items("nodes")
        return {names[old]["node_id"]: new for new, old in self.pair.matches["nodes"]}

    def findings(self) -> Iterator[Finding]:
        yield from self._new_parents()
        if self.is_taken:
            yield from self._outside_parents()
            yield from self._lost_parents()
            yield from self._parent_declarations()
        if self.pair.relation == REDACTION:
            yield from self._record_sets()

    # --- parents that the older document does not have ---

    def _new_parents(self) -> Iterator[Finding]:
        known = {(link.cause, link.effect) for link in self.theirs}
        order = Order(self.pair.old.index)
        for link, position in self.ours.items():
            if (link.cause, link.effect) in known or link.effect not in self.kept_nodes:
                continue
            if link.cause not in self.kept_nodes:
                continue  # a node that only the newer document has: what it adds is not for the older one to say
            finding = self._new_parent(link, position, order)
            if finding is not None:
                self.moved.add(link.effect)
                yield finding

    def _new_parent(self, link: Link, position: int, order: Order) -> Finding | None:
        effect = self.pair.old.index.node_positions[link.effect]
        related = in_the_older("nodes", effect)
        at = join("edges", position)
        if order.is_concurrent(link.cause, link.effect):
            if not self.is_taken and _is_undetermined(self.pair.old.index.items("nodes")[effect]):
                return None  # the older document says that it does not know: a revision may
            return AT314.at(
                at,
                "two nodes that the older document leaves concurrent are put in an order",
                hint="remove the edge: neither position nor time makes one node the cause of another",
                severity=Severity.ERROR if self.is_taken else None,
                related=related,
            )
        if not self.is_taken:
            return None  # they were in this order already, or AT301 tells of the cycle
        return AT312.at(
            at,
            "a node has a parent that it does not have in the older document",
            hint="keep each child's own parents: where one is taken away, declare an external parent with availability "
            "redacted and the reason",
            related=related,
        )

    def _outside_parents(self) -> Iterator[Finding]:
        """External parents: the boundary of a selection may cut known edges, and make no others."""
        cut = self._cut_parents()
        for new, old in self.pair.matches["nodes"]:
            ours = self.pair.new.items("nodes")[new].get("external_parents")
            if type(ours) is not list or not ours:
                continue
            theirs = self.pair.old.items("nodes")[old].get("external_parents")
            left = [p for p in theirs if type(p) is dict] if type(theirs) is list else []
            allowed = len(left) + len(cut.get(new, ()))
            names = {text(p, "source_id") for p in left} | cut.get(new, set())
            for i, parent in enumerate(ours):
                if type(parent) is not dict:
                    continue
                allowed -= 1
                source = text(parent, "source_id")
                is_named = source is None or self.pair.old_name(source) in names
                is_named = is_named or _is_withheld(parent) or has_placeholder(source or "")
                if allowed < 0 or not is_named:
                    yield AT312.at(
                        join("nodes", new, "external_parents", i),
                        "the node has an external parent that it does not have in the older document",
                        hint="carry over the parents that it has there, and no others",
                        related=in_the_older("nodes", old),
                    )

    def _cut_parents(self) -> dict[int, set[str]]:
        """Newer position to what may stand for the parents that were taken away: their ids and source event ids."""
        cut: dict[int, set[str]] = {}
        at, nodes = self.pair.old.index.node_positions, self.pair.old.index.items("nodes")
        for link in self.theirs:
            if link.effect in self.kept_nodes and link.cause not in self.kept_nodes:
                names = cut.setdefault(self.kept_nodes[link.effect], set())
                names.add(link.cause)
                event = text(nodes[at[link.cause]], "source_event_id") if link.cause in at else None
                names.update([event] if event else ())
        return cut

    # --- parents that are gone ---

    def _lost_parents(self) -> Iterator[Finding]:
        cut: set[str] = set()
        pairs = {(link.cause, link.effect) for link in self.ours}
        for link, position in self.theirs.items():
            if link in self.ours or link.effect not in self.kept_nodes or link.effect in self.moved:
                continue
            new = self.kept_nodes[link.effect]
            if link.cause not in self.kept_nodes:
                cut.add(link.effect)
                continue
            changed = (link.cause, link.effect) in pairs
            yield AT711.at(
                join("nodes", new),
                "the node depends on its parent by another relation than in the older document"
                if changed
                else "the node lost a parent that is still in the document",
                hint="keep every edge between two nodes that stay",
                related=in_the_older("edges", position),
            )
        if self.pair.relation == DERIVE:
            yield from self._unmarked_cuts(cut)

    def _unmarked_cuts(self, cut: set[str]) -> Iterator[Finding]:
        """Children of a node that was left out, without a word about it (§7.3). In a redaction the node is told of."""
        at = self.pair.old.index.node_positions
        for effect, new in self.kept_nodes.items():
            if effect not in cut:
                continue
            ours, theirs = self.pair.new.items("nodes")[new], self.pair.old.items("nodes")[at[effect]]
            if _count(ours) > _count(theirs) or _declares_gap(ours):
                continue
            yield AT711.at(
                join("nodes", new),
                "a parent of the node was left out, and nothing says that it had one",
                hint="declare an external parent, or parents with status partial and a reason",
                related=in_the_older("nodes", at[effect]),
            )

    def _parent_declarations(self) -> Iterator[Finding]:
        for new, old in self.pair.matches["nodes"]:
            ours = child(self.pair.new.items("nodes")[new], "parents").get("status")
            theirs = child(self.pair.old.items("nodes")[old], "parents").get("status")
            if ours == theirs or ours in _GAPS:
                continue
            if ours is None or ours == "none":
                yield AT711.at(
                    join("nodes", new),
                    "the node declares other parents than in the older document",
                    hint="copy `parents` as it is",
                    related=in_the_older("nodes", old),
                )

    # --- records ---

    def _record_sets(self) -> Iterator[Finding]:
        """Redaction takes content, never records. An edge of a node that is gone is no second fault."""
        for collection in COLLECTIONS:
            if collection != "edges":
                for position in self.pair.gone[collection]:
                    yield AT711.at(
                        join(collection),
                        "redaction took a whole record of the older document away",
                        hint="keep a stub: its identifier, kind and links, and markers for its content",
                        related=in_the_older(collection, position),
                    )
                for position in self.pair.fresh[collection]:
                    message = "redaction added a record that the older document does not have"
                    yield AT711.at(join(collection, position), message)


_GAPS = ("partial", "redacted", "undetermined")


def _links(document: Bundle, pair: Pair | None) -> dict[Link, int]:
    """Each edge by what it says, with its first position."""
    found: dict[Link, int] = {}
    for position, edge in document.objects("edges"):
        cause, effect = text(edge, "from"), text(edge, "to")
        if cause is None or effect is None:
            continue
        if pair is not None:
            cause, effect = pair.old_name(cause), pair.old_name(effect)
        found.setdefault(Link(cause, effect, text(edge, "relation") or ""), position)
    return found


def _is_withheld(parent: Json) -> bool:
    return parent.get("availability") in ("redacted", "unknown")


def _is_undetermined(node: Json) -> bool:
    return child(node, "parents").get("status") in _GAPS


def _declares_gap(node: Json) -> bool:
    return child(node, "parents").get("status") in _GAPS


def _count(node: Json) -> int:
    outside = node.get("external_parents")
    return len(outside) if type(outside) is list else 0


class Order:
    """Which nodes of a document are ordered by its edges, within a budget that keeps the whole linear."""

    def __init__(self, index: BundleIndex) -> None:
        self._index = index
        self._reached: dict[int, set[int]] = {}
        self._budget = 8 * (len(index.items("nodes")) + len(index.items("edges"))) + 100_000

    def is_concurrent(self, one: str, other: str) -> bool:
        """Whether neither of two nodes depends on the other; False as well when the budget is spent."""
        at = self._index.node_positions
        a, b = at[one], at[other]
        if a == b or self._budget <= 0:
            return False
        return b not in self._descendants(a) and a not in self._descendants(b)

    def _descendants(self, position: int) -> set[int]:
        found = self._reached.get(position)
        if found is None:
            found = self._reached[position] = self._index.descendants(position)
            self._budget -= len(found) + 1
        return found
