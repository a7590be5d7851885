"""References between the documents of one Bundle: the files that they name have names of their own when written again.

A trial's trajectories name each other as Harbor calls them. What is written is called by the output, so that the
references are written anew: else the next reader would find a run cut in two. One that leads to none of the documents
stays as it is, and is told: seen from another folder, a relative path leads somewhere else.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from attraj.bundle.model import Bundle
from attraj.formats.mapping.fields import At, Json, Place, look_up, pointer_of, tokens_of
from attraj.formats.mapping.loss import Loss

_NAMED = "it names a file as the folder calls it; what is written has names of its own"
_DANGLES = "it names a file that is not among what is written: from the new folder it leads somewhere else"
_MEMBERS = frozenset({"trajectory_path", "continued_trajectory_ref"})
_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|[A-Za-z]:").match  # a URL, or a path on a drive
_is_part = re.compile(r"[a-z]+(?:-[a-z0-9]+)*", re.ASCII).fullmatch


class Renamed(NamedTuple):
    """One reference to another document.

    Attributes:
        at: Where it stands in its document.
        origin: Where it stands in the Bundle.
        part: Of the document that it leads to; None when it leads to none.
        name: Of the file that this one is written to; what the reference says already when there is none.
    """

    at: At
    origin: At
    part: str | None
    name: str

    @property
    def detail(self) -> str:
        """What is lost."""
        return _DANGLES if self.part is None else _NAMED

    @property
    def code(self) -> str:
        """Of the loss."""
        return "dangling-reference" if self.part is None else "file-names"


def part_of(source: Json, position: int) -> str:
    """What tells a document from the others of its Bundle: what its reader called it, else its position."""
    part = source.get("part")
    if type(part) is str and _is_part(part):
        return part
    return "" if position == 0 else f"part-{position}"


def file_part(name: str) -> str:
    """A part as a piece of a file name; different parts stay different."""
    if not any(sign in name for sign in "%/\\\0"):
        return name
    return name.replace("%", "%25").replace("/", "%2F").replace("\\", "%5C").replace("\0", "%00")


def file_name(stem: str, part: str, to: str) -> str:
    """What a document is called that is written as one of several (decisions 11)."""
    return ".".join([name for name in (stem, file_part(part), to, "json") if name])


def rename(tree: Any, names: Sequence[Renamed]) -> Iterator[Loss]:
    """Write the new names into a document that was restored, in place. Gives the losses."""
    for one in names:
        holder = look_up(tree, one.at[:-1])
        if type(holder) is dict and type(holder.get(one.at[-1])) is str:
            holder[one.at[-1]] = one.name
            yield Loss(one.code, "identity", "approximated", pointer_of(one.origin), 1, one.detail, "write")


def renamed(
    bundle: Bundle, sources: Sequence[Json], places: Mapping[str, Place], stem: str, to: str
) -> list[list[Renamed]]:
    """The references between documents, for each document in its order.

    Args:
        bundle: Never modified.
        sources: Entries of the documents that are given back; see `restore.sources`.
        places: The table of the room that read them.
        stem: What the names of the files begin with.
        to: Name of their format.
    """
    paths = [_path(one) for one in sources]
    parts = {path: part_of(one, i) for i, (one, path) in enumerate(zip(sources, paths, strict=True)) if path}
    if not parts:
        return [[] for _ in sources]
    fields = [
        (place.name, one.source, one.core)
        for place in places.values()
        for one in place.fields
        if place.collection == "nodes" and one.core[-1] in _MEMBERS
    ]
    nodes = {node["node_id"]: i for i, node in bundle.objects("nodes") if type(node.get("node_id")) is str}
    found: list[list[Renamed]] = []
    for source, path in zip(sources, paths, strict=True):
        here: list[Renamed] = []
        for name, inner, core in fields:
            for record, pointer in _links(source, name):
                at, origin = (*tokens_of(pointer), *inner), ("nodes", nodes.get(record, -1), *core)
                said = look_up(bundle.tree, origin)
                target = _target(path, said)
                if target in parts:
                    here.append(Renamed(at, origin, parts[target], file_name(stem, parts[target], to)))
                elif target:
                    here.append(Renamed(at, origin, None, said))
        found.append(here)
    return found


def _links(source: Json, name: str) -> list[tuple[str, str]]:
    linked = look_up(source, ("links", name))
    return [(r, p) for r, p in linked.items() if type(p) is str] if type(linked) is dict else []


def _path(source: Json) -> str:
    """Path of a document within the folder that its Bundle is of; "" for a lone one."""
    identity = source.get("artifact_id")
    return identity.removeprefix("file:") if type(identity) is str and identity.startswith("file:") else ""


def _target(path: str, reference: Any) -> str:
    """Path of what a document names, within the folder; "" when it is somewhere else. Nothing is opened."""
    if type(reference) is not str or not reference or not path or _ELSEWHERE(reference):
        return ""
    if reference[0] in "/\\":  # it leads to the same place from everywhere
        return ""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), reference.replace("\\", "/")))
