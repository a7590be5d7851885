"""The rules of ReAct web JSON, under the numbers of their catalogue; no check lives here. Source: react-web.md §4.

A finding of a rule may weigh less or more than the rule itself: the page of the rule says when.
"""

from __future__ import annotations

from attraj.findings import Rule, Severity, Stratum
from attraj.formats.bytes_rules import byte_rules, family_rules
from attraj.jsonio.document import FaultKind

SHAPE, REFERENCES, MEANING = Stratum.SHAPE, Stratum.REFERENCES, Stratum.MEANING
ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

UNSAFE_NUMBER = byte_rules("RW")[FaultKind.NUMBER.value]
NOT_AN_OBJECT = byte_rules("RW")[FaultKind.TOP_LEVEL.value]

BAD_STEPS = Rule("RW002", "bad-steps", ERROR, SHAPE)
BAD_TYPE = Rule("RW003", "bad-step-type", ERROR, SHAPE)
BAD_ITERATION = Rule("RW004", "bad-iteration", WARNING, SHAPE)
BAD_CALL = Rule("RW005", "bad-tool-or-args", ERROR, SHAPE)
BAD_CONTENT = Rule("RW006", "bad-step-content", ERROR, SHAPE)
MISSING_METADATA = Rule("RW010", "missing-metadata", WARNING, SHAPE)
BAD_METADATA = Rule("RW011", "bad-metadata", WARNING, SHAPE)
ANSWER_AND_OUTCOME = Rule("RW020", "answer-against-outcome", WARNING, MEANING)
MISPLACED_ANSWER = Rule("RW021", "misplaced-answer", WARNING, MEANING)
UNANSWERED = Rule("RW030", "unanswered-action", WARNING, REFERENCES)
UNCERTAIN = Rule("RW031", "uncertain-pairing", WARNING, REFERENCES)
PARALLEL = Rule("RW032", "parallel-actions", INFO, MEANING)
REPEATED = Rule("RW033", "repeated-action", INFO, MEANING)
ECHO = Rule("RW034", "echoed-arguments", INFO, MEANING)
EMPTY_ARGUMENTS = Rule("RW035", "empty-arguments", INFO, MEANING)
UNKNOWN_MEMBER = Rule("RW040", "unplaced-member", WARNING, SHAPE)
SECRET = Rule("RW050", "secret-or-personal-data", WARNING, MEANING)

RULES: tuple[Rule, ...] = tuple(
    sorted(
        {*family_rules("RW"), *(rule for rule in list(globals().values()) if type(rule) is Rule)},
        key=lambda rule: rule.code,
    )
)

OF_THE_TEXT = frozenset(
    {*("RW001", "RW002", "RW003", "RW004", "RW005", "RW006", "RW010", "RW011", "RW021"), "RW103", "RW105", "RW106"}
)
"""Rules by which SCHEMA.md itself is broken: one such finding, a warning or worse, makes a document invalid."""
