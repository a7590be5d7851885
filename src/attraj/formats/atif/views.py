"""What each decision of a transcript had before it, as far as the transcript tells.

ATIF records no requests: a view is rebuilt from the steps that stand before the decision, and says so. A step with
`extra.context_management` is a boundary: it replaces, extends or cuts the context (RFC 0001, "Context Management").
A view is a list of references to nodes; each is stored as what it adds to the one before it, so that views grow with
the steps and not with their square.
"""

from __future__ import annotations

from collections.abc import Iterable

from attraj.formats.mapping.draft import Draft
from attraj.formats.mapping.fields import Json

NOTHING_BEFORE = "nothing is recorded before the decision"
NOT_REPLACED = "a context boundary does not record what replaced the earlier context: only the turns after it are known"


class Context:
    """The context of one thread, step after step."""

    def __init__(self) -> None:
        self._base = ""  # the last view
        self._size = 0  # references in it
        self._added: list[str] = []
        self._unknown = ""
        self._caveat = ""
        self._unknown_states: dict[str, str] = {}
        self.views = 0

    def add(self, node: str) -> None:
        """The node stands in the context of what follows."""
        self._added.append(node)

    def replace(self, nodes: Iterable[str]) -> None:
        """From here on only these nodes, and what follows, are in the context."""
        self._base, self._size, self._unknown = "", 0, ""
        self._added = list(nodes)
        self._caveat = "" if self._added else NOT_REPLACED

    def lose(self, reason: str) -> None:
        """What is in the context cannot be known any more."""
        self._unknown = reason

    def view(self, draft: Draft) -> str:
        """Identity of the state that holds what is in the context now."""
        known = bool(self._base or self._added)
        reason = self._unknown or ("" if known else self._caveat or NOTHING_BEFORE)
        if reason:
            return self._unknown_state(draft, reason)
        self.views += 1
        references = [{"node_id": node} for node in self._added]
        content: Json = {"view": references}
        if self._base:
            patch = [
                {"op": "add", "path": f"/{self._size + position}", "value": one}
                for position, one in enumerate(references)
            ]
            content = {"base_state": self._base, "delta": patch}
        self._size += len(references)
        self._added = []
        if self._caveat:
            content["reason"] = self._caveat
        self._base = draft.state(_next(draft), "state_view", "included", {**content, "reconstructed": True})
        return self._base

    def _unknown_state(self, draft: Draft, reason: str) -> str:
        found = self._unknown_states.get(reason)
        if found is None:
            found = draft.state(_next(draft), "state_view", "unknown", {"reason": reason})
            self._unknown_states[reason] = found
        return found


def _next(draft: Draft) -> str:
    return f"state:{len(draft.states) + 1}"  # opaque: no identity derives from content (decisions 15)
