"""Typed relations: the same between the same steps, or not. Their order, and their names, say nothing."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from attraj.bundle.model import text
from attraj.bundle.vocabulary import BUILT_IN_RELATIONS, EDGE_BASES, RELATIONS
from attraj.formats.mapping.fields import pointer_of
from attraj.verbs.comparing.changes import Change, Pair, ThreadPair
from attraj.verbs.comparing.said import Name, Said
from attraj.verbs.comparing.sides import Side

_WORDS = frozenset((*RELATIONS, *BUILT_IN_RELATIONS))


class _End(NamedTuple):
    """A node by its pair and its slot; pair -1 for one that is not declared."""

    pair: int
    slot: str


class _Relation(NamedTuple):
    """One edge, told by what it links."""

    word: str
    basis: str
    cause: _End
    effect: _End


def add_relations(a: Side, b: Side, threads: list[ThreadPair]) -> list[Change]:
    """Put each relation that only one of them has beside the step that it leads to; give back those of no step."""
    pairs = [pair for thread in threads for pair in thread.pairs]
    mine, theirs = _relations(a, pairs, is_a=True), _relations(b, pairs, is_a=False)
    common = Counter({relation: len(places) for relation, places in mine.items()}) & Counter(
        {relation: len(places) for relation, places in theirs.items()}
    )
    outside: list[Change] = []
    for side, found, is_a in ((a, mine, True), (b, theirs, False)):
        for relation, places in found.items():
            for place in places[common[relation] :]:
                _add(side, relation, place, pairs, outside, is_a=is_a)
    return outside


def _relations(side: Side, pairs: list[Pair], *, is_a: bool) -> dict[_Relation, list[int]]:
    """Each relation, with the positions of the edges that say it."""
    ends: dict[str, _End] = {}
    for number, pair in enumerate(pairs):
        step = pair.a if is_a else pair.b
        for node, slot in step.nodes.items() if step is not None else ():
            ends.setdefault(node, _End(number, slot))
    found: dict[_Relation, list[int]] = {}
    for position, edge in side.bundle.objects("edges"):
        cause, effect = ends.get(text(edge, "from") or ""), ends.get(text(edge, "to") or "")
        nowhere = _End(-1, "")
        relation = _Relation(
            text(edge, "relation") or "", text(edge, "basis") or "", cause or nowhere, effect or nowhere
        )
        found.setdefault(relation, []).append(position)
    return found


def _add(side: Side, relation: _Relation, place: int, pairs: list[Pair], outside: list[Change], *, is_a: bool) -> None:
    pair = pairs[relation.effect.pair] if relation.effect.pair >= 0 else None
    if pair is not None and (pair.a is None or pair.b is None):
        return  # it comes with a step that the other document does not have
    said = Said("links", _words(relation, pairs, is_a=is_a), pointer_of(("edges", place)) if side.is_native else "")
    name = Name(relation.effect.slot, ("edges", place))
    changes = outside if pair is None else pair.changes
    changes.append(Change("links", name, said if is_a else None, None if is_a else said))


def _words(relation: _Relation, pairs: list[Pair], *, is_a: bool) -> str:
    """The relation in words of the specification and numbers of steps; nothing of the document is in it."""
    word = relation.word if relation.word in _WORDS else "another relation"
    basis = relation.basis if relation.basis in EDGE_BASES else "no basis" if not relation.basis else "another basis"
    if relation.cause.pair < 0:
        return f"{word} a node that is not declared ({basis})"
    step = pairs[relation.cause.pair].a if is_a else pairs[relation.cause.pair].b
    number = f"step {step.number}" if step is not None and step.number else "a step"
    slot = f"{relation.cause.slot} of " if relation.cause.slot else ""
    return f"{word} {slot}{number} ({basis})"
