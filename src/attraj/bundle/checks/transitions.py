"""AT406: whether the parts of a decision's transition can be addressed (§8.1).

The parts may be spread over nodes. They are looked for among what causally follows the decision, up to the next
decision: what that one led to says nothing about this one.
"""

from __future__ import annotations

from collections.abc import Iterator

from attraj.bundle.checks.check import Asked, Json, info, on_bundle
from attraj.bundle.model import Bundle
from attraj.bundle.vocabulary import REFUSALS
from attraj.findings import Finding, Stratum
from attraj.pointer import join

AT406 = info("AT406", "parts-not-addressable", Stratum.MEANING)

# One bit for each part that §8.1 lists, in its order.
BEFORE, VIEW, ACTION, ADMISSION, EFFECT, RECEIPT, OBSERVATION, CHANGE, AFTER, END = (1 << bit for bit in range(10))
ALL = (1 << 10) - 1
# Not parts: what follows was refused; the admission, or another member, must be asked.
REFUSED, ASK, LOOK = 1 << 10, 1 << 11, 1 << 12
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
    "admission": ADMISSION | ASK,
    "capability": ADMISSION | ASK,
    "effect": EFFECT,
    "effect_receipt": EFFECT | RECEIPT,
    "observation": OBSERVATION,
    "evidence": OBSERVATION,
}
GATES = ("admission", "capability")
STATE_MEMBERS = ("state_before", "state_view", "state_after")
# What the decision alone can tell, and the notes of this module: neither passes from a node to what led to it.
PASSED = ~(BEFORE | VIEW | ASK | LOOK)
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
    children, order = index.children, index.causal_order
    is_decision = bytearray(len(found))
    for position in index.by_kind.get("decision", ()):
        is_decision[position] = 1
    # Behind an edge to nowhere (AT203), on a cycle (AT301) or behind one, nobody can say what follows.
    for position in index.graph.astray:
        found[position] = ALL
    if len(order) < len(found):
        for position in set(range(len(found))).difference(order):
            found[position] = ALL
    for position in reversed(order):
        following = children[position]
        if following is not None:
            bits = found[position]
            for effect in following:
                if not is_decision[effect]:
                    bits |= found[effect] & PASSED
            found[position] = bits
    return found


class _ByNames(dict[tuple[str, ...], int]):
    """The parts that the names of a node's members tell, by those names: nodes of a bundle share few sets of them."""

    def __missing__(self, names: tuple[str, ...]) -> int:
        bits = 0
        for name in names:
            bits |= BY_MEMBER.get(name, 0)
        if "admission" in names:
            bits |= ASK
        if bits & (EFFECT | RECEIPT) == EFFECT or bits & (AFTER | CHANGE) == AFTER:
            bits |= LOOK
        self[names] = bits
        return bits


def own_parts(bundle: Bundle) -> list[int]:
    """For each node the parts that it makes addressable itself."""
    nodes = bundle.items("nodes")
    if not set(map(type, nodes)) <= {dict}:
        nodes = [node if type(node) is dict else {} for node in nodes]
    by_names = _ByNames()
    found = [by_names[names] for names in map(tuple, nodes)]
    for kind, bits in BY_KIND.items():
        for position in bundle.index.by_kind.get(kind, ()):
            found[position] |= bits
    for position, bits in enumerate(found):
        if bits & ASK:
            node = nodes[position]
            said = node.get("admission")
            # A gate says it by its own status where it has no admission to say it by.
            own = node.get("status") if said is None and node.get("kind") in GATES else None
            status = said.get("status") if type(said) is dict else own
            if type(status) is str and status in REFUSALS:
                found[position] |= REFUSED
        if bits & LOOK:
            found[position] |= _looked_at(bundle, nodes[position])
    return found


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
