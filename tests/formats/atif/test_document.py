"""Versions, members, types, the agent, segments: what is told, exactly where, and what is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from attraj.findings import Stratum
from attraj.formats import Options, atif
from attraj.jsonio import Document
from tests.formats.atif.documents import check, full, minimal, steps, told, turn

BAD = [
    pytest.param(minimal({"schema_version": None}), [("ATIF001", "")], id="no-version"),
    pytest.param(minimal({"schema_version": 7}), [("ATIF002", "/schema_version")], id="version-is-a-number"),
    pytest.param(minimal({"schema_version": "ATIF-v1.9"}), [("ATIF002", "/schema_version")], id="version-to-come"),
    pytest.param(
        minimal({"schema_version": "ATIF-v1.6", "session_id": None}), [("ATIF004", "")], id="no-session-before-1.7"
    ),
    pytest.param(
        minimal({"schema_version": "ATIF-v1.4", "trajectory_id": "t", "continued_trajectory_ref": "https://x/y"}),
        [("ATIF003", "/continued_trajectory_ref"), ("ATIF003", "/trajectory_id")],
        id="two-members-newer-than-declared",
    ),
    pytest.param(
        steps({"llm_call_count": 1}, {"llm_call_count": 1}, schema_version="ATIF-v1.0"),
        [("ATIF003", "/steps/0/llm_call_count")],
        id="newer-member-told-once",
    ),
    pytest.param(
        steps({"llm_call_count": "1"}, schema_version="ATIF-v1.0"),
        [("ATIF003", "/steps/0/llm_call_count"), ("ATIF109", "/steps/0/llm_call_count")],
        id="newer-member-is-checked-by-its-type",
    ),
    pytest.param(
        steps({"message": [{"type": "text", "text": ""}]}, schema_version="ATIF-v1.5"),
        [("ATIF003", "/steps/0/message")],
        id="parts-before-1.6",
    ),
    pytest.param(
        steps({"source": "system", "observation": {"results": []}}, schema_version="ATIF-v1.1"),
        [("ATIF003", "/steps/0/observation")],
        id="system-observation-before-1.2",
    ),
    pytest.param(minimal({"agent": []}), [("ATIF005", "/agent")], id="agent-is-an-array"),
    pytest.param(minimal({"agent": {"name": 5}}), [("ATIF005", "/agent/name")], id="agent-name-is-a-number"),
    pytest.param(minimal({"agent": {"name": ""}}), [("ATIF005 w", "/agent/name")], id="agent-name-is-empty"),
    pytest.param(minimal({"agent": {"model_name": 5}}), [("ATIF109", "/agent/model_name")], id="model-is-a-number"),
    pytest.param(
        minimal({"agent": {"tool_definitions": ["bash"]}}),
        [("ATIF109", "/agent/tool_definitions/0")],
        id="tool-definition-is-a-text",
    ),
    pytest.param(minimal({"steps": {}}), [("ATIF006", "/steps")], id="steps-is-an-object"),
    pytest.param(minimal({"steps": None}), [("ATIF006", "")], id="steps-missing"),
    pytest.param(steps(None, "x"), [("ATIF109", "/steps/0"), ("ATIF109", "/steps/1")], id="steps-are-no-objects"),
    pytest.param(minimal({"a/b~c": 1}), [("ATIF032", "/a~1b~0c")], id="unknown-member-is-escaped"),
    pytest.param(
        minimal({"notes": 5, "extra": [], "final_metrics": "oops"}),
        [("ATIF109", "/extra"), ("ATIF109", "/final_metrics"), ("ATIF109", "/notes")],
        id="every-wrong-type",
    ),
    pytest.param(
        steps(turn(observation={})),
        [("ATIF110", "/steps/0/observation")],
        id="observation-without-results",
    ),
]
GOOD = [
    pytest.param(minimal(), id="minimal"),
    pytest.param(full(), id="full"),
    pytest.param(minimal({"schema_version": "ATIF-v1.0"}), id="oldest-version"),
    pytest.param(minimal([{"op": "add", "path": "/session_id", "value": None}]), id="null-session-since-1.7"),
    pytest.param(
        minimal([{"op": "add", "path": f"/{name}", "value": None} for name in ("notes", "extra", "final_metrics")]),
        id="null-is-absence",
    ),
    pytest.param(
        steps({"is_copied_context": False}, schema_version="ATIF-v1.5"), id="copied-mark-since-1.5-as-in-the-code"
    ),
    pytest.param(minimal({"extra": {"anything": {"goes": [1e308]}}}), id="extra-is-free"),
    pytest.param(minimal({"agent": {"tool_definitions": []}}), id="no-tools"),
]


@pytest.mark.parametrize(("given", "expected"), BAD)
def test_tells(given: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == told(given)


@pytest.mark.parametrize("given", GOOD)
def test_is_silent(given: Any) -> None:
    assert [] == told(given)


@pytest.mark.parametrize("top", [None, [], "ATIF-v1.7", 5, True])
def test_a_document_that_is_no_object(top: Any) -> None:
    result = check(top)
    assert ([("ATIF104", "")], Stratum.BYTES) == (told(top), result.stopped_after)


def test_the_known_version_is_reported() -> None:
    assert ("ATIF-v1.7", None) == (check(minimal()).version, check(minimal({"schema_version": "1.7"})).version)


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (Stratum.BYTES, []),
        (Stratum.SHAPE, ["ATIF032"]),
        (Stratum.REFERENCES, ["ATIF013", "ATIF032"]),
        (Stratum.PROFILES, ["ATIF013", "ATIF028", "ATIF032"]),
    ],
)
def test_a_level_ends_the_looking(level: Stratum, expected: list[str]) -> None:
    step = turn(metrics={"prompt_tokens": 1, "cached_tokens": 2}, odd=1)
    step["observation"] = {"results": [{"source_call_id": "none", "content": ""}]}
    found = atif.check(Document(b"", steps(step)), Options(level=level)).findings
    assert expected == sorted(f.code for f in found)


# --- segments ----------------------------------------------------------------------------------------------------

CONTINUED = [
    pytest.param("next.json", "next.json", [], id="there"),
    pytest.param("sub/next.json", "sub/next.json", [], id="below"),
    pytest.param("", "gone.json", [("ATIF023 w", "/continued_trajectory_ref")], id="gone"),
    pytest.param("", "../next.json", [("ATIF023 w", "/continued_trajectory_ref")], id="above"),
    pytest.param("", "/etc/passwd", [("ATIF023 w", "/continued_trajectory_ref")], id="absolute"),
    pytest.param("", "", [("ATIF023 w", "/continued_trajectory_ref")], id="empty"),
    pytest.param("", "a\0b", [("ATIF023 w", "/continued_trajectory_ref")], id="nul"),
    pytest.param("", "x" * 5000, [("ATIF023 w", "/continued_trajectory_ref")], id="over-long"),
    pytest.param("", "\ud800", [("ATIF023 w", "/continued_trajectory_ref")], id="half-a-character"),
    pytest.param("", "https://x.example/next.json", [], id="url"),
]


@pytest.mark.parametrize(("there", "reference", "expected"), CONTINUED)
def test_the_next_segment(there: str, reference: str, expected: list[tuple[str, str]], tmp_path: Path) -> None:
    if there:
        (tmp_path / there).parent.mkdir(exist_ok=True)
        (tmp_path / there).touch()
    assert expected == told(minimal({"continued_trajectory_ref": reference}), str(tmp_path))


def test_a_trajectory_that_continues_itself(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.json"
    path.touch()
    found = check(minimal({"continued_trajectory_ref": "./trajectory.json"}), str(tmp_path), str(path)).findings
    assert [("ATIF023", "/continued_trajectory_ref", True)] == [
        (f.code, f.location.pointer, "by itself" in f.message) for f in found
    ]


def test_without_a_folder_nothing_is_looked_for() -> None:
    result = check(minimal({"continued_trajectory_ref": "gone.json"}))
    assert ([], 1) == (list(result.findings), len(result.notes))


# --- many ---------------------------------------------------------------------------------------------------------


def test_every_fault_of_a_broken_document_is_told() -> None:
    broken: Any = steps(*[{"bogus": 1, "message": 5} for _ in range(2000)])
    assert 4000 == len(told(broken))


def test_subagents_may_nest_deeply() -> None:
    tree: Any = minimal({"trajectory_id": "t0"})
    for number in range(1, 90):
        tree = minimal({"trajectory_id": f"t{number}", "subagent_trajectories": [tree]})
    assert {"ATIF022 w"} == {code for code, _ in told(tree)}
