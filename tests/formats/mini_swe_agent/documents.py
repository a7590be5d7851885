"""Documents of this room and what is said of them."""

from __future__ import annotations

from typing import Any

from attraj.formats import Checked, Options
from attraj.formats.mini_swe_agent import check
from attraj.jsonio import Document
from tests.support import base_document, json_patch

PACKAGE = "attraj.formats.mini_swe_agent"
MINIMAL: dict[str, Any] = base_document(PACKAGE, "minimal")
FULL: dict[str, Any] = base_document(PACKAGE, "full")
FIRST: dict[str, Any] = base_document(PACKAGE, "first")


def checked(tree: Any) -> Checked:
    """The answer for a tree in memory."""
    return check(Document(b"", tree), Options())


def lines(tree: Any) -> list[str]:
    """Code, severity and place of each finding of a tree, sorted."""
    return sorted(f"{f.code} {f.severity} {f.location.pointer}".rstrip() for f in checked(tree).findings)


def put(path: str, value: Any, base: Any = MINIMAL) -> Any:
    """A base with one value replaced or added."""
    return json_patch(base, [{"op": "add", "path": path, "value": value}])


def taken(path: str, base: Any = MINIMAL) -> Any:
    """A base without one value."""
    return json_patch(base, [{"op": "remove", "path": path}])


def reply(*calls: tuple[str, str], text: str | None = None) -> dict[str, Any]:
    """A reply that asks for commands: (call id, command)."""
    return {
        "role": "assistant",
        "content": text,
        "tool_calls": [
            {"id": call_id, "type": "function", "function": {"name": "bash", "arguments": "{}"}} for call_id, _ in calls
        ],
        "extra": {"actions": [{"command": command, "tool_call_id": call_id} for call_id, command in calls]},
    }


def result(call_id: str, **extra: Any) -> dict[str, Any]:
    """The result of a call."""
    return {"role": "tool", "content": "out", "tool_call_id": call_id, "extra": {"returncode": 0, **extra}}


PADDED = {"returncode": -1, "exception_info": "action was not executed"}


def error(**extra: Any) -> dict[str, Any]:
    """A FormatError."""
    return {"role": "user", "content": "No call.", "extra": {"interrupt_type": "FormatError", **extra}}


def ended(status: str = "Submitted") -> dict[str, Any]:
    return {"role": "exit", "content": "", "extra": {"exit_status": status, "submission": ""}}


def run_of(*messages: Any, calls: int | None = None, status: Any = "Submitted") -> dict[str, Any]:
    """A whole document of these messages; `calls` is what it says of the calls of the model."""
    info: dict[str, Any] = {"exit_status": status, "submission": ""}
    if calls is not None:
        info["model_stats"] = {"instance_cost": 0.0, "api_calls": calls}
    return {"info": info, "messages": list(messages), "trajectory_format": "mini-swe-agent-1.1"}
