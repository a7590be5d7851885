"""Markers of a Bundle in a document that knows no markers: what is written in their place, and the loss that it is.

What was withheld stands there as the name that withholding gave it (`<API_TOKEN_1>`), or as what is left of a text
that was cut; what has no such name is left out of its object, and null in its array so that no position moves. What
the source could not say is not written at all. Spec: bundle.md §4.5, decisions 25.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attraj.bundle.markers import MARKER_KEY, is_foreign, is_marker, is_placeholder, is_withheld
from attraj.formats.mapping.fields import At
from attraj.formats.mapping.loss import Handling
from attraj.jsonio import MISSING

_TEXTS = (None, "string")

WITHHELD, NOT_STATED = "withheld-content", "not-stated"
DETAILS = {
    WITHHELD: "content that is withheld from the Bundle",
    NOT_STATED: "that something is not stated by the record, and why",
}
# What became of a marker: "approximated" or "dropped", where it stands in the Bundle, and the code of the loss.
Tell = Callable[[Handling, At, str], None]


def plain(value: Any, at: At, tell: Tell) -> Any:
    """A value of a Bundle as another format can hold it; MISSING when nothing is left of it.

    Args:
        value: Never modified; shared with the result when it holds no marker.
        at: Where it stands in the Bundle.
        tell: Is told each marker that withholds something, or says inside a value that nothing is stated.
    """
    if not holds_marker(value):
        return value
    root: list[Any] = [MISSING]
    pending: list[tuple[Any, At, Any, Any]] = [(value, at, root, 0)]
    while pending:
        value, at, parent, key = pending.pop()
        if is_marker(value) and not is_foreign(value):
            body = value[MARKER_KEY]
            if body.get("status") != "literal" or "value" not in body:
                text = _placeholder(value, at, tell, is_inner=parent is not root)
                if text is not MISSING:
                    parent[key] = text
                elif type(parent) is dict:
                    del parent[key]
                continue
            value, at = body["value"], (*at, MARKER_KEY, "value")
        if type(value) is dict:
            members: dict[str, Any] = dict.fromkeys(value)
            parent[key] = members
            pending.extend([(one, (*at, name), members, name) for name, one in reversed(value.items())])
        elif type(value) is list:
            items: list[Any] = [None] * len(value)
            parent[key] = items
            pending.extend([(one, (*at, i), items, i) for i, one in reversed(list(enumerate(value)))])
        else:
            parent[key] = value
    return root[0]


def holds_marker(value: Any) -> bool:
    """Whether there is a marker in a value, or it is one."""
    pending = [value]
    while pending:
        value = pending.pop()
        if type(value) is dict:
            if MARKER_KEY in value and len(value) == 1:
                return True
            pending.extend(value.values())
        elif type(value) is list:
            pending.extend(value)
    return False


def _placeholder(marker: Any, at: At, tell: Tell, *, is_inner: bool) -> Any:
    """A text that stands for what was withheld, MISSING when there is none.

    Args:
        is_inner: The marker stands inside a value, which says less without it; on its own, "unavailable" is nothing
            that a source has to say.
    """
    if not is_withheld(marker):
        if is_inner:
            tell("dropped", at, NOT_STATED)
        return MISSING
    body = marker[MARKER_KEY]
    alias, kept = body.get("alias"), body.get("text")
    text = kept if body["status"] == "truncated" and type(kept) is str else alias
    is_told = type(text) is str and (text is kept or is_placeholder(text)) and body.get("was") in _TEXTS
    tell("approximated" if is_told else "dropped", at, WITHHELD)
    return text if is_told else MISSING
