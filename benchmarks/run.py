"""Measure attraj against its peers: `make bench`, or `python -m benchmarks.run --only P3,P8 --quick`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import environments, inputs, measure, report
from benchmarks.environments import Absent, Environment
from benchmarks.measure import Command, CommandFailed
from benchmarks.report import Row
from benchmarks.targets import TARGETS, Target

HERE = Path(__file__).resolve().parent
QUICK_PAIRS = 3


@dataclass(frozen=True, slots=True)
class Bench:
    """What the words of a command stand for on this machine."""

    ours: Environment

    def command(self, words: Sequence[str], exit_code: int = 0, *, times_itself: bool = False) -> Command:
        return Command(tuple(self._word(word) for word in words), exit_code, times_itself)

    def _word(self, word: str) -> str:
        if not word.startswith("@"):
            return word
        name = word[1:]
        if name in ("attraj", "python"):
            return str(getattr(self.ours, name))
        if name in environments.REQUIREMENTS:
            peer = environments.peer(name)
            return peer.program(name) if name in environments.PROGRAMS else peer.python
        if name == "jq":
            return environments.jq()
        if name in ("timed", "loop", "redactor", "converter"):
            return str(HERE / f"{name}.py")
        if name.startswith("out-"):
            folder, _, file = name.partition("/")
            return str(inputs.output(folder) / file)
        return str(inputs.path_of(name))

    def row(self, target: Target, count: int) -> Row:
        """Measure one target. A peer that is not here is said in the row."""
        try:
            if target.absent_modules:
                return Row(target, found=self._imported(target))
            ours = self.command(target.ours, target.exit_code, times_itself=target.times_itself)
            base = self.command(target.base, times_itself=target.times_itself)
        except Absent as absent:
            return Row(target, absent=str(absent))
        size = inputs.size_of(target.peak_of) if target.peak_of else 0
        return Row(target, measure.pairs(ours, base, count), size)

    def _imported(self, target: Target) -> tuple[str, ...]:
        """Those of the packages that should be absent which our command imports, with the number of their modules."""
        argv = self.command(target.ours).argv
        told = measure.output((self.ours.python, "-X", "importtime", "-m", *(Path(argv[0]).name, *argv[1:])))
        modules = [text.rsplit("|", 1)[1].strip() for text in told.splitlines() if text.startswith("import time:")]
        counts = {name: sum(_is_of(module, name) for module in modules) for name in target.absent_modules}
        return tuple(f"{name} ({count})" for name, count in counts.items() if count)

    def versions(self) -> dict[str, str]:
        """Versions of what was measured, without a path."""
        found = {"Python": ".".join(map(str, sys.version_info[:3]))}
        found |= {name: self.ours.version(name) for name in ("attraj", "typer", "jiter", "orjson", "ahocorasick-rs")}
        for name in environments.REQUIREMENTS:
            try:
                package = environments.REQUIREMENTS[name].partition("==")[0]
                found[name] = environments.peer(name).version(package)
            except Absent as absent:
                found[name] = f"absent ({absent})"
        try:
            found["jq"] = measure.output((environments.jq(), "--version")).strip().removeprefix("jq-")
        except Absent:
            found["jq"] = "absent"
        return found


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when no target is missed, 1 otherwise."""
    asked = _parser().parse_args(arguments)
    targets = _chosen(asked)
    bench = Bench(environments.ours())
    rows: list[Row] = []
    for target in targets:
        count = asked.runs or (min(target.pairs, QUICK_PAIRS) if asked.quick else target.pairs)
        try:
            rows.append(bench.row(target, count))
        except CommandFailed as failed:
            rows.append(Row(target, absent=str(failed).replace(str(HERE), "benchmarks")))
        print(report.line(rows[-1]), flush=True)
    is_whole = not (asked.only or asked.quick)
    if asked.results or is_whole:
        place = Path(asked.results or HERE / "RESULTS.md")
        place.write_text(report.markdown(rows, bench.versions(), asked.date), encoding="utf-8")
    return int(any(row.verdict == "missed" for row in rows))


def _is_of(module: str, package: str) -> bool:
    """Whether a module belongs to a package, or to its compiled part: pydantic_core is pydantic's."""
    root = module.partition(".")[0]
    return root == package or root.startswith(f"{package}_")


def _chosen(asked: argparse.Namespace) -> list[Target]:
    only = {name.strip() for name in asked.only.split(",")} if asked.only else None
    known = {target.number for target in TARGETS} | {target.id for target in TARGETS}
    if only and not only <= known:
        raise SystemExit(f"no such target: {', '.join(sorted(only - known))}")
    chosen = [target for target in TARGETS if only is None or {target.id, target.number} & only]
    return [t for t in chosen if (asked.large or not t.is_large) and not (asked.quick and t.is_slow)]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    parser.add_argument("--only", default="", help="targets or rows, such as P3,P8a")
    parser.add_argument("--runs", type=int, default=0, help="pairs of each row, instead of the table's")
    parser.add_argument("--quick", action="store_true", help="few pairs, and none of the slow rows")
    parser.add_argument("--large", action="store_true", help="also the Bundle of a million nodes (700 MB)")
    parser.add_argument("--results", default="", help="file to write; benchmarks/RESULTS.md after a whole run")
    parser.add_argument("--date", default="", help="date to print in the results; none by default")
    return parser


if __name__ == "__main__":
    sys.exit(main())
