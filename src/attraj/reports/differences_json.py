"""A comparison as JSON, version 1 of the report (DESIGN.md §4). Values stand in it only where they are asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attraj.jsonio.write import dumps
from attraj.pointer import shown
from attraj.reports.json_v1 import REPORT_VERSION, printable_path, tool
from attraj.reports.labels import label
from attraj.reports.layout import View
from attraj.verbs.comparing.changes import Change, Pair, alone
from attraj.verbs.comparing.said import Said
from attraj.verbs.comparing.sides import Side
from attraj.verbs.comparing.steps import Step
from attraj.verbs.diff import Difference

Json = dict[str, Any]


def as_json(found: Difference, *, is_full: bool, is_brief: bool) -> bytes:
    """The report, one object.

    Args:
        is_full: With the values, and with every name as the document has it.
        is_brief: Without steps and facts: the account only.
    """
    pairs = list(found.pairs())
    report: Json = {
        "report_version": REPORT_VERSION,
        "tool": tool(),
        "command": "diff",
        "documents": [_document(found.a), _document(found.b)],
        "equal": found.is_equal,
    }
    if not is_brief:
        report["steps"] = [_pair(found, pair, is_full) for pair in pairs if not pair.is_same]
        report["facts"] = [_change(found, change, is_full) for change in found.facts]
    report["summary"] = {
        "in_both": sum(pair.is_in_both for pair in pairs),
        "same": sum(pair.is_same for pair in pairs),
        "only_a": sum(pair.b is None for pair in pairs),
        "only_b": sum(pair.a is None for pair in pairs),
        "changes": _counts(found.changes()),
    }
    return dumps(report) + b"\n"


def _document(side: Side) -> Json:
    return {
        "path": printable_path(side.path),
        "index": side.index,
        "format": side.facts.format,
        "format_version": side.facts.version,
        "notes": list(side.remarks),
    }


def _pair(found: Difference, pair: Pair, is_full: bool) -> Json:
    listed = pair.changes
    if pair.b is None and pair.a is not None:
        listed = alone(pair.a, is_a=True)
    elif pair.a is None and pair.b is not None:
        listed = alone(pair.b, is_a=False)
    changes = [_change(found, change, is_full) for change in listed]
    return {"a": _step(found.a, pair.a), "b": _step(found.b, pair.b), "changes": changes}


def _step(side: Side, step: Step | None) -> Json | None:
    if step is None:
        return None
    return {"number": step.number or None, "pointer": _pointer(side, step.pointer)}


def _change(found: Difference, change: Change, is_full: bool) -> Json:
    record: Json = {
        "topic": change.topic,
        "name": label(change.name, change.topic, View() if is_full else None),
        "kind": change.kind,
    }
    for letter, side, said in (("a", found.a, change.a), ("b", found.b, change.b)):
        if said is not None:
            record[letter] = _said(side, said, is_full)
    return record


def _said(side: Side, said: Said, is_full: bool) -> Json:
    record: Json = {"pointer": printable_path(side.shown(said.where))}
    if is_full:
        record["value"] = said.value
    return record


def _pointer(side: Side, pointer: str) -> str:
    return printable_path(shown(pointer, side.tree))


def _counts(changes: Iterable[Change]) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for change in changes:
        kinds = counts.setdefault(change.topic, {"different": 0, "only_a": 0, "only_b": 0})
        kinds[change.kind] += 1
    return counts
