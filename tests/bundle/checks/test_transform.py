"""AT836, AT921 to AT924, AT928: what was done to the data, and to what."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.checks import transform
from attraj.bundle.checks.check import Check
from attraj.bundle.model import Bundle
from tests.bundle.checks.mangled import mangled
from tests.bundle.checks.reported import add, full, minimal, remove, replace, reported

MARKER = {"$at": {"status": "redacted", "reason": "policy"}}
STEP = {"operation": "conversion", "implementation": "example", "version": "1"}
UNNAMED = {"source": {"authority_domain": None, "authority_revision": None}}


def made(**members: Any) -> Any:
    return minimal({"transform": members})


def lossy(**loss: Any) -> Any:
    return made(lossy=[{"category": "identity", "handling": "dropped"} | loss])


LOSSES = [
    pytest.param(made(operations=["conversion"]), [("AT836", "/transform")], id="a-conversion"),
    pytest.param(made(steps=[STEP]), [("AT836", "/transform")], id="a-step-of-conversion"),
    pytest.param(made(steps=[STEP | {"operation": "export"}]), [("AT836", "/transform")], id="a-step-of-export"),
    pytest.param(
        made(derived_from=[{"source_artifact": "log", "relation": "conversion_of"}]),
        [("AT836", "/transform")],
        id="a-source-that-was-converted",
    ),
    pytest.param(made(operations=["conversion"], lossy=[]), [], id="nothing-was-lost"),
    pytest.param(made(operations=["export"]), [], id="an-authority-writes-its-own-history"),
    pytest.param(made(operations=["selection"]), [], id="no-mapping"),
    pytest.param(lossy(), [], id="our-words"),
    pytest.param(lossy(handling="discarded"), [], id="an-older-word-for-the-handling"),
    pytest.param(made(lossy=[{"class": "span_vs_node", "handling": "discarded"}]), [], id="the-older-words"),
    pytest.param(lossy(category="stuff"), [("AT836", "/transform/lossy/0")], id="an-unknown-category"),
    pytest.param(lossy(category=None), [("AT836", "/transform/lossy/0")], id="no-category"),
    pytest.param(lossy(handling="lost"), [("AT836", "/transform/lossy/0")], id="an-unknown-handling"),
    pytest.param(made(lossy=[{}]), [("AT836", "/transform/lossy/0")] * 2, id="an-empty-entry"),
    pytest.param(made(lossy=[MARKER, "x"]), [], id="other-types"),
]


@pytest.mark.parametrize(("tree", "expected"), LOSSES)
def test_losses(tree: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == reported(tree, "AT836")


SOURCES = [
    pytest.param(
        minimal(UNNAMED, {"transform": {"operations": ["selection"]}}), [("AT921", "/transform")], id="neither"
    ),
    pytest.param(
        minimal(UNNAMED, {"transform": {"steps": [STEP | {"operation": "redaction"}]}}),
        [("AT921", "/transform")],
        id="by-step",
    ),
    pytest.param(minimal(UNNAMED, {"transform": {"operations": ["export"]}}), [], id="an-export-derives-from-nothing"),
    pytest.param(minimal(UNNAMED, {"transform": {"operations": ["magic"]}}), [], id="an-unknown-operation-is-AT923"),
    pytest.param(made(operations=["selection"]), [], id="an-authority"),
    pytest.param(
        minimal(
            UNNAMED, {"source": {"artifacts": [{"artifact_id": "log"}]}, "transform": {"operations": ["conversion"]}}
        ),
        [],
        id="an-artifact",
    ),
    pytest.param(
        minimal(UNNAMED, {"transform": {"operations": ["selection"], "derived_from": [{"trajectory_id": "t"}]}}),
        [],
        id="a-source",
    ),
    pytest.param(
        made(derived_from=[{"relation": "selection_of"}]), [("AT921", "/transform/derived_from/0")], id="unnamed"
    ),
    pytest.param(
        made(derived_from=[{"relation": "selection_of", "availability": "redacted", "reason": "policy"}]),
        [],
        id="withheld",
    ),
    pytest.param(made(derived_from=[{"trajectory_id": MARKER}]), [], id="its-name-withheld"),
    pytest.param(made(derived_from=[MARKER]), [], id="withheld-as-a-whole"),
]


@pytest.mark.parametrize(("tree", "expected"), SOURCES)
def test_sources(tree: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == reported(tree, "AT921")


TRANSFORMERS = [
    pytest.param(remove("/transform/exporter"), [("AT922", "/transform")], id="no-exporter"),
    pytest.param(replace("/transform/exporter", ""), [("AT922", "/transform")], id="an-empty-exporter"),
    pytest.param(replace("/transform", {"steps": [STEP]}), [], id="steps-stand-for-it"),
    pytest.param(replace("/transform/exporter", "tool"), [], id="the-version-stands-in-the-source"),
    pytest.param(replace("/transform/exporter", MARKER), [], id="withheld"),
    pytest.param(replace("/transform/exporter", None), [], id="null-is-the-matter-of-AT102"),
    pytest.param(
        add("/transform/steps", [{"operation": "selection"}, STEP]), [("AT922", "/transform/steps/0")], id="a-bare-step"
    ),
    pytest.param(
        add("/transform/steps", [STEP | {"version": ""}]), [("AT922", "/transform/steps/0")], id="an-empty-version"
    ),
    pytest.param(add("/transform/steps", [MARKER, "x"]), [], id="other-types"),
]


@pytest.mark.parametrize(("change", "expected"), TRANSFORMERS)
def test_transformers(change: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == reported(minimal(change), "AT922")


def test_an_exporter_without_any_version() -> None:
    tree = minimal({"source": {"exporter_version": None}, "transform": {"exporter": "tool"}})
    assert [("AT922", "/transform/exporter")] == reported(tree, "AT922")


OPERATIONS = [
    pytest.param(made(operations=["export", "magic"]), [("AT923", "/transform/operations/1")], id="unknown"),
    pytest.param(
        made(steps=[STEP | {"operation": "magic"}]), [("AT923", "/transform/steps/0/operation")], id="of-a-step"
    ),
    pytest.param(
        made(operations=["magic"], steps=[STEP | {"operation": "magic"}]),
        [("AT923", "/transform/operations/0")],
        id="once",
    ),
    pytest.param(made(operations=["export", 5]), [], id="a-number-is-the-matter-of-AT109"),
    pytest.param(made(operations=["time_coarsening", "id_renaming"]), [], id="known"),
]


@pytest.mark.parametrize(("tree", "expected"), OPERATIONS)
def test_operations(tree: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == reported(tree, "AT923")


def derived(completeness: str, own: str = "complete", **members: Any) -> Any:
    source = {"trajectory_id": "t", "relation": "selection_of", "completeness": completeness, **members}
    return minimal({"completeness": {"status": own}, "transform": {"derived_from": [source]}})


UPGRADES = [
    pytest.param(derived("open"), True, id="from-open"),
    pytest.param(derived("partial"), True, id="from-partial"),
    pytest.param(derived("complete"), False, id="from-complete"),
    pytest.param(derived("open", "partial"), False, id="to-partial"),
    pytest.param(derived("open", relation="revision_of"), False, id="a-revision-may-close"),
    pytest.param(derived("unknown"), False, id="not-known"),
]


@pytest.mark.parametrize(("tree", "expected"), UPGRADES)
def test_upgrades(tree: Any, expected: bool) -> None:
    assert ([("AT924", "/completeness/status")] if expected else []) == reported(tree, "AT924")


ITSELF = [
    pytest.param(derived("complete", trajectory_id="at:example:attempt-one"), True, id="itself"),
    pytest.param(derived("complete"), False, id="another"),
    pytest.param(derived("complete", trajectory_id="") | {"trajectory_id": ""}, False, id="no-identity"),
]


@pytest.mark.parametrize(("tree", "expected"), ITSELF)
def test_self_derivation(tree: Any, expected: bool) -> None:
    places = [("AT928", "/transform/derived_from/0/trajectory_id")] if expected else []
    assert places == reported(tree, "AT928")


def test_no_type_of_any_member_stops_the_checks() -> None:
    checks = [value for value in vars(transform).values() if type(value) is Check]
    for tree in mangled(
        full({"transform": {"lossy": [{"class": "other"}]}}), "trajectory_id", "completeness", "transform"
    ):
        for check in checks:
            check.run(Bundle(tree))
