"""What a person reads of a document (a Story) and what is counted of it (Facts), the same for every format.

Every room has a module that offers `tell(document) -> Story` and `facts(document) -> Facts`; `STORIES` knows where.
Text of the document stands in `Passage.text` and in the fields that say so; every other text here is attraj's own
and comes from a closed set of words, so that a reader can tell the two apart. What a source does not say is None.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Protocol

from attraj.pointer import is_shown

if TYPE_CHECKING:
    from attraj.jsonio import Document

Json = dict[str, Any]
Role = Literal["task", "system", "user", "agent", "tool", "runtime", "verifier", "unknown"]
Origin = Literal["provider usage", "litellm counter", "unknown"]


@dataclass(frozen=True, slots=True)
class Passage:
    """A text of the document, or something that is named instead of shown.

    Attributes:
        text: As recorded; "" when there is nothing to show but the label.
        pointer: Where it stands.
        label: What it is, in our words; "" for the plain text of a step.
    """

    text: str
    pointer: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """A call that a step asks for. Whether it was executed is another matter.

    Attributes:
        name: The tool's name as recorded; None when the format or the record has none.
        arguments: As recorded; None when there are none, () when they are there and hold nothing.
    """

    name: str | None
    arguments: tuple[Passage, ...] | None
    pointer: str
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """A result that a step holds.

    Attributes:
        passages: Its content; () when it was recorded without any.
        answers: Position among the step's calls of the one that it answers; None when the record does not say.
    """

    passages: tuple[Passage, ...]
    pointer: str
    answers: int | None = None
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the telling.

    Attributes:
        number: From 1, in the order of the telling; 0 for a record that is no step (see `title`).
        role: Whose step it is.
        pointer: Of the recorded object.
        time: As recorded, never converted; None when the record has none.
        passages: Its texts, in the order in which they are read.
        marks: What is to be known of it: "copied context", "rejected: format error", "context replaced here" …
        measures: Name of a measure of the step, in our words, to its text (shown when a step is shown whole).
        rest: Recorded members that stand nowhere else here (shown when a step is shown whole).
        title: What a record that is no step is called, in our words.
    """

    number: int
    role: Role
    pointer: str
    time: str | None = None
    passages: tuple[Passage, ...] = ()
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()
    marks: tuple[str, ...] = ()
    measures: tuple[tuple[str, str], ...] = ()
    rest: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""


@dataclass(frozen=True, slots=True)
class Tokens:
    """How many tokens a run took, and who counted.

    Attributes:
        input: With what came from a cache.
        cached: The part of `input` that came from a cache.
        basis: Where in the document the numbers stand, in our words; "" when there are none.
    """

    input: int | None = None
    output: int | None = None
    cached: int | None = None
    origin: Origin = "unknown"
    basis: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is counted of one document or trial. None is unknown, and never 0.

    Attributes:
        format, version: Name of the format; its version as declared, when it is a known one.
        agent, agent_version, models: Names as recorded (text of the document).
        steps: Steps of this run alone: copied ones and subagents' are left out.
        calls: Calls that those steps ask for.
        subagents: Trajectories of subagents that the document or trial holds.
        cost_usd, cost_origin: Of the whole run, and who computed it.
        rewards: Key (text of the document) and value; None for a value that is there and no number.
        outcomes: Authority and status of each outcome, in words of the specification ("other" for another word).
        termination: How the run ended, in words of the format or ours; None when the record does not say.
        attempts: Attempts that the document holds; None when the format knows none.
        reward_valid: What the runtime says of the rewards; None when it says nothing.
        is_segment: The run goes on in other documents, or comes from them: totals recorded here may be theirs as
            well, and are never added to others.
        is_refused: The specification tells a reader not to go on with this document: nothing else is filled in then.
    """

    format: str
    version: str | None = None
    agent: str | None = None
    agent_version: str | None = None
    models: tuple[str, ...] = ()
    steps: int | None = None
    calls: int | None = None
    subagents: int | None = None
    tokens: Tokens = Tokens()
    cost_usd: float | int | None = None
    cost_origin: Origin = "unknown"
    rewards: tuple[tuple[str, float | int | None], ...] = ()
    outcomes: tuple[tuple[str, str], ...] = ()
    termination: str | None = None
    attempts: int | None = None
    reward_valid: bool | None = None
    is_segment: bool = False
    is_refused: bool = False


@dataclass(frozen=True, slots=True)
class Story:
    """A document as a person reads it.

    Attributes:
        facts: What stands at the top.
        steps: In the order of the document; may be an iterator over a large one, to be read once.
        title: Further lines for the top: our label, and text of the document.
        task: What was asked, when it stands outside the steps.
        records: What stands outside the steps and after them: outcomes, verifier results, rewards.
        remarks: What is to be known of the whole document, in our words.
    """

    facts: Facts
    steps: Iterable[Step]
    title: tuple[tuple[str, str], ...] = ()
    task: Passage | None = None
    records: tuple[Step, ...] = ()
    remarks: tuple[str, ...] = ()


class Room(Protocol):
    """What the story module of a format offers."""

    def tell(self, document: Document) -> Story:
        """The document as a person reads it. It is never modified; wrong types are passed over, not repaired."""
        ...

    def facts(self, document: Document) -> Facts:
        """What is counted of the document, without making its story."""
        ...


# Format to the module of its stories. A format that is missing here has none.
STORIES: dict[str, str] = {
    "bundle": "attraj.formats.native_story",
    "atif": "attraj.formats.atif.story",
    "swe-agent": "attraj.formats.swe_agent.telling",
    "mini-swe-agent": "attraj.formats.mini_swe_agent.story",
    "react-web": "attraj.formats.react_web.story",
}


@cache
def room_of(name: str) -> Room | None:
    """The stories of this format; None when it has none."""
    home = STORIES.get(name)
    module: Any = import_module(home) if home else None
    return module  # type: ignore[no-any-return]


# --- for the rooms -----------------------------------------------------------------------------------------------


def child(item: Json, member: str) -> Json:
    """The member when it is an object; {} otherwise."""
    value = item.get(member)
    return value if type(value) is dict else {}


def text(item: Json, member: str) -> str | None:
    """The member when it is a text that says something; None otherwise."""
    value = item.get(member)
    return value if type(value) is str and value else None


def items(item: Json, member: str) -> list[Any]:
    """The member when it is an array; [] otherwise."""
    value = item.get(member)
    return value if type(value) is list else []


def objects(values: Any) -> Iterator[tuple[int, Json]]:
    """Position and object of each element that is an object."""
    if type(values) is list:
        for position, value in enumerate(values):
            if type(value) is dict:
                yield position, value


def number(value: Any) -> float | int | None:
    """The value when it is a finite number that is no boolean."""
    if type(value) is int:
        return value if -_MOST < value < _MOST else None
    return value if type(value) is float and -_INFINITY < value < _INFINITY else None


def count(value: Any) -> int | None:
    """The value when it is a count: an integer that is not negative."""
    return value if type(value) is int and 0 <= value < _MOST else None


_MOST = 1 << 63
_INFINITY = float("inf")


def passages_of(value: Any, at: str, label: str = "") -> Iterator[Passage]:
    """A value to read: a text as it is, an object that holds long texts member by member, anything else as JSON."""
    if type(value) is dict and _is_of_lines(value):
        for name, one in value.items():
            yield Passage(as_text(one), f"{at}/{name}", f"{label}, `{name}`" if label else f"`{name}`")
    elif value not in ("", None):
        yield Passage(as_text(value), at, label)


def _is_of_lines(value: Json) -> bool:
    """Whether a member is a text of several lines, which JSON makes unreadable, and all names need no escape."""
    return any(type(one) is str and "\n" in one for one in value.values()) and all(map(is_shown, value))


def as_text(value: Any) -> str:
    """A text as it is, anything else as JSON that a person can read."""
    if type(value) is str:
        return value
    import json  # its encoder keeps what orjson refuses: lone surrogates, integers of any size

    try:
        return json.dumps(value, ensure_ascii=False, indent=2 if _is_nested(value) else None)
    except RecursionError:  # only where --max-depth lets it in
        return "(nested too deeply to be shown)"


def _is_nested(value: Any) -> bool:
    inner = value.values() if type(value) is dict else value if type(value) is list else ()
    return any(type(one) in (dict, list) for one in inner)
