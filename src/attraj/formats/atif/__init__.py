"""ATIF, the Agent Trajectory Interchange Format: its checks, its verdicts by Harbor, its table of members.

shape.py      one table of members, types and versions         survey.py     the quick look at every step
check.py      a whole document                                 steps.py …    the close look, one file an idea
verdict.py    what Harbor's own validator would say            links.py      what a document says about other files
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attraj.findings import Finding, Rule, Stratum
from attraj.formats import Checked, Options
from attraj.formats.atif import shape
from attraj.formats.atif.check import look
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
    told = {fault.pointer for fault in document.faults if fault.kind in (FaultKind.SYNTAX, FaultKind.NUMBER)}
    return [
        finding
        for finding in found
        if finding.rule.stratum <= options.level
        and not (finding.rule.code == "ATIF111" and finding.location.pointer in told)
    ]


def _verdicts(whole: Whole, document: Document, options: Options) -> dict[str, str]:
    """Harbor is only imitated where its verdict is not plain: a document without a relevant finding is accepted."""
    if document.faults or whole.has_media or (whole.found and not _is_harbor_blind(whole.found)):
        from attraj.formats.atif.verdict import harbor

        return harbor(document, options.folder)
    # Harbor 0.18 ends at ATIF-v1.7.
    return {"harbor-0.18": "rejected" if whole.is_newest else "accepted", "harbor-0.26": "accepted"}


def _is_harbor_blind(found: Sequence[Finding]) -> bool:
    from attraj.formats.atif.rules import HARBOR_IS_BLIND_TO

    return all(finding.rule.code in HARBOR_IS_BLIND_TO for finding in found)


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
