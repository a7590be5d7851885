"""Turns that a record shows and that its agent did not decide, for formats in which whatever stands there is its doing.

A step copied from another trajectory is what the model was shown: it happened elsewhere. A step without a call of the
model is the harness's, and a demonstration is an example. None may become a step of the agent, or a sample of training
data. Spec: atif.md §12-9, decisions 32 and 34.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from attraj.formats.mapping.held import Part
from attraj.formats.mapping.turns import Turn
from attraj.jsonio import MISSING


class Unlived(NamedTuple):
    """Why a turn is no experience of its agent: the code and the detail of the loss that leaving it out is."""

    code: str
    detail: str


_REFUSED = frozenset({"denied", "rejected", "expired", "revoked", "proposed"})
_NOTHING: tuple[Any, ...] = (None, "", {})
_COPIED = Unlived("copied-context", "a step copied from another trajectory is context, and no experience of this run")
_UNCALLED = Unlived("uncalled-step", "a step for which no model was called is no decision of the agent")
_DEMO = Unlived("demonstration", "an example that the model was shown is no experience of this run")
_PERSONS = Unlived("call-of-a-person", "a call of a person: the format has calls of the agent alone")


def unlived(node: Part) -> Unlived | None:
    """Why the agent did not live through what a node says; None where it did, or where nothing tells.

    Args:
        node: An input, a decision, or a call that no decision asks for.
    """
    if node.peek("payload", "is_copied_context") is True:
        return _COPIED
    if node.peek("payload", "is_demo") is True:
        return _DEMO
    if node.peek("kind") == "input":
        return None
    count, authority = node.peek("payload", "llm_call_count"), node.peek("authority_class")
    if is_shown(node):
        return _DEMO
    if (type(count) is int and count == 0) or authority == "harness":
        return _UNCALLED
    return _PERSONS if authority == "principal" else None


def is_shown(node: Part) -> bool:
    """Whether a turn was shown to a model: no model is known to have taken it, and it is no target of training."""
    is_nobodys = node.peek("kind") == "decision" and node.peek("authority_class") == "unknown"
    return (
        is_nobodys
        and node.peek("training", "target") is False
        and node.peek("payload", "is_copied_context") is not True
    )


def is_refused(action: Part) -> bool:
    """Whether a call was not admitted, so that nothing of it was done."""
    status = action.peek("admission", "status")
    return action.peek("kind") == "proposal" or (type(status) is str and status in _REFUSED)


def is_unparsed(action: Part) -> bool:
    """Whether a record stands for a reply of which no call could be parsed: it names no tool and asks for nothing."""
    asked = action.peek("action")
    return type(asked) is dict and not any(asked.get(name) not in _NOTHING for name in ("name", "arguments", "value"))


def leave_out(turn: Turn, why: Unlived) -> None:
    """Name everything that a turn says as lost: what it was is no less than that it was."""
    for part in parts_of(turn):
        lose(part, why)


def lose(part: Part, why: Unlived) -> None:
    """Name what one node says as lost."""
    for member in ("payload", "action", "observation"):
        if part.get(member) is not MISSING:
            part.ledger.lose(why.code, "message_vs_state_view", "dropped", (*part.at, member), why.detail)


def parts_of(turn: Turn) -> Iterator[Part]:
    """The nodes of a turn, each once."""
    yield from turn.reasoning
    yield turn.node
    for call in turn.calls:
        if call.action.at != turn.node.at:
            yield call.action
        yield from call.observations
        yield from call.delegations
    yield from turn.loose
    yield from turn.delegations
