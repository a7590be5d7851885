"""What the checks ask of a Bundle, computed once and without recursion: by id, by kind, by edge, by reference."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

from attraj.bundle.leaves import Container, containers
from attraj.bundle.shape import COLLECTIONS

Json = dict[str, Any]


class Place(NamedTuple):
    """One record of the Bundle: the collection it stands in and its position there."""

    collection: str
    position: int


class BundleIndex:
    """Look-ups over one Bundle's tree. Records that are not objects, and ids that are not strings, are left out.

    Nothing is inferred: edges are those declared; array order and time are never read as causality (§7.2).
    """

    def __init__(self, tree: Json) -> None:
        self._tree = tree

    def items(self, collection: str) -> list[Any]:
        """The array as it stands in the document (elements may be of any type); [] when it is no array."""
        found = self._tree.get(collection)
        return found if type(found) is list else []

    @cached_property
    def containers(self) -> list[Container]:
        """Every object and array of the document with the way to it; see `attraj.bundle.leaves`."""
        return containers(self._tree)

    @cached_property
    def positions(self) -> dict[str, dict[str, int]]:
        """Collection to id to the position of the first record with that id."""
        return {name: self._first_positions(name, member) for name, (_, member) in COLLECTIONS.items()}

    def _first_positions(self, collection: str, member: str) -> dict[str, int]:
        found: dict[str, int] = {}
        for position, item in enumerate(self.items(collection)):
            if type(item) is dict:
                identity = item.get(member)
                if type(identity) is str and identity not in found:
                    found[identity] = position
        return found

    @cached_property
    def node_positions(self) -> dict[str, int]:
        return self.positions["nodes"]

    @cached_property
    def state_positions(self) -> dict[str, int]:
        return self.positions["states"]

    @cached_property
    def by_kind(self) -> dict[str, list[int]]:
        """Node kind to the positions of its nodes, in document order."""
        found: dict[str, list[int]] = {}
        for position, node in enumerate(self.items("nodes")):
            if type(node) is dict:
                kind = node.get("kind")
                if type(kind) is str:
                    found.setdefault(kind, []).append(position)
        return found

    @cached_property
    def _adjacency(self) -> tuple[list[list[int] | None], list[list[int] | None]]:
        count = len(self.items("nodes"))
        parents: list[list[int] | None] = [None] * count
        children: list[list[int] | None] = [None] * count
        at = self.node_positions.get
        for edge in self.items("edges"):
            if type(edge) is not dict:
                continue
            source, target = edge.get("from"), edge.get("to")
            if type(source) is not str or type(target) is not str:
                continue
            cause, effect = at(source), at(target)
            if cause is None or effect is None:
                continue
            _append(children, cause, effect)
            _append(parents, effect, cause)
        return parents, children

    @property
    def parents(self) -> list[list[int] | None]:
        """For each node position, the positions of its declared causes; None when it has none."""
        return self._adjacency[0]

    @property
    def children(self) -> list[list[int] | None]:
        """For each node position, the positions of its declared effects; None when it has none."""
        return self._adjacency[1]

    def descendants(self, start: int) -> set[int]:
        """Positions of all nodes that depend on the node at `start`, itself excluded unless it is in a cycle."""
        return _reach(self.children, start)

    def ancestors(self, start: int) -> set[int]:
        """Positions of all nodes that the node at `start` depends on."""
        return _reach(self.parents, start)

    @cached_property
    def event_positions(self) -> dict[str, int]:
        """Source event id to the position of the first node that names it."""
        found: dict[str, int] = {}
        for position, node in enumerate(self.items("nodes")):
            if type(node) is dict:
                event = node.get("source_event_id")
                if type(event) is str and event not in found:
                    found[event] = position
        return found

    @cached_property
    def receipt_positions(self) -> dict[str, int]:
        """Receipt id to the position of the first node that carries it."""
        found: dict[str, int] = {}
        for position, node in enumerate(self.items("nodes")):
            receipt = node.get("receipt") if type(node) is dict else None
            if type(receipt) is dict:
                identity = receipt.get("receipt_id")
                if type(identity) is str and identity not in found:
                    found[identity] = position
        return found

    @cached_property
    def scope_ids(self) -> frozenset[str]:
        """Attempts, objectives, contexts … that `scope` names, and the ids that nodes give their attempts."""
        scope = self._tree.get("scope")
        named = set(_texts(scope.values())) if type(scope) is dict else set()
        for node in self.items("nodes"):
            if type(node) is dict:
                for member in ("attempt_id", "intent_id"):
                    if type(node.get(member)) is str:
                        named.add(node[member])
        return frozenset(named)

    @cached_property
    def artifact_ids(self) -> frozenset[str]:
        source = self._tree.get("source")
        artifacts = source.get("artifacts") if type(source) is dict else None
        found = [a.get("artifact_id") for a in artifacts if type(a) is dict] if type(artifacts) is list else []
        return frozenset(a for a in found if type(a) is str)

    @cached_property
    def external_ids(self) -> frozenset[str]:
        """Source ids of all declared external parents."""
        found: set[str] = set()
        for node in self.items("nodes"):
            outside = node.get("external_parents") if type(node) is dict else None
            if type(outside) is list:
                found.update(p["source_id"] for p in outside if type(p) is dict and type(p.get("source_id")) is str)
        return frozenset(found)

    def resolve(self, reference: str) -> Place | None:
        """The record that a reference names, in the order of spec bundle.md §4.3; None when none is declared.

        Scope ids, artifacts and external parents resolve to a Place without a position (-1).
        """
        positions = self.positions
        for collection, table in (
            ("nodes", self.node_positions),
            ("nodes", self.event_positions),
            ("nodes", self.receipt_positions),
            ("outcomes", positions["outcomes"]),
            ("verifier_results", positions["verifier_results"]),
            ("reward_records", positions["reward_records"]),
            ("states", self.state_positions),
        ):
            position = table.get(reference)
            if position is not None:
                return Place(collection, position)
        if reference in self.artifact_ids:
            return Place("source", -1)
        if reference in self.scope_ids:
            return Place("scope", -1)
        return Place("external_parents", -1) if reference in self.external_ids else None


def _append(lists: list[list[int] | None], at: int, value: int) -> None:
    found = lists[at]
    if found is None:
        lists[at] = [value]
    else:
        found.append(value)


def _reach(neighbours: list[list[int] | None], start: int) -> set[int]:
    seen: set[int] = set()
    pending = list(neighbours[start] or ())
    while pending:
        position = pending.pop()
        if position not in seen:
            seen.add(position)
            pending.extend(neighbours[position] or ())
    return seen


def _texts(values: Iterable[Any]) -> Iterable[str]:
    for value in values:
        if type(value) is str:
            yield value
        elif type(value) is list:
            yield from (element for element in value if type(element) is str)
