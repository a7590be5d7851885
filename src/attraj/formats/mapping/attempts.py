"""Attempts of one agent at one task: each is written as a document of its own, with what it alone has used.

What is counted of the whole run is of no attempt: whoever adds up the documents would count every attempt twice
(spec: traj.md §7.1). What is bound to one attempt is told in its document.
"""

from __future__ import annotations

import re

from attraj.formats.mapping.bound import ATTEMPT
from attraj.formats.mapping.held import Part
from attraj.formats.mapping.turns import Thread

_attempt = re.compile(rf"{ATTEMPT}(\d{{1,6}})", re.ASCII).fullmatch


def part_of(thread: str, number: int) -> str:
    """What tells the document of a thread from the others, in words of ours: a thread's own name may say anything.

    Args:
        thread: Its name.
        number: For one that is no attempt.
    """
    attempt = _attempt(thread)  # counted from 0, as a retry agent counts them
    return f"attempt-{attempt[1]}" if attempt else f"thread-{number}"


def used_by(thread: Thread) -> Part | None:
    """What a thread alone has used, where a record of its own says it; None for the main one: that is of the run."""
    if thread.name:
        for turn in thread.turns:
            if turn.kind == "resource_observation" and type(turn.node.peek("payload", "usage")) is dict:
                return turn.node.part("payload", "usage")
    return None
