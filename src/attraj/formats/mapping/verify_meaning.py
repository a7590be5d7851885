"""Who said it, and which call a result is of: what was written is read once more, and has to say the same.

`verify.py` proves values at their places. What stands between them (a role, the pairing of a call with its result) is
told by the reader of the target's format, who knows nothing of the writer. Source: spec decisions 17, 19.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from attraj.bundle.model import Bundle, child, text
from attraj.bundle.shape import COLLECTIONS
from attraj.formats.mapping.covers import WriteLosses
from attraj.formats.mapping.draft import KNOWN_BASES, Settings
from attraj.formats.mapping.fields import At, Json, Reading, is_same, look_up
from attraj.formats.mapping.forms import UNIX_TIME
from attraj.formats.mapping.loss import Loss
from attraj.formats.mapping.rooms import reader
from attraj.formats.mapping.verify import Target
from attraj.formats.mapping.withheld import plain
from attraj.jsonio import MISSING, parse

_SAID: tuple[At, ...] = (("payload", "content"), ("payload", "text"), ("observation",), ("action",))
_ASKS = frozenset({"action", "proposal", "delegation", "effect"})
_SPEAKERS = frozenset({"input", "decision"})
_OF_ROLES: tuple[At, ...] = (("kind",), ("payload", "role"), ("authority_class",), ("actor",))


def misread(
    bundle: Json, texts: Sequence[bytes], targets: Sequence[Target], to: str, losses: Iterable[Loss]
) -> list[At]:
    """The places of a Bundle to which what was written gives another role or another cause, and no loss says so.

    Args:
        bundle: Parsed from its bytes.
        texts: What was written, of which `targets` says what of the Bundle stands where.
    """
    whole = Bundle(bundle)
    told = WriteLosses(losses, bundle)
    causes = _causes(whole, told)
    found: dict[At, None] = {}
    for raw, target in zip(texts, targets, strict=True):
        draft = reader(to).read(parse(raw), Settings())
        again = Bundle(draft.finish())
        heard = _heard(target, draft.readings, again)
        there = _causes(again)
        for position, of in heard.items():
            at: At = ("nodes", position)
            is_same = any(_is_same_role(whole, position, again, one) for one in of)
            if not is_same and not any(told.cover((*at, *one)) for one in (*_OF_ROLES, ())):
                found[(*at, "kind")] = None
            asked = {one for cause in causes.get(position, ()) for one in heard.get(cause, ())}
            given = {cause for one in of for cause in there.get(one, ())}
            if asked and given and not asked & given and not told.cover((*at, "observation")):
                found[(*at, "observation")] = None
    return list(found)


def garbled(bundle: Json, tree: Any, made: Iterable[tuple[tuple[At, ...], At]]) -> list[At]:
    """The places of a Bundle that what was written says in another form, and not as that form has to say them.

    Arguments as a JSON text, a time as a number or a text, a text with a mark before it or cut to a part: each has to
    give the value again, or to be in it. What is made of several places is left to its losses.

    Args:
        tree: What was written.
        made: Places of the Bundle to a place of it; see `held.settle`.
    """
    found: dict[At, None] = {}
    for origins, place in made:
        if len(origins) == 1 and origins[0][0] == "nodes":
            value, here = plain(look_up(bundle, origins[0]), origins[0], _silent), look_up(tree, place)
            if not _is_form_of(here, value, origins[0][2:]):
                found[origins[0]] = None
    return list(found)


def _silent(*_: object) -> None:
    """What is withheld is a loss of writing already."""


def _is_form_of(here: Any, value: Any, member: At) -> bool:
    if member == ("action", "arguments") and type(here) is str and type(value) in (dict, list):
        return here == "" or is_same(_opened(here), value)
    if member == ("timestamp",) and type(value) is str:
        return bool(here == (value if type(here) is str else UNIX_TIME.written(value)))
    if member in _SAID and type(value) is str and type(here) is str:
        return value.strip() in here or here.strip() in value
    return True


def _opened(written: str) -> Any:
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        return MISSING


def _heard(target: Target, readings: Iterable[Reading], again: Bundle) -> dict[int, set[int]]:
    """Position of each node to those of the nodes that its content is read as."""
    positions = {text(node, "node_id"): position for position, node in again.objects("nodes")}
    taken = {
        at: positions[one.record]
        for reading in readings
        for at, one in reading.taken.items()
        if one.record in positions and getattr(reading.places.get(one.place), "collection", "") == "nodes"
    }
    heard: dict[int, set[int]] = {}
    for origin, place in target.trace:
        if origin[0] != "nodes" or not any(origin[2 : 2 + len(one)] == one for one in _SAID):
            continue
        depth = next((depth for depth in range(len(place), 0, -1) if place[:depth] in taken), 0)
        if depth and type(origin[1]) is int:
            heard.setdefault(origin[1], set()).add(taken[place[:depth]])
    return heard


def _causes(bundle: Bundle, told: WriteLosses | None = None) -> dict[int, set[int]]:
    """Position of each observation to those of the call, and its effect, that it is known to come of.

    An edge that is a loss of writing is not looked for.
    """
    member = COLLECTIONS["nodes"][1]
    positions = {text(node, member): position for position, node in bundle.objects("nodes")}
    kinds = {position: text(node, "kind") for position, node in bundle.objects("nodes")}
    above: dict[int, list[int]] = {}
    for number, edge in bundle.objects("edges"):
        if told is not None and any(told.cover(("edges", number, name)) for name in ("from", "to", "basis")):
            continue
        cause, effect = positions.get(text(edge, "from")), positions.get(text(edge, "to"))
        if cause is not None and effect is not None and text(edge, "basis") in {*KNOWN_BASES, None}:
            above.setdefault(effect, []).append(cause)
    found: dict[int, set[int]] = {}
    for position, kind in kinds.items():
        if kind == "observation":
            near = above.get(position, [])
            calls = [*near, *(one for effect in near if kinds[effect] == "effect" for one in above.get(effect, []))]
            found[position] = {one for one in calls if kinds[one] in _ASKS}
    return found


def _is_same_role(bundle: Bundle, position: int, again: Bundle, other: int) -> bool:
    one, two = bundle.items("nodes")[position], again.items("nodes")[other]
    if not {one.get("kind"), two.get("kind")} <= _SPEAKERS:
        return True  # another kind of record is told by its content
    return (one["kind"], _role(one)) == (two["kind"], _role(two))


def _role(node: Json) -> str | None:
    return text(child(node, "payload"), "role") if node["kind"] == "input" else None
