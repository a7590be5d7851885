"""Whether the bytes of a document can hold something at all: a search at memory speed that spares a walk of its tree.

Small documents are searched word by word. Large ones in one pass for all words, with the linear-time engine that
pydantic-core carries: 62 MB take 20 ms, where the words one by one take 20 ms each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

# Up to here the words one by one cost less than importing the engine (about 20 ms).
SMALL_BYTES = 1 << 21
_CHUNK = 1 << 18
_OVERLAP = 1 << 12  # longer than any gate's shortest match, with all of it written as escapes


class Gate(NamedTuple):
    """What is looked for in the bytes of a JSON document.

    Attributes:
        words: Each match of the pattern holds one of these; () when there are too many to help.
        pattern: In the syntax that RE2, Rust and `re` share; it must match whatever is looked for as JSON writes it.
        re_pattern: The same for `re`, where the pattern is slow there.
    """

    words: tuple[bytes, ...]
    pattern: str
    re_pattern: str = ""

    def may_be_in(self, raw: bytes) -> bool:
        """What `may_hold` says of a small document: the words, and where one stands, the pattern."""
        if self.words and not any(word in raw for word in self.words):
            return False
        return _compiled(self.re_pattern or self.pattern).search(raw) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.encode())


def gate_of(words: Iterable[str], pattern: str = "") -> Gate:
    """A gate for literal words (as JSON may write them), or for a pattern that always holds one of them."""
    forms = [form for word in words for form in dict.fromkeys((word, word.replace("/", "\\/")))]
    return Gate(tuple(form.encode() for form in forms), pattern or "|".join(map(re.escape, forms)))


# Printable ASCII that is written as an escape hides words from a search of the bytes. Writers have no reason to do it,
# a document that hides something has: whoever asks for words asks for this as well, once.
HIDDEN = gate_of([f"\\u00{digit}" for digit in range(2, 8)], r"\\u00[2-7]")


def may_hold(raw: bytes, *gates: Gate) -> bool:
    """False only when nothing behind the gates stands in these bytes; b"" (bytes not at hand) proves nothing."""
    if not raw:
        return True
    if len(raw) <= SMALL_BYTES:
        return any(gate.may_be_in(raw) for gate in gates)
    return _may_match(raw, "|".join(gate.pattern for gate in gates))


def _may_match(raw: bytes, pattern: str) -> bool:
    may_match = _engine(pattern)
    for start in range(0, len(raw), _CHUNK):
        begin, end = max(0, start - _OVERLAP), min(start + _CHUNK, len(raw))
        # A chunk is cut between characters: the engine takes UTF-8 only.
        while begin and 0x80 <= raw[begin] < 0xC0:
            begin -= 1
        while end < len(raw) and 0x80 <= raw[end] < 0xC0:
            end += 1
        if may_match(raw[begin:end]):
            return True
    return False


@cache
def _engine(pattern: str) -> Callable[[bytes], bool]:
    # Imported here: only large documents need it.
    from pydantic_core import SchemaValidator, ValidationError

    validate = SchemaValidator({"type": "str", "pattern": pattern, "regex_engine": "rust-regex"}).validate_python

    def may_match(chunk: bytes) -> bool:
        try:
            validate(chunk)
        except ValidationError as refusal:
            # Anything but "does not match" (bytes that are not UTF-8) proves nothing.
            return refusal.errors(include_url=False, include_input=False)[0]["type"] != "string_pattern_mismatch"
        return True

    return may_match
