"""A Bundle → `.traj` files in the shape of SWE-agent 1.1: one for each thread that has turns.

Attempts become files of their own, as SWE-agent itself keeps them beside the merged one: in a merged file one attempt
stands on top of the others, and to choose it would be a claim. A Bundle that was read from a `.traj` is restored, not
written here. Source: SWE-agent v1.1.0, types.py; spec traj.md §7.2, §7.4, decisions 33 to 35.
"""

from __future__ import annotations

from attraj.bundle.model import Bundle
from attraj.formats.mapping.attempts import part_of
from attraj.formats.mapping.bound import Bound
from attraj.formats.mapping.held import NULL, Ledger
from attraj.formats.mapping.rooms import NotWritable, Wanted, Written
from attraj.formats.mapping.turns import threads
from attraj.formats.swe_agent.write_back import change as change
from attraj.formats.swe_agent.write_info import Subject, info_of
from attraj.formats.swe_agent.write_steps import is_turn, written_story

VERSIONS = ("", "1.1")


def compose(bundle: Bundle, ledger: Ledger, wanted: Wanted) -> list[Written]:
    """The `.traj` files that say what a Bundle says.

    Args:
        bundle: Never modified.
        ledger: Takes the losses.
        wanted: Version 1.1, or none; `is_derived` adds what can be derived to each step, under one member.

    Raises:
        NotWritable: The Bundle has no turn, or the version is none that is written.
    """
    if wanted.version not in VERSIONS:
        raise NotWritable("a .traj is written in the shape of SWE-agent 1.1 alone")
    found = [thread for thread in threads(bundle, ledger) if any(is_turn(turn) for turn in thread.turns)]
    if not found:
        raise NotWritable("the Bundle has no turn: a .traj is made of an agent's steps and messages")
    names = frozenset(thread.name for thread in found)
    documents: list[Written] = []
    for number, thread in enumerate(found):
        story = written_story(bundle, ledger, wanted, thread)
        bound = Bound(bundle, ledger, thread.name, is_alone=len(found) == 1)
        document = {
            "trajectory": story.steps,
            "history": story.history,
            "info": info_of(story, Subject(bundle, ledger, thread, names), bound),
            "replay_config": NULL,  # none is recorded in a form that SWE-agent could run again
            "environment": bound.text("environments", "name"),
        }
        part = part_of(thread.name, number if "" in names else number + 1)
        documents.append(Written(document, part if thread.name else ""))
    return documents
