"""How the steps of ReAct web JSON are read: iterations, and which observation belongs to which action.

The format has no call ids. Action and observation are tied by iteration, tool and order alone, so that each pair says
how sure it is. Nothing is paired across iterations, and equal actions stay apart. Source: react-web.md §4.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

Json = dict[str, Any]


class Confidence(Enum):
    """How sure it is that an observation belongs to the action it is paired with."""

    EXACT_BY_ORDER = "exact_by_order"  # one action was waiting
    EXACT_BY_TOOL = "exact_by_tool"  # several were waiting, one of them for this tool
    AMBIGUOUS_FIFO = "ambiguous_fifo"  # several were waiting for this tool: the first is taken
    BY_POSITION = "by_position"  # the observation names no tool, and one action was waiting
    UNLINKED = "unlinked"  # no action, or no way to tell which

    @property
    def is_exact(self) -> bool:
        return self in (Confidence.EXACT_BY_ORDER, Confidence.EXACT_BY_TOOL)


@dataclass(frozen=True, slots=True)
class Group:
    """Consecutive steps of one model call.

    Attributes:
        iteration: The value that the steps give; None when the first one gives none that can be used.
        steps: Positions of the steps that are objects, in order.
        actions: Positions of the actions among them.
    """

    iteration: int | float | str | None
    steps: tuple[int, ...]
    actions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """One observation and the action it is paired with.

    Attributes:
        observation, action: Positions of the steps; action is None when the observation is unlinked.
        candidates: How many actions of its iteration it could belong to when it came.
        is_late: Unlinked, and an action of an earlier iteration waits for this tool.
    """

    observation: int
    action: int | None
    confidence: Confidence
    candidates: int = 0
    is_late: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What the steps say, read once.

    Attributes:
        groups: The iterations, in the order of the document.
        pairs: One for each observation, in the order of the document.
        unanswered: Positions of the actions without an observation, in order.
    """

    groups: tuple[Group, ...]
    pairs: tuple[Pair, ...]
    unanswered: tuple[int, ...]

    @property
    def actions(self) -> int:
        return sum(len(group.actions) for group in self.groups)

    def ambiguous(self) -> list[Pair]:
        """The pairs at which a choice had to be made; the pairs that follow from it are not among them."""
        return [pair for pair in self.pairs if pair.candidates > 1 and pair.action is not None]

    def unlinked(self) -> list[Pair]:
        return [pair for pair in self.pairs if pair.action is None]


def read(steps: Sequence[Any]) -> Reading:
    """Group the steps by iteration and pair the observations of each group with its actions.

    Args:
        steps: The elements of `steps`; whatever is no object is passed over. Never modified.

    Returns:
        The reading; linear in the number of steps, and never an exception on any JSON.
    """
    groups: list[Group] = []
    pairs: list[Pair] = []
    unanswered: list[int] = []
    waiting: Counter[str] = Counter()  # actions of earlier groups that have no observation, by tool
    for value, members in _grouped(steps):
        pairing = _Pairing(waiting)
        for position, step in members:
            pairing.take(position, step)
        for position, tool in pairing.open.items():
            unanswered.append(position)
            if tool is not None:
                waiting[tool] += 1
        pairs.extend(pairing.pairs)
        groups.append(Group(value, tuple(position for position, _ in members), tuple(pairing.actions)))
    return Reading(tuple(groups), tuple(pairs), tuple(unanswered))


def iteration_of(step: Json) -> int | float | str | None:
    """The value that tells one iteration from the next; None when there is none that can be used."""
    value = step.get("iteration")
    return value if type(value) is int or type(value) is float or type(value) is str else None


def tool_of(step: Json) -> str | None:
    """The name of the tool; None when there is none."""
    tool = step.get("tool")
    return tool if type(tool) is str and tool else None


def _grouped(steps: Sequence[Any]) -> list[tuple[int | float | str | None, list[tuple[int, Json]]]]:
    """A step without a usable iteration goes on with the group before it; a number that comes back is a new group."""
    groups: list[tuple[int | float | str | None, list[tuple[int, Json]]]] = []
    for position, step in enumerate(steps):
        if type(step) is not dict:
            continue
        value = iteration_of(step)
        if not groups or (value is not None and value != groups[-1][0]):
            groups.append((value, []))
        groups[-1][1].append((position, step))
    return groups


@dataclass(slots=True)
class _Pairing:
    """The actions of one group that wait for their observations."""

    waiting: Mapping[str, int]
    actions: list[int] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    open: dict[int, str | None] = field(default_factory=dict)
    _by_tool: defaultdict[str, deque[int]] = field(default_factory=lambda: defaultdict(deque))
    _open_of: Counter[str] = field(default_factory=Counter)
    # The last action that an ambiguous observation of a tool could have belonged to. As long as one of these waits,
    # who follows may have been taken for who went before.
    _contested: dict[str, int] = field(default_factory=dict)

    def take(self, position: int, step: Json) -> None:
        kind, tool = step.get("type"), tool_of(step)
        if kind == "action":
            self.actions.append(position)
            self.open[position] = tool
            if tool is not None:
                self._by_tool[tool].append(position)
                self._open_of[tool] += 1
        elif kind == "observation":
            self.pairs.append(self._pair(position, tool))

    def _pair(self, position: int, tool: str | None) -> Pair:
        if tool is None:
            return self._by_position(position)
        candidates = self._open_of[tool]
        if not candidates:
            return Pair(position, None, Confidence.UNLINKED, is_late=self.waiting.get(tool, 0) > 0)
        was_alone = len(self.open) == 1
        queue = self._by_tool[tool]
        while queue[0] not in self.open:  # taken by an observation without a tool
            queue.popleft()
        if candidates > 1:
            self._contested[tool] = queue[-1]
        action = queue.popleft()
        self._close(action, tool)
        if action <= self._contested.get(tool, -1):
            return Pair(position, action, Confidence.AMBIGUOUS_FIFO, candidates)
        confidence = Confidence.EXACT_BY_ORDER if was_alone else Confidence.EXACT_BY_TOOL
        return Pair(position, action, confidence, candidates)

    def _by_position(self, position: int) -> Pair:
        candidates = len(self.open)
        if candidates != 1:
            return Pair(position, None, Confidence.UNLINKED, candidates)
        action = next(iter(self.open))
        self._close(action, self.open[action])
        return Pair(position, action, Confidence.BY_POSITION, candidates)

    def _close(self, action: int, tool: str | None) -> None:
        del self.open[action]
        if tool is not None:
            self._open_of[tool] -= 1
