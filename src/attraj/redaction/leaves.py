"""Every text of a tree: values and the names of members, in the order in which they stand in the document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from attraj.bundle.leaves import Way, keys_of

Keys = tuple[str | int, ...]


class Leaf(NamedTuple):
    """One text (or number), and where it stands.

    Attributes:
        way: Leads to the object or array that holds it.
        holder: That object or array; None for a document that is one text.
        key: Its name or position there.
        is_key: It is the name itself.
    """

    way: Way
    holder: Any
    key: str | int
    is_key: bool
    value: Any

    @property
    def keys(self) -> Keys:
        """The keys that lead to the value; to the member, when it is a name."""
        return keys_of(self.way, self.key) if self.holder is not None else ()


def leaves(tree: Any) -> Iterator[Leaf]:
    """The texts, names and numbers of a tree, in document order. Iterative; booleans and null are none."""
    kind = type(tree)
    if kind is str or kind is int or kind is float:
        yield Leaf(None, None, "", False, tree)
    if kind is not dict and kind is not list:
        return
    opened: list[tuple[Way, Any, Iterator[tuple[Any, Any]]]] = [(None, tree, _members(tree))]
    while opened:
        way, holder, left = opened[-1]
        is_object = type(holder) is dict
        for key, value in left:
            if is_object:
                yield Leaf(way, holder, key, True, key)
            kind = type(value)
            if kind is str or kind is int or kind is float:
                yield Leaf(way, holder, key, False, value)
            elif kind is dict or kind is list:
                opened.append(((way, key), value, _members(value)))
                break
        else:
            opened.pop()


def _members(container: Any) -> Iterator[tuple[Any, Any]]:
    return iter(container.items()) if type(container) is dict else enumerate(container)
