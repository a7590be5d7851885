"""What one place of a document says, and when two places say the same.

Spelling is not meaning: members in another order, 1 and 1.0, a text and a list of it as the only part say the same.
Identities count by what they link: two runs that name their calls differently, and each consistently, say the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

from attraj.bundle.canonical import ATTRAJ_C14N, NotCanonical, canonical_bytes
from attraj.bundle.markers import status_of
from attraj.formats.mapping.fields import At, Json
from attraj.jsonio import MISSING
from attraj.jsonio.write import dumps

_SILENT = frozenset({"unavailable", "unknown", "not_applicable"})


class Name(NamedTuple):
    """What a value is called within its step, or within its document.

    Attributes:
        slot: The part of the step: "" for the step itself, "call 1", "result 2"; the record of a document.
        path: Below the slot.
    """

    slot: str
    path: At


@dataclass(frozen=True, slots=True)
class Said:
    """One value that a document states.

    Attributes:
        topic: What it is about; one of `changes.TOPICS`.
        value: As the document, or its reader, says it.
        where: Place in the Bundle (see `Side.pointer`), or JSON Pointer in the document; "" for neither.
        is_identity: It links records, and says nothing else.
        is_told: The document says it itself; else it is a word of its reader, which agrees with what the other document
            says and is no difference on its own.
        key: Equal where another value says the same; MISSING where no other one does.
    """

    topic: str
    value: Any
    where: At | str
    is_identity: bool = False
    key: Any = MISSING
    is_told: bool = True


Says = dict[Name, Said]


@dataclass(slots=True)
class Identities:
    """Which identity of one document stands for which of the other, as far as they have been met."""

    _to_b: dict[str, str] = field(default_factory=dict)
    _to_a: dict[str, str] = field(default_factory=dict)

    def agree(self, a: Any, b: Any) -> bool:
        """Whether these may be the same identity; from then on they are."""
        if type(a) is not str or type(b) is not str:
            return is_same(a, b)
        if a in self._to_b or b in self._to_a:
            return self._to_b.get(a) == b and self._to_a.get(b) == a
        self._to_b[a], self._to_a[b] = b, a
        return True


def is_silent(value: Any) -> bool:
    """Whether a value only says that something is not known."""
    return value is MISSING or status_of(value) in _SILENT


def content_of(value: Any, *, is_text_alone: bool = False) -> Any:
    """A text for a list of one text part; any other value as it is.

    Args:
        is_text_alone: Also where the part holds more than its text (what a provider's cache is told of it).
    """
    if type(value) is list and len(value) == 1 and type(value[0]) is dict:
        part: Json = value[0]
        if part.get("type") == "text" and type(part.get("text")) is str and (is_text_alone or len(part) == 2):
            return part["text"]
    return value


def is_same(a: Any, b: Any) -> bool:
    """Whether two JSON values are equal: numbers by their value, members in any order."""
    pending: list[tuple[Any, Any]] = [(a, b)]
    while pending:
        a, b = pending.pop()
        if type(a) is dict and type(b) is dict:
            if a.keys() != b.keys():
                return False
            pending.extend((a[name], b[name]) for name in a)
        elif type(a) is list and type(b) is list:
            if len(a) != len(b):
                return False
            pending.extend(zip(a, b, strict=True))
        elif not _is_same_leaf(a, b):
            return False
    return True


def _is_same_leaf(a: Any, b: Any) -> bool:
    if type(a) in (int, float) and type(b) in (int, float):
        return bool(a == b) or (a != a and b != b)  # a number that is none equals itself here
    return type(a) is type(b) and bool(a == b)


def leaves(value: Any, path: At = (), *, is_row_one: bool = False) -> Iterator[tuple[At, Any]]:
    """Path and value of everything in a tree that holds nothing more, in its order. Markers are leaves.

    Args:
        is_row_one: So are arrays that hold neither arrays nor objects: the ids of the tokens of a call.
    """
    pending: list[tuple[Any, At]] = [(value, path)]
    while pending:
        value, path = pending.pop()
        if type(value) is dict and value and status_of(value) is None:
            pending.extend([(one, (*path, name)) for name, one in value.items()][::-1])
        elif type(value) is list and value and not (is_row_one and _is_row(value)):
            pending.extend([(one, (*path, position)) for position, one in enumerate(value)][::-1])
        else:
            yield path, value


def _is_row(value: list[Any]) -> bool:
    return all(type(one) not in (list, dict) for one in value)


def fingerprint(value: Any) -> bytes:
    """Equal for values that say the same; used to find what belongs together, never shown."""
    value = content_of(value)
    if type(value) is str:
        data = b"s" + value.encode("utf-8", "surrogatepass")
    else:
        try:
            data = canonical_bytes(value, ATTRAJ_C14N)
        except NotCanonical:  # a number that is none, half a character
            data = _as_written(value)
    return blake2b(data, digest_size=16).digest()


def _as_written(value: Any) -> bytes:
    try:
        return dumps(value)
    except (TypeError, ValueError):
        return b"?"
