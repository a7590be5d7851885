"""AT005 to AT008 where they need the tree: sizes, texts that deceive the eye, numbers that readers disagree on.

The defects that break the bytes themselves (AT001 to AT006) come from `attraj.jsonio`; both use the same codes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from attraj.bundle.checks.check import Asked, error, info, on_bundle, warning
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
    if 0 < len(bundle.raw) <= longest:
        return
    for keys, identifier in identifiers(bundle):
        if len(identifier) > longest:
            yield AT005.at(join(*keys), f"identifier of more than {longest} characters")


@on_bundle(AT006)
def unseen_characters(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Identifiers that look like others, or like nothing (§16: imported trajectories are untrusted)."""
    unseen = _UNSEEN if bundle.raw else _UNSEEN_IN_MEMORY
    if unseen.search("".join([identifier for _, identifier in identifiers(bundle)])) is None:
        return
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
    if 0 < len(bundle.raw) <= most:
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
    numbers = bundle.index.walk.numbers
    for way, key, value in numbers:
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
    if any(type(leaf.value) is float for leaf in numbers) and may_hold_long_floats(bundle.raw):
        for pointer in long_floats(bundle.raw):
            yield AT008.at(pointer, "number of more digits than a double holds: what is read back is another one")


def identifiers(bundle: Bundle) -> Iterator[tuple[Keys, str]]:
    """The way to every identifier that is there, and its text; equal ones in one collection once."""
    trajectory = text(bundle.tree, "trajectory_id")
    if trajectory is not None:
        yield ("trajectory_id",), trajectory
    for collection, found in bundle.index.positions.items():
        member = IDENTIFIERS[collection]
        for identifier, position in found.items():
            yield (collection, position, member), identifier


def _is_identifier(keys: Keys) -> bool:
    return keys == ("trajectory_id",) or (len(keys) == 3 and IDENTIFIERS.get(str(keys[0])) == keys[2])


def _texts_longer_than(tree: Any, most: int) -> Iterator[Leaf]:
    for way, container in walk(tree).containers:
        for key, value in members(container):
            if type(value) is str and len(value) > most:
                yield Leaf(way, key, value)


# --- digits that no double holds: only the text knows them -------------------------------------------------------

MOST_DIGITS = 17  # significant digits after which two decimal numbers can be the same double (IEEE 754)

_NUMBER = re.compile(rb"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_RUN = b":" + b"0" * (MOST_DIGITS + 1)
_CHUNK = 1 << 20


def _class_of(character: int) -> int:
    if character in b"0123456789.":
        return ord("0")
    return ord(":") if character in b":,[- \t\r\n" else ord("x")


_CLASSES = bytes(map(_class_of, range(256)))


def may_hold_long_floats(raw: bytes) -> bool:
    """False only when no number with a point or an exponent has more than 17 digits. A search at memory speed."""
    for start in range(0, len(raw), _CHUNK):
        classes = raw[start : start + _CHUNK + len(_RUN)].translate(_CLASSES)
        at = classes.find(_RUN)
        while at >= 0:
            number = _NUMBER.match(raw, start + at + 1)
            if number is not None and _digits(number[0].decode("ascii")) > MOST_DIGITS:
                return True
            at = classes.find(_RUN, at + 1)
    return False


def long_floats(raw: bytes) -> Iterator[str]:
    """Pointers of the numbers whose text has more digits than a double holds. Parses the document once more."""
    from json import loads  # the one reader that shows the text of a number

    try:
        tree = loads(raw, parse_float=_told_apart)
    except (ValueError, RecursionError):
        return  # not a document of its own: nothing is claimed
    if type(tree) is dict:
        yield from (pointer_of(way, key) for way, key, value in _floats(tree) if type(value) is _Long)


class _Long(float):
    """A number whose text says more than its value holds."""


def _told_apart(number: str) -> float:
    return _Long(number) if _digits(number) > MOST_DIGITS else float(number)


def _digits(number: str) -> int:
    """Significant digits of a number with a point or an exponent; 0 for an integer."""
    mantissa = re.split("[eE]", number)[0]
    if mantissa == number and "." not in number:
        return 0
    digits = mantissa.lstrip("-").replace(".", "").lstrip("0")
    return len(digits.rstrip("0"))


def _floats(tree: Any) -> Iterator[Leaf]:
    for way, container in walk(tree).containers:
        for key, value in members(container):
            if isinstance(value, float):
                yield Leaf(way, key, value)
