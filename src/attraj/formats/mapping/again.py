"""What a Bundle says beyond the document that is given back of it: reading the document again does not give it.

A document comes back out of its Bundle as it was, and what somebody has added to the Bundle since (a reward, a right, a
node) has no place in it. Only reading it once more tells what it says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attraj.bundle.model import Bundle, text
from attraj.bundle.shape import COLLECTIONS
from attraj.formats.mapping.account import losses_of
from attraj.formats.mapping.draft import KNOWN_BASES, Settings
from attraj.formats.mapping.fields import At, is_same, look_up
from attraj.formats.mapping.held import Ledger
from attraj.formats.mapping.loss import Loss
from attraj.formats.mapping.residue import EXTENSION
from attraj.formats.mapping.rooms import Reader
from attraj.formats.mapping.verify import missing_in_copy
from attraj.jsonio import MISSING, Document

# What a Bundle says of itself, and of the bytes that it was read from.
_OWN: tuple[At, ...] = (("source",), ("transform",), ("extensions", EXTENSION), ("integrity", "status"))


def losses_again(bundle: Bundle, document: Document, room: Reader, form: str) -> list[Loss]:
    """The losses of giving a document back: each part of the Bundle that reading the document does not give.

    Args:
        bundle: Never modified.
        document: What was made of it.
        room: Reader of the document's format.
        form: Name of that format.
    """
    again = read_again(bundle, document, room, form)
    ledger = Ledger({*_OWN, *_equal(bundle, again)})
    known = {text(node, "node_id") for _, node in again.objects("nodes")}
    for position, node in bundle.objects("nodes"):
        if text(node, "node_id") not in known:
            ledger.used.add(("nodes", position))
            ledger.lose("added-record", "other", "dropped", ("nodes", position), "a record that the document lacks")
    return list(losses_of(bundle.tree, ledger, has_bookkeeping=False))


def read_again(bundle: Bundle, document: Document, room: Reader, form: str) -> Bundle:
    """The Bundle of a document that was made of a Bundle, with what the first one was asked for."""
    bases = {edge.get("basis") for _, edge in bundle.objects("edges") if type(edge.get("basis")) is str}
    identity = bundle.tree.get("trajectory_id")
    made = f"at:{form}:"  # an identity of ours, of the document's name: it says so again
    name = identity.removeprefix(made) if type(identity) is str and identity.startswith(made) else ""
    settings = Settings("", name, bool(bases - KNOWN_BASES))
    return Bundle(room.read(document, settings).finish())


def differences(bundle: Bundle, again: Bundle) -> list[At]:
    """The values of a Bundle that another one has not, records by their identity; not what it says of itself."""
    found: list[At] = []
    for one, other, at in _pairs(bundle, again):
        if not is_same(one, other):
            found += [(*at, *inner) for inner in missing_in_copy(one, other)]
    return [
        at for at in found if look_up(bundle.tree, at) is not MISSING and not any(at[: len(own)] == own for own in _OWN)
    ]


def _equal(bundle: Bundle, again: Bundle) -> list[At]:
    """The largest parts of a Bundle that another one has as well, records by their identity."""
    found: list[At] = []
    pending = list(_pairs(bundle, again))
    while pending:
        one, other, at = pending.pop()
        if is_same(one, other):
            found.append(at)
        elif type(one) is dict and type(other) is dict:
            pending.extend([(value, other.get(name, MISSING), (*at, name)) for name, value in one.items()])
        elif type(one) is list and type(other) is list:
            pending.extend([(value, look_up(other, (i,)), (*at, i)) for i, value in enumerate(one)])
    return found


def _pairs(bundle: Bundle, again: Bundle) -> Iterator[tuple[Any, Any, At]]:
    """What two Bundles have at the same place, in the order of the first one; records by their identity."""
    for name, value in bundle.tree.items():
        if name not in COLLECTIONS or type(value) is not list:
            yield value, again.tree.get(name, MISSING), (name,)
            continue
        member = COLLECTIONS[name][1]
        known = {one[member]: one for _, one in again.objects(name) if type(one.get(member)) is str}
        for position, one in enumerate(value):
            identity = one.get(member) if type(one) is dict else None
            yield one, known.get(identity, MISSING) if type(identity) is str else MISSING, (name, position)
