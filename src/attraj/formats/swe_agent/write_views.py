"""States of a Bundle as a step has them: the input of its reply, and what was seen after its action."""

from __future__ import annotations

from typing import Any

from attraj.bundle.model import Bundle
from attraj.findings import Severity
from attraj.formats.found import Found
from attraj.formats.mapping.fields import At, Json
from attraj.formats.mapping.held import Held, Ledger, Made, Part
from attraj.formats.mapping.messages import Expander
from attraj.formats.mapping.turns import CallTurn
from attraj.formats.swe_agent.members import check_item

_NO_STATE = "no state was taken after the action"
_NO_VIEW = "what the model was shown is not recorded as messages"
_STRIPPED = "reasoning is left out, as was asked for"


class Sights:
    """Finds the states that nodes name.

    Args:
        bundle: Never modified.
        ledger: Takes note of what is used of them.
        strips_thoughts: Leave the reasoning of earlier turns out of an input.
    """

    def __init__(self, bundle: Bundle, ledger: Ledger, *, strips_thoughts: bool) -> None:
        self._ledger = ledger
        self._strips_thoughts = strips_thoughts
        self._messages: dict[int, bool] = {}  # of the Bundle, which lives as long as this
        self._expander = Expander(bundle)
        self._states = {
            state["state_id"]: (position, state)
            for position, state in bundle.objects("states")
            if type(state.get("state_id")) is str
        }

    def after(self, call: CallTurn | None) -> Held | Made:
        """The state of a step: what was taken after its action, {} where nothing was."""
        for node in (*call.effects, call.action) if call is not None else ():
            position, state = self._named(node, "state_after")
            if type(state.get("snapshot")) is dict:
                node.get("state_after")
                self._use(position, state)
                return Held(state["snapshot"], ("states", position, "snapshot"))
        return Made({}, (), "state-not-taken", "message_vs_state_view", "synthesized", _NO_STATE)

    def before(self, node: Part) -> Held | Made:
        """The exact view of a decision; nothing that was put together afterwards is shown as what was sent."""
        position, state = self._named(node, "state_view")
        is_exact = bool(state) and state.get("reconstructed") is not True
        items = self._expander.items(state["state_id"]) if is_exact else None
        if items is None or not all(self._is_message(item) for item in items):
            return Made([], (), "no-query", "message_vs_state_view", "synthesized", _NO_VIEW)
        node.get("state_view")
        self._use(position, state)
        origin: At = ("states", position)
        if not self._strips_thoughts or not any(item.get("thinking_blocks") for item in items):
            return Held(items, origin)
        kept = [_without_thoughts(item) for item in items]
        return Made(kept, (origin,), "stripped-thoughts", "other", "dropped", _STRIPPED)

    def _named(self, node: Part, member: str) -> tuple[int, Json]:
        name = node.peek(member)
        return self._states.get(name, (0, {})) if type(name) is str else (0, {})

    def _is_message(self, item: Any) -> bool:
        """Whether a `.traj` can hold this message of a view. Views share their messages: each is asked once."""
        known = self._messages.get(id(item))
        if known is None:
            found = Found()
            check_item(found, item, "")
            known = not any(finding.severity is Severity.ERROR for finding in found.all())
            self._messages[id(item)] = known
        return known

    def _use(self, position: int, state: Json) -> None:
        self._ledger.used.update([("states", position, name) for name in state])


def _without_thoughts(item: Json) -> Json:
    return {name: value for name, value in item.items() if name != "thinking_blocks"}
