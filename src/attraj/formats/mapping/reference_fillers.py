"""What stands in the reference form where a Bundle has nothing, or something that the form cannot say.

Each filler tells on its face that it is none of the source's: "undeclared:…", "unknown", the first instant of the
calendar. Source: spec bundle.md §2.1, §4.2 to §4.8 (columns "ref").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attraj.bundle.vocabulary import CORE, PROFILES, USES
from attraj.formats.mapping.fields import Json
from attraj.jsonio import MISSING

UNDECLARED = "undeclared"
NO_TIME = "0001-01-01T00:00:00Z"

Filler = Callable[[Json, Json], Any]  # of the object, and of the Bundle


def filler(kind: str, member: str, owner: Json, bundle: Json) -> Any:
    """What the reference form says at a member that it requires, of what the object says in the native form.

    Args:
        kind: Of object, as `reference_form.FORM` names them.
        owner: The object in the native form; never modified.
        bundle: The whole; never modified.
    """
    make = _FILLERS.get((kind, member))
    return _named(kind, owner) if make is None else make(owner, bundle)


def has_filler(kind: str, member: str) -> bool:
    """Whether something else than an empty array or object is written there."""
    return (kind, member) in _FILLERS


def instead(kind: str, member: str, owner: Json) -> Any:
    """What is written although the form could hold what the Bundle says, as what it goes with is moved; else MISSING.

    An effect without its admission, content that is said to be here, a profile without its evidence, a claim of a run
    without a node, no parents where they are not known: the form would say more than it can show.
    """
    value = owner[member]
    if (kind, member) == ("node", "kind") and value == "effect":
        return "event"
    if (kind, member) == ("state", "availability") and value == "included" and "delta" not in owner:
        return "referenced"
    if (kind, member) == ("node", "external_parents") and value == []:
        return _external_parents(owner, {}) or MISSING  # else it would be the root of a graph
    if (kind, member) == ("bundle", "profiles") and value != [CORE]:
        return [CORE]
    if kind == "bundle" and member in (*_ASSERTED, "reward_records") and _has_claims_without_node(owner):
        return []
    return MISSING


_ASSERTED = ("outcomes", "verifier_results")


def _has_claims_without_node(bundle: Json) -> bool:
    """Whether there is no node and yet a claim, which the form lets be made at a node alone; rewards rest on claims."""
    claims = [bundle.get(name) for name in _ASSERTED] if not bundle.get("nodes") else []
    items = [one for claim in claims if type(claim) is list for one in claim]
    return any(type(one) is dict and "asserted_at_node" not in one for one in items)


def first_name(*values: Any) -> Any:
    """The first text that is not empty among these values and the elements of these lists; MISSING if there is none."""
    for value in values:
        for one in value if type(value) is list else (value,):
            if type(one) is str and one:
                return one
    return MISSING


def names(value: Any) -> list[str]:
    """The texts of a list, or the text that stands for one."""
    items = value if type(value) is list else [value]
    return [one for one in items if type(one) is str]


_IDS = {
    "state": "state_id",
    "node": "node_id",
    "outcome": "outcome_id",
    "verifier_result": "verifier_result_id",
    "reward_record": "reward_id",
}


def _named(kind: str, owner: Json) -> str:
    identity = first_name(owner.get(_IDS.get(kind, "")))
    return UNDECLARED if identity is MISSING else f"{UNDECLARED}:{identity}"


def _context(_owner: Json, bundle: Json) -> str:
    scope = bundle.get("scope")
    scope = scope if type(scope) is dict else {}
    found = first_name(scope.get("context_id"), scope.get("context_ids"))
    if found is not MISSING:
        return str(found)
    identity = first_name(bundle.get("trajectory_id"))
    return f"context:{UNDECLARED if identity is MISSING else identity}"


def _selection(owner: Json, _bundle: Json) -> str:
    selection = owner.get("selection")
    found = first_name(selection.get("rule") if type(selection) is dict else None)
    return UNDECLARED if found is MISSING else str(found)


def _event_count(_owner: Json, bundle: Json) -> int:
    nodes = bundle.get("nodes")
    return len(nodes) if type(nodes) is list else 0


def _authority_domain(owner: Json, _bundle: Json) -> str:
    found = first_name(owner.get("implementation"))
    return UNDECLARED if found is MISSING else f"{UNDECLARED}:{found}"


def _omissions(owner: Json, _bundle: Json) -> list[str]:
    stated = owner.get("material_omissions")
    items = stated if type(stated) is list else []
    return names([one.get("class") if type(one) is dict else one for one in items])


def _profiles(_owner: Json, bundle: Json) -> list[str]:
    return [one for one in dict.fromkeys(names(bundle.get("profiles"))) if one in PROFILES] or [CORE]


def _external_parents(owner: Json, _bundle: Json) -> list[Json]:
    parents = owner.get("parents")
    if type(parents) is dict and parents.get("status") in ("undetermined", "partial"):
        identity = first_name(owner.get("node_id"))
        source = f"unknown:{UNDECLARED if identity is MISSING else identity}"
        return [{"relation": "caused_by", "source_id": source, "availability": "unknown"}]
    return []


def _source_event(owner: Json, _bundle: Json) -> str:
    refs = owner.get("source_refs")
    found = first_name(refs)
    return _named("node", owner) if found is MISSING else str(found)


def _edge_id(owner: Json, _bundle: Json) -> str:
    words = [first_name(owner.get(name)) for name in ("relation", "from", "to")]
    return ":".join(["edge", *(UNDECLARED if word is MISSING else str(word) for word in words)])


def _last_node(_owner: Json, bundle: Json) -> str:
    """What is asserted at the end of what is covered is asserted at its last record."""
    nodes = bundle.get("nodes")
    last = nodes[-1] if type(nodes) is list and nodes and type(nodes[-1]) is dict else {}
    found = first_name(last.get("node_id"))
    return UNDECLARED if found is MISSING else str(found)


def _scope(owner: Json, _bundle: Json) -> str:
    found = first_name(owner.get("scope"))
    return UNDECLARED if found is MISSING else str(found)


def _evidence(owner: Json, _bundle: Json) -> list[str]:
    return names(owner.get("evidence_refs"))


def _constant(value: Any) -> Filler:
    return lambda _owner, _bundle: value


_FILLERS: Mapping[tuple[str, str], Filler] = {
    ("bundle", "spec_version"): _constant("0.1"),
    ("bundle", "profiles"): _profiles,
    ("source", "authority_domain"): _authority_domain,
    ("scope", "context_id"): _context,
    ("scope", "selection"): _selection,
    ("scope", "event_count"): _event_count,
    ("completeness", "status"): _constant("partial"),
    ("completeness", "reason"): _constant(""),
    ("completeness", "material_omissions"): _omissions,
    ("state", "context_id"): _context,
    ("state", "context_revision"): _constant(0),
    ("state", "availability"): _constant("unknown"),
    ("node", "kind"): _constant("event"),
    ("node", "source_event_id"): _source_event,
    ("node", "timestamp"): _constant(NO_TIME),
    ("node", "actor"): _constant(""),
    ("node", "authority_class"): _constant("unknown"),
    ("node", "topic"): _constant(UNDECLARED),
    ("node", "status"): _constant("unknown"),
    ("node", "external_parents"): _external_parents,
    ("external_parent", "availability"): _constant("unknown"),
    ("edge", "edge_id"): _edge_id,
    ("outcome", "scope"): _scope,
    ("outcome", "producer"): _constant(""),
    ("outcome", "authority_class"): _constant("unknown"),
    ("outcome", "status"): _constant("unknown"),
    ("outcome", "terminal"): _constant(False),
    ("outcome", "evidence_refs"): _evidence,
    ("outcome", "asserted_at_node"): _last_node,
    ("verifier_result", "asserted_at_node"): _last_node,
    ("verifier_result", "verifier_version"): _constant(UNDECLARED),
    ("verifier_result", "evidence_refs"): _evidence,
    ("verifier_result", "status"): _constant("indeterminate"),
    ("verifier_result", "output"): _constant(None),
    ("reward_record", "policy_version"): _constant(UNDECLARED),
    ("reward_record", "sources"): lambda owner, _: names(owner.get("sources")) or [UNDECLARED],
    ("reward_record", "scope"): _scope,
    ("reward_record", "value"): _constant(None),
    ("reward_record", "aggregation"): _constant("identity"),
    ("reward_record", "producer"): _constant(""),
    ("reward_record", "created_at"): _constant(NO_TIME),
    ("reward_record", "timing"): _constant("retrospective"),
    ("transform", "operations"): lambda owner, _: names(owner.get("operations")),
    ("disclosure", "private_reasoning"): _constant("unknown"),
    ("disclosure", "user_content"): _constant("unknown"),
    ("disclosure", "raw_event_payloads"): _constant("unknown"),
    ("disclosure", "redacted_fields"): lambda owner, _: names(owner.get("redacted_fields")),
    **{("rights", use): _constant(False) for use in USES},
    ("integrity", "status"): _constant("not_provided"),
    ("integrity", "algorithm"): _constant("none"),
    ("integrity", "canonicalization"): _constant("none"),
}
