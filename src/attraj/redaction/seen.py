"""What a detector says of a text or a tree, read so that placeholders are neither secrets nor names."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from attraj.pointer import resolve, split
from attraj.redaction.leaves import Keys
from attraj.redaction.placeholders import standing
from attraj.secrets.detector import Detector
from attraj.secrets.overlaps import free
from attraj.secrets.spans import Hit, Piece, Span


def visible(text: str) -> str:
    """A text of the same length without halves of characters, which no detector has to know."""
    return _HALF.sub("\ufffd", text) if not text.isascii() else text


_HALF = re.compile("[\ud800-\udfff]")


def place_of(tree: Any, pointer: str) -> tuple[Keys, Any]:
    """Keys that lead to a place (positions as numbers), and the object or array that holds it."""
    keys: list[str | int] = []
    holder, value = None, tree
    for token in split(pointer):
        holder = value
        key: str | int = int(token) if type(value) is list else token
        keys.append(key)
        value = value[key]
    return tuple(keys), holder


def tidied(span: Span) -> Span:
    """The span without the full stop of the sentence that it ends, so that equal values are equal."""
    kept = span.value.rstrip(".")
    cut = len(span.value) - len(kept)
    is_plain = not span.via and len(span.pieces) <= 1 and span.end - span.start == len(span.value)
    if not cut or not kept or not is_plain or not span.is_secret:
        return span
    end = span.end - cut
    return replace(span, end=end, value=kept, pieces=(Piece(span.start, end),))


def hits_in(tree: Any, detector: Detector) -> Iterator[Hit]:
    """What a detector finds in a document; nothing in one that is a lone number, truth value or null."""
    return detector.scan_tree(tree) if type(tree) in (dict, list, str) else iter(())


def unnamed(spans: Sequence[Span], text: str, name: str = "") -> list[Span]:
    """The spans without those that were found for the name beside them, where that name is a placeholder.

    `<PASSWORD_1>` names no password, neither as the name of a member nor as a word before a value.

    Args:
        spans: Found in the text.
        text: The text.
        name: The name of its member.
    """
    ends = [end for _, end in standing(text)]
    is_named = bool(standing(name))
    if not ends and not is_named:
        return list(spans)
    return [
        span
        for span in spans
        if not span.rule.startswith("name-") or not (is_named or _follows(text, span.start, ends))
    ]


def _follows(text: str, start: int, ends: Sequence[int]) -> bool:
    """Whether nothing but what ties a name to its value stands between a placeholder and a place."""
    at = bisect_right(ends, start) - 1
    return at >= 0 and not text[ends[at] : start].strip(_TIES)


_TIES = " \t\r\n:=>\"'"


def text_of(hit: Hit, keys: Keys, tree: Any) -> tuple[str, str]:
    """The text of a hit, and the name that says what it is ("" for a name itself)."""
    if hit.is_key:
        return str(keys[-1]), ""
    value = resolve(tree, hit.pointer)
    name = next((key for key in reversed(keys) if type(key) is str), "")
    return value if type(value) is str else str(value), name


def disjoint(text: str, spans: Sequence[Span]) -> list[tuple[Span, tuple[int, int], bool]]:
    """The pieces of spans, none over another: earlier spans of the list win, placeholders always do.

    Returns:
        Span, piece, and whether the placeholder of the span stands there (its other pieces become nothing).
    """
    taken = standing(text)  # by start, and none over another: a piece is compared with its neighbours alone
    made: list[tuple[Span, tuple[int, int], bool]] = []
    for span in spans:
        pieces = [(p.start, p.end) for p in span.pieces] or [(span.start, span.end)]
        left = [rest for piece in pieces for rest in free(piece, taken) if text[rest[0] : rest[1]].strip()]
        made += [(span, piece, number == 0) for number, piece in enumerate(left)]
        for piece in left:
            insort(taken, piece)
    made.sort(key=lambda each: each[1])
    return made


def touches(span: Span, taken: Sequence[tuple[int, int]]) -> bool:
    """Whether a span shares a character with one of the stretches, which are by start and do not overlap."""
    at = bisect_left(taken, (span.end,)) - 1
    return at >= 0 and taken[at][1] > span.start
