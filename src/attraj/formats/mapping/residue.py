"""What the core does not map: kept beside it by pointer, so that the source can be given back whole.

The residue and the order of members stand in `extensions["dev.attraj.source"]`. It never holds what the core holds:
whoever changes the core changes what is written (spec: decisions 17).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attraj.formats.mapping.fields import At, Json, Reading, escaped, pointer_of, tokens_of

EXTENSION = "dev.attraj.source"

# Names that objects of one kind share in one order: past this many each object's own order is noted instead, so that
# documents whose every object has names of its own cost no more than they are long.
_SHARED_NAMES = 256


def record_of(reading: Reading) -> Json:
    """The entry of one source document: its format, its links, and the rest of it."""
    rest = _Rest(reading)
    record: Json = {"artifact_id": reading.artifact, "format": reading.format}
    if reading.version:
        record["format_version"] = reading.version
    if reading.part:
        record["part"] = reading.part
    if type(reading.tree) is list:
        record["root"] = "array"
    record["links"] = reading.links
    record["rest"] = rest.values
    if reading.escapes:
        record["escaped"] = True
    record["order"] = rest.order
    if rest.numbered:
        record["numbered"] = rest.numbered
    if reading.texts:
        record["texts"] = {pointer_of(at): form for at, (form, _) in reading.texts.items()}
    if reading.copies:
        record["copies"] = reading.copies
    return record


class _Rest:
    """The largest parts that the core has not taken, and how the objects on the way to them are made again.

    Attributes:
        values: Pointer to value.
        order: Names of the members in their order, by the pointer of the objects with `*` for every position, or by
            the pointer of the one object that has them in another order.
        numbered: Pointers of objects that have a member whose name reads as a position.
    """

    def __init__(self, reading: Reading) -> None:
        self.values: Json = {}
        self.order: dict[str, list[str]] = {}
        self.numbered: list[str] = []
        self._ranks: dict[str, dict[str, int]] = {}
        taken = _tree_of(reading.taken, reading.opened)
        pending: list[tuple[Any, Any, At]] = []
        if taken is not True and type(reading.tree) in (dict, list):
            pending.append((reading.tree, taken, ()))
        while pending:
            value, known, at = pending.pop()
            if at in reading.texts:
                _, value = reading.texts[at]
            if type(value) is dict:
                self._note(at, list(value))
                pairs: Any = value.items()
            else:
                pairs = enumerate(value)
            below = []
            for token, one in pairs:
                inner = known.get(token)
                if inner is None:
                    self.values[pointer_of((*at, token))] = escaped(one) if reading.escapes else one
                elif inner is not True:
                    below.append((one, inner, (*at, token)))
            pending.extend(reversed(below))

    def _note(self, at: At, names: list[str]) -> None:
        if any(name[:1].isdigit() and tokens_of(f"/{name}") != (name,) for name in names):
            self.numbered.append(pointer_of(at))
        pattern = pointer_of(tuple("*" if type(token) is int else token for token in at))
        shared = self.order.get(pattern)
        if shared is None:
            shared = self.order[pattern] = names
            self._ranks[pattern] = {name: rank for rank, name in enumerate(names)}
        ranks = self._ranks[pattern]
        known = [ranks[name] for name in names if name in ranks]
        if known != sorted(known):
            self.order[pointer_of(at)] = names
        elif len(known) < len(names):
            if len(shared) + len(names) > _SHARED_NAMES:
                self.order[pointer_of(at)] = names
            else:
                self.order[pattern] = _joined(shared, names)
                self._ranks[pattern] = {name: rank for rank, name in enumerate(self.order[pattern])}


def _joined(shared: list[str], names: list[str]) -> list[str]:
    """Both lists in one order: each new name after the one that it follows."""
    known = set(shared)
    result: list[str] = []
    last = 0
    for name in names:
        if name in known:
            place = shared.index(name) + 1
            result += shared[last:place]
            last = place
        else:
            result.append(name)
    return result + shared[last:]


def _tree_of(taken: Iterable[At], opened: Iterable[At]) -> Any:
    """The places as nested objects; True where a whole value was taken, {} where its parts are looked at."""
    root: dict[Any, Any] = {}
    for at in opened:
        here = root
        for token in at:
            here = here.setdefault(token, {})
    for at in taken:
        if not at:
            return True
        here = root
        for token in at[:-1]:
            inner = here.setdefault(token, {})
            if inner is True:  # below something that was taken whole
                break
            here = inner
        else:
            here[at[-1]] = True
    return root
