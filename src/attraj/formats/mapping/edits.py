"""What somebody has written into a Bundle since it was read from a document, and a writer of another format has not.

Of a Bundle that is fresh, a reader's own words are no loss: a format says them by its form, or they repeat what stands
beside them. Written by hand they are facts: who acted, which call a result is of. Only reading the document once more
tells the two apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attraj.bundle.model import Bundle
from attraj.formats.mapping.again import differences, read_again
from attraj.formats.mapping.covers import WriteLosses
from attraj.formats.mapping.fields import At, pointer_of
from attraj.formats.mapping.loss import Loss
from attraj.formats.mapping.restore import NotRestorable, restore, sources
from attraj.formats.mapping.rooms import READABLE, reader
from attraj.jsonio import parse
from attraj.jsonio.write import dumps

DETAIL = "written into the Bundle since it was read, and nothing that the target holds says it"


def losses_of_edits(bundle: Bundle, traces: Iterable[Sequence[tuple[At, At]]], losses: Sequence[Loss]) -> list[Loss]:
    """The losses that are left of what was written by hand.

    Args:
        bundle: Given, and never modified. One that is of no lone document, or has lost a record of it, gives none.
        traces: What of it stands where in what was written; see `held.settle`.
        losses: Those that its writer has named, and those that were counted.
    """
    known = sources(bundle)
    form = known[0]["format"] if len(known) == 1 else ""
    if form not in READABLE:
        return []
    room = reader(form)
    try:
        tree = restore(bundle, known[0], room.PLACES)
    except NotRestorable:
        return []
    edited = differences(bundle, read_again(bundle, parse(dumps(tree)), room, form))
    if not edited:
        return []
    carried = {origin for trace in traces for origin, _ in trace}
    told = WriteLosses(losses, bundle.tree)
    return [
        Loss("edited", "other", "dropped", pointer_of(at), 1, DETAIL, "write")
        for at in edited
        if not told.cover(at) and not any(at[:depth] in carried for depth in range(1, len(at) + 1))
    ]
