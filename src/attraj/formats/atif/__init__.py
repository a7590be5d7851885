"""ATIF, the Agent Trajectory Interchange Format: its checks, its verdicts by Harbor, its table of members.

shape.py      one table of members, types and versions         survey.py     the quick look at every step
document.py   a whole document                                 steps.py …    the close look, one file an idea
verdict.py    what Harbor's own validator would say            links.py      what a document says about other files
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attraj.findings import Finding, Rule, Severity, Stratum
from attraj.formats import Checked, Options
from attraj.formats.atif import shape
from attraj.formats.atif.document import look
from attraj.formats.atif.scope import Whole
from attraj.jsonio.document import Document, FaultKind


def check(document: Document, options: Options) -> Checked:
    """All findings of one ATIF document, and what Harbor's validator says of it."""
    tree = document.tree
    if type(tree) is not dict:
        return _no_object(document, options)
    whole = look(tree, options.folder, document.path)
    return Checked(
        _asked(whole.found, document, options) if whole.found or options.level < Stratum.SHAPE else whole.found,
        _verdicts(whole, document, options),
        version=_version(tree),
        notes=_notes(whole, tree),
    )


def rules() -> Sequence[Rule]:
    """Every rule of the family, the bytes' among them, by code."""
    from attraj.formats.atif.rules import RULES

    return RULES


def _no_object(document: Document, options: Options) -> Checked:
    from attraj.formats.atif.rules import NOT_AN_OBJECT
    from attraj.formats.atif.verdict import harbor
    from attraj.jsonio.document import MISSING

    is_told = document.tree is MISSING or any(fault.kind is FaultKind.TOP_LEVEL for fault in document.faults)
    found = [] if is_told else [NOT_AN_OBJECT.at("", "the top level of an ATIF document is an object")]
    return Checked(found, harbor(document, options.folder), stopped_after=Stratum.BYTES)


def _version(tree: dict[str, Any]) -> str | None:
    tag = tree.get("schema_version")
    return tag if type(tag) is str and tag in shape.VERSIONS else None


def _asked(found: Sequence[Finding], document: Document, options: Options) -> list[Finding]:
    """The findings up to the asked level, without the numbers that the reading of the bytes has told already."""
    from attraj.formats.atif.unjudged import judged  # only where something is found

    told = {fault.pointer for fault in document.faults if fault.kind in (FaultKind.SYNTAX, FaultKind.NUMBER)}
    return [
        finding
        for finding in judged(found, document.tree, told)
        if finding.rule.stratum <= options.level
        and not (finding.rule.code == "ATIF111" and finding.location.pointer in told)
    ]


def _verdicts(whole: Whole, document: Document, options: Options) -> dict[str, str]:
    """Harbor is imitated where its verdict is not plain; a document without a relevant finding is accepted."""
    # Harbor 0.18 ends at ATIF-v1.7: neither the tag of 1.8 nor its audio.
    is_old = not (whole.is_newest or whole.has_audio)
    if not (document.faults or whole.has_media or whole.found):
        return {"harbor-0.18": "accepted" if is_old else "rejected", "harbor-0.26": "accepted"}
    from attraj.formats.atif.verdict import harbor

    taken = None if document.faults else _taken_by_models(whole.found)
    if taken is None:
        return harbor(document, options.folder)
    return harbor(document, options.folder, {"harbor-0.18": taken and is_old, "harbor-0.26": taken})


def _taken_by_models(found: Sequence[Finding]) -> bool | None:
    """Whether Harbor's models take the document, as far as the findings tell; None when they do not."""
    from attraj.formats.atif.rules import HARBOR_IS_BLIND_TO, HARBOR_REJECTS

    codes = {finding.rule.code for finding in found if finding.severity is Severity.ERROR}
    if not codes.isdisjoint(HARBOR_REJECTS):
        return False
    codes = {finding.rule.code for finding in found} - {"ATIF025"}
    return True if codes <= HARBOR_IS_BLIND_TO else None


def _notes(whole: Whole, tree: dict[str, Any]) -> tuple[str, ...]:
    notes: list[str] = []
    if not whole.has_calls:
        from attraj.formats.atif.dialects import notes_on

        notes.extend(notes_on(tree))
    if whole.sidechains:
        notes.append("steps of subagents stand among the main agent's (extra.is_sidechain)")
    if whole.unlooked:
        notes.append("files that the document names were not looked for: its folder is not known")
    return tuple(notes)
