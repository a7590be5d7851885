"""Lists of messages as states: what two views share is stored once.

A `.traj` repeats the whole conversation with every step. Each list becomes a state whose `delta` is a JSON Patch
(RFC 6902) from an earlier one, so that a file whose size grows with the square of its steps becomes a Bundle that
grows with the steps. Source: spec bundle.md §4.5, decisions 15.
"""

from __future__ import annotations

from typing import Any

from attraj.bundle.model import Bundle
from attraj.formats.mapping.fields import Json, tokens_of
from attraj.jsonio.write import dumps

_Key = bytes  # a message as it is written; those of one list at a time are held


class Sharing:
    """Makes states of lists of messages, each as its difference from the one before it."""

    def __init__(self) -> None:
        self._base = ""
        self._items: list[_Key] = []

    def content(self, state: str, items: list[Any], kept: list[Any] | None = None) -> Json:
        """The members `view`, or `base_state` and `delta`, or `same_as`, of the state that holds these messages.

        Args:
            state: Identity of the state.
            items: The messages, of any type. They are shared with the state, never copied.
            kept: The messages as the state is to hold them, where that differs (escaped markers).
        """
        keys = [dumps(item) for item in items]  # equal is what is written the same way, to the order of members
        given = items if kept is None else kept
        base, old = self._base, self._items
        self._base, self._items = state, keys
        if not base:
            return {"view": given}
        if keys == old:
            return {"base_state": base, "delta": []}
        patch = _patch(old, keys, given)
        if len(patch) >= len(keys) > 0:
            return {"view": given}
        return {"base_state": base, "delta": patch}


def _patch(old: list[_Key], new: list[_Key], items: list[Any]) -> list[Json]:
    """The operations that make `new` of `old`: what differs is replaced, the rest added or removed."""
    shortest = min(len(old), len(new))
    start = 0
    while start < shortest and old[start] == new[start]:
        start += 1
    end = 0
    while end < shortest - start and old[-1 - end] == new[-1 - end]:
        end += 1
    patch: list[Json] = []
    middle_old, middle_new = len(old) - start - end, len(new) - start - end
    for position in range(start, start + min(middle_old, middle_new)):
        if old[position] != new[position]:
            patch.append({"op": "replace", "path": f"/{position}", "value": items[position]})
    patch += [
        {"op": "add", "path": f"/{position}", "value": items[position]}
        for position in range(start + middle_old, start + middle_new)
    ]
    patch += [{"op": "remove", "path": f"/{start + middle_new}"}] * (middle_old - middle_new)
    return patch


class Expander:
    """The messages of the states of a Bundle, whole."""

    def __init__(self, bundle: Bundle) -> None:
        self._states = {
            one["state_id"]: one
            for one in bundle.items("states")
            if type(one) is dict and type(one.get("state_id")) is str
        }
        self._last: tuple[str, list[Any]] | None = None

    def items(self, state: str) -> list[Any] | None:
        """The messages of one state; None when they are not all here."""
        chain: list[Json] = []
        base: list[Any] | None = None
        name: Any = state
        seen: set[str] = set()
        while base is None:
            if self._last is not None and name == self._last[0]:
                base = self._last[1]
                break
            here = self._states.get(name) if type(name) is str and name not in seen else None
            if here is None:
                return None
            seen.add(name)
            if type(here.get("view")) is list:
                base = here["view"]
            elif type(here.get("delta")) is list:
                chain.append(here)
                name = here.get("base_state")
            elif type(here.get("same_as")) is str:
                name = here["same_as"]
            else:
                return None
        items = _patched(base, [one for step in reversed(chain) for one in step["delta"]]) if chain else base
        if items is not None:
            self._last = (state, items)
        return items


def _patched(items: list[Any], patch: list[Any]) -> list[Any] | None:
    """A list after these operations; None when they do not fit it."""
    result = list(items)
    for one in patch:
        path = tokens_of(one["path"]) if type(one) is dict and type(one.get("path")) is str else ()
        position = path[0] if len(path) == 1 else None
        if type(position) is not int or not 0 <= position <= len(result):
            return None
        operation = one.get("op")
        if operation == "add" and "value" in one:
            result.insert(position, one["value"])
        elif operation == "replace" and "value" in one and position < len(result):
            result[position] = one["value"]
        elif operation == "remove" and position < len(result):
            del result[position]
        else:
            return None
    return result
