"""Whole processes against each other: wall and processor time, peak memory, the median of pairwise ratios."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

# Ours and the peers' processes see the same surroundings; what would change a figure from machine to machine is out.
LEFT_OUT = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "PYTHONOPTIMIZE", "PYTHONHOME", "COLUMNS", "CI", "GITHUB_ACTIONS")
SET = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}


class CommandFailed(Exception):
    """A command that is measured ended otherwise than it should."""


@dataclass(frozen=True, slots=True)
class Command:
    """One process to run.

    Attributes:
        argv: Program and arguments.
        exit_code: How it must end for its time to mean anything.
        times_itself: It prints the seconds of the part that counts; they stand for its wall time.
    """

    argv: tuple[str, ...]
    exit_code: int = 0
    times_itself: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """What one process took: seconds, seconds of processor, bytes at its peak (its children's counted too)."""

    wall_s: float
    cpu_s: float
    peak_bytes: int


@dataclass(frozen=True, slots=True)
class Pairs:
    """Runs of two commands, taken in turn; the i-th of one belongs to the i-th of the other."""

    ours: tuple[Run, ...]
    base: tuple[Run, ...]

    def ratios(self, of: Callable[[Run], float]) -> list[float]:
        return [of(a) / of(b) for a, b in zip(self.ours, self.base, strict=True)]

    @property
    def ratio(self) -> float:
        """The median of the pairwise ratios of wall time: drift and noise move both of a pair."""
        return statistics.median(self.ratios(lambda run: run.wall_s))

    @property
    def spread(self) -> tuple[float, float]:
        """First and third quartile of the pairwise ratios."""
        ratios = sorted(self.ratios(lambda run: run.wall_s))
        if len(ratios) < 2:
            return ratios[0], ratios[0]
        low, _, high = statistics.quantiles(ratios, n=4, method="inclusive")
        return low, high

    @property
    def cpu_ratio(self) -> float:
        return statistics.median(self.ratios(lambda run: max(run.cpu_s, 1e-4)))

    @property
    def peak_bytes(self) -> int:
        """The highest peak of our process."""
        return max(run.peak_bytes for run in self.ours)


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    return kept | SET


def once(command: Command) -> Run:
    """Run a command to its end. Raises CommandFailed when it ends otherwise than it should."""
    out = subprocess.PIPE if command.times_itself else subprocess.DEVNULL
    begin = time.perf_counter()
    process = subprocess.Popen(
        command.argv, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL, env=environment()
    )
    printed = process.stdout.read() if process.stdout else b""
    _, status, used = os.wait4(process.pid, 0)
    wall_s = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)  # reaped here: Popen must not wait for it again
    if process.stdout:
        process.stdout.close()
    if process.returncode != command.exit_code:
        raise CommandFailed(f"exit {process.returncode} instead of {command.exit_code}: {' '.join(command.argv)}")
    if command.times_itself:
        wall_s = float(printed)
    return Run(wall_s, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def pairs(ours: Command, base: Command, count: int) -> Pairs:
    """Run both once to warm the caches, then `count` pairs; who goes first changes with every pair."""
    once(ours)
    once(base)
    taken: list[tuple[Run, Run]] = []
    for turn in range(count):
        first, second = (ours, base) if turn % 2 == 0 else (base, ours)
        runs = once(first), once(second)
        taken.append(runs if turn % 2 == 0 else (runs[1], runs[0]))
    return Pairs(tuple(a for a, _ in taken), tuple(b for _, b in taken))


def alone(command: Command, count: int) -> Sequence[Run]:
    """Runs of one command, for what has nothing to be compared with."""
    return [once(command) for _ in range(count)]


def output(argv: Sequence[str]) -> str:
    """What a command prints on both streams, whatever its exit code."""
    done = subprocess.run(argv, capture_output=True, text=True, env=environment(), check=False)
    return done.stdout + done.stderr
