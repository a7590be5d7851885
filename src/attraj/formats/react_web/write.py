"""The Bundle → ReAct web JSON, a file that anybody can open: what it cannot hold is a loss each.

One file for each agent; of several attempts the best one alone, where the Bundle says which that is. How it went is
for write_outcome.py to tell. Source: react-web.md §5.3, decisions 33.
"""

from __future__ import annotations

from attraj.bundle.model import Bundle, text
from attraj.formats.mapping.account import OF_STEPS, Kind
from attraj.formats.mapping.attempts import part_of
from attraj.formats.mapping.bound import ATTEMPT, Bound
from attraj.formats.mapping.experience import unlived
from attraj.formats.mapping.fields import Json
from attraj.formats.mapping.held import Held, Ledger, Made, Part
from attraj.formats.mapping.residue import EXTENSION
from attraj.formats.mapping.restore import sources
from attraj.formats.mapping.rooms import Wanted, Written
from attraj.formats.mapping.turns import Thread, threads
from attraj.formats.react_web.shape import ENVELOPE
from attraj.formats.react_web.write_outcome import Outcomes
from attraj.formats.react_web.write_steps import Steps

KINDS: tuple[Kind, ...] = (
    *OF_STEPS,
    Kind(("nodes", "*", "action", "call_id"), "call-ids", "identity", "ids of calls"),
    Kind(("nodes", "*", "action", "value"), "commands", "other", "the text of a command, beside its arguments"),
    Kind(("nodes", "*", "payload", "returncode"), "return-codes", "request_vs_effect", "how commands ended"),
    Kind(("nodes", "*", "payload", "raw_output"), "raw-output", "other", "output before it was cut and framed"),
    Kind(
        ("nodes", "*", "payload", "is_copied_context"),
        "copied-context",
        "message_vs_state_view",
        "that a word of the user was copied from another trajectory",
    ),
)
_SECRETIVE = frozenset({"omitted", "redacted"})


def compose(bundle: Bundle, ledger: Ledger, wanted: Wanted) -> list[Written]:
    """The files that show what a Bundle says, the main agent's first."""
    is_own = bundle.member("source").get("format") == "react-web"
    ledger.gives_back = is_own
    _warn(bundle, ledger)
    told = bundle.member("disclosure").get("private_reasoning")
    has_thoughts = not wanted.strips_thoughts and (type(told) is not str or told not in _SECRETIVE)
    chosen = _chosen(bundle, ledger)
    names = {text(node, "thread_id") or "" for _, node in bundle.objects("nodes")}
    outcomes = Outcomes(bundle, ledger, chosen)
    written: list[Written] = []
    for number, thread in enumerate(chosen):
        bound = Bound(bundle, ledger, thread.name, is_alone=len(names) < 2)
        steps = Steps(ledger, is_own=is_own, has_thoughts=has_thoughts)
        tree = _document(thread, bound, outcomes, steps)
        if is_own and not number:
            tree = {**_kept(bundle, ledger), **{name: one for name, one in tree.items() if one is not None}}
        is_named = number or (len(chosen) > 1 and thread.name.startswith(ATTEMPT))  # no attempt stands for the run
        written.append(Written(tree, part_of(thread.name, number) if is_named else ""))
    return written


def _kept(bundle: Bundle, ledger: Ledger) -> Json:
    """What a recording of this format says of itself as a file, which the Bundle keeps beside its core."""
    known = sources(bundle)
    rest = known[0].get("rest") if len(known) == 1 else None
    at = ("extensions", EXTENSION, "data", "artifacts", 0)
    part = Part(known[0], at, ledger) if type(rest) is dict else None
    return {name: part.hold("rest", f"/{name}") for name in ENVELOPE} if part is not None else {}


def _warn(bundle: Bundle, ledger: Ledger) -> None:
    """The format is for publishing; whether that is granted is for `publish-check` to hold (decisions 33)."""
    rights = bundle.member("rights")
    if any(rights.get(use) is not True for use in ("redistribution_original", "redistribution_transformed")):
        ledger.note("the file is made for publishing, and redistribution is not granted")


def _chosen(bundle: Bundle, ledger: Ledger) -> list[Thread]:
    """The threads to write: of attempts only the one that was chosen, where a record says which."""
    found = threads(bundle, ledger) or [Thread("")]
    best = ""
    for position, node in bundle.objects("nodes"):
        choice = Part(node, ("nodes", position), ledger)
        number = choice.peek("payload", "best_attempt")
        if choice.peek("kind") == "branch" and type(number) is int:
            best = f"{ATTEMPT}{choice.get('payload', 'best_attempt')}"
    names = {thread.name for thread in found}
    if best not in names:
        return found
    kept = [one for one in found if one.name == best or not one.name.startswith(ATTEMPT)]
    kept = [one for one in kept if one.name or any(turn.kind in ("decision", "input") for turn in one.turns)]
    return sorted(kept, key=lambda one: one.name != best)


def _document(thread: Thread, bound: Bound, outcomes: Outcomes, steps: Steps) -> Json:
    made = steps.of(thread)
    return {
        "experiment": bound.text("tasks", "id"),
        "title": bound.text("tasks", "name"),
        "model": bound.text("models", "id") or _called(thread),
        "task": steps.task,
        "outcome": outcomes.of(thread.name),
        "recorded_at": _recorded_at(thread),
        "steps": made,
    }


# --- around the steps ----------------------------------------------------------------------------------------------


def _called(thread: Thread) -> Held | None:
    """The model of the first call that names one."""
    for turn in thread.turns:
        if turn.kind != "decision" or unlived(turn.node) is not None:
            continue
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
