"""What a node says of the states before, in and after it: what a decision saw, or that it is not known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attraj.bundle.model import Bundle
from attraj.formats.mapping.fields import At, Json
from attraj.verbs.comparing.said import leaves

# A state is what it holds; how a reader stores it, and what it calls it, is not what a document says.
_STORED = frozenset({"state_id", "base_state", "same_as", "view", "delta"})


class Views:
    """The states of one Bundle. Where both documents are Bundles, how a state is stored is what they say.

    Attributes:
        used: The states that some node names.
    """

    def __init__(self, bundle: Bundle, *, is_kin: bool, is_native: bool) -> None:
        self._is_kin, self._is_native = is_kin, is_native
        self.used: set[str] = set()
        self._states: dict[str, Json] = {
            state["state_id"]: state for _, state in bundle.objects("states") if type(state.get("state_id")) is str
        }

    def said(self, value: Any) -> Iterator[tuple[At, Any]]:
        """Path and value of what a node's reference to a state (or the state itself, where it stands there) says."""
        state = self._states.get(value) if type(value) is str else None
        if state is None:
            if self._is_kin:
                yield from leaves(value)
            return
        self.used.add(value)
        if self._is_kin:
            yield from self.of(state)
        elif state.get("availability") == "included" and state.get("reconstructed") is not True:
            yield ("kind",), "recorded"

    def of(self, state: Json) -> Iterator[tuple[At, Any]]:
        """Everything that a state says. Of a state that is stored as a change of another one, the change."""
        if self._is_native:
            for member, value in state.items():
                if member != "state_id":
                    yield from [((member,), value)] if type(value) is list else leaves(value, (member,))
            return
        for member, value in state.items():
            if member not in _STORED:
                yield from leaves(value, (member,))
        held = state.get("view", state.get("delta"))
        if type(held) is not list:
            if held is not None:
                yield from leaves(held, ("view",))
            return
        said = [_held(item, is_change="view" not in state) for item in held]
        yield ("messages",), [item for item in said if item is not None]

    def unused(self) -> list[Json]:
        """The states that no node names, in their order."""
        return [state for name, state in self._states.items() if name not in self.used]


def _held(item: Any, *, is_change: bool) -> Any:
    """A message without its position, which others shift; None for a reference to a node, which is told there."""
    if is_change and type(item) is dict and "op" in item:
        if "value" not in item:
            return {"op": item["op"]}
        item = item["value"]
    return None if type(item) is dict and item.keys() == {"node_id"} else item
