"""One trajectory of a file, and the account of what is found in all of them.

A `.traj` holds one trajectory at its top or, from a retry agent, one in each of `attempts`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from attraj.findings import Finding, Related, Rule, Severity
from attraj.formats.swe_agent.align import Alignment, align
from attraj.formats.swe_agent.config import Config, read_config
from attraj.formats.swe_agent.values import Json, child, items
from attraj.formats.swe_agent.version import Version, detect

_MORE_PLACES = 4  # further places that are named beside the first one of a repeated fault


class Unit:
    """One trajectory with what stands beside it. Read only; what is missing or no object is empty.

    Attributes:
        at: Pointer of the object that holds it; "" for the file itself.
        tree: That object.
    """

    def __init__(self, tree: Json, at: str) -> None:
        self.tree = tree
        self.at = at
        self.steps: list[Any] = items(tree.get("trajectory"))
        self.history: list[Any] = items(tree.get("history"))
        self.info: Json = child(tree, "info")

    @cached_property
    def version(self) -> Version:
        return detect(self.tree)

    @cached_property
    def config(self) -> Config:
        return read_config(self.tree)

    @cached_property
    def alignment(self) -> Alignment:
        return align(self.steps, self.tree.get("history"), self.config)

    @property
    def has_steps(self) -> bool:
        return type(self.tree.get("trajectory")) is list

    def step(self, index: int, *members: str) -> str:
        """Pointer of a step, or of one of its members."""
        return "/".join([f"{self.at}/trajectory/{index}", *members])


@dataclass(slots=True)
class _Tally:
    rule: Rule
    severity: Severity | None
    message: str
    hint: str
    places: list[str]
    count: int = 1


@dataclass(slots=True)
class Found:
    """Findings so far; what repeats is told once, at its first place, with its number."""

    findings: list[Finding] = field(default_factory=list)
    _tallies: dict[tuple[str, ...], _Tally] = field(default_factory=dict)

    def add(
        self,
        rule: Rule,
        at: str,
        message: str,
        hint: str = "",
        severity: Severity | None = None,
        related: Sequence[Related] = (),
    ) -> None:
        self.findings.append(rule.at(at, message, hint=hint, severity=severity, related=related))

    def tally(
        self,
        key: str | tuple[str, ...],
        rule: Rule,
        at: str,
        message: str,
        hint: str = "",
        severity: Severity | None = None,
    ) -> None:
        """Tell a fault once for the document. `key` tells apart what one rule says of different things."""
        own = (rule.code, *((key,) if type(key) is str else key))
        known = self._tallies.get(own)
        if known is None:
            self._tallies[own] = _Tally(rule, severity, message, hint, [at])
        else:
            known.count += 1
            if len(known.places) <= _MORE_PLACES:
                known.places.append(at)

    def all(self) -> list[Finding]:
        """Every finding, in no particular order."""
        return [*self.findings, *map(_told, self._tallies.values())]


def _told(tally: _Tally) -> Finding:
    first, *others = tally.places
    more = f" ({tally.count} places; this is the first)" if tally.count > 1 else ""
    related = [Related(at, "also here") for at in others]
    return tally.rule.at(first, tally.message + more, hint=tally.hint, severity=tally.severity, related=related)
