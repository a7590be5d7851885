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
_BEGINS_A_LINE = re.compile(
    r"[A-Za-z_][\w.\-]{0,60}(?:=(?![=\s]|\Z)|:\s)"  # an assignment, a member
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}:[0-9]{2}|[0-9]{1,3}[.)]\s"  # a time, a number of a list
).match
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
        is_wrapped = is_wrapped or width in WIDTHS or len(part) >= _LONG
        if not (is_wrapped and is_random(part)) or _BEGINS_A_LINE(text, piece.start) or _WORD(part):
            return
        yield piece
