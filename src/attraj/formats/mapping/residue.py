"""What the core does not map: kept beside it by pointer, so that the source can be given back whole.

The residue and the order of members stand in `extensions["dev.attraj.source"]`. It never holds what the core holds:
whoever changes the core changes what is written (spec: decisions 17).
"""

from __future__ import annotations

from typing import Any

from attraj.formats.mapping.fields import At, Json, Reading, escaped, nested, pointer_of, tokens_of

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
        self._plain: set[str] = set()  # names that read as no position
        taken = nested(reading.taken, reading.opened)
        # A pointer and its pattern grow with the way: to write them anew at each place would be most of the work.
        pending: list[tuple[Any, Any, At, str, str]] = []
        if taken is not True and type(reading.tree) in (dict, list):
            pending.append((reading.tree, taken, (), "", ""))
        while pending:
            value, known, at, pointer, pattern = pending.pop()
            if at in reading.texts:
                _, value = reading.texts[at]
            below = []
            if type(value) is dict:
                self._note(pointer, pattern, list(value))
                for name, one in value.items():
                    inner = known.get(name)
                    if inner is True:
                        continue
                    step = pointer_of((name,))
                    if inner is None:
                        self.values[pointer + step] = escaped(one) if reading.escapes else one
                    else:
                        below.append((one, inner, (*at, name), pointer + step, pattern + step))
            else:
                for position, one in enumerate(value):
                    inner = known.get(position)
                    if inner is None:
                        self.values[f"{pointer}/{position}"] = escaped(one) if reading.escapes else one
                    elif inner is not True:
                        below.append((one, inner, (*at, position), f"{pointer}/{position}", f"{pattern}/*"))
            below.reverse()
            pending += below

    def _note(self, pointer: str, pattern: str, names: list[str]) -> None:
        if not self._plain.issuperset(names):
            numbers = [name for name in names if name[:1].isdigit() and tokens_of(f"/{name}") != (name,)]
            self._plain.update(set(names).difference(numbers))
            if numbers:
                self.numbered.append(pointer)
        shared = self.order.get(pattern)
        if shared == names:
            return
        if shared is None:
            shared = self.order[pattern] = names
            self._ranks[pattern] = {name: rank for rank, name in enumerate(names)}
        ranks = self._ranks[pattern]
        known = [ranks[name] for name in names if name in ranks]
        if known != sorted(known):
            self.order[pointer] = names
        elif len(known) < len(names):
            if len(shared) + len(names) > _SHARED_NAMES:
                self.order[pointer] = names
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
