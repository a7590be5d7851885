"""Verdicts of a harness in a conversion: read with the trajectory that they are about, told where they cannot be."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from attraj.formats.mapping.loss import Loss
from attraj.jsonio import Document

if TYPE_CHECKING:
    from attraj.formats.mapping.draft import Draft
    from attraj.verbs.convert import Request

_JUDGED = ("swe-agent", "mini-swe-agent")  # formats of trajectories that are handed in to such a harness
LEFT = ("unread-verdict", "no-verdict", "other-instance")  # losses of reports, which no document holds
NOT_JUDGED = "verdicts are read with the trajectories of SWE-agent and mini-swe-agent alone"


def add_verdicts(draft: Draft, document: Document, name: str, request: Request) -> None:
    """Add what the request's reports say of a document to its Bundle, or say that they are not read."""
    if draft.format not in _JUDGED:
        draft.losses += unread_verdicts(request)
        return
    from attraj.formats.swe_bench.beside import Beside  # only where there are verdicts
    from attraj.formats.swe_bench.read import Given, read_verdicts

    info: Any = document.tree.get("info") if type(document.tree) is dict else None
    submission = info.get("submission") if type(info) is dict else None
    beside = Beside() if request.beside is None else request.beside
    read_verdicts(draft, Given(beside, request.verdicts, os.path.basename(name), submission))


def unread_verdicts(request: Request) -> list[Loss]:
    """The losses of reports that a caller names with a document that no harness judges."""
    count = len(request.verdicts)
    return [Loss("unread-verdict", "verifier_vs_reward", "dropped", "", count, NOT_JUDGED)] if count else []
