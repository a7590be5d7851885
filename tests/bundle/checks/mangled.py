"""Documents with a value of another type in every place, one at a time: no check may fall over any of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

OTHERS: tuple[Any, ...] = (
    None,
    5,
    0.5,
    True,
    "x",
    "",
    [],
    [5],
    {},
    {"x": 5},
    {"$at": {"status": "redacted"}},
    {"$at": 5},
)


def mangled(tree: dict[str, Any], *members: str) -> Iterator[dict[str, Any]]:
    """The tree with each value at and below these top-level members replaced by each other type, and left out."""
    for member in members:
        for changed in _variants(tree[member]):
            yield {**tree, member: changed}
        yield {name: value for name, value in tree.items() if name != member}


def _variants(value: Any) -> Iterator[Any]:
    yield from OTHERS
    if isinstance(value, dict):
        for name, inner in value.items():
            for changed in _variants(inner):
                yield {**value, name: changed}
            yield {other: kept for other, kept in value.items() if other != name}
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            for changed in _variants(inner):
                yield [*value[:position], changed, *value[position + 1 :]]
