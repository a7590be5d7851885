"""AT3xx: the causal graph. Parents are declared, never guessed; order and time prove nothing (§3.3, §7.2, §7.3)."""

from __future__ import annotations

from collections.abc import Iterator

from attraj.bundle.checks.check import Asked, Json, error, on_bundle, on_each
from attraj.bundle.model import Bundle
from attraj.findings import Finding, Related, Stratum
from attraj.pointer import join

AT301 = error("AT301", "cycle", Stratum.REFERENCES)
AT302 = error("AT302", "self-edge", Stratum.REFERENCES)

CYCLE_SHOWN = 10  # nodes of a cycle that are listed; the rest is counted


@on_each("edges", AT302)
def self_edge(_bundle: Bundle, position: int, edge: Json) -> tuple[Finding, ...]:
    source = edge.get("from")
    if type(source) is str and source == edge.get("to"):
        return (AT302.at(join("edges", position), "edge leads from a node to itself"),)
    return ()


@on_bundle(AT301)
def cycle(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """One concrete cycle, when there is any: the graph of all declared edges must be acyclic (§3.3)."""
    found = find_cycle(bundle.index.parents, bundle.index.children)
    if found:
        shown = [Related(join("nodes", position), "is on the cycle") for position in found[:CYCLE_SHOWN]]
        yield AT301.at(
            join("nodes", found[0]),
            f"nodes depend on themselves through a cycle of {len(found)}",
            hint="remove the edge that runs from effect to cause",
            related=shown,
        )


def find_cycle(parents: list[list[int] | None], children: list[list[int] | None]) -> list[int]:
    """Positions of one cycle of two nodes or more, in causal order; [] when the graph is acyclic. Linear time."""
    pending = [len(p) if p else 0 for p in parents]
    ready = [i for i, count in enumerate(pending) if not count]
    done = 0
    while ready:
        done += 1
        for effect in children[ready.pop()] or ():
            pending[effect] -= 1
            if not pending[effect]:
                ready.append(effect)
    if done == len(pending):
        return []
    # Every node that is left has a parent that is left: walking parents must come round.
    at = next(i for i, count in enumerate(pending) if count)
    seen: dict[int, int] = {}
    path: list[int] = []
    while at not in seen:
        seen[at] = len(path)
        path.append(at)
        at = next(p for p in parents[at] or () if pending[p])
    return path[seen[at] :][::-1]
