"""References that lead nowhere: found once, asked by the checks of identity (AT204, AT206) and completeness (AT904)."""

from __future__ import annotations

from collections.abc import Iterator
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
    return [
        (collection, position, member)
        for collection, members in STATE_MEMBERS.items()
        for position, record in enumerate(index.items(collection))
        if type(record) is dict
        for member in members
        if member in record and type(record[member]) is str and record[member] not in known
    ]


def evidence(index: BundleIndex) -> list[Path]:
    """Places that name evidence, a receipt or something read that the bundle neither has nor declares to be outside."""
    known = index.node_positions
    found: list[Path] = []
    for collection, ways in EVIDENCE_MEMBERS.items():
        for position, record in enumerate(index.items(collection)):
            if type(record) is not dict:
                continue
            for way in ways:
                if way[0] in record:
                    for path, reference in _references(record, way):
                        if reference not in known and index.resolve(reference) is None:
                            found.append((collection, position, *path))
    return found


def _references(record: Json, way: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    value: Any = record
    for member in way:
        value = value.get(member) if type(value) is dict else None
    if type(value) is str:
        yield way, value
    elif type(value) is list:
        for position, element in enumerate(value):
            if type(element) is str:
                yield (*way, position), element
