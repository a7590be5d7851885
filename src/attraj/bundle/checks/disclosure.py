"""AT701, AT705, AT706, AT714, AT715: what `disclosure` says, against what is there (§3.1, §13.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from attraj.bundle.checks.check import NOTHING, Asked, Json, error, on_bundle, on_each, warning
from attraj.bundle.content import Content, Place
from attraj.bundle.disclosed import Keys, fields, is_within, paths, redactions
from attraj.bundle.markers import MARKER_KEY, is_marker, is_placeholder, status_of
from attraj.bundle.model import Bundle, text
from attraj.bundle.shape import COLLECTIONS
from attraj.findings import Finding, Related, Stratum
from attraj.pointer import join

AT701 = error("AT701", "nothing-disclosed", Stratum.MEANING)
AT705 = warning("AT705", "redaction-not-shown", Stratum.MEANING)
AT706 = error("AT706", "undisclosed-reasoning", Stratum.MEANING)
AT714 = error("AT714", "undisclosed-user-content", Stratum.MEANING)
AT715 = warning("AT715", "payloads-contradict-disclosure", Stratum.MEANING)

DECLARATIONS = ("private_reasoning", "user_content", "raw_event_payloads")
# Words that say: it is not in here. Tuples: what is compared with them may be of any type.
ABSENT = ("not_collected", "omitted", "redacted")
REDACTED = ("redacted", "partially_redacted")
INCLUDED = ("included", "included_with_secret_redaction")
_NOT_TAKEN = ("unavailable", "unknown", "not_applicable", "literal")  # the source had nothing that could be taken
# Classes of a marker that may stand for what each declaration speaks of; None when it states no class.
_CLASSES: dict[str, frozenset[str | None]] = {
    "user_content": frozenset({"user_content", "personal_data", "other", None}),
    "private_reasoning": frozenset({"private_reasoning", "other", None}),
}
_TEXT_MEMBERS = ("text", "content", "message", "prompt", "instruction", "query", "body")


@on_bundle(AT701)
def nothing_disclosed(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    disclosure = bundle.tree.get("disclosure")
    if type(disclosure) is dict and not any(disclosure.get(member) for member in DECLARATIONS):
        yield AT701.at(
            join("disclosure"),
            "disclosure says nothing of reasoning, user content or payloads",
            hint="say of each whether it is included, redacted, omitted, not_collected or unknown",
        )


# --- said, and not shown -------------------------------------------------------------------------------------------


class _Marks:
    """Every place that shows a redaction, as keys and as dotted paths, each with what holds it."""

    def __init__(self, content: Content, reported: list[Keys]) -> None:
        # A marker whose status is not a known one is AT702's; it shows what it was meant to.
        markers = [place for place in content.markers if status_of(place.value) not in _NOT_TAKEN]
        self.places = [*markers, *content.placeholders, *content.spans, *content.withheld_objects]
        everywhere = [*(place.keys for place in self.places), *reported]
        ways = [tuple(map(str, keys)) for keys in everywhere]
        self._exact = frozenset(ways)
        self._above = frozenset(way[:length] for way in ways for length in range(len(way)))
        dotted = {path for keys in everywhere for path in paths(keys)}
        self._paths = frozenset(dotted)
        self._paths_above = frozenset(
            ".".join(parts[:length]) for parts in map(_parts, dotted) for length in range(len(parts))
        )

    def shows(self, way: tuple[str, ...]) -> bool:
        """Whether something is marked at this place, inside it, or around it."""
        around = (way[:length] in self._exact for length in range(1, len(way) + 1))
        return way in self._above or any(around)

    def shows_path(self, path: str) -> bool:
        return path in self._paths_above or is_within(path, self._paths)


def _parts(path: str) -> list[str]:
    return path.split(".")


@on_bundle(AT705)
def redaction_not_shown(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    disclosure = bundle.member("disclosure")
    claims = [member for member in DECLARATIONS if disclosure.get(member) in REDACTED]
    listed, exact = list(fields(disclosure)), list(redactions(bundle))
    if not (claims or listed or exact):
        return
    user_texts = _user_texts(bundle)
    marks = _Marks(bundle.content, user_texts)
    for member in claims:
        if member == "user_content" and user_texts:
            continue
        if not any(_speaks_of(place, member) for place in marks.places):
            yield _not_shown(("disclosure", member), "nothing in the bundle is marked as redacted for this")
    for number, path in listed:
        if not marks.shows_path(path):
            yield _not_shown(("disclosure", "redacted_fields", number), "nothing at this path is marked as redacted")
    edges = {target for _, target, _ in exact}.intersection(bundle.index.edge_ids)
    for number, target, way in exact:
        if not any(marks.shows(place) for place in _targets(bundle, target, way, edges)):
            yield _not_shown(("disclosure", "redactions", number), "nothing at this place is marked as redacted")


def _not_shown(at: tuple[str | int, ...], message: str) -> Finding:
    return AT705.at(
        join(*at), message, hint="put a marker where the value was; or correct the declaration, if nothing was taken"
    )


def _speaks_of(place: Place, member: str) -> bool:
    """Whether a mark may be the one that a declaration speaks of."""
    wanted = _CLASSES.get(member)
    if wanted is None:
        return True
    if type(place.value) is dict and MARKER_KEY in place.value:
        body = place.value[MARKER_KEY]
        kind = body.get("class") if type(body) is dict else None
        return (kind if type(kind) is str else None) in wanted
    keys = place.keys
    return keys[0] in ("nodes", "states") and "external_parents" not in keys


def _targets(bundle: Bundle, target: str, way: tuple[str, ...], edges: set[str]) -> Iterable[tuple[str, ...]]:
    """The places that an entry of `redactions` may mean: its target names a record, or "" the document.

    Args:
        edges: Those of the targets that are identifiers of edges, which mostly nobody names.
    """
    if not target:
        return [way]
    index = bundle.index
    found = [
        (name, str(index.positions[name][target]), *way)
        for name in COLLECTIONS
        if (name != "edges" or target in edges) and target in index.positions[name]
    ]
    if not found and target in index.event_positions:
        found.append(("nodes", str(index.event_positions[target]), *way))
    return found


def _user_texts(bundle: Bundle) -> list[Keys]:
    """The places that AT714 reports: what the declarations say of them is wrong, and said once."""
    if bundle.member("disclosure").get("user_content") not in ABSENT:
        return []
    found: list[Keys] = []
    for position, node in bundle.index.having("nodes", "payload"):
        way = _first_text(node["payload"]) if _is_of_principal(node) else None
        if way is not None:
            found.append(("nodes", position, "payload", *way))
    return found


# --- there, and said not to be -------------------------------------------------------------------------------------


@on_bundle(AT706)
def undisclosed_reasoning(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    if bundle.member("disclosure").get("private_reasoning") not in ABSENT:
        return
    for place in bundle.content.reasoning:
        yield AT706.at(
            place.pointer,
            "private reasoning is here, and `disclosure` says that it is not",
            hint="mark it with the class private_reasoning, or disclose it; sealed reasoning counts",
        )


@on_each("nodes", AT714, member="payload")
def undisclosed_user_content(bundle: Bundle, position: int, node: Json) -> Sequence[Finding]:
    """Text of a principal, though `disclosure` says that user content was taken away."""
    if bundle.member("disclosure").get("user_content") not in ABSENT or not _is_of_principal(node):
        return NOTHING
    way = _first_text(node["payload"])
    if way is None:
        return NOTHING
    return (
        AT714.at(
            join("nodes", position, "payload", *way),
            "text of a user is here, and `disclosure` says that user content is not",
            hint="mark it with the class user_content; or say included, or partially_redacted",
        ),
    )


def _is_of_principal(node: Json) -> bool:
    named = node.get("authority_class")
    if type(named) is str and named:
        # The reference exporter takes its users' messages for the runtime's; their topic tells.
        return named in ("principal", "user") or (text(node, "topic") or "").endswith("/user")
    return (text(node, "actor") or "").partition(":")[0] in ("principal", "user")


def _first_text(payload: Any) -> tuple[str | int, ...] | None:
    """Way from a payload to the first text in a member that holds what somebody said; None without one."""
    pending: list[tuple[tuple[str | int, ...], Any]] = [((), payload)]
    while pending:
        way, value = pending.pop()
        if type(value) is str:
            if value.strip() and not is_placeholder(value):
                return way
        elif type(value) is list:
            pending.extend(((*way, n), item) for n, item in reversed(list(enumerate(value))))
        elif type(value) is dict and not is_marker(value):
            pending.extend(((*way, name), value[name]) for name in reversed(_TEXT_MEMBERS) if name in value)
    return None


@on_bundle(AT715)
def payloads_contradict_disclosure(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    said = bundle.member("disclosure").get("raw_event_payloads")
    if said in ("omitted", "not_collected"):
        present = next((p for p, node in bundle.index.having("nodes", "payload") if _is_content(node["payload"])), None)
        if present is not None:
            yield AT715.at(
                join("disclosure", "raw_event_payloads"),
                "payloads are said not to be here, and some are",
                hint="say included, or take the payloads out",
                related=[Related(join("nodes", present, "payload"), "the first of them")],
            )
    elif said in INCLUDED and bundle.items("nodes") and not bundle.index.having("nodes", "payload"):
        yield AT715.at(
            join("disclosure", "raw_event_payloads"),
            "payloads are said to be included, and no node has one",
            hint="say omitted or not_collected",
        )


def _is_content(payload: Any) -> bool:
    return payload not in (None, "", [], {}) and not is_marker(payload)
