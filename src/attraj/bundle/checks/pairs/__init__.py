"""The checks of two documents: `validate NEW --against OLD` (class b of the catalogue).

codes.py         the rules themselves
relation.py      how the newer one was made from the older one
differences.py   what differs between two values, and in which way
pair.py          the two side by side: same records, gone ones, new ones
content.py       AT214 AT215 AT614 AT629 AT712   what records and envelope say
skeleton.py      AT312 AT314 AT711   the causal shape
leaks.py         AT710   what a redaction took away and left elsewhere
lineage.py       AT807 AT808 AT924-AT928   identity, rights, completeness, sources
run.py           all of them
derived.py       AT832 AT833 AT834   an Episode or a Dataset manifest against a Bundle that it was made from

A finding is about the newer document; where the older one explains it, `related` gives the place there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attraj.bundle.model import Bundle
    from attraj.findings import Finding, Rule


def check_pair(new: Bundle, old: Bundle, relation: str) -> list[Finding]:
    """Everything that is wrong between a document and the older one that it was made from.

    Args:
        new: A Bundle, an Episode or a Dataset manifest. Never modified.
        old: The older document. Never modified.
        relation: One of `relation.RELATIONS`; for Episodes and manifests it means nothing.

    Returns:
        Findings about `new`, in no particular order; pointers in `related` are places of `old`.

    Source: spec bundle.md §5 (letter b), §6.1, §6.2.
    """
    from attraj.bundle.checks.pairs.run import run  # the checks of single documents are only needed here

    return run(new, old, relation)


def infer_relation(new: Bundle, old: Bundle) -> str:
    """How the newer document says that it was made from the older one; see `relation.infer_relation`."""
    from attraj.bundle.checks.pairs.relation import infer_relation as infer

    return infer(new, old)


def rules() -> Sequence[Rule]:
    """The rules that only a pair can break, by code."""
    from attraj.bundle.checks.pairs.codes import RULES

    return RULES
