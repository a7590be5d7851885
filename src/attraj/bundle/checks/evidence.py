"""AT60x, AT615, AT616: outcomes, and what they rest on (§4.6, §10.1). Verifiers: verifiers.py, rewards: rewards.py."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from attraj.bundle import graph
from attraj.bundle.checks.check import NOTHING, Asked, Json, error, info, on_bundle, on_each, warning
from attraj.bundle.index import BundleIndex
from attraj.bundle.markers import is_marker
from attraj.bundle.model import Bundle, text, texts
from attraj.bundle.vocabulary import OUTCOME_AUTHORITIES, OUTCOME_AUTHORITY_ALIASES
from attraj.findings import Finding, Related, Severity, Stratum
from attraj.pointer import join

AT601 = error("AT601", "incomplete-outcome", Stratum.MEANING)
AT602 = error("AT602", "outcome-without-assertion", Stratum.MEANING)
AT603 = warning("AT603", "unknown-outcome-authority", Stratum.MEANING)
AT604 = warning("AT604", "merged-outcome-authorities", Stratum.MEANING)
AT605 = info("AT605", "outcome-without-evidence", Stratum.MEANING)
AT606 = warning("AT606", "contradictory-outcomes", Stratum.MEANING)
AT607 = error("AT607", "broken-supersession", Stratum.MEANING)
AT608 = warning("AT608", "producer-contradicts-authority", Stratum.MEANING)
AT615 = warning("AT615", "beyond-verifier-scope", Stratum.MEANING)
AT616 = warning("AT616", "outcome-rests-on-verifier", Stratum.MEANING)

# Families of status words; the words themselves are open (spec: bundle.md §4.6).
SUCCESS = frozenset({"succeeded", "success", "committed", "completed", "executed", "done", "passed", "resolved"})
FAILURE = frozenset(
    {"failed", "failure", "error", "rejected", "denied", "cancelled", "timed_out", "expired", "revoked"}
)

# Which of the four authorities of §10.1 a word inside a class, or the prefix of a producer, speaks of.
_AUTHORITIES = {
    **dict.fromkeys(("agent", "model", "self"), "agent"),
    **dict.fromkeys(("runtime", "harness", "program", "system"), "runtime"),
    **dict.fromkeys(("principal", "user", "human"), "principal"),
    **dict.fromkeys(("external", "world"), "external"),
    **dict.fromkeys(("verifier", "evaluator"), "verifier"),
}
_CLASSES = frozenset({*OUTCOME_AUTHORITIES, *OUTCOME_AUTHORITY_ALIASES, "verifier"})


def unstated(record: Json, members: Sequence[str]) -> list[str]:
    """Those members that are missing, or are there as an empty text or array, which states nothing (§3.1)."""
    return [m for m in members if m not in record or (record[m] in ("", []) and type(record[m]) in (str, list))]


def listed(members: Sequence[str]) -> str:
    """The names of members, for a message."""
    return ", ".join(f"`{member}`" for member in members)


@on_each("outcomes", AT601)
def incomplete_outcome(_bundle: Bundle, position: int, outcome: Json) -> Sequence[Finding]:
    found: list[Finding] = []
    wanting = unstated(outcome, ("scope", "producer", "authority_class", "status", "terminal"))
    if wanting:
        found.append(
            AT601.at(
                join("outcomes", position),
                f"outcome does not state {listed(wanting)}",
                hint="an outcome says about what, by whom, by which authority, with which result, and whether it ends",
            )
        )
    terminal = outcome.get("terminal", True)
    if "terminal" not in wanting and type(terminal) is not bool and not is_marker(terminal):
        found.append(
            AT601.at(
                join("outcomes", position, "terminal"),
                "whether the outcome is terminal is not said by true or false",
                hint="where it is not known, put a marker with the status unknown",
            )
        )
    return found


@on_each("outcomes", AT602)
def outcome_without_assertion(_bundle: Bundle, position: int, outcome: Json) -> Sequence[Finding]:
    if outcome.get("asserted_at_node") or outcome.get("asserted_at"):
        return NOTHING
    return (
        AT602.at(
            join("outcomes", position),
            "outcome does not say at which node or boundary it was asserted",
            hint="name the node in `asserted_at_node`, or the boundary in `asserted_at`",
        ),
    )


@on_each("outcomes", AT603, AT604, member="authority_class")
def outcome_authority(_bundle: Bundle, position: int, outcome: Json) -> Sequence[Finding]:
    named = outcome["authority_class"]
    if type(named) is not str or not named or named in _CLASSES:
        return NOTHING
    pointer = join("outcomes", position, "authority_class")
    if len({_AUTHORITIES[word] for word in _words(named) if word in _AUTHORITIES}) > 1:
        return (
            AT604.at(
                pointer,
                "authority class names two authorities at once",
                hint="write one outcome for each: what the agent reports and what the runtime finds are two claims",
            ),
        )
    return (
        AT603.at(
            pointer,
            "authority class is none of the outcome authorities",
            hint="agent_self_report, runtime, principal_acceptance, external_world or unknown",
        ),
    )


def _words(name: str) -> list[str]:
    return re.split(r"[^a-z]+", name.lower())


@on_each("outcomes", AT605)
def outcome_without_evidence(_bundle: Bundle, position: int, outcome: Json) -> Sequence[Finding]:
    if not unstated(outcome, ("evidence_refs",)):
        return NOTHING
    at = ("outcomes", position, "evidence_refs") if "evidence_refs" in outcome else ("outcomes", position)
    return (
        AT605.at(
            join(*at),
            "outcome names no evidence",
            hint="name the observations, receipts or results that it rests on, where there are any",
            severity=Severity.WARNING if _is_terminal_success(outcome) else None,
        ),
    )


def _is_terminal_success(outcome: Json) -> bool:
    status = outcome.get("status")
    return outcome.get("terminal") is True and type(status) is str and status in SUCCESS


@on_bundle(AT606)
def contradictory_outcomes(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Success and failure as the end of one scope, by one authority, neither replaced by a later record (§10.1)."""
    groups: dict[tuple[frozenset[str], str], list[int]] = {}
    for position, outcome in bundle.objects("outcomes"):
        scope, named = frozenset(name for _, name in texts(outcome, "scope")), text(outcome, "authority_class")
        if outcome.get("terminal") is True and scope and named and _success(outcome) is not None:
            authority = next((_AUTHORITIES[word] for word in _words(named) if word in _AUTHORITIES), named)
            groups.setdefault((scope, authority), []).append(position)
    suspects = [group for group in groups.values() if _contradiction(bundle, group)]
    replaced = replaced_nodes(bundle) if suspects else set()
    for group in suspects:
        pair = _contradiction(bundle, [p for p in group if not _is_replaced(bundle.items("outcomes")[p], replaced)])
        if pair:
            yield AT606.at(
                join("outcomes", pair[1]),
                "outcome contradicts another terminal outcome of the same scope and authority",
                hint="say which one holds: `superseded_by` or `invalidated_by` on the other",
                related=[Related(join("outcomes", pair[0]), "says the contrary")],
            )


def _success(outcome: Json) -> bool | None:
    status = text(outcome, "status")
    return True if status in SUCCESS else False if status in FAILURE else None


def _contradiction(bundle: Bundle, group: list[int]) -> tuple[int, int] | None:
    """The first two of these outcomes that say the contrary."""
    said = [_success(bundle.items("outcomes")[position]) for position in group]
    return (group[0], group[said.index(not said[0])]) if len(set(said)) > 1 else None


def _is_replaced(outcome: Json, replaced: set[str]) -> bool:
    return bool(
        outcome.get("superseded_by") or outcome.get("invalidated_by") or text(outcome, "asserted_at_node") in replaced
    )


def replaced_nodes(bundle: Bundle) -> set[str]:
    """Ids of the nodes that an edge says are superseded or invalidated ("`to` supersedes `from`")."""
    edges = (edge for edge in bundle.items("edges") if type(edge) is dict)
    replacing = (edge for edge in edges if edge.get("relation") in ("supersedes", "invalidates"))
    return {edge["from"] for edge in replacing if type(edge.get("from")) is str}


@on_bundle(AT607)
def broken_supersession(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """`superseded_by` and `invalidated_by` lead to another record, and never round in a circle."""
    for collection, identity in (("outcomes", "outcome_id"), ("verifier_results", "verifier_result_id")):
        edges: list[Json] = []
        for position, record in bundle.objects(collection):
            own = record.get(identity)
            for member in ("superseded_by", "invalidated_by"):
                later = text(record, member)
                if not later:
                    continue
                fault = "names the record itself" if later == own else ""
                if not fault and not _is_record(bundle.index, later):
                    fault = "names no record of this bundle"
                if fault:
                    yield AT607.at(
                        join(collection, position, member),
                        f"`{member}` {fault}",
                        hint="name the later record, which must be in the bundle",
                    )
                edges.append({"from": own, "to": later})
        yield from _circles(bundle, collection, edges)


def _is_record(index: BundleIndex, reference: str) -> bool:
    place = index.resolve(reference)
    return place is not None and (place.position >= 0 or place.collection == "external_parents")


def _circles(bundle: Bundle, collection: str, edges: list[Json]) -> Iterator[Finding]:
    if edges:
        links = graph.build(len(bundle.items(collection)), bundle.index.positions[collection], edges)
        for cycle in graph.cycles(links, graph.causal_order(links)):
            yield AT607.at(
                join(collection, cycle[0]),
                f"{len(cycle)} records replace one another in a circle",
                hint="only a later record replaces an earlier one",
                related=[Related(join(collection, position), "is on the circle") for position in cycle],
            )


@on_each("outcomes", AT608, member="producer")
def producer_contradicts_authority(_bundle: Bundle, position: int, outcome: Json) -> Sequence[Finding]:
    producer, named = outcome["producer"], outcome.get("authority_class")
    if type(producer) is not str or type(named) is not str or ":" not in producer or named not in _CLASSES:
        return NOTHING
    by = _AUTHORITIES.get(producer.partition(":")[0].lower())
    authority = next((_AUTHORITIES[word] for word in _words(named) if word in _AUTHORITIES), by)
    if by is None or by == authority:
        return NOTHING
    return (
        AT608.at(
            join("outcomes", position, "authority_class"),
            "authority class is not that of the producer",
            hint="a claim carries the authority of whoever makes it",
            related=[Related(join("outcomes", position, "producer"), "its prefix names another authority")],
        ),
    )


@on_each("outcomes", AT615, member="evidence_refs")
def evidence_of_another_scope(bundle: Bundle, position: int, outcome: Json) -> Sequence[Finding]:
    """An outcome does not rest on results alone that speak of something else."""
    scope = {name for _, name in texts(outcome, "scope")}
    results = _only_results(bundle, outcome)
    if not scope or not results:
        return NOTHING
    covered = {name for result in results for _, name in texts(result, "scope")}
    if not all(texts(result, "scope") for result in results) or scope <= covered:
        return NOTHING  # a result without a scope is AT617's
    if text(bundle.tree, "trajectory_id") in covered:
        return NOTHING
    return (
        AT615.at(
            join("outcomes", position, "evidence_refs"),
            "outcome rests on verifier results of another scope alone",
            hint="add evidence for this scope, or claim the outcome for the scope that was verified",
        ),
    )


def _only_results(bundle: Bundle, outcome: Json) -> list[Any]:
    """The verifier results that an outcome names as evidence; [] when it names anything else as well."""
    names = [name for _, name in texts(outcome, "evidence_refs")]
    positions = bundle.index.positions["verifier_results"]
    if not names or any(name not in positions for name in names):
        return []
    return [bundle.items("verifier_results")[positions[name]] for name in names]


@on_each("outcomes", AT616)
def outcome_rests_on_verifier(bundle: Bundle, position: int, outcome: Json) -> Sequence[Finding]:
    """A verifier's pass is not yet the objective (§4.6)."""
    if not _is_terminal_success(outcome):
        return NOTHING
    if outcome.get("authority_class") == "verifier":
        at = "authority_class"
    elif (text(outcome, "producer") or "").partition(":")[0] in ("verifier", "evaluator"):
        at = "producer"
    elif _only_results(bundle, outcome):
        at = "evidence_refs"
    else:
        return NOTHING
    return (
        AT616.at(
            join("outcomes", position, at),
            "success is claimed on nothing but a verifier",
            hint="keep the pass as a verifier result; claim the outcome by who can tell, on more than the pass",
        ),
    )
