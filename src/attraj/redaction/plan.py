"""A scope to changes: where, what kind, which placeholder. Values are looked at here, and nothing is changed.

A scope is what belongs together (the files of one trial): a value that is found in one of its files goes from all, and
equal values get equal placeholders. Order of work: detect, look for what was found everywhere else, number in the order
of the files and of their texts (spec: redaction.md §7.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from attraj.pointer import join, resolve
from attraj.redaction.changes import Change, Plan, Stretch, Unscanned, replaced
from attraj.redaction.fields import Field, fields, queries, sealed
from attraj.redaction.known_values import names_of, sweep_of, values_of
from attraj.redaction.leaves import Keys, Leaf, leaves
from attraj.redaction.placeholders import Placeholders, is_placeholder, standing
from attraj.redaction.policy import Policy
from attraj.redaction.search import Search, Value
from attraj.redaction.seen import disjoint, hits_in, place_of, text_of, tidied, unnamed, visible
from attraj.redaction.source import Part, Source
from attraj.redaction.times import coarsened
from attraj.secrets.detector import Detector
from attraj.secrets.spans import Found, Hit, Span

# Members whose values are words of an agent, a model or a tool: a user's name in them is a coincidence (decisions 28).
VOCABULARY = frozenset(
    {"name", "model", "model_name", "agent", "agent_name", "tool", "tool_name", "function_name", "version", "provider"}
    | {"implementation", "harness", "verifier", "kind", "type", "role", "status"}
)


@dataclass(slots=True)
class Scope:
    """What a plan is made from.

    Attributes:
        sources: The files, in link order.
        known: Values that the caller knows to be secret, and those of an earlier round.
        placeholders: Grows by what is numbered.
        is_first: The files are as they came: the placeholders in them are none of ours.
    """

    sources: Sequence[Source]
    known: Sequence[Value] = field(default=(), repr=False)
    placeholders: Placeholders = field(default_factory=Placeholders)
    is_first: bool = True


def plan(scope: Scope, detector: Detector, policy: Policy) -> Plan:
    """See what has to go from a scope."""
    return _Planner(scope, detector, policy).plan()


_At = tuple[int, str | int, bool]  # the object that holds a text, its key there, whether it is the name

_ALL: _At = (0, "", False)  # the whole of a text
_NAME = -1  # the name of a file, beside its documents


class _Planner:
    def __init__(self, scope: Scope, detector: Detector, policy: Policy) -> None:
        self.scope = scope
        self.detector = detector
        self.policy = policy
        self.made = Plan()
        self.found: dict[tuple[int, int], dict[_At, list[Span]]] = {}
        self.whole: dict[tuple[int, int], dict[_At, Field]] = {}
        self.spans: list[Span] = []
        self.memo: dict[str, list[Span]] = {}

    def plan(self) -> Plan:
        for number, source in enumerate(self.scope.sources):
            self._detect(number, source)
        self.made.values = list(dict.fromkeys([*self.scope.known, *values_of(self.spans)]))
        self.search = Search(self.made.values)
        self.sweep = sweep_of(self.made.values, self.spans)
        self.names = names_of(self.spans, self.scope.known)
        for number, source in enumerate(self.scope.sources):
            self._number(number, source)
        return self.made

    # --- detection ---

    def _detect(self, number: int, source: Source) -> None:
        if self.scope.is_first:
            self._note(source)
        in_name = self.found.setdefault((number, _NAME), {})
        self._keep(self._scanned(source.name), source.name, "", in_name, _ALL)
        if not source.parts:
            found = self._scanned(source.text)
            here = self.found.setdefault((number, 0), {})
            self._keep(found, source.name, "", here, _ALL)
            self._unscanned(number, 0, (), found)
            return
        for position, part in enumerate(source.parts):
            self._detect_part((number, position), source, part)

    def _scanned(self, text: str) -> Found:
        text = visible(text)
        found = self.detector.scan_text(text)
        return replace(found, spans=tuple(unnamed(found.spans, text))) if found.spans else found

    def _note(self, source: Source) -> None:
        self.scope.placeholders.note(source.name)
        if "\\u003" not in source.text.lower():
            self.scope.placeholders.note(source.text)
            return
        for part in source.parts:
            for leaf in leaves(part.tree):
                if type(leaf.value) is str:
                    self.scope.placeholders.note(leaf.value)

    def _detect_part(self, at: tuple[int, int], source: Source, part: Part) -> None:
        here = self.found.setdefault(at, {})
        tree = part.tree
        for hit in hits_in(tree, self.detector):
            keys, holder = place_of(tree, hit.pointer)
            hit = replace(hit, spans=tuple(unnamed(hit.spans, *text_of(hit, keys, tree))))
            self._keep(hit, source.name, hit.pointer, here, (id(holder), keys[-1] if keys else "", hit.is_key))
            self._unscanned(*at, keys, hit)
        whole = self.whole.setdefault(at, {})
        for gone in fields(tree, self.policy):
            _, holder = place_of(tree, join(*gone.keys))
            if part.is_bundle:
                whole[id(holder), gone.keys[-1], False] = gone
            for text, place in _texts_of(gone, holder):
                whole.setdefault(place, gone)
                if len(text) >= _DROPPED:
                    self.spans.append(Span(0, len(text), "CUSTOM", gone.word, value=text))
        if "encrypted_reasoning" not in self.policy.drop:
            self.made.sealed += sealed(tree)

    def _keep(self, found: Found | Hit, name: str, pointer: str, here: dict[_At, list[Span]], at: _At) -> None:
        for span in map(tidied, found.spans):
            if is_placeholder(span.value):
                continue
            if self.policy.allows(span, name, pointer):
                self.made.ignored += 1
                continue
            self.spans.append(span)
            here.setdefault(at, []).append(span)

    def _unscanned(self, source: int, part: int, keys: Keys, found: Found | Hit) -> None:
        if found.unscanned:
            self.made.unscanned.append(Unscanned(source, part, keys, found.unscanned, False))
        if found.media:
            self.made.unscanned.append(Unscanned(source, part, keys, found.media, True))

    # --- numbering ---

    def _number(self, number: int, source: Source) -> None:
        name = self._stretches(visible(source.name), self.found[number, _NAME].get(_ALL, ()), is_vocabulary=False)
        self.made.names.append(replaced(source.name, name))
        if not source.parts:
            text = visible(source.text)
            stretches = self._stretches(text, self.found[number, 0].get(_ALL, ()), is_vocabulary=False)
            changes = [Change((), False, tuple(stretches), length=len(text))] if stretches else []
            self.made.changes[number, 0] = changes
            return
        for position, part in enumerate(source.parts):
            at = (number, position)
            self.made.changes[at] = _distinct(list(self._changes(at, part)), part, self.scope.placeholders)

    def _changes(self, at: tuple[int, int], part: Part) -> Iterator[Change]:
        found, whole = self.found[at], self.whole[at]
        media = {u.keys for u in self.made.unscanned if (u.source, u.part) == at and u.is_media}
        if self.policy.media != "drop":
            media = set()
        gone: list[Keys] = []
        for leaf in _with_containers(part.tree, whole) if whole else leaves(part.tree):
            place = (id(leaf.holder), leaf.key, leaf.is_key)
            if gone and leaf.keys[: len(gone[-1])] == gone[-1]:
                continue  # inside what a marker takes the place of
            if place in whole and not leaf.is_key:
                change = self._dropped(leaf, whole[place], part)
                if change is not None:
                    if type(leaf.value) in (dict, list):
                        gone.append(leaf.keys)
                    yield change
                continue
            if type(leaf.value) is not str:
                if place in found:
                    yield from self._number_change(at, leaf, found[place], part)
                continue
            if media and not leaf.is_key and leaf.keys in media:
                yield self._image(leaf)
                continue
            change = self._text_change(leaf, found.get(place, ()), is_bundle=part.is_bundle)
            if change is not None:
                yield change

    def _text_change(self, leaf: Leaf, spans: Sequence[Span], *, is_bundle: bool) -> Change | None:
        text = leaf.value
        if not spans and len(text) < _SHORTEST:
            return None
        stretches = self._stretches(visible(text), spans, is_vocabulary=leaf.key in VOCABULARY and not leaf.is_key)
        if self.policy.coarsen_time and not stretches and not leaf.is_key:
            cut = coarsened(text, self.policy.coarsen_time)
            if cut is not None and cut != text:
                stretch = Stretch(0, len(text), cut, "TIME", "coarsened")
                return Change(leaf.keys, False, (stretch,), length=len(text))
        if not stretches:
            return None
        is_whole = _is_whole(text, stretches)
        if is_bundle and not is_whole:
            stretches = _all_marked(stretches)
        return Change(leaf.keys, leaf.is_key, tuple(stretches), is_whole=is_whole, length=len(text))

    def _number_change(self, at: tuple[int, int], leaf: Leaf, spans: Sequence[Span], part: Part) -> Iterator[Change]:
        if not part.is_bundle and not self.policy.retype_numbers:
            self.made.refused.append((*at, leaf.keys))
            return
        span, text = spans[0], str(leaf.value)
        new = self.scope.placeholders.of(span.type, span.value)
        stretch = Stretch(0, len(text), new, span.type, span.rule, span.confidence, span.via)
        yield Change(leaf.keys, False, (stretch,), is_whole=True, is_number=True, length=len(text))

    def _image(self, leaf: Leaf) -> Change:
        new = self.scope.placeholders.of("IMAGE", leaf.value)
        stretch = Stretch(0, len(leaf.value), new, "IMAGE", "media")
        return Change(leaf.keys, False, (stretch,), is_whole=True, length=len(leaf.value))

    def _dropped(self, leaf: Leaf, gone: Field, part: Part) -> Change | None:
        value = leaf.value
        if type(value) is str and is_placeholder(value):
            return None
        if type(value) is not str and not part.is_bundle:
            return None  # elsewhere only texts go: types stay
        new = self.scope.placeholders.of("CUSTOM", value if type(value) is str else repr(value))
        length = len(value) if type(value) is str else 0
        stretch = Stretch(0, length, new, "CUSTOM", gone.word)
        return Change(leaf.keys, False, (stretch,), is_whole=True, word=gone.word, length=length)

    def _stretches(self, text: str, spans: Sequence[Span], *, is_vocabulary: bool) -> list[Stretch]:
        """What goes of one text: what was found in it, then what was found elsewhere and stands here too."""
        extra = self.memo.get(text)
        if extra is None:
            extra = self.memo[text] = self._known(text)
        if is_vocabulary:
            extra = [span for span in extra if span.type != "USER"]
        if not spans and not extra:
            return []
        return [
            Stretch(
                piece[0],
                piece[1],
                self.scope.placeholders.of(span.type, span.value) if is_first else "",
                span.type,
                span.rule,
                span.confidence,
                span.via,
            )
            for span, piece, is_first in disjoint(text, [*spans, *extra])
        ]

    def _known(self, text: str) -> list[Span]:
        """What of the known values stands in a text, whichever text it was found in; and queries, when they go."""
        found: list[Span] = []
        if len(text) >= _SHORTEST:
            found += [s for s in self.sweep(text) if not is_placeholder(s.value) and s.value not in self.policy.keep]
            found += [
                Span(m.start, m.end, m.value.kind, "known-value", value=m.value.text) for m in self.search.find(text)
            ]
            found += self.names(text)
        if self.policy.clean_queries:
            found += [Span(a, b, "CUSTOM", "query", value=text[a:b]) for a, b in queries(text)]
        return found


_SHORTEST = 4
_DROPPED = 32  # characters of a dropped text that is looked for elsewhere


def _is_whole(text: str, stretches: Sequence[Stretch]) -> bool:
    """Whether nothing of a text is left that says something."""
    left, at = [], 0
    for stretch in stretches:
        left.append(text[at : stretch.start])
        at = stretch.end
    left.append(text[at:])
    is_one = sum(1 for stretch in stretches if stretch.new) == 1
    return is_one and not "".join(left).strip() and not standing(text)


def _all_marked(stretches: Sequence[Stretch]) -> list[Stretch]:
    """The stretches, with a placeholder for each piece of a split value.

    A Bundle says of every place where something went that it did (bundle.md §6.1): a piece that goes without a trace
    is a text that was changed.
    """
    made: list[Stretch] = []
    last = ""
    for stretch in stretches:
        last = stretch.new or last
        made.append(stretch if stretch.new else replace(stretch, new=last))
    return made


def _distinct(changes: list[Change], part: Part, placeholders: Placeholders) -> list[Change]:
    """The changes, such that no two names of one object become the same one."""
    seen: dict[tuple[Keys, str], int] = {}
    made: list[Change] = []
    for change in changes:
        if change.is_key:
            name = str(change.keys[-1])
            holder = resolve(part.tree, join(*change.keys[:-1]))
            new = replaced(name, change.stretches)
            place = (change.keys[:-1], new)
            if place in seen or (new in holder and new != name):
                first, *others = change.stretches
                fresh = Stretch(
                    first.start, first.end, placeholders.new(first.kind), first.kind, first.rule, first.confidence
                )
                change = Change(change.keys, True, (fresh, *others), change.is_whole, length=change.length)
            seen[place] = 1
        made.append(change)
    return made


def _with_containers(tree: Any, whole: dict[_At, Field]) -> Iterator[Leaf]:
    """The leaves, and before what they hold the objects and arrays that go whole."""
    holders = {at for at in whole if not at[2]}
    told: dict[int, Any] = {}  # keeps the ways alive, so that no other gets the identity of one
    for leaf in leaves(tree):
        way, chain = leaf.way, []
        while way is not None and id(way) not in told:
            told[id(way)] = way
            chain.append(way)
            way = way[0]
        for link in reversed(chain):
            above, key = link
            holder = _at(tree, above)
            if (id(holder), key, False) in holders:
                yield Leaf(above, holder, key, False, holder[key])
        yield leaf


def _at(tree: Any, way: Any) -> Any:
    keys = []
    while way is not None:
        way, key = way
        keys.append(key)
    for key in reversed(keys):
        tree = tree[key]
    return tree


def _texts_of(gone: Field, holder: Any) -> Iterator[tuple[str, _At]]:
    """The texts of a dropped value, and where they stand; without what links and types."""
    from attraj.redaction.fields import STRUCTURE

    if type(gone.value) is str:
        yield gone.value, (id(holder), gone.keys[-1], False)
        return
    for leaf in leaves(gone.value):
        is_reference = leaf.key == "path" and type(leaf.holder) is dict and "media_type" in leaf.holder
        if leaf.is_key or leaf.key in STRUCTURE or is_reference:
            continue
        if type(leaf.value) is str and leaf.value:
            yield leaf.value, (id(leaf.holder), leaf.key, False)
