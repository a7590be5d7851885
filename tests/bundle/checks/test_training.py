"""AT821 to AT829: targets, masks, and signals that nobody recorded."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.checks import training
from attraj.bundle.checks.check import Check
from attraj.bundle.checks.masks import has_marker, part_at
from attraj.bundle.model import Bundle
from tests.bundle.checks.mangled import mangled
from tests.support import base_document, json_patch

FULL = base_document("attraj.bundle.checks", "full")
CHECKS = [value for value in vars(training).values() if type(value) is Check]
TARGET = next(i for i, node in enumerate(FULL["nodes"]) if "training" in node)
NODE = f"/nodes/{TARGET}"
MASK = f"{NODE}/training/mask"
ID = FULL["nodes"][TARGET]["node_id"]
EDGE = next(i for i, edge in enumerate(FULL["edges"]) if edge["from"] == ID)


def found(tree: Any) -> list[tuple[str, str]]:
    bundle = Bundle(tree)
    applying = [check for check in CHECKS if not check.profile or bundle.claims(check.profile)]
    return sorted((f.code, f.location.pointer) for check in applying for f in check.run(bundle))


def changed(*operations: tuple[str, str, Any]) -> Any:
    return json_patch(FULL, [{"op": op, "path": path, "value": value} for op, path, value in operations])


def remove(*paths: str) -> Any:
    return changed(*[("remove", path, None) for path in paths])


MARKER = {"$at": {"status": "unavailable"}}

CASES = [
    pytest.param(FULL, [], id="the-full-example"),
    # AT821
    pytest.param(
        remove(f"{NODE}/state_view", f"{NODE}/state_before", f"{MASK}/0"), [("AT821", NODE)], id="no-state-at-all"
    ),
    pytest.param(remove(f"{NODE}/state_before"), [], id="a-view-alone"),
    pytest.param(remove(f"{NODE}/state_view", f"{MASK}/0"), [], id="a-state-before-alone"),
    pytest.param(
        changed(("remove", f"{NODE}/state_before", None), ("replace", f"{NODE}/state_view", MARKER)),
        [("AT821", NODE)],
        id="a-view-that-is-withheld",
    ),
    # AT822
    pytest.param(remove(f"{NODE}/action", f"{MASK}/1"), [("AT822", NODE)], id="no-action"),
    pytest.param(
        changed(("replace", f"{NODE}/action", MARKER), ("replace", f"{MASK}/1/loss", "excluded")),
        [("AT822", NODE)],
        id="an-action-that-is-withheld",
    ),
    pytest.param(remove(f"{NODE}/admission"), [], id="admission-in-a-node-that-follows"),
    pytest.param(
        changed(("remove", f"{NODE}/admission", None), ("remove", f"/edges/{EDGE}", None)),
        [("AT822", NODE), ("AT823", NODE)],
        id="no-admission-anywhere",
    ),
    pytest.param(
        changed(("replace", f"{NODE}/admission", {"status": "unknown"}), ("remove", f"/edges/{EDGE}", None)),
        [("AT823", NODE)],
        id="an-admission-nobody-recorded",
    ),
    # AT823
    pytest.param(remove(f"/edges/{EDGE}"), [("AT823", NODE)], id="nothing-follows"),
    *[
        pytest.param(
            changed(("remove", f"/edges/{EDGE}", None), ("add", f"{NODE}/{name}", value)), [], id=f"own-{name}"
        )
        for name, value in {
            "observation": "x",
            "state_delta": [],
            "write_set": ["frame:log"],
            "state_after": "state:after",
            "receipt": {},
        }.items()
    ],
    pytest.param(
        changed(("remove", f"/edges/{EDGE}", None), ("replace", f"{NODE}/status", "committed")),
        [("AT823", NODE)],
        id="committed-is-no-end",
    ),
    pytest.param(
        changed(("remove", f"/edges/{EDGE}", None), ("replace", f"{NODE}/status", "failed")), [], id="failed-is-an-end"
    ),
    pytest.param(
        changed(("remove", f"/edges/{EDGE}", None), ("replace", f"{NODE}/admission/status", "denied")),
        [],
        id="denied-is-an-end",
    ),
    pytest.param(
        changed(("remove", f"/edges/{EDGE}", None), ("add", f"{NODE}/training/missing_target", "cut off")),
        [],
        id="declared-missing",
    ),
    pytest.param(
        changed(("remove", f"/edges/{EDGE}", None), ("replace", "/scope/termination/at_node", ID)),
        [],
        id="the-run-ended-there",
    ),
    # AT824
    pytest.param(changed(("replace", MASK, [])), [("AT824", f"{NODE}/training")], id="an-empty-mask"),
    pytest.param(remove(MASK), [("AT824", f"{NODE}/training")], id="no-mask"),
    pytest.param(changed(("replace", f"{NODE}/training/target", False)), [("AT824", "/nodes")], id="no-target"),
    pytest.param(changed(("replace", f"{NODE}/training/target", "true")), [("AT824", "/nodes")], id="a-truthy-target"),
    pytest.param(changed(("replace", "/nodes", [])), [("AT824", "/nodes")], id="no-nodes"),
    # AT825
    pytest.param(changed(("replace", f"{MASK}/1/role", "label")), [("AT825", f"{MASK}/1/role")], id="unknown-role"),
    pytest.param(changed(("replace", f"{MASK}/0/loss", "maybe")), [("AT825", f"{MASK}/0/loss")], id="unknown-loss"),
    pytest.param(
        changed(("replace", f"{MASK}/1/availability", "here")), [("AT825", f"{MASK}/1/availability")], id="unknown-word"
    ),
    pytest.param(
        changed(("replace", f"{MASK}/1/permitted", "yes")), [("AT825", f"{MASK}/1/permitted")], id="permitted-in-words"
    ),
    pytest.param(remove(f"{MASK}/0/path"), [("AT825", f"{MASK}/0")], id="no-path"),
    pytest.param(changed(("replace", f"{MASK}/0", {})), [("AT825", f"{MASK}/0")] * 3, id="empty-entry"),
    pytest.param(remove(f"{MASK}/0/role", f"{MASK}/0/loss"), [("AT825", f"{MASK}/0")] * 2, id="neither-role-nor-loss"),
    # AT826
    *[
        pytest.param(
            changed(("replace", f"{MASK}/1/{name}", value)), [("AT826", f"{MASK}/1/loss")], id=f"{name}-{value}"
        )
        for name, value in [
            ("permitted", "unknown"),
            ("permitted", False),
            ("availability", "redacted"),
            ("availability", "referenced"),
            ("availability", "unknown"),
        ]
    ],
    pytest.param(remove(f"{MASK}/1/permitted"), [("AT826", f"{MASK}/1/loss")], id="permission-not-stated"),
    pytest.param(remove(f"{MASK}/1/availability"), [("AT826", f"{MASK}/1/loss")], id="availability-not-stated"),
    pytest.param(
        changed(("replace", f"{NODE}/action/arguments", {"deep": [1, {"er": MARKER}]})),
        [("AT826", f"{MASK}/1/loss")],
        id="a-marker-deep-under-the-path",
    ),
    pytest.param(
        changed(("replace", f"{NODE}/action/arguments", {"$at": {"status": "literal", "value": {"$at": "noon"}}})),
        [],
        id="source-data-that-looks-like-a-marker",
    ),
    pytest.param(
        changed(
            ("replace", f"{NODE}/action/arguments", MARKER), ("replace", f"{MASK}/1/path", "/action/arguments/pier")
        ),
        [("AT826", f"{MASK}/1/loss")],
        id="a-path-into-a-marker",
    ),
    # AT827
    *[
        pytest.param(
            changed(("replace", f"{MASK}/0/loss", "included"), ("replace", f"{MASK}/0/role", role)),
            [("AT827", f"{MASK}/0/loss")],
            id=f"loss-on-{role}",
        )
        for role in ("model_input", "environment_output", "metadata", "excluded")
    ],
    # AT828
    *[
        pytest.param(changed(("replace", f"{MASK}/0/path", path)), [("AT828", f"{MASK}/0/path")], id=f"path-{name}")
        for name, path in {
            "misspelt": "/state_viw",
            "without-slash": "action",
            "beyond-a-list": "/read_set/7",
            "with-a-leading-zero": "/read_set/00",
            "into-text": "/action/name/0",
            "not-in-the-state": "/state_view/view/nothing",
            "of-many-digits": "/read_set/" + "9" * 5000,
        }.items()
    ],
    *[
        pytest.param(changed(("replace", f"{MASK}/0/path", path)), [], id=f"path-{name}")
        for name, path in {
            "of-the-whole-node": "",
            "into-a-list": "/read_set/0",
            "into-the-state": "/state_view/availability",
            "into-the-state-before": "/state_before/state_id",
        }.items()
    ],
    pytest.param(
        changed(("replace", f"{MASK}/0/path", "/nothing"), ("replace", f"{MASK}/0/availability", "missing")),
        [],
        id="said-to-be-missing",
    ),
]


@pytest.mark.parametrize(("tree", "expected"), CASES)
def test_targets_and_masks(tree: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == found(tree)


def test_only_a_bundle_for_training_is_asked() -> None:
    tree = changed(("replace", "/profiles", ["AT-Core"]), ("replace", f"{MASK}/0/loss", "included"))
    assert [] == found(tree)


def chain(*nodes: dict[str, Any]) -> Any:
    """A bundle for training whose nodes follow one another."""
    named = [{"node_id": f"n{i}", **node} for i, node in enumerate(nodes)]
    edges = [{"from": f"n{i}", "to": f"n{i + 1}", "relation": "caused_by"} for i in range(len(nodes) - 1)]
    return {"profiles": ["AT-Training"], "nodes": named, "edges": edges}


ENTRY = {"path": "/action", "role": "supervised_target", "loss": "excluded"}
DECISION = {
    "kind": "decision",
    "state_view": "s",
    "action": {},
    "admission": {"status": "unknown"},
    "training": {"target": True, "mask": [ENTRY]},
}


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        pytest.param([DECISION, {"kind": "observation"}], [], id="its-own-result"),
        pytest.param([DECISION, {"kind": "effect"}, {"kind": "observation"}], [], id="a-result-further-on"),
        pytest.param([DECISION, {"kind": "input"}], [], id="an-answer-of-the-user"),
        pytest.param([DECISION, {"kind": "effect", "status": "failed"}], [], id="an-effect-that-failed"),
        pytest.param(
            [DECISION, {"kind": "effect", "status": "pending"}], [("AT823", "/nodes/0")], id="a-pending-effect"
        ),
        pytest.param(
            [DECISION, DECISION, {"kind": "observation"}], [("AT823", "/nodes/0")], id="the-result-of-another-decision"
        ),
        pytest.param(
            [DECISION, {"kind": "delegation"}, DECISION, {"kind": "callback"}], [], id="a-result-of-a-delegation"
        ),
        pytest.param(
            [DECISION, {"kind": "delegation"}, {"kind": "decision"}], [("AT823", "/nodes/0")], id="no-result-of-it"
        ),
    ],
)
def test_results_are_looked_for_up_to_the_next_decision(nodes: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == found(chain(*nodes))


def test_cycles_and_long_chains_end() -> None:
    tree = chain(*[{"kind": "effect"}] * 5000, DECISION)
    tree["edges"].append({"from": "n5000", "to": "n0", "relation": "caused_by"})
    assert [("AT823", "/nodes/5000")] == found(tree)


SIGNAL = f"{NODE}/payload/reward"


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        pytest.param({"reward": 1}, ["reward"], id="a-reward"),
        pytest.param({"reward": 0}, ["reward"], id="a-reward-of-zero"),
        pytest.param({"text": "x", "labels": ["good"]}, ["labels"], id="labels"),
        pytest.param({"reward": None}, [], id="null"),
        pytest.param({"reward": MARKER}, [], id="a-marker"),
        pytest.param({"labels": []}, [], id="no-labels"),
        pytest.param({"Reward": 1}, [], id="another-spelling"),
        pytest.param({"inner": {"reward": 1}}, [], id="deeper-down"),
        pytest.param(["reward"], [], id="a-list"),
        pytest.param("reward", [], id="a-text"),
    ],
)
def test_signals_need_a_record(payload: Any, expected: list[str]) -> None:
    tree = {"nodes": [{"node_id": "n0", "payload": payload}], "reward_records": []}
    assert [("AT829", f"/nodes/0/payload/{name}") for name in expected] == found(tree)


@pytest.mark.parametrize(
    "record",
    [
        pytest.param({"attribution_target": "n0"}, id="credited-to-the-node"),
        pytest.param({"attribution_target": "event:1"}, id="credited-to-its-event"),
        pytest.param({"sources": ["x", "event:1"]}, id="resting-on-it"),
        pytest.param({"reward_id": "event:1"}, id="committed-by-it"),
    ],
)
def test_signals_with_a_record_are_fine(record: Any) -> None:
    node = {"node_id": "n0", "source_event_id": "event:1", "payload": {"reward": 1}}
    assert [] == found({"nodes": [node], "reward_records": [5, record]})


def test_a_path_leads_on_into_the_state() -> None:
    bundle = Bundle({"states": [{"state_id": "s", "view": {"a/b": [7]}}]})
    node = {"state_view": "s", "state_before": "elsewhere"}
    assert [(True, 7), (True, "elsewhere"), (False, None)] == [
        part_at(bundle, node, path) for path in ("/state_view/view/a~1b/0", "/state_before", "/state_before/view")
    ]


def test_markers_are_found_at_any_depth() -> None:
    deep: Any = MARKER
    for _ in range(5000):
        deep = [{"in": deep}]
    literal = {"$at": {"status": "literal", "value": {"$at": {"x": MARKER}}}}
    assert (True, True, False) == (has_marker(deep), has_marker(literal), has_marker({"$at": 1, "b": 2}))


def test_any_type_anywhere_is_taken() -> None:
    for tree in mangled({**FULL, "nodes": [FULL["nodes"][TARGET]]}, "nodes", "profiles"):
        found(tree)
    for tree in mangled(FULL, "edges", "reward_records", "scope"):
        found(tree)
