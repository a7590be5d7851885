"""AT309, AT313: order is not causality. Where the two disagree, or are one and the same, it is said (§3.3, §7.2)."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from attraj.bundle.checks.causality import has_open_parents
from attraj.bundle.checks.check import Asked, Json, on_bundle, warning
from attraj.bundle.instants import is_later
from attraj.bundle.model import Bundle, text
from attraj.findings import Finding, Related, Stratum
from attraj.pointer import join

AT309 = warning("AT309", "cause-after-effect", Stratum.MEANING)
AT313 = warning("AT313", "edges-copy-array-order", Stratum.MEANING)


@on_bundle(AT309)
def time(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Edges whose cause stands later than their effect, which mostly means that a producer turned them round."""
    nodes, at = bundle.items("nodes"), bundle.index.node_positions
    if bundle.index.graph.is_forward and is_in_order(nodes):
        return
    # Sequence numbers of several histories do not compare.
    has_one_history = "merging" not in bundle.index.operations
    for position, edge in bundle.objects("edges"):
        source, target = text(edge, "from"), text(edge, "to")
        if source is None or target is None or source == target or source not in at or target not in at:
            continue
        by = _later_by(nodes[at[source]], nodes[at[target]], has_one_history)
        if by:
            yield AT309.at(
                join("edges", position),
                f"the cause stands later than its effect by {by}",
                hint="`from` is the cause and `to` what depends on it; turn the edge round, or correct the record",
                related=[
                    Related(join("nodes", at[source]), "the cause"),
                    Related(join("nodes", at[target]), "the effect"),
                ],
            )


def _later_by(cause: Json, effect: Json, has_one_history: bool) -> str:
    a, b = cause.get("sequence"), effect.get("sequence")
    by_sequence = has_one_history and type(a) is int and type(b) is int and a > b
    a, b = cause.get("timestamp"), effect.get("timestamp")
    by_time = type(a) is str and type(b) is str and is_later(a, b)
    return " and ".join(name for name, is_so in (("`sequence`", by_sequence), ("`timestamp`", by_time)) if is_so)


def is_in_order(nodes: list[Any]) -> bool:
    """Whether sequence and timestamp never fall along the array: then no forward edge can contradict them.

    False means only that it could not be told in a glance.
    """
    if not nodes:
        return True
    try:
        sequences, times = list(map(itemgetter("sequence"), nodes)), list(map(itemgetter("timestamp"), nodes))
    except (KeyError, TypeError, IndexError):
        return False
    if set(map(type, sequences)) != {int} or set(map(type, times)) != {str}:
        return False
    lengths = set(map(len, times))
    if len(lengths) > 1 or 0 in lengths or set(map(itemgetter(-1), times)) != {"Z"}:
        return False  # of several forms or zones: they do not order as text
    # Sorting what is in order takes one comparison for each.
    return sequences == sorted(sequences) and times == sorted(times)


@on_bundle(AT313)
def array_chain(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """A graph that is the order of the array and nothing more was probably made from it (§7.2)."""
    nodes, edges = bundle.items("nodes"), bundle.items("edges")
    if len(nodes) < 4 or len(edges) != len(nodes) - 1 or not bundle.index.graph.is_forward:
        return
    parents = bundle.index.parents
    if parents[0] or any(causes != [position] for position, causes in enumerate(parents[1:])):
        return
    if any(edge.get("relation") != "caused_by" for edge in edges):
        return
    if all(edge.get("basis") in ("recorded", "call_id") for edge in edges):
        return  # the producer says that it knows
    if any(type(node) is not dict or has_open_parents(node) for node in nodes):
        return
    yield AT313.at(
        "/edges",
        "the edges repeat the order of the node array and say nothing else",
        hint="say `basis`: `recorded` where the source states the cause; else declare the parents undetermined",
    )
