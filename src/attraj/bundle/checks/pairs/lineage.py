"""AT807, AT808, AT924 to AT928: identity, seals, rights, completeness and sources of one document made from another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from attraj.bundle.checks.pairs.codes import AT214, AT925, AT926, AT927
from attraj.bundle.checks.pairs.differences import How
from attraj.bundle.checks.pairs.pair import IN_THE_OLDER, Pair, in_the_older
from attraj.bundle.checks.pairs.relation import (
    DERIVE,
    REDACTION,
    REEXPORT,
    REVISION,
    REWARD_DERIVATION,
    is_open,
    kind_of,
    sources,
)
from attraj.bundle.checks.rights import AT807, MAY_BE_STATED, Source, right, wider_than
from attraj.bundle.checks.transform import AT924, AT928
from attraj.bundle.model import Bundle, child, text
from attraj.findings import Finding, Related
from attraj.pointer import join

Json = dict[str, Any]


def check(pair: Pair, *, is_explained: bool) -> Iterator[Finding]:
    """The faults of the lineage.

    Args:
        pair: The two documents.
        is_explained: Something else has been found already, so that a re-export or a revision which differs from the
            older document need not be told so again.
    """
    cycle = list(_cycle(pair))
    yield from cycle
    if not cycle:  # a document that is derived from its own identity has been told so
        yield from _identity(pair, is_explained=is_explained)
    yield from _completeness(pair)
    if pair.relation != REEXPORT:
        yield from wider(pair.new, pair.old)
    if pair.relation in (DERIVE, REDACTION, REWARD_DERIVATION):
        yield from _named_source(pair)


# --- identity ----------------------------------------------------------------------------------------------------


def _identity(pair: Pair, *, is_explained: bool) -> Iterator[Finding]:
    """One identity, one content: a later state has an identity of its own, or says `revision_of` (§6.2, §7.1)."""
    identity = text(pair.new.tree, "trajectory_id")
    if identity is None or identity != text(pair.old.tree, "trajectory_id") or pair.is_equal:
        return
    if any(
        text(entry, "trajectory_id") == identity and entry.get("relation") == "revision_of"
        for _, entry in sources(pair.new)
    ):
        return
    hint = "give it an identity of its own, and name the older document in transform.derived_from"
    if is_open(pair.old) and child(pair.new.tree, "completeness").get("status") in ("complete", "partial"):
        yield AT925.at(
            "/completeness/status",
            "the document was open, and is closed under the same identity without saying that it is a revision",
            hint="name the open document in transform.derived_from with relation revision_of",
            related=in_the_older("completeness", "status"),
        )
    elif _is_resealed(pair):
        yield AT926.at(
            "/integrity/digest",
            "two sealed documents of one identity differ, and neither says that it was made from the other",
            hint=hint,
            related=in_the_older("integrity", "digest"),
        )
    elif not (is_explained and pair.relation in (REEXPORT, REVISION)):
        yield AT214.at(
            "/trajectory_id",
            "the identity of the older document stands for another content",
            hint=hint,
            related=in_the_older("trajectory_id"),
        )


def _is_resealed(pair: Pair) -> bool:
    ours, theirs = digest_of(pair.new), digest_of(pair.old)
    return ours is not None and theirs is not None and ours != theirs


def digest_of(document: Bundle) -> str | None:
    """The digest under which a document is sealed; None when it has none."""
    seal = document.member("integrity")
    return text(seal, "digest") if seal.get("status") in ("digest_provided", "signed") else None


def _cycle(pair: Pair) -> Iterator[Finding]:
    """Each of the two names the other, or they share an identity and one names it: a lineage that goes round."""
    ours, theirs = text(pair.new.tree, "trajectory_id"), text(pair.old.tree, "trajectory_id")
    if not ours or not theirs:
        return
    back = next((i for i, entry in sources(pair.old) if text(entry, "trajectory_id") == ours), None)
    for i, entry in sources(pair.new):
        if text(entry, "trajectory_id") != theirs or (ours == theirs and entry.get("relation") == "revision_of"):
            continue
        if ours == theirs or back is not None:
            related = () if ours == theirs else in_the_older("transform", "derived_from", back or 0)
            yield AT928.at(
                join("transform", "derived_from", i, "trajectory_id"),
                "the document is derived from one that is derived from it",
                hint="a source comes before what is made from it: give the later document an identity of its own",
                related=related,
            )
            return


# --- completeness and sources ------------------------------------------------------------------------------------


def _completeness(pair: Pair) -> Iterator[Finding]:
    """A part of something incomplete is not complete (§13.1). A revision may be, when it brings what was missing."""
    before = child(pair.old.tree, "completeness").get("status")
    after = child(pair.new.tree, "completeness").get("status")
    if after != "complete" or before not in ("partial", "open") or pair.relation == REEXPORT:
        return
    if pair.relation == REVISION and (before == "open" or _brings_something(pair)):
        return
    yield AT924.at(
        "/completeness/status",
        "the older document is not complete, and what was made from it says that it is",
        hint="carry the status over, with the reason and what is missing",
        related=in_the_older("completeness", "status"),
    )


def _brings_something(pair: Pair) -> bool:
    if any(pair.fresh.values()):
        return True
    return any(d.how in (How.ADDED, How.FILLED) for kept in pair.kept for d in kept.differences)


def _named_source(pair: Pair) -> Iterator[Finding]:
    """The document names its sources, and the older one given is not (or not quite) among them."""
    theirs = text(pair.old.tree, "trajectory_id")
    entries = [(i, entry) for i, entry in sources(pair.new) if type(entry.get("trajectory_id")) is str]
    named = [(i, entry) for i, entry in entries if entry["trajectory_id"] == theirs]
    if entries and not named:
        yield AT927.at(
            "/transform/derived_from",
            "none of the sources that the document names is the older document given",
            hint="give the source that it names, or say with --relation how the two are related",
            related=in_the_older("trajectory_id"),
        )
    for i, entry in named:
        if is_other_digest(entry.get("digest"), pair.old):
            yield AT927.at(
                join("transform", "derived_from", i, "digest"),
                "the source that the document names has another digest than the older document given",
                hint="give the very document that it was made from",
                related=in_the_older("integrity", "digest"),
            )


def is_other_digest(stated: Any, document: Bundle) -> bool:
    """Whether a digest that names a document is another than the one it is sealed under, as far as they compare."""
    seal = document.member("integrity")
    own = digest_of(document)
    value, algorithm, form = stated, None, None
    if type(stated) is dict:
        value, algorithm, form = (stated.get(name) for name in ("value", "algorithm", "canonicalization"))
    if own is None or type(value) is not str:
        return False
    for named, sealed in ((algorithm, seal.get("algorithm")), (form, seal.get("canonicalization"))):
        if named is not None and sealed is not None and named != sealed:
            return False  # another function of the document says nothing about this one
    return _bare(value) != _bare(own)


def _bare(digest: str) -> str:
    return digest.rpartition(":")[2].lower()


# --- rights ------------------------------------------------------------------------------------------------------


def wider(new: Bundle, old: Bundle) -> Iterator[Finding]:
    """AT807 and AT808 between two documents: no use, no purpose and no term is wider than in the source (§13.3)."""
    ours, theirs = new.member("rights"), old.member("rights")
    for finding in wider_than(ours, [Source("/rights", theirs)]):
        yield replace(finding, related=tuple(Related(r.pointer, IN_THE_OLDER) for r in finding.related))
    for use in MAY_BE_STATED:
        if right(ours, use) is True and right(theirs, use) is True:
            mine, source = child(child(ours, "details"), use), child(child(theirs, "details"), use)
            # An Episode or a manifest need not repeat the details: they stand in its source.
            if _has_more_purposes(mine, source) and ("purposes" in mine or kind_of(new) == "bundle"):
                yield AT807.at(
                    "/rights",
                    f"`{use}` is granted for purposes for which the source does not grant it",
                    hint="carry the purposes over, or fewer of them",
                    related=in_the_older("rights", "details", use, "purposes"),
                )


def _has_more_purposes(details: Json, source: Json) -> bool:
    theirs = _purposes(source)
    if theirs is None:
        return False
    ours = _purposes(details)
    return ours is None or not ours <= theirs


def _purposes(details: Json) -> frozenset[str] | None:
    """The purposes that a grant is restricted to; None when it names none."""
    stated = details.get("purposes")
    if type(stated) is str:
        return frozenset({stated})
    return frozenset(p for p in stated if type(p) is str) if type(stated) is list else None
