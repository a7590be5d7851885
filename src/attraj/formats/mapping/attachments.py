"""What a content part names or carries besides text: the parts of every format's chat messages, told in one way.

Writers ask `attachment_of`. Nothing that a part names is opened: a path stays the text that it is.
Source: OpenAI chat and Responses parts, Anthropic blocks, ATIF RFC 0001 ContentPart (spec: traj.md §3, §7.3).
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from attraj.bundle.markers import is_marker
from attraj.formats.mapping.fields import At, look_up
from attraj.formats.mapping.held import Made

Sort = Literal["image", "audio", "file"]

# Media type to the ending of its files. SVG and HTML are not here: they are programs to whoever opens them.
ENDINGS: Mapping[str, str] = {
    "image/jpeg": "jpg",
    "image/png": "png",
    "image/gif": "gif",
    "image/webp": "webp",
    "audio/wav": "wav",
    "audio/mpeg": "mp3",
    "audio/mp4": "m4a",
    "audio/aac": "aac",
    "audio/ogg": "ogg",
    "audio/flac": "flac",
    "audio/webm": "weba",
    "audio/aiff": "aiff",
    "application/pdf": "pdf",
}
_ALIASES: Mapping[str, str] = {
    "image/jpg": "image/jpeg",
    **dict.fromkeys(("audio/mp3", "audio/mpga", "audio/x-mpeg"), "audio/mpeg"),
    **dict.fromkeys(("audio/x-wav", "audio/wave", "audio/vnd.wave"), "audio/wav"),
    **dict.fromkeys(("audio/x-m4a", "audio/m4a"), "audio/mp4"),
    "audio/x-aac": "audio/aac",
    "audio/x-flac": "audio/flac",
    "audio/x-aiff": "audio/aiff",
}
_OF_ENDING: Mapping[str, str] = {**{ending: kind for kind, ending in ENDINGS.items()}, "jpeg": "image/jpeg"}

NOT_BASE64 = "its base64 does not decode"
NOT_A_TYPE = "its media type is none that is written to a file"
NOT_BASE64_FORM = "a data: URI without base64"
NOT_HERE = "it is named by an identity that only its provider knows"


class Attachment(NamedTuple):
    """What one content part names or carries.

    Attributes:
        sort: What the part says that it is.
        at: Place of the reference or of the data, below the part.
        media_type: Registered spelling, one of `ENDINGS`; "" when the part does not say, or says another one.
        is_told_by_name: `media_type` is told by the ending of the name alone: a writer that writes it says so in a
            loss (approximated).
        reference: Path or URL as recorded, never looked at; "" when the bytes stand in the document.
        data: The bytes, when they stand in the document whole and of a known type; b"" otherwise.
        fault: Why there is neither a reference nor data, in our words; "" when there is one.
    """

    sort: Sort
    at: At
    media_type: str = ""
    is_told_by_name: bool = False
    reference: str = ""
    data: bytes = b""
    fault: str = ""


class _Form(NamedTuple):
    """Where parts of a type have a reference, or base64 with its media type beside it."""

    type: str
    sort: Sort
    at: At
    media_type: At = ()
    is_base64: bool = False


_FORMS = (
    _Form("image_url", "image", ("image_url", "url")),
    _Form("image_url", "image", ("image_url",)),
    _Form("input_image", "image", ("image_url",)),
    _Form("image", "image", ("source", "path"), ("source", "media_type")),
    _Form("image", "image", ("source", "url"), ("source", "media_type")),
    _Form("image", "image", ("source", "data"), ("source", "media_type"), is_base64=True),
    _Form("audio", "audio", ("source", "path"), ("source", "media_type")),
    _Form("document", "file", ("source", "url"), ("source", "media_type")),
    _Form("document", "file", ("source", "data"), ("source", "media_type"), is_base64=True),
    _Form("input_audio", "audio", ("input_audio", "data"), ("input_audio", "format"), is_base64=True),
    _Form("file", "file", ("file", "file_data")),
    _Form("input_file", "file", ("file_data",)),
    _Form("input_file", "file", ("file_url",)),
)
_SORTS: Mapping[str, Sort] = {form.type: form.sort for form in _FORMS}


def attachment_of(part: Any) -> Attachment | None:
    """What an element of a list of content parts names or carries; None for a text, a marker, anything else."""
    kind = part.get("type") if type(part) is dict and not is_marker(part) else None
    sort = _SORTS.get(kind) if type(kind) is str else None
    if sort is None:
        return None
    for form in _FORMS:
        value = look_up(part, form.at) if form.type == kind else None
        if type(value) is str and value:
            stated = look_up(part, form.media_type) if form.media_type else None
            return _told(form, value, stated if type(stated) is str else "")
    return Attachment(sort, (), fault=NOT_HERE)


def omitted(attachment: Attachment, origin: At, why: str = "the target holds no such part") -> Made:
    """The text "[image omitted: image/png, 68 bytes]" that stands for a part, and the loss that it is.

    Args:
        origin: Place of the part in the Bundle.
        why: In our words; a fault of the attachment comes before it.
    """
    said = [attachment.media_type] if attachment.media_type else []
    if attachment.data:
        said.append(f"{len(attachment.data)} bytes")
    text = f"[{attachment.sort} omitted{': ' if said else ''}{', '.join(said)}]"
    origins = (origin, (*origin, *attachment.at)) if attachment.at else (origin,)
    detail = f"content that is no text: {attachment.fault or why}"
    return Made(text, origins, "attachment-omitted", "attachments", "dropped", detail)


def registered(media_type: str) -> str:
    """The registered spelling of a media type that is written to files; "" for another one."""
    plain = media_type.partition(";")[0].strip().lower()
    known = _ALIASES.get(plain, plain)
    return known if known in ENDINGS else ""


def data_of(uri: str) -> tuple[str, bytes, str]:
    """Media type, bytes and fault of a data: URI (RFC 2397); the type and the bytes are empty with a fault."""
    head, comma, body = uri[5:].partition(",")
    words = head.lower().split(";")
    if not comma or words[-1].strip() != "base64":
        return "", b"", NOT_BASE64_FORM
    media_type = registered(words[0])
    if not media_type:
        return "", b"", NOT_A_TYPE
    data = decoded(body)
    return ("", b"", NOT_BASE64) if data is None else (media_type, data, "")


def decoded(text: str) -> bytes | None:
    """The bytes of a base64 text, line breaks and %XX allowed; None when it is empty or not whole base64."""
    if "%" in text:
        from urllib.parse import unquote  # only where there is such a text

        text = unquote(text)
    try:
        return base64.b64decode("".join(text.split()), validate=True) or None
    except (binascii.Error, ValueError):
        return None


def is_data_uri(text: str) -> bool:
    """Whether a text is a data: URI; schemes are told without regard to case (RFC 3986 §3.1)."""
    return text[:5].lower() == "data:"


def _told(form: _Form, value: str, stated: str) -> Attachment:
    if form.is_base64:
        media_type = registered(stated if "/" in stated else f"{form.sort}/{stated}")
        data = decoded(value) if media_type else None
        fault = "" if data else NOT_BASE64 if media_type else NOT_A_TYPE
        return Attachment(form.sort, form.at, "" if fault else media_type, data=data or b"", fault=fault)
    if is_data_uri(value):
        media_type, data, fault = data_of(value)
        return Attachment(form.sort, form.at, media_type, data=data, fault=fault)
    named = _OF_ENDING.get(_ending(value), "") if not stated else ""
    named = named if named.startswith(f"{form.sort}/") or form.sort == "file" else ""
    return Attachment(form.sort, form.at, registered(stated) or named, bool(named), reference=value)


def _ending(reference: str) -> str:
    path = reference.partition("?")[0].partition("#")[0]
    return path.rpartition("/")[2].rpartition(".")[2].lower()
