"""AT316, AT62x: rewards are derived under a versioned policy, and never become facts (§10.3, §12.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attraj.bundle import graph
from attraj.bundle.checks.check import NOTHING, Asked, Json, error, info, on_bundle, on_each, warning
from attraj.bundle.checks.evidence import listed, unstated
from attraj.bundle.checks.verifiers import has_version
from attraj.bundle.instants import is_later
from attraj.bundle.markers import is_marker
from attraj.bundle.model import Bundle, text, texts
from attraj.bundle.vocabulary import SIGNAL_TYPES
from attraj.findings import Finding, Related, Stratum
from attraj.pointer import join

AT316 = error("AT316", "reward-cycle", Stratum.REFERENCES)
AT621 = error("AT621", "incomplete-reward", Stratum.MEANING)
AT622 = error("AT622", "reward-without-sources", Stratum.MEANING)
AT623 = warning("AT623", "value-unlike-signal-type", Stratum.MEANING)
AT624 = error("AT624", "unknown-reward-timing", Stratum.MEANING)
AT625 = info("AT625", "version-inside-policy-name", Stratum.MEANING)
AT626 = warning("AT626", "reward-spread-over-nodes", Stratum.MEANING)
AT627 = warning("AT627", "reward-before-its-sources", Stratum.MEANING)
AT628 = error("AT628", "reward-as-evidence", Stratum.MEANING)

RELATED_SHOWN = 10
_SPREAD_FROM = 3  # records of one policy, sources and value from which a spread reward is suspected
_ENDS = 100  # terminal nodes that an online reward is compared with
_SPREADS = ("spread", "broadcast", "distribut", "propagat", "discount", "per_step", "per-step", "credit")
_PARTS = (
    "policy",
    "scope",
    "attribution_target",
    "signal_type",
    "value",
    "producer",
    "created_at",
    "timing",
)


@on_bundle(AT316)
def reward_cycle(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """No reward is derived from itself, directly or through others."""
    edges: list[Json] = []
    for position, reward in bundle.objects("reward_records"):
        own = reward.get("reward_id")
        for number, source in texts(reward, "sources"):
            edges.append({"from": source, "to": own})
            if source == own:
                yield AT316.at(
                    join("reward_records", position, "sources", number),
                    "reward is derived from itself",
                    hint="name the outcomes and results that it was computed from",
                )
    links = graph.build(len(bundle.items("reward_records")), bundle.index.positions["reward_records"], edges)
    for cycle in graph.cycles(links, graph.causal_order(links)):
        yield AT316.at(
            join("reward_records", cycle[0]),
            f"{len(cycle)} rewards are derived from one another in a circle",
            hint="name the outcomes and results that they were computed from",
            related=[Related(join("reward_records", p), "is on the circle") for p in cycle[:RELATED_SHOWN]],
        )


@on_each("reward_records", AT621)
def incomplete_reward(_bundle: Bundle, position: int, reward: Json) -> Sequence[Finding]:
    wanting = unstated(reward, _PARTS)
    if unstated(reward, ("policy_version",)) and not has_version(text(reward, "policy") or ""):
        wanting.append("policy_version")
    if "sources" not in reward:
        wanting.append("sources")
    elif len(texts(reward, "sources")) > 1 and unstated(reward, ("aggregation",)):
        wanting.append("aggregation")
    if not wanting:
        return NOTHING
    return (
        AT621.at(
            join("reward_records", position),
            f"reward record does not state {listed(wanting)}",
            hint="what is not known is marked, never left out",
        ),
    )


@on_each("reward_records", AT622, member="sources")
def reward_without_sources(_bundle: Bundle, position: int, reward: Json) -> Sequence[Finding]:
    if reward["sources"] != []:
        return NOTHING
    return (
        AT622.at(
            join("reward_records", position, "sources"),
            "reward rests on no record",
            hint="name the outcomes, verifier results or observations that it was computed from",
        ),
    )


def _is_number(value: Any) -> bool:
    return type(value) is int or type(value) is float


def _is_vector(value: Any) -> bool:
    parts = value if type(value) is list else list(value.values()) if type(value) is dict else []
    return bool(parts) and all(map(_is_number, parts))


_FITS: dict[str, Callable[[Any], bool]] = {
    "scalar": _is_number,
    "vector": _is_vector,
    "ordinal": lambda value: _is_number(value) or (type(value) is str and value != ""),
    "categorical": lambda value: type(value) in (str, bool, int) and value != "",
    "preference": lambda value: type(value) in (dict, list, str) and bool(value),
    "step_level": lambda value: _is_number(value) or (type(value) in (dict, list) and bool(value)),
    "label": lambda value: value is not None and value != "",
}


@on_each("reward_records", AT623, member="signal_type")
def value_unlike_signal_type(_bundle: Bundle, position: int, reward: Json) -> Sequence[Finding]:
    signal = reward["signal_type"]
    if type(signal) is not str or not signal:
        return NOTHING
    if signal not in _FITS:
        hint = f"one of {listed(SIGNAL_TYPES)}"
        return (AT623.at(join("reward_records", position, "signal_type"), "signal type is not a known one", hint=hint),)
    value = reward.get("value", "")
    if value in ("", []) or is_marker(value) or _FITS[signal](value):
        return NOTHING  # a value that is not stated is AT621's
    return (
        AT623.at(
            join("reward_records", position, "value"),
            f"value is not what the signal type `{signal}` announces",
            hint="a number for a scalar, numbers for a vector, a word for a category",
        ),
    )


@on_each("reward_records", AT624, member="timing")
def unknown_reward_timing(_bundle: Bundle, position: int, reward: Json) -> Sequence[Finding]:
    timing = reward["timing"]
    if type(timing) is not str or timing in ("", "online", "retrospective"):
        return NOTHING
    return (
        AT624.at(
            join("reward_records", position, "timing"),
            "timing is neither `online` nor `retrospective`",
            hint="online: given during the run, and the agent could have seen it; retrospective: after it",
        ),
    )


@on_each("reward_records", AT625, member="policy")
def version_inside_policy_name(_bundle: Bundle, position: int, reward: Json) -> Sequence[Finding]:
    policy = reward["policy"]
    if type(policy) is not str or not unstated(reward, ("policy_version",)) or not has_version(policy):
        return NOTHING
    return (
        AT625.at(
            join("reward_records", position, "policy"),
            "the policy's version stands inside its name",
            hint="write it in `policy_version`, where tools compare it",
        ),
    )


@on_bundle(AT626)
def reward_spread_over_nodes(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """One value from the same sources on several nodes, though the policy does not say that it spreads (§12.3)."""
    groups: dict[tuple[Any, ...], dict[str, int]] = {}
    at_node = bundle.index.node_positions if len(bundle.items("reward_records")) >= _SPREAD_FROM else {}
    for position, reward in bundle.objects("reward_records") if at_node else ():
        target, policy = text(reward, "attribution_target"), text(reward, "policy")
        if target in at_node and policy and target and not _declares_spreading(reward):
            sources = tuple(sorted(name for _, name in texts(reward, "sources")))
            key = (policy, text(reward, "policy_version"), sources, _comparable(reward.get("value")))
            groups.setdefault(key, {}).setdefault(target, position)
    for targets in groups.values():
        if len(targets) >= _SPREAD_FROM:
            first, *others = targets.values()
            yield AT626.at(
                join("reward_records", first),
                f"one value from the same sources is credited to {len(targets)} nodes",
                hint="credit it once, to what it is about; or say in `aggregation` that the policy spreads it",
                related=[Related(join("reward_records", p), "the same value") for p in others[:RELATED_SHOWN]],
            )


def _comparable(value: Any) -> Any:
    """A number, word or flat list that compares with its type (1 is not true); other values only with themselves."""
    parts = value if type(value) is list else [value]
    if any(type(part) is dict or type(part) is list for part in parts):
        return id(value)
    return tuple((type(part).__name__, part) for part in parts)


def _declares_spreading(reward: Json) -> bool:
    said = f"{text(reward, 'aggregation') or ''} {text(reward, 'policy') or ''}".lower()
    return reward.get("signal_type") == "step_level" or any(word in said for word in _SPREADS)


@on_bundle(AT627)
def reward_before_its_sources(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    for position, reward in bundle.objects("reward_records"):
        created = text(reward, "created_at")
        for number, name in texts(reward, "sources") if created else ():
            if is_later(_time_of(bundle, name) or "", created or ""):
                yield AT627.at(
                    join("reward_records", position, "created_at"),
                    "reward is older than a record that it is derived from",
                    hint="a reward is derived from what is already there: correct the time, or the source",
                    related=[Related(join("reward_records", position, "sources", number), "is later than the reward")],
                )
                break


@on_bundle(AT627)
def online_reward_after_the_end(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    online = [(p, r) for p, r in bundle.objects("reward_records") if r.get("timing") == "online"]
    nodes = bundle.items("nodes")
    ends = [(p, text(nodes[p], "timestamp") or "") for p in bundle.index.by_kind.get("terminal", ())] if online else []
    for position, reward in online if ends else ():
        created = text(reward, "created_at") or ""
        # Later than one of many ends proves nothing: an attempt may have ended and another gone on.
        if all(is_later(created, time) for _, time in ends[:_ENDS]) and len(ends) <= _ENDS:
            yield AT627.at(
                join("reward_records", position, "created_at"),
                "reward is called online and was made after the end",
                hint="what is given after the end is retrospective",
                related=[Related(join("nodes", ends[0][0]), "the run ends here")],
            )


def _time_of(bundle: Bundle, reference: str) -> str | None:
    """When a source of a reward came about: its node's time, or a reward's own."""
    index = bundle.index
    for collection in ("outcomes", "verifier_results"):
        if reference in index.positions[collection]:
            record = bundle.items(collection)[index.positions[collection][reference]]
            reference = text(record, "asserted_at_node") or ""
            break
    else:
        if reference in index.positions["reward_records"]:
            return text(bundle.items("reward_records")[index.positions["reward_records"][reference]], "created_at")
    position = index.node_positions.get(reference)
    return None if position is None else text(bundle.items("nodes")[position], "timestamp")


@on_bundle(AT628)
def reward_as_evidence(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """A reward supports no outcome and no verifier result, and is none (§3.4)."""
    rewards, outcomes = bundle.index.positions["reward_records"], bundle.index.positions["outcomes"]
    for name, position in rewards.items():
        if name in outcomes:
            yield AT628.at(
                join("reward_records", position, "reward_id"),
                "a reward and an outcome have one identity",
                hint="give the reward an id of its own",
                related=[Related(join("outcomes", outcomes[name], "outcome_id"), "the same id")],
            )
    nodes = bundle.index.node_positions
    for collection in ("outcomes", "verifier_results"):
        for position, record in bundle.objects(collection):
            for number, name in texts(record, "evidence_refs"):
                at = nodes.get(name)
                is_reward = name in rewards if at is None else bundle.items("nodes")[at].get("kind") == "reward"
                if is_reward:
                    yield AT628.at(
                        join(collection, position, "evidence_refs", number),
                        "a reward is given as evidence",
                        hint="name the records that the reward was computed from",
                    )
