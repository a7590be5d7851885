"""AT103 to AT107, AT112 to AT120, AT124: version, profiles, extensions, source, scope (§5, §6.2, §14).

What `bindings` hold is checked in `bindings.py`, the reference form (AT125) in `reference_form.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from attraj.bundle.checks.check import Asked, Json, error, info, on_bundle, warning
from attraj.bundle.checks.shape import AT102
from attraj.bundle.checks.transform import is_converted
from attraj.bundle.markers import is_marker
from attraj.bundle.model import Bundle, child, text
from attraj.bundle.shape import OBJECTS
from attraj.bundle.vocabulary import CORE, KNOWN_EXTENSIONS, PROFILES, SPEC_VERSIONS
from attraj.findings import Finding, Related, Stratum
from attraj.pointer import join

AT103 = error("AT103", "version-not-stated", Stratum.SHAPE)
AT104 = error("AT104", "unsupported-version", Stratum.SHAPE, rejects=True)
AT105 = error("AT105", "profiles-empty-or-repeated", Stratum.SHAPE)
AT106 = error("AT106", "unknown-profile", Stratum.SHAPE, rejects=True)
AT107 = info("AT107", "core-not-listed", Stratum.SHAPE)
AT112 = error("AT112", "extension-not-namespaced", Stratum.SHAPE)
AT113 = error("AT113", "extension-redefines-core", Stratum.SHAPE)
AT114 = error("AT114", "unknown-required-extension", Stratum.SHAPE, rejects=True)
AT115 = info("AT115", "unknown-extension", Stratum.SHAPE)
AT117 = error("AT117", "producer-not-named", Stratum.SHAPE)
AT118 = warning("AT118", "history-not-anchored", Stratum.MEANING)
AT119 = error("AT119", "no-selection-rule", Stratum.SHAPE)
AT120 = info("AT120", "absence-not-explained", Stratum.MEANING)
AT124 = error("AT124", "scope-without-boundary", Stratum.SHAPE)

CORE_MEMBERS = frozenset(OBJECTS["bundle"])
SCOPE_IDS = tuple(name for name in OBJECTS["scope"] if name.endswith(("_id", "_ids")))
RECORDS = ("outcomes", "verifier_results", "reward_records")

# Reverse domain name, or absolute URI or URN (§14: collision-resistant names).
_NAMESPACED = re.compile(
    r"[A-Za-z0-9](?:[A-Za-z0-9_-]*)(?:\.[A-Za-z0-9_-]+)+(?:[/#:].*)?|[A-Za-z][A-Za-z0-9+.-]*:(?:\S+)"
).fullmatch


@on_bundle(AT103, AT104)
def version(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """The version is stated and is one that attraj reads: nothing is guessed from the shape (§14)."""
    if "spec_version" not in bundle.tree:
        yield AT103.at("", "`spec_version` is missing", hint=f'attraj reads version "{SPEC_VERSIONS[-1]}"')
        return
    stated = bundle.tree["spec_version"]
    if type(stated) is not str:
        yield AT103.at("/spec_version", "the version must be a string", hint=f'write "{SPEC_VERSIONS[-1]}"')
    elif stated not in SPEC_VERSIONS:
        known = ", ".join(SPEC_VERSIONS)
        yield AT104.at("/spec_version", f"this version of the specification is not supported; attraj reads {known}")


@on_bundle(AT105, AT106, AT107)
def profiles(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """The claimed profiles are known ones, each once. An unknown one must be refused, not skipped (§14)."""
    claimed = bundle.tree.get("profiles")
    if type(claimed) is not list:
        return
    if not claimed:
        yield AT105.at("/profiles", "the bundle claims no profile", hint=f"every bundle claims {CORE}")
    first: dict[str, int] = {}
    for position, profile in enumerate(claimed):
        if type(profile) is not str:
            continue
        if profile in first:
            related = [Related(join("profiles", first[profile]), "is the first claim of it")]
            yield AT105.at(join("profiles", position), "the profile is claimed twice", related=related)
        elif profile not in PROFILES:
            known = ", ".join(PROFILES)
            yield AT106.at(join("profiles", position), f"the profile is none of {known}")
        first.setdefault(profile, position)
    if CORE not in first and any(profile in PROFILES for profile in first):
        yield AT107.at("/profiles", f"{CORE} is not listed; the other profiles imply it")


@on_bundle(AT112, AT113, AT114, AT115, AT102)
def extensions(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Extensions have names of their own, leave Core alone, and say whether they can be ignored (§14)."""
    for name, extension in bundle.member("extensions").items():
        at = ("extensions", name)
        body: Json = extension if type(extension) is dict else {}
        is_own = True
        if name in CORE_MEMBERS:
            is_own = False
            yield AT113.at(join(*at), "the extension has the name of a Core member")
        elif _NAMESPACED(name) is None:
            is_own = False
            yield AT112.at(
                join(*at),
                "the extension's name is not namespaced",
                hint="use a reverse domain name, an absolute URI or a URN",
            )
        yield from _redefinitions(body, at)
        if name in KNOWN_EXTENSIONS:
            continue
        required = body.get("required")
        if required is True:
            yield AT114.at(join(*at), "attraj does not know this extension, and the bundle says that it is required")
        elif required is not None and type(required) is not bool:
            yield AT102.at(join(*at, "required"), "expected boolean")
        elif is_own:
            yield AT115.at(join(*at), "attraj does not know this extension; it is kept and ignored")


def _redefinitions(extension: Json, at: tuple[str, ...]) -> Iterator[Finding]:
    """The members that an extension declares to add (`members`, a list or an object by name) are none of Core's."""
    declared = extension.get("members")
    if type(declared) is not list and type(declared) is not dict:
        return
    for position, name in enumerate(declared):
        if type(name) is str and name in CORE_MEMBERS:
            place = position if type(declared) is list else name
            yield AT113.at(join(*at, "members", place), "the extension declares a member that Core has already")


@on_bundle(AT117)
def producer(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """`source` names the implementation and the version of its exporter (§6.2)."""
    source = bundle.tree.get("source")
    if type(source) is not dict or is_marker(source):
        return
    for member in ("implementation", "exporter_version"):
        if member not in source:
            yield AT117.at("/source", f"`{member}` is missing")
        elif source[member] == "":
            yield AT117.at(join("source", member), f"`{member}` is empty")


@on_bundle(AT118)
def anchor(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """An event history is named by its authority domain and by how far it was read (§6.2; decisions 23)."""
    source = bundle.tree.get("source")
    if type(source) is not dict or is_marker(source) or not _is_event_history(bundle, source):
        return
    revision = source.get("authority_revision")
    domain_in_revision = type(revision) is str and not revision.startswith("@") and "@" in revision
    missing = []
    if not (source.get("authority_domain") or domain_in_revision):
        missing.append("authority domain")
    if not revision and "last_sequence" not in source:
        missing.append("revision or cursor")
    if missing:
        yield AT118.at(
            "/source",
            f"the records come from an event history, and its {' and '.join(missing)} is not named",
            hint="without it nobody can tell which history this was, or how far it had got",
        )


def _is_event_history(bundle: Bundle, source: Json) -> bool:
    """Whether the records are those of a runtime's own history, and not converted from a file of another format."""
    if "format" in source or is_converted(bundle):
        return False
    if any(name in source for name in ("authority_domain", "authority_revision", "first_sequence", "last_sequence")):
        return True
    return any("source_event_id" in node for _, node in bundle.objects("nodes"))


@on_bundle(AT119, AT124)
def scope(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """`scope` says by which rule records were selected, and where the selection ends (§6.2)."""
    stated = bundle.tree.get("scope")
    if type(stated) is not dict or is_marker(stated):
        return
    hint = 'name the rule, for example "attempt causal closure", or give {rule, parameters}'
    if "selection" not in stated:
        yield AT119.at("/scope", "`selection` is missing", hint=hint)
    elif stated["selection"] == "" or _has_no_rule(stated["selection"]):
        yield AT119.at("/scope/selection", "the selection names no rule", hint=hint)
    if not _has_boundary(stated, child(bundle.tree, "source")):
        yield AT124.at(
            "/scope",
            "the scope has no boundary of any kind",
            hint="give a boundary, the ids that it covers, a sequence range or an event count",
        )


def _has_no_rule(selection: Any) -> bool:
    return type(selection) is dict and not is_marker(selection) and not selection.get("rule")


def _has_boundary(scope: Json, source: Json) -> bool:
    ends = child(scope, "boundary")
    if is_marker(ends) or any(ends.get(end) not in (None, "") for end in ("from", "to")):
        return True
    if any(scope.get(name) not in (None, "", []) for name in SCOPE_IDS):
        return True
    counted = (scope.get("event_count"), source.get("first_sequence"), source.get("last_sequence"))
    return any(type(count) is int or is_marker(count) for count in counted)


@on_bundle(AT120)
def absences(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """An empty record collection is not proof that there was no such fact: why it is empty can be said (§6.1)."""
    stated = child(bundle.member("disclosure"), "absences")
    for name in RECORDS:
        if bundle.tree.get(name) == [] and text(stated, name) is None and not is_marker(stated.get(name)):
            yield AT120.at(
                join(name),
                "the collection is empty, and nothing says why",
                hint=f"say it in disclosure.absences.{name}: not_available, not_captured, withheld or none_in_scope",
            )
