"""The inputs of the measurements, by name: made when they are first asked for, kept in benchmarks/data/."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Raise it when a generator writes other bytes than before: inputs made by an older one are made anew.
EDITION = "2"

# name -> what the generator is asked for; "@name" is another input, made before.
RECIPES: dict[str, tuple[str, ...]] = {
    "atif-38k": ("atif", "--bytes", "38k"),
    "atif-10M": ("atif", "--bytes", "10M"),
    "atif-100M": ("atif", "--bytes", "100M"),
    "atif-10M-tokens": ("atif", "--bytes", "10M", "--flavour", "tokens"),
    "atif-10M-floats": ("atif", "--bytes", "10M", "--flavour", "floats"),
    "atif-10M-broken": ("broken", "--from", "@atif-10M", "--faults", "1000"),
    "bundle-50": ("bundle", "--nodes", "50"),
    "bundle-15k": ("bundle", "--nodes", "15000"),
    "bundle-100k": ("bundle", "--nodes", "100000"),
    "bundle-1M": ("bundle", "--nodes", "1000000"),
    "traj-10M": ("traj", "--bytes", "10M"),
    "traj-1G": ("traj", "--bytes", "1G"),
    "many-trajs": ("trajs", "--files", "250", "--bytes", "960k"),
    "many-100": ("many", "--files", "100"),
    "many-10k": ("many", "--files", "10000"),
    "job-300": ("job", "--trials", "300"),
    "job-1k": ("job", "--trials", "1000"),
}


def path_of(name: str) -> Path:
    """The file or folder of an input; it is made when it is not there yet.

    A process of its own makes it: memory that this one has once used would be counted as its children's peak
    (Linux takes a new program's peak from the memory of the process that started it).
    """
    home = HERE / "data" / f"edition-{EDITION}"
    place = home / (name if name.startswith(("many", "job")) else f"{name}.json")
    if place.exists():
        return place
    recipe = [str(path_of(word[1:])) if word.startswith("@") else word for word in RECIPES[name]]
    half = place.with_name(f"{place.name}.part")
    if half.is_dir():
        shutil.rmtree(half)
    home.mkdir(parents=True, exist_ok=True)
    print(f"making {name} …", file=sys.stderr, flush=True)
    command = [sys.executable, "-m", "benchmarks.generate", *recipe, "-o", str(half)]
    subprocess.run(command, cwd=HERE.parent, check=True, stdout=subprocess.DEVNULL)
    half.rename(place)
    return place


def output(name: str) -> Path:
    """A folder that a command writes to; what it wrote before is its own to replace."""
    place = HERE / "data" / name
    place.mkdir(parents=True, exist_ok=True)
    return place


def size_of(name: str) -> int:
    """Bytes of an input; of a folder, those of its files."""
    place = path_of(name)
    files = place.rglob("*") if place.is_dir() else (place,)
    return sum(file.stat().st_size for file in files if file.is_file())
