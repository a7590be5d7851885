"""Every rule about folders (HB…) and about the trajectories of one trial against each other (ATIF120 …).

What Harbor or the RFC forbids is an error, what only sense asks for a warning, what the trial itself explains is
info (spec: decisions 3). HB0… are about trials, HB1… about jobs.
"""

from __future__ import annotations

from attraj.findings import Rule, Severity, Stratum

_BY_CODE: dict[str, Rule] = {}


def _rule(code: str, slug: str, severity: Severity, stratum: Stratum) -> Rule:
    rule = Rule(code, slug, severity, stratum)
    _BY_CODE[code] = rule
    return rule


def all_rules() -> tuple[Rule, ...]:
    """By code."""
    return tuple(_BY_CODE[code] for code in sorted(_BY_CODE))


_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO
_SHAPE, _REFERENCES, _MEANING = Stratum.SHAPE, Stratum.REFERENCES, Stratum.MEANING

# --- what is in the folder
MISSING_CONFIG = _rule("HB001", "missing-config", _W, _SHAPE)
MISSING_LOCK = _rule("HB002", "missing-lock", _I, _SHAPE)
MISSING_RESULT = _rule("HB003", "missing-result", _E, _SHAPE)
UNREADABLE_FILE = _rule("HB004", "unreadable-file", _E, Stratum.BYTES)
WRONG_SHAPE = _rule("HB005", "wrong-shape", _E, _SHAPE)
LINK_OUT = _rule("HB006", "link-out-of-folder", _W, _SHAPE)
WRONG_KIND = _rule("HB007", "wrong-kind-of-entry", _E, _SHAPE)
MISSING_AGENT = _rule("HB008", "missing-agent-folder", _W, _SHAPE)
EMPTY_TRIAL = _rule("HB009", "empty-trial", _E, _SHAPE)

# --- what the result says
OPEN_TRIAL = _rule("HB010", "open-trial", _W, _MEANING)
ENDED_BY_EXCEPTION = _rule("HB011", "ended-by-exception", _I, _MEANING)
MISSING_EXCEPTION_FILE = _rule("HB012", "missing-exception-file", _W, _REFERENCES)
UNEXPLAINED_EXCEPTION_FILE = _rule("HB013", "unexplained-exception-file", _W, _REFERENCES)
REVERSED_TIMES = _rule("HB014", "reversed-times", _W, _MEANING)
RENAMED_TRIAL = _rule("HB015", "renamed-trial", _I, _MEANING)

# --- rewards
REWARD_MISMATCH = _rule("HB020", "reward-mismatch", _E, _MEANING)
MISSING_REWARD_FILE = _rule("HB021", "missing-reward-file", _W, _REFERENCES)
UNUSED_REWARD = _rule("HB022", "unused-reward", _W, _MEANING)
NULL_REWARD = _rule("HB023", "null-reward", _W, _MEANING)
INVALID_REWARD_FILE = _rule("HB024", "invalid-reward-file", _E, _SHAPE)
SHADOWED_REWARD = _rule("HB025", "shadowed-reward", _I, _MEANING)
REWARD_WITHOUT_VERIFIER = _rule("HB026", "reward-without-verifier", _W, _MEANING)
REWARD_NOT_VALID = _rule("HB027", "reward-not-valid", _W, _MEANING)
DOUBTFUL_REWARD = _rule("HB028", "doubtful-reward", _W, _MEANING)

# --- trajectories and steps
MISSING_TRAJECTORY = _rule("HB030", "missing-trajectory", _W, _REFERENCES)
STEP_WITHOUT_RESULT = _rule("HB031", "step-without-result", _W, _REFERENCES)
RESULT_WITHOUT_STEP = _rule("HB032", "result-without-step", _W, _REFERENCES)
FOREIGN_TRAJECTORY = _rule("HB033", "foreign-trajectory", _E, _SHAPE)

# --- jobs
MISSING_JOB_CONFIG = _rule("HB101", "missing-job-config", _W, _SHAPE)
MISSING_JOB_LOCK = _rule("HB102", "missing-job-lock", _I, _SHAPE)
MISSING_JOB_RESULT = _rule("HB103", "missing-job-result", _E, _SHAPE)
OPEN_JOB = _rule("HB104", "open-job", _W, _MEANING)
TRIAL_COUNT = _rule("HB105", "trial-count", _E, _MEANING)
MISSING_TRIAL = _rule("HB106", "missing-trial", _E, _REFERENCES)
UNCOUNTED_TRIAL = _rule("HB107", "uncounted-trial", _W, _MEANING)
STATS_MISMATCH = _rule("HB108", "stats-mismatch", _W, _MEANING)
STATS_REWARD_MISMATCH = _rule("HB109", "stats-reward-mismatch", _E, _MEANING)
RETRIED_TRIALS = _rule("HB110", "retried-trials", _I, _MEANING)
FOREIGN_TRIAL = _rule("HB111", "foreign-trial", _W, _REFERENCES)
DUPLICATE_TRIAL_ID = _rule("HB112", "duplicate-trial-id", _E, _REFERENCES)

# --- trajectories of one trial
MISSING_CONTINUATION = _rule("ATIF120", "missing-continuation", _W, _REFERENCES)
REFERENCE_OUT = _rule("ATIF121", "reference-out-of-folder", _W, _REFERENCES)
CONTINUATION_CYCLE = _rule("ATIF122", "continuation-cycle", _W, _REFERENCES)
CONTINUATION_GAP = _rule("ATIF123", "continuation-gap", _W, _REFERENCES)
UNREFERENCED_CONTINUATION = _rule("ATIF124", "unreferenced-continuation", _W, _REFERENCES)
CONTINUATION_ORDER = _rule("ATIF125", "continuation-order", _W, _REFERENCES)
MISSING_SUBAGENT = _rule("ATIF126", "missing-subagent-trajectory", _W, _REFERENCES)
UNREFERENCED_SUBAGENT = _rule("ATIF127", "unreferenced-subagent-trajectory", _W, _REFERENCES)
FORKED_CONTINUATION = _rule("ATIF128", "forked-continuation", _W, _REFERENCES)
OUTSIDE_WINDOW = _rule("ATIF130", "outside-trial-window", _W, _MEANING)
FOREIGN_SESSION = _rule("ATIF131", "foreign-session", _W, _MEANING)
AGENT_NAME_MISMATCH = _rule("ATIF132", "agent-name-mismatch", _W, _MEANING)
AGENT_VERSION_MISMATCH = _rule("ATIF133", "agent-version-mismatch", _W, _MEANING)
REPEATED_STEPS = _rule("ATIF134", "repeated-across-documents", _W, _MEANING)
CUMULATIVE_TOTALS = _rule("ATIF135", "cumulative-totals", _I, _MEANING)
TOKENS_MISMATCH = _rule("ATIF136", "tokens-mismatch", _W, _MEANING)
LOST_TURN = _rule("ATIF137", "lost-turn", _I, _MEANING)
SHARED_TRAJECTORY_ID = _rule("ATIF138", "shared-trajectory-id", _W, _REFERENCES)

# What these rules say with the whole trial in view, ATIF020 (path of a subagent) and ATIF023 (continuation) say of a
# document alone: of a trial's documents they are left out, so that a fault is reported once.
SUPERSEDED = frozenset({"ATIF020", "ATIF023"})

# A document of another format breaks most rules of ATIF, and all for the one reason that this rule gives.
EXPLAINS_ALL = FOREIGN_TRAJECTORY.code
