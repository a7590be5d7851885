"""What a verifier result says of an instance: pass and fail by the harness's own word, anything else undecided.

That a harness lists an instance under nothing is no failure, and flags are never derived from one another (in the
samples of SWE-smith `patch_successfully_applied` is false of instances that are resolved). Spec: traj.md §2.
"""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

from attraj.formats.mapping.fields import Json
from attraj.formats.swe_bench.report import Report


class Status(NamedTuple):
    """A word of `attraj.bundle.vocabulary.VERIFIER_STATUSES`, and why it is this word, in ours."""

    word: str
    why: str


_PASS = frozenset({"resolved_ids", "resolved"})
_FAIL = frozenset({"unresolved_ids", "unresolved"})
_ERROR = frozenset({"error_ids", "install_fail", "reset_failed", "test_errored", "test_timeout"})
_RUN = frozenset({"completed_ids", "applied"})  # the tests of these were run, and their results read
_WITHOUT_TESTS = frozenset({"empty_patch_ids", "no_apply", "not_generated", "no_generation", "incomplete_ids"})

OTHER_PATCH = Status(
    "indeterminate",
    "the patch that was handed in, which stands beside it, is not what the trajectory submitted",
)


def of_entry(entry: Json) -> Status:
    """By a report of one instance."""
    resolved = entry.get("resolved")
    if resolved is True:
        return Status("pass", "the harness says that it is resolved")
    if resolved is False:
        return Status("fail", "the harness says that it is not resolved")
    return Status("indeterminate", "the report does not say whether it is resolved")


def of_lists(report: Report, lists: Set[str]) -> Status:
    """By the lists of a summary that hold the instance.

    Args:
        report: The summary.
        lists: Names of those lists.
    """
    said = [status for status, names in _WORDS if names & lists]
    if len(said) > 1:
        return Status("indeterminate", "the harness lists it under results that exclude each other")
    if said:
        return said[0]
    if lists & _RUN and not report.has_list(*_FAIL):
        # Whose tests were run is in the list of the resolved or not resolved: no list of its own says the latter.
        return Status("fail", "the harness ran its tests, lists those that are resolved, and not it")
    if lists & _WITHOUT_TESTS:
        return Status("indeterminate", "the harness ran no tests: there was no patch that it could apply")
    return Status("indeterminate", "the harness lists it, and does not say how its tests went")


_WORDS = (
    (Status("pass", "the harness lists it as resolved"), _PASS),
    (Status("fail", "the harness lists it as not resolved"), _FAIL),
    (Status("error", "the harness lists it as one whose tests could not be run to their end"), _ERROR),
)
