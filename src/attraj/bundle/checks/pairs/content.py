"""AT214, AT215, AT614, AT629, AT712: what the records say, record by record, and the envelope around them.

Which differences are faults depends on how the newer document was made. A redaction withholds and says so; a re-export
says the same again; a revision adds; whoever derives a reward touches nothing else; any other derivation keeps what it
takes over. A value that only one of two documents states is no contradiction: absence is "not said".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attraj.bundle.checks.pairs.codes import AT214, AT215, AT629, AT711, AT712
from attraj.bundle.checks.pairs.differences import Difference, How, Way, same
from attraj.bundle.checks.pairs.pair import Kept, Pair, in_the_older, is_link
from attraj.bundle.checks.pairs.relation import DERIVE, REDACTION, REEXPORT, REVISION, REWARD_DERIVATION
from attraj.bundle.checks.verifiers import AT614
from attraj.bundle.markers import is_marker, is_withheld
from attraj.bundle.model import text
from attraj.bundle.shape import COLLECTIONS, OBJECTS
from attraj.findings import Finding, Rule
from attraj.pointer import join

Json = dict[str, Any]

_LOST = (How.EMPTIED, How.DROPPED)
_CONTRADICTED = (How.CHANGED, How.EMPTIED)

# What redaction may add to say why something is not here.
_EXPLAINS = frozenset({"availability", "metadata", "reason", "rule"})
_WITHHELD_WORDS = frozenset({"omitted", "redacted"})
# Edges and declared parents are the skeleton's business when a part of the older document was taken.
_SHAPE_MEMBERS = frozenset({"external_parents", "parents", "training"})
# What one document adds to a record later, without editing it: the pointer to the record that replaced it.
_LATER = frozenset({"invalidated_by", "superseded_by"})


def check(pair: Pair) -> Iterator[Finding]:
    """The faults of one relation in what the documents say."""
    if pair.relation == REDACTION:
        for kept in pair.kept:
            yield from _redacted_record(pair, kept)
        yield from _redacted_envelope(pair)
    elif pair.relation == REWARD_DERIVATION:
        yield from _reward_derivation(pair)
    else:
        for kept in pair.kept:
            yield from _record(pair, kept)
        if pair.relation == REEXPORT and has_same_policy(pair):
            yield from _unrepeatable(pair)
        if pair.relation == REVISION:
            yield from _gone_from_a_revision(pair)


# --- the same record in both documents ---------------------------------------------------------------------------


def _record(pair: Pair, kept: Kept) -> Iterator[Finding]:
    """A record of a derivation, a revision or a re-export."""
    is_export = pair.relation == REEXPORT
    told = [d for d in kept.differences if not _is_allowed(pair, kept, d)]
    is_verifier = kept.collection == "verifier_results"
    contradicts = _CONTRADICTED if is_export or is_verifier else (How.CHANGED,)
    bad = [d for d in told if d.how in contradicts]
    if bad:
        yield _changed(AT614 if is_verifier else AT214, kept, bad)
    elif is_export and told and has_same_policy(pair):
        yield _at(AT215, kept, told[0], "the same export of the same source gives this record otherwise")
    if not is_export:
        yield from (_lost(kept, d) for d in told if d.how in _LOST and d.how not in contradicts)


def _is_allowed(pair: Pair, kept: Kept, difference: Difference) -> bool:
    """Whether the relation, or an operation that the newer document declares, explains the difference."""
    way = difference.way
    last = way[-1] if way else ""
    if pair.relation == DERIVE:
        if kept.collection == "edges" or way[0] in _SHAPE_MEMBERS or last == "digest":
            return True
        if difference.how is How.DROPPED and way[0] == "payload" and "event_payload_omission" in pair.operations:
            return True
        if difference.how is How.CHANGED and _is_declared_change(pair, way):
            return True
    return last in _LATER and difference.how is How.ADDED


def _is_declared_change(pair: Pair, way: Way) -> bool:
    if way[-1] in ("timestamp", "created_at") and "time_coarsening" in pair.operations:
        return True
    return not pair.operations.isdisjoint(("conversion", "normalization", "retokenization"))


def _gone_from_a_revision(pair: Pair) -> Iterator[Finding]:
    """A revision is a later state of the same document: it holds what the earlier one held."""
    for collection, positions in pair.gone.items():
        for position in positions:
            message = "a record of the older document is gone from its revision, and nothing says so"
            yield AT712.at(join(collection), message, related=in_the_older(collection, position))


# --- re-export ---------------------------------------------------------------------------------------------------


def has_same_policy(pair: Pair) -> bool:
    """Whether both were exported from the same source by the same steps, all of them deterministic (§15)."""
    for member in ("source", "scope", "transform"):
        if not same(pair.new.tree.get(member), pair.old.tree.get(member)):
            return False
    steps = pair.new.member("transform").get("steps")
    return type(steps) is not list or not any(type(s) is dict and s.get("deterministic") is False for s in steps)


def _unrepeatable(pair: Pair) -> Iterator[Finding]:
    hint = "make the export deterministic, or declare in transform.steps what is not"
    for member in OBJECTS["bundle"]:
        if member in COLLECTIONS:
            gone, fresh = len(pair.gone[member]), len(pair.fresh[member])
            if gone or fresh:
                counts = f"{gone} of its records are not here, and {fresh} here are not there"
                yield AT215.at(join(member), f"the same export of the same source differs: {counts}", hint=hint)
        elif member not in ("integrity", "trajectory_id") and pair.envelope(member):
            message = "the same export of the same source says this otherwise"
            yield AT215.at(join(member), message, hint=hint, related=in_the_older(member))


# --- reward derivation -------------------------------------------------------------------------------------------


def _reward_derivation(pair: Pair) -> Iterator[Finding]:
    """Nothing but reward records, and the nodes and edges that stand for them, may differ (§3.4, §10.3)."""
    for kept in pair.kept:
        if kept.collection == "reward_records":
            changes = [d for d in kept.differences if d.how in _CONTRADICTED]
            if changes:
                yield _changed(AT214, kept, changes)
        else:
            hint = "derive rewards beside the facts: a fact that was wrong is corrected in a revision of its own"
            yield _at(AT629, kept, kept.differences[0], "deriving a reward changed a fact beneath it", hint=hint)
    rewards = _fresh_reward_nodes(pair)
    for collection in COLLECTIONS:
        if collection == "reward_records":
            continue
        for position in pair.gone[collection]:
            message = "deriving a reward removed a record of the facts"
            yield AT629.at(join(collection), message, related=in_the_older(collection, position))
        for position in pair.fresh[collection]:
            if not _stands_for_a_reward(pair.new.items(collection)[position], collection, rewards):
                yield AT629.at(join(collection, position), "deriving a reward added a record to the facts")


def _fresh_reward_nodes(pair: Pair) -> frozenset[str]:
    nodes = [pair.new.items("nodes")[position] for position in pair.fresh["nodes"]]
    return frozenset(node["node_id"] for node in nodes if node.get("kind") == "reward")


def _stands_for_a_reward(record: Json, collection: str, rewards: frozenset[str]) -> bool:
    """Whether a new record is the node of a new reward, or an edge to or from one."""
    if collection == "nodes":
        return record["node_id"] in rewards
    return collection == "edges" and any(text(record, end) in rewards for end in ("from", "to"))


# --- redaction ---------------------------------------------------------------------------------------------------


def _redacted_record(pair: Pair, kept: Kept) -> Iterator[Finding]:
    if kept.collection == "edges":
        return  # edges are compared as a graph
    changed: list[Difference] = []
    for difference in kept.differences:
        rule = _redaction_rule(pair, kept.collection, difference)
        if rule is AT214:
            changed.append(difference)
        elif rule is AT712:
            yield _lost(kept, difference)
        elif rule is not None:
            yield _at(rule, kept, difference, "redaction changed a link, a kind or an order of the record")
    if changed:
        yield _changed(AT614 if kept.collection == "verifier_results" else AT214, kept, changed)


def _redaction_rule(pair: Pair, collection: str, difference: Difference) -> Rule | None:
    """What a difference breaks when the newer document is a redaction of the older one; None when nothing."""
    how, way, new, _ = difference
    last = way[-1]
    if way[0] in _SHAPE_MEMBERS or way == (_identifier(collection),):
        return None
    if how is How.WITHHELD:
        if is_link(way) and is_marker(new):
            return AT711
        return AT712 if is_marker(new) and not is_withheld(new) else None
    if is_link(way):
        return AT711
    if how is How.DROPPED and last == "digest":
        return None  # digests of what is no longer here are taken with it (decisions 26)
    if how in _LOST or how is How.REMARKED:
        return AT712
    if how is How.ADDED:
        return None if last in _EXPLAINS else AT214
    if how is How.CHANGED:
        if last in ("availability", "receipt_status") and _is_withheld_word(new):
            return None
        if last in ("timestamp", "created_at") and "time_coarsening" in pair.operations:
            return None
    return AT214


def _identifier(collection: str) -> str:
    return COLLECTIONS[collection][1]


def _is_withheld_word(value: Any) -> bool:
    return type(value) is str and value in _WITHHELD_WORDS


def _redacted_envelope(pair: Pair) -> Iterator[Finding]:
    for member in ("source", "scope", "bindings", "extensions"):
        for difference in pair.envelope(member):
            rule = _envelope_rule(member, difference)
            if rule is None:
                continue
            message = (
                "redaction took a value away and left nothing that says so"
                if rule is AT712
                else "redaction changed what the document is bound to or covers"
            )
            yield rule.at(_place((), difference), message, hint=_MARK_IT, related=in_the_older(*difference.way))


def _envelope_rule(member: str, difference: Difference) -> Rule | None:
    how, way = difference.how, difference.way
    if how is How.WITHHELD or (how is How.DROPPED and way[-1] == "digest"):
        return None
    if member == "bindings":
        if way[-1] in ("availability", "reason") and (how is How.ADDED or _is_withheld_word(difference.new)):
            return None
        return AT711
    if how in _LOST:
        return AT712
    return AT711 if member == "scope" and how is How.CHANGED else None


# --- findings ----------------------------------------------------------------------------------------------------

_MARK_IT = 'put a marker in its place: {"$at": {"status": "redacted", "reason": …}}'


def _lost(kept: Kept, difference: Difference) -> Finding:
    hint = _MARK_IT
    if difference.how is How.REMARKED:
        message = "the marker gives another reason than the older document for a value that is not here"
        hint = "keep the status that the source gave"
    elif difference.how is How.WITHHELD:
        message = "a value that the older document holds is marked as if the source had not had it"
    elif difference.how is How.DROPPED:
        message = "a value of the older document is gone, and no marker stands in its place"
    else:
        message = "a value of the older document became an empty one, and no marker says why"
    return _at(AT712, kept, difference, message, hint=hint)


def _changed(rule: Rule, kept: Kept, differences: Sequence[Difference]) -> Finding:
    others = len(differences) - 1
    more = f"; so do {others} more of its members" if others else ""
    if rule is AT614:
        message = f"a verifier result of the older document was edited in place{more}"
        hint = "leave the earlier result as it is and add a record that invalidates it"
    else:
        message = f"the same identifier stands for other content than in the older document{more}"
        hint = "give the changed record an identifier of its own, or correct it in the source"
    return _at(rule, kept, differences[0], message, hint=hint)


def _at(rule: Rule, kept: Kept, difference: Difference, message: str, *, hint: str = "") -> Finding:
    related = in_the_older(kept.collection, kept.old, *_way_in_the_older(difference))
    return rule.at(_place((kept.collection, kept.new), difference), message, hint=hint, related=related)


def _place(record: Way, difference: Difference) -> str:
    """The value; for one that is gone, the object that lacks it."""
    way = difference.way[:-1] if difference.how is How.DROPPED and not _is_array(difference) else difference.way
    return join(*record, *way)


def _way_in_the_older(difference: Difference) -> Way:
    return difference.way[:-1] if difference.how is How.ADDED and not _is_array(difference) else difference.way


def _is_array(difference: Difference) -> bool:
    return type(difference.new) is list and type(difference.old) is list
