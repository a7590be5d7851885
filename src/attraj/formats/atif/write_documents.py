"""The documents of one Bundle: which threads stand in one file, what a file says of its agent and its run."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from attraj.bundle.model import Bundle, text
from attraj.bundle.vocabulary import STATEMENTS
from attraj.formats.atif.upgrade_subagents import EMBEDDING, MAX_NESTING, UNREFERRED
from attraj.formats.atif.write_agents import Agents
from attraj.formats.atif.write_calls import Scribe
from attraj.formats.atif.write_content import held_text
from attraj.formats.atif.write_metrics import totals
from attraj.formats.atif.write_steps import is_record, steps_of
from attraj.formats.mapping.attempts import used_by
from attraj.formats.mapping.fields import At, Json
from attraj.formats.mapping.held import Held, Ledger, Made, Part
from attraj.formats.mapping.restore import sources
from attraj.formats.mapping.rooms import Wanted, Written
from attraj.formats.mapping.turns import Thread, threads

_RECORDING_CALLS = ("swe-agent", "mini-swe-agent", "react-web")  # formats whose every turn is one call of a model
_COUNTED = "Whether the totals count other trajectories of the run is not recorded."
_UNLINKED = "Results without source_call_id: which call they answer is not recorded."


# Threads that are read from files of their own: see harbor/read.py.
_FILES = ("cont-", "continuation-", "subagent-", "summarization-", "user-agent-")


class Composer:
    """Composes the documents of one Bundle.

    Args:
        bundle, ledger, wanted: As `compose` has them.
        version: Minor version of ATIF.
    """

    def __init__(self, bundle: Bundle, ledger: Ledger, wanted: Wanted, version: int) -> None:
        self._bundle = bundle
        self._ledger = ledger
        self._wanted = wanted
        self._version = version
        self._root = Part(bundle.tree, (), ledger)
        self._threads = {thread.name: thread for thread in threads(bundle, ledger)}
        self._parts = _parts(self._threads)
        found = [one.get("format") for one in sources(bundle)]
        self._is_ours = bool(found)
        self._is_embedding = version >= EMBEDDING and not wanted.splits_subagents
        self._own: frozenset[str] = frozenset()  # threads with a document of their own
        self._first: dict[str, str] = {}  # node → thread that begins with it
        self._leads = self._read_edges()
        self._delegated: dict[str, str] = {}  # thread → thread that gave it its work
        self._segments: dict[str, str] = {}  # thread → thread that it continues
        self._next: dict[str, tuple[str, int]] = {}  # thread → the one after it, by which edge, where no record says so
        self._read_relations()
        self._agents = Agents(self._root, version, self._parts, self._is_other_agent, is_ours=self._is_ours)
        self._scribe = Scribe(
            bundle,
            ledger,
            version,
            wanted.strips_thoughts,
            self._reference,
            is_ours=self._is_ours,
            has_calls=bool(found) and all(one in _RECORDING_CALLS for one in found),
            has_iterations="react-web" in found,
        )

    def documents(self) -> list[Written]:
        """One document for each thread that is not embedded in another, the main one first."""
        names = [name for name, thread in self._threads.items() if _has_steps(thread)]
        shared = [thread for name, thread in self._threads.items() if name not in names]
        outer = {name: self._outer(name) for name in names} if self._is_embedding else dict.fromkeys(names)
        self._own = frozenset(name for name in names if outer[name] is None)
        first = next((name for name in names if outer[name] is None), None)
        trees: dict[str, Json] = {}
        for name in names:
            is_own = outer[name] is None
            trees[name] = self._document(self._threads[name], shared if is_own else [], is_first=name == first)
        for name, holder in outer.items():
            if holder is not None:
                trees[holder].setdefault("subagent_trajectories", []).append(trees[name])
        self._mark(names)
        if not self._is_embedding:
            self._tell_apart(names)
        own = [name for name in names if outer[name] is None]
        return [Written(trees[name], self._parts[name] if len(own) > 1 else "") for name in own]

    def _mark(self, names: list[str]) -> None:
        """Of which thread a node is, is said by the document that it stands in."""
        known = set(names)
        for position, node in self._bundle.objects("nodes"):
            if type(node.get("thread_id")) is str and node["thread_id"] in known:
                self._ledger.used.update({("nodes", position, "thread_id"), ("nodes", position, "attempt_id")})

    def _tell_apart(self, names: list[str]) -> None:
        """Of a subagent that nothing refers to, the place in another document was the only word on what it is of."""
        firsts = {self._first.get(text(node, "node_id") or ""): i for i, node in self._bundle.objects("nodes")}
        for name in names:
            if self._holder(name) is not None and name not in self._delegated:
                at = ("nodes", firsts.get(name, 0))
                self._ledger.lose("unreferenced-subagents", "order_vs_causality", "dropped", at, UNREFERRED)

    # --- how threads hang together -----------------------------------------------------------------------------

    def _read_edges(self) -> dict[str, tuple[str, int]]:
        """Delegation or end of a segment → thread that it leads to, and by which edge."""
        seen: set[str] = set()
        for _, node in self._bundle.objects("nodes"):
            name = text(node, "thread_id") or ""
            if name not in seen and type(node.get("node_id")) is str:
                seen.add(name)
                self._first[node["node_id"]] = name
        return {
            edge["from"]: (self._first[edge["to"]], position)
            for position, edge in self._bundle.objects("edges")
            if edge.get("relation") in ("delegates", "resumes")
            and edge.get("basis") != "turn_order"
            and type(edge.get("from")) is str
            and type(edge.get("to")) is str
            and edge["to"] in self._first
        }

    def _read_relations(self) -> None:
        for _, node in self._bundle.objects("nodes"):
            identity, here = text(node, "node_id"), text(node, "thread_id") or ""
            there = self._leads.get(identity, ("", 0))[0] if identity is not None else ""
            if there and there != here:
                relation = self._segments if node.get("topic") == "continuation" else self._delegated
                relation.setdefault(there, here)
        self._read_names()

    def _read_names(self) -> None:
        """Segments that follow by the name of their file alone: no record at the end of one names the next."""
        threads: dict[str, str] = {}
        for _, node in self._bundle.objects("nodes"):
            identity = text(node, "node_id")
            if identity is not None:
                threads[identity] = text(node, "thread_id") or ""
        for position, edge in self._bundle.objects("edges"):
            if edge.get("relation") != "resumes" or edge.get("basis") != "turn_order":
                continue
            here, there = edge.get("from"), edge.get("to")
            if type(here) is str and type(there) is str and here in threads and there in self._first:
                before, after = threads[here], self._first[there]
                if before != after and self._segments.setdefault(after, before) == before:
                    self._next.setdefault(before, (after, position))

    def _outer(self, name: str) -> str | None:
        """The thread whose document holds this one's; None for one that has a document of its own."""
        seen = {name}
        here = self._holder(name)
        while here is not None:
            if here in seen or len(seen) > MAX_NESTING:
                return None
            seen.add(here)
            here = self._holder(here)
        return self._holder(name)

    def _holder(self, name: str) -> str | None:
        if name in self._delegated:
            found = self._delegated[name]
        elif name == "" or name in self._segments or self._is_attempt(name):
            return None
        elif self._is_ours and name.startswith(_FILES):
            return None  # that a file of a trial belongs to the agent's trajectory is nowhere recorded
        else:
            outer = name.rpartition("/")[0]
            found = outer if outer in self._threads else ""
        return found if found in self._threads and _has_steps(self._threads[found]) else None

    def _is_attempt(self, name: str) -> bool:
        turn = next(iter(self._threads[name].turns), None)
        return name.startswith("attempt") or (turn is not None and type(turn.node.peek("attempt_id")) is str)

    def _is_other_agent(self, thread: str) -> bool:
        """Whether what is said of the Bundle's agent is not said of this thread's: of a subagent, or of a segment.

        A subagent may have another model and other tools than the agent that called it, so that its own are unknown
        where it does not name them. An attempt is one of the agent itself.
        """
        if thread not in self._threads or not thread or self._is_attempt(thread):
            return False
        return self._is_ours or thread in self._delegated or self._holder(thread) is not None

    # --- one document ------------------------------------------------------------------------------------------

    def _document(self, thread: Thread, shared: list[Thread], *, is_first: bool) -> Json:
        self._scribe.begin()
        steps = steps_of(thread.turns, self._scribe)
        used, final = used_by(thread), None
        if used is not None:
            final = totals(used, self._version, len(steps))
        elif is_first and not (self._is_attempt(thread.name) or self._is_beside_attempts(thread.name)):
            final = totals(self._root.part("scope", "resources", "observed"), self._version, len(steps))
        is_several = used is None and bool(self._segments or self._delegated or len(self._threads) > 1)
        remarks = ((_UNLINKED, self._scribe.has_unlinked), (_COUNTED, final and is_several))
        notes = [note for note, is_due in remarks if is_due]
        return {
            "schema_version": f"ATIF-v1.{self._version}",
            "session_id": self._agents.session(thread.name),
            "trajectory_id": self._agents.identity(thread.name) if self._version >= EMBEDDING else None,
            "agent": self._agents.agent(thread.name),
            "steps": steps,
            "notes": self._notes(notes),
            "final_metrics": final,
            "continued_trajectory_ref": self._continuation(thread),
            "extra": self._extra(thread, shared, is_first=is_first),
        }

    def _is_beside_attempts(self, thread: str) -> bool:
        """Whether what is said of the whole run is said of other attempts, too."""
        return any(self._is_attempt(name) for name in self._threads if name != thread)

    def _notes(self, notes: list[str]) -> Made | None:
        if not notes:
            return None
        detail = "a remark of the writer's own, on what the document does not tell"
        return Made(" ".join(notes), (), "notes", "other", "synthesized", detail)

    def _continuation(self, thread: Thread) -> Any:
        for turn in thread.turns:
            if turn.kind == "event" and turn.node.peek("topic") == "continuation":
                return self._next_segment(turn.node)
        if thread.name not in self._next:
            return None
        name, edge = self._next[thread.name]
        is_there = name in self._threads and name != thread.name and _has_steps(self._threads[name])
        return self._path(name, ("edges", edge)) if is_there else None

    def _next_segment(self, node: Part) -> Any:
        target, edge = self._leads.get(text(node.record, "node_id") or "", ("", -1))
        if target and target in self._threads and _has_steps(self._threads[target]):
            self._ledger.used.update({("edges", edge), node.at})
            return self._path(target, (*node.at, "payload", "thread_id"))
        return held_text(node, "payload", "continued_trajectory_ref")

    def _path(self, name: str, at: At) -> Made:
        detail = "the name of the file that the thread is written to"
        stem = ".".join(one for one in (self._wanted.stem, self._parts[name], "atif.json") if one)
        return Made(stem, (at,), "file-names", "identity", "synthesized", detail)

    def _reference(self, node: Part) -> Json | None:
        """The reference to the subagent that a delegation gave work to."""
        name, edge = self._leads.get(text(node.record, "node_id") or "", ("", -1))
        target = self._threads.get(name) if name else None
        extra: Json = {}
        payload = node.peek("payload")
        for member in payload if type(payload) is dict else ():
            if type(member) is str and member not in ("trajectory_id", "trajectory_path", "session_id", "thread_id"):
                extra[member] = node.hold("payload", member)
        if self._version < EMBEDDING:
            extra["trajectory_id"] = held_text(node, "payload", "trajectory_id")
        kept = {name: one for name, one in extra.items() if one is not None}
        reference: Json = {"extra": {"attraj": kept} if kept else None}
        for member in ("actor", "authority_class", "kind") if self._is_ours else ():
            node.get(member)
        if target is not None and _has_steps(target):
            node.get("payload", "thread_id")
            self._ledger.used.add(("edges", edge))
            if not self._is_embedding or self._outer(name) is None:
                return {
                    **reference,
                    "session_id": self._agents.session(name),
                    "trajectory_path": self._path(name, (*node.at, "payload", "thread_id")),
                }
            identity = self._agents.identity(name)
            if isinstance(identity, Held):
                node.agrees(identity, "payload", "trajectory_id")
            return {
                **reference,
                "trajectory_id": identity,
                "session_id": held_text(node, "payload", "session_id"),
            }
        path = held_text(node, "payload", "trajectory_path")
        own = held_text(node, "payload", "trajectory_id") if self._version >= EMBEDDING else None
        if path is None and own is None:
            return None
        session = held_text(node, "payload", "session_id")
        if session is None and self._version < EMBEDDING:
            session = self._agents.session(name)
        return {**reference, "trajectory_id": own, "session_id": session, "trajectory_path": path}

    # --- the rest ----------------------------------------------------------------------------------------------

    def _extra(self, thread: Thread, shared: list[Thread], *, is_first: bool) -> Json | None:
        """What ATIF has no place for, as it is; the records of a run stand in the document of its main thread."""
        extra: Json = {}
        used = used_by(thread)
        records = [
            self._record(turn.node)
            for one in (thread, *shared)
            for turn in one.turns
            if is_record(turn) and (used is None or used.at[:2] != turn.node.at)
        ]
        extra["records"] = [one for one in records if one is not None] or None
        for collection in ("outcomes", "verifier_results", "reward_records"):
            extra[collection] = [
                Held(record, (collection, position))
                for position, record in self._bundle.objects(collection)
                if self._is_about(record, thread.name, is_first=is_first)
            ] or None
        extra["bindings"] = self._other_bindings(thread.name, is_first=is_first)
        if is_first:
            is_beside = self._is_beside_attempts(thread.name)
            extra["termination_of_the_run" if is_beside else "termination"] = self._root.hold("scope", "termination")
            extra["budget"] = self._root.hold("scope", "resources", "budget")
            if is_beside or self._is_attempt(thread.name):  # of all attempts, and of what chose among them
                extra["resources_of_the_run"] = self._root.hold("scope", "resources", "observed")
            rights = self._root.peek("rights")
            if type(rights) is dict and all(value == "unknown" for value in rights.values()):
                self._root.get("rights")
            else:
                extra["rights"] = self._root.hold("rights")
        if self._version < EMBEDDING:
            extra["trajectory_id"] = self._agents.identity(thread.name)
        kept = {name: one for name, one in extra.items() if one is not None}
        return {"attraj": kept} if kept else None

    def _is_about(self, record: Json, thread: str, *, is_first: bool) -> bool:
        """Whether a record is about this thread; what is about no thread is about the run."""
        scope = record.get("scope")
        names = scope if type(scope) is list else [scope]
        about = [name for name in names if type(name) is str and name in self._threads and name]
        return thread in about if about else is_first

    def _record(self, node: Part) -> Json | None:
        if node.peek("topic") == "continuation":
            return None
        payload = node.hold("payload")
        for member in ("actor", "authority_class") if self._is_ours else ():
            node.get(member)
        record = {"kind": node.hold("kind"), "topic": node.hold("topic"), "payload": payload}
        return record if payload is not None else None

    def _other_bindings(self, thread: str, *, is_first: bool) -> Json | None:
        """Identities that ATIF has no place for, in the document of their thread; of all others in the first."""
        found: Json = {}
        bindings = self._root.peek("bindings")
        for kind, bound in bindings.items() if type(bindings) is dict else ():
            if kind in ("agents", "harnesses", "models", "sessions", "threads", "tools") or type(kind) is not str:
                continue
            if type(bound) is not list:
                found[kind] = self._root.hold("bindings", kind) if is_first else None
                continue
            places = [at for at, one in enumerate(bound) if self._is_told_by(one, thread, is_first=is_first)]
            is_silent = self._is_ours and kind not in STATEMENTS
            if is_silent and all(_says_nothing(bound[at], thread) for at in places):
                self._ledger.used.update(("bindings", kind, at) for at in places)  # what is unknown is so there, too
            else:
                found[kind] = [Held(bound[at], ("bindings", kind, at)) for at in places] or None
        return {name: one for name, one in found.items() if one is not None} or None

    def _is_told_by(self, binding: Any, thread: str, *, is_first: bool) -> bool:
        """Whether the document of a thread tells what is bound."""
        name = binding.get("thread_id") if type(binding) is dict else None
        return name == thread if type(name) is str and name in self._own else is_first


def _says_nothing(binding: Any, thread: str) -> bool:
    is_said = {"availability", "reason", *(("thread_id",) if thread else ())}
    return type(binding) is dict and binding.keys() <= is_said and "availability" in binding


def _has_steps(thread: Thread) -> bool:
    return any(not is_record(turn) for turn in thread.turns)


_is_plain = re.compile(r"[a-z]+(?:[-:/][a-z0-9]+)*", re.ASCII).fullmatch


def _parts(names: Iterable[str]) -> dict[str, str]:
    """What tells the document of each thread from the others, as a piece of a file name; never a text of a source's."""
    found: dict[str, str] = {}
    taken = {""}
    for number, name in enumerate(names):
        part = name.replace(":", "-").replace("/", "-") if _is_plain(name) or not name else f"thread-{number}"
        while name and part in taken:
            part += f"-{number}"
        taken.add(part)
        found[name] = part
    return found
