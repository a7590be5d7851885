"""`info` → how a trajectory ended, what it submitted, what it cost, what a reviewer thought of it.

That a run was submitted is the agent's claim to be done; whether the task was solved is not in a `.traj`. Spec:
traj.md §1.7, §1.8, §7.1.
"""

from __future__ import annotations

from attraj.bundle.markers import unavailable
from attraj.formats.mapping.draft import SUBMITTED
from attraj.formats.mapping.fields import At, Json
from attraj.formats.mapping.holds import is_number
from attraj.formats.swe_agent.ending import AGENT_REPORT, RUNTIME_REPORT, Ending, ending_of
from attraj.formats.swe_agent.places import SUGGESTED_TOTALS, is_status
from attraj.formats.swe_agent.scene import AGENT, RUNTIME, Scene
from attraj.formats.swe_agent.values import child

REVIEWER, REVIEW_POLICY = "verifier:swe-agent-reviewer", "swe-agent score reviewer"
_ORIGIN = "litellm counter"
_COUNTERS = ("instance_cost", "tokens_sent", "tokens_received", "api_calls")


def read_ending(scene: Scene, subject: str) -> bool:
    """The end of one trajectory; gives whether the source says that there was one.

    Args:
        subject: What the outcome is about: the attempt, or the Bundle itself.
    """
    info = scene.unit.info
    at = (*scene.at, "info")
    evidence = [scene.last] if scene.last else []
    status = info.get("exit_status")
    if type(info.get("submission")) is str and info["submission"]:
        evidence.insert(0, _read_submission(scene, at, has_outcome=is_status(status)))
    if status is None:
        return False
    if not is_status(status):  # it says that there was an end, and no more (spec: traj.md §7.1)
        detail = "the exit status is neither a text nor a number: how the run ended is not known"
        scene.draft.lose("unread-exit-status", "call_success_vs_outcome", "dropped", (*at, "exit_status"), detail)
        return True
    ending = ending_of(status) if type(status) is str else Ending(RUNTIME_REPORT, "unknown")
    outcome_id = scene.id("outcome")
    outcome: Json = {
        "outcome_id": outcome_id,
        "scope": [subject],
        "producer": AGENT if ending.authority == AGENT_REPORT else RUNTIME,
        "authority_class": ending.authority,
        "status": ending.status,
        "terminal": True,
        "evidence_refs": evidence,
        **scene.take("ending", outcome_id, at, info),
    }
    if scene.last:
        outcome["asserted_at_node"] = scene.last
    else:
        outcome["asserted_at"] = {"kind": "end of the run"}
    scene.draft.outcomes.append(outcome)
    detail = "how the loop ended is not whether the task was solved"
    scene.draft.lose("exit-status", "call_success_vs_outcome", "approximated", (*at, "exit_status"), detail)
    return True


def _read_submission(scene: Scene, at: At, *, has_outcome: bool) -> str:
    node_id = scene.id("submission")
    last = scene.last
    members = scene.take("submission", node_id, at, scene.unit.info)
    if not has_outcome:  # which would name it as what it rests on
        members["status"] = SUBMITTED
    scene.node(node_id, "evidence", RUNTIME, "runtime", members, (*at, "submission"))
    scene.last = last
    return node_id


# --- counters ----------------------------------------------------------------------------------------------------


def read_totals(scene: Scene, at: At, stats: object) -> None:
    """The counters of the whole file, in `scope.resources`."""
    if _measures(scene, at, stats):
        members = scene.take("totals", "", at, stats)
        scene.draft.scope["resources"] = members["scope"]["resources"]
        scene.draft.scope["resources"]["observed"]["origin"] = _ORIGIN


def read_suggested_totals(scene: Scene, info: Json) -> None:
    """Totals as a note suggests them, where the counters of SWE-agent are not there (decisions 35)."""
    if "model_stats" in info or not any(is_number(info.get(name)) and info[name] for name in SUGGESTED_TOTALS):
        return
    members = scene.take("totals_in_info", "", ("info",), info)
    scene.draft.scope["resources"] = members["scope"]["resources"]
    scene.draft.scope["resources"]["observed"]["origin"] = "unknown"
    scene.draft.lose("counted-tokens", "usage", "approximated", ("info",), "who counted the totals is not recorded")


def read_usage(scene: Scene, node_id: str, at: At, stats: object, topic: str = "") -> None:
    """The counters of one attempt, or of the loop around the attempts."""
    if _measures(scene, at, stats):
        members = scene.take("usage", node_id, at, stats)
        members["payload"]["usage"]["origin"] = _ORIGIN
        if topic:
            members["topic"] = topic
        scene.node(node_id, "resource_observation", RUNTIME, "runtime", members, at)


def _measures(scene: Scene, at: At, stats: object) -> bool:
    """Whether counters are there and count something: where all are zero, a replay or a person wrote the turns."""
    numbers = [stats.get(name) for name in _COUNTERS] if type(stats) is dict else []
    numbers = [number for number in numbers if is_number(number)]
    if not any(numbers):
        if numbers:
            detail = "every counter is zero, which is no measurement"
            scene.draft.lose("zero-statistics", "usage", "dropped", at, detail)
        return False
    detail = "tokens are litellm's local count, not what a provider has measured"
    scene.draft.lose("counted-tokens", "usage", "approximated", at, detail)
    return True


# --- reviews -----------------------------------------------------------------------------------------------------


def read_review(scene: Scene, subject: str) -> None:
    """What a reviewer thought of one trajectory: a score without a threshold passes and fails nothing."""
    review = child(scene.unit.info, "review")
    if not review:
        return
    at = (*scene.at, "info", "review")
    result_id, reward_id = scene.id("review"), scene.id("score")
    result: Json = {
        "verifier_result_id": result_id,
        "verifier": REVIEWER,
        "verifier_version": unavailable("the source does not say which model reviewed"),
        "checked_property": "what a reviewing model thinks of the attempt",
        "scope": [subject],
        "evidence_refs": [scene.last] if scene.last else [],
        "environment": unavailable("a model's opinion: nothing was run"),
        "status": "indeterminate",
        "output": None,
    }
    scene.draft.verifier_results.append({**result, **scene.take("review", result_id, at, review)})
    if not is_number(review.get("accept")):
        return
    reward: Json = {
        "reward_id": reward_id,
        "policy": REVIEW_POLICY,
        "policy_version": unavailable("not recorded by the source"),
        "sources": [result_id],
        "scope": [subject],
        "attribution_target": subject,
        "signal_type": "scalar",
        "producer": REVIEWER,
        "created_at": unavailable("the source has no times"),
        "timing": "online",
    }
    scene.draft.reward_records.append({**reward, **scene.take("score", reward_id, at, review)})
    detail = "a reviewer's score is a signal of the run; no threshold says what passes"
    scene.draft.lose("review-score", "verifier_vs_reward", "approximated", (*at, "accept"), detail)
