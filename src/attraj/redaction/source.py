"""One file as redaction and scanning see it: its text, and where in it its JSON documents stand."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from attraj.errors import Unreadable
from attraj.jsonio import MISSING, Document, FaultKind, documents
from attraj.limits import DEFAULT_LIMITS, Limits
from attraj.redaction.strings import is_binary
from attraj.redaction.tokens import Range, elements, tree_with_repeated

JSON_SUFFIXES = (".json", ".jsonl", ".ndjson", ".traj")
BINARY = "not text"
_WIDE = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def looks_like_bundle(tree: Any) -> bool:
    """Whether a tree is a Bundle, by its marks; a caller that knows all formats may know better."""
    return type(tree) is dict and "spec_version" in tree and "nodes" in tree and "schema_version" not in tree


@dataclass(frozen=True, slots=True)
class Forms:
    """What somebody who knows all formats tells, which this room does not.

    Attributes:
        is_bundle: Whether a tree is a Bundle.
        is_one: Whether an array is one document (see `jsonio.documents`); None when nobody knows.
    """

    is_bundle: Callable[[Any], bool] = looks_like_bundle
    is_one: Callable[[list[Any]], bool] | None = None


UNKNOWN = Forms()


@dataclass(frozen=True, slots=True)
class Part:
    """One JSON document of a file.

    Attributes:
        start: Where its text starts in that of the file.
        end: Where it ends.
        tree: Its value; a name that an object has twice is told apart in it (tokens.REPEATED).
        is_bundle: Whether the books of a Bundle have to be kept.
        has_repeated: Whether an object has a name twice.
        index: Position among the documents of the file.
    """

    start: int
    end: int
    tree: Any
    is_bundle: bool = False
    has_repeated: bool = False
    index: int = 0


@dataclass(frozen=True, slots=True)
class Source:
    """One file.

    Attributes:
        name: Its path within what was given, with "/"; may hold a secret itself.
        raw: Its bytes.
        text: What they say; a byte that is not UTF-8 is a character from U+DC80 to U+DCFF.
        encoding: Name of the codec.
        parts: The JSON documents; () when it is a text.
    """

    name: str
    raw: bytes
    text: str
    encoding: str = "utf-8"
    parts: tuple[Part, ...] = ()

    def encoded(self, text: str) -> bytes:
        """The bytes of another text in the encoding of this file."""
        return text.encode(self.encoding, "surrogateescape" if self.encoding == "utf-8" else "surrogatepass")


def read_source(name: str, raw: bytes, limits: Limits = DEFAULT_LIMITS, forms: Forms = UNKNOWN) -> Source:
    """See what a file holds.

    Args:
        name: Its path; a suffix of JSON files asks for JSON.
        raw: Its bytes, expanded.
        limits: Bounds of JSON documents.
        forms: Tells Bundles, and arrays that are one document.

    Raises:
        Unreadable: It is not text (the message is BINARY), or meant as JSON and not to be read as such.
    """
    encoding = next((codec for mark, codec in _WIDE if raw.startswith(mark)), "utf-8")
    if encoding == "utf-8" and is_binary(raw):
        raise Unreadable(BINARY, hint="it was not looked at")
    try:
        text = raw.decode(encoding, "surrogateescape" if encoding == "utf-8" else "surrogatepass")
    except UnicodeDecodeError as error:
        raise Unreadable(BINARY, hint="it was not looked at") from error
    if encoding == "utf-8" and text.strip():
        is_named_json = name.lower().endswith(JSON_SUFFIXES)
        if is_named_json or text[:64].lstrip("\ufeff \t\r\n")[:1] in ("{", "["):
            parts = _parts(raw, text, limits, forms, is_required=is_named_json)
            return Source(name, raw, text, encoding, parts)
    return Source(name, raw, text, encoding)


def _parts(raw: bytes, text: str, limits: Limits, forms: Forms, *, is_required: bool) -> tuple[Part, ...]:
    found = list(documents(raw, limits, forms.is_one))
    broken = next((document for document in found if document.tree is MISSING), None)
    if broken is not None:
        if not is_required:
            return ()  # a text that begins like JSON: "[INFO] …"
        fault = next(fault for fault in broken.faults if fault.is_fatal)
        place = f" (line {fault.line})" if fault.line else ""
        raise Unreadable(fault.message + place, hint=fault.hint)
    if found[0].prefix:
        if not any(forms.is_bundle(document.tree) for document in found):
            return (_part(text, Range(0, len(text)), _whole(found), found, forms, 0),)
        places = elements(text, int(text.startswith("\ufeff")))
    elif len(found) > 1 or found[0].raw is not raw:
        places = _lines(text, found)
    else:
        places = [Range(0, len(text))]
    return tuple(
        _part(text, place, document.tree, [document], forms, document.index)
        for place, document in zip(places, found, strict=True)
    )


def _whole(found: list[Document]) -> list[Any]:
    return [document.tree for document in found]


def _part(text: str, place: Range, tree: Any, documents: list[Document], forms: Forms, index: int) -> Part:
    has_repeated = any(fault.kind is FaultKind.DUPLICATE for document in documents for fault in document.faults)
    if has_repeated:
        tree = tree_with_repeated(text[place.start : place.end].removeprefix("\ufeff"))
    own = forms.is_bundle(tree)
    if own and has_repeated:
        raise Unreadable("a Bundle that gives a member twice says two things", hint="remove one of the two")
    return Part(place.start, place.end, tree, own, has_repeated, index)


def _lines(text: str, found: list[Document]) -> list[Range]:
    """The lines of the documents of a JSON Lines file."""
    wanted = {document.first_line for document in found}
    places: list[Range] = []
    start = number = 0
    while start < len(text):
        number += 1
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if number in wanted:
            places.append(Range(start, end - (text[end - 1 : end] == "\r")))
        start = end + 1
    return places
