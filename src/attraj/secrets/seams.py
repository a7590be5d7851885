"""Whether what begins a line goes on with what ends the line before, where only the width of the lines says so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from attraj.secrets.joins import WIDTHS
from attraj.secrets.overlaps import Raw
from attraj.secrets.spans import Piece
from attraj.secrets.values import is_random
from attraj.secrets.views import View

_LONG = 12  # characters: what is as long and as mixed is no word, whatever the width of the line before
_ASSIGNS = re.compile(r"([A-Za-z_][\w.\-]{0,60})(?:=(?![=\s]|\Z)|:\s)").match  # an assignment, a member
# A name in one of the ways in which names are written; not one letter, which a token has before its "=" as well.
_NAME = re.compile(
    r"[A-Z_][A-Z0-9_.]{2,}|[a-z_][a-z0-9_.\-]{2,}|[A-Z]?[a-z]{2,}[0-9]*(?:[A-Z]+[a-z0-9]+){0,12}"
    r"|[A-Z][a-z]+(?:-[A-Z][a-z]+){1,6}"
).fullmatch
_COUNTS = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}:[0-9]{2}|[0-9]{1,3}[.)]\s").match  # a time, a list
_words = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+").findall
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]{1,11}|[a-z]+(?:[A-Z][a-z]+)+|(?:[A-Z][a-z]+)+").fullmatch


def across(view: View, child: View, raws: Iterable[Raw], own: Iterable[Raw]) -> Iterator[Raw]:
    """Of what was found in a view without its line breaks, what stands across one of them.

    A value that is one without the next line takes of it only what no word and no name looks like: the first word of
    a line must not go because a token ends the line before.

    Args:
        view: A view.
        child: The same view joined.
        raws: What was found in the joined one.
        own: What was found in the view itself.
    """
    ends = {(raw.rule, raw.end) for raw in own}
    for raw in raws:
        pieces = child.pieces_in_parent(raw.start, raw.end)
        if len(pieces) < 2:
            continue
        if child.via[-1] != "unwrapped":
            yield raw
            continue
        is_whole = (raw.rule, pieces[0].end) in ends
        kept = 1 + sum(1 for _ in _going_on(view.text, pieces))
        if kept == len(pieces) or (kept == 1 and not is_whole):
            yield raw
        elif kept > 1:
            yield raw._replace(end=raw.start + sum(piece.end - piece.start for piece in pieces[:kept]))


def _going_on(text: str, pieces: list[Piece]) -> Iterator[Piece]:
    """The pieces after the first one, up to the first that begins something else."""
    is_wrapped = False
    for before, piece in pairwise(pieces):
        part = text[piece.start : piece.end]
        width = before.end - text.rfind("\n", 0, before.end) - 1
        is_edge = width in WIDTHS or _fills_lines(text, before, width)
        is_wrapped = is_wrapped or is_edge or len(part) >= _LONG
        if not is_wrapped or _begins_a_line(text, piece.start):
            return
        is_made = _WORD(part) is None and (is_random(part) or (is_edge and _is_of_two_sorts(part)))
        if not (is_made or (is_edge and _has_equal(text, before.end, width))):
            return
        yield piece


def _fills_lines(text: str, piece: Piece, width: int) -> bool:
    """Whether a piece fills a line, and the line before it is as wide: an edge, be it of no usual width."""
    return piece.end - piece.start == width and text.rfind("\n", 0, max(0, piece.start - 1)) == piece.start - width - 2


def _begins_a_line(text: str, at: int) -> bool:
    """Whether a line begins here that is one of its own."""
    assigns = _ASSIGNS(text, at)
    if assigns is None:
        return _COUNTS(text, at) is not None
    # A token that has "=" in it has no name before it, but characters without words.
    name = assigns[1]
    words = _words(name)
    return _NAME(name) is not None and (len(words) < 3 or len(name) >= len(words) * 2.5)


_of_two_sorts = re.compile(r"[a-z].*[A-Z0-9]|[A-Z].*[a-z].*[A-Z0-9]|[0-9].*[A-Za-z]").search


def _is_of_two_sorts(part: str) -> bool:
    """Cases or digits and letters mixed, however few they are."""
    return _of_two_sorts(part) is not None


def _has_equal(text: str, end: int, width: int) -> bool:
    """Whether the line before the one that ends here, or the line after it, is as wide: the edge of a terminal."""
    begin = end - width
    before = text.rfind("\n", max(0, begin - 2 - width), max(0, begin - 1)) + 1
    after = text.find("\n", end + 1, end + 2 + width)
    return (begin > 0 and begin - 1 - before == width) or after - end - 1 == width
