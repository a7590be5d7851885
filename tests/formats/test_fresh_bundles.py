"""Two Bundles have nothing in common that can be changed: whoever changes one has not changed the next."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.jsonio.write import dumps
from tests.formats.bundles import PAGES, draft
from tests.laws.converting import bases, corpus

CASES = [
    *(pytest.param(name, dumps(tree), id=f"{name}-{i}") for name in PAGES for i, tree in enumerate(bases(name))),
    *(pytest.param(one.format, one.document.raw, id=one.name) for one in corpus() if one.is_small),
]


def containers(tree: Any) -> dict[int, Any]:
    """Every object and array of a tree that holds anything, by its identity."""
    found: dict[int, Any] = {}
    pending = [tree]
    while pending:
        value = pending.pop()
        if type(value) in (dict, list) and id(value) not in found:
            found[id(value)] = value
            pending.extend(value.values() if type(value) is dict else value)
    return found


@pytest.mark.parametrize(("room", "raw"), CASES)
def test_no_part_of_a_bundle_stands_in_another(room: str, raw: bytes) -> None:
    one, other = draft(room, raw).finish(), draft(room, raw).finish()
    theirs = containers(other)
    assert [value for identity, value in containers(one).items() if identity in theirs] == []
