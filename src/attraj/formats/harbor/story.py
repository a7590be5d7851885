"""What is counted of a Harbor trial: one run, however many files tell it.

Tokens and cost are those of the trial's own account. Where it has none they are unknown, unless a single trajectory
tells the whole run: totals of segments are running totals of all of them, and are never added (spec: atif.md §9.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from attraj.formats.atif.story import Run as Counted
from attraj.formats.atif.story import known_version
from attraj.formats.harbor.exceptions import POLICIES
from attraj.formats.harbor.facts import Facts as TrialFacts
from attraj.formats.harbor.facts import child, objects, text
from attraj.formats.harbor.layout import Trial
from attraj.formats.harbor.segments import chain_of
from attraj.formats.story import Facts, Json, Tokens, count, number
from attraj.jsonio import Document

ENDED_BY_ITSELF = "finished"
OPEN = "open: no end is recorded"
OTHER_EXCEPTION = "an exception of another type"
_COUNTS = ("n_input_tokens", "n_output_tokens", "n_cache_tokens")


def facts(trial: Trial, documents: Mapping[str, Document], *, release: str | None = None) -> Facts:
    """What is counted of one trial.

    Args:
        trial: From `read_trial`.
        documents: Its trajectories by their path in `trial.trajectories`; one that cannot be read is missing here,
            and what would have to be counted in it is unknown then.
        release: The Harbor release, which only the lock.json of its job names.
    """
    said = TrialFacts(trial, documents)
    run = _counted(said)
    accounts = _accounts(said)
    sums = [_sum(accounts, name) for name in _COUNTS]
    result = said.result
    rewards = child(result, "verifier_result", "rewards")
    valid = result.get("reward_valid")
    found = Facts(
        "harbor",
        release,
        said.agent_name,
        known_version(text(child(result, "agent_info"), "version")),
        _models(said) or (run.models if run is not None else ()),
        run.steps if run is not None else None,
        run.calls if run is not None else None,
        _subagents(said, run),
        Tokens(sums[0], sums[1], sums[2], basis="agent_result") if any(s is not None for s in sums) else Tokens(),
        _cost(accounts),
        rewards=tuple((key, number(value)) for key, value in rewards.items()),
        outcomes=(("runtime", _word(said)),) if result else (),
        termination=_termination(said),
        reward_valid=valid if type(valid) is bool else None,
    )
    return _with_totals(found, said, run)


def _counted(said: TrialFacts) -> Counted | None:
    """The steps of all runs and segments; None where a file is missing, or a later step repeats an earlier one."""
    run = Counted()
    files = 0
    agents = child(said.config, "agent"), child(said.lock, "agent")
    if said.trial.is_multi_step and any(agent.get("resume_trajectory") for agent in agents):
        return None
    for one in said.trial.runs:
        for file in chain_of(said, one).order:
            tree = said.document(file)
            if not tree:
                return None
            files += 1
            run.add(tree)
    return run if files else None


def _accounts(said: TrialFacts) -> list[Json]:
    """What the trial says that its agent used: once, or step by step. A simulated user's account is not the agent's."""
    if said.is_simulated_user:
        return []
    steps = [step for _, step in objects(said.result.get("step_results"))]
    if said.trial.is_multi_step and steps and not child(said.result, "agent_result"):
        return [child(step, "agent_result") for step in steps]
    return [child(said.result, "agent_result")]


def _sum(accounts: list[Json], name: str) -> int | None:
    values = [count(account.get(name)) for account in accounts]
    if name != "n_cache_tokens":
        values = [value or None for value in values]  # 0 is what an agent leaves that counted nothing
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None


def _cost(accounts: list[Json]) -> float | int | None:
    values = [number(account.get("cost_usd")) for account in accounts]
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None


def _models(said: TrialFacts) -> tuple[str, ...]:
    info = child(said.result, "agent_info", "model_info")
    name, provider = text(info, "name"), text(info, "provider")
    if name:
        return (f"{provider}/{name}" if provider else name,)
    asked = text(child(said.config, "agent"), "model_name")
    return (asked,) if asked else ()


def _subagents(said: TrialFacts, run: Counted | None) -> int:
    files = sum(1 for file in said.trial.trajectories if file.role == "subagent")
    return files + (run.subagents if run is not None else 0)


def _word(said: TrialFacts) -> str:
    if said.result.get("finished_at") is None:
        return "open"
    return "exception" if said.exceptions else "finished"


def _termination(said: TrialFacts) -> str | None:
    """The type of the exception that ended the trial, when it is one of Harbor's own words."""
    if not said.result:
        return None if said.trial.result is not None else OPEN
    if said.exceptions:
        names = dict.fromkeys(_exceptions(said))
        return ", ".join(names)
    return OPEN if said.result.get("finished_at") is None else ENDED_BY_ITSELF


def _exceptions(said: TrialFacts) -> Iterator[str]:
    for _, name in said.exceptions:
        yield name if name in POLICIES else OTHER_EXCEPTION


def _with_totals(found: Facts, said: TrialFacts, run: Counted | None) -> Facts:
    """The totals of the one trajectory that tells the whole run, where the trial's own account has none."""
    if run is None or run.copied or len(said.trial.trajectories) != 1:
        return found
    tree = said.document(said.trial.trajectories[0])
    if tree.get("continued_trajectory_ref") is not None or said.is_derived:
        return found
    final = child(tree, "final_metrics")
    if not found.tokens.basis:
        found = replace(found, tokens=run.tokens(final))
    if found.cost_usd is None:
        found = replace(found, cost_usd=number(final.get("total_cost_usd")))
    return found
