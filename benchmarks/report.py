"""A measured row as a line on the terminal and in RESULTS.md: ratios, and no name of the machine that measured."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from benchmarks.measure import Pairs
from benchmarks.targets import ALLOWANCE, Target

Verdict = Literal["met", "met with allowance", "missed", "informs", "not measured"]


@dataclass(frozen=True, slots=True)
class Row:
    """What came of one target.

    Attributes:
        pairs: None when it could not be measured, or has no times.
        input_bytes: Size of the input that the peak is compared with; 0 for none.
        found: Modules that were imported and should not have been; None when that was not asked.
        absent: Why it was not measured; "" when it was.
    """

    target: Target
    pairs: Pairs | None = None
    input_bytes: int = 0
    found: tuple[str, ...] | None = None
    absent: str = ""

    @property
    def peak_ratio(self) -> float:
        return self.pairs.peak_bytes / self.input_bytes if self.pairs and self.input_bytes else 0.0

    @property
    def verdict(self) -> Verdict:
        target = self.target
        if self.absent:
            return "not measured"
        if self.found is not None:
            return "missed" if self.found else "met"
        assert self.pairs is not None  # a row is absent, or counted modules, or was timed
        is_too_big = bool(target.peak_mb and self.pairs.peak_bytes > target.peak_mb * 1e6)
        is_too_big = is_too_big or bool(target.peak_at_most and self.peak_ratio > target.peak_at_most)
        if is_too_big:
            return "missed"  # memory does not vary with the load of the machine: no allowance
        if target.at_most is None:
            return "met" if target.peak_mb else "informs"
        if self.pairs.ratio <= target.at_most:
            return "met"
        return "met with allowance" if self.pairs.ratio <= target.at_most * ALLOWANCE else "missed"

    def cells(self) -> list[str]:
        """Id, what, against, ratio, quartiles, processor ratio, target, peak, its target, verdict."""
        target = self.target
        ratio = spread = cpu = peak = "–"
        if self.pairs:
            low, high = self.pairs.spread
            ratio, spread = f"{self.pairs.ratio:.2f}", f"{low:.2f} – {high:.2f}"
            cpu = "–" if target.times_itself or target.has_workers else f"{self.pairs.cpu_ratio:.2f}"
            if target.peak_of:
                peak = f"{self.pairs.peak_bytes / 1e6:.0f} MB ({self.peak_ratio:.1f}x)"
        elif self.found is not None:
            ratio = ", ".join(self.found) or "none"
        at_most = f"≤ {target.at_most:g}" if target.at_most is not None else "none" if target.absent_modules else "–"
        peak_at_most = f"≤ {target.peak_mb:g} MB" if target.peak_mb else "–"
        if target.peak_at_most:
            peak_at_most = f"≤ {target.peak_at_most:g}x"
        verdict = f"{self.verdict}: {self.absent}" if self.absent else self.verdict
        return [target.id, target.what, target.against, ratio, spread, cpu, at_most, peak, peak_at_most, verdict]


HEADINGS = ["", "what", "against", "ratio", "quartiles", "cpu", "target", "peak", "target", "verdict"]


def line(row: Row) -> str:
    """One row for the terminal."""
    name, what, against, ratio, spread, cpu, at_most, peak, peak_at_most, verdict = row.cells()
    memory = f"  peak {peak} {peak_at_most}" if peak != "–" else ""
    return f"{name:5}{what} / {against}: {ratio} ({spread}; cpu {cpu}) {at_most}{memory}  {verdict}"


def markdown(rows: Sequence[Row], versions: dict[str, str], date: str) -> str:
    """RESULTS.md. `date` is printed as given; "" leaves it out."""
    missed = sum(row.verdict == "missed" for row in rows)
    measured = sum(row.verdict != "not measured" for row in rows)
    table = [
        "| " + " | ".join(cells) + " |" for cells in (HEADINGS, ["---"] * len(HEADINGS), *(r.cells() for r in rows))
    ]
    lines = [
        "# Measurements",
        "",
        "Written by `make bench`. Two commands run in turn, as whole processes; the ratio is the median over the pairs",
        "of ours to theirs, so it hardly depends on the machine. Times count as met with allowance up to "
        f"{ALLOWANCE - 1:.0%} above",
        "the target; memory has no allowance. P12 times the operation alone, on a tree in memory.",
        "`python` is the interpreter of the environment in which attraj is installed as a wheel.",
        "",
        *([f"Date: {date}", ""] if date else []),
        f"Machine: {machine()}",
        "",
        "Versions: " + ", ".join(f"{name} {version}" for name, version in versions.items()),
        "",
        f"{measured} rows measured, {missed} missed.",
        "",
        *table,
        "",
    ]
    return "\n".join(lines)


def machine() -> str:
    """Kind of processor, cores, memory, system: what explains a figure, and names no machine."""
    return ", ".join(filter(None, (_processor(), f"{os.cpu_count()} cores", _memory(), platform.system())))


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [text.split(":", 1)[1].strip() for text in file if text.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.machine()


def _memory() -> str:
    try:
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"
    except (ValueError, OSError):
        return ""
