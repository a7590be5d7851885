"""A bar on standard error for work that takes long, where somebody can see it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

Write = Callable[[str], object]


class Bar:
    """A bar on standard error with the rate and the time that is left. Where there is no terminal, nothing.

    Args:
        total: Number of inputs.
        done: How many of them an earlier run has done: they say nothing about the rate.
        is_wanted: Draw it.
    """

    def __init__(self, total: int, done: int = 0, *, is_wanted: bool) -> None:
        self._progress: Any = None
        self._before = done
        if is_wanted and total > 1:
            from rich.console import Console  # 60 ms, and only for a terminal
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn

            self._progress = Progress(
                TextColumn("converting"),
                BarColumn(),
                MofNCompleteColumn(),
                TaskProgressColumn(),
                TextColumn("{task.fields[pace]}"),
                console=Console(stderr=True),
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._task = self._progress.add_task("", total=total, completed=done, pace="")

    def __enter__(self) -> Bar:
        if self._progress is not None:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            with suppress(OSError):  # the terminal is gone
                self._progress.stop()
            self._progress = None

    def advance(self) -> None:
        """One input is done."""
        if self._progress is None:
            return
        task = self._progress.tasks[0]
        done = task.completed + 1 - self._before
        self._progress.update(self._task, advance=1, pace=pace(done, task.elapsed or 0.0, int(task.remaining) - 1))

    def beside(self, write: Write) -> Write:
        """A function that writes as `write` does, without the bar in between."""
        if self._progress is None:
            return write

        def beside(text: str) -> None:
            if self._progress is None:  # what is said after the end
                write(text)
                return
            self._progress.stop()
            write(text)
            self._progress.start()

        return beside


def pace(done: float, elapsed_s: float, left: int) -> str:
    """The rate since the start, and the time that the rest takes at it: results come in bursts."""
    if done <= 0 or elapsed_s <= 0:
        return ""
    rate = done / elapsed_s
    minutes, seconds = divmod(round(left / rate), 60)
    hours, minutes = divmod(minutes, 60)
    speed = f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"
    return f"{speed}/s, {hours}:{minutes:02}:{seconds:02} left"
