"""Which values a loss stands for: the one that it names, and what is below where it says that content is gone."""

from __future__ import annotations

from collections.abc import Iterable

from attraj.formats.mapping.account import file_of
from attraj.formats.mapping.fields import At, Json, pointer_of, tokens_of
from attraj.formats.mapping.loss import READ_OVER, Loss
from attraj.formats.mapping.residue import EXTENSION

# Losses of what lies between values: at an object they say nothing of the values in it.
_BETWEEN = frozenset(
    {"order_vs_causality", "span_vs_node", "message_vs_state_view", "request_vs_effect", "call_success_vs_outcome"}
)


class ReadLosses:
    """The losses of reading, by their place in the source."""

    def __init__(self, losses: Iterable[Loss]) -> None:
        self._exact: set[At] = set()
        self._whole: set[At] = set()
        for loss in losses:
            is_of_value = loss.handling != "synthesized" and loss.code != READ_OVER
            if loss.stage == "read" and is_of_value and loss.pointer:
                at = tokens_of(loss.pointer)
                self._exact.add(at)
                if loss.handling == "dropped" and loss.category not in _BETWEEN:
                    self._whole.add(at)

    def cover(self, at: At) -> bool:
        """Whether a loss stands for the value at this place of the source."""
        at = _as_read(at)
        for one in (at, _pattern(at)):
            if one in self._exact or any(one[:depth] in self._whole for depth in range(1, len(one))):
                return True
        return False


class WriteLosses:
    """The losses of writing, by their place in the Bundle; those of the residue by their place in the source.

    Args:
        losses: Of both stages.
        bundle: Which says of what file of a folder a residue is; None for that of lone documents.
    """

    def __init__(self, losses: Iterable[Loss], bundle: Json | None = None) -> None:
        self._bundle = bundle
        self._whole: set[At] = set()
        self._exact: set[At] = set()
        self._rest: set[str] = set()
        for loss in losses:
            if loss.stage != "write" or loss.handling == "synthesized":
                continue
            if loss.code == "source-members":
                self._rest.add(loss.pointer)
                continue
            at = tokens_of(loss.pointer)
            self._exact.add(at)
            is_of_node = len(at) == 2 and at[0] == "nodes"
            if not is_of_node or (loss.handling == "dropped" and loss.category not in _BETWEEN):
                self._whole.add(at)  # else it says at a node what lies between it and others, or what is less exact
            if at[:1] == ("states",) and len(at) == 3:  # its content in one of its forms
                self._whole.add(at[:2])

    def cover(self, at: At) -> bool:
        """Whether a loss stands for the value at this place of the Bundle."""
        at = _as_read(at)
        if at[:2] == ("extensions", EXTENSION) and at[5:6] == ("rest",) and at[6:7] != ():
            within = file_of(self._bundle, at) if self._bundle is not None else ""
            if at[6] in self._rest or f"{within}{at[6]}" in self._rest:
                return True
        return at in self._exact or any(at[:depth] in self._whole for depth in range(1, len(at)))


def _as_read(at: At) -> At:
    """A place as its pointer is read: a name that reads as a position is one."""
    return tokens_of(pointer_of(at)) if any(type(token) is str and token.isdigit() for token in at) else at


def _pattern(at: At) -> At:
    return tuple("*" if type(token) is int else token for token in at)
