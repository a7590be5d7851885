"""What each decision was shown: states of messages, each stored as its difference from another.

`query` (1.1) is what was sent for its own step; `messages` (1.0) is what stood after the step before, and so nearly
what the next one was sent; 0.x has neither, so that a view is the history up to the reply. The last two are
reconstructed and say so. Spec: traj.md §1.3, §7.1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from attraj.bundle.markers import unavailable
from attraj.formats.mapping.draft import Draft
from attraj.formats.mapping.fields import At, Json, Reading, escaped
from attraj.formats.mapping.messages import Sharing
from attraj.formats.swe_agent.align import EXIT_WORDS, AlignedStep, StepKind
from attraj.formats.swe_agent.shape import ALIAS
from attraj.formats.swe_agent.unit import Unit
from attraj.formats.swe_agent.values import text

_NO_INPUT: list[Json] = [{}]  # what the loop of 1.1 writes for the step that it makes up
_UNKNOWN = "the source does not record what the model was shown"


@dataclass(slots=True)
class Views:
    """States of one trajectory.

    Attributes:
        by_step: Position in `trajectory` to the state that its decision was shown, for those that are known.
        history: State of the messages at the end; "" when the file has none.
        exact, reconstructed: How many of `by_step` are what was sent, and how many were made of other records.
    """

    by_step: dict[int, str] = field(default_factory=dict)
    history: str = ""
    exact: int = 0
    reconstructed: int = 0

    def of(self, index: int) -> Any:
        """What `state_view` of a decision says."""
        return self.by_step.get(index) or unavailable(_UNKNOWN)


def read_views(draft: Draft, reading: Reading, unit: Unit, at: At) -> Views:
    """Make the states of one trajectory, in the order in which the source has them."""
    maker = _Maker(draft, reading)
    views = maker.views
    later: dict[int, str] = {}  # what stood after the step before
    for index, step in enumerate(unit.steps):
        if type(step) is not dict:
            continue
        place = (*at, "trajectory", index)
        query = step.get("query")
        if type(query) is list and query != _NO_INPUT:
            views.by_step[index] = maker.messages("query", query, (*place, "query"))
            views.exact += 1
        for name in ("messages", ALIAS):
            if type(step.get(name)) is list:
                state = maker.messages("messages", step[name], (*place, name), {"reconstructed": True})
                later.setdefault(index + 1, state)
    for index, state in later.items():
        if index < len(unit.steps) and index not in views.by_step:
            views.by_step[index] = state
            views.reconstructed += 1
    if type(unit.tree.get("history")) is list:
        views.history = maker.messages("history", unit.history, (*at, "history"))
        _look_back(maker, unit)
    return views


def _look_back(maker: _Maker, unit: Unit) -> None:
    """Views that only the history tells: each is the one after it, less what came in between."""
    views = maker.views
    base, length = views.history, len(unit.history)
    wanted = [
        (step.item, step.index) for step in unit.alignment.steps if step.item is not None and _is_asked(unit, step)
    ]
    if not unit.has_steps:  # a demonstration: its turns are known by their place in the history
        wanted = [(item, item) for item in unit.alignment.assistants]
    for item, index in reversed(wanted):
        if index in views.by_step or item > length:
            continue
        delta: list[Json] = [{"op": "remove", "path": f"/{item}"}] * (length - item)
        base = maker.state({"base_state": base, "delta": delta, "reconstructed": True})
        length = item
        views.by_step[index] = base
        views.reconstructed += 1


def _is_asked(unit: Unit, step: AlignedStep) -> bool:
    """Whether a model was asked for this step, which its message in the history alone does not say."""
    return step.kind is not StepKind.SYNTHETIC_EXIT or holds_reply(unit.steps[step.index])


def holds_reply(step: Json) -> bool:
    """Whether a step that the loop made up holds the model's own last words: 0.x kept those it could not parse."""
    response = text(step, "response")
    return (
        bool(response.strip()) and not response.startswith(EXIT_WORDS) and text(step, "thought").startswith(EXIT_WORDS)
    )


class _Maker:
    def __init__(self, draft: Draft, reading: Reading) -> None:
        self.draft = draft
        self.reading = reading
        self.views = Views()
        self._sharing = Sharing()

    def messages(self, place: str, items: list[Any], at: At, members: Json | None = None) -> str:
        """A state that holds the messages at this place of the source."""
        if any(type(item) is dict and item.get("thinking_blocks") for item in items):
            self.draft.disclosure["private_reasoning"] = "included"
        kept = escaped(items) if self.reading.escapes else None
        state = self._next()
        self.reading.take_whole(place, state, at)
        return self.state({**self._sharing.content(state, items, kept), **(members or {})})

    def state(self, members: Json) -> str:
        """A state with this content."""
        if members.get("reconstructed"):
            declare_reconstruction(self.draft)
        return self.draft.state(self._next(), "state_view", "included", members)

    def _next(self) -> str:
        return next_state(self.draft)


def next_state(draft: Draft) -> str:
    """The identity of the state that is made next."""
    return f"state:{len(draft.states) + 1}"


def declare_reconstruction(draft: Draft) -> None:
    """Say that states were made of other records (AT408)."""
    if "state_reconstruction" not in draft.operations:
        draft.operations.append("state_reconstruction")
