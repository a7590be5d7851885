"""One iterative pass over everything in a document, shared by the checks that look at content wherever it stands.

A way leads to a value: (way to the container, key or position), None for the document itself. It is cheap to make for
every container; the pointer is made from it only where something is found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attraj.pointer import join

Way = tuple["Way", "str | int"] | None
Container = tuple[Way, Any]


def containers(tree: Any) -> list[Container]:
    """Every object and array of the tree with the way to it, each before what it contains; [] for a lone scalar."""
    if type(tree) is not dict and type(tree) is not list:
        return []
    found: list[Container] = [(None, tree)]
    add = found.append
    for way, container in found:  # grows while it is read
        for key, value in container.items() if type(container) is dict else enumerate(container):
            kind = type(value)
            if kind is dict or kind is list:
                add(((way, key), value))
    return found


def members(container: Any) -> Iterator[tuple[str | int, Any]]:
    """Key or position, and value, of each member of an object or element of an array."""
    yield from container.items() if type(container) is dict else enumerate(container)


def keys_of(way: Way, *more: str | int) -> tuple[str | int, ...]:
    """The keys and positions that lead from the document to the end of a way, then `more`."""
    keys: list[str | int] = []
    while way is not None:
        way, key = way
        keys.append(key)
    return (*reversed(keys), *more)


def pointer_of(way: Way, *more: str | int) -> str:
    """The JSON Pointer of the end of a way, then `more`."""
    return join(*keys_of(way, *more))
