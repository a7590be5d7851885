"""What a Bundle says of its own redaction (spec: bundle.md §6.1, decisions 16, 25, 26).

Works on the tree after its content was taken: gives the members of the envelope that have to say something else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from attraj.bundle.content import dotted, record_of
from attraj.bundle.markers import MARKER_KEY, is_digest, is_marker
from attraj.bundle.model import child, text
from attraj.bundle.shape import COLLECTIONS
from attraj.bundle.vocabulary import TRAINING
from attraj.pointer import join, split
from attraj.redaction.apply import class_of, reason
from attraj.redaction.changes import Change, replaced
from attraj.redaction.leaves import Keys, leaves
from attraj.redaction.policy import Policy

Json = dict[str, Any]
Sets = dict[Keys, Any]

_ID_MEMBERS = frozenset(member for _, member in COLLECTIONS.values()) | {"trajectory_id", "receipt_id", "artifact_id"}
_STATE_MEMBERS = ("state_view", "state_before", "state_after")


@dataclass(frozen=True, slots=True)
class Taken:
    """One place of the redacted tree at which something was taken.

    Attributes:
        keys: Lead to it, with the names that members have now.
        status_class: Class of what was taken.
        rule: What found it.
        spans: How many parts of a text went; 0 when all of it did.
        word: Field of the policy that drops it; "" otherwise.
    """

    keys: Keys
    status_class: str
    rule: str
    spans: int
    word: str


def taken_places(changes: Sequence[Change], marked: frozenset[Keys]) -> list[Taken]:
    """The places of the changes, under the names that members have after them."""
    names = {change.keys: replaced(str(change.keys[-1]), change.stretches) for change in changes if change.is_key}
    made = []
    for change in changes:
        if change.stretches[0].kind == "TIME":
            continue  # declared as an operation, not place by place
        keys = change.keys
        if names:
            keys = tuple(names.get(keys[: n + 1], key) for n, key in enumerate(keys))
        spans = 0 if change.keys in marked and not change.is_key else sum(1 for s in change.stretches if s.new)
        made.append(Taken(keys, class_of(change), change.stretches[0].rule, spans, change.word))
    return made


def renamed_ids(tree: Json, taken: Iterable[Taken]) -> dict[str, str]:
    """New names for records whose id is a digest of what was taken from them (§6.1, point 8)."""
    found: dict[str, str] = {}
    for place in taken:
        record = record_of(place.keys)
        if record is None:
            continue
        own = text(tree[record[0]][record[1]], COLLECTIONS[record[0]][1])
        if own and own not in found and is_digest(own):
            found[own] = f"redacted:id:{len(found) + 1}"
    return found


def uses_of(tree: Json, names: Mapping[str, str]) -> Sets:
    """Every place of the tree that names a renamed record."""
    return {
        leaf.keys: names[leaf.value]
        for leaf in leaves(tree)
        if type(leaf.value) is str and not leaf.is_key and leaf.value in names
    }


def books(tree: Json, taken: Sequence[Taken], policy: Policy, *, tool: str, operations: Sequence[str] = ()) -> Sets:
    """What the members of the envelope say after a redaction.

    Args:
        tree: The Bundle after its content was taken. Not modified.
        taken: What was taken.
        policy: By which policy.
        tool: Name and version of the program, "attraj@0.1.0".
        operations: Operations besides `redaction` (time_coarsening, id_renaming).

    Returns:
        Keys of a member to its new value.
    """
    sets: Sets = {}
    digests = list(_digests(tree, taken))
    withheld = {MARKER_KEY: {"status": "redacted", "class": "other", "reason": "digest of unredacted content"}}
    for keys in digests:
        sets[keys] = withheld
    everything = [*taken, *(Taken(keys, "other", "digest", 0, "") for keys in digests)]
    sets["disclosure",] = _disclosure(tree, everything, policy)
    sets["completeness",] = _completeness(tree, taken, policy)
    sets["integrity",] = {"status": "not_provided"}
    sets.update(_masks(tree, taken))
    sets.update(_profiles(tree, sets))
    own = text(tree, "trajectory_id")
    if own is not None:
        sets["trajectory_id",] = derived_id(own, policy, tool)
    if any(len(t.keys) == 3 and t.keys[2] in _ID_MEMBERS for t in taken):
        operations = [*operations, "id_renaming"]
    sets["transform",] = _transform(tree, sets, policy, tool, operations)
    return {keys: value for keys, value in sets.items() if keys == () or not _is_inside(keys, sets)}


def _is_inside(keys: Keys, sets: Sets) -> bool:
    return any(keys[:length] in sets for length in range(1, len(keys)))


def derived_id(source: str, policy: Policy, tool: str) -> str:
    """The identity of what is made from a trajectory by this policy; no function of content (decisions 16)."""
    parameters = json.dumps(policy.parameters(), sort_keys=True)
    said = "\0".join((source, "redaction", parameters, policy.id, policy.version, tool))
    return f"{source}+redaction:{hashlib.sha256(said.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


# --- disclosure ------------------------------------------------------------------------------------------------------


def _disclosure(tree: Json, taken: Sequence[Taken], policy: Policy) -> Any:
    old = tree.get("disclosure", {})
    if type(old) is not dict:
        return old
    made = deepcopy(old)
    listed = made.get("redactions")
    entries = listed if type(listed) is list else []
    told = {json.dumps([e.get("target"), e.get("pointer")]) for e in entries if type(e) is dict}
    fields = made.get("redacted_fields")
    paths = fields if type(fields) is list else []
    for place in taken:
        entry = _entry(tree, place, policy)
        mark = json.dumps([entry.get("target"), entry["pointer"]])
        if mark not in told:
            told.add(mark)
            entries.append(entry)
        path = dotted(place.keys)
        if path and path not in paths:
            paths.append(path)
    if entries:
        made["redactions"] = entries
    if paths and (fields is None or type(fields) is list):
        made["redacted_fields"] = paths
    made.update(_classes(tree, made, taken, policy))
    return made


def _entry(tree: Json, place: Taken, policy: Policy) -> Json:
    record = record_of(place.keys)
    target = text(tree[record[0]][record[1]], COLLECTIONS[record[0]][1]) if record else None
    inner = place.keys[2:] if target else place.keys
    entry: Json = {"target": target} if target else {}
    entry |= {"pointer": join(*inner), "status": "redacted", "class": place.status_class, "reason": reason(policy)}
    entry["rule"] = place.rule
    if place.spans:
        entry["count"] = place.spans
    return entry


def _classes(tree: Json, disclosure: Json, taken: Sequence[Taken], policy: Policy) -> Iterator[tuple[str, str]]:
    """Words for the three classes, where the Bundle says that they are included and something of them went."""
    words = {place.word for place in taken}
    parts: dict[str, bool] = {
        "user_content": any(_is_principal(tree, place) for place in taken),
        "raw_event_payloads": any(len(p.keys) > 2 and p.keys[0] == "nodes" and p.keys[2] == "payload" for p in taken),
        "private_reasoning": "private_reasoning" in words or "encrypted_reasoning" in words,
    }
    for name, is_touched in parts.items():
        said = disclosure.get(name)
        if is_touched and type(said) is str and said in ("included", "unknown", "partially_redacted"):
            yield name, "redacted" if name in policy.drop and name in words else "partially_redacted"


def _is_principal(tree: Json, place: Taken) -> bool:
    if place.word == "user_content":
        return True
    if len(place.keys) < 3 or place.keys[0] != "nodes":
        return False
    node = tree["nodes"][place.keys[1]]
    return type(node) is dict and (node.get("kind") == "input" or node.get("authority_class") == "principal")


# --- the rest of the envelope --------------------------------------------------------------------------------------


def _completeness(tree: Json, taken: Sequence[Taken], policy: Policy) -> Any:
    old = tree.get("completeness")
    if type(old) is not dict or old.get("status") not in ("complete", "partial"):
        return old if "completeness" in tree else {"status": "partial", "reason": "redacted"}
    made = deepcopy(old)
    if made["status"] == "complete":
        made["status"] = "partial"
        made["reason"] = "values were redacted"
    made.setdefault("reason", "values were redacted")
    omissions = made.setdefault("material_omissions", [])
    if type(omissions) is list:
        omissions.append({"class": "redaction", "reason": reason(policy), "count": len(taken)})
    return made


def _transform(tree: Json, sets: Sets, policy: Policy, tool: str, operations: Sequence[str]) -> Any:
    old = tree.get("transform", {})
    if type(old) is not dict:
        return old
    made = deepcopy(old)
    for keys, value in sets.items():
        if keys[:1] == ("transform",) and len(keys) == 4:
            made["derived_from"][keys[2]]["digest"] = value
    listed = made.get("operations", [])
    listed = [listed] if type(listed) is str else list(listed) if type(listed) is list else []
    made["operations"] = listed + [word for word in ("redaction", *operations) if word not in listed]
    implementation, _, version = tool.partition("@")
    step = {"operation": "redaction", "implementation": implementation, "version": version}
    own = {"policy": f"{policy.id}@{policy.version}", "parameters": policy.parameters(), "deterministic": True}
    steps = made.get("steps", [])
    made["steps"] = [*(steps if type(steps) is list else []), {**step, **own}]
    source: Json = {
        "trajectory_id": tree.get("trajectory_id"),
        "relation": "redaction_of",
        "availability": "referenced",
    }
    status = child(tree, "completeness").get("status")
    if status is not None:
        source["completeness"] = status
    if type(tree.get("rights")) is dict:
        source["rights"] = deepcopy(tree["rights"])
    older = made.get("derived_from", [])
    made["derived_from"] = [*(older if type(older) is list else []), source]
    return made


def _digests(tree: Json, taken: Sequence[Taken]) -> Iterator[Keys]:
    """Where digests of unredacted content stand: whoever knows the rest could try values against them."""
    touched = {place.keys[:2] for place in taken}
    for way in (("source", "artifacts"), ("transform", "derived_from")):
        listed = child(tree, way[0]).get(way[1])
        for number, item in enumerate(listed if type(listed) is list else ()):
            if _has_digest(item):
                yield (*way, number, "digest")
    for number, state in enumerate(_list(tree, "states")):
        is_elsewhere = type(state) is dict and state.get("availability") in ("referenced", "redacted", "omitted")
        if _has_digest(state) and (is_elsewhere or ("states", number) in touched):
            yield "states", number, "digest"
    for number, node in enumerate(_list(tree, "nodes")):
        request = child(child(node, "model_call"), "request_artifact") if type(node) is dict else {}
        if _has_digest(request):
            yield "nodes", number, "model_call", "request_artifact", "digest"


def _has_digest(item: Any) -> bool:
    return type(item) is dict and bool(item.get("digest")) and not is_marker(item["digest"])


def _list(tree: Json, name: str) -> list[Any]:
    value = tree.get(name)
    return value if type(value) is list else []


# --- masks -----------------------------------------------------------------------------------------------------------


def _masks(tree: Json, taken: Sequence[Taken]) -> Iterator[tuple[Keys, Any]]:
    """Training declarations of nodes of which something was taken: no loss on what is not there any more."""
    places: dict[tuple[str, int], list[Taken]] = {}
    for place in taken:
        record = record_of(place.keys)
        if record is not None and record[0] in ("nodes", "states"):
            places.setdefault(record, []).append(place)
    states = {text(s, "state_id"): n for n, s in enumerate(_list(tree, "states")) if type(s) is dict}
    for number, node in enumerate(_list(tree, "nodes") if places else ()):
        training = child(node, "training") if type(node) is dict else {}
        mask = training.get("mask")
        if type(mask) is not list:
            continue
        own: dict[tuple[str, ...], list[Taken]] = {(): places.get(("nodes", number), [])}
        for member in _STATE_MEMBERS:
            state = states.get(text(node, member) or "")
            if state is not None and ("states", state) in places:
                own[member,] = places["states", state]
        made = _mask(training, mask, own)
        if made != training:
            yield ("nodes", number, "training"), made


def _mask(training: Json, mask: list[Any], places: Mapping[tuple[str, ...], Sequence[Taken]]) -> Json:
    made = deepcopy(training)
    lost = 0
    for entry in made["mask"]:
        path = text(entry, "path") if type(entry) is dict else None
        if path is None:
            continue
        met = _met(split(path), places)
        if met is None or (met.spans and entry.get("loss") != "included"):
            continue
        lost += entry.get("loss") == "included"
        entry["availability"] = "redacted"
        if entry.get("loss") == "included":
            entry["loss"] = "excluded"
    if lost and not any(type(e) is dict and e.get("loss") == "included" for e in mask_of(made)):
        made["target"] = False
        made["reason"] = "what was to be learned is redacted"
    return made


def _profiles(tree: Json, sets: Sets) -> Iterator[tuple[Keys, Any]]:
    """The profiles without AT-Training, when the last target went: a claim that does not hold any more is withdrawn."""
    claimed = tree.get("profiles")
    if type(claimed) is not list or TRAINING not in claimed or not any(keys[-1] == "training" for keys in sets):
        return
    for number, node in enumerate(_list(tree, "nodes")):
        training = sets.get(("nodes", number, "training"), child(node, "training") if type(node) is dict else {})
        if training.get("target") is True:
            return
    yield ("profiles",), [profile for profile in claimed if profile != TRAINING]


def mask_of(training: Json) -> list[Any]:
    """The mask of a training declaration."""
    mask = training.get("mask")
    return mask if type(mask) is list else []


def _met(path: Sequence[str], places: Mapping[tuple[str, ...], Sequence[Taken]]) -> Taken | None:
    """What was taken at, below or above a path of a mask; whole values first."""
    found: Taken | None = None
    for lead, taken in places.items():
        inner = tuple(path[len(lead) :])
        if tuple(path[: len(lead)]) != lead:
            continue
        for place in taken:
            keys = tuple(map(str, place.keys[2:]))
            shorter = min(len(keys), len(inner))
            if keys[:shorter] == inner[:shorter]:
                if not place.spans:
                    return place
                found = found or place
    return found
