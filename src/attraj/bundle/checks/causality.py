"""AT301-AT308, AT311, AT315, AT317, AT318: the causal graph. Parents are declared, never guessed (§3.3, §7.3).

AT309 and AT313 (order against causality) live in `order`, AT312 and AT314 (two bundles) in `pairs`, AT316 (rewards
that rest on themselves) in `evidence`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attraj.bundle import graph
from attraj.bundle.checks.check import NOTHING, Asked, Json, error, filled, on_bundle, on_each, warning
from attraj.bundle.groups import ABSENT, Group
from attraj.bundle.index import EDGE_TYPES
from attraj.bundle.markers import is_marker
from attraj.bundle.model import Bundle, child, text
from attraj.bundle.vocabulary import BUILT_IN_RELATIONS, PARENT_STATUSES, RELATIONS
from attraj.findings import Finding, Related, Severity, Stratum
from attraj.pointer import join

AT301 = error("AT301", "cycle", Stratum.REFERENCES)
AT302 = error("AT302", "self-edge", Stratum.REFERENCES)
AT303 = warning("AT303", "undeclared-relation", Stratum.REFERENCES)
AT304 = warning("AT304", "repeated-edge", Stratum.REFERENCES)
AT305 = warning("AT305", "undeclared-parents", Stratum.REFERENCES)
AT306 = error("AT306", "untyped-external-parent", Stratum.REFERENCES)
AT307 = error("AT307", "redacted-parent-without-reason", Stratum.REFERENCES)
AT308 = warning("AT308", "parents-none-with-parents", Stratum.REFERENCES)
AT311 = warning("AT311", "join-of-one", Stratum.REFERENCES)
AT315 = error("AT315", "missing-original", Stratum.REFERENCES)
AT317 = warning("AT317", "external-parent-inside", Stratum.REFERENCES)
AT318 = warning("AT318", "result-of-nothing", Stratum.REFERENCES)

CYCLE_SHOWN = 10  # nodes of a cycle that are listed; the rest is counted

# Statuses of `parents` that say: there are parents which the edges do not show.
OPEN_PARENTS = frozenset({"undetermined", "redacted", "partial"})
TAKING_UP = ("retry", "resume", "replay")
SERVING = ("recovery", "delegation", "callback")


# --- edges -------------------------------------------------------------------------------------------------------


@on_bundle(AT301)
def cycle(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """One cycle for each group of nodes that depend on one another: the graph of all edges is acyclic (§3.3)."""
    index = bundle.index
    for found in graph.cycles(index.graph, index.causal_order):
        count = len(found)
        more = f"; the first {CYCLE_SHOWN} are listed" if count > CYCLE_SHOWN else ""
        yield AT301.at(
            join("nodes", found[0]),
            f"the node depends on itself through a cycle of {count} nodes{more}",
            hint="remove or turn round the edge that runs from effect to cause",
            related=[Related(join("nodes", position), "is on the cycle") for position in found[:CYCLE_SHOWN]],
        )


@on_bundle(AT302, AT303, AT304)
def edges(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Edges to themselves, of a relation that nothing explains, and said twice."""
    items, known = bundle.items("edges"), {*RELATIONS, *BUILT_IN_RELATIONS, *bundle.index.own_relations}
    for position in sorted((*bundle.index.graph.loops, *bundle.index.graph.unresolved)):
        edge = items[position]
        if type(edge) is dict and type(edge.get("from")) is str and edge["from"] == edge.get("to"):
            yield AT302.at(join("edges", position), "edge leads from a node to itself", hint="remove it")
    relations = graph.column(items, "relation")
    if not known.issuperset(relations):
        for position, relation in enumerate(relations):
            if relation is not None and relation not in known:
                yield AT303.at(
                    join("edges", position, "relation"),
                    "relation is neither the specification's nor declared in the bundle",
                    hint=f"say what it means in extensions, {EDGE_TYPES}, data",
                )
    seen: set[tuple[str, str, str]] = set()
    for position in _may_be_repeated(bundle):
        edge = items[position]
        triple = (edge["from"], edge["to"], edge["relation"])
        if triple in seen:
            yield AT304.at(
                join("edges", position),
                "the same edge is stated a second time",
                hint="keep one; two relations between the same nodes are fine, one relation twice says nothing more",
            )
        seen.add(triple)


def _may_be_repeated(bundle: Bundle) -> list[int]:
    """Numbers of the edges, with both ends and a relation, whose ends may be those of another one."""
    given, edges = bundle.index.graph, bundle.items("edges")
    twice = [p for p in given.joining if (causes := given.parents[p]) and len(set(causes)) < len(causes)]
    candidates = {*given.loops, *given.unresolved}
    if twice:
        ids = {bundle.items("nodes")[position]["node_id"] for position in twice}
        candidates.update(number for number, target in enumerate(graph.column(edges, "to")) if target in ids)
    return [number for number in sorted(candidates) if _is_whole(edges[number])]


def _is_whole(edge: Any) -> bool:
    return type(edge) is dict and all(type(edge.get(member)) is str for member in ("from", "to", "relation"))


# --- parents -----------------------------------------------------------------------------------------------------


@on_bundle(AT305)
def closure(bundle: Bundle, asked: Asked) -> Iterator[Finding]:
    """Each node other than an input says what it follows from, or that nothing is known (§7.3)."""
    graph, nodes, at = bundle.index.graph, bundle.items("nodes"), bundle.index.node_positions
    without = [position for position, causes in enumerate(graph.parents) if causes is None]
    candidates = sorted({*without, *graph.inferred}) if graph.inferred else without
    severity = Severity.ERROR if asked.needs_closure else None
    for position in candidates:
        node = nodes[position]
        if type(node) is not dict or node.get("kind") == "input" or at.get(text(node, "node_id") or "") != position:
            continue  # an edge cannot lead to a node whose id is missing or taken, which is another finding
        count, inferred = graph.edges_into(position), graph.inferred.get(position, 0)
        if count > inferred or _has_said_parents(node) or lacks_original(bundle, position, node):
            continue
        pointer = join("nodes", position)
        if type(child(node, "parents").get("status")) is str:
            pointer, message = join("nodes", position, "parents", "status"), "unknown word: parents are not declared"
            hint = "write one of: " + ", ".join(PARENT_STATUSES)
        elif count:
            message = "every edge into the node was concluded by a converter, and `parents` does not say so"
            hint = 'keep the edges, and add parents: {"status": "partial", "reason": …}'
        else:
            message = "no parent is declared: no edge, no external or redacted parent, no statement that there is none"
            hint = "add the edge or the external parent; else say parents: none, or undetermined with the reason"
        yield AT305.at(pointer, message, hint=hint, severity=severity)


def _has_said_parents(node: Json) -> bool:
    """Whether a node declares parents by other means than edges; what is of the wrong type is the shape's to say."""
    outside = node.get("external_parents")
    if outside:
        return True
    said = node.get("parents")
    if type(said) is not dict:
        return said is not None
    status = said.get("status")
    return type(status) is not str or status in PARENT_STATUSES


def has_open_parents(node: Json) -> bool:
    """Whether a node says that it has parents beyond its edges which are not shown."""
    said = node.get("parents")
    return type(said) is dict and (is_marker(said) or text(said, "status") in OPEN_PARENTS)


def _externals(node: Json) -> list[Any]:
    outside = node.get("external_parents")
    return outside if type(outside) is list else []


@on_each("nodes", AT306, AT307, AT317, member="external_parents", suspects=filled("external_parents"))
def external_parents(bundle: Bundle, position: int, node: Json) -> Sequence[Finding]:
    outside = node["external_parents"]
    if not outside or type(outside) is not list:
        return NOTHING
    found: list[Finding] = []
    for number, parent in enumerate(outside):
        if type(parent) is not dict or is_marker(parent):
            continue
        at = ("nodes", position, "external_parents", number)
        missing = [f"`{name}`" for name in ("relation", "source_id", "availability") if parent.get(name, "") == ""]
        if missing:
            found.append(AT306.at(join(*at), f"external parent does not say {', '.join(missing)}"))
        if parent.get("availability") == "redacted" and parent.get("reason", "") == "":
            found.append(_unreasoned(bundle, join(*at)))
        elif _is_inside(bundle, parent):
            found.append(
                AT317.at(
                    join(*at, "source_id"),
                    "a parent declared as external is in the bundle",
                    hint="draw the edge from it instead",
                )
            )
    return found


def _unreasoned(bundle: Bundle, pointer: str) -> Finding:
    # The reference form has no member for a reason: its producer cannot give one (spec: bundle.md §2.1).
    return AT307.at(
        pointer,
        "a redacted parent does not say why it is withheld",
        hint="give the `reason`; the class of what is withheld is enough",
        severity=Severity.INFO if bundle.index.is_reference_form else None,
    )


def _is_inside(bundle: Bundle, parent: Json) -> bool:
    source, elsewhere = parent.get("source_id"), child(parent, "bundle").get("trajectory_id")
    if type(source) is not str or (elsewhere is not None and elsewhere != bundle.tree.get("trajectory_id")):
        return False
    return source in bundle.index.node_positions or source in bundle.index.inner_events


@on_each("nodes", AT308, AT307, member="parents")
def stated_parents(bundle: Bundle, position: int, node: Json) -> Sequence[Finding]:
    said = node["parents"]
    status = said.get("status") if type(said) is dict else None
    if status == "redacted" and said.get("reason", "") == "":
        return (_unreasoned(bundle, join("nodes", position, "parents")),)
    if status == "none" and (_externals(node) or _has_edge_in(bundle, position)):
        return (
            AT308.at(
                join("nodes", position, "parents", "status"),
                "the node says that it has no parents, and has some",
                hint="remove the statement, or the edge or external parent that contradicts it",
            ),
        )
    return NOTHING


def _has_edge_in(bundle: Bundle, position: int) -> bool:
    return bundle.index.graph.edges_into(position) > 0


@on_bundle(AT311)
def joins(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """A join brings two branches together, or says that they are not all here (§3.3)."""
    nodes, parents, outside = bundle.items("nodes"), bundle.index.parents, bundle.index.graph.outside
    for position in bundle.index.by_kind.get("join", ()):
        causes = set(parents[position] or ())
        if len(causes) > 1:
            continue
        node = nodes[position]
        count = len(causes) + len(set(outside.get(position, ()))) + len(_externals(node))
        if count < 2 and not has_open_parents(node) and not is_marker(node.get("external_parents")):
            yield AT311.at(
                join("nodes", position),
                f"a join needs two parents or more, and has {count}",
                hint="add the other branches, or say with `parents` that they are not all here",
            )


# --- what a node takes up or answers -----------------------------------------------------------------------------


@on_bundle(AT315)
def originals(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Retry, resume, replay, recovery, delegation and callback stay linked to what they are about (§3.3, §7.3)."""
    nodes = bundle.items("nodes")
    for kind in (*TAKING_UP, *SERVING):
        for position in bundle.index.by_kind.get(kind, ()):
            if lacks_original(bundle, position, nodes[position]):
                yield AT315.at(
                    join("nodes", position),
                    f"a {kind} is not linked to what it {_ABOUT[kind]}",
                    hint=_LINK_HINT[kind in TAKING_UP],
                )


_ABOUT = {
    "retry": "retries",
    "resume": "resumes",
    "replay": "replays",
    "recovery": "recovers from",
    "delegation": "serves",
    "callback": "answers",
}
_LINK_HINT = {
    True: "add an edge `retries`, `resumes` or `replays` from the original, or declare the parents undetermined",
    False: "add the edge or external parent that it comes from, or declare the parents undetermined",
}


def lacks_original(bundle: Bundle, position: int, node: Json) -> bool:
    """Whether a node of a kind that is always about another one names none, nor says that it cannot be known."""
    kind = node.get("kind")
    if type(kind) is not str or (kind not in TAKING_UP and kind not in SERVING):
        return False
    index = bundle.index
    outside = node.get("external_parents")
    if has_open_parents(node) or is_marker(outside) or position in index.links:
        return False
    intent = text(node, "intent_id")
    if intent and index.intent_counts[intent] > 1:
        return False
    if kind in SERVING:
        return not _externals(node) and not _has_edge_in(bundle, position)
    if any(type(parent) is dict and _may_be_original(parent) for parent in _externals(node)):
        return False
    return child(node, "effect").get("replay_of") is None and position not in index.has_own_relation


def _may_be_original(parent: Json) -> bool:
    if text(parent, "availability") in ("redacted", "unknown"):
        return True
    relation = text(parent, "relation")
    return relation in graph.LINKING or (relation is not None and relation not in RELATIONS)


def _replayed(_bundle: Bundle, group: Group) -> list[int]:
    said = zip(group.inner("effect", "replay"), group.inner("effect", "replay_of"), strict=True)
    return [i for i, (replay, original) in enumerate(said) if replay is not ABSENT or original is not ABSENT]


@on_each("nodes", AT315, member="effect", suspects=_replayed)
def replayed_effect(bundle: Bundle, position: int, node: Json) -> Sequence[Finding]:
    effect = node["effect"]
    if type(effect) is not dict or not ("replay" in effect or "replay_of" in effect):
        return NOTHING
    original = effect.get("replay_of")
    if type(original) is str:
        if original and bundle.index.knows(original):
            return NOTHING
        if original:
            message = "`replay_of` names nothing that the bundle has or declares as external"
            return (AT315.at(join("nodes", position, "effect", "replay_of"), message),)
    if original is not None and original != "":
        return NOTHING  # withheld, or of a type that the shape reports
    if effect.get("replay") is not True or position in bundle.index.links or node.get("kind") in TAKING_UP:
        return NOTHING
    if has_open_parents(node) or _externals(node) or position in bundle.index.has_own_relation:
        return NOTHING
    hint = "name the original in `replay_of`, or add an edge `replays` from it"
    return (
        AT315.at(join("nodes", position, "effect"), "a redelivered effect does not say what it replays", hint=hint),
    )


ROOTS = frozenset({"input", "decision", "proposal", "action"})
RESULTS = frozenset({"observation", "effect_receipt"})


@on_bundle(AT318)
def results(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """A receipt or observation answers a decision, an input, or something outside (§8.1).

    Only ancestries that are told to their end are judged: where parents are open, or undeclared (AT305), the
    decision may be there.
    """
    nodes, parents = bundle.items("nodes"), bundle.index.parents
    starts = [position for position, causes in enumerate(parents) if causes is None]
    closed = [position for position in starts if _is_closed_root(bundle, position)]
    if not closed:
        return
    below = graph.reach(bundle.index.children, closed).union(closed)
    suspects = [position for position in below if text(nodes[position], "kind") in RESULTS]
    if not suspects:
        return
    open_starts = [
        position
        for position, node in bundle.objects("nodes")
        if text(node, "kind") in ROOTS or _is_open(bundle, position, node)
    ]
    explained = graph.reach(bundle.index.children, open_starts).union(open_starts)
    for position in sorted(set(suspects) - explained):
        yield AT318.at(
            join("nodes", position),
            "nothing that leads to the result is a decision, an input or an external parent",
            hint="add the edge from what it answers, or declare the parents undetermined",
        )


def _is_closed_root(bundle: Bundle, position: int) -> bool:
    """Whether a node without edges in says that there is nothing before it, and is no beginning itself."""
    node = bundle.items("nodes")[position]
    if type(node) is not dict or text(node, "kind") in ROOTS:
        return False
    return text(child(node, "parents"), "status") == "none" and not _is_open(bundle, position, node)


def _is_open(bundle: Bundle, position: int, node: Json) -> bool:
    if node.get("external_parents") or position in bundle.index.graph.outside or has_open_parents(node):
        return True
    return bundle.index.parents[position] is None and "parents" not in node
