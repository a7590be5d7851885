"""The `$at` marker: the twelve cases of a value, sound and broken marks, placeholders, digests."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle import markers
from attraj.bundle.markers import (
    digest_members,
    faults,
    is_digest,
    is_digest_name,
    is_foreign,
    is_marker,
    is_placeholder,
    is_withheld,
    status_of,
)


def marker(**body: Any) -> dict[str, Any]:
    return {"$at": body}


# Present, empty, null, false, zero, failed and absent are the value itself; only these seven are marks.
@pytest.mark.parametrize("status", sorted(markers.STATUSES))
def test_each_status_is_told_from_every_value(status: str) -> None:
    body = marker(status=status, value={"$at": 1}) if status == "literal" else marker(status=status)
    assert (True, status, []) == (is_marker(body), status_of(body), faults(body))


@pytest.mark.parametrize("value", ["", None, False, 0, [], {}, "redacted", {"status": "redacted"}, {"$at": 1, "b": 2}])
def test_a_value_is_no_marker(value: Any) -> None:
    assert (False, None, False) == (is_marker(value), status_of(value), is_withheld(value))


@pytest.mark.parametrize(
    ("status", "expected"),
    [("redacted", True), ("omitted", True), ("truncated", True), ("unavailable", False), ("unknown", False)],
)
def test_withheld_is_what_somebody_took_away(status: str, expected: bool) -> None:
    assert expected == is_withheld(marker(status=status))


@pytest.mark.parametrize(
    ("body", "members"),
    [
        pytest.param(marker(status="redacted", **{"class": "secret"}, reason="r", was="string"), [], id="whole"),
        pytest.param(marker(status="truncated", kept_chars=10, text="the door is"), [], id="truncated"),
        pytest.param(marker(status="redacted", colour="blue"), [], id="unknown-member"),
        pytest.param(marker(reason="r"), [""], id="no-status"),
        pytest.param(marker(status="gone"), ["status"], id="unknown-status"),
        pytest.param(marker(status=["redacted"]), ["status"], id="status-array"),
        pytest.param(marker(status="redacted", **{"class": "pii"}), ["class"], id="unknown-class"),
        pytest.param(marker(status="redacted", was="text"), ["was"], id="unknown-type"),
        pytest.param(marker(status="redacted", reason=5, alias=[]), ["reason", "alias"], id="reason-and-alias"),
        pytest.param(marker(status="truncated", kept_chars=-1), ["kept_chars"], id="negative-count"),
        pytest.param(marker(status="truncated", kept_chars=True), ["kept_chars"], id="count-boolean"),
        pytest.param(marker(status="literal"), [""], id="literal-without-value"),
        pytest.param(marker(status="redacted", value="x"), ["value"], id="value-beside-redacted"),
        pytest.param({"$at": "2031-04-02"}, [], id="foreign"),
    ],
)
def test_faults_name_the_member(body: Any, members: list[str]) -> None:
    assert members == [fault.member for fault in faults(body)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"$at": "2031-04-02"}, True),
        ({"$at": None}, True),
        ({"$at": {}}, True),
        ({"$at": {"lat": 1, "lon": 2}}, True),
        ({"$at": {"status": "gone"}}, False),
        ({"$at": {"reason": "r"}}, False),
    ],
)
def test_source_data_is_told_from_a_broken_marker(body: Any, expected: bool) -> None:
    assert expected == is_foreign(body)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[REDACTED]", True),
        ("[redacted]", True),
        ("<redacted>", True),
        ("***", True),
        ("<API_TOKEN_1>", True),
        ("key: [REDACTED]", False),
        ("****", False),
        ("<b>", False),
        ("<API_TOKEN_1> and more", False),
        ("", False),
    ],
)
def test_placeholders_are_whole_texts(text: str, expected: bool) -> None:
    assert expected == is_placeholder(text)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("digest", True),
        ("sha256", True),
        ("content_digest", True),
        ("MD5", True),
        ("hash-of-it", True),
        ("reason", False),
        ("was", False),
        ("hashtag", False),
        ("shape", False),
    ],
)
def test_names_of_digests(name: str, expected: bool) -> None:
    assert expected == is_digest_name(name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sha256:" + "ab" * 32, True),
        ("at_verifier_" + "0f" * 32, True),
        ("ab" * 20, True),
        ("node:sha1-" + "0" * 40, True),
        ("node:level", False),
        ("EMAIL_1", False),
        ("1234567", False),
        ("sha256", False),
        ("", False),
    ],
)
def test_forms_of_digests(text: str, expected: bool) -> None:
    assert expected == is_digest(text)


def test_digests_inside_a_marker() -> None:
    body = marker(status="redacted", digest="sha256:00", alias="sha256:" + "ab" * 32, reason="r")
    assert ["digest", "alias"] == digest_members(body)
    assert [] == digest_members(marker(status="literal", value={"$at": 1}, digest="x"))


def test_what_is_not_there_and_what_is_left_open_are_markers_with_a_reason() -> None:
    assert {"$at": {"status": "unavailable", "reason": "r"}} == markers.unavailable("r")
    assert {"$at": {"status": "unknown", "reason": "r"}} == markers.unknown("r")
    assert [[], []] == [markers.faults(one) for one in (markers.unavailable("r"), markers.unknown("r"))]
