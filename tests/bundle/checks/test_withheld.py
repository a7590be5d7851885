"""AT702-AT704, AT709, AT713: markers and placeholders."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.checks import withheld
from tests.bundle.checks.families import FULL, added, changed, findings, found, removed, replaced
from tests.bundle.checks.mangled import mangled

TEXT = "/nodes/0/payload/text"
SEEN = "/nodes/4/observation"
DIGEST = "sha256:" + "ab" * 32


def marker(**body: Any) -> dict[str, Any]:
    return {"$at": {"status": "redacted", "class": "secret", "reason": "r", **body}}


def listed(target: str, pointer: str) -> list[dict[str, Any]]:
    return added("/disclosure/redactions/-", {"target": target, "pointer": pointer, "status": "redacted"})


BAD = [
    pytest.param(replaced(TEXT, {"$at": {"status": "gone"}}), [("AT702", f"{TEXT}/$at/status")], id="bad-status"),
    pytest.param(replaced(TEXT, {"$at": {"reason": "r"}}), [("AT702", TEXT)], id="no-status"),
    pytest.param(added(f"{TEXT}/note", "x"), [("AT702", TEXT)], id="members-beside"),
    pytest.param(replaced(SEEN, "[REDACTED]"), [("AT703", SEEN)], id="placeholder"),
    pytest.param(
        replaced(SEEN, {"key": "***", "note": "<API_TOKEN_2>"}),
        [("AT703", f"{SEEN}/key"), ("AT703", f"{SEEN}/note")],
        id="two",
    ),
    pytest.param(replaced("/disclosure/redactions", []), [("AT704", TEXT)], id="not-listed"),
    pytest.param(replaced(SEEN, marker()), [("AT704", SEEN)], id="another-not-listed"),
    pytest.param(
        [*replaced(SEEN, marker()), *listed("node:note", "/observation")], [("AT704", SEEN)], id="listed-elsewhere"
    ),
    pytest.param(
        [
            *replaced("/transform/operations", ["selection"]),
            *removed("/transform/steps/1"),
            *removed("/transform/derived_from"),
        ],
        [("AT704", "/transform/operations")],
        id="no-operation",
    ),
    pytest.param(added(f"{TEXT}/$at/digest", "sha256:00"), [("AT709", f"{TEXT}/$at/digest")], id="digest-in-a-marker"),
    pytest.param(added(f"{TEXT}/$at/alias", DIGEST), [("AT709", f"{TEXT}/$at/alias")], id="digest-as-alias"),
    pytest.param(
        added("/transform/derived_from/0/digest", {"algorithm": "sha256", "value": "00"}),
        [("AT709", "/transform/derived_from/0/digest")],
        id="digest-of-the-unredacted-source",
    ),
    pytest.param(
        added("/source/artifacts", [{"artifact_id": "a", "digest": DIGEST}]),
        [("AT709", "/source/artifacts/0/digest")],
        id="digest-of-the-file-it-was-read-from",
    ),
    pytest.param(
        added("/states/0/availability", "redacted"), [("AT709", "/states/0/digest")], id="digest-of-a-withheld-state"
    ),
    pytest.param(
        added("/nodes/1/model_call/request_artifact/digest", DIGEST),
        [("AT709", "/nodes/1/model_call/request_artifact/digest")],
        id="digest-of-a-withheld-request",
    ),
    pytest.param(
        added("/bindings/sandboxes/0/digest", DIGEST), [("AT709", "/bindings/sandboxes/0/digest")], id="of-a-binding"
    ),
    pytest.param(
        added(
            "/nodes/6/external_parents/0", {"relation": "caused_by", "source_id": DIGEST, "availability": "redacted"}
        ),
        [("AT709", "/nodes/6/external_parents/0/source_id")],
        id="redacted-parent-named-by-a-digest",
    ),
    pytest.param(
        [*replaced("/nodes/0/node_id", DIGEST), *replaced("/disclosure/redactions/0/target", DIGEST)],
        [("AT709", "/nodes/0/node_id")],
        id="the-record's-id-is-a-digest",
    ),
    pytest.param(replaced(SEEN, {"$at": "06:00"}), [("AT713", SEEN)], id="source-data-like-a-marker"),
    pytest.param(replaced(SEEN, {"$at": {"lat": 1}}), [("AT713", SEEN)], id="source-object-like-a-marker"),
]


@pytest.mark.parametrize("raw", [False, True], ids=["tree-alone", "with-bytes"])
@pytest.mark.parametrize(("patch", "expected"), BAD)
def test_reports_each_fault_once(patch: Any, expected: list[tuple[str, str]], raw: bool) -> None:
    assert expected == found(changed(patch), withheld, raw=raw)


LITERAL = {"$at": {"status": "literal", "value": {"$at": {"status": "gone"}}}}
SILENT = [
    pytest.param([], id="the-full-example"),
    pytest.param(replaced("/nodes/4/source_event_id", "<API_TOKEN_1>"), id="an-id-that-held-a-secret"),
    pytest.param(added(f"{TEXT}/$at/alias", "<USER_1>"), id="the-alias-of-a-marker"),
    pytest.param(replaced(SEEN, LITERAL), id="escaped-source-data"),
    pytest.param(replaced(SEEN, "the key is [REDACTED] here"), id="placeholder-inside-a-text"),
    pytest.param(replaced(SEEN, {"$at": "06:00", "pier": "east"}), id="source-data-with-more-members"),
    *(
        pytest.param(replaced(SEEN, {"$at": {"status": word}}), id=word)
        for word in ("unavailable", "unknown", "not_applicable", "truncated")
    ),
    pytest.param([*replaced(SEEN, marker()), *listed("node:level", "/observation")], id="listed-by-node"),
    pytest.param([*replaced(SEEN, marker()), *listed("event:34", "/observation")], id="listed-by-source-event"),
    pytest.param([*replaced(SEEN, {"a": [marker()]}), *listed("node:level", "/observation/a")], id="listed-above"),
    pytest.param([*replaced(SEEN, {"a": [marker()]}), *listed("node:level", "")], id="whole-record-listed"),
    pytest.param([*replaced(SEEN, marker()), *listed("", SEEN)], id="listed-by-document-pointer"),
    pytest.param(
        [*replaced("/scope/termination/reason", marker()), *listed(FULL["trajectory_id"], "/scope/termination/reason")],
        id="listed-by-trajectory",
    ),
    pytest.param(
        [*replaced(SEEN, {"$at": {"status": "omitted"}}), *listed("node:level", "/observation")],
        id="omitted-and-listed",
    ),
    pytest.param(added("/transform/derived_from/0/commitment", DIGEST), id="a-commitment-is-no-digest"),
    pytest.param(
        [
            *added("/transform/derived_from/0/digest", DIGEST),
            *replaced("/transform/derived_from/0/relation", "selection_of"),
        ],
        id="digest-of-a-source-that-was-redacted-already",
    ),
    pytest.param(
        [*added("/transform/derived_from/0/digest", DIGEST), *replaced(f"{TEXT}/$at/class", "infrastructure")],
        id="nothing-that-can-be-guessed",
    ),
]


@pytest.mark.parametrize("raw", [False, True], ids=["tree-alone", "with-bytes"])
@pytest.mark.parametrize("patch", SILENT)
def test_is_silent(patch: Any, raw: bool) -> None:
    assert [] == found(changed(patch), withheld, raw=raw)


@pytest.mark.parametrize(
    ("path", "severity"),
    [
        ("observation", "info"),
        ("nodes[4].observation", "info"),
        ("/nodes/4/observation", "info"),
        ("nodes.*.observation", "info"),
        ("payload.text", "warning"),
        ("observation.key", "warning"),
    ],
)
def test_a_declared_placeholder_weighs_less(path: str, severity: str) -> None:
    tree = changed([*replaced(SEEN, "[REDACTED]"), *replaced("/disclosure/redacted_fields", [path])])
    assert [("AT703", severity)] == [(f.code, str(f.severity)) for f in findings(tree, withheld)]


def test_a_listed_placeholder_weighs_less() -> None:
    tree = changed([*replaced(SEEN, "[REDACTED]"), *listed("node:level", "/observation")])
    assert ["info"] == [str(f.severity) for f in findings(tree, withheld)]


def test_a_placeholder_for_a_whole_record_is_told() -> None:
    assert [("AT703", "/states/0")] == [
        (f.code, f.location.pointer)
        for f in findings(changed(replaced("/states/0", "[REDACTED]")), withheld)
        if f.code == "AT703"
    ]


def test_an_unknown_class_leaves_the_status_readable() -> None:
    reported = findings(changed(replaced(f"{TEXT}/$at/class", "pii")), withheld)
    assert [("AT702", "warning")] == [(f.code, str(f.severity)) for f in reported]


def test_no_type_in_any_place_breaks_a_check() -> None:
    for tree in mangled(FULL, "disclosure", "transform", "source", "bindings", "states", "nodes"):
        findings(tree, withheld)
