"""Real folders of two Harbor releases: what is recognised, and every finding of every trial and job."""

from __future__ import annotations

from pathlib import Path

import pytest

from attraj.formats.harbor import read_trial, recognise
from tests.formats.harbor.folders import checked, checked_job, line, lines
from tests.support import CORPUS, needs_corpus

RIG = CORPUS / "atif" / "harbor-rig"
JOBS = sorted(path for path in RIG.glob("h0*/*") if path.is_dir())

NO_ATIF = "HB008 info"  # the oracle writes no trajectory, and its empty agent/ did not survive the copy
CUMULATIVE = "ATIF135 info agent/trajectory.cont-1.json#/final_metrics"

# Everything that is not here is silent: good folders of both releases have no finding at all.
GOLDEN: dict[tuple[str, str], list[str]] = {
    ("h018/oracle-mix", "fail"): ["HB030 info /agent"],
    ("h018/oracle-mix", "hello"): [NO_ATIF],
    ("h018/oracle-mix", "multi-reward"): [NO_ATIF],
    ("h018/oracle-mix", "multi-step"): [f"{NO_ATIF} /steps/one", f"{NO_ATIF} /steps/two"],
    ("h018/oracle-mix", "nan-reward"): ["HB023 warning /result.json/verifier_result/rewards/reward", NO_ATIF],
    ("h018/oracle-mix", "no-reward"): ["HB011 info /result.json/exception_info", NO_ATIF],
    ("h018/t2-summarize-linear", "hello"): [CUMULATIVE],
    ("h026/t2-summarize-linear", "hello"): [CUMULATIVE],
}

# trial: segments and subagents, verdict
SHAPES = {
    "t2-summarize": "1 segment, 3 subagent files",
    "t2-summarize-linear": "2 segments, 3 subagent files",
    "t2-proactive-two-summaries": "1 segment, 6 subagent files",
    "t2-multistep": "2 segments, 0 subagent files",
    "oracle-mix": "0 segments, 0 subagent files",
}


@needs_corpus
@pytest.mark.parametrize("folder", JOBS, ids=lambda path: str(path.relative_to(RIG)))
def test_every_job_is_recognised_and_says_what_was_reviewed(folder: Path) -> None:
    job, trials = checked_job(folder)
    name = str(folder.relative_to(RIG))
    found = {t.account.folder_name.split("__")[0]: lines(t) for t in trials}
    assert {trial: GOLDEN.get((name, trial), []) for trial in found} == found
    assert [] == [line("", finding) for finding in job.findings]
    assert {"harbor-job": "finished"} == job.verdicts
    assert [(0, 18), (0, 26)][name.startswith("h026")] == tuple(map(int, (job.version or "").split(".")[:2]))
    words = {SHAPES.get(folder.name, "1 segment, 0 subagent files")}
    assert words == {note for trial in trials for note in trial.notes if "segment" in note}


@needs_corpus
def test_the_totals_of_real_segments_are_explained() -> None:
    for folder in (trial for job in JOBS for trial in job.glob("*__*")):
        segments = {f.path for f in read_trial(folder).trajectories if f.role in ("main", "continuation")}
        assert segments <= checked(folder).explained


@needs_corpus
def test_the_folders_are_told_apart() -> None:
    assert {"job"} == {recognise(job) for job in JOBS}
    assert {"trial"} == {recognise(trial) for job in JOBS for trial in job.glob("*__*")}
    below = [path for job in JOBS for path in job.glob("*__*/**/*") if path.is_dir()]
    assert {None} == {recognise(path) for path in [*below, RIG, *RIG.iterdir()]}
