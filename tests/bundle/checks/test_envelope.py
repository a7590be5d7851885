"""AT103 to AT107, AT112 to AT120, AT124: version, profiles, extensions, source, scope."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.checks import envelope
from attraj.bundle.checks.check import Check
from attraj.bundle.model import Bundle
from attraj.bundle.vocabulary import KNOWN_EXTENSIONS
from attraj.findings import Stratum
from tests.bundle.checks.mangled import mangled
from tests.bundle.checks.reported import add, findings, full, minimal, remove, replace, reported

MARKER = {"$at": {"status": "redacted", "reason": "policy"}}

VERSIONS = [
    pytest.param(remove("/spec_version"), [("AT103", "")], id="missing"),
    pytest.param(replace("/spec_version", 0.1), [("AT103", "/spec_version")], id="a-number"),
    pytest.param(replace("/spec_version", None), [("AT103", "/spec_version")], id="null"),
    pytest.param(replace("/spec_version", MARKER), [("AT103", "/spec_version")], id="withheld"),
    pytest.param(replace("/spec_version", "0.2"), [("AT104", "/spec_version")], id="unsupported"),
    pytest.param(replace("/spec_version", "0.1 "), [("AT104", "/spec_version")], id="with-a-space"),
    pytest.param(replace("/spec_version", ""), [("AT104", "/spec_version")], id="empty"),
    pytest.param([], [], id="supported"),
]


@pytest.mark.parametrize(("change", "expected"), VERSIONS)
def test_version(change: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == reported(minimal(change), "AT103", "AT104", "AT101", "AT109")


PROFILES = [
    pytest.param([], [("AT105", "/profiles")], id="empty"),
    pytest.param(["AT-Core", "AT-Core"], [("AT105", "/profiles/1")], id="twice"),
    pytest.param(["AT-Core"] * 3, [("AT105", "/profiles/1"), ("AT105", "/profiles/2")], id="three-times"),
    pytest.param(["AT-Core", "AT-Audit"], [("AT106", "/profiles/1")], id="unknown"),
    pytest.param(["at-core"], [("AT106", "/profiles/0")], id="in-small-letters"),
    pytest.param(["AT-Audit", "AT-Audit"], [("AT106", "/profiles/0"), ("AT105", "/profiles/1")], id="unknown-twice"),
    pytest.param(["AT-Evaluation"], [("AT107", "/profiles")], id="core-implied"),
    pytest.param(["AT-Training", "AT-Core"], [], id="in-any-order"),
    pytest.param(["AT-Core", 5, None], [], id="other-types-are-the-matter-of-AT109"),
    pytest.param("AT-Core", [], id="a-text-is-the-matter-of-AT102"),
]


@pytest.mark.parametrize(("profiles", "expected"), PROFILES)
def test_profiles(profiles: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == reported(minimal(replace("/profiles", profiles)), "AT105", "AT106", "AT107")


@pytest.mark.parametrize("code", ["AT104", "AT106", "AT114"])
def test_what_the_specification_rejects_is_rejected_at_every_level(code: str) -> None:
    rule = next(value for value in vars(envelope).values() if getattr(value, "code", "") == code)
    assert (True, Stratum.SHAPE) == (rule.rejects, rule.stratum)


EXTENSIONS = [
    pytest.param({"foo": {}}, [("AT112", "/extensions/foo")], id="no-namespace"),
    pytest.param({"": {}}, [("AT112", "/extensions/")], id="no-name"),
    pytest.param({"foo.": {}}, [("AT112", "/extensions/foo.")], id="an-empty-part"),
    pytest.param({"nodes": {}}, [("AT113", "/extensions/nodes")], id="the-name-of-a-core-member"),
    pytest.param(
        {"org.example.x": {"required": False, "members": ["rights", "mood"]}},
        [("AT115", "/extensions/org.example.x"), ("AT113", "/extensions/org.example.x/members/0")],
        id="declares-a-core-member",
    ),
    pytest.param({"org.example.x": {"required": True}}, [("AT114", "/extensions/org.example.x")], id="required"),
    pytest.param(
        {"foo": {"required": True}},
        [("AT112", "/extensions/foo"), ("AT114", "/extensions/foo")],
        id="required-without-namespace",
    ),
    pytest.param(
        {"org.example.x": {"required": "true"}},
        [("AT102", "/extensions/org.example.x/required")],
        id="required-no-flag",
    ),
    pytest.param({"org.example.y": {}}, [("AT115", "/extensions/org.example.y")], id="optional"),
    pytest.param({"org.example.y": "text"}, [("AT115", "/extensions/org.example.y")], id="no-object"),
    pytest.param({"urn:example:y": {}}, [("AT115", "/extensions/urn:example:y")], id="a-urn"),
    pytest.param({"https://example.org/y": {}}, [("AT115", "/extensions/https:~1~1example.org~1y")], id="a-uri"),
    pytest.param({name: {"required": True, "data": {}} for name in KNOWN_EXTENSIONS}, [], id="our-own"),
    pytest.param(
        {"org.example.y": {"source": "a private member"}}, [("AT115", "/extensions/org.example.y")], id="private"
    ),
]


@pytest.mark.parametrize(("extensions", "expected"), EXTENSIONS)
def test_extensions(extensions: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == reported(minimal({"extensions": extensions}), "AT112", "AT113", "AT114", "AT115", "AT102")


SOURCES = [
    pytest.param(remove("/source/implementation"), [("AT117", "/source")], id="no-implementation"),
    pytest.param(remove("/source/exporter_version"), [("AT117", "/source")], id="no-exporter-version"),
    pytest.param(replace("/source", {}), [("AT117", "/source"), ("AT117", "/source")], id="neither"),
    pytest.param(
        replace("/source/implementation", ""), [("AT117", "/source/implementation")], id="an-empty-implementation"
    ),
    pytest.param(replace("/source/implementation", MARKER), [], id="withheld"),
    pytest.param(replace("/source", MARKER), [], id="withheld-as-a-whole"),
    pytest.param(remove("/source"), [], id="missing-is-the-matter-of-AT101"),
    pytest.param(replace("/source/implementation", None), [], id="null-is-the-matter-of-AT102"),
]


@pytest.mark.parametrize(("change", "expected"), SOURCES)
def test_producer(change: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == reported(minimal(change), "AT117")


def source(**members: Any) -> dict[str, Any]:
    return {"source": dict.fromkeys(("authority_domain", "authority_revision")) | members}


ANCHORS = [
    pytest.param(minimal(source()), True, id="an-event-history-without-either"),
    pytest.param(minimal(source(authority_domain="context:example")), True, id="no-revision"),
    pytest.param(minimal(source(authority_revision="41")), True, id="no-domain"),
    pytest.param(minimal(source(authority_revision="@41")), True, id="an-empty-domain"),
    pytest.param(
        minimal(source(authority_revision="context:example@41")), False, id="a-revision-that-names-the-domain"
    ),
    pytest.param(minimal(source(authority_domain="context:example", last_sequence=41)), False, id="a-cursor"),
    pytest.param(minimal(source(authority_domain=MARKER, authority_revision=MARKER)), False, id="withheld"),
    pytest.param(minimal(source(format="chat log")), False, id="converted-from-a-file"),
    pytest.param(minimal(source(), {"transform": {"operations": ["conversion"]}}), False, id="by-an-operation"),
    pytest.param(
        minimal(source(), {"transform": {"derived_from": [{"source_artifact": "log", "relation": "conversion_of"}]}}),
        False,
        id="by-its-source",
    ),
    pytest.param(
        minimal(source(), remove("/nodes/0/source_event_id"), remove("/nodes/1/source_event_id")), False, id="no-events"
    ),
]


@pytest.mark.parametrize(("tree", "expected"), ANCHORS)
def test_anchor(tree: Any, expected: bool) -> None:
    assert ([("AT118", "/source")] if expected else []) == reported(tree, "AT118")


UNBOUNDED = [remove("/scope/event_count"), remove("/scope/attempt_ids")]
SCOPES = [
    pytest.param([remove("/scope/selection")], [("AT119", "/scope")], id="no-selection"),
    pytest.param([replace("/scope/selection", "")], [("AT119", "/scope/selection")], id="an-empty-selection"),
    pytest.param([replace("/scope/selection", {})], [("AT119", "/scope/selection")], id="an-object-without-rule"),
    pytest.param(
        [replace("/scope/selection", {"parameters": {}})], [("AT119", "/scope/selection")], id="parameters-alone"
    ),
    pytest.param([replace("/scope/selection", {"rule": "all"})], [], id="a-rule"),
    pytest.param([replace("/scope/selection", MARKER)], [], id="a-rule-withheld"),
    pytest.param(UNBOUNDED, [("AT124", "/scope")], id="no-boundary"),
    pytest.param([*UNBOUNDED, add("/scope/boundary", {})], [("AT124", "/scope")], id="an-empty-boundary"),
    pytest.param([*UNBOUNDED, add("/scope/boundary", {"kind": "time"})], [("AT124", "/scope")], id="a-kind-alone"),
    pytest.param([*UNBOUNDED, add("/scope/boundary", {"from": "node:ask"})], [], id="a-beginning"),
    pytest.param([*UNBOUNDED, add("/scope/boundary", MARKER)], [], id="a-boundary-withheld"),
    pytest.param([*UNBOUNDED, add("/scope/session_ids", [])], [("AT124", "/scope")], id="an-empty-list"),
    pytest.param([*UNBOUNDED, add("/scope/session_id", "session:one")], [], id="one-session"),
    pytest.param([*UNBOUNDED, add("/source/last_sequence", 4)], [], id="a-range-of-sequence-numbers"),
    pytest.param([*UNBOUNDED, add("/scope/event_count", 0)], [], id="no-events-at-all"),
    pytest.param([replace("/scope", MARKER)], [], id="withheld-as-a-whole"),
]


@pytest.mark.parametrize(("changes", "expected"), SCOPES)
def test_scope(changes: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == reported(minimal(*changes), "AT119", "AT124")


ABSENCES = [
    pytest.param(minimal(), [], id="explained"),
    pytest.param(minimal(remove("/disclosure/absences/outcomes")), [("AT120", "/outcomes")], id="one-not-explained"),
    pytest.param(
        minimal(remove("/disclosure/absences")),
        [("AT120", "/outcomes"), ("AT120", "/reward_records"), ("AT120", "/verifier_results")],
        id="none-explained",
    ),
    pytest.param(minimal(replace("/disclosure/absences/outcomes", MARKER)), [], id="the-reason-withheld"),
    pytest.param(full(), [], id="not-empty"),
    pytest.param(minimal(remove("/outcomes"), remove("/disclosure/absences/outcomes")), [], id="missing-is-AT101"),
]


@pytest.mark.parametrize(("tree", "expected"), ABSENCES)
def test_absences(tree: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == reported(tree, "AT120")


def test_a_second_claim_points_to_the_first() -> None:
    (finding,) = findings(minimal(replace("/profiles", ["AT-Core", "AT-Core"])), "AT105")
    assert ["/profiles/0"] == [related.pointer for related in finding.related]


def test_no_type_of_any_member_stops_the_checks() -> None:
    checks = [value for value in vars(envelope).values() if type(value) is Check]
    for tree in mangled(full(), "spec_version", "profiles", "source", "scope", "extensions", "disclosure", "transform"):
        for check in checks:
            check.run(Bundle(tree))
