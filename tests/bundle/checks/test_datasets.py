"""Episodes and Dataset manifests taken alone: AT831, AT835, AT837 and what they share with Bundles."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.checks import datasets
from attraj.bundle.checks.check import Asked
from attraj.bundle.checks.datasets import DATASET, EPISODE
from attraj.findings import Stratum
from tests.bundle.checks.mangled import mangled
from tests.support import base_document, json_patch

DOCUMENTS = {kind: base_document("attraj.bundle.checks", kind) for kind in (EPISODE, DATASET)}


def found(kind: str, tree: Any, **asked: Any) -> list[tuple[str, str]]:
    findings = datasets.check(kind, tree, b"", Asked(**asked))
    return sorted((f.code, f.location.pointer) for f in findings if f.code != "AT936")


def changed(kind: str, *operations: tuple[str, str, Any]) -> Any:
    return json_patch(DOCUMENTS[kind], [{"op": op, "path": path, "value": value} for op, path, value in operations])


ROW = "/transitions/0"
MARKER = {"$at": {"status": "redacted", "class": "secret"}}

EPISODES = [
    pytest.param([], [], id="the-example"),
    pytest.param([("remove", "/episode_version", None)], [("AT103", "")], id="no-version"),
    pytest.param([("replace", "/episode_version", 0.1)], [("AT103", "/episode_version")], id="a-version-as-a-number"),
    pytest.param([("replace", "/episode_version", "9")], [("AT104", "/episode_version")], id="an-unknown-version"),
    pytest.param([("remove", "/episode_id", None)], [("AT108", "")], id="no-id"),
    pytest.param([("remove", f"{ROW}/transition_id", None)], [("AT108", ROW)], id="a-transition-without-id"),
    pytest.param([("remove", "/transitions", None)], [("AT101", "")], id="no-transitions"),
    pytest.param([("remove", "/rights", None)], [("AT101", "")], id="no-rights"),
    pytest.param([("replace", "/transitions", {})], [("AT102", "/transitions")], id="transitions-of-another-type"),
    pytest.param([("replace", ROW, "x")], [("AT102", ROW)], id="a-transition-that-is-text"),
    pytest.param([("add", f"{ROW}/note", 1)], [("AT116", f"{ROW}/note")], id="a-member-nobody-knows"),
    pytest.param(
        [("add", "/transitions/-", DOCUMENTS[EPISODE]["transitions"][0])],
        [("AT201", "/transitions/1/transition_id")],
        id="a-transition-id-used-twice",
    ),
    pytest.param([("remove", "/rights/training", None)], [("AT801", "/rights")], id="a-right-not-stated"),
    pytest.param([("replace", "/rights/training", "yes")], [("AT802", "/rights/training")], id="a-right-in-words"),
    pytest.param(
        [("replace", "/rights/retention", "unknown")], [("AT803", "/rights/retention")], id="an-unknown-right"
    ),
    pytest.param([("replace", "/rights/training", False)], [("AT804", "/rights/training")], id="training-denied"),
    pytest.param(
        [("replace", "/rights/training", False), ("replace", "/purpose", "replay")],
        [("AT804", "/rights/training")],
        id="for-replay-and-yet-with-loss",
    ),
    pytest.param(
        [
            ("replace", "/rights/training", False),
            ("replace", "/purpose", "replay"),
            ("replace", f"{ROW}/action_target/loss", "excluded"),
        ],
        [],
        id="for-replay-without-loss",
    ),
    pytest.param(
        [
            (
                "add",
                "/transform",
                {"exporter": "x@1", "operations": [], "derived_from": [{"rights": {"training": False}}]},
            )
        ],
        [
            ("AT807", f"/rights/{use}")
            for use in ("local_evaluation", "redistribution_transformed", "retention", "training")
        ],
        id="wider-than-the-source",
    ),
    pytest.param(
        [("replace", f"{ROW}/action_target/role", "x")], [("AT825", f"{ROW}/action_target/role")], id="a-role"
    ),
    pytest.param([("remove", f"{ROW}/state_view/loss", None)], [("AT825", f"{ROW}/state_view")], id="no-loss-stated"),
    pytest.param(
        [("replace", f"{ROW}/action_target/value", {"a": [MARKER]})],
        [("AT826", f"{ROW}/action_target/loss")],
        id="loss-on-a-marker",
    ),
    pytest.param(
        [("replace", f"{ROW}/action_target/availability", "redacted")],
        [("AT826", f"{ROW}/action_target/loss")],
        id="loss-on-what-is-not-here",
    ),
    pytest.param(
        [("replace", f"{ROW}/action_target/permitted", "unknown")],
        [("AT826", f"{ROW}/action_target/loss")],
        id="loss-on-what-may-not-be-permitted",
    ),
    pytest.param([("remove", f"{ROW}/action_target/permitted", None)], [], id="permitted-by-the-rights"),
    pytest.param(
        [("replace", f"{ROW}/environment_outputs/0/loss", "included")],
        [("AT827", f"{ROW}/environment_outputs/0/loss")],
        id="loss-on-an-output",
    ),
    pytest.param([("replace", "/selection", "")], [("AT831", "/selection")], id="an-empty-selection"),
    pytest.param([("remove", "/selection", None)], [("AT831", "")], id="no-selection"),
    pytest.param([("replace", "/selection", {"parameters": {}})], [("AT831", "/selection")], id="parameters-alone"),
    pytest.param([("replace", "/selection", MARKER)], [("AT831", "/selection")], id="a-rule-that-is-withheld"),
    pytest.param([("replace", "/selection", "all targets")], [], id="a-selection-in-words"),
    pytest.param([("replace", "/termination", "open")], [], id="the-word-of-the-reference"),
    pytest.param([("remove", "/termination/rule", None)], [("AT831", "/termination")], id="an-end-without-a-rule"),
    pytest.param([("remove", f"{ROW}/source_node_id", None)], [("AT837", ROW)], id="no-node"),
    pytest.param([("replace", f"{ROW}/source_node_id", "")], [("AT837", ROW)], id="an-empty-node"),
    pytest.param([("remove", "/source_trajectory_id", None)], [("AT837", "")], id="no-trajectory"),
    pytest.param(
        [("remove", "/source_trajectory_id", None), ("add", "/sources", [{"trajectory_id": "a"}])], [], id="one-source"
    ),
    pytest.param(
        [
            ("remove", "/source_trajectory_id", None),
            ("add", "/sources", [{"trajectory_id": "a"}, {"trajectory_id": "b"}]),
        ],
        [("AT837", ROW)],
        id="one-of-several-sources-and-which",
    ),
    pytest.param(
        [
            ("remove", "/source_trajectory_id", None),
            ("add", "/sources", [{"trajectory_id": "a"}, {"trajectory_id": "b"}]),
            ("add", f"{ROW}/source_trajectory_id", "b"),
        ],
        [],
        id="one-of-several-sources-named",
    ),
    pytest.param([("remove", "/integrity/status", None)], [("AT931", "/integrity")], id="no-integrity-status"),
    pytest.param(
        [("add", "/extensions", {"org.example.x": {"required": True}})],
        [("AT114", "/extensions/org.example.x")],
        id="an-extension-we-lack",
    ),
]


@pytest.mark.parametrize(("operations", "expected"), EPISODES)
def test_an_episode(operations: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == found(EPISODE, changed(EPISODE, *operations))


MEMBER = "/members/0"

DATASETS = [
    pytest.param([], [], id="the-example"),
    *[
        pytest.param([("remove", f"/{name}", None)], [("AT835", "")], id=f"no-{name}")
        for name in ("version", "stated_use", "rights", "labels", "transform")
    ],
    pytest.param([("replace", "/stated_use", "")], [("AT835", "/stated_use")], id="an-empty-use"),
    pytest.param([("replace", "/labels", ["checked by hand"])], [], id="labels"),
    pytest.param([("remove", "/dataset_id", None)], [("AT108", "")], id="no-id"),
    pytest.param([("remove", "/dataset_version", None)], [("AT103", "")], id="no-version-of-the-form"),
    pytest.param([("remove", "/members", None)], [("AT101", "")], id="no-members"),
    pytest.param([("remove", f"{MEMBER}/id", None)], [("AT108", MEMBER)], id="a-member-without-id"),
    pytest.param(
        [("add", "/members/-", {"kind": "episode", "id": DOCUMENTS[DATASET]["members"][0]["id"]})],
        [("AT201", "/members/1/id")],
        id="a-member-twice",
    ),
    pytest.param(
        [("add", "/members/-", {"kind": "bundle", "id": DOCUMENTS[DATASET]["members"][0]["id"]})],
        [],
        id="a-bundle-of-the-same-name",
    ),
    pytest.param([("replace", f"{MEMBER}/rights/training", False)], [("AT807", "/rights/training")], id="wider"),
    pytest.param(
        [("replace", f"{MEMBER}/rights/training", "yes")],
        [("AT802", f"{MEMBER}/rights/training"), ("AT807", "/rights/training")],
        id="a-right-of-a-member-in-words",
    ),
    pytest.param(
        [
            ("replace", f"{MEMBER}/rights/training", False),
            ("replace", "/transform/derived_from", [{"rights": DOCUMENTS[DATASET]["rights"] | {"training": False}}]),
        ],
        [("AT807", "/rights/training")],
        id="wider-than-a-member-and-a-source-is-told-once",
    ),
    pytest.param(
        [("replace", f"{MEMBER}/rights/training", False), ("replace", "/rights/training", "unknown")],
        [("AT803", "/rights/training"), ("AT808", "/rights/training")],
        id="a-denial-erased",
    ),
    pytest.param([("remove", f"{MEMBER}/rights", None)], [], id="rights-that-stand-in-the-member-itself"),
]


@pytest.mark.parametrize(("operations", "expected"), DATASETS)
def test_a_dataset(operations: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == found(DATASET, changed(DATASET, *operations))


def test_a_purpose_and_a_time_are_asked_of_episodes_too() -> None:
    details = {"training": {"purposes": ["rl"], "valid_until": "2031-01-01T00:00:00Z"}}
    tree = changed(EPISODE, ("add", "/rights/details", details))
    at = "/rights/details/training/"
    expected = [("AT809", at + "purposes"), ("AT810", at + "valid_until")]
    assert expected == found(EPISODE, tree, purpose="sft", now="2032-01-01T00:00:00Z")


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        pytest.param(Stratum.BYTES, [], id="bytes"),
        pytest.param(Stratum.SHAPE, ["AT103"], id="shape"),
        pytest.param(Stratum.REFERENCES, ["AT103"], id="references"),
        pytest.param(Stratum.MEANING, ["AT103", "AT831"], id="meaning"),
        pytest.param(Stratum.PROFILES, ["AT103", "AT804", "AT831"], id="profiles"),
    ],
)
def test_stops_after_the_level_that_is_asked(level: Stratum, expected: list[str]) -> None:
    tree = changed(
        EPISODE,
        ("remove", "/episode_version", None),
        ("remove", "/selection", None),
        ("replace", "/rights/training", False),
    )
    assert expected == [code for code, _ in found(EPISODE, tree, level=level)]


@pytest.mark.parametrize("kind", [EPISODE, DATASET])
def test_lists_each_rule_that_it_may_report(kind: str) -> None:
    told: set[str] = set()
    base = DOCUMENTS[kind]
    for tree in mangled(base, *base):
        told.update(finding.code for finding in datasets.check(kind, tree, b"", Asked()))
    assert told <= {rule.code for rule in datasets.rules(kind)}
