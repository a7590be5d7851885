"""ReAct web JSON, which the component `<agent-trajectory>` plays: its checks and its two verdicts.

shape.py      members and words of the text        pairing.py    iterations, and which observation has which action
envelope.py, steps.py, calls.py, leaks.py          the checks, one file an idea
viewer.py     what the component makes of a document
places.py     where each value stands in the Bundle    read.py, write*.py    a file → the Bundle, and back
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attraj.findings import Finding, Rule, Severity, Stratum
from attraj.formats import Checked, Options
from attraj.formats.bytes_rules import byte_findings
from attraj.formats.found import NAMES, Found
from attraj.formats.react_web import pairing
from attraj.formats.react_web.pairing import Reading
from attraj.jsonio.document import Document, FaultKind

VALID, INVALID = "valid", "invalid"


def check(document: Document, options: Options) -> Checked:
    """All findings of one document, whether it is what the text says, and what the component makes of it."""
    tree = document.tree
    found = Found()
    notes: tuple[str, ...] = ()
    is_trace = type(tree) is list and any(type(step) is dict for step in tree)
    if type(tree) is dict or is_trace:
        reading = _look(found, tree, document.raw)
        notes = _notes(reading, tree)
    elif not any(fault.kind is FaultKind.TOP_LEVEL for fault in document.faults):
        from attraj.formats.react_web.codes import NOT_AN_OBJECT

        found.add(NOT_AN_OBJECT, "", f"expected an object as the document, got {NAMES.get(type(tree), 'nothing')}")
    told = {fault.pointer for fault in document.faults}
    findings = [f for f in found.all() if f.rule.stratum > Stratum.BYTES or f.location.pointer not in told]
    return Checked(
        [finding for finding in findings if finding.rule.stratum <= options.level],
        _verdicts(document, findings),
        stopped_after=None if type(tree) is dict or is_trace else Stratum.BYTES,
        notes=notes,
    )


def rules() -> Sequence[Rule]:
    """Every rule of the family, the bytes' among them, by code."""
    from attraj.formats.react_web.codes import RULES

    return RULES


def _look(found: Found, tree: Any, raw: bytes) -> Reading | None:
    """None when there are no steps to read."""
    from attraj.formats.react_web import calls, envelope, leaks, steps
    from attraj.formats.react_web.codes import BAD_STEPS, NOT_AN_OBJECT

    leaks.look_for_leaks(found, tree, raw)
    if type(tree) is list:
        message = "a list of steps without the object around them: the page shows nothing of it"
        hint = '{"experiment", "title", "model", "task", "outcome", "steps": [ … ]}'
        found.add(NOT_AN_OBJECT, "", message, hint, Severity.WARNING)
        reading = pairing.read(tree)
        steps.look_at_steps(found, tree, "")
        calls.look_at_calls(found, tree, reading, "")
        return reading
    envelope.look_at_envelope(found, tree)
    items = tree.get("steps")
    if type(items) is not list:
        place = "/steps" if "steps" in tree else ""
        message = f"expected an array of steps, got {NAMES[type(items)]}" if place else "the document has no `steps`"
        found.add(BAD_STEPS, place, message, "a run without a step has the steps []")
        return None
    reading = pairing.read(items)
    steps.look_at_steps(found, items, "/steps")
    calls.look_at_calls(found, items, reading, "/steps", tree.get("condition"))
    calls.look_at_end(found, items, tree.get("outcome"), "/steps")
    return reading


def _verdicts(document: Document, findings: Sequence[Finding]) -> dict[str, str]:
    from attraj.formats.react_web.codes import OF_THE_TEXT
    from attraj.formats.react_web.viewer import viewer

    everything = [*findings, *byte_findings(document.faults, "RW")]
    is_valid = not any(f.severity >= Severity.WARNING and f.rule.code in OF_THE_TEXT for f in everything)
    return {"schema": VALID if is_valid else INVALID, "viewer": viewer(document)}


def _notes(reading: Reading | None, tree: Any) -> tuple[str, ...]:
    if reading is None:
        return ()
    items = tree if type(tree) is list else tree["steps"]
    exact = sum(pair.confidence.is_exact for pair in reading.pairs)
    return (
        f"steps: {len(items)}, iterations: {len(reading.groups)}",
        f"actions: {reading.actions}, without an observation: {len(reading.unanswered)}",
        f"observations: {len(reading.pairs)}, paired exactly: {exact}, unlinked: {len(reading.unlinked())}",
    )
