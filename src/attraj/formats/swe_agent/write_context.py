"""What a thread remembers and has not lived: steps copied from another trajectory, steps that no model decided.

They stand in the history alone, marked as SWE-agent marks demonstrations, since its own tools and those that train on
its files leave out what is so marked; what they are is said beside the mark. In `trajectory` they would be experience
of this run. Spec: atif.md §12-9, decisions 32 and 34.
"""

from __future__ import annotations

from attraj.formats.mapping.fields import Json
from attraj.formats.mapping.held import Held, Made, Part
from attraj.formats.mapping.turns import CallTurn
from attraj.formats.swe_agent.shape import OWN

_COPIED = "a step copied from another trajectory stands in the history alone, marked as demonstrations are"
_UNCALLED = "a step for which no model was called stands in the history alone, marked as demonstrations are"
_SHOWN = "a turn that no model is known to have taken stands in the history alone, marked as demonstrations are"
_NOT_ASKED = "a call that no model asked for stands in the history alone, as a message of its own that nobody sent"


def mark_of(node: Part) -> Json | None:
    """The members by which messages say that they are no experience of this run; None where they are.

    Args:
        node: An input, a decision, or a call that no decision asks for.
    """
    if node.peek("payload", "is_copied_context") is True:
        return _marked(node, ("payload", "is_copied_context"), "copied-context", "message_vs_state_view", _COPIED)
    if node.peek("payload", "is_demo") is True:
        return {"is_demo": node.hold("payload", "is_demo")}
    if node.peek("kind") == "input":
        return None
    count, authority = node.peek("payload", "llm_call_count"), node.peek("authority_class")
    if type(count) is int and count == 0:
        return _marked(node, ("payload", "llm_call_count"), "uncalled-step", "identity", _UNCALLED)
    is_decision = node.peek("kind") == "decision"
    if is_decision and authority == "unknown" and node.peek("training", "target") is False:
        made = Made(True, ((*node.at, "training"),), "demonstration", "identity", "approximated", _SHOWN)
        return {"is_demo": made}
    if authority == "harness" or (authority == "principal" and is_decision):
        return _marked(node, ("authority_class",), "uncalled-step", "identity", _UNCALLED)
    if authority == "principal":  # somebody's own doing, which the model was shown
        node.ledger.lose("call-of-a-person", "identity", "synthesized", node.at, _NOT_ASKED)
        return {OWN: {"authority_class": node.hold("authority_class")}}
    return None


def mark_of_answer(mark: Json | None, call: CallTurn | None) -> Json | None:
    """The mark of what came back: as its call has it, and as somebody's own doing only where the result is theirs."""
    if mark is None or "is_demo" in mark or call is None or not call.observations:
        return mark
    authority = call.observations[0].hold("authority_class")
    return {OWN: {"authority_class": authority}} if authority is not None else None


def samples_of(node: Part) -> Held | None:
    """What a sampler compared before a reply was chosen."""
    held = node.hold("payload", "extra_info")
    return held if held is not None and type(held.value) is dict else None


def _marked(node: Part, path: tuple[str, ...], code: str, category: str, detail: str) -> Json:
    mark = Made(True, ((*node.at, *path),), code, category, "approximated", detail)
    return {"is_demo": mark, OWN: {path[-1]: node.hold(*path)}}
