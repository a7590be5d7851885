"""Where the values of ReAct web JSON stand in the Bundle: the one table, read and written back.

`$schema`, `title`, `condition`, `tags` and `recorded_at` speak of the file and not of the run: they stay in the
residue. Source: react-web.md §5.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attraj.formats.mapping.fields import Field, Form, Place
from attraj.formats.mapping.holds import is_any, is_text

OUTCOMES = {"success": "succeeded", "failure": "failed"}
_WORDS = {status: word for word, status in OUTCOMES.items()}
ENDINGS = ("loop", "timeout")


def status_of(word: Any) -> str | None:
    """The status that a word of the author stands for exactly; None for any other."""
    return OUTCOMES.get(word) if type(word) is str else None


def word_of(status: Any) -> str | None:
    """The word of the format for a status of an outcome; None when it has none."""
    return _WORDS.get(status) if type(status) is str else None


def _is_outcome(value: Any) -> bool:
    return status_of(value) is not None


def is_ending(value: Any) -> bool:
    """Whether the author's word tells how the run ended rather than whether it succeeded."""
    return type(value) is str and value in ENDINGS


_STEP = (Field(("type",), ("topic",), is_text),)
_CONTENT = Field(("content",), ("payload", "content"))

PLACES: Mapping[str, Place] = {
    place.name: place
    for place in (
        Place("task", fields=(Field(("task",), ("payload", "content"), is_text, "what the principal asked for"),)),
        Place("model", "", (Field(("model",), ("id",), is_text, "as the author names it; its provider is not said"),)),
        Place("experiment", "", (Field(("experiment",), ("id",), is_text, "identity of the task"),)),
        Place(
            "outcome",
            "outcomes",
            (Field(("outcome",), ("status",), _is_outcome, "the author's label", Form(status_of, word_of)),),
        ),
        Place("other outcome", "outcomes", (Field(("outcome",), ("value",), is_any, "a word of the author's own"),)),
        Place("ending", "", (Field(("outcome",), ("reason",), is_ending, "a run that ended in a loop or a timeout"),)),
        # Of all steps of an iteration together, where a decision stands for it.
        Place(
            "iteration", fields=(Field(("iteration",), ("logical_clock",), says="index of the model call; no time"),)
        ),
        Place("thought", fields=(*_STEP, _CONTENT)),
        Place(
            "action",
            fields=(
                *_STEP,
                Field(("tool",), ("action", "name"), is_text),
                Field(("args",), ("action", "arguments"), says="any JSON value, as it is"),
            ),
        ),
        Place(
            "observation",
            fields=(
                *_STEP,
                Field(("tool",), ("payload", "tool"), is_text),
                Field(("content",), ("observation",), says="any JSON value; a text of JSON stays a text"),
            ),
        ),
        Place("answer", fields=(*_STEP, _CONTENT)),
        Place(
            "other step",
            fields=(
                *_STEP,
                _CONTENT,
                Field(("tool",), ("payload", "tool")),
                Field(("args",), ("payload", "arguments")),
            ),
        ),
    )
}
