"""Segments of one run: which thread goes on with another, and in which the run ends."""

from __future__ import annotations

from collections.abc import Sequence

from attraj.bundle.model import Bundle, text
from attraj.formats.mapping.bound import ATTEMPT


def last_segment(bundle: Bundle, names: Sequence[str]) -> str | None:
    """The thread in which the run ends that begins in the first of these threads.

    A fact of the whole run (how it ended, what a verifier found) is one of its end. Who resumes whom is told by edges.

    Args:
        bundle: Never modified.
        names: The threads that are written, the main one first.

    Returns:
        One of the names; None where there are several attempts, since a fact of the run does not say of which it is.
    """
    if not names or sum(name.startswith(ATTEMPT) for name in names) > 1:
        return None
    thread_of = {text(node, "node_id"): text(node, "thread_id") or "" for _, node in bundle.objects("nodes")}
    goes_on: dict[str, str] = {}
    for _, edge in bundle.objects("edges"):
        if edge.get("relation") == "resumes":
            before, after = (thread_of.get(text(edge, end)) for end in ("from", "to"))
            if before is not None and after is not None and before != after:
                goes_on[before] = after
    last, seen = names[0], {names[0]}
    while (following := goes_on.get(last)) is not None and following in names and following not in seen:
        last = following
        seen.add(last)
    return last
