"""Two documents of any formats: what one says that the other does not, steps aligned. Nothing is checked here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from attraj.jsonio import Document
from attraj.limits import DEFAULT_LIMITS, Limits
from attraj.verbs.comparing.changes import Change, Pair, ThreadPair, compared, paired
from attraj.verbs.comparing.facts import facts
from attraj.verbs.comparing.joined import join_steps, joined
from attraj.verbs.comparing.relations import add_relations
from attraj.verbs.comparing.residues import add_residue
from attraj.verbs.comparing.said import Identities
from attraj.verbs.comparing.sides import Side, side_of
from attraj.verbs.comparing.steps import Scope, stories
from attraj.verbs.comparing.views import Views


@dataclass(frozen=True, slots=True)
class Difference:
    """Two documents side by side.

    Attributes:
        a, b: The documents.
        scope: How far they could be compared.
        threads: Their steps, those that belong together side by side.
        facts: What differs outside of the steps.
    """

    a: Side
    b: Side
    scope: Scope
    threads: list[ThreadPair]
    facts: list[Change]

    @property
    def is_equal(self) -> bool:
        """Whether both say the same."""
        return not self.facts and all(pair.is_same for pair in self.pairs())

    def pairs(self) -> Iterator[Pair]:
        """The steps of all threads, thread after thread."""
        for thread in self.threads:
            yield from thread.pairs

    def changes(self) -> Iterator[Change]:
        """What differs in the steps that both have, and outside of the steps."""
        for pair in self.pairs():
            yield from pair.changes
        yield from self.facts


def diff(a: Document, b: Document, limits: Limits = DEFAULT_LIMITS) -> Difference:
    """Compare two documents by what they say.

    Documents of one format are compared to the last member. Of two formats, what both can say is compared, and what
    one of them says beyond that is told; how a reader of the format understands it is not held against it. Order of
    members and of edges, spelling of numbers, and names of identities that link the same records make no difference.

    Args:
        a, b: Never modified.
        limits: Bounds of a document.

    Raises:
        Unreadable: One of them has no tree, no known format, or holds no run.
        Refused: The specification tells a reader not to go on with one of them.
    """
    return difference(side_of(a, limits), side_of(b, limits))


def difference(a: Side, b: Side) -> Difference:
    """Compare two documents that were read already."""
    scope = _scope(a, b)
    views_a = Views(a.bundle, is_kin=scope.is_kin, is_native=scope.is_native)
    views_b = Views(b.bundle, is_kin=scope.is_kin, is_native=scope.is_native)
    told_a, told_b = stories(a, scope, views_a), stories(b, scope, views_b)
    outside_a, outside_b = facts(a, b, scope, views_a), facts(b, a, scope, views_b)
    if scope.is_kin:
        outside_a |= add_residue(a, told_a, is_native=scope.is_native)
        outside_b |= add_residue(b, told_b, is_native=scope.is_native)
    identities = Identities()
    threads = paired(told_a, told_b, identities)
    found = compared(outside_a, outside_b, identities)
    if scope.is_kin and not scope.is_native:
        found = joined(found, a, b)
        join_steps((pair for thread in threads for pair in thread.pairs), a, b)
    if scope.holds_readers_words:
        found += add_relations(a, b, threads)
    return Difference(a, b, scope, threads, found)


def _scope(a: Side, b: Side) -> Scope:
    is_native = a.is_native and b.is_native
    return Scope(is_native or a.origins == b.origins, a.is_native or b.is_native, is_native)
