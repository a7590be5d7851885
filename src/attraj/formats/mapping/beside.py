"""What a Bundle says beside the documents that are given back of it: of a trial's folder, all that is no trajectory.

A folder is read and never written: its trajectories come back as they were, and what its other files said is a loss.
"""

from __future__ import annotations

from collections.abc import Iterator

from attraj.bundle.model import Bundle
from attraj.formats.mapping.account import losses_of
from attraj.formats.mapping.again_beside import Said
from attraj.formats.mapping.fields import At, Json, pointer_of, tokens_of
from attraj.formats.mapping.held import Ledger
from attraj.formats.mapping.loss import Loss
from attraj.formats.mapping.residue import EXTENSION

FOLDERS = frozenset({"harbor", "swe-bench"})  # formats of files that are read, and written by none

# What speaks of the Bundle itself, and what the documents say: they are given back whole.
_OWN: tuple[At, ...] = (
    ("spec_version",),
    ("profiles",),
    ("trajectory_id",),
    ("source",),
    ("scope", "selection"),
    ("scope", "event_count"),
    ("completeness",),
    ("states",),
    ("transform",),
    ("disclosure",),
    ("integrity", "status"),
    ("bindings", "uncontrolled_variables"),
)


def losses_beside(bundle: Bundle, sources: list[Json], given: list[Json], said: Said | None = None) -> list[Loss]:
    """The losses of giving back some of the documents that a Bundle was read from.

    Args:
        bundle: Never modified.
        sources: Its documents; see `restore.sources`.
        given: Those that are given back, out of `sources`.
        said: What those say of the nodes and edges of a Bundle that somebody may have changed since; None for all.
    """
    if len(given) == len(sources) and said is None:
        return []
    ledger = Ledger()
    keep_beside(bundle, ledger, sources, given, said)
    return list(losses_of(bundle.tree, ledger))


def keep_beside(
    bundle: Bundle, ledger: Ledger, sources: list[Json], given: list[Json], said: Said | None = None
) -> None:
    """Note what documents that are given back say of their Bundle, and lose the members of those that are not.

    Args:
        bundle: Never modified.
        ledger: Of the documents.
        sources, given, said: See `losses_beside`.
    """
    ledger.used.update({*_OWN, ("extensions", EXTENSION)})
    rights = bundle.tree.get("rights")
    if type(rights) is dict and all(value == "unknown" for value in rights.values()):
        ledger.used.add(("rights",))
    ledger.used.update({("nodes",), ("edges",)} if said is None else said.places)
    for position in said.added if said is not None else ():
        ledger.used.add(("nodes", position))
        ledger.lose("added-record", "other", "dropped", ("nodes", position), "a record that the documents lack")
    for source in sources:
        if any(source is one for one in given):
            ledger.used.update(_parts(source))
        else:
            ledger.losses += _members(source)


def is_lone(source: Json) -> bool:
    """Whether a document was read as one of its own, and not as a file of a folder."""
    identity = source.get("artifact_id")
    return type(identity) is not str or not identity.startswith("file:")


def losses_of_files(bundle: Bundle, others: list[Json], *, is_given: bool) -> list[Loss]:
    """The losses of giving back a lone document out of a Bundle in which files beside it speak of it as well.

    Args:
        bundle: Never modified.
        others: Entries of those files; see `restore.sources`.
        is_given: Somebody may have changed the Bundle since: what the document does not say, the files' records among
            it, is told by reading it again (again.py).
    """
    ledger = Ledger()
    for source in others:
        ledger.losses += _members(source)
    if is_given or not others:
        return ledger.losses
    linked = {record for source in others for record in _linked(source)}
    ledger.used.update((name,) for name in bundle.tree if name != "verifier_results")
    for position, result in bundle.objects("verifier_results"):
        if result.get("verifier_result_id") not in linked:
            ledger.used.add(("verifier_results", position))
    return list(losses_of(bundle.tree, ledger))


def _members(source: Json) -> Iterator[Loss]:
    """What the core does not hold of a file that is not given back, by its place in the folder."""
    identity, rest = source.get("artifact_id"), source.get("rest")
    path = identity.removeprefix("file:").split("/") if type(identity) is str else []
    for pointer, value in rest.items() if type(rest) is dict else ():
        if value is not None and value not in ([], {}):  # null says nothing where the member is optional
            place = pointer_of(tuple(path)) + pointer
            yield Loss("source-members", "other", "dropped", place, 1, "members of the source", "write")


def _parts(source: Json) -> Iterator[At]:
    """Parts of the Bundle outside of its collections that a document has given."""
    for record in _linked(source):
        if record.startswith("/bindings/"):
            yield tokens_of(record)


def _linked(source: Json) -> Iterator[str]:
    """The records that a document was read into."""
    links = source.get("links")
    for linked in links.values() if type(links) is dict else ():
        yield from linked if type(linked) is dict else ()
