"""Small Bundles for the tables of the checks: only what a case is about; the checks of one family say the rest."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from attraj.bundle.checks.check import Asked, Check
from attraj.bundle.model import Bundle


def node(name: Any, kind: Any = "event", **members: Any) -> dict[str, Any]:
    """A node with an actor and an authority. A member set to ... is left out."""
    made = {"node_id": name, "kind": kind, "actor": "runtime:r", "authority_class": "runtime", "status": "committed"}
    return {key: value for key, value in {**made, **members}.items() if value is not ...}


def edge(source: Any, target: Any, relation: Any = "caused_by", **members: Any) -> dict[str, Any]:
    return {"from": source, "to": target, "relation": relation, **members}


def tree(nodes: list[Any], edges: list[Any] | None = None, states: list[Any] | None = None, **more: Any) -> Any:
    return {"nodes": nodes, "edges": edges or [], "states": states or [], **more}


def found(document: Any, *modules: ModuleType, only: str = "", **asked: Any) -> list[tuple[str, str]]:
    """Code and pointer of what these families say, sorted; with `only`, of this code or part of one."""
    bundle = Bundle(document)
    checks = [value for module in modules for value in vars(module).values() if type(value) is Check]
    findings = [finding for check in checks for finding in check.run(bundle, Asked(**asked))]
    return sorted((f.code, f.location.pointer) for f in findings if f.code.startswith(only))
