"""What a file is when it is no JSON text at all: empty, in another encoding, of another kind. Looks at bytes only."""

from __future__ import annotations

import re

from attraj.jsonio.document import Fault, FaultKind

BOM = b"\xef\xbb\xbf"

# The four bytes of UTF-32 before the two of UTF-16: one begins like the other.
_BYTE_ORDER_MARKS = (
    (b"\xff\xfe\0\0", "UTF-32LE"),
    (b"\0\0\xfe\xff", "UTF-32BE"),
    (b"\xff\xfe", "UTF-16LE"),
    (b"\xfe\xff", "UTF-16BE"),
)

# JSON starts with an ASCII character, so that the NULs of its first four bytes tell the encoding (RFC 4627 §3).
_WIDE_TEXT = (
    (re.compile(rb"\0\0\0[\x01-\x7f]", re.DOTALL), "UTF-32BE"),
    (re.compile(rb"[\x01-\x7f]\0\0\0", re.DOTALL), "UTF-32LE"),
    (re.compile(rb"\0[\x01-\x7f]\0.", re.DOTALL), "UTF-16BE"),
    (re.compile(rb"[\x01-\x7f]\0.\0", re.DOTALL), "UTF-16LE"),
)

_MAGIC = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "gzip data"),
    (b"\x28\xb5\x2f\xfd", "Zstandard data"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ\0", "xz data"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow file"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\x7fELF", "a program"),
    (b"\x80\x04\x95", "a Python pickle"),
    (b"\x80\x05\x95", "a Python pickle"),
)


def sniff(raw: bytes, whole: str = "file") -> Fault | None:
    """Why these bytes cannot be JSON text; None when they may be. `whole` is their name in messages."""
    text = raw.removeprefix(BOM)
    if not text:
        return Fault(FaultKind.SYNTAX, f"the {whole} is empty")
    if text.isspace():
        return Fault(FaultKind.SYNTAX, f"the {whole} holds only white space")
    return _wide(raw, whole) or _other_kind(raw, whole)


def byte_order_mark(whole: str = "file") -> Fault:
    """The fault of UTF-8 text that starts with a mark, which most readers of JSON refuse (RFC 8259 §8.1)."""
    message = f"the {whole} starts with a byte order mark"
    return Fault(FaultKind.ENCODING, message, line=1, column=1, hint="remove it", is_fatal=False)


def _wide(raw: bytes, whole: str) -> Fault | None:
    hint = "JSON must be UTF-8: convert it"
    for mark, name in _BYTE_ORDER_MARKS:
        if raw.startswith(mark):
            message = f"the {whole} is {name}, as its byte order mark says"
            return Fault(FaultKind.ENCODING, message, line=1, column=1, hint=hint)
    for pattern, name in _WIDE_TEXT:
        if pattern.match(raw):
            return Fault(FaultKind.ENCODING, f"the {whole} looks like {name}", line=1, column=1, hint=hint)
    return None


def _other_kind(raw: bytes, whole: str) -> Fault | None:
    if raw.startswith(b"version https://git-lfs.github.com/"):
        message, hint = f"the {whole} is a Git LFS pointer, not the file it stands for", "fetch it: git lfs pull"
        return Fault(FaultKind.SYNTAX, message, line=1, column=1, hint=hint)
    if raw.startswith(b"\0"):
        only = "holds only" if raw.count(0) == len(raw) else "starts with"
        message = f"the {whole} {only} NUL bytes (written sparsely or never filled?)"
        return Fault(FaultKind.SYNTAX, message, line=1, column=1)
    for magic, name in _MAGIC:
        if raw.startswith(magic):
            return Fault(FaultKind.SYNTAX, f"the {whole} looks like {name}, not JSON", line=1, column=1)
    return None
