"""How two documents are related: what the newer one says of the older one, and what that allows to differ."""

from __future__ import annotations

from typing import Any

from attraj.bundle.model import Bundle, child, text
from attraj.errors import AttrajError

Json = dict[str, Any]

DERIVE, REDACTION, REEXPORT = "derive", "redaction", "reexport"
REVISION, REWARD_DERIVATION = "revision", "reward_derivation"
RELATIONS = (DERIVE, REDACTION, REEXPORT, REVISION, REWARD_DERIVATION)

_BY_DERIVATION = {"redaction_of": REDACTION, "revision_of": REVISION, "reward_derivation_of": REWARD_DERIVATION}


def infer_relation(new: Bundle, old: Bundle) -> str:
    """One of RELATIONS, from what the newer document says of its sources.

    Lineage comes first: the relation under which `transform.derived_from` names the older document, `derive` when it
    gives no more special one. Without lineage, two documents of one identity are a revision when the older one was
    still open, and a re-export otherwise.

    Raises:
        AttrajError: Nothing in the newer document relates it to the older one.

    Source: decisions 8a; spec bundle.md §4.9.
    """
    if kind_of(new) != "bundle":
        return DERIVE  # an Episode or a manifest is only ever made from something
    identity = text(old.tree, "trajectory_id")
    entries = [entry for _, entry in sources(new) if identity and text(entry, "trajectory_id") == identity]
    for entry in entries:
        relation = _BY_DERIVATION.get(text(entry, "relation") or "")
        if relation:
            return relation
    if entries:
        return DERIVE
    if identity and identity == text(new.tree, "trajectory_id"):
        return REVISION if is_open(old) and not is_open(new) else REEXPORT
    theirs = text(new.tree, "trajectory_id")
    if theirs and any(text(entry, "trajectory_id") == theirs for _, entry in sources(old)):
        raise AttrajError(
            "the older document is derived from the newer one", hint="give them the other way round, or say --relation"
        )
    raise AttrajError(
        "nothing in the newer document says how it was made from the older one",
        hint=f"say it with --relation, one of {', '.join(RELATIONS)}",
    )


def kind_of(document: Bundle) -> str:
    """bundle, episode or dataset, by the version member that each of them has."""
    if "episode_version" in document.tree:
        return "episode"
    return "dataset" if "dataset_version" in document.tree else "bundle"


def sources(document: Bundle) -> list[tuple[int, Json]]:
    """Position and object of each entry of `transform.derived_from`."""
    entries = document.member("transform").get("derived_from")
    if type(entries) is not list:
        return []
    return [(i, entry) for i, entry in enumerate(entries) if type(entry) is dict]


def operations(document: Bundle) -> frozenset[str]:
    """The operations that the document says were done to it."""
    words = document.member("transform").get("operations")
    return frozenset(word for word in words if type(word) is str) if type(words) is list else frozenset()


def is_open(document: Bundle) -> bool:
    return child(document.tree, "completeness").get("status") == "open"
