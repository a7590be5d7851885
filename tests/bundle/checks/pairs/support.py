"""What the tests of pairs share: the full example, a proper redaction of it, and findings as (code, pointer)."""

from __future__ import annotations

from typing import Any

from attraj.bundle.checks.pairs import check_pair
from attraj.bundle.model import Bundle
from tests.support import base_document, patched

Json = dict[str, Any]
REDACTED = {"$at": {"status": "redacted", "class": "tool_output", "reason": "describes the site"}}


def base(name: str = "full") -> Any:
    return base_document("attraj.bundle.checks", name)


def operation(op: str, path: str, value: Any = None) -> Json:
    return {"op": op, "path": path} if op == "remove" else {"op": op, "path": path, "value": value}


def replace(path: str, value: Any) -> Json:
    return operation("replace", path, value)


def add(path: str, value: Any) -> Json:
    return operation("add", path, value)


def remove(path: str) -> Json:
    return operation("remove", path)


def found(new: Any, old: Any, relation: str) -> list[tuple[str, str]]:
    """(code, pointer) of every finding, in the order of the codes."""
    return sorted((f.code, f.location.pointer) for f in check_pair(Bundle(new), Bundle(old), relation))


def derived(relation: str, *changes: Json, old: Any = None) -> Any:
    """The full example, changed, under an identity of its own and with its lineage declared."""
    lineage = [
        replace("/trajectory_id", "at:tidehouse:derived"),
        replace(
            "/transform/derived_from",
            [{"trajectory_id": "at:tidehouse:gauge-check:attempt-two", "relation": relation}],
        ),
    ]
    return patched(base() if old is None else old, [*changes, *lineage])


def redaction(*changes: Json, old: Any = None) -> Any:
    return derived("redaction_of", *changes, old=old)
