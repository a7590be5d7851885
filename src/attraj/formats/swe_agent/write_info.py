"""`info` of a written `.traj`: how the thread ended, what it handed in and used, what a reviewer thought of it.

Spec: traj.md §1.7, §7.2; decisions 34.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from attraj.bundle.model import Bundle, text, texts
from attraj.formats.mapping.bound import Bound
from attraj.formats.mapping.draft import SUBMITTED
from attraj.formats.mapping.fields import At, Json
from attraj.formats.mapping.held import Held, Ledger, Made, Part
from attraj.formats.mapping.turns import Thread
from attraj.formats.mapping.words import words_at
from attraj.formats.swe_agent.ending import is_known
from attraj.formats.swe_agent.read_ending import REVIEW_POLICY, REVIEWER
from attraj.formats.swe_agent.shape import OWN
from attraj.formats.swe_agent.write_steps import Story
from attraj.formats.swe_agent.write_texts import Said, text_of

_CLAIMS = ("runtime", "agent_self_report")
# What an outcome of another format is in the words of the loop; the rest has no word here.
_STATUSES = {
    ("agent_self_report", "succeeded"): SUBMITTED,
    ("agent_self_report", "failed"): "exit_forfeit",
    ("runtime", "failed"): "exit_error",
}
# Why mini-swe-agent ended a run, in the words that the loop has for the same.
_REASONS = {
    "LimitsExceeded": "exit_cost",
    "TimeExceeded": "exit_total_execution_time",
    "RepeatedFormatError": "exit_format",
    "ContextWindowExceededError": "exit_context",
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
# What the loop's own form of a review says.
_OF_REVIEW = (
    *("verifier_result_id", "verifier", "verifier_version", "checked_property", "scope", "evidence_refs"),
    *("environment", "status"),
)
_OF_SCORE = (
    *("reward_id", "policy", "policy_version", "sources", "scope", "attribution_target", "signal_type", "producer"),
    *("created_at", "timing"),
)


class Subject(NamedTuple):
    """The thread that a file is about, and its Bundle.

    Attributes:
        names: Of all threads that are written.
    """

    bundle: Bundle
    ledger: Ledger
    thread: Thread
    names: frozenset[str]

    def records(self, collection: str) -> Iterator[Part]:
        """The records of a collection that are about this thread; of the main one those that are about no other."""
        name = self.thread.name
        own = {name, *(text(turn.node.record, "attempt_id") for turn in self.thread.turns)} - {None}
        for position, record in self.bundle.objects(collection):
            about = {one for _, one in texts(record, "scope")}
            if about & own if name else not about & (self.names - {""}):
                yield Part(record, (collection, position), self.ledger)


def info_of(story: Story, subject: Subject, bound: Bound) -> Json:
    """`info` of the file of one thread."""
    outcome = next(filter(_is_end, subject.records("outcomes")), None)
    scope = Part(subject.bundle.tree, (), subject.ledger).part("scope")
    usage = story.usage or (scope.part("resources", "observed") if bound.is_alone else None)
    harness = next(bound.parts("harnesses"), None)
    is_swe_agent = harness is not None and harness.peek("id") == "SWE-agent"
    version = bound.text("harnesses", "version") if is_swe_agent else None
    if harness is not None and is_swe_agent:
        harness.get("id")
    submission = story.submission or _handed_in(outcome, story.last_words)
    status = _exit_status(outcome, submission) if outcome is not None else None
    if isinstance(status, Held) and bound.is_alone:
        scope.get("termination")
    more = {
        "model": bound.text("models", "id"),
        "task": bound.text("tasks", "id"),
        "best_attempt": _best(subject),
        "exit_status": _foreign_word(outcome) if outcome is not None and not isinstance(status, Held) else None,
    }
    return {
        "swe_agent_version": version if version is not None and version.value.startswith("1.1") else None,
        "exit_status": status,
        "submission": submission,
        "model_stats": _statistics(usage) if usage is not None else None,
        "review": _review(subject),
        OWN: more if any(more.values()) else None,
    }


def _best(subject: Subject) -> Held | None:
    """Which attempt a retry agent chose, counted from 0; told in the file of each attempt."""
    if not subject.thread.name.startswith("attempt:"):
        return None
    for position, node in subject.bundle.objects("nodes"):
        if node.get("kind") == "branch":
            held = Part(node, ("nodes", position), subject.ledger).hold("payload", "best_attempt")
            if held is not None and type(held.value) is int:
                return held
    return None


def _review(subject: Subject) -> Json | None:
    """What SWE-agent's own reviewer said of the attempt: its words and its score, as its loop has them."""
    found: Json = {}
    for result in subject.records("verifier_results"):
        if result.peek("verifier") == REVIEWER:
            found |= {name: result.hold("output", name) for name in ("outputs", "messages")}
            for name in _OF_REVIEW:
                result.get(name)
    for reward in subject.records("reward_records"):
        score = reward.hold("value")
        if found and reward.peek("policy") == REVIEW_POLICY and score is not None and type(score.value) in (int, float):
            found = {"accept": score, **found}
            for name in _OF_SCORE:
                reward.get(name)
    return found or None


def _is_end(outcome: Part) -> bool:
    """Whether an outcome says how a run ended, by whom the loop's own word could say it."""
    return outcome.peek("authority_class") in _CLAIMS and outcome.peek("terminal") is not False


def _exit_status(outcome: Part, submission: Said | None) -> Held | Made | None:
    value = outcome.hold("value")
    said = (outcome.peek("authority_class"), outcome.peek("status"))
    is_own = value is not None and type(value.value) is str and is_known(value.value)
    word = _STATUSES.get(said) if all(type(one) is str for one in said) else None
    is_submitted = submission is not None or (value is not None and value.value == "Submitted")
    if not is_own and (word is None or (word == SUBMITTED and not is_submitted)):
        return None  # to be done is less than to have handed something in
    if is_own:
        for name in _OF_OUTCOME:  # the loop's own word says all of it, and stands where it was said
            outcome.get(name)
        return value
    origins: tuple[At, ...] = ((*outcome.at, "authority_class"), (*outcome.at, "status"))
    if value is not None and type(value.value) is str and said == ("runtime", "failed") and value.value in _REASONS:
        word = _REASONS[value.value]
    detail = "the loop's own word for what the outcome claims"
    return Made(word, origins, "exit-status", "call_success_vs_outcome", "approximated", detail)


def _foreign_word(outcome: Part) -> Held | None:
    """The word of another harness for how it ended."""
    value = outcome.hold("value")
    return value if value is not None and type(value.value) is str and value.value else None


def _handed_in(outcome: Part | None, end: Part | None) -> Said | None:
    """What the last words of a run are when the agent says by them that it is done."""
    if outcome is None or end is None or outcome.peek("authority_class") != "agent_self_report":
        return None
    is_evidence = end.peek("node_id") in [name for _, name in texts(outcome.record, "evidence_refs")]
    return text_of(end, *words_at(end)) if is_evidence and outcome.peek("status") == "succeeded" else None


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
