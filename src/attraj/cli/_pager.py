"""Long text for a person: through a pager when there is a terminal and the text does not fit on it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from attraj.cli._io import columns, flush, may_colour, standard_output
from attraj.reports.layout import View


def standard_view(is_full: bool) -> View:
    """How content is laid out on this terminal, or for whatever standard output is."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower()
    return View(columns(), may_colour(), unicode="utf" in encoding, is_full=is_full)


def write_lines(lines: Iterable[str], *, may_page: bool) -> None:
    """Write lines to standard output as they come, through a pager when they do not fit on the terminal.

    Args:
        lines: Without line ends; safe for a terminal.
        may_page: Whether a pager is wanted at all; none is used unless standard output is a terminal.
    """
    write = standard_output()
    pending = iter(lines)
    command = _command() if may_page and sys.stdout.isatty() else []
    if command:
        height = shutil.get_terminal_size((80, 24)).lines or 24
        first = list(islice(pending, height - 1))
        pending = chain(first, pending)
        if len(first) == height - 1 and _page(command, pending):
            return
    for line in pending:
        write(line + "\n")
    flush()


def _command() -> list[str]:
    """The user's pager, else less with colours; [] when there is none, or none is wanted."""
    asked = os.environ.get("PAGER")
    if asked is None:
        return ["less", "-R"] if shutil.which("less") else []
    try:
        words = shlex.split(asked)
    except ValueError:  # an open quote
        return []
    return words if words and shutil.which(words[0]) else []


def _page(command: list[str], lines: Iterator[str]) -> bool:
    """Hand the lines to the pager until it has enough; False when it does not start."""
    try:
        pager = subprocess.Popen(command, stdin=subprocess.PIPE)
    except OSError:
        return False
    assert pager.stdin is not None
    encoding = sys.stdout.encoding or "utf-8"
    try:
        for line in lines:
            pager.stdin.write((line + "\n").encode(encoding, "backslashreplace"))
        pager.stdin.close()
    except BrokenPipeError:  # the reader has seen enough
        pass
    except KeyboardInterrupt:  # meant for the pager, which stays
        pass
    while True:
        try:
            pager.wait()
            return True
        except KeyboardInterrupt:
            continue
