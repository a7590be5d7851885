"""The `$at` marker, which says why a value is not here. Spec: bundle.md §4.5 (Agent Trajectory v0.1 §8.3, §13.2)."""

from __future__ import annotations

from typing import Any

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
WAS = frozenset({"string", "number", "boolean", "null", "array", "object"})
MEMBERS = frozenset({"status", "class", "reason", "was", "alias", "kept_chars", "value", "rule", "text"})

# Strings that other tools leave behind; they cannot be told from text that a person wrote (AT703).
PLACEHOLDERS = frozenset({"[REDACTED]", "[redacted]", "<redacted>", "<REDACTED>", "***"})


def is_marker(value: Any) -> bool:
    """Whether a value has the form of a marker: an object with the single member `$at`."""
    return type(value) is dict and len(value) == 1 and MARKER_KEY in value


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
