"""Numbers that no double holds: a fast parser reads them as infinite and says nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attraj.bundle.leaves import pointer_of, walk
from attraj.findings import Finding, Rule
from attraj.jsonio.document import Document, FaultKind

# An exponent of three digits, or as many digits as the largest double has; texts may look so as well.
_MAY_BE = re.compile(rb"[0-9][eE]\+?0*[0-9]{3}|[0-9]{300}")
_INFINITY = float("inf")


def infinite_numbers(document: Document, rule: Rule) -> Iterator[Finding]:
    """A finding of `rule` for each such number that the reading of the bytes has not told.

    Documents that cannot hold one pay a search of their bytes.
    """
    if document.raw and not _MAY_BE.search(document.raw):
        return
    told = {fault.pointer for fault in document.faults if fault.kind in (FaultKind.SYNTAX, FaultKind.NUMBER)}
    for way, key, value in walk(document.tree).numbers:
        if type(value) is float and not -_INFINITY < value < _INFINITY:
            pointer = pointer_of(way, key)
            if pointer not in told:
                yield rule.at(pointer, "the number is too large for a double", hint="write it as a text")
