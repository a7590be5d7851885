"""Decoded views of a text that know where each of their characters comes from.

A view is two lists of pieces, one that spells the view and one that spells its parent: a piece that is the same in both
was kept, one that is empty in the view was taken out, any other was decoded as a whole.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import accumulate

from attraj.secrets.spans import Piece

MAX_DEPTH = 4


class View:
    """One reading of a text.

    Attributes:
        text: What it says.
        via: The views that lead to it, outermost first.
        depth: How many levels were decoded.
        is_joined: Pieces were only taken out, so what matters is what stands across a seam.
    """

    __slots__ = ("_data", "_from", "_ins", "_outs", "_parent", "_starts", "depth", "is_joined", "keeps", "text", "via")

    def __init__(self, text: str) -> None:
        self.text = text
        self.via: tuple[str, ...] = ()
        self.depth = 0
        self.is_joined = False
        self.keeps = True
        self._parent: View | None = None
        self._data: bytes | None = None
        self._outs: list[str] = []
        self._ins: list[str] = []
        self._starts: list[int] = []
        self._from: list[int] = []

    @property
    def data(self) -> bytes:
        """The text as bytes, one for each character: "?" for what is not ASCII."""
        if self._data is None:
            self._data = self.text.encode("ascii", "replace")
        return self._data

    def child(self, name: str, outs: list[str], ins: list[str], *, is_joined: bool = False, keeps: bool = True) -> View:
        """A view of this view. `keeps`: what was taken out stays when the value around it goes."""
        view = View("".join(outs))
        view.via = (*self.via, name)
        view.depth = self.depth + (not is_joined)
        view.is_joined = is_joined
        view.keeps = keeps
        view._parent, view._outs, view._ins = self, outs, ins
        return view

    def pieces(self, start: int, end: int) -> list[Piece]:
        """Where the characters from `start` to `end` come from in the text itself, merged, in order."""
        if self._parent is None:
            return [Piece(start, end)]
        self._place()
        found: list[Piece] = []
        for piece in self._own(start, end):
            for one in self._parent.pieces(*piece):
                if found and one.start <= found[-1].end:
                    found[-1] = Piece(found[-1].start, max(found[-1].end, one.end))
                else:
                    found.append(one)
        return found

    def pieces_in_parent(self, start: int, end: int) -> list[Piece]:
        """The same in the view that this one was made from."""
        self._place()
        found: list[Piece] = []
        for piece in self._own(start, end):
            if found and piece.start <= found[-1].end:
                found[-1] = Piece(found[-1].start, piece.end)
            else:
                found.append(piece)
        return found

    def _place(self) -> None:
        if not self._starts:
            self._starts = [0, *accumulate(map(len, self._outs))]
            self._from = [0, *accumulate(map(len, self._ins))]

    def _own(self, start: int, end: int) -> Iterator[Piece]:
        at = bisect_right(self._starts, start) - 1
        while at < len(self._outs) and self._starts[at] < end:
            out, into = self._starts[at], self._from[at]
            if self._outs[at] is GAP:
                pass
            elif self._outs[at]:
                if self._outs[at] is self._ins[at]:
                    last = min(end - out, len(self._outs[at]))
                    yield Piece(into + max(0, start - out), into + last)
                else:
                    yield Piece(into, self._from[at + 1])
            elif self._starts[at] > start and not self.keeps:
                yield Piece(into, self._from[at + 1])
            at += 1


GAP = "\x00\n"  # stands in a view for what it leaves out
_FAR = 512  # characters: what is half as far from everything decoded is left out of a decoded view


# --- what is decoded -------------------------------------------------------------------------------------------------


def _split(view: View, name: str, pattern: re.Pattern[str], decode: Callable[[str], str]) -> View | None:
    ins = pattern.split(view.text)
    if len(ins) == 1:
        return None
    outs = list(ins)
    known: dict[str, str] = {}
    has_long = len(ins[0]) > _FAR or len(ins[-1]) > _FAR
    for at in range(1, len(ins), 2):
        escape = ins[at]
        if escape not in known:
            known[escape] = decode(escape)
        outs[at] = known[escape]
        has_long = has_long or len(ins[at - 1]) > _FAR
    if has_long:
        ins, outs = _without_far(ins, outs)
    return view.child(name, outs, ins)


def _without_far(ins: list[str], outs: list[str]) -> tuple[list[str], list[str]]:
    """Without what is far from anything that was decoded: it is read as it stands, in the view itself."""
    near_ins: list[str] = []
    near_outs: list[str] = []
    for number, (into, out) in enumerate(zip(ins, outs, strict=True)):
        if number % 2 or len(into) <= _FAR:
            near_ins.append(into)
            near_outs.append(out)
            continue
        head = into[: _FAR // 2] if number else ""
        tail = into[-(_FAR // 2) :] if number < len(ins) - 1 else ""
        near_ins += [head, into[len(head) : len(into) - len(tail)], tail]
        near_outs += [head, GAP, tail]
    return near_ins, near_outs


_ESCAPE = re.compile(
    r"""(\\(?:u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}|U[0-9A-Fa-f]{8}|x[0-9A-Fa-f]{2}|[0-7]{3}|[\\/"'`nrtbfve]))"""
)
_ONE = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b"}


def _unescaped(escape: str) -> str:
    body = escape[1:]
    if len(body) == 1:
        return _ONE.get(body, body)
    code = int(body, 8) if body.isdigit() else int(body[1:].strip("{}"), 16)
    return chr(code) if code < 0x110000 else "\ufffd"


def unescaped(view: View) -> View | None:
    """One level of the escapes of JSON, Python and shells: twice is JSON in JSON."""
    return _split(view, "escapes", _ESCAPE, _unescaped) if "\\" in view.text else None


_PERCENT = re.compile(r"(%[0-9A-Fa-f]{2})")


def unpercented(view: View) -> View | None:
    """Percent-encoding. Bytes are taken one by one: what is looked for is ASCII."""
    return _split(view, "percent", _PERCENT, lambda e: chr(int(e[1:], 16))) if "%" in view.text else None


_HTML = re.compile(
    r"(&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|amp|lt|gt|quot|apos|nbsp|colon|sol|equals|lowbar|hyphen|period|commat|num|plus|Tab|NewLine);)"
)


def unentitied(view: View) -> View | None:
    """HTML entities."""
    return _split(view, "html", _HTML, html.unescape) if "&" in view.text else None


DECODERS: tuple[tuple[str, Callable[[View], View | None]], ...] = (
    ("\\", unescaped),
    ("%", unpercented),
    ("&", unentitied),
)


# --- what is taken out -----------------------------------------------------------------------------------------------

_ANSI = r"\x1b(?:\[[0-?]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,500}(?:\x07|\x1b\\)|[()][A-Z0-9]|[@-Z\\^_=>78c])"
_HIDDEN = "[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufe00-\ufe0f]"
_has_hidden = re.compile(_HIDDEN).search
_CLEAN = re.compile(f"({_ANSI})")
_VISIBLE = re.compile(f"({_HIDDEN}+)")


def cleaned(view: View) -> View:
    """Without colour codes and invisible characters; the view itself when it has none."""
    if "\x1b" in view.text:
        view = _without(view, "ansi", _CLEAN, keeps=True) or view
    if not view.text.isascii() and _has_hidden(view.text):
        view = _without(view, "zero-width", _VISIBLE, keeps=False) or view
    return view


def _without(view: View, name: str, pattern: re.Pattern[str], *, keeps: bool, is_joined: bool = False) -> View | None:
    ins = pattern.split(view.text)
    if len(ins) == 1:
        return None
    outs = list(ins)
    outs[1::2] = [""] * (len(ins) // 2)
    child = view.child(name, outs, ins, is_joined=is_joined, keeps=keeps)
    child.depth = view.depth
    return child


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
    r"\|?(?P<ascii>[ -~]{1,32}?)\|?[ \t\r]*$",
    re.M,
)


def joined(view: View) -> Iterator[View]:
    """Views in which what was broken over lines or into strings stands together."""
    text = view.text
    if "\n" in text:
        wraps, continued = _breaks(view)
        yield from _around(view, "continued", continued)
        yield from _around(view, "unwrapped", wraps)
        if b"000010" in view.data:
            yield from _dumped(view)
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
    longest: dict[int, int] = {}
    for at in _places(kinds, b"t\nt"):
        if text[at] == "=":  # quoted-printable
            continued.append((at, at + 2))
        # Most line breaks are no such seams; what proves it soonest is asked first.
        before, after = kinds[max(0, at - 63) : at + 1], kinds[at + 2 : at + 66]
        begins, goes_on = len(before) - len(before.rstrip(b"t")), len(after) - len(after.lstrip(b"t"))
        if begins + goes_on < _MIN_BROKEN or not _looks_made(text[at + 1 - begins : at + 2 + goes_on]):
            continue
        width = at - kinds.rfind(b"\n", 0, at)
        if width >= _MIN_WIDTH and (width in WIDTHS or width == _longest(kinds, at, longest)):
            wraps.append((at + 1, at + 2))
    return wraps, sorted(continued)


def _longest(kinds: bytes, at: int, known: dict[int, int]) -> int:
    """The length of the longest line of the text in which a place is (a block holds many)."""
    begin = kinds.rfind(b"\0", 0, at) + 1
    if begin not in known:
        end = kinds.find(b"\0", at)
        known[begin] = max(map(len, kinds[begin : end if end >= 0 else len(kinds)].split(b"\n")))
    return known[begin]


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


def _dumped(view: View) -> Iterator[View]:
    """The two columns of a hex dump, each as what it says."""
    text = view.text
    rows = list(_XXD.finditer(text))
    if len(rows) < 2:
        return
    for column in ("hex", "ascii"):
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
                for digits in re.split("([0-9a-fA-F]{2})", text[start:end]):
                    ins.append(digits)
                    outs.append(chr(int(digits, 16)) if len(digits) == 2 and digits.strip() else "")
            last = end
        ins.append(text[last:])
        outs.append("")
        yield view.child("hexdump", outs, ins, is_joined=True)
