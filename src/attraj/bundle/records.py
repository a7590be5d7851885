"""The records of a Bundle by collection and by column: what is asked of all of them at once."""

from __future__ import annotations

from functools import cached_property
from operator import itemgetter
from typing import Any

from attraj.bundle.groups import Group, groups
from attraj.bundle.shape import COLLECTIONS
from attraj.bundle.survey import Survey, survey

Json = dict[str, Any]


class Records:
    """Columns of one Bundle's collections. Elements that are not objects are left out unless it says otherwise.

    Args:
        tree: The Bundle's tree, never modified.
    """

    def __init__(self, tree: Json) -> None:
        self._tree = tree

    def items(self, collection: str) -> list[Any]:
        """The array as it stands in the document (elements may be of any type); [] when it is no array."""
        found = self._tree.get(collection)
        return found if type(found) is list else []

    @cached_property
    def groups(self) -> dict[str, list[Group]]:
        """Collection to its records, by the members that they have; see `attraj.bundle.groups`."""
        return {name: groups(self.items(name)) for name in COLLECTIONS}

    @cached_property
    def survey(self) -> Survey:
        """What a quick look at all records tells; see `attraj.bundle.survey`."""
        return survey(self._tree, self.groups)

    def column(self, collection: str, member: str) -> list[Any]:
        """The value of a member in each element, as it stands; None where it is not there."""
        items = self.items(collection)
        try:
            return list(map(itemgetter(member), items))
        except (KeyError, TypeError, IndexError):
            return [item.get(member) if type(item) is dict else None for item in items]

    def texts(self, collection: str, member: str) -> list[str]:
        """The text of a member in each record that has one, in no particular order."""
        values = [value for group in self.groups[collection] if member in group.names for value in group.column(member)]
        return values if set(map(type, values)) <= {str} else [value for value in values if type(value) is str]

    def inner_texts(self, collection: str, member: str, name: str) -> list[str]:
        """The text of a member of the object that a member is, for each record that has one."""
        groups = [group for group in self.groups[collection] if member in group.names]
        return [text for group in groups for text in group.inner(member, name) if type(text) is str]

    def having(self, collection: str, *members: str) -> list[tuple[int, Json]]:
        """Position and record of each object that has one of these members, in document order."""
        found = [
            each
            for group in self.groups[collection]
            if any(member in group.names for member in members)
            for each in zip(group.positions, group.records, strict=True)
        ]
        found.sort(key=itemgetter(0))
        return found
