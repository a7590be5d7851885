"""What makes a finding the same one next week: its document, its code and its kind of place, never its content.

Positions in arrays are left out, so that a record that is inserted above does not make every finding new; equal
places are told apart by counting. With a key (`--key-file`) the fingerprint is an HMAC and says nothing to others.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
from collections import Counter
from collections.abc import Iterator

from attraj.findings import DocumentReport, Finding

_POSITION = re.compile(r"/\d+(?=/|$)")
_COUNTED = re.compile(r"\b(\d[\d,]*) places\b")  # one finding that stands for several: more places are news


def fingerprints(report: DocumentReport, key: bytes = b"") -> Iterator[tuple[Finding, str]]:
    """Each finding of a document with its fingerprint (32 hex digits), in the order of the findings."""
    seen: Counter[str] = Counter()
    path = same_path(report.path)
    for finding in report.findings:
        place = f"{path}\0{report.index}\0{finding.code}\0{_POSITION.sub('/*', finding.location.pointer)}"
        place += f"\0{finding.mark}" if finding.mark else ""
        counted = _COUNTED.search(finding.message)
        place += f"\0{counted[1]}" if counted else ""
        seen[place] += 1
        text = f"{place}\0{seen[place]}".encode("utf-8", "surrogateescape")
        yield finding, hmac.new(key or b"attraj", text, hashlib.sha256).hexdigest()[:32]


def same_path(path: str) -> str:
    """The path as it is from the working folder, however it was spelled; "-" and "" stay."""
    return os.path.relpath(path).replace(os.sep, "/") if path not in ("", "-") else path


def key_id(key: bytes) -> str | None:
    """What tells two keys apart and says nothing about either; None for no key."""
    return hmac.new(key, b"attraj key id", hashlib.sha256).hexdigest()[:16] if key else None
