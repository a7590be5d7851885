"""Bundles for the tests of reading and writing: read from small documents, or put together node by node."""

from __future__ import annotations

import json
from typing import Any

from attraj.bundle.model import Bundle
from attraj.formats.atif import read as reading
from attraj.formats.atif.verdict import harbor
from attraj.formats.atif.write import compose
from attraj.formats.atif.write_documents import Composer
from attraj.formats.mapping.account import losses_of
from attraj.formats.mapping.draft import Draft, Settings
from attraj.formats.mapping.held import Ledger, settle
from attraj.formats.mapping.restore import restore, sources
from attraj.formats.mapping.rooms import Wanted
from attraj.jsonio import Document
from attraj.jsonio.write import dumps
from attraj.verbs.validate import Request, validate

Json = dict[str, Any]


def draft(tree: Any, **settings: Any) -> Draft:
    """A tree that came from memory, read."""
    return reading.read(Document(dumps(tree), tree), Settings(**{"name": "run", **settings}))


def read(tree: Any, **settings: Any) -> Json:
    """The Bundle of a document."""
    return draft(tree, **settings).finish()


def back(bundle: Json) -> Any:
    """The document that a Bundle was read from, again."""
    whole = Bundle(bundle)
    return restore(whole, sources(whole)[0], reading.PLACES)


def nodes(bundle: Json, kind: str) -> list[Json]:
    """The nodes of one kind."""
    return [node for node in bundle["nodes"] if node["kind"] == kind]


def edges(bundle: Json) -> set[tuple[str, str, str, str]]:
    """Each edge as cause, effect, relation, basis."""
    return {(edge["from"], edge["to"], edge["relation"], edge["basis"]) for edge in bundle["edges"]}


def errors(tree: Any, format_name: str) -> list[tuple[str, str]]:
    """Code and pointer of each error that validation finds."""
    raw = dumps(tree)
    report = validate(Document(raw, json.loads(raw)), Request(format=format_name))
    return [(f.rule.code, f.location.pointer) for f in report.findings if str(f.severity) == "error"]


FOREIGN = {"artifact_id": "artifact:0", "format": "react-web", "links": {}, "rest": {}, "order": {}}


def made(*given: Json, edges: tuple[tuple[str, str, str], ...] = (), **members: Any) -> Json:
    """A Bundle of these nodes, as if it had been read from another format; edges as cause, effect, relation."""
    whole = [
        {"node_id": f"n{i}", "sequence": i, "actor": "a", "authority_class": "model", **node}
        for i, node in enumerate(given, start=1)
    ]
    base = draft({}, name="made").finish()
    base["extensions"]["dev.attraj.source"]["data"]["artifacts"] = [FOREIGN]
    linked = [{"from": a, "to": b, "relation": c, "basis": "recorded"} for a, b, c in edges]
    return {**base, "nodes": whole, "edges": linked, "bindings": {}, "states": [], **members}


def written(bundle: Json, version: str = "", **wanted: Any) -> tuple[list[Json], list[tuple[str, str, str]]]:
    """The documents that a Bundle is written as, and code, handling, pointer of each loss."""
    ledger = Ledger()
    documents = compose(Bundle(bundle), ledger, Wanted(version, **wanted))
    trees = [settle(one.tree, ledger).tree for one in documents]
    return trees, [(loss.code, loss.handling, loss.pointer) for loss in losses_of(bundle, ledger)]


def parts(bundle: Json, version: str = "", **wanted: Any) -> list[str]:
    """What tells the written documents apart."""
    return [one.part for one in compose(Bundle(bundle), Ledger(), Wanted(version, **wanted))]


def step(bundle: Json, version: str = "", position: int = 0) -> Json:
    """One step of the only document."""
    (tree,), _ = written(bundle, version)
    found: Json = tree["steps"][position]
    return found


def composed(bundle: Any, version: str = "") -> tuple[list[Any], Ledger]:
    """The documents of a Bundle, composed even where they could be restored."""
    ledger = Ledger()
    minor = int(version[2:]) if version else 7
    found = Composer(Bundle(bundle), ledger, Wanted(version), minor).documents()
    return [settle(one.tree, ledger).tree for one in found], ledger


def verdict(tree: Any, release: str = "harbor-0.26") -> str:
    """What Harbor would say of a document."""
    raw = dumps(tree)
    return harbor(Document(raw, json.loads(raw)), "")[release]


def sources_of(tree: Any) -> list[str]:
    """The source of each step, with a mark at those that call tools."""
    return [one["source"] + ("+" if one.get("tool_calls") else "") for one in tree["steps"]]


def call(**members: Any) -> Json:
    """The node of a call."""
    return {"kind": "action", "action": {"kind": "tool_call", "name": "sh", "arguments": {}, "call_id": "c"}, **members}
