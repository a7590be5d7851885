"""The rules of ATIF documents: A01 to A34 under their own numbers, further ones from 109. No check lives here.

What Harbor's models or the RFC's *must* forbid is an error, what only sense asks for a warning (spec: decisions 3).
The rules of the bytes (101 to 108, and 033) are `attraj.formats.bytes_rules`.
"""

from __future__ import annotations

from attraj.findings import Rule, Severity, Stratum
from attraj.formats.bytes_rules import byte_rules
from attraj.jsonio.document import FaultKind

SHAPE, REFERENCES, MEANING = Stratum.SHAPE, Stratum.REFERENCES, Stratum.MEANING
ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

MISSING_VERSION = Rule("ATIF001", "missing-schema-version", ERROR, SHAPE)
UNKNOWN_VERSION = Rule("ATIF002", "unknown-schema-version", ERROR, SHAPE)
NEWER = Rule("ATIF003", "newer-than-declared", ERROR, SHAPE)
MISSING_SESSION = Rule("ATIF004", "missing-session-id", ERROR, SHAPE)
BAD_AGENT = Rule("ATIF005", "bad-agent", ERROR, SHAPE)
NO_STEPS = Rule("ATIF006", "no-steps", ERROR, SHAPE)
OUT_OF_SEQUENCE = Rule("ATIF007", "step-out-of-sequence", ERROR, SHAPE)
BAD_SOURCE = Rule("ATIF008", "bad-source", ERROR, SHAPE)
BAD_MESSAGE = Rule("ATIF009", "bad-message", ERROR, SHAPE)
AGENT_ONLY = Rule("ATIF010", "agent-only-member", ERROR, MEANING)
BAD_TIMESTAMP = Rule("ATIF011", "bad-timestamp", ERROR, SHAPE)
BAD_ARGUMENTS = Rule("ATIF012", "bad-arguments", ERROR, SHAPE)
UNRESOLVED_CALL = Rule("ATIF013", "unresolved-call", ERROR, REFERENCES)
DUPLICATE_CALL = Rule("ATIF014", "duplicate-call-id", ERROR, REFERENCES)
UNPAIRED = Rule("ATIF015", "unpaired-result", WARNING, REFERENCES)
ZERO_CALLS = Rule("ATIF016", "model-data-without-call", ERROR, MEANING)
AGGREGATE = Rule("ATIF017", "aggregate-metrics", INFO, MEANING)
UNRESOLVABLE = Rule("ATIF018", "unresolvable-reference", ERROR, REFERENCES)
UNKNOWN_SUBAGENT = Rule("ATIF019", "unknown-subagent", ERROR, REFERENCES)
SUBAGENT_FILE = Rule("ATIF020", "missing-subagent-file", WARNING, REFERENCES)
SUBAGENT_ID = Rule("ATIF021", "bad-subagent-id", ERROR, REFERENCES)
UNREFERENCED = Rule("ATIF022", "unreferenced-subagent", WARNING, REFERENCES)
CONTINUATION = Rule("ATIF023", "broken-continuation", WARNING, REFERENCES)
BAD_PART = Rule("ATIF024", "bad-content-part", ERROR, SHAPE)
MEDIA = Rule("ATIF025", "missing-media", ERROR, REFERENCES)
STEP_COUNT = Rule("ATIF026", "wrong-step-count", ERROR, MEANING)
TOTALS = Rule("ATIF027", "wrong-totals", WARNING, MEANING)
USAGE = Rule("ATIF028", "impossible-usage", WARNING, MEANING)
COPIED = Rule("ATIF029", "only-copied-context", WARNING, MEANING)
BOUNDARY = Rule("ATIF030", "bad-context-boundary", WARNING, MEANING)
TOOL_DEFINITION = Rule("ATIF031", "bad-tool-definition", WARNING, MEANING)
UNKNOWN_MEMBER = Rule("ATIF032", "unknown-member", ERROR, SHAPE)
TIME_ORDER = Rule("ATIF034", "time-goes-back", WARNING, MEANING)

WRONG_TYPE = Rule("ATIF109", "wrong-type", ERROR, SHAPE)
MISSING_MEMBER = Rule("ATIF110", "missing-member", ERROR, SHAPE)
NUMBER_RANGE = Rule("ATIF111", "number-out-of-range", ERROR, SHAPE)
UNMEASURED_ZERO = Rule("ATIF112", "unmeasured-zero", WARNING, MEANING)
REPEATED_COUNTER = Rule("ATIF113", "repeated-counter", WARNING, MEANING)
UNMARKED_REPEAT = Rule("ATIF114", "unmarked-repeat", WARNING, MEANING)
NO_ZONE = Rule("ATIF115", "time-without-zone", WARNING, MEANING)
EMPTY_NAME = Rule("ATIF116", "empty-name", WARNING, MEANING)
EMPTY_RESULT = Rule("ATIF117", "empty-result", WARNING, MEANING)

# ATIF has no artifacts that a long text could have been.
BYTES = {kind: rule for kind, rule in byte_rules("ATIF").items() if kind != FaultKind.LONG_STRING.value}
NOT_AN_OBJECT = BYTES[FaultKind.TOP_LEVEL.value]

RULES: tuple[Rule, ...] = tuple(
    sorted(
        [
            *BYTES.values(),
            *(rule for rule in list(globals().values()) if type(rule) is Rule and rule is not NOT_AN_OBJECT),
        ],
        key=lambda rule: rule.code,
    )
)

BY_MEMBER: dict[tuple[str, str], Rule] = {
    ("trajectory", "schema_version"): UNKNOWN_VERSION,
    ("trajectory", "agent"): BAD_AGENT,
    ("trajectory", "steps"): NO_STEPS,
    ("agent", "name"): BAD_AGENT,
    ("agent", "version"): BAD_AGENT,
    ("step", "step_id"): OUT_OF_SEQUENCE,
    ("step", "timestamp"): BAD_TIMESTAMP,
    ("step", "source"): BAD_SOURCE,
    ("step", "message"): BAD_MESSAGE,
    ("call", "arguments"): BAD_ARGUMENTS,
    **{("part", name): BAD_PART for name in ("type", "text", "source")},
    **{("image", name): BAD_PART for name in ("media_type", "path")},
    **{("audio", name): BAD_PART for name in ("media_type", "path")},
}
"""The rule that a missing or wrongly typed member breaks, where one of A01 to A34 is about it."""

HARBOR_IS_BLIND_TO = frozenset(
    {
        *("ATIF001", "ATIF003", "ATIF004", "ATIF014", "ATIF015", "ATIF017", "ATIF019", "ATIF020", "ATIF022"),
        *("ATIF023", "ATIF026", "ATIF027", "ATIF028", "ATIF029", "ATIF030", "ATIF031", "ATIF034"),
        *("ATIF112", "ATIF113", "ATIF114", "ATIF115", "ATIF116", "ATIF117"),
    }
)
"""Findings that say nothing of Harbor's models: with none but these, the models take the document."""

HARBOR_REJECTS = frozenset(
    {
        *("ATIF002", "ATIF005", "ATIF006", "ATIF008", "ATIF009", "ATIF010", "ATIF011", "ATIF012", "ATIF013"),
        *("ATIF016", "ATIF021", "ATIF024", "ATIF032", "ATIF110"),
    }
)
"""Findings whose errors Harbor's models refuse, whatever else there is. Of the others (a wrong type, a number out of
range) some are converted and taken, so that the models must be imitated."""
