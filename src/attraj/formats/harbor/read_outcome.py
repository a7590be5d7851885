"""How a run ended, by whom: the runtime's record and the agent's own word, kept apart from what a verifier says.

Source: spec atif.md §5.5, §5.7; decisions 21.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from attraj.bundle.markers import unknown
from attraj.formats.harbor.exceptions import (
    AGENT,
    ENVIRONMENT,
    POLICIES,
    PROVIDER,
    REQUEST,
    SETUP,
    WITHOUT_REWARD,
    Policy,
    policy_of,
)
from attraj.formats.harbor.facts import child, objects, text
from attraj.formats.harbor.material import Material, settings_of
from attraj.formats.mapping.fields import At, Json, look_up, merged, tokens_of

RUNTIME = "outcome:runtime"
SELF_REPORT = "outcome:self-report"

# What each group of the policy table means for the end of a run.
_ENDINGS: dict[Policy, str] = {
    ENVIRONMENT: "environment_failed",
    PROVIDER: "provider_failed",
    REQUEST: "request_failed",
    SETUP: "setup_failed",
    AGENT: "agent_ended",
}
_OWN_ENDINGS = {
    "AgentTimeoutError": "timed_out",
    "CancelledError": "cancelled",
    "BudgetExceededError": "budget_exceeded",
}
_CLAIMS = frozenset({"mark_task_complete"})  # terminus-2's call by which it says that it is done


def read_outcome(material: Material) -> None:
    """Termination and the runtime's outcome, of the run's own exception or of the trial's."""
    if "result.json" in material.facts.unread:
        reason = "result.json cannot be read: how the run ended is not known"
        material.draft.reasons.append(reason)
        _say(material, "unknown", reason)
        return
    if not material.facts.result:
        _leave_open(material, "the trial has no result.json: it is still running, or it was interrupted")
        return
    if material.is_step and not material.said_at:
        _leave_open(material, "result.json knows no step of this name: the trial was broken off in it")
        return
    at, said = material.said_at, material.run.said
    if material.is_last and said.get("exception_info") is None:
        at, said = (), material.facts.result  # what ended the trial after its steps
    has_exception = said.get("exception_info") is not None
    if not has_exception and not _is_over(material):
        _leave_open(material, "no end is recorded: the trial is still running, or it was broken off while it ended")
        return
    kind = text(child(said, "exception_info"), "exception_type") or ""
    _terminate(material, at, kind, has_exception=has_exception)
    _runtime(material, at, kind, has_exception=has_exception)
    if has_exception:
        what = "the run of the verifier" if kind in WITHOUT_REWARD else "the run"
        material.draft.reasons.append(f"{what} was ended by an exception")
    if kind == "AgentTimeoutError":
        material.draft.reasons.append("the turn in flight when the time was up is not written")


def _is_over(material: Material) -> bool:
    """Whether the run is known to have come to its end: an earlier step has, once a later one began."""
    return material.facts.result.get("finished_at") is not None or not material.is_last


def _leave_open(material: Material, reason: str) -> None:
    material.draft.status = "open"
    material.draft.reasons.append(reason)
    _say(material, "open", reason)


def _say(material: Material, status: str, reason: str) -> None:
    material.draft.scope = merged(material.draft.scope, {"termination": {"status": status, "reason": reason}})
    material.draft.absences["outcomes"] = "not_available"


def ending(exception_type: str, *, has_exception: bool) -> str:
    """The word for the end of a run, by Harbor's policy table."""
    if not has_exception:
        return "finished"
    if exception_type in WITHOUT_REWARD:
        return "verification_failed"
    if exception_type in _OWN_ENDINGS:
        return _OWN_ENDINGS[exception_type]
    return _ENDINGS[policy_of(exception_type)] if exception_type in POLICIES else "ended_by_exception"


def _terminate(material: Material, at: At, kind: str, *, has_exception: bool) -> None:
    termination: Json = {"status": ending(kind, has_exception=has_exception)}
    if has_exception:
        termination |= material.take("termination", "/scope/termination", "result.json", *at, "exception_info")
        termination.setdefault("reason", "an exception of which no type is recorded")
    elif settings_of(material.facts).said.get("install_only") is True:
        termination["reason"] = "the trial only installed its agent"
    elif material.run.said.get("agent_execution") is None:
        termination["reason"] = "the agent never ran"
    else:
        termination["reason"] = "the agent's run ended by itself; what made it stop is not recorded"
    material.draft.scope = merged(material.draft.scope, {"termination": termination})


def _runtime(material: Material, at: At, kind: str, *, has_exception: bool) -> None:
    status = "finished"  # no word of success: that a run came to its end says nothing of its objective
    is_verifiers = has_exception and kind in WITHOUT_REWARD  # it came after the run, which it is no failure of
    if is_verifiers:
        status = "finished" if child(material.run.said, "agent_execution") else "unknown"
    elif has_exception:
        status = {"AgentTimeoutError": "timed_out", "CancelledError": "cancelled"}.get(kind, "failed")
    outcome: Json = {
        "outcome_id": RUNTIME,
        "scope": [material.scope],
        "producer": "runtime:harbor",
        "authority_class": "runtime",
        "status": status,
        "terminal": True,
        "evidence_refs": material.evidence("result.json", *([] if is_verifiers else ["exception.txt"])),
        "asserted_at": {"kind": "end of the step" if material.is_step else "end of the trial"},
    }
    if not material.is_step:
        outcome = merged(outcome, material.take("end", RUNTIME, "result.json"))
    if has_exception and not is_verifiers:
        outcome = merged(outcome, material.take("exception", RUNTIME, "result.json", *at, "exception_info"))
    material.draft.outcomes.append(outcome)


def read_self_report(material: Material, nodes: list[Json]) -> None:
    """The agent's own word: the call by which it says that it is done, else its last message, of which nothing is read.

    Args:
        material: Of the run.
        nodes: Of the last segment of the agent's own thread, in order.
    """
    claim = _last_claim(nodes)
    last = next((node for node in reversed(nodes) if _is_message(node)), None)
    node = claim or last
    if node is None:
        return
    material.draft.outcomes.append(
        {
            "outcome_id": SELF_REPORT,
            "scope": [material.scope],
            "producer": _agent(material),
            "authority_class": "agent_self_report",
            "status": "completed" if claim else "unknown",
            "terminal": True if claim else unknown("whether the agent's last message claims an end is not read"),
            "evidence_refs": [node["node_id"]],
            "asserted_at_node": node["node_id"],
        }
    )


def _agent(material: Material) -> str:
    """The agent by its name, the trial's own word for it first."""
    names = (text(one, "name") for _, one in objects(material.draft.bindings.get("agents")))
    name = next((name for name in names if name), "")
    return f"agent:{name}" if name else "agent"


def _last_claim(nodes: list[Json]) -> Json | None:
    """The claim of the last turn: terminus-2 asks an agent that says so whether it is sure, and may go on after it."""
    for node in reversed(nodes):
        if _is_claim(node):
            return node
        if node.get("kind") == "decision":
            return None
    return None


def _is_claim(node: Json) -> bool:
    return node.get("kind") == "action" and child(node, "action").get("name") in _CLAIMS


def _is_message(node: Json) -> bool:
    return node.get("kind") == "decision" and "content" in child(node, "payload")


class Ending(NamedTuple):
    """An exception that bears on a run: its type ("" where none is recorded), and where result.json holds it."""

    kind: str
    at: At

    def policy(self, material: Material, name: str) -> Any:
        """A word of the policy that Harbor recorded with it (from 0.25); MISSING when there is none."""
        return look_up(material.facts.result, (*self.at, "policy", name))


def exceptions_of(material: Material) -> Iterator[Ending]:
    """The exceptions that bear on the run: its own, and the trial's."""
    for pointer, kind in material.facts.exceptions:
        is_own = pointer == f"{material.run.pointer}/exception_info"
        if is_own or (material.is_last and pointer == "/result.json/exception_info"):
            yield Ending(kind or "", tokens_of(pointer)[1:])
