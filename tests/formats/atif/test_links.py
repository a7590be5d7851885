"""What a document says about other files and about time, and how a path is looked up."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from attraj.formats.atif.links import Named, Span, continuation_of, media_paths, subagent_paths, time_span, trajectories
from attraj.formats.atif.paths import Place, look_up
from tests.formats.atif.documents import full, minimal, steps, turn


def test_continuation() -> None:
    assert ("next.json", None, None) == (
        continuation_of(minimal({"continued_trajectory_ref": "next.json"})),
        continuation_of(minimal({"continued_trajectory_ref": 5})),
        continuation_of(None),
    )


def test_files_of_subagents_and_media() -> None:
    result = {
        "source_call_id": "c",
        "content": [{"type": "image", "source": {"media_type": "image/png", "path": "b.png"}}],
        "subagent_trajectory_ref": [{"trajectory_path": "s.json"}, {"trajectory_path": 5}, None],
    }
    inner = steps(turn(observation={"results": [result, None]}), None)
    tree: Any = minimal({"subagent_trajectories": [None, inner]})
    at = "/subagent_trajectories/1/steps/0/observation/results/0"
    assert [Named(f"{at}/subagent_trajectory_ref/0/trajectory_path", "s.json")] == subagent_paths(tree)
    assert [Named(f"{at}/content/0/source/path", "b.png")] == media_paths(tree)


def test_trajectories_come_outer_first_and_in_order() -> None:
    tree: Any = {"subagent_trajectories": [{"subagent_trajectories": [{}]}, {}]}
    inner = "/subagent_trajectories/0"
    assert ["", inner, f"{inner}/subagent_trajectories/0", "/subagent_trajectories/1"] == [
        at for at, _ in trajectories(tree)
    ]


def test_time_span() -> None:
    first = datetime(2026, 8, 21, 12, tzinfo=UTC)
    last = datetime(2026, 8, 21, 12, 0, 25, tzinfo=UTC)
    assert Span(first, "/steps/0/timestamp", last, "/steps/3/timestamp") == time_span(full())


def test_time_span_leaves_copies_out() -> None:
    tree = steps(
        {"timestamp": "2026-01-01T00:00:00Z", "is_copied_context": True},
        {"timestamp": "2026-01-02T00:00:00"},
        {"timestamp": "2026-01-03T00:00:00Z"},
        {"timestamp": 5},
    )
    own, whole = time_span(tree), time_span(tree, with_copied=True)
    assert own is not None
    assert whole is not None
    assert ("/steps/2/timestamp", "/steps/0/timestamp") == (own.first_at, whole.first_at)


@pytest.mark.parametrize("tree", [None, [], {"steps": 5}, {"steps": [None, {"timestamp": "x"}]}])
def test_anything_else_says_nothing(tree: Any) -> None:
    assert (None, [], [], None) == (continuation_of(tree), subagent_paths(tree), media_paths(tree), time_span(tree))


LOOKED_UP = [
    ("a.json", Place.FILE),
    ("./sub//b.json", Place.FILE),
    ("sub/../a.json", Place.FILE),
    ("sub", Place.FOLDER),
    ("sub/", Place.FOLDER),
    ("c.json", Place.MISSING),
    ("a.json/c", Place.MISSING),
    ("a.json/..", Place.MISSING),
    ("c/../a.json", Place.MISSING),
    ("", Place.EMPTY),
    ("..", Place.OUTSIDE),
    ("sub/../../a.json", Place.OUTSIDE),
    ("..\\a.json", Place.OUTSIDE),
    ("up/a.json", Place.OUTSIDE),
    ("abs/a.json", Place.OUTSIDE),
    ("home/a.json", Place.FILE),
    ("loop", Place.MISSING),
    ("/a.json", Place.ABSOLUTE),
    ("D:/a.json", Place.ABSOLUTE),
    ("file:///a.json", Place.URL),
    ("DATA:text/plain,a", Place.DATA),
    ("a\0", Place.INVALID),
    ("\ud800", Place.INVALID),
    ("x" * 300, Place.REFUSED),
    ("x/" * 3000, Place.REFUSED),
]


@pytest.mark.parametrize(("path", "place"), LOOKED_UP, ids=lambda value: ascii(value)[:30])
def test_a_path_is_looked_up_inside_its_folder(path: str, place: Place, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    (folder / "sub").mkdir(parents=True)
    for name in ("run/a.json", "run/sub/b.json", "a.json"):
        (tmp_path / name).touch()
    for link, target in (("up", ".."), ("abs", "/"), ("home", str(folder)), ("loop", "loop")):
        os.symlink(target, folder / link)
    assert place is look_up(str(folder), path)


def test_without_a_folder_only_the_form_is_told() -> None:
    assert [Place.UNKNOWN, Place.OUTSIDE] == [look_up("", "a.json"), look_up("", "../a.json")]
