"""Losses as they go out: places that show no name that may be content, and equal ones gathered."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from attraj.formats.mapping.loss import Handling, Loss, Stage
from attraj.jsonio.write import dumps
from attraj.pointer import Ranks, escape, is_shown, shown, split

_LONGEST_INDEX = 7  # digits: a longer number is no position in a document, and may be an identifier


_IS_MASKED = re.compile(r"\{(?:\d{1,7}|\?)\}").fullmatch  # a place out of a finding, which shows no more already

_Key = tuple[str, str, Handling, str, str, Stage]


class Gathered(NamedTuple):
    """Losses of one document.

    Attributes:
        losses: Those that differ in positions only as one, in the order of their first places.
        places: The JSON text of the same, each with all of its places.
    """

    losses: tuple[Loss, ...]
    places: bytes


NOTHING_LOST = Gathered((), b"[]")


def gathered(losses: Iterable[Loss], tree: Any = None) -> Gathered:
    """Gather the losses of a document.

    Args:
        losses: In the order of their places.
        tree: Of the document that was read; None when there is none, or several.
    """
    ranks = Ranks()
    found: dict[_Key, list[str]] = {}
    counts: dict[_Key, int] = {}
    for loss in losses:
        place = shown_place(loss.pointer, tree if loss.stage == "read" else None, ranks)
        key: _Key = (loss.code, loss.category, loss.handling, _pattern(place), loss.detail, loss.stage)
        found.setdefault(key, []).append(place)
        counts[key] = counts.get(key, 0) + loss.count
    if not found:
        return NOTHING_LOST
    made: list[Loss] = []
    records: list[dict[str, Any]] = []
    for key, places in found.items():
        code, category, handling, pattern, detail, stage = key
        pointer = places[0] if len(places) == 1 else pattern
        loss = Loss(code, category, handling, pointer, counts[key], detail, stage)
        made.append(loss)
        records.append({**as_object(loss), "places": places})
    return Gathered(tuple(made), dumps(records))


def as_object(loss: Loss) -> dict[str, Any]:
    """A loss in a report (DESIGN.md §4)."""
    return {name: getattr(loss, name) for name in Loss.__slots__}


def shown_place(pointer: str, tree: Any, ranks: Ranks) -> str:
    """The pointer with a position in braces for every name that may be content (decisions 7).

    `*` stands for any position. Names of files of a trial are shown when each part of their path is.
    """
    tokens = split(pointer)
    if tree is not None and "*" not in tokens and not any(map(_IS_MASKED, tokens)):
        return shown(pointer, tree, ranks)
    return "".join([f"/{escape(token) if _is_plain(token) else '{?}'}" for token in tokens])


def _is_plain(token: str) -> bool:
    if token == "*" or _IS_MASKED(token) or (token.isascii() and token.isdigit() and len(token) < _LONGEST_INDEX):
        return True
    return all(is_shown(part) for part in token.split("/"))


def _pattern(place: str) -> str:
    return "/".join(["*" if token.isdigit() or token.startswith("{") else token for token in place.split("/")])
