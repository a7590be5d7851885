"""Texts and streams, for whoever writes logs: the detector of `redact` as a function of a text."""

from __future__ import annotations

import re
from functools import cache

from attraj.redaction.placeholders import Placeholders, is_placeholder
from attraj.redaction.seen import disjoint, tidied, unnamed, visible
from attraj.secrets.detector import Detector
from attraj.secrets.spans import Span

_OPEN_KEY = re.compile(r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----(?!.*-----END)", re.DOTALL)
MAX_HELD = 1 << 20  # 1 MiB: a line or a key that never ends is let go, looked at as far as it came


@cache
def _detector() -> Detector:
    """The detector of the default policy; loading the packs costs more than most texts do."""
    return Detector()


def scrub(text: str, *, detector: Detector | None = None) -> str:
    """The text with a placeholder for every secret and every piece of personal data.

    Equal values get equal placeholders within this text. What the detector cannot look at whole is withheld whole.

    Args:
        text: Any text.
        detector: Another detector than that of the default policy.
    """
    return StreamScrubber(detector).feed_all(text)


class StreamScrubber:
    """Scrubs a stream. Holds back what is not a whole line yet, and a private key that has not ended.

    Equal values get equal placeholders from start to end, and a value that was found once is found again.

        scrubber = StreamScrubber()
        for piece in pieces:
            log.write(scrubber.feed(piece))
        log.write(scrubber.close())
    """

    def __init__(self, detector: Detector | None = None) -> None:
        self._detector = detector or _detector()
        self._placeholders = Placeholders()
        self._held = ""
        self._spans: dict[str, Span] = {}

    def feed(self, text: str) -> str:
        """What may be written of the stream so far, scrubbed; "" while nothing may."""
        self._held += text
        ready = self._held.rfind("\n") + 1
        opened = _OPEN_KEY.search(self._held, 0, ready)
        if opened is not None:
            ready = self._held.rfind("\n", 0, opened.start()) + 1
        if len(self._held) - ready > MAX_HELD:
            ready = len(self._held)
        now, self._held = self._held[:ready], self._held[ready:]
        return self.feed_all(now) if now else ""

    def close(self) -> str:
        """The rest, scrubbed."""
        now, self._held = self._held, ""
        return self.feed_all(now) if now else ""

    def feed_all(self, text: str) -> str:
        """A whole text, scrubbed."""
        seen = visible(text)
        self._placeholders.note(text)
        found = self._detector.scan_text(seen)
        if found.unscanned:
            return self._placeholders.new("CUSTOM") + "\n" * text.endswith("\n")
        fresh = [span for span in map(tidied, unnamed(found.spans, seen)) if not is_placeholder(span.value)]
        for span in fresh:
            self._spans.setdefault(span.value, span)
        pieces, at = [], 0
        for span, (start, end), is_first in disjoint(seen, [*fresh, *self._again(seen)]):
            pieces.append(text[at:start])
            pieces.append(self._placeholders.of(span.type, span.value) if is_first else "")
            at = end
        return "".join([*pieces, text[at:]])

    def _again(self, text: str) -> list[Span]:
        from attraj.secrets.sweep import Sweep, known_values

        if not self._spans:
            return []
        return list(Sweep(known_values(self._spans.values())).find(text).spans)
