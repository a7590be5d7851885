"""Documents of this room and what is said of them."""

from __future__ import annotations

import json
from typing import Any

from attraj.findings import Finding
from attraj.formats import Checked, Options
from attraj.formats.bytes_rules import byte_findings
from attraj.formats.react_web import check
from attraj.jsonio import Document, parse
from tests.support import base_document, patched

PACKAGE = "attraj.formats.react_web"
MINIMAL: dict[str, Any] = base_document(PACKAGE, "minimal")
FULL: dict[str, Any] = base_document(PACKAGE, "full")


def checked(tree: Any) -> Checked:
    """The answer for a tree in memory."""
    return check(Document(b"", tree), Options())


def read(raw: bytes) -> tuple[Checked, list[Finding]]:
    """The answer for bytes, and all findings, the bytes' among them."""
    document = parse(raw)
    answer = check(document, Options())
    return answer, [*byte_findings(document.faults, "RW"), *answer.findings]


def lines(tree: Any) -> list[str]:
    """Code, severity and place of each finding of a tree, sorted."""
    return sorted(f"{f.code} {f.severity} {f.location.pointer}".rstrip() for f in checked(tree).findings)


def with_steps(*steps: Any, **members: Any) -> dict[str, Any]:
    """The smallest document with these steps; a member that is None is left out."""
    tree = {**MINIMAL, **members, "steps": list(steps)}
    return {name: value for name, value in tree.items() if value is not None}


def step(iteration: Any, kind: Any, /, **members: Any) -> dict[str, Any]:
    """A step that lacks nothing; a member that is given replaces it, one that is `...` takes it away."""
    whole: dict[str, Any] = {"iteration": iteration, "type": kind}
    if kind in ("action", "observation"):
        whole["tool"] = "search"
    if kind == "action":
        whole["args"] = {"q": "tides"}
    else:
        whole["content"] = "text"
    whole.update(members)
    return {name: value for name, value in whole.items() if value is not ...}


def changed(patch: Any, base: Any = MINIMAL) -> Any:
    """A base with a patch applied."""
    return patched(base, json.loads(json.dumps(patch)))
