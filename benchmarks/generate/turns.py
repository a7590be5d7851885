"""What happens in a generated Bundle: turns of every kind that the specification tells apart, in likely proportions.

A turn takes the node that the run has come to and returns the node that it comes to. Between the plain turns of
decision, admission, effect, observation and state there are refusals, retries, redeliveries, recoveries, forks and
joins, delegations, capabilities, resumptions, and checkpoints with a verifier result, a reward and an outcome.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.generate.bundle import (
    CHECKER,
    KEEPER,
    PILOT,
    RUNTIME,
    VERIFIER,
    VERIFIER_VERSION,
    Cause,
    Records,
)
from benchmarks.generate.text import FILES

Json = dict[str, Any]
Turn = Callable[[Records, str], str]

CAPABILITY = "capability:write-ledger:lease-six"
MEMORY = 150  # how far back, in nodes, a decision looks
CLOSING = 6  # nodes of the last checkpoint and the end
OUTPUT_SHARE = 0.13  # observations of a Bundle are shorter than those of a transcript: most are referenced or cut


def play(records: Records, nodes: int) -> None:
    """Fill the records with turns until there are `nodes` nodes, then close the run."""
    tip = _request(records, [])
    turns, weights = zip(*TURNS, strict=True)
    while records.counts["nodes"] < nodes - CLOSING:
        tip = records.rng.choices(turns, weights)[0](records, tip)
    _close(records, _checkpoint(records, tip))


# --- the parts of a turn -----------------------------------------------------------------------------------------


def _request(records: Records, causes: list[Cause]) -> str:
    text = records.redacted("/payload/text", "user_content", "privacy of the keeper")
    return records.node("input", causes, KEEPER, payload={"text": text})


def _decide(records: Records, causes: list[Cause], *, admission: str = "admitted", kind: str = "decision") -> str:
    """A model's choice of a tool call; most are training targets."""
    rng, number = records.rng, records.counts["nodes"] + 1
    arguments = {"command": records.prose.block(rng.randrange(16, 120)), "path": f"/workspace/{rng.choice(FILES)}"}
    action = {"kind": "tool_call", "name": "shell", "artifact": "tool:shell:v3", "arguments": arguments}
    usage = {"input_tokens": rng.randrange(900, 90_000), "output_tokens": rng.randrange(20, 900)}
    members: Json = {
        "attempt_id": records.attempt,
        "intent_id": f"intent:{number}",
        "state_before": records.state,
        "state_view": records.state,
        "read_set": [causes[0][0]],
        "action": {**action, "call_id": f"call:{number}"},
        "admission": {"status": admission, "authority": RUNTIME, "decision_ref": f"node:{number + 1}"},
        "model_call": {"provider": "example", "model": "small-1", "policy_revision": "2031-03-01", "usage": usage},
    }
    if admission == "admitted" and kind == "decision" and rng.random() < 0.6:
        members["training"] = {"target": True, "purposes": ["supervised_finetuning"], "mask": _MASK}
    decision = records.node(kind, causes, PILOT, "proposed", **members)
    near = range(max(1, number - MEMORY), number)
    wanted = rng.choices((0, 1, 2, 3), (30, 30, 25, 15))[0]
    for earlier in rng.sample(near, min(len(near), wanted)):
        records.edge(f"node:{earlier}", decision, "depends_on")
    return decision


_MASK: list[Json] = [
    {"path": "/state_view", "role": "model_input", "loss": "excluded", "availability": "referenced"},
    {"path": "/action", "role": "supervised_target", "loss": "included", "availability": "included", "permitted": True},
]


def _admit(records: Records, decision: str, status: str = "admitted") -> str:
    return records.node("admission", [(decision, "caused_by")], status=status)


def _perform(records: Records, cause: Cause, decision: str, status: str = "succeeded", kind: str = "effect") -> str:
    """An effect with its receipt, which answers the decision."""
    number = records.counts["nodes"] + 1
    intent = decision.replace("node:", "intent:")
    receipt: Json = {"receipt_id": f"receipt:{number}", "operation": "shell", "arguments": {"sent": number}}
    receipt |= {"route": "target:sandbox", "causal_id": decision, "status": status, "result_ref": f"node:{number + 1}"}
    effect: Json = {"external": True, "target": "target:sandbox", "idempotency_key": f"key:{number}"}
    effect |= {"receipt_status": "attached"}
    admission: Json = {"status": "admitted", "authority": RUNTIME, "decision_ref": cause[0]}
    members: Json = {"attempt_id": records.attempt, "intent_id": intent, "admission": admission}
    return records.node(kind, [cause], status=status, **members, effect=effect, receipt=receipt)


def _observe(records: Records, cause: str, *, is_last: bool = False) -> str:
    """What came back; `is_last` when the turn ends here, without a new state."""
    length = int(records.prose.output_length() * OUTPUT_SHARE)
    members: Json = {"observation": {"text": records.prose.block(length)}}
    if is_last:
        members |= {"state_delta": _NOT_APPLICABLE, "state_after": _NOT_APPLICABLE}
    return records.node("observation", [(cause, "caused_by")], **members)


_NOT_APPLICABLE: Json = {"$at": {"status": "not_applicable"}}


def _commit(records: Records, cause: str) -> str:
    """The runtime writes what was learnt: a new state."""
    before, written = records.state, f"file:{records.rng.choice(FILES)}"
    after = records.next_state(written)
    members: Json = {"state_before": before, "state_after": after, "write_set": [written]}
    return records.node("state_transaction", [(cause, "caused_by")], **members)


# --- turns -------------------------------------------------------------------------------------------------------


def _plain(records: Records, tip: str) -> str:
    decision = _decide(records, [(tip, "caused_by")])
    admission = _admit(records, decision)
    effect = _perform(records, (admission, "depends_on"), decision)
    return _commit(records, _observe(records, effect))


def _look_only(records: Records, tip: str) -> str:
    decision = _decide(records, [(tip, "caused_by")])
    effect = _perform(records, (_admit(records, decision), "depends_on"), decision)
    return _observe(records, effect, is_last=True)


def _refused(records: Records, tip: str) -> str:
    decision = _decide(records, [(tip, "caused_by")], admission="denied")
    return _observe(records, _admit(records, decision, "denied"))


def _retried(records: Records, tip: str) -> str:
    decision = _decide(records, [(tip, "caused_by")])
    failed = _perform(records, (_admit(records, decision), "depends_on"), decision, "failed")
    return _commit(records, _observe(records, _perform(records, (failed, "retries"), decision)))


def _redelivered(records: Records, tip: str) -> str:
    decision = _decide(records, [(tip, "caused_by")])
    first = _perform(records, (_admit(records, decision), "depends_on"), decision)
    seen = _observe(records, first)
    number = first.split(":")[1]
    effect: Json = {"external": True, "target": "target:sandbox", "replay": True, "replay_of": first}
    effect |= {"idempotency_key": f"key:{number}", "receipt_status": "referenced", "receipt_ref": f"receipt:{number}"}
    members: Json = {"attempt_id": records.attempt, "intent_id": decision.replace("node:", "intent:")}
    members |= {"admission": {"status": "admitted", "authority": RUNTIME}}
    records.node("effect", [(first, "redelivers")], status="replayed", **members, effect=effect)
    return _commit(records, seen)


def _recovered(records: Records, tip: str) -> str:
    decision = _decide(records, [(tip, "caused_by")])
    failed = _perform(records, (_admit(records, decision), "depends_on"), decision, "failed")
    recovery = records.node("recovery", [(failed, "recovers")], attempt_id=records.attempt)
    return _commit(records, _observe(records, recovery))


def _proposed(records: Records, tip: str) -> str:
    """A summary of the reasoning, a proposal, and the program that acts on it."""
    summary = records.node(
        "reasoning_summary", [(tip, "caused_by")], PILOT, payload={"text": records.prose.sentence(200)}
    )
    proposal = _decide(records, [(summary, "caused_by")], kind="proposal")
    effect = _perform(records, (_admit(records, proposal), "depends_on"), proposal)
    return _observe(records, effect, is_last=True)


def _forked(records: Records, tip: str) -> str:
    """Branches that know nothing of each other, and the join that waits for all of them."""
    branch = records.node("branch", [(tip, "triggered_by")])
    ends = [_look_only(records, branch) for _ in range(records.rng.randrange(2, 5))]
    return records.node("join", [(end, "joins") for end in ends])


def _delegated(records: Records, tip: str) -> str:
    delegation = records.node("delegation", [(tip, "delegates")], payload={"to": "agent:pilot"})
    inner = _plain(records, delegation)
    return records.node("callback", [(inner, "caused_by"), (delegation, "resumes")])


def _granted(records: Records, tip: str) -> str:
    grant = records.node("capability", [(tip, "triggered_by")], status="admitted", payload={"grant": CAPABILITY})
    return _plain(records, grant)


def _resumed(records: Records, tip: str) -> str:
    outside: Json = {"relation": "triggered_by", "source_id": f"wake:{records.counts['nodes']}"}
    outside["availability"] = "referenced_outside_scope"
    return records.node("resume", [(tip, "resumes")], external_parents=[outside])


def _measured(records: Records, tip: str) -> str:
    used = {"wall_seconds": round(records.rng.uniform(0.1, 90), 3), "tokens": records.rng.randrange(10**5)}
    return records.node("resource_observation", [(tip, "caused_by")], observation=used)


def _asked(records: Records, tip: str) -> str:
    return _request(records, [(tip, "triggered_by")])


def _checkpoint(records: Records, tip: str) -> str:
    """A verifier looks at what was done, a policy rewards it, the agent claims what it believes."""
    decision = _decide(records, [(tip, "caused_by")])
    effect = _perform(records, (_admit(records, decision), "depends_on"), decision)
    check = records.node("verification", [(_observe(records, effect, is_last=True), "verifies")], CHECKER)
    number, receipt = records.number("verifier_results"), effect.replace("node:", "receipt:")
    attempt, passed = records.attempt, records.rng.random() < 0.7
    result: Json = {
        "verifier_result_id": f"result:{number}",
        "verifier": VERIFIER,
        "verifier_version": VERIFIER_VERSION,
    }
    result |= {"checked_property": "the noted level is the one that the gauge gave", "scope": attempt}
    result |= {"evidence_refs": [receipt], "environment": "env:harbour-model:v2"}
    output = {"compared": number, "text": records.prose.sentence(80)}
    records.add(
        "verifier_results",
        {**result, "status": "pass" if passed else "fail", "output": output, "asserted_at_node": check},
    )
    records.number("reward_records")
    reward: Json = {"reward_id": f"reward:{number}", "policy": "level-and-cost", "policy_version": "4"}
    reward |= {"sources": [f"result:{number}"], "scope": attempt, "attribution_target": decision}
    reward |= {"signal_type": "scalar", "value": round(records.rng.random(), 4), "aggregation": "weighted_sum"}
    reward |= {"producer": "evaluator:harbour", "created_at": records.now(), "timing": "retrospective"}
    records.add("reward_records", reward)
    _claim(records, check, receipt)
    return check


def _claim(records: Records, node: str, receipt: str) -> None:
    claim: Json = {"outcome_id": f"outcome:{records.number('outcomes')}", "scope": records.attempt, "producer": PILOT}
    claim |= {"authority_class": "agent_self_report", "status": "succeeded", "terminal": False}
    records.add("outcomes", {**claim, "evidence_refs": [receipt], "asserted_at_node": node})


def _close(records: Records, tip: str) -> None:
    end = records.node("terminal", [(tip, "caused_by")], status="completed", state_before=records.state)
    last: Json = {
        "outcome_id": f"outcome:{records.number('outcomes')}",
        "scope": "objective:levels",
        "producer": RUNTIME,
    }
    last |= {"authority_class": "runtime", "status": "succeeded", "terminal": True}
    records.add(
        "outcomes",
        {**last, "evidence_refs": [f"result:{records.counts['verifier_results']}", tip], "asserted_at_node": end},
    )


TURNS: tuple[tuple[Turn, int], ...] = (
    (_plain, 52),
    (_look_only, 18),
    (_refused, 3),
    (_retried, 5),
    (_redelivered, 2),
    (_recovered, 2),
    (_proposed, 4),
    (_forked, 4),
    (_delegated, 2),
    (_granted, 2),
    (_resumed, 1),
    (_measured, 2),
    (_asked, 2),
    (_checkpoint, 1),
)
