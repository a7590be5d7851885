"""Before anything is written: nothing that had to go is left, and nothing else changed (spec: redaction.md §7.6).

Every proof looks at the bytes that would be written, and knows of the plan only what was taken.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from attraj.bundle.leaves import Way, pointer_of
from attraj.bundle.markers import MARKER_KEY, is_marker
from attraj.errors import Unreadable
from attraj.limits import DEFAULT_LIMITS, Limits
from attraj.pointer import join
from attraj.redaction.leaves import Leaf, leaves
from attraj.redaction.placeholders import standing, unmasked
from attraj.redaction.plan import VOCABULARY
from attraj.redaction.policy import Policy
from attraj.redaction.search import Search, Value
from attraj.redaction.seen import hits_in, place_of, text_of, touches, unnamed, visible
from attraj.redaction.source import UNKNOWN, Forms, Source, read_source
from attraj.redaction.tokens import REPEATED
from attraj.secrets.detector import Detector
from attraj.secrets.spans import Span

Validator = Callable[[str, bytes, bytes], Sequence[str]]
"""Name of a file, its bytes before and after: codes of the errors that are new."""

# What a Bundle says of its own redaction is not content (books.py).
_BOOKS = frozenset({"disclosure", "transform", "completeness", "integrity", "trajectory_id", "profiles"})


@dataclass(frozen=True, slots=True)
class Failure:
    """A proof that does not hold.

    Attributes:
        proof: Which one: parse, structure, residual, values, canaries, validator.
        file: Position of the file in the scope.
        pointer: Where, in the redacted document; true, so never shown unmasked.
        detail: Why, in our own words.
    """

    proof: str
    file: int
    pointer: str
    detail: str


@dataclass(frozen=True, slots=True)
class Review:
    """Something for a person to look at.

    Attributes:
        file, pointer: As in Failure.
        rule: Why.
        confidence: How surely it is something.
    """

    file: int
    pointer: str
    rule: str
    confidence: str


@dataclass(slots=True)
class Proof:
    """What the proofs said: a word for each, and what did not hold."""

    words: dict[str, str] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    reviews: list[Review] = field(default_factory=list)

    def add(self, name: str, failures: Iterable[Failure]) -> None:
        found = list(failures)
        self.words[name] = "failed" if found else "passed"
        self.failures += found


@dataclass(frozen=True, slots=True)
class Claim:
    """What is to be proven.

    Attributes:
        before: The files as they came.
        after: Their bytes as they would be written, and their new names.
        values: What was taken.
        policy: By which policy.
    """

    before: Sequence[Source]
    after: Sequence[tuple[str, bytes]]
    values: Sequence[Value] = field(repr=False)
    policy: Policy


def prove(
    claim: Claim,
    residual: Detector,
    lowered: Detector | None = None,
    validator: Validator | None = None,
    *,
    limits: Limits = DEFAULT_LIMITS,
    forms: Forms = UNKNOWN,
) -> Proof:
    """Hold what would be written against what came in.

    Args:
        claim: Both, and what was taken.
        residual: A detector with the other engine.
        lowered: One with lower thresholds: what it alone finds is for a person to look at.
        validator: Tells new errors.
        limits, forms: As for reading.
    """
    proof = Proof()
    try:
        after = [read_source(name, raw, limits, forms) for name, raw in claim.after]
    except Unreadable:
        proof.add("parse", [Failure("parse", 0, "", "what was made cannot be read")])
        return proof
    proof.add("parse", ())
    proof.add("structure", _structure(claim.before, after))
    proof.add("residual", _residual(after, residual, claim.policy))
    proof.add("values", _left(after, claim.values))
    if validator is not None:
        proof.add("validator", _new_errors(claim, validator))
    else:
        proof.words["validator"] = "not run"
    if lowered is not None and not proof.failures:
        proof.reviews += _to_review(after, lowered, claim.policy)
    return proof


# --- structure -------------------------------------------------------------------------------------------------------


def _structure(before: Sequence[Source], after: Sequence[Source]) -> Iterator[Failure]:
    for number, (old, new) in enumerate(zip(before, after, strict=True)):
        if len(old.parts) != len(new.parts):
            yield Failure("structure", number, "", "not the same documents")
        elif not old.parts:
            if not is_rewritten(old.text, new.text):
                yield Failure("structure", number, "", "text changed beside what was taken")
        elif not any(part.is_bundle for part in old.parts) and not differs(old.text, new.text):
            continue
        else:
            for ours, theirs in zip(new.parts, old.parts, strict=True):
                at = difference(theirs.tree, ours.tree, is_bundle=theirs.is_bundle)
                if at is not None:
                    yield Failure("structure", number, at, "something changed beside what was taken")


_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)


def differs(old: str, new: str) -> bool:
    """Whether two JSON texts differ in more than what redaction may change inside string tokens."""
    if old == new:
        return False
    if _STRING.sub('""', old) != _STRING.sub('""', new):
        return True  # numbers, order, white space: none of these may change
    pairs = zip(_STRING.findall(old), _STRING.findall(new), strict=True)
    return not all(a == b or _is_token_rewritten(a, b) for a, b in pairs)


def _is_token_rewritten(old: str, new: str) -> bool:
    a, b = json.loads(old, strict=False), json.loads(new, strict=False)
    return is_rewritten(a, b) or _is_time(a, b)


def difference(old: Any, new: Any, *, is_bundle: bool) -> str | None:
    """Where two trees differ in more than what redaction may change; None when they do not.

    Objects keep their members and their order, arrays their lengths, every value its type; a text may have
    placeholders where the older one had something else. In a Bundle a marker may take the place of a value of content,
    and the envelope says what was done.
    """
    renamed: dict[str, str] = {}
    pending: list[tuple[Way, Any, Any]] = [(None, old, new)]
    while pending:
        way, a, b = pending.pop()
        key = way[1] if way is not None else None
        if is_bundle and way is not None and way[0] is None and key in _BOOKS:
            continue
        if is_bundle and (_is_redacted(b) or key == "training") and b != a:
            continue
        if type(a) is not type(b):
            if not (type(a) in (int, float) and type(b) is str and standing(b) == [(0, len(b))]):
                return pointer_of(way)
        elif type(a) is dict:
            others = [name for name in b if not (is_bundle and way is None and name in _BOOKS and name not in a)]
            names = list(a)
            if len(names) != len(others) or not all(map(_is_same_name, names, others)):
                return pointer_of(way)
            pending += [((way, two), a[one], b[two]) for one, two in zip(names, others, strict=True)]
        elif type(a) is list:
            if len(a) != len(b):
                return pointer_of(way)
            pending += [((way, n), one, two) for n, (one, two) in enumerate(zip(a, b, strict=True))]
        elif type(a) is str:
            if a != b and not is_rewritten(a, b) and not b.startswith("redacted:id:") and not _is_time(a, b):
                return pointer_of(way)
            if is_bundle and _is_link(key) and renamed.setdefault(a, b) != b:
                return pointer_of(way)  # one identifier, two new names: a link is broken
        elif a != b and a == a:  # NaN is not equal to itself
            return pointer_of(way)
    return None if len(set(renamed.values())) == len(renamed) else ""


def _is_redacted(value: Any) -> bool:
    return is_marker(value) and type(value[MARKER_KEY]) is dict and value[MARKER_KEY].get("status") == "redacted"


def _is_same_name(old: str, new: str) -> bool:
    return old == new or is_rewritten(old.partition(REPEATED)[0], new.partition(REPEATED)[0])


def _is_link(key: Any) -> bool:
    return type(key) is str and (key.endswith("_id") or key in ("from", "to", "same_as", "base_state"))


def _is_time(old: str, new: str) -> bool:
    return len(old) == len(new) and old[:4].isdecimal() and new[:10] <= old[:10] and old[4:5] == "-"


def is_rewritten(old: str, new: str) -> bool:
    """Whether the newer text is the older one with stretches taken out, placeholders in the first place of each.

    What stands between placeholders stands in the older text, in the same order; the ends are equal unless a
    placeholder stands there.
    """
    if old == new:
        return True
    gaps = standing(new)
    if not gaps:
        return False
    literals, at = [], 0
    for start, end in gaps:
        literals.append(new[at:start])
        at = end
    first, last = literals[0], new[at:]
    if not old.startswith(first):
        return False
    at = len(first)
    for literal in (*literals[1:], last):
        # Pieces of a split value are taken out without a trace, so the end may have lost something too.
        at = _next(old, literal, at)
        if at < 0:
            break
    else:
        return True
    # What was taken out of a table leaves blanks, which stand together further on as well (a hex dump): what was met
    # there is no sign that anything changed, as long as nothing stands in the newer text that the older one had not.
    left = iter(old[len(first) :])
    return all(character in left for literal in (*literals[1:], last) for character in literal)


def _next(old: str, literal: str, at: int) -> int:
    """Where a literal ends in the older text, from `at` on; what was taken may have stood inside it."""
    found = old.find(literal, at)
    if found >= 0:
        return found + len(literal)
    for character in literal:  # a subsequence: pieces between these characters went
        found = old.find(character, at)
        if found < 0:
            return -1
        at = found + 1
    return at


# --- what is left ----------------------------------------------------------------------------------------------------


def _residual(after: Sequence[Source], detector: Detector, policy: Policy) -> Iterator[Failure]:
    for number, source in enumerate(after):
        for pointer, span in left_in(source, detector, policy):
            yield Failure("residual", number, pointer, f"rule {span.rule} still finds something")


def left_in(source: Source, detector: Detector, policy: Policy) -> Iterator[tuple[str, Span]]:
    """What a detector finds in a file that the policy does not let stay, and that is no placeholder."""
    texts = [source.name] if source.parts else [source.name, visible(source.text)]
    found = [("", text, span) for text in texts for span in unnamed(detector.scan_text(text).spans, text)]
    for part in source.parts:
        for hit in hits_in(part.tree, detector):
            text, name = text_of(hit, place_of(part.tree, hit.pointer)[0], part.tree)
            found += [(hit.pointer, text, span) for span in unnamed(hit.spans, text, name)]
    seen, taken = "", standing("")
    for pointer, text, span in found:
        if text is not seen:  # the spans of one text follow one another
            seen, taken = text, standing(text)
        if not policy.allows(span, source.name, pointer) and not touches(span, taken):
            yield pointer, span


def _to_review(after: Sequence[Source], detector: Detector, policy: Policy) -> Iterator[Review]:
    for number, source in enumerate(after):
        for pointer, span in left_in(source, detector, policy):
            yield Review(number, pointer, span.rule, "low")


def _left(after: Sequence[Source], values: Sequence[Value]) -> Iterator[Failure]:
    """Places at which a value, or a part of a secret one, still stands."""
    search = Search(value for value in values if value.kind != "USER")
    names = Search(value for value in values if value.kind == "USER")
    known: dict[str, bool] = {}
    for number, source in enumerate(after):
        for text, key, leaf in _texts(source):
            is_left = known.get(text)
            if is_left is None:
                is_left = known[text] = len(text) >= 4 and search.is_in(unmasked(text))
            if is_left or (key not in VOCABULARY and len(text) >= 4 and names.values and names.find(text)):
                pointer = join(*leaf.keys) if leaf is not None else ""
                yield Failure("values", number, pointer, "what was taken elsewhere still stands here")


def _texts(source: Source) -> Iterator[tuple[str, Any, Leaf | None]]:
    """Each text of a file, the name of its member unless it is one, and where it stands."""
    yield source.name, None, None
    if not source.parts:
        yield source.text, None, None
    for part in source.parts:
        for leaf in leaves(part.tree):
            if type(leaf.value) is str:
                yield leaf.value, None if leaf.is_key else leaf.key, leaf


# --- the validator ---------------------------------------------------------------------------------------------------


def _new_errors(claim: Claim, validator: Validator) -> Iterator[Failure]:
    for number, (old, (name, raw)) in enumerate(zip(claim.before, claim.after, strict=True)):
        if old.parts and raw != old.raw:
            for code in validator(name, old.raw, raw):
                yield Failure("validator", number, "", f"a new finding: {code}")
