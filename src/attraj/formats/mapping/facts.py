"""What of a Bundle its source said itself, as opposed to what a reader says of it.

That rights are unknown, that nothing is sealed, who exported it: a converter of ours says so of every Bundle that it
makes, and a format without a place for it loses nothing of the source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attraj.bundle.model import Bundle
from attraj.bundle.shape import COLLECTIONS
from attraj.formats.mapping.fields import At, Reading, nested, tokens_of

# Codes of losses (account.KINDS) that are the reader's own words, unless the source said what stands there.
OWN = frozenset(
    {
        *("profiles", "source", "scope", "completeness", "disclosure", "rights", "lineage", "integrity"),
        *("trajectory-id", "actors", "masks", "state-views", "parents", "statuses", "bindings", "evidence"),
    }
)

# Codes of losses of reading that speak of causes and views, which a Bundle has and a transcript has not.
OF_BUNDLES = frozenset(
    {
        *("inferred-parents", "reconstructed-views", "rebuilt-view", "rebuilt-views", "no-state-views"),
        *("provider-payload", "empty-boundary"),
    }
)


class Facts:
    """The places of a Bundle that hold what its source said.

    Args:
        bundle: As it was made of `readings` just now.
        readings: With what was taken of each source.
    """

    def __init__(self, bundle: Bundle, readings: Iterable[Reading]) -> None:
        self._marks = nested(_places(bundle, readings))

    def are_at(self, at: At) -> bool:
        """Whether the source said anything of what stands here, or of what it stands in."""
        here = self._marks
        for token in at:
            if here is True:
                return True
            here = here.get(token)
            if here is None:
                return False
        return True


def _places(bundle: Bundle, readings: Iterable[Reading]) -> Iterator[At]:
    """Where the values that were taken of each source stand in the Bundle."""
    records: dict[str, dict[str, int]] = {}
    for reading in readings:
        for taken in reading.taken.values():
            place = reading.places.get(taken.place)
            if place is None:  # a copy of another place, or what belongs to another Bundle of the same folder
                continue
            collection = place.collection
            if not collection:
                yield (*tokens_of(taken.record), *taken.core)
                continue
            if collection not in records:
                records[collection] = _positions(bundle, collection)
            position = records[collection].get(taken.record)
            if position is not None:
                yield (collection, position, *taken.core)


def _positions(bundle: Bundle, collection: str) -> dict[str, int]:
    member = COLLECTIONS[collection][1]
    return {one[member]: position for position, one in bundle.objects(collection) if type(one.get(member)) is str}
