"""A Bundle → `.traj` files in the shape of SWE-agent 1.1: one for each thread that has turns.

Attempts become files of their own, as SWE-agent itself keeps them beside the merged one: in a merged file one attempt
stands on top of the others, and to choose it would be a claim. A Bundle that was read from a `.traj` is restored, not
written here. Source: SWE-agent v1.1.0, types.py; spec traj.md §7.2, §7.4, decisions 33 to 35.
"""

from __future__ import annotations

from collections.abc import Iterator

from attraj.bundle.model import Bundle, text, texts
from attraj.formats.mapping.fields import Json
from attraj.formats.mapping.held import NULL, Held, Ledger, Made, Part
from attraj.formats.mapping.rooms import NotWritable, Wanted, Written
from attraj.formats.mapping.turns import Thread, threads
from attraj.formats.swe_agent.ending import is_known
from attraj.formats.swe_agent.shape import OWN
from attraj.formats.swe_agent.write_steps import Story, is_turn, written_story
from attraj.formats.swe_agent.write_texts import text_of
from attraj.jsonio import MISSING

VERSIONS = ("", "1.1")
_CLAIMS = ("runtime", "agent_self_report")
# What an outcome of another format is in the words of the loop; the rest has no word here.
_STATUSES = {
    ("agent_self_report", "succeeded"): "submitted",
    ("agent_self_report", "failed"): "exit_forfeit",
    ("runtime", "failed"): "exit_error",
}
_COUNTERS = (
    ("instance_cost", "cost_usd", (int, float)),
    ("tokens_sent", "prompt_tokens", (int,)),
    ("tokens_received", "completion_tokens", (int,)),
    ("api_calls", "api_calls", (int,)),
)
_LOCAL = "litellm counter"
_OF_OUTCOME = (
    *("outcome_id", "scope", "producer", "authority_class", "status", "terminal"),
    *("evidence_refs", "asserted_at_node", "asserted_at"),
)


def compose(bundle: Bundle, ledger: Ledger, wanted: Wanted) -> list[Written]:
    """The `.traj` files that say what a Bundle says.

    Args:
        bundle: Never modified.
        ledger: Takes the losses.
        wanted: Version 1.1, or none; `is_derived` adds what can be derived to each step, under one member.

    Raises:
        NotWritable: The Bundle has no turn, or the version is none that is written.
    """
    if wanted.version not in VERSIONS:
        raise NotWritable("a .traj is written in the shape of SWE-agent 1.1 alone")
    found = [thread for thread in threads(bundle, ledger) if any(is_turn(turn) for turn in thread.turns)]
    if not found:
        raise NotWritable("the Bundle has no turn: a .traj is made of an agent's steps and messages")
    names = {thread.name for thread in found}
    documents: list[Written] = []
    for number, thread in enumerate(found):
        story = written_story(bundle, ledger, wanted, thread)
        bound = _Bound(bundle, ledger, thread.name, is_alone=len(found) == 1)
        document = {
            "trajectory": story.steps,
            "history": story.history,
            "info": _info(bundle, ledger, thread, story, names, bound),
            "replay_config": NULL,  # none is recorded in a form that SWE-agent could run again
            "environment": bound.text("environments", "name"),
        }
        documents.append(Written(document, _part(thread, number, has_main="" in names)))
    return documents


def _part(thread: Thread, number: int, *, has_main: bool) -> str:
    """What tells the documents apart, in words of ours: a thread's own name may say anything."""
    if not thread.name:
        return ""
    first = thread.turns[0].node
    return f"{'attempt' if first.peek('attempt_id') is not MISSING else 'thread'}-{number if has_main else number + 1}"


class _Bound:
    """What is bound to one thread.

    A binding without a thread is the main one's where others have one; else it is of the whole record. Models never
    are: a subagent whose model is not recorded has not the model of the agent that called it.
    """

    def __init__(self, bundle: Bundle, ledger: Ledger, thread: str, *, is_alone: bool) -> None:
        self._bindings = bundle.member("bindings")
        self._ledger = ledger
        self._thread = thread
        self._is_main = is_alone or not thread
        self.is_alone = is_alone

    def find(self, kind: str) -> Part | None:
        """The first binding of a kind for the thread."""
        listed = self._bindings.get(kind)
        parts = [
            Part(one, ("bindings", kind, position), self._ledger)
            for position, one in enumerate(listed if type(listed) is list else ())
            if type(one) is dict
        ]
        own = [part for part in parts if self._thread and part.peek("thread_id") == self._thread]
        shared = [part for part in parts if type(part.peek("thread_id")) is not str]
        is_shared = self._is_main or (kind != "models" and len(shared) == len(parts))
        return next(iter(own or (shared if is_shared else [])), None)

    def text(self, kind: str, member: str) -> Held | None:
        """A text of that binding; None when it has none."""
        binding = self.find(kind)
        held = binding.hold(member) if binding is not None else None
        if binding is None or held is None or type(held.value) is not str or not held.value:
            return None
        for name in ("availability", "reason", "thread_id"):  # a name alone says by itself that no more is known
            binding.get(name)
        return held


# --- info --------------------------------------------------------------------------------------------------------


def _info(bundle: Bundle, ledger: Ledger, thread: Thread, story: Story, names: set[str], bound: _Bound) -> Json:
    outcome = next(_outcomes(bundle, ledger, thread, names), None)
    scope = Part(bundle.tree, (), ledger).part("scope")
    usage = story.usage or (scope.part("resources", "observed") if bound.is_alone else None)
    harness = bound.find("harnesses")
    is_swe_agent = harness is not None and harness.peek("id") == "SWE-agent"
    version = bound.text("harnesses", "version") if is_swe_agent else None
    if harness is not None and is_swe_agent:
        harness.get("id")
    if outcome is not None and bound.is_alone:
        scope.get("termination")
    more = {"model": bound.text("models", "id"), "task": bound.text("tasks", "id")}
    return {
        "swe_agent_version": version if version is not None and version.value.startswith("1.1") else None,
        "exit_status": _exit_status(outcome) if outcome is not None else None,
        "submission": story.submission or _handed_in(outcome, story.last_words),
        "model_stats": _statistics(usage) if usage is not None else None,
        OWN: more if any(more.values()) else None,
    }


def _outcomes(bundle: Bundle, ledger: Ledger, thread: Thread, names: set[str]) -> Iterator[Part]:
    """What the run or the agent itself claims about this thread."""
    attempts = {text(turn.node.record, "attempt_id") for turn in thread.turns} - {None}
    for position, outcome in bundle.objects("outcomes"):
        about = {name for _, name in texts(outcome, "scope")}
        is_its = bool(about & {thread.name, *attempts}) if thread.name else not about & (names - {""})
        if is_its and outcome.get("authority_class") in _CLAIMS:
            yield Part(outcome, ("outcomes", position), ledger)


def _exit_status(outcome: Part) -> Held | Made | None:
    value = outcome.hold("value")
    said = (outcome.peek("authority_class"), outcome.peek("status"))
    is_own = value is not None and type(value.value) is str and is_known(value.value)
    word = _STATUSES.get(said) if all(type(one) is str for one in said) else None
    if not is_own and word is None:
        return None
    for name in _OF_OUTCOME:  # the loop's own word says all of it, and stands where it was said
        outcome.get(name)
    if is_own:
        return value
    origins = ((*outcome.at, "authority_class"), (*outcome.at, "status"))
    detail = "the loop's own word for what the outcome claims"
    return Made(word, origins, "exit-status", "call_success_vs_outcome", "approximated", detail)


def _handed_in(outcome: Part | None, end: Part | None) -> Held | Made | None:
    """What the last words of a run are when the agent says by them that it is done."""
    if outcome is None or end is None or outcome.peek("authority_class") != "agent_self_report":
        return None
    is_evidence = end.peek("node_id") in [name for _, name in texts(outcome.record, "evidence_refs")]
    return text_of(end, "payload", "content") if is_evidence and outcome.peek("status") == "succeeded" else None


def _statistics(usage: Part) -> Json | None:
    """Counters: SWE-agent's are a local count, so that what a provider has measured is said less exactly by them."""
    is_local = usage.peek("origin") == _LOCAL
    found: Json = {}
    for name, member, types in _COUNTERS:
        held = usage.hold(member)
        if held is None or type(held.value) not in types:
            continue
        if is_local or name in ("instance_cost", "api_calls"):
            found[name] = held
        else:
            detail = "a measured count in the place of a local one"
            found[name] = Made(held.value, (held.origin,), "counted-tokens", "usage", "approximated", detail)
    if found and is_local:
        usage.get("origin")
    return found or None
