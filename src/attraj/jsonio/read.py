"""Files, streams and compressed files to bytes, within bounds.

Messages say what is wrong and never name the path: the caller has it, and may want to escape it.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable

from attraj.errors import Unreadable
from attraj.jsonio.document import Document
from attraj.jsonio.split import documents
from attraj.limits import DEFAULT_LIMITS, Limits

_CHUNK = 1 << 20
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5"
# Opening a pipe that took the place of a file must not wait for a writer; on Windows, line ends stay as they are.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)

_KINDS = (
    (stat.S_ISDIR, "a folder, not a file", ""),
    (stat.S_ISFIFO, "a named pipe, not a file", "pipe it in and name the input -"),
    (stat.S_ISSOCK, "a socket, not a file", ""),
    (stat.S_ISCHR, "a device, not a file", "pipe it in and name the input -"),
    (stat.S_ISBLK, "a device, not a file", ""),
)

_REASONS = {
    errno.ENOENT: ("no such file", "check the name"),
    errno.ENOTDIR: ("no such file: a part of the path is not a folder", "check the name"),
    errno.EACCES: ("permission denied", "make it readable for this user"),
    errno.EPERM: ("permission denied", "make it readable for this user"),
    errno.ELOOP: ("symbolic links that lead in a circle", ""),
    errno.ENAMETOOLONG: ("the path is too long", ""),
    errno.EISDIR: ("a folder, not a file", ""),
}


def read_bytes(path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> bytes:
    """The bytes of a regular file, expanded when they are gzip or Zstandard.

    Args:
        path: The file; a symbolic link is followed.
        limits: `max_bytes` bounds both the file and what it expands to.

    Raises:
        Unreadable: With a one-line reason that does not name the path.
    """
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise _not_a_file(status.st_mode)
        if status.st_size > limits.max_bytes:
            raise _too_large(limits)
        data = _read_whole(path, status.st_size, limits)
    except OSError as error:
        raise _unreadable(error, path) from error
    except ValueError as error:  # a NUL in the path, or a character that the file system's encoding lacks
        raise Unreadable("this is not a valid path") from error
    if data[:2] in (_GZIP, _ZSTD):
        return _expanded(data, limits)
    return data


def read_stdin(limits: Limits = DEFAULT_LIMITS) -> bytes:
    """The bytes of standard input, expanded when they are gzip or Zstandard.

    Raises:
        Unreadable: When it is closed, a terminal, empty, or larger than `max_bytes`.
    """
    if sys.stdin is None or sys.stdin.closed:
        raise Unreadable("standard input is closed")
    if sys.stdin.isatty():
        raise Unreadable("standard input is a terminal", hint="pipe a document in, or name a file")
    stream = sys.stdin.buffer
    try:
        data = _collected(lambda: stream.read(_CHUNK), 0, limits)
    except OSError as error:  # a folder can be standard input
        raise _unreadable(error) from error
    if not data:
        raise Unreadable("standard input is empty")
    if data[:2] in (_GZIP, _ZSTD):
        return _expanded(data, limits)
    return data


def load(path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> Document:
    """Read one document from a file. Raises Unreadable when the file holds none or several."""
    found = list(documents(read_bytes(path, limits), limits))
    if len(found) != 1:
        raise Unreadable(f"expected one document, found {len(found)}", hint="use attraj.jsonio.documents")
    found[0].path = os.fspath(path)
    return found[0]


def _read_whole(path: str | os.PathLike[str], size: int, limits: Limits) -> bytes:
    descriptor = os.open(path, _FLAGS)
    try:
        data = os.read(descriptor, size + 1)  # one byte more tells a file that has grown from one that ends here
        if len(data) == size:
            return data
        return data + _collected(lambda: os.read(descriptor, _CHUNK), len(data), limits)
    finally:
        os.close(descriptor)


def _collected(read: Callable[[], bytes], size: int, limits: Limits) -> bytes:
    """What `read` gives until it gives nothing; `size` is what was read before."""
    pieces: list[bytes] = []
    while piece := read():
        pieces.append(piece)
        size += len(piece)
        if size > limits.max_bytes:
            raise _too_large(limits)
    return b"".join(pieces)


def _expanded(data: bytes, limits: Limits) -> bytes:
    from attraj.jsonio.compressed import expand  # only for compressed files

    return expand(data, limits)


def _too_large(limits: Limits) -> Unreadable:
    return Unreadable(f"larger than {limits.max_bytes} bytes", hint="raise the limit with --max-bytes")


def _not_a_file(mode: int) -> Unreadable:
    for is_kind, message, hint in _KINDS:
        if is_kind(mode):
            return Unreadable(message, hint=hint)
    return Unreadable("not a regular file")


def _unreadable(error: OSError, path: str | os.PathLike[str] | None = None) -> Unreadable:
    if error.errno == errno.ENOENT and path is not None and os.path.islink(path):
        return Unreadable("a symbolic link to nothing")
    if error.errno in _REASONS:
        message, hint = _REASONS[error.errno]
        return Unreadable(message, hint=hint)
    reason = os.strerror(error.errno).lower() if error.errno else "for no given reason"
    return Unreadable(f"cannot be read: {reason}")
