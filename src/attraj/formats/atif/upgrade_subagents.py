"""Subagents of restored documents: each as a document of its own, or inside the document that called them.

References are changed with them. Links are those of the Bundle (by identity, then by path); never by session.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from attraj.bundle.model import Bundle
from attraj.formats.atif.places import as_kept
from attraj.formats.atif.upgrade_sidechains import split_sidechains
from attraj.formats.atif.upgrade_steps import objects, plain, references, trajectories
from attraj.formats.mapping.fields import At, Json, look_up, tokens_of
from attraj.formats.mapping.file_names import Renamed
from attraj.formats.mapping.held import Held, Ledger, Made
from attraj.formats.mapping.loss import Handling

EMBEDDING = 7  # the version that brought trajectory_id, subagent_trajectories and references by identity
MAX_NESTING = 60  # Harbor stops at 254, and JSON readers with a bound on depth before
UNREFERRED = "that it stood in another document is the only record of what it belongs to: nothing refers to it"
_REFERENCE = "subagent reference"


class Document(Protocol):
    """What `upgrade.Restored` is."""

    tree: Json
    part: str
    links: Json


def split(part: str, tree: Json, stem: str, ledger: Ledger, *, has_sessions: bool) -> list[tuple[str, Json]]:
    """A document and the subagents that were embedded in it, each with its part; references name the files.

    Of a subagent that nothing refers to, the place in the document was the only word on what it belongs to.

    Args:
        part: Of the document among those of its Bundle.
        tree: Changed in place.
        stem: What the names of the files begin with.
        ledger: Takes the losses.
        has_sessions: References are to name the session of the subagent too, where it has one.
    """
    found: list[tuple[str, Json]] = [(part, tree)]
    version = tree.get("schema_version")
    for name, here in found:
        for number, one in enumerate(split_sidechains(here, has_sessions=has_sessions), start=1):
            found.append((f"{name}-sidechain-{number}".lstrip("-"), one))
            ledger.lose("unreferenced-subagents", "order_vs_causality", "dropped", _record_of(one), UNREFERRED)
        inside = here.pop("subagent_trajectories", None)
        if inside is None:
            continue
        files: dict[str, _File] = {}
        apart: list[tuple[Any, Json]] = []
        for number, one in enumerate(inside if type(inside) is list else ()):
            if type(one) is not dict:
                continue
            own = f"{name}-embedded-{number + 1}".lstrip("-")
            if "schema_version" not in one and version is not None:
                one = {"schema_version": version, **one}
            found.append((own, one))
            identity = plain(one.get("trajectory_id"))
            apart.append((identity, one))
            if type(identity) is str:
                session = one.get("session_id") if has_sessions else None
                files[identity] = _File(f"{stem}.{own}.atif.json".lstrip("."), session)
        referred = _name_files(here, files)
        for one in [one for identity, one in apart if type(identity) is not str or identity not in referred]:
            ledger.lose("unreferenced-subagents", "order_vs_causality", "dropped", _record_of(one), UNREFERRED)
    return found


def _record_of(tree: Json) -> At:
    """The record of a document's first step; () when the Bundle holds nothing of it."""
    step = next(objects(tree, "steps"), {})
    return next((value.origin[:2] for value in step.values() if type(value) is Held and value.origin[0] == "nodes"), ())


class _File(NamedTuple):
    """What references say of a subagent that has a file of its own.

    Attributes:
        path: Of the file.
        session: `session_id` of the subagent, with its place in the Bundle; None where it has none, or none is asked.
    """

    path: str
    session: Any


def _name_files(tree: Json, files: dict[str, _File]) -> set[str]:
    """Give references the path of the file; tells which identities are referred to."""
    found: set[str] = set()
    for one in references(tree):
        identity = _text(one.get("trajectory_id"))
        found.add(identity)
        file = files.get(identity)
        if file is None:
            continue
        if plain(one.get("trajectory_path")) is None:
            one["trajectory_path"] = _made_path(file.path, one["trajectory_id"], one.get("trajectory_path"))
        if _text(file.session) and plain(one.get("session_id")) is None:
            one["session_id"] = file.session
    return found


def _made_path(path: str, identity: Any, null: Any) -> Made:
    detail = "the name of the file of a subagent"
    if type(null) is Held:
        return Made(path, (null.origin,), "file-names", "identity", "approximated", detail)
    origins: tuple[At, ...] = (identity.origin,) if type(identity) is Held else ()
    return Made(path, origins, "file-names", "identity", "synthesized", detail)


def name_documents(tree: Json, names: Sequence[Renamed]) -> None:
    """Let the references to other documents name the files that these are written to, in place."""
    known = {one.origin: one for one in names}
    for trajectory in trajectories(tree):
        _rename(trajectory, "continued_trajectory_ref", known)
        for one in references(trajectory):
            _rename(one, "trajectory_path", known)


def _rename(holder: Json, member: str, names: dict[At, Renamed]) -> None:
    value = holder.get(member)
    if type(value) is Held and value.origin in names:
        one = names[value.origin]
        holder[member] = Made(one.name, (value.origin,), one.code, "identity", "approximated", one.detail)


def embed(bundle: Bundle, documents: Sequence[Any], ledger: Ledger, names: Sequence[Renamed] = ()) -> list[Any]:
    """Put the documents of subagents into the document that refers to them.

    Args:
        bundle: Its delegations say which thread, and so which document, a reference leads to.
        documents: In their order; trees are changed in place.
        ledger: Takes the losses.
        names: References by path. One that several documents refer to, or that a segment goes on in, stays a file.

    Returns:
        The documents that nothing refers to, and those that stay files.
    """
    delegations = _delegations(bundle, documents)
    holders: dict[str, set[str]] = {}
    for outer, inner, _, _ in delegations:
        holders.setdefault(inner.part, set()).add(outer.part)
    origins = {origin for _, _, _, origin in delegations}
    kept = {part for part, found in holders.items() if len(found) > 1}
    kept.update(one.part for one in names if one.part and one.origin[:2] not in origins)
    inside: dict[str, str] = {}  # part → part that it was put into
    identities: dict[str, set[str]] = {}
    for outer, inner, reference, _ in delegations:
        if inner.part in kept or _depth(inside, outer.part) > MAX_NESTING or _leads(inside, outer.part, inner.part):
            continue
        if inner.part not in inside:
            inside[inner.part] = outer.part
            _put(outer, inner, identities)
        _refer(reference, inner.tree["trajectory_id"], ledger)
    left = [one for one in documents if one.part not in inside]
    for document in left:
        _tell_files(document.tree, ledger)
    return left


def _tell_files(tree: Json, ledger: Ledger) -> None:
    """Name the references that lead to files still: what is there was not read, or cannot stand in one place alone."""
    whole = list(trajectories(tree))
    here = {_text(one.get("trajectory_id")) for one in whole[1:]} - {""}
    for trajectory in whole:
        for one in references(trajectory):
            path = one.get("trajectory_path")
            if type(path) is not Held or type(path.value) is not str:
                continue
            if _text(one.get("trajectory_id")) not in here:
                ledger.lose("not-embedded", "identity", "approximated", path.origin, _NOT_EMBEDDED)


_NOT_EMBEDDED = "a subagent stays in a file of its own: it was not read with this document, or more than one names it"


def _delegations(bundle: Bundle, documents: Sequence[Any]) -> list[tuple[Any, Any, Json, At]]:
    """Each reference to the document of a subagent: in which one it stands, where it leads, itself, and its record."""
    nodes = {node["node_id"]: i for i, node in bundle.objects("nodes") if type(node.get("node_id")) is str}
    by_part = {one.part: one for one in documents}
    found: list[tuple[Any, Any, Json, At]] = []
    for outer in documents:
        links = {**outer.links.get(_REFERENCE, {}), **outer.links.get(as_kept(_REFERENCE), {})}
        for record, pointer in links.items():
            at: At = ("nodes", nodes.get(record, -1))
            thread = look_up(bundle.tree, (*at, "payload", "thread_id"))
            inner = by_part.get(thread) if type(thread) is str and thread else None
            reference = look_up(outer.tree, tokens_of(pointer))
            if inner is not None and inner is not outer and type(reference) is dict:
                found.append((outer, inner, reference, at))
    return found


def _put(outer: Any, inner: Any, names: dict[str, set[str]]) -> None:
    """Put one document into another; `names` are the identities of those that stand in each."""
    embedded = outer.tree.setdefault("subagent_trajectories", [])
    if type(embedded) is Held:
        embedded = outer.tree["subagent_trajectories"] = [] if embedded.value is None else list(embedded.value)
    taken = names.get(outer.part)
    if taken is None:
        taken = names[outer.part] = {_text(one.get("trajectory_id")) for one in trajectories(outer.tree)}
    known = inner.tree.get("trajectory_id")
    if not _text(known) or _text(known) in taken:
        detail = "ATIF asks for an identity of its own of a trajectory that is embedded"
        origins: tuple[At, ...] = (known.origin,) if type(known) is Held else ()
        handling: Handling = "approximated" if origins else "synthesized"
        inner.tree["trajectory_id"] = Made(str(inner.part), origins, "document-ids", "identity", handling, detail)
    taken.add(_text(inner.tree["trajectory_id"]))
    embedded.append(inner.tree)


def _refer(reference: Json, identity: Any, ledger: Ledger) -> None:
    """Let a reference name a document that is embedded by its identity."""
    path = reference.pop("trajectory_path", None)
    if type(path) is Held:
        detail = "the subagent stands in the document now, and not in the file that the reference named"
        ledger.lose("file-names", "identity", "dropped", path.origin, detail)
    known = reference.get("trajectory_id")
    if type(known) is not Held or known.value is None:
        reference["trajectory_id"] = identity
    elif known.value != plain(identity):
        detail = "a reference by the identity that the subagent's document has"
        reference["trajectory_id"] = Made(
            plain(identity), (known.origin,), "document-ids", "identity", "approximated", detail
        )


def _depth(inside: dict[str, str], part: str) -> int:
    depth = 0
    while part in inside and depth <= MAX_NESTING:
        part, depth = inside[part], depth + 1
    return depth


def _leads(inside: dict[str, str], part: str, goal: str) -> bool:
    """Whether a document was put, at whatever depth, into another one."""
    while part in inside:
        part = inside[part]
        if part == goal:
            return True
    return False


def _text(value: Any) -> str:
    found = plain(value)
    return found if type(found) is str else ""
