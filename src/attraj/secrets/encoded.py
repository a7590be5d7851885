"""Runs of base64 and hex that say something: found by how they begin, or by what stands in them."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from attraj.secrets.engine import Engine, engine_of

MAX_INFLATED = 1 << 20  # 1 MiB out of a blob inside a text: a bomb stays small


class Run(NamedTuple):
    """An encoded run and what it says."""

    start: int
    end: int
    name: str
    text: str


_BASE64 = re.compile(r"[A-Za-z0-9+/_\-]{16,}(?:\r?\n[ \t]{0,8}[A-Za-z0-9+/]{16,76}(?![A-Za-z0-9+/]))*={0,2}")
_HEX = re.compile(r"[0-9A-Fa-f]{24,}(?:\r?\n[ \t]{0,8}[0-9A-Fa-f]{2,76}(?![0-9A-Za-z]))*").match
_MIN_HEX = 24
_RUN = b"b" * 16
_KINDS = bytes(ord("b") if chr(n).isalnum() else 46 for n in range(128)) + b"." * 128
_WIDE = bytes(ord("b") if chr(n).isalnum() or chr(n) in "+/-_" else 46 for n in range(128)) + b"." * 128
_MAX_LEAD = 256  # characters before a run of letters and digits that may belong to it
_is_hex = re.compile(r"[0-9A-Fa-f]{16}").match
_MEDIA = (
    ("iVBORw0KGgo", "image/png"),
    ("/9j/", "image/jpeg"),
    ("R0lGOD", "image/gif"),
    ("UklGR", "image/webp"),
    ("Qk0", "image/bmp"),
    ("JVBERi0", "application/pdf"),
    ("AAAAIGZ0eX", "video/mp4"),
    ("SUQz", "audio/mpeg"),
    ("T2dnUw", "audio/ogg"),
)
_MAGIC = tuple(magic for magic, _ in _MEDIA)
_LONG = 400  # characters: shorter runs are no pictures
_DATA = re.compile(
    r"data:((?:image|audio|video|font)/[a-z0-9.+\-]{1,40}|application/(?:pdf|octet-stream|zip))(?:;[a-z0-9=\-]{1,40})*;base64,",
    re.I,
)
# Binary that would only cost time: signed, compressed otherwise, or an integrity hash.
_CONTROL = bytes(set(range(32)) - {9, 10, 13, 27}) + b"\x7f"


def media_of(text: str) -> str:
    """What kind of media a text carries; "" when it carries none."""
    data = _DATA.search(text) if "data:" in text or "DATA:" in text else None
    if data is not None:
        return data[1].lower()
    if len(text) >= _LONG and text.startswith(_MAGIC):
        run = _BASE64.match(text)
        if run is not None and run.end() >= _LONG:
            return next(kind for magic, kind in _MEDIA if text.startswith(magic))
    if "\x00" in text and len(text) >= 64:
        head = text[:4096]  # what moves the cursor or colours a line is no sign of data
        if sum(c < " " and c not in "\a\b\t\n\v\f\r\x1b" for c in head) * 8 > len(head):
            return "binary"
    return ""


class Encoded:
    """Finds encoded runs worth reading.

    Args:
        literals: What is looked for in the clear; their encoded forms are looked for inside runs.
        engine: Name of the engine.
    """

    def __init__(self, literals: Sequence[str], engine: str) -> None:
        forms = dict.fromkeys(form for literal in literals if len(literal) >= 4 for form in _forms(literal))
        self._inside: Engine = engine_of(list(forms), engine)

    def runs(self, text: str, data: bytes) -> Iterator[Run]:
        """The runs of a text that decode to text; `data` is the text with one byte a character."""
        kinds = data.translate(_KINDS)
        at = kinds.find(_RUN)
        if at < 0:
            return
        wide = data.translate(_WIDE)
        skipped = [match.end() for match in _DATA.finditer(text)] if b"ata:" in data or b"ATA:" in data else []
        while at >= 0:
            # The run may begin earlier, with base64 or a path: what text decodes from has letters and digits only.
            before = wide[max(0, at - _MAX_LEAD) : at]
            begin = at - len(before) + len(before.rstrip(b"b"))
            end = at + 1
            for start in (begin, at) if begin < at else (at,):
                match = _BASE64.match(text, start)
                end = max(end, match.end()) if match is not None else end
                if match is None or start in skipped or any(start < done <= end for done in skipped):
                    continue
                found = list(self._of(match[0], start))
                yield from found
                if found:
                    break
            at = kinds.find(_RUN, end)

    def _of(self, run: str, at: int) -> Iterator[Run]:
        head = run[:24]
        if head.lower() != head:
            yield from self._base64(run, at)
        skipped = 2 if head[:2] in ("0x", "0X") else 0
        if len(run) >= _MIN_HEX and _is_hex(head, skipped):
            yield from _hex(run[skipped:], at + skipped)

    def _base64(self, run: str, at: int) -> Iterator[Run]:
        if run[:4] == "H4sI" or run[:2] in ("eJ", "eN", "eA", "eF"):
            inflated = _inflated(_decoded(run))
            if inflated:
                yield Run(at, at + len(run), "gzip", inflated)
                return
        if len(run) >= _LONG and run.startswith(_MAGIC):
            return
        if _is_text(_decoded(run[:24])):
            yield from self._whole(run, at)
            return
        # A run that something is glued to before ("path/to/" + base64), or a blob with text inside.
        if len(run) >= 24 and self._inside.hits(run):
            for shift in range(4):
                said = _readable(_decoded(run[shift:]))
                if said:
                    yield Run(at, at + len(run), "base64", said)

    def _whole(self, run: str, at: int) -> Iterator[Run]:
        decoded = _decoded(run)
        try:
            text = decoded.decode()
        except UnicodeDecodeError:
            text = _readable(decoded)
        if text:
            yield Run(at, at + len(run), "base64", text)


def _decoded(run: str) -> bytes:
    clean = run if run.isalnum() else re.sub(r"[\s=]", "", run).replace("-", "+").replace("_", "/")
    clean = clean[: len(clean) - (len(clean) % 4 == 1)]
    try:
        return base64.b64decode(clean + "=" * (-len(clean) % 4))
    except (binascii.Error, ValueError):
        return b""


def _is_text(head: bytes) -> bool:
    """Whether bytes begin as a text does: no control characters, and UTF-8 as far as it goes."""
    if len(head) < 6 or head.translate(None, _CONTROL) != head:
        return False
    if head.isascii():
        return True
    try:
        head[:-3].decode()
    except UnicodeDecodeError as fault:
        return fault.start >= len(head) - 6 and fault.start >= 6
    return True


def _readable(decoded: bytes) -> str:
    """A blob as text, its other bytes as blanks; "" when hardly anything of it is text."""
    text = decoded.decode("ascii", "replace").replace("\ufffd", "\x00")
    return text if re.search(r"[ -~]{8,}", text) else ""


def _inflated(packed: bytes) -> str:
    for wbits in (31, 15) if packed[:2] == b"\x1f\x8b" else (15,):
        try:
            return zlib.decompressobj(wbits).decompress(packed, MAX_INFLATED).decode("utf-8", "replace")
        except zlib.error:
            continue
    return ""


def _hex(run: str, at: int) -> Iterator[Run]:
    match = _HEX(run)
    if match is None:
        return
    digits = match[0] if match[0].isalnum() else "".join(match[0].split())
    for shift in (0, 1):
        body = digits[shift : len(digits) - (len(digits) - shift) % 2]
        if _is_text(bytes.fromhex(body[:24])):
            decoded = bytes.fromhex(body)
            if decoded.translate(None, _CONTROL) == decoded:
                yield Run(
                    at + shift,
                    at + len(match[0]) - (len(digits) - shift) % 2,
                    "hex",
                    decoded.decode("utf-8", "replace"),
                )
                return


def _forms(literal: str) -> Iterator[str]:
    """The three alignments of a literal in base64, without the characters that its neighbours decide."""
    raw = literal.encode()
    for shift in range(3):
        encoded = base64.b64encode(b"\x00" * shift + raw).decode().rstrip("=")
        first = -(-8 * shift // 6)
        whole = (8 * (shift + len(raw))) // 6
        form = encoded[first:whole]
        if len(form) >= 4:
            yield form
            if "+" in form or "/" in form:
                yield form.replace("+", "-").replace("/", "_")
