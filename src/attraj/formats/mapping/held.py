"""Values that know where they come from, so that a writer's losses are counted and not declared.

A writer builds its document out of `Held` values (carried as they are), `Made` values (said less exactly, or made up,
with a loss) and its own vocabulary. `settle` makes a plain tree of it and says which place of the Bundle went where.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, NamedTuple

from attraj.bundle.markers import is_marker, status_of
from attraj.formats.mapping.fields import At, Json, is_same, look_up, pointer_of
from attraj.formats.mapping.loss import Handling, Loss
from attraj.formats.mapping.withheld import DETAILS, plain
from attraj.jsonio import MISSING


class Held(NamedTuple):
    """A value of the Bundle, as it is, and where it stands there."""

    value: Any
    origin: At


class Made(NamedTuple):
    """A value that is not in the Bundle as it is.

    Attributes:
        value: What is written.
        origins: What of the Bundle it says; () for something made up.
        code, category, handling, detail: The loss that this is, at each of the origins; once for one value that stands
            in several places of what is written.
    """

    value: Any
    origins: tuple[At, ...]
    code: str
    category: str
    handling: Handling
    detail: str = ""


def joined(texts: Sequence[Held | Made], code: str, detail: str) -> Made:
    """Several texts as one, which says what each of them says."""
    origins: list[At] = []
    for text in texts:
        origins += [text.origin] if isinstance(text, Held) else text.origins
    return Made("\n\n".join([text.value for text in texts]), tuple(origins), code, "other", "approximated", detail)


class Null(Enum):
    """JSON null as a word of the format ("no configuration"): None leaves a member out."""

    NULL = "null"


NULL: Final = Null.NULL


@dataclass(slots=True)
class Ledger:
    """What of one Bundle a writer has used, beside the Held values that stand in what it wrote.

    Attributes:
        used: Places of the Bundle that what is written says.
        same: Those whose value stands in what is written as that of another place, which is equal.
        losses: In the order in which they came about.
        notes: Facts about what is written that are no loss and worth a line, in our own words.
        gives_back: What is written is the source again, with changes that are named: what the Bundle could not hold of
            it is in it, so that the losses of reading it are none.
    """

    used: set[At] = field(default_factory=set)
    losses: list[Loss] = field(default_factory=list)
    same: dict[At, At] = field(default_factory=dict)
    gives_back: bool = False
    notes: list[str] = field(default_factory=list)

    def note(self, fact: str) -> None:
        """Note a fact, once."""
        if fact not in self.notes:
            self.notes.append(fact)

    def lose(self, code: str, category: str, handling: Handling, at: At, detail: str = "") -> None:
        """Name a loss at a place of the Bundle."""
        self.losses.append(Loss(code, category, handling, pointer_of(at), 1, detail, "write"))


class Part(NamedTuple):
    """A record of the Bundle, or a part of one, while it is written.

    `hold` gives a value to write as it is; `get` one to decide by (it counts as said, which `--verify` believes of the
    words of a Bundle alone); `agrees` says that a value is written at another place; `peek` looks without saying.
    """

    record: Json
    at: At
    ledger: Ledger

    def hold(self, *path: str | int) -> Held | None:
        """The value at this path to be written as it is; None when there is none, or when it is withheld."""
        value = look_up(self.record, path)
        is_here = value is not MISSING and (not is_marker(value) or status_of(value) == "literal")
        return Held(value, (*self.at, *path)) if is_here else None

    def get(self, *path: str | int) -> Any:
        """The value at this path, which what is written expresses; MISSING when there is none."""
        value = look_up(self.record, path)
        if value is not MISSING:
            self.ledger.used.add((*self.at, *path))
        return value

    def agrees(self, held: Held, *path: str | int) -> bool:
        """Whether the value at this path is that of `held`: it counts as said wherever that is written."""
        value = look_up(self.record, path)
        if not is_same(value, held.value):
            return False
        self.ledger.used.add((*self.at, *path))
        self.ledger.same[(*self.at, *path)] = held.origin
        return True

    def peek(self, *path: str | int) -> Any:
        """The value at this path, MISSING when there is none. Nothing is said by it."""
        return look_up(self.record, path)

    def part(self, *path: str | int) -> Part:
        """A part of it, an empty one when there is no object at this path."""
        value = look_up(self.record, path)
        return Part(value if type(value) is dict else {}, (*self.at, *path), self.ledger)


class Settled(NamedTuple):
    """A plain document, and what of the Bundle stands where in it.

    Attributes:
        tree: The document.
        trace: Place in the Bundle → place in the document, for what was carried as it is.
        words: Places of the document that hold words of the format itself.
        made: Places of the Bundle → place in the document, for what is said of them less exactly.
    """

    tree: Any
    trace: list[tuple[At, At]]
    words: list[At]
    made: list[tuple[tuple[At, ...], At]]


def settle(tree: Any, ledger: Ledger) -> Settled:
    """The plain tree of what a writer built. None values of an object's members are left out.

    Args:
        tree: Objects, arrays, `Held`, `Made` and the writer's own words.
        ledger: Takes note of every origin and of the losses of `Made` values.
    """
    trace: list[tuple[At, At]] = []
    words: list[At] = []
    made_of: list[tuple[tuple[At, ...], At]] = []
    counted: set[int] = set()

    def tell(handling: Handling, at: At, code: str) -> None:
        ledger.lose(code, "other", handling, at, DETAILS[code])

    root: list[Any] = [None]
    pending: list[tuple[Any, At, Any, Any]] = [(tree, (), root, 0)]
    while pending:
        value, at, parent, key = pending.pop()
        kind = type(value)
        if kind is Held:
            ledger.used.add(value.origin)
            trace.append((value.origin, at))
            held = plain(value.value, value.origin, tell)
            parent[key] = None if held is MISSING else held
        elif kind is Made:
            ledger.used.update(value.origins)
            made_of.append((value.origins, at))
            for place in _outermost(value.origins) or (at,) if id(value) not in counted else ():
                ledger.lose(value.code, value.category, value.handling, place, value.detail)
            counted.add(id(value))
            parent[key] = value.value
        elif kind is dict:
            made: Json = {}
            parent[key] = made
            stated = [(name, one) for name, one in value.items() if one is not None]
            made.update(dict.fromkeys([name for name, _ in stated]))
            pending.extend((one, (*at, name), made, name) for name, one in reversed(stated))
        elif kind is list:
            items: list[Any] = [None] * len(value)
            parent[key] = items
            pending.extend(
                (one, (*at, position), items, position) for position, one in reversed(list(enumerate(value)))
            )
        else:
            words.append(at)
            parent[key] = None if value is NULL else value
    return Settled(root[0], trace, words, made_of)


def _outermost(origins: tuple[At, ...]) -> list[At]:
    """The places that stand in no other one of them."""
    known = dict.fromkeys(origins)
    return [at for at in known if not any(at[:depth] in known for depth in range(len(at)))]
