"""The Bundle → ReAct web JSON, a file that anybody can open: what it cannot hold is a loss each.

One file for each agent; of several attempts the best one alone, where the Bundle says which that is. The outcome is
told only where a verifier, the world or the runtime told it. Source: react-web.md §5.3, decisions 33.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attraj.bundle.model import Bundle, text
from attraj.formats.mapping.account import Kind
from attraj.formats.mapping.fields import Json
from attraj.formats.mapping.held import Held, Ledger, Made, Part
from attraj.formats.mapping.rooms import Wanted, Written
from attraj.formats.mapping.turns import Thread, threads
from attraj.formats.react_web.places import word_of
from attraj.formats.react_web.write_steps import Steps

KINDS: tuple[Kind, ...] = (
    Kind(("nodes", "*", "logical_clock"), "step-numbers", "order_vs_causality", "numbers that the source gives"),
    Kind(("nodes", "*", "action", "call_id"), "call-ids", "identity", "ids of calls"),
)
_ATTEMPT = "attempt:"
# Endings for which the time allowed was the reason: mini-swe-agent, SWE-agent, Harbor, and the format's own word.
_OUT_OF_TIME = frozenset(
    {
        "TimeExceeded",
        "exit_total_execution_time",
        "submitted (exit_total_execution_time)",
        "AgentTimeoutError",
        "timeout",
        "timed_out",
    }
)
_SECRETIVE = frozenset({"omitted", "redacted"})


def compose(bundle: Bundle, ledger: Ledger, wanted: Wanted) -> list[Written]:
    """The files that show what a Bundle says, the main agent's first."""
    is_own = bundle.member("source").get("format") == "react-web"
    _warn(bundle, ledger)
    told = bundle.member("disclosure").get("private_reasoning")
    has_thoughts = not wanted.strips_thoughts and (type(told) is not str or told not in _SECRETIVE)
    follows = frozenset((text(edge, "from"), text(edge, "to")) for _, edge in bundle.objects("edges"))
    written: list[Written] = []
    for number, thread in enumerate(_chosen(bundle, ledger)):
        steps = Steps(ledger, follows, is_own=is_own, has_thoughts=has_thoughts)
        tree = _document(bundle, ledger, thread, steps, is_first=not number)
        written.append(Written(tree, f"thread-{number}" if number else ""))
    return written


def _warn(bundle: Bundle, ledger: Ledger) -> None:
    """The format is for publishing; whether that is granted is for `publish-check` to hold (decisions 33)."""
    rights = bundle.member("rights")
    for use in ("redistribution_original", "redistribution_transformed"):
        if rights.get(use) is not True:
            detail = "the file is made for publishing, and redistribution is not granted"
            ledger.lose("redistribution-not-granted", "rights", "dropped", ("rights", use), detail)


def _chosen(bundle: Bundle, ledger: Ledger) -> list[Thread]:
    """The threads to write: of attempts only the one that was chosen, where a record says which."""
    found = threads(bundle, ledger) or [Thread("")]
    best = ""
    for position, node in bundle.objects("nodes"):
        choice = Part(node, ("nodes", position), ledger)
        number = choice.peek("payload", "best_attempt")
        if choice.peek("kind") == "branch" and type(number) is int:
            best = f"{_ATTEMPT}{choice.get('payload', 'best_attempt')}"
    names = {thread.name for thread in found}
    if best not in names:
        return found
    kept = [one for one in found if one.name == best or not one.name.startswith(_ATTEMPT)]
    kept = [one for one in kept if one.name or any(turn.kind in ("decision", "input") for turn in one.turns)]
    return sorted(kept, key=lambda one: one.name != best)


def _document(bundle: Bundle, ledger: Ledger, thread: Thread, steps: Steps, *, is_first: bool) -> Json:
    made = steps.of(thread)
    return {
        "experiment": _named(bundle, ledger, "tasks", "id", thread),
        "title": _named(bundle, ledger, "tasks", "name", thread),
        "model": _named(bundle, ledger, "models", "id", thread) or _called(bundle, ledger, thread),
        "task": steps.task,
        "outcome": _outcome(bundle, ledger, thread) if is_first else None,
        "recorded_at": _recorded_at(thread),
        "steps": made,
    }


# --- around the steps ----------------------------------------------------------------------------------------------


def _named(bundle: Bundle, ledger: Ledger, kind: str, member: str, thread: Thread) -> Held | None:
    """The first binding of a kind that is this thread's, else one that is nobody's in particular."""
    bindings = bundle.member("bindings").get(kind)
    single = type(bindings) is dict
    listed: list[Any] = [bindings] if single else bindings if type(bindings) is list else []
    found: list[tuple[bool, Held]] = []
    for position, one in enumerate(listed):
        if type(one) is not dict or one.get("thread_id", thread.name) != thread.name:
            continue
        at = ("bindings", kind) if single else ("bindings", kind, position)
        value = Part(one, at, ledger).hold(member)
        if value is not None and type(value.value) is str and value.value:
            found.append(("thread_id" not in one, value))
    return min(found, key=lambda one: one[0])[1] if found else None


def _called(bundle: Bundle, ledger: Ledger, thread: Thread) -> Held | None:
    """The model of the first call that names one."""
    for turn in thread.turns:
        value = turn.node.hold("model_call", "model")
        if value is not None and type(value.value) is str and value.value:
            return value
    return None


def _recorded_at(thread: Thread) -> Made | None:
    """The last time that the record knows of: the recording was made then or later."""
    for turn in reversed(thread.turns):
        value = turn.node.hold("timestamp")
        if value is not None and type(value.value) is str:
            detail = "the last time of a turn, as the time of the recording"
            return Made(value.value, (value.origin,), "last-time", "timing", "approximated", detail)
    return None


# --- the outcome ---------------------------------------------------------------------------------------------------


def _outcome(bundle: Bundle, ledger: Ledger, thread: Thread) -> Any:
    """The word for how it went; None where nobody but the agent, or nobody known, says so."""
    if bundle.member("source").get("format") == "react-web":
        return _own_word(bundle, ledger)
    for found in (_of_verifiers(bundle, ledger), _of_outcomes(bundle, ledger, thread)):
        if found is not None:
            return found
    return None


def _own_word(bundle: Bundle, ledger: Ledger) -> Any:
    """The author's label as the author gave it."""
    ending = Part(bundle.tree, (), ledger).hold("scope", "termination", "reason")
    if ending is not None:
        return ending
    for position, outcome in bundle.objects("outcomes"):
        part = Part(outcome, ("outcomes", position), ledger)
        word = word_of(outcome.get("status"))
        if word is not None:
            part.get("status")
            return word
        if part.hold("value") is not None:
            return part.hold("value")
    return None


def _of_verifiers(bundle: Bundle, ledger: Ledger) -> Made | None:
    """`success` when every verifier that came to a result passed it, `failure` when one did not."""
    said = [
        (position, one.get("status"))
        for position, one in bundle.objects("verifier_results")
        if one.get("status") in ("pass", "fail") and not one.get("invalidated_by")
    ]
    if not said:
        return None
    word = "failure" if any(status == "fail" for _, status in said) else "success"
    origins = tuple(("verifier_results", position, "status") for position, _ in said)
    detail = "the results of verifiers as one word: success when all of them passed"
    return Made(word, origins, "outcome-word", "verifier_vs_reward", "approximated", detail)


def _of_outcomes(bundle: Bundle, ledger: Ledger, thread: Thread) -> Made | None:
    """What the world or the runtime asserts; that a run ended without a fault is no success."""
    for position, outcome in _asserted(bundle, thread):
        authority, status = outcome.get("authority_class"), outcome.get("status")
        origin = ("outcomes", position, "status")
        if authority in ("external_world", "external") and status in ("succeeded", "failed"):
            word, detail = str(word_of(status)), "what the world asserts, as one word"
        elif authority == "runtime" and status == "failed":
            is_late = _ended(bundle, outcome)
            word = "timeout" if is_late else "failure"
            detail = "how the runtime ended the run: timeout for limits of time, else failure"
        else:
            continue
        return Made(word, (origin,), "outcome-word", "call_success_vs_outcome", "approximated", detail)
    return None


def _asserted(bundle: Bundle, thread: Thread) -> Iterator[tuple[int, Json]]:
    """Outcomes that stand, the world's first; those of another attempt or agent are not this file's."""
    thread_of = {text(node, "node_id"): text(node, "thread_id") or "" for _, node in bundle.objects("nodes")}
    found = []
    for position, outcome in bundle.objects("outcomes"):
        node = text(outcome, "asserted_at_node")
        is_gone = outcome.get("superseded_by") or outcome.get("invalidated_by")
        if not is_gone and thread_of.get(node, thread.name) == thread.name:
            found.append((position, outcome))
    return iter(sorted(found, key=lambda one: one[1].get("authority_class") == "runtime"))


def _ended(bundle: Bundle, outcome: Json) -> bool:
    termination = bundle.member("scope").get("termination")
    words = [outcome.get("value"), *(termination.values() if type(termination) is dict else ())]
    return any(type(word) is str and word in _OUT_OF_TIME for word in words)
