"""The causal graph of a Bundle by positions: built once, walked without recursion, in linear time.

Nothing is inferred: the edges are those declared; array order and time are never read as causality (§7.2). Document
order is used in one way only: a graph whose every edge runs forward in it cannot have a cycle.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

Neighbours = list[list[int] | None]

# Relations that tie a node to what it takes up again or serves (§7.3).
LINKING = frozenset({"retries", "resumes", "replays", "recovers", "delegates"})
# Bases that a converter concluded rather than read; they leave the parents partial (spec: decisions 19).
INFERRED_BASES = frozenset({"turn_order", "loop_semantics"})


class Graph(NamedTuple):
    """Declared edges between nodes of the bundle. Edges from a node to itself are left out (AT302 reports them).

    Attributes:
        parents, children: For each node position the positions of its causes or effects, one for each edge; None
            when there are none.
        outside: Position of an effect to the ids of causes that the bundle does not declare, one for each edge.
        inferred: Position of an effect to the number of its edges in that a converter concluded.
        astray: Positions of the causes of edges to nodes that the bundle does not have: what follows is not all here.
        unresolved: Numbers of the edges that lack an end among the nodes of the bundle, in document order.
        is_forward: Every edge leads to a later node of the array, which proves that there is no cycle.
    """

    parents: Neighbours
    children: Neighbours
    outside: Mapping[int, list[str]]
    inferred: Mapping[int, int]
    astray: Collection[int]
    unresolved: Sequence[int]
    is_forward: bool

    def edges_into(self, position: int) -> int:
        """How many edges lead into a node, whether or not the bundle has their causes."""
        return len(self.parents[position] or ()) + len(self.outside.get(position, ()))


def build(count: int, at: Mapping[str, int], edges: Sequence[Any]) -> Graph:
    """The graph over `count` nodes; edges without two string endpoints, or to no node, are left out.

    Args:
        count: Number of nodes.
        at: Node id to position.
        edges: The array as it stands in the document.
    """
    parents: Neighbours = [None] * count
    children: Neighbours = [None] * count
    outside: dict[int, list[str]] = {}
    inferred: dict[int, int] = {}
    astray: set[int] = set()
    unresolved: list[int] = []
    is_forward = True
    last, effect = "", -1
    for number, edge in enumerate(edges):
        try:
            source, target = edge["from"], edge["to"]
            # Edges of a chain follow one another: the cause was just looked up as an effect.
            cause = effect if source == last else at[source]
            effect = at[target]
            last = target
        except (KeyError, TypeError):  # an end that is missing, unknown or of another type
            unresolved.append(number)
            last = ""
            cause, effect = _known_ends(edge, at)
            if effect < 0:
                if cause >= 0:
                    astray.add(cause)
                continue
            if type(edge.get("from")) is not str:
                continue
            outside.setdefault(effect, []).append(edge["from"])
        else:
            if cause >= effect:
                if cause == effect:
                    continue
                is_forward = False
            _append(children, cause, effect)
            _append(parents, effect, cause)
        if "basis" in edge and type(edge["basis"]) is str and edge["basis"] in INFERRED_BASES:
            inferred[effect] = inferred.get(effect, 0) + 1
    return Graph(parents, children, outside, inferred, astray, unresolved, is_forward)


def _append(lists: Neighbours, at: int, value: int) -> None:
    found = lists[at]
    if found is None:
        lists[at] = [value]
    else:
        found.append(value)


def _known_ends(edge: Any, at: Mapping[str, int]) -> tuple[int, int]:
    """Positions of the cause and the effect of an edge that lacks one of them; -1 for what is not known."""
    if type(edge) is not dict:
        return -1, -1
    source, target = edge.get("from"), edge.get("to")
    cause = at.get(source, -1) if type(source) is str else -1
    effect = at.get(target, -1) if type(target) is str else -1
    return cause, effect


class Link(NamedTuple):
    """One edge of a linking relation, seen from its effect. `cause` is None when the bundle has no such node."""

    edge: int
    relation: str
    cause: int | None


def links(at: Mapping[str, int], edges: Sequence[Any]) -> dict[int, list[Link]]:
    """Position of a node to its edges in of a linking relation (retries, resumes …), in document order."""
    found: dict[int, list[Link]] = {}
    for number, edge in enumerate(edges):
        relation = edge.get("relation") if type(edge) is dict else None
        if type(relation) is str and relation in LINKING:
            source, target = edge.get("from"), edge.get("to")
            if type(source) is str and type(target) is str and target in at and source != target:
                found.setdefault(at[target], []).append(Link(number, relation, at.get(source)))
    return found


def causal_order(graph: Graph) -> Sequence[int]:
    """Positions so that every cause stands before its effects; nodes on a cycle or behind one are left out."""
    parents, children = graph.parents, graph.children
    if graph.is_forward:
        return range(len(parents))
    pending = [len(causes) if causes else 0 for causes in parents]
    order = [position for position, count in enumerate(pending) if not count]
    for position in order:  # grows while it is walked
        for effect in children[position] or ():
            pending[effect] -= 1
            if not pending[effect]:
                order.append(effect)
    return order


def reach(neighbours: Neighbours, starts: Collection[int]) -> set[int]:
    """Positions that can be reached from the starts, which are not among them unless something leads back."""
    seen: set[int] = set()
    pending = [step for start in starts for step in neighbours[start] or ()]
    while pending:
        position = pending.pop()
        if position not in seen:
            seen.add(position)
            pending.extend(neighbours[position] or ())
    return seen


# --- cycles ------------------------------------------------------------------------------------------------------


def cycles(graph: Graph, order: Sequence[int]) -> Iterator[list[int]]:
    """For each group of nodes that depend on one another: a cycle through some of them, in causal order.

    It is a shortest one of its group whenever that is found in time linear in the group; else a short one.

    Args:
        order: What `causal_order` says of the same graph.
    """
    if len(order) == len(graph.parents):
        return
    left = bytearray(b"\x01") * len(graph.parents)
    for position in order:
        left[position] = 0
    for group in sorted(_groups(graph.children, left), key=min):
        yield _short_cycle(graph.children, group)


def _groups(children: Neighbours, left: bytearray) -> list[list[int]]:
    """Strongly connected components of two nodes or more among those that are left (Tarjan, iterative)."""
    found: list[list[int]] = []
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    is_stacked = bytearray(len(left))
    for root in range(len(left)):
        if not left[root] or root in number:
            continue
        number[root] = low[root] = len(number)
        stack.append(root)
        is_stacked[root] = 1
        way = [(root, iter(children[root] or ()))]
        while way:
            position, steps = way[-1]
            for step in steps:
                if not left[step]:
                    continue
                if step not in number:
                    number[step] = low[step] = len(number)
                    stack.append(step)
                    is_stacked[step] = 1
                    way.append((step, iter(children[step] or ())))
                    break
                if is_stacked[step]:
                    low[position] = min(low[position], number[step])
            else:
                way.pop()
                if way:
                    low[way[-1][0]] = min(low[way[-1][0]], low[position])
                if low[position] == number[position]:
                    group = _popped(stack, is_stacked, position)
                    if len(group) > 1:
                        found.append(group)
    return found


def _popped(stack: list[int], is_stacked: bytearray, until: int) -> list[int]:
    group: list[int] = []
    while True:
        position = stack.pop()
        is_stacked[position] = 0
        group.append(position)
        if position == until:
            return group


_STEPS_ALWAYS = 10_000  # steps that a group gets whatever its size: every group of about a hundred nodes is exact


def _short_cycle(children: Neighbours, group: list[int]) -> list[int]:
    inside = set(group)
    edges = [(cause, effect) for cause in group for effect in children[cause] or () if effect in inside]
    # Every cycle runs backward in the array somewhere: the shortest one through each such place is the shortest.
    starts = sorted({effect for cause, effect in edges if effect < cause})
    if len(edges) == len(group):
        starts = starts[:1]  # a plain ring
    budget = 4 * len(edges) + _STEPS_ALWAYS
    best: list[int] = []
    for start in starts:
        found, steps = _way_back(children, inside, start, len(best))
        best = found or best
        budget -= steps
        if budget < 0 or len(best) == 2:
            break
    first = best.index(min(best))
    return best[first:] + best[:first]


def _way_back(children: Neighbours, inside: set[int], start: int, shorter_than: int) -> tuple[list[int], int]:
    """The shortest cycle through `start`, [] unless it is shorter (0: any length); and the steps that it took."""
    came: dict[int, int] = {start: -1}
    ring, depth, steps = [start], 1, 0
    while ring and (not shorter_than or depth < shorter_than):
        following: list[int] = []
        for position in ring:
            for step in children[position] or ():
                steps += 1
                if step == start:
                    return _traced(came, position), steps
                if step in inside and step not in came:
                    came[step] = position
                    following.append(step)
        ring, depth = following, depth + 1
    return [], steps


def _traced(came: dict[int, int], last: int) -> list[int]:
    path = [last]
    while came[path[-1]] >= 0:
        path.append(came[path[-1]])
    return path[::-1]
