"""Runs inside a measured environment: does one thing to a document in memory, and prints the seconds it took.

    python timed.py loads|digest|rfc8785 FILE

The median of several goes after a first one that does not count. Only what the environment has is imported.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

GOES = 5


def _loads(raw: bytes) -> Callable[[], Any]:
    import orjson

    return lambda: orjson.loads(raw)


def _digest(raw: bytes) -> Callable[[], Any]:
    import orjson

    from attraj.bundle.canonical import digest

    tree = orjson.loads(raw)
    return lambda: digest(tree, "RFC8785")


def _rfc8785(raw: bytes) -> Callable[[], Any]:
    import hashlib
    import json

    import rfc8785

    tree = json.loads(raw)
    return lambda: hashlib.sha256(rfc8785.dumps(tree)).hexdigest()


OPERATIONS = {"loads": _loads, "digest": _digest, "rfc8785": _rfc8785}


def main(operation: str, path: str) -> None:
    with open(path, "rb") as file:
        run = OPERATIONS[operation](file.read())
    run()
    taken = []
    for _ in range(GOES):
        gc.collect()
        begin = time.perf_counter()
        result = run()
        taken.append(time.perf_counter() - begin)
        del result
    print(statistics.median(taken))


if __name__ == "__main__":
    main(*sys.argv[1:])
