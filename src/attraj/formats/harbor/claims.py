"""What a trial's trajectories claim, against result.json and against each other.

Source: spec decisions 38; spec: atif.md §9.2, §10 (U01, U02, U05).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from hashlib import blake2b

from attraj.findings import Related, Severity
from attraj.formats.harbor import codes
from attraj.formats.harbor.facts import Facts, Json, RunResult, child, moment, number, objects, text
from attraj.formats.harbor.layout import TrajectoryFile
from attraj.formats.harbor.records import at
from attraj.formats.harbor.segments import Chain, Found, chain_of, is_whole

# Clocks of a sandbox and its host drift by seconds; a converter stamps a step while the trial ends.
_TOLERANCE = timedelta(minutes=1)


def check_claims(facts: Facts) -> Iterator[Found]:
    """Time window, sessions, names, repeated steps and document ids of every run."""
    for run in facts.runs:
        chain = chain_of(facts, run.run)
        files = facts.of_run(run.run)
        for file in files:
            if file.role != "bridge":
                yield from _window(facts, run, file)
        yield from _sessions(facts, chain, files)
        yield from _agent(facts, chain)
        yield from _repeated(facts, chain)
    yield from _resumed(facts)
    yield from _ids(facts)


# --- time --------------------------------------------------------------------------------------------------------


def _window(facts: Facts, run: RunResult, file: TrajectoryFile) -> Iterator[Found]:
    span = _span(facts, run)
    if span is None:
        return
    started, finished = span[0] - _TOLERANCE, span[1] + _TOLERANCE
    steps = objects(facts.document(file).get("steps"))
    outside = [
        i
        for i, step in steps
        if step.get("is_copied_context") is not True
        and (stamp := moment(step.get("timestamp"))) is not None
        and not started <= stamp <= finished
    ]
    if outside:
        hint = (
            "steps of another session may have been merged into this trajectory (a warm sandbox, a shared log folder)"
        )
        if facts.is_derived:
            hint = "config.json says that an earlier trajectory was carried over"
        yield (
            file.path,
            codes.OUTSIDE_WINDOW.at(
                f"/steps/{outside[0]}/timestamp",
                f"{len(outside)} of {len(steps)} steps lie more than a minute outside the time in which the agent ran",
                hint=hint,
                severity=Severity.INFO if facts.is_derived else None,
                related=[Related(f"/steps/{outside[-1]}/timestamp", "the last of them")] if len(outside) > 1 else (),
            ),
        )


def _span(facts: Facts, run: RunResult) -> tuple[datetime, datetime] | None:
    """From the start of the agent's run to the end of the trial, where converters stamp what has no time."""
    execution = child(run.said, "agent_execution")
    started = moment(execution.get("started_at"))
    finished = moment(facts.result.get("finished_at")) or moment(execution.get("finished_at"))
    if run.run.step:
        # The next step of the task has a window of its own.
        finished = moment(child(run.said, "verifier").get("finished_at")) or moment(execution.get("finished_at"))
    return (started, finished) if started is not None and finished is not None else None


# --- who ---------------------------------------------------------------------------------------------------------


def _sessions(facts: Facts, chain: Chain, files: list[TrajectoryFile]) -> Iterator[Found]:
    main = chain.order[0] if chain.order and chain.order[0].role == "main" else None
    session = text(facts.document(main), "session_id") if main is not None else None
    if not session or main is None:
        return
    for file in files:
        tree = facts.document(file)
        own = text(tree, "session_id")
        parent = text(child(tree, "agent", "extra"), "parent_session_id")
        if own is None or file.role == "bridge" or own == session or own.startswith(session + "-") or parent == session:
            continue
        yield (
            file.path,
            codes.FOREIGN_SESSION.at(
                "/session_id",
                "the document belongs to another session than the trial's trajectory.json",
                hint="a file of another run may have been left in the agent's folder",
                related=[Related(at(main.path), "in the trial's folder: trajectory.json")],
            ),
        )


def _agent(facts: Facts, chain: Chain) -> Iterator[Found]:
    info = child(facts.result, "agent_info")
    if facts.is_simulated_user:
        return
    for file in chain.order:
        agent = child(facts.document(file), "agent")
        name, version = text(agent, "name"), text(agent, "version")
        related = [Related("/result.json/agent_info", "in the trial's folder: result.json")]
        if name and text(info, "name") and name != text(info, "name"):
            message = "result.json names another agent than the trajectory"
            yield file.path, codes.AGENT_NAME_MISMATCH.at("/agent/name", message, related=related)
        elif _is_known(version) and _is_known(text(info, "version")) and version != text(info, "version"):
            message = "result.json gives another version of the agent than the trajectory"
            yield file.path, codes.AGENT_VERSION_MISMATCH.at("/agent/version", message, related=related)


def _is_known(version: str | None) -> bool:
    return version not in (None, "", "unknown")


def _ids(facts: Facts) -> Iterator[Found]:
    first: dict[str, TrajectoryFile] = {}
    for file in facts.trial.trajectories:
        own = text(facts.document(file), "trajectory_id")
        if own is None:
            continue
        if own in first:
            message = "two documents of the trial have the same trajectory_id, which names one document"
            related = [Related(at(first[own].path), f"in the trial's folder: {first[own].title}")]
            yield file.path, codes.SHARED_TRAJECTORY_ID.at("/trajectory_id", message, related=related)
        first.setdefault(own, file)


# --- repeated steps ----------------------------------------------------------------------------------------------


def _repeated(facts: Facts, chain: Chain) -> Iterator[Found]:
    """Steps of a continuation that stood in an earlier segment and are not marked as copied."""
    seen: dict[bytes, Related] = {}
    for file in chain.order:
        steps = objects(facts.document(file).get("steps")) if len(chain.order) > 1 else []
        keys = [(i, step, _content(step)) for i, step in steps]
        if seen:
            yield from _repeats(file, keys, seen)
        for i, _, key in keys:
            seen.setdefault(key, Related(f"{at(file.path)}/steps/{i}", f"in the trial's folder: {file.title}"))


def _resumed(facts: Facts) -> Iterator[Found]:
    """Steps of a later step's trajectory that an earlier step's already had (resume_trajectory copies the session)."""
    mains = [f for f in facts.trial.trajectories if f.role == "main" and f.step]
    mains.sort(key=lambda f: facts.step_names.get(f.step, len(facts.step_names)))
    seen: dict[bytes, Related] = {}
    for file in mains if len(mains) > 1 else []:
        keys = [(i, step, _content(step)) for i, step in objects(facts.document(file).get("steps"))]
        if seen:
            yield from _repeats(file, keys, seen)
        for i, _, key in keys:
            seen.setdefault(key, Related(f"{at(file.path)}/steps/{i}", f"in the trial's folder: {file.title}"))


def _repeats(file: TrajectoryFile, keys: list[tuple[int, Json, bytes]], seen: dict[bytes, Related]) -> Iterator[Found]:
    # An agent that says the same thing twice is no copy: the time, or the whole beginning, has to agree as well.
    is_leading = True
    repeated: list[tuple[int, Json, bytes]] = []
    for i, step, key in keys:
        is_old = key != b"" and key in seen
        is_leading = is_leading and (is_old or step.get("is_copied_context") is True)
        if is_old and step.get("is_copied_context") is not True and (is_leading or text(step, "timestamp")):
            repeated.append((i, step, key))
    agent_steps = [i for i, step, _ in repeated if step.get("source") == "agent"]
    if not agent_steps or (len(repeated) < 2 and not text(repeated[0][1], "timestamp")):
        return
    first, _, key = repeated[0]
    yield (
        file.path,
        codes.REPEATED_STEPS.at(
            f"/steps/{first}",
            f"{len(repeated)} steps stood in an earlier trajectory of the trial and are not marked as copied",
            hint="set is_copied_context on them: else they are counted, and trained on, twice",
            related=[seen[key]],
        ),
    )


def _content(step: Json) -> bytes:
    """A digest of what makes a step the same step (who, what, when; not how it is numbered or measured), or b""."""
    members = ("source", "timestamp", "message", "reasoning_content", "tool_calls", "observation")
    kept = {name: step[name] for name in members if step.get(name) is not None}
    try:
        return blake2b(json.dumps(kept, sort_keys=True).encode(), digest_size=16).digest()
    except ValueError:  # an integer of more digits than Python writes out: no evidence of anything
        return b""


# --- numbers -----------------------------------------------------------------------------------------------------

_TOKENS = (
    ("total_prompt_tokens", "prompt_tokens", "n_input_tokens"),
    ("total_completion_tokens", "completion_tokens", "n_output_tokens"),
    ("total_cached_tokens", "cached_tokens", "n_cache_tokens"),
)


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
            for _, name, _ in _TOKENS:
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
