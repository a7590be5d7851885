"""Runs inside a measured environment: parses every JSON file below a folder in one process, and does nothing else."""

from __future__ import annotations

import os
import sys

import orjson


def main(folder: str) -> None:
    for home, _, names in os.walk(folder):
        for name in (name for name in names if name.endswith((".json", ".traj"))):
            with open(os.path.join(home, name), "rb") as file:
                orjson.loads(file.read())


if __name__ == "__main__":
    main(sys.argv[1])
