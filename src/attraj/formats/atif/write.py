"""A Bundle → ATIF documents: one for the agent, for each attempt and for each segment; subagents inside or beside.

A Bundle that was read from ATIF is restored and changed (upgrade.py), so that nothing of the documents is lost on the
way; any other one is composed of its turns. Source: ATIF RFC 0001; spec traj.md §7.3, §7.5, react-web.md §5.2.
"""

from __future__ import annotations

from attraj.bundle.model import Bundle
from attraj.formats.atif.shape import NEWEST
from attraj.formats.atif.upgrade import minor, restored
from attraj.formats.atif.upgrade_subagents import EMBEDDING
from attraj.formats.atif.write_documents import Composer
from attraj.formats.mapping.held import Ledger
from attraj.formats.mapping.rooms import NotWritable, Wanted, Written


def compose(bundle: Bundle, ledger: Ledger, wanted: Wanted) -> list[Written]:
    """The ATIF documents that say what a Bundle says.

    Args:
        bundle: Never modified.
        ledger: Takes the losses.
        wanted: Version 1.6 to 1.8; 1.7 where none is asked for.

    Raises:
        NotWritable: The Bundle has no step, or the version is none that can be written.
    """
    version = NEWEST if wanted.upgrades and not wanted.version else minor(wanted.version)
    if wanted.embeds_subagents and version < EMBEDDING:
        raise NotWritable("a version of ATIF before 1.7 holds no trajectory inside another")
    found = restored(bundle, ledger, wanted)
    if found is not None:
        return found
    documents = Composer(bundle, ledger, wanted, version).documents()
    if not documents:
        raise NotWritable("the Bundle has no turn: a trajectory of ATIF has at least one step")
    return documents
