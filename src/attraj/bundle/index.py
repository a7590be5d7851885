"""What the checks ask of a Bundle, computed once and without recursion: by id, by kind, by edge, by reference."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count
from operator import itemgetter
from typing import Any, NamedTuple

from attraj.bundle import dangling, graph
from attraj.bundle.graph import Graph, Link, Neighbours
from attraj.bundle.leaves import Container, Walk, walk
from attraj.bundle.records import Records
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


class BundleIndex(Records):
    """Look-ups over one Bundle's tree. Records that are not objects, and ids that are not strings, are left out.

    Nothing is inferred: edges are those declared; array order and time are never read as causality (§7.2).
    """

    @cached_property
    def edge_ids(self) -> list[str]:
        """The identifier of each edge that has one; equal ones more than once."""
        return self.texts("edges", COLLECTIONS["edges"][1])

    @cached_property
    def walk(self) -> Walk:
        """What one pass over everything in the document meets; see `attraj.bundle.leaves`."""
        return walk(self._tree)

    @property
    def containers(self) -> list[Container]:
        """Every object and array of the document with the way to it."""
        return self.walk.containers

    @cached_property
    def positions(self) -> Mapping[str, dict[str, int]]:
        """Collection to id to the position of the first record with that id; each is made when it is asked for."""
        return _Positions(self._tree)

    @cached_property
    def node_positions(self) -> dict[str, int]:
        return self.positions["nodes"]

    @cached_property
    def state_positions(self) -> dict[str, int]:
        return self.positions["states"]

    @cached_property
    def kinds(self) -> list[Any]:
        """The kind of each node as it stands; None where it is not there. So do the next two."""
        return self.column("nodes", "kind")

    @cached_property
    def actors(self) -> list[Any]:
        return self.column("nodes", "actor")

    @cached_property
    def authorities(self) -> list[Any]:
        return self.column("nodes", "authority_class")

    @cached_property
    def by_kind(self) -> dict[str, list[int]]:
        """Node kind to the positions of its nodes, in document order."""
        found: defaultdict[Any, list[int]] = defaultdict(list)
        # The numbers that are there already, where they are those of all nodes: they take more room than the lists.
        known: Iterable[int] = self.node_positions.values()
        for position, kind in zip(
            known if len(self.node_positions) == len(self.kinds) else count(), self.kinds, strict=False
        ):
            if type(kind) is str:
                found[kind].append(position)
        return dict(found)

    @cached_property
    def graph(self) -> Graph:
        """Declared edges between nodes of this bundle, by positions."""
        return graph.build(len(self.items("nodes")), self.node_positions, self.items("edges"))

    @property
    def parents(self) -> Neighbours:
        """For each node position, the positions of its declared causes; None when it has none."""
        return self.graph.parents

    @cached_property
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

    @cached_property
    def revisions(self) -> dict[str, int]:
        """State id to the revision of its context, for the states that have one."""
        revisions, found = self.column("states", "context_revision"), self.state_positions.items()
        return {identity: revisions[position] for identity, position in found if type(revisions[position]) is int}

    @cached_property
    def unchanged_states(self) -> frozenset[str]:
        """Ids of the states that are declared unchanged."""
        words = self.column("states", "availability")
        return frozenset(
            identity for identity, position in self.state_positions.items() if words[position] == "unchanged"
        )

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
    def events(self) -> list[str]:
        """The source event of each node that names one; equal ones more than once."""
        return self.texts("nodes", "source_event_id")

    @cached_property
    def event_positions(self) -> dict[str, int]:
        """Source event id to the position of the first node that names it."""
        return _first_positions(self.items("nodes"), "source_event_id")

    @cached_property
    def receipt_positions(self) -> dict[str, int]:
        """Receipt id to the position of the first node that carries it."""
        found: dict[str, int] = {}
        for group in self.groups["nodes"] if self._receipt_ids else ():
            for position, identity in zip(group.positions, group.inner("receipt", "receipt_id"), strict=True):
                if type(identity) is str and found.get(identity, position) >= position:
                    found[identity] = position
        return found

    @cached_property
    def _named_by_scope(self) -> frozenset[str]:
        scope = self._tree.get("scope")
        return frozenset(_texts(scope.values())) if type(scope) is dict else NONE

    @cached_property
    def _receipt_ids(self) -> frozenset[str]:
        return frozenset(self.inner_texts("nodes", "receipt", "receipt_id"))

    @cached_property
    def scope_ids(self) -> frozenset[str]:
        """Attempts, objectives, contexts … that `scope` names, and the ids that nodes give their attempts."""
        return self._named_by_scope.union(self.texts("nodes", "attempt_id"), self.texts("nodes", "intent_id"))

    @cached_property
    def artifact_ids(self) -> frozenset[str]:
        source = self._tree.get("source")
        artifacts = source.get("artifacts") if type(source) is dict else None
        found = [a.get("artifact_id") for a in artifacts if type(a) is dict] if type(artifacts) is list else []
        return frozenset(a for a in found if type(a) is str)

    @cached_property
    def external_ids(self) -> frozenset[str]:
        """Source ids of all declared external parents."""
        groups = [group for group in self.groups["nodes"] if "external_parents" in group.names]
        stated = [group.records[i]["external_parents"] for group in groups for i in group.filled("external_parents")]
        found: set[str] = set()
        for outside in stated:
            if type(outside) is list:
                found.update(p["source_id"] for p in outside if type(p) is dict and type(p.get("source_id")) is str)
        return frozenset(found)

    @cached_property
    def inner_events(self) -> frozenset[str]:
        """Those of the external parents that are source events of nodes of this bundle."""
        outside = self.external_ids
        return outside.intersection(self.events) if outside else NONE

    @cached_property
    def targets(self) -> list[tuple[int, Json]]:
        """Position and node of every training target, in document order."""
        found = [
            (position, node)
            for group in self.groups["nodes"]
            if "training" in group.names
            for position, node, said in zip(
                group.positions, group.records, group.inner("training", "target"), strict=True
            )
            if said is True
        ]
        found.sort(key=itemgetter(0))
        return found

    @cached_property
    def dangling_states(self) -> list[Keys]:
        """Ways to members that name a state which the bundle does not declare."""
        return dangling.states(self)

    @cached_property
    def dangling_evidence(self) -> list[Keys]:
        """Ways to members that name evidence which the bundle neither has nor declares to be outside."""
        return dangling.evidence(self)

    def _names(self) -> Iterator[Collection[str]]:
        """Everything that a reference can name but for source events; what takes most to gather comes last."""
        positions = self.positions
        yield from (self.node_positions, self.state_positions)
        yield from (positions[name] for name in ("outcomes", "verifier_results", "reward_records"))
        yield self.artifact_ids
        yield self._named_by_scope
        yield self._receipt_ids
        yield self.scope_ids
        yield self.external_ids

    def knows(self, reference: str) -> bool:
        """Whether a reference names something that the bundle has, or declares to be outside."""
        return any(reference in names for names in self._names()) or reference in self.event_positions

    def unknown(self, references: set[str]) -> set[str]:
        """Those of these references that name nothing."""
        for names in self._names():
            if not references:
                return references
            references = references.difference(names)
        return references.difference(self.events)

    def resolve(self, reference: str) -> Place | None:
        """The record that a reference names, in the order of spec bundle.md §4.3; None when none is declared.

        Scope ids, artifacts and external parents resolve to a Place without a position (-1).
        """
        positions = self.positions
        for collection, table in (
            ("nodes", self.node_positions),
            ("nodes", self.event_positions),
            ("nodes", self.receipt_positions),
            *((name, positions[name]) for name in ("outcomes", "verifier_results", "reward_records", "states")),
        ):
            position = table.get(reference)
            if position is not None:
                return Place(collection, position)
        if reference in self.artifact_ids:
            return Place("source", -1)
        if reference in self.scope_ids:
            return Place("scope", -1)
        return Place("external_parents", -1) if reference in self.external_ids else None


class _Positions(dict[str, dict[str, int]]):
    """Collection to id to position, made when it is asked for."""

    def __init__(self, tree: Json) -> None:
        super().__init__()
        self._tree = tree

    def __missing__(self, collection: str) -> dict[str, int]:
        items = self._tree.get(collection)
        found = _first_positions(items if type(items) is list else [], COLLECTIONS[collection][1])
        self[collection] = found
        return found


def _first_positions(items: list[Any], member: str) -> dict[str, int]:
    """The text of a member to the position of the first record that has it."""
    try:
        found = dict(zip(map(itemgetter(member), items), range(len(items)), strict=True))
        if len(found) == len(items) and set(map(type, found)) <= {str}:
            return found
    except (KeyError, TypeError, IndexError):
        pass  # a record without it, or no record at all: looked at one by one
    found = {}
    for position, item in enumerate(items):
        if type(item) is dict:
            identity = item.get(member)
            if type(identity) is str and identity not in found:
                found[identity] = position
    return found


def _texts(values: Iterable[Any]) -> Iterable[str]:
    for value in values:
        if type(value) is str:
            yield value
        elif type(value) is list:
            yield from (element for element in value if type(element) is str)
