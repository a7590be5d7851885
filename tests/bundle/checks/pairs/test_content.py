"""AT214, AT215, AT614, AT629, AT712: what is a fault under which relation."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.bundle.checks.pairs import check_pair
from attraj.bundle.model import Bundle
from attraj.findings import Related
from tests.bundle.checks.pairs.support import REDACTED, add, base, derived, found, redaction, remove, replace
from tests.support import patched

OBSERVATION = "/nodes/4/observation"


def proper_redaction() -> Any:
    """Values to markers, an identity of its own, the lineage, the books."""
    return redaction(
        replace(OBSERVATION, REDACTED),
        replace("/nodes/1/action/arguments/pier", {"$at": {"status": "redacted", "class": "infrastructure"}}),
        replace("/nodes/3/receipt/arguments", {"$at": {"status": "redacted", "class": "infrastructure"}}),
        replace("/nodes/1/model_call", {"availability": "redacted", "reason": "contract"}),
        replace("/bindings/harnesses/0", {"availability": "redacted", "reason": "contract"}),
        replace("/nodes/0/actor", "<USER_1>"),
        replace("/bindings/principals/0", "<USER_1>"),
        replace("/rights/details/training/granted_by", "<USER_1>"),
        replace("/verifier_results/0/output", REDACTED),
        replace("/states/1", {**state(1), "availability": "redacted", "reason": "describes the site"}),
        replace("/completeness/reason", "the text of the request and the site are withheld"),
        add("/disclosure/redactions/-", {"target": "node:level", "pointer": "/observation", "status": "redacted"}),
        add("/transform/steps/-", {"operation": "redaction", "implementation": "example", "version": "1"}),
    )


def state(position: int) -> dict[str, Any]:
    whole: dict[str, Any] = base()["states"][position]
    return {name: value for name, value in whole.items() if name != "view"}


def test_a_proper_redaction_is_silent() -> None:
    assert found(proper_redaction(), base(), "redaction") == []


def test_a_redaction_with_a_secret_in_an_identifier_is_silent() -> None:
    text = json.dumps(redaction()).replace("node:level", "<USER_1>").replace("event:34", "<USER_2>")
    assert found(json.loads(text), base(), "redaction") == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param([replace(OBSERVATION, "")], [("AT712", OBSERVATION)], id="became-empty"),
        pytest.param([replace(OBSERVATION, None)], [("AT712", OBSERVATION)], id="became-null"),
        pytest.param([replace(OBSERVATION, {})], [("AT712", OBSERVATION)], id="became-an-empty-object"),
        pytest.param([remove(OBSERVATION)], [("AT712", "/nodes/4")], id="became-absent"),
        pytest.param(
            [replace(OBSERVATION + "/level_metres", 0)], [("AT712", OBSERVATION + "/level_metres")], id="became-zero"
        ),
        pytest.param([remove(OBSERVATION + "/alarms")], [("AT712", OBSERVATION)], id="member-of-content-dropped"),
        pytest.param(
            [replace(OBSERVATION, {"$at": {"status": "unknown"}})], [("AT712", OBSERVATION)], id="marked-as-unknown"
        ),
        pytest.param(
            [replace("/nodes/0/payload/text/$at/status", "unavailable")],
            [("AT712", "/nodes/0/payload/text")],
            id="marker-restated",
        ),
        pytest.param(
            [replace("/nodes/0/payload/text", "Read the gauge")], [("AT214", "/nodes/0/payload/text")], id="filled-in"
        ),
        pytest.param([replace(OBSERVATION, "level low")], [("AT214", OBSERVATION)], id="other-content"),
        pytest.param([add("/nodes/4/topic", "gauges")], [("AT214", "/nodes/4/topic")], id="more-content"),
        pytest.param(
            [replace("/states/1", {**state(1), "availability": "unavailable", "reason": "gone"})],
            [("AT712", "/states/1/availability")],
            id="state-said-to-be-unavailable",
        ),
        pytest.param([remove("/states/1/view")], [("AT712", "/states/1")], id="state-without-its-content"),
        pytest.param([remove("/states/0/digest")], [], id="digest-goes"),
        pytest.param(
            [replace("/verifier_results/0/status", "fail")], [("AT614", "/verifier_results/0/status")], id="verifier"
        ),
        pytest.param([remove("/source/authority_revision")], [("AT712", "/source")], id="source-member-dropped"),
        pytest.param([replace("/source/exporter_version", "9")], [], id="another-exporter"),
        pytest.param(
            [replace("/nodes/4/timestamp", "2031-04-02T06:00:00Z")], [("AT214", "/nodes/4/timestamp")], id="time"
        ),
        pytest.param(
            [replace("/nodes/4/timestamp", "2031-04-02T06:00:00Z"), add("/transform/operations/-", "time_coarsening")],
            [],
            id="declared-coarser-time",
        ),
        pytest.param([replace("/nodes/3/effect/receipt_status", "redacted")], [], id="receipt-withheld"),
        pytest.param([replace("/nodes/1/training/mask/1/loss", "excluded")], [], id="mask-narrowed"),
    ],
)
def test_redaction(changes: list[Any], expected: list[Any]) -> None:
    assert found(redaction(*changes), base(), "redaction") == expected


@pytest.mark.parametrize(
    ("relation", "word", "changes", "expected"),
    [
        pytest.param(
            "derive", "selection_of", [replace(OBSERVATION, 5)], [("AT214", OBSERVATION)], id="derive-changed"
        ),
        pytest.param(
            "derive",
            "selection_of",
            [replace(OBSERVATION, 5), add("/transform/operations/-", "normalization")],
            [],
            id="derive-normalized",
        ),
        pytest.param("derive", "selection_of", [remove(OBSERVATION)], [("AT712", "/nodes/4")], id="derive-dropped"),
        pytest.param(
            "derive",
            "selection_of",
            [remove("/nodes/0/payload"), add("/transform/operations/-", "event_payload_omission")],
            [],
            id="derive-payload-omitted-and-said-so",
        ),
        pytest.param("derive", "selection_of", [add("/nodes/4/topic", "gauges")], [], id="derive-adds"),
        pytest.param("derive", "selection_of", [replace(OBSERVATION, REDACTED)], [], id="derive-withholds"),
        pytest.param("derive", "selection_of", [remove("/reward_records/0")], [], id="derive-selects"),
        pytest.param("revision", "revision_of", [replace(OBSERVATION, 5)], [("AT214", OBSERVATION)], id="revision"),
        pytest.param(
            "revision", "revision_of", [replace(OBSERVATION, "")], [("AT712", OBSERVATION)], id="revision-empty"
        ),
        pytest.param("revision", "revision_of", [replace("/nodes/0/payload/text", "x y")], [], id="revision-fills"),
        pytest.param(
            "revision",
            "revision_of",
            [
                replace(
                    "/states/2", {"state_id": "state:harbour", "kind": "state", "availability": "included", "view": 1}
                )
            ],
            [],
            id="revision-finds-a-state",
        ),
        pytest.param(
            "revision",
            "revision_of",
            [remove("/reward_records/0")],
            [("AT712", "/reward_records")],
            id="revision-loses",
        ),
        pytest.param(
            "revision",
            "revision_of",
            [replace("/verifier_results/0/status", "invalidated")],
            [("AT614", "/verifier_results/0/status")],
            id="revision-edits-a-verifier-result",
        ),
        pytest.param(
            "revision",
            "revision_of",
            [replace("/verifier_results/0/output", {"equal": False, "compared": 0})],
            [("AT614", "/verifier_results/0/output/equal")],
            id="revision-edits-a-verifier-result-in-two-places",
        ),
        pytest.param(
            "revision",
            "revision_of",
            [
                add("/verifier_results/0/invalidated_by", "result:later"),
                add("/verifier_results/-", {"verifier_result_id": "result:later", "invalidates": "result:level"}),
            ],
            [],
            id="revision-invalidates-by-a-new-record",
        ),
        pytest.param(
            "reward_derivation",
            "reward_derivation_of",
            [replace("/outcomes/1/status", "failed")],
            [("AT629", "/outcomes/1/status")],
            id="reward-changes-an-outcome",
        ),
        pytest.param(
            "reward_derivation",
            "reward_derivation_of",
            [remove("/outcomes/1")],
            [("AT629", "/outcomes")],
            id="reward-removes-an-outcome",
        ),
        pytest.param(
            "reward_derivation",
            "reward_derivation_of",
            [add("/nodes/-", {"node_id": "node:x", "kind": "observation"})],
            [("AT629", "/nodes/9")],
            id="reward-adds-an-observation",
        ),
        pytest.param(
            "reward_derivation",
            "reward_derivation_of",
            [
                add("/nodes/-", {"node_id": "node:x", "kind": "reward"}),
                add("/edges/-", {"edge_id": "edge:x", "from": "node:check", "to": "node:x", "relation": "caused_by"}),
                add("/reward_records/-", {"reward_id": "reward:second"}),
            ],
            [],
            id="reward-adds-rewards",
        ),
        pytest.param(
            "reward_derivation",
            "reward_derivation_of",
            [replace("/reward_records/0/value", 1)],
            [("AT214", "/reward_records/0/value")],
            id="reward-changes-an-earlier-one",
        ),
    ],
)
def test_other_relations(relation: str, word: str, changes: list[Any], expected: list[Any]) -> None:
    assert found(derived(word, *changes), base(), relation) == expected


OTHER_POLICY = replace("/transform/steps/1/policy", "keeper-privacy@4")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param([], [], id="the-same"),
        pytest.param([replace(OBSERVATION, 5)], [("AT214", OBSERVATION)], id="contradicts"),
        pytest.param([replace(OBSERVATION, "")], [("AT214", OBSERVATION)], id="contradicts-by-an-empty-value"),
        pytest.param([remove(OBSERVATION)], [("AT215", "/nodes/4")], id="says-less"),
        pytest.param([add("/nodes/4/topic", "gauges")], [("AT215", "/nodes/4/topic")], id="says-more"),
        pytest.param([remove("/reward_records/0")], [("AT215", "/reward_records")], id="record-less"),
        pytest.param([replace("/completeness/reason", "else")], [("AT215", "/completeness")], id="envelope"),
        pytest.param([replace("/integrity", {"status": "not_provided", "algorithm": "x"})], [], id="seal"),
        pytest.param([OTHER_POLICY], [("AT214", "/trajectory_id")], id="another-policy-under-one-identity"),
        pytest.param([OTHER_POLICY, remove(OBSERVATION)], [("AT214", "/trajectory_id")], id="which-withholds-more"),
    ],
)
def test_reexport(changes: list[Any], expected: list[Any]) -> None:
    assert found(patched(base(), changes), base(), "reexport") == expected


def test_order_of_records_and_members_means_nothing() -> None:
    tree = base()
    shuffled = {
        name: [dict(reversed(record.items())) for record in reversed(value)]
        if type(value) is list and name != "profiles"
        else value
        for name, value in reversed(tree.items())
    }
    assert found(shuffled, tree, "reexport") == []


def test_one_finding_a_record_with_its_place_in_the_older_document() -> None:
    old = base()
    new = derived("selection_of", replace(OBSERVATION, 5), replace("/nodes/4/status", "lost"), remove("/nodes/0"))
    new["edges"] = [e for e in new["edges"] if e["from"] != "node:request"]
    new["nodes"][0]["parents"] = {"status": "partial", "reason": "left out"}
    (finding,) = check_pair(Bundle(new), Bundle(old), "derive")
    assert finding.location.pointer.startswith("/nodes/3/")
    assert finding.message.endswith("; so do 1 more of its members")
    assert finding.related == (Related(finding.location.pointer.replace("/3/", "/4/"), "in the older document"),)
