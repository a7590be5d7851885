"""What of a Bundle a writer took, and the losses that are the rest: nothing is dropped without a name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from attraj.bundle.markers import is_marker
from attraj.formats.mapping.facts import OWN, Facts
from attraj.formats.mapping.fields import At, Json, look_up, nested, pointer_of
from attraj.formats.mapping.held import Ledger
from attraj.formats.mapping.loss import Loss
from attraj.formats.mapping.residue import EXTENSION
from attraj.jsonio import MISSING


class Kind(NamedTuple):
    """What it means to lose what stands at a place; `*` in the place is any position or name.

    Attributes:
        code: "" when nothing is lost: the target says it in its own way, or it speaks of the Bundle alone.
    """

    place: tuple[str, ...]
    code: str = ""
    category: str = "other"
    detail: str = ""


# First match wins; a place matches everything below it. Writers put their own rows before these.
KINDS: tuple[Kind, ...] = (
    Kind(("spec_version",)),
    Kind(("profiles",), "profiles", "other", "claims of conformance"),
    Kind(("trajectory_id",), "trajectory-id", "identity", "the Bundle's identity"),
    Kind(("source",), "source", "identity", "what produced the records"),
    Kind(("scope", "termination"), "termination", "call_success_vs_outcome", "how the run ended"),
    Kind(("scope", "resources"), "resources", "usage", "budget and what was used of it"),
    Kind(("scope",), "scope", "other", "which part of the run is covered"),
    Kind(("completeness",), "completeness", "other", "how whole the record is"),
    Kind(("bindings",), "bindings", "identity", "identities of task, environment, model, harness, tools"),
    Kind(("states",), "state-views", "message_vs_state_view", "states and views"),
    Kind(("edges",), "causal-edges", "order_vs_causality", "typed causal relations"),
    Kind(("outcomes",), "outcomes", "call_success_vs_outcome", "claims about how it ended, with their authority"),
    Kind(("verifier_results",), "verifier-results", "verifier_vs_reward", "results of verifiers"),
    Kind(("reward_records",), "reward-records", "verifier_vs_reward", "reward signals with their policy"),
    Kind(("disclosure",), "disclosure", "rights", "what is withheld, and of which class"),
    Kind(("rights",), "rights", "rights", "what the record may be used for"),
    Kind(("integrity",), "integrity", "identity", "digest or signature"),
    Kind(("transform",), "lineage", "identity", "what was done to the data on the way"),
    Kind(
        ("extensions", EXTENSION, "data", "artifacts", "*", "rest"), "source-members", "other", "members of the source"
    ),
    Kind(("extensions", EXTENSION)),
    Kind(("extensions", "dev.attraj.native")),
    Kind(("extensions",), "extensions", "other", "namespaced additions"),
    Kind(("nodes", "*", "payload", "source_call_id"), "call-ids", "identity", "ids of calls"),
    Kind(("nodes", "*", "timestamp"), "times", "timing", "times of events"),
    Kind(("nodes", "*", "model_call", "usage"), "usage", "usage", "tokens and cost of a call"),
    Kind(("nodes", "*", "model_call"), "model-call", "identity", "who was called, and how"),
    Kind(("nodes", "*", "state_before"), "state-views", "message_vs_state_view", "states and views"),
    Kind(("nodes", "*", "state_view"), "state-views", "message_vs_state_view", "states and views"),
    Kind(("nodes", "*", "state_after"), "state-views", "message_vs_state_view", "states and views"),
    Kind(("nodes", "*", "state_delta"), "state-views", "message_vs_state_view", "states and views"),
    Kind(("nodes", "*", "admission"), "admission", "request_vs_effect", "whether a call was admitted, and by whom"),
    Kind(("nodes", "*", "effect"), "effects", "request_vs_effect", "effects and whether a receipt exists"),
    Kind(("nodes", "*", "receipt"), "effects", "request_vs_effect", "effects and whether a receipt exists"),
    Kind(("nodes", "*", "parents"), "parents", "order_vs_causality", "what is known about causes"),
    Kind(("nodes", "*", "external_parents"), "parents", "order_vs_causality", "what is known about causes"),
    Kind(("nodes", "*", "attempt_id"), "attempts", "span_vs_node", "which attempt a node belongs to"),
    Kind(("nodes", "*", "thread_id"), "threads", "span_vs_node", "which agent or attempt a node belongs to"),
    Kind(("nodes", "*", "actor"), "actors", "identity", "who acted, by which authority"),
    Kind(("nodes", "*", "authority_class"), "actors", "identity", "who acted, by which authority"),
    Kind(("nodes", "*", "training"), "masks", "other", "training masks"),
    Kind(("nodes", "*", "status"), "statuses", "request_vs_effect", "what became of an event"),
    Kind(("nodes", "*", "evidence_refs"), "evidence", "verifier_vs_reward", "what a record rests on"),
)
# Rows of writers whose formats count no steps and no calls of a step.
OF_STEPS: tuple[Kind, ...] = (
    Kind(("nodes", "*", "logical_clock"), "step-numbers", "order_vs_causality", "numbers that the source gives"),
    Kind(
        ("nodes", "*", "payload", "llm_call_count"), "call-counts", "span_vs_node", "how many calls one step stands for"
    ),
    Kind(
        ("nodes", "*", "payload", "thought"), "parsed-thoughts", "other", "what a harness took for the model's thought"
    ),
    Kind(("nodes", "*", "payload", "duration_s"), "durations", "timing", "how long a command ran"),
)
_DEEPEST = 8  # no row is longer
# Of a Bundle that attraj made of a foreign document these are its own: positions of the source, not facts of it.
_BOOKKEEPING = ("node_id", "kind", "sequence", "source_event_id", "source_refs", "topic")


def losses_of(
    tree: Json,
    ledger: Ledger,
    kinds: Iterable[Kind] = (),
    *,
    has_bookkeeping: bool = True,
    facts: Facts | None = None,
) -> Iterator[Loss]:
    """The losses that a writer has named, then one for each part of the Bundle that it used nothing of.

    Args:
        tree: The Bundle that was written from.
        ledger: What was used; see `held.settle`.
        kinds: The writer's own rows.
        has_bookkeeping: What a reader of ours notes for itself, such as positions in the source, is no loss.
        facts: What the source said, of a Bundle that was read from it just now: what a reader said of its own accord
            is no loss then. None for a Bundle that was given.
    """
    yield from ledger.losses
    is_ours = has_bookkeeping and look_up(tree, ("extensions", EXTENSION, "data", "artifacts")) is not MISSING
    rows = (*kinds, *KINDS)
    known: dict[At, Kind | None] = {}
    for at, value in _unused(tree, ledger.used):
        if value in ([], {}) or (is_ours and _is_bookkeeping(tree, at, value)):
            continue
        if has_bookkeeping and len(at) == 3 and at[0] == "nodes" and at[2] == "kind":
            continue  # whatever is written of a node says what it is
        key = tuple(["*" if type(token) is int else token for token in at[:_DEEPEST]])
        if key not in known:  # few kinds of places occur, so that each is looked up once
            known[key] = next((row for row in rows if matches(row.place, key)), None)
        row = known[key]
        if row is not None and facts is not None and row.code in OWN and not facts.are_at(at):
            continue
        if row is None:
            detail = "withheld content, and why it is withheld" if is_marker(value) else "content of the record"
            yield Loss("content", "other", "dropped", pointer_of(at), 1, detail, "write")
        elif row.code == "source-members":  # named by its place in the source
            place = f"{file_of(tree, at)}{at[-1]}"
            yield Loss(row.code, row.category, "dropped", place, 1, row.detail, "write")
        elif row.code:
            yield Loss(row.code, row.category, "dropped", pointer_of(at), 1, row.detail, "write")


def file_of(tree: Json, at: At) -> str:
    """JSON Pointer of the file that a residue is of, where it is a file of a folder, read as an object; else ""."""
    identity = look_up(tree, (*at[:5], "artifact_id"))
    is_file = type(identity) is str and identity.startswith("file:")
    return pointer_of(tuple(identity.removeprefix("file:").split("/"))) if is_file else ""


def is_silent(tree: Json, at: At) -> bool:
    """Whether it is no loss that what stands at this place of a Bundle is not used: see `losses_of`."""
    row = next((row for row in KINDS if matches(row.place, at)), None)
    if (row is not None and not row.code) or (len(at) > 2 and at[0] == "nodes" and at[2] == "kind"):
        return True
    is_ours = look_up(tree, ("extensions", EXTENSION, "data", "artifacts")) is not MISSING
    places = (at[:depth] for depth in range(1, len(at) + 1))
    return is_ours and any(_is_bookkeeping(tree, one, look_up(tree, one)) for one in places)


_UNADMITTED = frozenset({"status", "authority", "reason"})
_UNCERTAIN = frozenset({"external", "receipt_status"})


def _is_asked(tree: Json, at: At, effect: Json) -> bool:
    """Whether an effect says besides no more than what the record before it has asked for."""
    action = look_up(tree, ("nodes", int(at[1]) - 1, "action"))
    asked = {
        one for one in (look_up(action, ("arguments", "command")), look_up(action, ("value",))) if type(one) is str
    }
    return _UNCERTAIN.union({"request"}).issuperset(effect) and effect["request"] in list(asked)


def _is_bookkeeping(tree: Json, at: At, value: Any) -> bool:
    if at[0] == "edges":  # a transcript gives its order again, and with it what was inferred from it
        return type(value) is dict and value.get("basis") in ("turn_order", "loop_semantics")
    if len(at) != 3 or at[0] != "nodes":
        return False
    if at[2] == "admission":  # the source says nothing of it
        return type(value) is dict and value.get("status") == "unknown" and _UNADMITTED.issuperset(value)
    if at[2] == "effect":  # told by a result, which stands for itself
        is_told = type(value) is dict and value.get("receipt_status") == "none_authoritative"
        return is_told and (_UNCERTAIN.issuperset(value) or _is_asked(tree, at, value))
    if at[2] == "parents":
        return type(value) is dict and value.get("status") in ("partial", "undetermined")
    return at[2] in _BOOKKEEPING


def matches(place: At, at: At) -> bool:
    """Whether something stands at a place or below it; `*` in the place is any position or name."""
    return len(at) >= len(place) and all(want in ("*", got) for want, got in zip(place, at, strict=False))


def _unused(tree: Json, used: Iterable[At]) -> Iterator[tuple[At, Any]]:
    """The largest parts of which nothing was used, in document order. Collections are opened to their records."""
    marks = nested(used)
    pending: list[tuple[Any, Any, At]] = [] if marks is True else [(tree, marks, ())]
    while pending:
        value, known, at = pending.pop()
        if at and not known and not _is_opened(at, value):
            yield at, value
            continue
        if type(value) not in (dict, list):
            continue
        pairs: list[tuple[Any, Any]] = list(value.items()) if type(value) is dict else list(enumerate(value))
        below = [(one, known.get(token, {}), (*at, token)) for token, one in pairs if known.get(token) is not True]
        pending.extend(reversed(below))


# Places that are told part by part although nothing of them was used.
_OPENED = (
    ("states",),
    ("nodes",),
    ("nodes", "*"),
    ("nodes", "*", "model_call"),
    ("nodes", "*", "payload"),
    ("edges",),
    ("outcomes",),
    ("verifier_results",),
    ("reward_records",),
    ("bindings",),
    ("scope",),
    ("extensions",),
    ("extensions", EXTENSION),
    ("extensions", EXTENSION, "data"),
    ("extensions", EXTENSION, "data", "artifacts"),
    ("extensions", EXTENSION, "data", "artifacts", "*"),
    ("extensions", EXTENSION, "data", "artifacts", "*", "rest"),
)


def _is_opened(at: At, value: Any) -> bool:
    if type(value) not in (dict, list) or not value:
        return False
    return any(len(place) == len(at) and matches(place, at) for place in _OPENED)
