"""Where in a Bundle the records of each room's table stand: as nodes of which kind, in which part of the Bundle.

For people, and for `attraj formats`: reading goes by the rooms, and a test holds that both say the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from attraj.formats.mapping.fields import Place

_BUNDLE = "the Bundle"
_DECISION = "decision"
_ACTION = "action"
# Place → kind of node, or path of the part; a place of another collection stands in that, and needs no words here.
_ATIF = {
    **dict.fromkeys(("identity", "trajectory", "trajectory with a count of calls", "run"), _BUNDLE),
    "trajectory with totals of no provider": _BUNDLE,
    "thread": "bindings.threads",
    "session": "bindings.sessions",
    "agent": "bindings.agents",
    "model": "bindings.models",
    "decoding": "bindings.models",
    "tool": "bindings.tools",
    "binding": "bindings.tasks, bindings.environments …",
    **dict.fromkeys(("input", "kept of an input"), "input"),
    **dict.fromkeys(("decision", "step without a model call", "lost reply", "kept of a decision"), _DECISION),
    "step of no known source": "event",
    **dict.fromkeys(("step beside the turns", "kept of a step beside the turns"), "event or terminal"),
    "training": "input, decision, event or terminal",
    "reasoning": "reasoning_summary",
    **dict.fromkeys(("call", "call without an id", "command", "admission"), _ACTION),
    **dict.fromkeys(("kept of a call", "kept of a command"), _ACTION),
    "kept of an effect": "effect",
    **dict.fromkeys(("result", "result of a call without an id", "kept of a result"), "observation"),
    "proposal": "proposal",
    "subagent reference": "delegation",
    "continuation": "event",
    "record": "evidence, branch, resource_observation …",
}
_SWE_AGENT = {
    "message": "input",
    **dict.fromkeys(("reply", "told_reply", "last_reply"), _DECISION),
    "thinking": "reasoning_summary",
    **dict.fromkeys(("command", "call"), "action or proposal"),
    "effect": "effect",
    **dict.fromkeys(("result", "complaint", "told_result"), "observation"),
    **dict.fromkeys(("exit", "exit_notice"), "terminal"),
    "samples": "event",
    "submission": "evidence",
    **dict.fromkeys(("totals", "totals_in_info"), _BUNDLE),
    "usage": "resource_observation",
    "choice": "branch",
    "harness": "bindings.harnesses",
    "environment": "bindings.environments",
    **dict.fromkeys(("model", "model_in_own", "model_in_info", "model_in_file"), "bindings.models"),
    **dict.fromkeys(("task", "task_in_own", "task_in_info", "task_in_file"), "bindings.tasks"),
}
_MINI_SWE_AGENT = {
    "task": "bindings.tasks",
    "harness": "bindings.harnesses",
    "model": "bindings.models",
    "environment": "bindings.environments",
    "account": "scope",
    **dict.fromkeys(("submission", "submission alone", "exit"), "terminal"),
    **dict.fromkeys(("input", "input item"), "input"),
    **dict.fromkeys(("time", "time in 1.x"), "of the message: decision, observation, input, terminal"),
    **dict.fromkeys(("cost", "reply", "response", "cost of the provider"), _DECISION),
    **dict.fromkeys(("text of a response", "only text of a response", "further text of a response"), _DECISION),
    **dict.fromkeys(("account of the provider", "account of a response"), _DECISION),
    **dict.fromkeys(("unparsed reply", "unparsed reply of the provider"), _DECISION),
    **dict.fromkeys(("reasoning", "reasoning of the provider"), "reasoning_summary"),
    **dict.fromkeys(("reasoning item", "short reasoning item"), "reasoning_summary"),
    **dict.fromkeys(("tool call", "function call", "command"), "action or proposal"),
    "execution": "effect",
    **dict.fromkeys(("result", "result item", "id of a result", "id of a result item"), "observation"),
    "other message": "event or terminal",
}
_REACT_WEB = {
    "task": "input",
    "model": "bindings.models",
    "experiment": "bindings.tasks",
    "ending": "scope.termination",
    "iteration": "decision or event",
    "thought": "reasoning_summary",
    "action": _ACTION,
    "observation": "observation",
    "answer": _DECISION,
    "other step": "event",
}
_HARBOR = {
    **dict.fromkeys(("result", "step"), _BUNDLE),
    **dict.fromkeys(("task", "task-name", "task-checksum"), "bindings.tasks"),
    "verified-task": "bindings.verifiers",
    **dict.fromkeys(("agent", "agent-code"), "bindings.agents"),
    **dict.fromkeys(("model", "model-name"), "bindings.models"),
    "environment": "bindings.environments",
    "skill": "bindings.capabilities",
    "termination": "scope.termination",
    "budget": "scope.resources.budget",
    "source-trial": "transform.derived_from",
    **dict.fromkeys(("used", "spans"), "scope.resources.observed.trial"),
}
_WORDS: Mapping[str, Mapping[str, str]] = {
    "atif": _ATIF,
    "swe-agent": _SWE_AGENT,
    "mini-swe-agent": _MINI_SWE_AGENT,
    "react-web": _REACT_WEB,
    "harbor": _HARBOR,
}


def words_of(form: str, place: Place, base: str) -> str:
    """Where the records of a place stand: "bindings.models", "nodes: decision", "outcomes"; "" where nobody says.

    Args:
        form: Name of the format.
        place: Of its table.
        base: Name of the place that this one is a variant of, or whose form it has; its own for most.
    """
    if place.collection not in ("", "nodes"):
        return place.collection
    said = _WORDS[form].get(place.name) or _WORDS[form].get(base, "")
    return f"nodes: {said}" if place.collection and said else said
