"""The `$at` marker, which says why a value is not here. Spec: bundle.md §4.5 (Agent Trajectory v0.1 §8.3, §13.2)."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

MARKER_KEY = "$at"

STATUSES = frozenset({"redacted", "omitted", "unavailable", "unknown", "not_applicable", "truncated", "literal"})
CLASSES = frozenset(
    {
        "secret",
        "credential",
        "personal_data",
        "user_content",
        "tool_output",
        "infrastructure",
        "private_reasoning",
        "other",
    }
)
# Values of these come from small spaces, or may: whoever has a digest can try them out (§13.2).
GUESSABLE = frozenset({"secret", "credential", "personal_data", "user_content"})
WAS = frozenset({"string", "number", "boolean", "null", "array", "object"})
MEMBERS = frozenset({"status", "class", "reason", "was", "alias", "kept_chars", "value", "rule", "text"})

# Strings that other tools leave behind; they cannot be told from text that a person wrote (AT703).
PLACEHOLDERS = frozenset({"[REDACTED]", "[redacted]", "<redacted>", "<REDACTED>", "***"})

# What stands for a withheld span inside a text, or for a whole text, in every format (spec: decisions 25).
has_span = re.compile(r"<[A-Z][A-Z_]{1,20}_[0-9]{1,9}>").search
_is_span = re.compile(r"<[A-Z][A-Z_]{1,20}_[0-9]{1,9}>").fullmatch

_has_digest_word = re.compile(
    r"(?:^|[^a-z0-9])(?:digest|hash|checksum|fingerprint|hmac|crc(?:32)?|md5|sha(?:1|256|384|512)?|blake[23])(?:$|[^a-z0-9])"
).search
_is_digest = re.compile(
    r"(?:.*[:_@-])?(?:(?:sha(?:1|224|256|384|512)|md5|blake[23][a-z0-9]*|h?mac|crc32)[:_-][0-9A-Fa-f]{8,128}"
    r"|[0-9a-f]{40,128})",
    re.DOTALL,
).fullmatch


class MarkerFault(NamedTuple):
    """What is wrong with one member of a marker ("" for the marker as a whole)."""

    member: str
    message: str


def is_marker(value: Any) -> bool:
    """Whether a value has the form of a marker: an object with the single member `$at`."""
    return type(value) is dict and len(value) == 1 and MARKER_KEY in value


def unavailable(reason: str) -> dict[str, Any]:
    """The marker of what the source does not have."""
    return {MARKER_KEY: {"status": "unavailable", "reason": reason}}


def unknown(reason: str) -> dict[str, Any]:
    """The marker of what the source leaves open."""
    return {MARKER_KEY: {"status": "unknown", "reason": reason}}


def status_of(value: Any) -> str | None:
    """The status word of a marker; None when the value is no marker or its status is not a string."""
    if not is_marker(value):
        return None
    body = value[MARKER_KEY]
    status = body.get("status") if type(body) is dict else None
    return status if type(status) is str else None


def is_withheld(value: Any) -> bool:
    """Whether a marker says that content was taken away (redacted, omitted or cut)."""
    return status_of(value) in ("redacted", "omitted", "truncated")


def is_placeholder(text: str) -> bool:
    """Whether a whole text stands for something that was taken away: ours, or what another tool left behind."""
    return text in PLACEHOLDERS or (text[:1] == "<" and _is_span(text) is not None)


def is_foreign(value: Any) -> bool:
    """Whether an object with the single member `$at` is data of the source: nothing in it is a marker's (AT713)."""
    body = value[MARKER_KEY]
    return type(body) is not dict or MEMBERS.isdisjoint(body)


def faults(value: Any) -> list[MarkerFault]:
    """What is wrong with a marker, member by member; [] for a sound one, and for data that is `is_foreign`."""
    if is_foreign(value):
        return []
    body = value[MARKER_KEY]
    found: list[MarkerFault] = []
    status = body.get("status")
    if "status" not in body:
        found.append(MarkerFault("", "marker has no status"))
    elif type(status) is not str or status not in STATUSES:
        found.append(MarkerFault("status", "marker has a status that the specification does not know"))
    for member, words in (("class", CLASSES), ("was", WAS)):
        if member in body and (type(body[member]) is not str or body[member] not in words):
            found.append(MarkerFault(member, f"`{member}` of a marker is not one of its words"))
    for member in ("reason", "alias", "rule"):
        if member in body and type(body[member]) is not str:
            found.append(MarkerFault(member, f"`{member}` of a marker is not a text"))
    kept = body.get("kept_chars", 0)
    if type(kept) is not int or kept < 0:
        found.append(MarkerFault("kept_chars", "`kept_chars` of a marker is not a count"))
    if status == "literal" and "value" not in body:
        found.append(MarkerFault("", "a literal marker carries no value"))
    elif "value" in body and status != "literal":
        found.append(MarkerFault("value", "a marker that is not literal carries a value"))
    return found


def digest_members(marker: Any) -> list[str]:
    """Members of a marker that hold a digest of what was taken, by their name or (for the alias) by their form."""
    body = marker[MARKER_KEY]
    if type(body) is not dict or body.get("status") == "literal":
        return []
    return [
        name
        for name, value in body.items()
        if is_digest_name(name) or (name == "alias" and type(value) is str and is_digest(value))
    ]


def is_digest_name(name: str) -> bool:
    """Whether the name of a member says that it holds a digest ("content_digest", "sha256")."""
    return _has_digest_word(name.lower()) is not None


def is_digest(text: str) -> bool:
    """Whether a text has the form of a digest, or of an id made of one."""
    return len(text) <= 1024 and _is_digest(text) is not None
