"""Subagents, embedded and in files, and the references to them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.formats.atif.documents import check, full, minimal, steps, told, turn

REF = "/steps/0/observation/results/0/subagent_trajectory_ref"
SUB = "/subagent_trajectories/0"


def referring(*references: Any, **members: Any) -> Any:
    result = {"source_call_id": "c", "subagent_trajectory_ref": list(references)}
    return steps(turn(observation={"results": [result]}), **members)


def sub(name: Any, **members: Any) -> Any:
    return {**minimal(), "trajectory_id": name, **members}


BAD = [
    pytest.param(referring({}), [("ATIF018", f"{REF}/0")], id="neither-id-nor-path"),
    pytest.param(referring({"session_id": "s"}), [("ATIF018", f"{REF}/0")], id="session-alone-since-1.7"),
    pytest.param(
        referring({"session_id": "s"}, schema_version="ATIF-v1.6"),
        [("ATIF018 i", f"{REF}/0")],
        id="session-alone-before-1.7-is-right-and-refused-by-harbor",
    ),
    pytest.param(
        referring({"trajectory_path": "https://x/y"}, schema_version="ATIF-v1.6"),
        [("ATIF018", f"{REF}/0")],
        id="no-session-before-1.7",
    ),
    pytest.param(referring("sub.json"), [("ATIF109", f"{REF}/0")], id="reference-is-a-text"),
    pytest.param(referring({"trajectory_id": "x"}), [("ATIF019", f"{REF}/0/trajectory_id")], id="nobody-of-this-id"),
    pytest.param(
        referring({"trajectory_id": "x"}, subagent_trajectories=[sub(None)]),
        [("ATIF021", SUB)],
        id="embedded-without-id",
    ),
    pytest.param(
        referring({"trajectory_id": "x"}, subagent_trajectories=[sub("x"), sub("x")]),
        [("ATIF021", "/subagent_trajectories/1/trajectory_id")],
        id="two-siblings-of-one-id",
    ),
    pytest.param(
        referring({"trajectory_id": "x"}, trajectory_id="x", subagent_trajectories=[sub("x")]),
        [("ATIF021 w", f"{SUB}/trajectory_id")],
        id="id-of-the-parent",
    ),
    pytest.param(
        referring({"trajectory_id": "x"}, subagent_trajectories=[sub("x", subagent_trajectories=[sub("x")])]),
        [("ATIF021 w", f"{SUB}/subagent_trajectories/0/trajectory_id")],
        id="one-id-on-two-levels",
    ),
    pytest.param(minimal({"subagent_trajectories": [sub("x")]}), [("ATIF022 w", SUB)], id="nobody-refers-to-it"),
    pytest.param(minimal({"subagent_trajectories": [None, "x"]}), [("ATIF109", SUB), ("ATIF109", f"{SUB[:-1]}1")]),
    pytest.param(
        referring({"trajectory_id": "x"}, subagent_trajectories=[{**sub("x"), "schema_version": None}]),
        [("ATIF002", f"{SUB}/schema_version")],
        id="inside-an-embedded-one",
    ),
    pytest.param(
        referring({"trajectory_id": "x"}, subagent_trajectories=[sub("x", schema_version="ATIF-v1.3", steps=[])]),
        [("ATIF003", f"{SUB}/trajectory_id"), ("ATIF006", f"{SUB}/steps")],
        id="an-embedded-one-has-its-own-version",
    ),
]
GOOD = [
    pytest.param(full(), id="embedded"),
    pytest.param(referring({"trajectory_id": "x", "trajectory_path": "https://x/y"}), id="id-and-url"),
    pytest.param(
        referring({"trajectory_id": "x"}, subagent_trajectories=[sub("x", session_id=None)]),
        id="a-subagent-inherits-the-session",
    ),
    pytest.param(
        referring(
            {"trajectory_id": "x"},
            {"trajectory_id": "y"},
            subagent_trajectories=[sub("x", subagent_trajectories=[sub("y")])],
        ),
        id="reference-to-an-inner-one",
    ),
]


@pytest.mark.parametrize(("given", "expected"), BAD)
def test_tells(given: Any, expected: list[tuple[str, str]]) -> None:
    assert sorted(expected) == told(given)


@pytest.mark.parametrize("given", GOOD)
def test_is_silent(given: Any) -> None:
    assert [] == told(given)


PATHS = [
    pytest.param("sub.json", [], id="there"),
    pytest.param("gone.json", [("ATIF020 w", f"{REF}/0/trajectory_path")], id="gone"),
    pytest.param("../sub.json", [("ATIF020 w", f"{REF}/0/trajectory_path")], id="above"),
    pytest.param(".", [("ATIF020 w", f"{REF}/0/trajectory_path")], id="folder"),
    pytest.param("s3://runs.example/sub.json", [], id="url"),
]


@pytest.mark.parametrize(("path", "expected"), PATHS)
def test_a_subagent_in_a_file(path: str, expected: list[tuple[str, str]], tmp_path: Path) -> None:
    (tmp_path / "sub.json").touch()
    assert expected == told(referring({"trajectory_path": path}), str(tmp_path))


def test_harbor_refuses_what_was_right_before_1_7() -> None:
    verdicts = check(referring({"session_id": "s"}, schema_version="ATIF-v1.6")).verdicts
    assert {"harbor-0.18": "rejected", "harbor-0.26": "rejected"} == dict(verdicts)
