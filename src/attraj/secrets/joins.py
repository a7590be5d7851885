"""Views in which what was broken over lines, or written in pieces, stands together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate

from attraj.secrets.views import GAP, View

# What may stand between two strings that are one: an operator, a line break, nothing; and the prefix of the second.
_BETWEEN = re.compile(
    r"(?:[ \t]*(?:\+|\.{1,2}|&|<>|\|\|)[ \t]*\\?(?:\r?\n)?[ \t+]*|[ \t]*\\?\r?\n[ \t]*|[ \t]?)[fbrun]{0,2}"
).fullmatch
_BEGINS_BETWEEN = frozenset(["", *" \t+.&<|\\\r\nfbrun"])
_MAX_BETWEEN = 80
_JOINT = re.compile(r"[A-Za-z0-9_\-+/=.%~:]").match
WIDTHS = frozenset({64, 72, 76, 78, 79, 80, 96, 100, 120, 132, 140, 150, 160, 180, 200, 220, 240, 256})
_MIN_WIDTH = 40
_AROUND = 512  # characters on both sides of a seam that are read
_MIN_BROKEN = 16  # characters: a word that is broken by the edge of a terminal and shorter than this is no secret
_XXD = re.compile(
    r"^[ \t]*(?:[0-9a-fA-F]{6,10}):?[ \t]{1,3}(?P<hex>(?:[0-9a-fA-F]{2}[ \t]{0,2}){1,32}?)[ \t]{2,}"
    r"[|>]?(?P<ascii>[ -~]{1,32}?)[|<]?[ \t\r]*$",
    re.M,
)
# `od -tx1` and `od -c`; without addresses where the command stands in the same text.
_OD_HEX = re.compile(r"^[ \t]?(?:[0-9a-fA-F]{6,10}:?)?(?P<hex>(?:[ \t]{1,2}[0-9a-fA-F]{2}){1,32})[ \t\r]*$", re.M)
_OD_CHARS = re.compile(r"^(?:[0-9a-fA-F]{6,10})?(?P<chars>(?:   [ -~]|  \\[0abfnrtv]| [0-7]{3}){1,32})[ \t\r]*$", re.M)
_HEX_CELLS = re.compile("([0-9a-fA-F]{2})")


def joined(view: View) -> Iterator[View]:
    """Views in which what was broken over lines or into strings stands together."""
    text = view.text
    if "\n" in text:
        wraps, continued = _breaks(view)
        yield from _around(view, "continued", continued)
        yield from _around(view, "unwrapped", wraps)
        if b"000010" in view.data:
            yield from _dumped(view, _XXD, ("hex", "ascii"))
        if b"0000020" in view.data or b"od -" in view.data:  # addresses of `od`, or what was asked
            yield from _dumped(view, _OD_HEX, ("hex",))
            yield from _dumped(view, _OD_CHARS, ("chars",))
    for quote in "\"'":
        if quote in text:
            yield from _around(view, "concatenated", _strings(text, quote))


def _strings(text: str, quote: str) -> list[tuple[int, int]]:
    """Between two strings that are one: from the closing quote to the opening one, both included."""
    parts = text.split(quote)
    short = [
        n
        for n in range(1, len(parts) - 1)
        if parts[n][:1] in _BEGINS_BETWEEN and len(parts[n]) <= _MAX_BETWEEN and _BETWEEN(parts[n])
    ]
    if not short:
        return []
    ends = list(accumulate(len(part) + 1 for part in parts))
    # Both strings have to go on with what a token is made of.
    return [(ends[n - 1] - 1, ends[n]) for n in short if _JOINT(parts[n - 1][-1:]) and _JOINT(parts[n + 1][:1])]


def _around(view: View, name: str, seams: list[tuple[int, int]]) -> Iterator[View]:
    """What stands around the seams, without them; the rest of the text is left out."""
    if not seams:
        return
    text, ins, outs, last = view.text, [], [], 0
    for at, (start, end) in enumerate(seams):
        if start < last:
            continue
        begin = max(text.rfind("\n", start - _AROUND, start) + 1 if start > _AROUND else 0, start - _AROUND, last)
        if begin > last:
            ins.append(text[last:begin])
            outs.append(GAP)
        before = text[begin:start]
        ins += [before, text[start:end]]
        outs += [before, ""]
        following = seams[at + 1][0] if at + 1 < len(seams) else len(text)
        line_end = text.find("\n", end, end + _AROUND)
        last = min(end + _AROUND if line_end < 0 else line_end + 1, max(following, end), len(text))
        after = text[end:last]
        ins.append(after)
        outs.append(after)
    if last < len(text):
        ins.append(text[last:])
        outs.append(GAP)
    yield view.child(name, outs, ins, is_joined=True)


# What a token is made of as "t", signs that a line goes on as "c", the rest as ",".
_LINE_KINDS = (
    bytes(
        ord(c if c in "\n\0" else "t" if c.isalnum() or c in "_-+/=.%~" else "c" if c in "\\^`\r" else ",")
        for c in map(chr, range(128))
    )
    + b"," * 128
)
_looks_made = re.compile("[0-9]|[a-z][A-Z].*[a-z][A-Z].*[a-z][A-Z]").search


def _breaks(view: View) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Where one line goes on in the next.

    Returns:
        The line breaks after lines that are full (as long as the longest of their text, or as wide as terminals are),
        and the signs at the end of a line that say that it goes on, with the break and the blanks after it.
    """
    text, kinds = view.text, view.data.translate(_LINE_KINDS)
    continued = [place for at in _places(kinds, b"c\n") for place in _sign(text, at)]
    wraps: list[tuple[int, int]] = []
    if b"=\n" in view.data:  # quoted-printable
        continued += [(at, at + 2) for at in _places(view.data, b"=\n") if kinds[at + 2 : at + 3] == b"t"]
    for at in _full_lines(kinds):
        # What ends the line and what begins the next one has to be one word.
        if kinds[at : at + 3] != b"t\nt":
            continue
        before, after = kinds[max(0, at - 63) : at + 1], kinds[at + 2 : at + 66]
        begins, goes_on = len(before) - len(before.rstrip(b"t")), len(after) - len(after.lstrip(b"t"))
        if begins + goes_on >= _MIN_BROKEN and _looks_made(text[at + 1 - begins : at + 2 + goes_on]):
            wraps.append((at + 1, at + 2))
    return wraps, sorted(continued)


def _full_lines(kinds: bytes) -> Iterator[int]:
    """The last places of lines as wide as terminals are, or as the longest of their text (a block has many)."""
    begin = 0
    for text in kinds.split(b"\0"):
        if len(text) > _MIN_WIDTH and b"\n" in text:
            widths = list(map(len, text.split(b"\n")))
            longest = max(widths)
            full = [
                number
                for number, width in enumerate(widths[:-1])
                if width >= _MIN_WIDTH and (width == longest or width in WIDTHS)
            ]
            if full:
                ends = list(accumulate(widths))
                yield from (begin + ends[number] + number - 1 for number in full)
        begin += len(text) + 1


def _places(data: bytes, shape: bytes) -> Iterator[int]:
    at = data.find(shape)
    while at >= 0:
        yield at
        at = data.find(shape, at + 1)


def _sign(text: str, at: int) -> Iterator[tuple[int, int]]:
    """The sign that ends at a line break, with the break and the blanks after it; none when it is no sign."""
    end = at + 2
    if text[at] == "\r":
        at -= 1
        if at < 0 or text[at] not in "\\^`=":
            return
    while end < len(text) and text[end] in " \t" and text[at] != "=":
        end += 1
    yield at, end


def _dumped(view: View, dump: re.Pattern[str], columns: tuple[str, ...]) -> Iterator[View]:
    """The columns of a dump, each as what it says."""
    text = view.text
    rows = list(dump.finditer(text))
    if len(rows) < 2:
        return
    for column in columns:
        ins: list[str] = []
        outs: list[str] = []
        last = 0
        for row in rows:
            start, end = row.span(column)
            ins.append(text[last:start])
            outs.append("")
            if column == "ascii":
                ins.append(text[start:end])
                outs.append(ins[-1])
            else:
                parts = _cells(text[start:end], column)
                ins += parts
                outs += [_said(part, column) if number % 2 else "" for number, part in enumerate(parts)]
            last = end
        ins.append(text[last:])
        outs.append("")
        yield view.child("hexdump", outs, ins, is_joined=True)


def _cells(row: str, column: str) -> list[str]:
    """What stands between the cells of a row and what stands in them, in turn."""
    if column == "hex":
        return _HEX_CELLS.split(row)
    # A cell of `od -c` is four wide, and what stands in it may be a blank.
    return [part for at in range(0, len(row), 4) for part in (row[at], row[at + 1 : at + 4])]


def _said(cell: str, column: str) -> str:
    """The character of a cell."""
    if column == "hex":
        return chr(int(cell, 16))
    if cell.isdigit():
        return chr(int(cell, 8))
    return cell[-1] if cell[:2] == "  " else "\n" if cell == " \\n" else " "
