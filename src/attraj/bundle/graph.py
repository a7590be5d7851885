"""The causal graph of a Bundle by positions: built once, walked without recursion, in linear time.

Nothing is inferred: the edges are those declared; array order and time are never read as causality (§7.2). Document
order is used in one way only: a graph whose every edge runs forward in it cannot have a cycle.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from operator import itemgetter, lt
from typing import Any, NamedTuple

Neighbours = list[list[int] | None]

# Relations that tie a node to what it takes up again or serves (§7.3).
LINKING = frozenset({"retries", "resumes", "replays", "recovers", "delegates"})
# Bases that a converter concluded rather than read; they leave the parents partial (spec: decisions 19).
INFERRED_BASES = ("turn_order", "loop_semantics")  # a tuple: what is looked for in it may be of any type


class Graph(NamedTuple):
    """Declared edges between nodes of the bundle. Edges from a node to itself are left out (AT302 reports them).

    Attributes:
        parents: For each node position the positions of its causes, one for each edge; None when there are none.
        causes, effects: For each edge the position of the node at that end; None when the bundle has no such node.
        outside: Position of an effect to the ids of causes that the bundle does not declare, one for each edge.
        inferred: Position of an effect to the number of its edges in that a converter concluded.
        astray: Positions of the causes of edges to nodes that the bundle does not have: what follows is not all here.
        unresolved: Numbers of the edges that lack an end among the nodes of the bundle, in document order.
        loops: Numbers of the edges from a node of the bundle to itself, in document order.
        joining: Positions of the nodes with two causes or more, or one cause twice; in no particular order.
        is_forward: Every edge leads to a later node of the array, which proves that there is no cycle.
    """

    parents: Neighbours
    causes: Sequence[int | None]
    effects: Sequence[int | None]
    outside: Mapping[int, list[str]]
    inferred: Mapping[int, int]
    astray: Collection[int]
    unresolved: Sequence[int]
    loops: Sequence[int]
    joining: Sequence[int]
    is_forward: bool

    @property
    def children(self) -> Neighbours:
        """For each node position the positions of its effects, one for each edge; None when there are none.

        Made anew each time: most bundles are judged without.
        """
        # Most nodes have one neighbour on a side: the lists of one that are there already are used again.
        alone: Neighbours = [None] * len(self.parents)
        for causes in self.parents:
            if causes is not None and len(causes) == 1:
                alone[causes[0]] = causes
        found: Neighbours = [None] * len(self.parents)
        for cause, effect in zip(self.causes, self.effects, strict=True):
            if cause is not None and effect is not None and cause != effect:
                known = found[cause]
                if known is None:
                    found[cause] = alone[effect] or [effect]
                elif len(known) == 1:
                    found[cause] = [*known, effect]
                else:
                    known.append(effect)
        return found

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
    causes, effects = _positions(at, edges, "from"), _positions(at, edges, "to")
    unresolved: list[int] = []
    loops: list[int] = []
    is_forward = True
    if None in causes or None in effects or not _all_rise(causes, effects):
        for number, (cause, effect) in enumerate(zip(causes, effects, strict=True)):
            if cause is None or effect is None:
                unresolved.append(number)
            elif cause == effect:
                loops.append(number)
            elif cause > effect:
                is_forward = False
    parents: Neighbours = [None] * count
    for cause, effect in zip(causes, effects, strict=True):
        if effect is not None and cause is not None and cause != effect:
            known = parents[effect]
            if known is None:
                parents[effect] = [cause]
            else:
                known.append(cause)
    outside, astray = _beyond(edges, causes, effects, unresolved)
    return Graph(
        parents=parents,
        causes=causes,
        effects=effects,
        outside=outside,
        inferred=_inferred(edges, causes, effects),
        astray=astray,
        unresolved=unresolved,
        loops=loops,
        joining=[position for position, found in enumerate(parents) if found and len(found) > 1],
        is_forward=is_forward,
    )


def _all_rise(causes: Sequence[int | None], effects: Sequence[int | None]) -> bool:
    return all(map(lt, causes, effects))  # type: ignore[arg-type]  # without None among them


def _positions(at: Mapping[str, int], edges: Sequence[Any], end: str) -> list[int | None]:
    """The position of the node at one end of each edge; None when the bundle has no such node."""
    look_up: Callable[[str | None], int | None] = at.get  # type: ignore[assignment]  # None is no id
    return list(map(look_up, column(edges, end)))


def _beyond(
    edges: Sequence[Any], causes: Sequence[int | None], effects: Sequence[int | None], unresolved: Sequence[int]
) -> tuple[dict[int, list[str]], set[int]]:
    """`outside` and `astray` of a graph."""
    outside: dict[int, list[str]] = {}
    astray: set[int] = set()
    for number in unresolved:
        cause, effect = causes[number], effects[number]
        if effect is not None:
            if type(edges[number].get("from")) is str:
                outside.setdefault(effect, []).append(edges[number]["from"])
        elif cause is not None:
            astray.add(cause)
    return outside, astray


def _inferred(edges: Sequence[Any], causes: Sequence[int | None], effects: Sequence[int | None]) -> dict[int, int]:
    """`inferred` of a graph."""
    found: dict[int, int] = {}
    if not set(map(type, edges)) <= {dict}:
        edges = [edge if type(edge) is dict else {} for edge in edges]
    based = [number for number, edge in enumerate(edges) if "basis" in edge]
    for number in based:
        if edges[number]["basis"] not in INFERRED_BASES:
            continue
        cause, effect = causes[number], effects[number]
        if effect is not None and cause != effect and (cause is not None or type(edges[number].get("from")) is str):
            found[effect] = found.get(effect, 0) + 1
    return found


class Link(NamedTuple):
    """One edge of a linking relation, seen from its effect. `cause` is None when the bundle has no such node."""

    edge: int
    relation: str
    cause: int | None


def links(at: Mapping[str, int], edges: Sequence[Any]) -> dict[int, list[Link]]:
    """Position of a node to its edges in of a linking relation (retries, resumes …), in document order."""
    found: dict[int, list[Link]] = {}
    relations = column(edges, "relation")
    for number in [number for number, relation in enumerate(relations) if relation in LINKING]:
        edge = edges[number]
        source, target = edge.get("from"), edge.get("to")
        if type(source) is str and type(target) is str and target in at and source != target:
            found.setdefault(at[target], []).append(Link(number, str(relations[number]), at.get(source)))
    return found


def column(edges: Sequence[Any], member: str) -> list[str | None]:
    """The text of a member of each edge; None where it is missing, of another type, or where there is no edge."""
    try:
        values = list(map(itemgetter(member), edges))
    except (KeyError, TypeError, IndexError):
        values = [edge.get(member) if type(edge) is dict else None for edge in edges]
    if set(map(type, values)) <= {str}:
        return values
    return [value if type(value) is str else None for value in values]


def causal_order(graph: Graph) -> Sequence[int]:
    """Positions so that every cause stands before its effects; nodes on a cycle or behind one are left out."""
    parents = graph.parents
    if graph.is_forward:
        return range(len(parents))
    children = graph.children
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
    children = graph.children
    left = bytearray(b"\x01") * len(graph.parents)
    for position in order:
        left[position] = 0
    for group in sorted(_groups(children, left), key=min):
        yield _short_cycle(children, group)


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
