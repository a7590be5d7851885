"""Objects and arrays put together value by value, by their place, in any order: what restoring a document needs."""

from __future__ import annotations

from typing import Any, NamedTuple

from attraj.formats.mapping.fields import At, Json, tokens_of
from attraj.jsonio import MISSING


class NotRestorable(Exception):
    """The Bundle no longer holds what the document was made of. The message is safe to show."""


class Container(dict[Any, Any]):
    """An object or an array that is being made, as opposed to a value that was carried whole.

    Attributes:
        is_array: None when only what stands in it tells.
    """

    is_array: bool | None = None


class Orders(NamedTuple):
    """How the objects of a document are made again; see `residue.record_of`.

    Attributes:
        names: Names of members in their order, by pattern or by pointer. Values of another type say nothing.
        numbered: Pointers of objects that have a member whose name reads as a position.
    """

    names: Json
    numbered: frozenset[str]


def opened(made: Container, at: At) -> Container:
    """The container at a place, made where there is none.

    A value that was carried whole (a message of a list) is opened when a part of it is set on its own.
    """
    here = made
    for token in at:
        inner = here.get(token, MISSING)
        if type(inner) is not Container:
            inner = here[token] = _as_container(inner)
        here = inner
    return here


def put_at(made: Container, at: At, value: Any) -> None:
    """Set a value at a place, which is not the document itself."""
    opened(made, at[:-1])[at[-1]] = value


def keep_open(made: Container, at: At) -> None:
    """Make an object at a place where nothing stands."""
    here = made
    for token in at:
        inner = here.get(token, MISSING)
        if inner is MISSING:
            inner = here[token] = Container()
        if type(inner) is not Container:
            return
        here = inner


def put_beside(made: Container, at: At, value: Any) -> None:
    """Set a value at a place unless something stands there; members that an object there lacks are added to it."""
    pending: list[tuple[Container, Any, Any]] = [(opened(made, at[:-1]), at[-1], value)]
    while pending:
        here, token, value = pending.pop()
        known = here.get(token, MISSING)
        if known is MISSING:
            here[token] = value
        elif type(known) is Container and type(value) is dict:
            pending.extend([(known, name, one) for name, one in reversed(value.items())])
        elif type(known) is Container and type(value) is list:
            pending.extend([(known, position, one) for position, one in reversed(list(enumerate(value)))])


def finished(made: Container, orders: Orders, *, is_array: bool) -> Any:
    """The containers as JSON has them: arrays without holes, members in the order in which the source had them.

    Raises:
        NotRestorable: A position of an array is left empty.
    """
    if not made:
        return [] if is_array else {}
    done: list[Any] = [None]
    pending: list[tuple[Container, str, str, Any, Any]] = [(made, "", "", done, 0)]
    ranks: dict[str, dict[Any, int]] = {}
    while pending:
        here, pointer, pattern, parent, key = pending.pop()
        container: Any
        if _is_array(here, pointer, orders):
            if sorted(here) != list(range(len(here))):
                raise NotRestorable("a position of the source document is left empty")
            container = [None] * len(here)
            tokens: list[tuple[Any, Any, str]] = [(token, token, "*") for token in range(len(here))]
        else:
            names = [(token, str(token), _escaped(str(token))) for token in here]
            tokens = _ordered(names, _ranks(orders, pointer, pattern, ranks))
            container = dict.fromkeys([name for _, name, _ in tokens])
        parent[key] = container
        for token, name, step in tokens:
            value = here[token]
            if type(value) is Container:
                pending.append(
                    (value, f"{pointer}/{name if step == '*' else step}", f"{pattern}/{step}", container, name)
                )
            else:
                container[name] = value
    return done[0]


def _as_container(value: Any) -> Container:
    container = Container()
    if type(value) is dict:
        container.update({tokens_of(f"/{_escaped(name)}")[0]: one for name, one in value.items()})
        container.is_array = False
    elif type(value) is list:
        container.update(enumerate(value))
        container.is_array = True
    return container


def _is_array(here: Container, pointer: str, orders: Orders) -> bool:
    if here.is_array is False or not here:
        return here.is_array is True
    return (here.is_array or pointer not in orders.numbered) and all(type(token) is int for token in here)


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _ranks(orders: Orders, pointer: str, pattern: str, known: dict[str, dict[Any, int]]) -> dict[Any, int]:
    name = pointer if pointer in orders.names else pattern
    ranks = known.get(name)
    if ranks is None:
        names = orders.names.get(name)
        texts = [one for one in names if type(one) is str] if type(names) is list else []
        ranks = known[name] = {one: rank for rank, one in enumerate(texts)}
    return ranks


def _ordered(tokens: list[tuple[Any, Any, str]], ranks: dict[Any, int]) -> list[tuple[Any, Any, str]]:
    """By rank; what has none comes last, as it came."""
    return sorted(tokens, key=lambda token: ranks.get(token[1], len(ranks)))
