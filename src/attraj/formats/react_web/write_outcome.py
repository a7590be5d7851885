"""The word for how a run went, which a page shows to everybody: told only by who can know it, else left out.

react-web.md §5.3 allows the facts of the runtime and of verifiers, and a pass is not by itself an achievement
(AT-4.6-1). So what is written is the reading that promises least:

success   the world asserts it, or verifiers passed the property `resolved` and no verifier failed or is undecided;
          and nobody of them says otherwise
timeout   the runtime ended the run at a limit of time
failure   the world, the runtime or a verifier says that it failed, and the world or `resolved` do not say otherwise

The agent's own word, a label of nobody known, a run that merely ended, a pass of tests and a reward are none of these.
How an attempt went is told when the run has ended, since others may follow.
A fact about the whole run stands in the file that holds its end. A recording of this format keeps its author's label.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attraj.bundle.model import Bundle, text, texts
from attraj.formats.mapping.bound import ATTEMPT
from attraj.formats.mapping.fields import At, Json
from attraj.formats.mapping.held import Held, Ledger, Made, Part
from attraj.formats.mapping.segments import last_segment
from attraj.formats.mapping.turns import Thread
from attraj.formats.react_web.places import word_of

# Endings for which the time allowed was the reason: mini-swe-agent, SWE-agent, Harbor, and the format's own word.
_OUT_OF_TIME = frozenset(
    {
        "TimeExceeded",
        "exit_total_execution_time",
        "submitted (exit_total_execution_time)",
        "AgentTimeoutError",
        "timeout",
        "timed_out",
    }
)
_WORLD = ("external_world", "external")
_OBJECTIVE = "resolved"  # the property by which benchmarks say that the task itself was achieved


class Outcomes:
    """How the threads of a Bundle went.

    Args:
        bundle, ledger: What is written, and what of it is said.
        written: The threads that become files.
    """

    def __init__(self, bundle: Bundle, ledger: Ledger, written: Sequence[Thread]) -> None:
        self._bundle, self._ledger = bundle, ledger
        self._is_own = bundle.member("source").get("format") == "react-web"
        self._thread_of = {
            text(node, "node_id"): text(node, "thread_id") or "" for _, node in bundle.objects("nodes")
        }  # fmt: skip
        self._gone = _replaced(bundle)
        self._is_open = bundle.member("completeness").get("status") == "open"
        names = [thread.name for thread in written]
        self._first = names[0] if names else ""
        self._end = last_segment(bundle, names)

    def of(self, thread: str) -> Any:
        """The word for one thread; None where nobody can know it."""
        if self._is_own:
            return self._own_word() if thread == self._first else None
        world, runtime = self._asserted(thread, _WORLD), self._asserted(thread, ("runtime",))
        verified = self._verified(thread)
        good = [at for at, status in world if status == "succeeded"]
        bad = [at for at, status in (*world, *runtime) if status == "failed"]
        bad += [at for at, status, _ in verified if status == "fail"]
        resolved = [at for at, status, is_objective in verified if status == "pass" and is_objective]
        late = [at for at, status in runtime if status == "failed" and self._is_late(at)]
        if late:
            return _made("timeout", late, "a run that the runtime ended at a limit of time")
        if bad:
            detail = "that the world, the runtime or a verifier says it failed, as one word"
            return None if good or resolved else _made("failure", bad, detail)
        if any(status not in ("pass", "fail") for _, status, _ in verified):
            resolved = []
        if good or resolved:
            return _made("success", good or resolved, "that the world asserts it, or verifiers found it resolved")
        return None

    # --- whose facts they are ------------------------------------------------------------------------------------

    def _is_its(self, record: Json, thread: str, nodes: list[str]) -> bool:
        """Whether a record speaks of this thread: of its nodes, or of the run that ends in it."""
        identity = text(record, "outcome_id") or text(record, "verifier_result_id")
        if record.get("superseded_by") or record.get("invalidated_by") or not self._gone.isdisjoint([identity, *nodes]):
            return False
        threads = [self._thread_of[node] for node in nodes if node in self._thread_of]
        return thread in threads if threads else thread == self._end

    def _asserted(self, thread: str, authorities: Sequence[str]) -> list[tuple[At, Any]]:
        return [
            (("outcomes", position, "status"), outcome.get("status"))
            for position, outcome in self._bundle.objects("outcomes")
            if outcome.get("authority_class") in authorities
            and outcome.get("terminal") is not False
            and self._is_its(outcome, thread, _texts([outcome.get("asserted_at_node")]))
            and not (self._is_open and _is_of_an_attempt(outcome))
        ]

    def _verified(self, thread: str) -> list[tuple[At, Any, bool]]:
        """Place and status of what verifiers found, and whether it is the objective itself that they looked at."""
        return [
            (("verifier_results", position, "status"), one.get("status"), one.get("checked_property") == _OBJECTIVE)
            for position, one in self._bundle.objects("verifier_results")
            if one.get("status") != "invalidated" and self._is_its(one, thread, _nodes_of(one))
        ]

    def _is_late(self, at: At) -> bool:
        termination = self._bundle.member("scope").get("termination")
        outcome = self._bundle.items("outcomes")[int(at[1])]
        words = [outcome.get("value"), *(termination.values() if type(termination) is dict else ())]
        return any(type(word) is str and word in _OUT_OF_TIME for word in words)

    # --- a recording of this format --------------------------------------------------------------------------------

    def _own_word(self) -> Any:
        """The author's label as the author gave it."""
        ending = Part(self._bundle.tree, (), self._ledger).hold("scope", "termination", "reason")
        if ending is not None:
            self._ledger.used.update(("outcomes", position) for position, _ in self._bundle.objects("outcomes"))
            return ending
        for position, outcome in self._bundle.objects("outcomes"):
            part = Part(outcome, ("outcomes", position), self._ledger)
            word = word_of(outcome.get("status"))
            own = part.hold("value")
            if word is not None or own is not None:
                self._ledger.used.add(part.at)  # the label is all that there was; the rest is how a Bundle has it
                return Held(word, (*part.at, "status")) if word is not None else own
        return None


def _is_of_an_attempt(outcome: Json) -> bool:
    """Whether it says how an attempt went: while the run goes on, the next one may go otherwise."""
    return any(name.startswith(ATTEMPT) for _, name in texts(outcome, "scope"))


def _replaced(bundle: Bundle) -> set[Any]:
    """Identities of what a later record says is replaced: results of verifiers, and nodes that assert an outcome."""
    edges = (edge for _, edge in bundle.objects("edges") if edge.get("relation") in ("supersedes", "invalidates"))
    found: set[Any] = {text(edge, "from") for edge in edges} - {None}
    for _, result in bundle.objects("verifier_results"):
        found.update(name for _, name in texts(result, "invalidates"))
    return found


def _nodes_of(result: Json) -> list[str]:
    """What a result names as the place of its assertion and as its evidence: nodes, among other things."""
    evidence = result.get("evidence_refs")
    return _texts([result.get("asserted_at_node"), *(evidence if type(evidence) is list else ())])


def _texts(values: list[Any]) -> list[str]:
    return [value for value in values if type(value) is str]


def _made(word: str, origins: list[At], detail: str) -> Made:
    category = "verifier_vs_reward" if origins[0][0] == "verifier_results" else "call_success_vs_outcome"
    return Made(word, tuple(origins), "outcome-word", category, "approximated", detail)
