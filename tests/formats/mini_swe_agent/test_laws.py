"""Laws over documents that nobody would write: no crash, no change, no echo; the order of keys means nothing."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from attraj.formats.mini_swe_agent.shape import OBJECTS
from tests.formats.mini_swe_agent.documents import FULL, checked, lines

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 4),
    st.sampled_from([10**400, 1e308, float("nan"), float("inf"), -0.0, 2.0]),
    st.sampled_from(
        ["", "a", "user", "assistant", "tool", "exit", "response", "function_call", "function_call_output"]
    ),
    st.sampled_from(["FormatError", "Submitted", "mini-swe-agent-1", "action was not executed", "\ud800", "x/y~"]),
)
NAMES = st.sampled_from(sorted({name for members in OBJECTS.values() for name in members} | {"type", "object", "x/y"}))
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4))
MESSAGES = st.lists(st.dictionaries(NAMES, VALUES, max_size=6) | VALUES, max_size=7)
DOCUMENTS = VALUES | MESSAGES | st.fixed_dictionaries({"info": VALUES, "messages": MESSAGES | VALUES})

RELAXED = settings(
    max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)


@RELAXED
@given(DOCUMENTS)
def test_nothing_crashes_a_check_and_nothing_is_changed(tree: Any) -> None:
    before = copy.deepcopy(tree)
    first, second = checked(tree), checked(tree)
    assert (repr(before), first) == (repr(tree), second)


def reversed_keys(value: Any) -> Any:
    if type(value) is dict:
        return {key: reversed_keys(value[key]) for key in reversed(value)}
    return [reversed_keys(item) for item in value] if type(value) is list else value


@RELAXED
@given(DOCUMENTS.filter(lambda tree: "(" not in repr(tree)))
def test_the_order_of_keys_means_nothing(tree: Any) -> None:
    other = reversed_keys(tree)
    assert (lines(tree), checked(tree).verdicts) == (lines(other), checked(other).verdicts)


TOKEN = "zq" + "canary" + "qz"


def marked(value: Any) -> Any:
    if type(value) is dict:
        return {**{key: marked(item) for key, item in value.items()}, TOKEN: TOKEN}
    if type(value) is list:
        return [marked(item) for item in value]
    return value + TOKEN if type(value) is str else value


def test_no_message_repeats_the_document() -> None:
    broken = marked(FULL)
    kept = {**FULL, "messages": [{**m, "role": m.get("role", TOKEN), "x": TOKEN} for m in FULL["messages"]]}
    kept["info"] = {**FULL["info"], "exit_status": TOKEN, "model_stats": {"instance_cost": 9, "api_calls": 9}}
    for tree in (broken, kept, [marked(m) for m in FULL["messages"]]):
        answer = checked(tree)
        said = [text for f in answer.findings for text in (f.message, f.hint, *(r.message for r in f.related))]
        assert answer.findings
        assert [] == [text for text in [*said, *answer.notes, answer.version or ""] if TOKEN in text]
