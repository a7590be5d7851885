"""A Bundle in memory: its raw JSON tree, an index over it, and read-only views that give its parts their names.

Nothing is filled in: a member that is not there is None in a view, and `is_stated` tells it from JSON null.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from attraj.bundle.content import Content
from attraj.bundle.index import BundleIndex
from attraj.bundle.vocabulary import CORE, PROFILES

Json = dict[str, Any]


class View:
    """A read-only look at one object of the tree. `raw` is the object itself, shared and never copied."""

    __slots__ = ("pointer", "raw")

    def __init__(self, raw: Json, pointer: str) -> None:
        self.raw = raw
        self.pointer = pointer

    def is_stated(self, member: str) -> bool:
        """Whether the member is there at all; JSON null is there."""
        return member in self.raw

    def __getitem__(self, member: str) -> Any:
        return self.raw[member]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.pointer}>"


class Node(View):
    __slots__ = ()

    @property
    def node_id(self) -> str | None:
        return text(self.raw, "node_id")

    @property
    def kind(self) -> str | None:
        return text(self.raw, "kind")

    @property
    def actor(self) -> str | None:
        return text(self.raw, "actor")

    @property
    def authority_class(self) -> str | None:
        return text(self.raw, "authority_class")

    @property
    def status(self) -> str | None:
        return text(self.raw, "status")


class Edge(View):
    __slots__ = ()

    @property
    def cause(self) -> str | None:
        """`from`: the node that comes first causally."""
        return text(self.raw, "from")

    @property
    def effect(self) -> str | None:
        """`to`: the node that depends on it."""
        return text(self.raw, "to")

    @property
    def relation(self) -> str | None:
        return text(self.raw, "relation")


class State(View):
    __slots__ = ()

    @property
    def state_id(self) -> str | None:
        return text(self.raw, "state_id")

    @property
    def availability(self) -> str | None:
        return text(self.raw, "availability")


class Bundle:
    """One Agent Trajectory Bundle v0.1.

    Args:
        tree: The JSON object, shared with the caller and never modified.
        raw: The bytes that it was read from; b"" when they are not at hand (checks then look at the tree alone).
        also: Profiles to judge it by besides those that it claims.
    """

    def __init__(self, tree: Json, raw: bytes = b"", also: frozenset[str] = frozenset()) -> None:
        self.tree = tree
        self.raw = raw
        self._also = also

    @cached_property
    def index(self) -> BundleIndex:
        return BundleIndex(self.tree)

    @cached_property
    def content(self) -> Content:
        """What stands in its content: marks of withholding, reasoning, secrets."""
        return Content(self.raw, self.tree, self.index)

    def items(self, collection: str) -> list[Any]:
        """The array as it stands, elements of any type; [] when it is missing or no array."""
        return self.index.items(collection)

    def objects(self, collection: str) -> Iterator[tuple[int, Json]]:
        """Position and object of each element that is an object."""
        for position, item in enumerate(self.items(collection)):
            if type(item) is dict:
                yield position, item

    def member(self, name: str) -> Json:
        """A top-level object such as `rights`; {} when it is missing or no object."""
        found = self.tree.get(name)
        return found if type(found) is dict else {}

    @property
    def nodes(self) -> list[Node]:
        return [Node(raw, f"/nodes/{i}") for i, raw in self.objects("nodes")]

    @property
    def edges(self) -> list[Edge]:
        return [Edge(raw, f"/edges/{i}") for i, raw in self.objects("edges")]

    @property
    def states(self) -> list[State]:
        return [State(raw, f"/states/{i}") for i, raw in self.objects("states")]

    @cached_property
    def profiles(self) -> frozenset[str]:
        """The profiles that the bundle claims or is judged by; the others imply AT-Core (spec: bundle.md §7-2)."""
        claimed = self.tree.get("profiles")
        known = frozenset(p for p in claimed if p in PROFILES) if type(claimed) is list else frozenset()
        known |= self._also
        return known | {CORE} if known else known

    def claims(self, profile: str) -> bool:
        return profile in self.profiles


def text(item: Json, member: str) -> str | None:
    """The member when it is a string; None when it is missing, a marker, or of another type."""
    value = item.get(member)
    return value if type(value) is str else None


def child(item: Json, member: str) -> Json:
    """The member when it is an object; {} otherwise. A `$at` marker is an object: see `markers.is_marker`."""
    value = item.get(member)
    return value if type(value) is dict else {}


def texts(item: Json, member: str) -> list[tuple[int, str]]:
    """Position and text of each string in an array member (or of the single string that stands for it)."""
    value = item.get(member)
    if type(value) is str:
        return [(0, value)]
    if type(value) is not list:
        return []
    return [(i, element) for i, element in enumerate(value) if type(element) is str]
