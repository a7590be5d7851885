"""Laws: a check never raises, changes nothing, does not mind the order of members, and misses nothing in its haste."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attraj.formats import Options, atif, detect
from attraj.formats.atif import shape, survey
from attraj.formats.atif.verdict import harbor
from attraj.jsonio import Document
from tests.formats.atif.documents import full, minimal, told

NAMES = sorted({name for members in shape.OBJECTS.values() for name in members})
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([0, 1, 2**63, 10**400, -1]),
    st.floats(),
    st.sampled_from(["", "agent", "user", "text", "image", "ATIF-v1.7", "call-1", "2026-08-21T12:00:00Z", "a.png"]),
    st.text(max_size=4),
)
KEYS = st.one_of(st.sampled_from(NAMES), st.text(max_size=3))
VALUES = st.recursive(SCALARS, lambda v: st.lists(v, max_size=3) | st.dictionaries(KEYS, v, max_size=4), max_leaves=12)
TREES = st.dictionaries(KEYS, VALUES, max_size=6)


def places(tree: Any) -> list[tuple[Any, Any]]:
    """Every container of a tree with each of its keys."""
    found: list[tuple[Any, Any]] = []
    pending = [tree]
    while pending:
        node = pending.pop()
        keys = list(node) if isinstance(node, dict) else list(range(len(node))) if isinstance(node, list) else []
        found.extend((node, key) for key in keys)
        pending.extend(node[key] for key in keys)
    return found


@st.composite
def damaged(draw: st.DrawFn) -> Any:
    """A good document with up to three values replaced, removed, doubled or added."""
    tree = draw(st.sampled_from([minimal, full]))()
    for _ in range(draw(st.integers(0, 3))):
        node, key = draw(st.sampled_from(places(tree)))
        act = draw(st.sampled_from(["replace", "remove", "add", "double"]))
        if act == "replace":
            node[key] = draw(VALUES)
        elif act == "remove":
            del node[key]
        elif isinstance(node, dict):
            node[draw(KEYS)] = draw(VALUES) if act == "add" else copy.deepcopy(node[key])
        else:
            node.insert(key, copy.deepcopy(node[key]) if act == "double" else draw(VALUES))
    return tree


def shuffled(tree: Any, order: random.Random) -> Any:
    """The same JSON value with the members of each object in another order."""
    if isinstance(tree, dict):
        names = list(tree)
        order.shuffle(names)
        return {name: shuffled(tree[name], order) for name in names}
    return [shuffled(value, order) for value in tree] if isinstance(tree, list) else tree


@given(st.one_of(TREES, damaged(), VALUES))
def test_a_check_never_raises_and_changes_nothing(tree: Any) -> None:
    before = copy.deepcopy(tree)
    detect(tree)
    atif.check(Document(b"", tree), Options())
    assert repr(before) == repr(tree)


@given(damaged(), st.randoms(use_true_random=False))
def test_the_order_of_members_does_not_matter(tree: Any, order: random.Random) -> None:
    assert told(tree) == told(shuffled(tree, order))


@given(damaged())
def test_the_quick_look_misses_nothing(tree: Any) -> None:
    quick = told(tree)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(survey.Steps, "is_plain", lambda self, position, step: False)
        assert quick == told(tree)


@settings(max_examples=300)
@given(damaged())
def test_the_verdict_of_the_findings_is_that_of_the_imitation(tree: Any) -> None:
    document = Document(b"", tree)
    assert harbor(document, "") == dict(atif.check(document, Options()).verdicts)
