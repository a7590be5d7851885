"""What may be read in bytes that are no text: their runs of printable characters, as `strings` shows them.

A token in a database, a core dump or a terminal's raw output stands there as it stands in a text. Such a file is never
redacted and never written; it is looked at, so that it does not pass for a clean one.
"""

from __future__ import annotations

import re

# NULs come in runs where a file was made longer beforehand, or cut while it was written: one stands for all of them.
_RUN = re.compile(rb"\0{2,}")
_STRANGE = bytes(set(range(32)) - set(b"\a\b\t\n\v\f\r\x1b")) + b"\x7f"
_FEW = 16  # one strange byte in so many: a log that holds some is still a log
_ASCII = re.compile(rb"[\t\n\r\x1b -~]{8,}")
_WIDE = re.compile(rb"(?:[\t\n\r -~]\0){8,}")
_APART = "\n\0\n"


def is_binary(raw: bytes) -> bool:
    """Whether bytes are no text: NULs among them, and more than a log holds of them and of what else no text has."""
    if b"\0" not in raw:
        return False
    raw = _RUN.sub(b"\0", raw)
    usual = raw.decode("utf-8", "ignore").encode().translate(None, _STRANGE)
    return (len(raw) - len(usual)) * _FEW > len(raw)


def strings(raw: bytes) -> str:
    """The readable runs of bytes, of one byte a character and of two (UTF-16 without its mark), in order."""
    found = [run[0].decode("ascii") for run in _ASCII.finditer(raw)]
    found += [run[0][::2].decode("ascii") for run in _WIDE.finditer(raw)]
    return _APART.join(found)
