"""Canonical forms of JSON values and the digests over them. What one form covers and what it does not is told here.

    RFC8785                          JSON Canonicalization Scheme: every member, keys in UTF-16 order, numbers as
                                     ECMAScript writes them; integers beyond 2^53 have no such form and are refused
    attraj-c14n-v1                   the same, with integers of any size written out digit by digit
    morphz-at-json-struct-order-v1   the reference implementation's: known members alone (see `struct_order`)

A form is made without recursion and never changes its argument. Nothing here reads a file or a clock.
"""

from __future__ import annotations

import hashlib
from typing import Any

from attraj.bundle.canonical_form import ATTRAJ_STYLE, RFC8785_STYLE, NotCanonical, form

__all__ = ["CANONICALIZATIONS", "NotCanonical", "canonical_bytes", "digest", "document_digest", "without_seal"]

Json = dict[str, Any]

RFC8785 = "RFC8785"
ATTRAJ_C14N = "attraj-c14n-v1"
STRUCT_ORDER = "morphz-at-json-struct-order-v1"
ALGORITHM = "sha256"

# Name to what a digest under it covers, for people.
CANONICALIZATIONS = {
    RFC8785: "every member of the document except integrity.digest and integrity.signatures",
    ATTRAJ_C14N: "every member of the document except integrity.digest and integrity.signatures",
    STRUCT_ORDER: "the members of the reference form alone; neither other members, nor integrity, nor time zones",
}


def digest(value: Any, canonicalization: str) -> str:
    """SHA-256 over the canonical form of a JSON value, as "sha256:<hex>".

    Args:
        value: Any JSON value; it is hashed whole (for a document that carries `integrity`, see `document_digest`).
        canonicalization: A name of CANONICALIZATIONS.

    Raises:
        NotCanonical: The value has no such form, or the name is unknown.
    """
    return f"{ALGORITHM}:{hashlib.sha256(canonical_bytes(value, canonicalization)).hexdigest()}"


def document_digest(document: Json, canonicalization: str) -> str:
    """The digest that `integrity.digest` of this document has to state under this canonicalization.

    Raises:
        NotCanonical: The document has no such form, or the name is unknown.

    Source: spec bundle.md §4.9 (Agent Trajectory v0.1 §14).
    """
    return digest(without_seal(document), canonicalization)


def without_seal(document: Json) -> Json:
    """The document as its digest covers it: `integrity` without digest and signatures, all else shared."""
    integrity = document.get("integrity")
    if type(integrity) is not dict:
        return document
    covered = {name: value for name, value in integrity.items() if name not in ("digest", "signatures")}
    return {**document, "integrity": covered}


def canonical_bytes(value: Any, canonicalization: str) -> bytes:
    """The canonical form of a JSON value, UTF-8.

    Args:
        value: A JSON value; for morphz-at-json-struct-order-v1 a Bundle or an Episode. Never modified.
        canonicalization: A name of CANONICALIZATIONS.

    Raises:
        NotCanonical: The value has no such form, or the name is unknown.
    """
    if canonicalization == RFC8785:
        return form(value, RFC8785_STYLE)
    if canonicalization == ATTRAJ_C14N:
        return form(value, ATTRAJ_STYLE)
    if canonicalization == STRUCT_ORDER:
        from attraj.bundle.struct_order import struct_order_bytes  # a table of its own, for documents that name it

        return struct_order_bytes(value)
    raise NotCanonical("the canonicalization is not known here")
