"""Files that a document names: whether they are there, without leaving the document's folder or opening anything."""

from __future__ import annotations

import os
import stat
from enum import Enum, auto

MAX_LINKS = 40  # as the kernel: more symbolic links on one way are a loop
MAX_PATH = 4095  # PATH_MAX of Linux less its NUL; longer ones raise OSError in readers


class Place(Enum):
    """What a path of a document leads to."""

    FILE = auto()
    FOLDER = auto()
    MISSING = auto()
    EMPTY = auto()  # ""
    URL = auto()  # anything with "://", as Harbor tells them
    DATA = auto()  # a data: URI
    ABSOLUTE = auto()  # never looked at
    OUTSIDE = auto()  # leaves the folder, by ".." or by a symbolic link; never looked at
    INVALID = auto()  # NUL or half a character: no file can have this name
    REFUSED = auto()  # too long, or another error of the system
    UNKNOWN = auto()  # a relative path, and no folder to look in


def look_up(folder: str, path: str) -> Place:
    """Where `path` leads, seen from `folder`; "" for a folder that is not known.

    Only names inside the folder are looked at, one component at a time, so that no symbolic link leads out unseen.
    """
    place = by_form(path)
    if place is not None:
        return place
    if not folder:
        return Place.UNKNOWN
    try:
        if len(os.fsencode(path)) + len(os.fsencode(folder)) >= MAX_PATH:
            return Place.REFUSED
        return _walk(folder, path)
    except FileNotFoundError:
        return Place.MISSING
    except NotADirectoryError:
        return Place.MISSING
    except OSError:
        return Place.REFUSED
    except ValueError:  # half a character that no file system encoding takes
        return Place.INVALID


def by_form(path: str) -> Place | None:
    """What the text alone tells; None when it is a relative path that stays in the folder."""
    if not path:
        return Place.EMPTY
    if "://" in path:
        return Place.URL
    if path[:5].lower() == "data:":
        return Place.DATA
    if "\0" in path:
        return Place.INVALID
    if path[0] in "/\\" or (path[1:2] == ":" and path[0].isalpha() and path[2:3] in ("/", "\\")):
        return Place.ABSOLUTE
    depth = 0
    for part in path.replace("\\", "/").split("/"):
        if part == "..":
            depth -= 1
            if depth < 0:
                return Place.OUTSIDE
        elif part not in ("", "."):
            depth += 1
    return None


def _walk(folder: str, path: str) -> Place:
    root = here = os.path.realpath(folder)
    links = 0
    is_folder = True
    pending = path.split("/")[::-1]
    while pending:
        part = pending.pop()
        if part in ("", "."):
            continue
        if not is_folder:
            return Place.MISSING
        if part == "..":
            if here == root:
                return Place.OUTSIDE
            here = os.path.dirname(here)
            continue
        at = os.path.join(here, part)
        mode = os.lstat(at).st_mode
        if stat.S_ISLNK(mode):
            links += 1
            if links > MAX_LINKS:
                return Place.MISSING
            target = os.readlink(at)
            if os.path.isabs(target):
                if target != root and not target.startswith(root.rstrip("/") + "/"):
                    return Place.OUTSIDE
                here, target = root, target[len(root) :]
            pending.extend(target.split("/")[::-1])
        else:
            here, is_folder = at, stat.S_ISDIR(mode)
    return Place.FOLDER if is_folder else Place.FILE
