"""Standard output and what may be drawn on it."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable

from attraj.errors import AttrajError, ReaderLeft


def standard_output() -> Callable[[str], object]:
    """A function that writes text to standard output, whatever the locale can show (the rest as escapes).

    It raises ReaderLeft when nobody reads any more, and AttrajError when nothing can be written.
    """
    stream = sys.stdout
    if stream is None:
        raise AttrajError("standard output is closed", hint="redirect it to a file, or to /dev/null")
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")

    def write(text: str) -> None:
        try:
            stream.write(text)
        except OSError as error:
            raise _cannot_write(error) from None

    return write


def account_output() -> Callable[[str], object]:
    """As `standard_output`, for a command whose product goes elsewhere: it goes on when nobody reads any more.

    A run that stopped there would leave half of its product, since a reader of the account had seen enough.
    """
    write = standard_output()

    def go_on(text: str) -> None:
        with contextlib.suppress(ReaderLeft):
            write(text)

    return go_on


def standard_error() -> Callable[[str], object]:
    """A function that writes to standard error as long as it is there: the product goes to standard output."""

    def write(text: str) -> None:
        if sys.stderr is not None:
            with contextlib.suppress(OSError):
                sys.stderr.write(text)

    return write


def flush_account() -> None:
    """Write out what of an account standard output still holds, whether or not anybody reads it."""
    with contextlib.suppress(ReaderLeft):
        flush()


def write_bytes(data: bytes) -> None:
    """Write bytes to standard output as they are. Raises as `standard_output` does."""
    standard_output()("")
    flush()
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except OSError as error:
        raise _cannot_write(error) from None


def write_private(path: str, data: bytes, *, overwrite: bool) -> None:
    """Write a file that its owner alone may read. Raises AttrajError as `write_atomic` does."""
    from attraj.jsonio.write import write_atomic  # only where there is such a file

    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    old = os.umask(0o077)  # 0600 from the first byte on
    try:
        write_atomic(path, data, overwrite=overwrite)
    finally:
        os.umask(old)


def flush() -> None:
    """Write out what standard output still holds. Raises as `standard_output` does."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError as error:
        raise _cannot_write(error) from None


def _cannot_write(error: OSError) -> Exception:
    # What is left in the buffer would be tried again, and heard of, when the stream is closed.
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return ReaderLeft()
    return AttrajError(f"standard output cannot be written: {(error.strerror or 'unknown').lower()}")


def may_colour() -> bool:
    """Whether standard output is a terminal that wants colour (https://no-color.org)."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout is not None and sys.stdout.isatty()


def columns() -> int:
    """Width of the terminal; 80 when there is none or it does not say."""
    import shutil

    return shutil.get_terminal_size((80, 24)).columns or 80


def step_summary() -> Callable[[str], object] | None:
    """Where GitHub Actions wants the summary of a step; None elsewhere."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return None

    def write(text: str) -> None:
        try:
            with open(path, "a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
        except OSError as error:  # the verdict is not lost with it
            sys.stderr.write(f"attraj: the step summary cannot be written: {(error.strerror or 'unknown').lower()}\n")

    return write


def read_key(path: str | None) -> bytes:
    """The key in a file; b"" when none is asked for. Raises AttrajError when it is short or cannot be read."""
    if path is None:
        return b""
    try:
        with open(path, "rb") as file:
            key = file.read().strip()
    except OSError as error:
        raise AttrajError(f"{path}: {(error.strerror or 'cannot be read').lower()}") from error
    if len(key) < 32:
        raise AttrajError(f"{path}: a key has 32 bytes or more", hint="head -c 32 /dev/urandom > FILE")
    return key
