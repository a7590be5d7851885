"""Trees to bytes, exactly; bytes to files, all of them or none."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import count
from json.encoder import encode_basestring
from typing import Any

import orjson

from attraj.errors import AttrajError

# JSON types only: a date or a dataclass in a tree is a bug, not something to find a form for.
_OPTIONS = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS
_SURROGATE = re.compile("[\ud800-\udfff]")
_NO_MORE = object()
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


# --- trees -------------------------------------------------------------------------------------------------------


def dumps(tree: Any, *, indent: bool = False, is_finite: bool = False) -> bytes:
    """The JSON text of a tree, such that reading it gives an equal tree.

    Members keep their order; integers of any size keep every digit, -0.0 its sign, lone surrogates their escape.

    Args:
        tree: Dictionaries with text keys, lists or tuples, text, numbers, booleans, None. Never modified.
        indent: One member a line, two spaces a level.
        is_finite: The caller knows that no number is NaN or infinite, which takes a walk to find out.

    Raises:
        ValueError: When the tree holds NaN, Infinity or itself, or text that no JSON text can stand for.
        TypeError: When it holds anything that is not JSON.
    """
    try:
        data = orjson.dumps(tree, option=_OPTIONS | (orjson.OPT_INDENT_2 if indent else 0))
    except (
        TypeError
    ):  # an integer beyond 64 bits, a lone surrogate, a depth beyond 254, or no JSON: the other one knows
        return b"".join(_written(tree, indent))
    if not is_finite and b"null" in data:  # which is also what orjson makes of NaN
        _require_finite(tree)
    return data


def _require_finite(tree: Any) -> None:
    if not holds_finite(tree):
        raise ValueError("JSON has no NaN and no Infinity")


def holds_finite(tree: Any) -> bool:
    """Whether no number in a tree is NaN or infinite. Reading gives infinity for what is beyond every double."""
    left: list[Iterable[Any]] = [(tree,)]
    while left:
        for value in left.pop():
            kind = type(value)
            if kind is str:
                continue
            if kind is dict:
                left.append(value.values())
            elif kind is list or kind is tuple:
                left.append(value)
            elif kind is float and value - value != 0:
                return False
    return True


def _written(tree: Any, indent: bool) -> Iterator[bytes]:
    """The pieces of the text, in order; iterative, so that depth costs nothing."""
    colon = b": " if indent else b":"
    opened: list[tuple[Any, Iterator[Any]]] = []
    open_ids: set[int] = set()
    value, item = tree, tree
    while True:
        if type(value) in (dict, list, tuple) and value:
            if id(value) in open_ids:
                raise ValueError("the tree holds itself")
            open_ids.add(id(value))
            opened.append((value, iter(value.items() if type(value) is dict else value)))
            separator = b"{" if type(value) is dict else b"["
        else:
            yield _leaf(value)
            separator = b","
        while opened and (item := next(opened[-1][1], _NO_MORE)) is _NO_MORE:
            container, _ = opened.pop()
            open_ids.discard(id(container))
            yield _line(len(opened), indent) + (b"}" if type(container) is dict else b"]")
            separator = b","
        if not opened:
            return
        yield separator + _line(len(opened), indent)
        value = item
        if type(opened[-1][0]) is dict:
            name, value = item
            yield _text(name) + colon


def _line(level: int, indent: bool) -> bytes:
    return b"\n" + b"  " * level if indent else b""


def _leaf(value: Any) -> bytes:
    if type(value) is str:
        return _text(value)
    if type(value) is int:
        return _integer(value)
    if type(value) is float:
        _require_finite(value)
        if "e" not in (text := repr(value)):  # then both write the same
            return text.encode()
    return orjson.dumps(value, option=_OPTIONS)


def _integer(value: int) -> bytes:
    try:
        return b"%d" % value
    except ValueError:  # longer than Python itself writes
        from decimal import Decimal

        return str(Decimal(value)).encode()


def _text(value: Any) -> bytes:
    if type(value) is not str:
        raise TypeError("a member name must be text")
    quoted = encode_basestring(value)  # writes what orjson writes, but for surrogates, and is faster for short texts
    try:
        return quoted.encode()
    except UnicodeEncodeError:
        if _PAIR.search(value):
            raise ValueError("two surrogates side by side would be read as one character") from None
        return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted).encode()


# --- files -------------------------------------------------------------------------------------------------------


def write_atomic(
    path: str | os.PathLike[str], data: bytes | Iterable[bytes], *, overwrite: bool, is_synced: bool = True
) -> None:
    """Write a file such that it is there whole or not at all, whatever happens meanwhile.

    A symbolic link is replaced, not followed. A file that is replaced gives its permissions to the new one.

    Args:
        path: The file; its folder must exist.
        data: All of its bytes, or pieces that come one after another.
        overwrite: Replace a file that is there; else it stays and the call is refused, without a race.
        is_synced: Wait until the disk has it. Whoever keeps its digest, and looks at it before it is believed, need
            not: waiting takes longer than making a small file.

    Raises:
        AttrajError: With a one-line reason that does not name the path.
    """
    target = os.fspath(path)
    try:
        mode = _replaceable(target, overwrite)
        temporary, descriptor = _new_beside(target)
    except OSError as error:
        raise _unwritable(error) from error
    is_placed = False
    try:
        with open(descriptor, "wb") as stream:
            if mode is not None and hasattr(os, "fchmod"):
                os.fchmod(descriptor, mode)
            stream.writelines((data,) if isinstance(data, bytes) else data)
            stream.flush()
            if is_synced:
                os.fsync(descriptor)
        if overwrite:
            os.replace(temporary, target)
            is_placed = True
        else:
            is_placed = _put_new(temporary, target)
    except OSError as error:
        raise _unwritable(error) from error
    finally:
        if not is_placed:
            os.unlink(temporary)


def _replaceable(target: str, overwrite: bool) -> int | None:
    """The permissions of the file that will be replaced; None when there is none. Only regular files are replaced."""
    try:
        status = os.stat(target)
    except FileNotFoundError:
        if os.path.islink(target) and not overwrite:
            raise _exists() from None
        return None
    if not stat.S_ISREG(status.st_mode):
        kind = "a folder" if stat.S_ISDIR(status.st_mode) else "no regular file"
        raise AttrajError(f"the output is {kind}", hint="name a file")
    if not overwrite:
        raise _exists()
    return stat.S_IMODE(status.st_mode)


def _new_beside(target: str) -> tuple[str, int]:
    """A new file in the folder of `target` (a rename works within one file system only), open for writing."""
    folder = os.path.dirname(target)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    for number in count():
        name = os.path.join(folder, f".attraj-{os.getpid()}-{number}.tmp")
        with suppress(FileExistsError):
            return name, os.open(name, flags, 0o666)
    raise AssertionError("count ends")


def _put_new(temporary: str, target: str) -> bool:
    """Give the file its name unless something has it. Returns whether the temporary name is gone by that."""
    try:
        os.link(temporary, target)  # fails where a rename would replace
        return False
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))  # take the name, then replace what took it
    try:
        os.replace(temporary, target)
    except OSError:
        os.unlink(target)
        raise
    return True


def _exists() -> AttrajError:
    return AttrajError("the output exists", hint="remove it, name another, or allow overwriting")


# What file systems without hard links say.
_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})

_REASONS = {
    errno.ENOENT: ("the folder of the output does not exist", "make it first"),
    errno.ENOTDIR: ("the folder of the output is not a folder", "name a file in a folder"),
    errno.EACCES: ("permission denied in the folder of the output", ""),
    errno.EPERM: ("permission denied in the folder of the output", ""),
    errno.EROFS: ("the file system of the output is read-only", ""),
    errno.ENOSPC: ("no space left for the output", ""),
    errno.EDQUOT: ("no space left for the output", ""),
    errno.ENAMETOOLONG: ("the name of the output is too long", ""),
    errno.EISDIR: ("the output is a folder", "name a file"),
    errno.ELOOP: ("symbolic links that lead in a circle", ""),
}


def _unwritable(error: OSError) -> AttrajError:
    if error.errno == errno.EEXIST:
        return _exists()
    if error.errno in _REASONS:
        message, hint = _REASONS[error.errno]
        return AttrajError(message, hint=hint)
    reason = os.strerror(error.errno).lower() if error.errno else "for no given reason"
    return AttrajError(f"the output cannot be written: {reason}")
