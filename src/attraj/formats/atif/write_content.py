"""What a message or a result says, as ATIF can hold it: a text, or content parts (RFC 0001, "ContentPartSchema").

Nothing is fetched or opened. An image needs a path or a URL, and a media type of ATIF's list; a `data:` URI is no path,
and an image without a place becomes a text that says that it is left out (spec: traj.md §7.3).
"""

from __future__ import annotations

from typing import Any

from attraj.bundle.markers import MARKER_KEY, is_marker, is_placeholder, status_of
from attraj.formats.atif.shape import AUDIO_TYPES, IMAGE_TYPES
from attraj.formats.mapping.fields import At, Json
from attraj.formats.mapping.held import Held, Made, Part
from attraj.formats.mapping.withheld import plain
from attraj.formats.mapping.words import words_at
from attraj.jsonio import MISSING
from attraj.jsonio.write import dumps

_BY_SUFFIX = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
}
_AUDIO_SINCE = 8
_TEXTS = ("text", "input_text", "output_text")


def held_text(part: Part, *path: str | int) -> Held | None:
    """The text at a path, to be written as it is; None for anything else."""
    return part.hold(*path) if type(part.peek(*path)) is str else None


def message(part: Part, *path: str | int, version: int) -> Any:
    """The content at a path for a member that must be there: a withheld one leaves its placeholder.

    Returns:
        `Held`, `Made` or an array of parts.
    """
    found = content(part, *path, version=version)
    if found is None or (type(found) is Held and found.value is None):
        origins = () if found is None else (found.origin,)
        return Made("", origins, "no-message", "other", "synthesized", "ATIF asks for a message, and none is recorded")
    return found


def content(part: Part, *path: str | int, version: int) -> Any:
    """The content at a path; None when there is none."""
    value = part.peek(*path)
    at = (*part.at, *path)
    if value is MISSING:
        return None
    if is_marker(value) and status_of(value) != "literal":
        return withheld(value, at)
    if value is None or type(value) is str or value == []:
        return Held(value, at)
    if type(value) is list and all(_may_be_part(one) for one in value):
        return [_part(one, (*at, position), version) for position, one in enumerate(value)]
    return as_text(value, at)


def withheld(marker: Any, at: At) -> Made:
    """What stands for a value that is not here: its alias, or the word that says so (decisions 25)."""
    body = marker[MARKER_KEY]
    alias = body.get("alias") if type(body) is dict else None
    status = status_of(marker) or "withheld"
    known = status if status in ("unavailable", "unknown", "not_applicable") else "redacted"
    text = alias if type(alias) is str and is_placeholder(alias) else f"[{known.upper()}]"
    return Made(text, (at,), "withheld-content", "other", "approximated", "content that is withheld from the Bundle")


def as_text(value: Any, at: At) -> Made:
    """A value that is no text, as JSON text."""
    written = plain(value, at, lambda _handling, _at, _code: None)
    text = dumps(None if written is MISSING else written).decode()
    return Made(text, (at,), "content-as-text", "other", "approximated", "content that is no text, as JSON text")


def _may_be_part(value: Any) -> bool:
    return type(value) is str or (type(value) is dict and (type(value.get("type")) is str or is_marker(value)))


def _part(value: Any, at: At, version: int) -> Any:
    if type(value) is str:
        return {"type": "text", "text": Held(value, at)}
    if is_marker(value):
        return {"type": "text", "text": withheld(value, at)}
    kind = value["type"]
    if type(value.get("text")) is str and kind in _TEXTS:
        return {"type": _word(kind, "text", at), "text": Held(value["text"], (*at, "text"))}
    if kind in ("image", "audio") and type(value.get("source")) is dict:
        return _medium(kind, value["source"], at, version)
    if kind in ("image_url", "input_image"):
        return _linked_image(value, at)
    return {"type": "text", "text": as_text(value, at)}


def _word(kind: str, word: str, at: At) -> Held | Made:
    """The kind of a part in ATIF's words."""
    at = (*at, "type")
    if kind == word:
        return Held(kind, at)
    return Made(word, (at,), "part-kinds", "other", "approximated", "a kind of content part by ATIF's name for it")


def _medium(kind: str, source: Json, at: At, version: int) -> Any:
    """An image or a sound in ATIF's own form."""
    whole, at = at, (*at, "source")
    media_type, path = source.get("media_type"), source.get("path")
    types = IMAGE_TYPES if kind == "image" else AUDIO_TYPES
    is_known = type(media_type) is str and media_type in types and (kind == "image" or version >= _AUDIO_SINCE)
    if not is_known or type(path) is not str or not path or path[:5].lower() == "data:":
        return _omitted(kind, whole, media_type if is_known else None)
    members = {"media_type": Held(media_type, (*at, "media_type")), "path": Held(path, (*at, "path"))}
    duration: Any = source.get("duration_sec")
    if kind == "audio" and type(duration) in (int, float) and 0 <= duration < float("inf"):
        members["duration_sec"] = Held(duration, (*at, "duration_sec"))
    return {"type": Held(kind, (*whole, "type")), "source": members}


def _linked_image(value: Json, at: At) -> Any:
    """An image as chat messages have it: a URL, without a media type."""
    inner = value.get("image_url")
    url, place = (inner.get("url"), (*at, "image_url", "url")) if type(inner) is dict else (inner, (*at, "image_url"))
    if type(url) is not str or not url:
        return {"type": "text", "text": as_text(value, at)}
    if url[:5].lower() == "data:":
        media_type = url[5:].partition(";")[0]
        return _omitted("image", at, media_type if media_type in IMAGE_TYPES else None)
    media_type = next((kind for end, kind in _BY_SUFFIX.items() if url.lower().endswith(end)), "")
    if not media_type:
        detail = "an image whose media type is not recorded, as the text of its address"
        return {"type": "text", "text": Made(url, (at,), "image-as-text", "attachments", "approximated", detail)}
    detail = "the media type is told by the name of the image's file"
    known = Made(media_type, (), "media-type", "attachments", "synthesized", detail)
    return {"type": _word(value["type"], "image", at), "source": {"media_type": known, "path": Held(url, place)}}


def _omitted(kind: str, at: At, media_type: str | None) -> Json:
    text = f"[{kind} omitted: {media_type}]" if media_type else f"[{kind} omitted]"
    detail = "an attachment that has no place in the file: `--assets` writes it beside"
    return {"type": "text", "text": Made(text, (at,), "attachment", "attachments", "dropped", detail)}


# --- reasoning ---------------------------------------------------------------------------------------------------


def joined(parts: list[Part]) -> Any:
    """The reasoning of a turn: one text as it is, several or a provider's blocks as one text; None for none."""
    texts: list[str] = []
    origins: list[At] = []
    single: Held | Made | None = None
    count = 0  # of texts and blocks, those without a text, too
    for part in parts:
        path = words_at(part)
        at, value = (*part.at, *path), part.peek(*path)
        if type(value) is list:
            texts += [text for text in map(_thought_of, value) if text]
            count += len(value)
        elif value is not MISSING and value is not None:
            if is_marker(value) and status_of(value) != "literal":
                single = withheld(value, at)
            else:
                single = Held(value, at) if type(value) is str else as_text(value, at)
            texts.append(single.value)
            count += 1
        origins.append(at)
    if len(texts) == 1 and single is not None:
        return single
    if not texts:
        return None
    if count == 1:
        detail = "the text of a block of reasoning: what stands beside it in the block, as its signature, has no place"
        return Made(texts[0], tuple(origins), "reasoning-as-text", "other", "approximated", detail)
    detail = "several pieces of reasoning, as one text"
    return Made("\n\n".join(texts), tuple(origins), "joined-reasoning", "other", "approximated", detail)


def _thought_of(block: Any) -> str:
    if type(block) is str:
        return block
    if type(block) is dict:
        for name in ("thinking", "text", "summary"):
            if type(block.get(name)) is str:
                return str(block[name])
    return ""
