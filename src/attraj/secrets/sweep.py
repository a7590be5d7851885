"""Known values, wherever else they stand: plainly, in any view, in base64 and hex."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from attraj.secrets.encoded import Encoded
from attraj.secrets.engine import engine_of, stands_alone
from attraj.secrets.overlaps import Raw, resolved
from attraj.secrets.reading import Reading, work_for
from attraj.secrets.spans import NOTHING, Confidence, Found, Span
from attraj.secrets.views import View

SHORTEST = 6  # characters: what is shorter stands in too many texts
_PLAIN = 10  # a word of letters alone, and shorter than this, may be a word of any text
_BEGINNING = 24  # characters of a value that are searched for; the rest is compared
_WORK = 8


class Known(NamedTuple):
    """A value that must not be published, and what it is."""

    value: str
    type: str
    rule: str
    confidence: Confidence
    secret_from: int
    pack: str


def known_values(spans: Iterable[Span]) -> tuple[Known, ...]:
    """The values of spans, and of what stands inside encoded ones, that can be looked for elsewhere.

    User names are left out: they are looked for as words (`names_to_sweep`).
    """
    found: dict[str, Known] = {}
    left = list(spans)[::-1]
    while left:
        span = left.pop()
        left.extend(span.inner)
        value = span.value
        if span.type != "USER" and is_swept(value) and value not in found:
            found[value] = Known(value, span.type, span.rule, span.confidence, span.secret_from, span.pack)
    return tuple(found.values())


def is_swept(value: str) -> bool:
    """Whether a value is long enough, and no word, so that it means the same wherever it stands."""
    if len(value) < SHORTEST:
        return False
    return not (value.isalpha() and len(value) < _PLAIN) and not (value.isdigit() and len(value) < 8)


class Sweep:
    """Looks for many known values at once.

    Args:
        known: What is looked for.
        engine: Name of the engine.
    """

    def __init__(self, known: Iterable[Known], engine: str = "auto") -> None:
        beginnings: dict[str, list[Known]] = {}
        for one in known:
            beginnings.setdefault(one.value[:_BEGINNING], []).append(one)
        self._known = list(beginnings.values())
        self._engine = engine_of(list(beginnings), engine)
        self._encoded = Encoded(list(beginnings), engine)

    def find(self, text: str) -> Found:
        """Where a text holds the values; `unscanned` when it could not be read to the end."""
        if not self._known or len(text) < SHORTEST:
            return NOTHING
        raws: list[Raw] = []
        is_whole = Reading(self._look, self._encoded, work_for(text, _WORK)).read(View(text), raws)
        return Found(tuple(resolved(raws)), "" if is_whole else "budget") if raws or not is_whole else NOTHING

    def _look(self, view: View, raws: list[Raw]) -> None:
        text = view.text
        for start, number in self._engine.hits(text, view.data):
            for one in self._known[number]:
                end = start + len(one.value)
                if text.startswith(one.value, start) and (len(one.value) >= 12 or stands_alone(text, start, end)):
                    raws.append(
                        Raw(view, start, end, one.type, one.rule, one.confidence, one.secret_from, one.pack, ())
                    )
