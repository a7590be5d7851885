"""Small ATIF documents for the tests, and what the checks say of them."""

from __future__ import annotations

from typing import Any

from attraj.formats import Checked, Options, atif
from attraj.jsonio import Document
from tests.support import base_document, patched

PACKAGE = "attraj.formats.atif"


def minimal(patch: Any = None) -> Any:
    """The two-step document of the pages, with a merge patch (an object) or a JSON Patch (an array) applied."""
    base = base_document(PACKAGE, "minimal")
    return base if patch is None else patched(base, patch)


def full(patch: Any = None) -> Any:
    """The full document of the pages, patched."""
    base = base_document(PACKAGE, "full")
    return base if patch is None else patched(base, patch)


def steps(*given: Any, **members: Any) -> Any:
    """A document with these steps, each completed to a valid one where it is an object."""
    whole = [
        {"step_id": number, "source": "user", "message": "", **step} if isinstance(step, dict) else step
        for number, step in enumerate(given, start=1)
    ]
    return minimal({"steps": whole, **members})


def turn(call_id: str = "c", **members: Any) -> dict[str, Any]:
    """A step of the agent with one call and its result."""
    return {
        "source": "agent",
        "tool_calls": [{"tool_call_id": call_id, "function_name": "bash", "arguments": {}}],
        "observation": {"results": [{"source_call_id": call_id, "content": "ok"}]},
        **members,
    }


def check(tree: Any, folder: str = "", path: str = "") -> Checked:
    """What the format says of a tree that came from memory."""
    return atif.check(Document(b"", tree, path=path), Options(folder=folder))


def told(tree: Any, folder: str = "") -> list[tuple[str, str]]:
    """Code and pointer of every finding; a remark or a warning has its letter at the code."""
    marks = {"error": "", "warning": " w", "info": " i"}
    return sorted((f"{f.code}{marks[str(f.severity)]}", f.location.pointer) for f in check(tree, folder).findings)
