"""What the whole catalogue says of a tree, as code and pointer: the form in which the tables state it."""

from __future__ import annotations

import copy
from typing import Any

from attraj.bundle.checks import runner
from attraj.bundle.checks.check import Asked
from attraj.bundle.model import Bundle
from attraj.findings import Finding
from attraj.limits import DEFAULT_LIMITS
from tests.support import base_document, patched

PACKAGE = "attraj.bundle.checks"


def minimal(*patches: Any) -> Any:
    """The smallest valid Bundle, changed."""
    return changed("minimal", *patches)


def full(*patches: Any) -> Any:
    """The complete example of all three profiles, changed."""
    return changed("full", *patches)


def changed(base: str, *patches: Any) -> Any:
    tree = base_document(PACKAGE, base)
    for patch in patches:
        tree = patched(tree, patch)
    return tree


def findings(
    tree: Any, *codes: str, raw: bytes = b"", limits: dict[str, int] | None = None, **asked: Any
) -> list[Finding]:
    """Findings of these codes (a code may be cut short: "AT9"), by place; the tree must stay as it was."""
    before = copy.deepcopy(tree)
    found = runner.run(Bundle(tree, raw), Asked(limits=DEFAULT_LIMITS._replace(**(limits or {})), **asked))
    assert before == tree
    return sorted((f for f in found if f.code.startswith(codes)), key=lambda f: (f.location.pointer, f.code))


def reported(tree: Any, *codes: str, **asked: Any) -> list[tuple[str, str]]:
    """Code and pointer of those findings."""
    return [(finding.code, finding.location.pointer) for finding in findings(tree, *codes, **asked)]


def replace(path: str, value: Any) -> list[dict[str, Any]]:
    return [{"op": "replace", "path": path, "value": value}]


def add(path: str, value: Any) -> list[dict[str, Any]]:
    return [{"op": "add", "path": path, "value": value}]


def remove(path: str) -> list[dict[str, Any]]:
    return [{"op": "remove", "path": path}]
