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
from attraj.jsonio.utf8 import decode, lone_escapes
from attraj.limits import Limits

CUT_HINT = "it was cut off: get it again"

_SMALL_BYTES = 1 << 16  # below, the exact reader takes no time either
_WINDOW_BYTES = 1 << 22
_SPACE = b" \t\r\n"
_COLON, _BACKSLASH = b":\\"
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
    """

    brackets: bytes
    quote: int


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
    if len(raw) < _SMALL_BYTES:
        return None
    tree = parse_partial(raw, limits)
    end = OpenEnd(b"", -1) if tree is MISSING else open_at_end(raw)
    containers = containers_of(tree, end.brackets)
    place = _place(raw)
    if not containers or place is None or not _is_sound(raw, end.quote):
        return None
    inside, name = _inside(raw, end, containers[-1])
    tokens = [_last(container) for container in containers[:-1]]
    pointer = pointers.join(*tokens) if name is None else pointers.join(*tokens, name)
    message = cut_message(whole, len(raw), inside, _last_complete(containers))
    fault = Fault(FaultKind.SYNTAX, message, pointer, *place, CUT_HINT, True, len(raw))
    return Document(raw, MISSING, (fault,))


def open_at_end(raw: bytes) -> OpenEnd:
    """What is open where a text ends that is JSON up to there; nothing when it has numbers beyond the doubles."""
    stack, before = b"", b""
    is_inside, quote, start = False, -1, 0
    while start < len(raw):
        end = start + _WINDOW_BYTES
        while raw[end - 1 : end] == b"\\":  # an escape stays in one window
            end += 1
        # Escapes out of the way, every quote begins or ends a string.
        parts = raw[start:end].replace(b"\\\\", b"__").replace(b'\\"', b"__").split(b'"')
        outside = b'"'.join(parts[is_inside::2])
        numbers = before + outside.translate(None, _ALL_BUT_NUMBERS)
        if _HUGE.search(numbers):
            return OpenEnd(b"", -1)
        before = numbers[-_LONGEST_WORD:]
        stack = _unclosed(stack + outside.translate(None, _ALL_BUT_BRACKETS))
        end = min(end, len(raw))
        if len(parts) > 1:
            quote = end - len(parts[-1]) - 1
        is_inside ^= len(parts) % 2 == 0
        start = end
    return OpenEnd(stack, quote if is_inside else -1)


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
        tree = tree[_last(tree)] if tree else MISSING
    return found


def _last(container: Any) -> Any:
    return next(reversed(container)) if type(container) is dict else len(container) - 1


def _inside(raw: bytes, end: OpenEnd, container: Any) -> tuple[str, str | int | None]:
    """What the text ends inside of, and the name or the position of the value that is cut; None when none is."""
    is_object = type(container) is dict
    if end.quote >= 0:
        if is_object and raw[_before(raw, end.quote)] != _COLON:
            return "a member name", None
        return "a string", _name_before(raw, end.quote) if is_object else len(container)
    word = _WORD.search(raw[-_LONGEST_WORD:])
    if word is not None and not _COMPLETE.match(word[0]):
        return "a value", _name_before(raw, len(raw) - len(word[0])) if is_object else len(container)
    return ("an object" if is_object else "an array"), None


def _is_sound(raw: bytes, quote: int) -> bool:
    """Whether nothing is wrong with the string that is cut, which the fast parser does not look into."""
    if quote < 0:
        return True
    text = decode(raw[quote:])
    return next(lone_escapes(text), None) is None and re.search("[\x00-\x1f]", text) is None


def _before(raw: bytes, at: int) -> int:
    """Where the last byte before `at` stands that is no white space."""
    at -= 1
    while raw[at] in _SPACE:
        at -= 1
    return at


def _name_before(raw: bytes, at: int) -> str:
    """The name of the member whose value begins at `at`."""
    end = start = _before(raw, _before(raw, at))
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
            above = [shown_token(each, _last(each)) for each in containers[:depth]]
            return pointers.join(*above, shown_token(container, last))
    return ""


def _place(raw: bytes) -> tuple[int, int] | None:
    """The line and the column of the end; None when the text ends inside a character, or in what is no UTF-8."""
    try:
        return raw.count(b"\n") + 1, len(raw[raw.rfind(b"\n") + 1 :].decode()) + 1
    except UnicodeDecodeError:
        return None
