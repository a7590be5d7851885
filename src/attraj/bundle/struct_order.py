"""`morphz-at-json-struct-order-v1`: the canonical form of the reference implementation, member by member.

A typed document is written compactly in the order of its structures. Members that the structures don't know are left
out, so the digest says nothing about them; neither does it cover `integrity`, key order or the offset of a timestamp.
Source: spec bundle.md §3.4, the reference JSON Schemas (order of `properties`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import orjson

from attraj.bundle.canonical import ALGORITHM, STRUCT_ORDER
from attraj.bundle.canonical_form import SERDE_STYLE, NotCanonical, form, refusal
from attraj.pointer import join

Json = dict[str, Any]
Path = tuple[str | int, ...]

# Structure to (member, what it holds), in the order of writing. A "?" is left out when it is missing or null; "[]" is
# an array of a structure, "{}" a free-form object of that.
STRUCTURES: dict[str, dict[str, str]] = {
    "bundle": {
        "spec_version": "text",
        "profiles": "texts",
        "trajectory_id": "text",
        "source": "source",
        "scope": "scope",
        "completeness": "completeness",
        "bindings": "{}texts",
        "states": "[]state",
        "nodes": "[]node",
        "edges": "[]edge",
        "outcomes": "[]outcome",
        "verifier_results": "[]verifier_result",
        "reward_records": "[]reward_record",
        "transform": "transform",
        "disclosure": "disclosure",
        "rights": "rights",
        "integrity": "integrity",
        "extensions": "{}free",
    },
    "source": {
        "implementation": "text",
        "exporter_version": "text",
        "authority_domain": "text",
        "first_sequence": "count?",
        "last_sequence": "count?",
    },
    "scope": {
        "context_id": "text",
        "objective_id": "text?",
        "activation_id": "text?",
        "selection": "text",
        "event_count": "count",
    },
    "completeness": {"status": "text", "reason": "text", "material_omissions": "texts"},
    "state": {
        "state_id": "text",
        "context_id": "text",
        "context_revision": "count",
        "availability": "text",
        "source_event_id": "text",
        "delta": "free?",
    },
    "node": {
        "node_id": "text",
        "kind": "text",
        "source_event_id": "text",
        "sequence": "count?",
        "timestamp": "time",
        "actor": "text",
        "authority_class": "text",
        "topic": "text",
        "status": "text",
        "state_before": "text?",
        "state_after": "text?",
        "external_parents": "[]external_parent",
        "payload": "free?",
    },
    "external_parent": {"relation": "text", "source_id": "text", "availability": "text"},
    "edge": {"edge_id": "text", "from": "text", "to": "text", "relation": "text"},
    "outcome": {
        "outcome_id": "text",
        "scope": "text",
        "producer": "text",
        "authority_class": "text",
        "status": "text",
        "terminal": "bool",
        "evidence_refs": "texts",
        "asserted_at_node": "text",
        "value": "free?",
    },
    "verifier_result": {
        "verifier_result_id": "text",
        "verifier": "text",
        "verifier_version": "text",
        "checked_property": "text",
        "evidence_refs": "texts",
        "status": "text",
        "output": "free",
        "asserted_at_node": "text",
    },
    "reward_record": {
        "reward_id": "text",
        "policy": "text",
        "policy_version": "text",
        "sources": "texts",
        "scope": "text",
        "attribution_target": "text",
        "signal_type": "text",
        "value": "free",
        "aggregation": "text",
        "producer": "text",
        "created_at": "time",
        "timing": "text",
    },
    "transform": {"exporter": "text", "operations": "texts"},
    "disclosure": {
        "private_reasoning": "text",
        "user_content": "text",
        "raw_event_payloads": "text",
        "redacted_fields": "texts",
    },
    "rights": {
        "retention": "bool",
        "local_evaluation": "bool",
        "hosted_evaluation": "bool",
        "training": "bool",
        "redistribution_original": "bool",
        "redistribution_transformed": "bool",
    },
    "integrity": {"status": "text", "algorithm": "text", "canonicalization": "text", "digest": "text?"},
    "episode": {
        "episode_version": "text",
        "episode_id": "text",
        "source_trajectory_id": "text",
        "selection": "text",
        "termination": "text",
        "transitions": "[]transition",
        "reward_refs": "texts",
        "rights": "rights",
        "integrity": "integrity",
    },
    "transition": {
        "transition_id": "text",
        "source_node_id": "text",
        "state_view": "field",
        "action_target": "field",
        "environment_outputs": "[]field",
        "reward_refs": "texts",
    },
    "field": {"role": "text", "loss": "text", "availability": "text", "value": "free"},
}

_RESET = {"status": "not_provided", "algorithm": ALGORITHM, "canonicalization": STRUCT_ORDER}
_MOST = (1 << 64) - 1


def structure_of(document: Json) -> str:
    """The structure that a document is read as."""
    return "episode" if "episode_version" in document else "bundle"


def struct_order_bytes(document: Any) -> bytes:
    """The form of a Bundle or an Episode. Never modifies it.

    Raises:
        NotCanonical: The document lacks a member of the reference form, or holds one of another type.
    """
    if type(document) is not dict:
        raise NotCanonical("the reference form is an object")
    try:
        return orjson.dumps(_projected(structure_of(document), {**document, "integrity": _RESET}, ()))
    except orjson.JSONEncodeError:
        raise refusal(document, SERDE_STYLE) from None


def uncovered(document: Json) -> Iterator[str]:
    """Pointers of the members that the digest of a document in the reference form says nothing about."""
    pending: list[tuple[str, Json, Path]] = [(structure_of(document), document, ())]
    for structure, value, at in pending:  # grows while it is read
        members = STRUCTURES[structure]
        for name, inner in value.items():
            holds = members.get(name)
            if holds is None:
                yield join(*at, name)
            elif holds in STRUCTURES and type(inner) is dict:
                pending.append((holds, inner, (*at, name)))
            elif holds[:2] == "[]" and type(inner) is list:
                pending += [
                    (holds[2:], element, (*at, name, position))
                    for position, element in enumerate(inner)
                    if type(element) is dict
                ]


def _projected(structure: str, value: Any, at: Path) -> Json:
    """The value with the members of its structure alone, in their order. Structures nest a few levels deep."""
    if type(value) is not dict:
        raise _mismatch(at, "an object")
    found: Json = {}
    for name, holds in STRUCTURES[structure].items():
        inner = value.get(name)
        if inner is None:
            if holds[-1] == "?":
                continue
            if holds != "free" or name not in value:
                raise _mismatch((*at, name) if name in value else at, f"a member `{name}`")
        found[name] = _written_as(holds.rstrip("?"), inner, (*at, name))
    return found


def _written_as(holds: str, value: Any, at: Path) -> Any:
    write = _WRITERS.get(holds)
    if write is not None:
        return write(value, at)
    if holds[:2] == "[]":
        if type(value) is not list:
            raise _mismatch(at, "an array")
        return [_projected(holds[2:], element, (*at, position)) for position, element in enumerate(value)]
    if holds[:2] == "{}":
        if type(value) is not dict:
            raise _mismatch(at, "an object")
        return {name: _written_as(holds[2:], value[name], (*at, name)) for name in sorted(value)}
    return _projected(holds, value, at)


def _text(value: Any, at: Path) -> Any:
    if type(value) is not str:
        raise _mismatch(at, "a string")
    return value


def _texts(value: Any, at: Path) -> Any:
    if type(value) is not list or not set(map(type, value)) <= {str}:
        raise _mismatch(at, "an array of strings")
    return value


def _count(value: Any, at: Path) -> Any:
    if type(value) is not int or not 0 <= value <= _MOST:
        raise _mismatch(at, "a count")
    return value


def _bool(value: Any, at: Path) -> Any:
    if type(value) is not bool:
        raise _mismatch(at, "true or false")
    return value


def _free(value: Any, at: Path) -> Any:
    try:
        return orjson.Fragment(form(value, SERDE_STYLE))
    except NotCanonical as error:
        raise NotCanonical(error.message, join(*at) + error.pointer) from None


_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))", re.ASCII
).fullmatch


def _time(value: Any, at: Path) -> Any:
    """The timestamp in UTC with "Z" and 0, 3, 6 or 9 digits of a second."""
    match = _TIME(value) if type(value) is str else None
    if match is None:
        raise _mismatch(at, "an RFC 3339 timestamp")
    day, minute, second, fraction, sign, hours, minutes = match.groups()
    if sign and int(hours) * 60 + int(minutes):
        offset = timedelta(hours=int(hours), minutes=int(minutes))
        try:
            local = datetime.fromisoformat(f"{day}T{minute}")
            moved = local - offset if sign == "+" else local + offset
        except (ValueError, OverflowError):
            raise _mismatch(at, "an RFC 3339 timestamp") from None
        day, _, minute = moved.isoformat(timespec="minutes").partition("T")
    return f"{day}T{minute}:{second}{_fraction(fraction or '')}Z"


def _fraction(digits: str) -> str:
    nanoseconds = digits[:9].ljust(9, "0")
    for kept in (0, 3, 6):
        if not nanoseconds[kept:].strip("0"):
            return f".{nanoseconds[:kept]}" if kept else ""
    return f".{nanoseconds}"


_WRITERS: dict[str, Callable[[Any, Path], Any]] = {
    "text": _text,
    "texts": _texts,
    "count": _count,
    "bool": _bool,
    "free": _free,
    "time": _time,
}


def _mismatch(at: Path, wanted: str) -> NotCanonical:
    return NotCanonical(f"the reference form wants {wanted} here", join(*at))
