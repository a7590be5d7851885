"""Bytes to a Document: jiter when all is well, the exact reader when it is not."""

from __future__ import annotations

from typing import Any, Literal

import jiter

from attraj.jsonio.document import MISSING, Document
from attraj.limits import DEFAULT_LIMITS, Limits

# jiter's own bounds: only a caller with lower ones needs the exact reader to keep them. (It lets one container of
# level 201 pass when that is empty.)
_OWN_DEPTH = 200
_OWN_NUMBER_CHARS = 4300

# Keeping equal values once saves a third of the memory of a large Bundle and costs a tenth of a small file's time.
_SMALL_BYTES = 1 << 20


def parse(raw: bytes, limits: Limits = DEFAULT_LIMITS) -> Document:
    """Read one JSON document.

    Duplicate members, integers of any size and every defect of the bytes are told apart here; nothing is repaired.

    Args:
        raw: The bytes, uncompressed. Never modified.
        limits: Bounds on size, depth and number length.

    Returns:
        The document, with its faults in document order; its tree is MISSING when none could be had.
    """
    document = parse_sound(raw, limits)
    if document is not None:
        return document
    from attraj.jsonio.exact import read_exactly  # only for documents that have a defect

    return read_exactly(raw, limits)


def parse_sound(raw: bytes, limits: Limits) -> Document | None:
    """Read a document without any defect; None when these bytes are something else (the exact reader says what)."""
    if not _are_own(raw, limits):
        return None
    try:
        return Document(raw, _parsed(raw, "off"))
    except ValueError:
        return None


def parse_partial(raw: bytes, limits: Limits, *, is_cut: bool = False) -> Any:
    """What stands before the end of a text whose only defect is that it ends too early.

    Args:
        is_cut: It is known that the text is JSON up to its end, and ends too early.

    Returns:
        Every value that is complete, in the containers that are open at the end; MISSING for any other text. That the
        bytes after the last complete value are UTF-8 is not looked at.
    """
    if not _are_own(raw, limits):
        return MISSING
    try:
        if not is_cut:
            _parsed(raw, "off")
    except ValueError as error:
        if not str(error).startswith("EOF while parsing"):  # the partial mode also reads over missing commas
            return MISSING
    try:
        return _parsed(raw, "on")
    except ValueError:
        return MISSING


def _are_own(raw: bytes, limits: Limits) -> bool:
    """Whether the fast parser keeps these limits."""
    return not (
        len(raw) > limits.max_bytes or limits.max_depth < _OWN_DEPTH or limits.max_number_chars < _OWN_NUMBER_CHARS
    )


def _parsed(raw: bytes, partial: Literal["off", "on"]) -> Any:
    cached: Literal["all", "keys"] = "keys" if len(raw) < _SMALL_BYTES else "all"
    return jiter.from_json(raw, allow_inf_nan=False, catch_duplicate_keys=True, cache_mode=cached, partial_mode=partial)
