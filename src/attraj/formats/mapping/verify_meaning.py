"""Who said it, and which call a result is of: what was written is read once more, and has to say the same.

`verify.py` proves values at their places. What stands between them (a role, the pairing of a call with its result) is
told by the reader of the target's format, who knows nothing of the writer. Source: spec decisions 17, 19.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attraj.bundle.model import Bundle, child, text
from attraj.bundle.shape import COLLECTIONS
from attraj.formats.mapping.covers import WriteLosses
from attraj.formats.mapping.draft import KNOWN_BASES, Settings
from attraj.formats.mapping.fields import At, Json, Reading
from attraj.formats.mapping.loss import Loss
from attraj.formats.mapping.rooms import reader
from attraj.formats.mapping.verify import Target
from attraj.jsonio import parse

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
