"""Documents that are too large to be held whole, read without what makes them large: for looking, not for checking."""

from __future__ import annotations

import mmap
import os

from attraj.formats import detect
from attraj.jsonio import Document
from attraj.limits import Limits

LARGE_BYTES = 64 << 20  # spec: performance.md §9 (7)
_MARK = b'"trajectory"'


def without_views(path: str | os.PathLike[str], limits: Limits) -> Document | None:
    """A large `.traj` without the model inputs of its steps; None for any other file, which is then read as usual.

    The document has no bytes, so that its faults are not known and nothing in it has a line.

    Raises:
        Unreadable: It is a `.traj`, and is broken.
    """
    try:
        size = os.stat(path).st_size
        if not LARGE_BYTES < size <= limits.max_bytes or not _has_mark(path):
            return None
    except (OSError, ValueError):  # said by the usual way of reading
        return None
    from attraj.formats.swe_agent.telling import light  # only for large files

    document = light(path)
    known = detect(document.tree)
    return document if known is not None and known.name == "swe-agent" else None


def _has_mark(path: str | os.PathLike[str]) -> bool:
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return data[:1] == b"{" and data.find(_MARK) >= 0
