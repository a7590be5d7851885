"""Tokens and cost: totals of the segments against their steps, each other, and result.json.

terminus-2 counts over all segments and subagents on purpose, so that totals differ from sums; what the trial as a
whole explains is no fault of a document (spec: atif.md §9.2, §12-8; decisions 3).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from attraj.findings import Related
from attraj.formats.harbor import codes
from attraj.formats.harbor.facts import Facts, Json, RunResult, child, number, objects
from attraj.formats.harbor.segments import Chain, Found, chain_of, is_whole

_TOKENS = (
    ("total_prompt_tokens", "prompt_tokens", "n_input_tokens"),
    ("total_completion_tokens", "completion_tokens", "n_output_tokens"),
    ("total_cached_tokens", "cached_tokens", "n_cache_tokens"),
)


_COUNTERS = (*((total, step) for total, step, _ in _TOKENS), ("total_cost_usd", "cost_usd"))


def check_tokens(facts: Facts) -> Iterator[Found]:
    """Totals of the segments against each other, against their steps, and against result.json."""
    for run in facts.runs:
        chain = chain_of(facts, run.run)
        if not chain.order:
            continue
        files = facts.of_run(run.run)
        totals = [child(facts.document(file), "final_metrics") for file in chain.order]
        steps = [_sum_of_steps(facts.document(file)) for file in chain.order]
        others = [_sum_of_steps(facts.document(file)) for file in files if file.role == "subagent"]
        others += [_sum_of_embedded(facts.document(file)) for file in chain.order]
        yield from _cumulative(chain, totals, steps)
        yield from _lost_turn(run, chain, totals, [*steps, *others])
        # What a missing or unreadable document would have counted is unknown, and the gap has its own finding.
        if not facts.is_simulated_user and is_whole(facts, run.run):
            yield from _against_result(run, chain, totals, steps, others)


def _cumulative(chain: Chain, totals: list[Json], steps: list[Json]) -> Iterator[Found]:
    for i in range(1, len(chain.order)):
        before, now = number(totals[i - 1], "total_prompt_tokens"), number(totals[i], "total_prompt_tokens")
        own = number(steps[i], "prompt_tokens")
        if before and now and own is not None and now >= before + own:
            yield (
                chain.order[i].path,
                codes.CUMULATIVE_TOTALS.at(
                    "/final_metrics",
                    "the totals of this segment count the earlier segments too",
                    hint="take the totals of the last segment; never add them up",
                ),
            )


def _lost_turn(run: RunResult, chain: Chain, totals: list[Json], parts: list[Json]) -> Iterator[Found]:
    total = number(totals[-1], "total_prompt_tokens")
    counted = sum(number(part, "prompt_tokens") or 0 for part in parts)
    if run.exception_type == "AgentTimeoutError" and total is not None and total > counted:
        yield (
            chain.order[-1].path,
            codes.LOST_TURN.at(
                "/final_metrics/total_prompt_tokens",
                "the totals count more than the steps: the turn in flight when the time was up was not written",
                hint="the trajectory is partial",
                related=[Related(f"{run.pointer}/exception_info", "in the trial's folder: the timeout")],
            ),
        )


def _against_result(
    run: RunResult, chain: Chain, totals: list[Json], steps: list[Json], others: list[Json]
) -> Iterator[Found]:
    result = child(run.said, "agent_result")
    for total_name, step_name, result_name in _TOKENS:
        said, total = number(result, result_name), number(totals[-1], total_name)
        if not said or not total:  # 0 stands for "not measured" in too many producers to be compared
            continue
        own = sum(number(part, step_name) or 0 for part in steps)
        whole = own + sum(number(part, step_name) or 0 for part in others)
        every_total = sum(number(part, total_name) or 0 for part in totals)
        if said not in (total, own, whole, every_total):
            yield (
                chain.order[-1].path,
                codes.TOKENS_MISMATCH.at(
                    f"/final_metrics/{total_name}",
                    "the totals agree with result.json neither as they stand nor added up over segments and subagents",
                    related=[
                        Related(f"{run.pointer}/agent_result/{result_name}", "in the trial's folder: result.json")
                    ],
                ),
            )
            return  # one record disagrees with the other: the further counters are the same fault


def _sum_of_steps(document: Json) -> Json:
    sums: Json = {}
    for _, step in objects(document.get("steps")):
        metrics = step.get("metrics")
        if type(metrics) is dict and step.get("is_copied_context") is not True:
            for _, name in _COUNTERS:
                value = number(metrics, name)
                if value is not None:
                    sums[name] = sums.get(name, 0) + value
    return sums


def _sum_of_embedded(document: Json) -> Json:
    sums: Json = {}
    waiting = [found for _, found in objects(document.get("subagent_trajectories"))]
    while waiting:
        embedded = waiting.pop()
        for name, value in _sum_of_steps(embedded).items():
            sums[name] = sums.get(name, 0) + value
        waiting += [found for _, found in objects(embedded.get("subagent_trajectories"))]
    return sums


# --- what the trial explains -------------------------------------------------------------------------------------


def explained_totals(facts: Facts) -> frozenset[str]:
    """Paths of the trajectories whose totals differ from their own steps' sums and are right with the trial in view.

    They are: the document's steps and the run's subagents; the same with all earlier segments; or more than that, when
    the turn in flight at a timeout was not written.
    """
    found: set[str] = set()
    for run in facts.runs:
        files = facts.of_run(run.run)
        others = _added([_sum_of_steps(facts.document(file)) for file in files if file.role == "subagent"])
        earlier: Json = {}
        chain = chain_of(facts, run.run)
        for file in chain.order:
            own = _added([_sum_of_steps(facts.document(file)), _sum_of_embedded(facts.document(file))])
            until_here = _added([earlier, own])
            candidates = [own, _added([own, others]), until_here, _added([until_here, others])]
            totals = child(facts.document(file), "final_metrics")
            has_lost_turn = run.exception_type == "AgentTimeoutError" and file is chain.order[-1]
            if any(_agree(totals, sums, has_lost_turn) for sums in candidates):
                found.add(file.path)
            earlier = until_here
    return frozenset(found)


def _agree(totals: Json, sums: Json, has_lost_turn: bool) -> bool:
    for total_name, name in _COUNTERS:
        total, summed = number(totals, total_name), number(sums, name) or 0
        if total is None or math.isclose(total, summed, rel_tol=1e-9, abs_tol=1e-12):
            continue
        if not (has_lost_turn and total > summed):
            return False
    return True


def _added(parts: list[Json]) -> Json:
    sums: Json = {}
    for part in parts:
        for name, value in part.items():
            sums[name] = sums.get(name, 0) + value
    return sums
