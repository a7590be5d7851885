"""What each decision had before it, as far as the steps tell: boundaries, copied context, and what is not known."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.model import Bundle
from attraj.formats.mapping.messages import Expander
from attraj.jsonio.write import dumps
from tests.formats.atif.bundles import draft, errors, nodes, read
from tests.formats.atif.documents import steps, turn

AGENT = {"source": "agent"}


def boundary(word: Any, *contents: str, source: str = "system") -> dict[str, Any]:
    """A step at which the context changes; its results say to what."""
    return {
        "source": source,
        "extra": {"context_management": {"type": "compaction", "boundary": word}},
        "observation": {"results": [{"content": text} for text in contents] or [{"extra": {}}]},
    }


def views(tree: Any) -> list[Any]:
    """What each decision of the main thread saw, as identities; its availability where that is not known."""
    bundle = read(tree)
    states = {state["state_id"]: state for state in bundle["states"]}
    expander = Expander(Bundle(bundle))
    found: list[Any] = []
    for node in nodes(bundle, "decision"):
        name = node["state_view"]
        if type(name) is dict:
            found.append(name["$at"]["status"])
        elif states[name]["availability"] == "included":
            assert states[name]["reconstructed"] is True
            found.append([one["node_id"].replace("step:", "") for one in expander.items(name) or []])
        else:
            found.append(states[name]["availability"])
    assert errors(bundle, "bundle") == []
    return found


VIEWS = [
    pytest.param(steps({}, AGENT), [["1"]], id="what-came-before"),
    pytest.param(
        steps({"source": "system"}, {}, turn(), AGENT),
        [["1", "2"], ["1", "2", "3", "3:call:1", "3:result:1"]],
        id="calls-and-results",
    ),
    pytest.param(steps(AGENT, AGENT), ["unknown", ["1"]], id="an-agent-that-begins"),
    pytest.param(
        steps({}, AGENT, boundary("replace", "sum"), {}, AGENT),
        [["1"], ["3:result:1", "4"]],
        id="replaced-by-what-the-boundary-holds",
    ),
    pytest.param(
        steps({}, AGENT, boundary("replace"), {}, AGENT, AGENT),
        [["1"], ["4"], ["4", "5"]],
        id="replaced-by-the-turns-that-follow",
    ),
    pytest.param(steps({}, boundary("replace"), AGENT), ["unknown"], id="replaced-by-what-is-not-recorded"),
    pytest.param(steps({}, boundary("append", "more"), AGENT), [["1", "2", "2:result:1"]], id="extended-by-a-boundary"),
    pytest.param(steps({}, boundary("truncate"), {}, AGENT), ["unknown"], id="cut-who-knows-where"),
    pytest.param(
        steps({}, boundary("truncate"), AGENT, boundary("replace", "sum"), AGENT),
        ["unknown", ["4:result:1"]],
        id="known-again-after-it-was-replaced",
    ),
    pytest.param(steps({}, boundary("melt"), AGENT), ["unknown"], id="a-boundary-of-another-kind"),
    pytest.param(steps({}, boundary(["replace"], "x"), AGENT), ["unknown"], id="a-boundary-of-a-wrong-type"),
    pytest.param(steps({}, boundary("replace", "x", source="user"), AGENT), ["unknown"], id="a-boundary-of-a-user"),
    pytest.param(
        steps({"is_copied_context": True}, {**AGENT, "is_copied_context": True}, AGENT),
        ["unavailable", ["1", "2"]],
        id="copied-context-is-in-view-and-no-decision",
    ),
    pytest.param(steps({}, {**AGENT, "llm_call_count": 0}, AGENT), ["not_applicable", ["1", "2"]], id="no-model-call"),
    pytest.param(
        steps({}, {"extra": {"is_sidechain": True}}, {**AGENT, "extra": {"is_sidechain": True}}, AGENT),
        [["2"], ["1"]],
        id="a-sidechain-has-a-context-of-its-own",
    ),
]


@pytest.mark.parametrize(("tree", "expected"), VIEWS)
def test_a_decision_saw(tree: Any, expected: Any) -> None:
    assert views(tree) == expected


def test_a_rebuilt_view_is_a_loss_and_an_operation() -> None:
    found = draft(steps({}, AGENT, AGENT))
    assert [(one.code, one.count) for one in found.losses if one.code == "reconstructed-views"] == [
        ("reconstructed-views", 2)
    ]
    assert "state_reconstruction" in found.finish()["transform"]["operations"]
    assert "state_reconstruction" not in read(steps({}))["transform"]["operations"]


def test_what_a_boundary_does_not_record_is_told_at_the_state_and_as_a_loss() -> None:
    found = draft(steps({}, boundary("replace"), {}, AGENT))
    assert [one.pointer for one in found.losses if one.code == "empty-boundary"] == [
        "/steps/1/extra/context_management"
    ]
    (state,) = found.finish()["states"]
    assert state["availability"] == "included"
    assert "does not record" in state["reason"]


def test_views_grow_with_the_steps_and_not_with_their_square() -> None:
    def size(count: int) -> int:
        return len(dumps(read(steps({}, *[turn() for _ in range(count)]))["states"]))

    assert size(400) < 2.2 * size(200)
