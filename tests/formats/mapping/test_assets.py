"""Bytes that stand in a Bundle become files; nothing else of it changes."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from attraj.bundle.model import Bundle
from attraj.formats.mapping.assets import extracted
from attraj.formats.mapping.loss import Loss

GIF = "R0lGODlhAQABAAAAACw="
BYTES = b"GIF89a\x01\x00\x01\x00\x00\x00\x00,"
URI = f"data:image/gif;base64,{GIF}"
DETAIL = "the bytes stand in a file beside the document, under the path that is written here"


def loss(pointer: str) -> Loss:
    return Loss("attachment-in-file", "attachments", "approximated", pointer, 1, DETAIL, "write")


def part(url: str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": url}}


def block(source: dict[str, str]) -> dict[str, Any]:
    return {"type": "image", "source": source}


MOVED = [
    pytest.param(
        {"nodes": [{"payload": {"content": [{"type": "text", "text": "look"}, part(URI)]}}]},
        {"nodes": [{"payload": {"content": [{"type": "text", "text": "look"}, part("assets/image-1.gif")]}}]},
        ["/nodes/0/payload/content/1/image_url/url"],
        id="data-uri-of-a-part",
    ),
    pytest.param(
        {"nodes": [{"observation": [block({"type": "base64", "media_type": "image/gif", "data": GIF})]}]},
        {"nodes": [{"observation": [block({"type": "url", "media_type": "image/gif", "url": "assets/image-1.gif"})]}]},
        ["/nodes/0/observation/0/source"],
        id="base64-of-a-block",
    ),
    pytest.param(
        {"nodes": [{"observation": f"done ![plot]({URI})"}]},
        {"nodes": [{"observation": "done ![plot](assets/image-1.gif)"}]},
        ["/nodes/0/observation"],
        id="markdown-image-in-what-a-tool-printed",
    ),
    pytest.param(
        {"nodes": [{"observation": [part(URI)]}], "states": [{"view": [{"content": [part(URI)]}]}]},
        {
            "nodes": [{"observation": [part("assets/image-1.gif")]}],
            "states": [{"view": [{"content": [part("assets/image-1.gif")]}]}],
        },
        ["/nodes/0/observation/0/image_url/url", "/states/0/view/0/content/0/image_url/url"],
        id="equal-bytes-are-one-file",
    ),
]


@pytest.mark.parametrize(("given", "expected", "pointers"), MOVED)
def test_data_becomes_a_file_and_a_declared_loss(given: Any, expected: Any, pointers: list[str]) -> None:
    before = copy.deepcopy(given)
    found = extracted(Bundle(given))
    assert expected == found.bundle.tree
    assert {"assets/image-1.gif": BYTES} == found.files
    assert [loss(pointer) for pointer in pointers] == found.losses
    assert before == given


@pytest.mark.parametrize(
    "given",
    [
        pytest.param({"nodes": [{"action": {"arguments": {"css": f"![x]({URI})"}}}]}, id="arguments-of-a-call"),
        pytest.param(
            {"states": [{"view": [{"tool_calls": [{"function": {"arguments": f"![x]({URI})"}}]}]}]},
            id="arguments-of-a-message",
        ),
        pytest.param({"nodes": [{"observation": f"background: url({URI})"}]}, id="text-that-is-no-markdown-image"),
        pytest.param({"nodes": [{"observation": [part("images/a.gif")]}]}, id="path"),
        pytest.param({"nodes": [{"observation": [part("data:image/gif;base64,A")]}]}, id="base64-that-does-not-decode"),
        pytest.param(
            {"nodes": [{"observation": "![x](data:image/gif;base64,R0lGA)"}]}, id="markdown-that-is-no-base64"
        ),
        pytest.param({"nodes": [{"observation": [part("data:text/html;base64,PGI+")]}]}, id="type-of-no-file"),
        pytest.param({"nodes": 3, "states": [None, {"view": 1}]}, id="wrong-types"),
    ],
)
def test_anything_else_stays(given: Any) -> None:
    bundle = Bundle(given)
    found = extracted(bundle)
    assert (bundle, {}, []) == (found.bundle, found.files, found.losses)


def test_files_are_numbered_by_sort_in_the_folder_that_is_asked_for() -> None:
    audio = {"type": "input_audio", "input_audio": {"format": "wav", "data": GIF}}
    other = "data:image/png;base64,AAAA"
    found = extracted(Bundle({"nodes": [{"observation": [part(URI), audio, part(other)]}]}), "../media/run-1/")
    assert {"../media/run-1/image-1.gif": BYTES, "../media/run-1/image-2.png": b"\0\0\0"} == found.files
