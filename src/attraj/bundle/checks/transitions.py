"""AT406: whether the parts of a decision's transition can be addressed (§8.1).

The parts may be spread over nodes. They are looked for among what causally follows the decision, up to the next
decision: what that one led to says nothing about this one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attraj.bundle.checks.check import Asked, Json, info, on_bundle
from attraj.bundle.model import Bundle, child, text
from attraj.bundle.vocabulary import REFUSALS
from attraj.findings import Finding, Stratum
from attraj.pointer import join

AT406 = info("AT406", "parts-not-addressable", Stratum.MEANING)

# One bit for each part that §8.1 lists, in its order.
BEFORE, VIEW, ACTION, ADMISSION, EFFECT, RECEIPT, OBSERVATION, CHANGE, AFTER, END = (1 << bit for bit in range(10))
ALL = (1 << 10) - 1
NAMES = {
    BEFORE: "state before",
    VIEW: "view or read set",
    ACTION: "action",
    ADMISSION: "admission",
    EFFECT: "effect",
    RECEIPT: "receipt",
    OBSERVATION: "observation or evidence",
    CHANGE: "state delta or write set",
    AFTER: "state after",
    END: "end status",
}
BY_MEMBER = {
    "action": ACTION,
    "admission": ADMISSION,
    "effect": EFFECT,
    "receipt": EFFECT | RECEIPT,
    "observation": OBSERVATION,
    "evidence_refs": OBSERVATION,
    "state_delta": CHANGE,
    "write_set": CHANGE,
    "state_after": AFTER,
    "status": END,
}
BY_KIND = {
    "action": ACTION,
    "proposal": ACTION,
    "admission": ADMISSION,
    "capability": ADMISSION,
    "effect": EFFECT,
    "effect_receipt": EFFECT | RECEIPT,
    "observation": OBSERVATION,
    "evidence": OBSERVATION,
}
STATE_MEMBERS = ("state_before", "state_view", "state_after")
OWN = {"state_before": BEFORE, "state_view": VIEW, "read_set": VIEW}
# Not a part but a fact: something that follows was refused, and a refused proposal never comes to these.
REFUSED = 1 << 10
NEVER = EFFECT | RECEIPT | OBSERVATION | CHANGE | AFTER


@on_bundle(AT406)
def parts(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """One remark for each decision, with the parts that are neither there nor marked."""
    index, nodes = bundle.index, bundle.items("nodes")
    decisions = index.by_kind.get("decision", ())
    if not decisions:
        return
    following = parts_by_node(bundle)
    for position in decisions:
        node = nodes[position]
        found = following[position]
        for member, bits in OWN.items():
            if member in node:
                found |= bits
        if not any(member in node for member in STATE_MEMBERS):
            found |= BEFORE  # AT404 says it
        missing = ALL & ~(found | NEVER if found & REFUSED else found)
        if missing:
            names = ", ".join(name for bit, name in NAMES.items() if missing & bit)
            yield AT406.at(
                join("nodes", position),
                f"not addressable from the decision: {names}",
                hint="record the part, or mark it as unavailable; what does not apply is not_applicable",
            )


def parts_by_node(bundle: Bundle) -> list[int]:
    """For each node the parts that it and what follows it, up to the next decision, make addressable.

    One pass against the causal order, so that what many decisions lead to is looked at once.
    """
    nodes, children, by_member, by_kind = bundle.items("nodes"), bundle.index.children, BY_MEMBER, BY_KIND
    found = [0] * len(nodes)
    is_decision = bytearray(len(nodes))
    for position in bundle.index.by_kind.get("decision", ()):
        is_decision[position] = 1
    shapes: dict[tuple[Any, ...], int] = {}
    order = bundle.index.causal_order
    # Behind an edge to nowhere (AT203), on a cycle (AT301) or behind one, nobody can say what follows.
    lost = set(bundle.index.graph.astray)
    if len(order) < len(nodes):
        lost.update(set(range(len(nodes))).difference(order))
    for position in lost:
        found[position] = ALL
    for position in reversed(order):
        node = nodes[position]
        if type(node) is not dict:
            continue
        names = tuple(node)
        bits = shapes.get(names, -1)
        if bits < 0:
            bits = 0
            for name in names:
                bits |= by_member.get(name, 0)
            shapes[names] = bits
        kind = node.get("kind")
        if type(kind) is str:
            bits |= by_kind.get(kind, 0)
        if bits & ADMISSION:
            bits |= _refusal(node, kind)
        if "effect" in node and not bits & RECEIPT:
            bits |= _receipt_elsewhere(node)
        if bits & (AFTER | CHANGE) == AFTER:
            bits |= _change_of(bundle, node)
        for effect in children[position] or ():
            if not is_decision[effect]:
                bits |= found[effect]
        found[position] |= bits
    return found


def _receipt_elsewhere(node: Json) -> int:
    """RECEIPT when an effect says where its receipt is, why there is none, or that none is due."""
    effect = child(node, "effect")
    return RECEIPT if "receipt_status" in effect or "receipt_ref" in effect or effect.get("external") is False else 0


def _change_of(bundle: Bundle, node: Json) -> int:
    """CHANGE when the state after holds its own change, or did not change."""
    after = node["state_after"]
    if after == node.get("state_before", ""):
        return CHANGE
    state = bundle.index.state(after)
    return CHANGE if state is not None and ("delta" in state or state.get("availability") == "unchanged") else 0


def _refusal(node: Json, kind: Any) -> int:
    """REFUSED when the node's admission, or the node as an admission, says so."""
    status = text(child(node, "admission"), "status")
    if status is None and kind in ("admission", "capability"):
        status = text(node, "status")
    return REFUSED if status in REFUSALS else 0
