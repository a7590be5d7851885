"""JSON Pointers (RFC 6901): making them, following them, finding their line and column, showing them safely."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

_INDEX = re.compile(r"0|[1-9][0-9]{0,17}").fullmatch  # RFC 6901 §4: ASCII digits, no leading zero
_SHORT_INDEX = re.compile(r"0|[1-9][0-9]{0,5}").fullmatch


def escape(key: str) -> str:
    """One reference token of a pointer."""
    return key.replace("~", "~0").replace("/", "~1")


def join(*parts: str | int) -> str:
    """The pointer made of these keys and positions: join("nodes", 3, "kind") is "/nodes/3/kind"."""
    return "".join(["/" + (str(part) if type(part) is int else escape(str(part))) for part in parts])


def split(pointer: str) -> list[str]:
    """The unescaped reference tokens of a pointer; [] for the whole document."""
    if not pointer:
        return []
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/")]


def resolve(tree: Any, pointer: str) -> Any:
    """The value at `pointer`. Raises LookupError when there is none."""
    for token in split(pointer):
        if type(tree) is dict:
            tree = tree[token]
        elif type(tree) is list and _INDEX(token):
            tree = tree[int(token)]
        else:
            raise LookupError("no such place")
    return tree


class Ranks:
    """Where the members of the objects of one tree stand in them, counted once for each object that is asked about.

    For the run of one report: the tree must live, unchanged, as long as this.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[int, dict[str, int]] = {}

    def of(self, container: dict[str, Any]) -> dict[str, int]:
        """Member name to its position."""
        known = self._known.get(id(container))
        if known is None:
            known = self._known[id(container)] = {key: position for position, key in enumerate(container)}
        return known


def document_order(tree: Any, ranks: Ranks | None = None) -> Callable[[str], tuple[int, ...]]:
    """A sort key that puts pointers into the order in which their places stand in the document."""
    rank = (Ranks() if ranks is None else ranks).of

    def key(pointer: str) -> tuple[int, ...]:
        place: list[int] = []
        value = tree
        for token in split(pointer):
            if type(value) is dict:
                place.append(rank(value).get(token, len(value)))
                value = value.get(token)
            elif type(value) is list:
                at = int(token) if _INDEX(token) else len(value)
                place.append(at)
                value = value[at] if at < len(value) else None
            else:
                place.append(0)
                value = None
        return tuple(place)

    return key


# --- showing -----------------------------------------------------------------------------------------------------

# A key is shown when it reads as a name that somebody chose for a member: words of letters joined by "_", "-", "."
# or single capitals, without digits and not in capitals. Anything else (an id, a path, a token, the name of an
# environment variable) may be content: a position stands for it (spec: decisions 7). Digits are let through in the
# few names that the formats themselves define.
_WORDS = re.compile(r"(?!.*[A-Z]{4})[A-Za-z]{1,16}(?:[_.-][A-Za-z]{1,16}){0,5}").fullmatch
_NAMES_WITH_DIGITS = frozenset({"sha256"})


def is_shown(key: str) -> bool:
    """Whether a member name may appear in output: a short identifier, not something that may be content."""
    return len(key) <= 32 and _is_name(key)


@lru_cache(maxsize=1024)  # a document of many faults has them at the same few members
def _is_name(key: str) -> bool:
    return _WORDS(key) is not None or key in _NAMES_WITH_DIGITS


def shown(pointer: str, tree: Any, ranks: Ranks | None = None) -> str:
    """The pointer, with the position in braces ("/extra/{2}") for every key that may be content.

    Where there is no tree (a text that breaks off), a short number is taken for a position in an array. Who shows many
    pointers of one tree gives the same `ranks` with each.
    """
    tokens = split(pointer)
    if all(is_shown(token) for token in tokens):
        return pointer
    parts: list[str] = []
    for token in tokens:
        if type(tree) is list and _INDEX(token):
            parts.append(token)
            tree = tree[int(token)] if int(token) < len(tree) else None
        else:
            parts.append(escape(token) if is_shown(token) else _position(token, tree, ranks))
            tree = tree.get(token) if type(tree) is dict else None
    return "".join(["/" + part for part in parts])


def _position(key: str, tree: Any, ranks: Ranks | None) -> str:
    if type(tree) is not dict:
        return key if _SHORT_INDEX(key) else "{?}"
    if key not in tree:
        return "{?}"
    return "{%d}" % (Ranks() if ranks is None else ranks).of(tree)[key]
