"""The quick look at every step: is it as plain as nearly all are, and what does it add to the account?

A step that is not plain is looked at closely (`steps.look`), which finds out what, if anything, is wrong with it. No
pointer and no message is made here. This is where a large clean document spends its time, so the code is written out.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from attraj.formats.atif import shape
from attraj.formats.atif.times import fromisoformat

Json = dict[str, Any]

MAX_INTEGER = (1 << 63) - 1
MAX_FLOAT = 1.7976931348623157e308  # neither infinite nor an integer that no double holds

# Types that are right and yet want a closer look: their content has rules of its own, or is long.
_CLOSER: Mapping[tuple[str, str], frozenset[type]] = {
    ("step", "message"): frozenset({list}),
    ("step", "reasoning_effort"): frozenset({int, float}),
    ("result", "subagent_trajectory_ref"): frozenset({list}),
    ("metrics", "prompt_token_ids"): frozenset({list}),
    ("metrics", "completion_token_ids"): frozenset({list}),
    ("metrics", "logprobs"): frozenset({list}),
}

_CONTEXT_KEYS = frozenset({"context_management", "is_sidechain"})
_RARE_ELSEWHERE = frozenset({*shape.AGENT_ONLY, "observation", "is_copied_context", "llm_call_count"})


class PlainTypes(NamedTuple):
    """Member name to the types that need no closer look, for the objects of a step."""

    step: shape.Types
    call: shape.Types
    result: shape.Types
    metrics: shape.Types


@cache
def plain_types(version: int) -> PlainTypes:
    """The types of one version that need no closer look."""
    return PlainTypes(
        *(
            {
                name: types - _CLOSER.get((kind, name), frozenset())
                for name, types in shape.types_at(kind, version).items()
            }
            for kind in PlainTypes._fields
        )
    )


def _are_texts(parts: list[Any]) -> bool:
    """Whether all content parts are of the plainest kind."""
    return all(len(part) == 2 and part["type"] == "text" and type(part["text"]) is str for part in parts)


class Steps:
    """What the steps of one trajectory have in common, filled step by step.

    Attributes:
        calls: tool_call_id to the position of the step that first has it.
        metered: Metrics of the steps that are not copied, in order.
        unmetered: How many of the agent's own steps have none.
        last: Moment of the latest step that is neither copied nor a subagent's own, with its position.
        copied, agents, sidechains: How many steps are copied, the agent's and not copied, a subagent's own.
        called: How many of the agent's own steps have tool calls.
        delegates: How many references to subagents there are.
    """

    __slots__ = (
        *("agents", "called", "calls", "copied", "delegates", "last", "last_at", "metered"),
        *("plain", "sidechains", "unmetered"),
    )

    def __init__(self, version: int) -> None:
        self.plain = plain_types(version)
        self.calls: dict[str, int] = {}
        self.metered: list[Json] = []
        self.unmetered = 0
        self.last: Any = None
        self.last_at = 0
        self.copied = 0
        self.agents = 0
        self.sidechains = 0
        self.called = 0
        self.delegates = 0

    def is_plain(self, position: int, step: Any) -> bool:
        """Whether nothing can be wrong with the step; only then is it counted here."""
        types = self.plain.step
        try:
            for name, value in step.items():
                if type(value) not in types[name]:
                    return False
            if step["step_id"] != position + 1 or "message" not in step:
                return False
            source = step["source"]
            if "extra" in step:
                extra = step["extra"]
                if extra and not _CONTEXT_KEYS.isdisjoint(extra):
                    return False
            stamp = step.get("timestamp")
            when = None
            if stamp is not None:
                when = fromisoformat(stamp)
                # The five separators of the one form that all readers share; a zone that can be compared.
                if not (stamp[10] == "T" and stamp[4] == "-" == stamp[7] and stamp[13] == ":" == stamp[16]):
                    return False
                if when.tzinfo is None or (self.last is not None and when < self.last):
                    return False
            if source != "agent":
                if (source != "user" and source != "system") or not _RARE_ELSEWHERE.isdisjoint(step):
                    return False
            elif not self._is_plain_turn(position, step):
                return False
            if when is not None:
                self.last, self.last_at = when, position
        except (KeyError, ValueError, TypeError, AttributeError, IndexError):
            return False
        return True

    def _is_plain_turn(self, position: int, step: Json) -> bool:
        """The rest of `is_plain` for a step of the agent: its calls, their results, its numbers."""
        get = step.get
        count = get("llm_call_count")
        if (count is not None and count != 1) or get("is_copied_context"):
            return False
        metrics = get("metrics")
        if metrics is not None and not self.is_plain_usage(metrics):
            return False
        calls, observation = get("tool_calls"), get("observation")
        if calls:
            if observation is None or not self._are_plain_calls(position, calls, observation):
                return False
            self.called += 1
        elif observation is not None:
            return False
        self.agents += 1
        if metrics:
            self.metered.append(metrics)
        else:
            self.unmetered += 1
        return True

    def _are_plain_calls(self, position: int, calls: list[Any], observation: Json) -> bool:
        """Every call named once, with one result: then the ids are remembered."""
        if len(observation) != 1:
            return False
        results = observation["results"]
        if type(results) is not list or len(results) != len(calls):
            return False
        known, types = self.calls, self.plain.call
        own: list[str] = []
        for call in calls:
            for name, value in call.items():
                if type(value) not in types[name]:
                    return False
            own.append(call["tool_call_id"])
            if own[-1] in known or not own[-1] or not call["function_name"] or "arguments" not in call:
                return False
        types = self.plain.result
        answered: list[str] = []
        for result in results:
            for name, value in result.items():
                if type(value) not in types[name]:
                    return False
            answered.append(result["source_call_id"])
            content = result.get("content")
            if content is None or (type(content) is list and not _are_texts(content)):
                return False
        if own != answered or (len(own) > 1 and len(set(own)) < len(own)):
            return False
        for call_id in own:
            known[call_id] = position
        return True

    def is_plain_usage(self, metrics: Json) -> bool:
        """Whether nothing can be wrong with the metrics of a step. Raises KeyError for a member that is not known."""
        types = self.plain.metrics
        for name, value in metrics.items():
            if type(value) not in types[name]:
                return False
        get = metrics.get
        prompt, completion, cached, cost = (
            get("prompt_tokens"),
            get("completion_tokens"),
            get("cached_tokens"),
            get("cost_usd"),
        )
        return (
            (prompt is None or 0 < prompt <= MAX_INTEGER)
            and (completion is None or 0 < completion <= MAX_INTEGER)
            and (cached is None or (0 <= cached <= MAX_INTEGER and (prompt is None or cached <= prompt)))
            and (cost is None or 0 <= cost <= MAX_FLOAT)
        )
