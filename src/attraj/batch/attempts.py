"""Whether the file of a retry agent's run holds an attempt that has a file of its own.

SWE-agent writes `attempt_K/` while the file of the run holds the attempts that have ended, and no others: after an
interrupted run an attempt may stand in its own file alone, and leaving that one out would lose it.
"""

from __future__ import annotations

import os
from typing import Any

from attraj.errors import Unreadable
from attraj.formats.mapping.fields import is_same
from attraj.jsonio import parse, read_bytes
from attraj.limits import Limits


def is_held(path: str, limits: Limits) -> bool:
    """Whether the file of the run has this attempt, value for value; False where one of the two cannot be read.

    Args:
        path: `attempt_K/NAME.traj`, beside whose folder the run has its `NAME.traj`.
    """
    folder, name = os.path.split(path)
    whole = _tree(os.path.join(os.path.dirname(folder), name), limits)
    attempts = whole.get("attempts") if type(whole) is dict else None
    if type(attempts) is not list or not attempts:
        return False  # the attempt need not be read
    attempt = _tree(path, limits)
    return type(attempt) is dict and any(is_same(one, attempt) for one in attempts)


def _tree(path: str, limits: Limits) -> Any:
    try:
        document = parse(read_bytes(path, limits), limits)
    except Unreadable:
        return None
    return document.tree if document.is_readable else None
