"""What the checks ask of a Bundle, computed once and without recursion: by id, by kind, by edge, by reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any, NamedTuple

from attraj.bundle import dangling, graph
from attraj.bundle.graph import Graph, Link, Neighbours
from attraj.bundle.groups import Group, groups
from attraj.bundle.leaves import Container, Walk, walk
from attraj.bundle.shape import COLLECTIONS

Json = dict[str, Any]
Keys = tuple[str | int, ...]

EDGE_TYPES = "dev.attraj.edge_types"  # extension that explains relations
NONE: frozenset[str] = frozenset()
REFERENCE_CANONICALIZATION = "morphz-at-json-struct-order-v1"  # the reference exporter always names it


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
    def groups(self) -> dict[str, list[Group]]:
        """Collection to its records, by the members that they have; see `attraj.bundle.groups`."""
        return {name: groups(self.items(name)) for name in COLLECTIONS}

    @cached_property
    def walk(self) -> Walk:
        """What one pass over everything in the document meets; see `attraj.bundle.leaves`."""
        return walk(self._tree)

    @property
    def containers(self) -> list[Container]:
        """Every object and array of the document with the way to it."""
        return self.walk.containers

    @cached_property
    def positions(self) -> dict[str, dict[str, int]]:
        """Collection to id to the position of the first record with that id."""
        return {name: self._first_positions(name, member) for name, (_, member) in COLLECTIONS.items()}

    def _first_positions(self, collection: str, member: str) -> dict[str, int]:
        items = self.items(collection)
        try:
            found = dict(zip(map(itemgetter(member), items), range(len(items)), strict=True))
            if len(found) == len(items) and set(map(type, found)) <= {str}:
                return found
        except (KeyError, TypeError, IndexError):
            pass  # a record without an id, or no record at all: looked at one by one
        found = {}
        for position, item in enumerate(items):
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
    def identities(self) -> list[tuple[Any, Any, Any]]:
        """Kind, actor and authority class of each node as they stand; None for each that is not there."""
        nodes = self.items("nodes")
        try:
            return list(map(itemgetter("kind", "actor", "authority_class"), nodes))
        except (KeyError, TypeError, IndexError):
            objects = (node if type(node) is dict else {} for node in nodes)
            return [(node.get("kind"), node.get("actor"), node.get("authority_class")) for node in objects]

    @cached_property
    def by_kind(self) -> dict[str, list[int]]:
        """Node kind to the positions of its nodes, in document order."""
        found: dict[str, list[int]] = {}
        for position, (kind, _, _) in enumerate(self.identities):
            if type(kind) is str:
                if kind in found:
                    found[kind].append(position)
                else:
                    found[kind] = [position]
        return found

    @cached_property
    def graph(self) -> Graph:
        """Declared edges between nodes of this bundle, by positions."""
        return graph.build(len(self.items("nodes")), self.node_positions, self.items("edges"))

    @property
    def parents(self) -> Neighbours:
        """For each node position, the positions of its declared causes; None when it has none."""
        return self.graph.parents

    @property
    def children(self) -> Neighbours:
        """For each node position, the positions of its declared effects; None when it has none."""
        return self.graph.children

    @cached_property
    def causal_order(self) -> Sequence[int]:
        """Node positions, every cause before its effects; nodes on a cycle or behind one are left out."""
        return graph.causal_order(self.graph)

    @cached_property
    def links(self) -> dict[int, list[Link]]:
        """Node position to its edges in that say what it retries, resumes, replays, recovers or is delegated by."""
        return graph.links(self.node_positions, self.items("edges"))

    def descendants(self, start: int) -> set[int]:
        """Positions of all nodes that depend on the node at `start`, itself excluded unless it is in a cycle."""
        return graph.reach(self.children, (start,))

    def ancestors(self, start: int) -> set[int]:
        """Positions of all nodes that the node at `start` depends on."""
        return graph.reach(self.parents, (start,))

    @cached_property
    def own_relations(self) -> frozenset[str]:
        """The relations that the bundle itself explains (spec: bundle.md §4.7)."""
        data: Any = self._tree
        for member in ("extensions", EDGE_TYPES, "data"):
            data = data.get(member) if type(data) is dict else None
        return frozenset(name for name, said in data.items() if type(said) is dict) if type(data) is dict else NONE

    @cached_property
    def has_own_relation(self) -> set[int]:
        """Positions of the nodes with an edge in of a relation that the bundle itself explains."""
        found: set[int] = set()
        for edge in self.items("edges") if self.own_relations else ():
            if type(edge) is dict and type(edge.get("relation")) is str and edge["relation"] in self.own_relations:
                target = edge.get("to")
                if type(target) is str and target in self.node_positions:
                    found.add(self.node_positions[target])
        return found

    @cached_property
    def intent_counts(self) -> Counter[str]:
        """How many nodes serve each intent."""
        nodes = (node for node in self.items("nodes") if type(node) is dict)
        return Counter(intent for node in nodes if type(intent := node.get("intent_id")) is str)

    @cached_property
    def same_states(self) -> dict[str, str]:
        """State id to the id of the state that it equals in the end, for every state that says `same_as`."""
        said: dict[str, str] = {}
        for state in self.items("states"):
            if type(state) is dict:
                identity, same = state.get("state_id"), state.get("same_as")
                if type(identity) is str and type(same) is str:
                    said.setdefault(identity, same)
        found: dict[str, str] = {}
        for start in said:
            way, at, seen = [], start, set()
            while at in said and at not in found and at not in seen:
                seen.add(at)
                way.append(at)
                at = said[at]
            end = found.get(at, at)
            for step in way:
                found[step] = end
        return found

    def state(self, identity: Any) -> Json | None:
        """The state of this id; None when the id is none, or names no state of the bundle."""
        position = self.state_positions.get(identity) if type(identity) is str else None
        return None if position is None else self.items("states")[position]

    @cached_property
    def operations(self) -> frozenset[str]:
        """What `transform` says was done, in its list of operations or in its steps."""
        transform = self._tree.get("transform")
        if type(transform) is not dict:
            return NONE
        named, steps = transform.get("operations"), transform.get("steps")
        found = set(_texts([named]))
        for step in steps if type(steps) is list else ():
            if type(step) is dict and type(step.get("operation")) is str:
                found.add(step["operation"])
        return frozenset(found)

    @cached_property
    def is_reference_form(self) -> bool:
        """Whether the document is in the reference implementation's closed form, by its own canonicalization."""
        integrity = self._tree.get("integrity")
        return type(integrity) is dict and integrity.get("canonicalization") == REFERENCE_CANONICALIZATION

    @cached_property
    def event_positions(self) -> dict[str, int]:
        """Source event id to the position of the first node that names it."""
        return self._first_positions("nodes", "source_event_id")

    @cached_property
    def receipt_positions(self) -> dict[str, int]:
        """Receipt id to the position of the first node that carries it."""
        found: dict[str, int] = {}
        for position, receipt in self._each_node_with("receipt"):
            if type(receipt) is dict:
                identity = receipt.get("receipt_id")
                if type(identity) is str and found.get(identity, position) >= position:
                    found[identity] = position
        return found

    def _each_node_with(self, member: str) -> Iterator[tuple[int, Any]]:
        """Position and value of a member, for each node that has it; not in document order."""
        for group in self.groups["nodes"]:
            if member in group.names:
                yield from zip(group.positions, group.column(member), strict=True)

    @cached_property
    def scope_ids(self) -> frozenset[str]:
        """Attempts, objectives, contexts … that `scope` names, and the ids that nodes give their attempts."""
        scope = self._tree.get("scope")
        named = set(_texts(scope.values())) if type(scope) is dict else set()
        for member in ("attempt_id", "intent_id"):
            named.update(value for _, value in self._each_node_with(member) if type(value) is str)
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
        for _, outside in self._each_node_with("external_parents"):
            if type(outside) is list:
                found.update(p["source_id"] for p in outside if type(p) is dict and type(p.get("source_id")) is str)
        return frozenset(found)

    @cached_property
    def dangling_states(self) -> list[Keys]:
        """Ways to members that name a state which the bundle does not declare."""
        return dangling.states(self)

    @cached_property
    def dangling_evidence(self) -> list[Keys]:
        """Ways to members that name evidence which the bundle neither has nor declares to be outside."""
        return dangling.evidence(self)

    @cached_property
    def _tables(self) -> tuple[tuple[str, dict[str, int]], ...]:
        """Where a reference is looked up, in this order."""
        positions = self.positions
        return (
            ("nodes", self.node_positions),
            ("nodes", self.event_positions),
            ("nodes", self.receipt_positions),
            *((name, positions[name]) for name in ("outcomes", "verifier_results", "reward_records", "states")),
        )

    def resolve(self, reference: str) -> Place | None:
        """The record that a reference names, in the order of spec bundle.md §4.3; None when none is declared.

        Scope ids, artifacts and external parents resolve to a Place without a position (-1).
        """
        for collection, table in self._tables:
            position = table.get(reference)
            if position is not None:
                return Place(collection, position)
        if reference in self.artifact_ids:
            return Place("source", -1)
        if reference in self.scope_ids:
            return Place("scope", -1)
        return Place("external_parents", -1) if reference in self.external_ids else None


def _texts(values: Iterable[Any]) -> Iterable[str]:
    for value in values:
        if type(value) is str:
            yield value
        elif type(value) is list:
            yield from (element for element in value if type(element) is str)
