"""What cannot be judged where the shape of something was refused: one fault is one finding.

Totals are not compared with steps that are not there, and no result misses the call that is a number. Harbor's verdict
does not change by it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from attraj.findings import Finding, Severity, Stratum
from attraj.pointer import resolve

_PLACE = re.compile(r"(?P<trajectory>(?:/subagent_trajectories/\d+)*)(?:/steps/(?P<step>\d+))?(?P<rest>.*)", re.DOTALL)

# What a refused member of a step takes away from the rules of that step.
_CALL = re.compile(r"/tool_calls/\d+(?:/tool_call_id)?").fullmatch
_RESULT = re.compile(r"/observation(?:/results(?:/\d+(?:/(?:source_call_id|content))?)?)?").fullmatch
_REFERENCE = re.compile(
    r"/observation(?:/results(?:/\d+(?:/subagent_trajectory_ref(?:/\d+(?:/trajectory_id)?)?)?)?)?"
).fullmatch
_MEASURE = re.compile(r"|/source|/metrics(?:/[a-z_]+)?").fullmatch
_ALL = 1 << 62


def judged(found: Sequence[Finding], tree: Any, no_numbers: Collection[str] = ()) -> Sequence[Finding]:
    """The findings without those that only follow from a shape that is refused.

    Args:
        no_numbers: Where NaN or the like stands, which the reading of the bytes has told.
    """
    refused = [f for f in found if _is_refusal(f)]
    if (not refused and not no_numbers) or len(refused) == len(found):
        return found
    lost = _Lost(refused, no_numbers)
    calls = _by_step(f for f in found if f.code == "ATIF013")
    targets = {_value(tree, f) for f in found if f.code == "ATIF019"}
    return [f for f in found if f.rule.stratum is Stratum.SHAPE or not lost.explains(f, calls, len(targets))]


class _Lost:
    """What cannot be known, by where the values stand that are refused."""

    def __init__(self, refused: Iterable[Finding], no_numbers: Iterable[str]) -> None:
        self.totals: set[str] = set()  # trajectories whose steps, or what they measured, are not all known
        self.calls: dict[tuple[str, str], int] = {}  # step to the number of its calls that have lost their id
        self.results: set[tuple[str, str]] = set()  # steps whose results are not all known
        self.sources: set[tuple[str, str]] = set()
        self.has_references = False  # some reference to a subagent may be lost
        self.subagents = 0  # embedded subagents that have lost their id
        self.places = {finding.location.pointer for finding in refused}
        for finding in refused:
            if finding.code == "ATIF021":
                self.subagents += 1
            if _is_type(finding):
                self._add(finding.location.pointer)
            if finding.code == "ATIF006":
                self.totals.add(finding.location.pointer.removesuffix("/steps"))
                self.has_references = True

        for pointer in no_numbers:
            self._add(pointer)

    def _add(self, pointer: str) -> None:
        trajectory, number, rest = _split(pointer)
        if number is None:
            if rest == "/subagent_trajectories":
                self.subagents = _ALL
            elif (rest == "" and trajectory) or rest == "/trajectory_id":
                self.subagents += 1
            return
        step = (trajectory, number)
        if _MEASURE(rest):
            self.totals.add(trajectory)
        if rest == "/source":
            self.sources.add(step)
        if rest == "/tool_calls":
            self.calls[step] = _ALL
        elif _CALL(rest):
            self.calls[step] = self.calls.get(step, 0) + 1
        if _RESULT(rest):
            self.results.add(step)
        self.has_references = self.has_references or rest == "" or _REFERENCE(rest) is not None

    def explains(self, finding: Finding, calls: dict[tuple[str, str], int], targets: int) -> bool:
        """Whether the finding may only follow from what is refused."""
        trajectory, number, _ = _split(finding.location.pointer)
        step, code = (trajectory, number or ""), finding.code
        if code in ("ATIF026", "ATIF027", "ATIF112"):
            return trajectory in self.totals and number is None
        if code == "ATIF013":
            return calls[step] <= self.calls.get(step, 0)
        if code == "ATIF015":
            return step in self.results or step in self.calls
        if code == "ATIF030":
            return step in self.results or step in self.sources
        if code == "ATIF117":
            is_one = finding.message.endswith("recorded")  # told of one result, not of several
            return is_one and f"{finding.location.pointer}/subagent_trajectory_ref" in self.places
        if code == "ATIF019":
            return targets <= self.subagents
        return code == "ATIF022" and self.has_references


def _is_refusal(finding: Finding) -> bool:
    if finding.code == "ATIF021":  # an id that is missing or null, not one that stands twice
        return not finding.location.pointer.endswith("/trajectory_id")
    return finding.rule.stratum is Stratum.SHAPE and finding.severity is Severity.ERROR


def _is_type(finding: Finding) -> bool:
    return finding.message.startswith(("expected ", "required member")) or finding.code in ("ATIF008", "ATIF111")


def _split(pointer: str) -> tuple[str, str | None, str]:
    match = _PLACE.fullmatch(pointer)
    return (match["trajectory"], match["step"], match["rest"]) if match else ("", None, pointer)


def _by_step(findings: Iterable[Finding]) -> dict[tuple[str, str], int]:
    counts: dict[tuple[str, str], int] = {}
    for finding in findings:
        trajectory, number, _ = _split(finding.location.pointer)
        step = (trajectory, number or "")
        counts[step] = counts.get(step, 0) + 1
    return counts


def _value(tree: Any, finding: Finding) -> Any:
    try:
        return resolve(tree, finding.location.pointer)
    except LookupError:
        return None
