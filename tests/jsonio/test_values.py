"""Python values as documents: what counts as what, what is refused, what is a fault."""

from __future__ import annotations

import copy
import math
from collections import OrderedDict
from collections.abc import Iterator
from datetime import date
from enum import IntEnum, StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.errors import Unreadable
from attraj.jsonio import MISSING, FaultKind
from attraj.jsonio.values import of_value
from tests.jsonio.marked import Told, fatal, passing, told


class Pair(NamedTuple):
    first: int
    second: int


class Words(StrEnum):
    ONE = "one"


class Numbers(IntEnum):
    ONE = 1


class Kilo(float):
    def __float__(self) -> float:
        return 1000 * super().__float__()


class Loud(str):
    def __str__(self) -> str:
        return super().__str__().upper()


class Rows(list[Any]):
    pass


SAME: list[Any] = [{}, [], {"a": [1, {"b": None}]}, [True, 1.5, "x", 10**30], {"": {"é": "🙂"}}]


@pytest.mark.parametrize("value", SAME)
def test_a_plain_value_is_its_own_tree(value: Any) -> None:
    before = copy.deepcopy(value)
    document = of_value(value)
    assert document.tree is value
    assert ((), b"", before) == (document.faults, document.raw, value)


@pytest.mark.parametrize(
    ("value", "tree"),
    [
        pytest.param(OrderedDict(a=1), {"a": 1}, id="a subclass of dict"),
        pytest.param({"a": Rows([1])}, {"a": [1]}, id="a subclass of list"),
        pytest.param({"a": (1, (2,))}, {"a": [1, [2]]}, id="tuples"),
        pytest.param((OrderedDict(a=()),), [{"a": []}], id="a tuple as the whole"),
        pytest.param([Pair(1, 2)], [[1, 2]], id="a named tuple"),
        pytest.param([Words.ONE, Numbers.ONE], ["one", 1], id="words of an enumeration"),
        pytest.param({Words.ONE: 1}, {"one": 1}, id="a name that is a word of an enumeration"),
        pytest.param([Loud("a"), Kilo(1.5)], ["a", 1.5], id="subclasses that call themselves something else"),
    ],
)
def test_what_counts_as_what_json_makes_of_it(value: Any, tree: Any) -> None:
    before = repr(value)
    document = of_value(value)
    assert (tree, repr(tree), before) == (document.tree, repr(document.tree), repr(value))


def refused() -> Iterator[Any]:
    circle: dict[str, Any] = {"a": []}
    circle["a"].append(circle)
    inner: Any = OrderedDict()
    inner["a"] = (inner,)
    long = {"a": {"b" * 40: {1, 2}}}
    for identity, value, message in (
        ("a set", {"a": {1}}, "the value at /a is of the type set, which JSON cannot hold"),
        ("a date", [0, date(2026, 1, 2)], "the value at /1 is of the type date, which JSON cannot hold"),
        ("bytes", [b""], "the value at /0 is of the type bytes, which JSON cannot hold"),
        ("an object", [[object()]], "the value at /0/0 is of the type object, which JSON cannot hold"),
        ("a view", [MappingProxyType({})], "the value at /0 is of the type mappingproxy, which JSON cannot hold"),
        ("a number as a name", {"a": {1: 2}}, "the value at /a has a name that is no text, which JSON cannot hold"),
        ("null as a name", {None: 2}, "the value has a name that is no text, which JSON cannot hold"),
        ("below a name that may be content", long, "the value at /a/{0} is of the type set, which JSON cannot hold"),
        ("a circle", circle, "a value that holds itself, which JSON cannot"),
        ("a circle of subclasses", inner, "a value that holds itself, which JSON cannot"),
    ):
        yield pytest.param(value, message, id=identity)


@pytest.mark.parametrize(("value", "message"), list(refused()))
def test_what_json_cannot_hold_is_refused(value: Any, message: str) -> None:
    with pytest.raises(Unreadable) as caught:
        of_value(value)
    assert message == str(caught.value)


HALF = "\ud800"
FAULTS = [
    pytest.param({"a": [math.nan]}, [fatal(FaultKind.SYNTAX, "/a/0", "NaN is not JSON")], id="not a number"),
    pytest.param(
        [math.inf, (-math.inf,)],
        [
            fatal(FaultKind.SYNTAX, "/0", "Infinity is not JSON"),
            fatal(FaultKind.SYNTAX, "/1/0", "-Infinity is not JSON"),
        ],
        id="infinities, one in a tuple",
    ),
    pytest.param(
        {"b": [{"x": HALF}], "a": "é" + HALF},
        [
            passing(FaultKind.SURROGATE, "/b/0/x", "a lone surrogate in a string"),
            passing(FaultKind.SURROGATE, "/a", "a lone surrogate in a string"),
        ],
        id="halves of characters, in document order",
    ),
    pytest.param(
        {"a": {HALF: 1}},
        [passing(FaultKind.SURROGATE, "/a", "a lone surrogate in a member name")],
        id="half a character in a name",
    ),
]


@pytest.mark.parametrize(("value", "faults"), FAULTS)
def test_what_a_file_can_hold_by_mistake_is_a_fault(value: Any, faults: list[Told]) -> None:
    assert faults == told(of_value(value))


def nested(levels: int) -> Any:
    value: Any = []
    for _ in range(levels - 1):
        value = [value]
    return value


def test_as_deep_as_allowed_and_deeper() -> None:
    too_deep = [fatal(FaultKind.LIMIT, "", "nested deeper than 200 levels")]
    assert ([], too_deep) == (told(of_value(nested(200))), told(of_value(nested(201))))
    assert of_value(nested(50_000)).tree is MISSING


def test_what_stands_in_several_places_is_looked_at_once() -> None:
    shared: Any = (1,)
    for _ in range(150):
        shared = [shared, shared]
    assert [] == told(of_value(shared))
    assert of_value([nested(3), nested(100), [nested(199)]]).tree is MISSING


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda v: st.lists(v).map(tuple) | st.dictionaries(st.text(), v),
    )
)
def test_a_copy_says_what_the_value_says(value: Any) -> None:
    def plain(item: Any) -> Any:
        if isinstance(item, tuple):
            return [plain(each) for each in item]
        return {key: plain(each) for key, each in item.items()} if isinstance(item, dict) else item

    assert [plain(value)] == of_value((value,)).tree
