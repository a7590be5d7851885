"""Laws over documents that nobody would write: no check crashes, none changes or repeats what it read."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from attraj.formats import Options, detect
from attraj.formats.swe_agent import check
from attraj.formats.swe_agent.align import align
from attraj.formats.swe_agent.salvage import salvage
from attraj.jsonio import Document
from attraj.pointer import resolve
from tests.formats.swe_agent.files import base, checked

NAMES = ["minimal", "full", "old", "retry"]
KEYS = st.sampled_from(
    ["trajectory", "history", "attempts", "info", "query", "state", "role", "content", "tool_calls", "a/b", "~", "x"]
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-1, 3),
    st.sampled_from([10**400, 1e308, float("inf"), -0.0]),
    st.sampled_from(["", "submitted", "Exit due to x", "{}", "[", "\ud800", "exit_cost", "1.1.0"]),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=12
)
RELAXED = settings(
    max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)


def places(tree: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every path of keys and positions of a JSON value, but the root's."""
    members = tree.items() if type(tree) is dict else enumerate(tree) if type(tree) is list else ()
    for key, value in members:
        yield (*way, key)
        yield from places(value, (*way, key))


@st.composite
def garbled(draw: st.DrawFn) -> Any:
    """A base document with a few of its values replaced by anything, or taken away."""
    tree = base(draw(st.sampled_from(NAMES)))
    for _ in range(draw(st.integers(1, 4))):
        ways = list(places(tree))
        *way, last = draw(st.sampled_from(ways))
        holder = tree
        for key in way:
            holder = holder[key]
        if draw(st.booleans()):
            holder[last] = draw(VALUES)
        else:
            del holder[last]
        if not tree:
            break
    return tree


@RELAXED
@given(garbled() | st.dictionaries(KEYS, VALUES, max_size=4))
def test_no_document_crashes_a_check_is_changed_by_it_or_gets_a_place_that_is_not_there(tree: Any) -> None:
    before = copy.deepcopy(tree)
    detect(tree)
    first, second = checked(tree), checked(tree)
    assert (before, first) == (tree, second)
    for finding in first.findings:
        resolve(tree, finding.location.pointer)
        for other in finding.related:
            resolve(tree, other.pointer)


@pytest.mark.parametrize("tree", [None, 1, "x", [], [1], True], ids=str)
def test_what_is_no_object_has_one_finding(tree: Any) -> None:
    assert ["TJ007"] == [finding.code for finding in check(Document(b"", tree), Options()).findings]


def backwards(tree: Any) -> Any:
    if type(tree) is dict:
        return {key: backwards(tree[key]) for key in reversed(tree)}
    return [backwards(item) for item in tree] if type(tree) is list else tree


@RELAXED
@given(garbled())
def test_the_order_of_members_does_not_matter(tree: Any) -> None:
    def told(each: Any) -> list[tuple[str, int, str]]:
        found = checked(each).findings
        return sorted((f.code, f.severity, f.message) for f in found if f.code not in ("TJ011", "TJ013"))

    assert told(tree) == told(backwards(tree))


@RELAXED
@given(garbled())
def test_every_step_has_a_kind_and_no_message_belongs_to_two(tree: Any) -> None:
    steps, history = tree.get("trajectory"), tree.get("history")
    alignment = align(steps if type(steps) is list else [], history)
    own = [step.item for step in alignment.steps if step.item is not None]
    assert list(range(len(alignment.steps))) == [step.index for step in alignment.steps]
    assert own == sorted(set(own))
    assert sorted([*own, *alignment.unmatched]) == list(alignment.assistants)


TOKEN = "zq" + "canary" + "77"


def marked(value: Any, key: str = "") -> Any:
    """The value with a token in every text, and in members that no check may know."""
    if type(value) is str:
        return value + TOKEN
    if type(value) is list:
        return [marked(item) for item in value]
    if type(value) is dict:
        return {**{name: marked(inner, name) for name, inner in value.items()}, TOKEN: TOKEN}
    return value


@pytest.mark.parametrize("name", NAMES)
def test_no_message_repeats_what_was_read(name: str) -> None:
    result = checked(marked(base(name)))
    said = [text for f in result.findings for text in (f.message, f.hint, *(r.message for r in f.related))]
    assert result.findings
    assert [] == [text for text in [*said, *result.notes, result.version or ""] if TOKEN in text]


def is_part(part: Any, whole: Any) -> bool:
    """Whether everything in `part` stands at the same place of `whole`."""
    if type(part) is dict and type(whole) is dict:
        return all(key in whole and is_part(value, whole[key]) for key, value in part.items())
    if type(part) is list and type(whole) is list:
        return len(part) <= len(whole) and all(map(is_part, part, whole))
    return type(part) is type(whole) and bool(part == whole)


@RELAXED
@given(st.sampled_from(NAMES), st.data())
def test_what_is_salvaged_stands_in_the_file_and_only_whole_steps_do(name: str, data: st.DataObject) -> None:
    tree = base(name)
    raw = json.dumps(tree, indent=data.draw(st.sampled_from([None, 2])), ensure_ascii=False).encode()
    cut = data.draw(st.integers(1, len(raw) - 1))
    saved = salvage(raw[:cut])
    assert saved is not None
    assert is_part(saved.tree, tree)
    assert 0 <= saved.offset <= cut
    for at, whole in [(saved.tree, tree), *zip(saved.tree.get("attempts", []), tree.get("attempts", []), strict=False)]:
        steps = at.get("trajectory", [])
        assert steps == whole.get("trajectory", [])[: len(steps)]
    checked(saved.tree)
