"""AT121 to AT123: what `bindings` tie the run to, and what the envelope should not tell (§6.2, §6.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from attraj.bundle.checks.check import Asked, info, on_bundle, warning
from attraj.bundle.leaves import keys_of, members, walk
from attraj.bundle.markers import is_marker
from attraj.bundle.model import Bundle, text
from attraj.bundle.vocabulary import BINDING_KINDS, EVALUATION, STATEMENTS
from attraj.findings import Finding, Related, Severity, Stratum
from attraj.pointer import join

AT121 = warning("AT121", "floating-binding", Stratum.MEANING)
AT122 = info("AT122", "binding-not-stated", Stratum.MEANING)
AT123 = warning("AT123", "infrastructure-detail", Stratum.MEANING)

# Kinds whose content can change under one name. Agents, principals, contexts and the like are instances, which only
# have names; sandboxes and capabilities are granted, not published.
VERSIONED = frozenset(
    BINDING_KINDS[kind]
    for kind in (
        "task",
        "environment",
        "cognitive_application",
        "harness",
        "evaluation_binding",
        "contract",
        "entry_program",
        "program",
        "model",
        "policy",
        "tool",
        "verifier",
    )
)
FLOATING = frozenset(
    {"latest", "newest", "current", "default", "main", "master", "head", "trunk", "stable", "unstable", "nightly"}
    | {"dev", "develop", "edge"}
)
FILLERS = frozenset({"", "unknown", "none", "null", "n/a", "tbd"})
IDENTITIES = (
    "id",
    "name",
    "version",
    "digest",
    "policy_revision",
    "provider",
    "availability",
    "reason",
    "scope",
    "decoding",
)

_ENDS = re.compile(r"[:@/#]")
_VERSION = re.compile(
    r"(?:^|[:@/#_. -])v\d"  # v3
    r"|(?:^|[:@/#_ v-])\d+(?:\.\d+)+"  # 1.2, 1.2.3
    r"|(?<!\d)(?:19|20)\d\d-?[01]\d(?:-?[0-3]\d)?(?!\d)"  # a date
    r"|(?:^|[:@/#-])[0-9a-f]{7,}(?:$|[:@/#-])"  # a commit
    r"|(?:^|[:@/#])(?:sha\d+|blake\d\w*|md5)[:_-]",  # a digest
    re.IGNORECASE,
)


@on_bundle(AT121)
def floating(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """A name without a version or digest can mean another thing tomorrow (§6.3, §11)."""
    for kind, keys, binding in _bindings(bundle):
        if BINDING_KINDS.get(kind, kind) not in VERSIONED or says_nothing(binding):
            continue
        word = _floats(binding)
        if word:
            yield AT121.at(
                join("bindings", *keys),
                f"the binding {word}",
                hint="bind what really ran: a version, a revision or a digest",
            )


def _bindings(bundle: Bundle) -> Iterator[tuple[str, tuple[str | int, ...], Any]]:
    """Kind, way and value of each binding; statements are no bindings."""
    for kind, value in bundle.member("bindings").items():
        if kind in STATEMENTS:
            continue
        if type(value) is list and value:
            for position, element in enumerate(value):
                yield kind, (kind, position), element
        else:
            yield kind, (kind,), value


def _floats(binding: Any) -> str:
    """How a binding fails to pin what it names; "" when it does not fail."""
    if type(binding) is str:
        return _text_floats(binding)
    if type(binding) is not dict or is_marker(binding):
        return ""
    if binding.get("availability") not in (None, "included", "referenced"):
        return ""  # withheld, unknown or not applicable: said, and nothing to pin
    for member in ("version", "policy_revision"):
        stated = binding.get(member)
        if type(stated) is str and stated.lower() in FLOATING:
            return "names a version that moves"
    if any(binding.get(member) for member in ("digest", "version", "policy_revision")):
        return ""
    return _text_floats(text(binding, "id") or text(binding, "name") or "")


def _text_floats(name: str) -> str:
    parts = _ENDS.split(name)
    last = parts[-1]
    if last.lower() in FLOATING:
        return "names a version that moves"
    # name@7, env:task:v3, provider:model:revision: the last part pins it, whatever its spelling.
    if last and ("@" in name or len(parts) > 2):
        return ""
    return "" if _VERSION.search(name) else "has neither version nor digest"


@on_bundle(AT122)
def fillers(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """A binding that is not known differs from one that never existed; a filler is neither (§6.3)."""
    for _, keys, binding in _bindings(bundle):
        if says_nothing(binding):
            yield AT122.at(
                join("bindings", *keys),
                "the binding is a filler that says nothing",
                hint='say which case it is: {"availability": "unknown"}, "unavailable", "redacted" or "not_applicable"',
                severity=Severity.WARNING,
            )


def says_nothing(binding: Any) -> bool:
    """Whether a binding is null, empty, or a word like "unknown" in the place of an identity."""
    if binding is None or binding == [] or binding == {}:
        return True
    if type(binding) is str:
        return binding.strip().lower() in FILLERS
    if type(binding) is not dict or is_marker(binding):
        return False
    return all(binding.get(member, "") == "" for member in IDENTITIES)


# --- what nodes mention ------------------------------------------------------------------------------------------

# Kind to the authority classes, or words before the colon of an actor, by which a node mentions it.
BY_ACTOR = {
    "agents": ("agent",),
    "principals": ("principal", "user"),
    "harnesses": ("harness",),
    "programs": ("program",),
    "verifiers": ("verifier",),
}
# Kind to the member of a node that mentions it, and the members in that of which one must say something.
BY_MEMBER = {
    "models": ("model_call", ("model", "provider")),
    "tools": ("action", ("name",)),
    "capabilities": ("admission", ("capability_refs",)),
    "execution_targets": ("effect", ("target",)),
}
# Kinds that may stand for one.
INSTEAD = {
    "programs": ("entry_programs",),
    "models": ("policies",),
    "execution_targets": ("sandboxes", "environments"),
}
# Under AT-Evaluation the absence of these is an error of its own (AT915).
SAID_BY_EVALUATION = frozenset({"models", "harnesses", "programs", "tools"})


@on_bundle(AT122)
def unstated(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Nodes mention a kind of thing that `bindings` neither bind nor mark (§6.3, §11)."""
    stated = bundle.tree.get("bindings")
    if type(stated) is not dict or is_marker(stated):
        return
    bound = {BINDING_KINDS.get(kind, kind) for kind in stated}
    if bundle.claims(EVALUATION):
        bound |= SAID_BY_EVALUATION
    unbound = [kind for kind in (*BY_ACTOR, *BY_MEMBER) if bound.isdisjoint((kind, *INSTEAD.get(kind, ())))]
    if not unbound:
        return
    actors = _first_actors(bundle)
    for kind in unbound:
        if kind in BY_ACTOR:
            first = min((actors[word] for word in BY_ACTOR[kind] if word in actors), default=None)
        else:
            first = _first_with(bundle, *BY_MEMBER[kind])
        if first is not None:
            yield AT122.at(
                "/bindings",
                f"nodes mention {kind}, and `bindings` neither name nor mark any",
                hint='where the identity is not known, say so: [{"availability": "unknown"}]',
                related=[Related(join("nodes", first), "is the first to mention them")],
            )


def _first_actors(bundle: Bundle) -> dict[str, int]:
    """The first node of each authority class, and of each word before the colon of an actor."""
    found: dict[str, int] = {}
    for column, is_class in ((bundle.index.authorities, True), (bundle.index.actors, False)):
        for value in _texts_in(column):
            word = value if is_class else value.partition(":")[0]
            position = column.index(value)
            found[word] = min(position, found.get(word, position))
    return found


def _texts_in(column: list[Any]) -> set[str]:
    try:
        found = set(column)
    except TypeError:  # an object or an array among them
        found = {value for value in column if type(value) is str}
    return {value for value in found if type(value) is str}


def _first_with(bundle: Bundle, member: str, inner: tuple[str, ...]) -> int | None:
    """The first node whose member says something in one of its own members."""
    best: int | None = None
    for group in bundle.index.groups["nodes"]:
        if member in group.names and (best is None or group.positions[0] < best):
            column = group.column(member)
            for name in inner:
                named = [i for i, held in enumerate(column) if type(held) is dict and name in held]
                first = next((i for i in named if column[i][name] not in (None, "", [])), None)
                if first is not None:
                    best = min(group.positions[first], group.positions[first] if best is None else best)
    return best


# --- what a bundle should not tell -------------------------------------------------------------------------------

_INFRASTRUCTURE = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*://[^\s/]"  # URL or DSN
    r"|(?<![\d.])(?:10|127|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2,3}(?![\d.])"  # private IPv4
    r"|(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}:\d{2,5}(?!\d)"  # any IPv4 with a port
    r"|\[[0-9A-Fa-f:]*::?[0-9A-Fa-f:]+\]"  # IPv6
    r"|(?<![\w.-])localhost(?![\w-])|\bip-\d+-\d+-\d+-\d+\b"
    r"|[A-Za-z0-9-]\.(?:local|internal|intranet|intra|corp|lan|home\.arpa|svc\.cluster)(?![\w-])"  # host names
    r"|(?<![\w.])/(?:home|Users|root|var|etc|mnt|opt|srv|tmp|private)/[^\s/]"  # absolute paths
    r"|(?<![A-Za-z])[A-Za-z]:\\[^\s\\]|(?<![\\\w])\\\\[^\s\\]+\\"  # the same on Windows
)


@on_bundle(AT123)
def infrastructure(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Hosts, addresses and paths in the envelope tell how a site is built, and prove nothing (§6.2)."""
    for name in ("source", "scope", "bindings"):
        for way, container in walk(bundle.member(name)).containers:
            for key, value in members(container):
                if type(value) is str and _INFRASTRUCTURE.search(value):
                    yield AT123.at(
                        join(name, *keys_of(way, key)),
                        "looks like an address, a host name or a path of the place where it ran",
                        hint="use a name that means something outside of it, or mark the value as redacted",
                    )
