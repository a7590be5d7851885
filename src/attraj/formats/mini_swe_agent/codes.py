"""The rules of mini-swe-agent trajectories: MJ101 to MJ107 of the catalogue, further ones after; no check lives here.

How a run ended (`exit_status`) is an open vocabulary and never a fault. Source: traj.md §3, §8.
"""

from __future__ import annotations

from attraj.findings import Rule, Severity, Stratum
from attraj.formats.bytes_rules import byte_rules, family_rules
from attraj.jsonio.document import FaultKind

SHAPE, REFERENCES, MEANING = Stratum.SHAPE, Stratum.REFERENCES, Stratum.MEANING
ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

UNSAFE_NUMBER = byte_rules("MJ")[FaultKind.NUMBER.value]
NOT_AN_OBJECT = byte_rules("MJ")[FaultKind.TOP_LEVEL.value]

UNKNOWN_FORMAT = Rule("MJ101", "unknown-trajectory-format", WARNING, SHAPE)
UNANSWERED = Rule("MJ102", "unanswered-tool-call", WARNING, REFERENCES)
UNMATCHED = Rule("MJ103", "unmatched-tool-result", WARNING, REFERENCES)
LOST_REPLY = Rule("MJ104", "lost-reply", INFO, MEANING)
CALL_COUNT = Rule("MJ105", "wrong-call-count", WARNING, MEANING)
NO_EXIT_STATUS = Rule("MJ106", "no-exit-status", INFO, MEANING)
BARE_LIST = Rule("MJ107", "bare-message-list", INFO, SHAPE)
MISSING_MEMBER = Rule("MJ108", "missing-member", ERROR, SHAPE)
WRONG_TYPE = Rule("MJ109", "wrong-type", ERROR, SHAPE)
UNKNOWN_ROLE = Rule("MJ110", "unknown-role", WARNING, SHAPE)
MIXED_VERSIONS = Rule("MJ111", "mixed-versions", WARNING, SHAPE)
FALSE_PADDING = Rule("MJ112", "padded-submission", INFO, MEANING)
EXIT_DISAGREES = Rule("MJ113", "exit-disagrees", WARNING, MEANING)
UNASKED_ACTION = Rule("MJ114", "action-without-call", WARNING, REFERENCES)
WRONG_COST = Rule("MJ115", "wrong-cost", WARNING, MEANING)
BAD_ARGUMENTS = Rule("MJ116", "bad-call-arguments", WARNING, SHAPE)

RULES: tuple[Rule, ...] = tuple(
    sorted(
        {*family_rules("MJ"), *(rule for rule in list(globals().values()) if type(rule) is Rule)},
        key=lambda rule: rule.code,
    )
)
