"""Literals in a text: every place at which one begins. A trie in `re` always, Aho-Corasick where it is installed.

The contract of both: `hits(text)` is the list of (start, literal number), overlapping, by start and then by number. A
test feeds both the same texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from attraj.errors import AttrajError

Hit = tuple[int, int]
_RARE_CHUNK = 4096  # the same for literals that hardly any text holds
_MANY = 4096  # literals; more than those of all packs together
_SHORTEST = 3  # characters: what is shorter begins at too many places
_CHUNK = 96  # characters that are asked about at a time: fewer cost more calls, more are seldom without a literal


class Engine(Protocol):
    """Finds literals."""

    name: str

    def hits(self, text: str, data: bytes | None = None) -> list[Hit]:
        """(start in code points, number of the literal), sorted; `data` is the text with one byte a character."""
        ...

    def hits_in(self, data: bytes) -> list[Hit]:
        """The same for ASCII bytes."""
        ...


def engine_of(literals: Sequence[str], name: str = "auto") -> Engine:
    """The engine of this name for these literals; the few that are not ASCII are looked for one by one.

    Values that were found are literals as well, and there may be many thousands of them: they are looked up at every
    place, since a pattern or an automaton for them would take longer to make than to use, and megabytes.

    Raises:
        AttrajError: `fast` is asked for by name, and not installed.
    """
    if len(literals) > _MANY and min(map(len, literals)) >= _SHORTEST:
        return _Lookup(literals)
    plain = [literal if literal.isascii() else "" for literal in literals]
    foreign = _Trie(["" if literal.isascii() else literal for literal in literals], _RARE_CHUNK)
    if name != "stdlib":
        try:
            return _WithForeign(_AhoCorasick(plain), foreign)
        except ImportError as missing:
            if name == "fast":
                raise AttrajError(
                    "the engine `fast` is not installed", hint="pip install 'attraj[fast]', or leave the option out"
                ) from missing
    return _WithForeign(_Trie(plain), foreign)


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether no letter or digit of ASCII stands right before or right after a literal."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before.isascii() and before.isalnum()) and not (after.isascii() and after.isalnum())


class _WithForeign:
    """An engine for ASCII, and another one for what is not ASCII, which runs only where that is."""

    def __init__(self, engine: Engine, foreign: Engine) -> None:
        self.name = engine.name
        self._hits, self._foreign = engine.hits, foreign.hits
        self.hits_in = engine.hits_in

    def hits(self, text: str, data: bytes | None = None) -> list[Hit]:
        found = self._hits(text, data)
        if not text.isascii():
            more = self._foreign(text)
            if more:
                return sorted([*found, *more])
        return found


# --- the standard library ------------------------------------------------------------------------------------------


class _Trie:
    """One pattern that shares prefixes: sre tries the branches of an alternation one by one, so few must stay."""

    name = "stdlib"

    def __init__(self, literals: Sequence[str], chunk: int = _CHUNK) -> None:
        self._chunk = chunk
        self._numbers: dict[str, list[int]] = {}
        for number, literal in enumerate(literals):
            if not literal:
                continue
            self._numbers.setdefault(literal, []).append(number)
        self._search = re.compile(_pattern(_tree(self._numbers)), re.S).search if self._numbers else None
        self._overlap = max(map(len, self._numbers), default=1) - 1
        self._gate: Callable[[str], bool] | None = None
        # The pattern gives the longest literal at a place; the shorter ones that begin there are known beforehand.
        self._at = {literal: self._beginnings(literal) for literal in self._numbers}

    def _beginnings(self, literal: str) -> list[int]:
        prefixes = (literal[:end] for end in range(1, len(literal) + 1))
        return sorted(number for prefix in prefixes for number in self._numbers.get(prefix, ()))

    def hits(self, text: str, data: bytes | None = None) -> list[Hit]:
        found: list[Hit] = []
        if self._search is None:
            return found
        if len(text) <= self._chunk:
            self._between(text, 0, len(text), found)
            return found
        # sre tries branch after branch at every character: it looks only where there is something to find.
        may_hold = self._gate = self._gate or _gate_of(self._numbers)
        for start in range(0, len(text), self._chunk):
            if may_hold(text[start : start + self._chunk + self._overlap]):
                self._between(text, start, start + self._chunk, found)
        return found

    def _between(self, text: str, start: int, end: int, found: list[Hit]) -> None:
        """The literals that begin between two places."""
        search, numbers = self._search, self._at
        assert search is not None
        limit = end + self._overlap
        match = search(text, start, limit)
        while match is not None:
            at = match.start()
            if at >= end:
                return
            found.extend([(at, number) for number in numbers[match[0]]])
            match = search(text, at + 1, limit)

    def hits_in(self, data: bytes) -> list[Hit]:
        return self.hits(data.decode("ascii"))


def _gate_of(literals: Iterable[str]) -> Callable[[str], bool]:
    """Whether any of the literals stands in a text: by the linear-time engine that pydantic-core carries."""
    # Imported here: only who scans long texts pays for it. It says whether, not where.
    from pydantic_core import SchemaValidator

    pattern = "|".join(map(re.escape, literals))
    one = {"type": "str", "pattern": pattern, "regex_engine": "rust-regex"}
    schema: Any = {"type": "default", "schema": one, "default": None, "on_error": "default"}
    validate = SchemaValidator(schema).validate_python

    def may_hold(text: str) -> bool:
        # A lone surrogate is no text there: it proves nothing.
        return validate(text) is not None or not (text.isascii() or _is_valid(text))

    return may_hold


def _is_valid(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _tree(literals: Sequence[str] | dict[str, list[int]]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for literal in literals:
        branch = tree
        for character in literal:
            branch = branch.setdefault(character, {})
        branch[""] = {}
    return tree


def _pattern(tree: dict[str, Any]) -> str:
    """The tree as a pattern; literals are short, so the recursion is shallow."""
    is_end = "" in tree
    branches = [re.escape(character) + _pattern(branch) for character, branch in sorted(tree.items()) if character]
    if not branches:
        return ""
    body = branches[0] if len(branches) == 1 and not is_end else "(?:" + "|".join(branches) + ")"
    return body + "?" if is_end else body


# --- many literals -------------------------------------------------------------------------------------------------


class _Lookup:
    """Asks at every place whether a literal begins as the text does there: as fast for many as for few."""

    name = "stdlib"

    def __init__(self, literals: Sequence[str]) -> None:
        self._size = min(map(len, literals))
        self._numbers: dict[str, list[int]] = {}
        lengths: dict[str, set[int]] = {}
        for number, literal in enumerate(literals):
            self._numbers.setdefault(literal, []).append(number)
            lengths.setdefault(literal[: self._size], set()).add(len(literal))
        # By length, not one by one: tokens of one vendor begin alike, and there are few lengths.
        self._lengths = {head: sorted(found) for head, found in lengths.items()}

    def hits(self, text: str, data: bytes | None = None) -> list[Hit]:
        size, lengths, numbers = self._size, self._lengths, self._numbers
        found: list[Hit] = []
        for at in [at for at in range(len(text) - size + 1) if text[at : at + size] in lengths]:
            here: list[int] = []
            for length in lengths[text[at : at + size]]:
                if at + length <= len(text):
                    here += numbers.get(text[at : at + length], ())
            found.extend([(at, number) for number in sorted(here)])
        return found

    def hits_in(self, data: bytes) -> list[Hit]:
        return self.hits(data.decode("ascii"))


# --- Aho-Corasick --------------------------------------------------------------------------------------------------


class _AhoCorasick:
    """ahocorasick-rs over bytes: its automaton for them is three times as fast as the one for text."""

    name = "fast"

    def __init__(self, literals: Sequence[str]) -> None:
        # Imported here: only who scans pays for it, and only where it is installed.
        from ahocorasick_rs import BytesAhoCorasick, Implementation

        self._numbers = [number for number, literal in enumerate(literals) if literal]
        self._find: Any = None
        if self._numbers:
            encoded = [literals[number].encode() for number in self._numbers]
            self._find = BytesAhoCorasick(encoded, implementation=Implementation.DFA).find_matches_as_indexes

    def hits(self, text: str, data: bytes | None = None) -> list[Hit]:
        # One byte a character: the offsets stay, and no literal here has anything but ASCII.
        return self.hits_in(text.encode("ascii", "replace") if data is None else data)

    def hits_in(self, data: bytes) -> list[Hit]:
        if self._find is None:
            return []
        numbers = self._numbers
        found = [(at, numbers[n]) for n, at, _ in self._find(data, overlapping=True)]
        found.sort()
        return found
