"""Harbor's folders: a trial, and a job of trials. Read only.

files.py       looking at a folder that nobody vouches for
recognise.py   what is a trial, what is a job
layout.py job_layout.py      read_trial, read_job: names, kinds and small files
facts.py       what the small files say, without trusting a type
records.py outcome.py rewards.py missing.py      checks of a trial's folder (HB0…)
segments.py claims.py tokens.py                  its trajectories side by side (ATIF120 …)
check.py job.py                                  the two questions: check_trial, check_job
codes.py exceptions.py agents.py                 every rule; Harbor's own tables
read.py places.py material.py                    read_run: one Bundle for each run, and the map of the small files
read_bindings.py read_outcome.py read_rewards.py what the trial says beside its trajectories
"""

from __future__ import annotations

from attraj.formats.harbor.check import TrialAccount, TrialChecked, check_trial, harbor_version, release_of_job, rules
from attraj.formats.harbor.codes import EXPLAINS_ALL, SUPERSEDED
from attraj.formats.harbor.job import JobChecked, check_job
from attraj.formats.harbor.job_layout import Job, read_job, trials_of
from attraj.formats.harbor.layout import Run, TrajectoryFile, Trial, read_trial
from attraj.formats.harbor.recognise import recognise

__all__ = [
    "EXPLAINS_ALL",
    "SUPERSEDED",
    "Job",
    "JobChecked",
    "Run",
    "TrajectoryFile",
    "Trial",
    "TrialAccount",
    "TrialChecked",
    "check_job",
    "check_trial",
    "harbor_version",
    "read_job",
    "read_trial",
    "recognise",
    "release_of_job",
    "rules",
    "trials_of",
]
