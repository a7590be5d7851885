"""The rules of SWE-agent files (TJ001 …) and of run folders (TJ101 …). No check lives here.

The catalogue of spec traj.md §8 keeps its numbers and severities; what it has no number for fills the gaps. The rules
of the bytes (TJ001, TJ002, TJ005 to TJ008) are `attraj.formats.bytes_rules`.
"""

from __future__ import annotations

from attraj.findings import Rule, Severity, Stratum
from attraj.formats.bytes_rules import family_rules

_BYTES, _SHAPE, _REFERENCES, _MEANING = Stratum.BYTES, Stratum.SHAPE, Stratum.REFERENCES, Stratum.MEANING
_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO

# --- the file as a whole
NO_STEP_LIST = Rule("TJ003", "broken-trajectory", _E, _SHAPE)
MISSING_INFO = Rule("TJ004", "missing-info", _W, _SHAPE)
VERSION = Rule("TJ010", "unstated-version", _I, _SHAPE)
UNKNOWN_MEMBER = Rule("TJ011", "unknown-member", _W, _SHAPE)
OTHER_CONFIG = Rule("TJ012", "unusual-replay-config", _I, _SHAPE)
SUGGESTED_MEMBER = Rule("TJ013", "foreign-member", _W, _SHAPE)
DEMONSTRATION = Rule("TJ014", "history-only", _I, _SHAPE)
NO_STEPS = Rule("TJ015", "no-steps", _W, _SHAPE)
MISSING_HISTORY = Rule("TJ016", "missing-history", _W, _SHAPE)
MISSING_ENVIRONMENT = Rule("TJ017", "missing-environment", _W, _SHAPE)
WRONG_TYPE = Rule("TJ018", "wrong-type", _E, _SHAPE)
BROKEN_CONFIG = Rule("TJ019", "broken-replay-config", _W, _SHAPE)

# --- steps
BAD_STEP_TEXT = Rule("TJ020", "bad-step-text", _E, _SHAPE)
STATE_NOT_JSON = Rule("TJ021", "state-not-json", _W, _SHAPE)
NULL_OBSERVATION = Rule("TJ022", "null-observation", _I, _MEANING)
STATE_AS_TEXT = Rule("TJ023", "state-as-text", _W, _SHAPE)
MISSING_STATE = Rule("TJ024", "missing-state", _W, _SHAPE)
MISSING_QUERY = Rule("TJ025", "missing-query", _W, _SHAPE)
IMPOSSIBLE_NUMBER = Rule("TJ026", "impossible-number", _W, _MEANING)
MISSING_MEMBER = Rule("TJ027", "missing-member", _E, _SHAPE)

# --- steps and history side by side
REJECTED = Rule("TJ030", "rejected-proposals", _I, _MEANING)
SYNTHETIC_EXIT = Rule("TJ031", "synthetic-exit", _I, _MEANING)
UNMATCHED = Rule("TJ032", "unmatched-step", _W, _REFERENCES)
OTHER_WORDS = Rule("TJ033", "differing-texts", _W, _MEANING)
FOREIGN_THOUGHT = Rule("TJ034", "thought-not-in-response", _W, _MEANING)
FOREIGN_ACTION = Rule("TJ035", "action-not-in-response", _W, _MEANING)
REWRITTEN = Rule("TJ036", "rewritten-context", _W, _MEANING)
UNPAIRED = Rule("TJ037", "unpaired-call", _W, _REFERENCES)
BAD_CALL = Rule("TJ038", "bad-tool-call", _W, _SHAPE)

# --- how it ended
OPEN = Rule("TJ040", "open-run", _I, _MEANING)
EXIT_STATUS = Rule("TJ041", "unknown-exit-status", _W, _MEANING)
NO_SUBMISSION = Rule("TJ042", "null-submission", _I, _MEANING)
OTHER_SUBMISSION = Rule("TJ043", "unexplained-submission", _I, _MEANING)
UNRECORDED_CALLS = Rule("TJ044", "unrecorded-calls", _I, _MEANING)

# --- attempts and totals
OTHER_ATTEMPT = Rule("TJ050", "differing-best-attempt", _W, _MEANING)
ALL_ZERO = Rule("TJ051", "zero-statistics", _I, _MEANING)
NO_SUCH_ATTEMPT = Rule("TJ052", "unknown-best-attempt", _W, _REFERENCES)
ATTEMPT_TOTALS = Rule("TJ053", "differing-attempt-totals", _W, _MEANING)

# --- what should not travel
PRIVATE_CONFIG = Rule("TJ060", "private-configuration", _W, _MEANING)

# --- run folders
MISSING_TRAJECTORY = Rule("TJ101", "missing-trajectory", _W, _SHAPE)
UNREADABLE_FILE = Rule("TJ102", "unreadable-file", _E, _BYTES)
MISSING_PREDICTION = Rule("TJ103", "missing-prediction", _W, _REFERENCES)
PREDICTION_MISMATCH = Rule("TJ104", "prediction-mismatch", _W, _MEANING)
OTHER_INSTANCE = Rule("TJ105", "foreign-prediction", _W, _REFERENCES)
MISSING_PREDS = Rule("TJ106", "missing-predictions-file", _W, _SHAPE)
UNLISTED_PREDICTION = Rule("TJ107", "unlisted-prediction", _W, _REFERENCES)
EXTRA_PREDICTION = Rule("TJ108", "extra-prediction", _W, _REFERENCES)
STATUS_MISMATCH = Rule("TJ109", "status-mismatch", _W, _MEANING)
SHARED_STEM = Rule("TJ110", "shared-name", _I, _MEANING)
ATTEMPT_FILES = Rule("TJ111", "attempt-files-mismatch", _W, _REFERENCES)
PATCH_MISMATCH = Rule("TJ112", "patch-mismatch", _W, _MEANING)
LEFTOVER = Rule("TJ113", "leftover", _I, _SHAPE)
LINK_OUT = Rule("TJ114", "link-out-of-run", _W, _SHAPE)
UNREAD_STATUSES = Rule("TJ115", "unread-exit-statuses", _W, _SHAPE)

BYTES = family_rules("TJ")
NOT_AN_OBJECT = next(rule for rule in BYTES if rule.slug == "not-an-object")
NUMBER = next(rule for rule in BYTES if rule.slug == "unsafe-number")

RULES: tuple[Rule, ...] = tuple(
    sorted({*BYTES, *(rule for rule in list(globals().values()) if type(rule) is Rule)}, key=lambda rule: rule.code)
)
