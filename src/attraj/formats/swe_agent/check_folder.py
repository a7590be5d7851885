"""A run folder as a whole: what is missing from it, and where its files tell different things of one instance.

The trajectories are checked as documents by the caller, one by one; `account_of` keeps what is needed here, so that
none of them has to stay in memory.

A pointer of a folder's finding reads the folder as an object whose members are its entries, and goes on inside the
JSON files: "/demo__calc-1", "/preds.json/demo__calc-1/model_patch".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from attraj.findings import Finding
from attraj.formats.found import Found
from attraj.formats.swe_agent.codes import (
    ATTEMPT_FILES,
    EXTRA_PREDICTION,
    LEFTOVER,
    LINK_OUT,
    MISSING_PREDICTION,
    MISSING_PREDS,
    MISSING_TRAJECTORY,
    OTHER_INSTANCE,
    PATCH_MISMATCH,
    PREDICTION_MISMATCH,
    SHARED_STEM,
    STATUS_MISMATCH,
    UNLISTED_PREDICTION,
    UNREAD_STATUSES,
    UNREADABLE_FILE,
)
from attraj.formats.swe_agent.layout import LEFTOVERS, STATUSES, Instance, Run
from attraj.formats.swe_agent.shape import EXIT_STATUSES
from attraj.formats.swe_agent.values import Json, child, text
from attraj.jsonio import MISSING, Document
from attraj.pointer import join

_PREDS = "preds.json"
_LINES = "all_preds.jsonl"


@dataclass(frozen=True, slots=True)
class TrajAccount:
    """What a run folder's checks need of one trajectory. `MISSING` is absent, None is JSON null.

    Attributes:
        exit_status, submission: As in `info`, of any type.
        attempts: How many attempts the file holds; None when it is no retry agent's.
        has_steps: Whether a trajectory stands on top (in a retry file: whether it is finished).
    """

    exit_status: Any = MISSING
    submission: Any = MISSING
    attempts: int | None = None
    has_steps: bool = False


@dataclass(frozen=True, slots=True)
class RunChecked:
    """What is to be said of a run folder.

    Attributes:
        findings: About the folder; the report's path is the folder.
        verdicts: {"swe-agent-run": word}: "finished" (every instance has an exit status), "open" (some has none),
            "unknown" (no trajectory was read).
        notes: Facts that are no fault.
        tree: The folder as an object, for showing pointers safely (`attraj.pointer.shown`).
    """

    findings: tuple[Finding, ...] = ()
    verdicts: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    tree: Mapping[str, Any] = field(default_factory=dict)


def account_of(document: Document) -> TrajAccount:
    """What to keep of one trajectory of a run. The document is never modified."""
    tree = document.tree if type(document.tree) is dict else {}
    info = child(tree, "info")
    attempts = tree.get("attempts")
    return TrajAccount(
        info.get("exit_status", MISSING),
        info.get("submission", MISSING),
        len(attempts) if type(attempts) is list else None,
        type(tree.get("trajectory")) is list,
    )


def check_run(run: Run, accounts: Mapping[str, TrajAccount] | None = None) -> RunChecked:
    """Every finding about a run folder as a whole.

    Args:
        run: From `read_run`.
        accounts: Path of a trajectory (as in `Run.trajectories`) to its account. One that is missing here could not
            be read and is not compared with anything.

    Returns:
        Findings in the order of the instances, then the folder's own files.
    """
    known = accounts or {}
    found = Found()
    for path in run.outside:
        message = "a symbolic link leads out of the run's folder, or nowhere: it is not followed"
        found.add(LINK_OUT, _place(path), message)
    for path in run.unlisted:
        found.add(UNREADABLE_FILE, _place(path), "the folder cannot be listed", "check its permissions")
    for path in run.unread:
        message = "the file cannot be read, and nothing is compared with it"
        found.add(UNREADABLE_FILE, _place(path), message, "check its permissions")
    for instance in run.instances:
        _check_instance(found, run, instance, known.get(instance.trajectory))
    _check_predictions(found, run, known)
    _check_statuses(found, run, known)
    for name in sorted(LEFTOVERS & run.names):
        message = "a file of an evaluation that was broken off: it may hold a part of the predictions only"
        found.add(LEFTOVER, join(name), message, "remove it, or evaluate again")
    return RunChecked(tuple(found.all()), {"swe-agent-run": _word(run, known)}, tuple(_notes(run, known)), _tree(run))


def _place(path: str) -> str:
    return join(*path.split("/")) if path else ""


# --- one instance ------------------------------------------------------------------------------------------------


def _check_instance(found: Found, run: Run, instance: Instance, account: TrajAccount | None) -> None:
    at = join(instance.name) if instance.path else join(f"{instance.name}.traj")
    if not instance.trajectory:
        _tell_missing(found, run, instance, at)
    if instance.pred is not None:
        _check_pred(found, instance, account, join(instance.name, f"{instance.name}.pred"))
    elif account is not None and (run.is_batch or instance.has_config) and type(account.exit_status) is str:
        message = "the run of the instance ended, and it has no prediction file"
        found.add(MISSING_PREDICTION, at, message, "extract the submission, or copy the .pred along")
    if instance.patch is not None and account is not None:
        _check_patch(found, instance, account)
    if instance.attempts:
        _check_attempts(found, instance, account, at)
    for path in instance.others:
        message = (
            "a .traj that is not named like its instance stands in its folder: tools that count files count it too"
        )
        found.add(LEFTOVER, _place(path), message, "copies and interrupted writes do not belong there")


def _tell_missing(found: Found, run: Run, instance: Instance, at: str) -> None:
    status = (run.statuses or {}).get(instance.name, "")
    message = "the instance has files and no .traj: its environment did not start, or the file was lost"
    hint = "it counts as tried and failed, not as absent"
    if status.startswith("Uncaught"):
        hint = f"the batch's exit statuses name an uncaught exception; {hint}"
    found.add(MISSING_TRAJECTORY, at, message, hint)


def _check_pred(found: Found, instance: Instance, account: TrajAccount | None, at: str) -> None:
    pred = _prediction(found, instance.pred, at)
    if pred is None:
        return
    if pred.get("instance_id") != instance.name:
        message = "the prediction is for another instance than its folder says"
        found.add(OTHER_INSTANCE, f"{at}/instance_id", message, "evaluation goes by this member, not by the folder")
    if account is not None and not _is_same(pred["model_patch"], account.submission):
        message = _difference(pred["model_patch"], account.submission)
        found.add(
            PREDICTION_MISMATCH, f"{at}/model_patch", message, "what is evaluated is not what the agent submitted"
        )


def _prediction(found: Found, document: Document | None, at: str) -> Json | None:
    """A prediction that can be compared; else what is wrong with it is told."""
    tree = document.tree if document is not None else MISSING
    if type(tree) is not dict:
        found.add(UNREADABLE_FILE, at, "the prediction is not readable: it is no JSON object")
        return None
    if "model_patch" not in tree or not (tree["model_patch"] is None or type(tree["model_patch"]) is str):
        message = "the prediction has no `model_patch` that is text or null"
        found.add(UNREADABLE_FILE, at, message, "SWE-bench reads instance_id, model_name_or_path and model_patch")
        return None
    return tree


def _is_same(patch: Any, submission: Any) -> bool:
    """Whether a prediction's patch is the submission: text by text; null is not the empty text."""
    if submission is MISSING:
        return patch is None
    return type(patch) is type(submission) and bool(patch == submission)


def _difference(patch: Any, submission: Any) -> str:
    if patch is None or submission is None or submission is MISSING:
        return "the prediction and the trajectory differ: one has a patch or an empty text, the other none"
    return "the prediction's patch is not the trajectory's submission"


def _check_patch(found: Found, instance: Instance, account: TrajAccount) -> None:
    path = (instance.name, f"{instance.name}.patch") if instance.path else ("patches", f"{instance.name}.patch")
    written = (instance.patch or b"").decode("utf-8", "replace")
    if type(account.submission) is not str:
        message = "there is a patch file, and the trajectory has no submission"
        found.add(PATCH_MISMATCH, join(*path), message)
    elif _plain(written) != _plain(account.submission):
        message = "the patch file is not the trajectory's submission"
        found.add(PATCH_MISMATCH, join(*path), message, "one of the two was edited")


def _plain(patch: str) -> str:
    """A patch without the spaces at the ends of lines that editors and hooks take away from files."""
    return "\n".join([line.rstrip() for line in patch.strip().splitlines()])


def _check_attempts(found: Found, instance: Instance, account: TrajAccount | None, at: str) -> None:
    message = "the files of attempts have the same name as the instance's own: tools that go by the stem mix them up"
    hint = "count an instance once; the file in the instance's folder holds the attempts too"
    first = next(iter(instance.attempts))
    found.tally(SHARED_STEM.code, SHARED_STEM, f"{at}/attempt_{first}", message, hint)
    if account is None:
        return
    files, inside = sum(path != "" for path in instance.attempts.values()), account.attempts
    # While an attempt runs it has a folder, and is not yet among the attempts of the file.
    most = None if inside is None else inside if account.has_steps else inside + 1
    if inside is None or most is None or files < inside or len(instance.attempts) > most:
        message = "the attempt folders and the attempts in the instance's .traj are not the same in number"
        found.add(ATTEMPT_FILES, at, message, "a folder or an attempt was lost, or the two are of different runs")


# --- the folder's own files --------------------------------------------------------------------------------------


def _check_predictions(found: Found, run: Run, accounts: Mapping[str, TrajAccount]) -> None:
    by_name = {instance.name: instance for instance in run.instances}
    for line, document in enumerate(run.predictions):
        pred = _prediction(found, document, join(_LINES, line))
        if pred is not None:
            instance = by_name.get(text(pred, "instance_id"))
            _compare(found, instance, pred["model_patch"], join(_LINES, line), accounts)
    if run.preds is None:
        if run.is_batch and any(instance.pred is not None for instance in run.instances):
            message = "the batch has predictions and no preds.json: it was stopped before its end"
            found.add(MISSING_PREDS, "", message, "sweagent merge-preds makes one")
        return
    preds = run.preds.tree
    if type(preds) is not dict:
        found.add(UNREADABLE_FILE, join(_PREDS), "preds.json is not readable: it is no JSON object")
        return
    for name, entry in preds.items():
        at = join(_PREDS, name)
        pred = _prediction(found, Document(b"", entry), at)
        if pred is not None:
            _compare(found, by_name.get(name), pred["model_patch"], at, accounts)
    for instance in run.instances:
        if instance.pred is not None and instance.name not in preds:
            message = "the instance has a prediction that preds.json does not list: it will not be evaluated"
            found.add(UNLISTED_PREDICTION, join(instance.name), message, "merge the predictions again")


def _compare(found: Found, instance: Instance | None, patch: Any, at: str, accounts: Mapping[str, TrajAccount]) -> None:
    """A merged prediction against the instance's own file, or else against its trajectory."""
    if instance is None:
        message = "a prediction is listed for an instance that is not in the folder"
        found.add(EXTRA_PREDICTION, at, message, "it cannot be traced to a run")
        return
    sources: list[Any] = []
    own = instance.pred.tree.get("model_patch", 0) if instance.pred and type(instance.pred.tree) is dict else 0
    if own is None or type(own) is str:
        sources.append(own)
    if instance.trajectory in accounts:
        sources.append(accounts[instance.trajectory].submission)
    # Merging writes "" for null (spec: traj.md §2). A prediction that is wrong itself is told at its own place.
    is_blank = patch in ("", None)
    is_same = any(_is_same(patch, s) or (is_blank and (s is None or s is MISSING)) for s in sources)
    if sources and not is_same:
        message = "the merged prediction is not the instance's own"
        found.add(PREDICTION_MISMATCH, f"{at}/model_patch", message, "merge the predictions again")


def _check_statuses(found: Found, run: Run, accounts: Mapping[str, TrajAccount]) -> None:
    if run.statuses is None:
        if STATUSES in run.names and STATUSES not in (*run.outside, *run.unread):
            message = (
                "the batch's exit statuses are not in the form that SWE-agent writes: they are compared with nothing"
            )
            found.add(
                UNREAD_STATUSES, join(STATUSES), message, "believe the trajectories; restore the file or remove it"
            )
        return
    by_name = {instance.name: instance for instance in run.instances}
    for name in sorted(run.statuses):
        status, instance = run.statuses[name], by_name.get(name)
        if instance is None:
            message = "the batch's exit statuses name an instance that has no folder: nothing of it is left but this"
            found.tally(MISSING_TRAJECTORY.code, MISSING_TRAJECTORY, join(STATUSES), message)
            continue
        account = accounts.get(instance.trajectory)
        if account is None or status.startswith("skipped") or status in ("unknown_exit", "null"):
            continue
        own = account.exit_status
        if own != status and not (status.startswith("Uncaught") and type(own) is not str):
            message = "the exit status of the batch and the one in the trajectory differ"
            hint = "believe the trajectory: the batch's file is overwritten when a run is resumed"
            found.add(STATUS_MISMATCH, join(instance.name), message, hint)


# --- the word, the notes, the tree -------------------------------------------------------------------------------


def _word(run: Run, accounts: Mapping[str, TrajAccount]) -> str:
    read = [accounts[i.trajectory] for i in run.instances if i.trajectory in accounts]
    if not read:
        return "unknown"
    return "open" if any(type(account.exit_status) is not str for account in read) else "finished"


def _notes(run: Run, accounts: Mapping[str, TrajAccount]) -> Iterator[str]:
    number = len(run.instances)
    kind = "batch run" if run.is_batch else "run folder"
    yield f"SWE-agent {run.layout} {kind} of {number} {'instance' if number == 1 else 'instances'}"
    ends = Counter(_end(accounts.get(instance.trajectory)) for instance in run.instances if instance.trajectory)
    ends["without a trajectory"] = sum(1 for instance in run.instances if not instance.trajectory)
    listed = [f"{count} {words}" for words, count in sorted(ends.items()) if count]
    if listed:
        yield ", ".join(listed)


def _end(account: TrajAccount | None) -> str:
    if account is None:
        return "not read"
    status = account.exit_status
    if type(status) is not str:
        return "open"
    if status == "submitted":
        return "submitted"
    if status.startswith("submitted ("):
        return "cut off with a patch"
    return "ended without a patch" if status in EXIT_STATUSES else "ended with an unknown status"


def _tree(run: Run) -> dict[str, Any]:
    tree: dict[str, Any] = {name: {} for name in sorted(run.names)}
    for instance in run.instances:
        if instance.path:
            pred = instance.pred.tree if instance.pred is not None else {}
            tree[instance.path] = {f"{instance.name}.pred": pred, f"{instance.name}.patch": {}}
    for path in (*run.trajectories, *run.outside, *run.unlisted):
        place = tree
        for part in path.split("/"):
            below = place.setdefault(part, {})
            place = below if type(below) is dict else {}
    if run.layout == "0.x":
        tree["patches"] = {f"{instance.name}.patch": {} for instance in run.instances}
    if run.preds is not None:
        tree[_PREDS] = run.preds.tree
    if run.predictions:
        tree[_LINES] = [document.tree for document in run.predictions]
    return tree
