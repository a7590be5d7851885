"""What a mapping dropped, approximated or made up, each with a place.

Source: Agent Trajectory v0.1 §15; the words are those of `attraj.bundle.vocabulary`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

Handling = Literal["dropped", "approximated", "synthesized"]
Stage = Literal["read", "write"]

READ_OVER = "source-error"
"""Code of a loss that names an error of the source. What stands there is carried or lost by losses of its own."""


@dataclass(frozen=True, slots=True)
class Loss:
    """One thing that a target does not say as the source did.

    Attributes:
        code: Names the fault ("unlinked-result"); stable, for scripts.
        category: One of `attraj.bundle.vocabulary.LOSS_CATEGORIES`.
        handling: Left out, said less exactly, or said without the source saying it.
        pointer: Where: in the source when it was read, in the Bundle when it was written from. `*` stands for any
            position or name where `count` is more than 1.
        count: How many places.
        detail: In one line, in our own words; never a value.
        stage: Reading into the Bundle, or writing out of it.
    """

    code: str
    category: str
    handling: Handling
    pointer: str = ""
    count: int = 1
    detail: str = ""
    stage: Stage = "read"

    def as_record(self) -> dict[str, Any]:
        """As it stands in `transform.lossy` (spec: bundle.md §4.9)."""
        record: dict[str, Any] = {"code": self.code, "category": self.category, "handling": self.handling}
        if self.pointer:
            record["pointer"] = self.pointer
        return {**record, "count": self.count, "detail": self.detail}


def gathered(losses: Iterable[Loss]) -> tuple[Loss, ...]:
    """Losses that differ in positions only, as one with their count; in the order of their first place."""
    found: dict[tuple[str, str, str, str, str, str], Loss] = {}
    for loss in losses:
        pattern = pattern_of(loss.pointer)
        key = (loss.stage, loss.code, loss.category, loss.handling, pattern, loss.detail)
        known = found.get(key)
        found[key] = loss if known is None else replace(known, pointer=pattern, count=known.count + loss.count)
    return tuple(found.values())


def pattern_of(pointer: str) -> str:
    """The pointer with `*` for every position: "/steps/*/timestamp"."""
    return "/".join(["*" if token.isdigit() else token for token in pointer.split("/")])
