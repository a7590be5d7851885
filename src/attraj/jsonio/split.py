"""One file, many documents: a JSON array of objects, or JSON Lines."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from attraj.jsonio.document import Document, Fault
from attraj.jsonio.parse import parse, parse_sound
from attraj.limits import DEFAULT_LIMITS, Limits

_BOM = b"\xef\xbb\xbf"
_CONTENT = re.compile(rb"[^ \t\r\n]")


def documents(
    raw: bytes, limits: Limits = DEFAULT_LIMITS, is_one: Callable[[list[Any]], bool] | None = None
) -> Iterator[Document]:
    """The documents of one file: one, or each object of an array, or each line of a JSON Lines file.

    A file is JSON Lines when it is not one JSON value and its lines begin with an object. A line that cannot be read
    is an unreadable document among the others.

    Args:
        raw: The bytes of the file, uncompressed. Never modified.
        limits: Bounds on size (of the file), depth and number length.
        is_one: Tells an array of objects that is one document (some formats have bare lists) from many documents;
            None when there is no such array.

    Returns:
        At least one document, in the order of the file. The lines of faults are lines of the file; their pointers
        start at the document that they are in.
    """
    document = parse_sound(raw, limits)
    if document is None:
        from attraj.jsonio.exact import read_exactly  # only for files that are not one document without a defect

        if _is_json_lines(raw, limits):
            yield from _lines(raw, limits)
            return
        document = read_exactly(raw, limits)
    tree = document.tree
    is_many = type(tree) is list and tree and all(type(element) is dict for element in tree)
    if is_many and not (is_one is not None and is_one(tree)):
        yield from _elements(raw, tree, document.faults)
    else:
        yield document


def _elements(raw: bytes, tree: list[Any], faults: tuple[Fault, ...]) -> Iterator[Document]:
    """One document for each element; a fault that is in none of them (a byte order mark) goes to the first."""
    by_index: defaultdict[int, list[Fault]] = defaultdict(list)
    for fault in faults:
        _, _, inside = fault.pointer.partition("/")
        index, slash, rest = inside.partition("/")
        by_index[int(index or 0)].append(replace(fault, pointer=slash + rest))
    for i, element in enumerate(tree):
        yield Document(raw, element, tuple(by_index.get(i, ())), index=i, prefix=f"/{i}")


def _is_json_lines(raw: bytes, limits: Limits) -> bool:
    """Whether this, which is not one JSON value, is one on each line.

    It is when several lines have something on them, and the first is an object; or, should that one be bad, when the
    next two are.
    """
    if len(raw) > limits.max_bytes:
        return False
    lines = [line for _, line, _ in islice(_spans(raw), 3)]
    if len(lines) < 2 or not lines[0].removeprefix(_BOM).lstrip().startswith(b"{"):
        return False
    return _is_object(lines[0], limits) or (len(lines) == 3 and all(_is_object(line, limits) for line in lines[1:]))


def _is_object(line: bytes, limits: Limits) -> bool:
    return line.rstrip().endswith(b"}") and type(parse(line, limits).tree) is dict


def _lines(raw: bytes, limits: Limits) -> Iterator[Document]:
    from attraj.jsonio.exact import read_exactly  # only for lines with a defect

    for index, (number, line, is_open) in enumerate(_spans(raw)):
        document = parse_sound(line, limits)
        if document is None:
            document = read_exactly(line, limits, whole="last line" if is_open else "line")
            document.faults = tuple(_moved(fault, number - 1) for fault in document.faults)
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


def _moved(fault: Fault, lines: int) -> Fault:
    return fault if fault.line is None else replace(fault, line=fault.line + lines)
