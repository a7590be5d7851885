"""One run at a time in an output folder."""

from __future__ import annotations

import os
from collections.abc import Iterable
from types import TracebackType

from attraj.errors import AttrajError

_NAME = "lock"


class FolderLock:
    """Held from `__enter__` to `__exit__`, and given up by the system when the process dies, however it dies.

    Args:
        folder: Of the bookkeeping; it is made when it is not there.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._descriptor = -1

    def __enter__(self) -> FolderLock:
        try:
            os.makedirs(self._folder, exist_ok=True)
            path = os.path.join(self._folder, _NAME)
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        except OSError as error:
            what = f"`{os.path.basename(self._folder)}` in the output folder"
            raise AttrajError(f"{what} cannot be written: {reason_of(error)}") from error
        try:
            _lock(self._descriptor)
        except OSError as error:
            os.close(self._descriptor)
            raise in_use() from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # The file stays: whoever waits for it may have it open already, and would lock a file without a name.
        os.close(self._descriptor)


def is_held(folder: str) -> bool:
    """Whether a run holds the lock of this folder; nothing is made."""
    try:
        descriptor = os.open(os.path.join(folder, _NAME), os.O_RDWR)
    except OSError:
        return False
    try:
        _lock(descriptor)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def in_use() -> AttrajError:
    """What keeps a run from starting while another one writes."""
    return AttrajError(
        "another run of attraj writes to this folder", hint="wait for it, or name another folder with -o"
    )


def require_no_links(folder: str, names: Iterable[str]) -> None:
    """Raise AttrajError where a link would lead the bookkeeping out of the output folder."""
    if not is_below(os.path.realpath(folder), os.path.realpath(os.path.dirname(folder))):
        raise AttrajError("a link in the output folder leads out of it")
    for name in (*names, _NAME):
        if os.path.islink(os.path.join(folder, name)):
            raise AttrajError(f"`{os.path.basename(folder)}/{name}` in the output folder is a link")


def is_below(path: str, folder: str) -> bool:
    """Whether a real path lies in this real folder, at any depth."""
    return path.startswith(folder.rstrip(os.sep) + os.sep)


def is_inside(folder: str, out: str) -> bool:
    """Whether no link leads a folder out of the output folder, which it may be itself."""
    real, root = os.path.realpath(folder), os.path.realpath(out)
    return real == root or is_below(real, root)


def reason_of(error: OSError) -> str:
    """Why something cannot be written, in the system's words, which name nothing."""
    return os.strerror(error.errno).lower() if error.errno else "for no given reason"


def _lock(descriptor: int) -> None:
    """Raises OSError when another process holds it."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        return
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
