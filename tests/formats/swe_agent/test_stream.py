"""Head and steps of a file, by each of the three ways of reading it, and what none of them reads."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from attraj.errors import Unreadable
from attraj.formats.swe_agent import stream
from attraj.jsonio import MISSING, parse
from tests.formats.swe_agent.files import base
from tests.support import CORPUS, needs_corpus

WAYS = ["msgspec", "parsing", "scanning"]


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """One way of reading; the others are out of reach."""
    if request.param == "msgspec":
        pytest.importorskip("msgspec")
    else:
        monkeypatch.setattr(stream, "_decoder", lambda: None)
    if request.param == "scanning":
        monkeypatch.setattr(stream, "_PLAIN_BYTES", -1)
    return str(request.param)


def write(tmp_path: Path, content: Any) -> Path:
    path = tmp_path / "x.traj"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content, indent=2).encode())
    return path


def without(step: Any, *names: str) -> Any:
    return {name: value for name, value in step.items() if name not in names}


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("name", ["minimal", "full", "old", "retry"])
def test_gives_the_head_and_every_step_without_the_views(name: str, tmp_path: Path) -> None:
    tree = base(name)
    path = write(tmp_path, tree)
    opened = stream.open_stream(path)
    assert (
        stream.Head(
            tree["info"],
            tree["environment"],
            tree.get("replay_config", MISSING),
            len(tree["trajectory"]),
            len(tree["history"]),
            len(tree["attempts"]) if "attempts" in tree else None,
        )
        == opened.head
        == stream.head(path)
    )
    steps = [without(step, "query", "messages") for step in tree["trajectory"]]
    assert steps == list(opened.steps()) == list(stream.steps(path))
    assert tree["trajectory"] == list(opened.steps(skip=()))
    assert tree["history"] == list(opened.history())


@pytest.mark.usefixtures("way")
def test_gives_the_attempts_one_by_one(tmp_path: Path) -> None:
    tree = {"attempts": base("retry")["attempts"]}
    opened = stream.open_stream(write(tmp_path, tree))
    assert (None, 2) == (opened.head.steps, opened.head.attempts)
    assert [2, 1] == [attempt.head.steps for attempt in opened.attempts()]
    assert ["exit_cost", "submitted"] == [attempt.head.info["exit_status"] for attempt in opened.attempts()]


ODD = [
    pytest.param({"trajectory": None, "info": {}}, (None, []), id="null"),
    pytest.param({"trajectory": {}, "info": None}, (None, []), id="an-object"),
    pytest.param({"trajectory": [], "info": {}}, (0, []), id="no-steps"),
    pytest.param({"trajectory": [1, {"action": "a"}, "x", []]}, (4, [1, {"action": "a"}, "x", []]), id="no-objects"),
    pytest.param(
        {"trajectory": [{"a": '"]}{[,\\'}, {"query": [[]]}]}, (2, [{"a": '"]}{[,\\'}, {}]), id="brackets-in-text"
    ),
    pytest.param({"x": [{}], "trajectory": [{"é\n": 1.5e3}]}, (1, [{"é\n": 1.5e3}]), id="names-with-escapes"),
]


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(("tree", "expected"), ODD)
def test_reads_what_is_odd(tree: Any, expected: tuple[int | None, list[Any]], tmp_path: Path) -> None:
    opened = stream.open_stream(write(tmp_path, tree))
    assert expected == (opened.head.steps, list(opened.steps()))


@pytest.mark.usefixtures("way")
def test_null_and_absent_are_told_apart(tmp_path: Path) -> None:
    head = stream.head(write(tmp_path, {"trajectory": [], "replay_config": None}))
    assert (MISSING, MISSING, None) == (head.info, head.environment, head.replay_config)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(
    "content", [b"[]", b"7", b'{"trajectory": [', b'{"trajectory": [{"a": "b', b'{"a" 1}', b"{]", b"{", b"\x00\x01"]
)
def test_what_is_no_object_or_cut_cannot_be_read(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        list(stream.steps(write(tmp_path, content)))


def test_an_empty_or_missing_file_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="empty"):
        stream.head(write(tmp_path, b""))
    with pytest.raises(Unreadable, match="no such file"):
        stream.head(tmp_path / "none.traj")


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("wrap", [lambda raw: b"\xef\xbb\xbf" + raw, gzip.compress], ids=["mark", "gzip"])
def test_reads_over_a_mark_and_expands(wrap: Any, tmp_path: Path) -> None:
    tree = base("full")
    assert 4 == stream.head(write(tmp_path, wrap(json.dumps(tree).encode()))).steps


@needs_corpus
@pytest.mark.usefixtures("way")
def test_every_readable_file_of_the_corpus_has_the_steps_of_its_tree() -> None:
    for path in sorted((CORPUS / "swe-agent").rglob("*.traj")):
        document = parse(path.read_bytes())
        if document.is_readable:
            steps = document.tree.get("trajectory") or []
            assert [without(step, *stream.VIEWS) for step in steps] == list(stream.steps(path))
