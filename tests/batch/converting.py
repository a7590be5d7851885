"""A format that exists in tests only, and what converts it: a document says itself what becomes of it.

{"toy": "converted"}                        its text, in the target's form
{"toy": "converted", "losses": 3}           with losses at three steps
{"toy": "converted", "parts": ["", "a"]}    as several documents
{"toy": "converted", "assets": {...}}       with files beside it
{"toy": "converted", "errors": 2}           in spite of errors
{"toy": "converted", "notes": [...]}        with what is worth a line
{"toy": "converted", "because": "..."}      with a reason to tell of
{"toy": "findings" | "refused" | ...}       not converted
{"toy": "bug"}                              a bug
{"toy": "death"}                            the process dies
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
from pathlib import Path
from typing import Any

from attraj.batch.convert import ConvertTask, Verbs
from attraj.batch.convert_plan import Destination, Plan, Sources, make_plan
from attraj.findings import DocumentReport, Rule, Severity, Stratum
from attraj.formats.mapping.loss import Loss
from attraj.jsonio import Document
from attraj.verbs.convert import Converted, Output, Request
from attraj.verbs.validate import NO_FORMAT

RULE = Rule("TOY001", "broken-toy", Severity.ERROR, Stratum.SHAPE)
REQUEST = Request("atif")


def convert(document: Document, name: str, request: Request) -> Converted:
    tree = document.tree
    if type(tree) is not dict or "toy" not in tree:
        report = DocumentReport(document.path, document.index, status="unreadable", reason=NO_FORMAT)
        return Converted("unreadable", report=report)
    report = DocumentReport(document.path, document.index, "toy", "1")
    what = tree["toy"]
    if what == "bug":
        raise KeyError(tree["secret"])
    if what == "death":
        os._exit(9)
    if what == "widow":
        parent = multiprocessing.parent_process()
        assert parent is not None
        os.kill(parent.pid or 0, signal.SIGKILL)
        threading.Event().wait(600)
    if what == "findings":
        finding = RULE.at("/toy", "the toy is broken", hint="mend it")
        report = DocumentReport(document.path, document.index, "toy", "1", "findings", (finding,))
        return Converted("findings", report=report, reason="errors in its shape")
    if what == "rejected":
        return Converted("rejected", report=DocumentReport(document.path, document.index, "toy", "2", "rejected"))
    if what == "unproven":
        return Converted("refused", report=report, reason="a value is nowhere", is_unproven=True)
    if what != "converted":
        return Converted("refused", report=report, reason="the target has no word for it")
    losses = tuple(
        Loss("toy-step", "timing", "dropped", f"/steps/{number}/when", 1, "steps of toys have no time")
        for number in range(tree.get("losses", 0))
    )
    outputs = tuple(
        Output(_text(tree, name, part), part, {k: v.encode() for k, v in tree.get("assets", {}).items()})
        for part in tree.get("parts", [""])
    )
    reason, notes = tree.get("because", ""), tuple(tree.get("notes", ()))
    return Converted("converted", outputs, losses, report, reason, errors=tree.get("errors", 0), notes=notes)


def convert_trial(folder: str, name: str, request: Request, release: str) -> list[tuple[str, Converted]]:
    made = []
    for path in sorted(Path(folder).glob("**/agent/trajectory.json")):
        document = Document(path.read_bytes(), json.loads(path.read_text("utf-8")), path=str(path))
        part = path.parts[-3] if "steps" in path.parts else ""
        converted = convert(document, f"{name}.{part}" if part else name, request)
        assert converted.report is not None
        made.append((part, converted))
    return made


def _text(tree: dict[str, Any], name: str, part: str) -> bytes:
    return json.dumps({"name": name, "part": part, "was": tree}).encode() + b"\n"


VERBS = Verbs(convert, convert_trial)


def written(path: Path, **tree: Any) -> Path:
    """A toy as a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"toy": "converted", **tree}), encoding="utf-8")
    return path


def plan_of(paths: list[Path], out: Path, request: Request = REQUEST, **options: Any) -> Plan:
    """A plan into a folder."""
    overwrites, is_resumed = options.pop("overwrites", False), options.pop("is_resumed", False)
    sources = Sources([str(path) for path in paths], **options)
    return make_plan(sources, request, Destination("folder", str(out), overwrites), is_resumed=is_resumed)


def task_of(plan: Plan, request: Request = REQUEST, fails_on: frozenset[str] = frozenset()) -> ConvertTask:
    return ConvertTask(request, plan.destination, fails_on, plan.protected, VERBS)


def tree_of(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
