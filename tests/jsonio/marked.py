"""Texts with the places of their faults marked in them, so that a table shows where a fault is expected."""

from __future__ import annotations

from typing import NamedTuple

from attraj.jsonio import Document, FaultKind

MARK = "‸"


class Told(NamedTuple):
    """A fault without its place and hint."""

    kind: FaultKind
    is_fatal: bool
    pointer: str
    message: str


def fatal(kind: FaultKind, pointer: str, message: str) -> Told:
    return Told(kind, True, pointer, message)


def passing(kind: FaultKind, pointer: str, message: str) -> Told:
    return Told(kind, False, pointer, message)


def told(document: Document) -> list[Told]:
    return [Told(fault.kind, fault.is_fatal, fault.pointer, fault.message) for fault in document.faults]


def places(document: Document) -> list[tuple[int | None, int | None]]:
    return [(fault.line, fault.column) for fault in document.faults]


def unmarked(marked: str) -> tuple[bytes, list[tuple[int | None, int | None]]]:
    """The bytes of a text, and the line and column of each mark. U+DC80 … U+DCFF stand for bytes that are not UTF-8."""
    found: list[tuple[int | None, int | None]] = []
    before = ""
    *pieces, last = marked.split(MARK)
    for piece in pieces:
        before += piece
        found.append((before.count("\n") + 1, len(before) - before.rfind("\n")))
    return (before + last).encode("utf-8", "surrogateescape"), found
