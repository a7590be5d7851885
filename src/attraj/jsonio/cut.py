"""A text whose only defect is that it ends too early: told in a fraction of the exact reader's time.

The common defect of large files: a killed run, a full disk, a copy that was broken off. The fast parser reads such a
text as far as it goes, so that nothing but its end is left to be explained. Whatever is not as plain as that is left
to `exact`, which says the same of every text that both can tell.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any, NamedTuple

import jiter

from attraj import pointer as pointers
from attraj.jsonio.document import MISSING, Document, Fault, FaultKind
from attraj.jsonio.parse import parse_partial
from attraj.jsonio.utf8 import lone_escapes
from attraj.limits import Limits

CUT_HINT = "it was cut off: get it again"

_SMALL_BYTES = 1 << 16  # below, the exact reader takes no time either
_WINDOW_BYTES = 1 << 22
_SPACE = b" \t\r\n"
_COLON, _BACKSLASH = b":\\"
_BRACKET = re.compile(rb"[\[\]{}]")
_ALL_BUT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
# Numbers that the fast parser rounds to infinity without a word: the exact reader tells them.
_HUGE = re.compile(rb"[eE]0*[0-9]{3}|[0-9]{300}")
_ALL_BUT_NUMBERS = bytes(byte for byte in range(256) if byte not in b"0123456789eE.,:")
_WORD = re.compile(rb"[^ \t\r\n,:\[\]{}\"]++\Z")
_COMPLETE = re.compile(rb"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?\Z|(?:true|false|null)\Z")
_LONGEST_WORD = 1 << 13  # longer than any number that is taken


class OpenEnd(NamedTuple):
    """What is open where a text ends.

    Attributes:
        brackets: Those that nothing closes, outermost first.
        quote: Where the string begins that nothing ends; -1 when the text ends outside of strings.
        windows: Of each bracket, where the window begins in which it stands, and whether that is inside a string.
    """

    brackets: bytes = b""
    quote: int = -1
    windows: tuple[tuple[int, bool], ...] = ()


class Cut(NamedTuple):
    """A text whose only defect is that it ends too early.

    Attributes:
        tree: Every value that is complete, in the containers that are open at the end.
        containers: These containers, outermost first: each is the last value of the one around it.
        end: What is open.
    """

    tree: Any
    containers: list[Any]
    end: OpenEnd


def cut_message(whole: str, end: int, inside: str, last: str) -> str:
    """What is said of a text that ends at byte `end`, inside of what; `last` is the last complete value, or ""."""
    of = "" if whole == "file" else " of it"
    message = f"the {whole} ends at byte {end}{of}, inside {inside}"
    return f"{message}; the last complete value is {last}" if last else message


def shown_token(container: Any, token: str | int) -> str | int:
    """A token of a pointer in a message: a name that may be content is a position."""
    if type(token) is int or pointers.is_shown(str(token)):
        return token
    return "{%d}" % (list(container).index(token) if token in container else len(container))


def read_cut(raw: bytes, limits: Limits, whole: str) -> Document | None:
    """A text that only ends too early, as the exact reader would tell it; None for any other, and for small ones."""
    cut = cut_of(raw, limits) if len(raw) >= _SMALL_BYTES else None
    if cut is None:
        return None
    inside, name = inside_of(raw, cut)
    tokens = [last_of(container) for container in cut.containers[:-1]]
    pointer = pointers.join(*tokens) if name is None else pointers.join(*tokens, name)
    message = cut_message(whole, len(raw), inside, _last_complete(cut.containers))
    line, column = raw.count(b"\n") + 1, len(raw[raw.rfind(b"\n") + 1 :].decode("utf-8", "surrogateescape")) + 1
    fault = Fault(FaultKind.SYNTAX, message, pointer, line, column, CUT_HINT, True, len(raw))
    return Document(raw, MISSING, (fault,))


def cut_of(raw: bytes, limits: Limits, *, is_cut: bool = False) -> Cut | None:
    """What stands before the end of a text whose only defect is that it ends too early; None for any other."""
    tree = parse_partial(raw, limits, is_cut=is_cut)
    end = OpenEnd() if tree is MISSING else open_at_end(raw)
    containers = containers_of(tree, end.brackets)
    return Cut(tree, containers, end) if containers and _is_sound(raw, end.quote) else None


def open_at_end(raw: bytes) -> OpenEnd:
    """What is open where a text ends that is JSON up to there; nothing when it has numbers beyond the doubles."""
    stack, earlier = b"", b""
    windows: list[tuple[int, bool]] = []
    is_inside, quote, start = False, -1, 0
    while start < len(raw):
        end, parts = _window(raw, start)
        outside = b'"'.join(parts[is_inside::2])
        numbers = earlier + outside.translate(None, _ALL_BUT_NUMBERS)
        if _HUGE.search(numbers):
            return OpenEnd()
        earlier = numbers[-_LONGEST_WORD:]
        found = _unclosed(outside.translate(None, _ALL_BUT_BRACKETS))
        opening = found.lstrip(b"]}")
        left = len(stack) - (len(found) - len(opening))
        stack = stack[:left] + opening
        windows[left:] = [(start, is_inside)] * len(opening)
        if len(parts) > 1:
            quote = end - len(parts[-1]) - 1
        is_inside ^= len(parts) % 2 == 0
        start = end
    return OpenEnd(stack, quote if is_inside else -1, tuple(windows))


def opened_at(raw: bytes, end: OpenEnd, depth: int) -> int:
    """Where the bracket stands that opens the container at this depth."""
    start, is_inside = at, _ = end.windows[depth]
    places: list[int] = []
    for number, part in enumerate(_window(raw, start)[1]):
        if number % 2 == is_inside:
            for match in _BRACKET.finditer(part):
                if match[0] in b"[{":
                    places.append(at + match.start())
                elif places:
                    places.pop()
        at += len(part) + 1
    return places[depth - end.windows.index(end.windows[depth])]


def _window(raw: bytes, start: int) -> tuple[int, list[bytes]]:
    """The end of a piece of text, and the piece split by the quotes that begin and end strings."""
    end = start + _WINDOW_BYTES
    while raw[end - 1 : end] == b"\\":  # an escape stays in one window
        end += 1
    # Escapes out of the way, every quote begins or ends a string.
    parts = raw[start:end].replace(b"\\\\", b"__").replace(b'\\"', b"__").split(b'"')
    return min(end, len(raw)), parts


def _unclosed(brackets: bytes) -> bytes:
    left = len(brackets) + 1
    while len(brackets) < left:
        left = len(brackets)
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    return brackets


def containers_of(tree: Any, brackets: bytes) -> list[Any]:
    """The open containers of a tree, outermost first: each is the last value of the one around it. [] when unlike."""
    found: list[Any] = []
    for bracket in brackets:
        if type(tree) is not (dict if bracket == b"{"[0] else list):
            return []
        found.append(tree)
        tree = tree[last_of(tree)] if tree else MISSING
    return found


def last_of(container: Any) -> Any:
    """The name or the position of the last value of a container."""
    return next(reversed(container)) if type(container) is dict else len(container) - 1


def inside_of(raw: bytes, cut: Cut) -> tuple[str, str | int | None]:
    """What the text ends inside of, and the name or the position of the value that is cut; None when none is."""
    container, quote = cut.containers[-1], cut.end.quote
    is_object = type(container) is dict
    if quote >= 0:
        if is_object and raw[before(raw, quote)] != _COLON:
            return "a member name", None
        return "a string", name_before(raw, quote) if is_object else len(container)
    word = last_word(raw)
    if word and not _COMPLETE.match(word):
        return "a value", name_before(raw, len(raw) - len(word)) if is_object else len(container)
    return ("an object" if is_object else "an array"), None


def last_word(raw: bytes) -> bytes:
    """The number, or the beginning of a word, with which a text ends; b"" when it ends with anything else."""
    word = _WORD.search(raw[-_LONGEST_WORD:])
    return b"" if word is None else word[0]


def _is_sound(raw: bytes, quote: int) -> bool:
    """Whether nothing is wrong with the string that is cut, which the fast parser does not look into."""
    if quote < 0:
        return True
    try:
        text = raw[quote:].decode()
    except UnicodeDecodeError:
        return False
    return next(lone_escapes(text), None) is None and re.search("[\x00-\x1f]", text) is None


def before(raw: bytes, at: int) -> int:
    """Where the last byte before `at` stands that is no white space."""
    at -= 1
    while raw[at] in _SPACE:
        at -= 1
    return at


def name_before(raw: bytes, at: int) -> str:
    """The name of the member whose value begins at `at`."""
    end = start = before(raw, before(raw, at))
    while True:
        start = raw.rindex(b'"', 0, start)
        if raw[start - 1] != _BACKSLASH:  # a quote inside a name has one before it, the one that begins it never
            return str(jiter.from_json(raw[start : end + 1]))


def _last_complete(containers: list[Any]) -> str:
    """The pointer of the last value read whole, names that may be content hidden; "" when there is none."""
    last: Any = None
    for depth in range(len(containers) - 1, -1, -1):
        container = containers[depth]
        is_innermost = depth == len(containers) - 1
        if type(container) is list:
            last = len(container) - 1 - (not is_innermost)
            is_there = last >= 0
        else:
            names = islice(reversed(container), int(not is_innermost), None)
            last = next(names, None)
            is_there = last is not None
        if is_there:
            above = [shown_token(each, last_of(each)) for each in containers[:depth]]
            return pointers.join(*above, shown_token(container, last))
    return ""
