"""AT501-AT503, AT514-AT518: who acted, by which authority, and what a node is (§4.4, §9, §11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attraj.bundle.checks.check import Asked, Json, error, info, on_bundle, warning
from attraj.bundle.model import Bundle, child, text
from attraj.bundle.vocabulary import AUTHORITY_ALIASES, AUTHORITY_CLASSES, NODE_KINDS, SUCCESS_WORDS
from attraj.findings import Finding, Severity, Stratum
from attraj.pointer import join

AT501 = warning("AT501", "missing-actor", Stratum.MEANING)
AT502 = warning("AT502", "unknown-authority", Stratum.MEANING)
AT503 = error("AT503", "proposal-as-effect", Stratum.MEANING)
AT514 = error("AT514", "reasoning-as-fact", Stratum.MEANING)
AT515 = warning("AT515", "decision-without-provenance", Stratum.MEANING)
AT516 = info("AT516", "unknown-kind", Stratum.MEANING)
AT517 = info("AT517", "content-not-here", Stratum.MEANING)
AT518 = warning("AT518", "authority-contradicts-actor", Stratum.MEANING)

KINDS = frozenset(NODE_KINDS)
CLASSES = frozenset(AUTHORITY_CLASSES)
# The authority classes that the prefix of an actor's name agrees with. A class that claims nothing agrees with all.
AGREES = {
    "agent": frozenset({"agent", "model", "external", "unknown"}),
    "model": frozenset({"model", "agent", "external", "unknown"}),
    "principal": frozenset({"principal", "external", "unknown"}),
    "runtime": frozenset({"runtime", "harness", "program", "external", "unknown"}),
    "verifier": frozenset({"verifier", "external", "unknown"}),
}


@on_bundle(AT501, AT502, AT503, AT514, AT516, AT518)
def identities(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Kind, actor and authority of each node. Few combinations occur, so that each is judged once."""
    index, nodes = bundle.index, bundle.items("nodes")
    columns = (index.kinds, index.actors, index.authorities)
    try:
        combinations = set(zip(*columns, strict=True))
        suspects = {each for each in combinations if any(type(part) is not str for part in each) or _is_suspect(*each)}
    except TypeError:  # a marker, or a wrong type
        suspects = None
    if suspects is None or suspects:
        for position, identity in enumerate(zip(*columns, strict=True)):
            if type(nodes[position]) is dict and (suspects is None or identity in suspects):
                yield from _identity(position, nodes[position])


def _is_suspect(kind: str, actor: str, authority: str) -> bool:
    return any(_identity(0, {"kind": kind, "actor": actor, "authority_class": authority}))


def _identity(position: int, node: Json) -> Iterator[Finding]:
    kind, authority = text(node, "kind"), text(node, "authority_class")
    if kind is not None and kind not in KINDS:
        yield AT516.at(join("nodes", position, "kind"), "kind of node is not one that the specification names")
    missing = [f"`{name}`" for name in ("actor", "authority_class") if node.get(name, "") == ""]
    if missing:
        is_heavy = node.get("actor", "") == "" and kind in ("action", "effect")
        yield AT501.at(
            join("nodes", position),
            f"the node does not say {' and '.join(missing)}",
            hint="name who acted and by which authority; where it is not known or withheld, mark it",
            severity=Severity.ERROR if is_heavy else None,
        )
    if authority:
        yield from _authority(position, node, kind, AUTHORITY_ALIASES.get(authority, authority))


def _authority(position: int, node: Json, kind: str | None, authority: str) -> Iterator[Finding]:
    at = join("nodes", position, "authority_class")
    prefix, colon, _ = (text(node, "actor") or "").partition(":")
    if authority not in CLASSES:
        yield AT502.at(at, "authority class is none of the list", hint="write one of: " + ", ".join(AUTHORITY_CLASSES))
    elif authority in ("agent", "model") and kind in ("effect", "effect_receipt"):
        yield AT503.at(
            at,
            f"an effect has the authority of {_with_article(authority)}, which can only propose",
            hint="name the authority that executed it, or make the node a proposal",
        )
    elif authority == "runtime" and kind == "reasoning_summary":
        yield AT514.at(
            at,
            "a summary of reasoning is shown as a fact of the runtime",
            hint="it is output of the model: authority class `model` or `agent`",
        )
    elif colon and prefix in AGREES and authority not in AGREES[prefix]:
        yield AT518.at(
            at,
            f"authority class is {authority}, and the actor is named as {_with_article(prefix)}",
            hint="correct the one or the other; a class is claimed, and a name can show that it is false",
        )


def _with_article(word: str) -> str:
    return ("an " if word[0] in "aeiou" else "a ") + word


@on_bundle(AT503)
def executed_proposals(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """A proposal stays one: what was executed is another node (§9)."""
    for position in bundle.index.by_kind.get("proposal", ()):
        if text(bundle.items("nodes")[position], "status") in SUCCESS_WORDS:
            yield AT503.at(
                join("nodes", position, "status"),
                "a proposal is shown as if it had been executed",
                hint="the proposal is `proposed`; what was executed is an effect node of its own",
            )


@on_bundle(AT515)
def provenance(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """A model's decision, or a training target, says which model it came from, or that this cannot be said (§11)."""
    bindings, nodes = bundle.member("bindings"), bundle.items("nodes")
    if any(_is_bound(bindings.get(name)) for name in ("models", "model")):
        return
    for position in bundle.index.by_kind.get("decision", ()):
        node = nodes[position]
        is_target = child(node, "training").get("target") is True
        if (is_target or text(node, "authority_class") == "model") and not _is_call(node.get("model_call")):
            yield AT515.at(
                join("nodes", position),
                "nothing says which model made the decision: no model_call, and no model in bindings",
                hint="add `model_call` with provider, model and revision, or mark it as unavailable",
            )


def _is_bound(value: Any) -> bool:
    return any(bool(element) for element in value) if type(value) is list else bool(value)


def _is_call(value: Any) -> bool:
    """Whether a model call says where the decision came from; what it cost alone does not."""
    return (
        any(name != "usage" and said not in (None, "") for name, said in value.items())
        if type(value) is dict
        else bool(value)
    )


# What a node can hold or point to of its content. A member that is there is said, be it null, empty or a marker.
CONTENT = frozenset({"payload", "action", "observation", "state_delta", "source_refs"})
OUTPUTS = ("decision", "proposal", "action", "reasoning_summary")
GONE = ("omitted", "redacted", "not_collected")


@on_bundle(AT517)
def content(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """What a principal or a model said is here, marked, or has an identity, unless disclosure says it is left out."""
    disclosure, nodes = bundle.member("disclosure"), bundle.items("nodes")
    if text(disclosure, "raw_event_payloads") in GONE or "event_payload_omission" in bundle.index.operations:
        return
    by_kind, authorities = bundle.index.by_kind, bundle.index.authorities
    inputs = () if text(disclosure, "user_content") in GONE else by_kind.get("input", ())
    outputs = [p for kind in OUTPUTS for p in by_kind.get(kind, ()) if authorities[p] == "model"]
    for position in sorted((*inputs, *outputs)):
        node = nodes[position]
        if CONTENT.isdisjoint(node) and "request_artifact" not in child(node, "model_call"):
            yield AT517.at(
                join("nodes", position),
                "content is not here, not marked, and has no identity to find it by",
                hint="add the content, a marker with the reason, or a reference to the artifact",
            )
