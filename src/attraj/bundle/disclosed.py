"""Which places of a Bundle its `disclosure` says were withheld (spec: bundle.md §4.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attraj.bundle.content import dotted, record_of
from attraj.bundle.model import text
from attraj.bundle.shape import COLLECTIONS
from attraj.pointer import split

if TYPE_CHECKING:
    from attraj.bundle.model import Bundle

Keys = tuple[str | int, ...]
_PARTS = re.compile(r"[^.\[\]]+")


class Disclosed:
    """The two lists of `disclosure`: exact ones by record and pointer, and paths as the reference form writes them."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        disclosure = bundle.member("disclosure")
        self._fields = frozenset(path for _, path in fields(disclosure))
        self._exact = frozenset((target, way) for _, target, way in redactions(bundle))

    def lists(self, keys: Keys) -> bool:
        """Whether the place, or something that holds it, is listed exactly."""
        way = tuple(map(str, keys))
        if any(("", way[:length]) in self._exact for length in range(1, len(way) + 1)):
            return True
        names = _names(self._bundle, keys)
        return any((name, way[2:length]) in self._exact for name in names for length in range(2, len(way) + 1))

    def mentions(self, keys: Keys) -> bool:
        """Whether the place is listed exactly, or by a path that names no record."""
        return self.lists(keys) or any(is_within(path, self._fields) for path in paths(keys))


def fields(disclosure: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """Position and dotted path (positions in arrays left out) of each entry of `redacted_fields`."""
    listed = disclosure.get("redacted_fields")
    for number, path in enumerate(listed if type(listed) is list else ()):
        if type(path) is str:
            parts = split(path) if path.startswith("/") else _PARTS.findall(path)
            yield number, ".".join(part for part in parts if part != "*" and not part.isdecimal())


def redactions(bundle: Bundle) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Position, target and pointer tokens of each entry of `redactions`; the target is "" for the document."""
    listed = bundle.member("disclosure").get("redactions")
    for number, entry in enumerate(listed if type(listed) is list else ()):
        if type(entry) is dict:
            target, pointer = text(entry, "target") or "", text(entry, "pointer") or ""
            own = text(bundle.tree, "trajectory_id")
            yield number, "" if target == own else target, tuple(split(pointer)) if pointer[:1] == "/" else ()


def paths(keys: Keys) -> tuple[str, str]:
    """The dotted path of a place from its record, and from the document."""
    return dotted(keys[2:] if record_of(keys) else keys), dotted(keys)


def is_within(path: str, others: frozenset[str] | set[str]) -> bool:
    """Whether a dotted path, or one that holds it, is among the others."""
    parts = path.split(".")
    return any(".".join(parts[:length]) in others for length in range(1, len(parts) + 1))


def _names(bundle: Bundle, keys: Keys) -> Sequence[str]:
    place = record_of(keys)
    if place is None:
        return ()
    record = bundle.items(place[0])[place[1]]
    if type(record) is not dict:
        return ()
    names = (text(record, COLLECTIONS[place[0]][1]), text(record, "source_event_id"))
    return [name for name in names if name]
