"""Command transcripts in Markdown: run what a page shows, and compare with what it says.

In a block that begins with ```console, a line after `$ ` is a command (run by bash in the repository's root), what
follows is its standard output, `2> ` starts a line of standard error, and `=> 1` ends it with an exit code that is
not 0. A line that holds only `…` stands for any number of lines.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support import REPOSITORY

_BLOCK = re.compile(r"^```console\n(?P<body>.*?)^```$", re.M | re.S)
ELLIPSIS = "…"


@dataclass(frozen=True)
class Command:
    """One command of a page, and what the page says that it prints."""

    page: Path
    line: int
    text: str
    expected: tuple[str, ...]


def commands(page: Path) -> Iterator[Command]:
    """The commands of a page, in its order."""
    source = page.read_text(encoding="utf-8")
    for block in _BLOCK.finditer(source):
        first = source.count("\n", 0, block.start("body")) + 1
        yield from _commands(page, first, block["body"].splitlines())


def _commands(page: Path, first: int, lines: list[str]) -> Iterator[Command]:
    starts = [i for i, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield Command(page, first + start, lines[start][2:], tuple(lines[start + 1 : end]))


def run(command: Command, folder: Path = REPOSITORY) -> tuple[str, ...]:
    """What the command prints, in the form of a transcript. `attraj` is the one under test."""
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "PYTHONIOENCODING")}
    environment["PATH"] = f"{shim()}{os.pathsep}{environment['PATH']}"
    environment["LC_ALL"] = "C.UTF-8"
    done = subprocess.run(
        ["bash", "-c", command.text],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    printed = done.stdout.splitlines()
    printed += [f"2> {line}".rstrip() for line in done.stderr.splitlines()]
    if done.returncode:
        printed.append(f"=> {done.returncode}")
    return tuple(line.rstrip() for line in printed)


def agrees(expected: tuple[str, ...], printed: tuple[str, ...]) -> bool:
    """Whether the output is what the page says; `…` on a line of its own stands for any lines."""
    expected = tuple(line.rstrip() for line in expected)
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == ELLIPSIS else re.escape(line) + r"\n" for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def accept(command: Command, printed: tuple[str, ...]) -> None:
    """Rewrite the page so that it says what was printed."""
    lines = command.page.read_text(encoding="utf-8").splitlines(keepends=True)
    start = command.line
    lines[start : start + len(command.expected)] = [line + "\n" for line in printed]
    command.page.write_text("".join(lines), encoding="utf-8")


def shim() -> Path:
    """A folder whose only program is `attraj`, run by this interpreter from the sources under test."""
    folder = Path(os.environ.get("TMPDIR", "/tmp")) / f"attraj-shim-{os.getuid()}-{os.getpid()}"
    program = folder / "attraj"
    if not program.exists():
        folder.mkdir(exist_ok=True)
        source = REPOSITORY / "src"
        text = f'#!/bin/sh\nPYTHONPATH="{source}${{PYTHONPATH:+:$PYTHONPATH}}" exec "{sys.executable}" -m attraj "$@"\n'
        program.write_text(text, encoding="utf-8")
        program.chmod(0o755)
    return folder
