"""The Bundle → mini-swe-agent trajectories in the shape of 2.x (`mini-swe-agent-1.1`) with tool calls.

One file for each thread that has turns. A run of mini-swe-agent itself is restored, not written here.
Source: traj.md §3, decisions 18, 34.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attraj.bundle.model import Bundle, text, texts
from attraj.formats.mapping.account import OF_STEPS, Kind
from attraj.formats.mapping.attempts import part_of, used_by
from attraj.formats.mapping.bound import ATTEMPT, Bound
from attraj.formats.mapping.draft import SUBMITTED
from attraj.formats.mapping.fields import Json, look_up
from attraj.formats.mapping.held import Held, Ledger, Made, Part
from attraj.formats.mapping.restore import sources
from attraj.formats.mapping.rooms import NotWritable, Wanted, Written
from attraj.formats.mapping.segments import last_segment
from attraj.formats.mapping.turns import Thread, Turn, threads
from attraj.formats.mapping.words import words_at
from attraj.formats.mini_swe_agent.shape import FORMATS
from attraj.formats.mini_swe_agent.text_calls import IN_TEXT
from attraj.formats.mini_swe_agent.write_back import change as change
from attraj.formats.mini_swe_agent.write_messages import Messages
from attraj.formats.mini_swe_agent.write_values import content_of
from attraj.jsonio import MISSING

OWN = "mini-swe-agent"
KINDS: tuple[Kind, ...] = (
    *OF_STEPS,
    Kind(("nodes", "*", "payload", "tool"), "tools-of-results", "identity", "the tool that a result names itself"),
    Kind(
        ("nodes", "*", "payload", "is_copied_context"),
        "copied-context",
        "message_vs_state_view",
        "that a message was copied from another trajectory",
    ),
    Kind(
        ("nodes", "*", "payload", "context_management"),
        "context-boundary",
        "message_vs_state_view",
        "that earlier messages were replaced: they stay where they are",
    ),
    Kind(
        ("nodes", "*", "payload", "is_demo"),
        "demonstration",
        "message_vs_state_view",
        "that a message is an example",
    ),
)
VERSIONS = {"": "", "1": FORMATS[0], FORMATS[0]: FORMATS[0], "1.1": FORMATS[1], FORMATS[1]: FORMATS[1]}
_ENDED = ("failed", "cancelled", "partial")  # by the runtime, whose own word says how
_TURNS = frozenset({"input", "decision", "call"})


def compose(bundle: Bundle, ledger: Ledger, wanted: Wanted) -> list[Written]:
    """The runs that a Bundle tells of, the main one's first.

    Raises:
        NotWritable: The Bundle has no turn, or the version is none that can hold it.
    """
    found = [one for one in threads(bundle, ledger) if any(turn.kind in _TURNS for turn in one.turns)]
    if not found:
        raise NotWritable("the Bundle has no turn: a mini-swe-agent trajectory is made of messages")
    is_own = bundle.member("source").get("format") == OWN
    form = _form(bundle, wanted, is_own=is_own)
    nodes = [node for _, node in bundle.objects("nodes")]
    threads_of = {text(one, "node_id"): text(one, "thread_id") or "" for one in nodes}
    is_alone = len(set(threads_of.values())) < 2
    last = last_segment(bundle, [thread.name for thread in found])
    written: list[Written] = []
    for number, thread in enumerate(found):
        bound = Bound(bundle, ledger, thread.name, is_alone=is_alone)
        is_all = number == 0 and (is_alone or not any(one.name.startswith(ATTEMPT) for one in found))
        info = _Info(bound, threads_of, _used(bundle, ledger, thread, is_all=is_all), is_last=thread.name == last)
        messages = Messages(ledger, is_own=is_own, has_thoughts=not wanted.strips_thoughts)
        end = next((turn for turn in reversed(thread.turns) if turn.kind == "terminal"), None)
        handed_in = info.handed_in(thread, end)
        turns = [turn for turn in _with_one_end(thread, end) if turn is not handed_in or turn is end]
        tree: Json = {
            "info": info.tree(handed_in),
            "messages": messages.of(turns, info.ending(handed_in)),
            "trajectory_format": form,
            "instance_id": bound.text("tasks", "id"),
        }
        is_named = number or (len(found) > 1 and thread.name.startswith(ATTEMPT))  # no attempt stands for the run
        written.append(Written(tree, part_of(thread.name, number) if is_named else ""))
    return written


def _form(bundle: Bundle, wanted: Wanted, *, is_own: bool) -> str | None:
    """The version to write: what a run of its own says, the newest for others; None where such a run said nothing.

    Raises:
        NotWritable: It is unknown, or too old for what the run holds.
    """
    nodes = [node for _, node in bundle.objects("nodes")]
    is_old = is_own and not any(map(_is_of_2, nodes))
    asked = VERSIONS.get(wanted.version)
    if asked is None or (asked == FORMATS[0] and not is_old):
        raise NotWritable("a mini-swe-agent trajectory is written as mini-swe-agent-1.1, and as 1 where it was that")
    declared = sources(bundle)[0].get("format_version") if is_own and sources(bundle) else None
    if asked or declared in FORMATS:
        return asked or str(declared)
    return None if is_old else FORMATS[1]


def _is_of_2(node: Json) -> bool:
    """Whether 1.x has no such record: its calls stand in the texts alone, and nothing is marked in it."""
    has_mark = look_up(node, ("payload", "interrupt")) is not MISSING or node.get("topic") in (
        "exit",
        "tool",
        "response",
    )
    return has_mark or (node.get("kind") in ("action", "proposal") and node.get("topic") != IN_TEXT)


def _used(bundle: Bundle, ledger: Ledger, thread: Thread, *, is_all: bool) -> Part | None:
    """What a thread has used: what its own record says, or what is counted of the run where it stands for the run."""
    run = Part(bundle.tree, (), ledger).part("scope", "resources", "observed")
    return used_by(thread) or (run if is_all else None)


def _with_one_end(thread: Thread, end: Turn | None) -> list[Turn]:
    """The turns, the end last: a run has one message that ends it."""
    if end is None:
        return thread.turns
    return [*(turn for turn in thread.turns if turn.kind != "terminal"), end]


class _Info:
    """What `info` says of one thread."""

    def __init__(self, bound: Bound, threads_of: Mapping[str | None, str], used: Part | None, *, is_last: bool) -> None:
        self._bound, self._bundle, self._ledger = bound, bound.bundle, bound.ledger
        self._threads_of = threads_of
        self._is_own = self._bundle.member("source").get("format") == OWN
        self._used, self._is_last = used, is_last

    def handed_in(self, thread: Thread, end: Turn | None) -> Turn | None:
        """The turn that says what was submitted: the end of a run of mini-swe-agent, else what an outcome rests on."""
        if end is not None and (self._is_own or end.node.peek("payload", "submission") is not MISSING):
            return end
        named: set[str] = set()
        for _, outcome in self._bundle.objects("outcomes"):
            if self._is_its(outcome):
                refs = texts(outcome, "evidence_refs")
                is_done = outcome.get("status") == "succeeded"
                named.update(name for _, name in refs if is_done or name != _name(end))
        kinds = [turn for turn in thread.turns if turn.kind in ("evidence", "terminal")]
        found = [turn for turn in kinds if _name(turn) in named or turn.node.peek("status") == SUBMITTED]
        return next(iter(sorted(found, key=lambda turn: turn.kind)), None)

    def tree(self, end: Turn | None) -> Json:
        info: Json = self.ending(end)
        if self._used is not None:
            counted = {
                "instance_cost": _number(self._used, "cost_usd", (int, float)),
                "api_calls": _number(self._used, "api_calls", (int,)),
            }
            info["model_stats"] = {name: one for name, one in counted.items() if one is not None} or None
        info["config"] = self._config()
        harness = next(self._bound.parts("harnesses"), None)
        if harness is not None and harness.peek("name") == OWN and harness.hold("version") is not None:
            harness.get("name")
            info["mini_version"] = harness.hold("version")
        return info

    def ending(self, end: Turn | None) -> Json:
        """What the message of the end repeats of `info`."""
        return {"exit_status": self._word(end), "submission": self._submission(end)}

    def _config(self) -> Json | None:
        name, image = self._bound.text("models", "id"), self._bound.text("environments", "id")
        model = {"model_name": name, "model_kwargs": self._decoding(name)} if name else None
        environment = {"image": image} if image else None
        return {"model": model, "environment": environment} if model or environment else None

    def _decoding(self, name: Held) -> Held | None:
        """How the model was asked, by the binding that names it."""
        for part in self._bound.parts("models"):
            if part.hold("id") == name:
                held = part.hold("decoding")
                return held if held is not None and type(held.value) is dict else None
        return None

    def _submission(self, end: Turn | None) -> Any:
        if end is None:
            return None
        own = end.node.hold("payload", "submission")
        held = own if own is not None and type(own.value) is str else content_of(end.node, *words_at(end.node))
        return held if type(held) is Held and type(held.value) is str else None

    def _word(self, end: Turn | None) -> Any:
        """The word for how the loop ended, of who may say so: the runtime, and the agent that it is done."""
        for position, outcome in self._bundle.objects("outcomes"):
            part = Part(outcome, ("outcomes", position), self._ledger)
            authority, status = outcome.get("authority_class"), outcome.get("status")
            if not self._is_its(outcome) or authority not in ("runtime", "agent_self_report"):
                continue
            if outcome.get("terminal") is False:
                continue
            if self._is_own and part.hold("value") is not None:
                return part.hold("value")
            origins = ((*part.at, "status"), (*part.at, "authority_class"))
            is_submitted = end is not None or outcome.get("value") == SUBMITTED  # to be done is less
            if authority == "agent_self_report" and status == "succeeded" and is_submitted:
                detail = "the agent said that it is done, in the word of mini-swe-agent"
                return Made("Submitted", origins, "exit-status", "call_success_vs_outcome", "approximated", detail)
            word = part.hold("value")
            is_ended = authority == "runtime" and status in _ENDED
            if is_ended and word is not None and type(word.value) is str:
                return word
        return None

    def _is_its(self, outcome: Json) -> bool:
        """Whether an outcome speaks of this thread."""
        if outcome.get("superseded_by") or outcome.get("invalidated_by"):
            return False
        node = text(outcome, "asserted_at_node")
        thread = self._threads_of.get(node) if node is not None else None
        return self._is_last if thread is None else thread == self._bound.thread


def _name(turn: Turn | None) -> str:
    return (text(turn.node.record, "node_id") or "") if turn is not None else ""


def _number(part: Part, name: str, types: tuple[type, ...]) -> Held | None:
    held = part.hold(name)
    return held if held is not None and type(held.value) in types else None
