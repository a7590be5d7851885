"""A worker that outlives its parent would go on writing where the next run writes: it ends with it instead."""

from __future__ import annotations

import os
import threading
from multiprocessing import parent_process
from multiprocessing.connection import wait


def end_with_parent() -> None:
    """In a worker: end at once, in the middle of whatever it does, when the process that started it is gone."""
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_watch, args=(parent.sentinel,), daemon=True).start()


def _watch(sentinel: int) -> None:
    wait([sentinel])  # a pipe that the parent holds open as long as it lives
    os._exit(1)
