"""AT209, AT210: identifiers that are made from content. How they were made must be told, and must come out (§7.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from attraj.bundle.checks.check import Asked, Json, error, on_bundle, warning
from attraj.bundle.checks.identity import NAMED
from attraj.bundle.leaves import walk
from attraj.bundle.markers import is_marker
from attraj.bundle.model import Bundle, child, text
from attraj.bundle.shape import COLLECTIONS
from attraj.findings import Finding, Related, Stratum
from attraj.pointer import join

AT209 = warning("AT209", "content-identity-not-declared", Stratum.MEANING)
AT210 = error("AT210", "content-identity-mismatch", Stratum.MEANING)

SHOWN = 10  # identifiers that are listed; the rest is counted

# A hash name, a separator and 16 hexadecimal digits or more, or a tail of 40 or more (spec: bundle.md AT-7.1-4).
_DERIVED = re.compile(
    r"(?:^|[:_./-])(?:sha-?(?:1|224|256|384|512)|sha3-\d+|blake[23][bs]?|md5|xxh\w+)[:_-][0-9a-f]{16,}"
    r"|(?:^|[:_./-])[0-9a-f]{40,}$",
    re.IGNORECASE,
)
_SHA256 = re.compile(r"(?:^|[:_./-])sha-?256[:_-]([0-9a-f]{64})$", re.IGNORECASE)
_SHORTEST = len("md5:") + 16  # nothing shorter can match

Path = tuple[str | int, ...]


@on_bundle(AT209)
def undeclared(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Identifiers look derived from content, and nothing says by which algorithm and canonical form."""
    disclosure = bundle.member("disclosure")
    if "identity" in disclosure:
        return
    found = [path for path, identifier in _identifiers(bundle) if is_derived(identifier)]
    if found:
        listed = "" if len(found) <= SHOWN else f"; the first {SHOWN} are listed"
        yield AT209.at(
            "/disclosure" if type(bundle.tree.get("disclosure")) is dict else "",
            f"identifiers derived from content: {len(found)}; how they were made is not declared{listed}",
            hint="say it in disclosure.identity: algorithm and canonicalization",
            related=[Related(join(*path), "looks derived from content") for path in found[:SHOWN]],
        )


def is_derived(identifier: str) -> bool:
    """Whether an identifier looks like a digest of something."""
    return len(identifier) >= _SHORTEST and _DERIVED.search(identifier) is not None


def _identifiers(bundle: Bundle) -> Iterator[tuple[Path, str]]:
    """The way to each identifier that is long enough to be derived, and its text."""
    trajectory = text(bundle.tree, "trajectory_id")
    if trajectory is not None:
        yield ("trajectory_id",), trajectory
    for collection in NAMED:
        known = bundle.index.positions[collection]
        for identifier in [name for name in known if len(name) >= _SHORTEST]:
            yield (collection, known[identifier], COLLECTIONS[collection][1]), identifier
    for position, artifact in _artifacts(bundle):
        yield ("source", "artifacts", position, "artifact_id"), text(artifact, "artifact_id") or ""


def _artifacts(bundle: Bundle) -> Iterator[tuple[int, Json]]:
    artifacts = bundle.member("source").get("artifacts")
    for position, artifact in enumerate(artifacts if type(artifacts) is list else ()):
        if type(artifact) is dict:
            yield position, artifact


@on_bundle(AT210)
def mismatched(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """An identifier made from content that is here must come out again; what cannot be made again is let be."""
    for position, artifact in _artifacts(bundle):
        stated, known = _sha256_in(text(artifact, "artifact_id")), _sha256_of(artifact.get("digest"))
        if stated and known and stated != known:
            yield AT210.at(
                join("source", "artifacts", position, "artifact_id"),
                "the identifier is a digest, and not the one that the artifact itself states",
                hint="the artifact was changed, or its identifier belongs to another one",
                related=[Related(join("source", "artifacts", position, "digest"), "is the stated digest")],
            )
    canonicalization = _declared(bundle)
    if canonicalization:
        for position, state in bundle.objects("states"):
            stated = _sha256_in(text(state, "state_id"))
            if stated and _is_contradicted(stated, state, canonicalization):
                yield AT210.at(
                    join("states", position, "state_id"),
                    "the identifier is not the digest of the state's content under the declared canonical form",
                    hint="the content was changed after the identifier was made",
                )


def _declared(bundle: Bundle) -> str:
    """The canonical form that the bundle declares for its identifiers, when attraj can make it; "" otherwise."""
    identity = child(bundle.member("disclosure"), "identity")
    name = text(identity, "canonicalization") or ""
    is_sha256 = (text(identity, "algorithm") or "").lower().replace("-", "") == "sha256"
    return name if is_sha256 and name in ("RFC8785", "attraj-c14n-v1") else ""


def _sha256_in(identifier: str | None) -> str:
    match = _SHA256.search(identifier) if identifier else None
    return match[1].lower() if match else ""


def _sha256_of(digest: Any) -> str:
    """The hexadecimal digits of a stated SHA-256; "" when it is none."""
    if type(digest) is dict:
        is_sha256 = (text(digest, "algorithm") or "").lower().replace("-", "") == "sha256"
        value = text(digest, "value") or ""
        digest = f"sha256:{value.rpartition(':')[2]}" if is_sha256 else ""
    return _sha256_in(digest) if type(digest) is str else ""


def _is_contradicted(stated: str, state: Json, canonicalization: str) -> bool:
    """Whether nothing that the identifier may have been made from gives it: the content, or all but the identifier."""
    contents = [state[member] for member in ("view", "snapshot", "delta") if member in state]
    if not contents or any(is_marker(container) for _, container in walk(contents).containers):
        return False  # no content, or no longer the whole of it
    from attraj.bundle.canonical import NotCanonical, digest  # hashing is for the few bundles that ask for it

    rest = {name: value for name, value in state.items() if name != "state_id"}
    try:
        return all(digest(value, canonicalization) != f"sha256:{stated}" for value in (*contents, rest))
    except NotCanonical:
        return False
