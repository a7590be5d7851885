"""Where a node has what it says, for writers and for comparing: producers have several names for one thing.

This package's readers write `payload.content` and `observation`; the reference exporter writes `payload.text` for every
text, and others `payload.message` or a text as the whole payload. All of them are what the node says.
Source: spec bundle.md §4.6.
"""

from __future__ import annotations

from attraj.formats.mapping.held import Part
from attraj.jsonio import MISSING

_NAMES = ("content", "text", "message")  # the first that says something is meant
_NOTHING = (MISSING, None)


def words_at(node: Part) -> tuple[str, ...]:
    """The path of what a node says; that of `payload.content` where it says nothing."""
    payload = node.peek("payload")
    if type(payload) is str:
        return ("payload",)
    if type(payload) is dict:
        name = next((name for name in _NAMES if payload.get(name) is not None), "content")
        return ("payload", name)
    return ("payload", "content")


def result_at(node: Part) -> tuple[str, ...]:
    """The path of what came back; that of `observation` where nothing did."""
    if node.peek("observation") in _NOTHING:
        path = words_at(node)
        if node.peek(*path) not in _NOTHING:
            return path
    return ("observation",)
