"""What a Bundle says outside of its steps: outcomes, verifier results, rewards, bindings, rights, how it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from attraj.bundle.shape import COLLECTIONS
from attraj.bundle.vocabulary import BINDING_KINDS, KNOWN_EXTENSIONS, STATEMENTS
from attraj.formats import FORMATS
from attraj.formats.mapping.fields import At, Json
from attraj.verbs.comparing.said import Name, Said, Says, fingerprint, is_silent, leaves
from attraj.verbs.comparing.sides import Side
from attraj.verbs.comparing.steps import Scope
from attraj.verbs.comparing.views import Views

_RECORDS = {"outcomes": "outcome", "verifier_results": "verifier result", "reward_records": "reward"}
_IDENTITIES = frozenset({"outcome_id", "verifier_result_id", "reward_id", "evidence_refs"})
# What a record says that it is about: the whole Bundle, by its identity, as often as anything in it.
_ABOUT = frozenset({("scope",), ("attribution_target",)})
# A Bundle speaks of itself in these, and of how it was made: compared where a Bundle is the document.
_BOOKS = ("spec_version", "profiles", "completeness", "disclosure", "integrity", "transform")
# Of a foreign document these are its reader's words, and the same for all.
_READERS = frozenset({("scope", "selection"), ("scope", "event_count"), ("source", "format")})
# How a run went is what a reader has to understand: of one format all of it, of two the words that all have.
_JUDGED = frozenset({"outcomes", "verifiers", "rewards", "ending"})
_MADE = frozenset({("source", "exporter_version"), ("source", "artifacts")})
_MADE_IDENTITIES = tuple(f"at:{one.name}:" for one in FORMATS)  # of a file's name, whatever it came through since
_HANDLED = frozenset((*_BOOKS, "trajectory_id", "source", "scope", "bindings", "rights", "extensions"))
_BINDING_WORDS = frozenset((*BINDING_KINDS, *BINDING_KINDS.values(), *STATEMENTS))


class _Fact(NamedTuple):
    """One value of the Bundle, and what it is called."""

    topic: str
    name: Name
    at: At
    value: Any


def facts(side: Side, other: Side, scope: Scope, views: Views) -> Says:
    """Everything that one document says outside of its steps, as far as the other could say it too."""
    found: Says = {}
    for fact in (*_members(side, scope), *_bindings(side, other, scope), *_records(side, other), *_rights(side)):
        if not scope.is_native and is_silent(fact.value):
            continue
        is_told = scope.is_native or not _is_of_reader(side, scope, fact)
        is_about = fact.at[0] in _RECORDS and fact.name.path[:1] in _ABOUT
        is_own = is_about and side.is_about_itself(fact.value)
        found[fact.name] = Said(fact.topic, fact.value, fact.at, is_own or side.names(fact.value), is_told=is_told)
    if scope.is_kin:
        for number, state in enumerate(views.unused(), 1):
            for path, value in views.of(state):
                found[Name(f"state {number}", path)] = Said("views", value, "")
    return found


def _is_of_reader(side: Side, scope: Scope, fact: _Fact) -> bool:
    """Whether a document does not say this itself, and another one could not."""
    if fact.at[:2] in _READERS or fact.value == "unknown":
        return True
    if scope.holds_readers_words or fact.topic == "rights":
        return False
    if fact.topic in _JUDGED and (scope.is_kin or fact.at[2:] in (("status",), ("value",), ("reason",))):
        return False
    return not side.is_said(fact.at)


def _members(side: Side, scope: Scope) -> Iterator[_Fact]:
    tree = side.bundle.tree
    identity = tree.get("trajectory_id")
    is_made = type(identity) is str and identity.startswith(_MADE_IDENTITIES)
    if identity is not None and (scope.is_native or not is_made):
        yield _Fact("identity", Name("", ("trajectory_id",)), ("trajectory_id",), identity)
    for path, value in _under(tree, "source"):
        if path[:2] not in _MADE or scope.is_native:
            yield _Fact("identity", Name("", path), path, value)
    for path, value in _under(tree, "scope"):
        topic = {"termination": "ending", "resources": "usage"}.get(str(path[1]) if len(path) > 1 else "", "scope")
        yield _Fact(topic, Name("", path), path, value)
    if scope.holds_readers_words:
        for member in _BOOKS:
            for path, value in _under(tree, member):
                yield _Fact("books", Name("", path), path, value)
    for name, extension in side.bundle.member("extensions").items():
        if name not in KNOWN_EXTENSIONS or scope.is_native:
            for path, value in leaves(extension, ("extensions", name)):
                yield _Fact("members", Name("", path), path, value)
    if scope.is_native:
        for path, value in _strange(tree):
            yield _Fact("members", Name("", path), path, value)


def _strange(tree: Json) -> Iterator[tuple[At, Any]]:
    """What stands in a Bundle where nothing else looks: members of other names, values of a wrong type."""
    for member, value in tree.items():
        if member in COLLECTIONS and type(value) is list:
            for position, one in enumerate(value):
                if type(one) is not dict:
                    yield from leaves(one, (member, position))
        elif member not in _HANDLED or (member in ("bindings", "extensions") and type(value) is not dict):
            yield from leaves(value, (member,))


def _under(tree: Json, member: str) -> Iterator[tuple[At, Any]]:
    return leaves(tree[member], (member,)) if member in tree else iter(())


def _rights(side: Side) -> Iterator[_Fact]:
    for path, value in _under(side.bundle.tree, "rights"):
        yield _Fact("rights", Name("", path), path, value)


def _bindings(side: Side, other: Side, scope: Scope) -> Iterator[_Fact]:
    theirs = other.bundle.member("bindings")
    for kind, records in side.bundle.member("bindings").items():
        if type(records) is not list:
            for path, value in leaves(records, ("bindings", kind)):
                yield _Fact("bindings", Name("", path), path, value)
            continue
        for position, slot in enumerate(_places(records, theirs.get(kind))):
            for path, value in leaves(records[position]):
                at = ("bindings", kind, position, *path)
                is_word = kind in _BINDING_WORDS  # another name is the document's own
                called, spelled = (kind, path) if scope.is_kin else _spelled(kind, path, records[position])
                name = Name(f"{called} {slot}", spelled) if is_word else Name("", ("bindings", kind, slot, *path))
                yield _Fact("bindings", name, at, value)


def _spelled(kind: str, path: At, record: Json) -> tuple[str, At]:
    """What two formats call by two names: some know an agent, some its harness, by a name or by an identity."""
    if kind not in ("agents", "harnesses"):
        return kind, path
    return "agents", ("name",) if path == ("id",) and "name" not in record else path


def _records(side: Side, other: Side) -> Iterator[_Fact]:
    for (collection, word), topic in zip(_RECORDS.items(), ("outcomes", "verifiers", "rewards"), strict=True):
        records = side.bundle.items(collection)
        places = _places(_comparable(side, records), _comparable(other, other.bundle.items(collection)))
        for position, slot in enumerate(places):
            for path, value in leaves(records[position]):
                yield _Fact(topic, Name(f"{word} {slot}", path), (collection, position, *path), value)


def _comparable(side: Side, records: list[Any]) -> list[Any]:
    """The records without their identities, and the Bundle's own where they say what they are about."""
    return [_without_names(side, one) if type(one) is dict else one for one in records]


def _without_names(side: Side, record: Json) -> Json:
    found: Json = {}
    for name, value in record.items():
        if name in _IDENTITIES:
            continue
        if (name,) in _ABOUT:
            parts = value if type(value) is list else [value]
            value = [None if side.is_about_itself(one) else one for one in parts]
        found[name] = value
    return found


def _places(mine: list[Any], theirs: Any) -> list[int]:
    """Numbers for records whose order says nothing: what is on both sides comes first, the rest in its order."""
    keys = [fingerprint(record) for record in mine]
    left = Counter(map(fingerprint, theirs)) if type(theirs) is list else Counter[bytes]()
    shared: list[tuple[bytes, int]] = []
    rest: list[int] = []
    for position, key in enumerate(keys):
        if left[key]:
            left[key] -= 1
            shared.append((key, position))
        else:
            rest.append(position)
    order = [position for _, position in sorted(shared)] + rest
    numbers = [0] * len(mine)
    for number, position in enumerate(order, 1):
        numbers[position] = number
    return numbers
