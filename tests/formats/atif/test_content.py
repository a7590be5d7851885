"""Content parts and media files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.formats.atif.documents import check, steps, told, turn

PART = "/steps/0/message/0"


def saying(*parts: Any, version: str = "ATIF-v1.8") -> Any:
    return steps({"message": list(parts)}, schema_version=version)


def media(path: Any, kind: str = "image", media_type: Any = None, **members: Any) -> dict[str, Any]:
    usual = {"image": "image/png", "audio": "audio/wav"}[kind]
    return {"type": kind, "source": {"media_type": media_type or usual, "path": path, **members}}


URL = "https://media.example/a"
BAD = [
    pytest.param(saying("text"), [("ATIF024", PART)], id="part-is-a-text"),
    pytest.param(saying({"text": "a"}), [("ATIF024", PART)], id="no-type"),
    pytest.param(saying({"type": "video", "url": URL}), [("ATIF024", f"{PART}/type"), ("ATIF032", f"{PART}/url")]),
    pytest.param(saying({"type": "text"}), [("ATIF024", PART)], id="text-without-text"),
    pytest.param(
        saying({"type": "text", "text": "a", "source": {}}), [("ATIF024", f"{PART}/source")], id="text-and-media"
    ),
    pytest.param(saying({**media(URL), "text": ""}), [("ATIF024", f"{PART}/text")], id="image-with-text"),
    pytest.param(saying({"type": "image"}), [("ATIF024", PART)], id="image-without-source"),
    pytest.param(saying({"type": "image", "source": URL}), [("ATIF024", f"{PART}/source")], id="source-is-a-text"),
    pytest.param(
        saying({"type": "image", "source": {}}),
        [("ATIF024", f"{PART}/source"), ("ATIF024", f"{PART}/source")],
        id="source-without-type-and-path",
    ),
    pytest.param(saying(media(URL, media_type="image/bmp")), [("ATIF024", f"{PART}/source/media_type")], id="bmp"),
    pytest.param(saying(media(URL, media_type="audio/wav")), [("ATIF024", f"{PART}/source/media_type")], id="not-its"),
    pytest.param(saying(media(URL, duration_sec=1)), [("ATIF032", f"{PART}/source/duration_sec")], id="long-image"),
    pytest.param(
        saying(media(URL, "audio", duration_sec=-1)), [("ATIF111", f"{PART}/source/duration_sec")], id="negative-length"
    ),
    pytest.param(
        saying(media(URL, "audio"), media(URL, "audio"), version="ATIF-v1.7"),
        [("ATIF003", f"{PART}/type")],
        id="audio-before-1.8-told-once",
    ),
    pytest.param(
        steps(turn(observation={"results": [{"source_call_id": "c", "content": [{"type": "text", "text": 5}]}]})),
        [("ATIF024", "/steps/0/observation/results/0/content/0/text")],
        id="in-a-result",
    ),
]
GOOD = [
    pytest.param(saying({"type": "text", "text": ""}, media(URL), media(URL, "audio", duration_sec=0)), id="parts"),
    pytest.param(saying({"type": "text", "text": "a", "source": None}), id="null-is-absence"),
    pytest.param(saying(media(URL, "audio", " Audio/MP3 ")), id="other-spelling-of-audio"),
]


@pytest.mark.parametrize(("given", "expected"), BAD)
def test_tells(given: Any, expected: list[tuple[str, str]]) -> None:
    assert expected == told(given)


@pytest.mark.parametrize("given", GOOD)
def test_is_silent(given: Any) -> None:
    assert [] == told(given)


PATHS = [
    pytest.param("a.png", "", "accepted", id="there"),
    pytest.param("images/../a.png", "", "accepted", id="up-and-down"),
    pytest.param("gone.png", "ATIF025", "rejected", id="gone"),
    pytest.param("a.png/b", "ATIF025", "rejected", id="below-a-file"),
    pytest.param("images", "ATIF025", "accepted", id="folder"),
    pytest.param("", "ATIF025", "accepted", id="empty"),
    pytest.param("data:image/png;base64,AAAA", "ATIF025", "rejected", id="data-uri"),
    pytest.param("data:" + "A" * 5000, "ATIF025", "crash", id="long-data-uri"),
    pytest.param("a\0b", "ATIF025", "rejected", id="nul"),
    pytest.param("x" * 300, "ATIF025", "crash", id="over-long-name"),
    pytest.param("../a.png", "ATIF025", "undecided", id="above"),
    pytest.param("/etc/passwd", "ATIF025 w", "undecided", id="absolute"),
    pytest.param("C:\\a.png", "ATIF025 w", "undecided", id="absolute-on-windows"),
    pytest.param("out/hosts", "ATIF025", "undecided", id="symbolic-link-that-leaves"),
    pytest.param("in/a.png", "", "accepted", id="symbolic-link-that-stays"),
    pytest.param("loop", "ATIF025", "rejected", id="symbolic-links-in-a-circle"),
    pytest.param("https://x/y.png", "", "accepted", id="url"),
]


@pytest.mark.parametrize(("path", "code", "verdict"), PATHS)
def test_a_media_file(path: str, code: str, verdict: str, tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "a.png").touch()
    os.symlink("/etc", tmp_path / "out")
    os.symlink(tmp_path, tmp_path / "in")
    os.symlink("loop", tmp_path / "loop")
    tree = saying(media(path), version="ATIF-v1.7")
    expected = [(code, f"{PART}/source/path")] if code else []
    assert (expected, verdict) == (told(tree, str(tmp_path)), check(tree, str(tmp_path)).verdicts["harbor-0.26"])


def test_without_a_folder_it_is_undecided() -> None:
    result = check(saying(media("a.png")))
    assert ([], "undecided", 1) == (list(result.findings), result.verdicts["harbor-0.26"], len(result.notes))
