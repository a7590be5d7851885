"""Standard output and what may be drawn on it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from attraj.errors import AttrajError


def standard_output() -> Callable[[str], object]:
    """A function that writes text to standard output, whatever the locale can show (the rest as escapes)."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
    return sys.stdout.write


def may_colour() -> bool:
    """Whether standard output is a terminal that wants colour (https://no-color.org)."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()


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
        with open(path, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)

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
