"""`run_batch_exit_statuses.yaml`, line by line: only the one form that SWE-agent writes is read, nothing is guessed.

Spec: traj.md §2. The file is overwritten when a batch is resumed: a `.traj` knows better.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_HEADING = "instances_by_exit_status:"
_COST = re.compile(r"total_cost: [0-9.eE+-]{1,40}").fullmatch
# A plain or simply quoted scalar, as a key or as an element; anything that YAML could read in two ways is refused.
_PLAIN = r"[A-Za-z0-9_](?:[A-Za-z0-9_ .()/+@,~=%&*;!^$<>|-]|(?<! )#|:(?=[^\s:]))*"
_KEY = re.compile(rf" +(?:({_PLAIN})|'({_PLAIN})'|\"({_PLAIN})\"):").fullmatch
_ELEMENT = re.compile(rf" +- (?:({_PLAIN})|'({_PLAIN})'|\"({_PLAIN})\")").fullmatch


def read_statuses(raw: bytes) -> Mapping[str, str] | None:
    """Instance id to exit status.

    Args:
        raw: The bytes of the file.

    Returns:
        Empty when no instance is named; None when the file is not in SWE-agent's own form, or names one twice.
    """
    try:
        lines = [line.rstrip() for line in raw.decode("ascii").splitlines() if line.strip()]
    except UnicodeDecodeError:
        return None
    if lines and lines[-1] and _COST(lines[-1]):
        lines.pop()
    if lines == [f"{_HEADING} {{}}"]:
        return {}
    if not lines or lines[0] != _HEADING:
        return None
    found: dict[str, str] = {}
    status = None
    for line in lines[1:]:
        if key := _KEY(line):
            status = next(filter(None, key.groups()), "")
        elif (element := _ELEMENT(line)) and status is not None:
            name = next(filter(None, element.groups()), "")
            if name in found:
                return None
            found[name] = status
        else:
            return None
    return found
