"""AT401 to AT414 without AT406: what a state says of its content, and a node of its states."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.checks import state
from attraj.bundle.model import Bundle
from attraj.limits import DEFAULT_LIMITS
from tests.bundle.checks.mangled import mangled
from tests.bundle.checks.small import found, node, tree
from tests.support import base_document

FULL = base_document("attraj.bundle.checks", "full")
GONE = {"$at": {"status": "redacted", "class": "user_content", "reason": "privacy"}}
CUT = {"$at": {"status": "truncated", "text": "the first lines", "kept_chars": 15}}
WORD, VIEW = "/states/0/availability", "/states/0/view"


def one(**members: Any) -> dict[str, Any]:
    return {"state_id": "s", **members}


STATES = [
    pytest.param(one(availability="included", view={"a": 1}), [], id="included"),
    pytest.param(one(availability="included", view={}), [], id="explicitly-empty"),
    pytest.param(one(availability="included", view=None), [], id="explicitly-null"),
    pytest.param(one(availability="included", snapshot=[1]), [], id="included-snapshot"),
    pytest.param(one(availability="inline", view={}), [], id="alias-of-included"),
    pytest.param(one(availability="remote"), [], id="alias-of-referenced"),
    pytest.param(one(availability="referenced"), [], id="referenced"),
    pytest.param(one(availability="referenced", delta=[1]), [], id="the-reference-exporters-state"),
    pytest.param(one(availability="unchanged", same_as="t"), [], id="unchanged"),
    pytest.param(one(availability="redacted", reason="privacy"), [], id="redacted"),
    pytest.param(one(availability="redacted", reason="privacy", view=GONE), [], id="redacted-with-a-marker"),
    pytest.param(one(availability="unknown", reason=GONE), [], id="withheld-reason"),
    pytest.param(one(availability="included", view=CUT), [], id="cut-is-content"),
    pytest.param(one(), [], id="missing-is-the-shapes-to-say"),
    pytest.param(one(availability="maybe"), [("AT401", WORD)], id="no-word"),
    pytest.param(one(availability="Included", view=1), [("AT401", WORD)], id="a-capital"),
    pytest.param(one(availability=GONE), [("AT401", WORD)], id="a-withheld-word"),
    pytest.param(one(availability="included"), [("AT402", WORD)], id="included-and-absent"),
    pytest.param(one(availability="included", view=GONE), [("AT402", WORD)], id="included-and-withheld"),
    pytest.param(one(availability="referenced", view={}), [("AT402", WORD)], id="referenced-and-here"),
    pytest.param(
        one(availability="referenced", kind="delta", delta=[1], base_state="t"), [("AT402", WORD)], id="delta"
    ),
    pytest.param(one(availability="unavailable", reason="lost", view=0), [("AT402", WORD)], id="unavailable-and-here"),
    pytest.param(one(availability="unchanged", same_as="t", delta=[1]), [("AT402", WORD)], id="unchanged-and-changed"),
    pytest.param(one(availability="redacted"), [("AT403", "/states/0")], id="redacted-without-reason"),
    pytest.param(one(availability="omitted", reason=""), [("AT403", "/states/0")], id="omitted-with-empty-reason"),
    pytest.param(one(availability="unavailable"), [("AT403", "/states/0")], id="unavailable-without-reason"),
    pytest.param(one(availability="unknown"), [("AT403", "/states/0")], id="unknown-without-reason"),
    pytest.param(one(availability="redacted", view=1), [("AT402", WORD), ("AT403", "/states/0")], id="two-faults"),
    pytest.param(one(availability="included", view={"lease": 1, "x": 2}), [("AT407", VIEW)], id="mixed"),
    pytest.param(one(availability="included", view={"runtime_only": {"lease": 1}, "x": 2}), [], id="partitioned"),
    pytest.param(one(availability="included", view={"mind": {}, "lease": 1}), [], id="context-parts"),
    pytest.param(
        one(availability="included", view={"sections": ["agent_visible", "runtime_only"]}),
        [("AT407", VIEW)],
        id="sections-named-and-not-kept-apart",
    ),
    pytest.param(one(availability="included", view={"queue": [], "locks": []}), [], id="words-of-everyday"),
    pytest.param(one(availability="included", view={"kind": "structured_context"}), [("AT411", VIEW)], id="one-heap"),
    pytest.param(one(availability="included", view={"kind": "structured_context", "mind": {}}), [], id="parts"),
    pytest.param(
        one(availability="included", view=1, reconstructed=True),
        [("AT408", "/states/0/reconstructed")],
        id="made-later",
    ),
    pytest.param(one(availability="included", view=1, reconstructed=False), [], id="not-made-later"),
    pytest.param(one(availability="included", kind="delta", delta=[]), [("AT409", "/states/0")], id="no-base"),
    pytest.param(one(availability="included", delta=[]), [("AT409", "/states/0")], id="only-a-delta"),
    pytest.param(one(availability="included", delta=[], view=1), [], id="a-delta-beside-the-view"),
    pytest.param(one(availability="included", kind="delta", delta=[], base_state=GONE), [], id="withheld-base"),
    pytest.param(one(availability="unavailable", reason="lost", kind="delta"), [], id="a-delta-that-is-not-here"),
]


@pytest.mark.parametrize(("given", "expected"), STATES)
def test_one_state(given: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert expected == found(tree([], states=[given]), state)


@pytest.mark.parametrize(
    "transform",
    [
        pytest.param({"operations": ["state_reconstruction"]}, id="as-an-operation"),
        pytest.param({"steps": [{"operation": "state_reconstruction"}]}, id="as-a-step"),
    ],
)
def test_a_reconstruction_may_be_declared(transform: dict[str, Any]) -> None:
    given = one(availability="included", view=1, reconstructed=True)
    assert [] == found(tree([], states=[given], transform=transform), state)


def test_a_node_that_leads_to_a_delta_is_its_base() -> None:
    states = [one(availability="included", delta=[1]), {"state_id": "t", "availability": "referenced"}]
    assert [] == found(tree([node("n", state_before="t", state_after="s")], states=states), state)


def numbered(**revisions: Any) -> list[dict[str, Any]]:
    return [
        {"state_id": name, "availability": "referenced", "context_revision": revision}
        for name, revision in revisions.items()
    ]


AFTER = "/nodes/0/state_after"
NODES = [
    pytest.param(node("n", "decision"), [("AT404", "/nodes/0")], id="decision-without-state"),
    pytest.param(node("n", "state_transaction"), [("AT404", "/nodes/0")], id="transaction-without-state"),
    pytest.param(node("n", "decision", state_before=""), [("AT404", "/nodes/0")], id="empty-name"),
    pytest.param(node("n", "decision", state_view="s"), [], id="view-alone"),
    pytest.param(node("n", "decision", state_before=GONE), [], id="withheld-state"),
    pytest.param(node("n", "observation"), [], id="an-observation-needs-none"),
    pytest.param(node("n", state_before="s", state_after="s", write_set=["x"]), [("AT405", AFTER)], id="writes"),
    pytest.param(node("n", state_before="s", state_after="s", state_delta=[1]), [("AT405", AFTER)], id="delta"),
    pytest.param(node("n", state_before="s", state_after="s"), [], id="unchanged-and-no-changes"),
    pytest.param(node("n", state_before="s", state_after="s", write_set=[], state_delta={}), [], id="empty-changes"),
    pytest.param(node("n", state_before="s", state_after="s", state_delta=GONE), [], id="withheld-changes"),
    pytest.param(node("n", state_before="s", state_after="same", write_set=["x"]), [("AT405", AFTER)], id="declared"),
    pytest.param(node("n", state_before="s", state_after="far", write_set=["x"]), [("AT405", AFTER)], id="by-a-chain"),
    pytest.param(node("n", state_before="t", state_after="same", write_set=["x"]), [], id="same-as-another"),
    pytest.param(node("n", state_before="s", state_after="t", write_set=["x"]), [], id="a-later-state"),
    pytest.param(node("n", state_before="t", state_after="s"), [("AT410", AFTER)], id="back"),
    pytest.param(node("n", state_before="t", state_after="t"), [], id="same-revision"),
    pytest.param(node("n", state_before="t", state_after="other"), [], id="another-context"),
    pytest.param(
        node("n", "decision", state_before="s", state_view="t"), [("AT413", "/nodes/0/state_view")], id="from-later"
    ),
    pytest.param(node("n", "decision", state_before="t", state_view="s"), [], id="an-older-view"),
    pytest.param(node("n", "event", state_before="s", state_view="t"), [], id="no-decision"),
]


@pytest.mark.parametrize(("given", "expected"), NODES)
def test_states_of_a_node(given: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    states = [
        *numbered(s=11, t=12),
        {"state_id": "same", "availability": "unchanged", "same_as": "s"},
        {"state_id": "far", "availability": "unchanged", "same_as": "same"},
        {"state_id": "other", "availability": "referenced", "context_id": "context:b", "context_revision": 3},
    ]
    assert expected == found(tree([given], states=states), state)


SOMETHING = [
    pytest.param(tree([node("n")]), [("AT412", "")], id="none"),
    pytest.param(tree([node("n")], states=numbered(s=1)), [], id="a-state"),
    pytest.param(tree([node("n", state_after=GONE)]), [], id="a-withheld-state"),
    pytest.param(tree([node("n", write_set=["x"])]), [], id="a-change"),
    pytest.param(tree([node("n", "decision")]), [("AT404", "/nodes/0")], id="said-of-the-decision-already"),
    pytest.param({}, [], id="no-nodes-is-the-shapes-to-say"),
]


@pytest.mark.parametrize(("given", "expected"), SOMETHING)
def test_some_state_is_named(given: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == found(given, state)


def views(*contents: Any) -> list[dict[str, Any]]:
    return [{"state_id": f"s{i}", "availability": "included", "view": view} for i, view in enumerate(contents)]


LONG = "a steady level, " * 2100  # 33,600 characters
REPEATED = [
    pytest.param(views(LONG, LONG), ["/states/1/view"], id="twice"),
    pytest.param(views({"a": LONG, "b": 1}, {"b": 1, "a": LONG}), ["/states/1/view"], id="members-in-another-order"),
    pytest.param(views(LONG, "x", LONG, LONG), ["/states/2/view"], id="three-times-is-one-finding"),
    pytest.param(views(LONG, LONG + "."), [], id="not-the-same"),
    pytest.param(views([LONG, 1], [LONG, 1.0]), [], id="one-and-one-point-nought"),
    pytest.param(views([LONG, 2**70], [LONG, 2**70]), ["/states/1/view"], id="a-number-beyond-64-bits"),
    pytest.param(views(LONG + "\ud800", LONG + "\ud800"), ["/states/1/view"], id="half-a-character"),
    pytest.param(views("short", "short"), [], id="short"),
    pytest.param(views(LONG), [], id="once"),
]


@pytest.mark.parametrize(("states", "expected"), REPEATED)
def test_repeated_views(states: list[Any], expected: list[str]) -> None:
    assert [("AT414", pointer) for pointer in expected] == found(tree([], states=states), state, only="AT414")


def test_the_bound_of_repetition_can_be_changed() -> None:
    limits = DEFAULT_LIMITS._replace(max_repeated_bytes=10)
    assert [("AT414", "/states/1/view")] == found(tree([], states=views("short", "short")), state, limits=limits)


def test_states_that_equal_one_another_in_a_circle_come_to_an_end() -> None:
    states = [
        {"state_id": "s", "availability": "unchanged", "same_as": "t"},
        {"state_id": "t", "availability": "unchanged", "same_as": "s"},
    ]
    same = Bundle(tree([], states=states)).index.same_states
    assert same["s"] == same["t"]


def test_the_full_example_is_silent() -> None:
    assert [] == found(FULL, state)


def test_no_type_anywhere_makes_a_check_fall() -> None:
    for document in mangled(FULL, "nodes", "states", "transform"):
        found(document, state)
