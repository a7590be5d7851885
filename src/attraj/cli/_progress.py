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
        is_wanted: Draw it; only a terminal that can gets one.
    """

    def __init__(self, total: int, *, is_wanted: bool) -> None:
        self._progress: Any = None
        if is_wanted and total > 1:
            from rich.console import Console  # 60 ms, and only for a terminal
            from rich.progress import (
                BarColumn,
                MofNCompleteColumn,
                Progress,
                TaskProgressColumn,
                TextColumn,
                TimeRemainingColumn,
            )

            self._progress = Progress(
                TextColumn("converting"),
                BarColumn(),
                MofNCompleteColumn(),
                TaskProgressColumn(show_speed=True),
                TextColumn("{task.fields[rate]}"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._task = self._progress.add_task("", total=total, rate="")

    def __enter__(self) -> Bar:
        if self._progress is not None:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            with suppress(OSError):  # the terminal is gone
                self._progress.stop()

    def advance(self) -> None:
        """One input is done."""
        if self._progress is None:
            return
        speed = self._progress.tasks[0].speed
        self._progress.update(self._task, advance=1, rate="" if speed is None else f"{speed:,.0f}/s")

    def beside(self, write: Write) -> Write:
        """A function that writes as `write` does, without the bar in between."""
        if self._progress is None:
            return write

        def beside(text: str) -> None:
            self._progress.stop()
            write(text)
            self._progress.start()

        return beside
