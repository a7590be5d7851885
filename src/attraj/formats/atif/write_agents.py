"""What a document says of the agent, the run and itself: by the bindings of the Bundle that are its thread's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attraj.formats.atif.read_links import document_of
from attraj.formats.atif.write_content import held_text
from attraj.formats.mapping.bound import bindings_of
from attraj.formats.mapping.fields import Json
from attraj.formats.mapping.held import Held, Made, Part

SESSIONS_ARE_OPTIONAL = 7
_OF_PROGRAM = ("agents", "harnesses", "sessions")  # a sidechain stands in the document of the program that ran it


class Agents:
    """Who acted in each thread.

    Args:
        root: The Bundle.
        version: Minor version of ATIF.
        parts: What tells the document of each thread from the others.
        is_other: Whether a thread is another agent's than the one that the Bundle speaks of where it names no thread.
        is_ours: The Bundle was read from a document.
    """

    def __init__(
        self, root: Part, version: int, parts: Mapping[str, str], is_other: Callable[[str], bool], *, is_ours: bool
    ) -> None:
        self._root = root
        self._version = version
        self._parts = parts
        self._is_other = is_other
        self._is_ours = is_ours
        self._by_thread: dict[str, dict[str, list[Part]]] = {}

    def _bindings(self, kind: str, thread: str) -> Iterator[Part]:
        """What is bound of this kind for a thread: what is bound for no thread is so for all but other agents."""
        parts = self._known(kind)
        own = parts.get(thread, []) if thread else []
        if not own and kind in _OF_PROGRAM and document_of(thread) != thread:
            return self._bindings(kind, document_of(thread))
        is_shared = not own and not self._is_other(thread)
        return iter(parts.get("", []) if is_shared else own)

    def _known(self, kind: str) -> dict[str, list[Part]]:
        """What is bound of a kind, by thread; "" for what is bound for none."""
        found = self._by_thread.get(kind)
        if found is None:
            found = self._by_thread[kind] = {}
            for thread, part in bindings_of(self._root, kind):
                found.setdefault(thread, []).append(part)
        return found

    def said(self, kind: str, thread: str, *members: str) -> Held | None:
        for part in self._bindings(kind, thread):
            for member in members:
                held = part.hold(member)
                if held is not None and type(held.value) is str and held.value:
                    self._take_thread(part)
                    return held
        return None

    def _take_thread(self, part: Part) -> None:
        for member in ("thread_id", "relation", "in_thread", "availability", "reason") if self._is_ours else ():
            part.get(member)

    def identity(self, thread: str) -> Any:
        """`trajectory_id`, which names a document and not a run."""
        own = held_text(self._root, "trajectory_id")
        if not thread:
            return own
        named = self._known("threads").get(thread, [])
        if len(named) == 1 and type(named[0].peek("name")) is str:
            self._take_thread(named[0])
            return named[0].hold("name")
        base = own.value if own is not None else "trajectory"
        detail = "an identity for the document of one thread, out of the Bundle's and the thread's"
        at = (("trajectory_id",),) if own is not None else ()
        return Made(f"{base}#{self._parts[thread]}", at, "document-ids", "identity", "synthesized", detail)

    def session(self, thread: str) -> Any:
        held = self.said("sessions", thread, "id")
        if held is not None:
            return held
        for member in ("session_id", "session_ids"):
            value = self._root.peek("scope", member)
            if type(value) is str and value:
                return self._root.hold("scope", member)
            if type(value) is list and value and type(value[0]) is str and value[0]:
                return Held(value[0], ("scope", member, 0))
        if self._version >= SESSIONS_ARE_OPTIONAL:
            return None
        own = self._root.peek("trajectory_id")
        detail = "ATIF before 1.7 asks for the identity of a run"
        value = own if type(own) is str else "unknown"
        return Made(value, (("trajectory_id",),), "session-ids", "identity", "synthesized", detail)

    def agent(self, thread: str) -> Json:
        name = self.said("agents", thread, "name", "id") or self.said("harnesses", thread, "name", "id")
        implementation = self._root.hold("source", "implementation")
        if name is None and not self._is_other(thread) and type(implementation) is Held:
            said = implementation.value
            name = implementation if type(said) is str and not said.lower().startswith("unknown") else None
        version = self.said("agents", thread, "version") or self.said("harnesses", thread, "version")
        tools = [part.hold("name") or part.hold("id") for part in self._bindings("tools", thread)]
        named = [one for one in tools if one is not None and type(one.value) is str]
        for part in self._bindings("tools", thread):
            self._take_thread(part)
        models = list(self._bindings("models", thread))
        decoding = models[0].hold("decoding") if models else None
        extra = {"tools": named or None, "decoding": decoding}
        return {
            "name": name or self._unknown("agent-name"),
            "version": version or self._unknown("agent-version"),
            "model_name": self.said("models", thread, "id", "name"),
            "extra": {"attraj": extra} if any(extra.values()) else None,
        }

    def _unknown(self, code: str) -> Made:
        return Made("unknown", (), code, "identity", "synthesized", "ATIF asks for it, and the Bundle does not say it")
