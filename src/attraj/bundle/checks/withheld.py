"""AT702-AT704, AT709, AT713: the marks that say why a value is not here (§13.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attraj.bundle.checks.check import NOTHING, Asked, Json, error, filled, on_bundle, on_each, warning
from attraj.bundle.content import Place, record_of
from attraj.bundle.disclosed import Disclosed
from attraj.bundle.groups import Group
from attraj.bundle.markers import (
    GUESSABLE,
    MARKER_KEY,
    PLACEHOLDERS,
    STATUSES,
    digest_members,
    faults,
    is_digest,
    is_foreign,
    is_marker,
    status_of,
)
from attraj.bundle.model import Bundle, child, text
from attraj.bundle.shape import COLLECTIONS
from attraj.findings import Finding, Severity, Stratum
from attraj.pointer import join

AT702 = error("AT702", "bad-marker", Stratum.MEANING)
AT703 = warning("AT703", "ambiguous-placeholder", Stratum.MEANING)
AT704 = warning("AT704", "undeclared-redaction", Stratum.MEANING)
AT709 = warning("AT709", "digest-of-withheld-value", Stratum.MEANING)
AT713 = warning("AT713", "unescaped-marker-key", Stratum.MEANING)

# Members whose values are content: there a withheld value is marked, and nothing has to stay a text.
CONTENT = frozenset(
    ("payload", "view", "snapshot", "delta", "state_delta", "output", "value", "arguments", "observation", "request")
)
REDACTING = frozenset({"redaction", "user_content_redaction"})
_GUESS = "whoever knows what the value may be can try each one against the digest; leave it out"


@on_bundle(AT702, AT713)
def marker_form(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    for place in bundle.content.markers:
        if not is_marker(place.value):
            body = place.value[MARKER_KEY]
            status = body.get("status") if type(body) is dict else None
            if type(status) is str and status in STATUSES:
                hint = "a marker is an object with nothing else in it: other members make it ordinary data"
                yield AT702.at(place.pointer, "marker has other members beside it", hint=hint)
        elif is_foreign(place.value):
            yield AT713.at(
                place.pointer,
                "data of the source has the form of a marker, and is not escaped",
                hint="write it as the `value` of a marker with the status literal",
            )
        else:
            yield from _marker_faults(place)


def _marker_faults(place: Place) -> Iterator[Finding]:
    for member, message in faults(place.value):
        yield AT702.at(
            place.pointer + (join(MARKER_KEY, member) if member else ""),
            message,
            hint="redacted, omitted, unavailable, unknown, not_applicable, truncated or literal"
            if member == "status"
            else "",
            # A class that is not known leaves the status readable.
            severity=Severity.WARNING if member in ("class", "was") else None,
        )


@on_bundle(AT703)
def ambiguous_placeholder(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """A text that may be a placeholder, or what somebody wrote; told more softly where `disclosure` lists it."""
    places = bundle.content.placeholders
    disclosed = Disclosed(bundle) if places else None
    for place in places:
        if place.value not in PLACEHOLDERS and CONTENT.isdisjoint(place.keys):
            continue  # an id that held a secret is renamed to such a placeholder, wherever it is used
        declared = disclosed is not None and disclosed.mentions(place.keys)
        yield AT703.at(
            place.pointer,
            "text stands where a value was taken away, and could be the value itself",
            hint="put a marker in its place: it cannot be taken for text",
            severity=Severity.INFO if declared else None,
        )


@on_bundle(AT704)
def undeclared_redaction(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    withheld = bundle.content.withheld
    if not withheld:
        return
    disclosed = Disclosed(bundle)
    for place in withheld:
        if not disclosed.lists(place.keys):
            yield AT704.at(
                place.pointer,
                "value is withheld, and `disclosure.redactions` does not list it",
                hint="list it there with its record, pointer, status, class and reason",
            )
    redacted = any(status_of(place.value) == "redacted" for place in withheld)
    transform = bundle.tree.get("transform")
    if redacted and type(transform) is dict and not _says_redaction(bundle, transform):
        yield AT704.at(
            join("transform", "operations") if "operations" in transform else join("transform"),
            "values are redacted, and no operation says so",
            hint="add `redaction` to the operations, with its implementation and version in `steps`",
        )


def _says_redaction(bundle: Bundle, transform: Json) -> bool:
    sources = transform.get("derived_from")
    relations = [s.get("relation") for s in sources if type(s) is dict] if type(sources) is list else []
    return not REDACTING.isdisjoint(bundle.index.operations) or "redaction_of" in relations


# --- digests of what is withheld -----------------------------------------------------------------------------------


@on_bundle(AT709)
def digest_in_marker(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """A marker that carries a digest, and a record whose own id is a digest over redacted content."""
    seen: set[tuple[str, int]] = set()
    for place in bundle.content.withheld:
        if status_of(place.value) != "redacted":
            continue
        for member in digest_members(place.value):
            yield AT709.at(
                place.pointer + join(MARKER_KEY, member), "a digest stands for the redacted value", hint=_GUESS
            )
        record = record_of(place.keys)
        if record and record not in seen:
            seen.add(record)
            member = COLLECTIONS[record[0]][1]
            if is_digest(text(bundle.items(record[0])[record[1]], member) or ""):
                yield AT709.at(
                    join(*record, member),
                    "the record's id is a digest, and part of the record is redacted",
                    hint="rename the record and what refers to it: its id is a digest of what was taken",
                )


@on_bundle(AT709)
def digest_of_source(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """The unredacted source's digest beside redactions of guessable values: a test for each guess (§13.2)."""
    transform = bundle.member("transform")
    derived = _objects(transform.get("derived_from"))
    artifacts = _objects(bundle.member("source").get("artifacts"))
    digests = [
        *(("transform", "derived_from", n) for n, d in derived if _has_digest(d) and _is_unredacted(d)),
        *(("source", "artifacts", n) for n, a in artifacts if _has_digest(a) and _says_redaction(bundle, transform)),
    ]
    if not digests or not any(_is_guessable(place.value) for place in bundle.content.withheld):
        return
    for at in digests:
        yield AT709.at(
            join(*at, "digest"),
            "the digest of the unredacted source is published beside values that can be guessed",
            hint="leave it out, or keep a salted commitment outside the bundle",
        )


def _is_unredacted(derivation: Json) -> bool:
    return derivation.get("relation") == "redaction_of"


def _is_guessable(marker: Any) -> bool:
    body = marker[MARKER_KEY]
    kind = body.get("class")
    return body.get("status") == "redacted" and (type(kind) is not str or kind in GUESSABLE)


@on_bundle(AT709)
def digest_of_withheld_binding(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    for name, bound in bundle.member("bindings").items():
        if type(bound) is dict:
            yield from _redacted_digest(bound, ("bindings", name))
        for number, one in _objects(bound):
            yield from _redacted_digest(one, ("bindings", name, number))
    for number, artifact in _objects(bundle.member("source").get("artifacts")):
        yield from _redacted_digest(artifact, ("source", "artifacts", number))


def _redacted(_bundle: Bundle, group: Group) -> list[int]:
    return [i for i, word in enumerate(group.held("availability")) if word == "redacted"]


@on_each("states", AT709, member="digest", suspects=_redacted)
def digest_of_withheld_state(_bundle: Bundle, position: int, state: Json) -> Sequence[Finding]:
    if state.get("availability") != "redacted":
        return NOTHING
    return _redacted_digest(state, ("states", position))


def _with_request(_bundle: Bundle, group: Group) -> list[int]:
    return [i for i, request in enumerate(group.inner("model_call", "request_artifact")) if type(request) is dict]


@on_each("nodes", AT709, member="model_call", suspects=_with_request)
def digest_of_withheld_request(_bundle: Bundle, position: int, node: Json) -> Sequence[Finding]:
    request = child(child(node, "model_call"), "request_artifact")
    return _redacted_digest(request, ("nodes", position, "model_call", "request_artifact")) if request else NOTHING


@on_each("nodes", AT709, member="external_parents", suspects=filled("external_parents"))
def digest_of_withheld_parent(_bundle: Bundle, position: int, node: Json) -> Sequence[Finding]:
    found: list[Finding] = []
    for number, parent in _objects(node["external_parents"]) if node["external_parents"] else ():
        if parent.get("availability") == "redacted" and is_digest(text(parent, "source_id") or ""):
            found.append(
                AT709.at(
                    join("nodes", position, "external_parents", number, "source_id"),
                    "a digest stands for the redacted parent",
                    hint="name it by a number that says nothing, such as `redacted:1`",
                )
            )
    return found


def _redacted_digest(item: Json, at: tuple[str | int, ...]) -> Sequence[Finding]:
    if item.get("availability") != "redacted" or not _has_digest(item):
        return NOTHING
    return (AT709.at(join(*at, "digest"), "a digest stands for the redacted content", hint=_GUESS),)


def _has_digest(item: Json) -> bool:
    digest = item.get("digest")
    return bool(digest) and not is_marker(digest)


def _objects(value: Any) -> list[tuple[int, Json]]:
    return [(n, item) for n, item in enumerate(value) if type(item) is dict] if type(value) is list else []
