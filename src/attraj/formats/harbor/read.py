"""A trial's folder → one Bundle for each of its runs: the trial itself, or each step of a multi-step trial.

The small files give bindings, ends, results and rewards; the trajectories of the run give its nodes, the first of
them on the main thread and each other one on a thread of its own. Harbor's folders are read and never written.

    places.py         which value of which small file stands where
    material.py       the files of a run while its Bundle is made
    read_bindings.py  task, environment, harness, agent, model, verifier; budget and use
    read_outcome.py   how it ended, by the runtime and by the agent's own word
    read_rewards.py   verifier results and reward records

Source: spec atif.md §5.7; decisions 9 to 11, 16, 21.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from attraj.formats.atif.read import read_into
from attraj.formats.atif.read_links import link
from attraj.formats.harbor.facts import Facts, RunResult, child, text
from attraj.formats.harbor.layout import Run, TrajectoryFile
from attraj.formats.harbor.material import OTHER_STEP, Material, told
from attraj.formats.harbor.places import PLACES
from attraj.formats.harbor.read_bindings import close_bindings, read_bindings, read_resources
from attraj.formats.harbor.read_outcome import read_outcome, read_self_report
from attraj.formats.harbor.read_rewards import read_verification
from attraj.formats.harbor.records import at
from attraj.formats.harbor.segments import by_name, chain_of, look_up, references_of
from attraj.formats.mapping.draft import Draft, Settings
from attraj.formats.mapping.fields import Json, merged
from attraj.jsonio import MISSING, Document
from attraj.limits import DEFAULT_LIMITS, Limits

__all__ = ["PLACES", "files_of", "parts_of", "read_run"]

_OTHER = "another step of the trial: it stands in a Bundle of its own"
_SUMMARIZATION = re.compile(r"summarization-\d{1,9}-(?:summary|questions|answers)").fullmatch


def parts_of(facts: Facts) -> list[RunResult]:
    """The runs that are a Bundle each, in the order of result.json; steps that only result.json knows among them."""
    if not facts.trial.is_multi_step and not facts.step_names:
        return facts.runs
    known = {run.run.step: run for run in facts.runs}
    found = [known[name] if name in known else _without_folder(facts, name) for name in facts.step_names]
    root = known.get("")
    found += [run for name, run in known.items() if name and name not in facts.step_names]
    has_own = root is not None and bool(facts.of_run(root.run))
    return [root, *found] if root is not None and (has_own or not found) else found


def _without_folder(facts: Facts, name: str) -> RunResult:
    position = facts.step_names[name]
    said = facts.result["step_results"][position]
    return RunResult(Run(name, f"steps/{name}/"), said, f"/result.json/step_results/{position}")


def read_run(
    facts: Facts,
    run: RunResult,
    settings: Settings,
    *,
    release: str = "",
    limits: Limits = DEFAULT_LIMITS,
) -> Draft:
    """One run as a Bundle in the making.

    Args:
        facts: The trial with its trajectories, and with what these name besides (`segments.further_files`); files that
            give no JSON value are missing from it.
        run: One of `parts_of`.
        settings: Identity and edges; the identity given is the trial's, to which a step adds its name.
        release: The Harbor release, which only the lock.json of the job names.
        limits: For the files of the verifier, which are read here.
    """
    identity = _identity(facts, run, settings)
    draft = Draft("harbor", replace(settings, trajectory_id=identity))
    material = Material(draft, facts, run, identity, release, _is_last(facts, run.run), limits)
    _open_records(material)
    material.list_files()
    _envelope(material)
    read_bindings(material)
    read_resources(material)
    read_outcome(material)
    read_verification(material)
    read_self_report(material, _read_trajectories(material))
    close_bindings(material)
    _lineage(material)
    return draft


def _identity(facts: Facts, run: RunResult, settings: Settings) -> str:
    """The trial's UUID and the step (decisions 16); where there is none, the place where the folder lies."""
    own = settings.trajectory_id or text(facts.result, "id") or f"at:harbor:{settings.name or facts.trial.name}"
    return f"{own}:{run.run.step}" if run.run.step else own


def _is_last(facts: Facts, run: Run) -> bool:
    """Whether what is said of the whole trial belongs to this run: its only one, or the last step with a result."""
    names = list(facts.step_names) or [one.step for one in facts.trial.runs if one.step]
    return not names or run.step == names[-1]


def _open_records(material: Material) -> None:
    """The three small files as sources. Steps that have Bundles of their own are left out of this one's residue."""
    trial = material.facts.trial
    for name, document in (("result.json", trial.result), ("config.json", trial.config), ("lock.json", trial.lock)):
        if name in material.facts.unread:
            material.draft.omit("file", f"{name} cannot be read")
        reading = material.open(name, document)
        if reading is not None and name == "result.json" and material.is_step:
            steps = material.facts.result.get("step_results")
            others = [i for i in range(len(steps) if type(steps) is list else 0) if (i,) != material.said_at[1:]]
            reading.taken.update({("step_results", i): OTHER_STEP for i in others})
            for i in others:
                material.lose("other-step", "other", "dropped", name, ("step_results", i), _OTHER)
            if others:
                material.draft.omit("steps of the trial", "each step is a Bundle of its own", len(others))
    for name in ("reward.json", "ctrf.json"):
        material.open_verifier_file(name)


def _envelope(material: Material) -> None:
    draft = material.draft
    draft.source["implementation"] = f"harbor@{material.release}" if material.release else "harbor"
    part = "one of its steps" if material.is_step else "its run"
    draft.scope["selection"] = f"everything that the trial's folder says of {part}"
    members = material.take("result", "", "result.json")
    if material.said_at:
        members = merged(members, material.take("step", "", "result.json", *material.said_at))
    draft.members = merged(draft.members, members)
    agent = child(material.facts.config, "agent")
    if agent.get("include_logs") or agent.get("exclude_logs"):
        draft.reasons.append("the agent's log files were filtered by the trial's own settings")
    draft.reasons.append("logs and what the agent left are named and not included")
    draft.reasons.append("what earlier attempts of a retried trial left is not kept by Harbor")


# --- trajectories ------------------------------------------------------------------------------------------------


def _read_trajectories(material: Material) -> list[Json]:
    """Read every trajectory of the run and link them; gives the nodes of the agent's last segment."""
    draft, facts = material.draft, material.facts
    threads: dict[str, str] = {}
    nodes: dict[str, list[Json]] = {}  # of the agent's own thread in each segment
    last: list[Json] = []
    listed = list(_threads(facts, material.run.run))
    for file, thread in listed:
        document = facts.documents.get(file.path)
        if document is None or not document.is_readable or type(document.tree) is not dict:
            draft.omit("trajectory", "a trajectory of the run cannot be read")
            continue
        threads[file.path] = thread
        first = len(draft.nodes)
        prefix = f"{thread}/" if thread else ""
        draft.file = told(file.path, len(draft.source.get("artifacts", ())))
        name = file.path.rpartition("/")[2]
        reading = read_into(draft, document.tree, document.raw, name, thread=thread, prefix=prefix)
        draft.file = ""
        reading.part = thread
        material.files[file.path] = reading.artifact
        _count_redacted(material, document)
        if file.role in ("main", "continuation"):
            last = [node for node in draft.nodes[first:] if node.get("thread_id", "") == thread]
            nodes[file.path] = last
    link(draft, _files(facts, threads))
    _go_by_names(material, nodes)
    if not draft.nodes:  # nothing was read that could hold any of it: logs are listed, and not looked at
        draft.disclosure |= dict.fromkeys(("private_reasoning", "user_content", "raw_event_payloads"), "unknown")
    if not facts.unread.isdisjoint(file.path for file, _ in listed):
        draft.reasons.append("a trajectory of the run cannot be read")  # which is not that there is none
    elif not last:
        draft.reasons.append("the run has no trajectory")
        draft.omit("trajectory", "the run left no trajectory.json")
    return last


_BY_NAME = "only its name says that a segment is a continuation"


def _go_by_names(material: Material, nodes: Mapping[str, list[Json]]) -> None:
    """Continuations that no segment refers to follow by their number, and with a word on it (atif.md §12-5)."""
    draft = material.draft
    for file, before in by_name(material.facts, material.run.run):
        if file.path not in nodes:
            continue
        draft.lose("continuation-by-name", "order_vs_causality", "approximated", f"{at(file.path)}/steps", _BY_NAME)
        draft.reasons.append(_BY_NAME)
        earlier = nodes.get(before.path, []) if before is not None else []
        if earlier and nodes[file.path]:
            draft.edge(earlier[-1]["node_id"], nodes[file.path][0]["node_id"], "turn_order", "resumes")
        else:
            draft.omit("continuation", "which segment a continuation follows is not recorded", 1)


def files_of(facts: Facts, run: Run) -> list[str]:
    """Paths of the trajectories of a run, in the order in which they are read."""
    return [file.path for file, _ in _threads(facts, run)]


def _threads(facts: Facts, run: Run) -> Iterator[tuple[TrajectoryFile, str]]:
    """Each trajectory of the run with its thread, in the order in which they are read: the agent's segments first."""
    counts: dict[str, int] = {}
    segments = chain_of(facts, run).order
    named = [look_up(facts, file.path, one)[1] for file in segments for one in references_of(facts, file)]
    others = [file for file in facts.of_run(run) if file.role not in ("main", "continuation")]
    others.sort(key=lambda file: named.index(file.path) if file.path in named else len(named))
    if _is_last(facts, run):
        others += [file for file in facts.trial.trajectories if file.role == "user-agent"]
    for file in [*segments, *others, *_further(facts, run)]:
        yield file, "" if file.role == "main" else _thread(file, counts)


def _thread(file: TrajectoryFile, counts: dict[str, int]) -> str:
    """A name of ours, told by what Harbor calls the file where it follows Harbor's pattern, else by its position."""
    rest = file.path.rpartition("/")[2].removeprefix("trajectory.").removesuffix(".json")
    counts[file.role] = counts.get(file.role, 0) + 1
    if file.role == "continuation" and rest == f"cont-{file.number}":
        return rest
    if file.role == "subagent" and _SUMMARIZATION(rest):
        return rest
    return f"{file.role}-{counts[file.role]}"


def _further(facts: Facts, run: Run) -> list[TrajectoryFile]:
    """Files that trajectories of this run name and that do not stand where Harbor puts them."""
    listed = {file.path for file in facts.trial.trajectories}
    found: dict[str, TrajectoryFile] = {}
    pending = facts.of_run(run)
    while pending:
        file = pending.pop(0)
        for reference in references_of(facts, file):
            target = look_up(facts, file.path, reference)[1]
            if target in facts.documents and target not in listed and target not in found:
                found[target] = TrajectoryFile(target, "subagent", run.step)
                pending.append(found[target])
    return [found[path] for path in sorted(found)]


def _files(facts: Facts, threads: Mapping[str, str]) -> dict[str, str]:
    """What the trajectories write as references → thread. A text that leads to two files leads to none."""
    found: dict[str, set[str]] = {}
    for path in threads:
        for reference in references_of(facts, TrajectoryFile(path, "main")):
            target = look_up(facts, path, reference)[1]
            if target in threads:
                found.setdefault(reference, set()).add(threads[target])
    return {reference: leads.pop() for reference, leads in found.items() if len(leads) == 1}


def _count_redacted(material: Material, document: Document) -> None:
    """What Harbor's own scrubbing took (from 0.20): it leaves a word and no record (atif.md §8)."""
    count = document.raw.count(b"[REDACTED]") if document.tree is not MISSING else 0
    if count:
        reason = "the source holds the word that Harbor's scrubbing leaves; what stood there is not known"
        material.draft.omit("redacted", reason, count)


# --- lineage -----------------------------------------------------------------------------------------------------


def _lineage(material: Material) -> None:
    """A regrade copies the agent's files: its trajectory is that of another trial, and no new experience."""
    draft = material.draft
    for file in ("lock.json", "config.json"):
        source = material.facts.lock if file == "lock.json" else material.facts.config
        if type(source.get("source_trial")) is not dict:
            continue
        record = f"/transform/derived_from/{len(draft.readings) + len(draft.derivations)}"
        taken = material.take("source-trial", record, file, "source_trial")
        taken.setdefault("reason", "the trial graded the run of another trial again")
        draft.derivations.append({**taken, "relation": "reward_derivation_of", "availability": "unknown"})
        draft.reasons.append("the agent's run was copied from another trial")
        return
    if material.facts.is_derived:
        draft.reasons.append("a trajectory was carried over from an earlier run")
