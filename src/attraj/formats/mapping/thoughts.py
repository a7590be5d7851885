"""A Bundle without the agent's reasoning: a marker stands where each piece of it stood, and the books say so.

Reasoning is what was recorded as such: nodes of kind reasoning_summary, and the members that providers give it in
messages. What a model wrote into its message is its message. Source: Agent Trajectory v0.1 §13.2; spec bundle.md §6.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from attraj import __version__
from attraj.bundle.markers import MARKER_KEY, is_marker
from attraj.formats.mapping.fields import At, Json, copied, look_up, pointer_of, tokens_of
from attraj.formats.mapping.loss import Loss
from attraj.formats.mapping.residue import EXTENSION

MEMBERS = frozenset(
    {"thinking_blocks", "reasoning_content", "reasoning", "reasoning_details", "thinking", "encrypted_content"}
)
_REASON = "left out on request"
_RECORDS = {"nodes": "node_id", "states": "state_id"}


def without_thoughts(tree: Json, *, is_given: bool) -> tuple[Json, list[Loss]]:
    """A copy of a Bundle without reasoning, and what was left out. A Bundle that holds none comes back as it is.

    Args:
        tree: Never modified.
        is_given: The Bundle was given, not read just now from a foreign document: its copy is another Bundle, and
            says of which one (decisions 16).
    """
    result = copied(tree)
    losses: list[Loss] = []
    redactions: list[Json] = []
    for at, holder, member in _places(result):
        if is_marker(holder[member]):
            continue
        holder[member] = {MARKER_KEY: {"status": "omitted", "class": "private_reasoning", "reason": _REASON}}
        losses.append(Loss("stripped-thoughts", "other", "dropped", pointer_of(at), 1, "reasoning", "write"))
        redactions.append(_redaction(result, at))
    if not losses:
        return tree, []
    _keep_the_books(result, redactions)
    if is_given:
        _say_of_what(result, tree)
    return result, losses


def _places(tree: Json) -> Iterator[tuple[At, Json, str]]:
    """Each piece of reasoning: where it stands, the object that holds it, and its name there."""
    nodes = tree.get("nodes")
    for position, node in enumerate(nodes if type(nodes) is list else []):
        if type(node) is dict and node.get("kind") == "reasoning_summary":
            at: At = ("nodes", position)
            if type(node.get("payload")) is dict:
                if "content" in node["payload"]:
                    yield (*at, "payload", "content"), node["payload"], "content"
            elif "payload" in node:
                yield (*at, "payload"), node, "payload"
    for name in ("nodes", "states"):
        records = tree.get(name)
        for position, record in enumerate(records if type(records) is list else []):
            yield from _named(record, (name, position))
    notes = look_up(tree, ("extensions", EXTENSION, "data", "artifacts"))
    for position, one in enumerate(notes if type(notes) is list else []):
        rest = one.get("rest") if type(one) is dict else None
        if type(rest) is dict:
            here: At = ("extensions", EXTENSION, "data", "artifacts", position, "rest")
            for pointer in rest:
                if tokens_of(pointer)[-1:] and tokens_of(pointer)[-1] in MEMBERS and rest[pointer]:
                    yield (*here, pointer), rest, pointer
                else:
                    yield from _named(rest[pointer], (*here, pointer))


def _named(value: Any, at: At) -> Iterator[tuple[At, Json, str]]:
    """The members below a value that providers give reasoning, those that hold something."""
    pending: list[tuple[Any, At]] = [(value, at)]
    while pending:
        here, place = pending.pop()
        if type(here) is list:
            pending.extend((one, (*place, position)) for position, one in enumerate(here))
        elif type(here) is dict and not is_marker(here):
            for name, one in here.items():
                if name in MEMBERS and one and type(one) in (str, list, dict):
                    yield (*place, name), here, name
                else:
                    pending.append((one, (*place, name)))


def _redaction(tree: Json, at: At) -> Json:
    record: Json = {"status": "omitted", "class": "private_reasoning", "reason": _REASON}
    member = _RECORDS.get(str(at[0]))
    target = look_up(tree, (*at[:2], member)) if member else None
    if type(target) is str:
        return {"target": target, "pointer": pointer_of(at[2:]), **record}
    return {"pointer": pointer_of(at), **record}


def _keep_the_books(tree: Json, redactions: list[Json]) -> None:
    disclosure = tree["disclosure"] = dict(tree["disclosure"]) if type(tree.get("disclosure")) is dict else {}
    disclosure["private_reasoning"] = "omitted"
    known = disclosure.get("redactions")
    disclosure["redactions"] = [*(known if type(known) is list else []), *redactions]
    completeness = tree.get("completeness")
    if type(completeness) is dict:
        if completeness.get("status") == "complete":
            completeness["status"] = "partial"
        said = completeness.get("reason")
        completeness["reason"] = f"{said}; reasoning was left out" if type(said) is str else "reasoning was left out"
        omitted: Json = {"class": "private_reasoning", "reason": _REASON, "count": len(redactions)}
        known = completeness.get("material_omissions")
        completeness["material_omissions"] = [*(known if type(known) is list else []), omitted]
    transform = tree.get("transform")
    if type(transform) is dict:
        operations, steps = transform.get("operations"), transform.get("steps")
        transform["operations"] = [*(operations if type(operations) is list else []), "event_payload_omission"]
        step = {
            "operation": "event_payload_omission",
            "implementation": "attraj",
            "version": __version__,
            "parameters": {"class": "private_reasoning"},
            "deterministic": True,
        }
        transform["steps"] = [*(steps if type(steps) is list else []), step]
    tree["integrity"] = {"status": "not_provided"}


def _say_of_what(tree: Json, source: Json) -> None:
    identity = source.get("trajectory_id")
    parts = f"{identity}|selection_of|private_reasoning|attraj-strip-thoughts@1|{__version__}"
    tree["trajectory_id"] = f"{identity}+selection_of:{sha256(parts.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
    derived: Json = {"trajectory_id": identity, "relation": "selection_of", "availability": "referenced"}
    status = look_up(source, ("completeness", "status"))
    if type(status) is str:
        derived["completeness"] = status
    if type(source.get("rights")) is dict:
        derived["rights"] = source["rights"]
    if type(tree.get("transform")) is dict:
        tree["transform"]["derived_from"] = [derived]
