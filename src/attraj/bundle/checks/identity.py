"""AT201 to AT213: identifiers, and references, which are resolved by identifier alone (§7.1, §16)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from attraj.bundle.checks.check import NOTHING, Asked, Json, error, info, on_bundle, on_each, warning
from attraj.bundle.markers import is_marker
from attraj.bundle.model import Bundle, child, text, texts
from attraj.bundle.shape import COLLECTIONS
from attraj.bundle.vocabulary import TRAINING
from attraj.findings import Finding, Related, Rule, Severity, Stratum
from attraj.pointer import join

AT201 = error("AT201", "duplicate-identifier", Stratum.REFERENCES)
AT202 = warning("AT202", "identifier-in-two-collections", Stratum.REFERENCES)
AT203 = error("AT203", "dangling-edge", Stratum.REFERENCES)
AT204 = error("AT204", "unknown-state", Stratum.REFERENCES)
AT205 = error("AT205", "asserted-at-unknown-node", Stratum.REFERENCES)
AT206 = warning("AT206", "unresolved-evidence", Stratum.REFERENCES)
AT207 = error("AT207", "unknown-reward-source", Stratum.REFERENCES)
AT208 = warning("AT208", "unknown-attribution-target", Stratum.REFERENCES)
AT211 = info("AT211", "node-without-source", Stratum.MEANING)
AT212 = warning("AT212", "shared-source-event", Stratum.REFERENCES)
AT213 = warning("AT213", "state-outside-scope", Stratum.MEANING)

# Collections whose records can be named by a reference; edges cannot.
NAMED = ("nodes", "states", "outcomes", "verifier_results", "reward_records")


@on_bundle(AT201)
def duplicates(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Two records of one collection under one identifier: a reference to it means either (§7.1)."""
    for collection, (_, member) in COLLECTIONS.items():
        if _are_repeated(bundle, collection, member):
            first = bundle.index.positions[collection]
            yield from _repeated(AT201, bundle.items(collection), first, (collection,), member)
    artifacts = child(bundle.tree, "source").get("artifacts")
    if type(artifacts) is list:
        known: dict[str, int] = {}
        for position, artifact in enumerate(artifacts):
            if type(artifact) is dict and type(artifact.get("artifact_id")) is str:
                known.setdefault(artifact["artifact_id"], position)
        yield from _repeated(AT201, artifacts, known, ("source", "artifacts"), "artifact_id")


def _are_repeated(bundle: Bundle, collection: str, member: str) -> bool:
    if collection == "edges":  # nothing refers to them: they need no positions
        return len(set(bundle.index.edge_ids)) < len(bundle.index.edge_ids)
    count = len(bundle.index.positions[collection])
    return count < len(bundle.items(collection)) and count < len(bundle.index.texts(collection, member))


def _repeated(
    rule: Rule, items: list[Any], first: dict[str, int], at: tuple[str, ...], member: str
) -> Iterator[Finding]:
    for position, item in enumerate(items):
        identifier = item.get(member) if type(item) is dict else None
        if type(identifier) is str and identifier and first.get(identifier, position) != position:
            yield rule.at(
                join(*at, position, member),
                "the identifier is taken by an earlier record of this collection",
                hint="give each record an identifier of its own; references cannot tell them apart",
                related=[Related(join(*at, first[identifier], member), "is the first record with it")],
            )


@on_bundle(AT202)
def shared(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """One identifier in two collections: which record a reference means depends on the order of looking (§16)."""
    positions = bundle.index.positions
    for one, other in combinations(NAMED, 2):
        if {one, other} == {"outcomes", "reward_records"} or positions[one].keys().isdisjoint(positions[other]):
            continue  # a reward under the identifier of an outcome is AT628
        for identifier, position in positions[other].items():
            if identifier and identifier in positions[one]:
                taken = join(one, positions[one][identifier], COLLECTIONS[one][1])
                yield AT202.at(
                    join(other, position, COLLECTIONS[other][1]),
                    f"the identifier is that of a record in `{one}` too",
                    hint="references find the one that is looked up first; rename one of them",
                    related=[Related(taken, "has the same identifier")],
                )


@on_bundle(AT203)
def edge_ends(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Both ends of an edge are nodes of this bundle; parents outside of it are declared by the child (§4.4, §7.3)."""
    index, edges = bundle.index, bundle.items("edges")
    for position in index.graph.unresolved:
        edge = edges[position]
        if type(edge) is not dict:
            continue
        for end in ("from", "to"):
            name = edge.get(end)
            if type(name) is str and name and name not in index.node_positions:
                hint = "add the node; a parent outside of the bundle is declared in the child's `external_parents`"
                if name in index.event_positions:
                    hint = "this is the source event of a node: edges name nodes by their node_id"
                yield AT203.at(
                    join("edges", position, end),
                    f"the edge {'starts' if end == 'from' else 'ends'} at a node that the bundle does not have",
                    hint=hint,
                )


@on_bundle(AT204)
def state_references(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """States that nodes and other states name are declared, if only as unavailable (§5.1, §8)."""
    for path in bundle.index.dangling_states:
        yield AT204.at(
            join(*path),
            "names a state that the bundle does not have",
            hint='declare the state; where its content is not at hand, with "availability": "unavailable" and a reason',
        )


@on_bundle(AT205)
def assertion_nodes(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Outcomes and verifier results are asserted at a node of this bundle, where they name one (§10.1)."""
    known = bundle.index.node_positions
    for collection in ("outcomes", "verifier_results"):
        for position, record in bundle.objects(collection):
            node = text(record, "asserted_at_node")
            if node is not None and node not in known:
                yield AT205.at(
                    join(collection, position, "asserted_at_node"),
                    "names a node that the bundle does not have",
                    hint="add the node; an outcome asserted elsewhere can give `asserted_at` with its boundary instead",
                )


@on_bundle(AT206)
def evidence(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """What records rest on can be found: in the bundle, or declared to be outside of it (§10, §16)."""
    for path in bundle.index.dangling_evidence:
        yield AT206.at(
            join(*path),
            "names a record that the bundle neither has nor declares to be outside of it",
            hint="add the record, or declare it as an external parent of the node that rests on it",
        )
    end = text(child(bundle.member("scope"), "termination"), "at_node")
    if end is not None and end not in bundle.index.node_positions:
        yield AT206.at("/scope/termination/at_node", "names a node that the bundle does not have")


@on_each("reward_records", AT207, member="sources")
def reward_sources(bundle: Bundle, position: int, record: Json) -> Sequence[Finding]:
    """A reward rests on records that are there (§10.3)."""
    return [
        AT207.at(
            join("reward_records", position, "sources", number),
            "the reward rests on a record that the bundle does not have",
            hint="add the outcome, the verifier result or the reward that it was derived from",
        )
        for number, source in texts(record, "sources")
        if not bundle.index.knows(source)
    ]


@on_each("reward_records", AT208, member="attribution_target")
def attribution_target(bundle: Bundle, position: int, record: Json) -> Sequence[Finding]:
    """A reward is credited to something that can be found (§10.3)."""
    target = text(record, "attribution_target")
    if target is None or bundle.index.knows(target):
        return NOTHING
    return (
        AT208.at(
            join("reward_records", position, "attribution_target"),
            "the reward is credited to something that the bundle does not have",
            hint="name a node, a record, or an attempt or objective of the scope",
        ),
    )


# --- sources -----------------------------------------------------------------------------------------------------


@on_bundle(AT211)
def node_sources(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """A node names the source record it stands for, where that may be told (§3.2)."""
    for group in bundle.index.groups["nodes"]:
        if "source_event_id" not in group.names or not all(group.column("source_event_id")):
            for position, node in zip(group.positions, group.records, strict=True):
                if not _names_source(node):
                    yield _without_source(bundle, position, node)


def _names_source(node: Json) -> bool:
    if node.get("source_event_id") or node.get("source_refs"):
        return True
    stated = (node.get(member, "") for member in ("source_event_id", "source_refs"))
    return any(value != "" and value != [] for value in stated)  # of a wrong type, which the shape says


def _without_source(bundle: Bundle, position: int, node: Json) -> Finding:
    is_target = child(node, "training").get("target") is True and bundle.claims(TRAINING)
    return AT211.at(
        join("nodes", position),
        "the node names no source record and no reason why",
        hint="give source_event_id or source_refs; where it may not be told, a marker",
        severity=Severity.WARNING if is_target else None,
    )


@on_bundle(AT212)
def source_events(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Two nodes stand for one source event: a reference to the event means either (§7.1)."""
    events = bundle.index.events
    if len(set(events)) == len(events):
        return
    nodes, first = bundle.items("nodes"), bundle.index.event_positions
    severity = Severity.ERROR if bundle.index.is_reference_form else None
    for position, node in bundle.objects("nodes"):
        event = node.get("source_event_id")
        if type(event) is not str or not event or first[event] == position:
            continue
        if node.get("node_id") == nodes[first[event]].get("node_id"):
            continue  # the whole node is there twice, which is AT201
        yield AT212.at(
            join("nodes", position, "source_event_id"),
            "an earlier node stands for the same source event",
            hint="name the event by source_refs where several nodes come from one record",
            severity=severity,
            related=[Related(join("nodes", first[event], "source_event_id"), "is the first node of this event")],
        )


@on_bundle(AT213)
def contexts(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """States belong to the contexts that the scope covers (§6.2)."""
    scope = bundle.member("scope")
    covered = {name for member in ("context_id", "context_ids") for _, name in texts(scope, member)}
    if not covered or any(is_marker(scope.get(member)) for member in ("context_id", "context_ids")):
        return
    for position, state in bundle.objects("states"):
        context = text(state, "context_id")
        if context is not None and context not in covered:
            yield AT213.at(
                join("states", position, "context_id"),
                "the state belongs to a context that the scope does not cover",
                hint="name the context in scope.context_ids, or leave the state out",
            )
