"""Make one input: `python -m benchmarks.generate atif -o t.json --bytes 10M`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from benchmarks.generate.atif import Size, Trajectory
from benchmarks.generate.bundle import write_bundle
from benchmarks.generate.encode import encoded
from benchmarks.generate.faults import broken
from benchmarks.generate.folders import write_job, write_many, write_trajs
from benchmarks.generate.traj import write_traj

UNITS = {"k": 10**3, "M": 10**6, "G": 10**9}


def n_bytes(text: str) -> int:
    """A size such as 38k, 10M, 1G or 4096, in bytes."""
    unit = UNITS.get(text[-1:])
    return int(float(text[:-1]) * unit) if unit else int(text)


def main(arguments: list[str] | None = None) -> None:
    asked = _parser().parse_args(arguments)
    target = Path(asked.output)
    target.parent.mkdir(parents=True, exist_ok=True)
    if asked.what == "many":
        write_many(target, asked.seed, asked.files, asked.bytes)
    elif asked.what == "trajs":
        write_trajs(target, asked.seed, asked.files, asked.bytes)
    elif asked.what == "job":
        write_job(target, asked.seed, asked.trials, asked.steps)
    elif asked.what == "broken":
        document, places = broken(Path(asked.source).read_bytes(), asked.faults, asked.seed)
        target.write_bytes(encoded(document))
        print(json.dumps(places) if asked.places else f"{len(places)} faults")
    else:
        with target.open("wb", buffering=1 << 20) as out:
            if asked.what == "bundle":
                print(write_bundle(out, asked.seed, asked.nodes))
            elif asked.what == "traj":
                print(write_traj(out, asked.seed, asked.bytes), "steps")
            else:
                size = Size(steps=asked.steps) if asked.steps else Size(n_bytes=asked.bytes)
                print(Trajectory(asked.seed, asked.flavour).write(out, size), "steps")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.generate", description=__doc__)
    kinds = parser.add_subparsers(dest="what", required=True)
    atif = kinds.add_parser("atif", help="one ATIF v1.7 trajectory without faults")
    size = atif.add_mutually_exclusive_group(required=True)
    size.add_argument("--steps", type=int, default=0)
    size.add_argument("--bytes", type=n_bytes, default=0, help="size to reach, such as 10M")
    atif.add_argument("--flavour", choices=("plain", "tokens", "floats"), default="plain")
    copy = kinds.add_parser("broken", help="a copy of a trajectory with faults, one to a step")
    copy.add_argument("--from", dest="source", required=True)
    copy.add_argument("--faults", type=int, default=1000)
    copy.add_argument("--places", action="store_true", help="print the pointers at which they are")
    bundle = kinds.add_parser("bundle", help="one Agent Trajectory Bundle v0.1 without faults")
    bundle.add_argument("--nodes", type=int, default=1000)
    traj = kinds.add_parser("traj", help="one SWE-agent trajectory")
    traj.add_argument("--bytes", type=n_bytes, default=10_000_000, help="size to reach, such as 10M")
    many = kinds.add_parser("many", help="a folder of many small ATIF trajectories")
    many.add_argument("--files", type=int, default=10_000)
    many.add_argument("--bytes", type=n_bytes, default=23_000, help="of each file")
    trajs = kinds.add_parser("trajs", help="a folder of .traj files")
    trajs.add_argument("--files", type=int, default=250)
    trajs.add_argument("--bytes", type=n_bytes, default=960_000, help="of a file, about")
    job = kinds.add_parser("job", help="a Harbor job folder")
    job.add_argument("--trials", type=int, default=300)
    job.add_argument("--steps", type=int, default=20, help="of a trial, about")
    for kind in kinds.choices.values():
        kind.add_argument("-o", "--output", required=True)
        kind.add_argument("--seed", default="1")
    return parser


if __name__ == "__main__":
    main()
