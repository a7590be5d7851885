"""Runs the checks of some modules alone over a document, as the runner would for the profiles that it claims."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

from attraj.bundle.checks.check import Asked, Check
from attraj.bundle.model import Bundle
from attraj.findings import Finding
from tests.support import base_document, patched

FULL = base_document("attraj.bundle.checks", "full")
MINIMAL = base_document("attraj.bundle.checks", "minimal")


def findings(tree: Any, *modules: ModuleType, raw: bool = False) -> list[Finding]:
    """What the checks of these modules say; with `raw` they have the bytes as well."""
    bundle = Bundle(tree, json.dumps(tree).encode() if raw else b"")
    return [
        finding
        for module in modules
        for check in vars(module).values()
        if type(check) is Check and (not check.profile or bundle.claims(check.profile))
        for finding in check.run(bundle, Asked())
    ]


def found(tree: Any, *modules: ModuleType, raw: bool = False) -> list[tuple[str, str]]:
    """Code and pointer of each finding, by pointer."""
    return sorted(((f.code, f.location.pointer) for f in findings(tree, *modules, raw=raw)), key=lambda f: f[1])


def changed(patch: Any, base: Any = FULL) -> Any:
    """The full example with a patch; the base is not modified."""
    return patched(base, patch)


def replaced(path: str, value: Any) -> list[dict[str, Any]]:
    return [{"op": "replace", "path": path, "value": value}]


def added(path: str, value: Any) -> list[dict[str, Any]]:
    return [{"op": "add", "path": path, "value": value}]


def removed(path: str) -> list[dict[str, Any]]:
    return [{"op": "remove", "path": path}]
