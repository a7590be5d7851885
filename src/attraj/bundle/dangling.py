"""References that lead nowhere: found once, asked by the checks of identity (AT204, AT206) and completeness (AT904)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attraj.bundle.index import BundleIndex

Path = tuple[str | int, ...]
Json = dict[str, Any]

# Members that name a state of the bundle (spec: bundle.md §4.5, §4.6).
STATE_MEMBERS = {"nodes": ("state_before", "state_view", "state_after"), "states": ("same_as", "base_state")}
# Members that name evidence: a text or an array of texts, in the record itself or one level below (§4.3).
EVIDENCE_MEMBERS: dict[str, tuple[tuple[str, ...], ...]] = {
    "nodes": (
        ("read_set",),
        ("evidence_refs",),
        ("admission", "decision_ref"),
        ("effect", "receipt_ref"),
        ("receipt", "result_ref"),
    ),
    "outcomes": (("evidence_refs",),),
    "verifier_results": (("evidence_refs",),),
}


def states(index: BundleIndex) -> list[Path]:
    """Places that name a state which the bundle does not declare."""
    known = index.state_positions
    found: list[Path] = []
    for collection, names in STATE_MEMBERS.items():
        for group in index.groups[collection]:
            for name in names:
                if name in group.names:
                    named = zip(group.positions, group.column(name), strict=True)
                    found.extend(
                        (collection, i, name) for i, value in named if type(value) is str and value not in known
                    )
    return found


def evidence(index: BundleIndex) -> list[Path]:
    """Places that name evidence, a receipt or something read that the bundle neither has nor declares to be outside."""
    found: list[Path] = []
    for collection, ways in EVIDENCE_MEMBERS.items():
        for group in index.groups[collection]:
            for way in ways:
                if way[0] in group.names:
                    for position, value in zip(group.positions, group.column(way[0]), strict=True):
                        inner = value if len(way) == 1 else value.get(way[1]) if type(value) is dict else None
                        found.extend((collection, position, *way, *rest) for rest in _dangling(inner, index))
    return found


def _dangling(value: Any, index: BundleIndex) -> list[tuple[int, ...]]:
    """The ways inside a text, or an array of texts, to those that name nothing."""
    known = index.node_positions
    if type(value) is str:
        return [()] if value not in known and index.resolve(value) is None else NOWHERE
    if type(value) is not list:
        return NOWHERE
    return [
        (i,)
        for i, reference in enumerate(value)
        if type(reference) is str and reference not in known and index.resolve(reference) is None
    ]


NOWHERE: list[tuple[int, ...]] = []
