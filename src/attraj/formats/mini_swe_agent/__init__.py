"""mini-swe-agent trajectories, all versions: their checks and the reading of a run.

shape.py      members and types                    version.py    which generation wrote it, by which evidence
turns.py      turns, calls, results, interrupts    members.py, calls.py, account.py    the checks, one file an idea
places.py     where each value stands in the Bundle    read*.py, scene.py    a run → the Bundle    write*.py    and back
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attraj.findings import Rule, Stratum
from attraj.formats import Checked, Options
from attraj.formats.found import NAMES, Found
from attraj.formats.mini_swe_agent import turns
from attraj.formats.mini_swe_agent.turns import Run
from attraj.formats.mini_swe_agent.version import Version, version_of
from attraj.jsonio.document import Document, FaultKind


def check(document: Document, options: Options) -> Checked:
    """All findings of one trajectory; a bare list of messages is one as well."""
    tree = document.tree
    found = Found()
    if type(tree) is not dict and type(tree) is not list:
        if not any(fault.kind is FaultKind.TOP_LEVEL for fault in document.faults):
            from attraj.formats.mini_swe_agent.codes import NOT_AN_OBJECT

            found.add(NOT_AN_OBJECT, "", f"expected an object as the document, got {NAMES.get(type(tree), 'nothing')}")
        return Checked(found.all(), stopped_after=Stratum.BYTES)
    version, run = _look(found, tree)
    told = {fault.pointer for fault in document.faults}
    findings = [
        finding
        for finding in found.all()
        if finding.rule.stratum <= options.level
        and (finding.rule.stratum > Stratum.BYTES or finding.location.pointer not in told)
    ]
    return Checked(findings, version=version.declared, notes=_notes(version, run))


def rules() -> Sequence[Rule]:
    """Every rule of the family, the bytes' among them, by code."""
    from attraj.formats.mini_swe_agent.codes import RULES

    return RULES


def _look(found: Found, tree: Any) -> tuple[Version, Run]:
    from attraj.formats.mini_swe_agent import account, calls, members

    messages = tree if type(tree) is list else tree.get("messages")
    messages = messages if type(messages) is list else []
    at = "" if messages is tree else "/messages"
    version, run = version_of(tree, messages), turns.read(messages)
    members.look_at_document(found, tree, version)
    members.look_at_messages(found, messages, at)
    calls.look_at_calls(found, messages, run, at)
    account.look_at_account(found, tree, messages, run, version.generation, at)
    return version, run


def _notes(version: Version, run: Run) -> tuple[str, ...]:
    generation = {1: "1.x", 2: "2.x"}.get(version.generation, "unknown")
    evidence = f" ({', '.join(version.evidence)})" if version.evidence else ""
    calls = sum(len(turn.calls) for turn in run.turns)
    unanswered = sum(len(open_calls) for _, open_calls in run.unanswered())
    errors = len(run.format_errors())
    return (
        f"generation of mini-swe-agent: {generation}{evidence}",
        f"turns of the model: {len(run.replies)}, calls: {calls}, without a result: {unanswered}",
        f"format errors: {errors}, other interrupts: {len(run.interrupts) - errors}",
    )
