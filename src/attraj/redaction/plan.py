"""A scope to changes: where, what kind, which placeholder. Values are looked at here, and nothing is changed.

A scope is what belongs together (the files of one trial): a value that is found in one of its files goes from all, and
equal values get equal placeholders. Order of work: detect, look for what was found everywhere else, number in the order
of the files and of their texts (spec: redaction.md §7.1).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from attraj.pointer import join, resolve, split
from attraj.redaction.fields import Field, fields, queries, sealed
from attraj.redaction.leaves import Keys, Leaf, leaves
from attraj.redaction.placeholders import Placeholders, is_placeholder, standing
from attraj.redaction.policy import Policy
from attraj.redaction.search import Search, Value
from attraj.redaction.source import Part, Source
from attraj.redaction.times import coarsened
from attraj.secrets.detector import Detector
from attraj.secrets.spans import Found, Hit, Piece, Span

# Members whose values are words of an agent, a model or a tool: a user's name in them is a coincidence (decisions 28).
VOCABULARY = frozenset(
    {"name", "model", "model_name", "agent", "agent_name", "tool", "tool_name", "function_name", "version", "provider"}
    | {"implementation", "harness", "verifier", "kind", "type", "role", "status"}
)
_DIGITS = re.compile(r"[0-9]")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a text that goes.

    Attributes:
        start, end: In the text.
        new: What stands there afterwards.
        kind: TYPE of the placeholder; "TIME" for a timestamp that is cut.
        rule, confidence, via, pack: What found it, in our own words.
    """

    start: int
    end: int
    new: str
    kind: str
    rule: str
    confidence: str = "high"
    via: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """One text that changes.

    Attributes:
        keys: Lead to the value, or to the member whose name it is.
        is_key: It is the name.
        stretches: What goes, in order.
        is_whole: All of it goes: in the content of a Bundle a marker takes its place.
        is_number: It is a number.
        word: The field of the policy that drops it; "" otherwise.
        length: Of the text, in code points.
    """

    keys: Keys
    is_key: bool
    stretches: tuple[Stretch, ...] = field(repr=False)
    is_whole: bool = False
    is_number: bool = False
    word: str = ""
    length: int = 0


@dataclass(slots=True)
class Unscanned:
    """A text that was not looked at whole, or is no text.

    Attributes:
        source: Position of the file in the scope.
        part: Position of its document.
        keys: Lead to it.
        reason: "budget", or the media type.
        is_media: It is an image or other data.
    """

    source: int
    part: int
    keys: Keys
    reason: str
    is_media: bool


@dataclass(slots=True)
class Plan:
    """What changes in a scope.

    Attributes:
        changes: By (position of the file, position of its document); a text file has one document.
        names: New names of the files.
        values: What goes, for the proof. Never shown, never written.
        unscanned: What could not be looked at.
        ignored: How many findings the policy lets stay.
        sealed: How many encrypted blobs stay.
        refused: Numbers that must go and may not become texts, as (file, document, keys).
    """

    changes: dict[tuple[int, int], list[Change]] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    values: list[Value] = field(default_factory=list, repr=False)
    unscanned: list[Unscanned] = field(default_factory=list)
    ignored: int = 0
    sealed: int = 0
    refused: list[tuple[int, int, Keys]] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether nothing changes."""
        return not any(self.changes.values())

    def all_changes(self) -> Iterator[Change]:
        for changes in self.changes.values():
            yield from changes


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
        self.made.values = list(dict.fromkeys([*self.scope.known, *_values(self.spans)]))
        self.search = Search(self.made.values)
        self.sweep = _sweep(self.made.values, self.spans)
        self.names = _names(self.spans, self.scope.known)
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
            change = self._text_change(leaf, found.get(place, ()))
            if change is not None:
                yield change

    def _text_change(self, leaf: Leaf, spans: Sequence[Span]) -> Change | None:
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
        return Change(leaf.keys, leaf.is_key, tuple(stretches), is_whole=_is_whole(text, stretches), length=len(text))

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
    if not ends and not standing(name):
        return list(spans)
    return [
        span
        for span in spans
        if not span.rule.startswith("name-")
        or not (standing(name) or any(end <= span.start and not text[end : span.start].strip(_TIES) for end in ends))
    ]


_TIES = " \t\r\n:=>\"'"


def text_of(hit: Hit, keys: Keys, tree: Any) -> tuple[str, str]:
    """The text of a hit, and the name that says what it is ("" for a name itself)."""
    if hit.is_key:
        return str(keys[-1]), ""
    value = resolve(tree, hit.pointer)
    name = next((key for key in reversed(keys) if type(key) is str), "")
    return value if type(value) is str else str(value), name


def replaced(text: str, stretches: Iterable[Stretch]) -> str:
    """The text with what goes replaced."""
    pieces: list[str] = []
    at = 0
    for stretch in stretches:
        pieces += (text[at : stretch.start], stretch.new)
        at = stretch.end
    return "".join([*pieces, text[at:]])


def disjoint(text: str, spans: Sequence[Span]) -> list[tuple[Span, tuple[int, int], bool]]:
    """The pieces of spans, none over another: earlier spans of the list win, placeholders always do.

    Returns:
        Span, piece, and whether the placeholder of the span stands there (its other pieces become nothing).
    """
    taken = standing(text)
    made: list[tuple[Span, tuple[int, int], bool]] = []
    for span in spans:
        pieces = [(p.start, p.end) for p in span.pieces] or [(span.start, span.end)]
        left = [rest for piece in pieces for rest in _without(piece, taken) if text[rest[0] : rest[1]].strip()]
        made += [(span, piece, number == 0) for number, piece in enumerate(left)]
        taken = sorted([*taken, *left])
    made.sort(key=lambda each: each[1])
    return made


def _without(piece: tuple[int, int], taken: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """What of a piece is not taken."""
    start, end = piece
    for a, b in taken:
        if b <= start or a >= end:
            continue
        if a > start:
            yield start, a
        start = max(start, b)
    if start < end:
        yield start, end


def _is_whole(text: str, stretches: Sequence[Stretch]) -> bool:
    """Whether nothing of a text is left that says something."""
    left, at = [], 0
    for stretch in stretches:
        left.append(text[at : stretch.start])
        at = stretch.end
    left.append(text[at:])
    is_one = sum(1 for stretch in stretches if stretch.new) == 1
    return is_one and not "".join(left).strip() and not standing(text)


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


def _values(spans: Iterable[Span]) -> Iterator[Value]:
    for span in spans:
        yield Value(span.value, span.type, span.secret_from, span.is_secret)
        yield from _values(span.inner)


def _sweep(values: Sequence[Value], spans: Sequence[Span]) -> Callable[[str], Sequence[Span]]:
    """A function that finds known values in a text, through every view that the detector has."""
    from attraj.secrets.sweep import Sweep, known_values

    extra = [
        Span(0, len(v.text), v.kind, "known-value", value=v.text, secret_from=v.secret_from)
        for v in values
        if v.kind != "CUSTOM"
    ]
    if not extra:
        return lambda _text: ()
    sweep = Sweep(known_values([*(span for span in spans if span.type != "CUSTOM"), *extra]))
    return lambda text: sweep.find(text).spans


def _names(spans: Sequence[Span], known: Sequence[Value]) -> Callable[[str], list[Span]]:
    """A function that finds the names of users as words."""
    from attraj.secrets.personal import names_to_sweep

    earlier = [Span(0, len(v.text), "USER", "known-value", value=v.text) for v in known if v.kind == "USER"]
    names = sorted(set(names_to_sweep([*spans, *earlier])), key=lambda name: (-len(name), name))
    if not names:
        return lambda _text: []
    search = re.compile(r"(?<![A-Za-z0-9])(?:%s)(?![A-Za-z0-9])" % "|".join(map(re.escape, names)))
    return lambda text: [Span(m.start(), m.end(), "USER", "user-name", value=m[0]) for m in search.finditer(text)]
