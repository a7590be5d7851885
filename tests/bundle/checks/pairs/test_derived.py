"""AT832, AT833, AT834: Episodes and manifests against what they were made from."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bundle.checks.pairs.support import add, base, found, remove, replace
from tests.support import merge_patch, patched

OWN = "at:tidehouse:gauge-check:attempt-two"
SEALED = {"integrity": {"status": "digest_provided", "algorithm": "sha256", "digest": "sha256:" + "1" * 64}}
FIRST = "/transitions/0"


def test_the_examples_fit_together() -> None:
    assert found(base("episode"), base(), "derive") == []
    assert found(base("dataset"), base("episode"), "derive") == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param([replace("/source_trajectory_id", "at:x")], [("AT832", "/source_trajectory_id")], id="other"),
        pytest.param(
            [remove("/source_trajectory_id"), add("/sources", [{"trajectory_id": "at:x"}])],
            [("AT832", "/sources")],
            id="other-in-sources",
        ),
        pytest.param(
            [
                remove("/source_trajectory_id"),
                add("/sources", [{"trajectory_id": OWN, "digest": {"algorithm": "sha256", "value": "2" * 64}}]),
            ],
            [("AT832", "/sources/0/digest")],
            id="other-digest",
        ),
        pytest.param([replace(FIRST + "/source_node_id", "node:x")], [("AT833", FIRST + "/source_node_id")], id="node"),
        pytest.param(
            [replace(FIRST + "/state_view/value", "state:x")], [("AT833", FIRST + "/state_view/value")], id="state"
        ),
        pytest.param([add(FIRST + "/reward_refs/-", "r:x")], [("AT833", FIRST + "/reward_refs/1")], id="reward"),
        pytest.param([add(FIRST + "/outcome_refs", ["o:x"])], [("AT833", FIRST + "/outcome_refs/0")], id="outcome"),
        pytest.param([add("/reward_refs/-", "r:x")], [("AT833", "/reward_refs/1")], id="reward-of-the-whole"),
        pytest.param([add("/skipped/-", {"node_id": "n:x"})], [("AT833", "/skipped/0/node_id")], id="skipped"),
        pytest.param(
            [replace(FIRST + "/environment_outputs/0/source/node_id", "n:x")],
            [("AT833", FIRST + "/environment_outputs/0/source/node_id")],
            id="source-of-a-field",
        ),
        pytest.param(
            [replace("/rights/hosted_evaluation", True)], [("AT834", "/rights/hosted_evaluation")], id="right"
        ),
        pytest.param(
            [replace("/rights/hosted_evaluation", "unknown")], [("AT808", "/rights/hosted_evaluation")], id="erased"
        ),
        pytest.param(
            [
                remove("/source_trajectory_id"),
                add("/sources", [{"trajectory_id": OWN}, {"trajectory_id": "at:x"}]),
                replace(FIRST + "/source_node_id", "node:of-the-other"),
                add(FIRST + "/source_trajectory_id", "at:x"),
            ],
            [],
            id="node-of-the-other-of-two-sources",
        ),
        pytest.param(
            [
                remove("/source_trajectory_id"),
                add("/sources", [{"trajectory_id": OWN}, {"trajectory_id": "at:x"}]),
                replace(FIRST + "/source_node_id", "node:x"),
                add(FIRST + "/source_trajectory_id", OWN),
            ],
            [("AT833", FIRST + "/source_node_id")],
            id="node-of-this-one-of-two-sources",
        ),
    ],
)
def test_episode(changes: list[Any], expected: list[Any]) -> None:
    assert found(patched(base("episode"), changes), merge_patch(base(), SEALED), "derive") == expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param([replace("/members/0/id", "episode:x")], [("AT832", "/members")], id="not-listed"),
        pytest.param(
            [add("/members/0/digest", {"algorithm": "sha256", "value": "2" * 64})],
            [("AT832", "/members/0/digest")],
            id="other-digest",
        ),
        pytest.param(
            [replace("/rights/hosted_evaluation", True)], [("AT834", "/rights/hosted_evaluation")], id="right"
        ),
        pytest.param([replace("/members", {})], [], id="members-of-a-wrong-type"),
    ],
)
def test_manifest(changes: list[Any], expected: list[Any]) -> None:
    assert found(patched(base("dataset"), changes), merge_patch(base("episode"), SEALED), "derive") == expected
