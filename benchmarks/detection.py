"""How much is found, of what is planted; how much is taken that nobody planted; how fast.

    python -m benchmarks.detection                     # the generated set, three seeds
    python -m benchmarks.detection --files DIR         # and secret findings per distinct MB of real files

Shares are of `tests/secrets/bench.py` and `bench_second.py`, whose values are made when they run. Speeds are ratios to
`json.loads` of the same bytes in the same process: less is better.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from tests.secrets import bench_second
from tests.secrets.bench import bar_of, cases, is_missed

from attraj.secrets.detector import Detector
from attraj.secrets.policy import DetectionPolicy


def shares(seeds: range) -> dict[str, tuple[float, int]]:
    """Group to the share that came out right, and how many cases there were."""
    detector = Detector()
    total: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for seed in seeds:
        for case in chain(cases(seed), bench_second.cases(seed)):
            total[case.group] += 1
            missed[case.group] += is_missed(case, detector.scan_text(case.text))
            detector.forget()
    return {group: (1 - missed[group] / total[group], total[group]) for group in total}


def trees(folder: Path) -> Iterator[tuple[bytes, Any]]:
    """The JSON files below a folder."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            raw = path.read_bytes()
            try:
                yield raw, json.loads(raw)
            except ValueError:
                continue


def measured(folder: Path, engine: str) -> tuple[int, float, float]:
    """Distinct secret values, distinct megabytes, and the time of a scan as a multiple of the time of parsing."""
    detector = Detector(DetectionPolicy(engine=engine))  # type: ignore[arg-type]
    values: set[str] = set()
    texts: set[str] = set()
    parsing = scanning = 0.0
    for raw, tree in trees(folder):
        gc.collect()
        gc.disable()
        start = time.process_time()
        json.loads(raw)
        middle = time.process_time()
        hits = list(detector.scan_tree(tree))
        scanning += time.process_time() - middle
        parsing += middle - start
        gc.enable()
        detector.forget()
        values.update(span.value for hit in hits for span in hit.spans if span.is_secret)
        texts.update(_texts(tree))
    return len(values), sum(map(len, texts)) / 1e6, scanning / parsing


def _texts(tree: Any) -> Iterator[str]:
    left = [tree]
    while left:
        value = left.pop()
        if type(value) is str:
            yield value
        elif type(value) is dict:
            left.extend(value.values())
        elif type(value) is list:
            left.extend(value)


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure detection.")
    parser.add_argument("--files", type=Path, help="a folder of real trajectories")
    parser.add_argument("--seeds", type=int, default=3)
    asked = parser.parse_args()
    failed = False
    for group, (share, count) in shares(range(1, asked.seeds + 1)).items():
        is_low = share < bar_of(group)
        failed = failed or is_low
        print(f"{group:24} {share:.3f} of {count:6}   at least {bar_of(group):.2f}{'   MISSED' * is_low}")
    for engine in ("fast", "stdlib") if asked.files else ():
        found, megabytes, ratio = measured(asked.files, engine)
        print(f"{engine:24} {found / megabytes:.2f} secret values a distinct MB, {ratio:.1f} times json.loads")
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
