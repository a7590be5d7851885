"""Every check of two documents, by what they are."""

from __future__ import annotations

from attraj.bundle.checks.pairs import content, derived, leaks, lineage, skeleton
from attraj.bundle.checks.pairs.pair import Pair
from attraj.bundle.checks.pairs.relation import kind_of
from attraj.bundle.model import Bundle
from attraj.findings import Finding


def run(new: Bundle, old: Bundle, relation: str) -> list[Finding]:
    """Findings about the newer document, in no particular order."""
    if kind_of(new) != "bundle":
        return list(derived.check(new, old))
    pair = Pair(new, old, relation)
    found = [*content.check(pair), *skeleton.check(pair), *leaks.check(pair)]
    return [*found, *lineage.check(pair, is_explained=bool(found))]
