"""The files of subagents that an ATIF document names, for a caller who asks for them to be embedded.

Only files inside the document's own folder are looked at, and only those that one document alone refers to: what two
refer to cannot stand in both. A file that cannot be read, or is no trajectory of the right shape, stays a reference.
Source: spec atif.md §12-5, §12-7; DESIGN.md §2, law 9.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable
from typing import NamedTuple

from attraj.errors import Unreadable
from attraj.formats.atif.links import subagent_paths
from attraj.formats.atif.paths import Place, look_up
from attraj.jsonio import Document, parse, read_bytes
from attraj.limits import Limits

MAX_FILES = 10_000  # of one run; a swarm of subagents has a few hundred
MAX_DEPTH = 50  # of one subagent in another: a document deeper than that is refused by readers


class Family(NamedTuple):
    """The files that a document leads to.

    Attributes:
        documents: By their paths from the document's folder, in the order in which they are met.
        names: What a document writes as the path → that path.
    """

    documents: dict[str, Document]
    names: dict[str, str]


def family_of(document: Document, is_sound: Callable[[Document], bool], limits: Limits) -> Family:
    """The files that a document names as those of its subagents, and theirs.

    Args:
        document: Never modified; of one that is no file nothing is looked at.
        is_sound: Whether a file is a document that can be converted.
        limits: For each file.
    """
    if document.path in ("", "-"):
        return Family({}, {})
    root = os.path.dirname(os.path.abspath(document.path))
    own = os.path.basename(document.path)
    found: dict[str, Document] = {own: document}
    referrers: dict[str, set[str]] = {}
    names: dict[str, set[str]] = {}
    pending = [(own, 0)]
    while pending:
        here, depth = pending.pop()
        for _, name in subagent_paths(found[here].tree):
            if not name:
                continue
            path = posixpath.normpath(posixpath.join(posixpath.dirname(here), name))
            referrers.setdefault(path, set()).add(here)
            names.setdefault(name, set()).add(path)
            if path in found or len(found) > MAX_FILES or depth >= MAX_DEPTH or look_up(root, path) is not Place.FILE:
                continue
            read = _read(os.path.join(root, *path.split("/")), limits)
            if read is not None and is_sound(read):
                found[path] = read
                pending.append((path, depth + 1))
    kept = _only_child(found, referrers, own)
    told = {name: next(iter(paths)) for name, paths in names.items() if len(paths) == 1}
    return Family({path: found[path] for path in kept}, {name: path for name, path in told.items() if path in kept})


def _only_child(found: dict[str, Document], referrers: dict[str, set[str]], own: str) -> list[str]:
    """The files that lead back to the document by one way alone; the others stay files."""
    kept: dict[str, bool] = {own: True}
    for path in found:  # whatever refers to a file is met before it
        above = referrers.get(path, set())
        kept.setdefault(path, len(above) == 1 and kept.get(next(iter(above)), False))
    return [path for path, is_kept in kept.items() if is_kept and path != own]


def _read(path: str, limits: Limits) -> Document | None:
    try:
        document = parse(read_bytes(path, limits), limits)
    except Unreadable:
        return None
    document.path = path
    return document if document.is_readable else None
