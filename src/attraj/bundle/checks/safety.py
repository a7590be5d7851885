"""AT005 to AT008 where they need the tree: sizes, texts that deceive the eye, numbers that readers disagree on.

The defects that break the bytes themselves (AT001 to AT006) come from `attraj.jsonio`; both use the same codes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from attraj.bundle.checks.check import Asked, error, info, on_bundle, warning
from attraj.bundle.checks.raw_search import long_floats, may_hold_long_floats, may_hold_texts_over
from attraj.bundle.leaves import LONG, Leaf, keys_of, members, pointer_of, walk
from attraj.bundle.model import Bundle, text
from attraj.bundle.shape import COLLECTIONS
from attraj.findings import Finding, Severity, Stratum
from attraj.pointer import join

AT005 = error("AT005", "limit-exceeded", Stratum.BYTES)
AT006 = warning("AT006", "broken-text", Stratum.BYTES)
AT007 = warning("AT007", "long-inline-string", Stratum.BYTES)
AT008 = info("AT008", "unsafe-number", Stratum.BYTES)

Keys = tuple[str | int, ...]

IDENTIFIERS = {collection: member for collection, (_, member) in COLLECTIONS.items()}

# C0 and C1 controls, and the characters that reorder what a terminal or a page shows (Unicode UAX 9).
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# Half characters too, for trees that come from memory: in bytes, jsonio has found them with their place.
_UNSEEN_IN_MEMORY = re.compile(_UNSEEN.pattern[:-1] + "\ud800-\udfff]")


@on_bundle(AT005)
def limits(bundle: Bundle, asked: Asked) -> Iterator[Finding]:
    """More nodes, or longer identifiers, than the caller lets through."""
    count, most = len(bundle.items("nodes")), asked.limits.max_nodes
    if count > most:
        yield AT005.at("/nodes", f"more than {most} nodes", hint="raise the limit with --max-nodes")
    longest = asked.limits.max_id_chars
    if not may_hold_texts_over(longest, bundle.raw):
        return
    for keys, identifier in identifiers(bundle):
        if len(identifier) > longest:
            yield AT005.at(join(*keys), f"identifier of more than {longest} characters")


@on_bundle(AT006)
def unseen_characters(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Identifiers that look like others, or like nothing (§16: imported trajectories are untrusted)."""
    if all("".join(texts).isprintable() for texts in _texts(bundle)):
        return  # no control, no format character, no half of a pair
    unseen = _UNSEEN if bundle.raw else _UNSEEN_IN_MEMORY
    for keys, identifier in identifiers(bundle):
        if unseen.search(identifier):
            yield AT006.at(
                join(*keys),
                "identifier holds a control character or one that changes the direction of text",
                hint="two identifiers that look the same may differ in it",
            )


@on_bundle(AT007)
def long_texts(bundle: Bundle, asked: Asked) -> Iterator[Finding]:
    """Inline texts that should have been artifacts."""
    most = asked.limits.max_inline_chars
    if not may_hold_texts_over(most, bundle.raw):
        return
    found = bundle.index.walk.long_texts if most >= LONG else _texts_longer_than(bundle.tree, most)
    for way, key, value in found:
        if len(value) > most and not (len(value) > asked.limits.max_id_chars and _is_identifier(keys_of(way, key))):
            yield AT007.at(
                pointer_of(way, key),
                f"inline text of more than {most} characters",
                hint="keep it as an artifact beside the bundle, and refer to it",
            )


@on_bundle(AT008)
def unsafe_numbers(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Numbers that a reader with doubles changes (RFC 7493 §2.2), and those that became infinite on reading."""
    met = bundle.index.survey
    if met.has_great_ones:
        yield from _great_numbers(bundle)
    if bundle.raw and (met.has_great_ones or (met.has_floats and may_hold_long_floats(bundle.raw))):
        for pointer in long_floats(bundle.raw):
            yield AT008.at(pointer, "number of more digits than a double holds: what is read back is another one")


def _great_numbers(bundle: Bundle) -> Iterator[Finding]:
    for way, key, value in bundle.index.walk.numbers:
        if type(value) is int:
            yield AT008.at(
                pointer_of(way, key),
                "integer beyond 2^53-1: readers that use doubles change it, and RFC 8785 cannot seal it",
                hint="write it as a string, where the source's own form allows it",
            )
        elif value - value != 0:
            yield AT008.at(
                pointer_of(way, key),
                "a number too large for a double",
                hint="most readers see infinity here",
                severity=Severity.ERROR,
            )


def identifiers(bundle: Bundle) -> Iterator[tuple[Keys, str]]:
    """The way to every identifier that is there, and its text; equal ones in one collection once."""
    trajectory = text(bundle.tree, "trajectory_id")
    if trajectory is not None:
        yield ("trajectory_id",), trajectory
    for collection, member in IDENTIFIERS.items():
        for identifier, position in bundle.index.positions[collection].items():
            yield (collection, position, member), identifier


def _texts(bundle: Bundle) -> Iterator[Iterable[str]]:
    """The same texts without their ways, collection by collection."""
    yield [text(bundle.tree, "trajectory_id") or ""]
    for collection in IDENTIFIERS:
        yield bundle.index.edge_ids if collection == "edges" else bundle.index.positions[collection]


def _is_identifier(keys: Keys) -> bool:
    return keys == ("trajectory_id",) or (len(keys) == 3 and IDENTIFIERS.get(str(keys[0])) == keys[2])


def _texts_longer_than(tree: Any, most: int) -> Iterator[Leaf]:
    for way, container in walk(tree).containers:
        for key, value in members(container):
            if type(value) is str and len(value) > most:
                yield Leaf(way, key, value)
