"""Text to spans: the one question that checks, scans and redactions ask. Knows no format and no document."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from functools import cache

from attraj.secrets.quick import anchors as credentials
from attraj.secrets.quick import pii
from attraj.secrets.quick.detector import MANY, Detector, Span
from attraj.secrets.quick.gate import HIDDEN, Gate, gate_of, may_hold

MIN_CHARS = 5  # "+", "@" and the shortest address; nothing shorter is a secret of a known shape


@cache
def detectors() -> tuple[Detector, ...]:
    """All detectors, in the order in which overlapping finds are decided: credentials first."""
    return tuple(detector for group in _groups() for detector in group)


@cache
def by_id() -> dict[str, Detector]:
    """The detectors by the id that a span names."""
    return {detector.id: detector for detector in detectors()}


def anchors() -> tuple[bytes, ...]:
    """The literals without one of which no byte string holds anything that `find` finds."""
    return tuple(dict.fromkeys(word for d in detectors() for word in gate_of(d.anchors).words))


def find(text: str, among: Sequence[Detector] | None = None) -> list[Span]:
    """What must not be published in a text.

    Args:
        text: Decoded text; never modified, never kept.
        among: The detectors to use; all of them by default.

    Returns:
        Spans that do not overlap, by start; [] when there are none.
    """
    if len(text) < MIN_CHARS:
        return []
    found: list[Span] = []
    for detector in detectors() if among is None else among:
        if detector.may_be_in(text):
            for start, end in detector.search(text):
                at = bisect(found, (start,))
                is_free = (not at or found[at - 1].end <= start) and (at == len(found) or end <= found[at].start)
                if is_free:
                    found.insert(at, Span(start, end, detector.kind, detector.id))
    return found


def is_secret_like(text: str) -> bool:
    """Whether a text holds anything that `find` finds."""
    return bool(find(text))


def possible(raw: bytes) -> tuple[Detector, ...]:
    """The detectors that the bytes of a JSON document leave possible; () proves that its texts hold nothing.

    Kinds whose gates make one pass are asked together first: a clean document pays three passes.
    """
    left: list[Detector] = []
    for number, group in enumerate(_groups()):
        gates = [_gate(detector) for detector in group]
        if not number:
            gates.append(HIDDEN)
        if may_hold(raw, *gates):
            if not number and may_hold(raw, HIDDEN):
                return detectors()
            left.extend(d for d in group if len(group) == 1 or may_hold(raw, _gate(d)))
    return tuple(left)


@cache
def _groups() -> tuple[tuple[Detector, ...], ...]:
    email, iban, phone = pii.detectors()
    # The 76 countries of the IBANs spoil the pass of whatever they are joined with.
    return credentials.detectors(), (email, phone), (iban,)


@cache
def _gate(detector: Detector) -> Gate:
    words = gate_of(detector.anchors).words if len(detector.anchors) <= MANY else ()
    return Gate(words, detector.gate, detector.re_gate)
