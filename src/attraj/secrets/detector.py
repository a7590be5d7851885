"""The detector: one text, or every text and name of a JSON tree, to what must not be published."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attraj.pointer import join
from attraj.secrets.policy import DEFAULT_POLICY, DetectionPolicy
from attraj.secrets.quick.scan import find
from attraj.secrets.spans import NOTHING, Found, Hit, Piece, Span


class Detector:
    """Finds secrets and personal data. Holds no text longer than the document it looks at."""

    def __init__(self, policy: DetectionPolicy = DEFAULT_POLICY) -> None:
        self.policy = policy

    def scan_text(self, text: str, *, key: str = "", is_exposed: bool = False) -> Found:
        """What one decoded text holds."""
        spans = [
            Span(s.start, s.end, s.kind, s.rule, pieces=(Piece(s.start, s.end),), value=text[s.start : s.end])
            for s in find(text)
        ]
        return Found(tuple(spans)) if spans else NOTHING

    def scan_tree(self, tree: Any) -> Iterator[Hit]:
        """Every text and name of a tree that holds something, in the order of the document."""
        stack: list[tuple[str, Any]] = [("", tree)]
        while stack:
            at, value = stack.pop()
            if type(value) is str:
                found = self.scan_text(value)
                if found:
                    yield Hit(at, False, found.spans, found.unscanned, found.media)
            elif type(value) is list:
                stack.extend((at + join(n), item) for n, item in reversed(list(enumerate(value))))
            elif type(value) is dict:
                for name in value:
                    found = self.scan_text(name)
                    if found:
                        yield Hit(at + join(name), True, found.spans, found.unscanned, found.media)
                stack.extend((at + join(name), item) for name, item in reversed(list(value.items())))
