"""Standard output and what may be drawn on it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable


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
