"""How the trajectories of one run hang together: subagents by trajectory_id, then by path; never by session_id.

Several documents may share a session_id, so that it names no trajectory (spec: atif.md §12-5, U10). What is not here
stays a reference, and is declared as an omission.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attraj.formats.mapping.draft import Draft
from attraj.formats.mapping.fields import Json

SIDECHAIN = "sidechain-"


def link(draft: Draft, files: Mapping[str, str] | None = None) -> None:
    """Link delegations and continuations to the threads that they name; call it once, when all documents are read.

    Args:
        draft: Gets `delegates` and `resumes` edges, `payload.thread_id`, and an omission for what is not here.
        files: What documents write as `trajectory_path` or `continued_trajectory_ref` → thread that was read from it.
    """
    links = _Links(draft, files or {})
    missing: dict[tuple[str, str], list[str]] = {}
    for node in list(draft.nodes):
        payload = node.get("payload")
        if node["kind"] == "delegation" and type(payload) is dict:
            why, word = links.delegate(node, payload), "subagent_trajectories"
        elif node.get("topic") == "continuation" and type(payload) is dict:
            why, word = links.resume(node, payload), "continuation"
        else:
            continue
        if why:
            missing.setdefault(("reference" if why == _CIRCLE else word, why), []).append(node["node_id"])
    for (word, why), nodes in missing.items():
        draft.omit(word, why, len(nodes), nodes)


_NO_SUBAGENT = "the trajectory of the subagent is not among what was read"
_NO_SEGMENT = "the run goes on in another document, which is not among what was read"
_EMPTY = "the document that is referred to holds no step"
_CIRCLE = "the reference leads back to where it comes from, and is not followed: causes make no circle"


class _Links:
    def __init__(self, draft: Draft, files: Mapping[str, str]) -> None:
        self._draft = draft
        self._files = files
        self._first: dict[str, str] = {}
        for node in draft.nodes:
            self._first.setdefault(node.get("thread_id", ""), node["node_id"])
        self._named: dict[str, list[str]] = {}
        for one in draft.bindings.get("threads", ()):
            if type(one) is dict and type(one.get("name")) is str:
                self._named.setdefault(one["name"], []).append(one.get("thread_id", ""))
        self._below: dict[str, set[str]] = {}  # thread → threads that it has led to

    def delegate(self, node: Json, payload: Json) -> str:
        """Link one reference to its subagent. Gives why not: it is not here, or not the only one of its name."""
        thread = self._named_thread(payload.get("trajectory_id"), document_of(node.get("thread_id", "")))
        if thread is None:
            thread = self._file(payload.get("trajectory_path"))
        return _NO_SUBAGENT if thread is None else self._join(node, payload, thread, "delegates")

    def resume(self, node: Json, payload: Json) -> str:
        """Link the end of a segment to the next one. Gives why not."""
        thread = self._file(payload.get("continued_trajectory_ref"))
        return _NO_SEGMENT if thread is None else self._join(node, payload, thread, "resumes")

    def _named_thread(self, name: Any, document: str) -> str | None:
        found = self._named.get(name, []) if type(name) is str else []
        own = [thread for thread in found if thread.rpartition("/")[0] == document]
        return own[0] if len(own) == 1 else found[0] if len(found) == 1 and not own else None

    def _file(self, path: Any) -> str | None:
        return self._files.get(path) if type(path) is str else None

    def _join(self, node: Json, payload: Json, thread: str, relation: str) -> str:
        first = self._first.get(thread)
        here = node.get("thread_id", "")
        if first is None or self._leads(thread, here):
            return _EMPTY if first is None else _CIRCLE
        self._below.setdefault(here, set()).add(thread)
        payload["thread_id"] = thread
        self._draft.edge(node["node_id"], first, "recorded", relation)
        return ""

    def _leads(self, start: str, goal: str) -> bool:
        """Whether one thread has led to another: a link back would make a circle of causes."""
        pending, seen = [start], {start}
        while pending:
            here = pending.pop()
            if here == goal:
                return True
            new = self._below.get(here, set()) - seen
            seen |= new
            pending.extend(new)
        return False


def document_of(thread: str) -> str:
    """The thread of the document whose step this thread's are: a sidechain stands in the file of the main one."""
    outer, _, last = thread.rpartition("/")
    return outer if last.startswith(SIDECHAIN) else thread
