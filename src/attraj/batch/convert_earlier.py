"""Outputs of earlier runs in a folder that a run writes anew: a data set must not keep what its inputs no longer give.

`earlier.jsonl`, in the bookkeeping, holds what the manifests that were written over spoke of, until the run that took
their place has ended; a run that is killed before leaves it to the one that goes on.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Container, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from attraj.batch.convert_lock import is_inside
from attraj.batch.convert_plan import MANIFEST, Plan, is_protected
from attraj.jsonio.write import dumps

EARLIER = "earlier.jsonl"


class Cleared(NamedTuple):
    """What became of files that an earlier run wrote, and this one does not give.

    Attributes:
        removed: How many were what that run wrote, which was one over the same paths to the same format.
        left: Paths within the output folder of the others: somebody changed them, or that run was another one.
    """

    removed: int = 0
    left: tuple[str, ...] = ()


def remember(books: str) -> None:
    """Keep what the manifest says of outputs, before it is written over. Raises OSError."""
    header: dict[str, Any] = {}
    with open(os.path.join(books, MANIFEST), "rb") as manifest, open(os.path.join(books, EARLIER), "ab") as kept:
        for line in manifest:
            value = object_of(line) or {}
            header = header or value
            for output in _list(value.get("outputs")):
                if type(output) is dict:
                    facts = {name: output.get(name) for name in ("path", "bytes", "sha256")}
                    run = {"to": header.get("to"), "given_id": header.get("given_id")}
                    kept.write(dumps({**facts, **run}) + b"\n")
        kept.flush()
        os.fsync(kept.fileno())


def clear(books: str, plan: Plan, given: Container[str]) -> Cleared:
    """Remove what earlier runs wrote and this one does not give, where it is what they wrote.

    Args:
        books: Folder of the bookkeeping.
        plan: Of this run.
        given: Paths within the output folder of what this run gives.
    """
    out = plan.destination
    known: dict[str, list[dict[str, Any]]] = {}
    for value in _lines(os.path.join(books, EARLIER)):
        name = value.get("path")
        if type(name) is str and name not in given and _is_within(out.path, name):
            known.setdefault(name, []).append(value)
    removed, left = 0, list[str]()
    for name in sorted(known, key=os.fsencode):
        path = out.place(name)
        if not os.path.lexists(path) or is_protected(path, plan.protected):
            continue
        if any(_is_ours(one, plan) and _holds(path, one) for one in known[name]) and _remove(path, out.path):
            removed += 1
        else:
            left.append(name)
    with suppress(OSError):
        os.unlink(os.path.join(books, EARLIER))
    return Cleared(removed, tuple(left))


def holds(path: str, size: Any, sha256: Any) -> bool:
    """Whether a regular file has this many bytes, and this digest."""
    try:
        facts = os.lstat(path)
        return stat.S_ISREG(facts.st_mode) and facts.st_size == size and file_sha256(path) == sha256
    except OSError:
        return False


def file_sha256(path: str) -> str:
    """Digest of a file, in hexadecimal. Raises OSError."""
    import hashlib  # takes milliseconds to import

    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _holds(path: str, value: dict[str, Any]) -> bool:
    return holds(path, value.get("bytes"), value.get("sha256"))


def _is_ours(value: dict[str, Any], plan: Plan) -> bool:
    """Whether the run that wrote it was asked for the same: another one may be wanted beside this one."""
    return bool(value.get("to") == plan.to and value.get("given_id") == plan.given_id)


def _is_within(out: str, name: str) -> bool:
    """Whether a name out of a file leads to a file in the output folder, and not by a link out of it."""
    if name.startswith("/") or "\0" in name or any(part in ("", ".", "..") for part in name.split("/")):
        return False
    return is_inside(os.path.join(out, *name.split("/")[:-1]), out)


def _remove(path: str, out: str) -> bool:
    """Remove a file, and the folders that are empty without it."""
    try:
        os.unlink(path)
    except OSError:
        return False
    above, root = os.path.dirname(path), os.path.normpath(out)
    with suppress(OSError):
        while os.path.normpath(above) != root:
            os.rmdir(above)
            above = os.path.dirname(above)
    return True


def _lines(path: str) -> Iterator[dict[str, Any]]:
    with suppress(OSError), open(path, "rb") as file:
        yield from (object_of(line) or {} for line in file)


def object_of(line: bytes) -> dict[str, Any] | None:
    """The object of a line; None for a line that holds none."""
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if type(value) is dict else None


def _list(value: Any) -> list[Any]:
    return value if type(value) is list else []
