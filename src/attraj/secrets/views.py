"""Decoded views of a text that know where each of their characters comes from.

A view is two lists of pieces, one that spells the view and one that spells its parent: a piece that is the same in both
was kept, one that is empty in the view was taken out, any other was decoded as a whole.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
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
        return _merged(one for piece in self._own(start, end) for one in self._parent.pieces(*piece))

    def pieces_in_parent(self, start: int, end: int) -> list[Piece]:
        """The same in the view that this one was made from."""
        self._place()
        return _merged(self._own(start, end))

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


def _merged(pieces: Iterable[Piece]) -> list[Piece]:
    """The pieces, which are in order, with those that touch as one."""
    found: list[Piece] = []
    for piece in pieces:
        if found and piece.start <= found[-1].end:
            found[-1] = Piece(found[-1].start, max(found[-1].end, piece.end))
        else:
            found.append(piece)
    return found


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
    r"""(\\(?:u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}|U[0-9A-Fa-f]{8}|x[0-9A-Fa-f]{2}|[0-7]{3}|[\\/"'`nrtbfve_.$#&%+=~*!:@-]))"""
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


_QUOTED_PRINTABLE = re.compile(r"(=[0-9A-F]{2}|=\r?\n)")


def unquoted(view: View) -> View | None:
    """Quoted-printable, as in mail. Bytes are taken one by one."""
    if "=3D" not in view.text:
        return None
    return _split(view, "quoted-printable", _QUOTED_PRINTABLE, lambda e: "" if e[-1] == "\n" else chr(int(e[1:], 16)))


_WIDE = re.compile("([\uff01-\uff5e]+)")
_WIDE_LETTERS = re.compile("[\uff21-\uff5a]{4}").search


def narrowed(view: View) -> View | None:
    """Full-width letters and digits as those of ASCII."""
    if view.text.isascii():
        return None
    raw = view.text.encode("utf-8", "surrogatepass")
    # U+FF00 to U+FF7F, at the speed of memory: most texts have none of them.
    if (b"\xef\xbc" not in raw and b"\xef\xbd" not in raw) or _WIDE_LETTERS(view.text) is None:
        return None
    return _split(view, "full-width", _WIDE, lambda e: "".join([chr(ord(c) - 0xFEE0) for c in e]))


DECODERS: tuple[tuple[str, Callable[[View], View | None]], ...] = (
    ("\\", unescaped),
    ("%", unpercented),
    ("&", unentitied),
    ("=3D", unquoted),
    ("\uff21", narrowed),
)


# --- what is taken out -----------------------------------------------------------------------------------------------

_ANSI = r"\x1b(?:\[[0-?]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,500}(?:\x07|\x1b\\)|[()][A-Z0-9]|[@-Z\\^_=>78c])"
# Colour codes whose escape character was lost on the way, or is written out.
_BARE_ANSI = re.compile(r"((?:\^\[)?(?<!\x1b)(?<!\\e)(?<!\\033)(?<!\\x1[bB])(?<!\\u001[bB])\[[0-9;]{1,12}m)")
_HIDDEN = "[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufe00-\ufe0f]"
_has_hidden = re.compile(_HIDDEN).search
_CLEAN = re.compile(f"({_ANSI})")
_VISIBLE = re.compile(f"({_HIDDEN}+)")


def cleaned(view: View) -> View:
    """Without colour codes and invisible characters; the view itself when it has none."""
    if "\x1b" in view.text:
        view = _without(view, "ansi", _CLEAN, keeps=True) or view
    if "[0m" in view.text or "[39m" in view.text:
        view = _without(view, "ansi", _BARE_ANSI, keeps=True) or view
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
