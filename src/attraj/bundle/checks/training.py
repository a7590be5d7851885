"""AT82x: training targets and their masks. Nothing is trained on merely because it is present (§5.3, §12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Any

from attraj.bundle.checks.check import NOTHING, Asked, Json, error, on_bundle, on_each, warning
from attraj.bundle.checks.masks import (
    AT825,
    AT826,
    AT827,
    STATE_MEMBERS,
    entry_faults,
    has_marker,
    loss_faults,
    part_at,
    role_faults,
    takes_loss,
)
from attraj.bundle.graph import reach
from attraj.bundle.groups import Group, grouped
from attraj.bundle.markers import is_marker
from attraj.bundle.model import Bundle, child, text
from attraj.bundle.vocabulary import FAILURE_WORDS, REFUSALS, SUCCESS_WORDS, TRAINING
from attraj.findings import Finding, Stratum
from attraj.pointer import join

AT821 = error("AT821", "target-without-state", Stratum.PROFILES, TRAINING)
AT822 = error("AT822", "target-without-action", Stratum.PROFILES, TRAINING)
AT823 = error("AT823", "target-without-result", Stratum.PROFILES, TRAINING)
AT824 = error("AT824", "no-mask", Stratum.PROFILES, TRAINING)
AT828 = warning("AT828", "mask-of-nothing", Stratum.PROFILES, TRAINING)
AT829 = warning("AT829", "signal-without-record", Stratum.MEANING, TRAINING)

VIEW_MEMBERS = ("state_view", "state_before")
ACTION_MEMBERS = ("action", "payload")  # the reference form holds the action in the payload

# What tells how a decision went, in the decision itself or in what follows it.
RESULT_MEMBERS = frozenset({"observation", "receipt", "state_delta", "write_set", "state_after"})
RESULT_KINDS = frozenset(
    {"observation", "effect_receipt", "evidence", "state_transaction", "callback", "input", "outcome", "terminal"}
)
# "committed" is what an exporter writes of every record: it says nothing of how the decision went.
END_WORDS = frozenset({*SUCCESS_WORDS, *FAILURE_WORDS}) - {"committed"}
REFUSED = frozenset(REFUSALS)

_SOON = 8  # steps of a chain
_STATE_PATHS = tuple(f"/{name}" for name in STATE_MEMBERS)

HELD_BACK = frozenset({"redacted", "omitted", "unavailable", "unknown", "missing"})
SIGNALS = ("reward", "rewards", "reward_score", "reward_value", "label", "labels", "preference")


def is_target(node: Json) -> bool:
    """Whether a node says that it is a training target."""
    return child(node, "training").get("target") is True


# --- targets -----------------------------------------------------------------------------------------------------


@on_bundle(AT824, profile=TRAINING)
def has_masks(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """There is a target, and each one has a mask."""
    found = bundle.index.targets
    if not found and type(bundle.tree.get("nodes")) is list:
        yield AT824.at(
            "/nodes",
            "AT-Training is claimed, and no node says that it is a training target",
            hint="give each decision that may be trained on `training` with target and mask; presence is no permission",
        )
    for position, node in found:
        mask = node["training"].get("mask", [])
        if mask == [] or is_marker(mask):
            yield AT824.at(
                join("nodes", position, "training"),
                "the target has no mask: nothing says which of its parts are input, target or excluded",
                hint="list path, role, loss, availability, visible and permitted of each part",
            )


def _without_text(_bundle: Bundle, group: Group) -> Iterable[int]:
    """The nodes whose state view is no text: a marker, or not there."""
    names = [name for name in VIEW_MEMBERS if name in group.names]
    if not names:
        return range(len(group.records))
    return [i for i, value in enumerate(group.column(names[0])) if type(value) is not str]


@on_each("nodes", AT821, member="training", profile=TRAINING, suspects=_without_text)
def has_state(_bundle: Bundle, position: int, node: Json) -> tuple[Finding, ...]:
    if not is_target(node) or any(name in node and not is_marker(node[name]) for name in VIEW_MEMBERS):
        return NOTHING
    return (
        AT821.at(
            join("nodes", position),
            "the target does not name the state view that the decision had",
            hint="name it in `state_view`, or set target to false where it is not known",
        ),
    )


@on_bundle(AT822, profile=TRAINING)
def has_action(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """The chosen action and its admission, which may stand in a node that follows."""
    found = bundle.index.targets
    admitted: set[int] | None = None
    for position, node in found:
        missing = []
        if all(name not in node or is_marker(node[name]) for name in ACTION_MEMBERS):
            missing.append("the chosen action")
        if not _states_admission(node):
            if admitted is None:
                admitted = _led_to(bundle, _admissions(bundle))
            if position not in admitted:
                missing.append("an admission status")
        if missing:
            yield AT822.at(
                join("nodes", position),
                f"the target is without {' and '.join(missing)}",
                hint="an admission that nobody recorded has the status unknown",
            )


@on_bundle(AT823, profile=TRAINING)
def has_result(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """An observation, a change, an end, or a declaration that there is none."""
    end = child(bundle.member("scope"), "termination").get("at_node", "")
    waiting = sorted(
        position
        for group in bundle.index.groups["nodes"]
        if "training" in group.names and RESULT_MEMBERS.isdisjoint(group.names)
        for position, node, is_target in zip(
            group.positions, group.records, group.inner("training", "target"), strict=True
        )
        if is_target is True and not _tells_result(node, end)
    )
    if not waiting:
        return
    results = _results(bundle)
    waiting = _not_soon(bundle, waiting, results)
    if not waiting:
        return
    answered = _led_to(bundle, results)
    answered_later: set[int] | None = None
    for position in waiting:
        if position in answered:
            continue
        if _delegates(bundle, position):
            # What comes back to a delegation has passed through the decisions of others.
            if answered_later is None:
                answered_later = reach(bundle.index.parents, results)
            if position in answered_later:
                continue
        yield AT823.at(
            join("nodes", position),
            "nothing that follows the target tells how it went: no observation, change or end",
            hint="record what came back with an edge to it, or say why there is nothing in training.missing_target",
        )


def _states_admission(node: Json) -> bool:
    admission = node.get("admission")
    return is_marker(admission) or (type(admission) is dict and "status" in admission)


def _admissions(bundle: Bundle) -> list[int]:
    """Positions of the nodes that are an admission, or state one."""
    having = bundle.index.having("nodes", "admission")
    return [*bundle.index.by_kind.get("admission", ()), *(p for p, node in having if _states_admission(node))]


def _tells_result(node: Json, end: Any) -> bool:
    """Whether a target says how it went, or why that is not known; `end` names the node where all ended."""
    if "missing_target" in node["training"] or _is_word(node.get("status"), END_WORDS):
        return True
    if "admission" in node and _is_word(child(node, "admission").get("status"), REFUSED):
        return True
    return "node_id" in node and end == node["node_id"]


def _results(bundle: Bundle) -> list[int]:
    """Positions of the nodes that tell how a decision went which led to them."""
    nodes, by_kind, kinds = bundle.items("nodes"), bundle.index.by_kind, bundle.index.kinds
    found = [position for kind in sorted(RESULT_KINDS) for position in by_kind.get(kind, ())]
    for group in bundle.index.groups["nodes"]:
        if not RESULT_MEMBERS.isdisjoint(group.names):
            # How another decision went says nothing about this one.
            found += [position for position in group.positions if kinds[position] != "decision"]
    for kind in ("effect", "admission"):
        found += [p for p in by_kind.get(kind, ()) if _is_word(nodes[p].get("status"), END_WORDS)]
    return found


def _is_word(value: Any, words: frozenset[str]) -> bool:
    return type(value) is str and value in words


def _not_soon(bundle: Bundle, starts: Iterable[int], ends: Iterable[int]) -> list[int]:
    """Those of the starts that a plain chain of a few nodes does not lead to one of the ends."""
    children, kinds = bundle.index.children, bundle.index.kinds
    is_end = bytearray(len(children))
    for position in ends:
        is_end[position] = 1
    left: list[int] = []
    for start in starts:
        following = children[start]
        for _ in range(_SOON):
            if following is None or (len(following) > 1 and not any(is_end[position] for position in following)):
                left.append(start)
                break
            position = following[0]
            if is_end[position] or len(following) > 1:
                break
            following = None if kinds[position] == "decision" else children[position]
        else:
            left.append(start)
    return left


def _led_to(bundle: Bundle, ends: Iterable[int]) -> set[int]:
    """Positions from which one of the ends follows, with no other decision between.

    One walk against the edges, whatever the number of targets.
    """
    parents, decisions = bundle.index.parents, set(bundle.index.by_kind.get("decision", ()))
    seen: set[int] = set()
    pending = list(ends)
    while pending:
        for cause in parents[pending.pop()] or ():
            if cause not in seen:
                seen.add(cause)
                if cause not in decisions:
                    pending.append(cause)
    return seen


def _delegates(bundle: Bundle, position: int) -> bool:
    nodes = bundle.items("nodes")
    return any(nodes[effect].get("kind") == "delegation" for effect in bundle.index.children[position] or ())


# --- masks -------------------------------------------------------------------------------------------------------


@on_bundle(AT825, AT826, AT827, AT828, profile=TRAINING)
def masks(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Each entry has known words, takes loss only where it may, and names something that is there."""
    whole: dict[int, bool] = {}  # by identity: many targets may name one large state
    marked = bundle.content.marked_nodes
    places = [
        (position, node, number)
        for position, node in bundle.index.having("nodes", "training")
        if type(entries := child(node, "training").get("mask")) is list
        for number in range(len(entries))
    ]
    for group in grouped([node["training"]["mask"][number] for _, node, number in places]):
        # Rows of which, but for the node, nothing is wrong; whether they take loss, and lead on into a state. A bundle
        # has few of them.
        clean: dict[tuple[Any, ...], tuple[bool, bool]] = {}
        # Only of words and truths: 1 equals true, and is another thing.
        is_plain = group.names != () and all(group.types(name) <= {str, bool} for name in group.names)
        rows = zip(*map(group.column, group.names), strict=True) if is_plain else repeat(())
        for place, entry, row in zip(group.positions, group.records, rows, strict=False):
            position, node, number = places[place]
            if row in clean:
                has_loss, leads_on = clean[row]
                # Without a mark in the node all of it is whole.
                if _is_sound(bundle, node, entry, whole, takes_loss=has_loss and (leads_on or position in marked)):
                    continue
            elif is_marker(entry):
                continue
            found = [*_entry_faults(bundle, node, entry, ("nodes", position, "training", "mask", number), whole)]
            if is_plain and not found:
                path = entry.get("path")
                clean[row] = takes_loss(entry), type(path) is str and path.startswith(_STATE_PATHS)
            yield from found


def _is_sound(bundle: Bundle, node: Json, entry: Json, whole: dict[int, bool], *, takes_loss: bool) -> bool:
    """Whether what an entry is about is there, and is whole where it takes loss on it."""
    path = entry.get("path")
    if type(path) is not str:
        return not takes_loss
    name = path[1:]
    is_step = name in node and path[0] == "/" and "/" not in name and "~" not in name
    if is_step and (not takes_loss or name not in STATE_MEMBERS):
        return not takes_loss or _is_whole(node[name], whole)
    is_here, value = part_at(bundle, node, path)
    if not is_here and not _is_word(entry.get("availability"), HELD_BACK):
        return False
    return not takes_loss or _is_whole(value, whole)


def _is_whole(value: Any, whole: dict[int, bool]) -> bool:
    if id(value) not in whole:
        is_flat = type(value) is dict and len(value) > 1 and {dict, list}.isdisjoint(map(type, value.values()))
        whole[id(value)] = is_flat or not has_marker(value)
    return whole[id(value)]


def _entry_faults(
    bundle: Bundle, node: Json, entry: Json, way: tuple[str | int, ...], whole: dict[int, bool]
) -> Iterator[Finding]:
    at = join(*way)
    yield from entry_faults(entry, at, needs=("path", "role", "loss"))
    yield from role_faults(entry, at)
    path = entry.get("path")
    is_here, value = part_at(bundle, node, path) if type(path) is str else (True, None)
    if not is_here and not _is_word(entry.get("availability"), HELD_BACK):
        yield AT828.at(
            at + "/path",
            "the path leads to nothing in this node",
            hint="a JSON Pointer from the node; /state_view leads on into the state that it names",
        )
    if takes_loss(entry):
        yield from loss_faults(entry, at, is_whole=_is_whole(value, whole), needs_permission=True)


# --- signals -----------------------------------------------------------------------------------------------------


@on_bundle(AT829)
def signals(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """A reward or label that stands in a payload alone has no policy, no version and no target."""
    recorded: set[str] | None = None
    for position, node in bundle.index.having("nodes", "payload"):
        payload = node["payload"]
        if type(payload) is not dict or _NAMES.isdisjoint(payload):
            continue
        name = next((name for name in payload if name in _NAMES and _is_signal(payload[name])), "")
        if not name:
            continue
        if recorded is None:
            recorded = _recorded(bundle)
        if not any(text(node, member) in recorded for member in ("node_id", "source_event_id")):
            yield AT829.at(
                join("nodes", position, "payload", name),
                "the payload holds a reward or label that no reward record speaks of",
                hint="make it a reward record with policy, version, sources and target; the payload may stay",
            )


_NAMES = frozenset(SIGNALS)


def _is_signal(value: Any) -> bool:
    return value is not None and value not in ("", [], {}) and not is_marker(value)


def _recorded(bundle: Bundle) -> set[str]:
    """Every id that a reward record has, is credited to, or rests on."""
    found: set[str] = set()
    for _, record in bundle.objects("reward_records"):
        sources = record.get("sources")
        names = [record.get("reward_id"), record.get("attribution_target")]
        found.update(name for name in (*names, *(sources if type(sources) is list else ())) if type(name) is str)
    return found
