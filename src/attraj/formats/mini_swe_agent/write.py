"""The Bundle → mini-swe-agent trajectories in the shape of 2.x (`mini-swe-agent-1.1`) with tool calls.

One file for each thread that has turns. A run of mini-swe-agent itself is restored, not written here.
Source: traj.md §3, decisions 18, 34.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attraj.bundle.model import Bundle, text
from attraj.formats.mapping.account import Kind
from attraj.formats.mapping.fields import Json
from attraj.formats.mapping.held import Held, Ledger, Made, Part
from attraj.formats.mapping.rooms import NotWritable, Wanted, Written
from attraj.formats.mapping.turns import Thread, Turn, threads
from attraj.formats.mini_swe_agent.shape import FORMATS
from attraj.formats.mini_swe_agent.write_messages import Messages, content_of
from attraj.jsonio import MISSING

KINDS: tuple[Kind, ...] = (
    Kind(("nodes", "*", "logical_clock"), "step-numbers", "order_vs_causality", "numbers that the source gives"),
)
VERSIONS = ("", "1.1", FORMATS[1])
_TURNS = frozenset({"input", "decision", "call"})


def compose(bundle: Bundle, ledger: Ledger, wanted: Wanted) -> list[Written]:
    """The runs that a Bundle tells of, the main one's first.

    Raises:
        NotWritable: The Bundle has no turn, or the version is none that is written.
    """
    if wanted.version not in VERSIONS:
        raise NotWritable("a mini-swe-agent trajectory is written in the shape of mini-swe-agent-1.1 alone")
    found = [one for one in threads(bundle, ledger) if any(turn.kind in _TURNS for turn in one.turns)]
    if not found:
        raise NotWritable("the Bundle has no turn: a mini-swe-agent trajectory is made of messages")
    threads_of = {text(one, "node_id"): text(one, "thread_id") or "" for _, one in bundle.objects("nodes")}
    written: list[Written] = []
    for number, thread in enumerate(found):
        is_first = number == 0
        info = _Info(bundle, ledger, thread, threads_of, is_first=is_first)
        messages = Messages(ledger, has_thoughts=not wanted.strips_thoughts)
        end = next((turn for turn in reversed(thread.turns) if turn.kind == "terminal"), None)
        tree: Json = {
            "info": info.tree(end),
            "messages": messages.of(_with_one_end(thread, end), info.ending(end)),
            "trajectory_format": FORMATS[1],
            "instance_id": _bound(bundle, ledger, "tasks", "id"),
        }
        written.append(Written(tree, "" if is_first else f"thread-{number}"))
    return written


def _with_one_end(thread: Thread, end: Turn | None) -> list[Turn]:
    """The turns, the end last: a run has one message that ends it."""
    if end is None:
        return thread.turns
    return [*(turn for turn in thread.turns if turn.kind != "terminal"), end]


class _Info:
    """What `info` says of one thread."""

    def __init__(
        self, bundle: Bundle, ledger: Ledger, thread: Thread, threads_of: Mapping[str | None, str], *, is_first: bool
    ) -> None:
        self._bundle, self._ledger, self._thread, self._threads_of = bundle, ledger, thread, threads_of
        self._is_first = is_first
        self._status = self._word()

    def tree(self, end: Turn | None) -> Json:
        root = Part(self._bundle.tree, (), self._ledger)
        stats = root.part("scope", "resources", "observed")
        harness = root.part("bindings", "harnesses", 0)
        own = harness.peek("name") == "mini-swe-agent"
        info: Json = {"exit_status": self._status, "submission": self._submission(end)}
        if self._is_first:
            counted = {
                "instance_cost": _number(stats, "cost_usd", (int, float)),
                "api_calls": _number(stats, "api_calls", (int,)),
            }
            info["model_stats"] = {name: one for name, one in counted.items() if one is not None} or None
        info["config"] = self._config()
        if own and harness.hold("version") is not None:
            harness.get("name")
            info["mini_version"] = harness.hold("version")
        return info

    def ending(self, end: Turn | None) -> Json:
        """What the message of the end repeats of `info`."""
        return {"exit_status": self._status, "submission": self._submission(end)}

    def _config(self) -> Json | None:
        name = _bound(self._bundle, self._ledger, "models", "id")
        model = {"model_name": name, "model_kwargs": _decoding(self._bundle, self._ledger)} if name else None
        image = _bound(self._bundle, self._ledger, "environments", "id")
        environment = {"image": image} if image else None
        return {"model": model, "environment": environment} if model or environment else None

    def _submission(self, end: Turn | None) -> Any:
        if end is None:
            return None
        own = end.node.hold("payload", "submission")
        held = own if own is not None and type(own.value) is str else content_of(end.node, "payload", "content")
        return held if type(held) is Held and type(held.value) is str else None

    def _word(self) -> Any:
        """The word for how the loop ended, of who may say so: the runtime, and the agent that it is done."""
        for position, outcome in self._bundle.objects("outcomes"):
            part = Part(outcome, ("outcomes", position), self._ledger)
            authority, status = outcome.get("authority_class"), outcome.get("status")
            if not self._is_its(outcome) or authority not in ("runtime", "agent_self_report"):
                continue
            if self._bundle.member("source").get("format") == "mini-swe-agent" and part.hold("value") is not None:
                return part.hold("value")
            origins = ((*part.at, "status"), (*part.at, "authority_class"))
            if authority == "agent_self_report" and status == "succeeded":
                detail = "the agent said that it is done, in the word of mini-swe-agent"
                return Made("Submitted", origins, "exit-status", "call_success_vs_outcome", "approximated", detail)
            word = part.hold("value")
            if authority == "runtime" and status == "failed" and word is not None and type(word.value) is str:
                return word
        return None

    def _is_its(self, outcome: Json) -> bool:
        """Whether an outcome speaks of this thread."""
        if outcome.get("superseded_by") or outcome.get("invalidated_by"):
            return False
        node = text(outcome, "asserted_at_node")
        default = self._thread.name if self._is_first else MISSING
        return self._threads_of.get(node, default) == self._thread.name


def _bound(bundle: Bundle, ledger: Ledger, kind: str, member: str) -> Held | None:
    """A text of the first binding of a kind."""
    held = Part(bundle.tree, (), ledger).part("bindings", kind, 0).hold(member)
    return held if held is not None and type(held.value) is str and held.value else None


def _decoding(bundle: Bundle, ledger: Ledger) -> Held | None:
    held = Part(bundle.tree, (), ledger).part("bindings", "models", 0).hold("decoding")
    return held if held is not None and type(held.value) is dict else None


def _number(part: Part, name: str, types: tuple[type, ...]) -> Held | None:
    held = part.hold(name)
    return held if held is not None and type(held.value) in types else None
