"""One file, many documents: a JSON array of objects, or JSON Lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from attraj.jsonio.document import MISSING, Document, Fault, FaultKind
from attraj.jsonio.parse import parse, parse_sound
from attraj.limits import DEFAULT_LIMITS, Limits

if TYPE_CHECKING:
    from attraj.jsonio.elements import Elements, Spans

_BOM = b"\xef\xbb\xbf"
_CONTENT = re.compile(rb"[^ \t\r\n]")


def documents(
    raw: bytes, limits: Limits = DEFAULT_LIMITS, is_one: Callable[[list[Any]], bool] | None = None
) -> Iterator[Document]:
    """The documents of one file: one, or each element of an array of objects, or each line of a JSON Lines file.

    A file is JSON Lines when it is not one JSON value and its lines are objects. A line or an element that cannot be
    read is an unreadable document among the others; of an array that breaks, so is all that follows the break.

    Args:
        raw: The bytes of the file, uncompressed. Never modified.
        limits: Bounds on size (of the file), depth and number length.
        is_one: Tells an array with objects in it that is one document (some formats have bare lists) from many
            documents. Without it, an array is many documents when all its elements are objects.

    Returns:
        At least one document, in the order of the file. The lines of faults are lines of the file; their pointers
        start at the document that they are in.
    """
    document = parse_sound(raw, limits)
    if document is not None:
        tree = document.tree
        if type(tree) is list and _are_many(tree, is_one):
            yield from _elements(raw, tree)
        else:
            yield document
        return
    from attraj.jsonio.exact import read_exactly  # only for files that are not one document without a defect

    if _is_json_lines(raw, limits):
        yield from _lines(raw, limits)
        return
    elements = _with_defects(raw, limits)
    if elements and _are_many([element.tree for element in elements], is_one):
        yield from elements
    else:
        yield read_exactly(raw, limits)


# --- arrays ------------------------------------------------------------------------------------------------------


def _are_many(elements: list[Any], is_one: Callable[[list[Any]], bool] | None) -> bool:
    objects = sum(type(element) is dict for element in elements)
    if is_one is None:
        return 0 < objects == len(elements)
    return objects > 0 and not is_one(elements)


def _elements(raw: bytes, tree: list[Any]) -> Iterator[Document]:
    """One document for each element. Their bytes are looked for only when they are asked for."""
    from attraj.jsonio.elements import Element, Elements  # only for arrays of documents

    array = Elements(raw)
    for i, element in enumerate(tree):
        document = Document(Element(array, i), element, index=i, prefix=f"/{i}")
        document.faults = _odd(document)
        yield document


def _odd(document: Document) -> tuple[Fault, ...]:
    """The fault of an element that is no object; a list may be a document, of a format that has bare lists."""
    if type(document.tree) in (dict, list) or document.tree is MISSING:
        return ()
    message = "an element of an array of documents is not an object"
    line, column = document.start
    return (Fault(FaultKind.TOP_LEVEL, message, "", line, column, "take it out of the array"),)


def _with_defects(raw: bytes, limits: Limits) -> list[Document]:
    """The documents of an array that has defects or breaks off; [] for what is no array or breaks at once."""
    if not raw.removeprefix(_BOM).lstrip().startswith(b"[") or len(raw) > limits.max_bytes:
        return []
    from attraj.jsonio.elements import Element, Elements, spans
    from attraj.jsonio.exact import read_exactly
    from attraj.jsonio.sniff import byte_order_mark

    found = spans(raw)
    if not found.complete:
        return []
    array = Elements(raw, found)
    documents: list[Document] = []
    for i, (start, end) in enumerate(found.complete):
        text = raw[start:end]
        read = parse_sound(text, limits) or read_exactly(text, limits, whole="element")
        document = Document(Element(array, i), read.tree, index=i, prefix=f"/{i}")
        document.faults = (*_moved(read.faults, *document.start), *_odd(document))
        documents.append(document)
    if found.rest is not None:
        documents.append(_rest(raw, array, found, limits))
    if raw.startswith(_BOM):
        documents[0].faults = (byte_order_mark("file"), *documents[0].faults)
    return documents


def _rest(raw: bytes, array: Elements, found: Spans, limits: Limits) -> Document:
    """What follows the last complete element of an array that breaks there: one document, which is unreadable."""
    from attraj.jsonio.elements import Element
    from attraj.jsonio.exact import read_exactly

    number = len(found.complete)
    document = Document(Element(array, number), MISSING, index=number, prefix=f"/{number}")
    if found.is_inside:
        faults = _moved(read_exactly(document.raw, limits, whole="element").faults, *document.start)
    else:
        faults = tuple(replace(fault, pointer="") for fault in read_exactly(raw, limits).faults[-1:])
    if faults and b"{" in document.raw[found.is_inside :] and (faults[-1].line, faults[-1].column) != _end(raw):
        last = replace(faults[-1], message=f"{faults[-1].message}; what follows was not read")
        faults = (*faults[:-1], last)
    document.faults = faults or (Fault(FaultKind.SYNTAX, "the array breaks here", "", *document.start),)
    return document


def _end(raw: bytes) -> tuple[int, int]:
    """The line and the column after the last character of a file."""
    text = raw[raw.rfind(b"\n") + 1 :].removeprefix(_BOM)
    return raw.count(b"\n") + 1, len(text.decode("utf-8", "replace")) + 1


# --- lines -------------------------------------------------------------------------------------------------------


def _is_json_lines(raw: bytes, limits: Limits) -> bool:
    """Whether this, which is not one JSON value, is one on each line.

    It is when several lines have something on them, and the first is an object. Should that one be bad, the next two
    are; or one of the next ones is (two, when the first does not even begin like an object), and none of them reads
    like a part of one document that breaks further on.
    """
    if len(raw) > limits.max_bytes:
        return False
    lines = list(islice(_spans(raw), _LOOKED_AT))
    if len(lines) < 2:
        return False
    first, *others = (line for _, line, _ in lines)
    is_open = first.removeprefix(_BOM).lstrip().startswith(b"{")
    if is_open and (_is_object(first, limits) or _are_objects(others[:2], limits)):
        return True
    if any(re.search(_PART_OF_ONE, line) for line in others):
        return False
    found = sum(_is_object(line, limits) for line in others)
    return found >= (1 if is_open else 2) and _breaks_before(raw, limits, lines[1])


_LOOKED_AT = 64  # lines
_PART_OF_ONE = rb'\A[ \t]*[\]},:"]|,[ \t\r]*\Z'  # how lines of a document that has several begin or end


def _are_objects(lines: list[bytes], limits: Limits) -> bool:
    return len(lines) == 2 and all(_is_object(line, limits) for line in lines)


def _breaks_before(raw: bytes, limits: Limits, second: tuple[int, bytes, bool]) -> bool:
    """Whether reading all as one document gets as far as the first character of the second line, and no further."""
    from attraj.jsonio.exact import read_exactly

    document = read_exactly(raw, limits)
    last = next((fault for fault in reversed(document.faults) if fault.is_fatal), None)
    if document.tree is not MISSING or last is None or last.line is None:
        return False
    number, line, _ = second
    return (last.line, last.column or 1) <= (number, len(line) - len(line.lstrip()) + 1)


def _is_object(line: bytes, limits: Limits) -> bool:
    if not (line.rstrip().endswith(b"}") and line.removeprefix(_BOM).lstrip().startswith(b"{")):
        return False
    return type(parse(line, limits).tree) is dict


def _lines(raw: bytes, limits: Limits) -> Iterator[Document]:
    from attraj.jsonio.exact import read_exactly  # only for lines with a defect

    for index, (number, line, is_open) in enumerate(_spans(raw)):
        document = parse_sound(line, limits)
        if document is None:
            document = read_exactly(line, limits, whole="last line" if is_open else "line")
            document.faults = _moved(document.faults, number, 1)
        document.index, document.first_line = index, number
        yield document


def _spans(raw: bytes) -> Iterator[tuple[int, bytes, bool]]:
    """Each line with something on it: its number, its bytes, whether the file ends in it."""
    start, number = 0, 0
    while start < len(raw):
        number += 1
        end = raw.find(b"\n", start)
        is_open = end < 0
        line = raw[start : len(raw) if is_open else end].removesuffix(b"\r")
        start = len(raw) if is_open else end + 1
        if _CONTENT.search(line):
            yield number, line, is_open


def _moved(faults: Iterable[Fault], line: int, column: int) -> tuple[Fault, ...]:
    """Faults of a part, where they stand in the file; the part starts at this line and column."""
    return tuple(
        replace(
            fault,
            line=fault.line + line - 1,
            column=fault.column + column - 1 if fault.line == 1 and fault.column is not None else fault.column,
        )
        if fault.line is not None
        else fault
        for fault in faults
    )
