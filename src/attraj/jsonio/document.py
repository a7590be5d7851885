"""What reading gives: a document with its bytes beside its tree, and the faults of its bytes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, Protocol


class Missing(Enum):
    """Tells "not there" from JSON null, which is a value."""

    MISSING = "missing"

    def __bool__(self) -> bool:
        return False


MISSING: Final = Missing.MISSING


class FaultKind(Enum):
    """The kinds of defect below any format; the value is the last digit of their codes (AT001 … AT008)."""

    ENCODING = 1  # not UTF-8, or a byte order mark
    SYNTAX = 2  # not JSON: syntax, truncation, NaN or Infinity, something after the document
    DUPLICATE = 3  # a member name twice in one object
    TOP_LEVEL = 4  # the top level is not an object
    LIMIT = 5  # a bound of limits.py is exceeded
    SURROGATE = 6  # an escape for half a character
    LONG_STRING = 7  # an inline string that should have been an artifact
    NUMBER = 8  # a number that readers disagree on, or that no double holds


@dataclass(frozen=True, slots=True)
class Fault:
    """One defect of a document's bytes.

    Attributes:
        pointer: The nearest place that has a pointer; "" when there is none.
        line, column: From 1, in the file; None only when the fault is not in one place (an empty file).
        is_fatal: The text is not JSON, or not read to its end: the document counts as unreadable.
        offset: The byte of `Document.raw` at which the reading broke off; None for what was read over.
    """

    kind: FaultKind
    message: str
    pointer: str = ""
    line: int | None = None
    column: int | None = None
    hint: str = ""
    is_fatal: bool = True
    offset: int | None = None


class Part(Protocol):
    """Bytes that are a part of a file, looked for in it when they are first asked for."""

    def raw(self) -> bytes: ...

    def start(self) -> tuple[int, int]: ...


@dataclass(slots=True)
class Document:
    """One document: its bytes, and the tree they hold. Nothing in attraj changes either.

    Attributes:
        source: The bytes, or the part of a file that they are; `raw` gives the bytes.
        tree: The JSON value; MISSING when no tree could be had. A tree may exist beside fatal faults (a file with
            NaN is not JSON, and yet it can be looked at).
        faults: Defects of the bytes, in document order.
        path: As given or found; "-" for standard input, "" for a value that came from memory.
        index: Position among the documents of one file, from 0.
        first_line: The line of the file on which the bytes start, from 1; `start` also knows it of a part.
        prefix: JSON Pointer of this document in its file ("/3" for the fourth element of an array).
    """

    source: bytes | Part
    tree: Any
    faults: tuple[Fault, ...] = field(default=())
    path: str = ""
    index: int = 0
    first_line: int = 1
    prefix: str = ""

    @property
    def raw(self) -> bytes:
        """The bytes of the document: of the file, of the line or of the element that it is."""
        return self.source if isinstance(self.source, bytes) else self.source.raw()

    @property
    def start(self) -> tuple[int, int]:
        """The line and the column of the file at which `raw` starts."""
        return (self.first_line, 1) if isinstance(self.source, bytes) else self.source.start()

    @property
    def is_readable(self) -> bool:
        """Whether the bytes are a JSON document that was read to its end."""
        return not any(fault.is_fatal for fault in self.faults)
