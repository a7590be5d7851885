"""AT401-AT405, AT407-AT414: states and views. Unchanged, empty, withheld, unavailable and elsewhere differ (§8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attraj.bundle.checks.check import NOTHING, Asked, Json, error, info, on_bundle, on_each, warning
from attraj.bundle.groups import Group
from attraj.bundle.markers import is_marker, status_of
from attraj.bundle.model import Bundle, text, texts
from attraj.bundle.vocabulary import AVAILABILITIES, AVAILABILITY_ALIASES
from attraj.findings import Finding, Related, Stratum
from attraj.pointer import join

AT401 = error("AT401", "unknown-availability", Stratum.MEANING)
AT402 = error("AT402", "availability-contradicts-content", Stratum.MEANING)
AT403 = warning("AT403", "withheld-state-without-reason", Stratum.MEANING)
AT404 = warning("AT404", "transition-without-state", Stratum.MEANING)
AT405 = error("AT405", "unchanged-state-with-changes", Stratum.MEANING)
AT407 = warning("AT407", "mixed-view", Stratum.MEANING)
AT408 = error("AT408", "undeclared-reconstruction", Stratum.MEANING)
AT409 = warning("AT409", "delta-without-base", Stratum.MEANING)
AT410 = warning("AT410", "revision-goes-back", Stratum.MEANING)
AT411 = info("AT411", "unpartitioned-context", Stratum.MEANING)
AT412 = info("AT412", "no-state", Stratum.MEANING)
AT413 = error("AT413", "view-from-the-future", Stratum.MEANING)
AT414 = info("AT414", "repeated-view", Stratum.MEANING)

CONTENT = ("view", "snapshot", "delta")
NEEDS_REASON = frozenset({"redacted", "omitted", "unavailable", "unknown"})
STATE_MEMBERS = ("state_before", "state_view", "state_after")

# How a view keeps apart what the agent saw and what only the runtime knew (§4.3, §8.2).
PARTITION = frozenset({"agent_visible", "runtime_only"})
CONTEXT_PARTS = frozenset({"kernel", "mind", "inbox", "session", "attention"})
# Names that only a runtime has a use for; words that an agent's own notes may use are left out on purpose.
RUNTIME_KEYS = frozenset(
    {
        "lease",
        "leases",
        "lease_id",
        "fencing_token",
        "runtime",
        "runtime_state",
        "internal_state",
        "scheduler",
        "scheduler_state",
        "supervisor",
        "worker_id",
    }
)


# --- one state ---------------------------------------------------------------------------------------------------


@on_each("states", AT401, AT402, AT403, member="availability")
def availability(_bundle: Bundle, position: int, state: Json) -> Sequence[Finding]:
    """The word is known, fits what is there, and has its reason."""
    word = state["availability"]
    if word == "referenced" and "view" not in state and "snapshot" not in state and "kind" not in state:
        return NOTHING  # the reference exporter's only case
    if type(word) is not str:
        return NOTHING if not is_marker(word) else (_unknown_availability(position),)
    word = AVAILABILITY_ALIASES.get(word, word)
    if word not in AVAILABILITIES:
        return (_unknown_availability(position),)
    found: list[Finding] = []
    contradiction = _contradiction(word, state)
    if contradiction:
        found.append(
            AT402.at(
                join("states", position, "availability"),
                contradiction,
                hint="an empty content is written as such (view: {}); a withheld one has no content and a reason",
            )
        )
    if word in NEEDS_REASON and state.get("reason", "") == "":
        found.append(
            AT403.at(
                join("states", position),
                f"content is {word}, and no reason is given",
                hint="add the `reason`; the class of what is missing is enough",
            )
        )
    return found


def _unknown_availability(position: int) -> Finding:
    hint = "write one of: " + ", ".join(AVAILABILITIES)
    return AT401.at(join("states", position, "availability"), "availability is no word of the specification", hint=hint)


def _contradiction(word: str, state: Json) -> str:
    stated = [name for name in CONTENT if name in state]
    here = [name for name in stated if not _is_placeholder(state[name])]
    if word == "included":
        if here:
            return ""
        return (
            "content is said to be included, and is withheld"
            if stated
            else "content is said to be included, and is not here"
        )
    # A reference beside the change that led to it is how the reference exporter writes a state (spec: bundle.md §3.1).
    if word == "referenced" and state.get("kind") != "delta":
        here = [name for name in here if name != "delta"]
    return f"content is said to be {word}, and `{here[0]}` holds it" if here else ""


def _is_placeholder(content: Any) -> bool:
    """Whether a marker stands for the whole content; a cut text and an escaped value are content."""
    return is_marker(content) and status_of(content) not in ("truncated", "literal")


@on_each("states", AT407, AT411, member="view")
def partition(_bundle: Bundle, position: int, state: Json) -> Sequence[Finding]:
    view = state["view"]
    if type(view) is not dict or not PARTITION.isdisjoint(view) or not CONTEXT_PARTS.isdisjoint(view):
        return NOTHING
    if view.get("kind") == "structured_context":
        hint = "give kernel, mind, inbox, session and attention each a member of its own"
        message = "a view of a structured context does not keep its parts apart"
        return (AT411.at(join("states", position, "view"), message, hint=hint),)
    sections = {name for _, name in texts(view, "sections")}
    if sections.issuperset(PARTITION) or not RUNTIME_KEYS.isdisjoint(view):
        return (
            AT407.at(
                join("states", position, "view"),
                "the view mixes what the agent saw with what only the runtime knew",
                hint="put the parts under `agent_visible` and `runtime_only`",
            ),
        )
    return NOTHING


@on_each("states", AT408, member="reconstructed")
def reconstruction(bundle: Bundle, position: int, state: Json) -> Sequence[Finding]:
    if state["reconstructed"] is not True or "state_reconstruction" in bundle.index.operations:
        return NOTHING
    return (
        AT408.at(
            join("states", position, "reconstructed"),
            "the state was made later from other records, and transform does not say so",
            hint="list `state_reconstruction` in transform.operations",
        ),
    )


@on_bundle(AT409)
def deltas(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """A change means something only from a state: by `base_state`, or by a node that leads from one to the other."""
    linked: set[str] | None = None
    for position, state in bundle.objects("states"):
        if not _is_delta(state) or state.get("base_state", "") != "" or text(state, "availability") in NEEDS_REASON:
            continue
        if linked is None:
            linked = _linked_states(bundle)
        if text(state, "state_id") not in linked:
            yield AT409.at(
                join("states", position),
                "the change does not say from which state it leads",
                hint="name the state in `base_state`, or give a node both state_before and state_after",
            )


def _is_delta(state: Json) -> bool:
    if state.get("kind") == "delta":
        return True
    return (
        "delta" in state and "view" not in state and "snapshot" not in state and state.get("availability") == "included"
    )


def _linked_states(bundle: Bundle) -> set[str]:
    """Ids of the states that a node leads to or from with both ends named."""
    found: set[str] = set()
    for _, node in bundle.objects("nodes"):
        before, after = node.get("state_before"), node.get("state_after")
        if type(before) is str and type(after) is str and before != after:
            found.update((before, after))
    return found


@on_bundle(AT414)
def repeated_views(bundle: Bundle, asked: Asked) -> Iterator[Finding]:
    """One finding for each view that stands in several states at great length together (§8.3)."""
    states = [(position, state["view"]) for position, state in bundle.objects("states") if "view" in state]
    views = [(position, view) for position, view in states if type(view) in (dict, list, str) and view]
    if len(views) < 2 or 0 < len(bundle.raw) <= asked.limits.max_repeated_bytes:
        return
    from hashlib import blake2b  # only where a bundle is large enough: it takes 3 ms to import

    found: dict[bytes, list[int]] = {}
    sizes: dict[bytes, int] = {}
    for position, view in views:
        written = _written(view)
        digest = blake2b(written, digest_size=16).digest()
        sizes[digest] = len(written)
        found.setdefault(digest, []).append(position)
    for digest, positions in found.items():
        if len(positions) > 1 and len(positions) * sizes[digest] > asked.limits.max_repeated_bytes:
            yield AT414.at(
                join("states", positions[1], "view"),
                f"the same view stands in {len(positions)} states",
                hint="keep it once; let the others say `unchanged` with `same_as`, or `referenced` with a digest",
                related=[Related(join("states", positions[0], "view"), "stands here first")],
            )


def _written(view: Any) -> bytes:
    """Bytes that are equal exactly for equal JSON values."""
    import orjson  # only where views are here

    try:
        return orjson.dumps(view, option=orjson.OPT_SORT_KEYS)
    except (TypeError, RecursionError):  # integers beyond 64 bits, lone surrogates, great depth
        import json

        return json.dumps(view, sort_keys=True, separators=(",", ":")).encode("ascii")


# --- states of a node --------------------------------------------------------------------------------------------


@on_bundle(AT404)
def without_state(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """A decision or state transaction names a state or view, or marks that there is none to name (§5.1)."""
    nodes, by_kind = bundle.items("nodes"), bundle.index.by_kind
    for kind in ("decision", "state_transaction"):
        for position in by_kind.get(kind, ()):
            node = nodes[position]
            if node.get("state_before") or any(node.get(member, "") != "" for member in STATE_MEMBERS):
                continue
            yield AT404.at(
                join("nodes", position),
                "no state, view or marker says what the transition started from",
                hint="name state_before or state_view; a state that cannot be given is declared `unavailable`",
            )


def _unchanged_or_older(bundle: Bundle, group: Group) -> list[int]:
    """The state after is the one before, or is declared unchanged, or has an earlier revision."""
    unchanged, revisions = bundle.index.unchanged_states, bundle.index.revisions
    return [
        i
        for i, (before, after) in enumerate(zip(group.held("state_before"), group.column("state_after"), strict=True))
        if type(after) is str and (before == after or after in unchanged or _is_older(revisions, before, after))
    ]


def _is_older(revisions: Mapping[str, int], first: Any, second: Any) -> bool:
    """Whether the second state has an earlier revision than the first; False where one of them has none."""
    if type(first) is not str or type(second) is not str or first not in revisions or second not in revisions:
        return False
    return revisions[second] < revisions[first]


@on_each("nodes", AT405, AT410, member="state_after", suspects=_unchanged_or_older)
def after(bundle: Bundle, position: int, node: Json) -> Sequence[Finding]:
    """An unchanged state has no changes, and a changed one is not older than the state before."""
    before, later = node.get("state_before"), node["state_after"]
    if type(later) is not str:
        return NOTHING
    index = bundle.index
    earlier_state, later_state = index.state(before), index.state(later)
    is_same = before == later or (later_state is not None and later_state.get("availability") == "unchanged")
    if is_same and _has_changes(node) and _is_unchanged(bundle, before, later):
        return (
            AT405.at(
                join("nodes", position, "state_after"),
                "the state did not change, and the node lists changes",
                hint="name the state that the changes led to, or remove the changes",
            ),
        )
    if _revision_gap(earlier_state, later_state) < 0:
        return (
            AT410.at(
                join("nodes", position, "state_after"),
                "the state after has an earlier revision than the state before",
                hint="exchange the two, or correct the revision",
            ),
        )
    return NOTHING


def _has_changes(node: Json) -> bool:
    writes, delta = node.get("write_set"), node.get("state_delta")
    return (type(writes) is list and writes != []) or (bool(delta) and not is_marker(delta))


def _is_unchanged(bundle: Bundle, before: Any, later: str) -> bool:
    """Whether a state after that is the one before, or is declared unchanged, is so with respect to the one before."""
    same = bundle.index.same_states
    return before == later or type(before) is not str or later not in same or same[later] == same.get(before, before)


def _revision_gap(first: Json | None, second: Json | None) -> int:
    """How many revisions the second state is ahead of the first in their context; 0 when that cannot be told."""
    if first is None or second is None or first.get("context_id") != second.get("context_id"):
        return 0
    x, y = first.get("context_revision"), second.get("context_revision")
    return y - x if type(x) is int and type(y) is int else 0


def _newer_views(bundle: Bundle, group: Group) -> list[int]:
    revisions, pairs = bundle.index.revisions, zip(group.held("state_before"), group.column("state_view"), strict=True)
    return [i for i, (before, view) in enumerate(pairs) if before != view and _is_older(revisions, view, before)]


@on_each("nodes", AT413, member="state_view", suspects=_newer_views)
def view_in_time(bundle: Bundle, position: int, node: Json) -> Sequence[Finding]:
    if node.get("kind") != "decision":
        return NOTHING
    state = bundle.index.state
    if _revision_gap(state(node.get("state_before")), state(node["state_view"])) <= 0:
        return NOTHING
    return (
        AT413.at(
            join("nodes", position, "state_view"),
            "the decision's view is newer than the state before the decision",
            hint="name the view that was there when the decision was made",
        ),
    )


@on_bundle(AT412)
def any_state(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """A trajectory is about state transitions; one that has none can say very little (§4.1)."""
    if bundle.items("states") or type(bundle.tree.get("nodes")) is not list:
        return
    members = {*STATE_MEMBERS, "state_delta", "write_set"}
    for _, node in bundle.objects("nodes"):
        # What lacks its state is AT404.
        if not members.isdisjoint(node) or text(node, "kind") in ("decision", "state_transaction"):
            return
    yield AT412.at(
        "",
        "the bundle has no state, and no node that names one",
        hint="declare the states that are known to have existed, `unavailable` with the reason where need be",
    )
