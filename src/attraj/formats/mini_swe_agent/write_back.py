"""A run given back as it was, but for the reasoning that is to be left out.

Reasoning is what providers give as such: members of a message and of the raw reply beside it, parts of a content that
are thinking, items of the Responses API. Of a part or an item what it is stays, so that no position changes. What a
model wrote into its message is its message.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attraj.formats.mapping.fields import At, Json, pointer_of
from attraj.formats.mapping.loss import Loss
from attraj.formats.mapping.rooms import Wanted
from attraj.formats.mapping.said import Notes
from attraj.formats.mapping.thoughts import MEMBERS

_OBJECTS = frozenset(
    {"reasoning", "thinking", "redacted_thinking"}
)  # the type of an item or a part that is nothing else
_OF_OBJECTS = frozenset({"text", "data", "signature"})  # at any depth of such an object
_STRIPPED = "reasoning is left out on request"


def change(tree: Any, wanted: Wanted, notes: Notes) -> list[Loss]:
    """Take the reasoning out of every message, in place, and name each piece of it.

    Args:
        tree: Shares nothing with its Bundle.
        wanted: What is asked for: `strips_thoughts`.
        notes: Where the Bundle holds what the document says.
    """
    if not wanted.strips_thoughts:
        return []
    messages = tree.get("messages") if type(tree) is dict else tree
    at: At = ("messages",) if type(tree) is dict else ()
    found = list(_reasoning(messages if type(messages) is list else [], at))
    losses = [
        Loss("stripped-thoughts", "other", "dropped", _place(notes, one), 1, _STRIPPED, "write") for one, _ in found
    ]
    for one, holder in found:
        del holder[str(one[-1])]
    return losses


def _place(notes: Notes, at: At) -> str:
    """Where the Bundle holds it; its place in the document where only the residue does."""
    said = notes.of(at)
    return pointer_of(at if said is None else said.at)


def _reasoning(messages: list[Any], at: At) -> Iterator[tuple[At, Json]]:
    """Each piece of reasoning with the object that holds it, in the order of the document."""
    pending: list[tuple[Any, At, bool]] = [(messages, at, False)]
    while pending:
        here, place, is_thinking = pending.pop()
        is_object = type(here) is dict
        is_thinking = is_thinking or (is_object and type(here.get("type")) is str and here["type"] in _OBJECTS)
        below: list[tuple[Any, At, bool]] = []
        pairs: Any = here.items() if is_object else enumerate(here)
        for token, one in pairs:
            if is_object and _is_reasoning(token, one, is_thinking=is_thinking):
                yield (*place, token), here
            elif type(one) is dict or type(one) is list:
                below.append((one, (*place, token), is_thinking))
        pending.extend(reversed(below))


def _is_reasoning(name: str, value: Any, *, is_thinking: bool) -> bool:
    if is_thinking and name in _OF_OBJECTS and type(value) is str:
        return True
    # Of the Responses API an object `reasoning` says how much of it was asked for.
    return name in MEMBERS and bool(value) and (type(value) is str or type(value) is list)
