"""A Bundle as a person reads it, and what is counted of it.

A node is a step, in the order of the document, which is no order of causes (§7.2): what caused a node is named by its
declared edges, with their basis. Outcomes, verifier results and rewards follow, each with its own authority (§10).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from attraj.bundle.checks import envelope
from attraj.bundle.markers import CLASSES, MARKER_KEY, STATUSES, is_marker, status_of
from attraj.bundle.model import Bundle
from attraj.bundle.vocabulary import (
    ADMISSIONS,
    BUILT_IN_RELATIONS,
    COMPLETENESS,
    EDGE_BASES,
    FAILURE_WORDS,
    NODE_KINDS,
    OUTCOME_AUTHORITIES,
    PARENT_STATUSES,
    PENDING_WORDS,
    RECEIPT_STATUSES,
    RELATIONS,
    REPLAY_WORDS,
    SIGNAL_TYPES,
    SPEC_VERSIONS,
    SUCCESS_WORDS,
    VERIFIER_STATUSES,
)
from attraj.formats.story import (
    Call,
    Facts,
    Json,
    Origin,
    Passage,
    Result,
    Role,
    Step,
    Story,
    Tokens,
    as_text,
    child,
    count,
    number,
    objects,
    passages_of,
    text,
)
from attraj.jsonio import Document
from attraj.pointer import is_shown

OTHER = "other"
STATUS_WORDS = frozenset(
    (*SUCCESS_WORDS, *FAILURE_WORDS, *PENDING_WORDS, *REPLAY_WORDS, *ADMISSIONS, *VERIFIER_STATUSES)
) | {"partial", "blocked", "unknown"}
_ROLES: Mapping[str, Role] = {
    "agent": "agent",
    "model": "agent",
    "principal": "user",
    "harness": "runtime",
    "program": "runtime",
    "runtime": "runtime",
    "verifier": "verifier",
    "external": "tool",
}
# Members that hold content, in the order in which they are read, and what they are called.
_CONTENT = {"payload": "", "state_delta": "state change"}
_TOLD = frozenset({*_CONTENT, "timestamp", "action", "observation", "parents", "external_parents"})
_TOLD_OF_ACTIONS = frozenset({"name", "arguments", "value"})
_PLAIN = frozenset({"text", "message", "content"})  # members that need no name beside their text
# Collection to what one of its records is called, and which of its members are shown, under which name.
_RECORDS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "outcomes": ("Outcome", {"scope": "of", "producer": "said by", "value": "value"}),
    "verifier_results": (
        "Verifier result",
        {"scope": "of", "verifier": "verifier", "checked_property": "property", "output": "output"},
    ),
    "reward_records": ("Reward", {"scope": "of", "policy": "policy", "value": "value", "timing": "timing"}),
}
_SPEAKERS: Mapping[str, Role] = {
    "agent_self_report": "agent",
    "runtime": "runtime",
    "principal_acceptance": "user",
    "external_world": "tool",
}
_NEGOTIATION = (envelope.version, envelope.profiles, envelope.extensions)
_USAGE = (("input_tokens", "prompt_tokens"), ("output_tokens", "completion_tokens"), ("cached_tokens",))
_ORIGINS: Mapping[str, Origin] = {"provider usage": "provider usage", "litellm counter": "litellm counter"}


def tell(document: Document) -> Story:
    """Its nodes, then its outcomes, verifier results and rewards."""
    bundle = Bundle(document.tree if type(document.tree) is dict else {})
    return Story(
        facts(document),
        _nodes(bundle),
        tuple(_title(bundle)),
        records=tuple(_records(bundle)),
        remarks=tuple(_remarks(bundle)),
    )


def _title(bundle: Bundle) -> Iterator[tuple[str, str]]:
    identity = text(bundle.tree, "trajectory_id")
    if identity is not None:
        yield "document", identity
    source = text(bundle.member("source"), "implementation")
    if source is not None:
        yield "recorded by", source
    reason = text(bundle.member("completeness"), "reason")
    if reason is not None:
        yield "left out", reason


def _remarks(bundle: Bundle) -> Iterator[str]:
    yield f"completeness: {_word(bundle.member('completeness').get('status'), COMPLETENESS) or 'unknown'}"
    withheld = [
        name.replace("_", " ")
        for name in ("private_reasoning", "user_content", "raw_event_payloads")
        if bundle.member("disclosure").get(name) in ("redacted", "omitted", "partially_redacted")
    ]
    if withheld:
        yield "withheld, at least in part: " + ", ".join(withheld)


# --- nodes -------------------------------------------------------------------------------------------------------


def _nodes(bundle: Bundle) -> Iterator[Step]:
    causes = _causes(bundle)
    for position, node in enumerate(bundle.items("nodes")):
        place = f"/nodes/{position}"
        if type(node) is dict:
            yield _node(node, position, place, causes.get(position, ()))
        else:
            yield Step(position + 1, "unknown", place, passages=(Passage(as_text(node), place, "no node"),))


def _causes(bundle: Bundle) -> dict[int, list[str]]:
    """For each node that has any, its declared causes as marks, in the order of the edges."""
    positions = bundle.index.node_positions
    found: dict[int, list[str]] = {}
    for _, edge in bundle.objects("edges"):
        ends = edge.get("from"), edge.get("to")
        if type(ends[0]) is not str or type(ends[1]) is not str or ends[1] not in positions:
            continue
        relation = _word(edge.get("relation"), (*RELATIONS, *BUILT_IN_RELATIONS)) or "related to"
        cause = f"step {positions[ends[0]] + 1}" if ends[0] in positions else "a node that is not here"
        basis = _word(edge.get("basis"), EDGE_BASES)
        how = f" ({basis.replace('_', ' ')})" if basis else ""
        found.setdefault(positions[ends[1]], []).append(f"{relation.replace('_', ' ')} {cause}{how}")
    return found


def _node(node: Json, position: int, place: str, causes: Any) -> Step:
    passages = [
        passage
        for name, label in _CONTENT.items()
        if name in node
        for passage in _passages(node[name], f"{place}/{name}", label)
    ]
    calls = [_call(node["action"], f"{place}/action")] if type(node.get("action")) is dict else []
    results = []
    if "observation" in node:
        where = f"{place}/observation"
        results.append(Result(tuple(_passages(node["observation"], where)), where))
    return Step(
        position + 1,
        _role(node),
        place,
        text(node, "timestamp"),
        tuple(passages),
        tuple(calls),
        tuple(results),
        (*_marks(node), *causes),
        rest=_rest(node),
    )


def _rest(node: Json) -> Json:
    rest = {name: value for name, value in node.items() if name not in _TOLD}
    action = child(node, "action")
    return rest | {f"action/{name}": value for name, value in action.items() if name not in _TOLD_OF_ACTIONS}


def _role(node: Json) -> Role:
    authority = node.get("authority_class")
    return _ROLES.get(authority, "unknown") if type(authority) is str else "unknown"


def _marks(node: Json) -> Iterator[str]:
    kind = _word(node.get("kind"), NODE_KINDS)
    yield kind.replace("_", " ") if kind else "a kind of its own"
    status = _word(node.get("status"), STATUS_WORDS)
    if status:
        yield status.replace("_", " ")
    admission = _word(child(node, "admission").get("status"), ADMISSIONS)
    if admission and admission != status:
        yield f"admission: {admission.replace('_', ' ')}"
    yield from _effect(child(node, "effect"))
    parents = child(node, "parents").get("status")
    if parents in PARENT_STATUSES and parents != "none":
        yield f"causes {parents}"
    outside = sum(1 for _ in objects(node.get("external_parents")))
    if outside:
        yield f"{outside} cause{'s' if outside > 1 else ''} outside this document"


def _effect(effect: Json) -> Iterator[str]:
    if effect.get("external") is True:
        yield "external effect"
    if effect.get("replay") is True:
        yield "replayed, not done again"
    receipt = _word(effect.get("receipt_status"), RECEIPT_STATUSES)
    if receipt:
        yield f"receipt: {receipt.replace('_', ' ')}"


def _call(action: Json, place: str) -> Call:
    if is_marker(action):
        return Call(None, None, place, (_withheld(action),))
    arguments: Any = action.get("arguments", action.get("value"))
    member = "arguments" if "arguments" in action else "value"
    if is_marker(arguments):
        return Call(text(action, "name"), None, place, (f"arguments {_withheld(arguments)}",))
    passages = None if arguments is None else tuple(passages_of(arguments, f"{place}/{member}"))
    return Call(text(action, "name"), passages, place)


def _passages(value: Any, at: str, label: str = "") -> Iterator[Passage]:
    """A marker by its name; an object of texts by its members; everything else as it is, or as JSON."""
    if is_marker(value):
        yield Passage("", at, _labelled(label, _withheld(value)))
    elif type(value) is dict and _is_of_texts(value):
        for name, one in value.items():
            called = label if name in _PLAIN else _labelled(label, f"`{name}`")
            if is_marker(one):
                yield Passage("", f"{at}/{name}", _labelled(called, _withheld(one)))
            elif one not in ("", None):
                yield Passage(as_text(one), f"{at}/{name}", called)
    else:
        yield from passages_of(value, at, label)


def _is_of_texts(value: Json) -> bool:
    """Whether an object is best read member by member: some are texts, and all have names that need no escape."""
    return any(type(one) is str or is_marker(one) for one in value.values()) and all(map(is_shown, value))


def _labelled(label: str, more: str) -> str:
    return f"{label}, {more}" if label else more


def _withheld(marker: Json) -> str:
    """What a marker says, in words of the specification."""
    body = marker[MARKER_KEY]
    kind = _word(body.get("class"), CLASSES) if type(body) is dict else None
    status = status_of(marker)
    word = status if status in STATUSES else "withheld"
    return f"{word}: {kind}" if kind else str(word)


def _word(value: Any, words: Collection[str]) -> str | None:
    """The value when it is one of these words."""
    return value if type(value) is str and value in words else None


# --- records -----------------------------------------------------------------------------------------------------


def _records(bundle: Bundle) -> Iterator[Step]:
    for collection, (title, measures) in _RECORDS.items():
        for position, record in bundle.objects(collection):
            place = f"/{collection}/{position}"
            authority = _authority(record) if collection == "outcomes" else ""
            marks = [
                _word(record.get("status"), STATUS_WORDS),
                authority,
                _word(record.get("signal_type"), SIGNAL_TYPES),
            ]
            if record.get("invalidated_by") is not None:
                marks.append("invalidated later")
            told = {label: record[name] for name, label in measures.items() if name in record}
            nested = {label for label, value in told.items() if type(value) in (dict, list) and not is_marker(value)}
            yield Step(
                0,
                _SPEAKERS.get(authority, "verifier" if collection == "verifier_results" else "unknown"),
                place,
                text(record, "created_at"),
                tuple(Passage(as_text(told[label]), place, label) for label in told if label in nested),
                marks=tuple(mark.replace("_", " ") for mark in marks if mark),
                measures=tuple(
                    (label, _withheld(value) if is_marker(value) else as_text(value))
                    for label, value in told.items()
                    if label not in nested
                ),
                title=title,
            )


def _authority(outcome: Json) -> str:
    return _word(outcome.get("authority_class"), OUTCOME_AUTHORITIES) or OTHER


# --- the count ---------------------------------------------------------------------------------------------------


def facts(document: Document) -> Facts:
    """What is counted of one Bundle. Its steps are its nodes."""
    tree: Json = document.tree if type(document.tree) is dict else {}
    bundle = Bundle(tree)
    version = _word(tree.get("spec_version"), SPEC_VERSIONS)
    if any(finding.rule.rejects for check in _NEGOTIATION for finding in check.run(bundle)):
        return Facts("bundle", version, is_refused=True)
    nodes = [node for _, node in bundle.objects("nodes")]
    agents = list(_bound(bundle, "agents", "agent"))
    termination = child(bundle.member("scope"), "termination")
    return Facts(
        "bundle",
        version,
        ", ".join(name for name, _ in agents) or None,
        agents[0][1] if len(agents) == 1 else None,
        _models(bundle, nodes),
        len(nodes) if type(tree.get("nodes")) is list else None,
        sum(1 for node in nodes if _is_call(node.get("action"))) if type(tree.get("nodes")) is list else None,
        None,
        _tokens(nodes),
        rewards=tuple(_rewards(bundle)),
        outcomes=tuple(
            (_authority(one), _word(one.get("status"), STATUS_WORDS) or OTHER) for _, one in bundle.objects("outcomes")
        ),
        termination=_termination(termination.get("status")),
        attempts=_attempts(bundle.member("scope")),
    )


def _bound(bundle: Bundle, *names: str) -> Iterator[tuple[str, str | None]]:
    """Id and version of each thing that is bound under one of these kinds and is named."""
    for name in names:
        stated: Any = bundle.member("bindings").get(name)
        for one in stated if type(stated) is list else [stated]:
            if type(one) is str and one:
                yield one, None
            elif type(one) is dict and (identity := text(one, "id")) is not None:
                yield identity, text(one, "version")


def _models(bundle: Bundle, nodes: list[Json]) -> tuple[str, ...]:
    names = dict.fromkeys(name for name, _ in _bound(bundle, "models", "model"))
    called = (text(node["model_call"], "model") for node in nodes if type(node.get("model_call")) is dict)
    return tuple(names | dict.fromkeys(name for name in called if name is not None))


def _is_call(action: Any) -> bool:
    return type(action) is dict and (action.get("kind") == "tool_call" or text(action, "name") is not None)


def _tokens(nodes: list[Json]) -> Tokens:
    """The usage of the model calls, when each of them states it."""
    usages = [child(node["model_call"], "usage") for node in nodes if type(node.get("model_call")) is dict]
    sums: list[int | None] = []
    for names in _USAGE:
        values = [next((n for name in names if (n := count(usage.get(name))) is not None), None) for usage in usages]
        known = [value for value in values if value is not None]
        sums.append(sum(known) if known and len(known) == len(values) else None)
    if all(one is None for one in sums):
        return Tokens()
    origins = {origin if type(origin := usage.get("origin")) is str else "" for usage in usages}
    origin = _ORIGINS.get(origins.pop(), "unknown") if len(origins) == 1 else "unknown"
    return Tokens(sums[0], sums[1], sums[2], origin, "sum over the model calls")


def _rewards(bundle: Bundle) -> Iterator[tuple[str, float | int | None]]:
    for _, record in bundle.objects("reward_records"):
        yield text(record, "policy") or "(no policy)", number(record.get("value"))


def _termination(status: Any) -> str | None:
    return None if type(status) is not str else _word(status, STATUS_WORDS) or OTHER


def _attempts(scope: Json) -> int | None:
    attempts = scope.get("attempt_ids")
    return len(attempts) if type(attempts) is list else None
