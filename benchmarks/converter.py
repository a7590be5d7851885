"""Runs inside Harbor's environment: its own converter over every .traj of a folder, one process, as it saves them.

python converter.py FOLDER OUT
"""

from __future__ import annotations

import sys
from pathlib import Path

from harbor.agents.installed.swe_agent import (  # type: ignore[import-not-found,unused-ignore]
    convert_and_save_trajectory,
)


def main(folder: str, out: str) -> None:
    target = Path(out)
    target.mkdir(parents=True, exist_ok=True)
    for number, path in enumerate(sorted(Path(folder).rglob("*.traj"))):
        convert_and_save_trajectory(path, target / f"{number}.json", str(number))


if __name__ == "__main__":
    main(*sys.argv[1:])
