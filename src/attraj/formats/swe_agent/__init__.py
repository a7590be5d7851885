"""SWE-agent `.traj` files, 0.1 to 1.1, and the run folders they stand in.

shape.py version.py config.py      members by version; which version a file is of; the configuration inside
align.py                           trajectory beside history: what each step is
whole.py                           a whole file; its parts: members, steps, story, history, ending, attempts
layout.py check_folder.py          run folders: names and small files; what they say of one instance
stream.py                          files too big for memory
salvage.py salvage_tree.py         files that were cut: what stands complete, by reading, and out of a parser's tree

Run folders: `recognise(folder)`, `read_run(folder, limits)`, then each of `Run.trajectories` as a document by `check`,
of which `account_of` keeps what `check_run(run, accounts)` needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attraj.findings import Rule, Stratum
from attraj.formats import Checked, Options
from attraj.jsonio.document import MISSING, Document, FaultKind


def check(document: Document, options: Options, cut: Mapping[str, frozenset[str]] | None = None) -> Checked:
    """All findings of one `.traj`, its version, and notes on what its steps are.

    Args:
        cut: Of what was saved of a file that was cut: `Salvaged.open`.
    """
    from attraj.formats.swe_agent.whole import look, notes_on

    tree = document.tree
    if type(tree) is not dict:
        return _no_object(document)
    looked = look(tree, cut)
    versions = [unit.version.name for unit in looked.units if unit.version.name is not None]
    return Checked(
        [finding for finding in looked.findings if finding.rule.stratum <= options.level],
        version=versions[0] if versions else None,
        notes=notes_on(looked),
    )


def rules() -> Sequence[Rule]:
    """Every rule of the family, the bytes' and the folders' among them, by code."""
    from attraj.formats.swe_agent.codes import RULES

    return RULES


def _no_object(document: Document) -> Checked:
    from attraj.formats.swe_agent.codes import NOT_AN_OBJECT

    is_told = document.tree is MISSING or any(fault.kind is FaultKind.TOP_LEVEL for fault in document.faults)
    found = [] if is_told else [NOT_AN_OBJECT.at("", "the top level of a .traj is an object")]
    return Checked(found, stopped_after=Stratum.BYTES)
