"""What finds one kind of secret in one text: its anchors, its gate, its search. No detector lives here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

MANY = 16  # anchors


class Span(NamedTuple):
    """A stretch of a text that must not be published.

    Attributes:
        start, end: Offsets in code points.
        kind: What it is, one of the placeholder types (API_TOKEN, PRIVATE_KEY, EMAIL …).
        rule: Id of the detector that found it.
    """

    start: int
    end: int
    kind: str
    rule: str


@dataclass(frozen=True, slots=True)
class Detector:
    """One kind of secret or personal datum.

    Attributes:
        id: For example "github-token".
        kind: Placeholder type, for example "API_TOKEN".
        noun: How a message names it ("a GitHub token"); never a part of the value.
        is_certain: The shape says on its own that it is a credential; otherwise a person has to look.
        anchors: Literals of which every match holds at least one: a text without them is not looked at.
        gate: A pattern in the common subset of RE2 and `re` that every match holds, also as JSON writes it.
        re_gate: The same for `re`, where the gate is slow there; "" when it is not.
        search: Text to the (start, end) of each match, in any order, in time linear in the text.
    """

    id: str
    kind: str
    noun: str
    is_certain: bool
    anchors: tuple[str, ...]
    gate: str
    search: Callable[[str], Iterable[tuple[int, int]]]
    re_gate: str = ""

    def may_be_in(self, text: str) -> bool:
        """Whether an anchor stands in the text, or there are so many that the search itself costs less."""
        return len(self.anchors) > MANY or any(anchor in text for anchor in self.anchors)

    def may_match(self, text: str) -> bool:
        """Whether the gate is open for the text: True for every text in which the search finds something."""
        return self.may_be_in(text) and _compiled(self.re_gate or self.gate).search(text) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
