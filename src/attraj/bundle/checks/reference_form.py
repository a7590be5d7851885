"""AT125: differences from the reference implementation's own JSON form, told only when asked (spec: bundle.md §2.1).

That form is closed: no member may be added, and what the prose leaves open is fixed. The specification ranks the form
below its prose, so a difference is never a fault; it only says that the reference reader will refuse or drop something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from attraj.bundle.checks.check import Asked, Json, info, on_bundle
from attraj.bundle.instants import is_rfc3339
from attraj.bundle.model import Bundle
from attraj.bundle.vocabulary import COMPLETENESS, PROFILES, SPEC_VERSIONS, USES, VERIFIER_STATUSES
from attraj.findings import Finding, Related, Stratum
from attraj.pointer import join

AT125 = info("AT125", "differs-from-reference-form", Stratum.PROFILES, "")

Path = tuple[str | int, ...]

# Kinds of value: "name" a string that is not empty, "text" any string, "count" an integer from 0, "time" an RFC 3339
# string, "flag" a boolean, "names" an array of strings, "any"; a word in capitals names an entry of WORDS, "[x]" an
# array of the objects described under x, "{x}" one of them.
FORM: dict[str, tuple[dict[str, str], dict[str, str]]] = {  # object -> (required members, optional members)
    "bundle": (
        {
            "spec_version": "VERSION",
            "profiles": "profiles",
            "trajectory_id": "name",
            "source": "{source}",
            "scope": "{scope}",
            "completeness": "{completeness}",
            "bindings": "bindings",
            "states": "[state]",
            "nodes": "[node]",
            "edges": "[edge]",
            "outcomes": "[outcome]",
            "verifier_results": "[verifier_result]",
            "reward_records": "[reward_record]",
            "transform": "{transform}",
            "disclosure": "{disclosure}",
            "rights": "{rights}",
            "integrity": "{integrity}",
            "extensions": "object",
        },
        {},
    ),
    "source": (
        {"implementation": "name", "exporter_version": "name", "authority_domain": "name"},
        {"first_sequence": "count", "last_sequence": "count"},
    ),
    "scope": (
        {"context_id": "name", "selection": "name", "event_count": "count"},
        {"objective_id": "name", "activation_id": "name"},
    ),
    "completeness": ({"status": "COMPLETENESS", "reason": "text", "material_omissions": "names"}, {}),
    "state": (
        {
            "state_id": "name",
            "context_id": "name",
            "context_revision": "count",
            "availability": "name",
            "source_event_id": "name",
        },
        {"delta": "any"},
    ),
    "node": (
        {
            "node_id": "name",
            "kind": "name",
            "source_event_id": "name",
            "timestamp": "time",
            "actor": "text",
            "authority_class": "name",
            "topic": "name",
            "status": "name",
            "external_parents": "[external_parent]",
        },
        {"sequence": "count", "state_before": "name", "state_after": "name", "payload": "any"},
    ),
    "external_parent": ({"relation": "name", "source_id": "name", "availability": "name"}, {}),
    "edge": ({"edge_id": "name", "from": "name", "to": "name", "relation": "name"}, {}),
    "outcome": (
        {
            "outcome_id": "name",
            "scope": "name",
            "producer": "text",
            "authority_class": "name",
            "status": "name",
            "terminal": "flag",
            "evidence_refs": "names",
            "asserted_at_node": "name",
        },
        {"value": "any"},
    ),
    "verifier_result": (
        {
            "verifier_result_id": "name",
            "verifier": "name",
            "verifier_version": "name",
            "checked_property": "name",
            "evidence_refs": "names",
            "status": "VERIFIER_STATUS",
            "output": "any",
            "asserted_at_node": "name",
        },
        {},
    ),
    "reward_record": (
        {
            "reward_id": "name",
            "policy": "name",
            "policy_version": "name",
            "sources": "some_names",
            "scope": "name",
            "attribution_target": "name",
            "signal_type": "name",
            "value": "any",
            "aggregation": "name",
            "producer": "text",
            "created_at": "time",
            "timing": "TIMING",
        },
        {},
    ),
    "transform": ({"exporter": "name", "operations": "names"}, {}),
    "disclosure": (
        {
            "private_reasoning": "name",
            "user_content": "name",
            "raw_event_payloads": "name",
            "redacted_fields": "names",
        },
        {},
    ),
    "rights": (dict.fromkeys(USES, "flag"), {}),
    "integrity": ({"status": "INTEGRITY", "algorithm": "name", "canonicalization": "name"}, {"digest": "name"}),
}
WORDS = {
    "VERSION": SPEC_VERSIONS[:1],
    "PROFILE": PROFILES,
    "COMPLETENESS": COMPLETENESS,
    "VERIFIER_STATUS": VERIFIER_STATUSES,
    "TIMING": ("online", "retrospective"),
    "INTEGRITY": ("not_provided", "digest_provided"),
}


class Difference(NamedTuple):
    """One place where a document leaves the reference form; `members` are those that an object has too many."""

    path: Path
    message: str
    members: tuple[str, ...] = ()


@on_bundle(AT125)
def reference_form(bundle: Bundle, asked: Asked) -> Iterator[Finding]:
    """Every difference from the reference form, as its JSON Schema counts them (only when `as_reference` is asked)."""
    if asked.as_reference:
        for path, message, members in differences(bundle.tree):
            related = [Related(join(*path, name), "is such a member") for name in members]
            yield AT125.at(join(*path), message, related=related)


def differences(tree: Any) -> Iterator[Difference]:
    """Where a Bundle leaves the reference form, in the order of its parts."""
    yield from _object("bundle", tree, ())
    integrity = tree.get("integrity")
    if type(integrity) is dict:
        yield from _digest(integrity)


def _object(kind: str, value: Any, path: Path) -> Iterator[Difference]:
    if type(value) is not dict:
        yield Difference(path, "the reference form has an object here")
        return
    required, members = FORM[kind][0], _members(kind)
    for name in required:
        if name not in value:
            yield Difference(path, f"the reference form requires `{name}`")
    for name, found in value.items():
        if name in members:
            yield from _value(members[name], found, (*path, name))
    others = tuple(name for name in value if name not in members)
    if others:
        message = "the object has members that the reference form lacks: its reader drops them, its schema refuses them"
        yield Difference(path, message, others)


@cache
def _members(kind: str) -> dict[str, str]:
    required, optional = FORM[kind]
    return required | optional


def _value(kind: str, value: Any, path: Path) -> Iterator[Difference]:
    if kind[0] == "{":
        yield from _object(kind[1:-1], value, path)
    elif kind[0] == "[":
        if type(value) is not list:
            yield Difference(path, "the reference form has an array here")
        else:
            for position, element in enumerate(value):
                yield from _object(kind[1:-1], element, (*path, position))
    elif kind == "bindings":
        yield from _bindings(value, path)
    else:
        message = _simple(kind, value)
        if message:
            yield Difference(path, f"the reference form has {message} here")


def _bindings(value: Any, path: Path) -> Iterator[Difference]:
    if type(value) is not dict:
        yield Difference(path, "the reference form has an object here")
        return
    for name, bound in value.items():
        if not _is_names(bound) or len(set(bound)) != len(bound):
            yield Difference((*path, name), "the reference form has an array of different strings here")


def fits(kind: str, value: Any) -> bool:
    """Whether a value is one that the form has where it says `kind`, which names no object."""
    return not _simple(kind, value)


def _simple(kind: str, value: Any) -> str:
    """What the form has instead of this value; "" when it is just that."""
    if kind in WORDS:
        return "" if type(value) is str and value in WORDS[kind] else "one of a few fixed words"
    if kind == "profiles":
        known = _is_names(value) and bool(value) and set(value) <= set(PROFILES) and len(set(value)) == len(value)
        return "" if known else "an array of different known profiles"
    fits, message = _SIMPLE[kind]
    return "" if fits(value) else message


def _is_names(value: Any) -> bool:
    return type(value) is list and all(type(element) is str for element in value)


_SIMPLE: dict[str, tuple[Callable[[Any], bool], str]] = {
    "any": (lambda _: True, ""),
    "object": (lambda value: type(value) is dict, "an object"),
    "text": (lambda value: type(value) is str, "a string"),
    "name": (lambda value: type(value) is str and value != "", "a string that is not empty"),
    "count": (lambda value: type(value) is int and value >= 0, "an integer from 0"),
    "flag": (lambda value: type(value) is bool, "true or false"),
    "time": (lambda value: type(value) is str and is_rfc3339(value), "an RFC 3339 timestamp"),
    "names": (_is_names, "an array of strings"),
    "some_names": (lambda value: _is_names(value) and len(value) > 0, "an array of one string at least"),
}


def _digest(integrity: Json) -> Iterator[Difference]:
    """A digest stands there exactly when the status says so."""
    status = integrity.get("status")
    if status == "not_provided" and "digest" in integrity:
        yield Difference(("integrity", "digest"), "the reference form has no digest beside not_provided")
    if status == "digest_provided" and "digest" not in integrity:
        yield Difference(("integrity",), "the reference form requires `digest` beside digest_provided")
