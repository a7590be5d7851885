"""What a content part names or carries, told the same way whatever the part looks like."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.formats.mapping.attachments import (
    NOT_A_TYPE,
    NOT_BASE64,
    NOT_BASE64_FORM,
    NOT_HERE,
    Attachment,
    attachment_of,
    omitted,
)
from attraj.formats.mapping.held import Made

GIF = "R0lGODlhAQABAAAAACw="
BYTES = b"GIF89a\x01\x00\x01\x00\x00\x00\x00,"
URI = f"data:image/gif;base64,{GIF}"

PARTS = [
    pytest.param(
        {"type": "image_url", "image_url": {"url": URI}},
        Attachment("image", ("image_url", "url"), "image/gif", data=BYTES),
        id="chat-part-with-data",
    ),
    pytest.param(
        {"type": "input_image", "image_url": f"DATA:image/gif;BASE64,{GIF}"},
        Attachment("image", ("image_url",), "image/gif", data=BYTES),
        id="scheme-and-base64-in-capitals",
    ),
    pytest.param(
        {"type": "image", "source": {"type": "base64", "media_type": "image/gif", "data": f"{GIF[:8]}\r\n{GIF[8:]}"}},
        Attachment("image", ("source", "data"), "image/gif", data=BYTES),
        id="block-with-base64-in-two-lines",
    ),
    pytest.param(
        {"type": "input_audio", "input_audio": {"format": "mp3", "data": GIF}},
        Attachment("audio", ("input_audio", "data"), "audio/mpeg", data=BYTES),
        id="audio-with-a-short-type",
    ),
    pytest.param(
        {"type": "image", "source": {"media_type": "image/png", "path": "../images/a.jpg"}},
        Attachment("image", ("source", "path"), "image/png", reference="../images/a.jpg"),
        id="path-is-kept-and-its-ending-does-not-win",
    ),
    pytest.param(
        {"type": "image_url", "image_url": {"url": "https://example.org/a.JPEG?size=1#top"}},
        Attachment(
            "image", ("image_url", "url"), "image/jpeg", True, reference="https://example.org/a.JPEG?size=1#top"
        ),
        id="url-tells-its-type-by-its-ending-alone",
    ),
    pytest.param(
        {"type": "image_url", "image_url": {"url": "notes.pdf"}},
        Attachment("image", ("image_url", "url"), reference="notes.pdf"),
        id="ending-of-another-sort-tells-nothing",
    ),
    pytest.param(
        {"type": "image_url", "image_url": {"url": "data:image/gif;base64,R0lGODlh%"}},
        Attachment("image", ("image_url", "url"), fault=NOT_BASE64),
        id="base64-that-does-not-decode",
    ),
    pytest.param(
        {"type": "image_url", "image_url": {"url": "data:image/gif;base64,%FF%FE"}},
        Attachment("image", ("image_url", "url"), fault=NOT_BASE64),
        id="percent-escapes-that-are-no-base64",
    ),
    pytest.param(
        {"type": "image_url", "image_url": {"url": "data:image/gif;base64,"}},
        Attachment("image", ("image_url", "url"), fault=NOT_BASE64),
        id="no-data-at-all",
    ),
    pytest.param(
        {"type": "image_url", "image_url": {"url": "data:image/svg+xml;base64,PHN2Zy8+"}},
        Attachment("image", ("image_url", "url"), fault=NOT_A_TYPE),
        id="svg-is-a-program",
    ),
    pytest.param(
        {"type": "image_url", "image_url": {"url": "data:image/gif,GIF89a"}},
        Attachment("image", ("image_url", "url"), fault=NOT_BASE64_FORM),
        id="data-without-base64",
    ),
    pytest.param(
        {"type": "image", "source": {"type": "file", "file_id": "f"}},
        Attachment("image", (), fault=NOT_HERE),
        id="provider-keeps-it",
    ),
    pytest.param({"type": "image", "source": 5}, Attachment("image", (), fault=NOT_HERE), id="source-of-a-wrong-type"),
]


@pytest.mark.parametrize(("part", "expected"), PARTS)
def test_a_part_is_told(part: dict[str, Any], expected: Attachment) -> None:
    assert expected == attachment_of(part)


@pytest.mark.parametrize(
    "part",
    [
        pytest.param({"type": "text", "text": URI}, id="text"),
        pytest.param({"type": ["image"], "source": {}}, id="type-of-a-wrong-type"),
        pytest.param({"image_url": {"url": URI}}, id="no-type"),
        pytest.param({"$at": {"status": "redacted"}}, id="marker"),
        pytest.param(URI, id="bare-text"),
        pytest.param(None, id="null"),
    ],
)
def test_anything_else_is_no_attachment(part: Any) -> None:
    assert attachment_of(part) is None


@pytest.mark.parametrize(
    ("part", "text", "detail"),
    [
        pytest.param(
            {"type": "image_url", "image_url": {"url": URI}},
            "[image omitted: image/gif, 14 bytes]",
            "content that is no text: the target holds no such part",
            id="type-and-size-are-known",
        ),
        pytest.param(
            {"type": "input_audio", "input_audio": {"format": "x", "data": "A"}},
            "[audio omitted]",
            f"content that is no text: {NOT_A_TYPE}",
            id="nothing-is-known",
        ),
    ],
)
def test_a_part_that_a_target_cannot_hold_is_a_named_loss(part: dict[str, Any], text: str, detail: str) -> None:
    found = attachment_of(part)
    assert found is not None
    origins = (("nodes", 3), ("nodes", 3, *found.at))
    assert Made(text, origins, "attachment-omitted", "attachments", "dropped", detail) == omitted(found, ("nodes", 3))
