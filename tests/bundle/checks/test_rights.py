"""AT801 to AT810: what is stated, what is granted, and what a derivation may grant."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.checks import rights
from attraj.bundle.checks.check import Asked, Check
from attraj.bundle.checks.rights import covers, right
from attraj.bundle.model import Bundle
from tests.bundle.checks.mangled import mangled
from tests.support import base_document, patched

FULL = base_document("attraj.bundle.checks", "full")
MINIMAL = base_document("attraj.bundle.checks", "minimal")
CHECKS = [value for value in vars(rights).values() if type(value) is Check]


def found(tree: Any, **asked: Any) -> list[tuple[str, str]]:
    """Code and pointer of what the family says, in document order of its checks."""
    bundle = Bundle(tree)
    return [
        (finding.code, finding.location.pointer)
        for check in CHECKS
        if not check.profile or bundle.claims(check.profile)
        for finding in check.run(bundle, Asked(**asked))
    ]


FAULTS = [
    pytest.param({"training": None}, [("AT801", "/rights")], id="a-use-not-stated"),
    pytest.param({"training": None, "retention": None}, [("AT801", "/rights")] * 2, id="two-uses-not-stated"),
    pytest.param({"training": "yes"}, [("AT802", "/rights/training")], id="a-truthy-string"),
    pytest.param({"training": "true"}, [("AT802", "/rights/training")], id="the-string-true"),
    pytest.param({"training": 1}, [("AT802", "/rights/training")], id="one"),
    pytest.param({"training": 0}, [("AT802", "/rights/training")], id="zero"),
    pytest.param({"training": {}}, [("AT802", "/rights/training")], id="an-object"),
    pytest.param({"training": {"$at": {"status": "unknown"}}}, [("AT802", "/rights/training")], id="a-marker"),
    pytest.param({"training": "Unknown"}, [("AT802", "/rights/training")], id="unknown-with-a-capital"),
    pytest.param({"collection": "maybe"}, [("AT802", "/rights/collection")], id="the-seventh-right"),
    pytest.param({"training": "unknown"}, [("AT803", "/rights/training")], id="unknown"),
    pytest.param({"collection": "unknown"}, [("AT803", "/rights/collection")], id="collection-unknown"),
    pytest.param({"training": True}, [("AT805", "/rights/training")], id="granted-without-the-profile"),
    pytest.param({"consent": "yes"}, [], id="a-member-that-is-no-right"),
    pytest.param({"training": False, "collection": True}, [], id="denied-and-granted"),
]


@pytest.mark.parametrize(("change", "expected"), FAULTS)
def test_states_each_use(change: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert expected == found(patched(MINIMAL, {"rights": change}))


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        pytest.param({}, [("AT801", "/rights")] * 6, id="an-empty-object"),
        pytest.param({"$at": {"status": "redacted"}}, [("AT801", "/rights")], id="withheld-as-a-whole"),
        pytest.param([], [], id="an-array-which-the-shape-tells"),
        pytest.param(None, [], id="null-which-the-shape-tells"),
        pytest.param(True, [], id="a-boolean-which-the-shape-tells"),
    ],
)
def test_rights_as_a_whole(stated: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == found({**MINIMAL, "rights": stated})


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(False, [("AT804", "/rights/training")], id="denied"),
        pytest.param("unknown", [("AT803", "/rights/training"), ("AT804", "/rights/training")], id="unknown"),
        pytest.param("yes", [("AT802", "/rights/training")], id="malformed-is-told-once"),
        pytest.param(True, [], id="granted"),
    ],
)
def test_a_bundle_for_training_grants_it(value: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == found(patched(FULL, {"rights": {"training": value}}))


def test_no_profile_at_all_is_told_elsewhere() -> None:
    assert [] == found(patched(MINIMAL, {"profiles": [], "rights": {"training": True}}))


SOURCE = "/transform/derived_from/0/rights"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param({"hosted_evaluation": True}, [("AT807", "/rights/hosted_evaluation")], id="true-from-false"),
        pytest.param(
            {"hosted_evaluation": "unknown"},
            [("AT803", "/rights/hosted_evaluation"), ("AT808", "/rights/hosted_evaluation")],
            id="unknown-from-false",
        ),
        pytest.param({"retention": "unknown"}, [("AT803", "/rights/retention")], id="unknown-from-true-is-narrower"),
        pytest.param({"retention": False}, [], id="false-from-true-is-narrower"),
        pytest.param({"collection": True}, [("AT807", "/rights/collection")], id="granted-where-the-source-is-silent"),
        pytest.param({"collection": False}, [], id="denied-where-the-source-is-silent"),
        pytest.param({"hosted_evaluation": "yes"}, [("AT802", "/rights/hosted_evaluation")], id="malformed"),
    ],
)
def test_no_right_is_wider_than_its_source(change: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert expected == found(patched(FULL, {"rights": change}))


@pytest.mark.parametrize(
    ("sources", "related"),
    [
        pytest.param(
            [{"rights": {"training": "unknown"}}], ["/transform/derived_from/0/rights/training"], id="unknown"
        ),
        pytest.param([{"rights": {"training": "yes"}}], ["/transform/derived_from/0/rights/training"], id="malformed"),
        pytest.param([{"rights": {}}], ["/transform/derived_from/0/rights"], id="not-stated"),
        pytest.param(
            [{"rights": {"training": True}}, {}, {"rights": {"training": False}}],
            ["/transform/derived_from/2/rights/training"],
            id="the-narrowest-of-several",
        ),
        pytest.param([{"rights": {"training": True}}], [], id="granted"),
        pytest.param([{}], [], id="a-source-whose-rights-stand-elsewhere"),
        pytest.param([5, None, {"rights": 5}], [], id="other-types"),
    ],
)
def test_names_the_sources_that_are_narrower(sources: Any, related: list[str]) -> None:
    tree = {"rights": {"training": True}, "transform": {"derived_from": sources}}
    findings = rights.against_sources.run(Bundle(tree))
    assert related == [place.pointer for finding in findings for place in finding.related]


PURPOSES = "/rights/details/training/purposes"


@pytest.mark.parametrize(
    ("purposes", "purpose", "expected"),
    [
        pytest.param(["replay", "rl"], "rl", [], id="listed"),
        pytest.param("rl", "rl", [], id="the-only-one"),
        pytest.param(["replay"], "rl", [("AT809", PURPOSES)], id="not-listed"),
        pytest.param("replay", "rl", [("AT809", PURPOSES)], id="another-one"),
        pytest.param("rl-and-more", "rl", [("AT809", PURPOSES)], id="part-of-a-word"),
        pytest.param([], "rl", [("AT809", PURPOSES)], id="none"),
        pytest.param({"$at": {"status": "redacted"}}, "rl", [("AT809", PURPOSES)], id="withheld"),
        pytest.param(5, "rl", [("AT809", PURPOSES)], id="of-another-type"),
        pytest.param(["replay"], "", [], id="nothing-asked"),
    ],
)
def test_a_purpose_must_be_covered(purposes: Any, purpose: str, expected: list[tuple[str, str]]) -> None:
    tree = patched(FULL, [{"op": "replace", "path": PURPOSES, "value": purposes}])
    assert expected == found(tree, purpose=purpose)


def test_purposes_that_nobody_restricts_are_covered() -> None:
    assert [] == found(patched(FULL, {"rights": {"details": None}}), purpose="rl")
    assert covers({}, "rl")


def test_a_purpose_is_not_covered_where_training_is_not_granted() -> None:
    assert [("AT809", "/rights/training")] == found(MINIMAL, purpose="rl")
    assert [("AT804", "/rights/training")] == found(patched(FULL, {"rights": {"training": False}}), purpose="rl")


UNTIL = "/rights/details/training/valid_until"


@pytest.mark.parametrize(
    ("until", "now", "expected"),
    [
        pytest.param("2031-12-31T00:00:00Z", "2032-01-01T00:00:00Z", [("AT810", UNTIL)], id="passed"),
        pytest.param("2031-12-31T00:00:00Z", "2031-12-31T00:00:00Z", [], id="at-the-very-end"),
        pytest.param("2031-12-31T00:00:00+02:00", "2031-12-30T23:00:00Z", [("AT810", UNTIL)], id="passed-in-its-zone"),
        pytest.param("2031-12-31T00:00:00Z", "2031-01-01T00:00:00Z", [], id="still-valid"),
        pytest.param("2031-12-31T00:00:00Z", "", [], id="no-time-given"),
        pytest.param("last year", "2032-01-01T00:00:00Z", [], id="no-timestamp-which-the-shape-tells"),
        pytest.param({"$at": {}}, "2032-01-01T00:00:00Z", [], id="withheld"),
    ],
)
def test_a_grant_has_not_ended(until: Any, now: str, expected: list[tuple[str, str]]) -> None:
    tree = patched(FULL, [{"op": "add", "path": UNTIL, "value": until}])
    assert expected == found(tree, now=now)


def test_an_end_of_a_use_that_is_not_granted_does_not_matter() -> None:
    details = {"details": {"hosted_evaluation": {"valid_until": "2000-01-01T00:00:00Z"}}}
    assert [] == found(patched(MINIMAL, {"rights": details}), now="2032-01-01T00:00:00Z")


@pytest.mark.parametrize("value", [None, "yes", "true", 1, 0, [], {}, {"$at": {"status": "unknown"}}])
def test_only_a_literal_grant_reads_as_granted(value: Any) -> None:
    assert (True, False, "unknown", "unknown") == (
        right({"training": True}, "training"),
        right({"training": False}, "training"),
        right({}, "training"),
        right({"training": value}, "training"),
    )


def test_any_type_anywhere_is_taken() -> None:
    for tree in mangled(FULL, "rights", "transform", "profiles"):
        found(tree, now="2032-01-01T00:00:00Z", purpose="rl")
