"""Looking at a folder that nobody vouches for: names and kinds of its entries, small files, and nothing outside it.

A symbolic link is followed only when it stays inside the folder that was named (spec: decisions 9).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from attraj.jsonio import MISSING, Document, Fault, FaultKind, parse
from attraj.limits import Limits


class Kind(Enum):
    """What an entry of a folder is."""

    FILE = "file"
    FOLDER = "folder"
    OUTSIDE = "outside"  # a symbolic link that leaves the folder, or leads nowhere
    OTHER = "other"  # a pipe, a socket, a device


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a folder.

    Attributes:
        path: Relative to the folder that was named, with "/".
        kind: Of what a symbolic link leads to, when that is inside the folder.
        is_link: Whether it is a symbolic link.
    """

    path: str
    kind: Kind
    is_link: bool = False

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]


def entries(root: str, below: str = "") -> list[Entry] | None:
    """The entries of `root/below` by name; None when the folder cannot be listed.

    Args:
        root: The folder that was named.
        below: A relative path inside it; "" for the folder itself.
    """
    prefix = f"{below}/" if below else ""
    try:
        with os.scandir(os.path.join(root, below) if below else root) as found:
            listed = [Entry(prefix + entry.name, _kind(root, entry), entry.is_symlink()) for entry in found]
    except OSError:
        return None
    return sorted(listed, key=lambda entry: entry.path)


def _kind(root: str, entry: os.DirEntry[str]) -> Kind:
    try:
        if entry.is_symlink() and not is_inside(root, entry.path):
            return Kind.OUTSIDE
        if entry.is_dir():
            return Kind.FOLDER
        return Kind.FILE if entry.is_file() else Kind.OTHER
    except OSError:
        return Kind.OTHER


def is_inside(root: str, path: str) -> bool:
    """Whether `path`, with every symbolic link resolved, exists inside `root`."""
    try:
        real_root, real = os.path.realpath(root), os.path.realpath(path)
        return os.path.commonpath([real_root, real]) == real_root and os.path.lexists(real)
    except (OSError, ValueError):  # a name with a NUL, another drive
        return False


def read(root: str, path: str, limits: Limits) -> tuple[bytes | None, str]:
    """The bytes of a regular file inside `root`, or None and why not. A pipe is never waited for."""
    full = os.path.join(root, path)
    if not is_inside(root, full):
        return None, "leads out of the folder, and is not followed"
    try:
        handle = os.open(full, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return None, "cannot be opened"
    with os.fdopen(handle, "rb") as file:
        try:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                return None, "is not a regular file"
            if found.st_size > limits.max_bytes:
                return None, "is larger than the bound on documents"
            return file.read(limits.max_bytes), ""
        except OSError:
            return None, "cannot be read"


def read_json(root: str, path: str, limits: Limits) -> Document:
    """A JSON file of the folder; what is wrong with it is among the document's faults, never raised."""
    raw, reason = read(root, path, limits)
    if raw is None:
        return Document(b"", MISSING, (Fault(FaultKind.SYNTAX, f"the file {reason}"),), path=path)
    document = parse(raw, limits)
    document.path = path
    return document


def of_kind(listed: list[Entry], kind: Kind) -> Iterator[str]:
    """Names of the entries of one kind."""
    return (entry.name for entry in listed if entry.kind is kind)
