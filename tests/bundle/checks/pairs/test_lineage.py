"""AT807, AT808, AT924 to AT928: identity, seals, rights, completeness and sources."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.checks.pairs import check_pair
from attraj.bundle.checks.pairs.relation import RELATIONS
from attraj.bundle.model import Bundle
from attraj.findings import Related
from tests.bundle.checks.pairs.support import base, found
from tests.support import merge_patch

OLD = base("minimal")
OWN = OLD["trajectory_id"]


def seal(digit: str, **more: str) -> Any:
    return {
        "status": "digest_provided",
        "algorithm": "sha256",
        "canonicalization": "RFC8785",
        "digest": f"sha256:{digit * 64}",
        **more,
    }


def made(relation: str, patch: Any = None, **entry: Any) -> Any:
    lineage = {
        "trajectory_id": "at:example:made",
        "transform": {"derived_from": [{"trajectory_id": OWN, "relation": relation, **entry}]},
    }
    return merge_patch(merge_patch(OLD, lineage), patch or {})


CLOSED = {"completeness": {"status": "partial", "reason": "the end was not captured"}}
COMPLETE = {"completeness": {"status": "complete"}}


@pytest.mark.parametrize("relation", ["derive", "redaction", "revision", "reward_derivation", "reexport"])
def test_closing_under_one_identity(relation: str) -> None:
    codes = [code for code, _ in found(merge_patch(OLD, CLOSED), OLD, relation)]
    assert "AT925" in codes
    assert "AT214" not in codes


@pytest.mark.parametrize(
    ("new", "old", "relation", "expected"),
    [
        pytest.param(made("revision_of", CLOSED), OLD, "revision", [], id="closed-as-a-revision"),
        pytest.param(
            merge_patch(made("revision_of", CLOSED), {"trajectory_id": OWN}),
            OLD,
            "revision",
            [],
            id="revision-of-itself",
        ),
        pytest.param(
            merge_patch(OLD, {"integrity": seal("1"), "completeness": {"reason": "x"}}),
            merge_patch(OLD, {"integrity": seal("2")}),
            "revision",
            [("AT926", "/integrity/digest")],
            id="resealed",
        ),
        pytest.param(
            merge_patch(OLD, {"integrity": seal("1")}),
            merge_patch(OLD, {"integrity": seal("2")}),
            "revision",
            [],
            id="the-same-content-sealed-otherwise",
        ),
        pytest.param(
            merge_patch(OLD, {"completeness": {"reason": "x"}}),
            merge_patch(OLD, {"integrity": seal("2")}),
            "revision",
            [("AT214", "/trajectory_id")],
            id="only-one-is-sealed",
        ),
        pytest.param(OLD, OLD, "revision", [], id="unchanged"),
        pytest.param(
            made("selection_of", COMPLETE),
            merge_patch(OLD, CLOSED),
            "derive",
            [("AT924", "/completeness/status")],
            id="partial-became-complete",
        ),
        pytest.param(
            made("selection_of", COMPLETE),
            OLD,
            "derive",
            [("AT924", "/completeness/status")],
            id="open-became-complete",
        ),
        pytest.param(made("revision_of", COMPLETE), OLD, "revision", [], id="open-revised-to-complete"),
        pytest.param(
            made("revision_of", COMPLETE),
            merge_patch(OLD, CLOSED),
            "revision",
            [("AT924", "/completeness/status")],
            id="partial-revised-without-anything-new",
        ),
        pytest.param(
            made("revision_of", {**COMPLETE, "states": [{"state_id": "state:end"}]}),
            merge_patch(OLD, CLOSED),
            "revision",
            [],
            id="partial-revised-with-what-was-missing",
        ),
        pytest.param(made("selection_of", CLOSED), OLD, "derive", [], id="open-became-partial"),
    ],
)
def test_identity_and_completeness(new: Any, old: Any, relation: str, expected: list[Any]) -> None:
    assert found(new, old, relation) == expected


def rights(**uses: Any) -> Any:
    return {"rights": uses}


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        pytest.param(rights(training=True), rights(training=False), [("AT807", "/rights/training")], id="denied"),
        pytest.param(rights(training=True), rights(training="unknown"), [("AT807", "/rights/training")], id="unknown"),
        pytest.param(rights(training=True), rights(training=None), [("AT807", "/rights/training")], id="not-stated"),
        pytest.param(rights(training="unknown"), rights(training=False), [("AT808", "/rights/training")], id="erased"),
        pytest.param(rights(training="unknown"), rights(training=True), [], id="narrowed-to-unknown"),
        pytest.param(rights(training=False), rights(training=True), [], id="narrowed-to-denied"),
        pytest.param(
            rights(training=True, details={"training": {"purposes": ["a", "b"]}}),
            rights(training=True, details={"training": {"purposes": ["a"]}}),
            [("AT807", "/rights")],
            id="one-purpose-more",
        ),
        pytest.param(
            rights(training=True),
            rights(training=True, details={"training": {"purposes": "a"}}),
            [("AT807", "/rights")],
            id="purposes-left-out",
        ),
        pytest.param(
            rights(training=True, details={"training": {"purposes": "a"}}),
            rights(training=True, details={"training": {"purposes": ["a", "b"]}}),
            [],
            id="one-purpose-less",
        ),
    ],
)
def test_rights(ours: Any, theirs: Any, expected: list[Any]) -> None:
    for relation in ("derive", "redaction", "revision"):
        assert found(made("selection_of", ours), merge_patch(OLD, theirs), relation) == expected


def test_a_wider_right_gives_its_place_in_the_older_document() -> None:
    new = made("selection_of", rights(training=True))
    (finding,) = check_pair(Bundle(new), Bundle(OLD), "derive")
    assert finding.related == (Related("/rights/training", "in the older document"),)


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        pytest.param(made("selection_of"), OLD, [], id="named"),
        pytest.param(
            made("selection_of", trajectory_id="at:x"), OLD, [("AT927", "/transform/derived_from")], id="another-named"
        ),
        pytest.param(merge_patch(OLD, {"trajectory_id": "at:x"}), OLD, [], id="none-named"),
        pytest.param(
            made("selection_of", digest=seal("1")["digest"]),
            merge_patch(OLD, {"integrity": seal("2")}),
            [("AT927", "/transform/derived_from/0/digest")],
            id="another-digest",
        ),
        pytest.param(
            made("selection_of", digest={"algorithm": "sha256", "value": "2" * 64}),
            merge_patch(OLD, {"integrity": seal("2")}),
            [],
            id="the-digest-in-another-spelling",
        ),
        pytest.param(
            made("selection_of", digest={"algorithm": "sha512", "value": "1" * 128}),
            merge_patch(OLD, {"integrity": seal("2")}),
            [],
            id="a-digest-that-does-not-compare",
        ),
        pytest.param(
            made("selection_of"),
            merge_patch(OLD, {"transform": {"derived_from": [{"trajectory_id": "at:example:made"}]}}),
            [("AT928", "/transform/derived_from/0/trajectory_id")],
            id="each-from-the-other",
        ),
    ],
)
def test_sources(new: Any, old: Any, expected: list[Any]) -> None:
    assert found(new, old, "derive") == expected


def test_derived_from_its_own_identity() -> None:
    new = merge_patch(made("redaction_of"), {"trajectory_id": OWN})
    assert ("AT928", "/transform/derived_from/0/trajectory_id") in found(new, OLD, "redaction")


@pytest.mark.parametrize("relation", RELATIONS)
def test_a_document_has_nothing_against_itself(relation: str) -> None:
    assert found(OLD, OLD, relation) == []
