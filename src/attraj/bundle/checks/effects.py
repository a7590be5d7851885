"""AT504-AT511: proposal, admission, effect and receipt stay apart, and a redelivery is no new effect (§4.5, §7.3, §9).

Who acted, and by which authority, is in `actors`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from attraj.bundle.checks.check import NOTHING, Asked, Json, error, on_bundle, on_each, warning
from attraj.bundle.groups import ABSENT, Group
from attraj.bundle.markers import is_marker
from attraj.bundle.model import Bundle, child, text
from attraj.bundle.vocabulary import PENDING_WORDS, REFUSALS, REPLAY_WORDS, SUCCESS_WORDS
from attraj.findings import Finding, Related, Stratum
from attraj.pointer import join

AT504 = error("AT504", "unadmitted-effect", Stratum.MEANING)
AT505 = error("AT505", "missing-receipt", Stratum.MEANING)
AT506 = error("AT506", "incomplete-receipt", Stratum.MEANING)
AT507 = error("AT507", "replay-as-success", Stratum.MEANING)
AT508 = error("AT508", "repeated-effect", Stratum.MEANING)
AT509 = warning("AT509", "collapsed-phases", Stratum.MEANING)
AT510 = warning("AT510", "effect-after-refusal", Stratum.MEANING)
AT511 = error("AT511", "refused-yet-executed", Stratum.MEANING)

EFFECTS = ("effect", "effect_receipt")
GATES = ("admission", "capability")
PROPOSERS = ("decision", "proposal", "action")
# A principal who asks and approves, and a runtime that acts by its own rules, need nobody else.
ITS_OWN_GATE = ("principal", "runtime")
RECEIPT_PARTS = ("receipt_id", "operation", "arguments", "route", "causal_id", "status", "result_ref")
_PARTS = frozenset(RECEIPT_PARTS)
# What a receipt status may say instead of a receipt (§9: "no authoritative receipt" is said, not left out).
NO_RECEIPT = frozenset({"none_authoritative", "unavailable", "redacted"})
NOT_RUN = frozenset({*PENDING_WORDS, *REFUSALS, "cancelled"})
SUCCESS = frozenset(SUCCESS_WORDS)


# --- admission ---------------------------------------------------------------------------------------------------


def _questionable_admissions(_bundle: Bundle, group: Group) -> list[int]:
    found: list[int] = []
    statuses, authorities = group.inner("admission", "status"), group.inner("admission", "authority")
    columns = (statuses, authorities, group.held("actor"), group.held("kind"))
    is_action, is_effect = "action" in group.names, "effect" in group.names
    for i, (status, authority, actor, kind) in enumerate(zip(*columns, strict=True)):
        if status == "admitted":
            if authority in ("", ABSENT) or (authority == actor and (is_action or kind in PROPOSERS)):
                found.append(i)
        elif status in REFUSALS and (is_effect or kind in EFFECTS):
            found.append(i)
    return found


@on_each("nodes", AT504, AT509, AT511, member="admission", suspects=_questionable_admissions)
def admission(_bundle: Bundle, position: int, node: Json) -> Sequence[Finding]:
    """What a record says of its own admission."""
    said = node["admission"]
    status = said.get("status") if type(said) is dict else None
    if status == "admitted":
        authority = said.get("authority", "")
        if authority == "":
            return (
                AT504.at(
                    join("nodes", position, "admission"),
                    "admitted, and the authority that admitted it is not named",
                    hint="name it in `authority`; where the source does not tell, the status is `unknown`",
                ),
            )
        if authority == node.get("actor") and _proposes(node) and not _may_admit_itself(node):
            return (_collapsed(join("nodes", position, "admission", "authority")),)
    elif type(status) is str and status in REFUSALS and _is_effect(node) and _was_executed(node):
        return (
            AT511.at(
                join("nodes", position, "admission", "status"),
                f"the effect was executed although its admission is {status}",
                hint="correct the admission, or show the record as what it is: a proposal that was refused",
            ),
        )
    return NOTHING


@on_bundle(AT509)
def self_admissions(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Admissions by the very actor that proposed what is admitted."""
    nodes, index = bundle.items("nodes"), bundle.index
    for position in bundle.index.by_kind.get("admission", ()):
        actor, authority = index.actors[position], index.authorities[position]
        if authority in ITS_OWN_GATE or not actor or type(actor) is not str or _verdict(nodes[position]) in REFUSALS:
            continue
        for cause in index.parents[position] or ():
            if index.actors[cause] == actor and index.kinds[cause] in PROPOSERS:
                yield _collapsed(join("nodes", position, "actor"))
                break


def _collapsed(pointer: str) -> Finding:
    hint = "name the authority that let it pass; where there was none, the admission is `not_required`"
    return AT509.at(pointer, "the same actor proposed and admitted", hint=hint)


def _proposes(node: Json) -> bool:
    return "action" in node or text(node, "kind") in PROPOSERS


def _may_admit_itself(node: Json) -> bool:
    return text(node, "authority_class") in ITS_OWN_GATE


def _verdict(node: Json) -> str | None:
    """What an admission or capability node decided."""
    return text(child(node, "admission"), "status") or text(node, "status")


def _is_effect(node: Json) -> bool:
    return "effect" in node or text(node, "kind") in EFFECTS


def _was_executed(node: Json) -> bool:
    return text(node, "status") in SUCCESS or text(child(node, "receipt"), "status") in SUCCESS


@on_bundle(AT504)
def unadmitted(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """An effect carries its admission, or follows one without another decision between."""
    nodes = bundle.items("nodes")
    bare = [p for p in bundle.index.by_kind.get("effect", ()) if "admission" not in nodes[p]]
    if not bare:
        return
    admitting = [position for position, node in bundle.objects("nodes") if _admits_others(node)]
    admitted = _downstream(bundle, admitting, stops=_positions_of(bundle, ("decision",)))
    for position in bare:
        node = nodes[position]
        if position in admitted or text(node, "status") in NOT_RUN or _says_replay(node):
            continue
        yield AT504.at(
            join("nodes", position),
            "nothing says that the effect was admitted: neither the node nor what leads to it",
            hint='add `admission` with its authority; where it is not known, {"status": "unknown"}',
        )


def _admits_others(node: Json) -> bool:
    kind = text(node, "kind")
    return kind in GATES or ("admission" in node and kind not in EFFECTS)


def _positions_of(bundle: Bundle, kinds: Collection[str]) -> set[int]:
    by_kind = bundle.index.by_kind
    return {position for kind in kinds for position in by_kind.get(kind, ())}


def _downstream(bundle: Bundle, starts: Sequence[int], stops: Collection[int]) -> dict[int, int]:
    """Each position that follows a start without passing a stop, with the start that it was first reached from."""
    children = bundle.index.children
    found: dict[int, int] = {}
    pending = [(start, start) for start in reversed(starts)]
    while pending:
        position, start = pending.pop()
        for effect in children[position] or ():
            if effect not in found and effect not in stops:
                found[effect] = start
                pending.append((effect, start))
    return found


@on_bundle(AT510)
def after_refusal(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """An effect that follows a refused or lapsed admission or capability, with no other decision or grant between."""
    nodes, by_kind = bundle.items("nodes"), bundle.index.by_kind
    gates = sorted(position for kind in GATES for position in by_kind.get(kind, ()))
    refused = [position for position in gates if _verdict(nodes[position]) in REFUSALS]
    if not refused:
        return
    granted = set(gates).difference(refused)
    stops = granted | _positions_of(bundle, ("decision",))
    for position, start in sorted(_downstream(bundle, refused, stops).items()):
        node = nodes[position]
        if not _is_effect(node) or not _was_executed(node) or text(child(node, "admission"), "status") in REFUSALS:
            continue
        if not granted.isdisjoint(bundle.index.parents[position] or ()):
            continue
        yield AT510.at(
            join("nodes", position),
            "the effect was executed after its admission or capability was refused, revoked or had expired",
            hint="record the later grant, or correct the status of the one or the other",
            related=[Related(join("nodes", start), "was refused, revoked or expired")],
        )


# --- receipts and redelivery -------------------------------------------------------------------------------------


def _questionable_effects(bundle: Bundle, group: Group) -> list[int]:
    """Without a receipt, or declared as a redelivery."""
    links = bundle.index.links
    found = {i for i, position in enumerate(group.positions) if position in links} if links else set()
    inner = [group.inner("effect", name) for name in ("external", "receipt_ref", "replay", "replay_of")]
    columns = zip(*inner, group.held("receipt"), group.held("status"), strict=True)
    for i, (external, reference, replay, original, receipt, status) in enumerate(columns):
        is_due = external is True and not receipt and (reference is ABSENT or not reference)
        if is_due or replay is not ABSENT or original is not ABSENT or status in REPLAY_WORDS:
            found.add(i)
    return sorted(found)


@on_each("nodes", AT505, AT507, member="effect", suspects=_questionable_effects)
def effect(bundle: Bundle, position: int, node: Json) -> Sequence[Finding]:
    said = node["effect"]
    if type(said) is not dict:
        return NOTHING
    is_due = said.get("external") is True and not (node.get("receipt") or said.get("receipt_ref"))
    is_success = text(node, "status") in SUCCESS
    if not is_due and not is_success:
        return NOTHING
    found: list[Finding] = []
    if is_due and not _says_no_receipt(bundle, position, node, said):
        found.append(
            AT505.at(
                join("nodes", position, "effect"),
                "an external effect has no receipt, and does not say that there is none",
                hint="attach or reference the receipt, or say receipt_status: none_authoritative",
            )
        )
    if is_success and _is_replay(bundle, position, node):
        found.append(_replay_as_success(position))
    return found


def _says_no_receipt(bundle: Bundle, position: int, node: Json, said: Json) -> bool:
    """Whether a record without a receipt says why, came to nothing, or is followed by its receipt."""
    status = said.get("receipt_status")
    if is_marker(status) or (type(status) is str and status in NO_RECEIPT):
        return True
    if text(node, "status") in NOT_RUN or text(child(node, "admission"), "status") in REFUSALS:
        return True  # nothing ran
    nodes = bundle.items("nodes")
    follows = (nodes[following] for following in bundle.index.children[position] or ())
    return any("receipt" in following or following.get("kind") == "effect_receipt" for following in follows)


def _says_replay(node: Json) -> bool:
    said = node.get("effect")
    if type(said) is dict and (said.get("replay") is True or said.get("replay_of", "") != ""):
        return True
    return text(node, "status") in REPLAY_WORDS


def _is_replay(bundle: Bundle, position: int, node: Json) -> bool:
    links = bundle.index.links
    return _says_replay(node) or (position in links and any(link.relation == "replays" for link in links[position]))


def _replay_as_success(position: int) -> Finding:
    return AT507.at(
        join("nodes", position, "status"),
        "a redelivery is shown as a new successful effect",
        hint="write `replayed` or `deduplicated`; the success belongs to the original",
    )


@on_bundle(AT507)
def replayed_by_edge(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Effects that an edge declares as redelivered, where the node itself does not describe the effect."""
    for position in sorted(bundle.index.links):
        node = bundle.items("nodes")[position]
        is_success = "effect" not in node and text(node, "kind") in EFFECTS and text(node, "status") in SUCCESS
        if is_success and _is_replay(bundle, position, node):
            yield _replay_as_success(position)


@on_bundle(AT508)
def repeated_effects(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Two successful effects under one idempotency key, or with one receipt, are one effect shown twice."""
    nodes = bundle.items("nodes")
    told: set[int] = set()
    for member, name in (("effect", "idempotency_key"), ("receipt", "receipt_id")):
        for positions in _sharing(bundle, member, name):
            new = [p for p in positions if text(nodes[p], "status") in SUCCESS and not _is_replay(bundle, p, nodes[p])]
            for position in new[1:]:
                if position not in told:
                    told.add(position)
                    yield AT508.at(
                        join("nodes", position, member, name),
                        "two successful effects share it, and none is declared a replay of the other",
                        hint="mark the later one as a replay, with `replay_of` and the status `replayed`",
                        related=[Related(join("nodes", new[0]), "the first of them")],
                    )


def _sharing(bundle: Bundle, member: str, name: str) -> list[list[int]]:
    """The positions of the effects that have one key together, for each such key (`name` in `member`)."""
    keys = [key for key in bundle.index.inner_texts("nodes", member, name) if key]
    if len(set(keys)) == len(keys):
        return []
    found: dict[str, list[int]] = {key: [] for key, count in Counter(keys).items() if count > 1}
    for position, node in bundle.index.having("nodes", member):
        key = node[member].get(name) if type(node[member]) is dict else None
        if type(key) is str and key in found:
            kind = node.get("kind")
            # A receipt that stands in a node of its own is not another effect.
            if kind == "effect" or ("effect" in node and kind != "effect_receipt"):
                found[key].append(position)
    return [positions for positions in found.values() if len(positions) > 1]


def _questionable_receipts(_bundle: Bundle, group: Group) -> Iterable[int]:
    if "action" in group.names and "effect" in group.names:
        return range(len(group.records))
    found: set[int] = set()
    for part in RECEIPT_PARTS:
        column = group.inner("receipt", part)
        if ABSENT in column or "" in column:
            found.update(i for i, value in enumerate(column) if value is ABSENT or value == "")
    return sorted(found)


@on_each("nodes", AT506, AT509, member="receipt", suspects=_questionable_receipts)
def receipt(_bundle: Bundle, position: int, node: Json) -> Sequence[Finding]:
    said = node["receipt"]
    found: list[Finding] = []
    if type(said) is dict and not (said.keys() >= _PARTS and "" not in said.values()) and not is_marker(said):
        missing = [
            f"`{name}`" for name in RECEIPT_PARTS if name not in said or (said[name] == "" and name != "arguments")
        ]
        if missing:
            found.append(
                AT506.at(
                    join("nodes", position, "receipt"),
                    f"the receipt does not say {', '.join(missing)}",
                    hint="a part that cannot be given is marked, not left out",
                )
            )
    if "action" in node and "effect" in node:
        found.append(
            AT509.at(
                join("nodes", position),
                "one node is the action, the effect and the receipt",
                hint="give each phase a node of its own, with its own authority, and draw the edges between them",
            )
        )
    return found
