"""AT901 to AT907: how whole the bundle says that it is, against what it shows."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.checks import completeness
from attraj.bundle.checks.check import Check
from attraj.bundle.model import Bundle
from tests.bundle.checks.mangled import mangled
from tests.bundle.checks.reported import add, findings, full, minimal, remove, replace, reported

STATUS = "/completeness/status"
MARKER = {"$at": {"status": "redacted", "reason": "policy"}}


def complete(*changes: Any) -> Any:
    """A small Bundle that is complete, and has an end."""
    return minimal(
        {"completeness": {"status": "complete", "reason": None}, "scope": {"termination": {"reason": "answered"}}},
        *changes,
    )


STATEMENTS = [
    pytest.param({"status": "done"}, [("AT901", STATUS)], id="another-word"),
    pytest.param({"status": "Complete"}, [("AT901", STATUS)], id="a-capital"),
    pytest.param({"status": ""}, [("AT901", STATUS)], id="an-empty-word"),
    pytest.param({}, [("AT901", "/completeness")], id="no-status"),
    pytest.param({"status": "partial"}, [("AT902", "/completeness")], id="partial-without-reason"),
    pytest.param({"status": "open"}, [("AT902", "/completeness")], id="open-without-reason"),
    pytest.param({"status": "open", "reason": ""}, [("AT902", "/completeness")], id="an-empty-reason"),
    pytest.param({"status": "partial", "material_omissions": []}, [("AT902", "/completeness")], id="no-omissions"),
    pytest.param({"status": "partial", "material_omissions": ["a log"]}, [], id="an-omission"),
    pytest.param({"status": "partial", "reason": MARKER}, [], id="the-reason-withheld"),
    pytest.param({"status": "complete"}, [], id="complete-needs-no-reason"),
    pytest.param({"status": True}, [], id="a-flag-is-the-matter-of-AT109"),
    pytest.param(MARKER, [], id="withheld-as-a-whole"),
    pytest.param("complete", [], id="a-text-is-the-matter-of-AT102"),
]


@pytest.mark.parametrize(("stated", "expected"), STATEMENTS)
def test_statement(stated: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == reported(minimal(replace("/completeness", stated)), "AT901", "AT902")


OMISSIONS = [
    pytest.param(add("/completeness/material_omissions", ["a log"]), "/completeness/material_omissions/0", id="a-text"),
    pytest.param(
        add("/completeness/material_omissions", [{"class": "tool_output"}]),
        "/completeness/material_omissions/0",
        id="an-omission",
    ),
    pytest.param(replace("/disclosure/user_content", "redacted"), "/disclosure/user_content", id="user-content"),
    pytest.param(replace("/disclosure/raw_event_payloads", "omitted"), "/disclosure/raw_event_payloads", id="payloads"),
    pytest.param(add("/disclosure/redactions", [{"target": "node:ask"}]), "/disclosure/redactions", id="redactions"),
    pytest.param(add("/disclosure/redacted_fields", ["payload.text"]), "/disclosure/redacted_fields", id="fields"),
    pytest.param(
        add("/states/-", {"state_id": "s", "availability": "redacted", "reason": "x"}),
        "/states/0/availability",
        id="a-state",
    ),
    pytest.param(replace("/nodes/0/payload/text", MARKER), "/nodes/0/payload/text", id="a-marker"),
    pytest.param(
        replace("/nodes/0/payload/text", {"$at": {"status": "truncated"}}),
        "/nodes/0/payload/text",
        id="a-text-that-was-cut",
    ),
]


@pytest.mark.parametrize(("change", "place"), OMISSIONS)
def test_complete_with_omissions(change: Any, place: str) -> None:
    (finding,) = findings(complete(change), "AT903")
    assert (STATUS, [place]) == (finding.location.pointer, [related.pointer for related in finding.related])
    assert [] == reported(minimal(change), "AT903")


NO_OMISSIONS = [
    pytest.param(
        add("/completeness/material_omissions", [{"class": "unavailable", "reason": "x"}]),
        id="what-the-source-never-had",
    ),
    pytest.param(replace("/disclosure/private_reasoning", "omitted"), id="private-reasoning-is-never-asked-for"),
    pytest.param(replace("/nodes/0/payload/text", {"$at": {"status": "unavailable"}}), id="a-value-that-never-was"),
    pytest.param(replace("/nodes/0/payload/text", ""), id="an-empty-text"),
    pytest.param(
        replace("/disclosure/raw_event_payloads", "included_with_secret_redaction"), id="a-policy-without-effect"
    ),
]


@pytest.mark.parametrize("change", NO_OMISSIONS)
def test_complete_without_omissions(change: Any) -> None:
    assert [] == reported(complete(change), "AT903")


UNAVAILABLE = add("/states/-", {"state_id": "s", "availability": "unavailable", "reason": "no snapshot"})


def declared(**members: Any) -> Any:
    return add("/completeness/material_omissions", [{"class": "unavailable", "reason": "x", **members}])


GAPS = [
    pytest.param([UNAVAILABLE], [("/states/0/availability", [])], id="an-unavailable-state"),
    pytest.param(
        [add("/states/-", {"state_id": "s", "availability": "unknown", "reason": "x"})],
        [("/states/0/availability", [])],
        id="an-unknown-state",
    ),
    pytest.param([UNAVAILABLE, declared(refs=["s"])], [], id="declared-by-name"),
    pytest.param([UNAVAILABLE, declared()], [], id="declared-as-a-class"),
    pytest.param([UNAVAILABLE, declared(refs=["other"])], [("/states/0/availability", [])], id="another-one-declared"),
    pytest.param(
        [add("/nodes/1/state_after", "s")], [(STATUS, ["/nodes/1/state_after"])], id="a-state-that-is-not-there"
    ),
    pytest.param(
        [add("/nodes/1/read_set", ["x"])], [(STATUS, ["/nodes/1/read_set/0"])], id="evidence-that-is-not-there"
    ),
    pytest.param([remove("/edges/0")], [(STATUS, ["/nodes/1"])], id="undeclared-parents"),
    pytest.param(
        [remove("/edges/0"), add("/nodes/1/read_set", ["x"])],
        [(STATUS, ["/nodes/1/read_set/0"]), (STATUS, ["/nodes/1"])],
        id="two-kinds-of-gaps",
    ),
    pytest.param([], [], id="none"),
]


@pytest.mark.parametrize(("changes", "expected"), GAPS)
def test_complete_with_gaps(changes: Any, expected: list[tuple[str, list[str]]]) -> None:
    found = findings(complete(*changes), "AT904")
    assert expected == [(f.location.pointer, [related.pointer for related in f.related]) for f in found]
    assert [] == reported(minimal(*changes), "AT904")


def test_many_gaps_are_one_finding_that_lists_a_few() -> None:
    (finding,) = findings(complete(add("/nodes/1/read_set", ["x"] * 30)), "AT904")
    assert (10, True) == (len(finding.related), "10 places of 30" in finding.message)


ENDS = [
    pytest.param(complete(), [], id="a-termination"),
    pytest.param(complete(remove("/scope/termination")), [("AT906", STATUS)], id="no-end"),
    pytest.param(complete(replace("/scope/termination", {})), [("AT906", STATUS)], id="an-empty-termination"),
    pytest.param(
        complete(remove("/scope/termination"), replace("/nodes/1/kind", "terminal")), [], id="a-terminal-node"
    ),
    pytest.param(
        complete(remove("/scope/termination"), add("/outcomes/-", {"outcome_id": "o", "terminal": True})),
        [],
        id="a-terminal-outcome",
    ),
    pytest.param(
        complete(remove("/scope/termination"), add("/outcomes/-", {"outcome_id": "o", "terminal": "yes"})),
        [("AT906", STATUS)],
        id="an-outcome-that-is-not-terminal",
    ),
    pytest.param(
        complete(
            add("/nodes/1/external_parents", [{"relation": "caused_by", "source_id": "x", "availability": "external"}])
        ),
        [("AT905", STATUS)],
        id="external-parents",
    ),
    pytest.param(complete(add("/nodes/1/external_parents", [])), [], id="no-external-parents"),
]


@pytest.mark.parametrize(("tree", "expected"), ENDS)
def test_complete_has_an_end_and_no_outside(tree: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == reported(tree, "AT905", "AT906")


def ended(**members: Any) -> Any:
    """An open Bundle about one attempt and two objectives, with a terminal outcome."""
    outcome = {"outcome_id": "o", "scope": "attempt:one", "terminal": True, **members}
    return minimal({"scope": {"objective_ids": ["a", "b"]}}, add("/outcomes/-", outcome))


CLOSED = [
    pytest.param(ended(), True, id="of-the-only-attempt"),
    pytest.param(ended(scope=["a", "b"]), True, id="of-all-objectives"),
    pytest.param(ended(scope="at:example:attempt-one"), True, id="of-the-trajectory"),
    pytest.param(ended(scope="a"), False, id="of-one-objective-of-two"),
    pytest.param(ended(scope="attempt:two"), False, id="of-another-attempt"),
    pytest.param(ended(terminal=False), False, id="not-terminal"),
    pytest.param(ended(superseded_by="p"), False, id="superseded"),
    pytest.param(ended(invalidated_by="p"), False, id="invalidated"),
    pytest.param(ended() | {"completeness": {"status": "partial", "reason": "x"}}, False, id="not-open"),
]


@pytest.mark.parametrize(("tree", "expected"), CLOSED)
def test_open_after_the_end(tree: Any, expected: bool) -> None:
    assert ([("AT907", STATUS)] if expected else []) == reported(tree, "AT907")


def test_no_type_of_any_member_stops_the_checks() -> None:
    checks = [value for value in vars(completeness).values() if type(value) is Check]
    base = full({"completeness": {"status": "complete"}})
    for tree in mangled(base, "trajectory_id", "scope", "completeness", "disclosure", "states", "outcomes"):
        for check in checks:
            check.run(Bundle(tree))
