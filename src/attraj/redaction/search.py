"""Known values in a text: whole, in every usual encoding, and any twelve characters of what is secret in them.

The proof looks with this for what was taken; it shares nothing with the detector but the search for literals.
Source: spec redaction.md §7.6, decisions 28.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from urllib.parse import quote, quote_plus

WINDOW = 12
_GRAM, _STRIDE = 6, 7  # any twelve characters hold six that begin at a multiple of seven
SHORTEST = 6
_NOISE = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\s\"'+\\`\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]+")
# The same for every key of its kind, or for every value of its form: no part of what is secret.
_COMMON = re.compile(r"-----(?:BEGIN|END)[A-Z0-9 ]*-----|[Pp]rivate [Kk]ey")


_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}").fullmatch


class Value(NamedTuple):
    """What was taken from a document.

    Attributes:
        text: What it says, decoded.
        kind: TYPE.
        secret_from: Where the secret part begins, after the public anchor.
        is_secret: A credential, as opposed to personal data and to dropped content.
    """

    text: str
    kind: str
    secret_from: int = 0
    is_secret: bool = True


class Match(NamedTuple):
    """A stretch of a text that holds a value, or a part of one."""

    start: int
    end: int
    value: Value


def is_searched(value: Value) -> bool:
    """Whether a value says enough by itself to be looked for: no short one, no plain word or small number."""
    text = value.text.strip()
    if len(text) < SHORTEST:
        return False
    return not (text.isalpha() and len(text) < 10) and not (text.isdigit() and len(text) < 8)


def squeezed(text: str) -> str:
    """A text without what terminals, wrapping, quoting and concatenation put between its characters."""
    return _NOISE.sub("", text)


def encodings(text: str) -> Iterator[str]:
    """A text in the encodings in which it may stand inside another one, itself first. Some may be equal."""
    yield text
    raw = text.encode("utf-8", "surrogatepass")
    if _SAME(text) is None:
        yield from _escaped(text, raw)
    yield "".join([f"%{byte:02X}" for byte in raw])
    yield "".join([f"%{byte:02x}" for byte in raw])
    yield raw.hex()
    yield raw.hex().upper()
    yield from _base64(raw)


_SAME = re.compile(r"[A-Za-z0-9_.~\-]*", re.ASCII).fullmatch  # what every escaping leaves as it is


def _escaped(text: str, raw: bytes) -> Iterator[str]:
    for is_ascii in (True, False):
        once = json.dumps(text, ensure_ascii=is_ascii)[1:-1]
        yield once
        yield json.dumps(once, ensure_ascii=is_ascii)[1:-1]
    yield html.escape(text)
    for percent in (quote(raw, safe=""), quote(raw, safe="/"), quote_plus(raw)):
        yield percent
        yield re.sub("%..", lambda match: match[0].lower(), percent)


def _base64(raw: bytes) -> Iterator[str]:
    """The characters that are sure whatever stands before and after, for each of the three alignments."""
    for lead in range(3):
        body = base64.b64encode(b"\0" * lead + raw).decode().rstrip("=")
        sure = body[(0, 2, 3)[lead] : (lead + len(raw)) * 8 // 6]
        if len(sure) >= 8:
            yield sure
            yield sure.replace("+", "-").replace("/", "_")


_BEGINNING = 32


def _forms(value: Value) -> Iterator[str]:
    if value.kind != "CUSTOM":
        return encodings(value.text)
    once = json.dumps(value.text, ensure_ascii=False)[1:-1]  # a dropped message is looked for as text alone
    return iter((value.text, once, json.dumps(once, ensure_ascii=False)[1:-1]))


class Search:
    """Looks for many values at once."""

    def __init__(self, values: Iterable[Value]) -> None:
        from attraj.secrets.engine import engine_of  # only where something was found

        self.values = [value for value in dict.fromkeys(values) if is_searched(value)]
        # Beginnings of forms, so that long ones (keys, dropped messages) cost no more than short ones.
        self._forms: dict[str, list[tuple[str, Value]]] = {}
        for value in self.values:
            for form in dict.fromkeys(_forms(value)):
                if len(form) >= SHORTEST:
                    self._forms.setdefault(form[:_BEGINNING], []).append((form, value))
        self._beginnings = list(self._forms)
        # The proof does not look with the engine that the detector looked with.
        self._engine = engine_of(self._beginnings, "stdlib") if self._forms else None
        self._windows = _Windows(self.values)

    def find(self, text: str) -> list[Match]:
        """Where the text holds a value or a window of one, as it stands there. May overlap."""
        if self._engine is None:
            return []
        found: list[Match] = []
        for start, number in self._engine.hits(text):
            for form, value in self._forms[self._beginnings[number]]:
                end = start + len(form)
                if text.startswith(form, start) and (len(form) >= WINDOW or _stands_alone(text, start, end)):
                    found.append(Match(start, end, value))
        found += self._windows.find(text)
        return found

    def is_in(self, text: str) -> bool:
        """Whether the text holds a value, a window of one, or either once it is squeezed."""
        if self.find(text):
            return True
        tight = squeezed(text)
        return len(tight) != len(text) and bool(self._windows.find(tight))


class _Windows:
    """Any run of twelve characters of a secret part. Looks at every seventh place of a text only."""

    def __init__(self, values: Iterable[Value]) -> None:
        self._at: dict[str, list[tuple[str, int, Value]]] = {}
        for value in values:
            if not value.is_secret or value.kind == "CUSTOM":
                continue
            # What is common is taken out of the whole value: its secret part may begin in the middle of it.
            secret = _COMMON.sub(lambda match: "\0" * len(match[0]), value.text)[value.secret_from :]
            for part in dict.fromkeys((*secret.split("\0"), *squeezed(secret).split("\0"))):
                for offset in range(len(part) - _GRAM + 1) if len(part) >= WINDOW else ():
                    self._at.setdefault(part[offset : offset + _GRAM], []).append((part, offset, value))

    def find(self, text: str) -> list[Match]:
        found: list[Match] = []
        known = self._at
        if not known:
            return found
        done = 0
        for start in range(0, len(text) - _GRAM + 1, _STRIDE):
            if start < done:
                continue
            for part, offset, value in known.get(text[start : start + _GRAM], ())[:_MOST]:
                match = _grown(text, start, part, offset)
                if match[1] - match[0] >= WINDOW and _is_telling(text[match[0] : match[1]]):
                    found.append(Match(*match, value))
                    done = match[1]
                    break
        return found


_MOST = 64  # equal six characters of one set of secrets that are compared at one place


def _is_telling(window: str) -> bool:
    """Whether a run of characters is not one that anybody writes: one character repeated, a plain word, blanks."""
    return len(set(window)) >= 5 and not window.replace(" ", "").isalpha() and not window.isdecimal()


def _grown(text: str, at: int, part: str, offset: int) -> tuple[int, int]:
    """The longest stretch around equal characters that is equal in both."""
    start, back = at, offset
    while start > 0 and back > 0 and text[start - 1] == part[back - 1]:
        start, back = start - 1, back - 1
    end, on = at, offset
    while end < len(text) and on < len(part) and text[end] == part[on]:
        end, on = end + 1, on + 1
    return start, end


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether no letter or digit of ASCII touches the stretch; the letter of an escape does not count."""
    if end < len(text) and _is_word(text[end]) and _is_word(text[end - 1]):
        return False
    if start == 0 or not _is_word(text[start - 1]) or not _is_word(text[start]):
        return True
    if text[start - 1] in "nrtbf" and text[start - 2 : start - 1] == "\\":
        return True
    return _PERCENT(text, start - 3, start) is not None


def _is_word(character: str) -> bool:
    return character.isascii() and character.isalnum()
