"""The table of members."""

from __future__ import annotations

import pytest

from attraj.formats.atif.rules import BY_MEMBER, HARBOR_IS_BLIND_TO, HARBOR_REJECTS, RULES
from attraj.formats.atif.shape import OBJECTS, TITLES, VERSIONS, required_at, types_at
from tests.formats.atif.documents import minimal

CAME = [
    ("trajectory", "extra", 1),
    ("metrics", "completion_token_ids", 3),
    ("metrics", "prompt_token_ids", 4),
    ("agent", "tool_definitions", 5),
    ("trajectory", "continued_trajectory_ref", 5),
    ("step", "is_copied_context", 5),
    ("trajectory", "trajectory_id", 7),
    ("trajectory", "subagent_trajectories", 7),
    ("step", "llm_call_count", 7),
    ("call", "extra", 7),
    ("result", "extra", 7),
    ("ref", "trajectory_id", 7),
]


@pytest.mark.parametrize(("kind", "name", "since"), CAME)
def test_a_member_is_there_since_its_version(kind: str, name: str, since: int) -> None:
    assert [v >= since for v in VERSIONS.values()] == [name in types_at(kind, v) for v in VERSIONS.values()]


def test_content_is_an_array_since_1_6() -> None:
    assert [False, True] == [list in types_at("step", version)["message"] for version in (5, 6)]


def test_sessions_are_optional_since_1_7() -> None:
    assert [True, False] == ["session_id" in required_at("trajectory", version) for version in (6, 7)]
    assert [("session_id",), ()] == [required_at("ref", version) for version in (6, 7)]


def test_every_kind_inside_is_described() -> None:
    inside = {part for members in OBJECTS.values() for member in members.values() for part in member.of.split("|")}
    assert {"", "integer", "number", "object"} == inside - set(OBJECTS)
    assert set(OBJECTS) == set(TITLES)


def test_rules_have_members_and_verdicts_that_exist() -> None:
    codes = [rule.code for rule in RULES]
    assert sorted(set(codes)) == codes
    assert HARBOR_IS_BLIND_TO.isdisjoint(HARBOR_REJECTS)
    assert set(codes) >= HARBOR_IS_BLIND_TO | HARBOR_REJECTS
    assert all(name in OBJECTS[kind] for kind, name in BY_MEMBER)


def test_the_minimal_document_is_of_every_version() -> None:
    assert all(name in types_at("trajectory", 0) for name in minimal())
