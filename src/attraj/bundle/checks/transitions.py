"""AT406: whether the parts of a decision's transition can be addressed (§8.1).

The parts may be spread over nodes. They are looked for among what causally follows the decision, up to the next
decision: what that one led to says nothing about this one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attraj.bundle.checks.check import Asked, Json, info, on_bundle
from attraj.bundle.model import Bundle
from attraj.bundle.vocabulary import REFUSALS
from attraj.findings import Finding, Stratum
from attraj.pointer import join

AT406 = info("AT406", "parts-not-addressable", Stratum.MEANING)

# One bit for each part that §8.1 lists, in its order.
BEFORE, VIEW, ACTION, ADMISSION, EFFECT, RECEIPT, OBSERVATION, CHANGE, AFTER, END = (1 << bit for bit in range(10))
ALL = (1 << 10) - 1
# Not parts: what follows was refused; another member must be asked.
REFUSED, LOOK = 1 << 10, 1 << 11
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
    "state_before": BEFORE,
    "state_view": VIEW,
    "read_set": VIEW,
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
GATES = ("admission", "capability")
STATE_MEMBERS = ("state_before", "state_view", "state_after")
# What the decision alone can tell, and the notes of this module: neither passes from a node to what led to it.
PASSED = ~(BEFORE | VIEW | LOOK)
# What a refused proposal never comes to.
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
        found = following[position]
        missing = ALL & ~(found | NEVER if found & REFUSED else found)
        if missing & BEFORE and not any(member in nodes[position] for member in STATE_MEMBERS):
            missing &= ~BEFORE  # AT404 says it
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
    index, found = bundle.index, own_parts(bundle)
    parents, order, is_decision = index.parents, index.causal_order, bytearray(len(found))
    for position in index.by_kind.get("decision", ()):
        is_decision[position] = 1
    # Behind an edge to nowhere (AT203), on a cycle (AT301) or behind one, nobody can say what follows.
    for position in index.graph.astray:
        found[position] = ALL
    if len(order) < len(found):
        for position in set(range(len(found))).difference(order):
            found[position] = ALL
            if not is_decision[position]:
                for cause in parents[position] or ():
                    found[cause] |= ALL & PASSED
    for position in reversed(order):
        if not is_decision[position]:
            bits = found[position] & PASSED
            for cause in parents[position] or ():
                found[cause] |= bits
    return found


def own_parts(bundle: Bundle) -> list[int]:
    """For each node the parts that it makes addressable itself."""
    nodes, index = bundle.items("nodes"), bundle.index
    found = [0] * len(nodes)
    refused: list[int] = []
    looked_at: list[int] = []
    for group in index.groups["nodes"]:
        bits = _of_names(group.names)
        for position in group.positions:
            found[position] = bits
        if "admission" in group.names:
            statuses = group.inner("admission", "status")
            refused += [p for p, status in zip(group.positions, statuses, strict=True) if status in REFUSALS]
        if bits & LOOK:
            looked_at += group.positions
    for kind, bits in BY_KIND.items():
        for position in index.by_kind.get(kind, ()):
            found[position] |= bits
        if kind in GATES:
            refused += [p for p in index.by_kind.get(kind, ()) if _is_refusal(nodes[p])]
    for position in refused:
        found[position] |= REFUSED
    for position in looked_at:
        found[position] |= _looked_at(bundle, nodes[position])
    return found


def _is_refusal(gate: Json) -> bool:
    """Whether a gate refuses by its own status, for want of an admission to say it by."""
    return gate.get("status") in REFUSALS and gate.get("admission") is None


def _of_names(names: Sequence[str]) -> int:
    """The parts that the names of a node's members tell."""
    bits = 0
    for name in names:
        bits |= BY_MEMBER.get(name, 0)
    if bits & (EFFECT | RECEIPT) == EFFECT or bits & (AFTER | CHANGE) == AFTER:
        bits |= LOOK
    return bits


def _verdict(node: Json) -> str | None:
    """What became of the admission that a node has, or is."""
    said = node.get("admission")
    # A gate says it by its own status where it has no admission to say it by.
    own = node.get("status") if said is None and node.get("kind") in GATES else None
    status = said.get("status") if type(said) is dict else own
    return status if type(status) is str else None


def _looked_at(bundle: Bundle, node: Json) -> int:
    """What the names of the members alone do not tell."""
    bits = 0
    said = node.get("effect")
    # An effect may say where its receipt is, why there is none, or that none is due.
    if type(said) is dict and ("receipt_status" in said or "receipt_ref" in said or said.get("external") is False):
        bits |= RECEIPT
    after = node.get("state_after")
    if type(after) is str:
        state = bundle.index.state(after) or {}
        if after == node.get("state_before") or "delta" in state or state.get("availability") == "unchanged":
            bits |= CHANGE
    return bits
