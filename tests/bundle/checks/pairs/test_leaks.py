"""AT710: what was taken away in one place is nowhere else; and what is not worth a search is not looked for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.bundle.checks.pairs import check_pair
from attraj.bundle.checks.pairs.leaks import Needles, Taken, is_worth_a_search
from attraj.bundle.model import Bundle
from tests.bundle.checks.pairs.support import add, base, found, redaction, replace
from tests.support import patched

WHERE = "/nodes/4/observation"
SECRET = "hunter" + "2-" + "q9"  # made up, and put together here


def marker(kind: str = "tool_output") -> Any:
    return {"$at": {"status": "redacted", "class": kind, "reason": "withheld"}}


def codes(value: Any, elsewhere: Any, kind: str = "tool_output") -> list[tuple[str, str]]:
    """Findings when `value` was redacted in one place and `elsewhere` stands in the payload of another node."""
    old = patched(base(), [replace(WHERE, value), add("/nodes/7/payload", elsewhere)])
    return found(redaction(replace(WHERE, marker(kind)), old=old), old, "redaction")


@pytest.mark.parametrize(
    ("value", "elsewhere", "kind", "pointer"),
    [
        pytest.param("pier 7 east", "at pier 7 east, noon", "tool_output", "/nodes/7/payload", id="inside-a-text"),
        pytest.param("pier 7 east", {"x": ["pier 7 east"]}, "tool_output", "/nodes/7/payload/x/0", id="whole"),
        pytest.param("pier 7 east", {"pier 7 east": 1}, "tool_output", "/nodes/7/payload", id="member-name"),
        pytest.param(
            'say "7 east"', json.dumps({"a": 'say "7 east"'}), "tool_output", "/nodes/7/payload", id="json-in-a-text"
        ),
        pytest.param(
            'say "7 east"',
            json.dumps({"a": json.dumps({"b": 'say "7 east"'})}),
            "tool_output",
            "/nodes/7/payload",
            id="json-in-json-in-a-text",
        ),
        pytest.param("küste 7\nost", json.dumps("küste 7\nost"), "tool_output", "/nodes/7/payload", id="ascii-escapes"),
        pytest.param(SECRET, f"login={SECRET};", "secret", "/nodes/7/payload", id="short-secret"),
        pytest.param(SECRET, f"a\\n{SECRET}", "secret", "/nodes/7/payload", id="after-an-escape"),
        pytest.param("Mary", "asked Mary twice", "personal_data", "/nodes/7/payload", id="name"),
        pytest.param(48151623, {"n": 48151623}, "tool_output", "/nodes/7/payload/n", id="number"),
        pytest.param(48151623, "no. 48151623", "tool_output", "/nodes/7/payload", id="number-in-a-text"),
        pytest.param(
            {"lines": ["the east pier is flooded"]},
            "note: the east pier is flooded",
            "tool_output",
            "/nodes/7/payload",
            id="inside-what-went-as-a-whole",
        ),
    ],
)
def test_finds(value: Any, elsewhere: Any, kind: str, pointer: str) -> None:
    assert codes(value, elsewhere, kind) == [("AT710", pointer)]


@pytest.mark.parametrize(
    ("value", "elsewhere", "kind"),
    [
        pytest.param("pier 7 east", "pier 8 east", "tool_output", id="nowhere-else"),
        pytest.param("pier7", "pier7", "tool_output", id="too-short"),
        pytest.param("committed", "committed", "tool_output", id="a-plain-word"),
        pytest.param("none_authoritative", "none_authoritative", "tool_output", id="a-word-of-the-vocabulary"),
        pytest.param("Ann", "Ann", "personal_data", id="too-short-a-name"),
        pytest.param("Mary", "Maryland", "personal_data", id="inside-a-longer-word"),
        pytest.param(4711, {"n": 4711}, "tool_output", id="a-small-number"),
        pytest.param(True, {"n": True}, "tool_output", id="a-truth"),
        pytest.param("2031-04-02T06:00:09Z", "2031-04-02T06:00:09Z", "tool_output", id="a-time"),
        pytest.param({"call": "node:choose"}, "x", "tool_output", id="an-identifier-of-the-skeleton"),
        pytest.param({"mode": "pier 7"}, "pier 7", "tool_output", id="too-short-inside-a-whole"),
        pytest.param("[REDACTED]", "[REDACTED]", "tool_output", id="a-placeholder"),
    ],
)
def test_is_silent(value: Any, elsewhere: Any, kind: str) -> None:
    assert codes(value, elsewhere, kind) == []


def test_finds_what_a_placeholder_inside_a_text_stands_for() -> None:
    old = patched(base(), [replace(WHERE, f"log in as {SECRET} now"), add("/nodes/7/payload", [f"tried {SECRET}"])])
    new = redaction(replace(WHERE, "log in as <PASSWORD_1> now"), old=old)
    (finding,) = check_pair(Bundle(new), Bundle(old), "redaction")
    assert (finding.code, finding.location.pointer) == ("AT710", "/nodes/7/payload/0")
    assert [r.pointer for r in finding.related] == [WHERE]


def test_finds_an_identifier_that_was_replaced_in_a_text() -> None:
    old = json.loads(json.dumps(base()).replace("node:level", f"node:{SECRET}"))
    old["nodes"][7]["payload"] = f"see node:{SECRET}"
    new = json.loads(json.dumps(redaction(old=old)).replace(f'"node:{SECRET}"', '"<USER_1>"'))
    assert found(new, old, "redaction") == [("AT710", "/nodes/7/payload")]


def test_the_pointer_ends_before_a_member_name_that_must_not_be_shown() -> None:
    assert codes("pier 7 east", {"pier 7 east": {"x": "pier 7 east"}}) == [("AT710", "/nodes/7/payload")] * 2


@pytest.mark.parametrize("count", [3, 200], ids=["few", "many"])
def test_many_values_are_found_like_few(count: int) -> None:
    needles = Needles([Taken((i,), f"value number {i:05d}") for i in range(count)])
    tree = {"a": f"x value number {count - 1:05d} y", "b": f"value number {count:05d}", "c": "value number"}
    needles.keep_only_those_in(tree)
    assert [(p, t.way) for p, t in needles.places(tree)] == [("/a", (count - 1,))]


@pytest.mark.parametrize(
    ("text", "is_secret", "expected"),
    [
        ("abc-12", False, True),
        ("abc12", False, False),
        ("ab12", True, True),
        ("ab1", True, False),
        ("   x   ", True, False),
        ("succeeded", False, False),
        ("succeeded", True, True),
        ("-12.3456", False, True),
        ("12345", True, False),
    ],
)
def test_the_bar(text: str, is_secret: bool, expected: bool) -> None:
    assert is_worth_a_search(text, is_secret=is_secret) == expected
