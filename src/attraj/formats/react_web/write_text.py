"""Content of a Bundle as one text, which is all that a step of ReAct web JSON can show."""

from __future__ import annotations

from typing import Any

from attraj.bundle.markers import MARKER_KEY, is_marker, is_placeholder, is_withheld, status_of
from attraj.formats.mapping.attachments import attachment_of, omitted
from attraj.formats.mapping.fields import At
from attraj.formats.mapping.held import Held, Made, Part
from attraj.jsonio import MISSING
from attraj.jsonio.write import dumps

_TEXT_MEMBERS = ("text", "thinking", "content")


def text_of(part: Part, *path: str | int) -> Held | Made | None:
    """The content at a path as a text; None when there is none, or nothing is left of it."""
    return as_text(part.peek(*path), (*part.at, *path))


def as_text(value: Any, at: At) -> Held | Made | None:
    """A value of the Bundle as a text.

    Args:
        value: A text, content parts, any JSON value, or MISSING.
        at: Where it stands in the Bundle.
    """
    if value is MISSING or value is None:
        return None
    if is_marker(value) and status_of(value) != "literal":
        alias = _alias(value) or ("[REDACTED]" if is_withheld(value) else "")
        detail = "content that is withheld from the Bundle"
        return Made(alias, (at,), "withheld-content", "other", "approximated", detail) if alias else None
    if type(value) is str:
        return Held(value, at)
    if type(value) is list and value and all(map(_is_part, value)):
        return _joined(value, at)
    detail = "content that is no text, as JSON text"
    return Made(dumps(value).decode(), (at,), "content-as-text", "other", "approximated", detail)


def is_empty(text: Held | Made | None) -> bool:
    """Whether there is nothing to show."""
    return text is None or text.value == ""


def _is_part(value: Any) -> bool:
    return type(value) is str or (type(value) is dict and (type(value.get("type")) is str or is_marker(value)))


def _joined(parts: list[Any], at: At) -> Held | Made:
    """Parts one below the other; the place of an image says that one is left out."""
    texts: list[str] = []
    has_attachment = False
    for position, part in enumerate(parts):
        attachment = attachment_of(part)
        if attachment is not None:
            texts.append(omitted(attachment, (*at, position)).value)
            has_attachment = True
        else:
            texts.append(_text(part))
    if len(parts) == 1 and type(parts[0]) is dict and texts[0] == parts[0].get("text"):
        return Held(texts[0], (*at, 0, "text"))
    if has_attachment:
        detail = "text parts are joined, images and other attachments left out"
        return Made("\n".join(texts), (at,), "attachment-omitted", "attachments", "dropped", detail)
    return Made("\n".join(texts), (at,), "parts-joined", "other", "approximated", "content parts as one text")


def _text(part: Any) -> str:
    if type(part) is str:
        return part
    if is_marker(part) and status_of(part) != "literal":
        return _alias(part)
    for member in _TEXT_MEMBERS:
        if type(part.get(member)) is str:
            text: str = part[member]
            return text
    return dumps(part).decode()


def _alias(marker: Any) -> str:
    body = marker[MARKER_KEY]
    alias = body.get("alias") if type(body) is dict else None
    return alias if type(alias) is str and is_placeholder(alias) else ""
