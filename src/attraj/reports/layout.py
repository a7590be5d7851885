"""Text of a document on a terminal: behind a gutter, wrapped by what it takes up, cut with a count, escaped.

Content may hold anything, our own headings among it. It stands behind a gutter, line by line, and what is quoted in
a line of ours is put in quotes unless it is plain: nothing of a document can pass for a word of attraj.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from attraj.reports.escaping import escaped

_PLAIN = re.compile(r"[\w.:/@+~#%&=*,;$'-]+(?: [\w.:/@+~#%&=*,;$'-]+)*").fullmatch
_DATA_URI = re.compile(r"(data:[\w.+/-]{0,60};base64,)([A-Za-z0-9+/=]{80,})")
_TAB = 8


@dataclass(frozen=True, slots=True)
class View:
    """How a document is drawn.

    Attributes:
        width: Columns of the terminal.
        colour: Whether ANSI colours may be used.
        unicode: Whether lines and dots beyond ASCII can be shown.
        is_full: Texts are shown whole.
        max_lines, max_chars: What is shown of a text otherwise.
    """

    width: int = 80
    colour: bool = False
    unicode: bool = True
    is_full: bool = False
    max_lines: int = 16
    max_chars: int = 1600

    @property
    def gutter(self) -> str:
        return "  │ " if self.unicode else "  | "

    @property
    def continuation(self) -> str:
        """The gutter of a line that goes on from the one above it."""
        return "  ┆ " if self.unicode else "  : "

    @property
    def more(self) -> str:
        return "…" if self.unicode else "..."

    def paint(self, text: str, colour: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self.colour else text


def inline(text: str, view: View, most: int = 120) -> str:
    """A short text of the document inside a line of ours: on one line, in quotes unless it is plain."""
    kept = text[:most]
    shown = escaped(kept)
    if not _PLAIN(shown):
        shown = '"' + shown.replace("\\", "\\\\").replace('"', '\\"') + '"' if shown == kept else f'"{shown}"'
    left = len(text) - len(kept)
    return f"{shown} ({view.more} {left:,} more characters)" if left else shown


def block(text: str, view: View, sign: str = " ") -> Iterator[str]:
    """A text of the document behind the gutter; what is left out is counted. `sign` stands before the gutter."""
    text = _DATA_URI.sub(lambda m: f"{m[1]}{view.more} ({len(m[2]):,} characters, not shown)", text)
    shown, left = (text, "") if view.is_full else _cut(text, view)
    for line in shown.split("\n"):
        yield from quoted(line, view, sign)
    if left:
        yield f"  {view.more} {left} left out (--full shows them)"


def quoted(line: str, view: View, sign: str = " ") -> Iterator[str]:
    """One line of a text of the document behind the gutter, in pieces that fit."""
    room = max(view.width - len(view.gutter), 20)
    start = view.gutter
    for piece in _pieces(_visible(line), room):
        yield f"{view.paint(sign + start[1:], '2')}{piece}".rstrip()
        start = view.continuation


def _cut(text: str, view: View) -> tuple[str, str]:
    """What is shown of a text, and in words how much is not. Cut between lines where one ends near the bound."""
    end = -1
    for _ in range(view.max_lines):
        end = text.find("\n", end + 1)
        if end < 0:
            end = len(text)
            break
    if end > view.max_chars:
        line = text.rfind("\n", view.max_chars // 2, view.max_chars)
        end = view.max_chars if line < 0 else line
    # A cut that spares less than it says is none.
    if len(text) - end < 80 and text.count("\n", end) < 4:
        return text, ""
    lines = text.count("\n", end)
    characters = f"{len(text) - end:,} characters"
    return text[:end], f"{lines:,} line{'s' if lines > 1 else ''}, {characters}" if lines else characters


def _visible(line: str) -> str:
    """A line with its tabs as spaces and everything else that does not show as an escape."""
    line = line.removesuffix("\r")
    if line.isascii() and line.isprintable():
        return line
    return "\t".join(map(escaped, line.split("\t"))).expandtabs(_TAB) if "\t" in line else escaped(line)


def _pieces(line: str, room: int) -> Iterator[str]:
    """A line in pieces that fit, broken after a space where one is near."""
    if line.isascii():
        while len(line) > room:
            space = line.rfind(" ", room // 2, room)
            end = space + 1 if space > 0 else room
            yield line[:end]
            line = line[end:]
        yield line
        return
    start = taken = 0
    space = -1
    for position, character in enumerate(line):
        wide = columns_of(character)
        if taken + wide > room:
            end = space + 1 if space >= start + room // 3 else position
            yield line[start:end]
            taken = sum(map(columns_of, line[end:position]))
            start, space = end, -1
        if character == " ":
            space = position
        taken += wide
    yield line[start:]


def columns_of(character: str) -> int:
    """How many columns a character takes up."""
    if character < "\u0300":
        return 1
    from unicodedata import category, east_asian_width  # only where there is such a character

    if category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(character) in ("W", "F") else 1


def width_of(text: str) -> int:
    """How many columns a text takes up."""
    return len(text) if text.isascii() else sum(map(columns_of, text))
