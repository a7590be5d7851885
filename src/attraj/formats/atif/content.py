"""Content parts and the media files that they name (A24, A25)."""

from __future__ import annotations

from typing import Any

from attraj.findings import Severity
from attraj.formats.atif import shape
from attraj.formats.atif.paths import Place, look_up
from attraj.formats.atif.rules import BAD_PART, MEDIA, NUMBER_RANGE
from attraj.formats.atif.scope import NAMES, Json, Scope
from attraj.formats.atif.survey import MAX_FLOAT

_MEDIA_FAULTS: dict[Place, tuple[str, str]] = {
    Place.MISSING: ("the media file is not there", "put it beside the trajectory file, under this path"),
    Place.FOLDER: ("the path leads to a folder, not to a media file", ""),
    Place.EMPTY: ("the path of the media file is empty", ""),
    Place.DATA: (
        "a data: URI where a path or a URL belongs; Harbor looks for a file of this name",
        "write the bytes to a file beside the trajectory and name that",
    ),
    Place.ABSOLUTE: (
        "an absolute path holds on one machine only; it was not looked at",
        "name the file by its path from the trajectory's folder",
    ),
    Place.OUTSIDE: (
        "the path leaves the folder of the trajectory; it was not looked at",
        "keep media files in the folder of the trajectory",
    ),
    Place.INVALID: ("no file can have this path", ""),
    Place.REFUSED: ("the system refuses this path (is it too long?)", ""),
}


def look_at_parts(scope: Scope, parts: list[Any], at: str) -> None:
    """Check an array of content parts, one finding a fault."""
    for position, part in enumerate(parts):
        place = f"{at}/{position}"
        if type(part) is not dict:
            got = "null" if part is None else NAMES[type(part)]
            scope.add(BAD_PART, place, f"a content part is an object, got {got}")
            continue
        scope.members("part", part, place)
        kind = part.get("type")
        if type(kind) is not str:
            continue
        if kind == "text":
            _text_part(scope, part, place)
        elif kind in ("image", "audio"):
            scope.whole.has_audio = scope.whole.has_audio or kind == "audio"
            if kind == "audio" and scope.version < 8:
                scope.newer("part.type:audio", f"{place}/type", "a part of type audio", 8)
            _media_part(scope, kind, part, place)
        else:
            scope.add(BAD_PART, f"{place}/type", "the type of a content part is text, image or audio")


def _text_part(scope: Scope, part: Json, at: str) -> None:
    if part.get("text") is None:
        scope.add(BAD_PART, at, "a text part needs `text`")
    if part.get("source") is not None:
        scope.add(BAD_PART, f"{at}/source", "a text part has no `source`", "use two parts")


def _media_part(scope: Scope, kind: str, part: Json, at: str) -> None:
    if part.get("text") is not None:
        scope.add(BAD_PART, f"{at}/text", f"an {kind} part has no `text`", "use two parts")
    source = part.get("source")
    if source is None:
        scope.add(BAD_PART, at, f"an {kind} part needs `source`")
    if type(source) is not dict:
        return
    at = f"{at}/source"
    scope.members(kind, source, at)
    media_type = source.get("media_type")
    if type(media_type) is str:
        _media_type(scope, kind, media_type, at)
    duration: Any = source.get("duration_sec") if kind == "audio" else None
    if type(duration) in (int, float) and not 0 <= duration <= MAX_FLOAT:
        scope.add(NUMBER_RANGE, f"{at}/duration_sec", "a duration is a finite number that is not negative")
    path = source.get("path")
    if type(path) is str:
        _media_file(scope, path, f"{at}/path")


def _media_type(scope: Scope, kind: str, word: str, at: str) -> None:
    if kind == "image":
        if word not in shape.IMAGE_TYPES:
            hint = f"one of {', '.join(shape.IMAGE_TYPES)}"
            scope.add(BAD_PART, f"{at}/media_type", "not a media type that ATIF takes for an image", hint)
        return
    plain = word.strip().lower()
    if shape.AUDIO_ALIASES.get(plain, plain) not in shape.AUDIO_TYPES:
        hint = f"one of {', '.join(shape.AUDIO_TYPES)}"
        scope.add(BAD_PART, f"{at}/media_type", "not a media type that ATIF takes for audio", hint)


def _media_file(scope: Scope, path: str, at: str) -> None:
    scope.whole.has_media = True
    place = look_up(scope.whole.folder, path)
    if place is Place.UNKNOWN:
        scope.whole.unlooked += 1
    elif place in _MEDIA_FAULTS:
        message, hint = _MEDIA_FAULTS[place]
        # The RFC allows an absolute path; it is the reader on another machine who cannot follow it.
        scope.add(MEDIA, at, message, hint, Severity.WARNING if place is Place.ABSOLUTE else None)
