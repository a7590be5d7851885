"""AT710: what a redaction took away in one place and left in another (§13.2).

A value counts as taken when a marker, or a placeholder inside a text, stands where the older document has it. It is
looked for in every text, member name and number of the newer document, as it is and as JSON escapes it (tool arguments
are JSON inside a text), once and twice.

Values that mean nothing by themselves are not looked for. The bar:
  - texts of fewer than 6 characters, 4 for secrets, credentials, personal data and the spans inside a text;
  - numbers of fewer than 6 digits, timestamps, and placeholders of other tools;
  - plain words ("succeeded", "none_authoritative"), unless the marker says secret, credential or personal data;
  - inside an object or array that went as a whole: identifiers and other values that its document also has outside
    any content (they are the skeleton, and stay), and texts of fewer than 12 characters.
A value shorter than 12 characters is found only where it stands by itself, not inside a longer word.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from attraj.bundle.checks.pairs.codes import AT710
from attraj.bundle.checks.pairs.differences import Difference, How, Way, removed_spans
from attraj.bundle.checks.pairs.pair import Pair, in_the_older, is_link
from attraj.bundle.instants import is_rfc3339
from attraj.bundle.leaves import keys_of, members, walk
from attraj.bundle.markers import MARKER_KEY, PLACEHOLDERS, is_marker
from attraj.findings import Finding
from attraj.pointer import join

SHORTEST, SHORTEST_SECRET, SHORTEST_INSIDE, SHORTEST_ANYWHERE = 6, 4, 12, 12
DIGITS = 6
_SECRET_CLASSES = frozenset({"secret", "credential", "personal_data"})
_WORD = re.compile(r"[A-Za-z]+(?:[_-][A-Za-z]+)*").fullmatch
_CONTENT = frozenset(
    {"arguments", "delta", "labels", "observation", "output", "payload", "request", "snapshot", "state_delta"}
    | {"usage", "value", "view"}
)


class Taken(NamedTuple):
    """Where a value stood in the older document."""

    way: Way
    text: str


def check(pair: Pair) -> Iterator[Finding]:
    """Each place of the newer document where a value that was taken away still stands."""
    taken = taken_values(pair)
    if not taken:
        return
    needles = Needles(taken)
    needles.keep_only_those_in(pair.new.tree)
    for pointer, found in needles.places(pair.new.tree) if needles.by_text else ():
        yield AT710.at(
            pointer,
            "a value that was redacted elsewhere still stands here",
            hint="take it out wherever it occurs: in texts, in member names, in identifiers",
            related=in_the_older(*found.way),
        )


# --- what was taken ----------------------------------------------------------------------------------------------


def taken_values(pair: Pair) -> list[Taken]:
    """The values that markers and placeholders stand for, above the bar, each with its first place."""
    found: dict[str, Taken] = {}
    kept: frozenset[str] | None = None
    for way, difference in _withheld(pair):
        is_secret = _is_secret(difference)
        for text in _texts(difference):
            if is_worth_a_search(text, is_secret=is_secret):
                found.setdefault(text, Taken(way, text))
        if type(difference.old) in (dict, list):
            if kept is None:
                kept = _skeleton_texts(pair.old.tree)
            for text in _inner_texts(difference.old):
                long_enough = is_secret or len(text) >= SHORTEST_INSIDE
                if long_enough and text not in kept and is_worth_a_search(text, is_secret=is_secret):
                    found.setdefault(text, Taken(way, text))
    return list(found.values())


def _withheld(pair: Pair) -> Iterator[tuple[Way, Difference]]:
    """Place in the older document, and difference, of each value that was taken away."""
    for kept in pair.kept:
        for difference in kept.differences:
            if difference.how is How.WITHHELD and not is_link(difference.way):  # a withheld link is AT711
                yield (kept.collection, kept.old, *difference.way), difference
    for member in ("source", "scope", "bindings", "extensions"):
        for difference in pair.envelope(member):
            if difference.how is How.WITHHELD:
                yield difference.way, difference
    for ours, theirs in pair.renamed.items():
        yield ("nodes",), Difference(How.WITHHELD, (), ours, theirs)


def _texts(difference: Difference) -> Iterable[str]:
    new, old = difference.new, difference.old
    if type(old) is str:
        spans = removed_spans(new, old) if type(new) is str else None
        return [old] if spans is None else spans
    if type(old) in (int, float):
        return [str(old)]
    return ()


def _is_secret(difference: Difference) -> bool:
    new = difference.new
    if type(new) is str:
        return new not in PLACEHOLDERS  # `<TYPE_n>` stands for a secret or for personal data
    body = new[MARKER_KEY] if is_marker(new) else None
    word = body.get("class") if type(body) is dict else None
    return type(word) is str and word in _SECRET_CLASSES


def is_worth_a_search(text: str, *, is_secret: bool) -> bool:
    """Whether a value says enough by itself to be looked for (see the head of this module)."""
    stripped = text.strip()
    if stripped.replace(".", "", 1).lstrip("-").isdecimal():
        return sum(map(str.isdecimal, stripped)) >= DIGITS
    if len(stripped) < (SHORTEST_SECRET if is_secret else SHORTEST):
        return False
    if stripped in PLACEHOLDERS or is_rfc3339(stripped):
        return False
    return is_secret or _WORD(stripped) is None


def _inner_texts(value: Any) -> Iterator[str]:
    for _, container in walk(value).containers:
        for _, element in members(container):
            if type(element) is str:
                yield element


def _skeleton_texts(tree: Any) -> frozenset[str]:
    """Every text of the document that stands outside content."""
    found: set[str] = set()
    pending: list[Any] = [tree]
    while pending:
        value = pending.pop()
        if type(value) is dict:
            pending.extend(inner for name, inner in value.items() if name not in _CONTENT)
        elif type(value) is list:
            pending.extend(value)
        elif type(value) is str:
            found.add(value)
    return frozenset(found)


# --- the search --------------------------------------------------------------------------------------------------

_WIDTHS = (32, 16, 8, 4)
FEW = 64  # values that are looked for one by one at the speed of memory before any text is read window by window


class Needles:
    """Many texts to be found in many others in one pass over these, whatever their number.

    Texts are put in classes by length. A window of the class's width slides over the searched text; the few that begin
    with what it shows are then compared, by their lengths.
    """

    def __init__(self, taken: Iterable[Taken]) -> None:
        self.by_text: dict[str, Taken] = {}
        for value in taken:
            for form in forms(value.text):
                self.by_text.setdefault(form, value)
        self._build()

    def _build(self) -> None:
        self._classes: list[tuple[int, dict[str, list[int]]]] = []
        left = sorted(self.by_text, key=len, reverse=True)
        for width in _WIDTHS:
            starts: dict[str, set[int]] = {}
            while left and len(left[0]) >= width:
                left, long = [t for t in left if len(t) < width], [t for t in left if len(t) >= width]
                for text in long:
                    starts.setdefault(text[:width], set()).add(len(text))
            if starts:
                self._classes.append((width, {start: sorted(lengths) for start, lengths in starts.items()}))

    def keep_only_those_in(self, tree: Any) -> None:
        """Drop, when they are few, the texts that are nowhere in the document: most redactions leave nothing."""
        if len(self.by_text) > FEW:
            return
        haystack = "\0".join(text for _, container in walk(tree).containers for text in _searched(container))
        self.by_text = {text: value for text, value in self.by_text.items() if text in haystack}
        self._build()

    def first_in(self, text: str) -> Taken | None:
        """A text of these that the given one holds; None when there is none."""
        for width, starts in self._classes:
            for i in range(len(text) - width + 1):
                lengths = starts.get(text[i : i + width])
                if lengths is None:
                    continue
                for length in lengths:
                    value = self.by_text.get(text[i : i + length])
                    if value is not None and (length >= SHORTEST_ANYWHERE or _stands_alone(text, i, i + length)):
                        return value
        return None

    def places(self, tree: Any) -> Iterator[tuple[str, Taken]]:
        """Pointer of each text or number that holds one, and of each object with such a member name."""
        for way, container in walk(tree).containers:
            if type(container) is dict:
                value = next((v for v in map(self.first_in, container) if v is not None), None)
                if value is not None:
                    yield self._pointer(keys_of(way)), value
            for key, element in members(container):
                kind = type(element)
                if kind is str or kind is int or kind is float:
                    value = self.first_in(element if kind is str else str(element))
                    if value is not None:
                        yield self._pointer(keys_of(way, key)), value

    def _pointer(self, keys: Way) -> str:
        """The pointer, ended before a member name that is itself what must not be shown."""
        for end, key in enumerate(keys):
            if type(key) is str and self.first_in(key) is not None:
                return join(*keys[:end])
        return join(*keys)


def _searched(container: Any) -> Iterator[str]:
    for key, element in members(container):
        if type(key) is str:
            yield key
        kind = type(element)
        if kind is str:
            yield element
        elif kind is int or kind is float:
            yield str(element)


def forms(text: str) -> Iterator[str]:
    """A text as it is, and as JSON writes it inside a text, and inside a text inside a text."""
    yield text
    for is_ascii in (True, False):
        escaped = json.dumps(text, ensure_ascii=is_ascii)[1:-1]
        if escaped != text:
            yield escaped
            twice = json.dumps(escaped, ensure_ascii=is_ascii)[1:-1]
            if twice != escaped:
                yield twice


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether no letter or digit touches the part; the letter of an escape ("\\n") does not count."""
    if end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
        return False
    if start == 0 or not text[start - 1].isalnum() or not text[start].isalnum():
        return True
    return text[start - 1] in "nrtbf" and text[start - 2 : start - 1] == "\\"
