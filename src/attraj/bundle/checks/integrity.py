"""AT93x: what `integrity` states, and whether the digest holds. A digest is computed only where one is stated (§14)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from attraj.bundle.checks.check import Asked, Json, error, info, on_bundle, warning
from attraj.bundle.markers import is_marker
from attraj.bundle.model import Bundle
from attraj.bundle.vocabulary import INTEGRITY_STATUSES
from attraj.findings import Finding, Related, Stratum
from attraj.pointer import join

AT931 = error("AT931", "no-integrity-status", Stratum.SHAPE)
AT932 = error("AT932", "incomplete-integrity", Stratum.SHAPE)
AT933 = error("AT933", "digest-although-not-provided", Stratum.SHAPE)
AT934 = error("AT934", "digest-mismatch", Stratum.MEANING)
AT935 = warning("AT935", "unverified-digest", Stratum.MEANING)
AT936 = info("AT936", "no-digest", Stratum.MEANING)
AT937 = info("AT937", "unverified-signature", Stratum.MEANING)
AT938 = warning("AT938", "members-not-covered", Stratum.MEANING)

NOT_PROVIDED, VALID, MISMATCH, UNSUPPORTED = "not_provided", "valid", "mismatch", "unsupported_canonicalization"
SHOWN = 10  # uncovered members that are listed; the rest is counted

STATUS = "/integrity/status"
DIGEST = "/integrity/digest"


@on_bundle(AT931, AT932, AT933)
def statement(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Whether `integrity` says what it provides, and all that is needed to check it."""
    integrity = bundle.tree.get("integrity")
    if type(integrity) is not dict:
        return  # missing is AT101, another type AT102
    yield from _status_faults(integrity)
    if _is_provided(integrity):
        yield from _missing_parts(integrity)
    elif "digest" in integrity or _signatures(integrity):
        what = "digest" if "digest" in integrity else "signatures"
        yield AT933.at(
            join("integrity", what),
            f"`{what}` is given although `status` says that nothing is provided",
            hint="state what is provided, or take it out",
        )


@on_bundle(AT934, AT935, AT936, AT937, AT938)
def seal(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Whether the stated digest is that of this document."""
    integrity = bundle.member("integrity")
    if not integrity:
        return
    if _signatures(integrity) and _is_provided(integrity):
        yield AT937.at(
            "/integrity/signatures",
            "signatures are not checked here",
            hint="a signature proves control of a key, and neither truth nor consent",
        )
    if _has_digest(integrity):
        yield from _verification(bundle.tree, integrity)
    elif is_marker(integrity.get("digest")) or _provides_nothing(integrity):
        yield AT936.at("/integrity", "no digest is provided: nothing shows whether the document was changed")


def word(tree: Json, findings: Iterable[Finding]) -> str:
    """The verdict on integrity, read off the findings of these checks.

    Args:
        tree: The document.
        findings: What the checks up to the stratum "meaning" have said of it.

    Returns:
        not_provided, valid, mismatch or unsupported_canonicalization (spec: decisions 6).
    """
    integrity = tree.get("integrity")
    if type(integrity) is not dict or not _has_digest(integrity):
        return NOT_PROVIDED
    codes = {finding.code for finding in findings}
    if AT935.code in codes or not _names_form(integrity):
        return UNSUPPORTED
    return MISMATCH if AT934.code in codes else VALID


def ambiguous() -> Iterator[Finding]:
    """For a sealed document in which an object has a member twice: the digest of one reading vouches for no other."""
    yield AT934.at(
        DIGEST,
        "an object of the document has a member twice: the digest cannot say which one counts",
        hint="keep one of the two and make the digest again",
    )


# --- what is stated ----------------------------------------------------------------------------------------------


def _signatures(integrity: Json) -> list[Any]:
    found = integrity.get("signatures")
    return found if type(found) is list else []


def _is_provided(integrity: Json) -> bool:
    return integrity.get("status") != NOT_PROVIDED


def _provides_nothing(integrity: Json) -> bool:
    return not _is_provided(integrity) and "digest" not in integrity and not _signatures(integrity)


def _has_digest(integrity: Json) -> bool:
    return type(integrity.get("digest")) is str and _is_provided(integrity)


def _names_form(integrity: Json) -> bool:
    return type(integrity.get("algorithm")) is str and type(integrity.get("canonicalization")) is str


def _status_faults(integrity: Json) -> Iterator[Finding]:
    status = integrity.get("status")
    hint = "write not_provided, digest_provided or signed"
    if "status" not in integrity:
        yield AT931.at("/integrity", "`integrity` does not say what is provided", hint=hint)
    elif type(status) is str and status not in INTEGRITY_STATUSES:
        yield AT931.at(STATUS, "`status` is none of the words that say what is provided", hint=hint)


def _missing_parts(integrity: Json) -> Iterator[Finding]:
    status, signatures = integrity.get("status"), _signatures(integrity)
    if status == "digest_provided" and "digest" not in integrity:
        yield AT932.at("/integrity", "`status` says that a digest is provided, and there is none")
    elif status == "signed" and not signatures:
        yield AT932.at("/integrity", "`status` says that signatures are provided, and there are none")
    elif "digest" in integrity or signatures:
        missing = [name for name in ("algorithm", "canonicalization") if name not in integrity]
        if missing:
            names = " and ".join(f"`{name}`" for name in missing)
            yield AT932.at(
                "/integrity",
                f"{names} missing: nobody can tell what was hashed",
                hint="name the algorithm and the canonical form that were really used",
            )
    for position, signature in enumerate(signatures):
        if type(signature) is dict and not is_marker(signature):
            missing = [name for name in ("scheme", "key_id", "value") if name not in signature]
            if missing:
                names = " and ".join(f"`{name}`" for name in missing)
                yield AT932.at(join("integrity", "signatures", position), f"signature without {names}")


# --- whether it holds --------------------------------------------------------------------------------------------


def _verification(tree: Json, integrity: Json) -> Iterator[Finding]:
    if not _names_form(integrity):
        return  # AT932 or AT102 says why nothing can be checked
    from attraj.bundle import canonical  # hashing and orjson, for documents that state a digest

    if _plain(integrity["algorithm"]) != canonical.ALGORITHM:
        yield AT935.at("/integrity/algorithm", "the digest was not checked: this algorithm is not known here")
        return
    form = integrity["canonicalization"]
    if form not in canonical.CANONICALIZATIONS:
        yield AT935.at(
            "/integrity/canonicalization",
            "the digest was not checked: this canonical form is not known here",
            hint="it may well be right; check it with the tool that made it",
        )
        return
    try:
        found = canonical.document_digest(tree, form)
    except canonical.NotCanonical as refused:
        yield AT934.at(
            DIGEST,
            "no digest under the named canonical form exists for this document",
            hint=refused.hint,
            related=[Related(refused.pointer, refused.message)],
        )
        return
    if _hex(integrity["digest"]) != _hex(found):
        yield AT934.at(
            DIGEST,
            "the digest is not that of this document",
            hint="the document was changed after the digest was made, or the digest is over another form of it",
        )
    elif form == canonical.STRUCT_ORDER:
        yield from _not_covered(tree)


def _not_covered(tree: Json) -> Iterator[Finding]:
    from attraj.bundle.struct_order import uncovered

    members = uncovered(tree)
    shown = [Related(pointer, "is not covered by the digest") for pointer in islice(members, SHOWN)]
    if shown:
        count = len(shown) + sum(1 for _ in members)
        yield AT938.at(
            DIGEST,
            f"the digest is valid and does not cover {count} {'member' if count == 1 else 'members'} of the document",
            hint="members outside of the reference form can be added or changed without it noticing",
            related=shown,
        )


def _plain(algorithm: str) -> str:
    return algorithm.lower().replace("-", "")


def _hex(digest: str) -> str:
    name, _, value = digest.rpartition(":")
    return value.lower() if not name or _plain(name) == "sha256" else digest
