"""What `<agent-trajectory>` makes of a document, to the letter of its JavaScript: the second verdict.

Source: extras/agent-lab/agent-trajectory.js of bojieli/ai-agent-book (react-web.md §2). The component looks at very
little, and shows nearly anything; what it cannot take becomes one line of error, with nothing else on the page.
"""

from __future__ import annotations

from typing import Any

from attraj.jsonio.document import Document, FaultKind

RENDERS = "renders"
RENDERS_EMPTY = "renders_empty"
BREAKS = "breaks"


def viewer(document: Document) -> str:
    """One of `renders`, `renders_empty` (the frame without a step) and `breaks` (the line of error)."""
    # The browser's own parser: it reads over a byte order mark and takes the last of equal members, and no NaN.
    if any(fault.kind is FaultKind.SYNTAX for fault in document.faults):
        return BREAKS
    tree = document.tree
    if tree is None:
        return BREAKS
    if type(tree) is not dict:
        return RENDERS_EMPTY  # arrays, texts and numbers have no member `steps`
    if not all(_becomes_text(tree.get(name)) for name in ("outcome", "model", "task")):
        return BREAKS
    title = tree.get("title")
    if not _becomes_text(title if _is_truthy(title) else tree.get("experiment")):
        return BREAKS
    steps = tree.get("steps")
    if not _is_truthy(steps):
        return RENDERS_EMPTY
    if type(steps) is not list or not all(map(_shows, steps)):
        return BREAKS
    return RENDERS if steps else RENDERS_EMPTY


def _shows(step: Any) -> bool:
    if type(step) is not dict:
        return step is not None  # a text or a number becomes an empty box
    content = step.get("content")
    if type(content) is dict and not _becomes_text(content.get("length")):
        return False  # `content.length > 220` asks it for a number
    for value in (content, step.get("type"), step.get("iteration"), step.get("tool")):
        if (type(value) is dict or type(value) is list) and not _becomes_text(value):
            return False
    return True


def _is_truthy(value: Any) -> bool:
    """JavaScript's: empty arrays and objects count as true."""
    return type(value) is dict or type(value) is list or bool(value)


def _becomes_text(value: Any) -> bool:
    """Whether JavaScript can make a text of it: it cannot of an object with a member `toString` of its own."""
    pending = [value]
    while pending:
        item = pending.pop()
        if type(item) is dict:
            if "toString" in item:
                return False
        elif type(item) is list:
            pending.extend(item)
    return True
