"""What a trial's trajectories claim, against result.json and against each other.

Source: spec decisions 38; spec: atif.md §9.2, §10 (U01, U02, U05).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from attraj.findings import Related, Severity
from attraj.formats.harbor import codes
from attraj.formats.harbor.facts import Facts, Json, RunResult, child, moment, objects, text
from attraj.formats.harbor.layout import TrajectoryFile
from attraj.formats.harbor.records import at
from attraj.formats.harbor.segments import Chain, Found, chain_of

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
    yield from _again(facts, chain.order)


def _resumed(facts: Facts) -> Iterator[Found]:
    """Steps of a later step's trajectory that an earlier step's already had (resume_trajectory copies the session)."""
    mains = [f for f in facts.trial.trajectories if f.role == "main" and f.step]
    mains.sort(key=lambda f: facts.step_names.get(f.step, len(facts.step_names)))
    yield from _again(facts, mains)


def _again(facts: Facts, files: list[TrajectoryFile]) -> Iterator[Found]:
    seen = _Seen()
    for file in files if len(files) > 1 else []:
        steps = objects(facts.document(file).get("steps"))
        yield from _repeats(file, steps, seen)
        for i, step in steps:
            seen.add(file, i, step)


_Key = tuple[str | None, str | None, str | None]
_CANDIDATES = 4  # of one speaker, time and text; a step that is said again and again is no copy of the fifth


class _Seen:
    """The steps of earlier trajectories, found again by their content."""

    def __init__(self) -> None:
        self._steps: dict[_Key, list[tuple[TrajectoryFile, int, Json]]] = {}

    def add(self, file: TrajectoryFile, position: int, step: Json) -> None:
        candidates = self._steps.setdefault(_key(step), [])
        if len(candidates) < _CANDIDATES:
            candidates.append((file, position, step))

    def find(self, step: Json) -> Related | None:
        """Where a step with the same content stood."""
        for file, position, earlier in self._steps.get(_key(step), ()):
            if all(step.get(name) == earlier.get(name) for name in _CONTENT):
                return Related(f"{at(file.path)}/steps/{position}", f"in the trial's folder: {file.title}")
        return None


# What makes a step the same step: who, what, when; not how it is numbered or measured.
_CONTENT = ("source", "timestamp", "message", "reasoning_content", "tool_calls", "observation")


def _key(step: Json) -> _Key:
    return text(step, "source"), text(step, "timestamp"), text(step, "message")


def _repeats(file: TrajectoryFile, steps: list[tuple[int, Json]], seen: _Seen) -> Iterator[Found]:
    # An agent that says the same thing twice is no copy: the time, or the whole beginning, has to agree as well.
    is_leading = True
    repeated: list[tuple[int, Json, Related]] = []
    for i, step in steps:
        is_marked = step.get("is_copied_context") is True
        earlier = None if is_marked else seen.find(step)
        is_leading = is_leading and (is_marked or earlier is not None)
        if earlier is not None and (is_leading or text(step, "timestamp")):
            repeated.append((i, step, earlier))
    has_agent = any(step.get("source") == "agent" for _, step, _ in repeated)
    if not has_agent or (len(repeated) < 2 and not text(repeated[0][1], "timestamp")):
        return
    first, _, earlier_place = repeated[0]
    yield (
        file.path,
        codes.REPEATED_STEPS.at(
            f"/steps/{first}",
            f"{len(repeated)} steps stood in an earlier trajectory of the trial and are not marked as copied",
            hint="set is_copied_context on them: else they are counted, and trained on, twice",
            related=[earlier_place],
        ),
    )
