"""ATIF v1.0 to v1.8 → a Bundle in the making. What each field becomes stands in places.py.

A document's subagents, embedded or as sidechains, are threads of their own. Several documents of one run (segments,
subagents in files) are read into one draft, each by `read_into`, and hang together by `link`.
Source: ATIF RFC 0001; spec atif.md §2, §5.7, §12.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attraj.formats.atif.dialects import notes_on
from attraj.formats.atif.places import KEPT, PLACES, kept
from attraj.formats.atif.read_kept import decoding_of, read_run, whole_place
from attraj.formats.atif.read_links import link
from attraj.formats.atif.read_steps import Steps
from attraj.formats.atif.shape import VERSIONS
from attraj.formats.mapping.draft import Draft, Settings
from attraj.formats.mapping.fields import At, Json, Reading, merged
from attraj.jsonio import Document

__all__ = ["PLACES", "link", "read", "read_family", "read_into"]

REASON = "ATIF records no requests to the model, no admissions and no receipts"

_NOT_NAMED = {
    "tasks": "ATIF does not name the task",
    "environments": "ATIF does not name the environment",
    "harnesses": "ATIF does not tell the harness from the agent",
    "principals": "ATIF does not name who stands behind a step of a user",
}


def read(document: Document, settings: Settings) -> Draft:
    """One document as a Bundle in the making. Members of the wrong type stay in the residue.

    Args:
        document: Never modified.
        settings: Its name gives the identity, where the document has none.
    """
    return read_family(document, settings, {}, {})


def read_family(
    document: Document, settings: Settings, files: Mapping[str, Document], names: Mapping[str, str]
) -> Draft:
    """One document with the files of its subagents, as one Bundle in the making.

    Args:
        document, settings: See `read`.
        files: Documents by a name of their own.
        names: What a document writes as `trajectory_path` → name of the file.
    """
    draft = Draft("atif", settings)
    tree = document.tree
    reading = _begin(draft, tree, document.raw, "")
    if type(tree) is dict:
        draft.members = merged(draft.members, reading.take(whole_place(tree), "", (), tree))
        own = kept(tree, "trajectory_id")
        identity = own.get("trajectory_id", tree.get("trajectory_id"))
        if type(identity) is str and identity:
            draft.members |= reading.take("identity", "", KEPT if own else (), own or tree)
        if settings.trajectory_id and "trajectory_id" in draft.members:
            detail = "the caller gave another identity"
            draft.lose("renamed", "identity", "dropped", (*(KEPT if own else ()), "trajectory_id"), detail)
        _Trajectories(draft, reading).read(tree, "", "", is_main=True)
        read_run(draft, reading, tree)
    for kind, reason in _NOT_NAMED.items():
        draft.bindings.setdefault(kind, [{"availability": "unknown", "reason": reason}])
    _close(draft)
    threads = {name: f"file-{number}" for number, name in enumerate(files, start=1)}
    for name, thread in threads.items():
        one = files[name]
        read_into(draft, one.tree, one.raw, "", thread=thread, prefix=f"{thread}/").part = thread
    link(draft, {written: threads[name] for written, name in names.items()})
    return draft


def read_into(draft: Draft, tree: Any, raw: bytes, name: str, *, thread: str, prefix: str) -> Reading:
    """Read one of several documents of a run into a draft; `link` joins them when all are read.

    Args:
        draft: Of the whole run. What belongs to the run (its identity, how it ended, what it used) is the caller's:
            totals stay in the residue, and the document's own identity becomes the name of its thread.
        tree, raw, name: Of the document; see `Draft.read`.
        thread: `thread_id` of its steps, "" for the main one; its subagents get threads below it.
        prefix: Of its nodes' identities ("", "cont-1/"); no other document of the draft has it.
    """
    reading = _begin(draft, tree, raw, name)
    if type(tree) is dict:
        _Trajectories(draft, reading).read(tree, thread, prefix, is_main=False)
    _close(draft)
    return reading


def _begin(draft: Draft, tree: Any, raw: bytes, name: str) -> Reading:
    tag = tree.get("schema_version") if type(tree) is dict else None
    version = tag if type(tag) is str and tag in VERSIONS else ""
    return draft.read(tree, raw, name, version, PLACES, "atif")


def _close(draft: Draft) -> None:
    if REASON not in draft.reasons:
        draft.reasons.append(REASON)
    if draft.disclosure["private_reasoning"] != "included":
        has_reasoning = any(node["kind"] == "reasoning_summary" for node in draft.nodes)
        draft.disclosure["private_reasoning"] = "included" if has_reasoning else "unknown"
    operation = "state_reconstruction"
    if operation not in draft.operations and any(state.get("reconstructed") for state in draft.states):
        draft.operations.append(operation)


class _Trajectories:
    """A document's own trajectory and those that it embeds, at any depth."""

    def __init__(self, draft: Draft, reading: Reading) -> None:
        self._draft = draft
        self._reading = reading
        self._within: dict[str, Json] = {}  # thread of an embedded subagent → where that stands

    def read(self, tree: Json, thread: str, prefix: str, *, is_main: bool) -> None:
        pending: list[tuple[Json, At, str, str]] = [(tree, (), thread, prefix)]
        while pending:
            trajectory, at, name, start = pending.pop()
            self._bind(trajectory, at, name, has_name=bool(at) or not is_main)
            Steps(self._draft, self._reading, trajectory, at, name, start).read()
            inside = trajectory.get("subagent_trajectories")
            below = [
                (
                    one,
                    (*at, "subagent_trajectories", k),
                    f"{name}/embedded-{k + 1}".lstrip("/"),
                    f"{start}embedded:{k + 1}/",
                )
                for k, one in enumerate(inside if type(inside) is list else ())
                if type(one) is dict
            ]
            for _, _, inner, _ in below:
                self._within[inner] = {"relation": "embedded", **({"in_thread": name} if name else {})}
            pending.extend(reversed(below))

    def _bind(self, tree: Json, at: At, thread: str, *, has_name: bool) -> None:
        if has_name:
            own = kept(tree, "trajectory_id")
            self._binding("threads", "thread", (*at, *KEPT) if own else at, own or tree, thread)
        self._binding("sessions", "session", at, tree, thread)
        agent = tree.get("agent")
        self._binding("agents", "agent", (*at, "agent"), agent, thread)
        self._binding("models", "model", (*at, "agent"), agent, thread)
        definitions = agent.get("tool_definitions") if type(agent) is dict else None
        for k, definition in enumerate(definitions if type(definitions) is list else ()):
            self._binding("tools", "tool", (*at, "agent", "tool_definitions", k), definition, thread)
        for note in notes_on(tree):
            self._draft.lose("raw-responses", "request_vs_effect", "approximated", (*at, "steps"), note)

    def _binding(self, kind: str, place: str, at: At, source: Any, thread: str) -> None:
        bindings = self._draft.bindings
        pointer = f"/bindings/{kind}/{len(bindings.get(kind, ()))}"
        was_open = at in self._reading.opened
        members = self._reading.take(place, pointer, at, source)
        if kind == "models":
            members = merged(members, decoding_of(self._reading, pointer, at, source))
        if not members:
            self._reading.links.get(place, {}).pop(pointer, None)
            if not was_open:
                self._reading.opened.discard(at)
            return
        within = self._within.get(thread, {}) if kind == "threads" else {}
        bindings.setdefault(kind, []).append({**members, "thread_id": thread, **within} if thread else members)
