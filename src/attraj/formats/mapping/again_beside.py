"""What documents of a folder say again of a Bundle that is of the whole folder.

The folder is not there to be read once more, and its documents are: a node of the Bundle is known by the place in a
document that it names, and what somebody has added to it since is not said by the document. Compare again.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from attraj.bundle.model import Bundle
from attraj.formats.mapping.draft import Settings
from attraj.formats.mapping.fields import At, Json, is_same
from attraj.formats.mapping.rooms import Reader
from attraj.jsonio import MISSING, Document
from attraj.jsonio.write import dumps

_Key = tuple[str, str]  # what a node names of the source, and its kind
# What reading a document in its folder says otherwise than reading it alone.
_OF_FOLDER = frozenset({"node_id", "sequence", "source_event_id", "source_refs", "thread_id", "state_view", "parents"})
_BETWEEN = frozenset({"delegates", "resumes"})  # relations of one document to another


class Said(NamedTuple):
    """What is said again.

    Attributes:
        places: Of the Bundle's nodes and edges.
        added: Positions of nodes that no document and no other file of the folder gives.
    """

    places: set[At]
    added: list[int]


def said_in_folder(bundle: Bundle, given: Sequence[tuple[Json, Any]], others: Sequence[Json], room: Reader) -> Said:
    """What the documents of a folder say of its Bundle's nodes and edges.

    Args:
        bundle: Never modified.
        given: Each document with its entry in the residue.
        others: Entries of the files that are not given back: what they say is not told here.
        room: Reader of the documents.
    """
    known: dict[_Key, Json] = {}
    edges: set[tuple[_Key, _Key, str]] = set()
    for source, tree in given:
        artifact = str(source.get("artifact_id"))
        again = Bundle(room.read(Document(dumps(tree), tree), Settings()).finish())
        names: dict[str, _Key] = {}
        for _, node in again.objects("nodes"):
            event = _event(node)
            key = (f"{artifact}#{event.partition('#')[2]}", str(node.get("kind")))
            names[node["node_id"]], known[key] = key, node
        edges.update((names[one["from"]], names[one["to"]], one["relation"]) for _, one in again.objects("edges"))
    elsewhere = tuple(f"{one.get('artifact_id')}#" for one in others)
    return _compared(bundle, known, edges, elsewhere)


def _compared(
    bundle: Bundle, known: dict[_Key, Json], edges: set[tuple[_Key, _Key, str]], elsewhere: tuple[str, ...]
) -> Said:
    said = Said(set(), [])
    keys: dict[Any, _Key] = {}
    for position, node in bundle.objects("nodes"):
        event = _event(node)
        key = (event, str(node.get("kind")))
        if type(node.get("node_id")) is str:
            keys[node["node_id"]] = key
        if key in known:
            said.places.update(_same(node, known[key], ("nodes", position)))
        elif elsewhere and event.startswith(elsewhere):
            said.places.add(("nodes", position))
        else:
            said.added.append(position)
    for position, edge in bundle.objects("edges"):
        ends = [edge.get(name) for name in ("from", "to")]
        cause, effect = [keys.get(one) if type(one) is str else None for one in ends]
        relation = edge.get("relation")
        is_between = type(relation) is str and relation in _BETWEEN
        if is_between or (cause and effect and (cause, effect, relation) in edges):
            said.places.add(("edges", position))
    return said


def _event(node: Json) -> str:
    """What of the source a node says that it stands for."""
    references = node.get("source_refs")
    first = references[0] if type(references) is list and references else ""
    event = node.get("source_event_id", first)
    return event if type(event) is str else ""


def _same(node: Json, again: Json, at: At) -> Iterator[At]:
    """The places of a node that reading its document says as well."""
    pending: list[tuple[Any, Any, At]] = []
    for name, value in node.items():
        if name in _OF_FOLDER:
            yield (*at, name)
        elif name == "payload" and type(value) is dict:
            yield (*at, name, "thread_id")
            pending.append(({k: v for k, v in value.items() if k != "thread_id"}, again.get(name, {}), (*at, name)))
        else:
            pending.append((value, again.get(name, MISSING), (*at, name)))
    while pending:
        one, other, place = pending.pop()
        if type(one) is dict and type(other) is dict:
            pending.extend([(value, other.get(name, MISSING), (*place, name)) for name, value in one.items()])
        elif is_same(one, other):
            yield place
