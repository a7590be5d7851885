"""What the core does not map: kept beside it by pointer, so that the source can be given back whole.

The residue and the order of members stand in `extensions["dev.attraj.source"]`. It never holds what the core holds:
whoever changes the core changes what is written (spec: decisions 17).
"""

from __future__ import annotations

from typing import Any

from attraj.formats.mapping.fields import At, Json, Reading, escaped, pointer_of

EXTENSION = "dev.attraj.source"


def record_of(reading: Reading) -> Json:
    """The entry of one source document: its format, its links, and the rest of it."""
    rest, order = _rest(reading)
    record: Json = {"artifact_id": reading.artifact, "format": reading.format}
    if reading.version:
        record["format_version"] = reading.version
    if reading.part:
        record["part"] = reading.part
    if type(reading.tree) is list:
        record["root"] = "array"
    record["links"] = reading.links
    record["rest"] = rest
    if reading.escapes:
        record["escaped"] = True
    record["order"] = order
    return record


def _rest(reading: Reading) -> tuple[Json, dict[str, list[str]]]:
    """Pointer to value of the largest parts that the core has not taken, and the order of members on the way."""
    taken = _tree_of(reading.taken)
    rest: Json = {}
    order: dict[str, list[str]] = {}
    pending: list[tuple[Any, Any, At]] = [(reading.tree, taken, ())]
    while pending:
        value, known, at = pending.pop()
        if type(value) is dict:
            _learn(order.setdefault(_pattern(at), []), list(value))
            pairs: Any = value.items()
        else:
            pairs = enumerate(value)
        below = []
        for token, one in pairs:
            inner = known.get(token)
            if inner is None:
                rest[pointer_of((*at, token))] = escaped(one) if reading.escapes else one
            elif inner is not True:
                below.append((one, inner, (*at, token)))
        pending.extend(reversed(below))
    return rest, order


def _learn(order: list[str], names: list[str]) -> None:
    """Put names that are new where this object has them: each after the one before it."""
    if order == names:
        return
    known = set(order)
    for position, name in enumerate(names):
        if name not in known:
            known.add(name)
            order.insert(order.index(names[position - 1]) + 1 if position else 0, name)


def _tree_of(taken: dict[At, Any]) -> dict[Any, Any]:
    """The taken places as nested objects; True where a whole value was taken."""
    root: dict[Any, Any] = {}
    for at in taken:
        here = root
        for token in at[:-1]:
            inner = here.setdefault(token, {})
            if inner is True:  # below something that was taken whole
                break
            here = inner
        else:
            if at:
                here[at[-1]] = True
    return root


def _pattern(at: At) -> str:
    return pointer_of(tuple("*" if type(token) is int else token for token in at))
