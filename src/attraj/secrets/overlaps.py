"""What several rules and views found in one text, to spans that do not overlap."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from attraj.secrets.spans import Confidence, Piece, Span
from attraj.secrets.views import View

_RANK = {"high": 0, "medium": 1, "low": 2}


class Raw(NamedTuple):
    """One find, in the coordinates of its view."""

    view: View
    start: int
    end: int
    type: str
    rule: str
    confidence: Confidence
    secret_from: int
    pack: str
    via: tuple[str, ...]
    inner: tuple[Span, ...] = ()
    value: str | None = None


def resolved(raws: Iterable[Raw]) -> list[Span]:
    """Spans in the text itself, by start. The longest find wins; what another one holds besides it is kept."""
    placed = [_span(raw) for raw in raws]
    if len(placed) < 2:
        return placed
    placed.sort(key=_order)
    spans: list[Span] = []
    taken: list[Piece] = []  # by start, and they do not overlap: who comes later is compared with neighbours alone
    for span in placed:
        pieces = tuple(left for piece in span.pieces for left in free(piece, taken))
        if pieces == span.pieces:
            spans.append(span)
        elif pieces:
            spans.append(_cut(span, pieces))
        for piece in pieces:
            insort(taken, piece)
    spans.sort(key=lambda span: span.start)
    return spans


def free(piece: tuple[int, int], taken: Sequence[tuple[int, int]]) -> Iterator[Piece]:
    """What of a piece is not among the stretches that are taken, which are by start and do not overlap."""
    start, end = piece
    at = max(0, bisect_right(taken, (start,)) - 1)
    while at < len(taken) and taken[at][0] < end:
        a, b = taken[at]
        if a > start:
            yield Piece(start, a)
        start = max(start, b)
        at += 1
    if start < end:
        yield Piece(start, end)


def _order(span: Span) -> tuple[int, bool, bool, int, int, str]:
    covered = sum(end - start for start, end in span.pieces)
    # Of equal ones: credentials before personal data, what names itself before what is known by its place, certain
    # before likely, what the text itself says before views.
    is_named = span.pack != "attraj-tokens"
    return -covered, not span.is_secret, is_named, _RANK[span.confidence], len(span.via), span.rule


def _span(raw: Raw) -> Span:
    pieces = tuple(raw.view.pieces(raw.start, raw.end)) or (Piece(0, 0),)
    value = raw.view.text[raw.start : raw.end] if raw.value is None else raw.value
    return Span(
        pieces[0].start, pieces[-1].end, raw.type, raw.rule, raw.confidence, (*raw.view.via, *raw.via), pieces, value,
        raw.secret_from, raw.inner, raw.pack,
    )  # fmt: skip


def _cut(span: Span, pieces: tuple[Piece, ...]) -> Span:
    # The value stays whole: what is left over is a part of the same secret.
    return Span(
        pieces[0].start, pieces[-1].end, span.type, span.rule, span.confidence, span.via, pieces, span.value,
        span.secret_from, span.inner, span.pack,
    )  # fmt: skip
